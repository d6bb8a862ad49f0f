//! What moves, kind 2: joints per frame, and vertices that are attached to them by weights.
//!
//! MDR bones are absolute and have neither parents nor, mostly, names; MD5 joints are relative to their parents in
//! animations and absolute in the mesh. Both are [`Joint`]s here, an MDR bone being one without parent.

use glam::{Quat, Vec3};

/// Everything that moves in a skeletal model.
#[derive(Clone, Debug)]
pub struct SkeletalMotion {
    /// Parents come before their children.
    pub joints: Vec<Joint>,
    /// One per surface, in the same order.
    pub bindings: Vec<Binding>,
    /// Consecutive ranges of the model's frames, together all of them.
    pub tracks: Vec<JointTrack>,
    /// For each of the model's tags the joint that is its frame (MDR).
    pub tags: Vec<u32>,
}

/// A node that moves vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// As stored; MDR bones without a tag are called `bone 7`.
    pub name: String,
    /// A smaller index, or none for a root.
    pub parent: Option<u32>,
    /// Place in model space when the mesh was bound (MD5); identity in MDR, whose files have no bind pose.
    pub bind: JointTransform,
}

/// Rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointTransform {
    /// Unit quaternion; rotates v as q v q*.
    pub rotation: Quat,
    /// In units.
    pub translation: Vec3,
}

impl JointTransform {
    /// Moves nothing.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// `self` after `inner`: from inner's space to the space `self` leads to.
    #[must_use]
    pub fn then_inner(self, inner: Self) -> Self {
        Self {
            rotation: (self.rotation * inner.rotation).normalize(),
            translation: self.translation + self.rotation * inner.translation,
        }
    }

    /// The way back.
    #[must_use]
    pub fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }
}

/// How the vertices of one surface are attached to joints.
#[derive(Clone, Debug, Default)]
pub struct Binding {
    /// First weight and number of weights of every vertex.
    pub vertices: Vec<(u32, u32)>,
    /// All weights of the surface.
    pub weights: Vec<Weight>,
}

impl Binding {
    /// The weights of a vertex, which is one of [`Self::vertices`].
    #[inline]
    #[must_use]
    pub fn weights_of(&self, vertex: (u32, u32)) -> &[Weight] {
        let first = vertex.0 as usize;
        self.weights.get(first..first.saturating_add(vertex.1 as usize)).unwrap_or_default()
    }
}

/// A joint's share in a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Index into [`SkeletalMotion::joints`].
    pub joint: u32,
    /// Share; those of a vertex sum to about 1 and are used as stored.
    pub bias: f32,
    /// The vertex in the joint's space.
    pub offset: Vec3,
    /// The vertex's normal in the joint's space.
    pub normal: Vec3,
}

/// Joints of a range of frames.
#[derive(Clone, Debug)]
pub struct JointTrack {
    /// First frame, in the model's list of frames.
    pub first: u32,
    /// Number of frames.
    pub frame_count: u32,
    /// The joints in them.
    pub frames: JointFrames,
}

/// Joints of a track, packed as the file has them.
#[derive(Clone, Debug)]
pub enum JointFrames {
    /// One frame: every joint's [`Joint::bind`].
    Bind,
    /// MDR, plain: per frame and joint three rows of (r0 r1 r2 t), model space.
    Matrices(Vec<[f32; 12]>),
    /// MDR, compressed: see [`PackedMatrix`].
    PackedMatrices(Vec<PackedMatrix>),
    /// MD5: parent-relative, only what changes.
    Channels(JointChannels),
}

/// A compressed MDR bone: words 0–2 are the translation (u − 32768)/64, words 3–11 the rows of the rotation
/// (u − 32768)/32766.
pub type PackedMatrix = [u16; 12];

/// An MD5 animation: its own joints, matched to those of the mesh.
#[derive(Clone, Debug, Default)]
pub struct JointChannels {
    /// The animation's joints; parents come before their children.
    pub joints: Vec<ChannelJoint>,
    /// Numbers per frame.
    pub stride: u32,
    /// `frame_count` × `stride` numbers.
    pub components: Vec<f32>,
    /// For each joint of the mesh the animation's joint, or none: it then keeps its bind pose relative to its parent.
    pub joint_of_mesh: Vec<Option<u32>>,
}

/// A joint of an MD5 animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelJoint {
    /// A smaller index, or none for a root.
    pub parent: Option<u32>,
    /// Bits 0–5: Tx Ty Tz Qx Qy Qz are taken from the frame, in that order.
    pub flags: u8,
    /// Where in a frame's numbers the first of them is.
    pub first: u32,
    /// Translation of the base frame, relative to the parent.
    pub translation: Vec3,
    /// x, y, z of the base frame's quaternion; w follows from them (see [`quaternion_of_xyz`](super::quaternion_of_xyz)).
    pub rotation_xyz: Vec3,
}
