//! Details of a joint.

use glam::Affine3A;

use crate::model::{BonePool, JointFrames, Model, Motion};
use crate::pose::Pose;

/// Details of a joint in a posed frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointInfo {
    /// Transform from joint space to the parent's space, or to model space for a root.
    pub local: Affine3A,
    /// Source of the transform in the frame.
    pub source: JointSource,
    /// Number of vertices with a weight for the joint, over all surfaces and LODs.
    pub vertices: usize,
}

/// Source of a joint's transform in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointSource {
    /// Bind pose of the mesh.
    Bind,
    /// Matrix in model space (MDR).
    Matrix,
    /// Matrix of twelve 16-bit numbers in model space (MDR, compressed).
    PackedMatrix,
    /// Base frame of an animation and the changing channels: bits 0 to 5 for Tx Ty Tz Qx Qy Qz (MD5).
    Channels(u8),
    /// Angles in model space, and the direction from the parent (MDS, MDX).
    Angles,
    /// Matrix relative to the bind pose and to the parent, by its index in the pool (GLA).
    Pool(u32),
    /// Transform relative to the parent and the changing channels: bits 0 to 9 for Tx Ty Tz Qx Qy Qz Qw Sx Sy Sz (IQM).
    Local(u16),
    /// Bind pose relative to the parent, because the animation lacks the joint.
    NotAnimated,
}

impl JointSource {
    /// Returns the names of the changing channels, as in the format's documentation.
    pub fn channels(self) -> impl Iterator<Item = &'static str> {
        let flags = match self {
            Self::Channels(flags) => u16::from(flags),
            Self::Local(mask) => mask,
            Self::Bind | Self::Matrix | Self::PackedMatrix | Self::Angles | Self::Pool(_) | Self::NotAnimated => 0,
        };
        let names = ["Tx", "Ty", "Tz", "Qx", "Qy", "Qz", "Qw", "Sx", "Sy", "Sz"];
        names.into_iter().enumerate().filter(move |(bit, _)| flags & (1 << bit) != 0).map(|(_, name)| name)
    }
}

/// Returns the details of a joint in `pose`, which is posed at `frame`. `None` if there is no such joint.
pub fn joint(model: &Model, pose: &Pose, joint: usize, frame: usize) -> Option<JointInfo> {
    let Motion::Skeletal(motion) = model.motion() else { return None };
    let own = *pose.joints.get(joint)?;
    let parent = motion.joints.get(joint)?.parent.and_then(|parent| pose.joints.get(parent as usize));
    let holds = |first: u32, count: u32| frame.checked_sub(first as usize).is_some_and(|at| at < count as usize);
    let track = motion.tracks.iter().find(|track| holds(track.first, track.frame_count))?;
    let source = match &track.frames {
        JointFrames::Bind => JointSource::Bind,
        JointFrames::Matrices(_) | JointFrames::Relative(_) => JointSource::Matrix,
        JointFrames::PackedMatrices(_) => JointSource::PackedMatrix,
        JointFrames::Missing => return None,
        JointFrames::Angles(_) => JointSource::Angles,
        JointFrames::Pool(pool) => {
            let index = (frame - track.first as usize) * motion.joints.len() + joint;
            JointSource::Pool(BonePool::number(*pool.indices.get(index)?))
        }
        JointFrames::Channels(channels) => {
            let own = channels.joint_of_mesh.get(joint).copied().flatten();
            let own = own.and_then(|own| channels.joints.get(own as usize));
            own.map_or(JointSource::NotAnimated, |own| JointSource::Channels(own.flags))
        }
        JointFrames::Local(frames) if frames.poses.is_empty() => JointSource::Bind,
        JointFrames::Local(frames) => {
            frames.poses.get(joint).map_or(JointSource::NotAnimated, |pose| JointSource::Local(pose.mask))
        }
    };
    let moved = motion.bindings.iter().map(|binding| {
        let moves =
            |vertex: &&(u32, u32)| binding.weights_of(**vertex).iter().any(|weight| weight.joint as usize == joint);
        binding.vertices.iter().filter(moves).count()
    });
    Some(JointInfo { local: parent.map_or(own, |parent| parent.inverse() * own), source, vertices: moved.sum() })
}
