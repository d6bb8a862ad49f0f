//! Snapshot of the disk: listings, archives and values made from files.

use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use super::ReadError;
use super::archive::Archive;
use super::dir_listing::DirListing;
use super::memo::Memo;

/// Maximum number of files and folders whose stamps are compared. A larger snapshot is used for one request only.
const MAX_STAMPS: usize = 1 << 14;
/// Minimum age of a stamp at which a later change gives a different stamp. Most stamps follow the system clock
/// ([`FINE`]), those without a fraction of a second may have a resolution of two seconds ([`COARSE`]).
const FINE: Duration = Duration::from_millis(50);
const COARSE: Duration = Duration::from_secs(4);
pub(super) const DISK: u32 = 0;
const ENTRY_BYTES: usize = 256;
pub(super) const NAME_BYTES: usize = 64;

/// State of the disk. Each folder is listed once, each archive opened once, each shared file parsed once.
#[derive(Debug)]
pub(super) struct Snapshot {
    pub memo: Memo,
    /// Stamps of the files and folders that the values were made from; `None` if nothing is expected to change.
    stamps: Option<Mutex<HashMap<PathBuf, Option<Stamp>>>>,
    /// Whether a file could change, or has changed, without a different stamp.
    is_doubtful: AtomicBool,
    scopes: AtomicU32,
}

impl Snapshot {
    pub(super) fn new(fixed: bool) -> Self {
        let stamps = if fixed { None } else { Some(Mutex::default()) };
        Self { memo: Memo::default(), stamps, is_doubtful: AtomicBool::new(false), scopes: AtomicU32::new(DISK + 1) }
    }

    /// Returns whether the snapshot is still valid: nothing that was read has changed on disk.
    pub(super) fn holds(&self) -> bool {
        let Some(stamps) = &self.stamps else { return true };
        let stamps = stamps.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |(path, stamp): (&PathBuf, &Option<Stamp>)| Stamp::read(path) == *stamp;
        !self.is_doubtful.load(Ordering::Relaxed)
            && stamps.iter().all(is_same)
            && self.archives().iter().all(|(_, is_fresh)| *is_fresh)
    }

    /// Creates a new snapshot with the unchanged archives, because reading their directories is slow.
    pub(super) fn renewed(&self) -> Self {
        let new = Self::new(self.stamps.is_none());
        for (archive, _) in self.archives().into_iter().filter(|(_, is_fresh)| *is_fresh) {
            let (key, bytes) = (key_of(archive.path()).to_owned(), bytes_of(&archive));
            new.memo.get(DISK, &key, || (Some(archive), bytes));
        }
        new
    }

    fn archives(&self) -> Vec<(Arc<Archive>, bool)> {
        let all =
            self.memo.all::<Option<Arc<Archive>>>(DISK).into_iter().filter_map(|(_, archive)| archive.as_ref().clone());
        all.map(|archive| (Arc::clone(&archive), archive.is_fresh())).collect()
    }

    pub(super) fn new_scope(&self) -> u32 {
        self.scopes.fetch_add(1, Ordering::Relaxed)
    }

    pub(super) fn note(&self, path: &Path) {
        let Some(stamps) = &self.stamps else { return };
        let (now, stamp) = (SystemTime::now(), Stamp::read(path));
        let mut stamps = stamps.lock().unwrap_or_else(PoisonError::into_inner);
        if stamps.len() >= MAX_STAMPS || stamp.is_some_and(|stamp| !stamp.is_settled(now)) {
            self.is_doubtful.store(true, Ordering::Relaxed);
        } else {
            stamps.entry(path.to_path_buf()).or_insert(stamp);
        }
    }

    pub(super) fn listing(&self, folder: &Path) -> Arc<DirListing> {
        self.memo.get(DISK, key_of(folder), || {
            self.note(folder);
            let listing = DirListing::read(folder);
            let bytes = listing.len() * NAME_BYTES;
            (listing, bytes)
        })
    }

    pub(super) fn archive(&self, path: &Path) -> Result<Arc<Archive>, ReadError> {
        let archive = self.memo.get(DISK, key_of(path), || {
            let archive = Archive::open(path).ok().map(Arc::new);
            let bytes = archive.as_deref().map_or(0, bytes_of);
            (archive, bytes)
        });
        archive.as_ref().clone().map_or_else(|| Archive::open(path).map(Arc::new), Ok)
    }

    pub(super) fn open_archive(&self, path: &Path) -> Option<Arc<Archive>> {
        self.memo.peek::<Option<Arc<Archive>>>(DISK, key_of(path))?.as_ref().clone()
    }
}

fn bytes_of(archive: &Archive) -> usize {
    archive.file_count() * ENTRY_BYTES
}

pub(super) fn key_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    modified: SystemTime,
    length: u64,
    /// Device, inode and ctime (seconds, nanoseconds), which programs cannot set; zeros if the system has none.
    identity: [i64; 4],
}

impl Stamp {
    fn read(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        let modified = metadata.modified().ok()?;
        Some(Self { modified, length: metadata.len(), identity: identity(&metadata) })
    }

    /// Returns whether a change after `now` gives a different stamp.
    fn is_settled(&self, now: SystemTime) -> bool {
        let changed = self.changed();
        let fraction = changed.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.subsec_nanos());
        let least = if fraction == 0 { COARSE } else { FINE };
        now.duration_since(changed).is_ok_and(|since| since >= least)
    }

    fn changed(&self) -> SystemTime {
        let [_, _, seconds, nanoseconds] = self.identity;
        let since = u64::try_from(seconds).ok().zip(u32::try_from(nanoseconds).ok());
        let changed = since
            .and_then(|(seconds, nanoseconds)| SystemTime::UNIX_EPOCH.checked_add(Duration::new(seconds, nanoseconds)));
        changed.map_or(self.modified, |changed| changed.max(self.modified))
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> [i64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [metadata.dev().cast_signed(), metadata.ino().cast_signed(), metadata.ctime(), metadata.ctime_nsec()]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [i64; 4] {
    [0; 4]
}
