//! One joint.

use glam::Affine3A;

use crate::model::{JointFrames, Model, Motion};
use crate::pose::Pose;

/// A joint at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointInfo {
    /// Its space to its parent's; a root's to model space.
    pub local: Affine3A,
    /// Where its place in the frame comes from.
    pub source: JointSource,
    /// Vertices that it moves, over all surfaces of all levels of detail.
    pub vertices: usize,
}

/// Where a joint's place in a frame comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointSource {
    /// The bind pose of the mesh.
    Bind,
    /// A matrix in model space (MDR).
    Matrix,
    /// A matrix of twelve 16-bit numbers in model space (MDR, compressed).
    PackedMatrix,
    /// An animation's base frame and these channels of its frames: bits 0 to 5 for Tx Ty Tz Qx Qy Qz (MD5).
    Channels(u8),
    /// The animation has no such joint: it keeps its bind pose relative to its parent.
    NotAnimated,
}

impl JointSource {
    /// Names of the channels that change, as the format's documents call them.
    pub fn channels(self) -> impl Iterator<Item = &'static str> {
        let flags = if let Self::Channels(flags) = self { flags } else { 0 };
        let names = ["Tx", "Ty", "Tz", "Qx", "Qy", "Qz"];
        names.into_iter().enumerate().filter(move |(bit, _)| flags & (1 << bit) != 0).map(|(_, name)| name)
    }
}

/// What `model` says of a joint; `pose` is the moment that is looked at, `frame` its frame. None if there is no such
/// joint.
#[must_use]
pub fn joint(model: &Model, pose: &Pose, joint: usize, frame: usize) -> Option<JointInfo> {
    let Motion::Skeletal(motion) = model.motion() else { return None };
    let own = *pose.joints.get(joint)?;
    let parent = motion.joints.get(joint)?.parent.and_then(|parent| pose.joints.get(parent as usize));
    let holds = |first: u32, count: u32| frame.checked_sub(first as usize).is_some_and(|at| at < count as usize);
    let track = motion.tracks.iter().find(|track| holds(track.first, track.frame_count))?;
    let source = match &track.frames {
        JointFrames::Bind => JointSource::Bind,
        JointFrames::Matrices(_) => JointSource::Matrix,
        JointFrames::PackedMatrices(_) => JointSource::PackedMatrix,
        JointFrames::Channels(channels) => {
            let own = channels.joint_of_mesh.get(joint).copied().flatten();
            let own = own.and_then(|own| channels.joints.get(own as usize));
            own.map_or(JointSource::NotAnimated, |own| JointSource::Channels(own.flags))
        }
    };
    let moved = motion.bindings.iter().map(|binding| {
        let moves =
            |vertex: &&(u32, u32)| binding.weights_of(**vertex).iter().any(|weight| weight.joint as usize == joint);
        binding.vertices.iter().filter(moves).count()
    });
    Some(JointInfo { local: parent.map_or(own, |parent| parent.inverse() * own), source, vertices: moved.sum() })
}
