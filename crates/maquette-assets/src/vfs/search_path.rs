//! What belongs to a file's world, and in which order it is searched.
//!
//! Games search the current game before the base game (Quake III, ioquake3 and Doom 3 alike), within a game loose files
//! before archives (ioquake3 and Doom 3; Quake II the other way round), and archives in reverse order of their names, so
//! that `zpak.pk3` beats `pak9.pk3` beats `pak0.pk3` (ioquake3 `code/qcommon/files.c`: `FS_AddGameDirectory`). Here the
//! place that the file itself lies in comes before all of these, and what the user added before everything.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_location::FileLocation;
use super::folder::FolderMount;
use super::lazy_archive::LazyArchive;
use super::mount::Mount;
use super::path::is_archive_folder_name;
use super::snapshot::{DISK, Snapshot, key_of};
use super::{ReadError, Vfs, World, archive, join};
use crate::game::{CONTENT_FOLDERS, base_folder_index, is_game_folder};
use crate::limits::MAX_ARCHIVES;

/// Folders climbed in search of the root.
const CLIMB: usize = 12;

/// Whose files come first for a file that lies in one of a game's archives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchOrder {
    /// The game's own order: a file of a later archive replaces the same path of an earlier one.
    #[default]
    Game,
    /// The file's own archive first, then the game's order.
    OwnArchive,
}

impl SearchOrder {
    /// Both of them, the own archive first as in a switch.
    pub const ALL: [Self; 2] = [Self::OwnArchive, Self::Game];

    /// What people call it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Game => "In the game",
            Self::OwnArchive => "In this archive",
        }
    }
}

/// Where a place belongs: places of the same home have the same world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct VfsRoot {
    /// The folder or archive that its game path begins at.
    path: PathBuf,
    is_archive: bool,
    /// The folder of the game that this is part of.
    game: PathBuf,
}

/// Where a place belongs, and its game path there.
pub(super) fn home_of(snapshot: &Snapshot, place: &FileLocation) -> Result<(VfsRoot, String), ReadError> {
    Ok(match place {
        FileLocation::File(file) => {
            let (home, below) = home_of_folder(snapshot, parent_of(file))?;
            (home, join(&below, &file.file_name().unwrap_or_default().to_string_lossy()))
        }
        FileLocation::Folder(folder) => home_of_folder(snapshot, folder)?,
        FileLocation::Archive(archive) => (home_of_archive(archive), String::new()),
        FileLocation::FileInArchive { archive, path } | FileLocation::FolderInArchive { archive, path } => {
            (home_of_archive(archive), path.clone())
        }
    })
}

/// The home of a folder, and the folder's path there; none if the folder cannot be read.
struct FolderRoot(Option<(VfsRoot, String)>);

fn home_of_folder(snapshot: &Snapshot, folder: &Path) -> Result<(VfsRoot, String), ReadError> {
    let find = || {
        snapshot.note(folder);
        // Links and `..` resolved, so that climbing leads where the file really is.
        let own = folder.canonicalize()?;
        let (path, game) = root_of(snapshot, &own);
        let below = game_path_of(&own, &path);
        Ok((VfsRoot { path, is_archive: false, game }, below))
    };
    let known = snapshot.memo.get(DISK, key_of(folder), || (FolderRoot(find().ok()), folder.as_os_str().len()));
    known.0.clone().map_or_else(find, Ok)
}

fn home_of_archive(archive: &Path) -> VfsRoot {
    let path = real(archive);
    let game = parent_of(&path).to_path_buf();
    VfsRoot { path, is_archive: true, game }
}

/// The world of a home. One outside any game is itself searched first, whatever the order.
pub(super) fn vfs(roots: &[PathBuf], snapshot: &Arc<Snapshot>, order: SearchOrder, home: &VfsRoot) -> Vfs {
    let VfsRoot { path: home, is_archive, game } = home;
    let mut world = SearchPath::new(snapshot, home);
    for root in roots.iter().rev() {
        world.add_user_root(root);
    }
    let own_first = world.mounts.len();
    world.add_game(game);
    let base_games = base_games_beside(snapshot, game);
    for base in &base_games {
        world.add_game(base);
    }
    let in_game = is_game(snapshot, game) || !base_games.is_empty();
    if !world.seen.contains(home) {
        // No game mounts it, so no game's order has a place for it.
        if *is_archive {
            world.add_archive(home)
        } else {
            world.add_folder(home)
        }
        world.move_own(own_first);
        world.before_own = (0..own_first).collect();
    } else if !in_game {
        world.move_own(own_first);
        world.before_own = (0..world.own()).collect();
    } else {
        let last = world.own();
        world.order_matters = last > own_first;
        if order == SearchOrder::OwnArchive {
            world.move_own(own_first);
        }
        let own = world.own();
        world.before_own = (0..=last).filter(|mount| *mount != own).collect();
    }
    world.finish()
}

/// Whether a folder with archives in it is a game's: by its name, or by what it holds.
fn is_game(snapshot: &Snapshot, folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    is_game_folder(&name) || snapshot.listing(folder).signs().is_root
}

