//! Where bytes come from: one file world, so that to everything else a loose folder looks like any other place.
//!
//! A [`Vfs`] is a list of mounts, searched in order. Paths inside it are game paths: relative, forward slashes, any case.

mod folder;
mod memory;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use folder::Folder;
use memory::Memory;

/// Folders of every game; none of them is itself a root, though `models` holds `players`.
const GAME_FOLDERS: [&str; 5] = ["models", "scripts", "materials", "textures", "players"];
/// Names whose presence marks a folder as the root of a game.
const ROOT_SIGNS: [&str; 8] =
    ["models", "scripts", "materials", "textures", "players", "pak0.pk3", "pak0.pak", "pak000.pk4"];
/// Folders climbed in search of the root.
const CLIMB: usize = 12;
/// Largest file read whole, in bytes.
const LARGEST_FILE: u64 = 1 << 30;

/// A searchable set of places.
#[derive(Debug, Default)]
pub struct Vfs {
    mounts: Vec<Mount>,
}

/// A place that holds files. A closed set: what is added (an archive) is added here, and nowhere else.
#[derive(Debug)]
enum Mount {
    Folder(Folder),
    Memory(Memory),
}

impl Mount {
    fn find(&self, path: &str) -> Option<String> {
        match self {
            Self::Folder(folder) => folder.find(path),
            Self::Memory(memory) => memory.find(path),
        }
    }

    fn read(&self, path: &str) -> Option<Result<Vec<u8>, ReadError>> {
        match self {
            Self::Folder(folder) => folder.read(path, LARGEST_FILE),
            Self::Memory(memory) => memory.read(path).map(Ok),
        }
    }

    fn files_in(&self, folder: &str) -> Vec<String> {
        match self {
            Self::Folder(mount) => mount.files_in(folder),
            Self::Memory(memory) => memory.files_in(folder),
        }
    }

    fn folders_in(&self, folder: &str) -> Vec<String> {
        match self {
            Self::Folder(mount) => mount.folders_in(folder),
            Self::Memory(memory) => memory.folders_in(folder),
        }
    }

    fn on_disk(&self, path: &str) -> Option<PathBuf> {
        match self {
            Self::Folder(folder) => folder.on_disk(path),
            Self::Memory(_) => None,
        }
    }
}

/// Why a file could not be read.
#[derive(Debug)]
pub enum ReadError {
    /// No mount has it.
    NotFound(String),
    /// It is a folder.
    IsFolder,
    /// It is larger than anything of its kind should be.
    TooLarge(u64),
    /// The system refused.
    Io(io::Error),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound(path) => write!(f, "there is no file {path}"),
            Self::IsFolder => f.write_str("this is a folder, not a file"),
            Self::TooLarge(bytes) => write!(f, "the file has {bytes} bytes; at most {LARGEST_FILE} are read"),
            Self::Io(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ReadError {}

impl Vfs {
    /// The file world of a file on disk: its game root, found by climbing until a folder looks like one (else the
    /// file's own folder), and the file's path in it, for people and for what lies beside it. The file itself is read
    /// with [`read_file`], by the name it was given.
    pub fn around(file: &Path) -> io::Result<(Self, String)> {
        let file = std::path::absolute(file)?;
        // Links and `..` resolved, so that climbing leads where the file really is.
        let own = file.parent().unwrap_or(Path::new("/")).canonicalize()?;
        let root = find_root(&own).unwrap_or_else(|| own.clone());
        let below = own.strip_prefix(&root).unwrap_or(Path::new(""));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let folders = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned());
        let game_path = folders.chain([name]).collect::<Vec<_>>().join("/");
        Ok((Self { mounts: vec![Mount::Folder(Folder::new(root))] }, game_path))
    }

    /// A file world of files in memory, by game path.
    #[must_use]
    pub fn in_memory(files: Vec<(String, &'static [u8])>) -> Self {
        Self { mounts: vec![Mount::Memory(Memory::new(files))] }
    }

    /// The folder on disk that is searched first, for people.
    #[must_use]
    pub fn root(&self) -> Option<&Path> {
        self.mounts.iter().find_map(|mount| match mount {
            Mount::Folder(folder) => Some(folder.root()),
            Mount::Memory(_) => None,
        })
    }

    /// The stored spelling of a path that some mount has, ignoring case.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<String> {
        let path = normalise(path)?;
        self.mounts.iter().find_map(|mount| mount.find(&path))
    }

    /// The bytes of a file, from the first mount that has it.
    pub fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        let wanted = normalise(path).ok_or_else(|| ReadError::NotFound(path.to_owned()))?;
        let mut mounts = self.mounts.iter();
        let found = mounts.find_map(|mount| mount.read(&wanted));
        found.unwrap_or(Err(ReadError::NotFound(wanted)))
    }

