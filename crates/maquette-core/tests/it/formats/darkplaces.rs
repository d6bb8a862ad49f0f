//! DPM and ZYM models.

use glam::{Vec2, Vec3};

use super::{load, refusal};
use maquette_core::model::Model;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_testing::bytes::with_i32;
use maquette_testing::darkplaces_files::{dpm, zym};

fn posed(model: &Model, from: u32, t: f32) -> Pose {
    let mut pose = Pose::default();
    let blend = FrameBlend { from, to: (from + 1).min(1), t };
    sample(model, &Sampling { blend, ..Sampling::default() }, &mut pose);
    pose
}

#[track_caller]
fn assert_positions(model: &Model, from: u32, t: f32, expected: [[f32; 3]; 3]) {
    let found = &posed(model, from, t).surfaces[0].positions;
    for (found, expected) in found.iter().zip(expected) {
        assert!(found.abs_diff_eq(Vec3::from(expected), 1e-5), "frame {from} + {t}: {found} is not {expected:?}");
    }
}

/// The root halves everything. The arm, whose rotation of zeros is none, is at (5, 0, 0) of the model.
const FIRST: [[f32; 3]; 3] = [[2.0, 0.0, 0.0], [6.0, 0.0, 0.0], [1.25, 4.0, 0.0]];

#[test]
fn dpm_weights_contain_their_influence_and_bones_their_parents() {
    let (model, warnings) = load(&dpm());
    assert_eq!((warnings.as_str(), model.version()), ("", Some(2)));
    assert_positions(&model, 0, 0.0, FIRST);
    // A quarter turn of (x, y) is (−y, x).
    assert_positions(&model, 1, 0.0, [[0.0, 2.0, 0.0], [0.0, 6.0, 0.0], [-4.0, 1.25, 0.0]]);
    // A rigid half of the turn: (x − y, x + y) / √2.
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let [a, b, c] = [[2.0 * half, 2.0 * half], [6.0 * half, 6.0 * half], [-2.75 * half, 5.25 * half]];
    assert_positions(&model, 0, 0.5, [a, b, c].map(|[x, y]| [x, y, 0.0]));
    let surface = &model.surfaces()[0];
    assert_eq!((surface.materials.concat().as_str(), surface.triangles[0]), ("models/box/side", [0, 2, 1]));
    assert_eq!(surface.uvs[1], Vec2::new(1.0, 0.0));
    assert_eq!(posed(&model, 0, 0.0).surfaces[0].normals, [Vec3::Z; 3]);
}

#[test]
fn dpm_frames_name_clips_and_bones_tags() {
    let (model, _) = load(&dpm());
    assert_eq!(model.tags(), ["tag_arm"]);
    let clips: Vec<_> = model.clips().iter().map(|clip| (clip.name.as_str(), clip.count)).collect();
    assert_eq!((clips, model.clips()[0].frames_per_second), (vec![("wave", 2)], 10.0));
    let tag = posed(&model, 0, 0.0).tags[0];
    assert!(tag.translation.abs_diff_eq(Vec3::new(5.0, 0.0, 0.0).into(), 1e-6), "{tag}");
}

#[test]
fn bones_of_other_frames_move_along_an_arc() {
    // Half of a quarter turn, while the bone moves from (0, 0, 0) to (8, 0, 0): the screw that leads there turns about the
    // point (4, 4), √32 away from both, so that the middle is (4, 4 − √32).
    let mut file = dpm();
    file[352 + 96 + 12..][..4].copy_from_slice(&8_f32.to_be_bytes());
    let (model, _) = load(&file);
    let root = posed(&model, 0, 0.5).joints[0].translation;
    assert!(root.abs_diff_eq(Vec3::new(4.0, 4.0 - 32_f32.sqrt(), 0.0).into(), 1e-5), "{root}");
}

#[test]
fn broken_dpm_is_refused() {
    let file = dpm();
    let set = |at, value: u32| with_i32(&file, at, value.swap_bytes().cast_signed());
    for (changed, message) in [
        (set(16, 1), "version 1 is not supported"),
        (set(56, 0), "num_bones"),
        (set(64, 0), "num_frames"),
        (set(80 + 32, 0), "bone 0 “root” comes before its parent"),
        (set(216 + 64, 9999), "ofs_bonepositions"),
        (set(544 + 32, 7), "bone 7 does not exist; there are 2"),
        (set(544, 99), "ends outside the file"),
        (file[..600].to_vec(), "outside the file"),
    ] {
        let found = refusal(&changed);
        assert!(found.contains(message), "{found}");
    }
    let (model, warnings) = load(&set(708, 3));
    assert!(warnings.contains("1 triangle names vertices that do not exist"), "{warnings}");
    assert!(model.surfaces()[0].triangles.is_empty());
}

#[test]
fn zym_has_a_bone_for_each_vertex_and_scenes() {
    let (model, warnings) = load(&zym());
    assert_eq!((warnings.as_str(), model.version()), ("", Some(1)));
    assert_positions(&model, 0, 0.0, [FIRST[0], FIRST[1], [0.0, 4.0, 0.0]]);
    let clips: Vec<_> = model
        .clips()
        .iter()
        .map(|clip| (clip.name.as_str(), clip.first, clip.count, clip.frames_per_second, clip.loops()))
        .collect();
    assert_eq!(clips, [("turn", 0, 2, 15.0, true), ("hold", 1, 1, 5.0, false)]);
    let materials: Vec<_> = model.surfaces().iter().map(|surface| surface.materials.concat()).collect();
    assert_eq!(materials, ["side", "lid"]);
    // Texture coordinates count from the bottom, corners are counter-clockwise.
    assert_eq!(model.surfaces()[0].uvs[0], Vec2::new(0.0, 0.75));
    assert_eq!(model.surfaces()[0].triangles, [[0, 2, 1]]);
    assert_eq!(posed(&model, 1, 0.0).surfaces[1].normals, [Vec3::Z; 3]);
}

#[test]
fn broken_zym_is_refused() {
    let file = zym();
    let set = |at, value: u32| with_i32(&file, at, value.swap_bytes().cast_signed());
    for (changed, message) in [
        (set(12, 2), "version 2 is not supported"),
        (set(140 + 72, 3), "scene “turn” has 3 frames from 0 on; the file has 2 poses"),
        (set(484 + 36, 0), "bone 0 “root” comes before its parent"),
        (set(564, 2), "vertex 0 has another number of bones than 1"),
        (set(580, 2), "bone 2 of vertex 0 does not exist; there are 2"),
        (set(676 + 4, 4), "vertex 4 does not exist; there are 4"),
        (set(52, 3), "needed"),
    ] {
        let found = refusal(&changed);
        assert!(found.contains(message), "{found}");
    }
}

#[test]
fn zym_scenes_beyond_the_limit_are_reported() {
    let mut file = zym();
    let scenes = u32::from_be_bytes(file[68..72].try_into().unwrap()) as usize;
    let scene = file[scenes..scenes + 76].to_vec();
    let end = u32::try_from(file.len()).unwrap();
    file[64..68].copy_from_slice(&4098_u32.to_be_bytes());
    file[68..72].copy_from_slice(&end.to_be_bytes());
    file.extend(scene.repeat(4098));
    let (model, warnings) = load(&file);
    assert_eq!(warnings, "numscenes: 2 scenes are beyond the limit of clips; skipped");
    let name = &model.clips()[0].name;
    assert_eq!((model.clips().len(), &model.clips()[1].name), (4096, &format!("{name} (2)")));
}
