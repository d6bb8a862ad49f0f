//! The loop range: frames that are played in place of the clip's, wherever they begin and end.

use super::frame_range::FrameRange;
use super::playback::{ClipChoice, Playback};
use maquette_core::model::{Clip, Model, Wrap};

impl Playback {
    /// The frames that [`Playback::position`] counts: the loop range's while the clock is in it, else the clip's.
    #[must_use]
    pub fn span(&self, model: &Model) -> Clip {
        let clip = self.clip(model);
        let Some(range) = self.range.filter(|_| self.in_range) else { return clip };
        let (first, count) = (self.first_shown(model).saturating_add(range.first), range.count());
        // All of an animation still ends where it begins.
        let wrap = if (first, count) == (clip.first, clip.count) { clip.wrap } else { Wrap::LastToFirst };
        Clip { first, count, wrap, loop_frames: count, ..clip }
    }

    /// The frames that playing goes through: the loop range's if there is one, wherever the clock stands, else the clip's.
    #[must_use]
    pub fn played(&self, model: &Model) -> Clip {
        let mut playing = self.clone();
        playing.enter_range(model);
        playing.span(model)
    }

    /// Plays these frames from now on, the clip's again with none. What is shown stays as it is.
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

    /// Where a range begins and ends that is to hold the frame shown, as its first or as its last: the other end stays if
    /// it still lies behind or before, else it is the clip's, else the file's.
    #[must_use]
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

    /// The whole frame that is shown, or the nearer of two, as people count them.
    #[must_use]
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "`as` saturates")]
    pub fn nearest_frame(&self, model: &Model) -> u32 {
        let shown = self.shown_frame(model);
        let whole = if self.interpolate { shown.round() } else { shown.floor() };
        (whole.max(0.0) as u32).min(self.shown_frames(model).saturating_sub(1))
    }

    /// From outside the range, playing begins at its start: in the clip that begins there, if the chosen one has none of the
    /// range's frames.
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

    /// Another state of the file came: the range stays if the file still has its frames. `shown` is what was shown.
    pub(super) fn refit_range(&mut self, model: &Model, shown: f64) {
        let fits = |range: &FrameRange| range.last < self.shown_frames(model);
        if self.range.is_some_and(|range| !fits(&range)) {
            (self.range, self.in_range) = (None, false);
            self.seek(model, shown);
        }
    }

    /// Another clip plays: the range is no longer what is wanted.
    pub(super) fn leave_range(&mut self) {
        (self.range, self.in_range) = (None, false);
    }

    /// Where in its range a fractional frame stands, if there is a range that holds it: intervals since its start.
    pub(super) fn position_in_range(&self, model: &Model, shown: f64) -> Option<f64> {
        let range = self.range.filter(|range| range.holds(shown))?;
        let backwards = self.clip(model).reversed;
        Some(if backwards { f64::from(range.last) - shown } else { shown - f64::from(range.first) })
    }
}
