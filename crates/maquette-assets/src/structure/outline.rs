//! Outline of a file's structure. Collapsed lines are not computed; long tables are split into ranges.

use std::collections::BTreeSet;

use super::{Content, Field, Span, Structure, records, value};
use maquette_core::bytes::{Column, Kind, Part, Record};
use maquette_core::model::u32_or_max;

/// Maximum number of lines under one line; more are grouped in ranges of this size, recursively.
pub const LINES_PER_RANGE: u64 = 256;

const MAX_VALUES: usize = 6;

/// Indices of children, outermost first.
pub type Path = Vec<u32>;

/// A line of an [`Outline`].
#[derive(Clone, Debug, PartialEq)]
pub struct OutlineRow {
    /// Number of enclosing lines.
    pub depth: usize,
    /// Name of the field; `xyzNormals[12]` for a record, `0 … 255` for a range.
    pub name: String,
    /// Range of bytes.
    pub span: Span,
    /// Kind of the line.
    pub kind: LineKind,
    /// Stored name of a structure; empty if it stores none.
    pub label: String,
    /// Warning about the field; empty if there is none.
    pub issue: String,
    /// Part of the model that the field describes, if known.
    pub part: Option<Part>,
    /// Position in the outline.
    pub path: Path,
    /// Whether the line is expanded; `None` if it cannot be.
    pub open: Option<bool>,
}

/// Kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// A structure.
    Group,
    /// A record of a table, with its first fields.
    Record(&'static [Column]),
    /// A field with a number of values of a kind.
    Plain(Kind, u64),
    /// A table with its number of records.
    Table(u64),
    /// A range of a table or of a long structure.
    Range,
    /// Bytes that no field covers.
    Gap,
}

impl OutlineRow {
    /// Returns the value as text; the first fields for a record, the name of another structure, empty for a table.
    pub fn value(&self, bytes: &[u8]) -> String {
        match self.kind {
            LineKind::Plain(kind, count) => value::read(bytes, kind, count, self.span.offset).to_text(),
            LineKind::Record(columns) => {
                let mut at = self.span.offset;
                let values = columns.iter().take(MAX_VALUES).map(|column| {
                    let value = value::read(bytes, column.kind, column.count, at);
                    at += column.size();
                    value.to_text()
                });
                values.collect::<Vec<_>>().join("  ")
            }
            LineKind::Group => self.label.clone(),
            _ => String::new(),
        }
    }
}

