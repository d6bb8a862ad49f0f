//! Poses between frames. Expected positions are calculated by hand from the generated files.

use std::f32::consts::FRAC_1_SQRT_2;

use glam::{Quat, Vec3};
use maquette_core::error::Warnings;
use maquette_core::formats::{self, md5};
use maquette_core::model::{Clip, ClipSource, Model, Wrap};
use maquette_core::pose::{BoneBlend, FrameBlend, Pose, Repeat, Sampling, blend_at, clip_length, sample};

use maquette_testing::files::{Md2, Md3, Mdc};
use maquette_testing::memory::allocations_of;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr, bone};

fn load(bytes: &[u8]) -> Model {
    formats::load(bytes).expect("the built file is sound").0
}

fn at(model: &Model, frame: f64) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
    pose
}

#[track_caller]
fn near(got: impl Into<Vec3>, want: [f32; 3]) {
    let got = got.into();
    assert!(got.distance(want.into()) < 1e-4, "{got} should be {want:?}");
}

fn animated(animation: &str) -> Model {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("wave", animation.as_bytes()).expect("the animation is sound");
    model
}

#[test]
fn md5_animation_is_rejected_for_model_without_joints() {
    let mut mesh = load(MD5_MESH.as_bytes());
    let mut warnings = Warnings::default();
    let (clip, channels, frames) = md5::load_animation(MD5_ANIM.as_bytes(), "wave", &mesh, &mut warnings).unwrap();
    assert!(mesh.add_track(clip.clone(), channels.clone(), frames.clone()).is_ok());
    let mut morphing = load(&Md2::typical().build());
    let clips = morphing.clips().len();
    let error = morphing.add_track(clip, channels, frames).unwrap_err();
    assert!(error.to_string().contains("without joints"), "{error}");
    assert!(morphing.add_animation("wave", MD5_ANIM.as_bytes()).is_err());
    assert_eq!(morphing.clips().len(), clips);
}

#[test]
fn md2_positions_are_scaled_then_translated() {
    let model = load(&Md2::typical().build());
    let pose = at(&model, 0.0);
    let positions =
        [[10.0, 20.0, 30.0], [10.0, 24.0, 30.0], [12.0, 20.0, 30.0], [12.0, 20.0, 30.0], [12.0, 26.0, 42.0]];
    assert_eq!(pose.surfaces[0].positions, positions.map(Vec3::from));
    assert_eq!(pose.surfaces[0].normals[0], Vec3::Z);
    assert_eq!(pose.surfaces[0].normals[4], Vec3::X);
    assert_eq!((pose.bounds.min, pose.bounds.max), (Vec3::new(10.0, 20.0, 30.0), Vec3::new(12.0, 26.0, 42.0)));
    near(at(&model, 0.5).surfaces[0].positions[4], [12.0, 26.0, 57.0]);
    near(at(&model, 7.0).surfaces[0].positions[4], [12.0, 26.0, 72.0]);
}

#[test]
fn md3_positions_normals_and_tags_are_interpolated() {
    let model = load(&Md3::typical().build());
    let pose = at(&model, 0.25);
    near(pose.surfaces[0].positions[1], [2.5, 1.0, 0.0]);
    near(pose.surfaces[0].normals[0], [1.0, 0.0, 0.0]);
    near(pose.surfaces[0].normals[1], [0.0, 1.0, 0.0]);
    near(pose.surfaces[0].normals[2], [0.0, 0.0, -1.0]);
    near(pose.tags[0].translation, [2.0, 0.0, 5.0]);
    near(pose.tags[0].matrix3.x_axis, [0.0, 1.0, 0.0]);
    near(pose.tags[0].matrix3.y_axis, [-1.0, 0.0, 0.0]);
}

#[test]
fn interpolated_normals_have_unit_length() {
    let mut file = Md3::typical();
    // From +X to +Y.
    file.frames[1][0].1 = [64, 64];
    let pose = at(&load(&file.build()), 0.5);
    near(pose.surfaces[0].normals[0], [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0]);
}

#[test]
fn md3_tag_axes_are_normalised_at_whole_frames() {
    let mut file = Md3::typical();
    file.tags[0].1[0] = [1.0, 2.0, 3.0, 20.0, 0.0, 0.0, 0.0, -20.0, 0.0, 0.0, 0.0, 20.0];
    file.tags[0].1[1] = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let model = load(&file.build());
    let tag = at(&model, 0.0).tags[0];
    near(tag.matrix3.y_axis, [0.0, -1.0, 0.0]);
    near(tag.matrix3.z_axis, [0.0, 0.0, 1.0]);
    assert_eq!(at(&model, 1.0).tags[0].matrix3, glam::Mat3A::IDENTITY, "an axis without length: the tag is unturned");
}

