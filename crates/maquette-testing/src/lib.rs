//! Helpers of tests, benchmarks and the fuzzer: generated files, memory counters, optional data.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test may panic")]
#![allow(missing_docs, clippy::len_without_is_empty, reason = "only tests use it")]

pub mod archives;
pub mod bytes;
pub mod darkplaces_files;
pub mod files;
pub mod ghoul2_files;
pub mod gltf;
pub mod gltf_file;
pub mod iqm;
pub mod large;
pub mod memory;
pub mod mutation;
pub mod optional;
pub mod player;
pub mod quake2_files;
pub mod shapes;
pub mod skeletal_files;
pub mod sprite_files;
pub mod static_files;
pub mod unreal_files;
pub mod waiting;
pub mod wolfenstein_files;