    /// Names of the files directly in a folder, sorted, each once.
    #[must_use]
    pub fn files_in(&self, folder: &str) -> Vec<String> {
        let Some(folder) = normalise(folder) else { return Vec::new() };
        let names: BTreeSet<String> = self.mounts.iter().flat_map(|mount| mount.files_in(&folder)).collect();
        names.into_iter().collect()
    }

    /// Names of the folders directly in a folder, sorted, each once.
    #[must_use]
    pub fn folders_in(&self, folder: &str) -> Vec<String> {
        let Some(folder) = normalise(folder) else { return Vec::new() };
        let names: BTreeSet<String> = self.mounts.iter().flat_map(|mount| mount.folders_in(&folder)).collect();
        names.into_iter().collect()
    }

    /// Where a file lies on disk, for people and for the system.
    #[must_use]
    pub fn on_disk(&self, path: &str) -> Option<PathBuf> {
        let path = normalise(path)?;
        self.mounts.iter().find_map(|mount| mount.on_disk(&path))
    }
}

/// Reads a whole file from disk. What is no plain file (a pipe would never end) and what is too large is refused.
pub fn read_file(path: &Path) -> Result<Vec<u8>, ReadError> {
    folder::read_file(path, LARGEST_FILE)
}

/// The nearest folder at or above `folder` that looks like the root of a game.
fn find_root(folder: &Path) -> Option<PathBuf> {
    let looks_like_root = |folder: &&Path| {
        let own_name = folder.file_name().unwrap_or_default();
        if GAME_FOLDERS.iter().any(|name| own_name.eq_ignore_ascii_case(name)) {
            return false;
        }
        let Ok(entries) = std::fs::read_dir(folder) else { return false };
        entries.flatten().any(|entry| {
            let name = entry.file_name();
            ROOT_SIGNS.iter().any(|sign| name.eq_ignore_ascii_case(sign))
        })
    };
    folder.ancestors().take(CLIMB).find(looks_like_root).map(Path::to_path_buf)
}

/// A game path as everything here compares it: forward slashes, no `.`, no empty parts. `None` if it would leave the
/// root (`..`, a drive letter) or holds a NUL.
#[must_use]
pub fn normalise(path: &str) -> Option<String> {
    let mut parts = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => return None,
            part if part.contains(['\0', ':']) => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Folder of a game path, empty at the root.
#[must_use]
pub fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// File name of a game path.
#[must_use]
pub fn name_of(path: &str) -> &str {
    path.rsplit_once(['/', '\\']).map_or(path, |(_, name)| name)
}

/// A path with its last extension off, and that extension: `glass.tga.tga` gives `glass.tga` and `tga`. Dots in folders
/// and a leading dot are no extension.
#[must_use]
pub fn split_extension(path: &str) -> (&str, &str) {
    let name_start = path.len() - name_of(path).len();
    match path.rfind('.') {
        Some(dot) if dot > name_start => (&path[..dot], &path[dot + 1..]),
        _ => (path, ""),
    }
}
