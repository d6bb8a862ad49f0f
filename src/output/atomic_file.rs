//! Files that are written completely or not at all.

use std::collections::{BTreeSet, HashSet};
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const PART: &str = "part";
/// Age after which an unchanged partial file counts as left by a terminated program.
const LEFT_OVER: Duration = Duration::from_secs(60);
/// Maximum number of links to follow. Longer chains count as a loop.
const MAX_LINKS: usize = 40;
const MAX_PARTIAL_NAMES: u32 = 100;

/// Partial files of this process. They are removed when a signal terminates it.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn parts() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all partial files and prevents new ones. Call it when the program is about to terminate.
pub fn remove_partial_files() {
    let parts = parts();
    for part in parts.iter() {
        drop(fs::remove_file(part));
    }
    // Keep the lock until the process ends.
    std::mem::forget(parts);
}

fn written(path: &Path, bytes: &[u8]) -> io::Result<AtomicFile> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Writes a file under a temporary name and renames it, so that readers see either the old or the new file.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes)?.finish()
}

/// Like [`write_atomic`], but syncs the file to disk before renaming, so that even a power failure leaves no partial
/// file.
pub(crate) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    synced(path, bytes)?.finish()
}

/// Like [`write_durably`], but fails if the file has other bytes than `before` immediately before renaming. A deleted
/// file is created again.
pub(crate) fn replace_unchanged(path: &Path, before: &[u8], bytes: &[u8]) -> io::Result<()> {
    let file = synced(path, bytes)?;
    check_unchanged(path, before)?;
    file.finish()
}

/// Removes a file, if it exists. Fails if it has other bytes than `before`; `None` if these are unknown.
pub(crate) fn remove_unchanged(path: &Path, before: Option<&Vec<u8>>) -> io::Result<()> {
    before.map_or(Ok(()), |before| check_unchanged(path, before))?;
    if is_taken(path) { fs::remove_file(path) } else { Ok(()) }
}

fn check_unchanged(path: &Path, before: &[u8]) -> io::Result<()> {
    match fs::read(path) {
        Ok(now) if now != before => Err(io::Error::other("another program changed the file; try again")),
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn synced(path: &Path, bytes: &[u8]) -> io::Result<AtomicFile> {
    let mut file = written(path, bytes)?;
    file.flush()?;
    if let Some(Sink::File(file)) = &file.sink {
        file.get_ref().sync_all()?;
    }
    Ok(file)
}

/// Removes partial files of `path` that terminated programs left.
pub(crate) fn clear_leftovers(path: &Path) {
    let (Some(folder), Some(stem)) = (path.parent(), path.file_stem().and_then(|stem| stem.to_str())) else { return };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_own = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.') && rest.ends_with(&format!(".{PART}")))
        });
        let age = entry.metadata().and_then(|metadata| metadata.modified()).ok().and_then(|time| time.elapsed().ok());
        if is_own && age.is_some_and(|age| age > LEFT_OVER) {
            drop(fs::remove_file(path));
        }
    }
}

/// File that is written under a temporary name and renamed when complete. If dropped earlier, the temporary file is
/// removed, and an existing file is unchanged. Links are followed, and permissions are kept. Devices and pipes are
/// written directly. The path `-` is the standard output.
pub struct AtomicFile {
    sink: Option<Sink>,
    pending: Option<PendingFile>,
}

enum Sink {
    File(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl AtomicFile {
    /// Creates a temporary file next to the target of `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self { sink: Some(Sink::Stdout(BufWriter::new(io::stdout()))), pending: None });
        }
        let (path, known) = target(path)?;
        if let Some(metadata) = &known {
            // Write permission on the folder does not imply permission to overwrite the file, so check the file.
            let file = OpenOptions::new().write(true).open(&path)?;
            if !metadata.is_file() {
                return Ok(Self { sink: Some(Sink::File(BufWriter::new(file))), pending: None });
            }
        }
        let (part, file) = create_part(&path)?;
        let permissions = known.map(|metadata| metadata.permissions());
        let pending = PendingFile { part: Some(part), path, permissions };
        Ok(Self { sink: Some(Sink::File(BufWriter::new(file))), pending: Some(pending) })
    }

    /// Completes the file and renames it to its final name.
    pub fn finish(self) -> io::Result<()> {
        self.hold()?.finish()
    }

