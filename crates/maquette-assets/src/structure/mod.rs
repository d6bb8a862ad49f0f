//! Structure of a file: fields with positions and values, gaps and errors. Built from the records of the loader.

mod companion;
mod line_index;
pub mod link;
mod outline;
mod report;
pub mod value;

use std::collections::BTreeMap;
use std::rc::Rc;

pub use outline::{LineKind, Outline, OutlineRow, Search};
pub use report::{to_json, to_text};
pub use value::Value;

use line_index::LineIndex;
use maquette_core::bytes::{Count, Entry, Kind, Part, Record, RecordedItem, Recorder, Source};
use maquette_core::error::{LoadError, Reason, Warning, WarningKind, Warnings};
use maquette_core::formats::{self, iqm};
use maquette_core::model::Format;

/// Structure of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    /// Short name of the format, for example `md3`, `skin` or `zip`; empty if unknown.
    pub format: &'static str,
    /// Size of the file in bytes.
    pub size: u64,
    /// Reason why the file does not load, if it does not.
    pub error: Option<LoadFault>,
    /// Structures and fields in file order.
    pub fields: Vec<Field>,
    /// Byte ranges that no field covers, in file order.
    pub gaps: Vec<Span>,
    /// Warnings that are not attached to a field.
    pub issues: Vec<Warning>,
}

/// Reason why a file does not load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadFault {
    /// Message of the loader.
    pub message: String,
    /// Offset of the faulty field; `None` if the whole file is faulty.
    pub offset: Option<u64>,
    /// Offset at which reading failed, if it is not that of the field, for example the target of an offset.
    pub reached: Option<u64>,
}

/// A range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Offset from the start of the file.
    pub offset: u64,
    /// Number of bytes.
    pub size: u64,
}

impl Span {
    /// Returns the offset after the last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.size)
    }
}

/// A structure, a table or a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Name in the format's spelling.
    pub name: String,
    /// Range of the field; of a structure, from its first to its last field.
    pub span: Span,
    /// Content of the field.
    pub content: Content,
    /// Warning about the field; empty if there is none.
    pub issue: String,
    /// Part of the model that the field describes, if known.
    pub part: Option<Part>,
}

/// Content of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// A structure with its fields.
    Group(Vec<Field>),
    /// A number of values of a kind, or of characters.
    Plain(Kind, u64),
    /// A table with its number of records.
    Table(Box<Record>, u64),
}

impl Structure {
    /// Reads the structure of a file that is recognised by its first bytes.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        Self::of_file("", bytes)
    }

    /// Like [`Self::read`], but also recognises companion files by name (without folder).
    #[must_use]
    pub fn of_file(name: &str, bytes: &[u8]) -> Self {
        let Read { format, error, entries, warnings } = read(name, bytes);
        let lines = LineIndex::new(bytes);
        let mut fields = tree(entries);
        // Salvaging a damaged file may add a warning at the same position that includes the error.
        let is_marked =
            error.as_ref().is_some_and(|error| warnings.iter().any(|warning| warning.position == error.position));
        let error = error.map(|error| LoadFault {
            message: error.to_string(),
            offset: lines.offset_of(error.position),
            reached: error.reached,
        });
        let mut leaves = Vec::new();
        fields.iter().for_each(|field| collect_leaves(field, &mut leaves));
        let gaps = gaps(&leaves, bytes.len() as u64);
        mark_overlaps(&mut fields);
        let issues = warnings
            .into_iter()
            .filter(|warning| {
                let offsets = [lines.offset_of(warning.position), warning.reached];
                let is_marked = mark_offsets(&mut fields, offsets, &warning.message);
                !is_marked && !lines.mark(&mut fields, warning) && !mark(&mut fields, warning)
            })
            .collect();
        if let (Some(fault), false) = (&error, is_marked) {
            mark_offsets(&mut fields, [fault.offset, fault.reached], &fault.message);
        }
        Self { format, size: bytes.len() as u64, error, fields, gaps, issues }
    }

    /// Returns whether the structure of a file with this name and these first bytes can be read.
    pub fn knows(name: &str, start: &[u8]) -> bool {
        formats::detect(start).is_some() || companion::kind_of(name, start).is_some()
    }

    /// Returns the error message if reading failed within a gap, else empty.
    pub fn issue_of_gap(&self, gap: Span) -> &str {
        let holds = |offset: u64| gap.offset <= offset && offset < gap.end();
        let fault = self.error.as_ref().filter(|fault| fault.reached.or(fault.offset).is_some_and(holds));
        fault.map_or("", |fault| &fault.message)
    }

    /// Returns whether the file is text.
    pub fn is_text(&self) -> bool {
        Format::by_name(self.format).is_some_and(|format| format.traits().is_text)
            || companion::by_name(self.format).is_some_and(|kind| kind.is_text)
    }
}

struct Read {
    format: &'static str,
    error: Option<LoadError>,
    entries: Vec<Entry>,
    warnings: Vec<Warning>,
}

