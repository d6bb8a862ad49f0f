//! Lines of the structure view: opening, closing, searching, and links to the model and back.

use maquette_assets::open::{sample_bytes, sample_formats};
use maquette_assets::structure::link;
use maquette_assets::structure::{LineKind, Outline, Search, Structure};
use maquette_core::bytes::{Part, PartKind};
use maquette_core::inspect::Selection;
use maquette_core::model::{Format, Model};

fn sample(format: Format) -> (Model, Vec<u8>, Structure) {
    let bytes = sample_bytes(std::path::Path::new(format.traits().sample.unwrap())).unwrap().to_vec();
    let (model, _) = maquette_core::formats::load(&bytes).unwrap();
    let structure = Structure::read(&bytes);
    (model, bytes, structure)
}

/// Follows parts to their field and back to the selection.
fn round_trip(
    model: &Model,
    bytes: &[u8],
    structure: &Structure,
    parts: &[Part],
) -> Option<(Option<usize>, Selection)> {
    let path = Outline::at_parts(structure, bytes, parts).unwrap_or_else(|| panic!("{parts:?} lead nowhere"));
    let mut outline = Outline::new(structure, bytes);
    outline.reveal(&path, structure, bytes);
    assert!(outline.position(&path).is_some(), "{parts:?} are shown");
    let found = link::target(model, &outline.parts(&path))?;
    Some((found.frame, found.target))
}

#[test]
fn every_model_element_maps_to_its_field_and_back() {
    for format in sample_formats() {
        let (model, bytes, structure) = sample(format);
        let frame = model.frames().len() / 2;
        let there_and_back = |target: Selection| {
            let Some(parts) = link::parts(&model, target, frame) else { return };
            let (of_frame, back) = round_trip(&model, &bytes, &structure, &parts).unwrap();
            assert!(of_frame.is_none_or(|of_frame| of_frame <= frame), "{format:?} {target:?}");
            match (target, back) {
                // Several vertices share one stored vertex.
                (Selection::Vertex { .. }, Selection::Vertex { .. }) if format == Format::Md2 => {}
                _ => assert_eq!(back, target, "{format:?}: {parts:?}"),
            }
        };
        for (surface, geometry) in model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == 0) {
            if format != Format::Md2 {
                there_and_back(Selection::Surface(surface));
            }
            for vertex in [0, geometry.vertex_count() / 2, geometry.vertex_count() - 1] {
                there_and_back(Selection::Vertex { surface, vertex });
            }
            for triangle in [0, geometry.triangles.len() - 1] {
                there_and_back(Selection::Triangle { surface, triangle });
            }
        }
        (0..model.tags().len()).for_each(|tag| there_and_back(Selection::Tag(tag)));
        (0..model.joints().len()).for_each(|joint| there_and_back(Selection::Joint(joint)));
        there_and_back(Selection::None);
    }
}

#[test]
fn vertex_maps_to_its_field_offset() {
    let (model, bytes, structure) = sample(Format::Md3);
    // formats.md: an MD3 vertex has 8 bytes, x y z in 1/64 units first, frame by frame.
    let (surface, vertex, frame) = (1, 5, 3);
    let parts = link::parts(&model, Selection::Vertex { surface, vertex }, frame).unwrap();
    assert_eq!(parts, [PartKind::Surface.at(1), PartKind::KeyVertex.at(3 * 78 + 5)]);
    let path = Outline::at_parts(&structure, &bytes, &parts).unwrap();
    let mut outline = Outline::new(&structure, &bytes);
    outline.reveal(&path, &structure, &bytes);
    let line = &outline.lines()[outline.position(&path).unwrap()];
    // `maquette anatomy` prints 254092 as the start of this table.
    assert_eq!((line.span.offset, line.span.size), (254_092 + 8 * (3 * 78 + 5), 8));
    assert_eq!(line.name, format!("xyzNormals[{}]", 3 * 78 + 5));
}

#[test]
fn outline_opens_table_ranges_and_covers_every_byte() {
    for format in sample_formats() {
        let (_, bytes, structure) = sample(format);
        let mut outline = Outline::new(&structure, &bytes);
        let size = bytes.len() as u64;
        for offset in [0, 1, size / 3, size / 2, size - 2, size - 1] {
            let path = Outline::at_offset(&structure, &bytes, offset).unwrap();
            outline.reveal(&path, &structure, &bytes);
            let line = &outline.lines()[outline.position(&path).unwrap()];
            assert!((line.span.offset..line.span.end()).contains(&offset), "{format:?} {offset}");
            assert!(matches!(line.kind, LineKind::Plain(..) | LineKind::Gap), "{format:?} {offset}: {:?}", line.kind);
        }
        assert!(outline.lines().len() < 20_000, "{}: what is not asked for is not there", outline.lines().len());
        assert!(outline.lines().is_sorted_by(|one, other| one.path < other.path));
        // A closed group hides its lines; reopening restores them.
        let before = outline.lines().to_vec();
        let group = before.iter().find(|line| line.open == Some(true)).unwrap().path.clone();
        outline.toggle(&group, &structure, &bytes);
        assert!(outline.lines().len() < before.len());
        outline.toggle(&group, &structure, &bytes);
        assert_eq!(outline.lines(), before);
    }
}

#[test]
fn outline_search_finds_offset_name_and_value() {
    let (_, bytes, structure) = sample(Format::Md3);
    let find = |typed: &str, from: Option<&[u32]>| {
        let path = Outline::find(&structure, &bytes, &Search::parse(typed)?, from)?;
        let mut outline = Outline::new(&structure, &bytes);
        outline.reveal(&path, &structure, &bytes);
        let line = outline.lines()[outline.position(&path)?].clone();
        Some((line.name.clone(), line.span.offset, path))
    };
    let named = |typed: &str| find(typed, None).map(|(name, offset, _)| (name, offset));
    assert_eq!(named("0x4c"), Some(("numFrames".to_owned(), 76)));
    assert_eq!(named("@80"), Some(("numTags".to_owned(), 80)));
    assert_eq!(named("ofsend"), Some(("ofsEnd".to_owned(), 104)));
    assert_eq!(named("eyes"), Some(("name".to_owned(), 252_096)));
    assert_eq!(named("no such thing"), None);
    assert_eq!(Search::parse("  "), None);
    // The search continues after the previous match and wraps around.
    let (_, _, first) = find("ident", None).unwrap();
    let (_, second, path) = find("ident", Some(&first)).unwrap();
    assert_eq!(second, 26_316);
    let mut last = path;
    for _ in 0..8 {
        last = find("ident", Some(&last)).unwrap().2;
    }
    assert!(last.len() <= 2);
}

#[test]
fn outline_search_finds_first_fault() {
    let (_, mut bytes, _) = sample(Format::Md3);
    // An excessive numTags.
    bytes[80..84].copy_from_slice(&0x7fff_ffff_i32.to_le_bytes());
    let structure = Structure::read(&bytes);
    let offset = structure.error.as_ref().and_then(|fault| fault.offset).unwrap();
    assert_eq!(offset, 80);
    let path = Outline::find(&structure, &bytes, &Search::Issue, None).unwrap();
    assert_eq!(Outline::at_offset(&structure, &bytes, offset), Some(path));
}
