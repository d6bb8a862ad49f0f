//! Joints relative to their parents, with scale, in 16-bit channels (IQM).

use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::{FloatVertex, Joint, Weight, are_usable, is_usable};

/// Transform of a joint relative to its parent: scale, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalTransform {
    /// Translation in units.
    pub translation: Vec3,
    /// Rotation as stored, with any length and either sign.
    pub rotation: Quat,
    /// Scale along the joint's own axes.
    pub scale: Vec3,
}

impl LocalTransform {
    /// Identity transform.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Returns the rotation with unit length; the identity if the stored one has no direction.
    pub fn unit_rotation(&self) -> Quat {
        let length = self.rotation.length();
        if length.is_finite() && length > f32::MIN_POSITIVE { self.rotation / length } else { Quat::IDENTITY }
    }

    /// Returns the transform as a matrix, whose columns are scaled.
    pub fn matrix(&self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.unit_rotation(), self.translation)
    }
}

/// Bind pose of a skeleton with parents. Immutable, because the tracks of a model share it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LocalSkeleton {
    bind: Vec<LocalTransform>,
    to_model: Vec<Affine3A>,
    to_joint: Vec<Affine3A>,
}

impl LocalSkeleton {
    /// Composes the bind pose of `joints`, of which `bind` has the first ones. A joint that is scaled to nothing gets
    /// the identity as its inverse.
    #[must_use]
    pub fn new(joints: &[Joint], bind: Vec<LocalTransform>) -> Self {
        let mut to_model = Vec::with_capacity(bind.len());
        for (joint, local) in joints.iter().zip(&bind) {
            push_child(joint, *local, &mut to_model);
        }
        let to_joint = to_model.iter().map(|joint| usable(joint.inverse())).collect();
        Self { bind, to_model, to_joint }
    }

    /// Returns the transform of each stored joint, relative to its parent. A model may have more joints; these stay at
    /// the origin.
    pub fn bind(&self) -> &[LocalTransform] {
        &self.bind
    }

    /// Returns the transform from joint space to model space in the bind pose.
    pub fn to_model(&self, joint: usize) -> Affine3A {
        self.to_model.get(joint).copied().unwrap_or(Affine3A::IDENTITY)
    }

    /// Returns the transform from model space to joint space in the bind pose.
    pub fn to_joint(&self, joint: usize) -> Affine3A {
        self.to_joint.get(joint).copied().unwrap_or(Affine3A::IDENTITY)
    }
}

impl FloatVertex {
    /// Returns the weight of a joint for the vertex.
    pub(crate) fn weight(&self, skeleton: &LocalSkeleton, joint: u32, bias: f32) -> Weight {
        let index = joint as usize;
        let offset = skeleton.to_joint(index).transform_point3(self.position);
        let normal = skeleton.to_model(index).matrix3.transpose() * self.normal;
        Weight {
            joint,
            bias,
            offset: if are_usable(&offset.to_array()) { offset } else { Vec3::ZERO },
            normal: normal.normalize_or_zero(),
        }
    }
}

/// Appends the transform of `joint` to model space. Transforms beyond the range of coordinates become the identity.
pub(crate) fn push_child(joint: &Joint, local: LocalTransform, to_model: &mut Vec<Affine3A>) {
    let own = local.matrix();
    let parent = joint.parent.and_then(|parent| to_model.get(parent as usize));
    to_model.push(usable(parent.map_or(own, |parent| *parent * own)));
}

/// Returns the transform, or the identity if a number is not finite or beyond the range of coordinates.
pub(crate) fn usable(transform: Affine3A) -> Affine3A {
    let Mat3A { x_axis, y_axis, z_axis } = transform.matrix3;
    let columns = [x_axis, y_axis, z_axis, transform.translation];
    let is_sound = columns.iter().all(|column| column.to_array().into_iter().all(is_usable));
    if is_sound { transform } else { Affine3A::IDENTITY }
}

/// Ten channels of a joint: Tx Ty Tz Qx Qy Qz Qw Sx Sy Sz.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalPose {
    /// Value of each channel for the number 0.
    pub offset: [f32; 10],
    /// Size of a step of each channel.
    pub scale: [f32; 10],
    /// Channels stored in each frame: bits 0–9.
    pub mask: u16,
    /// Index of the first stored channel among a frame's numbers.
    pub first: u32,
}

/// Joints of an animation, relative to their parents. The joints of the model determine the parents.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalFrames {
    /// Bind pose of the model.
    pub skeleton: Arc<LocalSkeleton>,
    /// Channels of each stored joint; empty if all frames show the bind pose.
    pub poses: Vec<LocalPose>,
    /// Numbers per frame.
    pub stride: u32,
    /// `frame_count` × `stride` numbers.
    pub words: Vec<u16>,
    /// Whether w is not stored, but computed as −√(1 − x² − y² − z²) (version 1).
    pub computes_w: bool,
}

impl LocalFrames {
    /// Creates a track of frames that show the bind pose.
    #[must_use]
    pub fn bind_pose(skeleton: Arc<LocalSkeleton>) -> Self {
        Self { skeleton, poses: Vec::new(), stride: 0, words: Vec::new(), computes_w: false }
    }

    /// Returns whether any joint is scaled in the bind pose or in a frame.
    pub fn is_scaled(&self) -> bool {
        let moves = |pose: &LocalPose| pose.mask >> 7 != 0 || pose.offset[7..] != [1.0; 3];
        self.skeleton.bind.iter().any(|joint| joint.scale != Vec3::ONE) || self.poses.iter().any(moves)
    }

    /// Returns the transform of a joint in a frame of the track, relative to the parent.
    pub fn transform(&self, joint: usize, frame: usize) -> LocalTransform {
        let Some(pose) = self.poses.get(joint) else {
            return self.skeleton.bind.get(joint).copied().unwrap_or(LocalTransform::IDENTITY);
        };
        let mut channels = pose.offset;
        if pose.mask != 0 {
            let first = frame * self.stride as usize + pose.first as usize;
            let mut words = self.words.get(first..).unwrap_or_default().iter();
            for (bit, (channel, scale)) in channels.iter_mut().zip(pose.scale).enumerate() {
                if pose.mask >> bit & 1 != 0
                    && let Some(word) = words.next()
                {
                    *channel += scale * f32::from(*word);
                }
            }
        }
        let [tx, ty, tz, x, y, z, w, sx, sy, sz] = channels;
        LocalTransform {
            translation: Vec3::new(tx, ty, tz),
            rotation: if self.computes_w { with_computed_w([x, y, z]) } else { Quat::from_xyzw(x, y, z, w) },
            scale: Vec3::new(sx, sy, sz),
        }
    }
}

/// Returns the quaternion of version 1, whose w is never positive.
pub fn with_computed_w([x, y, z]: [f32; 3]) -> Quat {
    Quat::from_xyzw(x, y, z, -(1.0 - x * x - y * y - z * z).max(0.0).sqrt())
}
