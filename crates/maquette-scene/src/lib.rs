//! What a viewer shows and what its user does, without a window and without a GPU.

#![forbid(unsafe_code)]

pub mod scene;

pub mod session;

pub mod loader;
