//! Timeline actions: visible frames and onion skin.

use crate::scene::Onion;
use crate::session::{FrameWindow, Session};

const KEY_ZOOM: f64 = 1.5;

/// Timeline action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineAction {
    /// Switch the onion skin on or off.
    ToggleOnion,
    /// Set the onion skin.
    SetOnion(Onion),
    /// Set the visible frames.
    ShowFrames(FrameWindow),
    /// Zoom by a factor around a frame, which keeps its position.
    ZoomFrames(f64, f64),
    /// Zoom in around the playhead.
    FewerFrames,
    /// Zoom out around the playhead.
    MoreFrames,
    /// Fit the loop range or the chosen clip to the timeline.
    ShowClipFrames,
    /// Show all frames in the timeline.
    ShowAllFrames,
    /// Open the field for a frame number.
    EnterFrame,
}

impl Session {
    pub(super) fn apply_to_timeline(&mut self, action: TimelineAction) {
        match action {
            TimelineAction::ToggleOnion => self.view.onion.on = !self.view.onion.on,
            TimelineAction::SetOnion(onion) => self.view.onion = onion.clamped(),
            TimelineAction::ShowFrames(window) => self.look_at_frames(window),
            TimelineAction::ZoomFrames(factor, about) => {
                let (frames, room) = (self.document.frames_on_ruler(), self.interface.timeline_room());
                self.look_at_frames(self.window().zoomed(factor, about, frames, room));
            }
            TimelineAction::FewerFrames => self.zoom_about_playhead(1.0 / KEY_ZOOM),
            TimelineAction::MoreFrames => self.zoom_about_playhead(KEY_ZOOM),
            TimelineAction::ShowClipFrames => {
                let range = self.playback().range.map(|range| (f64::from(range.first), f64::from(range.last) + 1.0));
                let Some((first, end)) = range.or_else(|| self.document.clip_in_frames()) else { return };
                let margin = ((end - first) * 0.05).max(0.5);
                self.look_at_frames(FrameWindow { start: first - margin, span: end - first + 2.0 * margin });
            }
            TimelineAction::ShowAllFrames => self.interface.show_all_frames(),
            TimelineAction::EnterFrame => {
                self.interface.timeline.entries = self.interface.timeline.entries.wrapping_add(1)
            }
        }
    }

    fn zoom_about_playhead(&mut self, factor: f64) {
        let (frames, room) = (self.document.frames_on_ruler(), self.interface.timeline_room());
        let playhead = self.document.led_track().map_or(0.0, |track| track.shown_frame());
        // If the playhead is not visible, scroll to it first.
        let window = self.window().showing(playhead, playhead, frames);
        self.look_at_frames(window.zoomed(factor, playhead, frames, room));
    }
}
