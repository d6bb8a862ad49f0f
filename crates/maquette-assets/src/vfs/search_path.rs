//! Search path of a virtual file system.
//!
//! Games search the current game before the base game (Quake III, ioquake3 and Doom 3), and loose files before archives
//! (ioquake3 and Doom 3; Quake II does the reverse). Archives are searched in reverse order of names: `zpak.pk3` before
//! `pak9.pk3` before `pak0.pk3` (ioquake3 `code/qcommon/files.c`: `FS_AddGameDirectory`). Roots of the user come first,
//! the root around the game's own comes last.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::file_location::FileLocation;
use super::folder::FolderMount;
use super::lazy_archive::LazyArchive;
use super::mount::Mount;
use super::path::is_archive_folder_name;
use super::snapshot::{DISK, Snapshot, key_of};
use super::{ReadError, Vfs, VfsInner, archive, join};
use crate::engines::{CONTENT_FOLDERS, base_folder_index, is_game_folder};
use crate::limits::MAX_ARCHIVES;

/// Number of parent folders that are examined for the root of a game.
const CLIMB: usize = 12;
/// Number of folders above a root that are examined for an outer root.
const OUTER_CLIMB: usize = 3;

/// Whether the game's order or a file's own archive has priority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchOrder {
    /// The game's order: a file in a later archive overrides the one in an earlier archive.
    #[default]
    Game,
    /// The file's own archive first, then the game's order.
    OwnArchive,
}

impl SearchOrder {
    /// All orders, as listed in the interface.
    pub const ALL: [Self; 2] = [Self::OwnArchive, Self::Game];

    /// Returns the display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Game => "In the game",
            Self::OwnArchive => "In this archive",
        }
    }
}

/// Root of a game path. Equal roots have equal virtual file systems.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct VfsRoot {
    path: PathBuf,
    is_archive: bool,
    game: PathBuf,
}

