//! The newest few of what was made, kept for who asks again.

use std::sync::{PoisonError, RwLock};

/// The newest of what was made, by what it was made of. Who finds what is meant waits for nobody.
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
    /// What is kept under the key that is meant; made, and kept in place of the oldest, if there is none.
    pub(crate) fn of(&self, is_meant: impl Fn(&Key) -> bool, make: impl FnOnce() -> (Key, Value)) -> Value {
        let find = |all: &[(Key, Value)]| all.iter().find(|(key, _)| is_meant(key)).map(|(_, value)| value.clone());
        if let Some(known) = find(&self.newest_first.read().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        // Others who ask meanwhile wait rather than make the same.
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
