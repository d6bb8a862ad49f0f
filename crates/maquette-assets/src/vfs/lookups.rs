//! Record of the files that were looked up for a model.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Files that were looked up, found or not. If one of them appears or changes, the result may be different.
#[derive(Default)]
pub struct Lookups(Mutex<Vec<Test>>);

/// Function that returns whether a game path in lower case was looked up.
type Test = Box<dyn Fn(&str) -> bool + Send + Sync>;

impl Lookups {
    /// Returns whether a file at this game path was looked up.
    pub fn include(&self, game_path: &str) -> bool {
        let path = game_path.to_lowercase();
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().any(|includes| includes(&path))
    }

    pub(super) fn add(&self, includes: impl Fn(&str) -> bool + Send + Sync + 'static) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(includes));
    }

    /// Adds the lookups that made a shared value.
    pub(super) fn add_shared(&self, shared: &Arc<Self>) {
        if !shared.0.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            let shared = Arc::clone(shared);
            self.add(move |path| shared.include(path));
        }
    }
}

impl fmt::Debug for Lookups {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lookups").finish_non_exhaustive()
    }
}
