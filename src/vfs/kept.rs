//! What was made of files, kept as long as they are the same.

use std::sync::{Arc, PoisonError, RwLock};

use super::FileStamps;

/// What was made last of some files of a world.
#[derive(Debug)]
pub struct Kept<T> {
    last: RwLock<Option<(FileStamps, Arc<T>)>>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { last: RwLock::default() }
    }
}

impl<T> Kept<T> {
    /// What is made of files with these stamps; made anew if they are others than last time, or have none.
    pub fn of(&self, stamps: Option<FileStamps>, make: impl FnOnce() -> T) -> Arc<T> {
        let Some(stamps) = stamps else { return Arc::new(make()) };
        let find = |last: &Option<(FileStamps, Arc<T>)>| {
            last.as_ref().filter(|(known, _)| *known == stamps).map(|(_, kept)| Arc::clone(kept))
        };
        if let Some(kept) = find(&self.last.read().unwrap_or_else(PoisonError::into_inner)) {
            return kept;
        }
        // Others who ask meanwhile wait rather than make the same.
        let mut last = self.last.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = find(&last) {
            return kept;
        }
        let made = Arc::new(make());
        *last = Some((stamps, Arc::clone(&made)));
        made
    }
}
