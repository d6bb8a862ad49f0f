//! A value with a revision number.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// Last revision assigned in this process. A default value has revision 0.
static GIVEN: AtomicU64 = AtomicU64::new(0);

/// A value that gets a new revision with each mutable access, whether or not the access changes the value.
///
/// If two revisions are equal, the values are equal: a clone keeps the revision, and no revision is assigned twice.
#[derive(Clone, Debug, Default)]
pub struct Revised<T> {
    value: T,
    revision: u64,
}

impl<T> Revised<T> {
    /// Returns the revision.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

impl<T> Deref for Revised<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Revised<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.revision = GIVEN.fetch_add(1, Ordering::Relaxed) + 1;
        &mut self.value
    }
}
