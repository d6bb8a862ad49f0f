//! Structure of a file as JSON and as text, streamed because tables may have millions of records.

use std::io::{self, Write};

use serde_json::json;

use super::{Content, Field, Span, Structure, records, value};
use maquette_core::bytes::Kind;
use maquette_core::error::counted;

// Depths: `None` shows all fields, but no records.

fn deeper(levels: Option<u32>) -> Option<u32> {
    levels.map(|levels| levels.saturating_sub(1))
}

fn shows_records(levels: Option<u32>) -> bool {
    levels.is_some_and(|levels| levels > 0)
}

/// Writes a structure as one JSON object, with `levels` levels of fields and records, at least 1. `None` shows all fields,
/// but no records.
pub fn to_json(
    structure: &Structure,
    bytes: &[u8],
    name: &str,
    levels: Option<u32>,
    out: &mut impl Write,
) -> io::Result<()> {
    let error = structure
        .error
        .as_ref()
        .map(|fault| json!({"message": fault.message, "offset": fault.offset, "reached": fault.reached}));
    write!(
        out,
        "{{\"file\":{},\"format\":{},\"size\":{},\"error\":{},\"fields\":",
        json!(name),
        json!(structure.format),
        structure.size,
        json!(error)
    )?;
    list(structure.fields.iter(), out, |field, out| field_json(field, bytes, levels, out))?;
    write!(out, ",\"gaps\":")?;
    list(structure.gaps.iter(), out, |Span { offset, size }, out| {
        write!(out, "{}", json!({"offset": offset, "size": size}))
    })?;
    let issues = structure.issues.iter().map(|issue| json!({"about": issue.about, "message": issue.message}));
    write!(out, ",\"issues\":{}}}", serde_json::Value::from_iter(issues))
}

fn list<T, W: Write>(
    items: impl Iterator<Item = T>,
    out: &mut W,
    mut write: impl FnMut(T, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    out.write_all(b"[")?;
    for (index, item) in items.enumerate() {
        if index > 0 {
            out.write_all(b",\n")?;
        }
        write(item, out)?;
    }
    out.write_all(b"]")
}

fn field_json<W: Write>(field: &Field, bytes: &[u8], levels: Option<u32>, out: &mut W) -> io::Result<()> {
    let Span { offset, size } = field.span;
    write!(out, "{{\"name\":{},\"offset\":{offset},\"size\":{size}", json!(field.name))?;
    if !field.issue.is_empty() {
        write!(out, ",\"issue\":{}", json!(field.issue))?;
    }
    let deeper = deeper(levels);
    match &field.content {
        Content::Plain(kind, count) => {
            write!(out, ",\"value\":{}", value::read(bytes, *kind, *count, offset).to_json())?;
        }
        Content::Group(own) if deeper != Some(0) => {
            out.write_all(b",\"children\":")?;
            list(own.iter(), out, |field, out| field_json(field, bytes, deeper, out))?;
        }
        Content::Group(_) => {}
        Content::Table(record, count) => {
            write!(out, ",\"count\":{count}")?;
            if !record.varies() {
                write!(out, ",\"each\":{}", record.stride())?;
            }
            if shows_records(deeper) && *count > 0 {
                out.write_all(b",\"children\":")?;
                let all = records(record, 0, *count, field.span, bytes);
                list(all, out, |field, out| field_json(&field, bytes, deeper, out))?;
            }
        }
    }
    out.write_all(b"}")
}

/// Writes a structure as text, with offset, size, name and value per line.
pub fn to_text(
    structure: &Structure,
    bytes: &[u8],
    name: &str,
    levels: Option<u32>,
    out: &mut impl Write,
) -> io::Result<()> {
    let format =
        if structure.format.is_empty() { "unknown format".to_owned() } else { structure.format.to_uppercase() };
    writeln!(out, "{name}: {format}, {} bytes", structure.size)?;
    if let Some(fault) = &structure.error {
        writeln!(out, "error: {}", fault.message)?;
    }
    let mut gaps = structure.gaps.iter().copied().peekable();
    for field in &structure.fields {
        while let Some(gap) = gaps.next_if(|gap| gap.offset < field.span.offset) {
            gap_text(gap, structure, out)?;
        }
        field_text(field, bytes, 0, levels, out)?;
    }
    for gap in gaps {
        gap_text(gap, structure, out)?;
    }
    for issue in &structure.issues {
        writeln!(out, "! {issue}")?;
    }
    Ok(())
}

fn gap_text(gap: Span, structure: &Structure, out: &mut impl Write) -> io::Result<()> {
    // If reading failed, the rest is unknown rather than unused.
    let word = if structure.error.is_none() { "not used" } else { "not read" };
    let issue = structure.issue_of_gap(gap);
    let issue = if issue.is_empty() { String::new() } else { format!("  ! {issue}") };
    writeln!(out, "{:>#10x} {:>9}  ({word}){issue}", gap.offset, gap.size)
}

fn field_text(field: &Field, bytes: &[u8], level: usize, levels: Option<u32>, out: &mut impl Write) -> io::Result<()> {
    let Span { offset, size } = field.span;
    let what = match &field.content {
        Content::Plain(Kind::Bytes, _) if size > 16 => String::new(),
        Content::Plain(kind, count) => value::read(bytes, *kind, *count, offset).to_text(),
        Content::Group(_) => String::new(),
        Content::Table(record, count) if record.varies() => counted(*count, "record", "records"),
        Content::Table(record, count) => format!("{count} × {} bytes", record.stride()),
    };
    let name = format!("{:indent$}{}", "", field.name, indent = level * 2);
    let issue = if field.issue.is_empty() { String::new() } else { format!("  ! {}", field.issue) };
    let line = format!("{offset:>#10x} {size:>9}  {name:<28} {what}{issue}");
    writeln!(out, "{}", line.trim_end())?;
    let deeper = deeper(levels);
    match &field.content {
        Content::Group(own) if deeper != Some(0) => {
            for own in own {
                field_text(own, bytes, level + 1, deeper, out)?;
            }
        }
        Content::Table(record, count) if shows_records(deeper) => {
            for record in records(record, 0, *count, field.span, bytes) {
                field_text(&record, bytes, level + 1, deeper, out)?;
            }
        }
        _ => {}
    }
    Ok(())
}
