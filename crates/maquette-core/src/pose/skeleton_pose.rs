//! Sampling of skeletal models.
//!
//! Each joint is decoded and blended once. Joints of MD5, IQM, GLA, DPM and ZYM are blended relative to their parents and then
//! composed, as in their engines; MDR bones are absolute. MDS and MDX bones have absolute rotations and composed
//! positions.

use glam::{Affine3A, Vec3, Vec3A};

use super::bone::{blend_bones, blend_relative, packed_bone, plain_bone};
use super::bone_angles::{AngleBlend, sample_angles, turn_tags};
use super::bone_pool::sample_pool;
use super::channels::sample_channels;
use super::chunk::share;
use super::local::{changes, sample_local};
use super::skin_vertices::{skin_bind_pose, skin_vertices, skinned_position};
use super::{FrameBlend, Pose, Sampling, tag_frame};
use crate::model::{
    Binding, Bounds, JointFrames, JointStorage, JointTrack, LocalFrames, Model, SkeletalMotion, SkeletalTag,
};

pub(super) fn sample(model: &Model, motion: &SkeletalMotion, sampling: &Sampling, threads: usize, pose: &mut Pose) {
    let local = sample_joints(motion, sampling, pose);
    let joints = &pose.joints;
    if let Some(local) = local {
        changes(local, joints, &mut pose.change_scratch);
    }
    let changes = &pose.change_scratch;
    // Games with bone matrices (MDR) do not normalise normals.
    let is_matrices =
        |track: &JointTrack| matches!(track.frames, JointFrames::Matrices(_) | JointFrames::PackedMatrices(_));
    let has_bones = model.format().traits().joints == JointStorage::Bones;
    let keeps_lengths = has_bones && motion.tracks.iter().any(is_matrices);
    for ((surface, binding), posed) in model.surfaces().iter().zip(&motion.bindings).zip(&mut pose.surfaces) {
        posed.resize(if surface.lod == sampling.lod { binding.vertices.len() } else { 0 }, keeps_lengths);
    }
    if model.lacks_skeleton() {
        for posed in &mut pose.surfaces {
            posed.positions.fill(Vec3::ZERO);
            posed.normals.fill(Vec3::Z);
        }
        pose.bounds = Bounds::EMPTY;
        pose.tags.clear();
        pose.tags.resize(motion.tags.len(), Affine3A::IDENTITY);
        return;
    }
    let first_turns_normal = model.format().traits().first_turns_normal;
    pose.bounds = share(&mut pose.surfaces, threads, |index, part| match motion.bindings.get(index) {
        Some(binding) if local.is_some() && !binding.bind.is_empty() => skin_bind_pose(binding, changes, part),
        Some(binding) => skin_vertices(binding, joints, first_turns_normal, part),
        None => Bounds::EMPTY,
    });
    let angles = match track_at(motion, sampling.blend.from).map(|track| &track.frames) {
        Some(JointFrames::Angles(angles)) => Some(angles),
        _ => None,
    };
    if let Some(angles) = angles {
        turn_tags(angles, &mut pose.joints);
    }
    pose.tags.clear();
    let joints = &pose.joints;
    pose.tags.extend(motion.tags.iter().map(|tag| {
        let of_joint = |joint: u32, joint_from_tag: Affine3A| {
            let joint = joints.get(joint as usize).copied().unwrap_or(Affine3A::IDENTITY);
            let Affine3A { matrix3: axes, translation } = joint * joint_from_tag;
            tag_frame(translation, [axes.x_axis, axes.y_axis, axes.z_axis])
        };
        match tag {
            SkeletalTag::Joint(joint) if angles.is_some_and(|angles| angles.turns_tag(*joint)) => {
                let joint = joints.get(*joint as usize).copied().unwrap_or(Affine3A::IDENTITY);
                let axes = joint.matrix3.transpose();
                tag_frame(joint.translation, [axes.x_axis, axes.y_axis, axes.z_axis])
            }
            SkeletalTag::Joint(joint) => of_joint(*joint, Affine3A::IDENTITY),
            SkeletalTag::Offset(joint, joint_from_tag) => of_joint(*joint, *joint_from_tag),
            SkeletalTag::Triangle(binding) => triangle_frame(binding, joints),
        }
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

fn track_at(motion: &SkeletalMotion, frame: u32) -> Option<&JointTrack> {
    motion.tracks.iter().find(|track| holds(track, frame))
}

fn holds(track: &JointTrack, frame: u32) -> bool {
    frame.checked_sub(track.first).is_some_and(|index| index < track.frame_count)
}

/// Returns the two frames of a blend within a track. Frames of different tracks are unrelated, so only `blend.from` is
/// used for them.
fn frames_in(track: &JointTrack, blend: FrameBlend) -> (usize, usize, f32) {
    let from = blend.from.saturating_sub(track.first) as usize;
    if holds(track, blend.to) { (from, (blend.to - track.first) as usize, blend.t) } else { (from, from, 0.0) }
}

/// Blends the joints of two frames of one track, and returns the frames of an IQM.
fn sample_joints<'a>(motion: &'a SkeletalMotion, sampling: &Sampling, pose: &mut Pose) -> Option<&'a LocalFrames> {
    pose.joints.clear();
    let track = track_at(motion, sampling.blend.from)?;
    let (from, to, t) = frames_in(track, sampling.blend);
    let count = motion.joints.len();
    let pair = |joint: usize| (from * count + joint, to * count + joint);
    match &track.frames {
        JointFrames::Missing => {}
        JointFrames::Bind => pose.joints.extend(motion.joints.iter().map(|joint| Affine3A::from(joint.bind))),
        JointFrames::Matrices(matrices) => pose.joints.extend((0..count).map(|joint| {
            let (a, b) = pair(joint);
            let bone = |index: usize| matrices.get(index).map_or(Affine3A::IDENTITY, plain_bone);
            blend_bones(|| bone(a), || bone(b), t, sampling.bones)
        })),
        JointFrames::Relative(matrices) => {
            for (joint, own) in motion.joints.iter().enumerate() {
                let (a, b) = pair(joint);
                let bone = |index: usize| matrices.get(index).map_or(Affine3A::IDENTITY, plain_bone);
                let local = blend_relative(bone(a), bone(b), t);
                let parent = own.parent.and_then(|parent| pose.joints.get(parent as usize));
                pose.joints.push(parent.map_or(local, |parent| *parent * local));
            }
        }
        JointFrames::PackedMatrices(matrices) => pose.joints.extend((0..count).map(|joint| {
            let (a, b) = pair(joint);
            let bone = |index: usize| matrices.get(index).map_or(Affine3A::IDENTITY, packed_bone);
            blend_bones(|| bone(a), || bone(b), t, sampling.bones)
        })),
        JointFrames::Channels(channels) => {
            sample_channels(&motion.joints, channels, from, to, t, &mut pose.joint_scratch);
            pose.joints.extend(pose.joint_scratch[1].iter().map(|joint| Affine3A::from(*joint)));
        }
        JointFrames::Local(frames) => {
            sample_local(&motion.joints, frames, from, to, t, &mut pose.joints);
            return Some(frames);
        }
        JointFrames::Angles(angles) => {
            let legs = AngleBlend { angles, from, to, t };
            let torso = sampling.torso.and_then(|torso| angle_blend(motion, torso)).unwrap_or(legs);
            sample_angles(legs, torso, &mut pose.joints);
        }
        JointFrames::Pool(pool) => sample_pool(&motion.joints, pool, from, to, t, &mut pose.joints),
    }
    None
}

fn angle_blend(motion: &SkeletalMotion, blend: FrameBlend) -> Option<AngleBlend<'_>> {
    let track = track_at(motion, blend.from)?;
    let JointFrames::Angles(angles) = &track.frames else { return None };
    let (from, to, t) = frames_in(track, blend);
    Some(AngleBlend { angles, from, to, t })
}
