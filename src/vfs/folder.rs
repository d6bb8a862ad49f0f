//! A folder on disk as a mount: names compared without regard to case, on any system.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::ReadError;
use super::amount::Amount;

/// A folder. Listings are kept while it is mounted: looking for a picture asks the same folders again and again.
#[derive(Debug)]
pub(super) struct Folder {
    root: PathBuf,
    listings: Mutex<HashMap<PathBuf, Arc<Listing>>>,
}

/// What a folder holds, by lower-cased name.
#[derive(Debug, Default)]
struct Listing {
    entries: HashMap<String, Entry>,
}

#[derive(Debug)]
struct Entry {
    name: String,
    path: PathBuf,
    is_folder: bool,
}

impl Folder {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, listings: Mutex::default() }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn listing(&self, folder: &Path) -> Arc<Listing> {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(listings.entry(folder.to_path_buf()).or_insert_with(|| Arc::new(Listing::of(folder))))
    }

    /// Walks down a normalised path; the stored spelling and the place on disk.
    fn walk(&self, path: &str) -> Option<(String, PathBuf, bool)> {
        let (mut spelling, mut place, mut is_folder) = (String::new(), self.root.clone(), true);
        for part in path.split('/').filter(|part| !part.is_empty()) {
            let listing = self.listing(&place);
            let entry = listing.entries.get(&part.to_lowercase())?;
            if !spelling.is_empty() {
                spelling.push('/');
            }
            spelling.push_str(&entry.name);
            place.clone_from(&entry.path);
            is_folder = entry.is_folder;
        }
        Some((spelling, place, is_folder))
    }

    pub(super) fn find(&self, path: &str) -> Option<String> {
        self.walk(path).filter(|(_, _, is_folder)| !is_folder).map(|(spelling, _, _)| spelling)
    }

    pub(super) fn on_disk(&self, path: &str) -> Option<PathBuf> {
        self.walk(path).map(|(_, place, _)| place)
    }

    pub(super) fn read(&self, path: &str, amount: Amount) -> Option<Result<Vec<u8>, ReadError>> {
        let (_, place, is_folder) = self.walk(path)?;
        (!is_folder).then(|| read_file(&place, amount))
    }

    fn names_in(&self, folder: &str, folders: bool) -> Vec<String> {
        let Some((_, place, true)) = self.walk(folder) else { return Vec::new() };
        let listing = self.listing(&place);
        listing.entries.values().filter(|entry| entry.is_folder == folders).map(|entry| entry.name.clone()).collect()
    }

    pub(super) fn files_in(&self, folder: &str) -> Vec<String> {
        self.names_in(folder, false)
    }

    pub(super) fn folders_in(&self, folder: &str) -> Vec<String> {
        self.names_in(folder, true)
    }
}

impl Listing {
    /// Reads a folder; one that cannot be read is empty. Of names that differ in case alone, the first in byte order
    /// is kept, so that the choice does not be attached to the disk's order.
    fn of(folder: &Path) -> Self {
        let mut entries: Vec<Entry> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| {
                let path = entry.path();
                let is_folder = path.is_dir();
                Entry { name: entry.file_name().to_string_lossy().into_owned(), path, is_folder }
            })
            .collect();
        entries.sort_by(|a, b| b.name.cmp(&a.name));
        Self { entries: entries.into_iter().map(|entry| (entry.name.to_lowercase(), entry)).collect() }
    }
}

/// Reads a file, or its first bytes.
pub(super) fn read_file(path: &Path, amount: Amount) -> Result<Vec<u8>, ReadError> {
    let (file, metadata) = open_plain(path)?;
    if amount == Amount::Whole && metadata.len() > amount.most() {
        return Err(ReadError::TooLarge(metadata.len()));
    }
    let mut bytes = Vec::new();
    file.take(amount.most()).read_to_end(&mut bytes).map_err(ReadError::Io)?;
    Ok(bytes)
}

/// Opens a plain file; anything else (a pipe would never end) is refused.
pub(super) fn open_plain(path: &Path) -> Result<(File, Metadata), ReadError> {
    let not_found = || ReadError::NotFound(path.display().to_string());
    // Asked before it is opened: opening a pipe waits for its writer.
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => not_found(),
        _ => ReadError::Io(error),
    })?;
    if metadata.is_dir() {
        return Err(ReadError::IsFolder);
    }
    if !metadata.is_file() {
        return Err(not_found());
    }
    Ok((File::open(path)?, metadata))
}
