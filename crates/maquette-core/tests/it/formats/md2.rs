//! MD2.

use glam::Vec2;
use maquette_core::model::{Clip, ClipSource, DetailValue};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::files::{Md2, Md2Frame};

fn named(names: impl IntoIterator<Item = String>) -> Vec<Md2Frame> {
    let frame = |name| Md2Frame { scale: [1.0; 3], translate: [0.0; 3], name, vertices: vec![[0; 4]; 4] };
    names.into_iter().map(frame).collect()
}

fn clips_of(frames: Vec<Md2Frame>) -> (Vec<Clip>, Vec<Clip>) {
    let (model, _) = load(&Md2 { frames, ..Md2::typical() }.build());
    (model.clips().to_vec(), model.alternative_clips().to_vec())
}

fn ranges(clips: &[Clip]) -> Vec<(&str, u32, u32)> {
    clips.iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect()
}

#[test]
fn vertices_split_where_texture_coordinates_differ() {
    let (model, warnings) = load(&Md2::typical().build());
    assert_eq!(warnings, "");
    let surface = &model.surfaces()[0];
    assert_eq!(surface.triangles, [[0, 1, 2], [3, 1, 4]]);
    let texel = |s: f32, t: f32| Vec2::new((s + 0.5) / 64.0, (t + 0.5) / 128.0);
    let expected = [texel(0.0, 0.0), texel(63.0, 127.0), texel(31.0, 63.0), texel(5.0, 6.0), texel(-1.0, 200.0)];
    assert_eq!(surface.uvs, expected);
    assert_eq!(surface.materials, model.skins());
}

#[test]
fn smallest_md2_loads_without_warnings() {
    let file = Md2 {
        skins: Vec::new(),
        commands: Vec::new(),
        triangles: vec![[0, 0, 0, 0, 0, 0]],
        coordinates: vec![[0, 0]],
        frames: named(["a".to_owned()]).into_iter().map(|frame| Md2Frame { vertices: vec![[0; 4]], ..frame }).collect(),
        ..Md2::typical()
    };
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "");
    assert_eq!((model.frames().len(), model.surfaces()[0].vertex_count()), (1, 1));
}

#[test]
fn larger_framesize_is_used_as_stride() {
    let (model, warnings) = load(&Md2 { slack: 7, ..Md2::typical() }.build());
    assert_eq!(warnings, "");
    assert_eq!(model.frames()[1].name, "stand02");
}

#[test]
fn invalid_triangles_are_dropped_and_coordinates_zeroed() {
    let mut file = Md2::typical();
    file.triangles.push([0, 1, 0xFFFF, 0, 1, 2]);
    file.triangles[1][5] = 99;
    let (model, warnings) = load(&file.build());
    assert_eq!(model.surfaces()[0].triangles.len(), 2);
    assert_eq!(model.surfaces()[0].uvs[4], Vec2::ZERO);
    assert_eq!(
        warnings,
        "tris: 1 of 3 triangles name vertices that do not exist; skipped\n\
         tris: 1 corner names texture coordinates that do not exist; (0, 0) is used"
    );
}

#[test]
fn normals_outside_the_table_are_computed() {
    let mut file = Md2::typical();
    file.triangles.truncate(1);
    file.frames[0].vertices[0][3] = 200;
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "frames: 1 normals are not in the table of 162; they are computed from the triangles");
    let mut pose = maquette_core::pose::Pose::default();
    maquette_core::pose::sample(&model, &maquette_core::pose::Sampling::default(), &mut pose);
    // Clockwise from above: (c − a) × (b − a) points up.
    assert_eq!(pose.surfaces[0].normals[0], glam::Vec3::Z);
}

#[test]
fn gl_commands_replace_unusable_triangle_list() {
    let mut file = Md2 { triangles: Vec::new(), ..Md2::typical() };
    // A strip of four corners and a fan of three. 0x3F000000 is 0.5 as a float.
    file.commands = vec![4, 0x3F00_0000, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 3, -3, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0];
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "num_tris: the table cannot be used; the triangles of the GL commands are used instead");
    let surface = &model.surfaces()[0];
    // Every second triangle of a strip is reversed.
    assert_eq!(surface.triangles[..2], [[0, 1, 2], [2, 1, 3]]);
    assert_eq!(surface.triangles.len(), 3);
    assert_eq!(surface.uvs[0], Vec2::new(0.5, 0.0));
    let words = model.details().iter().find(|detail| detail.label == "glCommands in words").unwrap();
    assert_eq!(words.value, DetailValue::Text("strips 1, fans 1, triangles 3".to_owned()));
}

#[test]
fn malformed_gl_commands_are_read_up_to_the_error() {
    for (commands, message) in [
        (vec![i32::MIN, 0, 0, 0], "glcmds: a strip or fan runs past the end of the list at word 0"),
        (vec![1, 0, 0, 4, 0], "glcmds: a strip or fan names a vertex that does not exist at word 0"),
        (vec![1, 0, 0, 3], "glcmds: the list does not end with 0 at word 4"),
    ] {
        let (model, warnings) = load(&Md2 { commands: commands.clone(), ..Md2::typical() }.build());
        assert_eq!(warnings, format!("{message}; the rest of the list is skipped"));
        assert_eq!(model.data().gl_commands.as_deref(), Some(commands.as_slice()));
    }
}

