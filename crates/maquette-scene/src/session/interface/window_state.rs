//! State of the window that the session needs.

use crate::scene::ColourTheme;
use crate::session::Session;

/// State that only the window knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowState {
    /// Width and height of the viewport, in pixels.
    pub viewport: [u32; 2],
    /// Pixels per point.
    pub pixels_per_point: f32,
    /// Width / height of the viewport.
    pub aspect: f32,
    /// Width of the timeline's frames, in points.
    pub timeline: f32,
    /// Longest side that the device can draw, in pixels.
    pub longest_side: u32,
    /// Theme of the panels.
    pub theme: ColourTheme,
    /// Whether there was user input: a key, a button, the wheel or a drop.
    pub is_used: bool,
}

impl Session {
    /// Applies the state of the window. A model that was framed before the viewport had a size is framed again.
    pub fn update_window_state(&mut self, facts: WindowState) {
        // The window calls this in every frame, and mutable access to the view redraws the viewport. A hidden view
        // keeps its size.
        let is_seen = facts.viewport.iter().all(|side| *side > 0);
        let aspect = if is_seen { facts.aspect } else { self.view.aspect };
        if self.view.reshaping_frames > 0 {
            if self.view.aspect == aspect { self.view.reshaping_frames -= 1 } else { self.fit_to_aspect(aspect) }
        }
        if (self.view.aspect, self.view.display.theme) != (aspect, facts.theme) {
            self.view.aspect = aspect;
            self.view.display.theme = facts.theme;
        }
        self.interface.timeline.room = facts.timeline;
        if is_seen {
            self.jobs.saving.viewport_size = facts.viewport;
        }
        self.jobs.saving.viewport_scale = facts.pixels_per_point;
        self.jobs.saving.max_image_side = facts.longest_side;
        self.preferences.hints_seen |= facts.is_used;
        if self.view.fit_when_sized && is_seen {
            self.view.fit_when_sized = false;
            if self.document.comparison.is_some() { self.frame_compared() } else { self.frame_model() }
        }
    }
}
