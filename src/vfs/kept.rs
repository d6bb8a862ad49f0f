//! What was made of files, kept as long as they are the same.

use std::sync::{Arc, Mutex, PoisonError};

use super::FileStamps;

/// What was made last of some files of a world.
#[derive(Debug)]
pub struct Kept<T> {
    last: Mutex<Option<(FileStamps, Arc<T>)>>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { last: Mutex::default() }
    }
}

impl<T> Kept<T> {
    /// What is made of files with these stamps; made anew if they are others than last time, or have none.
    pub fn of(&self, stamps: Option<FileStamps>, make: impl FnOnce() -> T) -> Arc<T> {
        let Some(stamps) = stamps else { return Arc::new(make()) };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, kept)) = last.as_ref().filter(|(known, _)| *known == stamps) {
            return Arc::clone(kept);
        }
        let made = Arc::new(make());
        *last = Some((stamps, Arc::clone(&made)));
        made
    }
}
