//! Operations on frames.

use std::cmp::Reverse;
use std::collections::HashSet;

use super::clips::{even_times, find};
use crate::edit::frame_list::with_frames;
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::edit::repairs::check_frames;
use crate::model::{Clip, ClipSource, Model, ModelParts, Wrap, u32_or_max};
use crate::pose::{FrameBlend, Repeat, blend_at, clip_length};

const FRAMES: Parameter = Parameter::new("frames", "Frames", ParameterKind::Frames);

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation {
        parameters: &[FRAMES],
        refuses: |model| (model.frames().len() < 2).then(|| "The model has a single frame".to_owned()),
        ..Operation::plain("Frames", Reach::Clips, [name, title, help])
    }
}

fn all(model: &Model) -> Vec<u32> {
    (0..u32_or_max(model.frames().len())).collect()
}

fn whole(model: &Model, frames: &[u32], notes: &mut Notes) -> Result<ModelParts, String> {
    with_frames(model, &frames.iter().copied().map(FrameBlend::single).collect::<Vec<_>>(), notes)
}

pub(super) const DELETE: Operation = Operation {
    apply: |model, call, notes| {
        let chosen: HashSet<u32> = call.frames(model, "frames")?.into_iter().collect();
        let left: Vec<u32> = all(model).into_iter().filter(|frame| !chosen.contains(frame)).collect();
        whole(model, &left, notes)
    },
    ..row("delete-frames", "Delete frames", "Deletes frames")
};

pub(super) const CROP: Operation = Operation {
    apply: |model, call, notes| {
        let mut frames = call.frames(model, "frames")?;
        frames.sort_unstable();
        frames.dedup();
        whole(model, &with_bind_pose(model, frames), notes)
    },
    ..row("keep-frames", "Keep only frames", "Deletes all other frames")
};

fn has_bind_pose(model: &Model) -> bool {
    model.clips().first().is_some_and(|clip| clip.source == ClipSource::BindPose)
}

/// Adds the bind pose of a model whose first frame it is.
fn with_bind_pose(model: &Model, frames: Vec<u32>) -> Vec<u32> {
    if has_bind_pose(model) && !frames.contains(&0) { std::iter::once(0).chain(frames).collect() } else { frames }
}

pub(super) const DUPLICATE: Operation = Operation {
    parameters: &[FRAMES, Parameter::new("times", "Copies", ParameterKind::Whole { min: 1, max: 1000 }).or("1")],
    apply: |model, call, notes| {
        let frames = call.frames(model, "frames")?;
        let last = frames.iter().copied().max().unwrap_or(0);
        let times = call.whole("times").unwrap_or(1).unsigned_abs() as usize;
        check_frames(model, frames.len().saturating_mul(times))?;
        let copies = frames.repeat(times);
        let (before, after): (Vec<u32>, Vec<u32>) = all(model).into_iter().partition(|frame| *frame <= last);
        whole(model, &[before, copies, after].concat(), notes)
    },
    ..row("duplicate-frames", "Duplicate frames", "Inserts copies after the last of the frames")
};

pub(super) const MOVE: Operation = Operation {
    parameters: &[FRAMES, Parameter::new("to", "Before frame", ParameterKind::Whole { min: 0, max: 1_000_000 })],
    apply: |model, call, notes| {
        let mut frames = call.frames(model, "frames")?;
        let mut known = HashSet::new();
        frames.retain(|frame| known.insert(*frame));
        let to = call.whole("to").unwrap_or(0).unsigned_abs();
        let count = model.frames().len();
        if to as usize > count {
            return Err(format!("to={to}: expected a frame from 0 to {count}"));
        }
        let rest = all(model).into_iter().filter(|frame| !known.contains(frame));
        let (before, after): (Vec<u32>, Vec<u32>) = rest.partition(|frame| *frame < to);
        whole(model, &[before, frames, after].concat(), notes)
    },
    ..row("move-frames", "Move frames", "Moves frames before another frame, counted before the change")
};

pub(super) const REVERSE: Operation = Operation {
    parameters: &[FRAMES.or("all")],
    apply: |model, call, notes| {
        let mut frames = call.frames(model, "frames")?;
        frames.sort_unstable();
        frames.dedup();
        frames.retain(|frame| *frame > 0 || !has_bind_pose(model));
        let mut list = all(model);
        for (place, frame) in frames.iter().zip(frames.iter().rev()) {
            if let Some(own) = list.get_mut(*place as usize) {
                *own = *frame;
            }
        }
        whole(model, &list, notes)
    },
    ..row("reverse-frames", "Reverse frames", "Reverses the order of frames")
};

