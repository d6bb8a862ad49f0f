//! IQM. The expected poses are calculated by hand from the published specification.

use glam::{Vec2, Vec3};
use maquette_core::error::{Reason, Warnings};
use maquette_core::formats::{self, iqm};
use maquette_core::model::{ClipSource, FrameNumbering, JointFrames, Model, Motion};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::iqm::{F16, I32, Iqm, IqmAnim, IqmArray, IqmJoint, IqmMesh, IqmPose};

/// Positions of fields in the header.
const NUM_JOINTS: usize = 68;
const NUM_FRAMECHANNELS: usize = 96;

fn posed(model: &Model, frame: f64) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
    pose
}

#[track_caller]
fn assert_near(found: Vec3, expected: [f32; 3]) {
    assert!((found - Vec3::from(expected)).length() < 1e-4, "{found}, expected {expected:?}");
}

/// A mesh without joints.
fn prop() -> Iqm {
    let mut file = Iqm::typical();
    file.arrays.truncate(3);
    (file.joints, file.poses, file.anims, file.frames, file.bounds) = Default::default();
    file
}

#[test]
fn surfaces_joints_tags_and_clips_are_read() {
    let (model, warnings) = load(&Iqm::typical().build());
    assert_eq!(warnings, "");
    assert_eq!(model.version(), Some(2));
    let surface = &model.surfaces()[0];
    assert_eq!((surface.name.as_str(), surface.materials.as_slice()), ("Body", &["models/box/skin".to_owned()][..]));
    assert_eq!(surface.triangles, [[0, 1, 2]]);
    assert_eq!(surface.uvs[0], Vec2::new(0.25, 0.75));
    let joints: Vec<_> = model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(joints, [("root", None), ("Tag_hand", Some(0))]);
    assert_eq!(model.joints()[1].bind.translation, Vec3::new(10.0, 0.0, 0.0));
    assert_eq!(model.tags(), ["Tag_hand"], "a joint is a tag if its name contains “tag” in any case");
    let clips: Vec<_> = model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips, [("wave", 0, 2), ("hold", 1, 1)]);
    let [wave, hold] = model.clips() else { panic!("two clips") };
    assert_eq!((wave.frames_per_second, wave.loops()), (20.0, true));
    assert_eq!((hold.frames_per_second, hold.loops()), (10.0, false), "a rate of 0 is the default rate");
    assert!(model.clips().iter().all(|clip| clip.source == ClipSource::AnimationList));
    assert_eq!(model.frame_numbering(), FrameNumbering::Shared);
    assert_eq!(model.frames()[1].bounds.unwrap().max, Vec3::new(10.0, 4.0, 5.0));
    assert_eq!(model.frames()[1].radius, 12.0);
}

#[test]
fn vertices_follow_their_joints() {
    let (model, _) = load(&Iqm::typical().build());
    let bind = posed(&model, 0.0);
    assert_near(bind.surfaces[0].positions[1], [14.0, 0.0, 5.0]);
    // The weights 51 and 204 of 255 are 0.2 and 0.8.
    assert_near(bind.surfaces[0].positions[2], [2.0, 1.0, 5.0]);
    let turned = posed(&model, 1.0);
    assert_near(turned.surfaces[0].positions[0], [0.0, 0.0, 5.0]);
    assert_near(turned.surfaces[0].positions[1], [10.0, 4.0, 5.0]);
    // 0.2 · (2, 1) + 0.8 · ((10, 0) + (−8, 1) turned by 90°).
    assert_near(turned.surfaces[0].positions[2], [0.4 + 0.8 * 9.0, 0.2 - 0.8 * 8.0, 5.0]);
    assert_near(turned.surfaces[0].normals[2], [0.0, 0.0, 1.0]);
    assert_near(turned.tags[0].translation.into(), [10.0, 0.0, 0.0]);
    assert_near(turned.tags[0].matrix3.x_axis.into(), [0.0, 1.0, 0.0]);
}

