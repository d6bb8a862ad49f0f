//! Clip lists in companion files: named frame ranges.

use std::collections::HashMap;

use crate::error::{WarningKind, Warnings};
use crate::model::{Clip, ClipSource};

const SLOWEST: f32 = 0.1;
const FASTEST: f32 = 1000.0;

/// Named frame range of a list, not yet checked against a model.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedRange {
    /// Name in the list.
    pub name: String,
    /// First frame.
    pub first: u32,
    /// Number of frames, at least 1.
    pub count: u32,
    /// Frames per second; `None` if missing or invalid.
    pub frames_per_second: Option<f32>,
    /// Whether the clip loops.
    pub loops: bool,
}

/// Returns the clips of a model with this number of frames, at `usual_rate` if the list has no rate. Frames beyond the
/// model's last are cut off, with a warning per clip. Repeated names are numbered.
pub fn clips(ranges: &[NamedRange], frames: u32, usual_rate: f32, warnings: &mut Warnings) -> Vec<Clip> {
    let mut seen: HashMap<String, u32> = HashMap::new();
    let mut clips = Vec::with_capacity(ranges.len());
    let Some(last) = frames.checked_sub(1) else { return clips };
    for range in ranges {
        let first = range.first.min(last);
        let count = range.count.clamp(1, frames - first);
        let end = range.first.saturating_add(range.count.saturating_sub(1));
        if end > last {
            let message = format!(
                "the clip has frames {} to {end}, but the model's last frame is {last}; the clip ends there",
                range.first
            );
            warnings.add(WarningKind::LeftOut, &range.name, message);
        }
        let times = seen.entry(range.name.to_ascii_lowercase()).or_insert(0);
        *times += 1;
        let name = if *times > 1 { format!("{} ({times})", range.name) } else { range.name.clone() };
        let rate = range.frames_per_second.map_or(usual_rate, |rate| rate.clamp(SLOWEST, FASTEST));
        let mut clip = Clip::new(name, first, count, rate, ClipSource::ClipList);
        clip.loop_frames = if range.loops { count } else { 0 };
        clips.push(clip);
    }
    clips
}
