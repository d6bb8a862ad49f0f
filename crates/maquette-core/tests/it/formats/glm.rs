//! GLM and GLA. Byte positions follow from the layouts: a header of 164 (GLM) or 100 bytes (GLA), then a table of
//! offsets.

use glam::{Affine3A, EulerRot, Quat, Vec3};
use maquette_core::convert::{
    CompanionKind, ConvertOptions, ConvertedFiles, animation_config, convert, listed_clips, to_files,
};
use maquette_core::edit::{Call, apply, lost_by_rewriting};
use maquette_core::error::LoadError;
use maquette_core::formats;
use maquette_core::model::{BonePool, Clip, ClipSource, Format, FrameNumbering, Model};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::files::Md3;
use maquette_testing::ghoul2_files::{Gla, GlaBone, Glm, GlmNode, GlmVertex, STILL, bind_at, half_turn_about, vertex};
use maquette_testing::iqm::{Iqm, IqmJoint, IqmPose};
use maquette_testing::optional::shared_folder;
use maquette_testing::skeletal_files::{Mdr, MdrVertex, bone};

/// Positions of header fields of a GLM.
const NUM_LODS: usize = 144;
const OFS_LODS: usize = 148;
const NUM_SURFACES: usize = 152;
/// Position of the first LOD of [`Glm::typical`]: three offsets, three entries, two children.
const LOD: usize = 164 + 3 * 4 + 3 * 144 + 2 * 4;
/// Position of its first surface.
const SURFACE: usize = LOD + 4 + 3 * 4;

/// Positions of header fields of a GLA, and of the parent of its first bone.
const GLA_FRAMES: usize = 76;
const GLA_OFS_FRAMES: usize = 80;
const GLA_BONES: usize = 84;
const GLA_OFS_POOL: usize = 88;
const FIRST_PARENT: usize = 100 + 2 * 4 + 68;

fn with_skeleton(glm: &Glm, gla: &[u8]) -> Result<(Model, String), LoadError> {
    let (mut model, warnings) = load(&glm.build());
    assert_eq!(warnings, "");
    let warnings = model.add_animation("box", gla)?;
    Ok((model, warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))
}

fn typical() -> Model {
    let (model, warnings) = with_skeleton(&Glm::typical(), &Gla::typical().build()).unwrap();
    assert_eq!(warnings, "");
    model
}

/// Returns the pose at a frame of the GLA, which follow the bind pose.
fn posed(model: &Model, frame: f64) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::at_frame(frame + 1.0)), &mut pose);
    pose
}

fn bind_pose(model: &Model) -> Pose {
    posed(model, -1.0)
}

#[track_caller]
fn assert_near(actual: impl Into<Vec3>, expected: [f32; 3]) {
    let actual = actual.into();
    assert!(actual.distance(Vec3::from_array(expected)) < 1e-5, "{actual}, expected {expected:?}");
}

fn columns(transform: &Affine3A) -> [Vec3; 3] {
    [transform.matrix3.x_axis, transform.matrix3.y_axis, transform.matrix3.z_axis].map(Vec3::from)
}

#[test]
fn mesh_without_skeleton_shows_the_bind_pose() {
    let (model, warnings) = load(&Glm::typical().build());
    assert_eq!(warnings, "");
    assert!(model.joints().is_empty());
    assert_eq!((model.frames().len(), model.lod_count()), (1, 2));
    assert_eq!(model.clips()[0].source, ClipSource::BindPose);
    let pose = bind_pose(&model);
    assert_eq!(pose.surfaces[0].positions, [Vec3::Z * 8.0, Vec3::X * 14.0, Vec3::X * 14.0]);
    assert_eq!(pose.surfaces[0].normals, [Vec3::X; 3]);
    assert_near(pose.tags[0].translation, [14.0, 0.0, 2.0]);
}

