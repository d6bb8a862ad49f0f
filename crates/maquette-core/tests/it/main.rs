//! One integration binary, one line per topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may stop where it stands")]

// What every loader makes of sound, odd and broken files, and how it says so.
mod formats;
// Which frames are which animation.
mod animation_files;
// What Doom 3's declarations say of a mesh.
mod declarations;
// What is fuzzed, on sound files and on everything that was ever found.
mod convert;
// Poses of many vertices, by the formulas and on any number of threads.
mod large_poses;
// Words, numbers, places of text formats.
mod text;
mod writing;
// What is followed from frame to frame.
mod edit;
