//! Names of an archive, sorted for binary search.

use zip::read::OwnedZipFileEntry;

use crate::vfs::FileSize;

#[derive(Debug)]
pub(super) enum StoredEntry {
    Pak {
        /// Offset of the first byte.
        offset: u64,
        size: u64,
    },
    Zip(Box<OwnedZipFileEntry>),
}

impl StoredEntry {
    pub(super) fn size(&self) -> FileSize {
        match self {
            Self::Pak { size, .. } => FileSize::unpacked(*size),
            Self::Zip(stored) => FileSize { bytes: stored.size(), stored: stored.compressed_size() },
        }
    }
}

#[derive(Debug)]
pub(super) struct Entry {
    /// The path in lower case, by which entries are sorted.
    key: Box<str>,
    /// The path as stored, with forward slashes.
    pub path: Box<str>,
    pub stored: StoredEntry,
    order: usize,
}

impl Entry {
    pub(super) fn new(path: String, stored: StoredEntry) -> Self {
        Self { key: path.to_lowercase().into(), path: path.into(), stored, order: 0 }
    }
}

/// Entries sorted by lower-cased path, each path once.
#[derive(Debug, Default)]
pub(super) struct EntryTable {
    entries: Vec<Entry>,
}

impl EntryTable {
    /// Sorts the entries of a directory. Of several entries for one path, the first wins, or the last.
    pub(super) fn new(mut entries: Vec<Entry>, last_wins: bool) -> Self {
        entries.iter_mut().enumerate().for_each(|(order, entry)| entry.order = order);
        // Stable: entries of one path stay in the directory's order.
        entries.sort_by(|a, b| a.key.cmp(&b.key));
        entries.dedup_by(|next, last| {
            let same = next.key == last.key;
            if same && last_wins {
                std::mem::swap(next, last);
                // Games list a path at its first occurrence.
                last.order = next.order;
            }
            same
        });
        entries.shrink_to_fit();
        Self { entries }
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(super) fn find(&self, path: &str) -> Option<usize> {
        self.find_key(&path.to_lowercase())
    }

    pub(super) fn find_key(&self, key: &str) -> Option<usize> {
        self.entries.binary_search_by(|entry| entry.key.as_ref().cmp(key)).ok()
    }

    pub(super) fn has_beginning_with(&self, key: &str) -> bool {
        self.entries.get(self.first_from(key)).is_some_and(|entry| entry.key.starts_with(key))
    }

    pub(super) fn folder(&self, path: &str) -> Option<String> {
        if path.is_empty() {
            return Some(String::new());
        }
        let prefix = prefix_of(path);
        let first = self.entries.get(self.first_from(&prefix))?;
        let depth = path.split('/').count();
        first.key.starts_with(&prefix).then(|| first.path.split('/').take(depth).collect::<Vec<_>>().join("/"))
    }

    fn first_from(&self, key: &str) -> usize {
        self.entries.partition_point(|entry| entry.key.as_ref() < key)
    }

    pub(super) fn names_in(&self, folder: &str, folders: bool) -> Vec<String> {
        let prefix = prefix_of(folder);
        let depth = prefix.matches('/').count();
        let mut names = Vec::new();
        let mut at = self.first_from(&prefix);
        while let Some(entry) = self.entries.get(at) {
            let Some(rest) = entry.key.strip_prefix(prefix.as_str()) else { break };
            let inner = rest.split_once('/').map(|(inner, _)| inner);
            if folders == inner.is_some() {
                // Lower-casing may change a name's length, but never the number of its slashes.
                names.push(entry.path.split('/').nth(depth).unwrap_or_default().to_owned());
            }
            at = match inner {
                // `0` follows `/` in ASCII, so this is the first key after all those in the inner folder.
                Some(inner) => self.first_from(&format!("{prefix}{inner}0")),
                None => at + 1,
            };
        }
        // Keys are sorted by whole paths, in which `b-side/` comes before `b/`.
        names.sort_by_cached_key(|name| name.to_lowercase());
        names
    }
}

impl EntryTable {
    pub(super) fn listing(&self, folder: &str) -> Vec<String> {
        let prefix = prefix_of(folder);
        let depth = prefix.matches('/').count();
        let below = self.entries.iter().skip(self.first_from(&prefix));
        let below = below.take_while(|entry| entry.key.starts_with(&prefix));
        let mut files: Vec<&Entry> =
            below.filter(|entry| entry.key.get(prefix.len()..).is_some_and(|rest| !rest.contains('/'))).collect();
        files.sort_by_key(|entry| entry.order);
        files.iter().map(|entry| entry.path.split('/').nth(depth).unwrap_or_default().to_owned()).collect()
    }
}

fn prefix_of(folder: &str) -> String {
    if folder.is_empty() { String::new() } else { format!("{}/", folder.to_lowercase()) }
}
