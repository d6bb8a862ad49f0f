//! Folder mount: a folder on disk whose names are compared without regard to case on any system.

use crate::limits::MAX_FILE_BYTES;
use std::fs::{self, File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::dir_listing::DirListing;
use super::snapshot::Snapshot;
use super::{FileNames, ReadError, ReadLimit, join};

#[derive(Debug)]
pub(super) struct FolderMount {
    root: PathBuf,
    snapshot: Arc<Snapshot>,
    scope: u32,
    /// The mount's root. Lets paths that begin with none of its folders fail early.
    top: OnceLock<Arc<Inner>>,
}

#[derive(Debug)]
struct Inner {
    spelling: String,
    path: PathBuf,
    listing: Arc<DirListing>,
}

impl FolderMount {
    pub(super) fn new(root: PathBuf, snapshot: Arc<Snapshot>) -> Self {
        let scope = snapshot.new_scope();
        Self { root, snapshot, scope, top: OnceLock::new() }
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    fn top(&self) -> &Arc<Inner> {
        self.top.get_or_init(|| {
            let listing = self.snapshot.listing(&self.root);
            Arc::new(Inner { spelling: String::new(), path: self.root.clone(), listing })
        })
    }

    fn inner(&self, key: &str) -> Option<Arc<Inner>> {
        let top = self.top();
        if key.is_empty() {
            return Some(Arc::clone(top));
        }
        let first = key.split('/').next().unwrap_or(key);
        top.listing.folders.get(first)?;
        let memo = &self.snapshot.memo;
        if let Some(known) = memo.peek(self.scope, key.as_bytes()) {
            return Some(known);
        }
        let (above, name) = key.rsplit_once('/').unwrap_or(("", key));
        let above = self.inner(above)?;
        let name = above.listing.folders.get(name)?;
        Some(memo.get(self.scope, key.as_bytes(), || {
            let (spelling, path) = (join(&above.spelling, name), above.listing.path_of(&above.path, name));
            let bytes = spelling.len() + path.as_os_str().len();
            (Inner { listing: self.snapshot.listing(&path), spelling, path }, bytes)
        }))
    }

    fn file<T>(&self, path: &str, found: impl FnOnce(&Inner, &DirListing, &str) -> T) -> Option<T> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let inner = self.inner(&folder.to_lowercase())?;
        inner.listing.file(name).map(|name| found(&inner, &inner.listing, name))
    }

    pub(super) fn find(&self, path: &str) -> Option<String> {
        self.file(path, |inner, _, name| join(&inner.spelling, name))
    }

    pub(super) fn is_shadowed(&self, path: &str) -> bool {
        let mut folder = Some(Arc::clone(self.top()));
        let mut key = String::new();
        for part in path.split('/') {
            let Some(inner) = folder else { return false };
            if inner.listing.is_dropped(part) {
                return true;
            }
            key = join(&key, &part.to_lowercase());
            folder = self.inner(&key);
        }
        false
    }

    /// Returns whether the path of a file begins with `key`, which is normalised and in lower case. The last part of
    /// `key` may be the start of a name.
    pub(super) fn has_beginning_with(&self, key: &str) -> bool {
        let (folder, name) = key.rsplit_once('/').unwrap_or(("", key));
        let Some(inner) = self.inner(folder) else { return false };
        let listing = &inner.listing;
        listing.files.beginning_with(name).next().is_some() || listing.folders.beginning_with(name).next().is_some()
    }

    pub(super) fn on_disk(&self, path: &str) -> Option<PathBuf> {
        self.file_on_disk(path).or_else(|| self.inner(&path.to_lowercase()).map(|inner| inner.path.clone()))
    }

    pub(super) fn file_on_disk(&self, path: &str) -> Option<PathBuf> {
        self.file(path, |inner, listing, name| listing.path_of(&inner.path, name))
    }

    pub(super) fn files_in(&self, folder: &str) -> Arc<FileNames> {
        self.listing_of(folder).map(|listing| Arc::clone(&listing.files)).unwrap_or_default()
    }

    pub(super) fn folders_in(&self, folder: &str) -> Arc<FileNames> {
        self.listing_of(folder).map(|listing| Arc::clone(&listing.folders)).unwrap_or_default()
    }

    fn listing_of(&self, folder: &str) -> Option<Arc<DirListing>> {
        self.inner(&folder.to_lowercase()).map(|inner| Arc::clone(&inner.listing))
    }
}

pub(super) fn read_file(path: &Path, limit: ReadLimit) -> Result<Vec<u8>, ReadError> {
    let (mut file, metadata) = open_plain(path)?;
    Ok(limit.read(&mut file, metadata.len(), MAX_FILE_BYTES, metadata.len())?.0)
}

/// Opens a regular file. Fails for anything else, such as a pipe, which might never end.
pub(super) fn open_plain(path: &Path) -> Result<(File, Metadata), ReadError> {
    let not_found = || ReadError::NotFound(path.display().to_string());
    // Checked before opening, because opening a pipe waits for its writer.
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => not_found(),
        _ => ReadError::Io(error),
    })?;
    if metadata.is_dir() {
        return Err(ReadError::IsFolder);
    }
    if !metadata.is_file() {
        return Err(ReadError::NotRegular);
    }
    Ok((File::open(path)?, metadata))
}
