//! Where bytes come from: one file world, so that to everything else a loose folder looks like any other place.
//!
//! A [`Vfs`] is a list of mounts, searched in order: folders, archives, memory. Paths inside it are game paths: relative,
//! forward slashes, any case. A [`FileSystem`] makes the world around a path, which may lead into an archive.

#![forbid(unsafe_code)]

mod amount;
mod archive;
mod archive_cache;
mod file_size;
mod file_system;
mod folder;
mod game_signs;
mod kept;
mod listing;
mod memory;
mod merged_names;
mod mount;
mod names;
mod path;
mod place;
mod read_error;
pub(crate) mod recent;
mod replaced;
mod search_path;
mod unchanging;

use std::borrow::Cow;
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use amount::Amount;
use memory::Memory;
use merged_names::MergedNames;
use mount::Mount;

pub use archive::{Archive, archive_format, read_directory};
pub use file_size::{FileSize, UnpackingRoom};
pub use file_system::FileSystem;
pub use kept::{Kept, KeptFiles};
pub use names::Names;
pub use path::{
    ARCHIVE_EXTENSIONS, DEEPEST_PATH, LONGEST_PATH, folder_of, is_archive_folder_name, is_archive_name, name_of,
    normalise, split_extension,
};
pub use place::Place;
pub use read_error::ReadError;
pub use replaced::name_of_place;
pub use search_path::SearchOrder;

/// Largest file read whole, in bytes; also the largest that an entry of an archive may unpack to.
const LARGEST_FILE: u64 = 1 << 30;

/// A searchable set of places.
#[derive(Debug, Default)]
pub struct Vfs {
    mounts: Vec<Mount>,
    merged: Arc<MergedNames>,
    /// The folder or archive that the world was made for.
    home: Option<PathBuf>,
    /// Where among the mounts that is.
    own: Option<usize>,
    /// Mounts that the game searches before it, whatever the order here.
    before_own: Vec<usize>,
    /// Whether the game's order is another than the one with the own archive first.
    order_matters: bool,
    remarks: Vec<String>,
    /// Its number, if it is taken for granted that nothing in it changes.
    unchanging: Option<u64>,
}

/// While it is the same, so are the files that it is of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileStamps {
    /// A world in which it is taken for granted that nothing changes.
    Unchanging(u64),
    /// Where each lies, and how long and how old it, or its archive, is.
    Files(Vec<FileStamp>),
    /// The folders they lie in, place by place as these are searched, where nothing changes: worlds may have them in common.
    Folders(Vec<FolderStamp>),
}

/// A folder in a place of a world, and the names of its files.
#[derive(Clone, Debug)]
pub struct FolderStamp {
    place: PathBuf,
    names: Arc<Names>,
}

impl PartialEq for FolderStamp {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place && Arc::ptr_eq(&self.names, &other.names)
    }
}

impl Eq for FolderStamp {}

/// Where a file lies, and how long and how old it, or its archive, is.
pub type FileStamp = (PathBuf, u64, Option<SystemTime>);

impl Vfs {
    /// The file world of a file on disk or in an archive, and the file's path in it, for people and for what lies beside
    /// it: what [`FileSystem::around`] gives without anything that the user added. The file itself is read with
    /// [`FileSystem::read`], by the name it was given.
    pub fn around(file: &Path) -> io::Result<(Self, String)> {
        Ok(FileSystem::default().world(file)?)
    }

