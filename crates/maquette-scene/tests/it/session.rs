//! Sequences of actions and their results, without a window.

use std::path::{Path, PathBuf};

use maquette_assets::open::{open_sample, sample_formats};
use maquette_core::model::{Format, Model, Wrap};
use maquette_core::pose::Repeat;
use maquette_scene::scene::ClipChoice;
use maquette_scene::scene::{Choices as _, OverlayKind, StandardView, Wireframe};
use maquette_scene::session::{
    Action, COMMANDS, CameraAction, ClockAction, Effect, FileAction, SceneAction, Selection, Session,
};

fn showing(format: Format) -> Session {
    let mut session = Session::default();
    session.show(open_sample(format).unwrap());
    session
}

fn shown_frame(session: &Session) -> f64 {
    session.playback().shown_frame(&session.asset().unwrap().model)
}

#[test]
fn opened_model_is_framed_and_plays_first_clip() {
    for format in sample_formats() {
        let session = showing(format);
        assert!(session.is_playing(), "{format}");
        assert!(session.document.pose().unwrap().bounds.radius() > 10.0, "{format} is posed");
        let model = &session.asset().unwrap().model;
        let clip = session.playback().clip(model);
        assert!(clip.count > 1, "{format} plays {}", clip.name);
        // Every vertex projects into the view within the framing margin.
        let clip_from_world = session.view.camera.clip_from_view(1.0, 100.0) * session.view.camera.view_from_world();
        for point in session.points() {
            let projected = clip_from_world.project_point3(point);
            assert!(projected.x.abs() <= 0.86 && projected.y.abs() <= 0.86, "{format}: {projected}");
        }
    }
}

#[test]
fn time_advances_clip_by_rate_and_speed() {
    let mut session = showing(Format::Md2);
    session.apply(Action::Clock(ClockAction::SetSpeed(0.5)));
    session.apply(Action::Clock(ClockAction::SetRate(Some(20.0))));
    assert!(session.advance(0.1));
    assert!((session.playback().position - 1.0).abs() < 1e-9, "0.1 s × 20 fps × ½");
}

#[test]
fn once_clip_stops_on_last_frame_and_restarts() {
    let mut session = showing(Format::Md2);
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::Once)));
    session.advance(1000.0);
    let count = session.playback().clip(&session.asset().unwrap().model).count;
    assert!(!session.is_playing());
    assert!((session.playback().position - f64::from(count - 1)).abs() < 1e-9);
    session.apply(Action::Clock(ClockAction::TogglePlay));
    assert!(session.is_playing() && session.playback().position == 0.0);
}

#[test]
fn scrubbing_pauses_playback_and_keeps_fraction() {
    let mut session = showing(Format::Md2);
    session.apply(Action::Clock(ClockAction::Seek(12.25)));
    assert!(!session.is_playing());
    assert!((shown_frame(&session) - 12.25).abs() < 1e-6);
}

#[test]
fn scrubbing_into_next_clip_chooses_it() {
    let mut session = showing(Format::Md2);
    let second = session.asset().unwrap().model.clips()[1].clone();
    session.apply(Action::Clock(ClockAction::Seek(f64::from(second.first) + 0.5)));
    assert_eq!(session.playback().choice, ClipChoice::Clip(1));
    assert!((session.playback().position - 0.5).abs() < 1e-9);
}

#[test]
fn steps_wrap_within_the_clip() {
    let mut session = showing(Format::Md2);
    session.apply(Action::Clock(ClockAction::ClipStart));
    session.apply(Action::Clock(ClockAction::Step(-1)));
    let count = session.playback().clip(&session.asset().unwrap().model).count;
    assert_eq!(session.playback().position, f64::from(count - 1));
    session.apply(Action::Clock(ClockAction::Step(1)));
    assert_eq!(session.playback().position, 0.0);
}

