//! Conversion to MD5: a skeleton and its animations.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;

use super::names::{report_lost_frame_names, report_lost_tags, report_renamed};
use super::rigid::{Hierarchy, RigidFrames, fold_scales};
use super::skeleton::Skeleton;
use super::{Conversion, ConvertError, ConvertOptions, Origin, SurfaceLimits, UniqueNames, build, clips};
use crate::error::counted;
use crate::file_names::clean_unique;
use crate::model::{
    ChannelJoint, Clip, ClipSource, FrameInfo, Joint, JointChannels, JointFrames, JointTrack, JointTransform, Model,
    ModelParts, Motion, SkeletalMotion, Wrap, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, blend_joints, sample};

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    let mut skeleton = Skeleton::from_model(model, options, SurfaceLimits::NONE, 1, &mut losses)?;
    losses.push("normals were dropped: the game computes them from the triangles".to_owned());
    let bare = skeleton.surfaces.iter().filter(|surface| surface.materials.iter().all(String::is_empty)).count();
    if bare > 0 {
        losses.push(format!("{} no material, but Doom 3 needs one", counted(bare, "surface has", "surfaces have")));
    }
    // Quake engines refuse the line “name”, so names become the comments of Doom 3's exporter.
    for surface in &mut skeleton.surfaces {
        Arc::make_mut(&mut surface.data).exported_name = std::mem::take(&mut surface.name);
    }
    fold_scales(model, &mut skeleton, options.format, &mut losses);
    let joint_of = |tag: &u32| skeleton.names.get(*tag as usize).map_or("", String::as_str);
    let tags = skeleton.tags.iter().map(|(name, joint)| (name.as_str(), joint_of(joint)));
    report_lost_tags(tags, options.format, &mut losses);
    let Hierarchy { mut joints, sources, root } = Hierarchy::new(model, &mut skeleton, options.format, &mut losses);
    root.into_iter().for_each(|root| root.report(&joints, options.format, &mut losses));
    let rigid = RigidFrames::new(model, &skeleton, &skeleton.frames, &sources);
    // A model without a bind pose gets its first converted frame as one.
    let first = skeleton.frames.first().copied().unwrap_or(0);
    let stored = model.clips().iter().find(|clip| clip.source == ClipSource::BindPose && options.frame.is_none());
    let bind_frame = stored.map_or(first, |clip| clip.first);
    let bind = RigidFrames::new(model, &skeleton, &[bind_frame], &sources);
    joints.iter_mut().zip(bind.frame(0)).for_each(|(joint, bind)| joint.bind = *bind);
    let mut animations = Animations {
        frames: vec![FrameInfo::default()],
        origin: vec![FrameBlend::single(bind_frame)],
        clips: vec![Clip::new("bind pose", 0, 1, options.format.usual_rate(), ClipSource::BindPose)],
        tracks: vec![JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind }],
    };
    let moving = if skeleton.frames.len() > 1 { played(model, &skeleton.frames) } else { Vec::new() };
    for (clip, name) in moving.iter().zip(clip_names(&moving, &mut losses)) {
        animations.add(model, &skeleton, &rigid, &joints, clip, name);
    }
    report_rates(&moving, &mut losses);
    report_unplayed(&skeleton, &moving, &mut losses);
    let converted = skeleton.frames.iter().filter_map(|frame| model.frames().get(*frame as usize));
    report_lost_frame_names(converted.map(|info| info.name.as_str()), "MD5 stores no frame names", &mut losses);
    let Animations { frames, origin, clips, tracks } = animations;
    let parts = ModelParts {
        version: Some(options.format.traits().version),
        surfaces: skeleton.surfaces,
        frames,
        clips,
        motion: Motion::Skeletal(SkeletalMotion { joints, bindings: skeleton.bindings, tracks, tags: Vec::new() }),
        ..ModelParts::empty(options.format)
    };
    let origin = Origin { frames: origin, tags: Vec::new(), ..skeleton.origin };
    Ok(Conversion { model: build(parts)?, losses, origin })
}

/// Returns the names of the clips in the converted model, which are names of files.
fn clip_names(clips: &[Clip], losses: &mut Vec<String>) -> Vec<String> {
    let mut stems = UniqueNames::default();
    let names: Vec<String> =
        clips.iter().map(|clip| clean_unique(&clip.name.replace(char::is_whitespace, "_"), &mut stems)).collect();
    let changed = clips.iter().zip(&names).filter(|(clip, name)| clip.name != **name);
    let changes: Vec<_> = changed.map(|(clip, name)| (clip.name.clone(), name.clone())).collect();
    report_renamed(&changes, ["clip", "clips"], "each is a file", losses);
    names
}

