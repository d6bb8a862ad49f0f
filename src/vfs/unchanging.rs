//! What a run over many models takes for granted: that nothing around them changes meanwhile.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::archive::Archive;
use super::place::Place;
use super::{Vfs, folder_of, join};

/// The archive that was opened last, and the world that was made last: models come folder by folder and archive by archive,
/// so the next one mostly lies in them too.
#[derive(Debug, Default)]
pub(super) struct Unchanging {
    archive: Mutex<Option<(PathBuf, Arc<Archive>)>>,
    surroundings: Mutex<Option<Arc<Surroundings>>>,
}

/// The world around a folder's files, or an archive's.
#[derive(Debug)]
struct Surroundings {
    /// The folder or archive, as it was asked for.
    place: PathBuf,
    vfs: Arc<Vfs>,
    /// The folder's game path in it.
    below: String,
}

impl Unchanging {
    /// The archive that a path is or leads through, as it was asked for, if it is the one that was opened last.
    pub(super) fn archive(&self, path: &Path) -> Option<(PathBuf, Arc<Archive>)> {
        let last = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().filter(|(archive, _)| path.starts_with(archive)).cloned()
    }

    pub(super) fn keep_archive(&self, path: &Path, archive: &Arc<Archive>) {
        *self.archive.lock().unwrap_or_else(PoisonError::into_inner) = Some((path.to_path_buf(), Arc::clone(archive)));
    }

    /// The world around a file, and the file's game path in it, if it is the world that was made last.
    pub(super) fn around(&self, place: &Place) -> Option<(Arc<Vfs>, String)> {
        let last = self.surroundings.lock().unwrap_or_else(PoisonError::into_inner).clone()?;
        let path = match place {
            Place::File(file) if file.parent() == Some(&last.place) => {
                join(&last.below, &file.file_name()?.to_string_lossy())
            }
            Place::FileInArchive { archive, path } if *archive == last.place => path.clone(),
            _ => return None,
        };
        Some((Arc::clone(&last.vfs), path))
    }

    /// Keeps the world around a file with this game path in it.
    pub(super) fn keep_around(&self, place: &Place, vfs: &Arc<Vfs>, game_path: &str) {
        let place = match place {
            Place::File(file) => file.parent(),
            Place::FileInArchive { archive, .. } => Some(archive.as_path()),
            _ => None,
        };
        let Some(place) = place.map(Path::to_path_buf) else { return };
        let (vfs, below) = (Arc::clone(vfs), folder_of(game_path).to_owned());
        let surroundings = Arc::new(Surroundings { place, vfs, below });
        *self.surroundings.lock().unwrap_or_else(PoisonError::into_inner) = Some(surroundings);
    }
}
