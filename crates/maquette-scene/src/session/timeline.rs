//! Which frames of a long model the timeline shows, and what actions do to that.

use super::Session;
use crate::scene::Entity;

/// Points that a frame has at most.
pub const WIDEST_FRAME: f64 = 40.0;
/// With fewer points for each frame, not all frames are shown at first.
const NARROWEST_FRAME: f64 = 2.0;
/// Points for each frame in the first view of a long model.
const FIRST_POINTS: f64 = 9.0;
/// Room for frames before the window has told how much it has.
const USUAL_ROOM: f64 = 1260.0;
/// Share of the view behind the playhead when it is brought back into sight.
const BEHIND: f64 = 0.05;

/// Frames in sight, fractional.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameWindow {
    /// The first in sight.
    pub start: f64,
    /// How many are in sight, greater than 0.
    pub span: f64,
}

impl FrameWindow {
    /// All of so many frames.
    #[must_use]
    pub fn all(frames: u32) -> Self {
        Self { start: 0.0, span: f64::from(frames.max(1)) }
    }

    /// One past the last in sight.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.start + self.span
    }

    /// The nearest that shows nothing beyond `frames` frames and no fewer than fit into `room` points.
    #[must_use]
    pub fn fitted(self, frames: u32, room: f64) -> Self {
        let frames = f64::from(frames.max(1));
        let span = if self.span.is_finite() { self.span } else { frames };
        let span = span.max(room / WIDEST_FRAME).min(frames);
        let start = if self.start.is_finite() { self.start.clamp(0.0, frames - span) } else { 0.0 };
        Self { start, span }
    }

    /// `factor` times as many frames in sight; `about` stays where it is.
    #[must_use]
    pub fn zoomed(self, factor: f64, about: f64, frames: u32, room: f64) -> Self {
        let wanted = Self { span: self.span * factor, ..self }.fitted(frames, room).span;
        let place = (about - self.start) / self.span;
        Self { start: about - place * wanted, span: wanted }.fitted(frames, room)
    }

    /// Moved as little as brings these frames into sight; the first of them if there is no room for all.
    #[must_use]
    pub fn showing(self, first: f64, end: f64, frames: u32) -> Self {
        let start = if end > self.end() { end - self.span } else { self.start };
        let start = if first < start { first } else { start };
        Self { start: start.clamp(0.0, (f64::from(frames.max(1)) - self.span).max(0.0)), ..self }
    }

    /// Whether a frame is in sight.
    #[must_use]
    pub fn holds(&self, frame: f64) -> bool {
        (self.start..=self.end()).contains(&frame)
    }

    /// The view when the playhead went from `before`, in sight, to `after`: the next page if it left it.
    #[must_use]
    pub fn following(self, before: f64, after: f64, frames: u32) -> Self {
        // A view that was moved on purpose stays there.
        if !self.holds(before) || self.holds(after) {
            return self;
        }
        let backwards = after < before && before - after < self.span / 2.0;
        let behind = if backwards { 1.0 - BEHIND } else { BEHIND };
        let start = after - behind * self.span;
        Self { start: start.clamp(0.0, (f64::from(frames.max(1)) - self.span).max(0.0)), ..self }
    }
}

/// What the session knows of the timeline's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimelineView {
    /// Points that the frames have, told by the window; 0 before it did.
    pub room: f32,
    /// Frames in sight, and how many frames there were then; all of them with none.
    shown: Option<(FrameWindow, u32)>,
    /// Counts how often a frame was to be typed: with each, the field of the frame opens.
    pub entries: u32,
}

impl Session {
    /// How many frames lie on the ruler: as many as the longest track has.
    #[must_use]
    pub fn frames_on_ruler(&self) -> u32 {
        let frames = |entity: &Entity| entity.playback.shown_frames(entity.model());
        let longest = self.tracks().into_iter().map(frames).max();
        longest.or(self.track().map(frames)).unwrap_or(1).max(1)
    }

    /// The frames in sight on the ruler; none if all are.
    #[must_use]
    pub fn frames_in_sight(&self) -> Option<FrameWindow> {
        let frames = self.frames_on_ruler();
        // Another number of frames is another ruler.
        let (window, _) = self.interface.timeline.shown.filter(|(_, known)| *known == frames)?;
        let window = window.fitted(frames, self.timeline_room());
        (window.span < f64::from(frames) - 1e-6).then_some(window)
    }

    pub(super) fn timeline_room(&self) -> f64 {
        if self.interface.timeline.room > 0.0 { f64::from(self.interface.timeline.room) } else { USUAL_ROOM }
    }

    /// The same, all frames in sight being a view too.
    pub(super) fn window(&self) -> FrameWindow {
        self.frames_in_sight().unwrap_or(FrameWindow::all(self.frames_on_ruler()))
    }

    pub(super) fn look_at_frames(&mut self, window: FrameWindow) {
        let (frames, room) = (self.frames_on_ruler(), self.timeline_room());
        self.interface.timeline.shown = Some((window.fitted(frames, room), frames));
    }

    /// All frames in sight.
    pub(super) fn show_all_frames(&mut self) {
        self.interface.timeline.shown = None;
    }

    /// The current clip as people count its frames: the first, and one past the last.
    pub(super) fn clip_in_frames(&self) -> Option<(f64, f64)> {
        let track = self.track()?;
        let (clip, first) = (track.clip(), track.playback.first_shown(track.model()));
        Some((f64::from(clip.first.saturating_sub(first)), f64::from(clip.end().saturating_sub(first))))
    }

    /// The first view of what was just put in the scene: all frames while each has room, else the current clip and its
    /// neighbours.
    pub(super) fn open_timeline(&mut self) {
        self.interface.timeline.shown = None;
        let (frames, room) = (self.frames_on_ruler(), self.timeline_room());
        if room / f64::from(frames) >= NARROWEST_FRAME {
            return;
        }
        let Some((first, end)) = self.clip_in_frames() else { return };
        let span = (room / FIRST_POINTS).max((end - first) * 1.5).min(room / NARROWEST_FRAME);
        let start = if end - first < span { (first + end - span) / 2.0 } else { first };
        self.look_at_frames(FrameWindow { start, span });
    }

    /// Brings the playhead, or with `clip` all of the current clip, into sight: someone went there.
    pub(super) fn keep_in_sight(&mut self, clip: bool) {
        let Some(window) = self.frames_in_sight() else { return };
        let Some(track) = self.track() else { return };
        let playhead = track.playback.shown_frame(track.model());
        let (first, end) = self.clip_in_frames().filter(|_| clip).unwrap_or((playhead, playhead));
        let moved = window.showing(first, end, self.frames_on_ruler());
        if moved != window {
            self.look_at_frames(moved);
        }
    }

    /// The view follows the playhead, which was at `before`, by pages.
    pub(super) fn follow_playhead(&mut self, before: f64) {
        let (Some(window), Some(track)) = (self.frames_in_sight(), self.track()) else { return };
        let after = track.playback.shown_frame(track.model());
        let moved = window.following(before, after, self.frames_on_ruler());
        if moved != window {
            self.look_at_frames(moved);
        }
    }
}
