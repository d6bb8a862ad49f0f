//! What a viewer shows and what its user does, without a window and without a GPU.

#![forbid(unsafe_code)]

use maquette_assets::{anatomy, info, lint, material, open, vfs};
use maquette_core::{compare, error, export, formats, inspect, mend, model, pose, threads};

pub mod scene;

pub mod session;

pub mod loader;
