//! What is odd about an archive that can be used all the same: few sentences, however many entries are odd.

use crate::limits::MAX_PATH_NAMES;
use std::collections::BTreeSet;

use maquette_core::error::counted;
use maquette_core::limits::MAX_PATH_BYTES;

/// Names told per sentence; further ones are counted.
const EXAMPLES: usize = 3;
/// Characters told of a name.
const NAME_LENGTH: usize = 80;

/// What is odd about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum EntryIssue {
    /// Its name leads out of the archive, names a drive, holds a NUL or is empty.
    Name,
    /// Its name is longer, or its folders are more, than those of any game.
    Long,
    /// It is encrypted.
    Encrypted,
    /// Its bytes lie outside the file.
    Outside,
    /// Its bytes are those of other entries, too many times.
    Shared,
    /// What was read does not match its checksum.
    Checksum,
    /// It unpacked to fewer bytes than it claims.
    Short,
}

impl EntryIssue {
    fn sentence(self, count: usize) -> String {
        let (one, many) = match self {
            Self::Long => {
                let entries = if count == 1 { "entry is" } else { "entries are" };
                return format!(
                    "{count} {entries} skipped, with a path of more than {MAX_PATH_BYTES} bytes or {MAX_PATH_NAMES} folders"
                );
            }
            Self::Name => {
                ("entry is skipped, its name is no path inside", "entries are skipped, their names are no paths inside")
            }
            Self::Encrypted => ("entry is encrypted and skipped", "entries are encrypted and skipped"),
            Self::Outside => {
                ("entry lies outside the file and is skipped", "entries lie outside the file and are skipped")
            }
            Self::Shared => (
                "entry shares the bytes of too many others and is skipped",
                "entries share the bytes of too many others and are skipped",
            ),
            Self::Checksum => (
                "file does not match its checksum, and was read as it is",
                "files do not match their checksums, and were read as they are",
            ),
            Self::Short => ("file is shorter than its entry says", "files are shorter than their entries say"),
        };
        counted(count, one, many)
    }
}

#[derive(Clone, Debug)]
struct Group {
    oddity: EntryIssue,
    count: usize,
    examples: Vec<String>,
}

/// Remarks, grouped by what is odd.
#[derive(Clone, Debug, Default)]
pub(super) struct ArchiveWarnings {
    notes: Vec<String>,
    groups: Vec<Group>,
    /// Entries found odd while reading, so that reading one twice is told once.
    read: BTreeSet<(EntryIssue, usize)>,
}

impl ArchiveWarnings {
    /// A sentence about the archive as a whole.
    pub(super) fn note(&mut self, sentence: String) {
        self.notes.push(sentence);
    }

    /// An entry of the directory is odd.
    pub(super) fn add(&mut self, oddity: EntryIssue, name: &str) {
        let group = match self.groups.iter_mut().position(|group| group.oddity == oddity) {
            Some(index) => self.groups.get_mut(index),
            None => {
                self.groups.push(Group { oddity, count: 0, examples: Vec::new() });
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

    /// The entry of this number proved odd when it was read.
    pub(super) fn add_read(&mut self, oddity: EntryIssue, index: usize, name: &str) {
        if self.read.insert((oddity, index)) {
            self.add(oddity, name);
        }
    }

    /// One sentence each.
    pub(super) fn sentences(&self) -> Vec<String> {
        let groups = self.groups.iter().map(|group| {
            let more = group.count - group.examples.len();
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("{}: {}{more}", group.oddity.sentence(group.count), group.examples.join(", "))
        });
        self.notes.iter().cloned().chain(groups).collect()
    }
}
