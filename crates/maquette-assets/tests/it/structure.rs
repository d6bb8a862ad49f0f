//! File structure: every byte is described, fields have the offsets of the format, and a broken file is described up to
//! the error.

use maquette_assets::structure::{Content, Field, Span, Structure, Value, value};

use crate::support::structure::{at, covers_everything, covers_everything_of};
use maquette_testing::files::{Md2, Md3, Mdc};
use maquette_testing::memory::peak_of;
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{MD5_MESH, Mdr};

fn number(structure: &Structure, bytes: &[u8], path: &str) -> (u64, i64) {
    let field = at(structure, path);
    let Content::Plain(kind, count) = field.content else { panic!("{path} is no plain field") };
    match value::read(bytes, kind, count, field.span.offset) {
        Value::Integer(number) => (field.span.offset, number),
        other => panic!("{path} is {other:?}"),
    }
}

fn int_at(bytes: &[u8], at: usize) -> i64 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()).into()
}

/// Header offsets from formats.md.
const HEADERS: [(&str, &[(&str, u64)]); 4] = [
    ("md2", &[("version", 4), ("framesize", 16), ("num_xyz", 24), ("num_frames", 40), ("ofs_end", 64)]),
    ("md3", &[("version", 4), ("flags", 72), ("numFrames", 76), ("numSurfaces", 84), ("ofsEnd", 104)]),
    ("mdc", &[("version", 4), ("flags", 72), ("numFrames", 76), ("ofsTagNames", 96), ("ofsEnd", 108)]),
    ("mdr", &[("version", 4), ("numFrames", 72), ("numBones", 76), ("ofsFrames", 80), ("ofsEnd", 100)]),
];

fn made() -> [(&'static str, Vec<u8>); 4] {
    [
        ("md2", Md2::typical().build()),
        ("md3", Md3::typical().build()),
        ("mdc", Mdc::typical().build()),
        ("mdr", Mdr::typical().build()),
    ]
}

#[track_caller]
fn header_stands(format: &str, bytes: &[u8], what: &str) {
    let structure = covers_everything(bytes, what);
    let (_, fields) = HEADERS.iter().find(|(name, _)| *name == format).unwrap();
    for (name, offset) in *fields {
        let wanted = (*offset, int_at(bytes, *offset as usize));
        assert_eq!(number(&structure, bytes, &format!("header/{name}")), wanted, "{what}: {name}");
    }
}

#[test]
fn header_fields_have_expected_offsets_and_values() {
    for (format, bytes) in made() {
        let structure = covers_everything(&bytes, format);
        assert_eq!((structure.format, structure.error.as_ref(), structure.size), (format, None, bytes.len() as u64));
        assert_eq!(structure.gaps, [], "what we make has no holes");
        header_stands(format, &bytes, format);
    }
}

#[test]
fn md5_structure_lists_statements() {
    let bytes = MD5_MESH.as_bytes();
    let structure = covers_everything(bytes, "md5");
    assert_eq!((structure.format, structure.error.as_ref()), ("md5", None));
    let value_of = |field: &Field| {
        let Content::Plain(kind, count) = field.content else { panic!("{} is no statement", field.name) };
        value::read(bytes, kind, count, field.span.offset)
    };
    assert_eq!(value_of(at(&structure, "MD5Version")), Value::Text("MD5Version 10".to_owned()));
    let Content::Group(mesh) = &at(&structure, "mesh 0").content else { panic!("a mesh is a structure") };
    let count = |word: &str| mesh.iter().filter(|field| field.name == word).count();
    let lines = |word: &str| MD5_MESH.lines().filter(|line| line.trim().starts_with(&format!("{word} "))).count();
    for word in ["vert", "tri", "weight"] {
        assert!(count(word) > 0 && count(word) <= lines(word), "{word}");
    }
    // The tree ends at the syntax error.
    let broken = MD5_MESH.replacen("tri 0", "try 0", 1);
    let structure = covers_everything(broken.as_bytes(), "md5");
    let offset = structure.error.unwrap().offset;
    assert_eq!(offset, broken.find("try 0").map(|offset| offset as u64));
}

#[test]
fn every_shared_file_is_covered_byte_by_byte() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let is_told = |path: &&std::path::PathBuf| {
        let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
        let texts = ["md5mesh", "md5anim", "skin", "shader", "mtr", "cfg", "tag"];
        let is_told =
            |extension: &str| texts.contains(&extension) || HEADERS.iter().any(|(name, _)| *name == extension);
        extension.is_some_and(|extension| is_told(&extension))
    };
    for path in files_below(&models).iter().filter(is_told) {
        let bytes = std::fs::read(path).unwrap();
        let what = path.display().to_string();
        let name = path.file_name().unwrap().to_string_lossy();
        let structure = covers_everything_of(&name, &bytes, &what);
        if structure.error.is_none() && HEADERS.iter().any(|(name, _)| *name == structure.format) {
            header_stands(structure.format, &bytes, &what);
        }
    }
}