#[test]
fn rotations_are_slerped_relative_to_the_parent() {
    let (model, _) = load(&Iqm::typical().build());
    let (sin, cos) = 22.5_f32.to_radians().sin_cos();
    assert_near(posed(&model, 0.25).surfaces[0].positions[1], [10.0 + 4.0 * cos, 4.0 * sin, 5.0]);
}

#[test]
fn weights_are_not_normalised() {
    let mut file = Iqm::typical();
    file.arrays[4] = IqmArray::bytes(5, 4, &[255, 0, 0, 0, 0, 255, 0, 0, 51, 51, 0, 0]);
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "surface 0 “Body”: 1 vertex has no weight, first vertex 1; no joint moves it");
    let pose = posed(&model, 0.0);
    assert_near(pose.surfaces[0].positions[2], [0.8, 0.4, 2.0]);
    // The first weight is 0, so that the vertex does not move.
    assert_near(posed(&model, 1.0).surfaces[0].positions[1], [14.0, 0.0, 5.0]);
    let joints: Vec<_> = model.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(joints, ["root", "Tag_hand", "origin"]);
}

#[test]
fn scale_applies_before_rotation_and_normals_use_cofactors() {
    let mut file = Iqm::typical();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // The second joint turns by 90° about Z and is twice as long along its own X.
    file.poses[1] = IqmPose { offset: [10.0, 0.0, 0.0, 0.0, 0.0, half, half, 1.0, 1.0, 1.0], ..file.poses[1].clone() };
    file.poses[1].mask = 0;
    file.poses[1] = file.poses[1].clone().moving(7, 1.0, 0.5);
    file.frames = vec![vec![0], vec![2]];
    file.arrays[2] = IqmArray::floats(2, 3, &[0.0, 0.0, 1.0, half, half, 0.0, 0.0, 0.0, 1.0]);
    let (model, _) = load(&file.build());
    let pose = posed(&model, 1.0);
    assert_near(pose.surfaces[0].positions[1], [10.0, 8.0, 5.0]);
    // The cofactors of the scale (2, 1, 1) are (1, 2, 2): (1, 2, 0)/√5, then turned.
    assert_near(pose.surfaces[0].normals[1], [-2.0 / 5.0_f32.sqrt(), 1.0 / 5.0_f32.sqrt(), 0.0]);
    assert_near(posed(&model, 0.5).surfaces[0].positions[1], [10.0, 6.0, 5.0]);
}

#[test]
fn scaled_bind_pose_is_undone_before_posing() {
    let mut file = Iqm::typical();
    file.joints[0].scale = [2.0, 1.0, 1.0];
    file.joints.push(IqmJoint { rotate: [0.0, 0.0, 0.6, 0.8], ..IqmJoint::at("end", 1, [1.0, 2.0, 0.0]) });
    file.arrays[3] = IqmArray::bytes(4, 4, &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
    file.arrays[4] = IqmArray::bytes(5, 4, &[255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]);
    (file.poses, file.anims, file.frames, file.bounds) = Default::default();
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "");
    let pose = posed(&model, 0.0);
    let expected = [[0.0, 0.0, 5.0], [14.0, 0.0, 5.0], [2.0, 1.0, 5.0]];
    for (position, expected) in pose.surfaces[0].positions.iter().zip(expected) {
        assert_near(*position, expected);
    }
    assert!(pose.surfaces[0].normals.iter().all(|normal| normal.abs_diff_eq(Vec3::Z, 1e-5)));
    // The parent's scale moves the child's origin.
    assert_near(pose.joints[1].translation.into(), [20.0, 0.0, 0.0]);
}

#[test]
fn file_without_frames_shows_the_bind_pose() {
    let mut file = Iqm::typical();
    (file.poses, file.anims, file.frames, file.bounds) = Default::default();
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "");
    assert_eq!(model.clips()[0].source, ClipSource::BindPose);
    assert_eq!(model.frame_numbering(), FrameNumbering::PerClip);
    assert_near(posed(&model, 0.0).surfaces[0].positions[1], [14.0, 0.0, 5.0]);
}

