//! One integration test binary; each module documents its topic.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]

mod animation_files;
mod clip_list;
mod convert;
mod convert_clips;
mod convert_joints;
mod convert_mdl;
mod convert_names;
mod crossing;
mod diff;
mod edit;
mod formats;
mod large_poses;
mod operations;
mod operations_details;
mod operations_on_elements;
mod operations_on_parts;
mod operations_on_tags;
mod player;
mod salvage;
mod text;
mod writing;
