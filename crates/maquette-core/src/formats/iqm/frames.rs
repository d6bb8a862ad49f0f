//! Poses, frames and animations of an IQM.
//!
//! A pose has ten channels: Tx Ty Tz Qx Qy Qz Qw Sx Sy Sz. A channel is its offset, plus its scale times the next
//! number of the frame if its bit in the mask is set.

use std::collections::HashSet;
use std::sync::Arc;

#[cfg(doc)]
use super::HEADER_BYTES;
use super::joints::{Joints, Order};
use super::{Header, MAGIC, Names, RATE};
use crate::bytes::{Column, Count, Kind, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings, counted};
use crate::formats::LoadedAnimation;
use crate::formats::chunk::{f32s, i32_at, vec3_at};
use crate::formats::track::{frames_played, no_room, warn_cut};
use crate::limits::MAX_CLIPS;
use crate::model::{
    Bounds, Clip, ClipSource, Format, FrameInfo, JointFrames, LocalFrames, LocalPose, LocalSkeleton, LocalTransform,
    Model, Motion, Wrap, is_usable, u32_or_max,
};

const POSES: Record = Record::new(
    "poses",
    &[
        Column::new("parent", Kind::I32, 1),
        Column::new("mask", Kind::U32, 1),
        Column::new("channeloffset", Kind::F32, 10),
        Column::new("channelscale", Kind::F32, 10),
    ],
);
const POSES_1: Record = Record::new(
    "poses",
    &[
        Column::new("parent", Kind::I32, 1),
        Column::new("mask", Kind::U32, 1),
        Column::new("channeloffset", Kind::F32, 9),
        Column::new("channelscale", Kind::F32, 9),
    ],
);
const ANIMS: Record = Record::new(
    "anims",
    &[
        Column::new("name", Kind::U32, 1),
        Column::new("first_frame", Kind::U32, 1),
        Column::new("num_frames", Kind::U32, 1),
        Column::new("framerate", Kind::F32, 1),
        Column::new("flags", Kind::U32, 1),
    ],
);
const BOUNDS: Record = Record::new(
    "bounds",
    &[
        Column::new("bbmin", Kind::F32, 3),
        Column::new("bbmax", Kind::F32, 3),
        Column::new("xyradius", Kind::F32, 1),
        Column::new("radius", Kind::F32, 1),
    ],
);

const CHANNEL: Record = Record::new("channels", &[Column::new("channel", Kind::U16, 1)]);

const fn frames_record(channels: u64) -> Record {
    Record::new("frames", &[]).holding(PartKind::Frame).followed_by(CHANNEL, Count::Fixed(channels))
}

/// Flag of an animation that repeats.
const LOOP: u32 = 1;

type FrameList = (Vec<FrameInfo>, Vec<Clip>, LocalFrames);

/// Reads the frames of a file with joints. `None` if the file has none, so that it shows the bind pose.
pub(super) fn read(
    source: &Source,
    header: &Header,
    names: &Names,
    joints: &Joints,
    skeleton: &Arc<LocalSkeleton>,
    warnings: &mut Warnings,
) -> Result<Option<FrameList>, LoadError> {
    if header.frames.count == 0 || header.poses.count == 0 {
        return Ok(None);
    }
    if skeleton.bind().is_empty() {
        warnings.add(WarningKind::LeftOut, "frames", "the file has no joints; the frames are skipped");
        return Ok(None);
    }
    let read = read_frames(source, header, &joints.order, skeleton, None, warnings);
    let (frames, local) = match read {
        Ok(read) => read,
        Err(error) => {
            return source.forgive(error, || "the bind pose is used".to_owned()).map(|()| None);
        }
    };
    let clips = read_clips(source, header, names, frames.len(), warnings)?;
    Ok(Some((frames, clips, local)))
}

/// Returns whether these are the first bytes of an IQM with animations, but without meshes. Needs [`HEADER_BYTES`] bytes.
pub fn is_animation(bytes: &[u8]) -> bool {
    poses_of_animation(bytes).is_some()
}

