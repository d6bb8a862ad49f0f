//! Comparing a part of a character with another model: framing, hidden parts, and rows.

use egui::accesskit::{Role, Toggled};
use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Opener, Role as Part};
use maquette_core::model::Format;
use maquette_scene::scene::{ClipChoice, Entity, EntityId, Shading};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, CompareMode, DockTab, FileAction, FilePrompt, SceneAction, Selection, Session,
    WindowAction,
};

use crate::support::loading::act;
use crate::support::panels::{Bench, bench, click, session, taken};
use maquette_testing::files::Md3;
use maquette_testing::player;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

/// Compares the player's head with a copy whose first vertex is 10 units further away.
fn compared(folder: &std::path::Path) -> (Session, EntityId, EntityId) {
    player::write(folder);
    let model_folder = folder.join("models/players/box");
    let mut bytes = std::fs::read(model_folder.join("head.md3")).unwrap();
    // The header has 108 bytes, and one frame has 56. The vertices are at 108 + 12 + 68 + 24 of the surface.
    let at = 164 + 108 + 12 + 68 + 24;
    bytes[at..at + 2].copy_from_slice(&640_i16.to_le_bytes());
    // Change the box of the frame, too.
    bytes[108..112].copy_from_slice(&(-50.5_f32).to_le_bytes());
    std::fs::write(model_folder.join("head_other.md3"), &bytes).unwrap();
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&model_folder.join("lower.md3")).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    let head = session.document.scene.with_role(Part::Head).unwrap().id;
    session.apply(Action::Scene(SceneAction::SelectIn(head, Selection::None)));
    act(&mut session, Action::File(FileAction::Compare(model_folder.join("head_other.md3"))));
    let comparison = session.document.comparison.as_ref().unwrap();
    let (a, b) = (comparison.a, comparison.b);
    assert_eq!(a, head);
    (session, a, b)
}

fn shown(session: &Session) -> Vec<EntityId> {
    let scene = &session.document.scene;
    scene.entities().iter().filter(|entity| scene.shows(entity)).map(|entity| entity.id).collect()
}

#[test]
fn comparison_hides_other_parts_until_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, a, b) = compared(folder.path());
    assert_eq!(shown(&session), [a, b]);
    // Both models are completely in view.
    let viewport = (800.0, 600.0);
    session.view.aspect = 800.0 / 600.0;
    for id in [a, b] {
        for corner in session.document.scene.entity(id).unwrap().bounds().corners() {
            let at = session.view.camera.project(corner, viewport.0, viewport.1).unwrap();
            assert!((0.0..=viewport.0).contains(&at.x) && (0.0..=viewport.1).contains(&at.y), "{at}");
        }
    }
    session.apply(Action::File(FileAction::StopComparing));
    let all: Vec<EntityId> = session.document.scene.entities().iter().filter(|it| !it.hidden).map(|it| it.id).collect();
    assert_eq!(shown(&session), all);
    assert!(all.len() >= 3);
}

/// Clips of MD5 files are in the order of their files, so equal clips may begin at different frames.
#[test]
fn compared_md5_shows_the_frames_of_the_clip_with_the_same_name() {
    let folder = tempfile::tempdir().unwrap();
    for (name, clips) in [("a", &["run", "walk"][..]), ("b", &["aim", "run", "walk"])] {
        let own = folder.path().join(name);
        std::fs::create_dir(&own).unwrap();
        std::fs::write(own.join("body.md5mesh"), MD5_MESH).unwrap();
        clips.iter().for_each(|clip| std::fs::write(own.join(format!("{clip}.md5anim")), MD5_ANIM).unwrap());
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().join("a/body.md5mesh")])));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    act(&mut session, Action::File(FileAction::Compare(folder.path().join("b/body.md5mesh"))));
    let comparison = session.document.comparison.as_ref().unwrap();
    let (a, b) = (comparison.a, comparison.b);
    let shown = |session: &Session, id| {
        let entity = session.document.scene.entity(id).unwrap();
        let clips = entity.model().clips().iter();
        clips.filter(|clip| clip.contains(entity.pose.frame)).map(|clip| clip.name.clone()).collect::<Vec<_>>()
    };
    for name in ["run", "walk", "run"] {
        let clips = session.document.scene.entity(a).unwrap().model().clips();
        let index = clips.iter().position(|clip| clip.name == name).unwrap();
        session.apply(Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(index))));
        session.refresh();
        assert_eq!((shown(&session, a), shown(&session, b)), (vec![name.to_owned()], vec![name.to_owned()]));
        // Another clip that is read again moves the others.
        std::fs::write(folder.path().join("a/aaa.md5anim"), MD5_ANIM).unwrap();
        act(&mut session, Action::File(FileAction::Reload));
    }
}

