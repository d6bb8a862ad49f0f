//! Memo table of values made from files.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Maximum bytes of all values together. Beyond them, the least recently used values are dropped until half are left.
const MAX_BYTES: usize = 128 << 20;
/// Estimated bytes of an entry without its key and its value.
const ENTRY_BYTES: usize = 256;

/// Values by type, scope and key. A thread only waits for another one if it needs the value that the other thread is
/// making.
#[derive(Default)]
pub(super) struct Memo {
    table: RwLock<MemoTable>,
    /// Number of entries made so far; the time stamp for the use of values.
    clock: AtomicU64,
}

type EntriesByKey = HashMap<Box<[u8]>, Entry>;

#[derive(Default)]
struct MemoTable {
    entries: HashMap<(TypeId, u32), EntriesByKey>,
    bytes: usize,
}

struct Entry {
    /// An `OnceLock<Arc<T>>`.
    slot: Arc<dyn Any + Send + Sync>,
    used: AtomicU64,
    /// Bytes of the value; 0 until the value is made.
    bytes: usize,
}

type Slot<T> = OnceLock<Arc<T>>;

impl Memo {
    /// Returns the value of a key, and makes it if there is none. `make` also returns the bytes that the value takes.
    pub(super) fn get<T: Any + Send + Sync>(
        &self,
        scope: u32,
        key: &[u8],
        make: impl FnOnce() -> (T, usize),
    ) -> Arc<T> {
        let slot = self.known::<T>(scope, key).unwrap_or_else(|| self.add::<T>(scope, key));
        let mut made = None;
        let value = slot.get_or_init(|| {
            let (value, bytes) = make();
            made = Some(bytes);
            Arc::new(value)
        });
        if let Some(bytes) = made {
            self.count::<T>(scope, key, bytes);
        }
        Arc::clone(value)
    }

    pub(super) fn peek<T: Any + Send + Sync>(&self, scope: u32, key: &[u8]) -> Option<Arc<T>> {
        self.known::<T>(scope, key)?.get().cloned()
    }

    pub(super) fn all<T: Any + Send + Sync>(&self, scope: u32) -> Vec<(Box<[u8]>, Arc<T>)> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let entries = table.entries.get(&(TypeId::of::<T>(), scope)).into_iter().flatten();
        let made = entries.filter_map(|(key, entry)| Some((key.clone(), entry.slot::<T>()?.get()?.clone())));
        made.collect()
    }

    fn known<T: Any + Send + Sync>(&self, scope: u32, key: &[u8]) -> Option<Arc<Slot<T>>> {
        let table = self.table.read().unwrap_or_else(PoisonError::into_inner);
        let entry = table.entries.get(&(TypeId::of::<T>(), scope))?.get(key)?;
        let now = self.clock.load(Ordering::Relaxed);
        if entry.used.load(Ordering::Relaxed) != now {
            entry.used.store(now, Ordering::Relaxed);
        }
        entry.slot::<T>()
    }

    fn add<T: Any + Send + Sync>(&self, scope: u32, key: &[u8]) -> Arc<Slot<T>> {
        let now = self.clock.fetch_add(1, Ordering::Relaxed) + 1;
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let entries = table.entries.entry((TypeId::of::<T>(), scope)).or_default();
        let new = || Entry { slot: Arc::new(Slot::<T>::new()), used: AtomicU64::new(now), bytes: 0 };
        entries.entry(key.into()).or_insert_with(new).slot::<T>().unwrap_or_default()
    }

    fn count<T: Any>(&self, scope: u32, key: &[u8], bytes: usize) {
        let mut table = self.table.write().unwrap_or_else(PoisonError::into_inner);
        let table = &mut *table;
        let Some(entry) = table.entries.get_mut(&(TypeId::of::<T>(), scope)).and_then(|own| own.get_mut(key)) else {
            return;
        };
        entry.bytes = bytes + key.len() + ENTRY_BYTES;
        table.bytes += entry.bytes;
        if table.bytes > MAX_BYTES {
            table.drop_oldest(self.clock.load(Ordering::Relaxed));
        }
    }
}

impl MemoTable {
    fn drop_oldest(&mut self, now: u64) {
        let all = self.entries.values().flat_map(HashMap::values);
        let mut ages: Vec<(u64, usize)> = all
            .map(|entry| (entry.used.load(Ordering::Relaxed), entry.bytes))
            .filter(|(used, _)| *used < now)
            .collect();
        ages.sort_unstable();
        let mut left = self.bytes;
        let mut last = 0;
        for (used, bytes) in ages {
            if left <= MAX_BYTES / 2 {
                break;
            }
            (last, left) = (used, left - bytes);
        }
        for entries in self.entries.values_mut() {
            entries.retain(|_, entry| entry.used.load(Ordering::Relaxed) > last);
        }
        self.entries.retain(|_, entries| !entries.is_empty());
        self.bytes = self.entries.values().flat_map(HashMap::values).map(|entry| entry.bytes).sum();
    }
}

impl Entry {
    fn slot<T: Any + Send + Sync>(&self) -> Option<Arc<Slot<T>>> {
        Arc::clone(&self.slot).downcast().ok()
    }
}

impl fmt::Debug for Memo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Memo").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::thread;
    use std::time::Duration;

    use super::*;

    #[test]
    fn value_is_made_once_for_all_threads() {
        let memo = Memo::default();
        let made = AtomicUsize::new(0);
        let get = |key: &str| {
            *memo.get(0, key.as_bytes(), || {
                made.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(20));
                (key.len(), 0)
            })
        };
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| assert_eq!(get("abc"), 3));
            }
        });
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!((get("ab"), get("abc"), made.load(Ordering::Relaxed)), (2, 3, 2));
        assert_eq!(*memo.get(1, b"abc", || ("another scope".to_owned(), 0)), "another scope");
        assert_eq!(*memo.get(0, b"abc", || ("another type".to_owned(), 0)), "another type");
    }

    #[test]
    fn least_recently_used_values_are_evicted_beyond_limit() {
        let memo = Memo::default();
        let get = |key: u8, bytes: usize| drop(memo.get(0, &[key], || (key, bytes)));
        (0..8).for_each(|key| get(key, MAX_BYTES / 8 - 2 * ENTRY_BYTES));
        get(0, 0);
        get(8, MAX_BYTES / 8);
        let known: Vec<u8> = (0..9).filter(|key| memo.peek::<u8>(0, &[*key]).is_some()).collect();
        assert!(known.contains(&8) && !known.contains(&1) && known.len() < 6, "{known:?}");
        // However large, the newest value is kept.
        get(9, 2 * MAX_BYTES);
        assert!(memo.peek::<u8>(0, &[9]).is_some());
    }
}
