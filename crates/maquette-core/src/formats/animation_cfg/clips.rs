//! Selection of the animations that a model plays.

use super::{AnimationConfig, Dialect, Entry};
use crate::error::{WarningKind, Warnings};
use crate::model::{Clip, ClipSource};

/// Body part of a player model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BodyPart {
    /// `lower`.
    Legs,
    /// `upper`.
    Torso,
    /// `head`.
    Head,
    /// Model that is not part of a player.
    Whole,
}

impl BodyPart {
    /// Returns the part for a file name without extension, ignoring LOD suffixes (`lower_1`).
    #[must_use]
    pub fn of_stem(stem: &str) -> Self {
        let stem = stem.to_ascii_lowercase();
        let finest = stem.strip_suffix("_1").or_else(|| stem.strip_suffix("_2")).unwrap_or(&stem);
        match finest {
            "lower" => Self::Legs,
            "upper" => Self::Torso,
            "head" => Self::Head,
            _ => Self::Whole,
        }
    }

    fn plays(self, name: &str) -> bool {
        let starts = |prefix: &str| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
        match self {
            Self::Whole => true,
            _ if starts("BOTH_") => matches!(self, Self::Legs | Self::Torso),
            _ if starts("LEGS_") => self == Self::Legs,
            _ if starts("TORSO_") => self == Self::Torso,
            _ => true,
        }
    }
}

impl AnimationConfig {
    /// Returns the clips of a model with this part and number of frames. Legs play `BOTH_` and `LEGS_`, the torso
    /// `BOTH_` and `TORSO_`, and all parts play names without a prefix. A head plays only its own animations if the
    /// file has any. A model that is not a part plays all named animations, and all rows if it has the frames of all
    /// parts. Frames beyond the model's last are cut off, with a warning per clip.
    pub fn clips(&self, part: BodyPart, frames: u32, warnings: &mut Warnings) -> Vec<Clip> {
        if frames == 0 || part == BodyPart::Whole && self.last_first_frame().is_some_and(|last| last >= frames) {
            return Vec::new();
        }
        if part == BodyPart::Head && !self.head_entries.is_empty() {
            return self.head_entries.iter().map(|entry| clip(entry, 0, frames, warnings)).collect();
        }
        let skip = if part == BodyPart::Legs { self.legs_offset(frames) } else { 0 };
        let played = self.entries.iter().filter(|entry| part.plays(&entry.name));
        if part == BodyPart::Whole && self.legs_shift != 0 {
            let whole = |entry: &Entry| Entry { first: self.first_in_whole(entry), ..entry.clone() };
            return played.map(|entry| clip(&whole(entry), 0, frames, warnings)).collect();
        }
        played.map(|entry| clip(entry, if is_of_legs(entry) { skip } else { 0 }, frames, warnings)).collect()
    }

    /// Returns the frame at which the last animation of a file of rows begins, in a model with the frames of all parts.
    /// `None` for other files.
    pub fn last_first_frame(&self) -> Option<u32> {
        let rows = self.entries.iter().filter(|_| self.dialect.is_positional());
        rows.map(|entry| self.first_in_whole(entry)).max()
    }

    fn first_in_whole(&self, entry: &Entry) -> u32 {
        let shift = if is_of_legs(entry) { self.legs_shift } else { 0 };
        u32::try_from(i64::from(entry.first).saturating_add(shift).max(0)).unwrap_or(u32::MAX)
    }

    /// Returns the offset to subtract from the frames of the legs. Named files of the Quake III family may number
    /// frames through all parts. The file does so if the legs' frames exceed the model, but fit after the offset is
    /// subtracted.
    fn legs_offset(&self, frames: u32) -> u32 {
        let first = |name: &str| self.entries.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
        let (Some(walk), Some(gesture)) = (first("LEGS_WALKCR"), first("TORSO_GESTURE")) else { return 0 };
        let skip = walk.first.saturating_sub(gesture.first);
        let legs = || self.entries.iter().filter(|entry| is_of_legs(entry));
        let end = legs().map(|entry| entry.first.saturating_add(entry.count)).max().unwrap_or(0);
        let start = legs().map(|entry| entry.first).min().unwrap_or(0);
        let fits = start >= skip && end > frames && end - skip.min(end) <= frames;
        if self.dialect == Dialect::Named && fits { skip } else { 0 }
    }
}

fn is_of_legs(entry: &Entry) -> bool {
    !BodyPart::Torso.plays(&entry.name) && BodyPart::Legs.plays(&entry.name)
}

pub(super) fn clip(entry: &Entry, skip: u32, frames: u32, warnings: &mut Warnings) -> Clip {
    let first = entry.first.saturating_sub(skip);
    let (from, room) = if first < frames { (first, frames - first) } else { (frames - 1, 1) };
    if entry.count == 0 {
        warnings.add(WarningKind::Substituted, &entry.name, "the clip has a length of 0; its first frame is shown");
    } else if first >= frames || entry.count > room {
        let end = u64::from(first) + u64::from(entry.count) - 1;
        let message = format!(
            "the clip has frames {first} to {end}, but the model's last frame is {}; the clip ends there",
            frames - 1
        );
        warnings.add(WarningKind::LeftOut, &entry.name, message);
    }
    let count = entry.count.clamp(1, room);
    let mut clip = Clip::new(&entry.name, from, count, entry.frames_per_second, ClipSource::AnimationConfig);
    // Cutting off frames shortens the loop at the end of a clip. A reversed clip begins with its last frames, so its
    // loop is unaffected.
    let lost = if entry.reversed { 0 } else { entry.count.saturating_sub(count) };
    clip.loop_frames = entry.loop_frames.saturating_sub(lost).min(count);
    clip.reversed = entry.reversed;
    clip
}
