//! Camera, light and picking without a window, compared with hand calculations.

use std::path::PathBuf;

use glam::{Affine3A, Vec2, Vec3};

use maquette_assets::open::open_sample;

use maquette_scene::scene::{
    BackfaceDisplay, Background, Camera, ColourTheme, Display, GameLight, OverlayKind, PickedAnchor, Projection,
    StandardView, Wireframe, pick, pick_handle,
};
use maquette_scene::session::{
    Action, CameraAction, DisplayAction, Effect, FileAction, SceneAction, Selection, Session, command_for,
};

use crate::support::loading::act;
use crate::support::staged::showing;
use maquette_testing::files::Md3;
use maquette_testing::shapes::square;

fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-4
}

#[test]
fn pick_hits_triangle_under_pointer() {
    let session = showing(&[square(Vec3::ZERO)]);
    // Right in the view is +Y, the model's left.
    let hit = session.pick(Vec2::new(0.05, 0.02)).unwrap();
    assert!(near(hit.point, Vec3::new(0.0, 0.5, 0.2)), "{}", hit.point);
    assert_eq!((hit.surface, hit.triangle), (0, 0), "the triangle at the top right");
    assert_eq!(session.pick(Vec2::new(-0.05, -0.02)).unwrap().triangle, 1);
    assert!(session.pick(Vec2::new(0.099, 0.099)).is_some());
    assert!(session.pick(Vec2::new(0.101, 0.0)).is_none());
    assert!(session.pick(Vec2::new(0.0, -0.101)).is_none());
}

#[test]
fn pick_hits_nearest_visible_surface() {
    let mut session = showing(&[square(Vec3::ZERO), square(Vec3::new(2.0, 0.0, 0.0))]);
    // At 8 units from the eye, half of the view is 8 units high.
    let hit = session.pick(Vec2::new(0.1, 0.0)).unwrap();
    assert!(hit.surface == 1 && near(hit.point, Vec3::new(2.0, 0.8, 0.0)));
    session.apply(Action::Scene(SceneAction::ShowSurface(1, false)));
    assert_eq!(session.pick(Vec2::ZERO).unwrap().surface, 0);
    let entity = session.document.scene.entities()[0].id;
    session.apply(Action::Scene(SceneAction::ShowEntity(entity, false)));
    assert!(session.pick(Vec2::ZERO).is_none(), "the part is hidden");
}

#[test]
fn pick_hits_backfaces_only_if_shown() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.view.camera.yaw = 180.0;
    assert!(session.pick(Vec2::ZERO).is_none());
    for sides in [BackfaceDisplay::Both, BackfaceDisplay::Tinted] {
        session.view.display.sides = sides;
        assert!(session.pick(Vec2::ZERO).is_some(), "{sides:?}");
    }
    session.view.display.sides = BackfaceDisplay::Front;
    session.view.display.wireframe = Wireframe::Alone;
    assert!(session.pick(Vec2::ZERO).is_some(), "edges alone have no sides");
}

#[test]
fn mirrored_part_is_picked_from_its_other_side() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.document.scene.entities_mut()[0].world_from_model = Affine3A::from_scale(Vec3::new(1.0, -1.0, 1.0));
    let meets = |session: &Session| {
        pick(&session.document.scene, &Display::default(), &session.view.camera.ray(Vec2::ZERO)).is_some()
    };
    assert!(!meets(&session));
    session.view.camera.yaw = 180.0;
    assert!(meets(&session));
}

#[test]
fn pick_respects_part_transform() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.document.scene.entities_mut()[0].world_from_model =
        Affine3A::from_translation(Vec3::new(0.0, 0.0, 5.0)) * Affine3A::from_scale(Vec3::splat(2.0));
    assert!(session.pick(Vec2::new(0.0, 0.29)).is_none(), "it begins 3 units up");
    let hit = session.pick(Vec2::new(0.0, 0.31)).unwrap();
    assert!(near(hit.point, Vec3::new(0.0, 0.0, 3.1)), "{}", hit.point);
}

