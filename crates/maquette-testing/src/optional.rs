//! Data outside this repository: real models and their golden data.

use std::path::{Path, PathBuf};

/// Returns `../shared/<name>` next to the repository, or the folder named by `variable`. Prints a message and returns
/// `None` if it is missing.
pub fn shared_folder(name: &str, variable: &str) -> Option<PathBuf> {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(name);
    let folder = std::env::var_os(variable).map_or(default, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} not found (set {variable} to another folder)", folder.display());
    None
}

/// Returns every file below `folder`, sorted by name.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}
