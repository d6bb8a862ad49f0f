//! Helpers shared by several test modules.

pub mod structure;
pub mod targets;
