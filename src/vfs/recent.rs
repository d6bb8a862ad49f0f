//! A cache of the newest few values.

use std::sync::{PoisonError, RwLock};

/// The newest values, by the keys they were made from. A lookup that finds one only shares the lock, so that threads do not wait
/// for each other.
#[derive(Debug)]
pub(crate) struct Recent<Key, Value, const MOST: usize> {
    newest_first: RwLock<Vec<(Key, Value)>>,
}

impl<Key, Value, const MOST: usize> Default for Recent<Key, Value, MOST> {
    fn default() -> Self {
        Self { newest_first: RwLock::default() }
    }
}

impl<Key, Value: Clone, const MOST: usize> Recent<Key, Value, MOST> {
    /// The value whose key matches; made, and kept in place of the oldest, if there is none.
    pub(crate) fn of(&self, matches: impl Fn(&Key) -> bool, make: impl FnOnce() -> (Key, Value)) -> Value {
        let find = |all: &[(Key, Value)]| all.iter().find(|(key, _)| matches(key)).map(|(_, value)| value.clone());
        if let Some(known) = find(&self.newest_first.read().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        // Threads that look for it meanwhile wait here, and do not make it again.
        let mut all = self.newest_first.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = find(&all) {
            return known;
        }
        let (key, value) = make();
        all.truncate(MOST.saturating_sub(1));
        all.insert(0, (key, value.clone()));
        value
    }
}
