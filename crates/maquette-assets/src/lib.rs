//! From a path to a model with everything that belongs to it: folders and archives, games, materials, companion files.
//!
//! The crate knows no GPU and no window.

#![forbid(unsafe_code)]

pub mod limits;

pub mod vfs;

pub mod game;
pub mod material;

pub mod open;

pub mod info;
pub mod lint;
pub mod structure;
