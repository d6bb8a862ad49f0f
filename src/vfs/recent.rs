//! A cache of the newest few values.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// The newest values, by the keys they are made from. Threads wait for each other only where they ask for the same value
/// while it is being made.
#[derive(Debug)]
pub(crate) struct Recent<Key, Value, const MOST: usize> {
    newest_first: RwLock<Vec<(Key, Slot<Value>)>>,
}

/// A value, once it is made.
type Slot<Value> = Arc<OnceLock<Arc<Value>>>;

impl<Key, Value, const MOST: usize> Default for Recent<Key, Value, MOST> {
    fn default() -> Self {
        Self { newest_first: RwLock::default() }
    }
}

impl<Key, Value, const MOST: usize> Recent<Key, Value, MOST> {
    /// The value whose key matches; made, and kept under `key` in place of the oldest, if there is none.
    pub(crate) fn of(
        &self,
        matches: impl Fn(&Key) -> bool,
        key: impl FnOnce() -> Key,
        make: impl FnOnce() -> Value,
    ) -> Arc<Value> {
        let slot = self.slot(matches, key);
        Arc::clone(slot.get_or_init(|| Arc::new(make())))
    }

    fn slot(&self, matches: impl Fn(&Key) -> bool, key: impl FnOnce() -> Key) -> Slot<Value> {
        let find =
            |all: &[(Key, Slot<Value>)]| all.iter().find(|(key, _)| matches(key)).map(|(_, slot)| Arc::clone(slot));
        if let Some(known) = find(&self.newest_first.read().unwrap_or_else(PoisonError::into_inner)) {
            return known;
        }
        let mut all = self.newest_first.write().unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been faster.
        if let Some(known) = find(&all) {
            return known;
        }
        all.truncate(MOST.saturating_sub(1));
        let slot = Slot::default();
        all.insert(0, (key(), Arc::clone(&slot)));
        slot
    }
}