    /// A file world of files in memory, by game path.
    #[must_use]
    pub fn in_memory<Bytes: Into<Cow<'static, [u8]>>>(files: Vec<(String, Bytes)>) -> Self {
        let files = files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
        Self { mounts: vec![Mount::Memory(Memory::new(files))], ..Self::default() }
    }

    /// The folder or archive that the world was made for, for people: the file's own root.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.home.as_deref()
    }

    /// The stored spelling of a path that some mount has, ignoring case.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<String> {
        let path = normalise(path)?;
        let key = path.to_lowercase();
        self.mounts.iter().find_map(|mount| mount.find_by_key(&path, &key))
    }

    /// Whether, in the place that the world was made for, another file is found in place of this one, as their paths differ
    /// in case alone: games compare them without regard to it, and so know one of them.
    #[must_use]
    pub fn is_shadowed(&self, path: &str) -> bool {
        let own = self.own.and_then(|own| self.mounts.get(own));
        own.zip(normalise(path)).is_some_and(|(own, path)| own.is_shadowed(&path))
    }

    /// Whether [`Self::find`] may find a file whose path begins with `start`: false only if no path does, in any case.
    #[must_use]
    pub fn may_have_beginning_with(&self, start: &str) -> bool {
        // What a letter beyond ASCII is in lower case may depend on the one that follows it.
        if !start.is_ascii() {
            return true;
        }
        let Some(start) = normalise(start) else { return true };
        let key = start.to_ascii_lowercase();
        self.mounts.iter().any(|mount| mount.has_beginning_with(&key))
    }

    /// The bytes of a file, from the first mount that has it and can give it: an encrypted entry is passed over.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        self.read_amount(path, Amount::Whole)
    }

    /// The first bytes of a file, `most` of them if it has so many; no more is read or unpacked.
    pub fn read_up_to(&self, path: &str, most: u64) -> Result<Vec<u8>, ReadError> {
        self.read_amount(path, Amount::UpTo(most))
    }

    fn read_amount(&self, path: &str, amount: Amount) -> Result<Vec<u8>, ReadError> {
        let wanted = normalise(path).ok_or_else(|| ReadError::NotFound(path.to_owned()))?;
        let mut encrypted = None;
        for found in self.mounts.iter().filter_map(|mount| mount.read(&wanted, amount)) {
            match found {
                Err(error @ ReadError::Encrypted(_)) => encrypted = encrypted.or(Some(error)),
                found => return found,
            }
        }
        Err(encrypted.unwrap_or(ReadError::NotFound(wanted)))
    }

    /// How large a file is; none if there is no such file.
    #[must_use]
    pub fn size_of(&self, path: &str) -> Option<FileSize> {
        let path = normalise(path)?;
        self.mounts.iter().find_map(|mount| mount.size_of(&path))
    }

    /// Names of the files directly in a folder, sorted without regard to case, each once.
    #[must_use]
    pub fn files_in(&self, folder: &str) -> Vec<String> {
        self.file_names(folder).iter().map(str::to_owned).collect()
    }

    /// [`Self::files_in`] as a list that is shared by all who ask for it, also in other worlds of the same files.
    #[must_use]
    pub fn file_names(&self, folder: &str) -> Arc<Names> {
        self.names_in(folder, Mount::files_in)
    }

    /// Names of the files directly in a folder as games list them: place by place in the order they are searched, each once;
    /// those of an archive in the order of its directory (ioquake3 `code/qcommon/files.c`: `FS_ListFilteredFiles`), those of
    /// a folder, whose order is the disk's, sorted without regard to case.
    #[must_use]
    pub fn listing(&self, folder: &str) -> Vec<String> {
        let Some(folder) = normalise(folder) else { return Vec::new() };
        let mut seen = HashSet::new();
        let mut listing = Vec::new();
        for mount in &self.mounts {
            let names = mount.listing(&folder);
            listing.extend(names.into_iter().filter(|name| seen.insert(name.to_lowercase())));
        }
        listing
    }

    /// Names of the folders directly in a folder, sorted without regard to case, each once.
    #[must_use]
    pub fn folders_in(&self, folder: &str) -> Vec<String> {
        self.folder_names(folder).iter().map(str::to_owned).collect()
    }

    /// [`Self::folders_in`] as a list that is shared by all who ask for it, also in other worlds of the same files.
    #[must_use]
    pub fn folder_names(&self, folder: &str) -> Arc<Names> {
        self.names_in(folder, Mount::folders_in)
    }

    /// Of names that differ in case alone, the one that is searched first is kept.
    fn names_in(&self, folder: &str, list: fn(&Mount, &str) -> Arc<Names>) -> Arc<Names> {
        let Some(folder) = normalise(folder) else { return Arc::default() };
        self.merged.of(self.mounts.iter().map(|mount| list(mount, &folder)).collect())
    }

    /// Where a file or folder lies on disk, for people and for the system; none if it lies in an archive.
    #[must_use]
    pub fn on_disk(&self, path: &str) -> Option<PathBuf> {
        let path = normalise(path)?;
        self.mounts.iter().find_map(|mount| mount.on_disk(&path)).flatten()
    }

    /// Where a file or folder lies: a path that [`FileSystem::read`] reads again. For what lies in an archive it leads
    /// through it, as `/games/baseq3/pak0.pk3/models/a.md3`.
    #[must_use]
    pub fn place_of(&self, game_path: &str) -> Option<PathBuf> {
        let path = normalise(game_path)?;
        self.mounts.iter().find_map(|mount| mount.place_of(&path)).flatten()
    }

    /// Where a file lies, and how long and how old it, or its archive, is: while that is the same, so is the file. None for
    /// what lies in memory.
    #[must_use]
    pub fn stamp_of(&self, path: &str) -> Option<FileStamp> {
        let place = self.place_of(path)?;
        let metadata = place.ancestors().find_map(|place| std::fs::metadata(place).ok())?;
        Some((place, metadata.len(), metadata.modified().ok()))
    }

    /// What tells whether files are still the same: what `files` gives of them, unless nothing changes here. None where
    /// that cannot be told.
    #[must_use]
    pub fn stamps(&self, files: impl FnOnce(&Self) -> Option<Vec<FileStamp>>) -> Option<FileStamps> {
        match self.unchanging {
            Some(number) => Some(FileStamps::Unchanging(number)),
            None => files(self).map(FileStamps::Files),
        }
    }

    /// The same for all files directly in some folders: other worlds that have them from the same places have the same files.
    #[must_use]
    pub fn stamps_in(
        &self,
        folders: &[&str],
        files: impl FnOnce(&Self) -> Option<Vec<FileStamp>>,
    ) -> Option<FileStamps> {
        if self.unchanging.is_none() {
            return self.stamps(files);
        }
        let mut stamps = Vec::new();
        for mount in &self.mounts {
            for names in folders.iter().map(|folder| mount.files_in(folder)).filter(|names| !names.is_empty()) {
                let Some(place) = mount.place() else { return self.stamps(files) };
                stamps.push(FolderStamp { place: place.to_path_buf(), names });
            }
        }
        Some(FileStamps::Folders(stamps))
    }

    /// What is odd about the archives that were needed so far, in sentences.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        self.remarks.iter().cloned().chain(self.mounts.iter().flat_map(Mount::remarks)).collect()
    }
}

/// The path of a file or folder called `name` in `folder`, which is empty for the root.
#[must_use]
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// Reads a whole file from disk. What is no plain file (a pipe would never end) and what is too large is refused.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    folder::read_file(path, Amount::Whole)
}