fn read(name: &str, bytes: &[u8]) -> Read {
    let model = formats::detect(bytes).filter(|_| !iqm::is_animation(bytes));
    if let (None, Some(kind)) = (model, companion::kind_of(name, bytes)) {
        let (recorder, mut warnings) = (Recorder::default(), Warnings::default());
        let read = (kind.read)(&Source::recorded(kind.name, bytes, &recorder), &mut warnings);
        return Read::new(kind.name, read.err(), recorder, warnings.into_vec());
    }
    let format = model.map_or("", Format::name);
    let load = || {
        let recorder = Recorder::default();
        let (read, warnings) = formats::load_recorded(bytes, &recorder);
        (read, recorder, warnings)
    };
    let (read, recorder, warnings) = load();
    if read.is_ok() && !warnings.iter().any(|warning| warning.kind.loses_data()) {
        return Read::new(format, None, recorder, warnings);
    }
    // The structure is that of one file.
    if read.as_ref().is_err_and(|error| matches!(error.reason, Reason::Unread { .. })) {
        return Read::new(format, None, recorder, warnings);
    }
    // Salvaging continues after the failure. Only one recorder exists at a time, because each may be large.
    let triangles = read.as_ref().ok().map(formats::triangles);
    let error = read.err();
    drop(recorder);
    let recorder = Recorder::default();
    if let Some(warnings) = formats::salvage_recorded(bytes, &recorder, triangles) {
        return Read::new(format, error, recorder, warnings);
    }
    drop(recorder);
    let (_, recorder, warnings) = load();
    Read::new(format, error, recorder, warnings)
}

impl Read {
    fn new(format: &'static str, error: Option<LoadError>, recorder: Recorder, mut warnings: Vec<Warning>) -> Self {
        let is_full = recorder.is_full();
        let entries = recorder.into_entries();
        if is_full {
            let message = format!("only the first {} structures and fields are listed", entries.len());
            warnings.push(Warning::new(WarningKind::Inconsistent, "", message));
        }
        Self { format, error, entries, warnings }
    }
}

/// Converts entries in reading order to a tree in file order. Empty structures are left out.
fn tree(mut entries: Vec<Entry>) -> Vec<Field> {
    let mut children: BTreeMap<Option<u32>, Vec<Field>> = BTreeMap::new();
    // A group precedes its entries, so that in reverse order all entries are complete before their group.
    while let Some(entry) = entries.pop() {
        let index = u32::try_from(entries.len()).ok();
        let content = match entry.what {
            RecordedItem::Group => {
                let mut own = children.remove(&index).unwrap_or_default();
                put_in_file_order(&mut own);
                Content::Group(own)
            }
            RecordedItem::Field(kind, count) => Content::Plain(kind, count),
            RecordedItem::Table(record, count) => Content::Table(record, count),
        };
        let span = match &content {
            Content::Group(own) => {
                let Some(first) = own.first() else { continue };
                let offset = first.span.offset;
                let end = own.iter().map(|field| field.span.end()).max().unwrap_or(offset);
                Span { offset, size: end - offset }
            }
            _ => Span { offset: entry.offset, size: entry.size },
        };
        let field = Field { name: entry.name, span, content, issue: String::new(), part: entry.part };
        children.entry(entry.parent).or_default().push(field);
    }
    let mut fields = children.remove(&None).unwrap_or_default();
    put_in_file_order(&mut fields);
    fields
}

/// Sorts fields that are in reverse reading order. Fields at one offset keep their reading order.
fn put_in_file_order(fields: &mut Vec<Field>) {
    fields.reverse();
    fields.shrink_to_fit();
    // Sorting allocates memory.
    if !fields.is_sorted_by_key(|field| field.span.offset) {
        fields.sort_by_key(|field| field.span.offset);
    }
}

fn collect_leaves(field: &Field, leaves: &mut Vec<Span>) {
    match &field.content {
        Content::Group(own) => own.iter().for_each(|field| collect_leaves(field, leaves)),
        _ => leaves.push(field.span),
    }
}

fn gaps(spans: &[Span], size: u64) -> Vec<Span> {
    let mut spans: Vec<Span> = spans.iter().copied().filter(|span| span.size > 0).collect();
    spans.sort_by_key(|span| span.offset);
    let (mut gaps, mut at) = (Vec::new(), 0);
    for span in spans.into_iter().chain([Span { offset: size, size: 0 }]) {
        if span.offset > at {
            gaps.push(Span { offset: at, size: span.offset - at });
        }
        at = at.max(span.end());
    }
    gaps
}

type NestedField<'a> = (Option<Rc<str>>, &'a mut Field);

