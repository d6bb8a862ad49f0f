//! Time of animated materials: glows, scrolling textures, waving vertices.
//!
//! This clock is separate from playback. Play and pause affect both, but the clock can also be paused and set alone.

use crate::scene::{Entity, GameEffect, LightingMode};
use crate::session::{DocumentView, Session, View};

/// Time of animated materials.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialClock {
    /// Seconds since the start.
    pub seconds: f64,
    /// Whether the time advances.
    pub playing: bool,
}

impl Default for MaterialClock {
    fn default() -> Self {
        Self { seconds: 0.0, playing: true }
    }
}

/// Seconds after which the time wraps around, far beyond any period in a script.
const DAY_SECS: f64 = 86_400.0;

impl DocumentView<'_> {
    /// Whether any drawn material is animated.
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
        let display = &self.view.display;
        let glows = |entity: &&Entity| {
            is_game && display.light_on(&entity.asset).has_effects && display.game_effect == GameEffect::Glow
        };
        let mut shown = self.document.scene.entities().iter().filter(|entity| self.document.scene.shows(entity));
        display.shows_materials() && shown.any(|entity| moves(&entity) || glows(&entity))
    }
}

impl View {
    pub(crate) fn seek_effects(&mut self, seconds: f64) {
        if seconds.is_finite() {
            self.material_clock = MaterialClock { seconds: seconds.clamp(0.0, DAY_SECS), playing: false };
        }
    }
}

impl Session {
    /// Whether any drawn material is animated.
    pub fn has_effects(&self) -> bool {
        self.document_view().has_effects()
    }

    /// Whether materials are being animated.
    pub fn effects_run(&self) -> bool {
        self.view.material_clock.playing && self.has_effects()
    }

    /// Whether clips, materials or the camera are moving.
    pub fn is_moving(&self) -> bool {
        self.is_playing() || self.effects_run() || self.camera_moves()
    }

    pub(crate) fn advance_effects(&mut self, seconds: f64) -> bool {
        let runs = self.effects_run();
        if runs {
            self.view.material_clock.seconds = (self.view.material_clock.seconds + seconds) % DAY_SECS;
        }
        runs
    }
}
