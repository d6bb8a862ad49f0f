//! Names of folders that several mounts have.

use std::sync::{Arc, PoisonError, RwLock};

use super::Names;

/// Lists that are kept.
const MOST: usize = 8;

/// What each mount has, and all of it.
type Merged = (Vec<Arc<Names>>, Arc<Names>);

/// The names of folders that several mounts have, as long as what each has is the same list.
#[derive(Debug, Default)]
pub(super) struct MergedNames {
    /// The newest first.
    known: RwLock<Vec<Merged>>,
}

impl MergedNames {
    /// All names of the mounts, in the order these are searched. Of names that differ in case alone the first is kept.
    pub(super) fn of(&self, mut mounts: Vec<Arc<Names>>) -> Arc<Names> {
        mounts.retain(|names| !names.is_empty());
        match mounts.as_slice() {
            [] => return Arc::default(),
            [only] => return Arc::clone(only),
            _ => {}
        }
        let is_same = |parts: &[Arc<Names>]| {
            parts.len() == mounts.len() && parts.iter().zip(&mounts).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        let find =
            |known: &[Merged]| known.iter().find(|(parts, _)| is_same(parts)).map(|(_, merged)| Arc::clone(merged));
        if let Some(merged) = find(&self.known.read().unwrap_or_else(PoisonError::into_inner)) {
            return merged;
        }
        // Others who ask meanwhile wait rather than merge the same.
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(merged) = find(&known) {
            return merged;
        }
        let merged = Arc::new(Names::new(mounts.iter().flat_map(|names| names.iter()).map(str::to_owned)));
        known.truncate(MOST - 1);
        known.insert(0, (mounts, Arc::clone(&merged)));
        merged
    }
}
