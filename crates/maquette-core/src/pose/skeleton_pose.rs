//! Sampling of skeletal models.
//!
//! Each joint is decoded and blended once. Joints of MD5 and GLA are blended relative to their parents and then
//! composed; MDR bones are absolute.

use glam::{Affine3A, Vec3A};

use super::bone::{blend_bones, packed_bone, plain_bone};
use super::bone_pool::sample_pool;
use super::channels::sample_channels;
use super::chunk::share;
use super::skin_vertices::{skin_vertices, skinned_position};
use super::{BoneBlend, FrameBlend, Pose, Sampling, tag_frame};
use crate::model::{Binding, Bounds, JointFrames, JointTrack, JointTransform, Model, SkeletalMotion, SkeletalTag};

pub(super) fn sample(
    model: &Model,
    motion: &SkeletalMotion,
    blend: FrameBlend,
    sampling: &Sampling,
    threads: usize,
    pose: &mut Pose,
) {
    sample_joints(motion, blend, sampling.bones, pose);
    let joints = &pose.joints;
    // Games with bone matrices (MDR) do not normalise normals.
    let is_matrices =
        |track: &JointTrack| matches!(track.frames, JointFrames::Matrices(_) | JointFrames::PackedMatrices(_));
    let keeps_lengths = motion.tracks.iter().any(is_matrices);
    for ((surface, binding), posed) in model.surfaces().iter().zip(&motion.bindings).zip(&mut pose.surfaces) {
        posed.resize(if surface.lod == sampling.lod { binding.vertices.len() } else { 0 }, keeps_lengths);
    }
    pose.bounds = share(&mut pose.surfaces, threads, |index, part| match motion.bindings.get(index) {
        Some(binding) => skin_vertices(binding, joints, part),
        None => Bounds::EMPTY,
    });
    pose.tags.clear();
    pose.tags.extend(motion.tags.iter().map(|tag| match tag {
        SkeletalTag::Joint(joint) => {
            let bone = joints.get(*joint as usize).copied().unwrap_or(Affine3A::IDENTITY);
            let axes = bone.matrix3;
            tag_frame(bone.translation, [axes.x_axis, axes.y_axis, axes.z_axis])
        }
        SkeletalTag::Triangle(binding) => triangle_frame(binding, joints),
    }));
}

/// Returns the transform of a tag surface (OpenJK `tr_ghoul2.cpp`, `G2_ProcessSurfaceBolt`). The origin is the third
/// vertex. The first axis points along the edge from the first vertex to it, in reverse; the second lies in the plane
/// of the triangle.
fn triangle_frame(binding: &Binding, joints: &[Affine3A]) -> Affine3A {
    let position = |vertex: usize| {
        let vertex = binding.vertices.get(vertex).copied().unwrap_or_default();
        Vec3A::from(skinned_position(binding, vertex, joints))
    };
    let [a, b, c] = [0, 1, 2].map(position);
    let (long, short) = (b - a, a - c);
    let x = short.normalize_or_zero();
    let toward = long.normalize_or_zero();
    let y = toward - x * toward.dot(x);
    tag_frame(c, [x, y, -long.cross(short)])
}

/// Blends the joints of two frames of one track. Frames of different tracks are unrelated, so only `blend.from` is used
/// for them.
fn sample_joints(motion: &SkeletalMotion, blend: FrameBlend, bones: BoneBlend, pose: &mut Pose) {
    pose.joints.clear();
    let holds = |track: &&JointTrack, frame: u32| frame.checked_sub(track.first).is_some_and(|i| i < track.frame_count);
    let Some(track) = motion.tracks.iter().find(|track| holds(track, blend.from)) else { return };
    let from = (blend.from - track.first) as usize;
    let (to, t) = if holds(&track, blend.to) { ((blend.to - track.first) as usize, blend.t) } else { (from, 0.0) };
    let count = motion.joints.len();
    let pair = |joint: usize| (from * count + joint, to * count + joint);
    match &track.frames {
        JointFrames::Bind => pose.joints.extend(motion.joints.iter().map(|joint| affine(joint.bind))),
        JointFrames::Matrices(matrices) => pose.joints.extend((0..count).map(|joint| {
            let (a, b) = pair(joint);
            let bone = |index: usize| matrices.get(index).map_or(Affine3A::IDENTITY, plain_bone);
            blend_bones(|| bone(a), || bone(b), t, bones)
        })),
        JointFrames::PackedMatrices(matrices) => pose.joints.extend((0..count).map(|joint| {
            let (a, b) = pair(joint);
            let bone = |index: usize| matrices.get(index).map_or(Affine3A::IDENTITY, packed_bone);
            blend_bones(|| bone(a), || bone(b), t, bones)
        })),
        JointFrames::Channels(channels) => {
            sample_channels(&motion.joints, channels, from, to, t, &mut pose.joint_scratch);
            pose.joints.extend(pose.joint_scratch[1].iter().map(|joint| affine(*joint)));
        }
        JointFrames::Pool(pool) => sample_pool(&motion.joints, pool, from, to, t, &mut pose.joints),
    }
}

fn affine(joint: JointTransform) -> Affine3A {
    Affine3A::from_rotation_translation(joint.rotation, joint.translation)
}
