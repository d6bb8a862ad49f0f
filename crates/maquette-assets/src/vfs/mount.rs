//! One of the places that a file world is made of.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::amount::Amount;
use super::folder::Folder;
use super::lazy_archive::LazyArchive;
use super::memory::Memory;
use super::{FileSize, Names, ReadError};

/// A place that holds files. A closed set: what is added is added here, and nowhere else.
#[derive(Debug)]
pub(super) enum Mount {
    Folder(Folder),
    Archive(LazyArchive),
    Memory(Memory),
}

impl Mount {
    pub(super) fn find(&self, path: &str) -> Option<String> {
        self.find_by_key(path, &path.to_lowercase())
    }

    /// The stored spelling of a normalised path; `key` is the same in lower case.
    pub(super) fn find_by_key(&self, path: &str, key: &str) -> Option<String> {
        match self {
            Self::Folder(folder) => folder.find(key),
            Self::Archive(archive) => archive.get()?.find_by_key(key),
            Self::Memory(memory) => memory.find(path),
        }
    }

    /// Whether the path of some file begins with this, which is normalised and in lower case.
    pub(super) fn has_beginning_with(&self, key: &str) -> bool {
        match self {
            Self::Folder(folder) => folder.has_beginning_with(key),
            Self::Archive(archive) => archive.get().is_some_and(|archive| archive.has_beginning_with(key)),
            Self::Memory(memory) => memory.has_beginning_with(key),
        }
    }

    /// Whether another file whose path differs from this one, which is normalised, in case alone is found in its place.
    pub(super) fn is_shadowed(&self, path: &str) -> bool {
        match self {
            Self::Folder(folder) => folder.is_shadowed(path),
            // They have one file of such a name.
            Self::Archive(_) | Self::Memory(_) => false,
        }
    }

    pub(super) fn read(&self, path: &str, amount: Amount) -> Option<Result<Vec<u8>, ReadError>> {
        match self {
            Self::Folder(folder) => folder.read(path, amount),
            Self::Archive(archive) => {
                let archive = archive.get()?;
                (archive.find(path).is_some() || archive.is_encrypted(path)).then(|| archive.read_amount(path, amount))
            }
            Self::Memory(memory) => memory.read(path, amount).map(Ok),
        }
    }

    /// Bytes of a file, as far as they are known without reading it.
    pub(super) fn size_of(&self, path: &str) -> Option<FileSize> {
        match self {
            Self::Folder(folder) => {
                let file = folder.on_disk(path)?;
                std::fs::metadata(file).ok().map(|metadata| FileSize::of(metadata.len()))
            }
            Self::Archive(archive) => archive.get()?.size_of(path),
            Self::Memory(memory) => memory.size_of(path),
        }
    }

    pub(super) fn files_in(&self, folder: &str) -> Arc<Names> {
        match self {
            Self::Folder(mount) => mount.files_in(folder),
            Self::Archive(archive) => archive.get().map(|archive| archive.file_names(folder)).unwrap_or_default(),
            Self::Memory(memory) => Arc::new(Names::new(memory.files_in(folder))),
        }
    }

    /// Names of the files directly in a folder, an archive's in the order of its directory, others sorted.
    pub(super) fn listing(&self, folder: &str) -> Vec<String> {
        if let Self::Archive(archive) = self {
            return archive.get().map(|archive| archive.listing(folder)).unwrap_or_default();
        }
        self.files_in(folder).iter().map(str::to_owned).collect()
    }

    /// The folder or archive itself; none for what lies in memory.
    pub(super) fn place(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder.root()),
            Self::Archive(archive) => Some(archive.path()),
            Self::Memory(_) => None,
        }
    }

    pub(super) fn folders_in(&self, folder: &str) -> Arc<Names> {
        match self {
            Self::Folder(mount) => mount.folders_in(folder),
            Self::Archive(archive) => archive.get().map(|archive| archive.folder_names(folder)).unwrap_or_default(),
            Self::Memory(memory) => Arc::new(Names::new(memory.folders_in(folder))),
        }
    }

    /// Whether a file or folder is here, and where it lies on disk if it does so by itself.
    pub(super) fn on_disk(&self, path: &str) -> Option<Option<PathBuf>> {
        match self {
            Self::Folder(folder) => folder.on_disk(path).map(Some),
            Self::Archive(archive) => {
                let archive = archive.get()?;
                (archive.find(path).is_some() || archive.find_folder(path).is_some()).then_some(None)
            }
            Self::Memory(memory) => memory.find(path).map(|_| None),
        }
    }

    /// Whether a file or folder is here, and the path that leads to it from outside, through an archive if need be.
    pub(super) fn place_of(&self, path: &str) -> Option<Option<PathBuf>> {
        match self {
            Self::Archive(archive) => {
                let archive = archive.get()?;
                let inner = archive.find(path).or_else(|| archive.find_folder(path))?;
                let place = inner.split('/').filter(|part| !part.is_empty());
                Some(Some(place.fold(archive.path().to_path_buf(), |place, part| place.join(part))))
            }
            Self::Folder(_) | Self::Memory(_) => self.on_disk(path),
        }
    }

    pub(super) fn remarks(&self) -> Vec<String> {
        match self {
            Self::Archive(archive) => archive.remarks(),
            Self::Folder(_) | Self::Memory(_) => Vec::new(),
        }
    }
}
