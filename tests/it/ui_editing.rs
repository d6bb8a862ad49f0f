//! Editing by mouse and keyboard: menus, dialogs, the strip, and the prompt about unsaved changes.

use egui::{Key, Modifiers, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use glam::Vec3;
use maquette_assets::open::open_sample;
use maquette_core::edit::{Call, OPERATIONS, RECOMPUTE_NORMALS};
use maquette_core::model::Format;
use maquette_scene::session::{
    Action, ClockAction, EditAction, EditSubject, Effect, FileAction, OutputKind, SceneAction, Selection, Session,
    UnsavedAnswer, WindowAction,
};

use crate::support::loading::act;
use crate::support::panels::{Bench, bench, click, taken};
use maquette_testing::files::Md3;

const SIZE: Vec2 = vec2(1280.0, 800.0);

/// Opens an MD3 with two surfaces and a texture in a temporary folder that must outlive it.
fn opened() -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("models/box");
    std::fs::create_dir_all(&below).unwrap();
    let mut file = Md3::typical();
    file.surfaces = 2;
    std::fs::write(below.join("box.md3"), file.build()).unwrap();
    std::fs::write(below.join("skin.tga"), b"").unwrap();
    std::fs::write(below.join("steel.tga"), b"").unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![below.join("box.md3")])));
    session.apply(Action::Clock(ClockAction::TogglePlay));
    (folder, session)
}

fn path_of(harness: &Harness<'static, Bench>, surface: usize) -> String {
    harness.state().session.asset().unwrap().model.surfaces()[surface].materials[0].clone()
}

fn has(harness: &Harness<'static, Bench>, text: &str) -> bool {
    harness.query_all_by_label_contains(text).next().is_some()
}

fn is_enabled(harness: &Harness<'static, Bench>, row: &str) -> bool {
    !harness.get_by_role_and_label(Role::MenuItem, row).accesskit_node().is_disabled()
}

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

fn type_text(harness: &mut Harness<'static, Bench>, text: &str) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::A);
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run();
}

#[test]
fn shader_path_is_edited_from_surface_row_and_undone() {
    let (_folder, session) = opened();
    let mut harness = bench(session, SIZE);
    let name = harness.state().session.entity().unwrap().surface_name(0);
    let rows = harness.query_all_by_role_and_label(Role::ListItem, &name).count();
    assert!(rows > 0);
    harness.query_all_by_role_and_label(Role::ListItem, &name).next().unwrap().click_secondary();
    taken(&mut harness);
    assert!(is_enabled(&harness, "Edit shader path…"));
    assert_eq!(
        click(&mut harness, Role::MenuItem, "Edit shader path…"),
        [Action::Edit(EditAction::Ask(EditSubject::ShaderPath))]
    );
    harness.run();
    // Images in the folder of the texture are offered first.
    assert!(harness.query_by_role_and_label(Role::ListItem, "models/box/steel.tga").is_some());
    type_text(&mut harness, "STEEL");
    assert!(harness.query_by_role_and_label(Role::ListItem, "models/box/skin.tga").is_none());
    click(&mut harness, Role::ListItem, "models/box/steel.tga");
    harness.key_press(Key::Enter);
    let edits = vec![call("set-material surfaces=#0 path=models/box/steel.tga")];
    assert_eq!(taken(&mut harness), [Action::Edit(EditAction::Change(edits))]);
    harness.run();
    assert_eq!(path_of(&harness, 0), "models/box/steel.tga");
    assert!(has(&harness, "Unsaved changes") && has(&harness, "box.md3*"));
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    taken(&mut harness);
    assert_eq!(path_of(&harness, 0), "models/box/skin.tga");
    assert!(!has(&harness, "Unsaved changes"));
}

#[test]
fn invalid_path_is_rejected_while_typing() {
    let (_folder, mut session) = opened();
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    let mut harness = bench(session, SIZE);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::P);
    taken(&mut harness);
    type_text(&mut harness, &"x".repeat(64));
    assert!(has(&harness, "64 bytes; expected at most 63"));
    harness.key_press(Key::Enter);
    assert!(taken(&mut harness).is_empty());
    // Names are stored as UTF-8, and the field counts bytes.
    type_text(&mut harness, &"ł".repeat(32));
    assert!(has(&harness, "64 bytes; expected at most 63"));
    harness.key_press(Key::Escape);
    assert_eq!(taken(&mut harness), [Action::Edit(EditAction::CloseDialog)]);
    assert!(!harness.state().session.document.has_unsaved());
}