#[test]
fn steps_start_from_shown_frame() {
    let mut session = showing(Format::Md2);
    let shown_after = |session: &mut Session, frame: f64, steps: i32| {
        session.apply(Action::Clock(ClockAction::Seek(frame)));
        session.apply(Action::Clock(ClockAction::Step(steps)));
        shown_frame(session)
    };
    assert_eq!(shown_after(&mut session, 3.6, 1), 4.0);
    assert_eq!(shown_after(&mut session, 3.6, -1), 3.0);
    assert_eq!(shown_after(&mut session, 3.0, -1), 2.0);
    session.apply(Action::Clock(ClockAction::ToggleInterpolation));
    assert_eq!(shown_after(&mut session, 3.6, 1), 4.0);
    assert_eq!(shown_after(&mut session, 3.6, -1), 2.0);
}

#[test]
fn last_frame_of_md5_clip_can_be_shown() {
    let mut session = showing(Format::Md5);
    session.apply(Action::Clock(ClockAction::ClipEnd));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    let count = session.playback().clip(&session.asset().unwrap().model).count;
    session.apply(Action::Clock(ClockAction::Seek(f64::from(count - 1))));
    assert_eq!(shown_frame(&session), f64::from(count - 1));
    let blend = session.playback().blend(&session.asset().unwrap().model);
    let clip = session.playback().clip(&session.asset().unwrap().model);
    assert_eq!((blend.from, blend.t), (clip.end() - 1, 0.0));
}

#[test]
fn model_with_only_tags_shows_them_temporarily() {
    let mut session = showing(Format::Md3);
    let mut bare = open_sample(Format::Md3).unwrap();
    let mut parts = Model::clone(&bare.model).into_parts();
    parts.surfaces.clear();
    if let maquette_core::model::Motion::Morph(motion) = &mut parts.motion {
        motion.surfaces.clear();
    }
    bare.model = std::sync::Arc::new(Model::new(parts).unwrap());
    session.show(bare);
    assert!(session.view.display.shows(OverlayKind::Tags));
    session.show(open_sample(Format::Md3).unwrap());
    assert!(!session.view.display.shows(OverlayKind::Tags));
}

#[test]
fn next_clip_wraps_around_the_list() {
    let mut session = showing(Format::Md2);
    let count = session.asset().unwrap().model.clips().len();
    for expected in (0..count).cycle().skip(1).take(count) {
        session.apply(Action::Clock(ClockAction::NextClip));
        assert_eq!(session.playback().choice, ClipChoice::Clip(expected));
    }
}

#[test]
fn clips_wrap_as_in_the_game_of_their_format() {
    let wrap = |format| showing(format).asset().unwrap().model.clips().last().unwrap().wrap;
    assert_eq!(wrap(Format::Md2), Wrap::LastToFirst);
    assert_eq!(wrap(Format::Md3), Wrap::LastToFirst);
    assert_eq!(wrap(Format::Md5), Wrap::LastIsFirst);
}

#[test]
fn disabled_interpolation_shows_whole_frames() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Clock(ClockAction::Seek(3.75)));
    session.apply(Action::Clock(ClockAction::ToggleInterpolation));
    session.refresh();
    let between = session.document.pose().unwrap().surfaces[0].positions.clone();
    session.apply(Action::Clock(ClockAction::Seek(3.0)));
    session.refresh();
    assert_eq!(session.document.pose().unwrap().surfaces[0].positions, between);
}

#[test]
fn isolated_surface_is_alone_until_all_are_shown() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowOnly(0)));
    let visible = |session: &Session| session.entity().unwrap().visible.clone();
    assert!(visible(&session)[0] && visible(&session)[1..].iter().all(|visible| !visible));
    session.apply(Action::Scene(SceneAction::ShowAllSurfaces));
    assert!(visible(&session).iter().all(|visible| *visible));
}

#[test]
fn selecting_a_tag_shows_tags() {
    let mut session = showing(Format::Md3);
    assert!(!session.view.display.shows(OverlayKind::Tags));
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
    assert!(session.view.display.shows(OverlayKind::Tags));
}

#[test]
fn reload_keeps_camera_and_clip_position() {
    let mut session = showing(Format::Md5);
    session.apply(Action::Camera(CameraAction::Orbit(40.0, 5.0)));
    session.apply(Action::Clock(ClockAction::Seek(2.5)));
    let (camera, playback) = (session.view.camera.clone(), session.playback().clone());
    let entity = session.document.focus.unwrap();
    session.replace(vec![(entity, open_sample(Format::Md5).unwrap())]);
    assert_eq!((&session.view.camera, session.playback()), (&camera, &playback));
}

