//! GLM and GLA. Byte positions follow from the layouts: a header of 164 (GLM) or 100 bytes (GLA), then a table of
//! offsets.

use glam::{Affine3A, Vec3};
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::error::LoadError;
use maquette_core::formats;
use maquette_core::model::{BonePool, ClipSource, Format, FrameNumbering, Model};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::ghoul2_files::{Gla, GlaBone, Glm, GlmNode, GlmVertex, STILL, bind_at, half_turn_about, vertex};

/// Positions of header fields of a GLM.
const NUM_LODS: usize = 144;
const OFS_LODS: usize = 148;
const NUM_SURFACES: usize = 152;
/// Position of the first LOD of [`Glm::typical`]: three offsets, three entries, two children.
pub(super) const LOD: usize = 164 + 3 * 4 + 3 * 144 + 2 * 4;
/// Position of its first surface.
pub(super) const SURFACE: usize = LOD + 4 + 3 * 4;

/// Positions of header fields of a GLA, and of the parent of its first bone.
const GLA_FRAMES: usize = 76;
const GLA_OFS_FRAMES: usize = 80;
pub(super) const GLA_BONES: usize = 84;
pub(super) const GLA_OFS_POOL: usize = 88;
const FIRST_PARENT: usize = 100 + 2 * 4 + 68;

pub(super) fn with_skeleton(glm: &Glm, gla: &[u8]) -> Result<(Model, String), LoadError> {
    let (mut model, warnings) = load(&glm.build());
    assert_eq!(warnings, "");
    let warnings = model.add_animation("box", gla)?;
    Ok((model, warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")))
}

pub(super) fn typical() -> Model {
    let (model, warnings) = with_skeleton(&Glm::typical(), &Gla::typical().build()).unwrap();
    assert_eq!(warnings, "");
    model
}

/// Returns the pose at a frame of the GLA, which follow the bind pose.
pub(super) fn posed(model: &Model, frame: f64) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::at_frame(frame + 1.0)), &mut pose);
    pose
}

fn bind_pose(model: &Model) -> Pose {
    posed(model, -1.0)
}

#[track_caller]
pub(super) fn assert_near(actual: impl Into<Vec3>, expected: [f32; 3]) {
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
