//! Skeletal animation: joints per frame, and vertices attached to them by weights.
//!
//! MDR bones have absolute transforms, no parents and mostly no names. MD5 joints are relative to their parents in
//! animations and absolute in the mesh. IQM joints are relative to their parents in both. MDS and MDX bones have
//! absolute rotations, but parents. All are [`Joint`]s.

use glam::{Affine3A, Quat, Vec3};

use super::{FloatVertex, LocalFrames};

use super::bone_angles::BoneAngles;
use super::bone_pool::BonePool;
use super::number::u32_or_max;

/// Moving part of a skeletal model.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletalMotion {
    /// Joints; parents come before their children. Empty if the skeleton is in a separate file that is not loaded: all
    /// weights of a GLM are then in model space, and an MDM has no pose.
    pub joints: Vec<Joint>,
    /// Weights of each surface, in order.
    pub bindings: Vec<Binding>,
    /// Consecutive ranges that cover all frames of the model.
    pub tracks: Vec<JointTrack>,
    /// Attachment of each tag of the model.
    pub tags: Vec<SkeletalTag>,
}

/// Attachment of a tag to a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub enum SkeletalTag {
    /// Joint with the transform of the tag (MDR, MDS, IQM).
    Joint(u32),
    /// Joint, and the transform from tag space to joint space (MDM).
    Offset(u32, Affine3A),
    /// Triangle of three skinned vertices (GLM). The third is the origin; the edges to it determine the axes.
    Triangle(Binding),
}

impl SkeletalTag {
    /// Returns the joint that moves the tag; of several, the one with the largest weight. `None` without joints.
    pub fn joint(&self) -> Option<u32> {
        match self {
            Self::Joint(joint) | Self::Offset(joint, _) => Some(*joint),
            Self::Triangle(binding) => {
                let sum = |joint: u32| -> f32 {
                    binding.weights.iter().filter(|weight| weight.joint == joint).map(|weight| weight.bias).sum()
                };
                let joints = binding.weights.iter().map(|weight| weight.joint);
                joints.max_by(|a, b| sum(*a).total_cmp(&sum(*b)))
            }
        }
    }
}

impl SkeletalMotion {
    /// Returns whether any joint is scaled by more than rounding errors (IQM, glTF, MDR with plain bones).
    pub fn is_scaled(&self) -> bool {
        let is_one = |[x, y, z]: [f32; 3]| (x * x + y * y + z * z - 1.0).abs() <= ROUNDING;
        self.tracks.iter().any(|track| match &track.frames {
            JointFrames::Local(local) => local.is_scaled(),
            JointFrames::Matrices(matrices) | JointFrames::Relative(matrices) => {
                matrices.iter().any(|[a, b, c, _, d, e, f, _, g, h, i, _]| {
                    !(is_one([*a, *d, *g]) && is_one([*b, *e, *h]) && is_one([*c, *f, *i]))
                })
            }
            _ => false,
        })
    }

    /// Returns the transform of each joint from joint space to model space in the bind pose; `None` without a bind pose
    /// (MDR).
    pub fn bind_pose(&self) -> Option<Vec<Affine3A>> {
        self.tracks.iter().find_map(|track| match &track.frames {
            JointFrames::Bind => Some(self.joints.iter().map(|joint| joint.bind.into()).collect()),
            JointFrames::Local(frames) => {
                Some((0..self.joints.len()).map(|joint| frames.skeleton.to_model(joint)).collect())
            }
            JointFrames::Matrices(_)
            | JointFrames::Relative(_)
            | JointFrames::PackedMatrices(_)
            | JointFrames::Channels(_)
            | JointFrames::Missing
            | JointFrames::Angles(_)
            | JointFrames::Pool(_) => None,
        })
    }
}

/// Returns the matrix of [`JointFrames::Matrices`]: three rows of four numbers.
pub(crate) fn matrix_rows(joint: &Affine3A) -> [f32; 12] {
    let ([a, d, g], [b, e, h]) = (joint.matrix3.x_axis.to_array(), joint.matrix3.y_axis.to_array());
    let ([c, f, i], [x, y, z]) = (joint.matrix3.z_axis.to_array(), joint.translation.to_array());
    [a, b, c, x, d, e, f, y, g, h, i, z]
}

