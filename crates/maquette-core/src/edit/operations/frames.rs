//! Operations on frames.

use super::clips::find;
use crate::edit::frame_list::with_frames;
use crate::edit::operation::{Call, Operation, Parameter, ParameterKind, Reach};
use crate::model::{ClipSource, Model, ModelParts, u32_or_max};
use crate::pose::FrameBlend;

const FRAMES: Parameter = Parameter::new("frames", "Frames", ParameterKind::Frames);

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation {
        name,
        title,
        group: "Frames",
        help,
        parameters: &[FRAMES],
        reach: Reach::Clips,
        refuses: |model| (model.frames().len() < 2).then(|| "The model has a single frame".to_owned()),
        apply: |model, _, _| Ok(model.clone().into_parts()),
    }
}

fn all(model: &Model) -> Vec<u32> {
    (0..u32_or_max(model.frames().len())).collect()
}

fn whole(model: &Model, frames: &[u32], notes: &mut Vec<String>) -> Result<ModelParts, String> {
    with_frames(model, &frames.iter().copied().map(FrameBlend::single).collect::<Vec<_>>(), notes)
}

pub(super) const DELETE: Operation = Operation {
    apply: |model, call, notes| {
        let chosen = call.frames(model, "frames")?;
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

/// Adds the bind pose of a model whose first frame it is.
fn with_bind_pose(model: &Model, frames: Vec<u32>) -> Vec<u32> {
    let has_bind_pose = model.clips().first().is_some_and(|clip| clip.source == ClipSource::BindPose);
    if has_bind_pose && !frames.contains(&0) { std::iter::once(0).chain(frames).collect() } else { frames }
}

pub(super) const DUPLICATE: Operation = Operation {
    parameters: &[FRAMES, Parameter::new("times", "Copies", ParameterKind::Whole { min: 1, max: 1000 }).or("1")],
    apply: |model, call, notes| {
        let frames = call.frames(model, "frames")?;
        let last = frames.iter().copied().max().unwrap_or(0);
        let copies = frames.repeat(call.whole("times").unwrap_or(1).unsigned_abs() as usize);
        let (before, after): (Vec<u32>, Vec<u32>) = all(model).into_iter().partition(|frame| *frame <= last);
        whole(model, &[before, copies, after].concat(), notes)
    },
    ..row("duplicate-frames", "Duplicate frames", "Inserts copies after the last of the frames")
};

pub(super) const MOVE: Operation = Operation {
    parameters: &[FRAMES, Parameter::new("to", "Before frame", ParameterKind::Whole { min: 0, max: 1_000_000 })],
    apply: |model, call, notes| {
        let frames = call.frames(model, "frames")?;
        let to = call.whole("to").unwrap_or(0).unsigned_abs();
        let count = model.frames().len();
        if to as usize > count {
            return Err(format!("to={to}: expected a frame from 0 to {count}"));
        }
        let rest = all(model).into_iter().filter(|frame| !frames.contains(frame));
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
        let frames = call.frames(model, "frames")?;
        let step = call.whole("step").unwrap_or(2).unsigned_abs();
        // Every clip keeps its first frame.
        let number = |frame: u32| {
            let own = model.clips().iter().filter(|clip| clip.source != ClipSource::AllFrames);
            let first = own.filter(|clip| clip.contains(frame)).map(|clip| clip.first).max();
            frame - first.unwrap_or(0)
        };
        let kept = all(model).into_iter().filter(|frame| !frames.contains(frame) || number(*frame) % step == 0);
        let mut parts = whole(model, &kept.collect::<Vec<_>>(), notes)?;
        // Clips last as long as before.
        for clip in &mut parts.clips {
            if let Some(old) = model.clips().iter().find(|old| old.name == clip.name) {
                clip.frames_per_second = old.frames_per_second * clip.count as f32 / old.count as f32;
            }
        }
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
        Parameter::new("clip", "Clip", ParameterKind::Text).or(""),
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

fn resample(model: &Model, call: &Call, notes: &mut Vec<String>) -> Result<ModelParts, String> {
    let (name, rate) = (call.text("clip"), call.number("rate").unwrap_or(10.0));
    if !name.is_empty() {
        find(model, name)?;
    }
    let is_chosen = |clip: &&crate::model::Clip| {
        clip.source != ClipSource::BindPose && (name.is_empty() || clip.name.eq_ignore_ascii_case(name))
    };
    let mut list = Vec::new();
    let mut next = 0;
    for frame in all(model) {
        let clip = model.clips().iter().filter(is_chosen).find(|clip| clip.contains(frame));
        match clip {
            _ if frame < next => {}
            Some(clip) if clip.first == frame => {
                let step = f64::from(clip.frames_per_second) / f64::from(rate);
                // Looping clips have an interval after the last frame, in which the first follows.
                let intervals = if clip.loops() { clip.count } else { clip.count - 1 };
                let steps = (f64::from(intervals) / step).round().max(f64::from(intervals.min(1)));
                for index in 0..steps as u32 + u32::from(!clip.loops()) {
                    let mut time = FrameBlend::at_frame(f64::from(index) * f64::from(intervals) / steps);
                    time = time.shifted(i64::from(clip.first));
                    time.from = time.from.min(clip.end() - 1);
                    time.to = if time.to < clip.end() { time.to } else { clip.first };
                    list.push(FrameBlend { t: if time.t < 1e-4 { 0.0 } else { time.t }, ..time });
                }
                next = clip.end();
            }
            _ => list.push(FrameBlend::single(frame)),
        }
    }
    let mut parts = with_frames(model, &list, notes)?;
    for clip in parts.clips.iter_mut().filter(|clip| is_chosen(&&**clip)) {
        (clip.frames_per_second, clip.end_times) = (rate, Vec::new());
    }
    Ok(parts)
}

pub(super) const BLEND_LOOP: Operation = Operation {
    parameters: &[
        Parameter::new("clip", "Clip", ParameterKind::Text),
        Parameter::new("count", "Frames to blend", ParameterKind::Whole { min: 1, max: 1000 }).or("3"),
    ],
    apply: |model, call, notes| {
        let (_, clip) = find(model, call.text("clip"))?;
        let count = call.whole("count").unwrap_or(3).unsigned_abs();
        if count >= clip.count {
            return Err(format!("count={count}: expected fewer frames than the clip has ({})", clip.count));
        }
        let blend = |frame: u32| {
            let from_end = clip.end().checked_sub(frame).filter(|_| clip.contains(frame));
            match from_end.filter(|from_end| *from_end <= count) {
                Some(from_end) => {
                    FrameBlend { from: frame, to: clip.first, t: (count + 1 - from_end) as f32 / (count + 1) as f32 }
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