/// Returns whether these are the first bytes of an animation for models with `joints` joints, like [`is_animation`].
pub fn is_animation_for(joints: usize, bytes: &[u8]) -> bool {
    poses_of_animation(bytes).is_some_and(|poses| poses as usize == joints)
}

fn poses_of_animation(bytes: &[u8]) -> Option<u32> {
    joints_in_header(bytes).filter(|(is_animation, _)| *is_animation).map(|(_, poses)| poses)
}

/// Returns whether these are the first bytes of an animation, like [`is_animation`], and the number of its joints. `None`
/// for files that are neither an animation nor a mesh.
pub fn joints_in_header(bytes: &[u8]) -> Option<(bool, u32)> {
    let number = |at: usize| bytes.get(at..)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes));
    let (meshes, joints, poses) = (number(36)?, number(68)?, number(76)?);
    let is_animation = meshes == 0;
    (bytes.starts_with(MAGIC) && (!is_animation || poses > 0))
        .then_some((is_animation, if is_animation { poses } else { joints }))
}

/// Returns the number of joints stored in the file of an IQM; 0 for other models.
pub fn stored_joints(model: &Model) -> usize {
    skeleton(model).map_or(0, |skeleton| skeleton.bind().len())
}

/// Loads the frames of an IQM as an animation called `name` of `model`, whose joints are matched by index. Pass the
/// result to [`Model::add_loaded`]. Fails if the file is invalid, has another number of joints ([`Reason::OtherModel`]),
/// or the model has no room for more frames.
pub fn load_animation(
    bytes: &[u8],
    name: &str,
    model: &Model,
    warnings: &mut Warnings,
) -> Result<LoadedAnimation, LoadError> {
    let source = Source::new(Format::Iqm.name(), bytes);
    if !bytes.starts_with(MAGIC) {
        let found = bytes.iter().take(4).map(|byte| byte.escape_ascii().to_string()).collect::<String>();
        return Err(source.error("magic", 0, Reason::WrongMagic { found: format!("“{found}”") }));
    }
    let header = Header::read(&source, warnings)?;
    let (field, at) = header.poses.offset.counter();
    if header.frames.count == 0 || header.poses.count == 0 {
        return Err(source.error(field, at, Reason::Broken("the file has no animation".to_owned())));
    }
    let skeleton = skeleton(model).filter(|skeleton| skeleton.bind().len() == header.poses.count as usize);
    let skeleton = skeleton.ok_or_else(|| source.error(field, at, Reason::OtherModel))?;
    let names = Names::read(&source, header.text)?;
    let order = read_order(&source, &header, warnings)?;
    let (frames, local) = read_frames(&source, &header, &order, skeleton, Some(model), warnings)?;
    let parents = model.joints().iter().map(|joint| joint.parent);
    if !order.parents.iter().copied().eq(parents.take(order.parents.len())) {
        let message = "the parents of the joints differ from those of the model, which are used";
        warnings.add(WarningKind::Inconsistent, "poses", message);
    }
    let mut own = read_clips(&source, &header, &names, frames.len(), warnings)?;
    let rate = own.first().map_or(RATE, |clip| clip.frames_per_second);
    let count = u32_or_max(frames.len());
    let mut clip = Clip::new(name, 0, count, rate, ClipSource::AnimationFile);
    clip.wrap = Wrap::LastToFirst;
    if let [only] = own.as_slice()
        && !only.loops()
    {
        clip.loop_frames = 0;
    }
    own.iter_mut().for_each(|clip| clip.source = ClipSource::AnimationFile);
    Ok(LoadedAnimation { skeleton: None, track: (clip, JointFrames::Local(local), frames), clips: own })
}

/// Checks the frames and animations of an IQM without a model.
pub fn check_animation(source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    let header = Header::read(source, warnings)?;
    let names = Names::read(source, header.text)?;
    let order = read_order(source, &header, warnings)?;
    let skeleton = Arc::new(LocalSkeleton::new(&[], vec![LocalTransform::IDENTITY; order.parents.len()]));
    let (frames, _) = read_frames(source, &header, &order, &skeleton, None, warnings)?;
    read_clips(source, &header, &names, frames.len(), warnings).map(drop)
}

