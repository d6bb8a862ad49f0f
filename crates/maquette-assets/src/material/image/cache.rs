//! Cache of the decoded images that are in use.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::SystemTime;

use super::Image;
use maquette_core::limits::MAX_CACHED;

/// Path of a file, and length and modification time of the file or its archive.
type Stamp = (PathBuf, u64, SystemTime);

/// Maximum bytes in `newest`. Beyond it, the oldest image is dropped.
const MAX_NEWEST_BYTES: usize = 64 << 20;

/// Cache of decoded images. Openers that share the cache decode each file once while its image is cached.
#[derive(Debug, Default)]
pub struct ImageCache {
    known: Mutex<HashMap<Stamp, Weak<Image>>>,
    /// Newest images, kept because the next model may use them too; `None` to keep only images in use.
    newest: Option<Mutex<VecDeque<Arc<Image>>>>,
}

impl ImageCache {
    /// Creates a cache that also holds the newest images, for a run over many models.
    #[must_use]
    pub fn keeping() -> Self {
        Self { newest: Some(Mutex::default()), ..Self::default() }
    }

    pub(in crate::material) fn known(&self, path: &Path, max: u64) -> Option<Arc<Image>> {
        let image = self.lock().get(&stamp(path)?)?.upgrade()?;
        (image.rgba.len() as u64 <= max).then_some(image)
    }

    pub(in crate::material) fn keep(&self, path: &Path, image: &Arc<Image>) {
        let Some(stamp) = stamp(path) else { return };
        let mut known = self.lock();
        if known.len() >= MAX_CACHED {
            known.retain(|_, image| image.strong_count() > 0);
        }
        known.insert(stamp, Arc::downgrade(image));
        let Some(newest) = &self.newest else { return };
        let mut newest = newest.lock().unwrap_or_else(PoisonError::into_inner);
        if image.rgba.len() <= MAX_NEWEST_BYTES && !newest.iter().any(|known| Arc::ptr_eq(known, image)) {
            newest.push_back(Arc::clone(image));
            let bytes = |newest: &VecDeque<Arc<Image>>| newest.iter().map(|image| image.rgba.len()).sum::<usize>();
            while newest.len() > MAX_CACHED || bytes(&newest) > MAX_NEWEST_BYTES {
                newest.pop_front();
            }
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Stamp, Weak<Image>>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let metadata = path.ancestors().find_map(|path| std::fs::metadata(path).ok())?;
    Some((path.to_path_buf(), metadata.len(), metadata.modified().ok()?))
}
