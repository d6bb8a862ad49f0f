//! Notes what a loader reads, where and as what, while someone looks.

use crate::limits::MIN_RECORDED_ENTRIES;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use super::layout::{Kind, Part, Record};
use super::salvage::Salvage;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedItem {
    /// A structure: what was read while it was open belongs to it.
    Group,
    /// A field of so many numbers, or characters.
    Field(Kind, u64),
    /// A table of so many records. Boxed: tables are few, and entries for fields stay small.
    Table(Box<Record>, u64),
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
    pub what: RecordedItem,
    /// The group it belongs to, by its place in the list.
    pub parent: Option<u32>,
    /// What it is of the model; of a table, its record says that.
    pub part: Option<Part>,
}

#[derive(Default)]
struct Notes {
    entries: Vec<Entry>,
    /// Structures that are being read, the innermost last; none for one beyond the limit.
    open: Vec<Option<u32>>,
    /// Hashes of group, place and name of what was noted: a loader may look twice.
    known: HashSet<u64>,
    hashing: RandomState,
    is_full: bool,
}

/// Notes what is read of a [`Source`](super::Source) in the order in which it is read.
#[derive(Default)]
pub struct Recorder {
    notes: RefCell<Notes>,
    /// Entries that are kept.
    limit: Cell<usize>,
}

impl Recorder {
    /// One more is kept for every so many bytes of the file, which keeps memory within 16 times the file and 96 MB.
    const BYTES_EACH: usize = 10;

    /// Sets how many entries are kept of a file of so many bytes.
    pub(super) fn set_limit(&self, bytes: usize) {
        self.limit.set(MIN_RECORDED_ENTRIES + bytes / Self::BYTES_EACH);
    }

    /// What was read.
    #[must_use]
    pub fn into_entries(self) -> Vec<Entry> {
        self.notes.into_inner().entries
    }

    /// Whether more was read than is kept.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.notes.try_borrow().is_ok_and(|notes| notes.is_full)
    }

    pub(super) fn note(&self, part: Option<Part>, name: &str, offset: u64, size: u64, what: RecordedItem) {
        let Ok(mut notes) = self.notes.try_borrow_mut() else { return };
        let notes = &mut *notes;
        let parent = notes.open.last().copied().flatten();
        if notes.entries.len() >= self.limit.get() {
            notes.is_full = true;
        } else if notes.known.insert(notes.hashing.hash_one((parent, offset, name))) {
            notes.entries.push(Entry { name: name.to_owned(), offset, size, what, parent, part });
        }
    }

    pub(super) fn open(&self, part: Option<Part>, name: String) {
        let Ok(mut notes) = self.notes.try_borrow_mut() else { return };
        let parent = notes.open.last().copied().flatten();
        let place = u32::try_from(notes.entries.len()).ok().filter(|_| notes.entries.len() < self.limit.get());
        if place.is_some() {
            notes.entries.push(Entry { name, offset: 0, size: 0, what: RecordedItem::Group, parent, part });
        } else {
            notes.is_full = true;
        }
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
pub struct StructScope<'a> {
    pub(super) recorder: Option<&'a Recorder>,
    pub(super) salvage: Option<&'a Salvage>,
}

impl Drop for StructScope<'_> {
    fn drop(&mut self) {
        if let Some(recorder) = self.recorder {
            recorder.close();
        }
        if let Some(salvage) = self.salvage {
            salvage.close();
        }
    }
}