#[test]
fn orthographic_pick_hits_surfaces_behind_the_eye() {
    let mut session = showing(&[square(Vec3::new(30.0, 0.0, 0.0))]);
    assert!(session.pick(Vec2::ZERO).is_none());
    session.view.camera.projection = Projection::Orthographic;
    let hit = session.pick(Vec2::new(0.05, 0.05)).unwrap();
    assert!(near(hit.point, Vec3::new(30.0, 0.5, 0.5)), "{}", hit.point);
}

/// Returns the tag or joint at a point of a view of 800 × 600 points.
fn handle(session: &Session, at: Vec2) -> Option<PickedAnchor> {
    let (scene, view) = (&session.document.scene, &session.view);
    pick_handle(scene, &view.display, &view.camera, at, Vec2::new(800.0, 600.0))
}

#[test]
fn visible_tag_is_picked_within_six_points() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.view.camera.target = Vec3::new(0.0, 0.0, 40.0);
    assert_eq!(handle(&session, Vec2::new(400.0, 300.0)), None, "they do not show");
    session.view.display.overlays.set(OverlayKind::Tags, true);
    let met = handle(&session, Vec2::new(404.0, 304.0)).unwrap();
    assert_eq!((met.selection, met.position), (Selection::Tag(0), Vec3::new(0.0, 0.0, 40.0)));
    assert_eq!(handle(&session, Vec2::new(405.0, 304.0)), None, "6.4 points away");
    let entity = session.document.scene.entities()[0].id;
    session.apply(Action::Scene(SceneAction::ShowEntity(entity, false)));
    assert_eq!(handle(&session, Vec2::new(400.0, 300.0)), None, "the part is hidden");
}

#[test]
fn joint_is_picked_at_dot_and_along_bones() {
    let mut session = Session::default();
    session.show(open_sample(maquette_core::model::Format::Md5).unwrap());
    let position = |session: &Session, joint: usize| {
        let entity = &session.document.scene.entities()[0];
        let position = entity.world_from_model.transform_point3(entity.pose.joints[joint].translation.into());
        session.view.camera.project(position, 800.0, 600.0).unwrap()
    };
    let joints = session.asset().unwrap().model.joints().to_vec();
    let dots: Vec<Vec2> = (0..joints.len()).map(|joint| position(&session, joint)).collect();
    assert_eq!(handle(&session, dots[1]), None, "they do not show");
    session.view.display.overlays.set(OverlayKind::Joints, true);
    let away = |at: Vec2, index: usize| dots[index].distance(at);
    for (index, joint) in joints.iter().enumerate() {
        // No other dot may be near.
        if (0..joints.len()).all(|other| other == index || away(dots[index], other) > 1.0) {
            assert_eq!(handle(&session, dots[index]).unwrap().selection, Selection::Joint(index), "{}", joint.name);
        }
    }
    // Take the longest bone in the view. A point at a third of it, one point to the side, picks the joint at its start.
    let bones = joints.iter().enumerate().filter_map(|(index, joint)| Some((joint.parent? as usize, index)));
    let (parent, child) = bones.max_by(|a, b| away(dots[a.0], a.1).total_cmp(&away(dots[b.0], b.1))).unwrap();
    let along = dots[child] - dots[parent];
    let near_bone = dots[parent] + along / 3.0 + along.perp().normalize();
    assert!((0..joints.len()).all(|joint| away(near_bone, joint) > 6.0), "no dot is near");
    assert_eq!(handle(&session, near_bone).unwrap().selection, Selection::Joint(parent));
}

#[test]
fn pick_selects_surface_or_clears_selection() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.apply(Action::Camera(CameraAction::PickAt(Vec2::ZERO)));
    assert_eq!(session.document.selection, Selection::Surface(0));
    session.apply(Action::Camera(CameraAction::PickAt(Vec2::new(0.9, 0.9))));
    assert_eq!(session.document.selection, Selection::None);
}

