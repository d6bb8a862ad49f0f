//! New lists of frames, whose clips follow.

use super::operation::Notes;
use super::vertices::{NewFrame, encode, encode_tags, tags};
use super::{joints, repairs};
use crate::error::counted;
use crate::formats::frame_names;
use crate::model::{Clip, ClipSource, FrameInfo, JointTrack, Model, ModelParts, Motion, SkeletalMotion, u32_or_max};
use crate::pose::FrameBlend;

/// Returns the model with other frames: frames of the model, or blends of two. Adds sentences about changed clips.
pub(super) fn with_frames(model: &Model, list: &[FrameBlend], notes: &mut Notes) -> Result<ModelParts, String> {
    if list.is_empty() {
        return Err("no frame would be left".to_owned());
    }
    repairs::check_frames(model, list.len())?;
    let is_exact = list.iter().all(|time| time.t == 0.0);
    let mut parts = model.clone().into_parts();
    let count = parts.tags.len();
    match &mut parts.motion {
        Motion::Morph(motion) => {
            let all = list.iter().flat_map(|time| tags(motion, count, *time)).collect();
            encode_tags(&mut motion.tags, all)?;
            let has_one_box = parts.data.seams.is_some();
            for track in &mut motion.surfaces {
                let frames = list.iter().map(|time| NewFrame::at(track, *time)).collect();
                encode(track, has_one_box, frames, notes)?;
            }
        }
        Motion::Skeletal(motion) => motion.tracks = tracks(model, motion, list, is_exact)?,
    }
    let info = |time: &FrameBlend| model.frames().get(time.from as usize).cloned().unwrap_or_default();
    parts.frames = list.iter().map(info).collect();
    number_frames(model, &mut parts.frames, list);
    parts.clips = clips(model.clips(), list, notes);
    parts.alternative_clips = Vec::new();
    if is_exact { Ok(parts) } else { repairs::with_new_bounds(parts) }
}

/// Returns the chosen frames of a table with `size` elements in each frame.
pub(super) fn of<T: Clone>(all: &[T], size: usize, chosen: &[usize]) -> Vec<T> {
    chosen.iter().flat_map(|frame| all.get(frame * size..(frame + 1) * size).unwrap_or_default()).cloned().collect()
}

fn tracks(
    model: &Model,
    motion: &SkeletalMotion,
    list: &[FrameBlend],
    is_exact: bool,
) -> Result<Vec<JointTrack>, String> {
    let track_of = |frame: u32| motion.tracks.iter().rposition(|track| track.first <= frame).unwrap_or(0);
    let mut all: Vec<JointTrack> = Vec::new();
    for run in list.chunk_by(|a, b| track_of(a.from) == track_of(b.from)) {
        let index = track_of(run.first().map_or(0, |time| time.from));
        let Some(track) = motion.tracks.get(index) else { continue };
        let is_first = all.is_empty();
        if motion.tracks.first().is_some_and(JointTrack::is_bind_pose)
            && (is_first != (index == 0) || is_first && run.len() != 1)
        {
            return Err("frame 0 is the bind pose and stays the only first frame".to_owned());
        }
        if run.iter().any(|time| time.t > 0.0 && track_of(time.to) != index) {
            return Err("frames of different animations cannot be blended".to_owned());
        }
        let frames = if is_exact {
            let chosen: Vec<usize> = run.iter().map(|time| (time.from - track.first) as usize).collect();
            joints::selected(&track.frames, motion.joints.len(), &chosen)?
        } else {
            joints::resampled(model, &track.frames, track.first, run)?
        };
        let first = all.last().map_or(0, |track| track.first + track.frame_count);
        all.push(JointTrack { first, frame_count: u32_or_max(run.len()), frames });
    }
    Ok(all)
}

/// Returns the positions of the longest part of the new frames that comes from a clip: the first, and their number.
fn longest_run(clip: &Clip, list: &[FrameBlend]) -> Option<(usize, usize)> {
    let mut best: Option<(usize, usize)> = None;
    let mut at = 0;
    for run in list.chunk_by(|a, b| clip.contains(a.from) == clip.contains(b.from)) {
        if run.first().is_some_and(|time| clip.contains(time.from)) && best.is_none_or(|(_, count)| run.len() > count) {
            best = Some((at, run.len()));
        }
        at += run.len();
    }
    best
}

fn clips(all: &[Clip], list: &[FrameBlend], notes: &mut Notes) -> Vec<Clip> {
    let mut lost = Vec::new();
    let mut kept = Vec::new();
    for clip in all {
        let Some((first, count)) = longest_run(clip, list) else {
            lost.push(clip.name.as_str());
            continue;
        };
        let left = list.iter().filter(|time| clip.contains(time.from)).count() - count;
        if left > 0 {
            let frames = counted(left, "frame is", "frames are");
            notes.losses.push(format!("{frames} no longer in clip “{}”, because other frames are between", clip.name));
        }
        let run = list.get(first..first + count).unwrap_or_default();
        let repeats = |time: &&FrameBlend| time.from >= clip.end() - clip.loop_frames;
        let mut new = Clip { first: u32_or_max(first), count: u32_or_max(count), ..clip.clone() };
        new.loop_frames = match clip.loop_frames {
            0 => 0,
            all if all == clip.count => new.count,
            _ => u32_or_max(run.iter().filter(repeats).count()),
        };
        let mut end = 0.0;
        new.end_times = Vec::new();
        for time in run.iter().filter(|_| !clip.end_times.is_empty()) {
            let index = (time.from - clip.first) as usize;
            let start = index.checked_sub(1).and_then(|before| clip.end_times.get(before)).copied().unwrap_or(0.0);
            end += clip.end_times.get(index).map_or(0.1, |end| end - start);
            new.end_times.push(end);
        }
        if end > 0.0 {
            new.frames_per_second = count as f32 / end;
        }
        kept.push(new);
    }
    if !lost.is_empty() {
        notes.losses.push(format!("clips without frames were removed: {}", lost.join(", ")));
    }
    kept
}

/// Numbers the frames of a clip again if their names make the clip.
fn number_frames(model: &Model, frames: &mut [FrameInfo], list: &[FrameBlend]) {
    for clip in model.clips().iter().filter(|clip| clip.source == ClipSource::FrameNames) {
        let Some((first, count)) = longest_run(clip, list) else { continue };
        let run = list.get(first..first + count).unwrap_or_default();
        let follows = |pair: &[FrameBlend]| matches!(pair, [a, b] if a.from + 1 == b.from && b.t == 0.0);
        let old = model.frames().get(clip.first as usize).map_or("", |frame| frame.name.as_str());
        let (stem, digits) = frame_names::split(old);
        if run.windows(2).all(follows) || digits.is_empty() {
            continue;
        }
        let (number, width) = (digits.parse::<usize>().unwrap_or(1), digits.len());
        for (index, frame) in frames.iter_mut().skip(first).take(count).enumerate() {
            frame.name = format!("{stem}{:0width$}", number + index);
        }
    }
}
