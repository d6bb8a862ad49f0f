//! Virtual file system.
//!
//! A [`Vfs`] is a list of mounts that are searched in order: folders, archives, memory. Its paths are game paths:
//! relative, with forward slashes, any case. A [`FileSystem`] creates the [`Vfs`] for a path. Its home mount is the
//! folder or archive that contains the path.

mod archive;
mod dir_listing;
mod entry;
mod file_location;
mod file_names;
mod file_size;
mod file_system;
mod folder;
mod game_markers;
mod lazy_archive;
mod lookups;
mod memo;
mod memory;
mod mount;
mod overrides;
mod path;
mod read_error;
mod read_limit;
mod search_path;
mod snapshot;

use std::any::Any;
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use entry::EntryPlace;
use memory::MemoryMount;
use mount::Mount;
use snapshot::{DISK, NAME_BYTES, Snapshot, key_of};

pub use archive::{Archive, archive_format, read_directory};
pub use entry::Entry;
pub use file_location::FileLocation;
pub use file_names::FileNames;
pub use file_size::{DecompressionBudget, FileSize};
pub use file_system::FileSystem;
pub use lookups::Lookups;
pub use overrides::name_of_location;
pub use path::{
    ARCHIVE_EXTENSIONS, folder_of, is_archive_folder_name, is_archive_name, name_of, normalise, split_extension,
};
pub(crate) use path::{outside_root, resolved};
pub use read_error::ReadError;
pub use read_limit::ReadLimit;
pub use search_path::SearchOrder;

/// Folders and archives that are searched in order, as they were when first read. Clones are cheap.
#[derive(Clone, Debug)]
pub struct Vfs {
    inner: Arc<VfsInner>,
    /// Bytes read so far for a value that is being made. While this is set, reads also record the file's stamp.
    read: Option<Arc<AtomicUsize>>,
    /// Record of the files that are looked up.
    lookups: Option<Arc<Lookups>>,
    /// Name of the declaration by which a model is opened, if any.
    declared_as: Option<Arc<str>>,
    /// A file with unsaved changes.
    unsaved: Option<UnsavedFile>,
}

/// Game path of a file, and its bytes; empty if the file is missing.
type UnsavedFile = (Arc<str>, Arc<Vec<u8>>);

#[derive(Debug)]
struct VfsInner {
    snapshot: Arc<Snapshot>,
    scope: u32,
    mounts: Vec<Mount>,
    /// The folder or archive that this was made for.
    home: Option<PathBuf>,
    /// The folder around the game's folder, which holds the engine.
    base: Option<PathBuf>,
    /// Base games next to the game's folder.
    base_games: Vec<PathBuf>,
    home_mount: Option<usize>,
    /// Mounts that the game searches before `home`, whatever the order in `mounts`.
    higher_priority_mounts: Vec<usize>,
    /// Whether searching `home` first differs from the game's order.
    order_matters: bool,
    warnings: Vec<String>,
}