#[test]
fn mesh_without_joints_stays_in_place() {
    let (model, warnings) = load(&prop().build());
    assert_eq!(warnings, "");
    assert_eq!(model.surfaces()[0].triangles.len(), 1);
    assert_near(posed(&model, 0.0).surfaces[0].positions[2], [2.0, 1.0, 5.0]);
}

#[test]
fn any_alignment_is_accepted() {
    let (model, warnings) = load(&Iqm { padding: 3, ..Iqm::typical() }.build());
    assert_eq!(warnings, "");
    assert_near(posed(&model, 1.0).surfaces[0].positions[1], [10.0, 4.0, 5.0]);
}

#[test]
fn unusual_array_formats_are_decoded() {
    let mut file = Iqm::typical();
    // 14, 5, 2 and 1 as 16-bit floats.
    let halves: [u16; 9] = [0, 0, 0x4500, 0x4b00, 0, 0x4500, 0x4000, 0x3c00, 0x4500];
    let bytes = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    file.arrays[0] = IqmArray { kind: 0, format: F16, size: 3, bytes };
    let joints: [i32; 12] = [0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0];
    let bytes = joints.iter().flat_map(|joint| joint.to_le_bytes()).collect();
    file.arrays[3] = IqmArray { kind: 4, format: I32, size: 4, bytes };
    file.arrays[4] = IqmArray::floats(5, 4, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.2, 0.8, 0.0, 0.0]);
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "");
    assert_near(posed(&model, 1.0).surfaces[0].positions[2], [7.6, -6.2, 5.0]);
}

#[test]
fn custom_arrays_are_skipped_with_a_warning() {
    let mut file = Iqm::typical();
    // The name of the array is that of the mesh, at byte 1 of the text.
    file.arrays.push(IqmArray::floats(16 + 1, 1, &[0.0; 3]));
    file.arrays.push(IqmArray::bytes(6, 4, &[255, 128, 0, 255, 0, 0, 0, 0, 1, 2, 3, 4]));
    let (model, warnings) = load(&file.build());
    assert!(warnings.contains("the array “Body” is skipped"), "{warnings}");
    let colours = maquette_core::model::Detail::integers(
        "color",
        &[[255, 128, 0, 255], [0; 4], [1, 2, 3, 4]].map(i32::from_le_bytes).into(),
    );
    assert_eq!(model.surfaces()[0].details, [colours]);
}

#[test]
fn missing_normals_are_computed() {
    let mut file = Iqm::typical();
    file.arrays.remove(2);
    let (model, warnings) = load(&file.build());
    assert!(warnings.contains("the normals are missing"), "{warnings}");
    // Clockwise seen from outside: the corners are counter-clockwise seen from above.
    assert_near(posed(&model, 0.0).surfaces[0].normals[0], [0.0, 0.0, -1.0]);
}

#[test]
fn later_mesh_triangles_count_from_first_vertex() {
    let mut file = prop();
    file.meshes[0].vertices = (0, 0);
    file.meshes[0].triangles = (0, 0);
    file.meshes.push(IqmMesh { name: "late", material: "", vertices: (0, 3), triangles: (0, 2) });
    file.triangles = vec![[0, 1, 2], [0, 1, 3]];
    let (model, warnings) = load(&file.build());
    assert_eq!(model.surfaces()[1].triangles, [[0, 1, 2]]);
    assert!(warnings.contains("surface 1 “late”: 1 of 2 triangles name vertices outside the mesh"), "{warnings}");
}

