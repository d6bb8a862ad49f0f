//! Shared by several topics.

pub mod taken_apart;
pub mod targets;
