//! Helpers shared by several test modules.

pub mod editing;
pub mod loading;
pub mod scripted;
pub mod staged;
