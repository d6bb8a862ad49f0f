//! Writing of GLM and GLA. `glm.rs` has the positions of fields.

use glam::{EulerRot, Quat};
use maquette_core::convert::{
    CompanionKind, ConvertOptions, ConvertedFiles, animation_config, convert, listed_clips, to_files,
};
use maquette_core::edit::{Call, apply, lost_by_rewriting};
use maquette_core::formats;
use maquette_core::model::{Clip, ClipSource, Format, Model};

use super::glm::{GLA_BONES, GLA_OFS_POOL, LOD, SURFACE, assert_near, posed, typical, with_skeleton};
use super::load;
use maquette_testing::files::Md3;
use maquette_testing::ghoul2_files::{Gla, Glm, GlmNode, half_turn_about};
use maquette_testing::iqm::{Iqm, IqmJoint, IqmPose};
use maquette_testing::optional::shared_folder;
use maquette_testing::skeletal_files::{Mdr, MdrVertex, bone};

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn text_at(bytes: &[u8], at: usize) -> &str {
    let end = bytes[at..at + 64].iter().position(|byte| *byte == 0).unwrap();
    std::str::from_utf8(&bytes[at..at + end]).unwrap()
}

/// Returns the files of a model that was converted to GLM.
fn converted(model: &Model) -> ConvertedFiles {
    to_files(model, &options_at("models/y/y")).unwrap()
}

fn options_at(path: &str) -> ConvertOptions<'_> {
    ConvertOptions { path: Some(path), ..ConvertOptions::to(Format::Glm) }
}

fn skeleton_of(files: &ConvertedFiles) -> Vec<u8> {
    let mut companions = files.companions("y", "glm").into_iter();
    let gla = companions.find(|file| file.name == "y.gla").expect("a skeleton");
    assert_eq!(gla.kind, CompanionKind::Own);
    gla.bytes
}

#[test]
fn written_mesh_has_offsets_flags_and_packed_weights() {
    let glm = formats::write(&load(&Glm::typical().build()).0).unwrap().main;
    assert_eq!((&glm[..4], i32_at(&glm, 4)), (&b"2LGM"[..], 6));
    assert_eq!((text_at(&glm, 8), text_at(&glm, 72)), ("models/box/model.glm", "models/box/box"));
    // animIndex, numBones, numLODs, ofsLODs, numSurfaces, ofsSurfHierarchy, ofsEnd.
    let length = i32::try_from(glm.len()).unwrap();
    let header: Vec<i32> = (136..164).step_by(4).map(|at| i32_at(&glm, at)).collect();
    assert_eq!(header, [0, 2, 2, i32::try_from(LOD).unwrap(), 3, 176, length]);
    // Entries from byte 164: 152 bytes with two children, then 144 without any.
    assert_eq!([0, 1, 2].map(|entry| i32_at(&glm, 164 + 4 * entry)), [12, 12 + 152, 12 + 152 + 144]);
    let cap = 164 + 12 + 152;
    assert_eq!((text_at(&glm, cap), i32_at(&glm, cap + 64)), ("cap_off", 2));
    assert_eq!((text_at(&glm, cap + 68), i32_at(&glm, cap + 136), i32_at(&glm, cap + 140)), ("models/box/cap", 0, 0));
    let tag = cap + 144;
    assert_eq!((text_at(&glm, tag), i32_at(&glm, tag + 64), i32_at(&glm, tag + 136)), ("*hand", 1, 0));
    // Surfaces from the byte after `ofsEnd` of the LOD: 40, a triangle, three vertices of 32 + 8, two bone references.
    assert_eq!([0, 1].map(|entry| i32_at(&glm, LOD + 4 + 4 * entry)), [12, 12 + 40 + 8 + 12 + 120]);
    let surface: Vec<i32> = (SURFACE..SURFACE + 40).step_by(4).map(|at| i32_at(&glm, at)).collect();
    assert_eq!(surface, [0, 0, -i32::try_from(SURFACE).unwrap(), 3, 52, 1, 40, 2, 172, 180]);
    assert_eq!([172, 176].map(|at| i32_at(&glm, SURFACE + at)), [1, 0]);
    // The third vertex: two weights, references 1 and 0 (in five bits each), 341 and 682 of 1023.
    let vertex = SURFACE + 52 + 2 * 32;
    assert_eq!([12, 16, 20].map(|at| f32_at(&glm, vertex + at)), [14.0, 0.0, 0.0]);
    assert_eq!(i32_at(&glm, vertex + 24), 1 << 30 | 1 | (341 >> 8) << 20 | (682 >> 8) << 22);
    assert_eq!(glm[vertex + 28..vertex + 32], [(341 & 255) as u8, (682 & 255) as u8, 0, 0]);
}

