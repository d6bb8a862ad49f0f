//! The clock of materials that move: glows, scrolling pictures, waving vertices.
//!
//! It runs beside the clips' clocks: what pauses or plays everything does the same to it, but it can be paused and moved by
//! itself.

use super::{DocumentView, Session};
use crate::scene::{Entity, LightingMode};

/// The clock of moving materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialClock {
    /// Seconds since it began.
    pub seconds: f64,
    /// Whether it runs.
    pub playing: bool,
}

impl Default for MaterialClock {
    fn default() -> Self {
        Self { seconds: 0.0, playing: true }
    }
}

/// Where the clock begins anew: a day, far beyond any period that a script has.
const DAY_SECS: f64 = 86_400.0;

impl DocumentView<'_> {
    /// Whether any material in the scene would move, as it is shown now, if its clock ran.
    #[must_use]
    pub fn has_effects(&self) -> bool {
        let is_game = self.view.display.lighting == LightingMode::Game;
        let moves = |entity: &&Entity| {
            entity.materials().iter().enumerate().any(|(index, material)| {
                let stages = if is_game { material.stages_in_game() } else { material.definition.stages.len() };
                let stopped = material
                    .definition
                    .stops_after
                    .is_some_and(|stop| self.view.material_clock.seconds >= f64::from(stop));
                entity.draws(index) && !stopped && material.definition.moves(stages)
            })
        };
        self.view.display.shows_materials()
            && self
                .document
                .scene
                .entities()
                .iter()
                .filter(|entity| self.document.scene.shows(entity))
                .any(|entity| moves(&entity))
    }
}

impl Session {
    /// See [`DocumentView::has_effects`].
    #[must_use]
    pub fn has_effects(&self) -> bool {
        self.shown().has_effects()
    }

    /// Whether materials move just now.
    #[must_use]
    pub fn effects_run(&self) -> bool {
        self.view.material_clock.playing && self.has_effects()
    }

    /// Whether anything moves by itself: clips, materials or the camera.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        self.is_playing() || self.effects_run() || self.camera_moves()
    }

    /// Lets the clock run on. True if anything moves by it.
    pub(super) fn advance_effects(&mut self, seconds: f64) -> bool {
        let runs = self.effects_run();
        if runs {
            self.view.material_clock.seconds = (self.view.material_clock.seconds + seconds) % DAY_SECS;
        }
        runs
    }

    /// Puts the clock at a time and leaves it there.
    pub(super) fn seek_effects(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.view.material_clock = MaterialClock { seconds: seconds.clamp(0.0, DAY_SECS), playing: false };
        }
    }
}