#[test]
fn tag_surfaces_are_tags_and_off_surfaces_are_hidden() {
    let (model, _) = load(&Glm::typical().build());
    assert_eq!(model.tags(), ["*hand"]);
    let surfaces: Vec<_> =
        model.surfaces().iter().map(|surface| (surface.name.as_str(), surface.lod, surface.hidden)).collect();
    assert_eq!(surfaces, [("body", 0, false), ("cap", 0, true), ("body", 1, false), ("cap", 1, true)]);
    assert_eq!(model.surfaces()[0].materials, ["models/box/skin"]);
    assert_eq!(model.surfaces()[0].triangles, [[0, 1, 2]]);
    assert_eq!(model.surfaces()[0].uvs[0].to_array(), [0.25, 0.75]);
}

#[test]
fn name_ending_in_off_hides_a_surface_without_flag() {
    let mut file = Glm::typical();
    file.nodes[0].name = "Body_OFF";
    file.nodes[1].name = "_off";
    let (model, _) = load(&file.build());
    assert_eq!((model.surfaces()[0].name.as_str(), model.surfaces()[0].hidden), ("Body", true));
    assert_eq!((model.surfaces()[1].name.as_str(), model.surfaces()[1].hidden), ("", true));
}

#[test]
fn frames_without_a_list_are_a_clip_of_an_iqm() {
    let iqm = convert(&typical(), &ConvertOptions::to(Format::Iqm)).unwrap().model;
    let listed = iqm.clips().iter().filter(|clip| clip.source == ClipSource::AnimationList);
    assert_eq!(listed.map(|clip| (clip.name.as_str(), clip.count)).collect::<Vec<_>>(), [("box", 3)]);
}

#[test]
fn any_flag_hides_a_surface() {
    let mut file = Glm::typical();
    file.nodes[0].flags = 0x20;
    let (model, _) = load(&file.build());
    assert!(model.surfaces()[0].hidden);
}

#[test]
fn skeleton_adds_joints_and_keeps_bind_pose() {
    let model = typical();
    let joints: Vec<_> = model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(joints, [("root", None), ("arm", Some(0))]);
    assert_eq!((model.frames().len(), model.frame_numbering()), (4, FrameNumbering::PerClip));
    let clip = model.clip("box").unwrap();
    assert_eq!((clip.first, clip.count, clip.source), (1, 3, ClipSource::AllFrames));
    assert_eq!([0, 1, 3].map(|frame| model.frame_in_file(frame)), [0, 0, 2]);
    let pose = bind_pose(&model);
    assert_near(pose.surfaces[0].positions[1], [14.0, 0.0, 0.0]);
    assert_near(pose.joints[1].translation, [10.0, 0.0, 0.0]);
}

#[test]
fn bones_move_bind_pose_and_compose_with_parents() {
    let model = typical();
    let turned = posed(&model, 1.0);
    // Half a turn about (10, 0, 0).
    assert_near(turned.surfaces[0].positions[0], [0.0, 0.0, 8.0]);
    assert_near(turned.surfaces[0].positions[1], [6.0, 0.0, 0.0]);
    assert_near(turned.joints[1].translation, [10.0, 0.0, 0.0]);
    assert_near(columns(&turned.joints[1])[0], [-1.0, 0.0, 0.0]);
    let raised = posed(&model, 2.0);
    assert_near(raised.surfaces[0].positions[1], [6.0, 0.0, 5.0]);
    assert_near(raised.joints[1].translation, [10.0, 0.0, 5.0]);
}

#[test]
fn matrix_entries_are_blended_between_frames() {
    let pose = posed(&typical(), 0.5);
    // The mean of no turn and half a turn maps every point to the axis. A rotation would keep the distance of 4.
    assert_near(pose.surfaces[0].positions[1], [10.0, 0.0, 0.0]);
    assert_near(posed(&typical(), 1.5).surfaces[0].positions[1], [6.0, 0.0, 2.5]);
}

