//! Operations on the list of clips.

use super::changed;
use crate::convert::name_unnamed;
use crate::edit::operation::stores_clips;
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::formats::mdl;
use crate::model::{Clip, ClipSource, Model, ModelParts};

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation {
        parameters: &[CLIP],
        refuses: |model| {
            // A format that is only read, such as glTF, is converted, and its clips with it.
            let format = model.format();
            let lists = format.traits().companions.clip_lists || stores_clips(model) || !format.is_written();
            (!lists).then(|| format!("Clips of an {} follow from the names of its frames", format.title()))
        },
        ..Operation::plain("Clips", Reach::List, [name, title, help])
    }
}

const CLIP: Parameter = Parameter::new("clip", "Clip", ParameterKind::Clip);
const RATE: ParameterKind = ParameterKind::Number { min: 0.1, max: 1000.0, unit: "frames per second" };

/// Returns a clip and its index.
pub(super) fn find<'a>(model: &'a Model, name: &str) -> Result<(usize, &'a Clip), String> {
    let found = model.clips().iter().enumerate().find(|(_, clip)| clip.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| {
        let names: Vec<&str> = model.clips().iter().map(|clip| clip.name.as_str()).collect();
        format!("unknown clip “{name}”; available: {}", names.join(", "))
    })
}

pub(super) const ADD: Operation = Operation {
    parameters: &[
        Parameter::new("clip", "Name", ParameterKind::Text),
        Parameter::new("frames", "Frames", ParameterKind::Frames),
        Parameter::new("rate", "Frames per second", RATE).or("10"),
        Parameter::new("loop", "Repeats", ParameterKind::Switch).or("yes"),
    ],
    apply: add,
    ..row("add-clip", "Add clip", "Names a range of frames; in an MDL, makes a group of it")
};

fn add(model: &Model, call: &Call, _: &mut Notes) -> Result<ModelParts, String> {
    let name = call.text("clip");
    let is_group = model.data().seams.is_some();
    if !is_group && find(model, name).is_ok() {
        return Err(format!("the model already has a clip “{name}”"));
    }
    let frames = call.frames(model, "frames")?;
    let (Some(first), Some(last)) = (frames.first().copied(), frames.last().copied()) else {
        return Err("a clip needs at least one frame".to_owned());
    };
    if !frames.iter().copied().eq(first..=last) {
        return Err("a clip is a single range of frames".to_owned());
    }
    let source = match stores_clips(model) {
        true if is_group => ClipSource::FrameGroup,
        true => ClipSource::AnimationList,
        false => ClipSource::AnimationConfig,
    };
    let (count, rate) = (last - first + 1, call.number("rate").unwrap_or(10.0));
    let overlaps = |clip: &&Clip| clip.source == ClipSource::FrameGroup && clip.first <= last && first < clip.end();
    if let Some(other) = model.clips().iter().find(overlaps).filter(|_| is_group) {
        return Err(format!("frames of group “{}” cannot be in another group", other.name));
    }
    let mut clip = Clip::new(name, first, count, rate, source);
    if is_group {
        clip.end_times = even_times(count, rate);
    }
    let mut parts = model.clone().into_parts();
    // A list replaces a clip of all frames, and a group replaces clips that follow from names.
    let is_kept = |clip: &Clip| match clip.source {
        ClipSource::AllFrames => false,
        ClipSource::FrameNames => !is_group || clip.end() <= first || last < clip.first,
        _ => true,
    };
    parts.clips.retain(is_kept);
    parts.clips.push(Clip { loop_frames: if call.switch("loop") { clip.count } else { 0 }, ..clip });
    parts.clips.sort_by_key(|clip| clip.first);
    if is_group {
        name_group(&mut parts, first)?;
    }
    Ok(parts)
}

