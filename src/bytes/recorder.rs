//! Notes what a loader reads, where and as what, while someone looks.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::hash::{BuildHasher as _, RandomState};

use super::layout::{Kind, Record};
use super::salvage::Salvage;

/// What was read.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// A structure: what was read while it was open belongs to it.
    Group,
    /// A field of so many numbers, or characters.
    Field(Kind, u64),
    /// A table of so many records. A file has few: what a record is lies beside, so that fields are small.
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
    pub what: What,
    /// The group it belongs to, by its place in the list.
    pub parent: Option<u32>,
}

#[derive(Default)]
struct Notes {
    entries: Vec<Entry>,
    /// Structures that are being read, the innermost last; none for one that is not kept.
    open: Vec<Option<u32>>,
    /// What was noted already, by group, place and name: a loader may look twice.
    known: HashSet<u64>,
    hashing: RandomState,
    is_full: bool,
}

/// Notes what is read of a [`Source`](super::Source) in the order in which it is read.
#[derive(Default)]
pub struct Recorder {
    notes: RefCell<Notes>,
    /// Entries beyond these are not kept.
    most: Cell<usize>,
}

impl Recorder {
    /// Entries beyond these are not kept: no file that people look at has as many structures.
    pub const MOST: usize = 1 << 20;
    /// What even the smallest file may have.
    const LEAST: usize = 1 << 16;
    /// Bytes of a file for each entry beyond that: more entries take more memory than a file of this length may.
    const BYTES_EACH: usize = 10;

    /// A file of so many bytes is read from now on.
    pub(super) fn expect(&self, bytes: usize) {
        self.most.set((Self::LEAST + bytes / Self::BYTES_EACH).min(Self::MOST));
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

    pub(super) fn note(&self, name: &str, offset: u64, size: u64, what: What) {
        let Ok(mut notes) = self.notes.try_borrow_mut() else { return };
        let notes = &mut *notes;
        let parent = match notes.open.last() {
            Some(None) => return,
            Some(parent) => *parent,
            None => None,
        };
        if notes.entries.len() >= self.most.get() {
            notes.is_full = true;
        } else if notes.known.insert(notes.hashing.hash_one((parent, offset, name))) {
            notes.entries.push(Entry { name: name.to_owned(), offset, size, what, parent });
        }
    }

    pub(super) fn open(&self, name: String) {
        let Ok(mut notes) = self.notes.try_borrow_mut() else { return };
        let parent = notes.open.last().copied();
        let place = u32::try_from(notes.entries.len()).ok().filter(|_| notes.entries.len() < self.most.get());
        notes.is_full |= place.is_none();
        let place = place.filter(|_| parent != Some(None));
        if place.is_some() {
            notes.entries.push(Entry { name, offset: 0, size: 0, what: What::Group, parent: parent.flatten() });
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