/// Largest difference from 1 of the squared length of an axis that is not scaled.
const ROUNDING: f32 = 1e-3;

/// Skeleton of a separate file (GLA, MDX), for meshes without joints.
#[derive(Clone, Debug, PartialEq)]
pub struct SkeletonFile {
    /// Joints; parents come before their children.
    pub joints: Vec<Joint>,
    /// Joint of each bone that the weights and tags of a mesh name.
    pub joint_of_bone: Vec<u32>,
}

impl SkeletalMotion {
    /// Sets the joints of a mesh without a skeleton, whose weights and tags are in the space of the bind pose.
    pub(super) fn bind(&mut self, SkeletonFile { joints, joint_of_bone }: SkeletonFile) {
        let joint_of = |bone: u32| joint_of_bone.get(bone as usize).copied().unwrap_or(0);
        let mut bindings: Vec<&mut Binding> = self.bindings.iter_mut().collect();
        for tag in &mut self.tags {
            match tag {
                SkeletalTag::Joint(bone) | SkeletalTag::Offset(bone, _) => *bone = joint_of(*bone),
                SkeletalTag::Triangle(binding) => bindings.push(binding),
            }
        }
        for weight in bindings.into_iter().flat_map(|binding| &mut binding.weights) {
            weight.joint = joint_of(weight.joint);
            let joint_from_model =
                joints.get(weight.joint as usize).map_or(JointTransform::IDENTITY, |joint| joint.bind.inverse());
            weight.offset = joint_from_model.rotation * weight.offset + joint_from_model.translation;
            weight.normal = joint_from_model.rotation * weight.normal;
        }
        self.joints = joints;
    }
}

/// Joint or bone of a skeleton.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name as stored; MDR bones without a tag are called `bone 7`.
    pub name: String,
    /// Index of the parent, smaller than the joint's own; `None` for a root.
    pub parent: Option<u32>,
    /// Transform in the bind pose, in model space; without its scale in IQM ([`SkeletalMotion::bind_pose`] has it); the
    /// identity in formats without a bind pose.
    pub bind: JointTransform,
    /// Whether the loader added the joint, for vertices that the file attaches to none.
    pub is_added: bool,
}

/// Returns an order of joints in which parents come before their children; otherwise it is the order of the list. In a
/// cycle, one joint precedes its parent.
pub(crate) fn parents_first(parents: &[Option<u32>]) -> Vec<u32> {
    let mut order: Vec<u32> = Vec::with_capacity(parents.len());
    let mut is_placed = vec![false; parents.len()];
    let mut path = Vec::new();
    for start in 0..u32_or_max(parents.len()) {
        // Collect the ancestors that are not placed, then place them from the root.
        let mut next = Some(start);
        while let Some(joint) = next
            && let Some(placed) = is_placed.get_mut(joint as usize).filter(|placed| !**placed)
        {
            *placed = true;
            path.push(joint);
            next = parents.get(joint as usize).copied().flatten();
        }
        order.extend(path.drain(..).rev());
    }
    order
}

/// Rotation followed by a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointTransform {
    /// Unit quaternion q, which rotates a vector v to q v q*.
    pub rotation: Quat,
    /// Translation in units.
    pub translation: Vec3,
}

impl JointTransform {
    /// Identity transform.
    pub const IDENTITY: Self = Self { rotation: Quat::IDENTITY, translation: Vec3::ZERO };

    /// Returns the transform that applies `inner` first, then `self`.
    #[must_use]
    pub fn then_inner(self, inner: Self) -> Self {
        Self {
            rotation: (self.rotation * inner.rotation).normalize(),
            translation: self.translation + self.rotation * inner.translation,
        }
    }

    /// Returns the inverse transform.
    #[must_use]
    pub fn inverse(self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }
}

impl From<JointTransform> for Affine3A {
    fn from(joint: JointTransform) -> Self {
        Self::from_rotation_translation(joint.rotation, joint.translation)
    }
}

