//! Directory builder shared by the readers of zip and pak.

use std::collections::BTreeSet;

use super::entry_table::{Entry, EntryTable, StoredEntry};
use super::warnings::{ArchiveWarnings, EntryIssue};
use crate::limits::MAX_PATH_NAMES;
use crate::vfs::path::{normalise, resolved};
use maquette_core::budget::Budget;
use maquette_core::bytes::utf8_or_latin1;
use maquette_core::limits::{MAX_CLAIMED_PER_BYTE, MAX_PATH_BYTES};

#[derive(Debug)]
pub(super) struct Directory {
    entries: Vec<Entry>,
    pub warnings: ArchiveWarnings,
    encrypted: BTreeSet<String>,
    file_count: usize,
    /// Packed bytes that further entries may have. Entries may share bytes (some programs store equal files once), but
    /// thousands of entries that share one large file would take hours to read.
    room: Budget,
}

#[derive(Debug, Default)]
pub(super) struct Finished {
    pub table: EntryTable,
    pub warnings: ArchiveWarnings,
    /// Lower-cased paths of the encrypted entries that were skipped, so that reading one reports the reason.
    pub encrypted: BTreeSet<String>,
    pub file_count: usize,
}

impl Directory {
    pub(super) fn new(length: u64) -> Self {
        Self {
            entries: Vec::new(),
            warnings: ArchiveWarnings::default(),
            encrypted: BTreeSet::new(),
            file_count: 0,
            room: Budget::new(length.saturating_mul(MAX_CLAIMED_PER_BYTE)),
        }
    }

    pub(super) fn add(&mut self, raw_name: &[u8], found: Result<StoredEntry, EntryIssue>) {
        let name = text(raw_name);
        if name.ends_with(['/', '\\']) {
            return;
        }
        self.file_count += 1;
        let depth = name.split(['/', '\\']).filter(|part| !part.is_empty()).count();
        if name.len() > MAX_PATH_BYTES || depth > MAX_PATH_NAMES {
            self.warnings.add(EntryIssue::Long, &name);
            return;
        }
        let absolute = name.starts_with(['/', '\\']);
        // The PAK of Quake II has an entry with a folder "..".
        let path = normalise(&name).or_else(|| resolved("", &name));
        let Some(path) = path.filter(|path| !path.is_empty() && !absolute) else {
            self.warnings.add(EntryIssue::Name, &name);
            return;
        };
        let mut take = |stored: &StoredEntry| self.room.take(stored.size().stored).map_err(|_| EntryIssue::Shared);
        match found.and_then(|stored| take(&stored).map(|()| stored)) {
            Ok(stored) => self.entries.push(Entry::new(path, stored)),
            Err(oddity) => {
                self.warnings.add(oddity, &name);
                if oddity == EntryIssue::Encrypted {
                    self.encrypted.insert(path.to_lowercase());
                }
            }
        }
    }

    pub(super) fn finish(self, last_wins: bool) -> Finished {
        let table = EntryTable::new(self.entries, last_wins);
        Finished { table, warnings: self.warnings, encrypted: self.encrypted, file_count: self.file_count }
    }
}

fn text(bytes: &[u8]) -> String {
    utf8_or_latin1(bytes)
}
