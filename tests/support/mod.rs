//! What several topics need: building files byte by byte, counting memory, finding optional data.

pub mod archives;
pub mod bytes;
pub mod command;
#[cfg(target_os = "linux")]
pub mod compositor;
pub mod files;
pub mod gltf_file;
pub mod large;
pub mod loading;
pub mod memory;
pub mod optional;
pub mod panels;
pub mod player;
pub mod shapes;
pub mod skeletal_files;
pub mod staged;
pub mod taken_apart;
pub mod targets;