enum Node<'a> {
    Field(&'a Field),
    Record(Field, &'static [Column]),
    Made(Field),
    Fields(&'a [Field], u64),
    Records {
        record: Record,
        first: u64,
        count: u64,
        span: Span,
    },
    /// Gap; the flag states whether the file was read to its end.
    Gap(Span, bool, &'a str),
}

impl Node<'_> {
    fn span(&self) -> Span {
        match self {
            Self::Field(field) => field.span,
            Self::Made(field) | Self::Record(field, _) => field.span,
            Self::Fields(fields, _) => {
                let offset = fields.iter().map(|field| field.span.offset).min().unwrap_or(0);
                let end = fields.iter().map(|field| field.span.end()).max().unwrap_or(offset);
                Span { offset, size: end - offset }
            }
            Self::Records { span, .. } | Self::Gap(span, ..) => *span,
        }
    }

    fn name(&self) -> String {
        let range = |first: u64, count: u64| format!("{first} … {}", first + count.saturating_sub(1));
        match self {
            Self::Field(field) => field.name.clone(),
            Self::Made(field) | Self::Record(field, _) => field.name.clone(),
            Self::Fields(fields, first) => range(*first, fields.len() as u64),
            Self::Records { first, count, .. } => range(*first, *count),
            Self::Gap(_, true, _) => "not used".to_owned(),
            Self::Gap(_, false, _) => "not read".to_owned(),
        }
    }

    fn issue(&self) -> &str {
        match self {
            Self::Gap(_, _, issue) => issue,
            _ => self.field().map_or("", |field| &field.issue),
        }
    }

    fn field(&self) -> Option<&Field> {
        match self {
            Self::Field(field) => Some(field),
            Self::Made(field) | Self::Record(field, _) => Some(field),
            _ => None,
        }
    }

    /// Returns the name that a structure or its header stores; empty if there is none.
    fn label(&self, bytes: &[u8]) -> String {
        let name = self.field().and_then(|field| field.group().iter().find_map(|own| own.named(bytes)));
        name.unwrap_or_default()
    }

    fn kind(&self) -> LineKind {
        match self {
            Self::Gap(..) => LineKind::Gap,
            Self::Fields(..) | Self::Records { .. } => LineKind::Range,
            Self::Record(_, columns) => LineKind::Record(columns),
            Self::Field(_) | Self::Made(_) => match self.field().map(|field| &field.content) {
                Some(Content::Plain(kind, count)) => LineKind::Plain(*kind, *count),
                Some(Content::Table(_, count)) => LineKind::Table(*count),
                _ => LineKind::Group,
            },
        }
    }

    fn has_children(&self) -> bool {
        match self.kind() {
            LineKind::Table(count) => count > 0,
            LineKind::Group | LineKind::Record(_) | LineKind::Range => true,
            LineKind::Plain(..) | LineKind::Gap => false,
        }
    }
}

impl Field {
    fn group(&self) -> &[Self] {
        if let Content::Group(own) = &self.content { own } else { &[] }
    }

    /// Returns the name in this field or in this header.
    fn named(&self, bytes: &[u8]) -> Option<String> {
        match self.content {
            Content::Plain(Kind::Text, count) if self.name == "name" => {
                Some(value::read(bytes, Kind::Text, count, self.span.offset).to_text())
            }
            Content::Group(_) if self.name == "header" => self.group().iter().find_map(|own| own.named(bytes)),
            _ => None,
        }
    }
}

fn children<'a>(node: &Node<'a>, bytes: &[u8]) -> Vec<Node<'a>> {
    match node {
        Node::Field(field) => match &field.content {
            Content::Group(own) => fields(own, 0),
            Content::Table(record, count) => table(**record, 0, *count, field.span, bytes),
            Content::Plain(..) => Vec::new(),
        },
        Node::Made(field) | Node::Record(field, _) => match &field.content {
            Content::Group(own) => own.iter().cloned().map(Node::Made).collect(),
            Content::Table(record, count) => table(**record, 0, *count, field.span, bytes),
            Content::Plain(..) => Vec::new(),
        },
        Node::Fields(own, first) => fields(own, *first),
        Node::Records { record, first, count, span } => table(*record, *first, *count, *span, bytes),
        Node::Gap(..) => Vec::new(),
    }
}

fn range_size(count: u64) -> Option<u64> {
    let mut size = 1;
    while count.div_ceil(size) > LINES_PER_RANGE {
        size *= LINES_PER_RANGE;
    }
    (size > 1).then_some(size)
}

fn fields(own: &[Field], first: u64) -> Vec<Node<'_>> {
    match range_size(own.len() as u64) {
        None => own.iter().map(Node::Field).collect(),
        Some(size) => {
            let chunks = own.chunks(usize::try_from(size).unwrap_or(usize::MAX));
            chunks.zip(0..).map(|(chunk, index)| Node::Fields(chunk, first + index * size)).collect()
        }
    }
}

fn table<'a>(record: Record, first: u64, count: u64, span: Span, bytes: &[u8]) -> Vec<Node<'a>> {
    let Some(size) = range_size(count) else {
        return records(&record, first, count, span, bytes).map(|own| Node::Record(own, record.head)).collect();
    };
    let mut ranges = Vec::new();
    let mut at = span.offset;
    let mut from = 0;
    while from < count && at < span.end() {
        let own = size.min(count - from);
        let end = if record.varies() {
            let rest = Span { offset: at, size: span.end() - at };
            records(&record, first + from, own, rest, bytes).last().map_or(at, |last| last.span.end())
        } else {
            at.saturating_add(own.saturating_mul(record.stride())).min(span.end())
        };
        let span = Span { offset: at, size: end - at };
        ranges.push(Node::Records { record, first: first + from, count: own, span });
        (at, from) = (end, from + own);
    }
    ranges
}