#[test]
fn centring_moves_target_and_focus_fits_selection() {
    let mut session = showing(&[square(Vec3::ZERO), square(Vec3::new(0.0, 8.0, 0.0))]);
    session.apply(Action::Camera(CameraAction::CentreOn(Vec2::new(0.05, 0.0))));
    assert!(near(session.view.camera.target, Vec3::new(0.0, 0.5, 0.0)) && session.view.camera.distance == 10.0);
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(1))));
    session.apply(Action::Camera(CameraAction::FocusSelection));
    assert!(near(session.view.camera.target, Vec3::new(0.0, 8.0, 0.0)));
    // A half height of 1 fills 84 % of the view.
    assert!((session.view.camera.half_height() - 1.0 / 0.84).abs() < 1e-3, "{}", session.view.camera.half_height());
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
    session.apply(Action::Camera(CameraAction::FocusSelection));
    assert!((session.view.camera.target - Vec3::new(0.0, 0.0, 40.0)).length() < 0.5, "{}", session.view.camera.target);
    // A click on the background frames the whole model: y from −1 to 9.
    session.apply(Action::Camera(CameraAction::CentreOn(Vec2::new(0.9, 0.9))));
    assert!((session.view.camera.target.y - 4.0).abs() < 1e-3, "{}", session.view.camera.target);
}

#[test]
fn camera_eases_to_views_the_shorter_way() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.view.moves.eased = true;
    session.view.camera.yaw = -170.0;
    session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Back)));
    assert!(session.view.camera.yaw == -170.0 && session.is_moving() && session.view.goal().yaw == 180.0);
    // Half of the time covers 1 − ½³ of the transition: 8.75 of 10 degrees.
    assert!(session.advance(0.1));
    assert!((session.view.camera.yaw - -178.75).abs() < 1e-3, "{}", session.view.camera.yaw);
    session.advance(0.1);
    assert!(session.view.camera.yaw == 180.0 && !session.is_moving());
    assert!(!session.advance(0.1));
}

#[test]
fn framing_keeps_eased_view_until_drag_stops_it() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.view.moves.eased = true;
    session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Top)));
    session.advance(0.1);
    session.apply(Action::Camera(CameraAction::FrameModel));
    session.advance(1.0);
    assert_eq!(session.view.camera.pitch, 90.0, "framing keeps the top view");
    session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Front)));
    session.advance(0.1);
    let pitch = session.view.camera.pitch;
    session.apply(Action::Camera(CameraAction::Orbit(5.0, 0.0)));
    assert!(!session.is_moving() && (session.view.camera.pitch - pitch).abs() < 1e-4);
}

#[test]
fn views_apply_at_once_without_easing() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Left)));
    assert!(session.view.camera.yaw == 90.0 && !session.is_moving());
}

#[test]
fn views_are_copied_pasted_and_saved_by_name() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    let camera = |action: CameraAction| Action::Camera(action);
    session.apply(camera(CameraAction::Orbit(20.0, 15.0)));
    let Some(Effect::CopyText(text)) = session.apply(camera(CameraAction::CopyView)) else { panic!("no text") };
    let before = session.view.camera.clone();
    session.apply(camera(CameraAction::SaveView(" hands ".to_owned())));
    assert_eq!(session.preferences.views["hands"], text);
    assert_eq!(session.interface.notes.last().unwrap().text, "Saved view “hands”");
    assert!(text.contains("; studio light=0,0 brightness=1; even "), "camera, then lights: {text}");
    session.apply(camera(CameraAction::LookFrom(StandardView::Back)));
    session.apply(camera(CameraAction::LookAs(text)));
    assert!(near(session.view.camera.eye(), before.eye()) || session.view.camera.eye().distance(before.eye()) < 0.01);
    // Invalid text changes nothing and causes a notification.
    session.apply(camera(CameraAction::LookAs("C:/games".to_owned())));
    assert!(session.view.camera.eye().distance(before.eye()) < 0.01);
    assert_eq!(session.interface.notes.last().map(|note| note.text.as_str()), Some("The clipboard holds no view"));
    let parallel = "origin=5,0,0 forward=0,0,1 up=0,0,1".to_owned();
    session.preferences.views.insert("edited".to_owned(), parallel.clone());
    session.apply(camera(CameraAction::LookAs(parallel)));
    assert_eq!(session.interface.notes.last().map(|note| note.text.as_str()), Some("The saved view is invalid"));
    session.apply(camera(CameraAction::RemoveView("edited".to_owned())));
    session.apply(camera(CameraAction::RemoveView("hands".to_owned())));
    assert!(session.preferences.views.is_empty());
}

