//! Shared by several topics.

pub mod structure;
pub mod targets;
