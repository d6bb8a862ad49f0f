//! Runs the program.

use std::process::{Command, Output};

/// Runs the program until it ends.
pub fn maquette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maquette")).args(arguments).output().unwrap()
}

/// Returns printed bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
