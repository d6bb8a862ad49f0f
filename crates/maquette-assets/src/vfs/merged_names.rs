//! Names of folders that several mounts have.

use std::sync::Arc;

use super::Names;
use super::recent::Recent;

/// Lists that are kept.
const MOST: usize = 8;

/// The names of folders that several mounts have, as long as what each has is the same list.
#[derive(Debug, Default)]
pub(super) struct MergedNames {
    /// By what each mount has.
    known: Recent<Vec<Arc<Names>>, Names, MOST>,
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
        let is_same = |parts: &Vec<Arc<Names>>| {
            parts.len() == mounts.len() && parts.iter().zip(&mounts).all(|(a, b)| Arc::ptr_eq(a, b))
        };
        let merge = || Names::new(mounts.iter().flat_map(|names| names.iter()).map(str::to_owned));
        self.known.of(is_same, || mounts.clone(), merge)
    }
}