#[test]
fn last_weight_is_rest_and_first_moves_normal() {
    let pose = posed(&typical(), 1.0);
    // 1/3 of (14, 0, 0) and 2/3 of (6, 0, 0).
    assert_near(pose.surfaces[0].positions[2], [14.0 / 3.0 + 4.0, 0.0, 0.0]);
    // The first bone is the root, which does not turn.
    assert_near(pose.surfaces[0].normals[2], [1.0, 0.0, 0.0]);
    assert_near(pose.surfaces[0].normals[1], [-1.0, 0.0, 0.0]);
}

#[test]
fn four_weights_use_ten_bits_each() {
    let mut file = Glm::typical();
    let weights = vec![(0, 256), (1, 255), (0, 1), (1, 1023)];
    file.surfaces[0].vertices[0] = GlmVertex { weights, ..vertex([0.0; 3], 0) };
    let (model, _) = with_skeleton(&file, &Gla::typical().build()).unwrap();
    let maquette_core::model::Motion::Skeletal(motion) = model.motion() else { panic!("a skeleton") };
    let binding = &motion.bindings[0];
    let weights: Vec<_> = binding.weights_of(binding.vertices[0]).iter().map(|it| (it.joint, it.bias)).collect();
    let expected = [(1, 256.0 / 1023.0), (0, 255.0 / 1023.0), (1, 1.0 / 1023.0), (0, 511.0 / 1023.0)];
    for ((joint, bias), (expected_joint, expected_bias)) in weights.iter().zip(expected) {
        assert_eq!(*joint, expected_joint);
        assert!((bias - expected_bias).abs() < 1e-6, "{bias}, expected {expected_bias}");
    }
    assert_eq!(weights.len(), 4);
}

#[test]
fn quaternion_is_used_without_normalisation() {
    // w = z = 1: the usual matrix has the columns (−1, 2, 0) and (−2, −1, 0).
    let gla = Gla { pool: vec![[49_149, 32_766, 32_766, 49_149, 32_768, 32_768, 32_768]; 3], ..Gla::typical() };
    let (model, _) = with_skeleton(&Glm::typical(), &gla.build()).unwrap();
    let pose = posed(&model, 0.0);
    assert_near(columns(&pose.joints[0])[0], [-1.0, 2.0, 0.0]);
    assert_near(columns(&pose.joints[0])[1], [-2.0, -1.0, 0.0]);
}

#[test]
fn tag_axes_follow_the_first_three_vertices() {
    let model = typical();
    let tag = bind_pose(&model).tags[0];
    assert_near(tag.translation, [14.0, 0.0, 2.0]);
    // From the third vertex to the first; in the plane of the triangle; perpendicular to it.
    assert_eq!(columns(&tag), [Vec3::X, Vec3::Y, Vec3::Z]);
    let turned = posed(&model, 1.0).tags[0];
    assert_near(turned.translation, [6.0, 0.0, 2.0]);
    for (axis, expected) in columns(&turned).into_iter().zip([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]]) {
        assert_near(axis, expected);
    }
}

#[test]
fn tag_axes_are_perpendicular_if_the_triangle_is_not() {
    let mut file = Glm::typical();
    file.surfaces[2].vertices[1].position = [20.0, 3.0, 2.0];
    let tag = bind_pose(&load(&file.build()).0).tags[0];
    assert_eq!(columns(&tag), [Vec3::X, Vec3::Y, Vec3::Z]);
}

#[test]
fn tag_with_two_vertices_is_skipped() {
    let mut file = Glm::typical();
    file.surfaces[2].vertices.truncate(2);
    file.surfaces[2].triangles.clear();
    let (model, warnings) = load(&file.build());
    assert!(model.tags().is_empty());
    assert_eq!(warnings, "tag “*hand”: the surface has 2 vertices, but a tag needs 3; skipped");
}

