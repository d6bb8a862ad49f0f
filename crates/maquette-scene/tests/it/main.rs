//! One integration test binary; each module documents its topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/mod.rs"]
mod support;

mod characters;
mod editing;
mod game_lights;
mod golden_characters;
mod history;
mod inspect;
mod loads;
mod material_effects;
mod motion;
mod overlay;
mod pending_images;
mod session;
mod thumbnail_time;
mod viewing;
mod wolfenstein;