pub(super) fn played(model: &Model, frames: &[u32]) -> Vec<Clip> {
    clips::named_or_all(model, frames, model.format().usual_rate())
}

/// Returns the frames that an animation stores for a clip, about.
pub(super) fn stored_frames(clip: &Clip) -> usize {
    clip.count as usize * whole_rate(clip).1 as usize
}

/// Largest change of a clip's speed by rounding its rate. Frames are added between those of other clips.
const MAX_SPEED_CHANGE: f32 = 0.01;

/// Returns the frames per second of a clip's file and the number of intervals for each interval of the clip. Doom 3
/// reads a whole number (dhewm3 `Anim.cpp`, `idMD5Anim::LoadAnim`).
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1; `as` saturates")]
fn whole_rate(clip: &Clip) -> (u32, u32) {
    let rate = clip.frames_per_second;
    let whole = |steps: u32| (rate * steps as f32).round().max(1.0);
    let change = |steps: u32| (whole(steps) / (rate * steps as f32) - 1.0).abs();
    // Slower clips get the best of the smallest numbers, because more frames would take too much memory.
    let best = || (1..=16).min_by(|a, b| change(*a).total_cmp(&change(*b))).unwrap_or(1);
    let steps = if rate > 0.0 && clip.count > 1 {
        (1..=16).find(|steps| change(*steps) <= MAX_SPEED_CHANGE).unwrap_or_else(best)
    } else {
        1
    };
    (whole(steps) as u32, steps)
}

/// Reports clips whose rates change, together if they have one rate.
fn report_rates(clips: &[Clip], losses: &mut Vec<String>) {
    let mut counts: BTreeMap<(u32, u32, u32), usize> = BTreeMap::new();
    for clip in clips.iter().filter(|clip| clip.count > 1) {
        let (whole, steps) = whole_rate(clip);
        if whole as f32 != clip.frames_per_second {
            *counts.entry((clip.frames_per_second.to_bits(), whole, steps)).or_default() += 1;
        }
    }
    for ((rate, whole, steps), count) in counts {
        let rate = f32::from_bits(rate);
        let clips = counted(count, "clip was", "clips were");
        let how = if steps > 1 { format!("; each interval got {steps}, with blended frames") } else { String::new() };
        losses.push(format!(
            "Doom 3 needs a whole frame rate: {clips} changed from {rate} to {whole} frames per second{how}"
        ));
    }
}

/// Returns the frames in playing order. A looping clip ends with its first frame, because the game treats the last
/// frame of an animation as its first.
fn order(clip: &Clip) -> Vec<u32> {
    let mut order: Vec<u32> = (clip.first..clip.end()).collect();
    if clip.reversed {
        order.reverse();
    }
    if clip.loop_frames >= clip.count && clip.wrap == Wrap::LastToFirst && clip.count > 1 {
        order.extend(order.first().copied());
    }
    order
}

fn report_unplayed(skeleton: &Skeleton, clips: &[Clip], losses: &mut Vec<String>) {
    let count = u32_or_max(skeleton.frames.len());
    let left = (0..count).filter(|frame| !clips.iter().any(|clip| clip.contains(*frame))).count();
    if count > 1 && left > 0 {
        let frames = counted(left, "frame was", "frames were");
        losses.push(format!("{frames} dropped, because no clip plays them"));
    }
}

/// Frames, clips and tracks of the converted model.
struct Animations {
    frames: Vec<FrameInfo>,
    origin: Vec<FrameBlend>,
    clips: Vec<Clip>,
    tracks: Vec<JointTrack>,
}

