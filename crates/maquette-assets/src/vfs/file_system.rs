//! From a path that people type or drop to bytes, whether it leads to the disk or into an archive.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::amount::Amount;
use super::archive::{Archive, is_archive};
use super::folder::read_file;
use super::path::normalise;
use super::place::Place;
use super::search_path::Shelf;
use super::unchanging::Unchanging;
use super::{ReadError, SearchOrder, Vfs, search_path};

/// Opens places on disk and in archives. The archives of the newest world stay open, so that going from one model to the
/// next does not read their directories again; one whose file changed is read anew.
#[derive(Clone, Debug, Default)]
pub struct FileSystem {
    roots: Arc<[PathBuf]>,
    order: SearchOrder,
    shelf: Shelf,
    newest: Arc<Mutex<Option<Arc<Vfs>>>>,
    /// What is taken for granted where nothing changes; none: everything is looked at anew.
    unchanging: Option<Arc<Unchanging>>,
}

impl FileSystem {
    /// A library in which every world begins with `roots`: folders (with the archives in them) or archives that the user
    /// added; later ones are searched first.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>) -> Self {
        Self { roots: roots.into(), ..Self::default() }
    }

    /// For a run over many models: takes for granted that nothing around them changes from now on, so that archives and
    /// worlds need not be looked at again for each.
    #[must_use]
    pub fn unchanging(mut self) -> Self {
        self.unchanging = Some(Arc::default());
        self
    }

    /// Like `self`, but searches the archives of a game in `order`. Both share what they keep.
    #[must_use]
    pub fn in_order(self, order: SearchOrder) -> Self {
        Self { order, ..self }
    }

    /// What a path leads to. What lies on disk comes first; else the path may lead through an archive, in which case
    /// does not matter. An archive in an archive is a file like any other.
    pub fn locate(&self, path: &Path) -> Result<Place, ReadError> {
        // In components, so that a slash at the end does not matter.
        let path: PathBuf = std::path::absolute(path)?.components().collect();
        let not_found = || ReadError::NotFound(path.display().to_string());
        if let Some((archive, opened)) = self.unchanging.as_ref().and_then(|unchanging| unchanging.archive(&path)) {
            let inner = path.strip_prefix(&archive).unwrap_or(Path::new(""));
            return if inner.as_os_str().is_empty() {
                Ok(Place::Archive(path))
            } else {
                locate_in(&archive, &opened, &inner.to_string_lossy()).ok_or_else(not_found)
            };
        }
        let mut refused = None;
        for place in path.ancestors() {
            let metadata = match std::fs::metadata(place) {
                Ok(metadata) => metadata,
                Err(error) => {
                    // A name that is too long for the disk may still be one in an archive.
                    if error.kind() == io::ErrorKind::PermissionDenied {
                        refused = Some(error);
                    }
                    continue;
                }
            };
            let rest = path.strip_prefix(place).unwrap_or(Path::new(""));
            let whole = rest.as_os_str().is_empty();
            if metadata.is_dir() {
                return if whole { Ok(Place::Folder(path)) } else { Err(refused.map_or_else(not_found, Into::into)) };
            }
            if !metadata.is_file() {
                return Err(if whole { ReadError::NotRegular } else { not_found() });
            }
            return match (is_archive(place)?, whole) {
                (true, true) => Ok(Place::Archive(path)),
                (false, true) => Ok(Place::File(path)),
                (true, false) => {
                    locate_in(place, &*self.archive(place)?, &rest.to_string_lossy()).ok_or_else(not_found)
                }
                (false, false) => Err(not_found()),
            };
        }
        Err(not_found())
    }

    /// The bytes of exactly that file, on disk or through an archive.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.read_amount(path, Amount::Whole)
    }

    /// Its first bytes, `most` of them if it has so many; no more is read or unpacked.
    pub fn read_up_to(&self, path: &Path, most: u64) -> Result<Vec<u8>, ReadError> {
        self.read_amount(path, Amount::UpTo(most))
    }

    fn read_amount(&self, path: &Path, amount: Amount) -> Result<Vec<u8>, ReadError> {
        self.read_place(&self.locate(path)?, amount)
    }

    /// [`Self::read`] of what a path was found to lead to.
    pub fn read_located(&self, place: &Place) -> Result<Vec<u8>, ReadError> {
        self.read_place(place, Amount::Whole)
    }

    /// [`Self::read_up_to`] of what a path was found to lead to.
    pub fn read_located_up_to(&self, place: &Place, most: u64) -> Result<Vec<u8>, ReadError> {
        self.read_place(place, Amount::UpTo(most))
    }

    fn read_place(&self, place: &Place, amount: Amount) -> Result<Vec<u8>, ReadError> {
        match place {
            Place::File(file) | Place::Archive(file) => read_file(file, amount),
            Place::Folder(_) | Place::FolderInArchive { .. } => Err(ReadError::IsFolder),
            Place::FileInArchive { archive, path } => self.archive(archive)?.read_amount(path, amount),
        }
    }

    /// The file world around a file, a folder or an archive, and the game path of it in that world.
    pub fn around(&self, path: &Path) -> Result<(Arc<Vfs>, String), ReadError> {
        self.around_located(&self.locate(path)?)
    }

    /// [`Self::around`] of what a path was found to lead to.
    pub fn around_located(&self, place: &Place) -> Result<(Arc<Vfs>, String), ReadError> {
        if let Some(known) = self.unchanging.as_ref().and_then(|unchanging| unchanging.around(place, self.order)) {
            return Ok(known);
        }
        let (home, game_path) = search_path::home_of(&self.shelf, place)?;
        let make = || search_path::world(&self.roots, &self.shelf, self.order, &home);
        let vfs = match &self.unchanging {
            None => Arc::new(make()),
            Some(unchanging) => {
                let vfs = unchanging.world(&home, self.order, make);
                unchanging.keep_around(place, self.order, &vfs, &game_path);
                vfs
            }
        };
        *self.newest.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&vfs));
        Ok((vfs, game_path))
    }

    pub(super) fn world(&self, path: &Path) -> Result<(Vfs, String), ReadError> {
        let (home, game_path) = search_path::home_of(&self.shelf, &self.locate(path)?)?;
        Ok((search_path::world(&self.roots, &self.shelf, self.order, &home), game_path))
    }

    /// The archive at `path`.
    pub fn archive(&self, path: &Path) -> Result<Arc<Archive>, ReadError> {
        let path: PathBuf = std::path::absolute(path)?.components().collect();
        let Some(unchanging) = &self.unchanging else { return self.shelf.archives.open(&search_path::real(&path)) };
        if let Some((_, archive)) = unchanging.archive(&path).filter(|(known, _)| *known == path) {
            return Ok(archive);
        }
        let archive = self.shelf.archives.open(&search_path::real(&path))?;
        unchanging.keep_archive(&path, &archive);
        Ok(archive)
    }
}

/// What a path in an archive leads to.
fn locate_in(path: &Path, archive: &Archive, inner: &str) -> Option<Place> {
    let inner = normalise(inner)?;
    let place = path.to_path_buf();
    if let Some(path) = archive.find(&inner) {
        return Some(Place::FileInArchive { archive: place, path });
    }
    if let Some(path) = archive.find_folder(&inner) {
        return Some(Place::FolderInArchive { archive: place, path });
    }
    // Reading it will say why it cannot be read.
    archive.is_encrypted(&inner).then_some(Place::FileInArchive { archive: place, path: inner })
}
