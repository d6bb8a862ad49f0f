//! Files that are there whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

/// Writes under another name first: who reads it sees the old file or the new one, whatever happens meanwhile.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&part, bytes)?;
    fs::rename(&part, path).inspect_err(|_| drop(fs::remove_file(&part)))
}
