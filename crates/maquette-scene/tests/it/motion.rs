//! Motion tracks: positions, summaries, and curves in the window.

use glam::{Affine3A, Mat3A, Vec3};
use maquette_assets::open::open_sample;
use maquette_core::inspect::{Point, Summary, Track};
use maquette_core::model::Format;
use maquette_scene::scene::{Scene, TRACK_COLOURS, Tracks};
use maquette_scene::session::{Action, ClockAction, SceneAction, Selection, Session};

/// Returns a track with these positions.
fn through(places: &[[f32; 3]]) -> Track {
    Track { positions: places.iter().map(|place| Vec3::from_array(*place)).collect(), angles: Vec::new() }
}

#[test]
fn track_summary_has_length_reach_speed_and_slide() {
    // The point moves up by 10, returns, and slides 3 sideways on the ground.
    let track = through(&[[0.0, 0.0, 0.0], [0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [3.0, 0.0, 0.0]]);
    let summary = track.summary(0, 4, 15.0);
    assert_eq!((summary.length, summary.fastest, summary.sliding), (23.0, 150.0, 3.0));
    assert_eq!((summary.furthest.frame, summary.furthest.distance), (1, 10.0));
    assert_eq!((summary.largest_step.frame, summary.largest_step.distance), (1, 10.0));
    assert_eq!((summary.largest_slide.frame, summary.largest_slide.distance), (3, 3.0));
    // Only the last two frames. Frame numbers still count from the model's first frame.
    let summary = track.summary(2, 4, 10.0);
    assert_eq!((summary.furthest.frame, summary.fastest), (3, 30.0));
    assert_eq!(track.summary(3, 4, 10.0), Summary::default());
    assert_eq!(track.summary(9, 12, 10.0), Summary::default());
    assert_eq!(through(&[]).summary(0, 0, 10.0), Summary::default());
}

#[test]
fn track_positions_match_poses() {
    for format in [Format::Md3, Format::Md5, Format::Mdr] {
        let mut session = Session::default();
        session.show(open_sample(format).unwrap());
        let model = session.entity().unwrap().asset.model.clone();
        let (point, selection) = match format {
            Format::Md5 => (Point::Joint(4), Selection::Joint(4)),
            _ => (Point::Tag(1), Selection::Tag(1)),
        };
        let track = Track::compute(&model, point).unwrap();
        let vertex = Track::compute(&model, Point::Vertex { surface: 2, vertex: 7 }).unwrap();
        assert_eq!((track.positions.len(), track.angles.len()), (model.frames().len(), model.frames().len()));
        assert_eq!((vertex.positions.len(), vertex.angles.len()), (model.frames().len(), 0));
        session.apply(Action::Scene(SceneAction::Select(selection)));
        let frame = 4.0;
        session.apply(Action::Clock(ClockAction::Seek(frame)));
        session.refresh();
        let entity = session.entity().unwrap();
        let own = entity.nearest_frame();
        let shown: Affine3A = if format == Format::Md5 { entity.pose.joints[4] } else { entity.pose.tags[1] };
        assert!(track.positions[own].abs_diff_eq(shown.translation.into(), 1e-4), "{format:?}");
        assert!(vertex.positions[own].abs_diff_eq(entity.pose.surfaces[2].positions[7], 1e-4), "{format:?}");
    }
    let model = open_sample(Format::Md3).unwrap().model;
    assert_eq!(Track::compute(&model, Point::Tag(99)), None);
    assert_eq!(Track::compute(&model, Point::Joint(0)), None);
    assert_eq!(Track::compute(&model, Point::Vertex { surface: 0, vertex: 1 << 20 }), None);
}

#[test]
fn furthest_frame_command_seeks_it() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(1))));
    let entity = session.entity().unwrap();
    let (model, clip) = (entity.asset.model.clone(), entity.clip());
    let positions = &Track::compute(&model, Point::Tag(1)).unwrap().positions;
    let own = &positions[clip.first as usize..clip.end() as usize];
    let away = |index: &usize| own[*index].distance(own[0]);
    let furthest = (0..own.len()).max_by(|a, b| away(a).total_cmp(&away(b)).then(b.cmp(a))).unwrap();
    assert!(furthest > 0, "it moves in this clip");
    session.apply(Action::Clock(ClockAction::FurthestFrame));
    session.refresh();
    assert_eq!(session.entity().unwrap().nearest_frame(), clip.first as usize + furthest);
    assert!(!session.is_playing());
    // A whole surface has no position, so nothing changes.
    session.apply(Action::Clock(ClockAction::Seek(2.0)));
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    session.apply(Action::Clock(ClockAction::FurthestFrame));
    session.refresh();
    assert_eq!(session.entity().unwrap().nearest_frame(), 2);
}

#[test]
fn track_angles_continue_past_half_a_turn() {
    // A tag that rotates by 60 degrees per frame: 0, 60 … 300, always forward.
    let frames = 6;
    let tags: Vec<_> = (0..frames)
        .map(|frame| {
            let axes = Mat3A::from_rotation_z((60.0 * frame as f32).to_radians());
            maquette_core::model::TagFrame {
                origin: Vec3::ZERO,
                axes: [axes.x_axis.into(), axes.y_axis.into(), axes.z_axis.into()],
            }
        })
        .collect();
    let model = maquette_core::model::Model::new(maquette_core::model::ModelParts {
        format: Format::Md3,
        version: Some(15),
        name: String::new(),
        surfaces: vec![],
        frames: vec![maquette_core::model::FrameInfo::default(); frames],
        tags: vec!["tag_wheel".to_owned()],
        clips: vec![],
        alternative_clips: vec![],
        skins: vec![],
        motion: maquette_core::model::Motion::Morph(maquette_core::model::MorphMotion {
            surfaces: vec![],
            tags: maquette_core::model::TagTrack::Axes(tags),
        }),
        data: Default::default(),
        details: Vec::new(),
    })
    .unwrap();
    let track = Track::compute(&model, Point::Tag(0)).unwrap();
    let yaws: Vec<f32> = track.angles.iter().map(|angles| angles.y.round()).collect();
    assert_eq!(yaws, [0.0, 60.0, 120.0, 180.0, 240.0, 300.0]);
}

#[test]
fn pinned_points_are_tracked_with_the_selection() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    let focus = session.document.focus.unwrap();
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
    session.apply(Action::Scene(SceneAction::PinSelection));
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(1))));
    let mut tracks = Tracks::default();
    let mut followed = |scene: &Scene, selection, pinned: &[_]| {
        let all = tracks.followed(scene, selection, pinned);
        all.iter().map(|one| (one.selection, one.colour)).collect::<Vec<_>>()
    };
    let chosen = |session: &Session| Some((focus, session.document.selection));
    let all = followed(&session.document.scene, chosen(&session), &session.document.pinned);
    assert_eq!(all, [(Selection::Tag(1), TRACK_COLOURS[0]), (Selection::Tag(0), TRACK_COLOURS[1])]);
    // Surfaces have no track; pinned points stay.
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    let all = followed(&session.document.scene, chosen(&session), &session.document.pinned);
    assert_eq!(all, [(Selection::Tag(0), TRACK_COLOURS[1])]);
    session.apply(Action::Scene(SceneAction::Unpin(0)));
    assert!(session.document.pinned.is_empty());
    session.apply(Action::Scene(SceneAction::PinSelection));
    assert!(session.document.pinned.is_empty(), "a surface cannot be pinned");
}
