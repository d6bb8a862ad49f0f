//! PSK and PSA.

use glam::{Vec2, Vec3};

use super::{load, refusal};
use maquette_core::formats;
use maquette_core::model::Model;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_testing::bytes::with_i32;
use maquette_testing::unreal_files::{psa, psk};

#[track_caller]
fn assert_positions(model: &Model, frame: u32, expected: [[f32; 3]; 3]) {
    let mut pose = Pose::default();
    let blend = FrameBlend { from: frame, to: frame, t: 0.0 };
    sample(model, &Sampling { blend, ..Sampling::default() }, &mut pose);
    for (found, expected) in pose.surfaces[0].positions.iter().zip(expected) {
        assert!(found.abs_diff_eq(Vec3::from(expected), 1e-5), "frame {frame}: {found} is not {expected:?}");
    }
}

// In the order of the triangle: points 0, 2 and 1.
const BIND: [[f32; 3]; 3] = [[4.0, 0.0, 0.0], [0.0, 8.0, 0.0], [12.0, 0.0, 0.0]];

#[test]
fn psk_without_psa_shows_its_bind_pose() {
    let (model, warnings) = load(&psk());
    assert_eq!((warnings.as_str(), model.frames().len(), model.clips().len()), ("", 1, 0));
    assert_positions(&model, 0, BIND);
    let surface = &model.surfaces()[0];
    assert_eq!((surface.materials.concat().as_str(), surface.triangles[0]), ("models/box/side", [0, 1, 2]));
    assert_eq!(surface.uvs, [Vec2::new(0.0, 0.25), Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0)]);
    assert_eq!(model.tags(), ["tag_arm"]);
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    assert_eq!(pose.surfaces[0].normals, [Vec3::Z; 3]);
}

#[test]
fn psa_frames_follow_in_the_order_of_its_animations() {
    let (mut model, _) = load(&psk());
    let loaded = formats::load_animation(&psa(), "box", &model, &mut Default::default()).unwrap();
    let clips = loaded.clips.iter().map(|clip| (clip.name.as_str(), clip.first, clip.count, clip.frames_per_second));
    assert_eq!(clips.collect::<Vec<_>>(), [("turn", 0, 2, 15.0), ("bend", 2, 1, 30.0)]);
    model.add_loaded(loaded).unwrap();
    assert_eq!(model.frames().len(), 3);
    assert_positions(&model, 0, BIND);
    // A quarter turn of (x, y) is (−y, x).
    assert_positions(&model, 1, [[0.0, 4.0, 0.0], [-8.0, 0.0, 0.0], [0.0, 12.0, 0.0]]);
    // The arm turns about (10, 0): (12, 0) moves to (10, 2), and (0, 8), with a quarter of its weight, to (2, −10).
    assert_positions(&model, 2, [[4.0, 0.0, 0.0], [0.5, 3.5, 0.0], [10.0, 2.0, 0.0]]);
}

#[test]
fn broken_psk_and_psa_are_refused() {
    let file = psk();
    let at = |name: &str| file.windows(name.len()).position(|window| window == name.as_bytes()).unwrap();
    for (changed, message) in [
        (file[..at("RAWWEIGHTS")].to_vec(), "chunk RAWWEIGHTS is missing or empty"),
        (file[..at("RAWWEIGHTS") + 40].to_vec(), "numrecords"),
        (with_i32(&file, at("FACE0000") + 24, 16), "records of FACE0000 have 16 bytes; 12 are expected"),
        (with_i32(&file, at("REFSKELT") + 28, 0), "numrecords"),
        (with_i32(&file, at("REFSKELT") + 32 + 120 + 72, 1), "bone 1 “tag_arm” comes before its parent"),
    ] {
        let found = refusal(&changed);
        assert!(found.contains(message), "{found}");
    }
    let (model, warnings) = load(&with_i32(&file, at("FACE0000") + 32, 9));
    assert!(warnings.contains("1 triangle names a vertex or a material that does not exist"), "{warnings}");
    assert!(model.surfaces()[0].triangles.is_empty());
    let (model, _) = load(&file);
    let animation = psa();
    let at = |name: &str| animation.windows(name.len()).position(|window| window == name.as_bytes()).unwrap();
    for (changed, message) in [
        (with_i32(&animation, at("tag_arm"), 0), "it belongs to another model"),
        (with_i32(&animation, at("ANIMINFO") + 32 + 164, 3), "6 keys for 4 frames of 2 bones; 8 are needed"),
        (with_i32(&animation, at("ANIMINFO") + 32 + 164, -1), "animation “turn” has -1 frames"),
    ] {
        let error = formats::load_animation(&changed, "box", &model, &mut Default::default()).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}