#[test]
fn truncated_file_is_described_up_to_the_cut() {
    for (format, bytes) in made() {
        for cut in (4..bytes.len()).step_by(7) {
            let half = &bytes[..cut];
            let structure = covers_everything(half, format);
            if let Some(fault) = &structure.error {
                let offset = fault.offset.unwrap_or_else(|| panic!("{format} of {cut}: {}", fault.message));
                assert!(offset <= cut as u64, "{format} of {cut}: {fault:?}");
            }
        }
        let head = covers_everything(&bytes[..40], format);
        let fault = head.error.unwrap();
        assert!(fault.offset.is_some_and(|offset| offset >= 8), "{fault:?}");
        assert_eq!(head.fields[0].name, "header");
    }
}

#[test]
fn invalid_count_is_marked_at_its_field() {
    for (format, field, offset) in [("md3", "numSurfaces", 84), ("mdc", "numSurfaces", 84), ("mdr", "numBones", 76)] {
        let (_, mut bytes) = made().into_iter().find(|(name, _)| *name == format).unwrap();
        bytes[offset..offset + 4].copy_from_slice(&(-1_i32).to_le_bytes());
        let structure = covers_everything(&bytes, format);
        assert_eq!(structure.error.as_ref().unwrap().offset, Some(offset as u64));
        let field = at(&structure, &format!("header/{field}"));
        assert!(field.issue.contains("-1"), "{field:?}");
    }
}

#[test]
fn overlapping_tables_and_unused_bytes_are_reported() {
    let mut bytes = Md3::typical().build();
    bytes.extend_from_slice(&[7; 33]);
    let structure = covers_everything(&bytes, "md3");
    assert_eq!(structure.gaps, [Span { offset: bytes.len() as u64 - 33, size: 33 }]);
    // The frames overlap the end of the header.
    bytes[92..96].copy_from_slice(&100_i32.to_le_bytes());
    let structure = covers_everything(&bytes, "md3");
    let issue = |field: &Field| field.issue.contains("overlaps");
    assert!(structure.fields.iter().any(issue), "{:?}", structure.fields);
}

#[test]
fn mutated_files_are_fully_covered() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for (format, sound) in made() {
        for _ in 0..400 {
            let mut bytes = sound.clone();
            for _ in 0..1 + random() % 4 {
                let offset = (random() % bytes.len() as u64) as usize;
                bytes[offset] = (random() >> 24) as u8;
            }
            if random() % 4 == 0 {
                bytes.truncate((random() % sound.len() as u64) as usize);
            }
            covers_everything(&bytes, format);
        }
    }
}

