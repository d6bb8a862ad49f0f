//! Files that are there whole or not at all.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Ending of files that are being written.
const PART: &str = "part";
/// A partial file that was not written to for so long is left over from a program that was ended in the middle.
const LEFT_OVER: Duration = Duration::from_secs(60);
/// Links followed from one to the next before they count as a loop.
const MAX_LINKS: usize = 40;
/// Names tried for a partial file.
const MAX_PARTIAL_NAMES: u32 = 100;

/// The partial files of this program, to be removed if a signal terminates it.
static PARTS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn parts() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    PARTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all partial files and lets no others be created: for a program that is about to terminate.
pub fn remove_partial_files() {
    let parts = parts();
    for part in parts.iter() {
        drop(fs::remove_file(part));
    }
    // The lock is kept until the process ends.
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

/// Writes under another name first: readers see the old file or the new one, whatever happens meanwhile.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> io::Result<()> {
    written(path, bytes)?.finish()
}

/// The same, and the bytes are on the disk before the name is: not even a machine that loses its power leaves half a file.
pub(crate) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = written(path, bytes)?;
    file.flush()?;
    if let Some(Sink::File(file)) = &file.sink {
        file.get_ref().sync_all()?;
    }
    file.finish()
}

/// Removes what programs that were ended in the middle of writing `path` have left beside it.
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

/// A file that grows under another name and takes its own when it is whole. Dropped before, it leaves nothing, and what
/// was there stays.
///
/// Only a plain file is replaced, the one that links lead to; it keeps its permissions. A device or a pipe is written to
/// directly, and `-` is the standard output.
pub struct AtomicFile {
    sink: Option<Sink>,
    place: Option<PendingFile>,
}

enum Sink {
    File(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl AtomicFile {
    /// Begins a file that will be at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self { sink: Some(Sink::Stdout(BufWriter::new(io::stdout()))), place: None });
        }
        let (path, known) = target(path)?;
        if let Some(metadata) = &known {
            // Asked of the file itself: that its folder can be written to is no leave to replace it.
            let file = OpenOptions::new().write(true).open(&path)?;
            if !metadata.is_file() {
                return Ok(Self { sink: Some(Sink::File(BufWriter::new(file))), place: None });
            }
        }
        let (part, file) = create_part(&path)?;
        let permissions = known.map(|metadata| metadata.permissions());
        let place = PendingFile { part: Some(part), path, permissions };
        Ok(Self { sink: Some(Sink::File(BufWriter::new(file))), place: Some(place) })
    }

    /// Puts the file in its place.
    pub fn finish(self) -> io::Result<()> {
        self.hold()?.finish()
    }

    /// Ends the file, and leaves it under its other name until it is told to take its own.
    pub fn hold(mut self) -> io::Result<PendingFile> {
        self.flush()?;
        self.sink = None;
        Ok(self.place.take().unwrap_or_default())
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

/// Writes several files. None takes its name before all are complete.
///
/// # Errors
///
/// If one of them cannot be written, no file is changed. If renaming fails, files that were renamed before stay.
pub fn write_together<'a>(files: impl IntoIterator<Item = (&'a Path, &'a [u8])>) -> io::Result<()> {
    let mut held = Vec::new();
    for (path, bytes) in files {
        let mut file = AtomicFile::create(path)?;
        file.write_all(bytes)?;
        held.push(file.hold()?);
    }
    held.into_iter().try_for_each(PendingFile::finish)
}

/// A whole file that has not taken its name yet. Dropped before it does, it is removed.
#[derive(Default)]
pub struct PendingFile {
    /// None once it has been put in its place, or where there is none to take.
    part: Option<PathBuf>,
    path: PathBuf,
    permissions: Option<Permissions>,
}

impl PendingFile {
    /// Puts the file in its place.
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

/// Where links lead to in the end, and what is there, if anything is.
fn target(path: &Path) -> io::Result<(PathBuf, Option<Metadata>)> {
    let mut place = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::symlink_metadata(&place) {
            Ok(metadata) if metadata.is_symlink() => {
                let link = fs::read_link(&place)?;
                place = place.parent().unwrap_or(Path::new("")).join(link);
            }
            Ok(metadata) => return Ok((place, Some(metadata))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((place, None)),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("the links lead in a circle"))
}

/// A new file beside `path`; one that is there already is nobody's to be written over.
fn create_part(path: &Path) -> io::Result<(PathBuf, File)> {
    let Some(name) = path.file_name() else { return Err(io::ErrorKind::InvalidFilename.into()) };
    let (mut start, mut number) = (name.to_os_string(), 0);
    loop {
        let mut part = start.clone();
        let process = std::process::id();
        part.push(if number == 0 { format!(".{process}.{PART}") } else { format!(".{process}-{number}.{PART}") });
        let part = path.with_file_name(part);
        // The list is held meanwhile: what is on it is there, and is ours.
        let mut parts = parts();
        match File::create_new(&part) {
            Ok(file) => {
                parts.insert(part.clone());
                return Ok((part, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MAX_PARTIAL_NAMES => number += 1,
            // The name itself may be as long as names can be.
            Err(error) if error.kind() == io::ErrorKind::InvalidFilename && !start.is_empty() => start.clear(),
            Err(error) => return Err(error),
        }
    }
}
