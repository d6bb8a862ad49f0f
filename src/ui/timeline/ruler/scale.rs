//! Mapping between frames and points.

use egui::Rect;

use maquette_scene::session::FrameWindow;

/// Linear mapping of frames to horizontal positions.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    pub left: f32,
    pub start: f64,
    /// Points per frame.
    pub step: f32,
    /// Number of frames, at least 1.
    pub frames: u32,
}

impl Scale {
    /// Maps the frames of `window` to the width of `room`. `frames` is the number of all frames.
    pub fn new(room: Rect, window: FrameWindow, frames: u32) -> Self {
        let step = f64::from(room.width().max(1.0)) / window.span.max(1e-3);
        Self { left: room.left(), step: step as f32, start: window.start, frames: frames.max(1) }
    }

    /// Returns the left edge of a frame.
    pub fn x(&self, frame: f64) -> f32 {
        self.left + ((frame - self.start) * f64::from(self.step)) as f32
    }

    /// Returns the fractional frame at a position, without limits.
    pub fn at(&self, x: f32) -> f64 {
        self.start + f64::from(x - self.left) / f64::from(self.step.max(1e-6))
    }

    /// Returns the frame at a position, limited to existing frames. Rounds it if `whole`.
    pub fn frame(&self, x: f32, whole: bool) -> f64 {
        let frame = self.at(x).clamp(0.0, f64::from(self.frames.saturating_sub(1)));
        if whole { frame.round() } else { frame }
    }

    /// Returns the frame whose interval contains a position, limited to existing frames.
    pub fn under(&self, x: f32) -> u32 {
        (self.at(x).max(0.0) as u32).min(self.frames.saturating_sub(1))
    }
}
