//! MDR.

use maquette_core::model::Motion;

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::skeletal_files::Mdr;

#[test]
fn mdr_surfaces_of_all_lods_keep_file_order() {
    for compressed in [false, true] {
        let (model, warnings) = load(&Mdr { compressed, ..Mdr::typical() }.build());
        assert_eq!(warnings, "");
        let lods: Vec<u32> = model.surfaces().iter().map(|surface| surface.lod).collect();
        assert_eq!((lods, model.lod_count()), (vec![0, 1], 2));
        assert_eq!(model.surfaces()[0].materials, ["models/box/skin"]);
        assert_eq!(model.surfaces()[0].triangles, [[0, 1, 2]]);
        assert_eq!(model.frames()[1].name, if compressed { "" } else { "frame 1" });
        assert_eq!(model.surfaces()[0].data.bone_references.as_deref(), Some([0, 1].as_slice()));
    }
}

#[test]
fn mdr_bones_are_named_by_tag_or_number() {
    let (model, _) = load(&Mdr { tags: vec![(1, "tag_hand"), (1, "tag_other")], ..Mdr::typical() }.build());
    let names: Vec<&str> = model.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["bone 0", "tag_hand"]);
    assert_eq!(model.tags(), ["tag_hand", "tag_other"]);
}

#[test]
fn mdr_without_lods_shader_or_tags_loads() {
    let (model, warnings) = load(&Mdr { lods: 0, tags: Vec::new(), ..Mdr::typical() }.build());
    assert_eq!((model.surfaces().len(), model.tags().len(), warnings.as_str()), (0, 0, ""));
    let (model, _) = load(&Mdr { shader: "", ..Mdr::typical() }.build());
    assert!(model.surfaces()[0].materials.is_empty());
}

#[test]
fn mdr_tags_on_missing_bones_are_dropped() {
    let (model, warnings) = load(&Mdr { tags: vec![(2, "tag_hand"), (0, "tag_foot")], ..Mdr::typical() }.build());
    assert_eq!(model.tags(), ["tag_foot"]);
    assert_eq!(warnings, "tag “tag_hand”: bone 2 does not exist; the tag is skipped");
}

#[test]
fn mdr_weights_on_missing_bones_are_redistributed() {
    let mut file = Mdr { lods: 1, ..Mdr::typical() };
    file.vertices[2].weights[1].0 = -1;
    let (model, warnings) = load(&file.build());
    let Motion::Skeletal(motion) = &model.motion() else { panic!("an MDR has bones") };
    let weights = &motion.bindings[0].weights;
    assert_eq!((weights.len(), weights[2].bias.to_bits()), (3, 1.0_f32.to_bits()));
    let message = "1 weight names a bone that does not exist; the other weights of the vertex are used";
    assert_eq!(warnings, format!("LOD 0 surface 0 “body”: {message}"));
}

#[test]
fn mdr_vertices_before_an_invalid_one_are_kept() {
    let file = Mdr { lods: 1, ..Mdr::typical() }.build();
    // numWeights of the second vertex follows header, frames, LOD, surface header and the first vertex with one weight.
    let second = 104 + 2 * (56 + 2 * 48) + 12 + 168 + 24 + 20 + 20;
    let (model, warnings) = load(&with_i32(&file, second, -1));
    assert_eq!((model.surfaces()[0].vertex_count(), model.surfaces()[0].triangles.len()), (1, 0));
    assert!(warnings.contains("numWeights of vertex 1 is invalid or exceeds the file; 1 of 3 vertices are used"));
}

#[test]
fn invalid_mdr_weights_and_bones_load_with_warnings() {
    let mut file = Mdr { lods: 1, ..Mdr::typical() };
    file.vertices[0].weights.clear();
    file.vertices[1].weights[0].1 = 0.5;
    file.frames[0][0] = [0.0; 12];
    file.frames[1][0][3] = f32::NAN;
    let (_, warnings) = load(&file.build());
    assert_eq!(
        warnings,
        "frames: 2 bones are all zero or not finite; the origin without rotation is used for them\n\
         LOD 0 surface 0 “body”: 1 vertex has no weight; it stays at the origin\n\
         LOD 0 surface 0 “body”: 1 vertex has weights that do not sum to 1; they are used as stored"
    );
}

#[test]
fn mdr_surfaces_without_bones_are_skipped() {
    let (model, warnings) = load(&Mdr { frames: vec![Vec::new()], tags: Vec::new(), ..Mdr::typical() }.build());
    assert!(model.surfaces().is_empty());
    assert!(warnings.contains("skipped: the surface is weighted to bones, but numBones is 0"), "{warnings}");
}

#[test]
fn broken_coarser_mdr_lod_is_skipped() {
    let file = Mdr::typical().build();
    let (model, warnings) = load(&with_i32(&file, 104 + 2 * (56 + 2 * 48) + 8, 1 << 20));
    assert_eq!(model.surfaces().len(), 1);
    // The LOD would end at 408 + 2^20, beyond the file.
    let size = file.len();
    let wanted = format!("ofsEnd: LOD 1 would begin at byte 0x100198, but the file ends at byte {size:#x}; 1 skipped");
    assert_eq!(warnings, wanted);
}

#[test]
fn invalid_mdr_headers_are_rejected_with_field_and_offset() {
    let file = Mdr::typical().build();
    let size = file.len();
    for (offset, value, message) in [
        (72, 0, "MDR: numFrames at byte 0x48: a model needs at least one frame".to_owned()),
        (76, -1, "MDR: numBones at byte 0x4c: the count -1 is outside 0 to 65536".to_owned()),
        (80, 0, "MDR: ofsFrames at byte 0x50: offset 0 is outside the file".to_owned()),
        (80, i32::MIN, "MDR: ofsFrames at byte 0x50: offset -2147483648 is outside the file".to_owned()),
        // A hundred frames of 56 bytes with two bones of 48 exceed the file.
        (
            72,
            100,
            format!(
                "MDR: numFrames at byte 0x48: the table at byte 0x68 ends at byte 0x3bc8, but the file ends at byte {size:#x}"
            ),
        ),
    ] {
        assert_eq!(refusal(&with_i32(&file, offset, value)), message);
    }
}