#[test]
fn children_before_their_parents_are_sorted() {
    let mut file = Iqm::typical();
    file.joints = vec![IqmJoint::at("Tag_hand", 1, [10.0, 0.0, 0.0]), IqmJoint::at("root", -1, [0.0; 3])];
    file.poses.swap(0, 1);
    file.poses[0].parent = 1;
    file.poses[1].parent = -1;
    file.arrays[3] = IqmArray::bytes(4, 4, &[1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "");
    let joints: Vec<_> = model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(joints, [("root", None), ("Tag_hand", Some(0))]);
    assert_near(posed(&model, 1.0).surfaces[0].positions[2], [7.6, -6.2, 5.0]);
}

#[test]
fn cycle_of_parents_is_broken_at_a_root() {
    let mut file = Iqm::typical();
    file.joints[0].parent = 1;
    let (model, warnings) = load(&file.build());
    assert!(warnings.contains("1 have an impossible parent; they become roots"), "{warnings}");
    assert_eq!(model.joints().iter().filter(|joint| joint.parent.is_none()).count(), 1);
}

#[test]
fn version_1_computes_w() {
    let (model, warnings) = load(&Iqm::version_1().build());
    assert_eq!((warnings.as_str(), model.version()), ("", Some(1)));
    assert_near(posed(&model, 0.0).surfaces[0].positions[1], [14.0, 0.0, 5.0]);
    // With w never positive, z = √½ is a turn by −90°.
    assert_near(posed(&model, 1.0).surfaces[0].positions[1], [10.0, -4.0, 5.0]);
}

#[test]
fn frames_without_channels_are_limited() {
    let mut still = Iqm::animation();
    still.poses = vec![IqmPose::still(-1, [0.0; 3]), IqmPose::still(0, [10.0, 0.0, 0.0])];
    (still.anims, still.frames) = Default::default();
    let still = with_i32(&still.build(), 92, 1 << 20);
    let (mut model, _) = load(&Iqm::typical().build());
    // 2^20 joints in all frames, and a frame counts as at least 16. The model itself has 2 frames.
    model.add_animation("rest", &still).unwrap();
    assert_eq!(model.clip("rest").unwrap().count, (1 << 16) - 2);
    let most = 2 + still.len() / 16;
    for clip in 0..40 {
        let frames = model.frames().len();
        model.add_animation(&format!("more{clip}"), &still).unwrap();
        assert!(model.frames().len() - frames <= most, "a file of {} bytes", still.len());
    }
}

#[test]
fn animation_file_is_matched_by_index() {
    let mut file = Iqm::typical();
    (file.poses, file.anims, file.frames, file.bounds) = Default::default();
    let (mut model, _) = load(&file.build());
    let animation = Iqm { anims: vec![IqmAnim { rate: 15.0, ..Iqm::typical().anims[0].clone() }], ..Iqm::animation() };
    let animation = animation.build();
    assert!(iqm::is_animation_for(2, &animation) && !iqm::is_animation_for(3, &animation));
    assert!(!iqm::is_animation_for(2, &Iqm::typical().build()), "a file with meshes is a model");
    assert_eq!(model.add_animation("walk", &animation).unwrap(), []);
    let walk = model.clip("walk").unwrap().clone();
    assert_eq!((walk.first, walk.count, walk.frames_per_second), (1, 2, 15.0));
    assert_near(posed(&model, 2.0).surfaces[0].positions[1], [10.0, 4.0, 5.0]);

    let (mut other, _) = load(&prop().build());
    assert_eq!(other.add_animation("walk", &animation).unwrap_err().reason, Reason::OtherModel);
}

#[test]
fn animation_file_alone_is_named() {
    let message = refusal(&Iqm::animation().build());
    assert!(message.contains("this is an IQM animation without meshes; open the .iqm with the mesh"), "{message}");
}

#[test]
fn contradictory_counts_are_refused() {
    let typical = Iqm::typical().build();
    let message = refusal(&with_i32(&typical, NUM_FRAMECHANNELS, 3));
    assert!(message.contains("the value is 3, but the masks of the poses have 2 channels"), "{message}");
    let mut file = Iqm::typical();
    file.poses.pop();
    file.frames = vec![vec![]; 2];
    assert!(refusal(&file.build()).contains("1 poses for 2 joints"));
    let mut file = Iqm::typical();
    file.arrays.remove(0);
    assert!(refusal(&file.build()).contains("the vertices have no positions"));
    let mut file = Iqm::typical();
    file.meshes[0].vertices = (1, 3);
    let message = refusal(&file.build());
    assert!(
        message.contains("first_vertex is 1 and num_vertexes is 3, but the number of all vertices is 3"),
        "{message}"
    );
    assert!(refusal(&with_i32(&typical, NUM_JOINTS, -1)).contains("num_joints"));
    assert!(refusal(&with_i32(&typical, 16, 3)).contains("version 3 is not supported"));
}

#[test]
fn tables_outside_the_file_are_refused() {
    let typical = Iqm::typical().build();
    // Meshes, vertex arrays, triangles, joints, poses, frames.
    for field in [40, 52, 60, 72, 80, 100] {
        let message = refusal(&with_i32(&typical, field, 1 << 20));
        assert!(message.contains("but the file ends at"), "{field}: {message}");
    }
    // Animations and bounds are not needed.
    for (field, about) in [(88, "the animations are skipped"), (104, "the bounds of the frames are skipped")] {
        let (_, warnings) = load(&with_i32(&typical, field, 1 << 20));
        assert!(warnings.contains(about), "{warnings}");
    }
}

#[test]
fn names_and_weights_out_of_range_are_replaced() {
    let mut file = Iqm::typical();
    file.arrays[3] = IqmArray::bytes(4, 4, &[9, 0, 0, 0, 1, 0, 0, 0, 0, 9, 0, 0]);
    let (model, warnings) = load(&file.build());
    assert!(warnings.contains("2 weights name joints that do not exist"), "{warnings}");
    assert_near(posed(&model, 1.0).surfaces[0].positions[0], [0.0, 0.0, 5.0]);
    let mut file = Iqm::typical();
    file.anims[1].first = 7;
    let (model, warnings) = load(&file.build());
    assert!(warnings.contains("“hold” has no frames in the file; skipped"), "{warnings}");
    assert_eq!(model.clips().len(), 1);
}

#[test]
fn numbers_that_are_not_finite_are_replaced() {
    let mut file = Iqm::typical();
    file.joints[1].rotate = [f32::NAN; 4];
    file.poses[0].offset = [f32::INFINITY; 10];
    file.arrays[0] = IqmArray::floats(0, 3, &[f32::NAN, 0.0, 5.0, 14.0, 0.0, 5.0, 2.0, 1.0, 5.0]);
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings.lines().count(), 3, "{warnings}");
    for frame in [0.0, 0.5, 1.0] {
        let pose = posed(&model, frame);
        assert!(pose.surfaces[0].positions.iter().chain(&pose.surfaces[0].normals).all(|vector| vector.is_finite()));
    }
}