fn mark_overlaps(fields: &mut [Field]) {
    fn path_of(within: Option<&str>, name: &str) -> String {
        within.map_or_else(|| name.to_owned(), |within| format!("{within} ▸ {name}"))
    }
    fn visit<'a>(fields: &'a mut [Field], within: Option<&Rc<str>>, all: &mut Vec<NestedField<'a>>) {
        for field in fields {
            if matches!(field.content, Content::Group(_)) {
                let path = Rc::from(path_of(within.map(Rc::as_ref), &field.name));
                let Content::Group(own) = &mut field.content else { continue };
                visit(own, Some(&path), all);
            } else if field.span.size > 0 {
                all.push((within.cloned(), field));
            }
        }
    }
    let mut all = Vec::new();
    visit(fields, None, &mut all);
    all.sort_by_key(|(_, field)| field.span.offset);
    let mut furthest: Option<(Option<Rc<str>>, &Field)> = None;
    for (within, field) in all {
        if let Some((inside, other)) = &furthest
            && field.span.offset < other.span.end()
        {
            field.issue = format!("overlaps {}", path_of(inside.as_deref(), &other.name));
        }
        let field: &Field = field;
        if furthest.as_ref().is_none_or(|(_, other)| field.span.end() > other.span.end()) {
            furthest = Some((within, field));
        }
    }
}

fn mark(fields: &mut [Field], warning: &Warning) -> bool {
    let about = warning.about.trim();
    if about.is_empty() {
        return false;
    }
    let is_meant = |field: &Field| {
        field.name == about || matches!(&field.content, Content::Group(_)) && is_called(about, &field.name)
    };
    for field in fields {
        if is_meant(field) {
            // `LOD 1 surface 0 “head”` means the surface in the structure `LOD 1`.
            let rest = about.strip_prefix(&field.name).map(str::trim).filter(|rest| !rest.is_empty());
            if let (Content::Group(own), Some(rest)) = (&mut field.content, rest)
                && mark(own, &Warning { about: rest.to_owned(), ..warning.clone() })
            {
                return true;
            }
            add(&mut field.issue, &warning.message);
            return true;
        }
        if let Content::Group(own) = &mut field.content
            && !own.iter().any(|own| matches!(own.content, Content::Group(_)))
            && field.name == "header"
            && mark(own, warning)
        {
            return true;
        }
    }
    false
}

fn is_called(about: &str, name: &str) -> bool {
    about.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_digit()))
}

fn add(issue: &mut String, more: &str) {
    if !issue.is_empty() {
        issue.push_str("; ");
    }
    issue.push_str(more);
}

fn mark_offsets(fields: &mut [Field], [wrong, reached]: [Option<u64>; 2], message: &str) -> bool {
    let is_marked = wrong.is_some_and(|offset| mark_fault(fields, offset, message));
    let goes_on = reached.filter(|_| reached != wrong);
    goes_on.is_some_and(|offset| mark_fault(fields, offset, message)) || is_marked
}

fn mark_fault(fields: &mut [Field], offset: u64, message: &str) -> bool {
    for field in fields {
        let holds = field.span.offset <= offset && offset < field.span.end();
        if !holds {
            continue;
        }
        if let Content::Group(own) = &mut field.content {
            if mark_fault(own, offset, message) {
                return true;
            }
        } else {
            add(&mut field.issue, message);
            return true;
        }
    }
    false
}

/// Returns `count` records of a table in `span` as structures; the first one has the index `first`.
pub fn records<'a>(
    record: &'a Record,
    first: u64,
    count: u64,
    span: Span,
    bytes: &'a [u8],
) -> impl Iterator<Item = Field> + 'a {
    let mut at = span.offset;
    (0..count).map_while(move |index| {
        let field = one_record(record, first + index, at, bytes);
        at = field.span.end();
        (at <= span.end()).then_some(field)
    })
}

fn one_record(record: &Record, index: u64, start: u64, bytes: &[u8]) -> Field {
    let mut at = start;
    let mut own: Vec<Field> = Vec::new();
    let plain = |name: &str, kind: Kind, count: u64, at: &mut u64| {
        let span = Span { offset: *at, size: kind.size() * count };
        *at = span.end();
        Field { name: name.to_owned(), span, content: Content::Plain(kind, count), issue: String::new(), part: None }
    };
    for column in record.head {
        own.push(plain(column.name, column.kind, column.count, &mut at));
    }
    if let Some(tail) = &record.tail {
        let number = |kind: Kind, relative: u64| match value::read(bytes, kind, 1, start + relative) {
            Value::Integer(count) => u64::try_from(count).unwrap_or(0),
            _ => 0,
        };
        let count = match tail.count {
            Count::Fixed(count) => count,
            Count::At(relative) => number(Kind::I32, relative),
            Count::AtBe(relative) => number(Kind::U32Be, relative),
        };
        let span = Span { offset: at, size: tail.part_size().saturating_mul(count) };
        at = span.end();
        let content = Content::Table(Box::new(tail.records()), count);
        own.push(Field { name: tail.name.to_owned(), span, content, issue: String::new(), part: None });
    }
    if let Some(rest) = (start + record.stride()).checked_sub(at).filter(|rest| *rest > 0) {
        own.push(plain("padding", Kind::Bytes, rest, &mut at));
    }
    let span = Span { offset: start, size: at - start };
    let part = record.holds.map(|kind| kind.at(usize::try_from(index).unwrap_or(usize::MAX)));
    let name = format!("{}[{index}]", record.name);
    Field { name, span, content: Content::Group(own), issue: String::new(), part }
}
