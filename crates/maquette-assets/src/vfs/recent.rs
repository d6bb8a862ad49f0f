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

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_value_is_made_once_for_all_who_ask_and_the_oldest_goes() {
        let recent: Recent<u32, u32, 2> = Recent::default();
        let made = AtomicUsize::new(0);
        let of = |key: u32| {
            let make = || {
                made.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(20));
                key * 10
            };
            *recent.of(|known| *known == key, || key, make)
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(of(1), 10));
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!([of(2), of(1), of(3), of(2)], [20, 10, 30, 20]);
        assert_eq!(made.load(Ordering::Relaxed), 3);
        assert_eq!(of(1), 10);
        assert_eq!(made.load(Ordering::Relaxed), 4, "it was the oldest when 3 came");
    }
}