#[test]
fn numbers_of_differences_add_up_to_their_rows() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    let model_folder = folder.path().join("models/players/box");
    let mut bytes = std::fs::read(model_folder.join("head.md3")).unwrap();
    // The bounds of the first frame begin at 108: X and Y of the lower corner.
    bytes[108..112].copy_from_slice(&(-50.5_f32).to_le_bytes());
    bytes[112..116].copy_from_slice(&(-60.5_f32).to_le_bytes());
    std::fs::write(model_folder.join("head_two.md3"), &bytes).unwrap();
    act(&mut session, Action::File(FileAction::Compare(model_folder.join("head_two.md3"))));
    session.interface.panels.dock = Some(DockTab::Compare);
    let harness = bench(session, vec2(1280.0, 800.0));
    let labels = |start: &str| harness.query_all_by_label_contains(start).count();
    assert_eq!((labels("2 differences, compared exactly"), labels("Differing: 2 header fields")), (1, 1));
}

#[test]
fn equal_height_scales_second_model_to_first() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, a, _) = compared(folder.path());
    let model_folder = folder.path().join("models/players/box");
    let mut bytes = std::fs::read(model_folder.join("head.md3")).unwrap();
    // The surface follows the header and one frame. It has its number of vertices at 80, and their offset at 100.
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let (count, first) = (number(&bytes, 164 + 80), 164 + number(&bytes, 164 + 100));
    for at in (0..count).flat_map(|vertex| (0..3).map(move |axis| first + vertex * 8 + axis * 2)) {
        let stored = i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        bytes[at..at + 2].copy_from_slice(&(stored * 2).to_le_bytes());
    }
    std::fs::write(model_folder.join("head_large.md3"), &bytes).unwrap();
    act(&mut session, Action::File(FileAction::Compare(model_folder.join("head_large.md3"))));
    let b = session.document.comparison.as_ref().unwrap().b;
    let heights = |session: &Session| {
        [a, b].map(|id| session.document.scene.entity(id).unwrap().bounds()).map(|bounds| [bounds.min.z, bounds.max.z])
    };
    let [first, second] = heights(&session);
    assert!((second[1] - second[0] - 2.0 * (first[1] - first[0])).abs() < 0.05, "{first:?} {second:?}");
    session.apply(Action::File(FileAction::EqualHeight(true)));
    let [first, second] = heights(&session);
    assert!((0..2).all(|end| (first[end] - second[end]).abs() < 0.05), "{first:?} {second:?}");
    session.apply(Action::File(FileAction::EqualHeight(false)));
    let [first, second] = heights(&session);
    assert!((second[1] - second[0] - 2.0 * (first[1] - first[0])).abs() < 0.05, "{first:?} {second:?}");
}

