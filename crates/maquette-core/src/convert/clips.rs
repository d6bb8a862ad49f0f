//! Clips in the frames of a converted model, and as the text of an `animation.cfg`.

use std::fmt::Write as _;

use crate::model::{Clip, ClipSource, Model, Wrap, u32_or_max};

/// The frames that are converted: one, or all; of a model with animations of its joints not their bind pose.
pub(super) fn frames(model: &Model, only: Option<u32>) -> Vec<u32> {
    let count = u32_or_max(model.frames().len());
    let bind = model.clips().first().is_some_and(|clip| clip.source == ClipSource::BindPose && clip.count < count);
    match only {
        Some(frame) => vec![frame],
        None => (u32::from(bind)..count).collect(),
    }
}

/// The clips of which all frames are kept, counted anew.
pub(super) fn clips(model: &Model, frames: &[u32]) -> Vec<Clip> {
    let Some(first) = frames.first() else { return Vec::new() };
    let named = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose);
    let kept = named.filter(|clip| clip.first >= *first && (clip.end() - first) as usize <= frames.len());
    kept.map(|clip| Clip { first: clip.first - first, ..clip.clone() }).collect()
}

/// The named clips, else one of all frames at this rate.
pub(super) fn named_or_all(model: &Model, frames: &[u32], rate: f32) -> Vec<Clip> {
    let named = clips(model, frames);
    if named.is_empty() { vec![all_frames(frames, rate)] } else { named }
}

/// The clip that every model of one list of frames has.
pub(super) fn all_frames(frames: &[u32], rate: f32) -> Clip {
    Clip::new("all frames", 0, u32_or_max(frames.len()), rate, ClipSource::AllFrames)
}

/// The named clips of a model as an `animation.cfg` of named lines (`NAME first count loop fps`, Elite Force's dialect: a loop is
/// the frame to return to, −1 for none). None where the frames have no names of their own.
#[must_use]
pub fn animation_config(clips: &[Clip]) -> Option<String> {
    let named = || clips.iter().filter(|clip| clip.source != ClipSource::AllFrames);
    named().next()?;
    let mut text = "// NAME first count loop fps\n".to_owned();
    for clip in named() {
        let name: String =
            clip.name.chars().map(|c| if c.is_whitespace() || c.is_control() { '_' } else { c }).collect();
        // Where the last frame is the first again, the game's blend from the last to the first is that of the frame before it.
        let closes = clip.wrap == Wrap::LastIsFirst && clip.loops() && clip.count > 1;
        let count = if closes { clip.count - 1 } else { clip.count };
        let loop_frames = clip.loop_frames.min(count);
        let back = if loop_frames == 0 { -1 } else { i64::from(count - loop_frames) };
        let rate = if clip.reversed { -clip.frames_per_second } else { clip.frames_per_second };
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{name} {} {count} {back} {rate}", clip.first);
    }
    Some(text)
}