#[test]
fn written_skeleton_has_offsets_and_three_byte_indices() {
    let gla = formats::write(&typical()).unwrap().animations.remove(0).bytes;
    assert_eq!((&gla[..4], i32_at(&gla, 4), f32_at(&gla, 72)), (&b"2LGA"[..], 6, 1.0));
    // numFrames, ofsFrames, numBones, ofsCompBonePool, ofsSkel, ofsEnd; a child has 4 bytes. 18 bytes of frames are
    // padded.
    let frames = 100 + 8 + 172 * 2 + 4;
    let length = frames + 20 + 3 * 14;
    assert_eq!(gla.len(), length);
    let header: Vec<i32> = (76..100).step_by(4).map(|at| i32_at(&gla, at)).collect();
    assert_eq!(header, [3, frames, 2, frames + 20, 108, length].map(|at| i32::try_from(at).unwrap()));
    assert_eq!([100, 104].map(|at| i32_at(&gla, at)), [8, 8 + 176]);
    let arm = 100 + 8 + 176;
    assert_eq!((text_at(&gla, arm), i32_at(&gla, arm + 68)), ("arm", 0));
    assert_eq!([72 + 12, 72 + 48 + 12].map(|at| f32_at(&gla, arm + at)), [10.0, -10.0]);
    assert_eq!(gla[frames..frames + 18], [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 0, 0]);
    let half_turn: Vec<u8> = half_turn_about(10).iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(gla[frames + 20 + 14..frames + 20 + 28], half_turn);
}

#[test]
fn shared_meshes_and_skeleton_are_written_byte_for_byte() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let read = |path: &str| std::fs::read(folder.join("glm").join(path)).unwrap();
    let test = "mrwonko-test/src/testdata";
    for (mesh, skeleton) in [
        (format!("{test}/testmodel.glm"), format!("{test}/simpleskel.gla")),
        (
            "conv-janitor/models/players/janitor/model.glm".into(),
            "conv-janitor/models/players/janitor/janitor.gla".into(),
        ),
    ] {
        let (bytes, mut gla) = (read(&mesh), read(&skeleton));
        let (mut model, _) = load(&bytes);
        model.add_animation("a", &gla).unwrap();
        let written = formats::write(&model).unwrap();
        assert!(written.main == bytes, "{mesh}");
        // The two converted skeletons state the end of the header as `ofsSkel`, the other one the first bone.
        let first_bone = 100 + i32_at(&gla, 100);
        gla[92..96].copy_from_slice(&first_bone.to_le_bytes());
        assert!(written.animations[0].bytes == gla, "{skeleton}");
    }
}

#[test]
fn reordered_skeleton_keeps_bone_numbers() {
    // The parent follows its child in the file, so that the joints have another order.
    let mut gla = Gla::typical();
    gla.bones.swap(0, 1);
    gla.bones[0].parent = 1;
    gla.bones[1].parent = -1;
    gla.frames.iter_mut().for_each(|frame| frame.swap(0, 1));
    let mut glm = Glm::typical();
    for surface in &mut glm.surfaces {
        surface.references.iter_mut().for_each(|bone| *bone = 1 - *bone);
    }
    let (model, _) = with_skeleton(&glm, &gla.build()).unwrap();
    assert_eq!(model.joints()[0].name, "root");
    let written = formats::write(&model).unwrap();
    assert_eq!([172, 176].map(|at| i32_at(&written.main, SURFACE + at)), [0, 1]);
    assert_eq!(text_at(&written.animations[0].bytes, 108), "arm");
    let (mut again, _) = load(&written.main);
    again.add_animation("box", &written.animations[0].bytes).unwrap();
    assert_eq!(again, model);
}

