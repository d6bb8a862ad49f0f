//! Where the fields of a file stand, as its loader noted them.

use std::collections::HashMap;
use std::ops::Range;

use crate::bytes::{Entry, Recorder, What};
use crate::formats;

/// The fields and tables of a file.
pub(super) struct Places {
    entries: Vec<Entry>,
    /// By the group that they are in, and their names; the first of each.
    known: HashMap<(Option<u32>, String), usize>,
    /// Groups that are surfaces, in file order.
    surfaces: Vec<u32>,
}

impl Places {
    pub fn of(bytes: &[u8]) -> Self {
        let recorder = Recorder::default();
        // What was read is noted even of a file that fails.
        let _ = formats::load_recorded(bytes, &recorder);
        let entries = recorder.into_entries();
        let mut known = HashMap::with_capacity(entries.len());
        for (index, entry) in entries.iter().enumerate() {
            known.entry((entry.parent, entry.name.clone())).or_insert(index);
        }
        let is_surface = |entry: &Entry| {
            entry.what == What::Group && (entry.name.starts_with("surface ") || entry.name.starts_with("mesh "))
        };
        let surfaces = (0..).zip(&entries).filter(|(_, entry)| is_surface(entry)).map(|(index, _)| index).collect();
        Self { entries, known, surfaces }
    }

    pub fn surface_count(&self) -> usize {
        self.surfaces.len()
    }

    fn find(&self, parent: Option<u32>, name: &str) -> Option<&Entry> {
        self.known.get(&(parent, name.to_owned())).and_then(|index| self.entries.get(*index))
    }

    /// A field of a surface.
    pub fn surface_field(&self, surface: usize, name: &str) -> Option<Range<usize>> {
        let entry = self.find(Some(*self.surfaces.get(surface)?), name)?;
        range(entry.offset, entry.size)
    }

    /// A column of a record of a surface's table.
    pub fn surface_record(&self, surface: usize, table: &str, index: usize, column: &str) -> Option<Range<usize>> {
        column_of(self.find(Some(*self.surfaces.get(surface)?), table)?, index, column)
    }

    /// A column of a record of one of the file's own tables.
    pub fn record(&self, table: &str, index: usize, column: &str) -> Option<Range<usize>> {
        column_of(self.find(None, table)?, index, column)
    }

    /// What follows the head of a record of one of the file's own tables.
    pub fn record_tail(&self, table: &str, index: usize) -> Option<usize> {
        let entry = self.find(None, table)?;
        let What::Table(record, count) = &entry.what else { return None };
        let index = u64::try_from(index).ok().filter(|index| index < count)?;
        let start = entry.offset.checked_add(index.checked_mul(record.stride())?)?;
        usize::try_from(start.checked_add(record.head_size())?).ok()
    }
}

fn range(start: u64, size: u64) -> Option<Range<usize>> {
    let start = usize::try_from(start).ok()?;
    Some(start..start.checked_add(usize::try_from(size).ok()?)?)
}

fn column_of(entry: &Entry, index: usize, column: &str) -> Option<Range<usize>> {
    let What::Table(record, count) = &entry.what else { return None };
    let index = u64::try_from(index).ok().filter(|index| index < count)?;
    let mut start = entry.offset.checked_add(index.checked_mul(record.stride())?)?;
    for known in record.head {
        if known.name == column {
            return range(start, known.size());
        }
        start = start.checked_add(known.size())?;
    }
    None
}
