//! Notes what a loader reads, where and as what, while someone looks.

use std::cell::RefCell;
use std::collections::HashSet;

use super::layout::{Kind, Record};
use super::salvage::Salvage;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A structure: what was read while it was open belongs to it.
    Group,
    /// A field of so many numbers, or characters.
    Field(Kind, u64),
    /// A table of so many records.
    Table(Record, u64),
}

/// Something that was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Its name, in the format's own spelling.
    pub name: String,
    /// Bytes from the start of the file; of a group 0.
    pub offset: u64,
    /// Bytes; of a group 0.
    pub size: u64,
    /// What it is.
    pub what: What,
    /// The group it belongs to, by its place in the list.
    pub parent: Option<usize>,
}

#[derive(Default)]
struct Notes {
    entries: Vec<Entry>,
    open: Vec<usize>,
    /// What was noted already: a loader may look twice.
    known: HashSet<(Option<usize>, u64, String)>,
}

/// Notes what is read of a [`Source`](super::Source) in the order in which it is read.
#[derive(Default)]
pub struct Recorder {
    notes: RefCell<Notes>,
}

impl Recorder {
    /// Entries beyond these are not kept: no file that people look at has as many structures.
    pub const MOST: usize = 1 << 20;

    /// What was read.
    #[must_use]
    pub fn into_entries(self) -> Vec<Entry> {
        self.notes.into_inner().entries
    }

    pub(super) fn note(&self, name: &str, offset: u64, size: u64, what: What) {
        let Ok(mut notes) = self.notes.try_borrow_mut() else { return };
        let parent = notes.open.last().copied();
        if notes.entries.len() < Self::MOST && notes.known.insert((parent, offset, name.to_owned())) {
            notes.entries.push(Entry { name: name.to_owned(), offset, size, what, parent });
        }
    }

    pub(super) fn open(&self, name: String) {
        let Ok(mut notes) = self.notes.try_borrow_mut() else { return };
        let parent = notes.open.last().copied();
        let place = notes.entries.len();
        notes.entries.push(Entry { name, offset: 0, size: 0, what: What::Group, parent });
        notes.open.push(place);
    }

    fn close(&self) {
        if let Ok(mut notes) = self.notes.try_borrow_mut() {
            notes.open.pop();
        }
    }
}

/// A structure that is being read, until it is dropped.
#[must_use = "what is read belongs to it until it is dropped"]
pub struct Group<'a> {
    pub(super) recorder: Option<&'a Recorder>,
    pub(super) salvage: Option<&'a Salvage>,
}

impl Drop for Group<'_> {
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder {
            recorder.close();
        }
        if let Some(salvage) = self.salvage {
            salvage.close();
        }
    }
}