#[test]
fn edits_keep_the_hierarchy() {
    let mut glm = Glm { lods: 1, ..Glm::typical() };
    glm.nodes[1].flags = 0;
    glm.nodes[1].name = "cap";
    glm.nodes[2].parent = 1;
    let (model, _) = load(&glm.build());
    let edited = |edit: &str| {
        let edited = apply(&model, &[Call::parse(edit).unwrap()]).unwrap();
        let glm = formats::write(&edited).unwrap().main;
        let entry = |index: usize| {
            let at = 164 + usize::try_from(i32_at(&glm, 164 + 4 * index)).unwrap();
            (text_at(&glm, at).to_owned(), i32_at(&glm, at + 136))
        };
        (0..usize::try_from(i32_at(&glm, 152)).unwrap()).map(entry).collect::<Vec<_>>()
    };
    let entries = |list: &[(&str, i32)]| list.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect::<Vec<_>>();
    assert_eq!(edited("rename-surface surfaces=cap name=hat"), entries(&[("body", -1), ("hat", 0), ("*hand", 1)]));
    assert_eq!(edited("rename-tag tag=*hand name=*head"), entries(&[("body", -1), ("cap", 0), ("*head", 1)]));
    assert_eq!(edited("delete-surfaces surfaces=cap"), entries(&[("body", -1), ("*hand", 0)]));
    // The game draws only descendants of the first entry.
    assert_eq!(edited("delete-surfaces surfaces=body"), entries(&[("cap", -1), ("*hand", 0)]));
    let added = [("body", -1), ("cap", 0), ("*hand", 1), ("cap_copy", 0)];
    assert_eq!(edited("duplicate-surfaces surfaces=cap"), entries(&added));
}

#[test]
fn children_of_several_dropped_entries_follow_the_nearest_kept_one() {
    let mut glm = Glm { lods: 1, ..Glm::typical() };
    glm.nodes.push(GlmNode { name: "hat", flags: 0, shader: "", parent: 1 });
    glm.nodes[2].parent = 3;
    let mut hat = Glm::typical().surfaces.remove(1);
    hat.node = 3;
    glm.surfaces.push(hat);
    let (model, _) = load(&glm.build());
    let calls = ["delete-surfaces surfaces=cap", "delete-surfaces surfaces=hat"].map(|call| Call::parse(call).unwrap());
    let written = formats::write(&apply(&model, &calls).unwrap()).unwrap().main;
    // Entries: body without a child of the file, *hand.
    let at = 164 + usize::try_from(i32_at(&written, 168)).unwrap();
    assert_eq!((i32_at(&written, 152), text_at(&written, at), i32_at(&written, at + 136)), (2, "*hand", 0));
}

#[test]
fn added_surface_is_measured_against_its_origin() {
    let (model, _) = with_skeleton(&Glm { lods: 1, ..Glm::typical() }, &Gla::typical().build()).unwrap();
    let copied = apply(&model, &[Call::parse("duplicate-surfaces surfaces=body").unwrap()]).unwrap();
    let options = ConvertOptions::to(Format::Glm);
    let conversion = convert(&copied, &options).unwrap();
    let names: Vec<_> =
        conversion.model.surfaces().iter().map(|surface| (surface.name.as_str(), surface.lod)).collect();
    assert_eq!(names[..3], [("body", 0), ("cap", 0), ("body_copy", 0)]);
    let files = converted(&copied);
    let read: Vec<_> = files.model.surfaces().iter().map(|surface| (surface.name.as_str(), surface.lod)).collect();
    assert_eq!((read, files.measured.unwrap().position.value), (names, 0.0));
    for (surface, vertices) in files.model.surfaces().iter().zip(&conversion.origin.surfaces) {
        assert_eq!(surface.name, copied.surfaces()[vertices[0].surface as usize].name);
    }
}

#[test]
fn names_that_would_hide_get_a_further_character() {
    let (model, _) = load(&Md3::typical().build());
    let tag = format!("rename-tag tag={} name=tag_OFF", model.tags()[0]);
    let calls = ["rename-surface surfaces=#0 name=lamp_off", &tag].map(|call| Call::parse(call).unwrap());
    let model = apply(&model, &calls).unwrap();
    let files = to_files(&model, &ConvertOptions { frame: Some(0), ..ConvertOptions::to(Format::Glm) }).unwrap();
    assert!(files.model.surfaces().iter().any(|surface| surface.name == "lamp_off_" && !surface.hidden));
    assert_eq!(files.model.tags()[0], "tag_OFF_");
    let loss = "“lamp_off” to “lamp_off_” (GLM hides surfaces whose names end in “_off”)";
    assert!(files.losses.iter().any(|own| own.contains(loss)), "{:?}", files.losses);
    for call in ["rename-surface surfaces=body name=lamp_off", "rename-tag tag=*hand name=*lamp_OFF"] {
        let why = apply(&typical(), &[Call::parse(call).unwrap()]).unwrap_err();
        assert!(why.contains("GLM hides surfaces whose names end in “_off”"), "{why}");
    }
}

