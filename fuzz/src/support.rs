//! What the fuzzer has in common with the ordinary tests.

#![allow(dead_code, reason = "the tests need more of it")]

#[path = "../../tests/support/archives.rs"]
pub mod archives;
#[path = "../../tests/support/bytes.rs"]
pub mod bytes;
#[path = "../../tests/support/files.rs"]
pub mod files;
#[path = "../../tests/support/memory.rs"]
pub mod memory;
#[path = "../../tests/support/skeletal_files.rs"]
pub mod skeletal_files;
#[path = "../../tests/support/targets.rs"]
pub mod targets;