impl Animations {
    fn add(
        &mut self,
        model: &Model,
        skeleton: &Skeleton,
        rigid: &RigidFrames,
        joints: &[Joint],
        clip: &Clip,
        name: String,
    ) {
        let mut order = order(clip);
        let mut local: Vec<Vec<JointTransform>> = order.iter().map(|frame| rigid.local(*frame, joints)).collect();
        let is_static = local.windows(2).all(|pair| pair.first() == pair.last());
        if is_static && order.len() > clip.count as usize {
            order.pop();
            local.pop();
        }
        let source = |frame: &u32| skeleton.frames.get(*frame as usize).copied().unwrap_or(0);
        let mut blends: Vec<FrameBlend> = order.iter().map(|frame| FrameBlend::single(source(frame))).collect();
        let (rate, steps) = whole_rate(clip);
        if steps > 1 {
            blends = subdivided(&blends, steps, |a, b, t| FrameBlend { from: a.from, to: b.from, t });
            local =
                subdivided(&local, steps, |a, b, t| a.iter().zip(b).map(|(a, b)| blend_joints(*a, *b, t)).collect());
        }
        let mut pose = Pose::default();
        self.frames.extend(blends.iter().map(|blend| {
            let stored = model.frames().get(blend.from as usize).and_then(|info| info.bounds);
            let bounds = stored.filter(|_| blend.t == 0.0).unwrap_or_else(|| {
                sample(model, &Sampling::at(*blend), &mut pose);
                pose.bounds
            });
            FrameInfo { bounds: Some(bounds), ..FrameInfo::default() }
        }));
        let (first, frame_count) = (u32_or_max(self.origin.len()), u32_or_max(local.len()));
        self.origin.append(&mut blends);
        self.clips.push(Clip::new(name, first, frame_count, rate as f32, ClipSource::AnimationFile));
        self.tracks.push(JointTrack { first, frame_count, frames: JointFrames::Channels(channels(&local, joints)) });
    }
}

/// Divides each interval between neighbours into `steps`.
fn subdivided<T: Clone>(list: &[T], steps: u32, blend: impl Fn(&T, &T, f32) -> T) -> Vec<T> {
    let between = |pair: &[T]| match pair {
        [a, b] => {
            let later = (1..steps).map(|step| blend(a, b, step as f32 / steps as f32));
            std::iter::once(a.clone()).chain(later).collect()
        }
        _ => Vec::new(),
    };
    list.windows(2).flat_map(between).chain(list.last().cloned()).collect()
}

/// Smallest change of a component that is stored. Relative transforms of joints that do not move differ by rounding.
const CHANGE: f32 = 1e-6;

/// Returns the channels of `frames`, whose transforms are relative to the parents of `joints`.
pub(crate) fn channels(frames: &[Vec<JointTransform>], own_joints: &[Joint]) -> JointChannels {
    let numbers = |joint: &JointTransform| {
        // The file stores three components; readers compute the fourth as a number of at most 0.
        let rotation = if joint.rotation.w > 0.0 { -joint.rotation } else { joint.rotation };
        let (Vec3 { x, y, z }, xyz) = (joint.translation, rotation.xyz());
        [x, y, z, xyz.x, xyz.y, xyz.z]
    };
    let base: Vec<[f32; 6]> = frames.first().into_iter().flatten().map(numbers).collect();
    let mut changing = vec![0_u8; base.len()];
    for frame in frames {
        for ((joint, base), flags) in frame.iter().zip(&base).zip(&mut changing) {
            let is_changed = |number: f32, base: f32| (number - base).abs() > CHANGE * base.abs().max(1.0);
            let differs = numbers(joint).into_iter().zip(base).map(|(number, base)| is_changed(number, *base));
            *flags |= differs.enumerate().fold(0, |flags, (bit, differs)| flags | u8::from(differs) << bit);
        }
    }
    let mut stride = 0;
    let joints = base.iter().zip(&changing).zip(own_joints).map(|(([x, y, z, a, b, c], flags), joint)| {
        let first = if *flags == 0 { 0 } else { stride };
        stride += flags.count_ones();
        ChannelJoint {
            parent: joint.parent,
            flags: *flags,
            first,
            translation: Vec3::new(*x, *y, *z),
            rotation_xyz: Vec3::new(*a, *b, *c),
        }
    });
    let joints: Vec<ChannelJoint> = joints.collect();
    let changing_parts = |(joint, flags): (&JointTransform, &u8)| {
        let flags = *flags;
        numbers(joint).into_iter().enumerate().filter(move |(bit, _)| flags >> bit & 1 == 1).map(|(_, number)| number)
    };
    let components = frames.iter().flat_map(|frame| frame.iter().zip(&changing).flat_map(changing_parts)).collect();
    let count = u32_or_max(base.len());
    JointChannels { joints, stride, components, joint_of_mesh: (0..count).map(Some).collect() }
}
