//! What the window tells: the only things it writes into the session, all at once.

use super::Session;
use crate::scene::Tone;

/// What only the window knows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowFacts {
    /// Width and height of the picture, in pixels.
    pub picture: [u32; 2],
    /// Pixels per point.
    pub pixels_per_point: f32,
    /// Width over height of the picture.
    pub aspect: f32,
    /// Points that the frames of the timeline have.
    pub timeline: f32,
    /// Longest side that the device draws, in pixels.
    pub longest_side: u32,
    /// Dark or light, as the panels are.
    pub tone: Tone,
}

impl Session {
    /// Takes over what the window tells. A model that was framed before the picture had its size is framed anew.
    pub fn observe(&mut self, facts: WindowFacts) {
        self.aspect = facts.aspect;
        self.timeline.room = facts.timeline;
        self.saving.seen = facts.picture;
        self.saving.seen_scale = facts.pixels_per_point;
        self.saving.longest = facts.longest_side;
        self.display.tone = facts.tone;
        if self.fit_when_sized && facts.picture.iter().all(|side| *side > 0) {
            self.fit_when_sized = false;
            self.frame_model();
        }
    }
}
