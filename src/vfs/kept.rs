//! What was made of files, kept as long as they are the same.

use std::sync::Arc;

use super::FileStamps;
use super::recent::Recent;

/// What was made last of some files of a world.
#[derive(Debug)]
pub struct Kept<T> {
    last: Recent<FileStamps, Arc<T>, 1>,
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
        self.last.of(|known| *known == stamps, || (stamps.clone(), Arc::new(make())))
    }
}