#[test]
fn unsaved_strip_saves_and_discards() {
    let (_folder, mut session) = opened();
    let edit = call("set-material surfaces=#1 path=other");
    act(&mut session, Action::Edit(EditAction::Change(vec![edit])));
    let mut harness = bench(session, SIZE);
    assert_eq!(click(&mut harness, Role::Button, "Save model"), [Action::Edit(EditAction::Save)]);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::S);
    assert_eq!(taken(&mut harness), [Action::Edit(EditAction::Save)]);
    assert_eq!(click(&mut harness, Role::Button, "Discard changes"), [Action::Edit(EditAction::Discard)]);
    harness.run();
    assert!(!harness.state().session.document.has_unsaved());
    assert_eq!(path_of(&harness, 1), "models/box/skin.tga");
}

#[test]
fn quitting_with_unsaved_changes_asks_and_escape_cancels() {
    let (_folder, mut session) = opened();
    let edit = call("set-material surfaces=#1 path=other");
    act(&mut session, Action::Edit(EditAction::Change(vec![edit])));
    for size in [SIZE, vec2(800.0, 600.0), vec2(480.0, 360.0)] {
        assert!(session.apply(Action::Window(WindowAction::Quit)).is_none());
        let mut harness = bench(std::mem::take(&mut session), size);
        assert!(has(&harness, "box.md3 has unsaved changes."));
        for button in ["Save", "Discard", "Cancel"] {
            let rect = harness.get_by_role_and_label(Role::Button, button).rect();
            assert!(egui::Rect::from_min_size(egui::Pos2::ZERO, size).contains_rect(rect), "{button} at {size}");
        }
        harness.key_press(Key::Escape);
        assert_eq!(taken(&mut harness), [Action::Edit(EditAction::Answer(UnsavedAnswer::Cancel))]);
        assert!(harness.state().session.interface.unsaved_prompt.is_none());
        session = std::mem::take(&mut harness.state_mut().session);
    }
    session.apply(Action::Window(WindowAction::Quit));
    let mut harness = bench(session, SIZE);
    harness.key_press(Key::Enter);
    assert_eq!(taken(&mut harness), [Action::Edit(EditAction::Answer(UnsavedAnswer::Save))]);
    assert_eq!(
        click(&mut harness, Role::Button, "Discard"),
        [Action::Edit(EditAction::Answer(UnsavedAnswer::Discard))]
    );
    let effect = harness.state_mut().session.apply(Action::Window(WindowAction::Quit));
    assert!(effect.is_none());
    let discard = Action::Edit(EditAction::Answer(UnsavedAnswer::Discard));
    assert!(matches!(harness.state_mut().session.apply(discard), Some(Effect::Quit)));
}

#[test]
fn quitting_during_export_asks_first() {
    let (_folder, mut session) = opened();
    session.jobs.begin_work(OutputKind::Film, "Animation", "frame");
    session.jobs.report_progress(11, 40);
    assert!(session.apply(Action::Window(WindowAction::Quit)).is_none());
    let mut harness = bench(session, SIZE);
    assert!(has(&harness, "Animation: frame 12 of 40"));
    assert_eq!(
        click(&mut harness, Role::Button, "Keep exporting"),
        [Action::Edit(EditAction::Answer(UnsavedAnswer::Cancel))]
    );
    let session = &mut harness.state_mut().session;
    assert!(session.interface.unsaved_prompt.is_none() && session.jobs.work.is_some());
    session.apply(Action::Window(WindowAction::Quit));
    harness.run();
    assert_eq!(click(&mut harness, Role::Button, "Quit"), [Action::Edit(EditAction::Answer(UnsavedAnswer::Discard))]);
    let session = &mut harness.state_mut().session;
    session.apply(Action::Window(WindowAction::Quit));
    let quit = Action::Edit(EditAction::Answer(UnsavedAnswer::Discard));
    assert!(matches!(session.apply(quit), Some(Effect::Quit)));
}