#[test]
fn motion_tracks_the_nearest_vertex_of_a_coarser_model() {
    let folder = tempfile::tempdir().unwrap();
    let [fine, coarse] = [("fine.md3", 40), ("coarse.md3", 15)].map(|(name, vertices)| {
        let path = folder.path().join(name);
        std::fs::write(&path, Md3::grid(vertices, 20).build()).unwrap();
        path
    });
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&fine).unwrap());
    act(&mut session, Action::File(FileAction::Compare(coarse)));
    let comparison = session.document.comparison.as_ref().unwrap();
    let (a, b) = (comparison.a, comparison.b);
    let position = |session: &Session, id, vertex: usize| {
        session.document.scene.entity(id).unwrap().pose.surfaces[0].positions[vertex]
    };
    let count = session.document.scene.entity(a).unwrap().model().surfaces()[0].vertex_count();
    for vertex in [0, count / 2, count - 1] {
        session.apply(Action::Scene(SceneAction::SelectIn(a, Selection::Vertex { surface: 0, vertex })));
        let points = session.document.tracked_points();
        let [(id, Selection::Vertex { surface: 0, vertex: other })] = points[..] else { panic!("{points:?}") };
        assert_eq!(id, b);
        let of_b = session.document.scene.entity(b).unwrap().pose.surfaces[0].positions.len();
        let from = position(&session, a, vertex);
        let nearest = (0..of_b).map(|one| from.distance(position(&session, b, one))).fold(f32::MAX, f32::min);
        assert_eq!(from.distance(position(&session, b, other)), nearest, "{vertex}");
    }
}

#[test]
fn motion_tracks_counterpart_of_selected_tag() {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let lower = folder.path().join("models/players/box/lower.md3");
    let other = lower.with_file_name("lower_other.md3");
    std::fs::copy(&lower, &other).unwrap();
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    let legs = session.document.scene.with_role(Part::Legs).unwrap().id;
    session.apply(Action::Scene(SceneAction::SelectIn(legs, Selection::Tag(0))));
    assert_eq!(session.document.tracked_points(), []);
    act(&mut session, Action::File(FileAction::Compare(other)));
    let comparison = session.document.comparison.as_ref().unwrap();
    let (a, b) = (comparison.a, comparison.b);
    session.apply(Action::Scene(SceneAction::SelectIn(a, Selection::Tag(0))));
    assert_eq!(session.document.tracked_points(), [(b, Selection::Tag(0))]);
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Motion)));
    // The list scrolls to the current clip.
    let clip = session.document.scene.entity(a).unwrap().clip().name;
    let mut harness = bench(session, vec2(1600.0, 1000.0));
    taken(&mut harness);
    for letter in ["A", "B"] {
        let name = format!("{letter} · {clip}: ");
        assert_eq!(harness.query_all_by_label_contains(&name).count(), 1, "{letter}");
    }
}

#[test]
fn ended_comparison_restores_every_playback() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    let clocks = |session: &Session| {
        let parts = session.document.scene.entities().iter();
        let of = |entity: &Entity| (entity.id, entity.playback.choice, entity.playback.position.to_bits());
        parts.map(of).collect::<Vec<_>>()
    };
    let parts = session.document.scene.entities().iter().filter(|entity| entity.has_track());
    let torso = parts.map(|entity| entity.id).next_back().unwrap();
    let before: Vec<_> = clocks(&session);
    session.apply(Action::Clock(ClockAction::GoTo(torso, Some(ClipChoice::AllFrames), 1.0)));
    assert_ne!(clocks(&session), before);
    session.apply(Action::File(FileAction::StopComparing));
    let left: Vec<_> = before.into_iter().filter(|(id, ..)| session.document.scene.entity(*id).is_some()).collect();
    assert_eq!(clocks(&session), left);
}

#[test]
fn ended_comparison_clears_element_selection() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, a, _) = compared(folder.path());
    session.apply(Action::Scene(SceneAction::SelectIn(a, Selection::Vertex { surface: 0, vertex: 0 })));
    session.apply(Action::File(FileAction::StopComparing));
    assert_eq!((session.document.focus, session.document.selection), (Some(a), Selection::None));
}

#[test]
fn opening_character_ends_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    let lower = folder.path().join("models/players/box/lower.md3");
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    assert!(session.document.comparison.is_none());
    assert_eq!(session.view.display.shading, Shading::Textured);
    session.apply(Action::Scene(SceneAction::SelectCharacter));
    assert!(session.document.selects_character());
}

