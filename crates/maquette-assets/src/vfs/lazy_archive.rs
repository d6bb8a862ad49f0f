//! Archive mount.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::archive::Archive;
use super::snapshot::Snapshot;

#[derive(Debug)]
pub(super) struct LazyArchive {
    path: PathBuf,
    snapshot: Arc<Snapshot>,
    archive: OnceLock<Result<Arc<Archive>, String>>,
}

impl LazyArchive {
    pub(super) fn new(path: PathBuf, snapshot: Arc<Snapshot>) -> Self {
        let archive = snapshot.open_archive(&path).map_or_else(OnceLock::new, |archive| OnceLock::from(Ok(archive)));
        Self { path, snapshot, archive }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn get(&self) -> Option<&Arc<Archive>> {
        let open = || self.snapshot.archive(&self.path).map_err(|error| error.to_string());
        self.archive.get_or_init(open).as_ref().ok()
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let sentences = match self.archive.get() {
            None => Vec::new(),
            Some(Ok(archive)) => archive.warnings(),
            Some(Err(why)) => vec![why.clone()],
        };
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        sentences.into_iter().map(|sentence| format!("{name}: {sentence}")).collect()
    }
}