#[test]
fn tag_is_moved_renamed_and_removed_in_inspector() {
    let (_folder, mut session) = opened();
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
    let mut harness = bench(session, SIZE);
    let before: Vec3 = harness.state().session.document.pose().unwrap().tags[0].translation.into();
    click(&mut harness, Role::SpinButton, "Position Y");
    type_text(&mut harness, "7.5");
    harness.key_press(Key::Enter);
    let by = Vec3::new(0.0, 7.5 - before.y, 0.0);
    let moved = call(&format!("move-tag tag=#0 by=0,{},0", by.y));
    assert_eq!(taken(&mut harness), [Action::Edit(EditAction::Change(vec![moved]))]);
    harness.run();
    let after: Vec3 = harness.state().session.document.pose().unwrap().tags[0].translation.into();
    assert!((after - before - by).length() < 1e-5);

    harness.key_press_modifiers(Modifiers::SHIFT, Key::F2);
    taken(&mut harness);
    type_text(&mut harness, "tag_hat");
    harness.key_press(Key::Enter);
    taken(&mut harness);
    harness.run();
    assert_eq!(harness.state().session.asset().unwrap().model.tags(), ["tag_hat"]);
    harness.query_all_by_role_and_label(Role::ListItem, "tag_hat").next().unwrap().click_secondary();
    taken(&mut harness);
    assert_eq!(click(&mut harness, Role::MenuItem, "Remove tag"), [Action::Edit(EditAction::RemoveTag)]);
    harness.run();
    assert!(harness.state().session.asset().unwrap().model.tags().is_empty());

    harness.state_mut().session.apply(Action::Edit(EditAction::Ask(EditSubject::NewTag)));
    harness.run();
    type_text(&mut harness, "tag_new");
    for (axis, number) in [("X", "1"), ("Y", "-2"), ("Z", "0.5")] {
        harness.get_by_role_and_label(Role::TextInput, axis).focus();
        harness.run();
        type_text(&mut harness, number);
    }
    let add = call("add-tag name=tag_new at=1,-2,0.5");
    assert_eq!(click(&mut harness, Role::Button, "Add"), [Action::Edit(EditAction::Change(vec![add]))]);

    let vertex = Selection::Vertex { surface: 0, vertex: 2 };
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(vertex)));
    harness.state_mut().session.apply(Action::Edit(EditAction::Ask(EditSubject::NewTag)));
    harness.run();
    type_text(&mut harness, "tag_knee");
    let actions = click(&mut harness, Role::Button, "Add");
    let [Action::Edit(EditAction::Change(calls))] = actions.as_slice() else { panic!("{actions:?}") };
    assert_eq!((calls[0].text("name"), calls[0].text("vertex")), ("tag_knee", "#0:2"));
}

#[test]
fn unsupported_edit_is_disabled_with_reason() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    let mut harness = bench(session, SIZE);
    let name = harness.state().session.entity().unwrap().surface_name(0);
    harness.query_all_by_role_and_label(Role::ListItem, &name).next().unwrap().click_secondary();
    taken(&mut harness);
    for row in ["Edit shader path…", "Rename…", "Write texture path to model"] {
        assert!(!is_enabled(&harness, row), "{row}");
    }
    harness.get_by_role_and_label(Role::MenuItem, "Rename…").hover();
    harness.run_steps(60);
    assert!(has(&harness, "Sample models have no file to edit"));
}

#[test]
fn operation_dialog_checks_values_and_applies_them() {
    let (_folder, session) = opened();
    let mut harness = bench(session, SIZE);
    let scale = OPERATIONS.iter().find(|operation| operation.name == "scale").unwrap();
    harness.state_mut().session.apply(Action::Edit(EditAction::Operate(scale)));
    harness.run();
    type_text(&mut harness, "0");
    assert!(has(&harness, "Factor: expected a number from 0.001 to 10000"));
    type_text(&mut harness, "2");
    assert_eq!(
        click(&mut harness, Role::Button, "Apply"),
        [Action::Edit(EditAction::Change(vec![Call::parse("scale factor=2").unwrap()]))]
    );
    harness.run();
    assert!(!has(&harness, "Factors X, Y, Z"));
    assert_eq!(harness.state().session.asset().unwrap().model.frames()[0].radius, 8.0);
}