#[test]
fn compare_modes_leave_camera_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, a, b) = compared(folder.path());
    session.apply(Action::Camera(CameraAction::Orbit(0.4, 0.2)));
    let camera = session.view.camera.clone();
    let transform = |session: &Session, id| session.document.scene.entity(id).unwrap().world_from_model;
    let first = transform(&session, a);
    for mode in [CompareMode::First, CompareMode::Second, CompareMode::Overlay, CompareMode::SideBySide] {
        session.apply(Action::File(FileAction::ShowCompared(mode)));
        session.refresh();
        assert_eq!(session.view.camera, camera, "{mode:?}");
        assert_eq!(transform(&session, a), first, "{mode:?}");
        let apart = transform(&session, b).translation - first.translation;
        assert_eq!(apart.length() > 1.0, mode == CompareMode::SideBySide, "{mode:?}: {apart}");
        assert_eq!(apart.z, 0.0);
    }
    // Seen from the side, the models would hide each other, so they are placed next to each other in the view.
    session.view.camera.yaw = 0.0;
    session.apply(Action::File(FileAction::ShowCompared(CompareMode::Overlay)));
    session.apply(Action::File(FileAction::ShowCompared(CompareMode::SideBySide)));
    session.refresh();
    let (right, _) = session.view.camera.right_up();
    let apart = transform(&session, b).translation - transform(&session, a).translation;
    assert!(glam::Vec3::from(apart).normalize().dot(right) > 0.7, "{apart} {right}");
}

#[test]
fn comparison_row_seeks_only_the_compared_part() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, a, _) = compared(folder.path());
    let legs = session.document.scene.with_role(Part::Legs).unwrap();
    let run = legs.model().clips().iter().position(|clip| clip.name == "LEGS_RUN").unwrap();
    let legs = legs.id;
    session.apply(Action::Clock(ClockAction::ChooseClipOf(legs.into(), ClipChoice::Clip(run))));
    session.apply(Action::Clock(ClockAction::SeekIn(legs.into(), 13.0)));
    let clocks = |session: &Session| {
        let others = session.document.scene.entities().iter().filter(|entity| entity.id != a);
        let clock = |entity: &Entity| (entity.id, entity.playback.choice, entity.playback.position.to_bits());
        others.map(clock).collect::<Vec<_>>()
    };
    let before = clocks(&session);
    assert_eq!(session.interface.panels.dock, Some(DockTab::Compare), "it lists what differs");
    let mut harness = bench(session, vec2(1280.0, 900.0));
    let row = |name: &str| name.starts_with("u_torso: 1 vertex moved");
    harness.get_by(|node| node.label().is_some_and(|name| row(&name))).click();
    let done = taken(&mut harness);
    assert!(done.contains(&Action::Clock(ClockAction::GoTo(a, None, 0.0))), "{done:?}");
    let session = &harness.state().session;
    assert_eq!(session.document.selection, Selection::Vertex { surface: 0, vertex: 0 });
    assert_eq!((session.document.focus, clocks(session)), (Some(a), before), "the pose stays");
    // Values have their own columns. Boxes are split by corner and axis, and only the lower corner differs in X.
    harness.get_by_role_and_label(Role::ListItem, "Header: frame 0 bounds min X: −1.000 → −50.500 (−49.500)");
    assert_eq!(harness.query_all_by_label_contains("frame 0 bounds max").count(), 0);
}

#[test]
fn eye_is_off_for_parts_hidden_by_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 900.0));
    click(&mut harness, Role::Tab, "Scene");
    let eyes = |harness: &Harness<'static, Bench>| {
        ["Show Legs", "Show Torso", "Show Head", "Show head_other.md3"].map(|name| {
            let eye = harness.query_by_role_and_label(Role::CheckBox, name)?;
            let eye = eye.accesskit_node();
            Some((eye.toggled() == Some(Toggled::True), !eye.is_disabled()))
        })
    };
    let (open, shut) = (Some((true, true)), Some((false, false)));
    assert_eq!(eyes(&harness), [shut, shut, open, open]);
    harness.state_mut().session.apply(Action::File(FileAction::StopComparing));
    harness.run();
    assert_eq!(eyes(&harness), [open, open, open, None]);
}

