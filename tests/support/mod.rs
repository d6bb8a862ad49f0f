//! Helpers shared by several test modules.

pub mod command;
#[cfg(target_os = "linux")]
pub mod compositor;
#[path = "../../crates/maquette-scene/tests/support/editing.rs"]
pub mod editing;
#[path = "../../crates/maquette-scene/tests/support/loading.rs"]
pub mod loading;
pub mod panels;
#[path = "../../crates/maquette-scene/tests/support/scripted.rs"]
pub mod scripted;
#[path = "../../crates/maquette-scene/tests/support/staged.rs"]
pub mod staged;