#[test]
fn failed_file_leaves_open_model_unchanged() {
    let mut session = showing(Format::Md3);
    let error = maquette_assets::open::open(&PathBuf::from("no/such/grunt.md3")).unwrap_err();
    session.fail(&error);
    assert!(session.asset().is_some());
    let failure = session.interface.failure.clone().unwrap();
    assert_eq!(failure.title, "Could not open grunt.md3");
    assert_eq!(failure.advice, "umber.md3 stays open");
    session.apply(Action::File(FileAction::CloseError));
    assert!(session.interface.failure.is_none());
}

#[test]
fn next_and_previous_model_wrap_around_the_list() {
    let mut session = showing(Format::Md3);
    session.model_list = ["a.md3", "b.md3", "c.md3"].map(PathBuf::from).into();
    session.requested_path = Some("c.md3".into());
    // The next model is the one after the requested model, even if that failed to open.
    let mut asked_for = |action| match session.apply(action) {
        Some(Effect::Load(job)) => job.path,
        other => panic!("{other:?}"),
    };
    assert_eq!(asked_for(Action::File(FileAction::NextModel)), PathBuf::from("a.md3"));
    assert_eq!(asked_for(Action::File(FileAction::NextModel)), PathBuf::from("b.md3"));
    assert_eq!(asked_for(Action::File(FileAction::PreviousModel)), PathBuf::from("a.md3"));
    // A model that is not listed has neighbours by name.
    for (action, wanted) in [(FileAction::NextModel, "c.md3"), (FileAction::PreviousModel, "b.md3")] {
        session.requested_path = Some("b_1.md3".into());
        assert!(
            matches!(session.apply(Action::File(action)), Some(Effect::Load(job)) if job.path == Path::new(wanted))
        );
    }
}

#[test]
fn standard_views_look_along_the_axes() {
    let mut session = showing(Format::Md3);
    for (view, axis) in
        [(StandardView::Front, glam::Vec3::X), (StandardView::Left, glam::Vec3::Y), (StandardView::Top, glam::Vec3::Z)]
    {
        session.apply(Action::Camera(CameraAction::LookFrom(view)));
        assert!(session.view.camera.towards_eye().distance(axis) < 1e-6, "{}", view.label());
    }
}

#[test]
fn zooming_keeps_point_under_cursor() {
    let mut session = showing(Format::Md3);
    let cursor = glam::Vec2::new(0.4, -0.3);
    let under = |session: &Session| {
        let (right, up) = session.view.camera.right_up();
        session.view.camera.target + (right * cursor.x + up * cursor.y) * session.view.camera.half_height()
    };
    let before = under(&session);
    session.apply(Action::Camera(CameraAction::Zoom(0.5, cursor)));
    assert!(under(&session).distance(before) < 1e-3);
}

#[test]
fn command_shortcuts_are_unique() {
    let mut keys: Vec<&str> =
        COMMANDS.iter().flat_map(|command| command.keys.split(' ')).filter(|key| !key.is_empty()).collect();
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert_eq!(keys.len(), all);
}

#[test]
fn session_at_rest_keeps_its_revisions() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.refresh();
    let revisions = [session.document.revision(), session.view.revision()];
    for _ in 0..3 {
        assert!(!session.advance(0.1));
        session.refresh();
    }
    assert_eq!([session.document.revision(), session.view.revision()], revisions);
}

#[test]
fn mutable_access_gives_a_new_revision() {
    let mut session = showing(Format::Md3);
    let revisions = [session.document.revision(), session.view.revision()];
    session.view.display.wireframe = Wireframe::Over;
    assert_eq!(session.document.revision(), revisions[0]);
    assert_ne!(session.view.revision(), revisions[1]);
    session.apply(Action::Clock(ClockAction::Seek(1.0)));
    assert_ne!(session.document.revision(), revisions[0]);
}
