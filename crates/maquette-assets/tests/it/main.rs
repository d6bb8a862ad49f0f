//! One integration binary, one line per topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop where it stands")]

#[path = "../support/mod.rs"]
mod support;

// Moments between frames, by hand calculation.
mod poses;
// Cut, patched and garbled files: never a panic, never more memory than the file accounts for.
mod hostile;
mod security;
// Poses, tags, joints and counts of real models, where they are at hand.
mod golden;
// Every byte of a file told of, and where it breaks.
mod structure;
// The same of files beside a model, and of archives.
mod structure_companions;
// Its lines, and how they lead to the model.
mod structure_outline;
// Archives: paths through them, what is searched first, and what broken or hostile ones do.
mod archives;
mod corpus;
// What Doom 3's materials say, and what they come to.
mod doom_materials;
// The search for pictures, and the pictures themselves.
mod material;
// The text report, the JSON and the OBJ.
mod reports;
// The built-in figure is what its maker makes.
mod sample;
// From one path to everything that belongs to it.
mod opening;
// What Quake III's scripts say, and what they come to.
mod shader_scripts;
// Which picture goes on which surface, by the files beside a model.
mod skin_files;
// Paths and lookups of the file world.
mod vfs;
