//! Selection of the frames to compare.

use super::clips::ClipPair;
use super::report::FramePosition;
use crate::model::{Clip, ClipSource, FrameNumbering, Model, u32_or_max};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FramePair {
    pub a: u32,
    pub b: u32,
    pub is_bind: bool,
}

/// Pairs frames by number, or by clip and number for MD5. Skips the bind pose of an MD5 that is compared with another
/// format.
pub(super) fn pairs(a: &Model, b: &Model, clips: &[ClipPair]) -> Vec<FramePair> {
    let own = |model: &Model| model.frame_numbering() == FrameNumbering::PerClip;
    let mut pairs = match (own(a), own(b)) {
        (false, false) => numbered(a, b, 0, 0),
        (true, true) => {
            let bind = bind_pose(a).zip(bind_pose(b));
            let bind = bind.map(|(a, b)| FramePair { a: a.first, b: b.first, is_bind: true });
            bind.into_iter().chain(clips.iter().flat_map(|(a, b)| in_clips(a, b))).collect()
        }
        // Clips of equal name contain the same frames, wherever they begin. Without such clips, frames are paired in
        // order.
        _ if !clips.is_empty() => clips.iter().flat_map(|(a, b)| in_clips(a, b)).collect(),
        (is_first, is_second) => numbered(a, b, is_first.into(), is_second.into()),
    };
    // Models without common frames are compared in their first frame.
    if pairs.is_empty() {
        pairs.push(FramePair { a: 0, b: 0, is_bind: false });
    }
    pairs
}

fn numbered(a: &Model, b: &Model, first_a: u32, first_b: u32) -> Vec<FramePair> {
    let count = |model: &Model| u32_or_max(model.frames().len());
    let common = count(a).saturating_sub(first_a).min(count(b).saturating_sub(first_b));
    (0..common).map(|frame| FramePair { a: first_a + frame, b: first_b + frame, is_bind: false }).collect()
}

fn in_clips(a: &Clip, b: &Clip) -> impl Iterator<Item = FramePair> + use<> {
    let (first_a, first_b) = (a.first, b.first);
    (0..a.count.min(b.count)).map(move |frame| FramePair { a: first_a + frame, b: first_b + frame, is_bind: false })
}

fn bind_pose(model: &Model) -> Option<&Clip> {
    model.clips().iter().find(|clip| clip.source == ClipSource::BindPose)
}

/// Returns the frame of `b` to show for each frame of `a`. Frames are paired by number, or by clip for MD5, as in
/// [`super::compare`]. A shorter clip of `b` holds its last frame.
#[must_use]
pub fn frames_to_show(a: &Model, b: &Model) -> Vec<u32> {
    let is_own = |model: &Model| model.frame_numbering() == FrameNumbering::PerClip;
    let bind = |model: &Model| u32::from(is_own(model) && model.frames().len() > 1);
    let count = u32_or_max(a.frames().len());
    let mut shown: Vec<u32> = (0..count).map(|frame| (frame + bind(b)).saturating_sub(bind(a))).collect();
    if is_own(a) || is_own(b) {
        let (pairs, _) = super::clips::compared(a, b, &mut Vec::new());
        // In clips that share frames of `a`, the first one decides.
        for (a, b) in pairs.into_iter().rev() {
            let frames = shown.iter_mut().skip(a.first as usize).take(a.count as usize);
            frames.zip(0..).for_each(|(shown, frame)| *shown = b.first + frame.min(b.count.saturating_sub(1)));
        }
    }
    shown
}

pub(super) fn frame_position(model: &Model, frame: u32) -> FramePosition {
    let clip = match model.frame_numbering() {
        FrameNumbering::Shared => None,
        FrameNumbering::PerClip => model.clips().iter().find(|clip| clip.contains(frame)),
    };
    FramePosition { clip: clip.map(|clip| clip.name.clone()), frame: clip.map_or(frame, |clip| frame - clip.first) }
}