#[test]
fn bone_counts_that_differ_are_reported() {
    let more = Glm { bones: 3, ..Glm::typical() };
    let error = with_skeleton(&more, &Gla::typical().build()).unwrap_err().to_string();
    assert_eq!(error, "GLA: numBones: the mesh was made for a skeleton of 3 bones, but this one has 2");
    let mut gla = Gla::typical();
    gla.bones.push(GlaBone { name: "tail", parent: 0, bind: bind_at([0.0; 3]) });
    gla.frames.iter_mut().for_each(|frame| frame.push(0));
    let (model, warnings) = with_skeleton(&Glm::typical(), &gla.build()).unwrap();
    assert_eq!(model.joints().len(), 3);
    assert_eq!(warnings, "numBones: the mesh was made for a skeleton of 2 bones, but this one has 3");
}

#[test]
fn second_skeleton_is_refused() {
    let mut model = typical();
    let error = model.add_animation("again", &Gla::typical().build()).unwrap_err().to_string();
    assert_eq!(error, "joints: the model already has joints");
    assert_eq!(model.frames().len(), 4);
}

#[test]
fn skeleton_without_mesh_is_named() {
    let error = refusal(&Gla::typical().build());
    assert_eq!(error, "this is a Ghoul2 skeleton (GLA) without its mesh; open the .glm instead");
}

#[test]
fn parent_after_its_child_is_moved_before_it() {
    let mut gla = Gla::typical();
    gla.bones.swap(0, 1);
    gla.bones[0].parent = 1;
    gla.frames = vec![vec![0, 0], vec![1, 0], vec![1, 2]];
    let mut file = Glm::typical();
    file.surfaces.iter_mut().flat_map(|surface| &mut surface.references).for_each(|bone| *bone = 1 - *bone);
    let (model, warnings) = with_skeleton(&file, &gla.build()).unwrap();
    assert_eq!(warnings, "");
    let joints: Vec<_> = model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(joints, [("root", None), ("arm", Some(0))]);
    for frame in [0.0, 1.0, 1.5, 2.0] {
        let (own, expected) = (posed(&model, frame), posed(&typical(), frame));
        assert_eq!(own.surfaces[0].positions, expected.surfaces[0].positions, "frame {frame}");
        assert_eq!(own.tags, expected.tags);
    }
}

#[test]
fn invalid_parents_and_cycles_become_roots() {
    let bytes = Gla::typical().build();
    for parent in [-2, 2, 0] {
        let (model, warnings) = with_skeleton(&Glm::typical(), &with_i32(&bytes, FIRST_PARENT, parent)).unwrap();
        assert_eq!(model.joints()[0].parent, None);
        assert_eq!(warnings, format!("bone 0 “root”: the parent {parent} does not exist; the bone becomes a root"));
    }
    let (model, _) = with_skeleton(&Glm::typical(), &with_i32(&bytes, FIRST_PARENT, 1)).unwrap();
    assert_eq!(model.joints().iter().filter(|joint| joint.parent.is_none()).count(), 1);
}

#[test]
fn index_outside_the_pool_keeps_the_bind_pose() {
    let mut gla = Gla::typical();
    gla.frames[1][1] = 0x1234;
    let (model, warnings) = with_skeleton(&Glm::typical(), &gla.build()).unwrap();
    assert_eq!(warnings, "ofsCompBonePool: 1 index leads outside the pool; the bone keeps its bind pose");
    assert_near(posed(&model, 1.0).surfaces[0].positions[1], [14.0, 0.0, 0.0]);
    assert_near(posed(&model, 2.0).surfaces[0].positions[1], [6.0, 0.0, 5.0]);
}

#[test]
fn still_bone_equals_the_identity_of_the_pool() {
    assert_eq!(STILL, BonePool::IDENTITY);
    assert_eq!(half_turn_about(10)[4], (20 + 512) * 64);
}

#[test]
fn bind_pose_without_rotation_is_replaced() {
    let mut gla = Gla::typical();
    gla.bones[1].bind = [0.0; 12];
    let (model, warnings) = with_skeleton(&Glm::typical(), &gla.build()).unwrap();
    assert!(warnings.contains("bone 1 “arm”: the bind pose is not a rotation"), "{warnings}");
    // The bind pose affects only the joint's axes, not the vertices.
    assert_near(posed(&model, 1.0).surfaces[0].positions[1], [6.0, 0.0, 0.0]);
}

