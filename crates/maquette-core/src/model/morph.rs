//! Vertex animation: vertices per frame, packed as in the file (4 bytes in MDL and MD2, 8 in MD3, 4 or 8 in MDC), or
//! as floats (glTF).

use glam::Vec3;

/// Moving part of a model with vertex animation.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphMotion {
    /// Vertices of each surface, in order.
    pub surfaces: Vec<MorphTrack>,
    /// Tags of every frame.
    pub tags: TagTrack,
}

/// Vertices of one surface in all frames.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphTrack {
    /// Number of stored vertices per frame.
    pub stored: u32,
    /// Number of stored frames, at least 1. Later frames of the model show the last one.
    pub frame_count: u32,
    /// Index of the stored vertex for each vertex; `None` if the indices are equal. In MDL and MD2, vertices that
    /// differ only in texture coordinates share a stored vertex.
    pub remap: Option<Vec<u32>>,
    /// `frame_count` × `stored` vertices.
    pub vertices: PackedVertices,
}

/// Vertices as packed in the file, frame after frame.
#[derive(Clone, Debug, PartialEq)]
pub enum PackedVertices {
    /// MDL and MD2: byte·scale + translate, and an index into the 162 normals.
    Bytes {
        /// Scale and translation of each frame.
        frames: Vec<ByteFrame>,
        /// x, y, z and normal index (below 162).
        vertices: Vec<[u8; 4]>,
    },
    /// MD3: 16-bit fixed point.
    Shorts(Vec<ShortVertex>),
    /// MDC: full key frames, and frames of small offsets from one of them.
    KeyDeltas {
        /// Key frames ("base frames"), one after another.
        keys: Vec<ShortVertex>,
        /// Delta frames ("compressed frames"): dx, dy, dz (biased by 127, step 0.05), index into the 256 normals.
        deltas: Vec<[u8; 4]>,
        /// Key and delta of each frame of the model.
        frames: Vec<KeyDeltaFrame>,
    },
    /// glTF: 32-bit floats, computed from morph targets, nodes and joints.
    Floats(Vec<FloatVertex>),
}

/// Vertex with unpacked numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FloatVertex {
    /// Position in units.
    pub position: Vec3,
    /// Normal: of unit length in a [`MorphMotion`], of any length in a bind pose.
    pub normal: Vec3,
}

/// Scale and translation of a frame of an MD2. In an MDL, all frames have the same.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ByteFrame {
    /// Units per step, by axis.
    pub scale: Vec3,
    /// Position of byte 0, by axis.
    pub translate: Vec3,
}

/// MD3 vertex: position in 1/64 unit, normal as zenith (low byte) and azimuth (high byte).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortVertex {
    /// Position in 1/64 unit.
    pub position: [i16; 3],
    /// Packed normal, see [`crate::model::packed_normal::zenith_azimuth`].
    pub normal: u16,
}

/// Key and delta frame of an MDC frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyDeltaFrame {
    /// Index of the key frame.
    pub key: u16,
    /// Index of the delta frame to add; `None` for the key frame itself.
    pub delta: Option<u16>,
}

/// Tags of every frame, frame after frame.
#[derive(Clone, Debug, PartialEq)]
pub enum TagTrack {
    /// MD3: origin and three axes.
    Axes(Vec<TagFrame>),
    /// MDC: x, y, z in 1/64 units, then pitch, yaw, roll in steps of 360/32700 degrees.
    Angles(Vec<[i16; 6]>),
}

/// Tag as stored in MD3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TagFrame {
    /// Position in model space.
    pub origin: Vec3,
    /// Forward, left and up: rows in the file, columns of the rotation. Not always of unit length or right-handed.
    pub axes: [Vec3; 3],
}

impl TagTrack {
    /// Returns the number of stored tags over all frames.
    pub fn len(&self) -> usize {
        match self {
            Self::Axes(tags) => tags.len(),
            Self::Angles(tags) => tags.len(),
        }
    }

    /// Returns whether there are no tags.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
