//! What moves, kind 1: whole vertices per frame, still packed as in the file (4 bytes in MD2, 8 in MD3, 4 or 8 in MDC).

use glam::Vec3;

/// Everything that moves in a morphing model.
#[derive(Clone, Debug)]
pub struct MorphMotion {
    /// One per surface, in the same order.
    pub surfaces: Vec<MorphTrack>,
    /// The tags of every frame.
    pub tags: TagTrack,
}

/// The moving vertices of one surface.
#[derive(Clone, Debug)]
pub struct MorphTrack {
    /// Vertices stored per frame.
    pub stored: u32,
    /// Frames stored, at least 1; later frames hold the last one.
    pub frame_count: u32,
    /// For each of the surface's vertices the stored vertex it shows; `None`: the same. MD2 keeps texture coordinates
    /// apart from positions, so one stored vertex may serve several.
    pub remap: Option<Vec<u32>>,
    /// `frame_count` × `stored` vertices.
    pub vertices: PackedVertices,
}

/// Vertices as the files pack them, frame after frame.
#[derive(Clone, Debug)]
pub enum PackedVertices {
    /// MD2: byte·scale + translate, and an index into the 162 normals.
    Bytes {
        /// Scale and translation, one per frame.
        frames: Vec<ByteFrame>,
        /// x, y, z, normal index (below 162).
        vertices: Vec<[u8; 4]>,
    },
    /// MD3: sixteen-bit fixed point.
    Shorts(Vec<ShortVertex>),
    /// MDC: full key frames, and frames of small offsets from one of them.
    KeyDeltas {
        /// Key frames ("base frames"), one after another.
        keys: Vec<ShortVertex>,
        /// Delta frames ("compressed frames"): dx, dy, dz (biased by 127, step 0.05), index into the 256 normals.
        deltas: Vec<[u8; 4]>,
        /// For every frame of the model, what it is made of.
        frames: Vec<KeyDeltaFrame>,
    },
}

/// Scale and translation of one MD2 frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ByteFrame {
    /// Units per step, by axis.
    pub scale: Vec3,
    /// Place of byte 0, by axis.
    pub translate: Vec3,
}

/// An MD3 vertex: position in 1/64 units, normal as zenith (low byte) and azimuth (high byte).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortVertex {
    /// 64 steps per unit.
    pub position: [i16; 3],
    /// See [`crate::model::packed_normal::zenith_azimuth`].
    pub normal: u16,
}

/// What an MDC frame is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyDeltaFrame {
    /// Which key frame.
    pub key: u16,
    /// Which delta frame is added; `None`: the key frame as it is.
    pub delta: Option<u16>,
}

/// The tags of every frame, frame after frame.
#[derive(Clone, Debug)]
pub enum TagTrack {
    /// MD3: origin and three axes.
    Axes(Vec<TagFrame>),
    /// MDC: x, y, z in 1/64 units, then pitch, yaw, roll in steps of 360/32700 degrees.
    Angles(Vec<[i16; 6]>),
}

/// A tag as MD3 stores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TagFrame {
    /// Place in model space.
    pub origin: Vec3,
    /// Forward, left, up: rows in the file, the columns of the rotation. Not always of unit length, not always
    /// right-handed.
    pub axes: [Vec3; 3],
}

impl TagTrack {
    /// Tags stored, over all frames.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Axes(tags) => tags.len(),
            Self::Angles(tags) => tags.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