#[test]
fn operation_dialog_waits_for_values_without_a_warning() {
    let (_folder, session) = opened();
    let mut harness = bench(session, SIZE);
    for (name, missing) in
        [("scale", "Expected one of Factor, Height and Factors X, Y, Z"), ("add-clip", "Name: expected a text")]
    {
        let operation = OPERATIONS.iter().find(|operation| operation.name == name).unwrap();
        harness.state_mut().session.apply(Action::Edit(EditAction::Operate(operation)));
        harness.run();
        assert!(!has(&harness, missing), "{name}");
        let apply = harness.get_by_role_and_label(Role::Button, "Apply");
        assert!(apply.accesskit_node().is_disabled(), "{name}");
        apply.hover();
        harness.run_steps(60);
        assert!(has(&harness, missing), "the tooltip says why");
        harness.key_press(Key::Escape);
        harness.run();
        harness.state_mut().session.apply(Action::Edit(EditAction::CloseDialog));
        harness.run();
    }
    // Two values are a fault.
    let scale = OPERATIONS.iter().find(|operation| operation.name == "scale").unwrap();
    harness.state_mut().session.apply(Action::Edit(EditAction::Operate(scale)));
    harness.run();
    type_text(&mut harness, "2");
    harness.get_by_role_and_label(Role::TextInput, "Height").focus();
    harness.run();
    type_text(&mut harness, "3");
    assert!(has(&harness, "Expected one of Factor, Height and Factors X, Y, Z"));
}

#[test]
fn tag_submenu_adds_a_tag_at_the_selected_triangle() {
    let (_folder, mut session) = opened();
    session.apply(Action::Scene(SceneAction::Select(Selection::Triangle { surface: 0, triangle: 0 })));
    let entity = session.entity().unwrap();
    let corners = entity.model().surfaces()[0].triangles[0];
    let centre = corners.map(|corner| entity.pose.surfaces[0].positions[corner as usize]).iter().sum::<Vec3>() / 3.0;
    let mut harness = bench(session, SIZE);
    harness.get_by_role_and_label(Role::Button, "Model").click();
    harness.run();
    harness.get_by_role_and_label(Role::MenuItem, "Tags").click();
    harness.run();
    for row in ["Turn tag…", "Copy tags…", "Remove tag"] {
        harness.get_by_role_and_label(Role::MenuItem, row);
    }
    let asks = Action::Edit(EditAction::Ask(EditSubject::NewTag));
    assert_eq!(click(&mut harness, Role::MenuItem, "Add tag…"), [asks]);
    harness.run();
    type_text(&mut harness, "tag_hand");
    click(&mut harness, Role::Button, "Add");
    harness.run();
    let pose = harness.state().session.document.pose().unwrap();
    let tag: Vec3 = pose.tags.last().unwrap().translation.into();
    assert!((tag - centre).length() < 1e-3, "{tag} {centre}");
}

#[test]
fn enter_applies_text_typed_in_the_same_frame() {
    let (_folder, session) = opened();
    let mut harness = bench(session, SIZE);
    let scale = OPERATIONS.iter().find(|operation| operation.name == "scale").unwrap();
    harness.state_mut().session.apply(Action::Edit(EditAction::Operate(scale)));
    harness.run();
    type_text(&mut harness, "2");
    taken(&mut harness);
    harness.event(egui::Event::Text("4".to_owned()));
    harness.key_press(Key::Enter);
    assert_eq!(taken(&mut harness), [Action::Edit(EditAction::Change(vec![Call::parse("scale factor=24").unwrap()]))]);
}

#[test]
fn simplification_offers_the_limits_that_a_model_exceeds() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("grid.md3");
    std::fs::write(&file, Md3::grid(30, 2001).build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![file])));
    let mut harness = bench(session, SIZE);
    let simplify = OPERATIONS.iter().find(|operation| operation.name == "simplify").unwrap();
    harness.state_mut().session.apply(Action::Edit(EditAction::Operate(simplify)));
    harness.run();
    // Quake III draws fewer than 2000 triangles and 1000 vertices (`tr_surface.c`, `RB_CheckOverflow`).
    let call = Call::parse("simplify triangles=1999 vertices=999").unwrap();
    assert_eq!(click(&mut harness, Role::Button, "Apply"), [Action::Edit(EditAction::Change(vec![call]))]);
}

