//! Rules for clips: joints that the mesh does not have, jumps of loops, and partly shared frames.

use std::cmp::Reverse;
use std::collections::HashSet;

use glam::Vec3;

use super::finding::{Location, NamedIndex, Severity, Sink};
use super::input::Context;
use super::tags::is_animated_part;
use crate::engines::SkeletonCheck;
use crate::vfs::{name_of, split_extension};
use maquette_core::budget::Budget;
use maquette_core::error::counted;
use maquette_core::limits::MAX_REPORTED_VERTICES;
use maquette_core::model::{Clip, ClipSource, JointChannels, JointFrames, Model, Motion, Wrap};
use maquette_core::pose::{FrameBlend, Pose, Sampling, cost_of_frame, sample};

const FOLLOWED: usize = 256;
/// A jump exceeds the median step [`TIMES_TYPICAL`] times and the largest step [`TIMES_WIDEST`] times. If the last
/// frame stands for the first, a jump only has to exceed the median step.
const TIMES_TYPICAL: f32 = 4.0;
const TIMES_WIDEST: f32 = 1.5;
/// Minimum jump as a share of the model's size.
const JUMP_SHARE: f32 = 0.02;

fn is_listed(clip: &Clip) -> bool {
    matches!(clip.source, ClipSource::AnimationConfig | ClipSource::ClipList)
}

/// Reports parts of a player whose clips no file lists (`cg_players.c`, `CG_RegisterClientModelname`).
pub(super) fn unlisted(context: &Context, sink: &mut Sink) {
    let (model, profile) = (context.model(), context.profile);
    let is_animated = profile.has_player_parts && is_animated_part(context.subject.game_path);
    if is_animated && model.frames().len() > 1 && !model.clips().iter().any(is_listed) {
        let message = format!("no animation.cfg lists the clips; {} rejects the player", profile.title);
        sink.add(Severity::Error, Location::default(), message);
    }
}

/// Returns the animation named after the mesh. Other animations may belong to other models. The location is that of the
/// model if a companion file replaces the clip.
pub(super) fn own_animations<'a>(context: &Context<'a>) -> impl Iterator<Item = (Location, &'a Clip)> {
    let model = context.model();
    let (stem, _) = split_extension(name_of(context.subject.game_path));
    let clips = model.clips().iter().enumerate().map(|(index, clip)| (Location::clip(index, &clip.name), clip));
    let replaced = model.own_clips().iter().map(|clip| (Location::default(), clip));
    let own = move |clip: &Clip| clip.source == ClipSource::AnimationFile && clip.name.eq_ignore_ascii_case(stem);
    clips.chain(replaced).filter(move |(_, clip)| own(clip))
}

/// Reports animations that the engine rejects. They belong to the mesh if they have its name, or its joints.
pub(super) fn skeletons(context: &Context, sink: &mut Sink) {
    let (model, profile) = (context.model(), context.profile);
    let Motion::Skeletal(skeletal) = model.motion() else { return };
    let own: HashSet<u32> = own_animations(context).map(|(_, clip)| clip.first).collect();
    let files = model.clips().iter().enumerate().filter(|(_, clip)| clip.source == ClipSource::AnimationFile);
    let clips = files.map(|(index, clip)| (Location::clip(index, &clip.name), clip));
    let replaced = own_animations(context).filter(|(location, _)| *location == Location::default());
    for (location, clip) in clips.chain(replaced) {
        let track = skeletal.tracks.iter().find(|track| track.first == clip.first);
        let Some(JointFrames::Channels(channels)) = track.map(|track| &track.frames) else { continue };
        let has_all =
            channels.joints.len() == model.joints().len() && channels.joint_of_mesh.iter().all(Option::is_some);
        if !own.contains(&clip.first) && !has_all {
            continue;
        }
        if let Some((joint, difference)) = skeleton_difference(model, channels, profile.skeleton) {
            let message = format!("{difference}; {} rejects the animation", profile.title);
            let named =
                |index: usize| model.joints().get(index).map(|joint| NamedIndex { index, name: joint.name.clone() });
            let joint = joint.and_then(named);
            sink.add(Severity::Error, Location { joint, ..location }, message);
        }
    }
}

