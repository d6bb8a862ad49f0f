//! Layouts of table records, shared by loaders and the structure view.

/// Type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Unsigned 8-bit integer.
    U8,
    /// Unsigned 16-bit integer, little-endian like all larger types without another order.
    U16,
    /// Signed 16-bit integer.
    I16,
    /// Signed 32-bit integer.
    I32,
    /// Unsigned 32-bit integer.
    U32,
    /// 32-bit float.
    F32,
    /// Big-endian unsigned 32-bit integer.
    U32Be,
    /// Big-endian 32-bit float.
    F32Be,
    /// Text up to the first NUL, one byte per character.
    Text,
    /// Statement of a text format, including the space before it.
    Statement,
    /// Uninterpreted bytes.
    Bytes,
}

impl Kind {
    /// Returns the size of one value in bytes.
    pub const fn size(self) -> u64 {
        match self {
            Self::U8 | Self::Text | Self::Statement | Self::Bytes => 1,
            Self::U16 | Self::I16 => 2,
            Self::I32 | Self::U32 | Self::F32 | Self::U32Be | Self::F32Be => 4,
        }
    }
}

/// Kind of model element that a structure, a field or a record holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PartKind {
    /// Header of a file whose single surface has no structure of its own.
    Header,
    /// Surface, by its index in the model.
    Surface,
    /// Name of a surface.
    SurfaceName,
    /// Name of a shader of a surface.
    Shader,
    /// Path of a skin.
    Skin,
    /// Frame.
    Frame,
    /// Tag.
    Tag,
    /// Tag in one frame. The index runs through the tags of all frames in turn.
    FrameTag,
    /// Joint or bone.
    Joint,
    /// Triangle of a surface.
    Triangle,
    /// Vertex of a surface, for all frames.
    Vertex,
    /// Vertex of a key frame. The index runs through the vertices of all key frames in turn.
    KeyVertex,
    /// Vertex of a delta frame. The index runs through the vertices of all delta frames in turn.
    DeltaVertex,
    /// Vertex of a frame as stored; several vertices of the surface may use it.
    StoredVertex,
    /// Data of a surface in one frame.
    SurfaceFrame,
    /// Weight of a surface.
    Weight,
}

impl PartKind {
    /// Returns the element of this kind with this index.
    pub fn at(self, index: usize) -> Part {
        Part { kind: self, index: u32::try_from(index).unwrap_or(u32::MAX) }
    }
}

/// Element of a model, by its kind and index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Part {
    /// Kind of the element.
    pub kind: PartKind,
    index: u32,
}

impl Part {
    /// Returns the index among the elements of the kind.
    pub fn index(self) -> usize {
        self.index as usize
    }
}

/// Field of a record: one number, several numbers of one type, or a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name in the format's own spelling.
    pub name: &'static str,
    /// Type of each value.
    pub kind: Kind,
    /// Number of values or characters.
    pub count: u64,
}

impl Column {
    /// Creates a field of `count` values.
    #[must_use]
    pub const fn new(name: &'static str, kind: Kind, count: u64) -> Self {
        Self { name, kind, count }
    }

    /// Returns the size in bytes.
    pub const fn size(&self) -> u64 {
        self.kind.size() * self.count
    }
}

/// Number of parts that follow the head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Fixed number, equal for all records.
    Fixed(u64),
    /// Number stored as a signed 32-bit integer at this byte offset in the record's head.
    At(u64),
    /// Like [`Self::At`], big-endian.
    AtBe(u64),
}

/// Array of parts with equal layout, after the head of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tail {
    /// Name of the array.
    pub name: &'static str,
    /// Fields of each part.
    pub columns: &'static [Column],
    /// Number of parts.
    pub count: Count,
    /// Kind of the model element in each part, if any.
    pub holds: Option<PartKind>,
}

/// Layout of the records of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Name of the table.
    pub name: &'static str,
    /// Fields at the start of each record.
    pub head: &'static [Column],
    /// Parts after the head.
    pub tail: Option<Tail>,
    /// Kind of the model element in each record, if any.
    pub holds: Option<PartKind>,
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
    /// Creates a layout that consists of the fields of `head`.
    #[must_use]
    pub const fn new(name: &'static str, head: &'static [Column]) -> Self {
        Self { name, head, tail: None, holds: None, stride: 0 }
    }

    /// Sets the model element that each record holds.
    #[must_use]
    pub const fn holding(self, part: PartKind) -> Self {
        Self { holds: Some(part), ..self }
    }

    /// Appends `count` records of another layout to each head.
    pub const fn followed_by(self, Self { name, head: columns, holds, .. }: Self, count: Count) -> Self {
        Self { tail: Some(Tail { name, columns, count, holds }), ..self }
    }

    /// Sets the minimum distance between records in bytes, for records with padding.
    #[must_use]
    pub const fn every(self, stride: u64) -> Self {
        Self { stride, ..self }
    }

    /// Returns the size of the head in bytes.
    pub const fn head_size(&self) -> u64 {
        size_of(self.head)
    }

    /// Returns the distance between records in bytes; for records of varying length, the minimum.
    pub const fn stride(&self) -> u64 {
        let whole = self.head_size().saturating_add(match self.tail {
            Some(Tail { columns, count: Count::Fixed(count), .. }) => size_of(columns).saturating_mul(count),
            _ => 0,
        });
        if self.stride > whole { self.stride } else { whole }
    }

    /// Returns whether each record stores its own length.
    pub const fn varies(&self) -> bool {
        matches!(self.tail, Some(Tail { count: Count::At(_) | Count::AtBe(_), .. }))
    }
}

impl Tail {
    /// Returns the size of one part in bytes.
    pub const fn part_size(&self) -> u64 {
        size_of(self.columns)
    }

    /// Returns the parts as a table layout.
    pub const fn records(&self) -> Record {
        Record { holds: self.holds, ..Record::new(self.name, self.columns) }
    }
}
