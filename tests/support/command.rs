//! Runs the program, and creates folders of files for it.

use std::process::{Command, Output};

/// Runs the program until it ends.
pub fn maquette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maquette")).args(arguments).output().unwrap()
}

/// Returns printed bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Creates a temporary folder with these files.
pub fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    root
}
