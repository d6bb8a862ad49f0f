//! One integration binary, one line per topic.

#[path = "../support/mod.rs"]
mod support;

// Poses, tags, joints and counts of real models, where they are at hand.
mod golden;

// From one path to everything that belongs to it.
mod scenes;

// Lists of actions and what comes of them.
mod session;

// Paths and lookups of the file world.
mod vfs;

// The search for pictures, and the pictures themselves.
mod material;

// The program as a script sees it.
#[cfg(feature = "viewer")]
mod cli;
