//! Decoded pictures that are in use somewhere: what is read again without having changed is not decoded again, and takes no
//! memory of its own.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use super::Picture;
use crate::vfs::Vfs;

/// Where a file lies, and how long and how old it, or its archive, is.
type Stamp = (PathBuf, u64, SystemTime);

/// Pictures known at a time; those that nobody uses are forgotten when there are more.
const MOST: usize = 4096;

/// The pictures that are in use; who shares it decodes each once.
#[derive(Debug, Default)]
pub struct PictureShelf {
    known: Mutex<HashMap<Stamp, Weak<Picture>>>,
}

impl PictureShelf {
    /// The picture at a path of `vfs`, if it is in use and has at most so many bytes.
    pub(super) fn known(&self, vfs: &Vfs, path: &str, most: u64) -> Option<Arc<Picture>> {
        let picture = self.lock().get(&stamp(vfs, path)?)?.upgrade()?;
        (picture.rgba.len() as u64 <= most).then_some(picture)
    }

    /// Keeps a picture in mind as long as it is in use.
    pub(super) fn keep(&self, vfs: &Vfs, path: &str, picture: &Arc<Picture>) {
        let Some(stamp) = stamp(vfs, path).filter(|_| !picture.is_to_come()) else { return };
        let mut known = self.lock();
        if known.len() >= MOST {
            known.retain(|_, picture| picture.strong_count() > 0);
        }
        known.insert(stamp, Arc::downgrade(picture));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Stamp, Weak<Picture>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// None for what lies in memory, of which nobody knows whether it changed.
fn stamp(vfs: &Vfs, path: &str) -> Option<Stamp> {
    let (place, length, written) = vfs.stamp_of(path)?;
    Some((place, length, written?))
}
