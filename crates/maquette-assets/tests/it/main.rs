//! One integration test binary; each module documents its topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

#[path = "../support/mod.rs"]
mod support;

mod archives;
mod corpus;
mod doom_declarations;
mod doom_materials;
mod embedded_skins;
mod engines;
mod found_images;
mod ghoul2;
mod gltf_materials;
mod golden;
mod hostile;
mod iqm;
mod limits;
mod lint;
mod material;
mod opening;
mod operations;
mod poses;
mod refusals;
mod reports;
mod sample;
mod security;
mod shader_scripts;
mod shader_words;
mod skin_files;
mod structure;
mod structure_companions;
mod structure_outline;
mod vfs;