/// Returns the first joint of the mesh that the animation does not have at this index, and the difference.
fn skeleton_difference(
    model: &Model,
    channels: &JointChannels,
    check: SkeletonCheck,
) -> Option<(Option<usize>, String)> {
    let (own, other) = (model.joints(), &channels.joints);
    if check == SkeletonCheck::None {
        return None;
    }
    if own.len() != other.len() {
        return Some((None, format!("{}, the mesh has {}", counted(other.len() as u64, "joint", "joints"), own.len())));
    }
    if check == SkeletonCheck::Count {
        return None;
    }
    (0_u32..).zip(own.iter().zip(other)).find_map(|(index, (joint, animated))| {
        let at = index as usize;
        if channels.joint_of_mesh.get(at) != Some(&Some(index)) {
            Some((Some(at), format!("joint {index} is not “{}” as in the mesh", joint.name)))
        } else if joint.parent != animated.parent {
            Some((Some(at), format!("joint “{}” has a different parent than in the mesh", joint.name)))
        } else {
            None
        }
    })
}

pub(super) fn jumps(context: &Context, sink: &mut Sink) {
    let model = context.model();
    let mut budget = Budget::new(MAX_REPORTED_VERTICES as u64);
    let cost = cost_of_frame(model) as u64;
    for (index, clip) in model.clips().iter().enumerate() {
        let repeats = is_listed(clip) && clip.loop_frames == clip.count && clip.count >= 4;
        if !repeats || budget.take(u64::from(clip.count).saturating_mul(cost)).is_err() {
            continue;
        }
        if let Some((step, typical)) = jump(context, clip) {
            let message = format!(
                "the clip loops, but its last and first frame differ by {step:.1} units; consecutive frames typically differ by {typical:.1}"
            );
            let last = if clip.reversed { clip.first } else { clip.end().saturating_sub(1) };
            sink.add(
                Severity::Note,
                Location { frame: Some(last as usize), ..Location::clip(index, &clip.name) },
                message,
            );
        }
    }
}

/// Returns the step from a clip's last frame to its first and its median step, in units, if the former is a jump.
fn jump(context: &Context, clip: &Clip) -> Option<(f32, f32)> {
    let mut pose = Pose::default();
    let mut points = |frame: u32| {
        sample(context.model(), &Sampling::at(FrameBlend::single(frame)), &mut pose);
        let size = pose.bounds.size().length();
        let all = || pose.surfaces.iter().flat_map(|surface| &surface.positions);
        let stride = all().count().div_ceil(FOLLOWED).max(1);
        (all().step_by(stride).copied().collect::<Vec<Vec3>>(), size)
    };
    let (first, size) = points(clip.first);
    let mut before = first.clone();
    let mut steps = Vec::with_capacity(clip.count as usize);
    for frame in clip.first + 1..clip.end() {
        let (now, _) = points(frame);
        steps.push(distance(&before, &now));
        before = now;
    }
    let step = distance(&before, &first);
    let largest = steps.iter().copied().fold(0.0, f32::max);
    steps.sort_by(f32::total_cmp);
    let typical = steps.get(steps.len() / 2).copied()?;
    let allowed =
        if clip.wrap == Wrap::LastIsFirst { typical } else { (TIMES_TYPICAL * typical).max(TIMES_WIDEST * largest) };
    (step > allowed && step > JUMP_SHARE * size && step.is_finite()).then_some((step, typical))
}

fn distance(from: &[Vec3], to: &[Vec3]) -> f32 {
    let sum: f32 = from.iter().zip(to).map(|(a, b)| a.distance(*b)).sum();
    let count = from.len().min(to.len()).max(1) as f32;
    sum / count
}

/// Reports clips that partly overlap. A clip within another one (dead within death) is common.
pub(super) fn overlaps(context: &Context, sink: &mut Sink) {
    let mut clips: Vec<(usize, &Clip)> =
        context.model().clips().iter().enumerate().filter(|(_, clip)| is_listed(clip)).collect();
    clips.sort_by_key(|(_, clip)| (clip.first, Reverse(clip.end())));
    let mut open: Vec<&Clip> = Vec::new();
    for (index, clip) in clips {
        while open.last().is_some_and(|other| other.end() <= clip.first) {
            open.pop();
        }
        if let Some(other) = open.last().filter(|other| other.end() < clip.end()) {
            let shared = other.end() - clip.first;
            let message = format!("the clip shares {shared} of its {} frames with clip {}", clip.count, other.name);
            sink.add(
                Severity::Note,
                Location { frame: Some(clip.first as usize), ..Location::clip(index, &clip.name) },
                message,
            );
            // Only this clip can overlap later clips, because the other clip ends first.
            open.pop();
        }
        open.push(clip);
    }
}
