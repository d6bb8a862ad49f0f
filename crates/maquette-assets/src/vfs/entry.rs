//! A file of a virtual file system.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::archive::Archive;
use super::folder::read_file;
use super::{FileSize, ReadError, ReadLimit};

/// File in a mount: on disk, in an archive or in memory.
#[derive(Debug)]
pub struct Entry<'a> {
    pub(super) stored: EntryPlace<'a>,
    pub(super) is_own: bool,
    pub(super) count: Option<&'a Arc<AtomicUsize>>,
}

#[derive(Debug)]
pub(super) enum EntryPlace<'a> {
    Disk(PathBuf),
    Archive(&'a Archive, String),
    Memory(&'a [u8]),
}

impl Entry<'_> {
    /// Reads the file within `limit`.
    pub fn read(&self, limit: ReadLimit) -> Result<Vec<u8>, ReadError> {
        let bytes = match &self.stored {
            EntryPlace::Disk(path) => read_file(path, limit),
            EntryPlace::Archive(archive, path) => archive.read(path, limit),
            EntryPlace::Memory(bytes) => {
                let size = bytes.len() as u64;
                limit.read(&mut &**bytes, size, size, size).map(|(bytes, _)| bytes)
            }
        }?;
        if let Some(count) = self.count {
            count.fetch_add(bytes.len(), Ordering::Relaxed);
        }
        Ok(bytes)
    }

    /// Returns the size of the file, without reading it; `None` if the system does not report one.
    pub fn size(&self) -> Option<FileSize> {
        match &self.stored {
            EntryPlace::Disk(path) => fs::metadata(path).ok().map(|metadata| FileSize::unpacked(metadata.len())),
            EntryPlace::Archive(archive, path) => archive.size_of(path),
            EntryPlace::Memory(bytes) => Some(FileSize::unpacked(bytes.len() as u64)),
        }
    }

    /// Returns a path for [`super::FileSystem::read`], which may lead through an archive; `None` for a file in memory.
    pub fn location(&self) -> Option<PathBuf> {
        match &self.stored {
            EntryPlace::Disk(path) => Some(path.clone()),
            EntryPlace::Archive(archive, path) => Some(path_through(archive.path(), path)),
            EntryPlace::Memory(_) => None,
        }
    }

    /// Returns whether the file is in the folder or archive that the file system was made for.
    pub fn is_own(&self) -> bool {
        self.is_own
    }
}

pub(super) fn path_through(archive: &Path, path: &str) -> PathBuf {
    path.split('/').filter(|part| !part.is_empty()).fold(archive.to_path_buf(), |folder, part| folder.join(part))
}