#[test]
fn compare_prompt_names_the_focused_model() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    assert_eq!(session.title_of(&FilePrompt::Compare), "Compare head.md3 with");
    session.apply(Action::File(FileAction::StopComparing));
    let legs = session.document.scene.with_role(Part::Legs).unwrap().id;
    session.apply(Action::Scene(SceneAction::SelectIn(legs, Selection::None)));
    assert_eq!(session.title_of(&FilePrompt::Compare), "Compare lower.md3 with");
}

#[test]
fn comparison_confirmed_by_keyboard_gets_focus() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    session.apply(Action::File(FileAction::StopComparing));
    session.interface.panels.dock = None;
    let other = folder.path().join("models/players/box/head_other.md3");
    session.ask_in_window(FilePrompt::Compare, "", other.display().to_string());
    let mut harness = bench(session, vec2(1280.0, 900.0));
    harness.run();
    harness.key_press(egui::Key::Enter);
    harness.run();
    harness.run();
    let focused = harness.get_by(|node| node.is_focused());
    let label = focused.accesskit_node().label().unwrap_or_default();
    assert!(label.starts_with("u_torso: 1 vertex moved"), "{label}");
}

#[test]
fn compared_model_is_listed_below_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let (mut session, ..) = compared(folder.path());
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 900.0));
    click(&mut harness, Role::Tab, "Scene");
    let rect_of = |name: &str| harness.get_by_role_and_label(Role::ListItem, name).rect();
    let (head, other) = (rect_of("Head"), rect_of("head_other.md3"));
    assert!((other.top() - head.bottom()).abs() < 1.0, "{head} {other}");
}

#[test]
fn seeking_single_frame_part_moves_no_other_part() {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let lower = folder.path().join("models/players/box/lower.md3");
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    session.apply(Action::Clock(ClockAction::Step(1)));
    let legs = session.document.scene.with_role(Part::Legs).unwrap().playback.clone();
    let head = session.document.scene.with_role(Part::Head).unwrap().id;
    session.apply(Action::Clock(ClockAction::SeekIn(head.into(), 0.0)));
    let now = &session.document.scene.with_role(Part::Legs).unwrap().playback;
    assert_eq!((now.choice, now.position.to_bits()), (legs.choice, legs.position.to_bits()));
    assert_eq!(session.document.focus, Some(head));
}

/// Opens the motion dock for the torso's first tag.
fn motion() -> (egui_kittest::Harness<'static, crate::support::panels::Bench>, EntityId) {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let lower = folder.path().join("models/players/box/lower.md3");
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    let torso = session.document.scene.with_role(Part::Torso).unwrap().id;
    session.apply(Action::Scene(SceneAction::SelectIn(torso, Selection::Tag(0))));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Motion)));
    (bench(session, vec2(1280.0, 1000.0)), torso)
}

#[test]
fn single_frame_clip_row_seeks_its_frame() {
    // player::CONFIG: BOTH_DEAD2 is only frame 3.
    let (mut harness, torso) = motion();
    let row = harness.get_by_role_and_label(Role::ListItem, "BOTH_DEAD2: 1 frame");
    row.click();
    row.click();
    taken(&mut harness);
    let session = &harness.state().session;
    let entity = session.document.scene.entity(torso).unwrap();
    assert_eq!((entity.clip().name.as_str(), entity.nearest_frame()), ("BOTH_DEAD2", 3));
    // A static clip of several frames reaches its maximum in its first frame: BOTH_DEATH3 begins at 4.
    harness.get_by_role_and_label(Role::ListItem, "BOTH_DEATH3: max. offset 0 in frame 4, max. speed 0, foot slide 0");
}

#[test]
fn md5_bind_pose_row_has_no_frame_number() {
    let mut session = session(Format::Md5, |_| {});
    session.apply(Action::Scene(SceneAction::Select(Selection::Joint(4))));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Motion)));
    let mut harness = bench(session, vec2(1280.0, 1000.0));
    taken(&mut harness);
    harness.get_by_role_and_label(Role::ListItem, "bind pose: bind pose");
    for negative in ["frame -", "frame −"] {
        assert_eq!(harness.query_all_by_label_contains(negative).count(), 0, "{negative}");
    }
}