#[test]
fn surface_hidden_by_name_keeps_hidden_with_a_long_name() {
    let mut glm = Glm::typical();
    glm.nodes[1].flags = 0;
    let rename = format!("rename-surface surfaces=cap name={}", "a".repeat(63));
    let renamed = apply(&load(&glm.build()).0, &[Call::parse(&rename).unwrap()]).unwrap();
    let (again, _) = load(&formats::write(&renamed).unwrap().main);
    assert_eq!((again.surfaces()[1].name.len(), again.surfaces()[1].hidden), (63, true));
}

#[test]
fn material_of_a_coarser_lod_is_reported() {
    let model = apply(&typical(), &[Call::parse("set-material surfaces=#2 path=a/b").unwrap()]).unwrap();
    let loss = "1 surface of a coarser LOD gets the material of the finest one: GLM stores one for all LODs";
    assert_eq!(lost_by_rewriting(&model).unwrap(), loss);
    assert_eq!((lost_by_rewriting(&typical()), converted(&model).losses), (None, vec![loss.to_owned()]));
}

#[test]
fn references_are_reused() {
    let mut glm = Glm::typical();
    // Bone 9 does not exist, so the first vertex has no weight.
    glm.surfaces[0].references = vec![1, 0, 1, 9];
    glm.surfaces[0].vertices[0].weights = vec![(3, 0)];
    glm.surfaces[0].vertices[1].weights = vec![(2, 0)];
    let written = formats::write(&load(&glm.build()).0).unwrap().main;
    assert_eq!(i32_at(&written, SURFACE + 28), 4);
    assert_eq!([0, 32].map(|vertex| i32_at(&written, SURFACE + 52 + vertex + 24)), [1023 >> 8 << 20; 2]);
}

#[test]
fn lod_without_a_surface_gets_an_empty_one() {
    let (model, _) = load(&Glm::typical().build());
    let fewer = apply(&model, &[Call::parse("delete-surfaces surfaces=#3").unwrap()]).unwrap();
    let glm = formats::write(&fewer).unwrap().main;
    assert_eq!(i32_at(&glm, 152), 3);
    let (again, warnings) = load(&glm);
    let names: Vec<_> = again.surfaces().iter().map(|surface| (surface.name.as_str(), surface.lod)).collect();
    assert_eq!((names, warnings.as_str()), (vec![("body", 0), ("cap", 0), ("body", 1)], ""));
}

#[test]
fn operations_on_space_and_frames_need_the_skeleton() {
    let why = |glm: &Glm, edit: &str| Call::parse(edit).unwrap().operation.why_not(&load(&glm.build()).0);
    let glm = Glm::typical();
    for edit in ["scale factor=2", "delete-frames frames=0"] {
        let why = why(&glm, edit).unwrap();
        assert_eq!(why, "Joints and frames are in the file of the skeleton; convert the model first");
    }
    assert_eq!(why(&glm, "remove-tag tag=*hand").unwrap(), "Tags of a GLM follow bones and can only be renamed");
    assert_eq!(why(&glm, "delete-surfaces surfaces=cap"), None);
    assert_eq!(why(&Glm { skeleton: "*default", ..Glm::typical() }, "scale factor=2"), None);
}

#[test]
fn model_with_all_frames_keeps_its_skeleton() {
    let files = converted(&typical());
    assert_eq!(files.companions("y", "glm"), []);
    assert_eq!(text_at(&files.main("y"), 72), "models/box/box");
    assert_eq!(files.measured.unwrap().position.value, 0.0);
}

