//! Mount of a virtual file system.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::FileNames;
use super::entry::{EntryPlace, path_through};
use super::folder::FolderMount;
use super::lazy_archive::LazyArchive;
use super::memory::MemoryMount;

#[derive(Debug)]
pub(super) enum Mount {
    Folder(FolderMount),
    Archive(LazyArchive),
    Memory(MemoryMount),
}

impl Mount {
    pub(super) fn find(&self, path: &str) -> Option<String> {
        self.find_by_key(path, &path.to_lowercase())
    }

    pub(super) fn find_by_key(&self, path: &str, key: &str) -> Option<String> {
        match self {
            Self::Folder(folder) => folder.find(path),
            Self::Archive(archive) => archive.get()?.find_by_key(key),
            Self::Memory(memory) => memory.find(path),
        }
    }

    pub(super) fn has_beginning_with(&self, key: &str) -> bool {
        match self {
            Self::Folder(folder) => folder.has_beginning_with(key),
            Self::Archive(archive) => archive.get().is_some_and(|archive| archive.has_beginning_with(key)),
            Self::Memory(memory) => memory.has_beginning_with(key),
        }
    }

    pub(super) fn is_shadowed(&self, path: &str) -> bool {
        match self {
            Self::Folder(folder) => folder.is_shadowed(path),
            // Archives have one file per path, ignoring case.
            Self::Archive(_) | Self::Memory(_) => false,
        }
    }

    pub(super) fn stored(&self, path: &str) -> Option<EntryPlace<'_>> {
        match self {
            Self::Folder(folder) => folder.file_on_disk(path).map(EntryPlace::Disk),
            Self::Archive(archive) => {
                let archive = archive.get()?;
                Some(EntryPlace::Archive(archive, archive.find(path)?))
            }
            Self::Memory(memory) => memory.bytes_of(path).map(EntryPlace::Memory),
        }
    }

    pub(super) fn is_encrypted(&self, path: &str) -> bool {
        match self {
            Self::Archive(archive) => archive.get().is_some_and(|archive| archive.is_encrypted(path)),
            Self::Folder(_) | Self::Memory(_) => false,
        }
    }

    pub(super) fn files_in(&self, folder: &str) -> Arc<FileNames> {
        match self {
            Self::Folder(mount) => mount.files_in(folder),
            Self::Archive(archive) => archive.get().map(|archive| archive.file_names(folder)).unwrap_or_default(),
            Self::Memory(memory) => Arc::new(FileNames::new(memory.files_in(folder))),
        }
    }

    pub(super) fn listing(&self, folder: &str) -> Vec<String> {
        if let Self::Archive(archive) = self {
            return archive.get().map(|archive| archive.listing(folder)).unwrap_or_default();
        }
        self.files_in(folder).iter().map(str::to_owned).collect()
    }

    pub(super) fn location(&self) -> Option<&Path> {
        match self {
            Self::Folder(folder) => Some(folder.root()),
            Self::Archive(archive) => Some(archive.path()),
            Self::Memory(_) => None,
        }
    }

    pub(super) fn folders_in(&self, folder: &str) -> Arc<FileNames> {
        match self {
            Self::Folder(mount) => mount.folders_in(folder),
            Self::Archive(archive) => archive.get().map(|archive| archive.folder_names(folder)).unwrap_or_default(),
            Self::Memory(memory) => Arc::new(FileNames::new(memory.folders_in(folder))),
        }
    }

    pub(super) fn location_of(&self, path: &str) -> Option<PathBuf> {
        match self {
            Self::Folder(folder) => folder.on_disk(path),
            Self::Archive(archive) => {
                let archive = archive.get()?;
                let inner = archive.find(path).or_else(|| archive.find_folder(path))?;
                Some(path_through(archive.path(), &inner))
            }
            Self::Memory(_) => None,
        }
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        match self {
            Self::Archive(archive) => archive.warnings(),
            Self::Folder(_) | Self::Memory(_) => Vec::new(),
        }
    }
}
