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

pub(super) fn frame_position(model: &Model, frame: u32) -> FramePosition {
    let clip = match model.frame_numbering() {
        FrameNumbering::Shared => None,
        FrameNumbering::PerClip => model.clips().iter().find(|clip| clip.contains(frame)),
    };
    FramePosition { clip: clip.map(|clip| clip.name.clone()), frame: clip.map_or(frame, |clip| frame - clip.first) }
}
