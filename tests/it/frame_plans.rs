//! Plans of animations: their frames, length and delays.

use std::path::{Path, PathBuf};

use maquette::output::FrameNames;
use maquette_assets::open::open_sample;
use maquette_core::model::{Clip, ClipSource, Format, Wrap};
use maquette_core::pose::{Repeat, blend_at};
use maquette_scene::scene::{ClipRange, FramePlan, FrameRange, FrameTiming, MAX_FILM_FRAMES, Motion, Playback};
use maquette_scene::session::{Action, ClockAction, Session};

use crate::image_exports::session;

fn plan(session: &Session, motion: Motion, pace: FrameTiming) -> FramePlan {
    FramePlan::plan(&session.document.scene, session.document.focus, motion, pace, 120.0).unwrap()
}

/// Returns the clip time of the first entity in every frame of the animation, in frame intervals.
fn steps(session: &Session, film: &FramePlan) -> Vec<f64> {
    let id = session.document.scene.entities()[0].id;
    (0..film.frames).map(|frame| film.steps(id, frame).unwrap()).collect()
}

#[test]
fn clip_blending_last_to_first_exports_each_frame_once() {
    // There are as many intervals as frames, without duplicates or gaps.
    let session = session(Format::Md3, "run");
    let clip = session.document.scene.entities()[0].clip();
    assert_eq!((clip.wrap, clip.count), (Wrap::LastToFirst, 8));
    let film = plan(&session, Motion::Clip, FrameTiming::EachFrame);
    assert_eq!(steps(&session, &film), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    let each: Vec<u32> = steps(&session, &film).iter().map(|step| blend_at(&clip, *step, Repeat::Loop).from).collect();
    assert_eq!(each, (clip.first..clip.first + 8).collect::<Vec<_>>());
    let seconds = 8.0 / f64::from(clip.frames_per_second);
    assert!((film.seconds() - seconds).abs() < 1e-9);
    // At twice the rate there are half steps, including the one from the last frame to the first.
    let film = plan(&session, Motion::Clip, FrameTiming::Smooth(f64::from(clip.frames_per_second) * 2.0));
    let halves: Vec<f64> = (0_u8..16).map(|half| f64::from(half) / 2.0).collect();
    assert_eq!(steps(&session, &film), halves);
    let seam = blend_at(&clip, 7.5, Repeat::Loop);
    assert_eq!((seam.from, seam.to, seam.t), (clip.first + 7, clip.first, 0.5));
}

#[test]
fn clip_ending_on_first_frame_drops_last_frame() {
    let session = session(Format::Md5, "run");
    let clip = session.document.scene.entities()[0].clip();
    assert_eq!(clip.wrap, Wrap::LastIsFirst);
    let film = plan(&session, Motion::Clip, FrameTiming::EachFrame);
    assert_eq!(film.frames, clip.count - 1);
    let expected: Vec<f64> = (0..clip.count - 1).map(f64::from).collect();
    assert_eq!(steps(&session, &film), expected);
}

#[test]
fn plan_of_once_ends_and_ping_pong_returns() {
    let mut session = session(Format::Md3, "run");
    session.document.scene.entities_mut()[0].playback.repeat = Repeat::Once;
    let film = plan(&session, Motion::Clip, FrameTiming::EachFrame);
    assert!(!film.round);
    assert_eq!(steps(&session, &film), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    session.document.scene.entities_mut()[0].playback.repeat = Repeat::PingPong;
    let film = plan(&session, Motion::Clip, FrameTiming::EachFrame);
    // Forward 0 to 7, backward 6 to 1, then 0 again.
    assert_eq!(film.frames, 14);
    let clip = session.document.scene.entities()[0].clip();
    let frames: Vec<u32> =
        steps(&session, &film).iter().map(|step| blend_at(&clip, *step, Repeat::PingPong).from - clip.first).collect();
    assert_eq!(frames, [0, 1, 2, 3, 4, 5, 6, 7, 6, 5, 4, 3, 2, 1]);
}

#[test]
fn playback_speed_scales_animation_length() {
    let mut session = session(Format::Md3, "run");
    let slow = plan(&session, Motion::Clip, FrameTiming::Smooth(30.0)).seconds();
    session.document.scene.entities_mut()[0].playback.speed = 2.0;
    let fast = plan(&session, Motion::Clip, FrameTiming::Smooth(30.0)).seconds();
    assert!((slow / fast - 2.0).abs() < 1e-9);
}

#[test]
fn turntable_covers_360_degrees_without_repeated_end() {
    let session = session(Format::Md3, "run");
    let film = plan(&session, Motion::Turn { seconds: 2.0, plays: false }, FrameTiming::Smooth(18.0));
    assert_eq!(film.frames, 36);
    assert_eq!(film.degrees(0), 0.0);
    assert_eq!(film.degrees(9), 90.0);
    // One step later, the camera would be at the first frame again.
    assert_eq!(film.degrees(35), 350.0);
    let first = session.view.camera.clone();
    let yaw = |frame| session.camera_of(&first, &film, frame).yaw;
    assert!((yaw(18) - first.yaw).rem_euclid(360.0) - 180.0 < 1e-3);
    let id = session.document.scene.entities()[0].id;
    assert_eq!(film.steps(id, 3), None, "it stands");
    // The clip loops together with the camera: a whole number of loops, as close to two seconds as possible.
    let round =
        ClipRange::new(&session.document.scene.entities()[0].playback, session.document.scene.entities()[0].model())
            .seconds();
    let film = plan(&session, Motion::Turn { seconds: 2.0, plays: true }, FrameTiming::Smooth(30.0));
    let rounds = film.seconds() / round;
    assert!((rounds - rounds.round()).abs() < 1e-9 && (film.seconds() - 2.0).abs() <= round / 2.0 + 1e-9);
}

#[test]
fn frame_delay_rounding_carries_over() {
    let session = session(Format::Md3, "run");
    // 2 s at 30 frames per second are 60 frames of 3⅓ hundredths: 200 in total, 3 or 4 each.
    let film = plan(&session, Motion::Turn { seconds: 2.0, plays: false }, FrameTiming::Smooth(30.0));
    let ticks: Vec<u32> = (0..film.frames).map(|frame| film.ticks(frame, 100.0)).collect();
    assert_eq!((ticks.len(), ticks.iter().sum::<u32>()), (60, 200));
    assert!(ticks.iter().all(|ticks| [3, 4].contains(ticks)));
}

#[test]
fn too_long_or_static_animation_is_rejected() {
    let mut session = session(Format::Md3, "run");
    session.document.scene.entities_mut()[0].playback.speed = 0.05;
    session.document.scene.entities_mut()[0].playback.rate = Some(0.1);
    let long = FramePlan::plan(
        &session.document.scene,
        session.document.focus,
        Motion::Clip,
        FrameTiming::Smooth(120.0),
        120.0,
    )
    .unwrap_err();
    assert!(long.to_string().contains(&MAX_FILM_FRAMES.to_string()), "{long}");
    for rate in [0.0, f32::NAN, f32::INFINITY, -5.0] {
        session.document.scene.entities_mut()[0].playback.rate = Some(rate);
        let none = FramePlan::plan(
            &session.document.scene,
            session.document.focus,
            Motion::Clip,
            FrameTiming::EachFrame,
            120.0,
        )
        .unwrap_err();
        assert!(none.to_string().contains("turntable"), "{none}");
        let turn = Motion::Turn { seconds: f64::NAN, plays: true };
        assert!(
            FramePlan::plan(&session.document.scene, session.document.focus, turn, FrameTiming::Smooth(f64::NAN), 50.0)
                .is_ok()
        );
    }
}

#[test]
fn single_loop_frame_clip_is_not_a_loop() {
    let model = open_sample(Format::Md3).unwrap().model;
    let clip = Clip { loop_frames: 0, ..Clip::new("death", 0, 4, 10.0, ClipSource::AnimationConfig) };
    assert!(!clip.loops());
    let mut playback = Playback::default().for_model(&model);
    playback.repeat = Repeat::Once;
    assert!(!ClipRange::new(&playback, &model).round);
}

#[test]
fn frame_names_follow_the_number_pattern() {
    let names = FrameNames::of_pattern(Path::new("frames/%04d.png")).unwrap();
    assert_eq!(names.path(12), PathBuf::from("frames/0012.png"));
    assert_eq!(FrameNames::of_pattern(Path::new("a%d.png")).unwrap().path(7), PathBuf::from("a7.png"));
    for wrong in ["a.png", "%s.png", "%d%d.png", "%99d.png", "%-1d.png"] {
        assert_eq!(FrameNames::of_pattern(Path::new(wrong)), None, "{wrong}");
    }
    assert_eq!(FrameNames::numbered(Path::new("x/run.png")).path(3), PathBuf::from("x/run-0003.png"));
}

#[test]
fn loop_range_animation_exports_only_its_frames() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md2).unwrap());
    session.apply(Action::Clock(ClockAction::SetLoopRange(FrameRange::new(2, 5, 100))));
    // The current frame is outside the range, which makes no difference.
    session.apply(Action::Clock(ClockAction::Seek(0.0)));
    let film =
        FramePlan::plan(&session.document.scene, session.document.focus, Motion::Clip, FrameTiming::EachFrame, 50.0)
            .unwrap();
    assert_eq!(film.frames, 4);
    let mut stage = session.document.scene.clone();
    film.pose(&mut stage, 3);
    session.apply(Action::Clock(ClockAction::Seek(5.0)));
    session.refresh();
    let posed = |stage: &maquette_scene::scene::Scene| stage.entities()[0].pose.surfaces[0].positions.clone();
    assert!(posed(&stage) == posed(&session.document.scene), "the film's last frame is the range's");
}