impl Vfs {
    /// Creates a file system of files in memory, by game path.
    #[must_use]
    pub fn in_memory<Bytes: Into<Cow<'static, [u8]>>>(files: Vec<(String, Bytes)>) -> Self {
        let files = files.into_iter().map(|(name, bytes)| (name, bytes.into())).collect();
        let snapshot = Arc::new(Snapshot::new(true));
        Self::new(VfsInner {
            scope: snapshot.new_scope(),
            snapshot,
            mounts: vec![Mount::Memory(MemoryMount::new(files))],
            home: None,
            base: None,
            base_games: Vec::new(),
            home_mount: None,
            higher_priority_mounts: Vec::new(),
            order_matters: false,
            warnings: Vec::new(),
        })
    }

    fn new(inner: VfsInner) -> Self {
        Self::from_inner(Arc::new(inner))
    }

    fn from_inner(inner: Arc<VfsInner>) -> Self {
        Self { inner, read: None, lookups: None, declared_as: None, unsaved: None }
    }

    /// Like `self`, but the file at a game path has other bytes. It is missing if there are none.
    pub(crate) fn with_unsaved(&self, path: &str, bytes: &Arc<Vec<u8>>) -> Self {
        Self { unsaved: Some((path.into(), Arc::clone(bytes))), ..self.clone() }
    }

    fn unsaved_at(&self, path: &str) -> Option<&UnsavedFile> {
        self.unsaved.as_ref().filter(|(own, _)| own.eq_ignore_ascii_case(path))
    }

    /// Like `self`, for a model that is opened by the name of a declaration.
    pub(crate) fn for_declaration(&self, name: &str) -> Self {
        Self { declared_as: Some(name.into()), ..self.clone() }
    }

    /// Returns the name of the declaration by which a model is opened, if any.
    pub(crate) fn declared_as(&self) -> Option<&str> {
        self.declared_as.as_deref()
    }

    /// Returns the value for `path`, which `make` computes once for each type. `make` must read all files through its
    /// `Vfs`, which tracks their changes and the size of the value.
    pub(crate) fn memo<T: Any + Send + Sync>(&self, path: &str, make: impl FnOnce(&Self) -> T) -> Arc<T> {
        if self.unsaved_at(path).is_some() {
            return Arc::new(make(self));
        }
        self.memo_in(self.inner.scope, path.as_bytes(), make)
    }

    /// Like [`Self::memo`], for all files in `folders`. File systems with equal mounts for these folders share the
    /// value.
    pub(crate) fn memo_of_folders<T: Any + Send + Sync>(
        &self,
        folders: &[&str],
        make: impl FnOnce(&Self) -> T,
    ) -> Arc<T> {
        let mut key = Vec::new();
        for folder in folders {
            let start = format!("{folder}/");
            for mount in self.inner.mounts.iter().filter(|mount| mount.has_beginning_with(&start)) {
                let Some(location) = mount.location() else {
                    return self.memo_in(self.inner.scope, folder.as_bytes(), make);
                };
                key.extend_from_slice(key_of(location));
                key.push(0);
            }
            key.push(0);
        }
        self.memo_in(DISK, &key, make)
    }

    fn memo_in<T: Any + Send + Sync>(&self, scope: u32, key: &[u8], make: impl FnOnce(&Self) -> T) -> Arc<T> {
        let made = self.inner.snapshot.memo.get(scope, key, || {
            let (read, lookups) = (Arc::new(AtomicUsize::new(0)), Arc::<Lookups>::default());
            let (inner, counter) = (Arc::clone(&self.inner), Some(Arc::clone(&read)));
            let lookups_of = Some(Arc::clone(&lookups));
            let value = make(&Self { read: counter, lookups: lookups_of, ..Self::from_inner(inner) });
            // An estimate: a parsed text takes about as much memory as the text, and both may be cached.
            ((Arc::new(value), lookups), size_of::<T>() + 2 * read.load(Ordering::Relaxed))
        });
        let (value, lookups) = made.as_ref();
        self.lookups.iter().for_each(|own| own.add_shared(lookups));
        Arc::clone(value)
    }

    /// Returns a file system that records in `lookups` which companion files are looked up.
    pub(crate) fn recording(&self, lookups: &Arc<Lookups>) -> Self {
        Self { lookups: Some(Arc::clone(lookups)), ..self.clone() }
    }

    pub(crate) fn count(&self, bytes: usize) {
        if let Some(read) = &self.read {
            read.fetch_add(bytes, Ordering::Relaxed);
        }
    }

    /// Returns the folder or archive that the file system was made for; `None` in memory.
    pub fn root(&self) -> Option<&Path> {
        self.inner.home.as_deref()
    }

    /// Returns the name of a file next to the game's folder that `includes` accepts.
    pub(crate) fn file_in_base(&self, includes: impl Fn(&str) -> bool) -> Option<String> {
        let listing = self.inner.snapshot.listing(self.inner.base.as_deref()?);
        listing.files.iter().find(|name| includes(name)).map(str::to_owned)
    }

    /// Returns the name of a base game's folder if only base games other than those named `own` have the file at
    /// `path`, although one of `own` is next to the game's folder as well.
    pub(crate) fn other_game_with(&self, path: &str, own: &[&str]) -> Option<String> {
        let is_own = |game: &PathBuf| own.iter().any(|own| own.eq_ignore_ascii_case(&name_of_location(game)));
        let (own, others): (Vec<&PathBuf>, Vec<_>) = self.inner.base_games.iter().partition(|game| is_own(game));
        if own.is_empty() || others.is_empty() {
            return None;
        }
        let mut having = self.inner.mounts.iter().filter(|mount| mount.find(path).is_some());
        let other = |mount: &Mount| others.iter().find(|game| mount.location().is_some_and(|at| at.starts_with(game)));
        let first = other(having.next()?)?;
        having.all(|mount| other(mount).is_some()).then(|| name_of_location(first))
    }

    /// Returns the stored spelling of a path in the first mount that has it, ignoring case. Of two files in a folder on
    /// disk whose names differ only in case, the one spelled as in `path` is found.
    pub fn find(&self, path: &str) -> Option<String> {
        let path = normalise(path)?;
        if let Some((path, bytes)) = self.unsaved_at(&path) {
            return Some(path.to_string()).filter(|_| !bytes.is_empty());
        }
        let key = path.to_lowercase();
        self.inner.mounts.iter().find_map(|mount| mount.find_by_key(&path, &key))
    }

    /// Like [`Self::find`], for a companion file. Records the path.
    pub(crate) fn look_up(&self, path: &str) -> Option<String> {
        if let (Some(lookups), Some(path)) = (&self.lookups, normalise(path)) {
            let key = path.to_lowercase();
            lookups.add(move |other| other == key);
        }
        self.find(path)
    }

    /// Returns the paths of the files in a folder that `includes` accepts by their names, in any case. Records the
    /// test.
    pub(crate) fn list(&self, folder: &str, includes: impl Fn(&str) -> bool + Send + Sync + 'static) -> Vec<String> {
        let names = self.files_in(folder);
        let paths = names.iter().filter(|name| includes(name)).map(|name| join(folder, name)).collect();
        self.record_list(folder, includes);
        paths
    }

    /// Records that the files in a folder that `includes` accepts by their names were looked up.
    pub(crate) fn record_list(&self, folder: &str, includes: impl Fn(&str) -> bool + Send + Sync + 'static) {
        if let (Some(lookups), Some(folder)) = (&self.lookups, normalise(folder)) {
            let key = folder.to_lowercase();
            lookups.add(move |path| folder_of(path) == key && includes(name_of(path)));
        }
    }

    /// Returns whether the file at `path` in the home mount is hidden by another one whose path differs only in case.
    pub(crate) fn is_shadowed(&self, path: &str) -> bool {
        let own = self.inner.home_mount.and_then(|own| self.inner.mounts.get(own));
        own.zip(normalise(path)).is_some_and(|(own, path)| own.is_shadowed(&path))
    }

    /// Returns whether [`Self::find`] may find a path that begins with `start`, ignoring case. True does not mean that
    /// there is such a path.
    pub(crate) fn may_contain_prefix(&self, start: &str) -> bool {
        // The lower case of a non-ASCII letter may depend on the next letter.
        if !start.is_ascii() {
            return true;
        }
        let Some(start) = normalise(start) else { return true };
        let key = start.to_ascii_lowercase();
        self.inner.mounts.iter().any(|mount| mount.has_beginning_with(&key))
    }

    /// Returns the file at `path` in the first mount that has it. Encrypted files are skipped.
    pub fn entry(&self, path: &str) -> Option<Entry<'_>> {
        let path = normalise(path)?;
        (0..self.inner.mounts.len()).find_map(|mount| self.entry_of(mount, &path))
    }

    /// Returns the file at `path` in the home mount, even if the game overrides it.
    pub fn own_entry(&self, path: &str) -> Option<Entry<'_>> {
        self.entry_of(self.inner.home_mount?, &normalise(path)?)
    }

    fn entry_of(&self, mount: usize, path: &str) -> Option<Entry<'_>> {
        let stored = self.inner.mounts.get(mount)?.stored(path)?;
        if let (Some(_), EntryPlace::Disk(path)) = (&self.read, &stored) {
            self.inner.snapshot.note(path);
        }
        Some(Entry { stored, is_own: self.inner.home_mount == Some(mount), count: self.read.as_ref() })
    }

    /// Reads the file at `path` within `limit`.
    pub fn read(&self, path: &str, limit: ReadLimit) -> Result<Vec<u8>, ReadError> {
        if let Some((_, bytes)) = self.unsaved_at(path) {
            return Ok(bytes.to_vec());
        }
        if let Some(entry) = self.entry(path) {
            return entry.read(limit);
        }
        let path = normalise(path).ok_or_else(|| ReadError::NotFound(path.to_owned()))?;
        let is_encrypted = self.inner.mounts.iter().any(|mount| mount.is_encrypted(&path));
        Err(if is_encrypted { ReadError::Encrypted(path) } else { ReadError::NotFound(path) })
    }

    /// Returns the names of the files directly in a folder, sorted without regard to case, without duplicates.
    pub fn files_in(&self, folder: &str) -> Arc<FileNames> {
        self.names_in(folder, "", Mount::files_in)
    }

    /// Returns the names of the files directly in a folder in the order of the games: by mount, and within an archive
    /// by its directory (ioquake3 `code/qcommon/files.c`: `FS_ListFilteredFiles`). Names of folders on disk are sorted.
    pub(crate) fn listing(&self, folder: &str) -> Vec<String> {
        let Some(folder) = normalise(folder) else { return Vec::new() };
        let mut seen = HashSet::new();
        let mut listing = Vec::new();
        for mount in &self.inner.mounts {
            let names = mount.listing(&folder);
            listing.extend(names.into_iter().filter(|name| seen.insert(name.to_lowercase())));
        }
        listing
    }

    /// Returns the names of the folders directly in a folder, sorted without regard to case, without duplicates.
    pub fn folders_in(&self, folder: &str) -> Arc<FileNames> {
        self.names_in(folder, "/", Mount::folders_in)
    }

    /// Returns the names of a kind in a folder. `kind` distinguishes it in the memo table.
    fn names_in(&self, folder: &str, kind: &str, list: fn(&Mount, &str) -> Arc<FileNames>) -> Arc<FileNames> {
        let names = self.memo(&format!("{folder}{kind}"), |vfs| vfs.read_names(folder, list));
        self.count(names.len() * NAME_BYTES);
        Arc::clone(&names)
    }

    fn read_names(&self, folder: &str, list: fn(&Mount, &str) -> Arc<FileNames>) -> Arc<FileNames> {
        let Some(folder) = normalise(folder) else { return Arc::default() };
        let lists = self.inner.mounts.iter().map(|mount| list(mount, &folder)).filter(|names| !names.is_empty());
        let lists: Vec<Arc<FileNames>> = lists.collect();
        self.count(lists.iter().map(|names| names.len() * NAME_BYTES).sum());
        match lists.as_slice() {
            [only] => Arc::clone(only),
            lists => Arc::new(FileNames::new(lists.iter().flat_map(|names| names.iter()).map(str::to_owned))),
        }
    }

    /// Returns a path for [`FileSystem::read`], for example `/games/baseq3/pak0.pk3/models/a.md3`.
    pub fn location_of(&self, game_path: &str) -> Option<PathBuf> {
        let path = normalise(game_path)?;
        self.inner.mounts.iter().find_map(|mount| mount.location_of(&path))
    }

    /// Returns the warnings about the archives that were used so far.
    pub fn warnings(&self) -> Vec<String> {
        self.inner.warnings.iter().cloned().chain(self.inner.mounts.iter().flat_map(Mount::warnings)).collect()
    }
}