#[test]
fn missing_skin_size_is_derived_from_coordinates() {
    let (model, warnings) = load(&Md2 { skin_size: [0, -4], ..Md2::typical() }.build());
    assert_eq!(model.surfaces()[0].uvs[2], Vec2::new(31.5 / 64.0, 63.5 / 201.0));
    assert!(
        warnings.starts_with("skinwidth: the value is 0; 64 is used, which contains every texture coordinate"),
        "{warnings}"
    );
}

#[test]
fn truncated_md2_keeps_its_whole_frames() {
    let whole = Md2 { commands: Vec::new(), ..Md2::typical() }.build();
    let (model, warnings) = load(&whole[..whole.len() - 1]);
    assert_eq!(model.frames().len(), 1);
    assert!(warnings.contains("the file ends in frame 1; 1 frame is skipped"), "{warnings}");
}

#[test]
fn frames_are_grouped_by_stem_and_number() {
    let names = ["stand01", "stand02", "Stand3", "run1", "run2", "run4", "pain101", "pain102", "attak_01", "stand01"];
    let (clips, table) = clips_of(named(names.map(str::to_owned)));
    let expected =
        [("stand", 0, 3), ("run", 3, 2), ("run (2)", 5, 1), ("pain1", 6, 2), ("attak", 8, 1), ("stand (2)", 9, 1)];
    assert_eq!(ranges(&clips), expected);
    assert!(clips.iter().all(|clip| clip.loops() && clip.source == ClipSource::FrameNames));
    assert!(table.is_empty());
}

#[test]
fn frames_without_usable_names_form_one_clip() {
    assert_eq!(ranges(&clips_of(named(["", "", ""].map(str::to_owned))).0), [("all", 0, 3)]);
    assert_eq!(ranges(&clips_of(named(["FRAME 000...", "FRAME 000..."].map(str::to_owned))).0), [("all", 0, 2)]);
    assert_eq!(ranges(&clips_of(named(["007", "008"].map(str::to_owned))).0), [("007", 0, 2)]);
}

#[test]
fn unrelated_frame_names_form_one_clip() {
    assert_eq!(ranges(&clips_of(named((0..49).map(|_| "NewName".to_owned()))).0), [("all", 0, 49)]);
    let any = ["explod", "fade", "explod", "flash", "fade"];
    assert_eq!(ranges(&clips_of(named(any.map(str::to_owned))).0), [("all", 0, 5)]);
    // If any two frames group, the names are used.
    let some = ["explod", "fade1", "fade2"];
    assert_eq!(ranges(&clips_of(named(some.map(str::to_owned))).0), [("explod", 0, 1), ("fade", 1, 2)]);
    assert_eq!(ranges(&clips_of(named(["flash".to_owned()])).0), [("flash", 0, 1)]);
}

#[test]
fn frame_names_that_are_paths_name_no_clip() {
    // The field keeps sixteen bytes of the path; the digits come from the exporter.
    let names = ["E:\\MIJN DOCU000", "E:\\MIJN DOCU001"];
    assert_eq!(ranges(&clips_of(named(names.map(str::to_owned))).0), [("all", 0, 2)]);
    assert_eq!(ranges(&clips_of(named(["/home/ann/work/f".to_owned()])).0), [("all", 0, 1)]);
}

#[test]
fn player_models_offer_quake2_clip_table() {
    let stand = (1..=40).map(|number| format!("stand{number:02}"));
    let rest = (1..=158).map(|number| format!("death{number}"));
    let (clips, table) = clips_of(named(stand.chain(rest)));
    assert_eq!(ranges(&clips), [("stand", 0, 40), ("death", 40, 158)]);
    let table = ranges(&table);
    assert_eq!((table.len(), table[0], table[19]), (20, ("stand", 0, 40), ("death3", 190, 8)));
}

#[test]
fn invalid_md2_headers_are_rejected_with_field_and_offset() {
    let file = Md2::typical().build();
    let cases = [
        (16, 10, "MD2: framesize at byte 0x10: a frame of 4 vertices takes 56 bytes, not 10"),
        (24, 0, "MD2: num_xyz at byte 0x18: a model needs at least one vertex"),
        (24, -1, "MD2: num_xyz at byte 0x18: the count -1 is outside 0 to 16777216"),
        (40, 0, "MD2: num_frames at byte 0x28: a model needs at least one frame"),
    ];
    for (offset, value, message) in cases {
        assert_eq!(refusal(&with_i32(&file, offset, value)), message);
    }
    let nothing = Md2 { triangles: vec![[9; 6]], commands: Vec::new(), ..Md2::typical() };
    let message =
        "MD2: num_tris at byte 0x20: nothing can be drawn: the only triangle refers to vertices that do not exist";
    assert_eq!(refusal(&nothing.build()), message);
    // A file that ends before its triangles is not said to have wrong ones.
    let without_commands = Md2 { commands: Vec::new(), ..Md2::typical() }.build();
    let at = u32::from_le_bytes(without_commands[52..56].try_into().unwrap());
    let length = at as usize - 1;
    assert_eq!(
        refusal(&without_commands[..length]),
        format!(
            "MD2: the file is truncated: it should have {} bytes, but ends after {length}; ofs_tris at byte 0x34: \
             the table begins at byte {at:#x}, but the file ends at byte {length:#x}",
            without_commands.len()
        )
    );
    assert_eq!(
        refusal(&with_i32(&without_commands, 32, 0)),
        "MD2: num_tris at byte 0x20: nothing can be drawn: the model has no triangles"
    );
    assert_eq!(
        refusal(&file[..30]),
        "MD2: the file is truncated: its header ends after 30 bytes; num_st at byte 0x1c: the file ends here; 4 bytes are \
         needed, but only 2 are left"
    );
}