pub(super) fn home_of(snapshot: &Snapshot, location: &FileLocation) -> Result<(VfsRoot, String), ReadError> {
    Ok(match location {
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

fn home_of_folder(snapshot: &Snapshot, folder: &Path) -> Result<(VfsRoot, String), ReadError> {
    let find = || {
        snapshot.note(folder);
        // Links and `..` are resolved, so that climbing reaches the real parents.
        let own = folder.canonicalize()?;
        let (path, game) = root_of(snapshot, &own);
        let below = game_path_of(&own, &path);
        Ok((VfsRoot { path, is_archive: false, game }, below))
    };
    let known = snapshot.memo.get(DISK, key_of(folder), || (find().ok(), folder.as_os_str().len()));
    known.as_ref().clone().map_or_else(find, Ok)
}

fn home_of_archive(archive: &Path) -> VfsRoot {
    let path = real(archive);
    let game = parent_of(&path).to_path_buf();
    VfsRoot { path, is_archive: true, game }
}

/// Creates the virtual file system of a root. A root outside any game is searched first, whatever the order.
pub(super) fn vfs(roots: &[PathBuf], snapshot: &Arc<Snapshot>, order: SearchOrder, home: &VfsRoot) -> Vfs {
    let VfsRoot { path: home, is_archive, game } = home;
    let mut search_path = SearchPath::new(snapshot, home);
    for root in roots.iter().rev() {
        search_path.add_user_root(root);
    }
    let own_first = search_path.mounts.len();
    search_path.add_game(game);
    let base_games = sibling_base_games(snapshot, game);
    // The user's own search folders belong to no other game.
    search_path.base_games.extend(base_games.iter().filter(|base| !search_path.seen.contains(*base)).cloned());
    for base in &base_games {
        search_path.add_game(base);
    }
    let in_game = is_game(snapshot, game) || !base_games.is_empty();
    if let Some(outer) = outer_root(snapshot, game).filter(|_| base_games.is_empty()) {
        search_path.add_game(&outer);
    }
    if !search_path.seen.contains(home) {
        // The game does not mount `home`, so the game's order does not include it.
        if *is_archive {
            search_path.add_archive(home)
        } else {
            search_path.add_folder(home)
        }
        search_path.move_home(own_first);
        search_path.before_own = (0..own_first).collect();
    } else if !in_game {
        search_path.move_home(own_first);
        search_path.before_own = (0..search_path.home_index()).collect();
    } else {
        let last = search_path.home_index();
        search_path.order_matters = last > own_first;
        if order == SearchOrder::OwnArchive {
            search_path.move_home(own_first);
        }
        let own = search_path.home_index();
        search_path.before_own = (0..=last).filter(|mount| *mount != own).collect();
    }
    search_path.finish(game)
}

fn is_game(snapshot: &Snapshot, folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    is_game_folder(&name) || snapshot.listing(folder).signs().is_root
}

/// Returns the base games next to a game's folder, in search order. A folder named like one (`main` is common) must
/// contain a game.
fn sibling_base_games(snapshot: &Snapshot, game: &Path) -> Vec<PathBuf> {
    let own_name = game.file_name().unwrap_or_default().to_string_lossy();
    let Some(parent) = game.parent().filter(|_| base_folder_index(&own_name).is_none()) else { return Vec::new() };
    let siblings = snapshot.listing(parent);
    let folders = siblings.signs().base_games.iter().map(|name| siblings.path_of(parent, name));
    let is_one = |folder: &PathBuf| {
        let listing = snapshot.listing(folder);
        listing.signs().is_root || !listing.signs().archives.is_empty()
    };
    folders.filter(is_one).collect()
}

/// Resolves links in the parent folders only, because companion files are next to a link, not its target.
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

fn game_path_of(folder: &Path, root: &Path) -> String {
    let below = folder.strip_prefix(root).unwrap_or(Path::new(""));
    let parts: Vec<_> = below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
    parts.join("/")
}

/// Returns the root of a folder, and the folder of the game with that root. The root is the nearest parent that looks
/// like a game's root or that games treat as an archive, else the folder itself.
fn root_of(snapshot: &Snapshot, folder: &Path) -> (PathBuf, PathBuf) {
    for ancestor in folder.ancestors().take(CLIMB) {
        if is_archive_folder_name(&ancestor.file_name().unwrap_or_default().to_string_lossy()) {
            return (ancestor.to_path_buf(), parent_of(ancestor).to_path_buf());
        }
        if is_root(snapshot, ancestor) {
            return (ancestor.to_path_buf(), ancestor.to_path_buf());
        }
    }
    (folder.to_path_buf(), folder.to_path_buf())
}

/// Returns whether a folder looks like a game's root. A content folder is not one, although `models` may contain
/// `players`. Below `models`, a folder needs a sign that folders of models do not have.
fn is_root(snapshot: &Snapshot, folder: &Path) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let is_content = |name: &str| CONTENT_FOLDERS.iter().any(|folder| name.eq_ignore_ascii_case(folder));
    let is_models = |folder: &Path| folder.file_name().is_some_and(|name| name.eq_ignore_ascii_case("models"));
    let is_below_models = || folder.ancestors().skip(1).any(is_models);
    let listing = snapshot.listing(folder);
    let signs = listing.signs();
    !is_content(&name) && signs.is_root && (signs.is_certain_root || is_game_folder(&name) || !is_below_models())
}

/// Returns the root that contains another root, for example the game around a folder `_src/models`. A folder named like
/// a game needs no outer root.
fn outer_root(snapshot: &Snapshot, root: &Path) -> Option<PathBuf> {
    if is_game_folder(&root.file_name().unwrap_or_default().to_string_lossy()) || !is_root(snapshot, root) {
        return None;
    }
    let outer = root.ancestors().skip(1).take(OUTER_CLIMB).find(|folder| is_root(snapshot, folder));
    outer.map(Path::to_path_buf)
}

struct SearchPath<'a> {
    snapshot: &'a Arc<Snapshot>,
    home: &'a Path,
    mounts: Vec<Mount>,
    own: Option<usize>,
    before_own: Vec<usize>,
    order_matters: bool,
    seen: HashSet<PathBuf>,
    base_games: Vec<PathBuf>,
    /// Number of archives found, those beyond [`MAX_ARCHIVES`] included.
    wanted: usize,
}

impl<'a> SearchPath<'a> {
    fn new(snapshot: &'a Arc<Snapshot>, home: &'a Path) -> Self {
        let (mounts, before_own, base_games) = (Vec::new(), Vec::new(), Vec::new());
        let (own, order_matters, seen, wanted) = (None, false, HashSet::new(), 0);
        Self { snapshot, home, mounts, own, before_own, order_matters, seen, base_games, wanted }
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

    fn is_new(&mut self, path: &Path) -> bool {
        let is_new = self.seen.insert(path.to_path_buf());
        if is_new && path == self.home {
            self.own = Some(self.mounts.len());
        }
        is_new
    }

    fn home_index(&self) -> usize {
        self.own.unwrap_or_default()
    }

    fn move_home(&mut self, to: usize) {
        let own = self.home_index();
        if own > to {
            self.mounts[to..=own].rotate_right(1);
            self.own = Some(to);
        }
    }

    fn add_user_root(&mut self, root: &Path) {
        let root = real(root);
        if root.is_dir() {
            self.add_game(&root.canonicalize().unwrap_or(root));
        } else if archive::is_archive(&root).unwrap_or(false) {
            self.add_archive(&root);
        }
    }

    fn add_game(&mut self, folder: &Path) {
        self.add_folder(folder);
        let listing = self.snapshot.listing(folder);
        for name in &listing.signs().archives {
            let path = listing.path_of(folder, name);
            if self.seen.contains(&path) {
                continue;
            }
            // The home archive is always mounted; others beyond the limit are not even opened.
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

    fn finish(self, game: &Path) -> Vfs {
        let mut warnings = Vec::new();
        if self.wanted > MAX_ARCHIVES {
            let wanted = self.wanted;
            warnings.push(format!(
                "{wanted} archives in the folders around this file; only the first {MAX_ARCHIVES} are searched"
            ));
        }
        Vfs::new(VfsInner {
            scope: self.snapshot.new_scope(),
            snapshot: Arc::clone(self.snapshot),
            mounts: self.mounts,
            home: Some(self.home.to_path_buf()),
            base: game.parent().map(Path::to_path_buf),
            base_games: self.base_games,
            home_mount: self.own,
            higher_priority_mounts: self.before_own,
            order_matters: self.order_matters,
            warnings,
        })
    }
}