fn skeleton(model: &Model) -> Option<&Arc<LocalSkeleton>> {
    let Motion::Skeletal(motion) = model.motion() else { return None };
    motion.tracks.iter().find_map(|track| match &track.frames {
        JointFrames::Local(local) => Some(&local.skeleton),
        _ => None,
    })
}

fn read_order(source: &Source, header: &Header, warnings: &mut Warnings) -> Result<Order, LoadError> {
    let (record, stride) = layout(header);
    let poses = header.poses.bytes(source, record)?;
    let order = Order::new(&poses.chunks_exact(stride).map(parent).collect::<Vec<_>>());
    order.warn("poses", warnings);
    Ok(order)
}

fn layout(header: &Header) -> (&'static Record, usize) {
    if header.computes_w() { (&POSES_1, 80) } else { (&POSES, 88) }
}

fn parent(record: &[u8]) -> i32 {
    record.first_chunk::<4>().map_or(-1, |bytes| i32_at(bytes, 0))
}

fn read_frames(
    source: &Source,
    header: &Header,
    order: &Order,
    skeleton: &Arc<LocalSkeleton>,
    model: Option<&Model>,
    warnings: &mut Warnings,
) -> Result<(Vec<FrameInfo>, LocalFrames), LoadError> {
    let (joints, poses) = (skeleton.bind().len(), header.poses.count as usize);
    if poses != joints {
        let (field, at) = header.poses.offset.counter();
        let why = format!("the file has {poses} poses for {joints} joints");
        return Err(source.error(field, at, Reason::Broken(why)));
    }
    let (record, stride) = layout(header);
    let poses = read_poses(header.poses.bytes(source, record)?.chunks_exact(stride), header.computes_w(), warnings);
    let channels: u64 = poses.iter().map(|pose| u64::from(pose.mask.count_ones())).sum();
    if channels != u64::from(header.channels) {
        let why = format!("the value is {}, but the masks of the poses have {channels} channels", header.channels);
        return Err(source.error("num_framechannels", header.channels_at, Reason::Broken(why)));
    }
    let bytes = source.bytes().len();
    let played = frames_played(bytes, header.frames.count as usize, joints, model);
    if let (0, Some(model)) = (played, model) {
        let (field, at) = header.frames.offset.counter();
        return Err(source.error(field, at, Reason::Broken(no_room(model))));
    }
    let table = match header.channels {
        0 => &[],
        channels => header.frames.bytes(source, &frames_record(channels.into()))?,
    };
    let mut words: Vec<u16> = table.as_chunks::<2>().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
    let count = words.len().checked_div(header.channels as usize).unwrap_or(header.frames.count as usize);
    let mut frames = vec![FrameInfo::default(); count.min(played)];
    if count > played {
        warn_cut("num_frames", [played, count, joints, bytes], warnings);
        words.truncate(played * header.channels as usize);
        words.shrink_to_fit();
    }
    read_bounds(source, header, &mut frames, warnings);
    let local = LocalFrames {
        skeleton: Arc::clone(skeleton),
        poses: order.in_file.iter().filter_map(|index| poses.get(*index as usize).copied()).collect(),
        stride: header.channels,
        words,
        computes_w: header.computes_w(),
    };
    Ok((frames, local))
}

