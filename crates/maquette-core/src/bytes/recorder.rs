//! Recorder of the fields that a loader reads.

use crate::limits::MIN_RECORDED_ENTRIES;
use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use super::layout::{Kind, Part, Record};
use super::salvage::Salvage;

/// Type of a recorded item.
#[derive(Clone, Debug, PartialEq)]
pub enum RecordedItem {
    /// Structure, the parent of everything read while it was open.
    Group,
    /// Field with this number of values or characters.
    Field(Kind, u64),
    /// Table with this number of records. Boxed to keep the much more frequent entries of fields small.
    Table(Box<Record>, u64),
}

/// Item that a loader read.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// Name in the format's own spelling.
    pub name: String,
    /// Offset in bytes from the start of the file; 0 for a structure.
    pub offset: u64,
    /// Size in bytes; 0 for a structure.
    pub size: u64,
    /// Type of the item.
    pub what: RecordedItem,
    /// Index of the structure that contains the item.
    pub parent: Option<u32>,
    /// Model element in the item. Tables state it in their record.
    pub part: Option<Part>,
}

#[derive(Default)]
struct Notes {
    entries: Vec<Entry>,
    open: Vec<Option<u32>>,
    /// Hashes of parent, offset and name of all entries, because a loader may read a field twice.
    known: HashSet<u64>,
    hashing: RandomState,
    is_full: bool,
}

/// List of everything read from a [`Source`](super::Source), in reading order.
#[derive(Default)]
pub struct Recorder {
    notes: RefCell<Notes>,
    limit: Cell<usize>,
}

impl Recorder {
    /// File bytes per additional entry. Keeps memory within about 16 times the size of a large file.
    const BYTES_EACH: usize = 10;

    pub(super) fn set_limit(&self, bytes: usize) {
        self.limit.set(MIN_RECORDED_ENTRIES + bytes / Self::BYTES_EACH);
    }

    /// Returns the recorded entries.
    pub fn into_entries(self) -> Vec<Entry> {
        self.notes.into_inner().entries
    }

    /// Returns whether entries were dropped at the limit.
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
        let index = u32::try_from(notes.entries.len()).ok().filter(|_| notes.entries.len() < self.limit.get());
        if index.is_some() {
            notes.entries.push(Entry { name, offset: 0, size: 0, what: RecordedItem::Group, parent, part });
        } else {
            notes.is_full = true;
        }
        notes.open.push(index);
    }

    fn close(&self) {
        if let Ok(mut notes) = self.notes.try_borrow_mut() {
            notes.open.pop();
        }
    }
}

/// Open structure, closed on drop.
#[must_use = "fields that are read belong to this structure until it is dropped"]
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