pub(super) const THIN: Operation = Operation {
    parameters: &[Parameter::new("step", "Step", ParameterKind::Whole { min: 2, max: 1000 }).or("2"), FRAMES.or("all")],
    apply: |model, call, notes| {
        let frames: HashSet<u32> = call.frames(model, "frames")?.into_iter().collect();
        let step = call.whole("step").unwrap_or(2).unsigned_abs();
        // Every clip keeps its first frame.
        let number = |frame: u32| {
            let own = model.clips().iter().filter(|clip| clip.source != ClipSource::AllFrames);
            let first = own.filter(|clip| clip.contains(frame)).map(|clip| clip.first).max();
            frame - first.unwrap_or(0)
        };
        let kept = all(model).into_iter().filter(|frame| !frames.contains(frame) || number(*frame) % step == 0);
        let mut parts = whole(model, &kept.collect::<Vec<_>>(), notes)?;
        let mut thinned = Vec::new();
        // Clips last as long as before, and none is lost, because each keeps its first frame.
        for (clip, old) in parts.clips.iter_mut().zip(model.clips()).filter(|(clip, old)| clip.count < old.count) {
            let share = clip.count as f32 / old.count as f32;
            clip.frames_per_second = old.frames_per_second * share;
            clip.own_rate = old.own_rate.map(|rate| rate * share);
            if let (Some(new), Some(end)) = (clip.end_times.last().copied(), old.end_times.last()) {
                clip.end_times.iter_mut().for_each(|time| *time *= end / new);
            }
            thinned.push(old);
        }
        note_rates(&thinned, notes);
        Ok(parts)
    },
    ..row(
        "keep-every",
        "Keep every n-th frame",
        "Deletes all but the first of every n frames of a clip, and lowers the rate of the clip",
    )
};

pub(super) const RESAMPLE: Operation = Operation {
    parameters: &[
        Parameter::new("clip", "Clip", ParameterKind::Clip).or(""),
        Parameter::new(
            "rate",
            "Frames per second",
            ParameterKind::Number { min: 0.5, max: 1000.0, unit: "frames per second" },
        ),
    ],
    apply: resample,
    ..row(
        "resample",
        "Resample clips",
        "Changes the rate of one clip or of all, with blended frames between the stored ones",
    )
};

fn resample(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let (name, rate) = (call.text("clip"), call.number("rate").unwrap_or(10.0));
    let bases = if name.is_empty() { outermost(model) } else { vec![find(model, name)?.1] };
    let mut list = Vec::new();
    let mut next = 0;
    for frame in all(model) {
        match bases.iter().find(|clip| clip.first == frame) {
            Some(clip) => {
                add_resampled(model, clip, rate, &mut list)?;
                next = clip.end();
            }
            None if frame >= next => list.push(FrameBlend::single(frame)),
            None => {}
        }
    }
    let mut parts = model.clone().into_parts();
    for clip in parts
        .clips
        .iter_mut()
        .filter(|clip| clip.source != ClipSource::AllFrames || bases.iter().any(|base| **base == **clip))
    {
        if let Some(base) = bases.iter().find(|base| is_within(clip, base)) {
            let is_base = clip.frames_per_second == base.frames_per_second;
            let rate = if is_base { rate } else { clip.frames_per_second * (rate / base.frames_per_second) };
            (clip.frames_per_second, clip.own_rate, clip.end_times) = (rate, None, Vec::new());
        }
    }
    note_rates(&bases, notes);
    let changed = Model::new(parts).map_err(|error| error.to_string())?;
    let mut parts = with_frames(&changed, &list, notes)?;
    let groups = parts.clips.iter_mut().filter(|clip| clip.source == ClipSource::FrameGroup);
    for clip in groups.filter(|clip| clip.end_times.is_empty()) {
        clip.end_times = even_times(clip.count, clip.frames_per_second);
    }
    Ok(parts)
}

fn is_within(inner: &Clip, outer: &Clip) -> bool {
    outer.first <= inner.first && inner.end() <= outer.end()
}