fn roots(structure: &Structure) -> Vec<Node<'_>> {
    let mut nodes: Vec<Node<'_>> = structure.fields.iter().map(Node::Field).collect();
    let is_read = structure.error.is_none();
    nodes.extend(structure.gaps.iter().map(|gap| Node::Gap(*gap, is_read, structure.issue_of_gap(*gap))));
    nodes.sort_by_key(|node| node.span().offset);
    nodes
}

fn number(index: usize) -> u32 {
    u32_or_max(index)
}

/// A search among all fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Search {
    /// An offset: `0x1f4` or `@500`.
    Offset(u64),
    /// Part of a name or of a value, in lower case.
    Text(String),
    /// Any warning.
    Issue,
}

impl Search {
    /// Parses a search term; `None` if it is empty.
    #[must_use]
    pub fn parse(typed: &str) -> Option<Self> {
        let typed = typed.trim();
        let offset = match (typed.strip_prefix("0x"), typed.strip_prefix('@')) {
            (Some(hexadecimal), _) => u64::from_str_radix(hexadecimal, 16).ok(),
            (_, Some(decimal)) => decimal.trim().parse().ok(),
            _ => None,
        };
        (!typed.is_empty()).then(|| offset.map_or_else(|| Self::Text(typed.to_lowercase()), Self::Offset))
    }
}

/// The visible lines of a structure.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    open: BTreeSet<Path>,
    lines: Vec<OutlineRow>,
}

impl Outline {
    /// Creates an outline with only the header expanded.
    #[must_use]
    pub fn new(structure: &Structure, bytes: &[u8]) -> Self {
        let mut outline = Self::default();
        let is_header = |node: &Node<'_>| matches!(node, Node::Field(field) if field.name == "header");
        outline.open.extend(roots(structure).iter().position(is_header).map(|index| vec![number(index)]));
        outline.update(structure, bytes);
        outline
    }

    /// Returns the visible lines from top to bottom.
    pub fn lines(&self) -> &[OutlineRow] {
        &self.lines
    }

    /// Returns the index of the line at a path; `None` if it is hidden.
    pub fn position(&self, path: &[u32]) -> Option<usize> {
        self.lines.binary_search_by(|line| line.path.as_slice().cmp(path)).ok()
    }

    /// Expands or collapses a line.
    pub fn toggle(&mut self, path: &[u32], structure: &Structure, bytes: &[u8]) {
        if !self.open.remove(path) {
            self.open.insert(path.to_vec());
        }
        self.update(structure, bytes);
    }

    /// Expands all lines that enclose a path.
    pub fn reveal(&mut self, path: &[u32], structure: &Structure, bytes: &[u8]) {
        self.open.extend((1..path.len()).map(|length| path[..length].to_vec()));
        self.update(structure, bytes);
    }

    fn update(&mut self, structure: &Structure, bytes: &[u8]) {
        self.lines.clear();
        let mut path = Path::new();
        add_lines(&roots(structure), bytes, &self.open, &mut path, &mut self.lines);
    }

    /// Returns the innermost field at an offset; `None` if there is none.
    pub fn at_offset(structure: &Structure, bytes: &[u8], offset: u64) -> Option<Path> {
        let mut path = Path::new();
        let mut nodes = roots(structure);
        loop {
            let holds = |node: &Node<'_>| node.span().offset <= offset && offset < node.span().end();
            // The innermost of overlapping nodes is the one that begins last.
            let mut inside = nodes.iter().enumerate().filter(|(_, node)| holds(node));
            let (index, node) = inside.next_back()?;
            path.push(number(index));
            if !node.has_children() {
                return Some(path);
            }
            let under = children(node, bytes);
            if !under.iter().any(holds) {
                return Some(path);
            }
            nodes = under;
        }
    }