#[test]
fn mdc_deltas_are_twentieths_around_127_with_own_normals() {
    let model = load(&Mdc::typical().build());
    let pose = at(&model, 1.0);
    near(pose.surfaces[0].positions[0], [1.0, 0.0, 0.0]);
    near(pose.surfaces[0].positions[1], [0.0, 0.95, 0.0]);
    near(pose.surfaces[0].positions[2], [0.0, 0.0, 8.4]);
    near(pose.surfaces[0].normals[0], [1.0, 0.0, 0.0]);
    near(pose.surfaces[0].normals[1], [0.0, 1.0, 0.0]);
    // The last ring: 11.25 degrees from straight up.
    near(pose.surfaces[0].normals[2], [0.195_090, 0.0, 0.980_785]);
    near(at(&model, 0.0).surfaces[0].positions[0], [0.0, 0.0, 0.0]);
    near(at(&model, 1.5).surfaces[0].positions[0], [5.5, 0.0, 0.0]);
}

#[test]
fn mdc_tag_angles_apply_roll_pitch_and_yaw() {
    let model = load(&Mdc::typical().build());
    let yaw = at(&model, 0.0).tags[0];
    near(yaw.translation, [1.0, 0.0, 0.0]);
    near(yaw.matrix3.x_axis, [0.0, 1.0, 0.0]);
    near(yaw.matrix3.y_axis, [-1.0, 0.0, 0.0]);
    let pitch = at(&model, 1.0).tags[0].matrix3;
    near(pitch.x_axis, [0.0, 0.0, -1.0]);
    near(pitch.z_axis, [1.0, 0.0, 0.0]);
    let roll = at(&model, 2.0).tags[0].matrix3;
    near(roll.y_axis, [0.0, 0.0, 1.0]);
    near(roll.z_axis, [0.0, -1.0, 0.0]);
}

#[test]
fn mdr_vertices_are_weighted_sums_of_bones() {
    for compressed in [false, true] {
        let model = load(&Mdr { compressed, ..Mdr::typical() }.build());
        let pose = at(&model, 0.0);
        near(pose.surfaces[0].positions[0], [0.0, 0.0, 5.0]);
        near(pose.surfaces[0].positions[1], [14.0, 0.0, 0.0]);
        near(pose.surfaces[0].positions[2], [2.0, 0.0, 0.0]);
        let pose = at(&model, 1.0);
        near(pose.surfaces[0].positions[1], [10.0, 4.0, 4.0]);
        near(pose.surfaces[0].positions[2], [6.0, -4.0, 2.0]);
        near(pose.tags[0].translation, [10.0, 0.0, 4.0]);
        near(pose.tags[0].matrix3.x_axis, [0.0, 1.0, 0.0]);
        assert!(pose.surfaces[1].positions.is_empty(), "the other LOD is not posed");
    }
}

#[test]
fn mdr_bones_rotate_unless_engine_blend_is_set() {
    let model = load(&Mdr::typical().build());
    near(at(&model, 0.5).surfaces[0].positions[1], [12.828_427, 2.828_427, 2.0]);
    near(at(&model, 0.5).tags[0].matrix3.x_axis, [FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0]);
    let mut pose = Pose::default();
    let engine = Sampling { bones: BoneBlend::Engine, ..Sampling::at(FrameBlend::at_frame(0.5)) };
    sample(&model, &engine, &mut pose);
    near(pose.surfaces[0].positions[1], [12.0, 2.0, 2.0]);
}

#[test]
fn mdr_bones_rotate_the_shorter_way() {
    let mut file = Mdr::typical();
    file.frames = [170.0, 190.0].map(|degrees| vec![bone(0.0, [0.0; 3]), bone(degrees, [10.0, 0.0, 0.0])]).into();
    near(at(&load(&file.build()), 0.5).surfaces[0].positions[1], [6.0, 0.0, 0.0]);
}

