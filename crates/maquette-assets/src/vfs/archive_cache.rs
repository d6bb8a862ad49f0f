//! Archives that are open, so that two worlds, or two questions to one, share them.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use super::ReadError;
use super::archive::Archive;

/// Open archives by path. Worlds own them; the shelf only knows them, and holds on to the one asked for last.
#[derive(Debug, Default)]
pub(super) struct ArchiveCache {
    open: Mutex<HashMap<PathBuf, Weak<Archive>>>,
    last: Mutex<Option<Arc<Archive>>>,
}

impl ArchiveCache {
    /// The archive at `path` if it is open and its file has not changed.
    fn known(&self, path: &Path) -> Option<Arc<Archive>> {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let archive = open.get(path).and_then(Weak::upgrade);
        drop(open);
        archive.filter(|archive| archive.is_fresh())
    }

    /// The archive at `path`.
    pub(super) fn open(&self, path: &Path) -> Result<Arc<Archive>, ReadError> {
        let archive = match self.known(path) {
            Some(archive) => archive,
            None => {
                let archive = Arc::new(Archive::open(path)?);
                let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
                open.retain(|_, archive| archive.strong_count() > 0);
                open.insert(path.to_path_buf(), Arc::downgrade(&archive));
                archive
            }
        };
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&archive));
        Ok(archive)
    }
}

/// An archive as a mount: opened at first need, once.
#[derive(Debug)]
pub(super) struct Shelved {
    path: PathBuf,
    shelf: Arc<ArchiveCache>,
    /// The archive, or why there is none.
    archive: OnceLock<Result<Arc<Archive>, String>>,
}

impl Shelved {
    /// An archive to be opened when it is needed; one that is open already stays so.
    pub(super) fn new(path: PathBuf, shelf: Arc<ArchiveCache>) -> Self {
        let archive = shelf.known(&path).map_or_else(OnceLock::new, |archive| OnceLock::from(Ok(archive)));
        Self { path, shelf, archive }
    }

    /// Where the archive lies.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The archive, unless it cannot be opened.
    pub(super) fn get(&self) -> Option<&Arc<Archive>> {
        let open = || self.shelf.open(&self.path).map_err(|error| error.to_string());
        self.archive.get_or_init(open).as_ref().ok()
    }

    /// What is odd about it so far: nothing while it was not needed.
    pub(super) fn remarks(&self) -> Vec<String> {
        let sentences = match self.archive.get() {
            None => Vec::new(),
            Some(Ok(archive)) => archive.remarks(),
            Some(Err(why)) => vec![why.clone()],
        };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        sentences.into_iter().map(|sentence| format!("{name}: {sentence}")).collect()
    }
}
