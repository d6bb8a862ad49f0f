//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Ending of files that are being written.
const PART: &str = "part";
/// A partial file that was not written to for so long is left over from a program that was ended in the middle.
const LEFT_OVER: Duration = Duration::from_secs(60);

/// Writes under another name first: readers see the old file or the new one, whatever happens meanwhile.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, bytes, false)
}

/// The same, and the bytes are on the disk before the name is: not even a machine that loses its power leaves half a file.
pub(crate) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
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

/// A file that grows under another name and takes its own when it is whole. Dropped before, it leaves nothing.
pub(crate) struct WholeFile {
    part: PathBuf,
    path: PathBuf,
    file: Option<BufWriter<File>>,
}

impl WholeFile {
    /// Begins a file that will be at `path`.
    pub fn create(path: &Path) -> io::Result<Self> {
        let part = path.with_extension(format!("{}.part", std::process::id()));
        let file = BufWriter::new(File::create(&part)?);
        Ok(Self { part, path: path.to_path_buf(), file: Some(file) })
    }

    /// Puts the file in its place.
    pub fn finish(mut self) -> io::Result<()> {
        if let Some(mut file) = self.file.take() {
            let written = file.flush();
            drop(file);
            written
                .and_then(|()| fs::rename(&self.part, &self.path))
                .inspect_err(|_| drop(fs::remove_file(&self.part)))?;
        }
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Ok(bytes.len()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            drop(fs::remove_file(&self.part));
        }
    }
}