#[test]
fn mdr_matrices_are_exact_at_interval_ends() {
    let mut file = Mdr::typical();
    let stored = [1.005, 0.001, 0.0, 10.0, 0.0, 0.996, 0.002, 0.5, 0.0, 0.0, 1.0, -3.0];
    file.frames = vec![vec![bone(0.0, [0.0; 3]), stored], vec![bone(0.0, [0.0; 3]), stored]];
    let model = load(&file.build());
    for t in [0.0, 1.0] {
        let blend = FrameBlend { from: 0, to: 1, t };
        let mut pose = Pose::default();
        sample(&model, &Sampling::at(blend), &mut pose);
        assert_eq!(pose.joints[1].matrix3.x_axis.to_array(), [1.005, 0.0, 0.0]);
        assert_eq!(pose.joints[1].matrix3.y_axis.to_array(), [0.001, 0.996, 0.0]);
        assert_eq!(pose.joints[1].translation.to_array(), [10.0, 0.5, -3.0]);
    }
}

#[test]
fn mdr_scale_is_interpolated_while_rotating() {
    let mut file = Mdr::typical();
    let scaled = |degrees, scale: f32| {
        let mut bone = bone(degrees, [10.0, 0.0, 0.0]);
        for index in [0, 1, 2, 4, 5, 6, 8, 9, 10_usize] {
            bone[index] *= scale;
        }
        bone
    };
    file.frames = vec![vec![bone(0.0, [0.0; 3]), scaled(0.0, 2.0)], vec![bone(0.0, [0.0; 3]), scaled(90.0, 4.0)]];
    // Halfway: scaled by three, at 45 degrees.
    near(at(&load(&file.build()), 0.5).surfaces[0].positions[1], [10.0 + 8.485_281, 8.485_281, 0.0]);
}