/// Offsets and counts of the headers and of the first surface, from formats.md.
const FIELDS: [(&str, &[(&str, usize)]); 4] = [
    (
        "md2",
        &[
            ("header/num_xyz", 24),
            ("header/num_tris", 32),
            ("header/num_frames", 40),
            ("header/ofs_st", 48),
            ("header/ofs_tris", 52),
            ("header/ofs_frames", 56),
        ],
    ),
    (
        "md3",
        &[
            ("header/numFrames", 76),
            ("header/numTags", 80),
            ("header/numSurfaces", 84),
            ("header/ofsFrames", 92),
            ("header/ofsTags", 96),
            ("header/ofsSurfaces", 100),
            // The surface begins at 108 + 2 · 56 + 2 · 112 = 444.
            ("surface 0/numVerts", 444 + 80),
            ("surface 0/numTriangles", 444 + 84),
            ("surface 0/ofsTriangles", 444 + 88),
            ("surface 0/ofsShaders", 444 + 92),
            ("surface 0/ofsSt", 444 + 96),
            ("surface 0/ofsXyzNormals", 444 + 100),
        ],
    ),
    (
        "mdc",
        &[
            ("header/numFrames", 76),
            ("header/numTags", 80),
            ("header/numSurfaces", 84),
            ("header/ofsFrames", 92),
            ("header/ofsTagNames", 96),
            ("header/ofsTags", 100),
            ("header/ofsSurfaces", 104),
            // 112 + 3 · 56 + 64 + 3 · 12 = 380.
            ("surface 0/numVerts", 380 + 84),
            ("surface 0/numTriangles", 380 + 88),
            ("surface 0/ofsTriangles", 380 + 92),
            ("surface 0/ofsXyzNormals", 380 + 104),
            ("surface 0/ofsXyzCompressed", 380 + 108),
            ("surface 0/ofsFrameBaseFrames", 380 + 112),
        ],
    ),
    (
        "mdr",
        &[
            ("header/numFrames", 72),
            ("header/numBones", 76),
            ("header/ofsFrames", 80),
            ("header/numLODs", 84),
            ("header/ofsLODs", 88),
            ("header/numTags", 92),
            ("header/ofsTags", 96),
            // 104 + 2 · (56 + 2 · 48) = 408: numSurfaces, ofsSurfaces and ofsEnd of the LOD.
            ("LOD 0/numSurfaces", 408),
            ("LOD 0/ofsSurfaces", 412),
            ("LOD 0/surface 0/numVerts", 420 + 140),
            ("LOD 0/surface 0/ofsVerts", 420 + 144),
            ("LOD 0/surface 0/numTriangles", 420 + 148),
            ("LOD 0/surface 0/ofsTriangles", 420 + 152),
        ],
    ),
];

#[test]
fn every_invalid_field_is_marked_itself() {
    for ((format, bytes), (_, fields)) in made().into_iter().zip(FIELDS) {
        for (path, offset) in fields {
            for impossible in [0x7fff_fff0_i32, -0x7fff_fff0] {
                let mut broken = bytes.clone();
                broken[*offset..*offset + 4].copy_from_slice(&impossible.to_le_bytes());
                let what = format!("{format}: {path} = {impossible}");
                // Weight counts are read per vertex, so too many vertices fail at their end.
                if (*path, impossible > 0) == ("LOD 0/surface 0/numVerts", true) {
                    continue;
                }
                let structure = covers_everything(&broken, &what);
                let field = at(&structure, path);
                assert_eq!(field.span.offset, *offset as u64, "{what}");
                assert!(!field.issue.is_empty(), "{what}: {:?} {:?}", structure.error, structure.issues);
                if let Some(fault) = &structure.error {
                    assert_eq!(fault.offset, Some(*offset as u64), "{what}: {}", fault.message);
                    let location = format!(" at byte {offset:#x}: ");
                    assert!(fault.message.contains(&location), "{what}: {}", fault.message);
                }
            }
        }
    }
}

#[test]
fn misleading_offset_is_reported_with_failing_byte() {
    // The MD3 surface begins four bytes late, so its fields shift and the triangles leave the file.
    let mut bytes = Md3::typical().build();
    bytes[100..104].copy_from_slice(&448_i32.to_le_bytes());
    let structure = covers_everything(&bytes, "md3");
    let fault = structure.error.as_ref().unwrap();
    assert_eq!(fault.offset, Some(100));
    assert!(
        fault.message.starts_with("MD3: ofsSurfaces at byte 0x64: the offset leads to byte 0x1c0"),
        "{}",
        fault.message
    );
    assert!(fault.reached.is_some_and(|reached| reached >= 448), "{fault:?}");
    assert!(!at(&structure, "header/ofsSurfaces").issue.is_empty());
    // The zeros within the tags read as an empty surface: the file opens, but the field is still marked.
    bytes[100..104].copy_from_slice(&(220_i32 + 64 + 8).to_le_bytes());
    let structure = covers_everything(&bytes, "md3");
    assert!(!at(&structure, "header/ofsSurfaces").issue.is_empty(), "{:?} {:?}", structure.error, structure.issues);
    // The frames begin in the file but end beyond it; their bytes are marked as unread.
    let mut bytes = Mdr::typical().build();
    let size = bytes.len() as u64;
    bytes[80..84].copy_from_slice(&i32::try_from(size - 100).unwrap().to_le_bytes());
    let structure = covers_everything(&bytes, "mdr");
    let fault = structure.error.as_ref().unwrap();
    assert_eq!((fault.offset, fault.reached), (Some(80), Some(size - 100)));
    let gap = structure.gaps.iter().find(|gap| gap.offset <= size - 100 && size - 100 < gap.end()).unwrap();
    assert!(structure.issue_of_gap(*gap).contains("ofsFrames at byte 0x50"), "{structure:?}");
}

