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
    /// The newest ones, kept as the next model may have them, too; none where that is not wanted.
    newest: Option<Mutex<Newest>>,
}

#[derive(Debug, Default)]
struct Newest {
    images: VecDeque<Arc<Image>>,
    bytes: usize,
}

impl Newest {
    fn keep(&mut self, picture: &Arc<Image>) {
        if picture.rgba.len() > MOST_BYTES || self.images.iter().any(|known| Arc::ptr_eq(known, picture)) {
            return;
        }
        self.bytes += picture.rgba.len();
        self.images.push_back(Arc::clone(picture));
        while self.bytes > MOST_BYTES || self.images.len() > MOST_NEWEST {
            let Some(oldest) = self.images.pop_front() else { return };
            self.bytes -= oldest.rgba.len();
        }
    }
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
        if let Some(newest) = &self.newest {
            newest.lock().unwrap_or_else(PoisonError::into_inner).keep(picture);
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