#[test]
fn sheared_and_mirrored_bones_interpolate_by_entry() {
    for odd in [
        [1.0, 0.5, 0.0, 10.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
        [-1.0, 0.0, 0.0, 10.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    ] {
        let mut file = Mdr::typical();
        file.frames = vec![vec![bone(0.0, [0.0; 3]), odd], vec![bone(0.0, [0.0; 3]), bone(90.0, [10.0, 0.0, 0.0])]];
        let joint = at(&load(&file.build()), 0.5).joints[1];
        near(joint.matrix3.x_axis, [odd[0] / 2.0, 0.5, 0.0]);
        near(joint.matrix3.y_axis, [(odd[1] - 1.0) / 2.0, 0.5, 0.0]);
    }
}

#[test]
fn md5_bind_pose_has_computed_normals() {
    let pose = at(&load(MD5_MESH.as_bytes()), 0.0);
    near(pose.surfaces[0].positions[0], [0.0, 0.0, 5.0]);
    near(pose.surfaces[0].positions[1], [14.0, 0.0, 0.0]);
    near(pose.surfaces[0].positions[2], [2.0, 0.0, 0.0]);
    // (c − a) × (b − a) of (0 0 5), (14 0 0), (2 0 0).
    near(pose.surfaces[0].normals[1], [0.0, -1.0, 0.0]);
}

#[test]
fn md5_joints_interpolate_relative_to_parents() {
    let model = animated(MD5_ANIM);
    let first = f64::from(model.clips()[1].first);
    let pose = at(&model, first + 1.0);
    near(pose.surfaces[0].positions[1], [10.0, 4.0, 1.0]);
    near(pose.surfaces[0].positions[2], [6.0, -4.0, 1.0]);
    near(pose.surfaces[0].normals[1], [1.0, 0.0, 0.0]);
    near(at(&model, first + 0.5).surfaces[0].positions[1], [12.828_427, 2.828_427, 0.5]);
    near(at(&model, first + 2.0).surfaces[0].positions[1], [6.0, 0.0, 2.0]);
}

#[test]
fn md5_joints_rotate_the_shorter_way() {
    // 170 and 190 degrees about Z are stored with w ≤ 0, in opposite hemispheres.
    let animation = MD5_ANIM.replace("1 -0.70710678", "1 -0.9961947").replace("2 -1", "2 0.9961947");
    let model = animated(&animation);
    near(at(&model, f64::from(model.clips()[1].first) + 1.5).surfaces[0].positions[1], [6.0, 0.0, 1.5]);
}

#[test]
fn md5_joints_missing_in_animation_keep_bind_pose() {
    let animation = MD5_ANIM.replace("\"Arm\"", "\"leg\"");
    let model = animated(&animation);
    near(at(&model, f64::from(model.clips()[1].first) + 1.0).surfaces[0].positions[1], [14.0, 0.0, 1.0]);
}

#[test]
fn frames_of_different_clips_are_not_interpolated() {
    let model = animated(MD5_ANIM);
    let mut pose = Pose::default();
    for (from, to) in [(0, 2), (2, 0)] {
        sample(&model, &Sampling::at(FrameBlend { from, to, t: 0.5 }), &mut pose);
        let first = pose.surfaces[0].positions.clone();
        sample(&model, &Sampling::at(FrameBlend::single(from)), &mut pose);
        assert_eq!(first, pose.surfaces[0].positions, "from {from} to {to}");
    }
}

#[test]
fn md5_quaternion_w_matches_engine_for_long_xyz() {
    let longer = maquette_core::model::quaternion_of_xyz(Vec3::new(0.8, 0.8, 0.0));
    // Before normalisation, w is −√0.28, and the length of all four components is 1.249.
    assert!(longer.abs_diff_eq(Quat::from_xyzw(0.640_513, 0.640_513, 0.0, -0.423_659), 1e-5), "{longer}");
    assert_eq!(maquette_core::model::quaternion_of_xyz(Vec3::ZERO), Quat::from_xyzw(0.0, 0.0, 0.0, -1.0));
    let half = maquette_core::model::quaternion_of_xyz(Vec3::new(0.0, 0.0, -0.5));
    assert!(half.abs_diff_eq(Quat::from_xyzw(0.0, 0.0, -0.5, -0.866_025), 1e-5), "{half}");
}

fn clip(source: ClipSource) -> Clip {
    Clip::new("four", 10, 4, 10.0, source)
}

#[track_caller]
fn blends(clip: &Clip, repeat: Repeat, steps: f64, want: (u32, u32, f32)) {
    let got = blend_at(clip, steps, repeat);
    assert_eq!((got.from, got.to), (want.0, want.1), "frames at step {steps}");
    assert!((got.t - want.2).abs() < 1e-6, "{} at step {steps}", got.t);
}

#[test]
fn looped_frame_name_clip_blends_last_into_first() {
    let clip = clip(ClipSource::FrameNames);
    assert_eq!(clip.wrap, Wrap::LastToFirst);
    assert!((clip_length(&clip, Repeat::Loop) - 4.0).abs() < 1e-9);
    blends(&clip, Repeat::Loop, 2.75, (12, 13, 0.75));
    blends(&clip, Repeat::Loop, 3.5, (13, 10, 0.5));
    blends(&clip, Repeat::Loop, 4.25, (10, 11, 0.25));
}

#[test]
fn looped_md5_clip_ends_on_its_first_frame() {
    let clip = clip(ClipSource::AnimationFile);
    assert_eq!(clip.wrap, Wrap::LastIsFirst);
    assert!((clip_length(&clip, Repeat::Loop) - 3.0).abs() < 1e-9);
    blends(&clip, Repeat::Loop, 2.5, (12, 13, 0.5));
    blends(&clip, Repeat::Loop, 3.0, (10, 11, 0.0));
    blends(&clip, Repeat::Loop, 3.5, (10, 11, 0.5));
}

#[test]
fn clip_end_holds_reverses_or_repeats_frames() {
    let mut clip = clip(ClipSource::FrameNames);
    blends(&clip, Repeat::Once, 99.0, (13, 13, 0.0));
    blends(&clip, Repeat::PingPong, 4.0, (12, 13, 0.0));
    blends(&clip, Repeat::PingPong, 6.0, (10, 11, 0.0));
    clip.loop_frames = 2;
    blends(&clip, Repeat::Loop, 3.5, (13, 12, 0.5));
    blends(&clip, Repeat::Loop, 5.0, (13, 12, 0.0));
    clip.loop_frames = 0;
    blends(&clip, Repeat::Loop, 99.0, (13, 13, 0.0));
    clip.reversed = true;
    blends(&clip, Repeat::Once, 0.5, (13, 12, 0.5));
}

#[test]
fn sampling_a_warm_pose_allocates_nothing() {
    let models = [
        load(&Md2::typical().build()),
        load(&Md3::typical().build()),
        load(&Mdc::typical().build()),
        load(&Mdr::typical().build()),
        load(&Mdr { compressed: true, ..Mdr::typical() }.build()),
        animated(MD5_ANIM),
    ];
    for model in &models {
        let mut pose = Pose::default();
        let last = model.frames().len() as f64;
        let mut play = |from: f64| {
            let mut frame = from;
            while frame < last {
                sample(model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
                frame += 0.25;
            }
        };
        play(0.0);
        assert_eq!(allocations_of(|| play(0.1)), 0, "{}", model.format());
    }
}
