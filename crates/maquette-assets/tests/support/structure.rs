//! Checks of file structures.

use maquette_assets::structure::{Content, Field, Span, Structure, records};

/// Collects the leaves of a field, including the fields of its records.
fn leaves(field: &Field, bytes: &[u8], found: &mut Vec<Span>) {
    match &field.content {
        Content::Plain(..) => found.push(field.span),
        Content::Group(own) => own.iter().for_each(|field| leaves(field, bytes, found)),
        // The first records represent a long table of equal records.
        Content::Table(record, count) if *count > 500 && !record.varies() => {
            let first: Vec<Field> = records(record, 0, 20, field.span, bytes).collect();
            assert_eq!((first.len(), first[19].span.end()), (20, field.span.offset + 20 * record.stride()));
            found.push(field.span);
        }
        Content::Table(record, count) => {
            records(record, 0, *count, field.span, bytes).for_each(|record| leaves(&record, bytes, found));
        }
    }
}

/// Reads the structure of a model: leaves and gaps cover every byte, and no gap overlaps a leaf.
#[track_caller]
pub fn covers_everything(bytes: &[u8], what: &str) -> Structure {
    covers_everything_of("", bytes, what)
}

/// Like [`covers_everything`], for a file with this name.
#[track_caller]
pub fn covers_everything_of(name: &str, bytes: &[u8], what: &str) -> Structure {
    let structure = Structure::of_file(name, bytes);
    let mut found = Vec::new();
    structure.fields.iter().for_each(|field| leaves(field, bytes, &mut found));
    let mut seen = vec![0_u8; bytes.len()];
    for span in &found {
        assert!(span.end() <= bytes.len() as u64, "{what}: {span:?} leaves the file");
        seen[span.offset as usize..span.end() as usize].fill(1);
    }
    for gap in &structure.gaps {
        let own = &mut seen[gap.offset as usize..gap.end() as usize];
        assert!(own.iter().all(|seen| *seen == 0), "{what}: the gap {gap:?} lies under a field");
        own.fill(2);
    }
    let left = seen.iter().position(|seen| *seen == 0);
    assert_eq!(left, None, "{what}: nothing tells of a byte");
    structure
}

/// Returns the field at a path such as `surface 0/numVerts`.
pub fn at<'a>(structure: &'a Structure, path: &str) -> &'a Field {
    let mut fields = structure.fields.as_slice();
    let mut found = None;
    for name in path.split('/') {
        let field = fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no {name} of {path}"));
        fields = if let Content::Group(own) = &field.content { own } else { &[] };
        found = Some(field);
    }
    found.unwrap()
}
