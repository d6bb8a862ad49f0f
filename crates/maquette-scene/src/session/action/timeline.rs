//! The timeline: which frames it shows, and which are seen as ghosts.

use crate::scene::Onion;
use crate::session::{FrameWindow, Session};

/// Zoom of one key press.
const KEY_ZOOM: f64 = 1.5;

/// What a user wants of the timeline.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineAction {
    /// Show neighbours of the frame shown as ghosts, or hide them.
    ToggleOnion,
    /// Which neighbours of the frame shown are seen as ghosts.
    SetOnion(Onion),
    /// Show these frames on the timeline.
    ShowFrames(FrameWindow),
    /// Show so many times as many frames on the timeline, about one that stays where it is.
    ZoomFrames(f64, f64),
    /// Show fewer frames on the timeline, each wider, about the playhead.
    FewerFrames,
    /// Show more frames on the timeline.
    MoreFrames,
    /// Show the loop range, or else the clip, over the width of the timeline.
    ShowClipFrames,
    /// Show all frames on the timeline.
    ShowAllFrames,
    /// Type a frame to go to.
    EnterFrame,
}

impl Session {
    pub(super) fn apply_to_timeline(&mut self, action: TimelineAction) {
        match action {
            TimelineAction::ToggleOnion => self.view.onion.on = !self.view.onion.on,
            TimelineAction::SetOnion(onion) => self.view.onion = onion.clamped(),
            TimelineAction::ShowFrames(window) => self.look_at_frames(window),
            TimelineAction::ZoomFrames(factor, about) => {
                let (frames, room) = (self.frames_on_ruler(), self.timeline_room());
                self.look_at_frames(self.window().zoomed(factor, about, frames, room));
            }
            TimelineAction::FewerFrames => self.zoom_about_playhead(1.0 / KEY_ZOOM),
            TimelineAction::MoreFrames => self.zoom_about_playhead(KEY_ZOOM),
            TimelineAction::ShowClipFrames => {
                let range = self.playback().range.map(|range| (f64::from(range.first), f64::from(range.last) + 1.0));
                let Some((first, end)) = range.or_else(|| self.clip_in_frames()) else { return };
                let margin = ((end - first) * 0.05).max(0.5);
                self.look_at_frames(FrameWindow { start: first - margin, span: end - first + 2.0 * margin });
            }
            TimelineAction::ShowAllFrames => self.show_all_frames(),
            TimelineAction::EnterFrame => {
                self.interface.timeline.entries = self.interface.timeline.entries.wrapping_add(1)
            }
        }
    }

    fn zoom_about_playhead(&mut self, factor: f64) {
        let (frames, room) = (self.frames_on_ruler(), self.timeline_room());
        let playhead = self.track().map_or(0.0, |track| track.playback.shown_frame(track.model()));
        // A playhead out of sight is where one wants to go.
        let window = self.window().showing(playhead, playhead, frames);
        self.look_at_frames(window.zoomed(factor, playhead, frames, room));
    }
}