#[test]
fn chosen_clip_gets_a_skeleton_with_the_fields_of_the_old_one() {
    let mut gla = Gla::typical().build();
    gla[72..76].copy_from_slice(&0.64_f32.to_le_bytes());
    let arm_flags = 100 + 8 + 176 + 64;
    gla[arm_flags..arm_flags + 4].copy_from_slice(&9_i32.to_le_bytes());
    let (mut model, _) = with_skeleton(&Glm::typical(), &gla).unwrap();
    model.set_clips(vec![
        Clip::new("bind pose", 0, 1, 20.0, ClipSource::BindPose),
        Clip::new("TURN", 2, 2, 15.0, ClipSource::AnimationConfig),
    ]);
    let clips = ["turn".to_owned()];
    let options = ConvertOptions { clips: Some(&clips), ..options_at("models/players/y/y") };
    let files = to_files(&model, &options).unwrap();
    // The first bone alone turns the normal, though it has the smaller weight; it does not turn.
    assert_near(posed(&files.model, 0.0).surfaces[0].normals[2], [1.0, 0.0, 0.0]);
    // The packed bones are the same.
    assert!(files.measured.unwrap().position.value < 1e-5, "{:?}", files.measured);
    assert_eq!(text_at(&files.main("y"), 72), "models/players/y/y");
    let written = skeleton_of(&files);
    assert_eq!(text_at(&written, 8), "models/players/y/y");
    assert_eq!((f32_at(&written, 72), i32_at(&written, 76), i32_at(&written, arm_flags)), (0.64, 2, 9));
    let list = files.companions("y", "glm").into_iter().find(|file| file.kind == CompanionKind::ClipList).unwrap();
    // Frames are those of the skeleton.
    assert!(String::from_utf8(list.bytes).unwrap().ends_with("TURN 0 2 0 15\n"));
    assert_eq!((files.model.surfaces()[1].name.as_str(), files.model.surfaces()[1].hidden), ("cap", true));
}

/// A field of 64 bytes has room for 63 and the final NUL.
#[test]
fn path_of_a_new_skeleton_is_stored_whole_or_refused() {
    let (model, _) = load(&Mdr::typical().build());
    let path = format!("models/{}", "a".repeat(56));
    let files = to_files(&model, &options_at(&path)).unwrap();
    assert_eq!(text_at(&files.main("y"), 72), path);
    let why = to_files(&model, &options_at(&format!("{path}b"))).unwrap_err().to_string();
    assert!(why.contains("has 64 bytes, but GLM stores at most 63; write the model to a shorter path"), "{why}");
    let hint = "the game looks for the GLA in its base folder; write the model below the game’s folder “models” to store its path";
    let has_hint = |path: &str| to_files(&model, &options_at(path)).unwrap().losses.iter().any(|loss| loss == hint);
    assert_eq!([has_hint("y"), has_hint("models/y")], [true, false]);
    // A model whose frames all stay keeps the path that it names.
    assert!(!to_files(&typical(), &options_at("y")).unwrap().losses.iter().any(|loss| loss == hint));
}

#[test]
fn renaming_keeps_other_surface_of_equal_name() {
    let mut glm = Glm::typical();
    glm.nodes[1].name = "body";
    let renamed =
        apply(&load(&glm.build()).0, &[Call::parse("rename-surface surfaces=#0 name=torso").unwrap()]).unwrap();
    let (again, _) = load(&formats::write(&renamed).unwrap().main);
    let names: Vec<_> =
        again.surfaces().iter().map(|surface| (surface.name.as_str(), surface.lod, surface.hidden)).collect();
    assert_eq!(names, [("torso", 0, false), ("body", 0, true), ("torso", 1, false), ("body", 1, true)]);
}

#[test]
fn tag_surface_keeps_its_shader() {
    let mut glm = Glm::typical();
    glm.nodes[2].shader = "models/box/tag";
    let written = formats::write(&load(&glm.build()).0).unwrap().main;
    let tag = 164 + usize::try_from(i32_at(&written, 164 + 8)).unwrap();
    assert_eq!((text_at(&written, tag), text_at(&written, tag + 68)), ("*hand", "models/box/tag"));
}

#[test]
fn added_tag_becomes_a_surface_on_its_joint() {
    let model = apply(&typical(), &[Call::parse("add-tag name=*belt at=11,2,3 joint=arm").unwrap()]).unwrap();
    let files = converted(&model);
    assert_eq!(files.model.tags(), ["*hand", "*belt"]);
    let measured = files.measured.unwrap();
    assert!(measured.tag.value < 1e-5 && measured.tag_axes.value < 1e-4, "{measured:?}");
    assert_eq!(text_at(&files.main("y"), 72), "models/box/box");
    // Half a turn about (10, 0, 0).
    assert_near(posed(&files.model, 1.0).tags[1].translation, [9.0, -2.0, 3.0]);
}

