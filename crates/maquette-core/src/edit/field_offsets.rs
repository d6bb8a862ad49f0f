//! File positions of model elements, as recorded by the loader.

use std::collections::HashMap;
use std::ops::Range;

use crate::bytes::{Entry, Kind, Part, PartKind, RecordedItem, Recorder};
use crate::formats;

pub(super) struct FieldOffsets {
    known: HashMap<(Option<usize>, PartKind), Entry>,
    pub surface_count: usize,
}

impl FieldOffsets {
    pub fn from_bytes(bytes: &[u8]) -> Self {
        let recorder = Recorder::default();
        // The recorder keeps its entries if loading fails.
        let _ = formats::load_recorded(bytes, &recorder);
        let entries = recorder.into_entries();
        let surface_of = |entry: &Entry| entry.part.filter(|part| part.kind == PartKind::Surface).map(Part::index);
        let mut known = HashMap::new();
        for entry in &entries {
            let kind = match &entry.what {
                RecordedItem::Table(record, _) => record.holds,
                RecordedItem::Field(..) => entry.part.map(|part| part.kind),
                // The fields of a structure have all of its bytes.
                RecordedItem::Group => None,
            };
            let Some(kind) = kind else { continue };
            let group = entry.parent.and_then(|parent| entries.get(parent as usize));
            known.entry((group.and_then(surface_of), kind)).or_insert_with(|| entry.clone());
        }
        Self { known, surface_count: entries.iter().filter_map(surface_of).count() }
    }

    pub fn text(&self, surface: Option<usize>, part: Part) -> Option<(Range<usize>, bool)> {
        let entry = self.known.get(&(surface, part.kind))?;
        if let RecordedItem::Table(..) = entry.what {
            return Some((columns(entry, part, |kind| kind == Kind::Text)?, false));
        }
        let is_statement = matches!(entry.what, RecordedItem::Field(Kind::Statement, _));
        let range = range(entry.offset, entry.offset.checked_add(entry.size)?)?;
        (entry.part == Some(part)).then_some((range, is_statement))
    }

    pub fn numbers(&self, surface: Option<usize>, part: Part) -> Option<Range<usize>> {
        columns(self.known.get(&(surface, part.kind))?, part, |kind| kind != Kind::Text)
    }
}

fn range(start: u64, end: u64) -> Option<Range<usize>> {
    Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
}

fn columns(entry: &Entry, part: Part, is_wanted: impl Fn(Kind) -> bool) -> Option<Range<usize>> {
    let RecordedItem::Table(record, count) = &entry.what else { return None };
    let index = Some(part.index() as u64).filter(|index| index < count)?;
    let mut at = entry.offset.checked_add(index.checked_mul(record.stride())?)?;
    let mut wanted: Option<Range<u64>> = None;
    for column in record.head {
        let end = at.checked_add(column.size())?;
        if is_wanted(column.kind) {
            wanted = Some(wanted.map_or(at, |wanted| wanted.start)..end);
        }
        at = end;
    }
    wanted.and_then(|wanted| range(wanted.start, wanted.end))
}