#[test]
fn scaled_bind_pose_does_not_change_vertices() {
    let mut gla = Gla::typical();
    gla.bones[1].bind = [2.0, 0.0, 0.0, 10.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0];
    let (model, warnings) = with_skeleton(&Glm::typical(), &gla.build()).unwrap();
    assert_eq!(warnings, "");
    assert_near(posed(&model, 1.0).surfaces[0].positions[1], [6.0, 0.0, 0.0]);
    assert_near(posed(&model, 1.0).joints[1].translation, [10.0, 0.0, 0.0]);
}

#[test]
fn unknown_bone_reference_has_no_weight() {
    let mut file = Glm::typical();
    file.surfaces[0].references[0] = 2;
    let (model, warnings) = load(&file.build());
    assert!(warnings.contains("LOD 0 surface 0 “body”: 2 weights name bones that do not exist; skipped"), "{warnings}");
    let pose = bind_pose(&model);
    // Only the third of the root is left.
    assert_near(pose.surfaces[0].positions[2], [14.0 / 3.0, 0.0, 0.0]);
}

#[test]
fn surface_of_no_entry_is_skipped() {
    let bytes = with_i32(&Glm::typical().build(), SURFACE + 4, 3);
    let (model, warnings) = load(&bytes);
    assert_eq!(model.surfaces().len(), 3);
    assert!(warnings.contains("surface 0: thisSurfaceIndex"), "{warnings}");
    assert!(warnings.contains("3 is not an entry of the hierarchy; the surface is skipped"), "{warnings}");
}

#[test]
fn surface_offset_of_zero_ends_the_lod() {
    let bytes = with_i32(&Glm::typical().build(), LOD + 8, 0);
    let (model, warnings) = load(&bytes);
    let names: Vec<_> = model.surfaces().iter().map(|surface| (surface.name.as_str(), surface.lod)).collect();
    assert_eq!(names, [("body", 0), ("body", 1), ("cap", 1)]);
    assert_eq!(warnings, "surfaceOffsets: the offset of surface 1 is 0; 2 surfaces are skipped");
}

#[test]
fn triangle_of_a_missing_vertex_is_dropped() {
    let bytes = with_i32(&Glm::typical().build(), SURFACE + 40, 3);
    let (model, warnings) = load(&bytes);
    assert!(model.surfaces()[0].triangles.is_empty());
    assert!(warnings.contains("1 of 1 triangles name vertices that do not exist"), "{warnings}");
}

#[test]
fn counts_and_offsets_outside_the_file_are_refused() {
    let bytes = Glm::typical().build();
    let cases = [
        (140, -1, "numBones at byte 0x8c"),
        (NUM_LODS, 65, "numLODs at byte 0x90"),
        (OFS_LODS, 1 << 20, "ofsLODs at byte 0x94"),
        (OFS_LODS, -1, "ofsLODs at byte 0x94"),
        (NUM_SURFACES, -1, "numSurfaces at byte 0x98"),
        (NUM_SURFACES, 60_000, "numSurfaces at byte 0x98"),
        (164, 1 << 20, "hierarchy entry 0"),
        (164, -200, "hierarchyOffsets at byte 0xa4"),
    ];
    for (at, value, field) in cases {
        let message = refusal(&with_i32(&bytes, at, value));
        assert!(message.contains(field), "{at} = {value}: {message}");
    }
    // Every surface of LOD 0 is broken.
    let mut broken = bytes;
    for surface in 0..3 {
        broken = with_i32(&broken, LOD + 4 + 4 * surface, 1 << 20);
    }
    assert!(refusal(&broken).contains("surfaceOffsets"));
}