/// Attachment of one surface's vertices to joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Binding {
    /// First weight and number of weights of each vertex.
    pub vertices: Vec<(u32, u32)>,
    /// Weights of all vertices.
    pub weights: Vec<Weight>,
    /// Each vertex in the bind pose, as stored (IQM, GLM); empty in other formats.
    pub bind: Vec<FloatVertex>,
}

impl Binding {
    /// Returns the weights of a vertex, an element of [`Self::vertices`].
    #[inline]
    pub fn weights_of(&self, vertex: (u32, u32)) -> &[Weight] {
        let first = vertex.0 as usize;
        self.weights.get(first..first.saturating_add(vertex.1 as usize)).unwrap_or_default()
    }
}

/// Weight of a joint for a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// Index into [`SkeletalMotion::joints`].
    pub joint: u32,
    /// Weight as stored; the weights of a vertex sum to about 1 and are not normalised.
    pub bias: f32,
    /// Vertex position in joint space.
    pub offset: Vec3,
    /// Vertex normal in joint space. If a format's first joint alone turns the normal, other weights have none.
    pub normal: Vec3,
}

/// Joints in a range of frames.
#[derive(Clone, Debug, PartialEq)]
pub struct JointTrack {
    /// Index of the first frame in the model.
    pub first: u32,
    /// Number of frames.
    pub frame_count: u32,
    /// Joint transforms in these frames.
    pub frames: JointFrames,
}

impl JointTrack {
    /// Returns whether the track shows the bind pose of a model whose animations are in other files.
    pub fn is_bind_pose(&self) -> bool {
        match &self.frames {
            JointFrames::Bind => true,
            JointFrames::Local(frames) => frames.poses.is_empty(),
            _ => false,
        }
    }
}

/// Joint transforms of a track, packed as in the file.
#[derive(Clone, Debug, PartialEq)]
pub enum JointFrames {
    /// Single frame with [`Joint::bind`] of every joint.
    Bind,
    /// MDR, plain, and glTF: for each frame and joint three rows of (r0 r1 r2 t) in model space.
    Matrices(Vec<[f32; 12]>),
    /// DPM, ZYM: like [`Self::Matrices`], but relative to the parent.
    Relative(Vec<[f32; 12]>),
    /// MDR, compressed: see [`PackedMatrix`].
    PackedMatrices(Vec<PackedMatrix>),
    /// MD5: changes relative to a base frame and to the parent.
    Channels(JointChannels),
    /// Frame of a mesh whose skeleton is in a separate file that is not loaded (MDM). It has no pose; weights and tags
    /// refer to joints of the skeleton.
    Missing,
    /// MDS, MDX: absolute angles, and directions from the parents.
    Angles(BoneAngles),
    /// GLA: matrices relative to the bind pose and to the parent, shared by joints and frames.
    Pool(BonePool),
    /// IQM: channels relative to the parent.
    Local(LocalFrames),
}

/// Compressed MDR bone: words 0–2 are the translation (u − 32768)/64, words 3–11 the rows of the rotation (u −
/// 32768)/32766.
pub type PackedMatrix = [u16; 12];

/// MD5 animation with its own joints, matched to those of the mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JointChannels {
    /// Joints of the animation; parents come before their children.
    pub joints: Vec<ChannelJoint>,
    /// Numbers per frame.
    pub stride: u32,
    /// `frame_count` × `stride` numbers.
    pub components: Vec<f32>,
    /// Animation joint of each mesh joint. Without one, the joint keeps its bind pose relative to its parent.
    pub joint_of_mesh: Vec<Option<u32>>,
}

/// Joint of an MD5 animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChannelJoint {
    /// Index of the parent, smaller than the joint's own; `None` for a root.
    pub parent: Option<u32>,
    /// Components stored in each frame: bits 0–5 for Tx Ty Tz Qx Qy Qz, in that order.
    pub flags: u8,
    /// Index of the first component among a frame's numbers.
    pub first: u32,
    /// Translation of the base frame, relative to the parent.
    pub translation: Vec3,
    /// x, y and z of the base frame's quaternion; see [`quaternion_of_xyz`](super::quaternion_of_xyz) for w.
    pub rotation_xyz: Vec3,
}
