//! File access by paths that users enter, on disk or in an archive.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::archive::{Archive, is_archive};
use super::file_location::FileLocation;
use super::folder::read_file;
use super::path::{name_of, normalise};
use super::search_path::{self, VfsRoot};
use super::snapshot::Snapshot;
use super::{ReadError, ReadLimit, SearchOrder, Vfs};
use crate::engines::declared_mesh;
use maquette_core::limits::MAX_CACHED;

/// File access on disk and in archives. Clones share a snapshot of the disk, which is renewed after changes.
#[derive(Clone, Debug)]
pub struct FileSystem {
    roots: Arc<[PathBuf]>,
    order: SearchOrder,
    current: Arc<RwLock<Current>>,
    pinned: Option<Arc<Snapshot>>,
}

#[derive(Debug)]
struct Current {
    snapshot: Arc<Snapshot>,
    vfs_cache: HashMap<(VfsRoot, SearchOrder), Vfs>,
}

impl Current {
    fn new(snapshot: Snapshot) -> Self {
        Self { snapshot: Arc::new(snapshot), vfs_cache: HashMap::new() }
    }
}

impl Default for FileSystem {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl FileSystem {
    /// Creates a file system that searches `roots` first, beginning with the last. A root is an archive, or a folder
    /// with archives.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>) -> Self {
        let current = Arc::new(RwLock::new(Current::new(Snapshot::new(false))));
        Self { roots: roots.into(), order: SearchOrder::default(), current, pinned: None }
    }

    /// Like `self`, but assumes that the disk does not change, so that a command reads folders and archives once.
    #[must_use]
    pub fn unchanging(self) -> Self {
        Self { current: Arc::new(RwLock::new(Current::new(Snapshot::new(true)))), pinned: None, ..self }
    }

    /// Like `self`, but searches the archives of a game in `order`. Both share the snapshot.
    #[must_use]
    pub fn in_order(self, order: SearchOrder) -> Self {
        Self { order, ..self }
    }

    /// Returns a file system for one request, which does not check again whether the disk changed.
    #[must_use]
    pub fn for_request(&self) -> Self {
        Self { pinned: Some(self.snapshot()), ..self.clone() }
    }

    fn snapshot(&self) -> Arc<Snapshot> {
        if let Some(pinned) = &self.pinned {
            return Arc::clone(pinned);
        }
        let known = Arc::clone(&self.read_current().snapshot);
        if known.holds() {
            return known;
        }
        let mut current = self.write_current();
        // If another thread was faster, its snapshot is used.
        if Arc::ptr_eq(&current.snapshot, &known) {
            *current = Current::new(known.renewed());
        }
        Arc::clone(&current.snapshot)
    }

    fn read_current(&self) -> RwLockReadGuard<'_, Current> {
        self.current.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write_current(&self) -> RwLockWriteGuard<'_, Current> {
        self.current.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds the target of a path. The disk has priority, else the path may lead through an archive, ignoring case. It
    /// may also lead to a declaration in a file of a game, like `def/imp.def/monster_imp`: the target is the declared
    /// mesh.
    pub fn locate(&self, path: &Path) -> Result<FileLocation, ReadError> {
        self.locate_file(path).or_else(|error| self.locate_declared(path).ok_or(error))
    }

    fn locate_declared(&self, path: &Path) -> Option<FileLocation> {
        let definition = self.locate_file(path.parent()?).ok()?;
        let (FileLocation::File(_) | FileLocation::FileInArchive { .. }) = &definition else { return None };
        let (vfs, _) = self.around_located(&definition).ok()?;
        let mesh = declared_mesh(&vfs, path.file_name()?.to_str()?)?;
        self.locate_file(&vfs.location_of(&mesh)?).ok()
    }

