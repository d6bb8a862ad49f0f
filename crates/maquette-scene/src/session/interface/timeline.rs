//! Visible frames of the timeline.

use crate::scene::Track;
use crate::session::{Document, Interface, Session};

/// Maximum width of a frame, in points.
pub const WIDEST_FRAME: f64 = 40.0;
/// Minimum width of a frame in the first view, in points. If more frames exist, not all are shown.
const NARROWEST_FRAME: f64 = 2.0;
/// Width of a frame in the first view of a long model, in points.
const FIRST_POINTS: f64 = 9.0;
/// Assumed width of the timeline's frames, in points, before the window sets it.
const USUAL_ROOM: f64 = 1260.0;
/// Share of the view that stays visible behind the playhead after scrolling.
const BEHIND: f64 = 0.05;

/// Visible frames, fractional.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameWindow {
    /// First visible frame.
    pub start: f64,
    /// Number of visible frames, greater than 0.
    pub span: f64,
}

impl FrameWindow {
    /// Returns the window of all frames.
    #[must_use]
    pub fn all(frames: u32) -> Self {
        Self { start: 0.0, span: f64::from(frames.max(1)) }
    }

    /// Returns the end, one past the last visible frame.
    pub fn end(&self) -> f64 {
        self.start + self.span
    }

    /// Returns the nearest window within the first `frames` frames whose frames are at most [`WIDEST_FRAME`] wide.
    /// `room` is the width of the window, in points.
    #[must_use]
    pub fn fitted(self, frames: u32, room: f64) -> Self {
        let frames = f64::from(frames.max(1));
        let span = if self.span.is_finite() { self.span } else { frames };
        let span = span.max(room / WIDEST_FRAME).min(frames);
        let start = if self.start.is_finite() { self.start.clamp(0.0, frames - span) } else { 0.0 };
        Self { start, span }
    }

    /// Returns a window of `factor` times as many frames. The frame `about` keeps its position in the window.
    #[must_use]
    pub fn zoomed(self, factor: f64, about: f64, frames: u32, room: f64) -> Self {
        let wanted = Self { span: self.span * factor, ..self }.fitted(frames, room).span;
        let share = (about - self.start) / self.span;
        Self { start: about - share * wanted, span: wanted }.fitted(frames, room)
    }

    /// Returns the window scrolled as little as necessary to show `first` to `end`, or at least `first`.
    #[must_use]
    pub fn showing(self, first: f64, end: f64, frames: u32) -> Self {
        let start = if end > self.end() { end - self.span } else { self.start };
        let start = if first < start { first } else { start };
        Self { start: start.clamp(0.0, (f64::from(frames.max(1)) - self.span).max(0.0)), ..self }
    }

    /// Whether a frame is visible.
    pub fn holds(&self, frame: f64) -> bool {
        (self.start..=self.end()).contains(&frame)
    }

    /// Returns the window after the playhead moved from `before` to `after`: the next page if the playhead left it.
    #[must_use]
    pub fn following(self, before: f64, after: f64, frames: u32) -> Self {
        // Do not scroll if the user had scrolled away from the playhead.
        if !self.holds(before) || self.holds(after) {
            return self;
        }
        let backwards = after < before && before - after < self.span / 2.0;
        let behind = if backwards { 1.0 - BEHIND } else { BEHIND };
        let start = after - behind * self.span;
        Self { start: start.clamp(0.0, (f64::from(frames.max(1)) - self.span).max(0.0)), ..self }
    }
}

/// State of the timeline.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimelineView {
    /// Width of the frames in points, set by the window; 0 until then.
    pub room: f32,
    /// Visible frames, and the total number of frames when they were set; `None` shows all.
    shown: Option<(FrameWindow, u32)>,
    /// Number of times that the user asked to type a frame number. The timeline opens the field when it changes.
    pub entries: u32,
}

impl Document {
    /// Returns the number of frames on the ruler, which is that of the longest track.
    pub fn frames_on_ruler(&self) -> u32 {
        let frames = |track: Track| track.playback.shown_frames(track.entity.model());
        let longest = self.tracks().into_iter().map(frames).max();
        longest.or(self.led_track().map(frames)).unwrap_or(1).max(1)
    }

    /// Returns the chosen clip in displayed frames: the first, and one past the last.
    pub(crate) fn clip_in_frames(&self) -> Option<(f64, f64)> {
        let track = self.led_track()?;
        let (clip, first) = (track.clip(), track.playback.first_shown(track.entity.model()));
        Some((f64::from(clip.first.saturating_sub(first)), f64::from(clip.end().saturating_sub(first))))
    }
}

impl Interface {
    pub(crate) fn timeline_room(&self) -> f64 {
        if self.timeline.room > 0.0 { f64::from(self.timeline.room) } else { USUAL_ROOM }
    }

    pub(crate) fn show_all_frames(&mut self) {
        self.timeline.shown = None;
    }
}

impl Session {
    /// Returns the visible frames; `None` if all frames are visible.
    pub fn frames_in_sight(&self) -> Option<FrameWindow> {
        let frames = self.document.frames_on_ruler();
        // The window is outdated if the number of frames changed.
        let (window, _) = self.interface.timeline.shown.filter(|(_, known)| *known == frames)?;
        let window = window.fitted(frames, self.interface.timeline_room());
        (window.span < f64::from(frames) - 1e-6).then_some(window)
    }

    pub(crate) fn window(&self) -> FrameWindow {
        self.frames_in_sight().unwrap_or(FrameWindow::all(self.document.frames_on_ruler()))
    }

    pub(crate) fn look_at_frames(&mut self, window: FrameWindow) {
        let (frames, room) = (self.document.frames_on_ruler(), self.interface.timeline_room());
        self.interface.timeline.shown = Some((window.fitted(frames, room), frames));
    }

    /// Shows all frames if they have enough width, or else the chosen clip and its neighbours.
    pub(crate) fn open_timeline(&mut self) {
        self.interface.timeline.shown = None;
        let (frames, room) = (self.document.frames_on_ruler(), self.interface.timeline_room());
        if room / f64::from(frames) >= NARROWEST_FRAME {
            return;
        }
        let Some((first, end)) = self.document.clip_in_frames() else { return };
        let span = (room / FIRST_POINTS).max((end - first) * 1.5).min(room / NARROWEST_FRAME);
        let start = if end - first < span { (first + end - span) / 2.0 } else { first };
        self.look_at_frames(FrameWindow { start, span });
    }

    pub(crate) fn keep_in_sight(&mut self, clip: bool) {
        let Some(window) = self.frames_in_sight() else { return };
        let Some(track) = self.document.led_track() else { return };
        let playhead = track.shown_frame();
        let (first, end) = self.document.clip_in_frames().filter(|_| clip).unwrap_or((playhead, playhead));
        let moved = window.showing(first, end, self.document.frames_on_ruler());
        if moved != window {
            self.look_at_frames(moved);
        }
    }

    pub(crate) fn follow_playhead(&mut self, before: f64) {
        let (Some(window), Some(track)) = (self.frames_in_sight(), self.document.led_track()) else { return };
        let after = track.shown_frame();
        let moved = window.following(before, after, self.document.frames_on_ruler());
        if moved != window {
            self.look_at_frames(moved);
        }
    }
}
