//! Comparison of clips.

use super::matching::Matching;
use super::report::{Change, ClipChange, ModelSide, Value};
use crate::model::{Clip, ClipSource, FrameNumbering, Model};

/// Pair of clips of the two models.
pub(super) type ClipPair<'a> = (&'a Clip, &'a Clip);

/// Returns the pairs of clips of equal name, and the changes of all clips.
pub(super) fn compared<'a>(
    a: &'a Model,
    b: &'a Model,
    notes: &mut Vec<String>,
) -> (Vec<ClipPair<'a>>, Vec<ClipChange>) {
    let (companions_a, companions_b) = (has_companion_clips(a), has_companion_clips(b));
    // A glTF stores its clips in the model file, and an MD5 in other files.
    let wanted = companions_a && companions_b || companions_a != companions_b && has_list(a) && has_list(b);
    if companions_a != companions_b && !wanted {
        let name = if companions_a { "A" } else { "B" };
        notes.push(format!("clips: only {name} has companion files with clips"));
    }
    let (mut of_a, mut of_b) = (clips_of(a, wanted), clips_of(b, wanted));
    // Only some formats store clip names in the model file.
    if a.format() != b.format() && of_a.is_empty() != of_b.is_empty() {
        (of_a, of_b) = (Vec::new(), Vec::new());
    }
    let matching = Matching::by_name(of_a.iter().map(|clip| &*clip.name), of_b.iter().map(|clip| &*clip.name));
    let pairs: Vec<ClipPair> = matching.pairs.iter().map(|(a, b)| (of_a[*a], of_b[*b])).collect();
    let only = |clip: &Clip, which| ClipChange { name: clip.name.clone(), only: Some(which), changes: Vec::new() };
    let mut changes: Vec<ClipChange> = Vec::new();
    changes.extend(matching.only_a.iter().map(|index| only(of_a[*index], ModelSide::A)));
    changes.extend(matching.only_b.iter().map(|index| only(of_b[*index], ModelSide::B)));
    let same_numbering = a.frame_numbering() == b.frame_numbering() && a.frame_numbering() == FrameNumbering::Shared;
    changes.extend(pairs.iter().filter_map(|(a, b)| {
        let changes = changes_of(a, b, same_numbering);
        (!changes.is_empty()).then(|| ClipChange { name: a.name.clone(), only: None, changes })
    }));
    (pairs, changes)
}

fn has_companion_clips(model: &Model) -> bool {
    model.clips().iter().any(is_from_companion)
}

fn has_list(model: &Model) -> bool {
    model.clips().iter().any(|clip| is_from_companion(clip) || clip.source == ClipSource::AnimationList)
}

fn is_from_companion(clip: &Clip) -> bool {
    matches!(clip.source, ClipSource::AnimationFile | ClipSource::AnimationConfig | ClipSource::ClipList)
}

fn clips_of(model: &Model, wanted: bool) -> Vec<&Clip> {
    let is_replaced = !wanted && !model.own_clips().is_empty();
    let clips = if is_replaced { model.own_clips() } else { model.clips() };
    let counts = |clip: &&Clip| match clip.source {
        ClipSource::AllFrames | ClipSource::BindPose => false,
        _ => wanted || !is_from_companion(clip),
    };
    clips.iter().filter(counts).collect()
}

fn changes_of(a: &Clip, b: &Clip, shares_frames: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut integer = |field: &str, a: u32, b: u32| {
        if a != b {
            changes.push(Change::new(field, Value::Integer(a.into()), Value::Integer(b.into())));
        }
    };
    if shares_frames {
        integer("first", a.first, b.first);
    }
    integer("frames", a.count, b.count);
    // If every frame loops in both clips, the count above already shows the difference.
    if (a.loop_frames, b.loop_frames) != (a.count, b.count) {
        integer("loop_frames", a.loop_frames, b.loop_frames);
    }
    integer("reversed", a.reversed.into(), b.reversed.into());
    let rate = |clip: &Clip| clip.own_rate.unwrap_or(clip.frames_per_second);
    let script = |clip: &Clip| clip.own_rate.map(|_| clip.frames_per_second);
    if rate(a) != rate(b) {
        changes.push(Change::new("fps", Value::Number(rate(a)), Value::Number(rate(b))));
    }
    if script(a) != script(b) {
        let value = |rate: Option<f32>| rate.map_or(Value::None, Value::Number);
        changes.push(Change::new("script_fps", value(script(a)), value(script(b))));
    }
    changes
}