/// Joins a folder, empty for the root, and a name.
pub fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

#[cfg(test)]
mod tests {
    use maquette_testing::archives::zip;

    use super::*;

    #[test]
    fn every_prefix_of_existing_path_may_exist() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("models/Größe")).unwrap();
        for name in ["models/x.md3", "models/Größe/İ.md3"] {
            std::fs::write(root.path().join(name), b"x").unwrap();
        }
        std::fs::write(root.path().join("pak0.pk3"), zip(&[("base.txt", b"x"), ("own.txt", b"x")])).unwrap();
        let (vfs, _) = FileSystem::default().for_file(&root.path().join("models/x.md3")).unwrap();
        let memory = Vfs::in_memory(vec![("models/Deep/x.md3".to_owned(), b"x".as_slice())]);
        let existing =
            [(&vfs, "models/Größe/İ.md3"), (&vfs, "base.txt"), (&vfs, "OWN.txt"), (&memory, "models/deep/X.md3")];
        for (vfs, path) in existing {
            assert!(vfs.find(path).is_some(), "{path}");
            for (end, _) in path.char_indices().chain([(path.len(), ' ')]) {
                assert!(vfs.may_contain_prefix(&path[..end]), "{}", &path[..end]);
            }
        }
        for missing in ["models/q", "modelss/x", "base.txtt", "q"] {
            assert!(!vfs.may_contain_prefix(missing), "{missing}");
        }
        assert!(!memory.may_contain_prefix("models/x"));
    }

    #[test]
    fn listing_keeps_archive_order_after_loose_files() {
        let names = ["scripts/b.shader", "scripts/Z.shader", "scripts/deeper/c.shader", "scripts/a.shader"];
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (*name, b"x".as_slice())).collect();
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir(root.path().join("scripts")).unwrap();
        for (name, content) in
            [("scripts/y.shader", b"x".to_vec()), ("scripts/B.shader", b"x".to_vec()), ("pak0.pk3", zip(&files))]
        {
            std::fs::write(root.path().join(name), content).unwrap();
        }
        let (vfs, _) = FileSystem::default().for_file(&root.path().join("pak0.pk3")).unwrap();
        // Loose files first, and each name once.
        assert_eq!(vfs.listing("scripts"), ["B.shader", "y.shader", "Z.shader", "a.shader"]);
    }
}
