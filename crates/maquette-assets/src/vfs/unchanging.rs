//! What a run over many models takes for granted: that nothing around them changes meanwhile.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::archive::Archive;
use super::place::Place;
use super::recent::Recent;
use super::search_path::Home;
use super::{SearchOrder, Vfs, folder_of, join};

/// Worlds that are kept.
const MOST_WORLDS: usize = 32;

/// Worlds made so far.
static MADE: AtomicU64 = AtomicU64::new(0);

/// The archive that was opened last, the folder that was looked at last, and the newest worlds: models come folder by folder
/// and archive by archive, so the next one mostly lies there too.
#[derive(Debug, Default)]
pub(super) struct Unchanging {
    archive: RwLock<Option<(PathBuf, Arc<Archive>)>>,
    folder: RwLock<Option<Arc<Folder>>>,
    worlds: Recent<(Home, SearchOrder), Vfs, MOST_WORLDS>,
}

/// The world around a folder's files, or an archive's.
#[derive(Debug)]
struct Folder {
    /// The folder or archive, as it was asked for.
    place: PathBuf,
    order: SearchOrder,
    vfs: Arc<Vfs>,
    /// The folder's game path in it.
    below: String,
}

impl Unchanging {
    /// The archive that a path is or leads through, as it was asked for, if it is the one that was opened last.
    pub(super) fn archive(&self, path: &Path) -> Option<(PathBuf, Arc<Archive>)> {
        let last = read(&self.archive);
        last.as_ref().filter(|(archive, _)| path.starts_with(archive)).cloned()
    }

    pub(super) fn keep_archive(&self, path: &Path, archive: &Arc<Archive>) {
        *write(&self.archive) = Some((path.to_path_buf(), Arc::clone(archive)));
    }

    /// The world around a file, and the file's game path in it, if it lies beside the one that was asked for last.
    pub(super) fn around(&self, place: &Place, order: SearchOrder) -> Option<(Arc<Vfs>, String)> {
        let last = read(&self.folder).clone().filter(|last| last.order == order)?;
        let path = match place {
            Place::File(file) if file.parent() == Some(&last.place) => {
                join(&last.below, &file.file_name()?.to_string_lossy())
            }
            Place::FileInArchive { archive, path } if *archive == last.place => path.clone(),
            _ => return None,
        };
        Some((Arc::clone(&last.vfs), path))
    }

    /// The world of a home, made anew if it is not known.
    pub(super) fn world(&self, home: &Home, order: SearchOrder, make: impl FnOnce() -> Vfs) -> Arc<Vfs> {
        self.worlds.of(
            |known| known.0 == *home && known.1 == order,
            || (home.clone(), order),
            || Vfs { unchanging: Some(MADE.fetch_add(1, Ordering::Relaxed)), ..make() },
        )
    }

    /// Keeps the world around a file with this game path in it.
    pub(super) fn keep_around(&self, place: &Place, order: SearchOrder, vfs: &Arc<Vfs>, game_path: &str) {
        let folder = match place {
            Place::File(file) => file.parent(),
            Place::FileInArchive { archive, .. } => Some(archive.as_path()),
            _ => None,
        };
        let Some(place) = folder.map(Path::to_path_buf) else { return };
        let (vfs, below) = (Arc::clone(vfs), folder_of(game_path).to_owned());
        *write(&self.folder) = Some(Arc::new(Folder { place, order, vfs, below }));
    }
}

fn read<T>(what: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    what.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(what: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    what.write().unwrap_or_else(PoisonError::into_inner)
}