    /// Returns the next match after `from`, wrapping around; `None` if there is none.
    pub fn find(structure: &Structure, bytes: &[u8], search: &Search, from: Option<&[u32]>) -> Option<Path> {
        if let Search::Offset(offset) = search {
            return Self::at_offset(structure, bytes, *offset);
        }
        let mut first = None;
        let mut next = None;
        visit(&roots(structure), bytes, &mut Path::new(), &mut |node, path| {
            if is_meant(node, bytes, search) {
                if from.is_none_or(|from| path > from) {
                    next = Some(path.to_vec());
                    return false;
                }
                first.get_or_insert_with(|| path.to_vec());
            }
            true
        });
        next.or(first)
    }

    /// Returns the line of the field that `parts` identify, outermost first; `None` if there is none.
    pub fn at_parts(structure: &Structure, bytes: &[u8], parts: &[Part]) -> Option<Path> {
        let mut path = Path::new();
        let mut nodes = roots(structure);
        let mut parts = parts.iter();
        let mut part = parts.next()?;
        loop {
            // A skipped surface has the same index as the next one that is not skipped.
            let index = nodes.iter().rposition(|node| leads_to(node, *part))?;
            path.push(number(index));
            let node = nodes.get(index)?;
            if node.field().is_some_and(|field| field.part == Some(*part)) {
                match parts.next() {
                    Some(next) => part = next,
                    None => return Some(path),
                }
            }
            nodes = children(node, bytes);
        }
    }

    /// Returns the parts that identify a line, outermost first.
    pub fn parts(&self, path: &[u32]) -> Vec<Part> {
        let above = (1..=path.len()).filter_map(|length| self.position(&path[..length]));
        above.filter_map(|index| self.lines.get(index)?.part).collect()
    }
}

/// Returns whether a node is this part, or contains it without another part in between.
fn leads_to(node: &Node<'_>, part: Part) -> bool {
    fn is_in_table(record: &Record, first: u64, count: u64, part: Part) -> bool {
        record.holds == Some(part.kind) && (first..first + count).contains(&(part.index() as u64))
    }
    fn is_in_field(field: &Field, part: Part) -> bool {
        field.part.map_or_else(
            || match &field.content {
                Content::Group(own) => own.iter().any(|field| is_in_field(field, part)),
                Content::Table(record, count) => is_in_table(record, 0, *count, part),
                Content::Plain(..) => false,
            },
            |own| own == part,
        )
    }
    match node {
        Node::Fields(fields, _) => fields.iter().any(|field| is_in_field(field, part)),
        Node::Records { record, first, count, .. } => is_in_table(record, *first, *count, part),
        _ => node.field().is_some_and(|field| is_in_field(field, part)),
    }
}

fn is_meant(node: &Node<'_>, bytes: &[u8], search: &Search) -> bool {
    let Some(field) = node.field() else { return false };
    let Search::Text(text) = search else { return !field.issue.is_empty() };
    if field.name.to_lowercase().contains(text) {
        return true;
    }
    match &field.content {
        Content::Plain(kind, count) => {
            value::read(bytes, *kind, *count, field.span.offset).to_text().to_lowercase().contains(text)
        }
        _ => false,
    }
}

fn visit(nodes: &[Node<'_>], bytes: &[u8], path: &mut Path, each: &mut impl FnMut(&Node<'_>, &[u32]) -> bool) -> bool {
    for (index, node) in nodes.iter().enumerate() {
        path.push(number(index));
        let go_on = each(node, path) && (!node.has_children() || visit(&children(node, bytes), bytes, path, each));
        path.pop();
        if !go_on {
            return false;
        }
    }
    true
}

fn add_lines(nodes: &[Node<'_>], bytes: &[u8], open: &BTreeSet<Path>, path: &mut Path, lines: &mut Vec<OutlineRow>) {
    for (index, node) in nodes.iter().enumerate() {
        path.push(number(index));
        let is_open = node.has_children().then(|| open.contains(path));
        lines.push(OutlineRow {
            depth: path.len() - 1,
            name: node.name(),
            span: node.span(),
            kind: node.kind(),
            label: node.label(bytes),
            issue: node.issue().to_owned(),
            part: node.field().and_then(|field| field.part),
            path: path.clone(),
            open: is_open,
        });
        if is_open == Some(true) {
            add_lines(&children(node, bytes), bytes, open, path, lines);
        }
        path.pop();
    }
}
