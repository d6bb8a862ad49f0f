//! Decoded pictures that are in use somewhere: what is read again without having changed is not decoded again, and takes no
//! memory of its own.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use super::Image;

/// Where a file lies, and how long and how old it, or its archive, is.
type Stamp = (PathBuf, u64, SystemTime);

/// Pictures known at a time; those that nobody uses are forgotten when there are more.
const MOST: usize = 4096;
/// Pictures that are kept after their use.
const MOST_NEWEST: usize = 64;

/// Bytes of the pictures that are kept after their use.
const MOST_BYTES: usize = 64 << 20;

/// The pictures that are in use; who shares it decodes each once.
#[derive(Debug, Default)]
pub struct ImageCache {
    known: Mutex<HashMap<Stamp, Weak<Image>>>,
    /// Newest images, kept because the next model may use them too; `None` keeps none.
    newest: Option<Mutex<VecDeque<Arc<Image>>>>,
}

impl ImageCache {
    /// One that keeps the newest pictures after their use, for a run over many models.
    #[must_use]
    pub fn keeping() -> Self {
        Self { newest: Some(Mutex::default()), ..Self::default() }
    }

    /// Returns the image in the file at `place` if it is in use and has at most `most` bytes.
    pub(super) fn known(&self, place: &Path, most: u64) -> Option<Arc<Image>> {
        let picture = self.lock().get(&stamp(place)?)?.upgrade()?;
        (picture.rgba.len() as u64 <= most).then_some(picture)
    }

    /// Caches a decoded image as long as it is in use.
    pub(super) fn keep(&self, place: &Path, picture: &Arc<Image>) {
        let Some(stamp) = stamp(place) else { return };
        let mut known = self.lock();
        if known.len() >= MOST {
            known.retain(|_, picture| picture.strong_count() > 0);
        }
        known.insert(stamp, Arc::downgrade(picture));
        let Some(newest) = &self.newest else { return };
        let mut newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
        if picture.rgba.len() <= MOST_BYTES && !newest.iter().any(|known| Arc::ptr_eq(known, picture)) {
            newest.push_back(Arc::clone(picture));
            let bytes = |newest: &VecDeque<Arc<Image>>| newest.iter().map(|image| image.rgba.len()).sum::<usize>();
            while newest.len() > MOST_NEWEST || bytes(&newest) > MOST_BYTES {
                newest.pop_front();
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Stamp, Weak<Image>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stamp(place: &Path) -> Option<Stamp> {
    let metadata = place.ancestors().find_map(|place| std::fs::metadata(place).ok())?;
    Some((place.to_path_buf(), metadata.len(), metadata.modified().ok()?))
}
