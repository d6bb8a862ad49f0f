//! Loop range: frames that play instead of the clip.

use super::frame_range::FrameRange;
use super::playback::{ClipChoice, Playback};
use maquette_core::model::{Clip, Model, Wrap};

impl Playback {
    /// Returns the frames that [`Playback::position`] counts: the loop range if playback is in it, or else the clip.
    pub fn span(&self, model: &Model) -> Clip {
        let clip = self.clip(model);
        let Some(range) = self.range.filter(|_| self.in_range) else { return clip };
        let (first, count) = (self.first_shown(model).saturating_add(range.first), range.count());
        // A range of the whole clip still ends like the clip.
        let wrap = if (first, count) == (clip.first, clip.count) { clip.wrap } else { Wrap::LastToFirst };
        Clip { wrap, ..clip.part(first, count) }
    }

    /// Returns the frames that play: the loop range if there is one, or else the clip.
    pub fn played(&self, model: &Model) -> Clip {
        let mut playing = self.clone();
        playing.enter_range(model);
        playing.span(model)
    }

    /// Sets or clears the loop range. The shown frame does not change.
    pub fn set_range(&mut self, model: &Model, range: Option<FrameRange>) {
        let frames = self.shown_frames(model);
        let range = range.and_then(|range| FrameRange::new(range.first, range.last, frames));
        if range == self.range {
            return;
        }
        let shown = self.shown_frame(model);
        (self.range, self.in_range) = (range, false);
        self.seek(model, shown);
    }

    /// Returns a range that starts at the shown frame, or ends there if `as_last`. The other end is that of the old
    /// range, the clip or the file: the first of these that is on the right side of the shown frame.
    pub fn range_from_here(&self, model: &Model, as_last: bool) -> Option<FrameRange> {
        let frames = self.shown_frames(model);
        let here = self.nearest_frame(model);
        let clip = self.clip(model);
        let first_shown = self.first_shown(model);
        let (clip_first, clip_last) =
            (clip.first.saturating_sub(first_shown), clip.end().saturating_sub(first_shown).saturating_sub(1));
        let other = if as_last {
            let ends = [self.range.map(|range| range.first), Some(clip_first), Some(0)];
            ends.into_iter().flatten().find(|end| *end < here).unwrap_or(here)
        } else {
            let ends = [self.range.map(|range| range.last), Some(clip_last), Some(frames.saturating_sub(1))];
            ends.into_iter().flatten().find(|end| *end > here).unwrap_or(here)
        };
        FrameRange::new(here, other, frames)
    }

    /// Returns the displayed number of the shown frame, rounded if interpolated.
    pub fn nearest_frame(&self, model: &Model) -> u32 {
        let shown = self.shown_frame(model);
        let whole = if self.interpolate { shown.round() } else { shown.floor() };
        (whole.max(0.0) as u32).min(self.shown_frames(model).saturating_sub(1))
    }

    /// Moves playback to the start of the loop range if it is outside. If the chosen clip and the range have no frame
    /// in common, playback switches to a clip that contains the start of the range.
    pub(super) fn enter_range(&mut self, model: &Model) {
        let Some(range) = self.range.filter(|_| !self.in_range) else { return };
        let first = self.first_shown(model).saturating_add(range.first);
        let clip = self.clip(model);
        if first.saturating_add(range.count()) <= clip.first || clip.end() <= first {
            let holds = |clip: &Clip| clip.contains(first);
            let other = self.clips(model).iter().position(holds);
            self.choice = other.map_or(ClipChoice::AllFrames, ClipChoice::Clip);
            self.rate = None;
        }
        self.in_range = true;
        self.go_to_start(model);
    }

    /// Clears the range if a new state of the file lacks its frames. `shown` is the frame to show.
    pub(super) fn refit_range(&mut self, model: &Model, shown: f64) {
        let fits = |range: &FrameRange| range.last < self.shown_frames(model);
        if self.range.is_some_and(|range| !fits(&range)) {
            (self.range, self.in_range) = (None, false);
            self.seek(model, shown);
        }
    }

    pub(super) fn leave_range(&mut self) {
        (self.range, self.in_range) = (None, false);
    }

    /// Returns the position of a frame in the range, in intervals since its start; `None` if the frame is outside.
    pub(super) fn position_in_range(&self, model: &Model, shown: f64) -> Option<f64> {
        let range = self.range.filter(|range| range.holds(shown))?;
        let backwards = self.clip(model).reversed;
        Some(if backwards { f64::from(range.last) - shown } else { shown - f64::from(range.first) })
    }
}
