//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;
use std::time::Duration;

/// Ending of files that are being written.
const PART: &str = "part";
/// A part that nobody has touched for so long is left over from a program that was ended in the middle.
const LEFT_OVER: Duration = Duration::from_secs(60);

/// Writes under another name first: who reads it sees the old file or the new one, whatever happens meanwhile.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, false)
}

/// The same, and the bytes are on the disk before the name is: not even a machine that loses its power leaves half a file.
pub(super) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, true)
}

fn write(path: &Path, bytes: &[u8], durably: bool) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension(format!("{}.{PART}", std::process::id()));
    let written = File::create(&part).and_then(|mut file| {
        file.write_all(bytes)?;
        if durably { file.sync_all() } else { Ok(()) }
    });
    written.and_then(|()| fs::rename(&part, path)).inspect_err(|_| drop(fs::remove_file(&part)))
}

/// Removes what programs that were ended in the middle of writing have left in a folder.
pub(super) fn clear_leftovers(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_part = path.extension().is_some_and(|extension| extension == PART);
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
        if is_part && age.is_some_and(|age| age > LEFT_OVER) {
            drop(fs::remove_file(path));
        }
    }
}
