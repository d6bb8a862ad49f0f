//! What was made of files, kept as long as they are the same.

use std::sync::Arc;

use super::recent::Recent;
use super::{FileStamps, Vfs};

/// What was made last of some files of a world.
#[derive(Debug)]
pub struct Kept<T> {
    last: Recent<FileStamps, T, 1>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { last: Recent::default() }
    }
}

impl<T> Kept<T> {
    /// What is made of files with these stamps; made anew if they are others than last time, or have none.
    pub fn of(&self, stamps: Option<FileStamps>, make: impl FnOnce() -> T) -> Arc<T> {
        let Some(stamps) = stamps else { return Arc::new(make()) };
        self.last.of(|known| *known == stamps, || stamps.clone(), make)
    }
}

/// What was made of single files, of the last `MOST` that were asked for anew: files that many models share are read once.
#[derive(Debug)]
pub struct KeptFiles<T, const MOST: usize> {
    newest: Recent<(String, FileStamps), T, MOST>,
}

impl<T, const MOST: usize> Default for KeptFiles<T, MOST> {
    fn default() -> Self {
        Self { newest: Recent::default() }
    }
}

impl<T, const MOST: usize> KeptFiles<T, MOST> {
    /// What is made of the file at a path of `vfs`; made anew if the file is another than last time.
    pub fn of(&self, vfs: &Vfs, path: &str, make: impl FnOnce() -> T) -> Arc<T> {
        self.made(vfs.stamps(|vfs| Some(vec![vfs.stamp_of(path)?])), path, make)
    }

    /// What is made of what lies at a path of `vfs` and of other files; kept only in a world that is taken not to change.
    pub fn of_unchanging(&self, vfs: &Vfs, path: &str, make: impl FnOnce() -> T) -> Arc<T> {
        self.made(vfs.stamps(|_| None), path, make)
    }

    fn made(&self, stamps: Option<FileStamps>, path: &str, make: impl FnOnce() -> T) -> Arc<T> {
        let Some(stamps) = stamps else { return Arc::new(make()) };
        let is_it = |known: &(String, FileStamps)| known.0 == path && known.1 == stamps;
        self.newest.of(is_it, || (path.to_owned(), stamps.clone()), make)
    }
}