#[test]
fn copied_view_keeps_studio_light_relative_to_camera() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    let light = |session: &Session| session.view.display.light;
    session.apply(Action::Display(DisplayAction::TurnLight(30.0, -10.0)));
    session.apply(Action::Display(DisplayAction::SetBrightness(1.5)));
    session.apply(Action::Display(DisplayAction::AutomaticBrightness(false)));
    session.apply(Action::Display(DisplayAction::LightFollows(false)));
    // The camera turns away from the light.
    session.apply(Action::Camera(CameraAction::Orbit(20.0, 0.0)));
    let (seen, yaw) = (light(&session).yaw(0.0) - session.view.camera.yaw, session.view.camera.yaw);
    let Some(Effect::CopyText(text)) = session.apply(Action::Camera(CameraAction::CopyView)) else { panic!("no text") };
    let studio = format!("; studio light={},-10 brightness=1.5 fixed; ", (seen * 100.0).round() / 100.0);
    assert!(text.contains(&studio), "{text}, not {studio}");
    session.apply(Action::Display(DisplayAction::ResetLight));
    session.apply(Action::Display(DisplayAction::LightFollows(true)));
    session.apply(Action::Camera(CameraAction::LookAs(text)));
    let (light, turned) = (light(&session), light(&session).yaw(yaw) - yaw);
    assert!(light.follows_camera && (turned - seen).abs() < 0.02, "{turned}, not {seen}");
    assert_eq!((light.elevation, light.brightness, light.is_automatic), (-10.0, 1.5, false));
    // A view without a studio light, or with an invalid one, leaves the light.
    for text in ["origin=9,0,0 forward=-1,0,0", "origin=9,0,0 forward=-1,0,0; studio light=9"] {
        session.apply(Action::Camera(CameraAction::LookAs(text.to_owned())));
        assert_eq!(session.view.display.light.brightness, 1.5);
    }
    let why = session.interface.notes.last().map(|note| note.detail.as_str());
    assert_eq!(why, Some("light: expected two numbers, as in light=30,-10"));
}

#[test]
fn models_open_with_the_view_of_their_folder() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, Md3::typical().build()).unwrap();
        path
    };
    let (own, below, outside) = (write("mod/a.md3"), write("mod/more/b.md3"), write("c.md3"));
    let mut session = Session::default();
    let first_yaw = |session: &mut Session, path: &PathBuf| {
        act(session, Action::File(FileAction::Open(vec![path.clone()])));
        session.view.goal().yaw
    };
    let usual = first_yaw(&mut session, &own);
    session.apply(Action::Camera(CameraAction::LookFrom(StandardView::Back)));
    session.apply(Action::Camera(CameraAction::ToggleFolderView));
    let back = StandardView::Back.angles().0;
    assert_eq!([&below, &own, &outside].map(|path| first_yaw(&mut session, path)), [back, back, usual]);
    // In a subfolder, the command resets the view of the parent folder.
    first_yaw(&mut session, &below);
    session.apply(Action::Camera(CameraAction::ToggleFolderView));
    assert_eq!(first_yaw(&mut session, &own), usual);
}

/// ioquake3 `tr_mesh.c` (`R_ComputeLOD`): of two LODs, the coarser one is drawn when the sphere around the frame's box
/// is a tenth as high as the view.
#[test]
fn lod_distance_shows_the_lod_as_small_as_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md3");
    std::fs::write(&path, Md3::typical().build()).unwrap();
    std::fs::write(folder.path().join("a_1.md3"), Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    let go = Action::Camera(CameraAction::ViewFromLodDistance);
    let command = command_for(&go).unwrap();
    assert_eq!(command.why_not(&session).as_deref(), Some("Show a coarser LOD first"));
    session.apply(Action::Scene(SceneAction::SetLod(1)));
    assert!(command.is_enabled(&session));
    // A transition that has not ended does not matter.
    session.apply(Action::Camera(CameraAction::ResetView));
    session.apply(go.clone());
    session.apply(go);
    // The corner (1, 2, 3) of the box is the square root of 14 away from the origin.
    assert!((session.view.goal().half_height() / 14_f32.sqrt() - 10.0).abs() < 1e-3);
}

