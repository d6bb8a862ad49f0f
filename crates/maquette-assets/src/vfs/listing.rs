//! What a folder on disk holds, read once and kept while the folder stays as it is.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime};

use super::Names;
use super::game_signs::GameSigns;

/// Names in all the listings that are kept; beyond them only the newest is.
const MOST_NAMES: usize = 1 << 17;
/// How far apart two changes of a folder are at least that it tells apart: most file systems have fine stamps, which move on
/// with the system's clock; one without fractions of a second is counted in ones or twos.
const FINE: Duration = Duration::from_millis(50);
const COARSE: Duration = Duration::from_secs(4);

/// What a folder holds.
#[derive(Debug, Default)]
pub(super) struct Listing {
    pub files: Arc<Names>,
    pub folders: Arc<Names>,
    /// Names that are no text, by how they are told.
    odd: HashMap<String, OsString>,
    /// Names that differ from others in case alone, and count for nothing but as what follows.
    dropped: HashSet<String>,
    signs: OnceLock<GameSigns>,
}

impl Listing {
    /// Reads a folder; one that cannot be read is empty. Of names that differ in case alone, the first in byte order
    /// is kept, so that the choice does not be attached to the disk's order.
    fn of(folder: &Path) -> Self {
        let mut odd = HashMap::new();
        let mut entries: Vec<(String, String, bool)> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| {
                // Only of a link it takes a look at what it leads to.
                let is_folder = match entry.file_type() {
                    Ok(kind) if !kind.is_symlink() => kind.is_dir(),
                    _ => entry.path().is_dir(),
                };
                let name = entry.file_name().into_string().unwrap_or_else(|name| {
                    let told = name.to_string_lossy().into_owned();
                    odd.insert(told.clone(), name);
                    told
                });
                (name.to_lowercase(), name, is_folder)
            })
            .collect();
        entries.sort();
        let mut dropped = HashSet::new();
        entries.dedup_by(|(key, name, _), (kept, ..)| {
            let is_known = key == kept;
            if is_known {
                dropped.insert(std::mem::take(name));
            }
            is_known
        });
        let (folders, files): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(.., is_folder)| *is_folder);
        let names =
            |entries: Vec<(String, String, bool)>| Arc::new(Names::new(entries.into_iter().map(|(_, name, _)| name)));
        Self { files: names(files), folders: names(folders), odd, dropped, signs: OnceLock::new() }
    }

    /// Where a name of it leads, `folder` being its own path.
    pub(super) fn path_of(&self, folder: &Path, name: &str) -> PathBuf {
        match self.odd.get(name) {
            Some(name) => folder.join(name),
            None => folder.join(name),
        }
    }

    /// Whether a name of it is a folder's; none if another name that differs from it in case alone is kept.
    pub(super) fn is_folder(&self, name: &str) -> Option<bool> {
        let key = name.to_lowercase();
        let is_kept = |names: &Names| names.get(&key).is_some_and(|kept| kept == name);
        if is_kept(&self.files) { Some(false) } else { is_kept(&self.folders).then_some(true) }
    }

    /// Whether another name that differs from this in case alone stands for it.
    pub(super) fn is_dropped(&self, name: &str) -> bool {
        self.dropped.contains(name)
    }

    /// What tells of a game in it.
    pub(super) fn signs(&self) -> &GameSigns {
        let all = || self.files.iter().chain(self.folders.iter()).chain(self.dropped.iter().map(String::as_str));
        self.signs.get_or_init(|| GameSigns::of(all()))
    }

    fn len(&self) -> usize {
        self.files.len() + self.folders.len() + self.dropped.len()
    }
}

/// What tells that a folder is still as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    /// Where the system has them, the folder's number and when it was changed last, which nobody can set back.
    identity: [i64; 4],
}

impl Stamp {
    fn of(folder: &Path) -> Option<Self> {
        let metadata = fs::metadata(folder).ok()?;
        Some(Self { modified: metadata.modified().ok()?, identity: identity(&metadata) })
    }

    /// Whether what changes the folder after `now` gives it another stamp.
    fn is_settled(&self, now: SystemTime) -> bool {
        let changed = self.changed();
        let fraction = changed.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
        let least = if fraction == 0 { COARSE } else { FINE };
        now.duration_since(changed).is_ok_and(|since| since >= least)
    }

    /// When it was changed last.
    fn changed(&self) -> SystemTime {
        let [_, _, seconds, nanoseconds] = self.identity;
        let since = u64::try_from(seconds).ok().zip(u32::try_from(nanoseconds).ok());
        let changed = since
            .and_then(|(seconds, nanoseconds)| SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds)));
        changed.map_or(self.modified, |changed| changed.max(self.modified))
    }
}

/// Device, number, and when it was changed last in seconds and nanoseconds.
#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [metadata.dev().cast_signed(), metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}

/// Listings by folder, so that going from one model to the next does not read theirs again.
#[derive(Debug, Default)]
pub(super) struct Listings {
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    listings: HashMap<PathBuf, (Stamp, Arc<Listing>)>,
    /// Names in all of them.
    names: usize,
}

impl Listings {
    /// What a folder holds now.
    pub(super) fn of(&self, folder: &Path) -> Arc<Listing> {
        let stamp = Stamp::of(folder);
        let known = |known: &Known| {
            let (known, listing) = known.listings.get(folder)?;
            (Some(*known) == stamp).then(|| Arc::clone(listing))
        };
        if let Some(listing) = known(&self.lock()) {
            return listing;
        }
        let now = SystemTime::now();
        let listing = Arc::new(Listing::of(folder));
        let mut known = self.lock();
        if let Some((_, old)) = known.listings.remove(folder) {
            known.names -= old.len();
        }
        // One that may change without telling is read again next time.
        if let Some(stamp) = stamp.filter(|stamp| stamp.is_settled(now)) {
            if known.names + listing.len() > MOST_NAMES {
                *known = Known::default();
            }
            known.names += listing.len();
            known.listings.insert(folder.to_path_buf(), (stamp, Arc::clone(&listing)));
        }
        listing
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
