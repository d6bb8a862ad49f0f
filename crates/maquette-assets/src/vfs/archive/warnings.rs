//! Warnings about a readable archive, grouped so that many odd entries give few sentences.

use crate::limits::MAX_PATH_NAMES;
use std::collections::BTreeSet;

use maquette_core::error::counted;
use maquette_core::limits::MAX_PATH_BYTES;

/// Maximum number of names listed per sentence. Further names are counted.
const EXAMPLES: usize = 3;
const NAME_LENGTH: usize = 80;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EntryIssue {
    /// The name leads out of the archive, names a drive, holds a NUL or is empty.
    Name,
    /// The path is longer than [`MAX_PATH_BYTES`] or has more than [`MAX_PATH_NAMES`] names.
    Long,
    Encrypted,
    /// The entry of a Daikatana PAK is compressed.
    Compressed,
    /// The bytes extend beyond the end of the file.
    Outside,
    /// The entry shares its bytes with too many others.
    Shared,
    /// The unpacked bytes do not match the checksum.
    Checksum,
    /// The entry unpacks to fewer bytes than it claims.
    Short,
}

impl EntryIssue {
    fn sentence(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Long => {
                let entries = if count == 1 { "entry" } else { "entries" };
                return format!(
                    "{count} {entries} skipped: path longer than {MAX_PATH_BYTES} bytes or {MAX_PATH_NAMES} folders"
                );
            }
            Self::Name => (
                "entry skipped: its name is not a path inside the archive",
                "entries skipped: their names are not paths inside the archive",
            ),
            Self::Encrypted => ("encrypted entry skipped", "encrypted entries skipped"),
            Self::Compressed => {
                ("entry skipped: it has Daikatana's compression", "entries skipped: they have Daikatana's compression")
            }
            Self::Outside => ("entry skipped: it lies outside the file", "entries skipped: they lie outside the file"),
            Self::Shared => (
                "entry skipped: it shares its bytes with too many others",
                "entries skipped: they share their bytes with too many others",
            ),
            Self::Checksum => (
                "file does not match its checksum; read unchanged",
                "files do not match their checksums; read unchanged",
            ),
            Self::Short => ("file is shorter than its entry states", "files are shorter than their entries state"),
        };
        counted(count, one, many)
    }
}

#[derive(Clone, Debug)]
struct WarningGroup {
    oddity: EntryIssue,
    count: usize,
    examples: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct ArchiveWarnings {
    notes: Vec<String>,
    groups: Vec<WarningGroup>,
    /// Damaged entries that were read, so that reading one again adds no further warning.
    read: BTreeSet<(EntryIssue, usize)>,
}

impl ArchiveWarnings {
    pub(super) fn note(&mut self, sentence: String) {
        self.notes.push(sentence);
    }

    pub(super) fn add(&mut self, oddity: EntryIssue, name: &str) {
        let group = match self.groups.iter_mut().position(|group| group.oddity == oddity) {
            Some(index) => self.groups.get_mut(index),
            None => {
                self.groups.push(WarningGroup { oddity, count: 0, examples: Vec::new() });
                self.groups.last_mut()
            }
        };
        let Some(group) = group else { return };
        group.count += 1;
        if group.examples.len() < EXAMPLES {
            let mut shown: String = name.chars().take(NAME_LENGTH).flat_map(char::escape_debug).collect();
            if name.chars().nth(NAME_LENGTH).is_some() {
                shown.push('…');
            }
            group.examples.push(format!("“{shown}”"));
        }
    }

    pub(super) fn add_read(&mut self, oddity: EntryIssue, index: usize, name: &str) {
        if self.read.insert((oddity, index)) {
            self.add(oddity, name);
        }
    }

    pub(super) fn sentences(&self) -> Vec<String> {
        let groups = self.groups.iter().map(|group| {
            let more = group.count - group.examples.len();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("{}: {}{more}", group.oddity.sentence(group.count), group.examples.join(", "))
        });
        self.notes.iter().cloned().chain(groups).collect()
    }
}