#[test]
fn frame_of_vertices_has_the_skeleton_of_the_game() {
    let (model, _) = load(&Md3::typical().build());
    let frame = ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Glm) };
    let files = to_files(&model, &frame).unwrap();
    assert_eq!((text_at(&files.main("y"), 72), files.companions("y", "glm")), ("*default", vec![]));
    assert_eq!(i32_at(&files.main("y"), 140), 1);
    let measured = files.measured.unwrap();
    assert_eq!(measured.position.value, 0.0);
    assert!(measured.tag.value < 1e-5 && measured.tag_axes.value < 1e-3, "{measured:?}");
    assert_eq!(files.model.tags(), model.tags());
    let loss = "1 frame was dropped: GLM stores no vertex animation";
    assert!(files.losses.iter().any(|own| own == loss), "{:?}", files.losses);
}

#[test]
fn joints_names_and_tags_of_an_iqm_are_kept() {
    let (model, _) = load(&Iqm::typical().build());
    let files = converted(&model);
    let names = |model: &Model| model.joints().iter().map(|joint| joint.name.clone()).collect::<Vec<_>>();
    assert_eq!((names(&files.model), files.model.tags()), (names(&model), model.tags()));
    let parents = |model: &Model| model.joints().iter().map(|joint| joint.parent).collect::<Vec<_>>();
    assert_eq!(parents(&files.model), parents(&model));
    // The bind pose precedes the frames.
    assert_eq!(files.model.frames().len(), model.frames().len() + 1);
    let measured = files.measured.unwrap();
    assert!(measured.position.value < 0.02 && measured.tag.value < 0.02, "{measured:?}");
}

#[test]
fn bones_of_an_mdr_get_one_root() {
    let (model, _) = load(&Mdr::typical().build());
    let files = converted(&model);
    let joints: Vec<_> = files.model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(joints, [("origin", None), ("bone 0", Some(0)), ("tag_hand", Some(0))]);
    let loss = "Jedi Academy allows one root, so a joint “origin” was added as the parent of 2 joints";
    assert!(files.losses.iter().any(|own| own == loss), "{:?}", files.losses);
    assert_eq!((files.model.lod_count(), files.model.tags()), (2, &["tag_hand".to_owned()][..]));
    // Half a step of 1/64 along each axis.
    assert!(files.measured.unwrap().position.value < 3.0_f32.sqrt() / 128.0, "{:?}", files.measured);
}

#[test]
fn movement_beyond_512_units_is_refused() {
    let mut far = Mdr::typical();
    far.frames[1][1] = bone(90.0, [530.0, 0.0, 4.0]);
    let why = convert(&load(&far.build()).0, &ConvertOptions::to(Format::Glm)).unwrap_err().to_string();
    assert_eq!(
        why,
        "joint “tag_hand” moves, or turns too far from the origin, in frame 1: GLM stores at most 512 units; scale the model first"
    );
}

#[test]
fn surface_on_more_than_32_bones_is_split() {
    let bones: Vec<_> = (0_u8..40).map(|index| bone(f32::from(index), [f32::from(index), 0.0, 0.0])).collect();
    let vertex = |bone: i32| MdrVertex {
        normal: [0.0, 0.0, 1.0],
        uv: [0.0; 2],
        weights: vec![(bone, 1.0, [0.0, (bone % 3) as f32, 1.0])],
    };
    let file = Mdr {
        frames: vec![bones],
        lods: 1,
        vertices: (0..39).map(vertex).collect(),
        triangles: (0..13).map(|index| [index * 3, index * 3 + 1, index * 3 + 2]).collect(),
        tags: Vec::new(),
        ..Mdr::typical()
    };
    let files = converted(&load(&file.build()).0);
    let sizes: Vec<usize> = files.model.surfaces().iter().map(|surface| surface.vertex_count()).collect();
    assert_eq!(sizes, [30, 9]);
    let split = |loss: &String| loss.contains("with 39 vertices and 13 triangles on 39 joints was split into 2");
    assert!(files.losses.iter().any(split), "{:?}", files.losses);
}