#[test]
fn intact_structures_after_the_error_are_listed() {
    // The version is unknown, but the surface after it is still listed. The field is reported once.
    let mut bytes = Md3::typical().build();
    bytes[4..8].copy_from_slice(&14_i32.to_le_bytes());
    let structure = covers_everything(&bytes, "md3");
    assert_eq!(structure.error.as_ref().and_then(|fault| fault.offset), Some(4));
    assert_eq!(at(&structure, "surface 0/numVerts").span.offset, 444 + 80);
    let issue = &at(&structure, "header/version").issue;
    assert_eq!(issue.matches("version at byte 0x4").count(), 1, "{issue}");
    // A truncated file lists its whole records: the MDC vertices begin at 380 + 228, 8 bytes each.
    let cut = &Mdc::typical().build()[..380 + 228 + 3 * 8 + 4];
    let structure = covers_everything(cut, "mdc");
    assert!(at(&structure, "surface 0/ofsXyzNormals").issue.contains("1 of 2 frames"), "{structure:?}");
    let Content::Group(own) = &at(&structure, "surface 0").content else { panic!("a surface has fields") };
    let vertices = own.iter().find(|field| field.span.offset == 380 + 228).unwrap();
    assert!(matches!(vertices.content, Content::Table(_, 3)), "{vertices:?}");
    assert_eq!(structure.gaps.last(), Some(&Span { offset: 380 + 228 + 3 * 8, size: 4 }));
}

#[test]
fn structure_of_short_text_lines_uses_bounded_memory() {
    // A million lines of at least 12 bytes, whole and truncated. Limit in SECURITY.md: 16 times the file and 96 MB.
    let lines: String = (0..1_000_000).map(|index| format!("tri {index} 0 0 0\n")).collect();
    let head = "MD5Version 10\ncommandline \"\"\nnumJoints 1\nnumMeshes 1\njoints {\n\"r\" -1 ( 0 0 0 ) ( 0 0 0 )\n}\n\
                mesh {\nshader \"a\"\nnumverts 1\nvert 0 ( 0 0 ) 0 1\nnumtris 1000000\n";
    let whole = format!("{head}{lines}numweights 1\nweight 0 0 1 ( 0 0 0 )\n}}\n");
    let cut = whole.replacen("numMeshes 1", "numMeshes 2", 1) + "mesh {\nnumverts 1\nvert 0 (";
    for (text, loads) in [(whole, true), (cut, false)] {
        let (structure, peak) = peak_of(|| Structure::read(text.as_bytes()));
        assert_eq!(structure.error.is_none(), loads);
        assert!(peak <= 16 * text.len() + (96 << 20), "{peak} bytes for a file of {}", text.len());
    }
}

#[test]
fn fields_beyond_the_limit_are_reported() {
    // For lines of 4 bytes, 65,536 entries plus one per 10 bytes are kept.
    let text = "a,b\n".repeat(150_000);
    let structure = covers_everything_of("box.skin", text.as_bytes(), "skin");
    let message = "only the first 125536 structures and fields are listed";
    assert!(structure.issues.iter().any(|issue| issue.message == message), "{:?}", structure.issues);
}

#[test]
fn invalid_count_in_text_is_reported_at_its_offset() {
    for (word, number) in [("numJoints", "numJoints 2"), ("numverts", "numverts 3"), ("numtris", "numtris 1")] {
        let Some(line) = MD5_MESH.lines().find(|line| line.trim().starts_with(word)) else {
            panic!("{word} is in the text, like {number}")
        };
        let broken = MD5_MESH.replacen(line, &format!("{word} 9999"), 1);
        let structure = covers_everything(broken.as_bytes(), "md5");
        let offset = structure.error.as_ref().and_then(|fault| fault.offset);
        let expected = broken.find(&format!("{word} 9999")).unwrap() + word.len() + 1;
        assert_eq!(offset, Some(expected as u64), "{:?}", structure.error);
    }
}