#[test]
fn turntable_rotates_until_user_orbits() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.apply(Action::Camera(CameraAction::SetTurnPeriod(12.0)));
    session.apply(Action::Camera(CameraAction::ToggleTurntable));
    assert!(session.is_moving());
    session.advance(1.0);
    assert!((session.view.camera.yaw - 30.0).abs() < 1e-3);
    session.apply(Action::Camera(CameraAction::Zoom(0.5, Vec2::ZERO)));
    assert!(session.is_moving(), "one may come nearer meanwhile");
    session.apply(Action::Camera(CameraAction::Orbit(1.0, 0.0)));
    assert!(!session.is_moving());
    let mut empty = Session::default();
    empty.apply(Action::Camera(CameraAction::ToggleTurntable));
    assert!(!empty.is_moving(), "there is nothing to go round");
}

#[test]
fn field_of_view_change_keeps_model_size() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.apply(Action::Camera(CameraAction::SetFieldOfView(30.0)));
    // 10 · tan 45° / tan 15°.
    assert!((session.view.camera.distance - 37.3205).abs() < 1e-3, "{}", session.view.camera.distance);
    session.apply(Action::Camera(CameraAction::SetFieldOfView(500.0)));
    assert!((session.view.camera.distance - 10.0).abs() < 1e-3, "90 degrees at most");
    session.apply(Action::Camera(CameraAction::SetFieldOfView(f32::NAN)));
    assert!(session.view.camera.distance.is_finite());
}

#[test]
fn rolled_camera_orbits_along_its_own_axes() {
    let mut camera = Camera { yaw: 0.0, pitch: 0.0, roll: 90.0, ..Camera::default() };
    camera.orbit(-4.0, 0.0);
    assert!((camera.pitch - 4.0).abs() < 1e-4 && camera.yaw.abs() < 1e-4, "{camera:?}");
    // At the pole, a sideways drag rotates the view without a jump.
    let mut top = Camera::default();
    top.look_from(StandardView::Top);
    let before = top.right_up().1;
    top.orbit(1.0, 0.0);
    assert!(top.right_up().1.angle_between(before).to_degrees() < 1.2);
    assert_eq!(top.roll, 0.0);
}

#[test]
fn light_follows_camera_or_world_without_jumps() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    session.view.camera.yaw = 35.0;
    session.apply(Action::Display(DisplayAction::TurnLight(20.0, 10.0)));
    let light = |session: &Session| session.view.display.light.yaw(session.view.camera.yaw);
    assert_eq!(light(&session), 55.0);
    session.apply(Action::Display(DisplayAction::LightFollows(false)));
    assert_eq!(light(&session), 55.0);
    session.apply(Action::Camera(CameraAction::Orbit(50.0, 0.0)));
    assert_eq!(light(&session), 55.0, "it stays in the world");
    session.apply(Action::Display(DisplayAction::LightFollows(true)));
    assert_eq!(light(&session), 55.0);
    session.apply(Action::Camera(CameraAction::Orbit(50.0, 0.0)));
    assert_eq!(light(&session), 105.0, "it turns with the camera");
    session.apply(Action::Display(DisplayAction::TurnLight(0.0, 500.0)));
    assert_eq!(session.view.display.light.elevation, 40.0, "48 + 40 = 88 degrees is the highest");
    session.apply(Action::Display(DisplayAction::ResetLight));
    assert!(session.view.display.light.is_home() && light(&session) == session.view.camera.yaw);
}

