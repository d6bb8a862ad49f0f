//! MD3 and MDC, which share most tables.

use maquette_core::model::Motion;

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::files::{Md3, Mdc};

/// Start of the surface in the typical MD3: after header, two frames, two tags.
const MD3_SURFACE: usize = 108 + 2 * 56 + 2 * 112;
/// Start of the surface in the typical MDC: after header, three frames, a tag name, three tags.
const MDC_SURFACE: usize = 112 + 3 * 56 + 64 + 3 * 12;

#[test]
fn md3_surfaces_tags_and_frames_are_read() {
    let (model, warnings) = load(&Md3::typical().build());
    assert_eq!(warnings, "");
    assert_eq!(model.tags(), ["tag_head"]);
    assert_eq!(model.surfaces()[0].name, "u_torso");
    assert_eq!(model.surfaces()[0].materials, ["models/box/skin.tga"]);
    assert_eq!(model.surfaces()[0].triangles, [[0, 1, 2]]);
    assert_eq!(model.frames()[1].name, "frame 1");
    assert_eq!(model.clips()[0].count, 2);
}

#[test]
fn md3_with_only_tags_loads() {
    let (model, warnings) = load(&Md3 { surfaces: 0, ..Md3::typical() }.build());
    assert_eq!(warnings, "");
    assert_eq!((model.surfaces().len(), model.tags().len()), (0, 1));
}

#[test]
fn md3_surfaces_use_header_frame_count() {
    let (model, warnings) = load(&with_i32(&Md3::typical().build(), MD3_SURFACE + 72, 0));
    assert_eq!(model.frames().len(), 2);
    assert_eq!(warnings, "surface 0 “u_torso”: numFrames is 0; the header's 2 is used");
}

#[test]
fn md3_invalid_tags_shaders_and_triangles_are_dropped() {
    let file = Md3::typical().build();
    let (model, warnings) = load(&with_i32(&file, 96, -1));
    assert!(model.tags().is_empty());
    assert!(warnings.starts_with("ofsTags: the tags are skipped: the table of 224 bytes begins before the file (-1)"));
    let (model, warnings) = load(&with_i32(&file, MD3_SURFACE + 76, -5));
    assert!(model.surfaces()[0].materials.is_empty());
    assert_eq!(warnings, "surface 0 “u_torso”: numShaders is -5; the shader names are skipped");
    let mut file = Md3::typical();
    file.triangles.push([0, 1, 3]);
    let (model, warnings) = load(&file.build());
    assert_eq!(model.surfaces()[0].triangles.len(), 1);
    assert_eq!(warnings, "surface 0 “u_torso”: 1 of 2 triangles name vertices that do not exist; skipped");
}

#[test]
fn md3_errors_name_field_and_offset() {
    let file = Md3::typical().build();
    assert_eq!(refusal(&with_i32(&file, 76, 0)), "MD3: numFrames at byte 0x4c: a model needs at least one frame");
    let message =
        format!("MD3: surface 0: numVerts at byte {:#x}: the count -1 is outside 0 to 16777216", MD3_SURFACE + 80);
    assert_eq!(refusal(&with_i32(&file, MD3_SURFACE + 80, -1)), message);
    // The message contains the offset of the field and of its target.
    let size = file.len();
    let message = format!(
        "MD3: surface 0: ofsTriangles at byte {:#x}: the table begins at byte {:#x}, but the file ends at byte {size:#x}",
        MD3_SURFACE + 88,
        MD3_SURFACE + 5000
    );
    assert_eq!(refusal(&with_i32(&file, MD3_SURFACE + 88, 5000)), message);
    let message = format!(
        "MD3: surface 0: ofsTriangles at byte {:#x}: the table at byte {:#x} ends at byte {:#x}, but the file ends at byte {size:#x}",
        MD3_SURFACE + 88,
        size - 4,
        size + 8
    );
    let near_the_end = i32::try_from(size - 4 - MD3_SURFACE).unwrap();
    assert_eq!(refusal(&with_i32(&file, MD3_SURFACE + 88, near_the_end)), message);
}

#[test]
fn broken_md3_surface_is_skipped() {
    let file = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let (model, warnings) = load(&with_i32(&file, MD3_SURFACE + 88, 5000));
    assert_eq!(model.surfaces().len(), 1);
    // MD3_SURFACE is 444.
    assert!(warnings.starts_with("MD3: surface 0: ofsTriangles at byte 0x214: "), "{warnings}");
    assert!(warnings.ends_with("; the surface is skipped"), "{warnings}");
    // Truncated inside the second surface.
    let (model, warnings) = load(&file[..file.len() - 100]);
    assert_eq!(model.surfaces().len(), 1);
    assert!(warnings.contains("MD3: surface 1: "), "{warnings}");
}

#[test]
fn broken_md3_surface_chain_keeps_surfaces_before() {
    let file = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let (model, warnings) = load(&with_i32(&file, MD3_SURFACE + 104, 0));
    assert_eq!(model.surfaces().len(), 1);
    assert_eq!(warnings, "ofsEnd: surface 0 has no valid offset to the next; 1 skipped");
}

#[test]
fn mdc_frames_use_keys_with_optional_deltas() {
    let (model, warnings) = load(&Mdc::typical().build());
    assert_eq!(warnings, "");
    assert_eq!((model.frames().len(), model.tags().len()), (3, 1));
    assert_eq!(model.surfaces()[0].materials, ["models/head/skin"]);
    let Motion::Morph(motion) = &model.motion() else { panic!("an MDC morphs") };
    assert_eq!(motion.surfaces[0].frame_count, 3);
}

#[test]
fn mdc_blink_surface_is_hidden() {
    let (model, _) = load(&Mdc { surface: "h_blink", ..Mdc::typical() }.build());
    assert!(model.surfaces()[0].hidden);
}

#[test]
fn mdc_without_deltas_ignores_their_offset() {
    let file = Mdc { deltas: Vec::new(), ..Mdc::typical() }.build();
    let (model, warnings) = load(&with_i32(&file, MDC_SURFACE + 116, i32::MAX));
    assert_eq!((model.surfaces().len(), warnings.as_str()), (1, ""));
}

#[test]
fn mdc_frame_indices_beyond_tables_are_clamped() {
    let (_, warnings) = load(&Mdc { frames: vec![[0, -1], [7, 9], [1, -1]], ..Mdc::typical() }.build());
    assert_eq!(
        warnings,
        "surface 0 “head”: 1 frame names a key frame that does not exist; the last key frame is used\n\
         surface 0 “head”: 1 frame names a delta frame that does not exist; its key frame is used"
    );
}

#[test]
fn mdc_surfaces_without_frame_tables_are_skipped() {
    let file = Mdc::typical().build();
    for (offset, value, why) in
        [(112, -8, "ofsFrameBaseFrames is -8, which is before the surface"), (76, 0, "numBaseFrames is 0")]
    {
        let (model, warnings) = load(&with_i32(&file, MDC_SURFACE + offset, value));
        assert!(model.surfaces().is_empty());
        assert_eq!(warnings, format!("surface 0 “head”: skipped: {why}"));
    }
    let (model, warnings) = load(&Mdc { frames: vec![[-1, -1]; 3], ..Mdc::typical() }.build());
    assert!(model.surfaces().is_empty());
    assert_eq!(warnings, "surface 0 “head”: skipped: frame 0 refers to key frame -1");
}