fn read_poses<'a>(
    records: impl Iterator<Item = &'a [u8]>,
    computes_w: bool,
    warnings: &mut Warnings,
) -> Vec<LocalPose> {
    let (mut next, mut broken, mut unknown) = (0, 0, 0);
    let poses = records.map(|record| {
        let mask = record.get(4..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let numbers = record.get(8..).unwrap_or_default();
        let (mut mask, mut offset, mut scale) = if computes_w {
            let [offset, scale] = [0, 36].map(|at| {
                let [a, b, c, x, y, z, d, e, f] = f32s(numbers.get(at..).unwrap_or_default());
                [a, b, c, x, y, z, 0.0, d, e, f]
            });
            unknown += usize::from(mask >> 9 != 0);
            (mask & 0x3f | (mask & 0x1c0) << 1, offset, scale)
        } else {
            (mask, f32s::<10>(numbers), f32s::<10>(numbers.get(40..).unwrap_or_default()))
        };
        unknown += usize::from(mask >> 10 != 0);
        mask &= 0x3ff;
        for number in offset.iter_mut().chain(&mut scale).filter(|number| !is_usable(**number)) {
            *number = 0.0;
            broken += 1;
        }
        let first = next;
        next += mask.count_ones();
        LocalPose { offset, scale, mask: u16::try_from(mask).unwrap_or(0), first }
    });
    let poses = poses.collect();
    if broken > 0 {
        let message = counted(
            broken,
            "number is not finite or beyond a billion; replaced by 0",
            "numbers are not finite or beyond a billion; replaced by 0",
        );
        warnings.add(WarningKind::Substituted, "poses", message);
    }
    if unknown > 0 {
        let message = counted(
            unknown,
            "mask has unknown channels, which are ignored",
            "masks have unknown channels, which are ignored",
        );
        warnings.add(WarningKind::LeftOut, "poses", message);
    }
    poses
}

fn read_bounds(source: &Source, header: &Header, frames: &mut [FrameInfo], warnings: &mut Warnings) {
    if header.ofs_bounds.value == 0 {
        return;
    }
    let table = match source.start().table(0, header.ofs_bounds, frames.len() as u64, &BOUNDS) {
        Ok(table) => table,
        Err(error) => {
            let message = format!("the bounds of the frames are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), message, &error);
            return;
        }
    };
    for (frame, record) in frames.iter_mut().zip(table.as_chunks::<32>().0) {
        let (min, max) = (vec3_at(record, 0), vec3_at(record, 12));
        let radius = f32s::<1>(record.get(28..).unwrap_or_default())[0];
        frame.bounds = (min.is_finite() && max.is_finite()).then_some(Bounds { min, max });
        frame.radius = if radius.is_finite() { radius } else { 0.0 };
    }
}

fn read_clips(
    source: &Source,
    header: &Header,
    names: &Names,
    frames: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Clip>, LoadError> {
    let table = match header.anims.bytes(source, &ANIMS) {
        Ok(table) => table.as_chunks::<20>().0,
        Err(error) => {
            let message = format!("the animations are skipped: {}", error.reason);
            warnings.add_error(WarningKind::LeftOut, error.field.as_str(), message, &error);
            &[]
        }
    };
    if table.len() > MAX_CLIPS {
        let message = format!("{} animations; only the first {MAX_CLIPS} are used", table.len());
        warnings.add(WarningKind::LeftOut, "anims", message);
    }
    let mut clips = Vec::new();
    let mut known: HashSet<String> = HashSet::new();
    for (index, record) in table.iter().take(MAX_CLIPS).enumerate() {
        let [name, first, count, _, flags] = [0, 4, 8, 12, 16].map(|at| i32_at(record, at).cast_unsigned());
        let about = || format!("anim {index}");
        let mut name = names.get(name, about, warnings);
        if name.is_empty() {
            name = about();
        }
        let left = u32_or_max(frames).saturating_sub(first);
        if count == 0 || left == 0 {
            let message = format!("“{name}” has no frames in the file; skipped");
            warnings.add(WarningKind::LeftOut, about(), message);
            continue;
        }
        if count > left {
            let message =
                format!("“{name}” has {count} frames from frame {first}, but the file ends after {left} of them");
            warnings.add(WarningKind::Truncated, about(), message);
        }
        let [rate] = f32s(record.get(12..).unwrap_or_default());
        let rate = if rate.is_finite() && rate > 0.0 { rate } else { RATE };
        let mut clip = Clip::new(name, first, count.min(left), rate, ClipSource::AnimationList);
        if flags & LOOP == 0 {
            clip.loop_frames = 0;
        }
        if !known.insert(clip.name.to_ascii_lowercase()) {
            let message = format!("“{}” is the name of an earlier animation, which the name selects", clip.name);
            warnings.add(WarningKind::Inconsistent, about(), message);
        }
        clips.push(clip);
    }
    Ok(clips)
}
