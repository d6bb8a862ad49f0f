//! What the records of a table hold, field by field in the format's own spelling: what a loader reads by, and what the
//! anatomy of a file is told by. A [`Part`] says what a structure, a field or a record is of the model.

/// What a field is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One byte.
    U8,
    /// Unsigned 16 bits, little-endian, as all that follow.
    U16,
    /// Signed 16 bits.
    I16,
    /// Signed 32 bits.
    I32,
    /// Unsigned 32 bits.
    U32,
    /// Single precision.
    F32,
    /// Characters, up to the first NUL.
    Text,
    /// A statement of a text format, with the space before it.
    Statement,
    /// Bytes that mean nothing as a number.
    Bytes,
}

impl Kind {
    /// Bytes of one.
    #[must_use]
    pub const fn size(self) -> u64 {
        match self {
            Self::U8 | Self::Text | Self::Statement | Self::Bytes => 1,
            Self::U16 | Self::I16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
        }
    }
}

/// What a structure, a field or a record of a file is of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// The header of a file that has one surface, which has no structure of its own.
    Header,
    /// A surface, by its index in the model.
    Surface,
    /// The name of a surface.
    SurfaceName,
    /// The name of a shader of a surface.
    Shader,
    /// The path of a skin.
    Skin,
    /// A frame.
    Frame,
    /// A tag.
    Tag,
    /// A tag in a frame; tags are stored frame after frame.
    FrameTag,
    /// A joint or bone.
    Joint,
    /// A triangle of a surface.
    Triangle,
    /// A vertex of a surface, for all frames.
    Vertex,
    /// A vertex of a key frame; vertices are stored frame after frame.
    KeyVertex,
    /// A vertex of a delta frame; vertices are stored frame after frame.
    DeltaVertex,
    /// A vertex within a frame, which several vertices of the surface may show.
    StoredVertex,
    /// What a surface is made of in a frame.
    SurfaceFrame,
    /// A weight of a surface.
    Weight,
}

impl PartKind {
    /// The part of this kind that has this index.
    #[must_use]
    pub fn at(self, index: usize) -> Part {
        Part { kind: self, index: u32::try_from(index).unwrap_or(u32::MAX) }
    }
}

/// A part of a model, by its kind and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    index: u32,
}

impl Part {
    /// Which of its kind.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// A field of a record: one number, several of a kind, or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name in the format's own spelling.
    pub name: &'static str,
    /// What it is.
    pub kind: Kind,
    /// How many: numbers, or characters.
    pub count: u64,
}

impl Column {
    /// So many of a kind.
    #[must_use]
    pub const fn of(name: &'static str, kind: Kind, count: u64) -> Self {
        Self { name, kind, count }
    }

    /// Bytes it takes.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.kind.size() * self.count
    }
}

/// How many parts follow the head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// As many in every record.
    Fixed(u64),
    /// As many as the signed 32-bit number at this byte of the record's head says.
    At(u64),
}

/// Equal parts after the head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// What they are called together.
    pub name: &'static str,
    /// The fields of each.
    pub columns: &'static [Column],
    /// How many there are.
    pub count: Count,
    /// What each is of the model.
    pub holds: Option<PartKind>,
}

/// The records of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// What the table is called.
    pub name: &'static str,
    /// The fields that each begins with.
    pub head: &'static [Column],
    /// What follows them.
    pub tail: Option<Tail>,
    /// What each record is of the model.
    pub holds: Option<PartKind>,
    /// Bytes from one to the next where that is more than head and tail.
    stride: u64,
}

const fn size_of(columns: &[Column]) -> u64 {
    let (mut size, mut rest) = (0, columns);
    while let [first, after @ ..] = rest {
        size += first.size();
        rest = after;
    }
    size
}

impl Record {
    /// Records of these fields alone.
    #[must_use]
    pub const fn of(name: &'static str, head: &'static [Column]) -> Self {
        Self { name, head, tail: None, holds: None, stride: 0 }
    }

    /// With this part of the model in each record.
    #[must_use]
    pub const fn holding(self, part: PartKind) -> Self {
        Self { holds: Some(part), ..self }
    }

    /// With so many records of another kind after the head.
    #[must_use]
    pub const fn followed_by(self, Self { name, head: columns, holds, .. }: Self, count: Count) -> Self {
        Self { tail: Some(Tail { name, columns, count, holds }), ..self }
    }

    /// With so many bytes from one to the next.
    #[must_use]
    pub const fn every(self, stride: u64) -> Self {
        Self { stride, ..self }
    }

    /// Bytes of the head.
    #[must_use]
    pub const fn head_size(&self) -> u64 {
        size_of(self.head)
    }

    /// Bytes from one to the next; of records of different lengths, the least.
    #[must_use]
    pub const fn stride(&self) -> u64 {
        let whole = self.head_size().saturating_add(match self.tail {
            Some(Tail { columns, count: Count::Fixed(count), .. }) => size_of(columns).saturating_mul(count),
            _ => 0,
        });
        if self.stride > whole { self.stride } else { whole }
    }

    /// Whether each says itself how long it is.
    #[must_use]
    pub const fn varies(&self) -> bool {
        matches!(self.tail, Some(Tail { count: Count::At(_), .. }))
    }
}

impl Tail {
    /// Bytes of one part.
    #[must_use]
    pub const fn part_size(&self) -> u64 {
        size_of(self.columns)
    }

    /// The parts as records of a table.
    #[must_use]
    pub const fn records(&self) -> Record {
        Record { holds: self.holds, ..Record::of(self.name, self.columns) }
    }
}
