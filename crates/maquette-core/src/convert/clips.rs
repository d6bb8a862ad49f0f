//! Clips of a converted model, and their text for `animation.cfg`.

use std::fmt::Write as _;

use crate::model::{Clip, ClipSource, Model, Wrap, u32_or_max};

pub(super) fn frames(model: &Model, only: Option<u32>) -> Vec<u32> {
    let count = u32_or_max(model.frames().len());
    let bind = model.clips().first().is_some_and(|clip| clip.source == ClipSource::BindPose && clip.count < count);
    match only {
        Some(frame) => vec![frame],
        None => (u32::from(bind)..count).collect(),
    }
}

pub(super) fn clips(model: &Model, frames: &[u32]) -> Vec<Clip> {
    let Some(first) = frames.first() else { return Vec::new() };
    // A clip of all frames repeats those of the others.
    let is_named = |clip: &&Clip| !matches!(clip.source, ClipSource::BindPose | ClipSource::AllFrames);
    let has_named = model.clips().iter().any(|clip| is_named(&clip));
    let chosen = |clip: &&Clip| is_named(clip) || !has_named && clip.source == ClipSource::AllFrames;
    let inside = model
        .clips()
        .iter()
        .filter(chosen)
        .filter(|clip| clip.first >= *first && (clip.end() - first) as usize <= frames.len());
    inside.map(|clip| Clip { first: clip.first - first, ..clip.clone() }).collect()
}

pub(super) fn named_or_all(model: &Model, frames: &[u32], rate: f32) -> Vec<Clip> {
    let named = clips(model, frames);
    if named.is_empty() { vec![all_frames(frames, rate)] } else { named }
}

pub(super) fn all_frames(frames: &[u32], rate: f32) -> Clip {
    Clip::new("all frames", 0, u32_or_max(frames.len()), rate, ClipSource::AllFrames)
}

/// Formats named clips in Elite Force's dialect: `NAME first count loop fps`. The loop is the frame to return to, or
/// −1. `None` if there are no named clips.
#[must_use]
pub fn animation_config(clips: &[Clip]) -> Option<String> {
    let named = || clips.iter().filter(|clip| clip.source != ClipSource::AllFrames);
    named().next()?;
    let mut text = "// NAME first count loop fps\n".to_owned();
    for clip in named() {
        let name: String =
            clip.name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
        // If the last frame repeats the first, the game's blend from last to first duplicates the last interval, so
        // drop that frame.
        let closes = clip.wrap == Wrap::LastIsFirst && clip.loops() && clip.count > 1;
        let count = if closes { clip.count - 1 } else { clip.count };
        let loop_frames = clip.loop_frames.min(count);
        let back = if loop_frames == 0 { -1 } else { i64::from(count - loop_frames) };
        let rate = if clip.reversed { -clip.frames_per_second } else { clip.frames_per_second };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} {} {count} {back} {rate}", clip.first);
    }
    Some(text)
}
