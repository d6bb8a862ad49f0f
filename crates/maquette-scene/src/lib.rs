//! Scene and session of the viewer, without a window and without a GPU.

#![forbid(unsafe_code)]

pub mod scene;

pub mod session;

pub mod loader;
