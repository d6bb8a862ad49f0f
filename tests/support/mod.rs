//! Helpers shared by several test modules.

pub mod command;
#[cfg(target_os = "linux")]
pub mod compositor;
pub mod editing;
#[path = "../../crates/maquette-scene/tests/support/loading.rs"]
pub mod loading;
pub mod panels;
pub mod scripted;
#[path = "../../crates/maquette-scene/tests/support/staged.rs"]
pub mod staged;