#[test]
fn surface_is_split_by_the_four_joints_that_a_vertex_keeps() {
    let bones: Vec<_> = (0_u8..40).map(|index| bone(0.0, [f32::from(index), 0.0, 0.0])).collect();
    let at = |weights| MdrVertex { normal: [0.0, 0.0, 1.0], uv: [0.0; 2], weights };
    // The first four of 40 bones have 3 of 48 parts each.
    let parts = |bone: i32| if bone < 4 { 3.0 } else { 1.0 };
    let share = |bone: i32| (bone, parts(bone) / 48.0, [0.0, 0.0, 1.0]);
    let one = |bone: i32| at(vec![(bone, 1.0, [0.0, bone as f32, 1.0])]);
    let file = Mdr {
        frames: vec![bones],
        lods: 1,
        vertices: vec![at((0..40).map(share).collect()), one(1), one(2)],
        triangles: vec![[0, 1, 2], [0, 2, 1]],
        tags: Vec::new(),
        ..Mdr::typical()
    };
    let files = converted(&load(&file.build()).0);
    assert_eq!((files.model.surfaces().len(), files.model.surfaces()[0].vertex_count()), (1, 3));
    let loss = "1 vertex keeps the 4 largest weights, the most that GLM stores";
    assert!(files.losses.iter().any(|own| own == loss), "{:?}", files.losses);
}

/// The end of a chain is off by half a step of 1/64 along each axis, and by the rotations of its ancestors, as if it
/// had no ancestors with translations: those are relative to the packed parents.
#[test]
fn errors_do_not_add_up_along_a_chain() {
    let mut file = Iqm::typical();
    let count = 40_i32;
    let name = |index| if index + 1 == count { "tag_end" } else { "link" };
    file.joints = (0..count).map(|index| IqmJoint::at(name(index), index - 1, [2.03, 0.0, 0.0])).collect();
    let turn = Quat::from_euler(EulerRot::XYZ, 0.13, -0.21, 0.37);
    file.poses = (0..count).map(|index| IqmPose::still(index - 1, [2.03, 0.0, 0.0])).collect();
    for pose in &mut file.poses {
        pose.offset[3..7].copy_from_slice(&turn.to_array());
    }
    file.frames = vec![Vec::new(); 2];
    let files = converted(&load(&file.build()).0);
    let measured = files.measured.unwrap();
    assert!(measured.tag.value < 3.0_f32.sqrt() / 128.0 + 1e-4, "{measured:?}");
    assert!(measured.tag_axes.value < 0.02, "{measured:?}");
}

#[test]
fn equal_bones_are_stored_once() {
    let mut file = Mdr::typical();
    file.frames = vec![file.frames[0].clone(); 50];
    let gla = skeleton_of(&converted(&load(&file.build()).0));
    // Three bones with the added root: the bind pose is the first frame, so all are at rest.
    assert_eq!(i32_at(&gla, GLA_BONES), 3);
    let pool = usize::try_from(i32_at(&gla, GLA_OFS_POOL)).unwrap();
    assert_eq!((gla.len() - pool) / 14, 1);
}

#[test]
fn clip_list_counts_the_frames_of_the_skeleton_file() {
    let (mut model, _) = with_skeleton(&Glm::typical(), &Gla::typical().build()).unwrap();
    let clip = |name: &str, first, source| Clip::new(name, first, 1, 15.0, source);
    // Frame 0 of the model is the bind pose, which the GLA file does not count.
    model.set_clips(vec![
        clip("bind pose", 0, ClipSource::BindPose),
        clip("BOTH_STAND1", 1, ClipSource::AnimationConfig),
        clip("BOTH_ATTACK1", 2, ClipSource::AnimationConfig),
    ]);
    let text = animation_config(&listed_clips(&model)).unwrap();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines, ["BOTH_STAND1 0 1 0 15", "BOTH_ATTACK1 1 1 0 15"]);
}

#[test]
fn first_weight_of_zero_gives_an_iqm_its_normal() {
    let mut file = Glm::typical();
    // The rest is 1 and belongs to the arm, which makes half a turn.
    file.surfaces[0].vertices[2].weights = vec![(1, 0), (0, 0)];
    let (model, _) = with_skeleton(&file, &Gla::typical().build()).unwrap();
    let iqm = to_files(&model, &ConvertOptions::to(Format::Iqm)).unwrap().model;
    assert_near(posed(&iqm, 0.0).surfaces[0].normals[2], [-1.0, 0.0, 0.0]);
}