#[test]
fn added_light_moves_and_is_saved_with_the_view() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    let display = |action| Action::Display(action);
    let position = |session: &Session| session.view.display.game_lights.last().unwrap().position();
    session.apply(Action::Camera(CameraAction::SaveView("day".to_owned())));
    session.apply(display(DisplayAction::AddPointLight));
    // The light replaces the one from far away, and is nearer to the eye than the model, above and to the right.
    let added = position(&session).unwrap();
    assert!(session.view.display.game_lights.len() == 2 && added.min_element() > 0.0, "{added}");
    for to in [Vec3::new(1.0, 2.0, 3.0), Vec3::NAN] {
        let mut light = session.view.display.game_lights[1].clone();
        light.move_to(to);
        session.apply(display(DisplayAction::SetGameLight(1, light)));
    }
    let note = session.interface.notes.last().map(|note| (note.text.as_str(), note.detail.as_str()));
    assert_eq!(note, Some(("Light not changed", "origin: expected three numbers, as in origin=1,0,0")));
    session.apply(Action::Camera(CameraAction::SaveView("lit".to_owned())));
    let saved = session.preferences.views["lit"].clone();
    let Some(Effect::CopyText(copied)) = session.apply(Action::Camera(CameraAction::CopyView)) else {
        panic!("no text")
    };
    assert_eq!(copied, saved);
    session.apply(display(DisplayAction::ResetLight));
    assert_eq!(position(&session), None);
    session.apply(Action::Camera(CameraAction::LookAs(saved)));
    assert_eq!(position(&session), Some(Vec3::new(1.0, 2.0, 3.0)));
    assert!(session.preferences.clone().within_limits().views.contains_key("lit"));
    // A text that is not a view changes no lights, nor does a camera without lights.
    for text in ["nonsense; ambient", "origin=9,0,0 forward=-1,0,0"] {
        session.apply(Action::Camera(CameraAction::LookAs(text.to_owned())));
        assert_eq!(position(&session), Some(Vec3::new(1.0, 2.0, 3.0)), "{text}");
    }
    // Invalid lights cause a notification, but the camera is used.
    assert!(session.interface.notes.last().is_none_or(|note| note.text == "The clipboard holds no view"));
    session.apply(Action::Camera(CameraAction::LookAs("origin=5,0,0 forward=-1,0,0; spot".to_owned())));
    assert!(near(session.view.goal().eye(), Vec3::new(5.0, 0.0, 0.0)));
    assert_eq!(position(&session), Some(Vec3::new(1.0, 2.0, 3.0)));
    let note = session.interface.notes.last().map(|note| (note.text.as_str(), note.detail.as_str()));
    let why = "expected ambient, even, parallel, point, projected or none, not “spot”";
    assert_eq!(note, Some(("The lights of the view are invalid; they were skipped", why)));
    let saved = session.preferences.views["day"].clone();
    session.apply(Action::Camera(CameraAction::LookAs(saved)));
    assert_eq!(session.view.display.game_lights, GameLight::usual());
}

#[test]
fn removal_of_last_point_light_restores_usual_lights() {
    let mut session = showing(&[square(Vec3::ZERO)]);
    let kinds = |session: &Session| -> Vec<bool> {
        session.view.display.game_lights.iter().map(|light| light.position().is_some()).collect()
    };
    for (action, expected) in [
        (DisplayAction::AddPointLight, &[false, true][..]),
        (DisplayAction::AddPointLight, &[false, true, true]),
        (DisplayAction::RemoveGameLight(3), &[false, true, true]),
        (DisplayAction::RemoveGameLight(1), &[false, true]),
        (DisplayAction::RemoveGameLight(1), &[false, false]),
    ] {
        session.apply(Action::Display(action.clone()));
        assert_eq!(kinds(&session), expected, "{action:?}");
    }
    assert_eq!(session.view.display.game_lights, GameLight::usual());
}

#[test]
fn line_theme_follows_background_brightness() {
    let mut display = Display { theme: ColourTheme::Dark, ..Display::default() };
    assert_eq!(display.line_theme(), ColourTheme::Dark);
    display.background = Background::Colour([255; 3]);
    assert_eq!(display.line_theme(), ColourTheme::Light);
    display.background = Background::Colour([0, 0, 255]);
    assert_eq!(display.line_theme(), ColourTheme::Dark, "pure blue is dark");
}

#[test]
fn extremes_are_outermost_points_per_direction() {
    let mut outermost = maquette_core::model::Extremes::default();
    assert_eq!(outermost.points().count(), 0);
    // The corners of a cube are extreme in every direction; interior and non-finite points are not.
    let corners = maquette_core::model::Bounds { min: Vec3::splat(-2.0), max: Vec3::new(3.0, 4.0, 5.0) }.corners();
    let non_finite = [Vec3::NAN, Vec3::new(f32::INFINITY, 0.0, 0.0)];
    let within = [Vec3::ZERO, Vec3::new(2.0, -1.0, 4.0)];
    corners.iter().chain(&non_finite).chain(&within).for_each(|point| outermost.add(*point));
    let found: Vec<Vec3> = outermost.points().collect();
    assert_eq!(found.len(), 26);
    assert!(found.iter().all(|point| corners.contains(point)));
    assert!(corners.iter().all(|corner| found.contains(corner)));
}
