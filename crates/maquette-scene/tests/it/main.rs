//! One integration binary, one line per topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop where it stands")]

#[path = "../support/mod.rs"]
mod support;

// Models that are shown before their textures are decoded.
mod pending_images;
// Whole figures: who belongs together, where they stand, what plays with what.
mod characters;
// Games with rules of their own, and their files.
mod games;
// Real players and archives against reference data, where they are at hand.
mod golden_characters;
// Undo and redo.
mod history;
// What is said of one vertex, triangle or joint, and distances.
mod inspect;
// From what is asked for to what stands there: the order of loads, and what each is for.
mod loads;
mod motion;
// Lines, dots and labels over the model.
mod overlay;
// Lists of actions and what comes of them.
mod session;
// Camera, light and picking by hand calculation.
mod viewing;
