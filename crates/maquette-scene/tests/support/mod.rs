//! Helpers shared by several test modules.

pub mod loading;
pub mod staged;