#[test]
fn edit_menu_fits_small_window_with_submenu() {
    let (_folder, session) = opened();
    let size = vec2(800.0, 600.0);
    let mut harness = bench(session, size);
    harness.get_by_role_and_label(Role::Button, "Edit").click();
    harness.run();
    let window = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
    for row in ["Undo", "Rename…", "Model data", "Settings…"] {
        let rect = harness.get_by_role_and_label(Role::MenuItem, row).rect();
        assert!(window.contains_rect(rect), "{row} at {rect}");
    }
    // The whole menu is visible without scrolling.
    let last = harness.get_by_role_and_label(Role::MenuItem, "Settings…").rect();
    let first = harness.get_by_role_and_label(Role::MenuItem, "Undo").rect();
    assert!(last.bottom() - first.top() < size.y - 80.0, "{first} to {last}");
    harness.get_by_role_and_label(Role::MenuItem, "Model data").click();
    harness.run();
    for row in ["Rename frame…", "Move skin up", "Recompute normals"] {
        assert!(window.contains_rect(harness.get_by_role_and_label(Role::MenuItem, row).rect()), "{row}");
    }
    assert_eq!(
        click(&mut harness, Role::MenuItem, "Recompute normals"),
        [Action::Edit(EditAction::Operate(&RECOMPUTE_NORMALS))]
    );
}

#[test]
fn renaming_surface_offers_to_rename_in_skins() {
    for in_skins in [true, false] {
        let (folder, mut session) = opened();
        let name = session.entity().unwrap().surface_name(0);
        for skin in ["box_red.skin", "box_blue.skin"] {
            let file = folder.path().join("models/box").join(skin);
            std::fs::write(file, format!("{name},models/box/steel.tga\n")).unwrap();
        }
        act(&mut session, Action::File(FileAction::Reload));
        session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
        session.apply(Action::Edit(EditAction::Ask(EditSubject::Name)));
        let mut harness = bench(session, SIZE);
        type_text(&mut harness, "lid");
        if !in_skins {
            click(&mut harness, Role::CheckBox, "Also rename in 2 .skin files");
            assert!(has(&harness, "The textures in 2 .skin files will be lost"));
        }
        taken(&mut harness);
        let done = click(&mut harness, Role::Button, "Rename");
        let renamed = if in_skins {
            EditAction::RenameInSkins { surface: 0, name: "lid".to_owned() }
        } else {
            EditAction::Change(vec![call("rename-surface surfaces=#0 name=lid")])
        };
        assert_eq!(done, [Action::Edit(renamed)]);
    }
}

#[test]
fn path_of_skin_is_changed_in_skin_file_unless_switched_off() {
    for in_skin in [true, false] {
        let (folder, mut session) = opened();
        let name = session.entity().unwrap().surface_name(0);
        let file = folder.path().join("models/box/box_red.skin");
        std::fs::write(file, format!("{name},models/box/steel.tga\n")).unwrap();
        act(&mut session, Action::File(FileAction::Reload));
        let red = session.asset().unwrap().skins.iter().position(|skin| skin.name == "red").unwrap();
        act(&mut session, Action::Scene(SceneAction::ChooseSkin(red)));
        session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
        session.apply(Action::Edit(EditAction::Ask(EditSubject::ShaderPath)));
        let mut harness = bench(session, SIZE);
        type_text(&mut harness, "x");
        if !in_skin {
            click(&mut harness, Role::CheckBox, "Change the line in box_red.skin");
            assert!(has(&harness, "box_red.skin overrides this path; the change is visible only with another skin"));
        }
        taken(&mut harness);
        let done = click(&mut harness, Role::Button, "Apply");
        let path = "x".to_owned();
        let changed = if in_skin {
            EditAction::SetInSkin { surfaces: vec![0], path }
        } else {
            EditAction::Change(vec![call("set-material surfaces=#0 path=x")])
        };
        assert_eq!(done, [Action::Edit(changed)]);
    }
}