    fn locate_file(&self, path: &Path) -> Result<FileLocation, ReadError> {
        // Split into components to ignore a slash at the end.
        let path: PathBuf = std::path::absolute(path)?.components().collect();
        let not_found = || ReadError::NotFound(path.display().to_string());
        let snapshot = self.snapshot();
        let open = path.ancestors().find_map(|ancestor| Some((ancestor, snapshot.open_archive(ancestor)?)));
        if let Some((ancestor, archive)) = open {
            let inner = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            return if inner.as_os_str().is_empty() {
                Ok(FileLocation::Archive(path))
            } else {
                locate_in(ancestor, &archive, &inner.to_string_lossy()).ok_or_else(not_found)
            };
        }
        let mut refused = None;
        for ancestor in path.ancestors() {
            let metadata = match std::fs::metadata(ancestor) {
                Ok(metadata) => metadata,
                Err(error) => {
                    // A name that is too long for the disk may still exist in an archive.
                    if error.kind() == io::ErrorKind::PermissionDenied {
                        refused = Some(error);
                    }
                    continue;
                }
            };
            let rest = path.strip_prefix(ancestor).unwrap_or(Path::new(""));
            let whole = rest.as_os_str().is_empty();
            if metadata.is_dir() {
                return if whole {
                    Ok(FileLocation::Folder(path))
                } else {
                    Err(refused.map_or_else(not_found, Into::into))
                };
            }
            if !metadata.is_file() {
                return Err(if whole { ReadError::NotRegular } else { not_found() });
            }
            return match (is_archive(ancestor)?, whole) {
                (true, true) => Ok(FileLocation::Archive(path)),
                (false, true) => Ok(FileLocation::File(path)),
                (true, false) => {
                    locate_in(ancestor, &*self.archive(ancestor)?, &rest.to_string_lossy()).ok_or_else(not_found)
                }
                (false, false) => Err(not_found()),
            };
        }
        Err(not_found())
    }

    /// Reads the file at `path` within `limit`, on disk or through an archive.
    pub fn read(&self, path: &Path, limit: ReadLimit) -> Result<Vec<u8>, ReadError> {
        self.read_located(&self.locate(path)?, limit)
    }

    /// Like [`Self::read`], for a location from [`Self::locate`].
    pub fn read_located(&self, location: &FileLocation, limit: ReadLimit) -> Result<Vec<u8>, ReadError> {
        match location {
            FileLocation::File(file) | FileLocation::Archive(file) => read_file(file, limit),
            FileLocation::Folder(_) | FileLocation::FolderInArchive { .. } => Err(ReadError::IsFolder),
            FileLocation::FileInArchive { archive, path } => self.archive(archive)?.read(path, limit),
        }
    }

    /// Returns the virtual file system for a file, folder or archive, and its game path there.
    pub fn for_file(&self, path: &Path) -> Result<(Vfs, String), ReadError> {
        self.for_located(path, &self.locate(path)?)
    }

    /// Like [`Self::for_file`], for the location of `path` from [`Self::locate`].
    pub fn for_located(&self, path: &Path, location: &FileLocation) -> Result<(Vfs, String), ReadError> {
        let (vfs, game_path) = self.around_located(location)?;
        let name = path.file_name().map(OsStr::to_string_lossy).unwrap_or_default();
        let is_file = matches!(location, FileLocation::File(_) | FileLocation::FileInArchive { .. });
        // The path of a declaration has another name than its mesh.
        let is_declared = is_file && name_of(&game_path).to_lowercase() != name.to_lowercase();
        Ok((if is_declared { vfs.for_declaration(&name) } else { vfs }, game_path))
    }

    /// Like [`Self::for_file`], for a location from [`Self::locate`], without its declaration.
    pub fn around_located(&self, location: &FileLocation) -> Result<(Vfs, String), ReadError> {
        let snapshot = self.snapshot();
        let (home, game_path) = search_path::home_of(&snapshot, location)?;
        let key = (home, self.order);
        let current = self.read_current();
        let is_current = Arc::ptr_eq(&current.snapshot, &snapshot);
        if let Some(known) = current.vfs_cache.get(&key).filter(|_| is_current) {
            return Ok((known.clone(), game_path));
        }
        drop(current);
        let vfs = search_path::vfs(&self.roots, &snapshot, self.order, &key.0);
        let mut current = self.write_current();
        if !Arc::ptr_eq(&current.snapshot, &snapshot) {
            return Ok((vfs, game_path));
        }
        if current.vfs_cache.len() >= MAX_CACHED {
            current.vfs_cache.clear();
        }
        Ok((current.vfs_cache.entry(key).or_insert(vfs).clone(), game_path))
    }

    /// Opens the archive at `path`, or returns it if it is open.
    pub fn archive(&self, path: &Path) -> Result<Arc<Archive>, ReadError> {
        let path: PathBuf = std::path::absolute(path)?.components().collect();
        self.snapshot().archive(&search_path::real(&path))
    }
}

fn locate_in(path: &Path, archive: &Archive, inner: &str) -> Option<FileLocation> {
    let inner = normalise(inner)?;
    let archive_path = path.to_path_buf();
    if let Some(path) = archive.find(&inner) {
        return Some(FileLocation::FileInArchive { archive: archive_path, path });
    }
    if let Some(path) = archive.find_folder(&inner) {
        return Some(FileLocation::FolderInArchive { archive: archive_path, path });
    }
    archive.is_encrypted(&inner).then_some(FileLocation::FileInArchive { archive: archive_path, path: inner })
}
