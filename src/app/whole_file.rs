//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes under another name first: who reads it sees the old file or the new one, whatever happens meanwhile.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let part = path.with_extension(format!("{}.part", std::process::id()));
    fs::write(&part, bytes)?;
    fs::rename(&part, path).inspect_err(|_| drop(fs::remove_file(&part)))
}

/// A file that grows under another name and takes its own when it is whole. Dropped before, it leaves nothing.
pub(super) struct WholeFile {
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