/// The base games beside a game's folder, in the order they are searched. A folder that only has the name of one (`main`
/// is a common name) is none.
fn base_games_beside(snapshot: &Snapshot, game: &Path) -> Vec<PathBuf> {
    let own_name = game.file_name().unwrap_or_default().to_string_lossy();
    let Some(parent) = game.parent().filter(|_| base_folder_index(&own_name).is_none()) else { return Vec::new() };
    let beside = snapshot.listing(parent);
    let folders = beside.signs().base_games.iter().map(|name| beside.path_of(parent, name));
    let is_one = |folder: &PathBuf| {
        let listing = snapshot.listing(folder);
        listing.signs().is_root || !listing.signs().archives.is_empty()
    };
    folders.filter(is_one).collect()
}

/// A path by which a file is known whichever way led to it; links in the file's own name are left, as what lies beside
/// the link belongs to it.
pub(super) fn real(path: &Path) -> PathBuf {
    let folder = parent_of(path).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

fn parent_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new("/"))
}

/// The path of a folder below its root, with forward slashes.
fn game_path_of(folder: &Path, root: &Path) -> String {
    let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

/// The root that a folder belongs to, and the folder of the game that this root is part of. The nearest folder that
/// looks like a root is one, or is taken for an archive by games; else the folder itself.
fn root_of(snapshot: &Snapshot, folder: &Path) -> (PathBuf, PathBuf) {
    for place in folder.ancestors().take(CLIMB) {
        let name = place.file_name().unwrap_or_default();
        if is_archive_folder_name(&name.to_string_lossy()) {
            return (place.to_path_buf(), parent_of(place).to_path_buf());
        }
        // `models` holds `players`, and is no root.
        let is_content = CONTENT_FOLDERS.iter().any(|folder| name.eq_ignore_ascii_case(folder));
        if !is_content && snapshot.listing(place).signs().is_root {
            return (place.to_path_buf(), place.to_path_buf());
        }
    }
    (folder.to_path_buf(), folder.to_path_buf())
}

/// A world while it grows.
struct SearchPath<'a> {
    snapshot: &'a Arc<Snapshot>,
    /// The place the world is made for.
    home: &'a Path,
    mounts: Vec<Mount>,
    /// Where among the mounts that place is.
    own: Option<usize>,
    /// Mounts that the game searches before it.
    before_own: Vec<usize>,
    order_matters: bool,
    /// Places that are mounted: the first time counts.
    seen: HashSet<PathBuf>,
    /// Archives that would be mounted if they were not too many.
    wanted: usize,
}

impl<'a> SearchPath<'a> {
    fn new(snapshot: &'a Arc<Snapshot>, home: &'a Path) -> Self {
        let (mounts, before_own) = (Vec::new(), Vec::new());
        Self { snapshot, home, mounts, own: None, before_own, order_matters: false, seen: HashSet::new(), wanted: 0 }
    }

    fn add_folder(&mut self, folder: &Path) {
        if self.is_new(folder) {
            self.mounts.push(Mount::Folder(FolderMount::new(folder.to_path_buf(), Arc::clone(self.snapshot))));
        }
    }

    fn add_archive(&mut self, archive: &Path) {
        if self.is_new(archive) {
            self.mounts.push(Mount::Archive(LazyArchive::new(archive.to_path_buf(), Arc::clone(self.snapshot))));
        }
    }

    /// Whether a place is not mounted yet; it is to be mounted next.
    fn is_new(&mut self, place: &Path) -> bool {
        let is_new = self.seen.insert(place.to_path_buf());
        if is_new && place == self.home {
            self.own = Some(self.mounts.len());
        }
        is_new
    }

    /// Where the place is that the world is made for, once it is mounted.
    fn own(&self) -> usize {
        self.own.unwrap_or_default()
    }

    /// Has the place that the world is made for searched before all but `to` mounts, if it is not already.
    fn move_own(&mut self, to: usize) {
        let own = self.own();
        if own > to {
            self.mounts[to..=own].rotate_right(1);
            self.own = Some(to);
        }
    }

    /// A folder that the user added is a game's folder, with its archives.
    fn add_user_root(&mut self, root: &Path) {
        let root = real(root);
        if root.is_dir() {
            self.add_game(&root.canonicalize().unwrap_or(root));
        } else if archive::is_archive(&root).unwrap_or(false) {
            self.add_archive(&root);
        }
    }

    /// A game's folder: its loose files, then its archives.
    fn add_game(&mut self, folder: &Path) {
        self.add_folder(folder);
        let listing = self.snapshot.listing(folder);
        for name in &listing.signs().archives {
            let path = listing.path_of(folder, name);
            if self.seen.contains(&path) {
                continue;
            }
            // The own archive is searched, however many there are; those beyond are not even looked at.
            let is_own = path == self.home;
            if !is_own && self.wanted >= MAX_ARCHIVES {
                self.wanted += 1;
                continue;
            }
            let is_folder = listing.is_folder(name).unwrap_or_else(|| path.is_dir());
            if is_folder != is_archive_folder_name(name) {
                continue;
            }
            self.wanted += usize::from(!is_own);
            if is_folder { self.add_folder(&path) } else { self.add_archive(&path) }
        }
    }

    fn finish(self) -> Vfs {
        let mut remarks = Vec::new();
        if self.wanted > MAX_ARCHIVES {
            let wanted = self.wanted;
            remarks.push(format!("{wanted} archives lie around this file; the first {MAX_ARCHIVES} are searched"));
        }
        Vfs::new(World {
            scope: self.snapshot.new_scope(),
            snapshot: Arc::clone(self.snapshot),
            mounts: self.mounts,
            home: Some(self.home.to_path_buf()),
            own: self.own,
            before_own: self.before_own,
            order_matters: self.order_matters,
            remarks,
        })
    }
}
