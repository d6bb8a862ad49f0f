//! Shared by several topics.

pub mod loading;
pub mod staged;