    /// Completes the file, but keeps the temporary name until [`PendingFile::finish`].
    pub fn hold(mut self) -> io::Result<PendingFile> {
        self.flush()?;
        self.sink = None;
        Ok(self.pending.take().unwrap_or_default())
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Some(Sink::File(file)) => file.write(bytes),
            Some(Sink::Stdout(output)) => output.write(bytes),
            None => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Some(Sink::File(file)) => file.flush(),
            Some(Sink::Stdout(output)) => output.flush(),
            None => Ok(()),
        }
    }
}

/// Returns whether a path is in use: by a file, a folder, or a link, whose target may be missing.
pub fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Writes several files and renames them when all are complete. If writing fails, or two files have one path, no file is
/// changed. If renaming fails, files that were already renamed remain. An error comes with the path of its file.
pub fn write_together<'a>(files: impl IntoIterator<Item = (&'a Path, &'a [u8])>) -> Result<(), (&'a Path, io::Error)> {
    let held = hold_together(files)?;
    held.into_iter().try_for_each(|(path, file)| file.finish().map_err(|error| (path, error)))
}

/// Like [`write_together`], but keeps the temporary names until [`PendingFile::finish`].
pub(super) fn hold_together<'a>(
    files: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
) -> Result<Vec<(&'a Path, PendingFile)>, (&'a Path, io::Error)> {
    let mut held = Vec::new();
    let mut paths = HashSet::new();
    for (path, bytes) in files {
        let pending = pending(path, bytes).map_err(|error| (path, error))?;
        if pending.part.is_some() && !paths.insert(resolved(&pending.path)) {
            return Err((path, io::Error::other("two files of this path would be written")));
        }
        held.push((path, pending));
    }
    Ok(held)
}

/// Resolves the folder of a path. Spellings of one path become equal.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_path_buf());
    folder.join(path.file_name().unwrap_or_default())
}

fn pending(path: &Path, bytes: &[u8]) -> io::Result<PendingFile> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    file.hold()
}

/// Complete file that still has its temporary name. It is removed on drop.
#[derive(Default)]
pub struct PendingFile {
    /// `None` after renaming, or if there is nothing to rename.
    part: Option<PathBuf>,
    path: PathBuf,
    permissions: Option<Permissions>,
}

impl PendingFile {
    /// Renames the file to its final name.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(part) = &self.part else { return Ok(()) };
        if let Some(permissions) = self.permissions.take() {
            fs::set_permissions(part, permissions)?;
        }
        fs::rename(part, &self.path)?;
        parts().remove(part);
        self.part = None;
        Ok(())
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if let Some(part) = self.part.take() {
            drop(fs::remove_file(&part));
            parts().remove(&part);
        }
    }
}

/// Follows links to the final path. Returns the path, and its metadata if it exists.
fn target(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let mut target = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&target) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = fs::read_link(&target)?;
                target = target.parent().unwrap_or(Path::new("")).join(link);
            }
            Ok(metadata) => return Ok((target, Some(metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((target, None)),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("the symbolic links form a loop"))
}

/// Creates a new partial file next to `path`. Never overwrites an existing file.
fn create_part(path: &Path) -> io::Result<(PathBuf, File)> {
    let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidFilename.into()) };
    let (mut start, mut number) = (name.to_os_string(), 0);
    loop {
        let mut part = start.clone();
        let process = std::process::id();
        part.push(if number == 0 { format!(".{process}.{PART}") } else { format!(".{process}-{number}.{PART}") });
        let part = path.with_file_name(part);
        // Holding the lock ensures that every listed file exists and belongs to this program.
        let mut parts = parts();
        match File::create_new(&part) {
            Ok(file) => {
                parts.insert(part.clone());
                return Ok((part, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_PARTIAL_NAMES => number += 1,
            // The name may already be as long as the file system allows.
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename && !start.is_empty() => start.clear(),
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn spellings_of_one_path_are_not_written_together() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("b")).unwrap();
        let paths = ["a", "b/../a"].map(|name| folder.path().join(name));
        let (path, _) = write_together(paths.iter().map(|path| (path.as_path(), &b"x"[..]))).unwrap_err();
        assert_eq!(path, paths[1]);
        assert!(!paths[0].exists());
    }

    #[cfg(unix)]
    #[test]
    fn link_without_target_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        assert!(!is_taken(&link));
        std::os::unix::fs::symlink(folder.path().join("missing"), &link).unwrap();
        assert!(is_taken(&link) && !link.exists());
    }
}