#[test]
fn broken_surface_is_skipped_with_a_warning() {
    let bytes = Glm::typical().build();
    for (field, name) in [(12, "numVerts"), (16, "ofsVerts"), (24, "ofsTriangles"), (32, "ofsBoneReferences")] {
        let (model, warnings) = load(&with_i32(&bytes, SURFACE + field, 1 << 22));
        assert_eq!(model.surfaces().len(), 3, "{name}");
        assert!(warnings.contains("LOD 0: surface 0") && warnings.contains("the surface is skipped"), "{warnings}");
    }
}

#[test]
fn skeleton_with_broken_tables_is_refused() {
    let bytes = Gla::typical().build();
    let cases = [
        (4, 7, "version 7 is not supported"),
        (GLA_FRAMES, 0, "numFrames at byte 0x4c"),
        (GLA_FRAMES, 1 << 19, "numFrames at byte 0x4c"),
        (GLA_OFS_FRAMES, -1, "ofsFrames at byte 0x50"),
        (GLA_BONES, 0, "a skeleton needs at least one bone"),
        (GLA_BONES, 60_000, "numBones at byte 0x54"),
        (GLA_OFS_POOL, 1 << 20, "ofsCompBonePool at byte 0x58"),
        (100, 1 << 20, "bone 0"),
    ];
    for (at, value, reason) in cases {
        let (mut model, _) = load(&Glm::typical().build());
        let error = model.add_animation("box", &with_i32(&bytes, at, value)).unwrap_err().to_string();
        assert!(error.contains(reason), "{at} = {value}: {error}");
        assert!(model.joints().is_empty() && model.frames().len() == 1, "a failure changes nothing");
    }
}

#[test]
fn children_outside_the_file_are_skipped() {
    let bytes = with_i32(&Glm::typical().build(), 164 + 3 * 4 + 140, 1 << 15);
    let (model, warnings) = load(&bytes);
    assert_eq!(model.surfaces().len(), 4);
    assert!(warnings.starts_with("hierarchy entry 0 “body”: the children are skipped"), "{warnings}");
}

#[test]
fn surfaces_before_the_end_of_a_cut_file_load() {
    // The second surface ends outside the file.
    let (model, warnings) = load(&Glm::typical().build()[..SURFACE + 300]);
    assert_eq!(model.surfaces().len(), 1);
    assert_eq!(model.surfaces()[0].name, "body");
    assert!(warnings.contains("LOD 0: surface 1") && warnings.contains("the surface is skipped"), "{warnings}");
}

#[test]
fn triangles_before_the_end_of_the_file_are_salvaged() {
    let bytes = with_i32(&Glm::typical().build(), SURFACE + 20, 1 << 20);
    assert_eq!(load(&bytes).0.surfaces()[0].name, "cap");
    let salvaged = formats::salvage(&bytes).unwrap();
    assert!(salvaged.is_damaged);
    assert_eq!(salvaged.model.surfaces()[0].name, "body");
    assert_eq!(salvaged.model.surfaces()[0].triangles[0], [0, 1, 2]);
}

#[test]
fn mesh_for_no_skeleton_needs_none() {
    let of = |skeleton| load(&Glm { skeleton, ..Glm::typical() }.build()).0;
    assert_eq!(of("*default").data().skeleton, None);
    assert_eq!(of("models/box/box").data().skeleton, Some(("models/box/box".to_owned(), 2)));
}

#[test]
fn nodes_may_be_in_any_order_of_surfaces() {
    let mut file = Glm::typical();
    file.nodes.push(GlmNode { name: "late", flags: 0, shader: "", parent: 0 });
    file.surfaces.push(maquette_testing::ghoul2_files::GlmSurface {
        node: 0,
        vertices: vec![vertex([0.0; 3], 0)],
        triangles: Vec::new(),
        references: vec![0],
    });
    file.surfaces[0].node = 3;
    let (model, _) = load(&file.build());
    assert_eq!(model.surfaces()[0].name, "late");
    assert!(model.surfaces()[0].materials.is_empty());
    assert_eq!(model.surfaces()[2].name, "body");
}

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