/// Names the frames of a group after it, because an MDL stores no other name of a group.
fn name_group(parts: &mut ModelParts, first: u32) -> Result<(), String> {
    let is_own = |clip: &&Clip| clip.source == ClipSource::FrameGroup && clip.first == first;
    let Some(group) = parts.clips.iter().find(is_own).cloned() else { return Ok(()) };
    let is_known =
        |other: &Clip| other.source == ClipSource::FrameGroup && other.name.eq_ignore_ascii_case(&group.name);
    if parts.clips.iter().any(|clip| is_known(clip) && clip.first != first) {
        return Err(format!("the model already has a clip “{}”", group.name));
    }
    let mut names = vec![String::new(); group.count as usize];
    name_unnamed(&[Clip { first: 0, ..group.clone() }], &mut names);
    let frames = parts.frames.iter_mut().skip(first as usize).zip(names);
    frames.for_each(|(frame, name)| frame.name = name);
    read_groups(parts);
    match parts.clips.iter().find(is_own).filter(|read| read.name != group.name) {
        Some(read) => Err(format!("frames of an MDL cannot name a clip “{}”, only “{}”", group.name, read.name)),
        None => Ok(()),
    }
}

/// Sets the clips of an MDL that its frame names give with its groups, unless a list has other clips.
fn read_groups(parts: &mut ModelParts) {
    let is_group = |clip: &&Clip| clip.source == ClipSource::FrameGroup;
    if parts.clips.iter().all(|clip| is_group(&clip) || clip.source == ClipSource::FrameNames) {
        let groups = parts.clips.iter().filter(is_group).cloned().collect();
        parts.clips = mdl::clips(&parts.frames, groups);
    }
}

/// Returns the end times of frames that last equally long.
pub(super) fn even_times(count: u32, rate: f32) -> Vec<f32> {
    (1..=count).map(|number| number as f32 / rate).collect()
}

/// Refuses clips that no file lists.
fn refuse_unlisted(clip: &Clip) -> Result<(), String> {
    let is_unlisted = !clip.source.names_rates();
    let why = || format!("no file lists clip “{}”; it follows from the frames. Use add-clip", clip.name);
    if is_unlisted { Err(why()) } else { Ok(()) }
}

pub(super) const REMOVE: Operation = Operation {
    apply: |model, call, _| {
        let (index, clip) = find(model, call.text("clip"))?;
        refuse_unlisted(clip)?;
        changed(model, |parts| {
            parts.clips.remove(index);
            if model.data().seams.is_some() {
                read_groups(parts);
            }
        })
    },
    ..row("remove-clip", "Remove clip", "Removes a clip or a frame group and keeps its frames")
};

pub(super) const CHANGE: Operation = Operation {
    parameters: &[
        CLIP,
        Parameter::new("name", "New name", ParameterKind::Text).or(""),
        Parameter::new("rate", "Frames per second", RATE).or(""),
        Parameter::new("loop", "Repeats", ParameterKind::Choice(&["keep", "yes", "no"])).or("keep"),
        Parameter::new("times", "Frame durations", ParameterKind::Durations).or(""),
    ],
    apply: |model, call, _| {
        let (index, clip) = find(model, call.text("clip"))?;
        if model.data().seams.is_some() {
            refuse_unlisted(clip)?;
        }
        let end_times = call.end_times("times", clip.count as usize)?;
        if !end_times.is_empty() && (clip.source != ClipSource::FrameGroup || call.number("rate").is_some()) {
            return Err("times need a frame group of an MDL, and no rate".to_owned());
        }
        let mut parts = model.clone().into_parts();
        if let Some(clip) = parts.clips.get_mut(index) {
            if let Some(last) = end_times.last() {
                clip.frames_per_second = clip.count as f32 / last;
                clip.end_times = end_times;
            }
            if !call.text("name").is_empty() {
                call.text("name").clone_into(&mut clip.name);
            }
            let rate = call.number("rate").unwrap_or(clip.frames_per_second);
            clip.end_times.iter_mut().for_each(|time| *time *= clip.frames_per_second / rate);
            clip.own_rate = clip.own_rate.filter(|_| rate == clip.frames_per_second);
            clip.frames_per_second = rate;
            match call.text("loop") {
                "yes" => clip.loop_frames = clip.count,
                "no" => clip.loop_frames = 0,
                _ => {}
            }
            if !clip.source.names_rates() {
                let is_stored = stores_clips(model);
                clip.source = if is_stored { ClipSource::AnimationList } else { ClipSource::AnimationConfig };
            }
        }
        let is_group = clip.source == ClipSource::FrameGroup && model.data().seams.is_some();
        if is_group && !["", clip.name.as_str()].contains(&call.text("name")) {
            name_group(&mut parts, clip.first)?;
        }
        Ok(parts)
    },
    ..row("change-clip", "Change clip", "Changes the name, the rate, the repetition or the times of a clip")
};