/// Returns the clips that no other clip contains. A clip of all frames counts only if there is no other.
fn outermost(model: &Model) -> Vec<&Clip> {
    let of = |is_whole: bool| {
        let is_kind = move |clip: &&Clip| (clip.source == ClipSource::AllFrames) == is_whole;
        model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose).filter(is_kind)
    };
    let mut clips: Vec<&Clip> = of(of(false).next().is_none()).collect();
    clips.sort_by_key(|clip| (clip.first, Reverse(clip.count)));
    let mut bases: Vec<&Clip> = Vec::new();
    for clip in clips {
        if bases.last().is_none_or(|last| !is_within(clip, last)) {
            bases.push(clip);
        }
    }
    bases
}

/// Says that rates are lost whose clips are not in the file or in another list.
fn note_rates(clips: &[&Clip], notes: &mut Notes) {
    if clips.iter().any(|clip| !clip.source.names_rates()) {
        notes.losses.push("the file does not store the new rate; the game must play these frames at it".to_owned());
    }
}

/// Adds the frames of a clip at another rate.
fn add_resampled(model: &Model, clip: &Clip, rate: f32, list: &mut Vec<FrameBlend>) -> Result<(), String> {
    let meets = |other: &&Clip| other.first < clip.end() && clip.first < other.end();
    let others = model.clips().iter().filter(|other| other.source != ClipSource::AllFrames);
    if let Some(other) = others.filter(meets).find(|other| !is_within(other, clip)) {
        return Err(format!("clips “{}” and “{}” share frames and cannot be resampled", clip.name, other.name));
    }
    refuse_partial_loop(clip)?;
    // Such a loop has an interval after the last frame, in which the first follows.
    let is_closed = clip.wrap == Wrap::LastToFirst && clip.loops() && clip.count > 1;
    let repeat = if is_closed { Repeat::Whole } else { Repeat::Once };
    let intervals = clip.intervals_at(clip_length(clip, repeat));
    let steps = (intervals * f64::from(rate) / f64::from(clip.frames_per_second)).round().max(intervals.min(1.0));
    check_frames(model, list.len().saturating_add(steps as usize))?;
    let time = |index: u32| {
        let time = blend_at(clip, clip.frames_at(f64::from(index) * intervals / steps.max(1.0)), repeat);
        match time.t {
            t if t < 1e-4 => FrameBlend::single(time.from),
            t if t > 1.0 - 1e-4 => FrameBlend::single(time.to),
            _ => time,
        }
    };
    let mut frames: Vec<FrameBlend> = (0..steps as u32 + u32::from(!is_closed)).map(time).collect();
    if clip.reversed {
        frames.reverse();
    }
    list.extend(frames);
    Ok(())
}

fn refuse_partial_loop(clip: &Clip) -> Result<(), String> {
    let is_partial = clip.loops() && clip.loop_frames < clip.count;
    if is_partial {
        Err(format!("clip “{}” repeats only its last {} frames", clip.name, clip.loop_frames))
    } else {
        Ok(())
    }
}

pub(super) const BLEND_LOOP: Operation = Operation {
    parameters: &[
        Parameter::new("clip", "Clip", ParameterKind::Clip),
        Parameter::new("count", "Frames to blend", ParameterKind::Whole { min: 1, max: 1000 }).or("3"),
    ],
    apply: |model, call, notes| {
        let (_, clip) = find(model, call.text("clip"))?;
        let count = call.whole("count").unwrap_or(3).unsigned_abs();
        refuse_partial_loop(clip)?;
        if clip.reversed {
            return Err(format!("clip “{}” plays backwards", clip.name));
        }
        // The last frame is the first again, or precedes it.
        let intervals = if clip.wrap == Wrap::LastIsFirst { count } else { count + 1 };
        if count >= clip.count {
            return Err(format!("count={count}: expected fewer frames than the clip has ({})", clip.count));
        }
        let blend = |frame: u32| {
            let from_end = clip.end().checked_sub(frame).filter(|_| clip.contains(frame));
            match from_end.filter(|from_end| *from_end <= count) {
                Some(from_end) => {
                    FrameBlend { from: frame, to: clip.first, t: (count + 1 - from_end) as f32 / intervals as f32 }
                }
                None => FrameBlend::single(frame),
            }
        };
        with_frames(model, &all(model).into_iter().map(blend).collect::<Vec<_>>(), notes)
    },
    ..row(
        "blend-loop",
        "Blend loop",
        "Blends the last frames of a clip towards its first, so that the loop does not jump",
    )
};