#[test]
fn truncated_file_is_salvaged() {
    let whole = Iqm::typical().build();
    // The arrays are last: positions, texture coordinates, normals, blend indices, blend weights.
    let cut = &whole[..whole.len() - 12 - 12 - 36 - 12];
    assert!(formats::load(cut).is_err());
    let salvaged = formats::salvage(cut).unwrap();
    assert!(salvaged.is_damaged);
    assert_eq!(salvaged.model.surfaces()[0].triangles.len(), 1);
    assert_near(posed(&salvaged.model, 0.0).surfaces[0].positions[1], [14.0, 0.0, 5.0]);
}

#[test]
fn frames_without_bytes_are_limited() {
    let still = Iqm::animation();
    let poses = vec![IqmPose::still(-1, [0.0; 3]); 2];
    let file = Iqm { poses, frames: vec![Vec::new(); 3], anims: Vec::new(), ..still };
    let bytes = with_i32(&file.build(), 92, 1 << 20);
    let mut mesh = Iqm::typical();
    (mesh.poses, mesh.anims, mesh.frames, mesh.bounds) = Default::default();
    let (model, _) = load(&mesh.build());
    let mut warnings = Warnings::default();
    let (_, joints, frames) = iqm::load_animation(&bytes, "still", &model, &mut warnings).unwrap().track;
    assert!(frames.len() <= (1 << 20) / 2, "{}", frames.len());
    let JointFrames::Local(local) = joints else { panic!("joints relative to their parents") };
    assert!(local.words.is_empty());
    let Motion::Skeletal(motion) = model.motion() else { panic!("a skeleton") };
    assert_eq!(motion.bind_pose().unwrap().len(), 2);
}
