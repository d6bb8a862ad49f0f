//! Structure of companion files and archives: detection by content or name, full coverage, and truncation.

use maquette_assets::structure::{Content, Field, Structure, Value, value};

use crate::support::structure::{at, covers_everything_of};
use crate::support::targets::TARGETS;
use maquette_testing::archives::{RawEntry, RawZip, pak, with_claims};
use maquette_testing::bytes::ByteWriter;
use maquette_testing::files::tag_file;
use maquette_testing::skeletal_files::MD5_ANIM;

/// Returns the offset and the value of a leaf.
#[track_caller]
fn value_at(structure: &Structure, bytes: &[u8], path: &str) -> (u64, Value) {
    let field = at(structure, path);
    let Content::Plain(kind, count) = field.content else { panic!("{path} is no leaf") };
    (field.span.offset, value::read(bytes, kind, count, field.span.offset))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// Checks the structure of a text whose statements are `(path, text)`.
#[track_caller]
fn statements(name: &str, source: &str, wanted: &[(&str, &str)]) -> Structure {
    let structure = covers_everything_of(name, source.as_bytes(), name);
    for (path, statement) in wanted {
        let start = source.find(statement).unwrap_or_else(|| panic!("{statement} stands in the text"));
        let (offset, value) = value_at(&structure, source.as_bytes(), path);
        assert_eq!(value, text(statement), "{name}: {path}");
        // White space before a statement belongs to it.
        let blank = source[..start].chars().rev().take_while(|c| c.is_ascii_whitespace()).count();
        assert!(offset as usize >= start - blank && offset as usize <= start, "{name}: {path} at {offset}");
    }
    structure
}

#[test]
fn md5anim_structure_lists_statements() {
    let structure = statements(
        "wave.md5anim",
        MD5_ANIM,
        &[("numFrames", "numFrames 3"), ("numAnimatedComponents", "numAnimatedComponents 2")],
    );
    assert_eq!((structure.format, structure.error.as_ref(), structure.is_text()), ("md5anim", None, true));
    // The content alone also identifies the format.
    assert_eq!(Structure::read(MD5_ANIM.as_bytes()).format, "md5anim");
    let broken = MD5_ANIM.replacen("0 32 1", "0 32 x", 1);
    let fault = covers_everything_of("wave.md5anim", broken.as_bytes(), "broken").error.unwrap();
    let line = broken.lines().position(|line| line.contains("0 32 x")).unwrap();
    let start: usize = broken.split_inclusive('\n').take(line).map(str::len).sum();
    let offset = usize::try_from(fault.offset.unwrap()).unwrap();
    assert_eq!(&broken[offset..=offset], "x", "{fault:?} on the line at {start}");
}

#[test]
fn skin_and_animation_config_structure_list_lines() {
    let skin = "h_head,models/a/h.tga\n\ntag_head,\nbroken\n";
    let structure = statements("H.SKIN", skin, &[("h_head", "h_head,models/a/h.tga"), ("tag_head", "tag_head,")]);
    assert_eq!((structure.format, structure.error.as_ref()), ("skin", None));

    let config = "// made\nsex f\nheadoffset 1 2 3\n0 30 0 20 // BOTH_DEATH1\n30 1 1 25\n";
    let wanted =
        [("sex", "sex f"), ("headoffset", "headoffset 1 2 3"), ("BOTH_DEATH1", "0 30 0 20"), ("comment", "// made")];
    let structure = statements("animation.cfg", config, &wanted);
    assert_eq!((structure.format, structure.error.as_ref()), ("cfg", None));
    assert!(!structure.issues.is_empty(), "two of 25 animations are there");
}

#[test]
fn script_structure_lists_definitions_and_stages() {
    let shader = "models/a\n{\n  cull none // two\n  {\n    map a.tga\n    blendFunc add\n  }\n}\n";
    let wanted = [("models/a/cull", "cull none"), ("models/a/stage 0/map", "map a.tga")];
    // The name itself contains a slash.
    let structure = covers_everything_of("a.shader", shader.as_bytes(), "shader");
    let Content::Group(own) = &structure.fields[0].content else { panic!("a definition is a structure") };
    assert_eq!((structure.format, structure.fields[0].name.as_str()), ("shader", "models/a"));
    let inner = Structure { fields: own.clone(), ..structure.clone() };
    for (path, statement) in wanted {
        let path = path.trim_start_matches("models/a/");
        assert_eq!(value_at(&inner, shader.as_bytes(), path).1, text(statement));
    }

    let material = "table t { { 0, 1 } }\nmaterial box {\n  diffusemap a.tga\n}\n";
    let wanted = [("material box/diffusemap", "diffusemap a.tga"), ("table t/values", "{ 0, 1 } }")];
    let structure = statements("a.mtr", material, &wanted);
    assert_eq!((structure.format, structure.error.as_ref()), ("mtr", None));

    // An unclosed bracket.
    let open = covers_everything_of("a.shader", b"models/a\n{\n  cull none\n", "open");
    assert!(open.error.is_some_and(|fault| fault.offset.is_some()), "{:?}", open.fields);
}

#[test]
fn pak_structure_lists_files_and_directory() {
    let bytes = pak(&[("a.txt", b"first"), ("b.txt", b"the second")]);
    let structure = covers_everything_of("PAK0.PAK", &bytes, "pak");
    assert_eq!((structure.format, structure.error.as_ref(), &structure.gaps[..]), ("pak", None, &[][..]));
    // A header of 12 bytes, the files, and 64 bytes of directory per file.
    assert_eq!(value_at(&structure, &bytes, "header/dirofs"), (4, Value::Integer(12 + 5 + 10)));
    assert_eq!(value_at(&structure, &bytes, "header/dirlen"), (8, Value::Integer(128)));
    assert_eq!((at(&structure, "a.txt").span.offset, at(&structure, "b.txt").span.size), (12, 10));
    let Content::Table(_, 2) = at(&structure, "directory").content else { panic!("two equal records") };
    let mut far = bytes;
    far[4..8].copy_from_slice(&9999_i32.to_le_bytes());
    let structure = covers_everything_of("pak0.pak", &far, "pak");
    assert_eq!(structure.error.unwrap().offset, Some(4));
    assert!(!at_in(&structure.fields, "header", "dirofs").issue.is_empty());
}

#[test]
fn zip_structure_lists_files_and_directory() {
    let bytes = RawZip::new(vec![RawEntry::stored(b"a.txt"), RawEntry::stored(b"b.txt")]).build();
    // An archive is detected whatever its name.
    let structure = covers_everything_of("saved.bin", &bytes, "zip");
    assert_eq!((structure.format, structure.error.as_ref(), &structure.gaps[..]), ("zip", None, &[][..]));
    // Local headers of 30 bytes with a name of 5 and data of 6; central headers of 46 and the name; an end record of
    // 22.
    let directory = 2 * (30 + 5 + 6);
    let end = directory + 2 * (46 + 5);
    assert_eq!(bytes.len(), end + 22);
    let data = at_in(&structure.fields, "b.txt", "data").span;
    assert_eq!((data.offset, data.size), (41 + 35, 6));
    assert_eq!(value_at(&structure, &bytes, "a.txt/compressed size"), (18, Value::Integer(6)));
    assert_eq!(value_at(&structure, &bytes, "central directory/b.txt/local header offset").1, Value::Integer(41));
    let wanted = (end as u64 + 16, Value::Integer(directory as i64));
    assert_eq!(value_at(&structure, &bytes, "end of central directory/offset of directory"), wanted);

    // An entry that claims too much, and a missing end record.
    covers_everything_of("a.zip", &with_claims(&bytes, Some(1 << 30), 6), "claims");
    let cut = covers_everything_of("a.zip", &bytes[..end], "cut");
    assert_eq!(cut.error.unwrap().offset, Some(end as u64));
}

#[test]
fn ufoai_tag_structure_covers_truncated_files() {
    // One tag in one frame: a header of 32 bytes, a name of 64, and twelve numbers.
    let mut file = ByteWriter::new();
    file.raw(b"JDP2").i32(1).i32(1).i32(1).i32(32).i32(96).i32(144).i32(0);
    file.name("tag_head", 64);
    for number in [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0] {
        file.f32(number);
    }
    let bytes = file.finish();
    let structure = covers_everything_of("a.tag", &bytes, "tag");
    assert_eq!((structure.format, structure.error.as_ref()), ("tag", None));
    assert_eq!(structure.size, 144);
    let cut = covers_everything_of("a.tag", &bytes[..100], "tag");
    assert!(cut.error.is_some_and(|fault| fault.offset.is_some_and(|offset| offset <= 100)));
}

#[test]
fn enemy_territory_tag_structure_covers_truncated_files() {
    let bytes = tag_file(&[("tag_head", [2.0, 3.0, 4.0])]);
    let structure = covers_everything_of("a.tag", &bytes, "tag1");
    assert_eq!((structure.format, structure.error.as_ref()), ("tag1", None));
    let cut = covers_everything_of("a.tag", &bytes[..100], "tag1");
    assert!(cut.error.is_some_and(|fault| fault.offset.is_some_and(|offset| offset <= 100)));
}

/// Returns the field `name` of the structure `group`.
#[track_caller]
fn at_in<'a>(fields: &'a [Field], group: &str, name: &str) -> &'a Field {
    let group = fields.iter().find(|field| field.name == group).expect("the structure is there");
    let Content::Group(own) = &group.content else { panic!("{group:?} is no structure") };
    own.iter().find(|field| field.name == name).expect("the field is there")
}

#[test]
fn truncated_and_mutated_companions_are_fully_covered() {
    let names = [
        ("md5anim", "a.md5anim"),
        ("animation_cfg", "animation.cfg"),
        ("ufoai_tag", "a.tag"),
        ("skin", "a.skin"),
        ("shader", "a.shader"),
        ("mtr", "a.mtr"),
        ("archive", "a.pk3"),
    ];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for (target, name) in names {
        let target = TARGETS.iter().find(|known| known.name == target).unwrap();
        for sound in &target.seeds {
            for cut in (0..sound.len()).step_by(1 + sound.len() / 200) {
                covers_everything_of(name, &sound[..cut], &format!("{name}, {cut} bytes"));
            }
            for _ in 0..200 {
                let mut bytes = sound.clone();
                for _ in 0..1 + random() % 4 {
                    let offset = (random() % bytes.len() as u64) as usize;
                    bytes[offset] = (random() >> 24) as u8;
                }
                covers_everything_of(name, &bytes, &format!("{name}: {:?}", String::from_utf8_lossy(&bytes)));
            }
        }
    }
}
