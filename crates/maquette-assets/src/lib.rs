//! Model assets: virtual file system, engines, materials and companion files. Uses neither a GPU nor a window.

#![forbid(unsafe_code)]

pub mod limits;

pub mod vfs;

mod companions;

pub mod engines;
pub mod material;

pub mod open;

pub mod info;
pub mod lint;
pub mod structure;
