//! Dock: file structure, texture, motion, lint, comparison.

use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::{Key, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use maquette::output::OutputJob;
use maquette_assets::lint::{Finding, Findings, Location, Severity};
use maquette_assets::open::open_sample;
use maquette_assets::open::sample_bytes;
use maquette_core::compare::Value;
use maquette_core::edit::REMOVE_DEGENERATE;
use maquette_core::model::Format;
use maquette_scene::scene::{ClipChoice, Shading, ValueSource};
use maquette_scene::session::{
    Action, ClockAction, CompareMode, DockTab, EditAction, FileAction, OutputKind, SaveAction, SceneAction, Selection,
    Session, WindowAction, WindowState,
};

use crate::support::loading::act;
use crate::support::panels::{Bench, bench, click, session, taken};

/// Opens the sample of a format with this dock tab.
fn dock(format: Format, tab: DockTab) -> Harness<'static, Bench> {
    let mut session = session(format, |_| {});
    session.apply(Action::Window(WindowAction::ToggleDock(tab)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    taken(&mut harness);
    harness
}

/// Writes the sample's MD3 after `change` edited its bytes.
fn edited(folder: &Path, change: impl FnOnce(&mut Vec<u8>)) -> PathBuf {
    let mut bytes = sample_bytes(Path::new("umber.md3")).unwrap().to_vec();
    change(&mut bytes);
    let path = folder.join("edited.md3");
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn structure_view_and_selection_follow_each_other() {
    let mut harness = dock(Format::Md3, DockTab::File);
    // formats.md: numFrames is at byte 76, numTags at byte 80.
    harness.get_by_label("numFrames at 0x4c: 52");
    harness.get_by_label("numTags at 0x50: 4");
    // Selecting a vertex selects its field, and vice versa.
    let vertex = Selection::Vertex { surface: 1, vertex: 5 };
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(vertex)));
    taken(&mut harness);
    let frame = harness.state().session.entity().unwrap().nearest_frame();
    let (own, next) = (frame * 78 + 5, frame * 78 + 6);
    let label = |record: usize| format!("xyzNormals[{record}] at {:#x}", 254_092 + 8 * record);
    harness.get_by(|node| node.label().is_some_and(|name| name.starts_with(&label(own))));
    harness.get_by(|node| node.label().is_some_and(|name| name.starts_with(&label(next)))).click();
    taken(&mut harness);
    let session = &harness.state().session;
    assert_eq!(session.document.selection, Selection::Vertex { surface: 1, vertex: 6 });
    assert_eq!(session.entity().unwrap().nearest_frame(), frame, "it is the same frame's");
}

#[test]
fn failed_file_shows_its_faulty_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = edited(folder.path(), |bytes| bytes[80..84].copy_from_slice(&i32::MAX.to_le_bytes()));
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    assert!(session.interface.failure.is_some());
    let mut harness = bench(session, vec2(1000.0, 800.0));
    click(&mut harness, Role::Button, "Show bytes");
    harness.get_by_label("numTags at 0x50: 2147483647");
    let view = harness.state().session.interface.structure.as_ref().unwrap();
    assert_eq!(view.contents.as_ref().unwrap().structure.error.as_ref().unwrap().offset, Some(80));
    // Without the message, there is no file to show.
    harness.state_mut().session.apply(Action::File(FileAction::CloseError));
    taken(&mut harness);
    assert!(harness.query_by_label("numTags at 0x50: 2147483647").is_none());
}

#[test]
fn text_structure_is_shown_line_by_line() {
    let harness = dock(Format::Md5, DockTab::File);
    harness.get_by_label("1: MD5Version 10");
    let view = harness.state().session.interface.structure.as_ref().unwrap();
    let file = view.contents.as_ref().unwrap();
    // The second line begins after the line break of the first.
    assert_eq!((file.line_of(0), file.line_of(13), file.line_of(14)), (Some(0), Some(0), Some(1)));
}

#[test]
fn companion_files_open_in_the_structure_view() {
    let folder = tempfile::tempdir().unwrap();
    let path = edited(folder.path(), |_| ());
    std::fs::write(folder.path().join("edited_red.skin"), "body,red.tga\n").unwrap();
    std::fs::write(folder.path().join("notes.txt"), "no kind of file that is known").unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.clone()])));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::File)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    taken(&mut harness);
    harness.get_by_label("numTags at 0x50: 4");
    click(&mut harness, Role::Button, "Other files");
    assert!(harness.query_by_label("notes.txt").is_none());
    harness.get_by_label("edited_red.skin").click();
    taken(&mut harness);
    harness.get_by_label("1: body,red.tga");
    click(&mut harness, Role::Button, "Other files");
    harness.get_by_role_and_label(Role::MenuItem, "edited.md3").click();
    taken(&mut harness);
    harness.get_by_label("numTags at 0x50: 4");
}

#[test]
fn uv_layout_shows_texture_and_islands() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    harness.get_by_label("Texture: umber.png");
    harness.get_by_label("Size: 512 × 512");
    click(&mut harness, Role::Button, "Channel");
    click(&mut harness, Role::MenuItemCheckBox, "A");
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(Selection::Surface(1))));
    taken(&mut harness);
    harness.get_by(|node| node.value().is_some_and(|name| name.starts_with("Islands: ")));
}

#[test]
fn motion_dock_sorts_clips_plays_them_and_pins() {
    let mut harness = dock(Format::Md3, DockTab::Motion);
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
    taken(&mut harness);
    click(&mut harness, Role::Button, "Sort by max. offset");
    let id = harness.state().session.document.focus.unwrap();
    harness.get_by(|node| node.label().is_some_and(|name| name.starts_with("wave: max. offset "))).click();
    let done = taken(&mut harness);
    let wave = harness.state().session.entity().unwrap().model().clips().iter().position(|clip| clip.name == "wave");
    let chosen = Action::Clock(ClockAction::ChooseClipOf(id.into(), ClipChoice::Clip(wave.unwrap())));
    assert_eq!(done, [chosen]);
    // Clicking the curves seeks.
    click(&mut harness, Role::Button, "Pin selection for motion");
    assert_eq!(harness.state().session.document.pinned, [(id, Selection::Tag(0))]);
    let name = harness.state().session.entity().unwrap().model().tags()[0].clone();
    click(&mut harness, Role::Button, &format!("Unpin {name}"));
    assert!(harness.state().session.document.pinned.is_empty());
}

#[test]
fn dock_opened_by_key_gets_focus() {
    for (format, key, first) in [
        (Format::Md3, Key::F6, Some("Find name, value, 0x…")),
        (Format::Md3, Key::F7, Some("Surface")),
        (Format::Md3, Key::F8, None),
        (Format::Md3, Key::F2, Some("Compare with…")),
    ] {
        let mut harness = bench(session(format, |_| {}), vec2(1280.0, 900.0));
        harness.state_mut().session.apply(Action::Scene(SceneAction::Select(Selection::Tag(0))));
        taken(&mut harness);
        // The keyboard focus is elsewhere before.
        harness.get_by_role_and_label(Role::Button, "Settings").focus();
        taken(&mut harness);
        harness.key_press(key);
        taken(&mut harness);
        let top = harness.get_by_label("Close panel").rect().top() - 8.0;
        let in_dock = |rect: egui::Rect| rect.top() >= top && rect.bottom() <= 900.0;
        let held = harness.get_by(|node| node.is_focused());
        assert!(in_dock(held.rect()), "{key:?}: {:?} has the keyboard", held.accesskit_node().label());
        if let Some(first) = first {
            assert_eq!(held.accesskit_node().label().as_deref(), Some(first), "{key:?}");
        } else {
            assert_eq!(held.accesskit_node().role(), Role::ListItem, "{key:?}");
        }
        // The arrow keys continue from there.
        let before = held.rect();
        harness.key_press(Key::ArrowDown);
        taken(&mut harness);
        let held = harness.get_by(|node| node.is_focused()).rect();
        let moves = key != Key::F6;
        assert!(in_dock(held) && (held != before) == moves, "{key:?}: a search field keeps the focus");
    }
}

#[test]
fn space_plays_while_a_button_has_the_focus() {
    let mut harness = bench(session(Format::Md3, |_| {}), vec2(1280.0, 900.0));
    harness.key_press(Key::F2);
    taken(&mut harness);
    assert!(harness.get_by_role_and_label(Role::Button, "Compare with…").is_focused());
    harness.key_press(Key::Space);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::TogglePlay)]);
}

#[test]
fn ctrl_f_focuses_the_search_field_of_the_panel() {
    let mut harness = dock(Format::Md3, DockTab::File);
    harness.get_by_role_and_label(Role::Button, "Settings").focus();
    taken(&mut harness);
    harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::F);
    taken(&mut harness);
    let held = harness.get_by(|node| node.is_focused());
    assert_eq!(held.accesskit_node().label().as_deref(), Some("Find name, value, 0x…"));
    harness.key_press(Key::N);
    assert_eq!(taken(&mut harness), []);
}

#[test]
fn crossing_search_lists_frames_and_goes_to_them() {
    let mut harness = dock(Format::Md3, DockTab::Motion);
    click(&mut harness, Role::Button, "Crossings");
    click(&mut harness, Role::Button, "Search clip");
    let search = harness.state().session.interface.crossings.as_ref().unwrap();
    assert!(!search.is_running && search.progress().0 == search.progress().1);
    let span = search.spans[0].clone();
    let is_row = |label: String| label.contains(": frames ") && label.contains("most in");
    let row = harness.get_all_by(|node| node.label().is_some_and(is_row)).next().unwrap();
    row.click();
    assert_eq!(taken(&mut harness), [Action::File(FileAction::ShowCrossing(0))]);
    let session = &harness.state().session;
    let entity = session.entity().unwrap();
    assert_eq!(entity.playback.shown_frame(entity.model()), span.most);
    let lines = session.interface.crossings.as_ref().unwrap().lines(&session.document.scene);
    let length: f32 = lines.iter().map(|[from, to]| from.distance(*to)).sum();
    assert!(length > 0.0 && (length - span.length).abs() < 1e-3 * length, "{length} {}", span.length);
    let session = &mut harness.state_mut().session;
    session.show(open_sample(Format::Md3).unwrap());
    session.refresh();
    assert!(session.interface.crossings.is_none(), "the copy of the other scene is dropped");
}

#[test]
fn dock_height_is_restored_after_small_window() {
    let mut harness = dock(Format::Md3, DockTab::File);
    let top = |harness: &Harness<'static, Bench>| harness.get_by_label("Close panel").rect().top();
    let before = top(&harness);
    harness.set_size(vec2(800.0, 600.0));
    taken(&mut harness);
    harness.set_size(vec2(1280.0, 900.0));
    taken(&mut harness);
    assert!((top(&harness) - before).abs() < 1.0);
}

#[test]
fn dock_headers_do_not_overlap_close_button() {
    for (tab, last) in [(DockTab::Motion, "Pin selection for motion"), (DockTab::Texture, "Fit to panel")] {
        let mut session = session(Format::Md3, |_| {});
        session.apply(Action::Window(WindowAction::ToggleDock(tab)));
        let mut harness = bench(session, vec2(800.0, 600.0));
        taken(&mut harness);
        let cross = harness.get_by_label("Close panel").rect();
        let last = harness.get_by_label(last).rect();
        assert!(!cross.intersects(last) && last.right() <= 800.0, "{tab:?}: {cross} {last}");
        assert!(cross.right() > 760.0, "{tab:?}: the cross is at the end");
    }
}

#[test]
fn lint_dock_lists_errors_of_chosen_engine() {
    let mut harness = dock(Format::Md3, DockTab::Lint);
    assert!(harness.state().session.interface.lint.as_ref().unwrap().findings.is_some());
    click(&mut harness, Role::Button, "Engine");
    click(&mut harness, Role::MenuItemCheckBox, "Quake II");
    let view = harness.state().session.interface.lint.as_ref().unwrap();
    assert_eq!(view.engine().unwrap().name, "quake2");
    let found = &view.findings.as_ref().unwrap()[0];
    assert_eq!(found.list.iter().map(|finding| finding.rule).collect::<Vec<_>>()[0], "format-not-loaded");
    harness.get_by(|node| node.label().is_some_and(|name| name.starts_with("error: ")));
    // A model of another engine is checked for its own.
    harness.state_mut().session.show(open_sample(Format::Md5).unwrap());
    taken(&mut harness);
    assert_eq!(harness.state().session.interface.lint.as_ref().unwrap().engine().unwrap().name, "doom3");
}

#[test]
fn finding_offers_its_repair() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![edited(folder.path(), |_| ())])));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Lint)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    taken(&mut harness);
    let flat = Finding {
        rule: "degenerate-triangle",
        severity: Severity::Warning,
        message: "20 triangles without area".to_owned(),
        count: 20,
        location: Location::default(),
        more: Vec::new(),
    };
    let found = Findings { list: vec![flat], ..Findings::default() };
    let view = harness.state_mut().session.interface.lint.as_mut().unwrap();
    view.findings = Some(vec![std::sync::Arc::new(found)]);
    taken(&mut harness);
    harness.get_by(|node| node.label().is_some_and(|name| name.starts_with("warning: 20 triangles"))).click_secondary();
    harness.run();
    harness.get_by_label("and 19 more");
    harness.get_by_role_and_label(Role::MenuItem, "Remove degenerate triangles").click();
    let done = taken(&mut harness);
    assert!(done.contains(&Action::Edit(EditAction::Operate(&REMOVE_DEGENERATE))), "{done:?}");
}

#[test]
fn two_models_are_compared_and_furthest_vertex_selected() {
    let folder = tempfile::tempdir().unwrap();
    // In frame 10, vertex 5 of the first surface is 3 units higher. Its vertices begin at byte 39932, with 510 per
    // frame.
    let at = 39_932 + 8 * (10 * 510 + 5) + 4;
    let path = edited(folder.path(), |bytes| {
        let higher = i16::from_le_bytes([bytes[at], bytes[at + 1]]) + 3 * 64;
        bytes[at..at + 2].copy_from_slice(&higher.to_le_bytes());
    });
    let mut session = session(Format::Md3, |_| {});
    let a = session.document.focus.unwrap();
    act(&mut session, Action::File(FileAction::Compare(path)));
    let comparison = session.document.comparison.clone().unwrap();
    let surface = &comparison.difference.surfaces[0];
    let furthest = surface.furthest.as_ref().unwrap();
    assert_eq!((surface.moved, furthest.vertex, furthest.frame.frame, furthest.distance), (1, 5, 10, 3.0));
    assert_eq!(comparison.difference.surfaces.len(), 1);
    assert_eq!(comparison.difference.header.iter().filter(|change| change.a == Value::None).count(), 0);
    assert_eq!((comparison.a, comparison.reach()), (a, Some(3.0)));
    assert_eq!((session.document.focus, session.view.display.shading), (Some(a), Shading::Difference));
    // The second model shows the frame of the first, next to it.
    session.apply(Action::Clock(ClockAction::Seek(10.0)));
    session.refresh();
    let scene = &session.document.scene;
    let (first, second) = (scene.entity(a).unwrap(), scene.entity(comparison.b).unwrap());
    assert_eq!((first.nearest_frame(), second.nearest_frame()), (10, 10));
    let apart = second.world_from_model.translation - first.world_from_model.translation;
    // Both are equally far from the camera.
    assert!(apart.length() > 20.0 && apart.dot(session.view.camera.towards_eye().into()).abs() < 1e-3, "{apart}");
    let values = ValueSource::new(Shading::Difference, first, Selection::None, Some(second)).unwrap();
    let values = values.values(first, Some((second, comparison.reach().unwrap())));
    let far: Vec<usize> = (0..values.len()).filter(|index| values[*index] > 0.0).collect();
    assert_eq!((far, values[5]), (vec![5], 1.0));
    // A key switches between the two models at one position.
    let shown = |session: &Session| {
        let scene = &session.document.scene;
        [a, comparison.b].map(|id| scene.shows(scene.entity(id).unwrap()))
    };
    session.apply(Action::File(FileAction::SwapCompared));
    assert_eq!(shown(&session), [true, false]);
    session.apply(Action::File(FileAction::SwapCompared));
    assert_eq!(shown(&session), [false, true]);
    assert_eq!(session.document.scene.entity(comparison.b).unwrap().offset, glam::Vec3::ZERO);
    session.apply(Action::File(FileAction::ShowCompared(CompareMode::Overlay)));
    assert_eq!(shown(&session), [true, true]);
    // The row of the difference selects the vertex and its frame.
    session.apply(Action::Clock(ClockAction::Seek(0.0)));
    assert_eq!(session.interface.panels.dock, Some(DockTab::Compare), "it lists what differs");
    let mut harness = bench(session, vec2(1280.0, 900.0));
    harness.get_by(|node| node.label().is_some_and(|name| name.starts_with("head: 1 vertex moved"))).click();
    taken(&mut harness);
    let session = &mut harness.state_mut().session;
    assert_eq!(session.document.selection, Selection::Vertex { surface: 0, vertex: 5 });
    assert_eq!(session.entity().unwrap().nearest_frame(), 10);
    session.apply(Action::File(FileAction::StopComparing));
    assert_eq!(session.document.scene.entities().len(), 1);
    assert!(session.document.comparison.is_none() && session.view.display.shading == Shading::Textured);
}

#[test]
fn narrow_texture_dock_shows_layout_or_details() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    let has_facts = |harness: &Harness<'static, Bench>| harness.query_by_label_contains("Islands: ").is_some();
    assert!(has_facts(&harness));
    assert!(harness.query_by_label("Show details").is_none(), "there is room for both");
    harness.set_size(vec2(500.0, 600.0));
    taken(&mut harness);
    assert!(!has_facts(&harness));
    click(&mut harness, Role::Button, "Show details");
    assert!(has_facts(&harness));
    click(&mut harness, Role::Button, "Show details");
    assert!(!has_facts(&harness));
}

#[test]
fn narrow_motion_dock_swaps_clips_for_curves() {
    let mut session = session(Format::Md3, |_| {});
    session.apply(Action::Scene(SceneAction::Select(Selection::Tag(1))));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Motion)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    let has_clips = |harness: &Harness<'static, Bench>| harness.query_by_label("Sort by max. offset").is_some();
    assert!(has_clips(&harness));
    assert!(harness.query_by_label("Show clips").is_none(), "there is room for both");
    harness.set_size(vec2(500.0, 600.0));
    taken(&mut harness);
    assert!(!has_clips(&harness));
    click(&mut harness, Role::Button, "Show clips");
    assert!(has_clips(&harness));
}

#[test]
fn saved_texture_matches_every_texel() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = dock(Format::Md3, DockTab::Texture);
    let done = click(&mut harness, Role::Button, "Save texture…");
    let [Action::Save(SaveAction::SaveTexture(path, image))] = done.as_slice() else { panic!("{done:?}") };
    assert_eq!(path, "models/umber/umber.png");
    let (image, session) = (image.clone(), &harness.state().session);
    let job = OutputJob::new(session, OutputKind::Texture, &folder.path().join("texture")).unwrap();
    assert_eq!(job.existing_file(), None);
    job.make(&mut |_, _| true).unwrap();
    let saved = image::open(folder.path().join("texture.png")).unwrap().to_rgba8();
    assert_eq!((saved.width(), saved.height()), (image.width, image.height));
    assert_eq!(*saved.as_raw(), image.rgba);
}

/// Returns the top left corner of the dock, which is also that of its tab bar.
fn dock_corner(harness: &Harness<'static, Bench>) -> egui::Pos2 {
    harness.get_by_role_and_label(Role::Tab, "File").rect().min
}

#[test]
fn texture_dock_is_next_to_view_until_moved() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    let view = harness.state().viewport;
    assert!(dock_corner(&harness).x >= view.right(), "the dock is right of the view");
    assert!(dock_corner(&harness).y < view.top(), "and as high as the view with its header");
    assert!(view.width() >= 320.0, "{view}");
    click(&mut harness, Role::Button, "Move below view");
    let view = harness.state().viewport;
    assert!(dock_corner(&harness).y >= view.bottom() && dock_corner(&harness).x < view.center().x);
    // The choice belongs to this tab and is saved.
    let panels = harness.state().session.current_preferences().panels;
    assert_eq!(panels.dock_at_side.into_iter().collect::<Vec<_>>(), [("UV".to_owned(), false)]);
    click(&mut harness, Role::Button, "Move next to view");
    assert!(dock_corner(&harness).x >= harness.state().viewport.right());
}

#[test]
fn narrow_window_puts_dock_below_view() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    harness.set_size(vec2(660.0, 700.0));
    taken(&mut harness);
    assert!(dock_corner(&harness).y >= harness.state().viewport.bottom());
    let moves = harness.get_by_role_and_label(Role::Button, "Move next to view");
    assert!(moves.accesskit_node().is_disabled());
}

#[test]
fn four_columns_need_wide_window() {
    for (width, is_beside) in [(1280.0, false), (1600.0, true)] {
        let mut session = session(Format::Md3, |_| {});
        session.interface.panels.files = true;
        session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
        let harness = bench(session, vec2(width, 800.0));
        assert_eq!(dock_corner(&harness).x >= harness.state().viewport.right(), is_beside, "{width}");
    }
}

#[test]
fn dragged_dock_width_is_remembered() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    let view = harness.state().viewport;
    let edge = egui::pos2(view.right(), view.center().y);
    harness.drag_at(edge);
    harness.run();
    harness.hover_at(edge - vec2(60.0, 0.0));
    harness.run();
    harness.drop_at(edge - vec2(60.0, 0.0));
    taken(&mut harness);
    let width = harness.state().session.current_preferences().panels.dock_width.unwrap();
    assert!((harness.state().viewport.right() - (view.right() - 60.0)).abs() < 2.0, "{width}");
    harness.set_size(vec2(1000.0, 900.0));
    taken(&mut harness);
    harness.set_size(vec2(1280.0, 900.0));
    taken(&mut harness);
    assert!((harness.state().viewport.right() - (view.right() - 60.0)).abs() < 2.0);
}

#[test]
fn low_window_folds_timeline_under_dock() {
    let mut session = session(Format::Md3, |_| {});
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Lint)));
    let mut harness = bench(session, vec2(1280.0, 800.0));
    taken(&mut harness);
    let play = |harness: &Harness<'static, Bench>| harness.get_by_role_and_label(Role::Button, "Play").rect();
    // The transport of 40 points is above the status bar of 24; the harness has a margin of 8.
    assert!(play(&harness).top() >= 800.0 - 8.0 - 24.0 - 40.0, "{}", play(&harness));
    assert!(harness.query_by_label("Timeline").is_some());
    // A dock next to the view does not fold the timeline.
    harness.get_by_role_and_label(Role::Tab, "UV").click();
    taken(&mut harness);
    assert!(play(&harness).bottom() < 800.0 - 24.0 - 60.0, "{}", play(&harness));
}

#[test]
fn maximised_dock_replaces_the_view() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    let whole = harness.state().viewport;
    click(&mut harness, Role::Button, "Maximise panel");
    assert!(!harness.state().viewport.is_positive(), "nothing of the view is drawn");
    assert!(dock_corner(&harness).x < 40.0 && harness.query_by_role_and_label(Role::Canvas, "Model").is_none());
    click(&mut harness, Role::Button, "Restore panel");
    assert_eq!(harness.state().viewport, whole);
    // A double-click on the bar maximises the panel, and the command restores it.
    let bar = harness.get_by_role_and_label(Role::Tab, "UV").rect().center();
    // Both clicks are in one frame, because frames of the harness are too far apart for a double-click.
    let button = egui::PointerButton::Primary;
    let modifiers = egui::Modifiers::NONE;
    let events = [true, false, true, false];
    let events = events.map(|pressed| egui::Event::PointerButton { pos: bar, button, pressed, modifiers });
    harness.hover_at(bar);
    harness.run();
    harness.input_mut().events.extend(events);
    taken(&mut harness);
    assert!(harness.state().session.interface.panels.dock_maximised);
    harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDockMaximised));
    taken(&mut harness);
    assert_eq!(harness.state().viewport, whole);
    // A closed dock reopens next to the view.
    click(&mut harness, Role::Button, "Maximise panel");
    click(&mut harness, Role::Button, "Close panel");
    assert!(!harness.state().session.interface.panels.dock_maximised && harness.state().viewport.is_positive());
}

#[test]
fn uv_overlaps_stay_on_once_switched() {
    let mut harness = dock(Format::Md3, DockTab::Texture);
    let is_on = |harness: &Harness<'static, Bench>| {
        harness.get_by_role_and_label(Role::Button, "Overlaps").accesskit_node().toggled()
            == Some(egui::accesskit::Toggled::True)
    };
    assert!(!is_on(&harness));
    click(&mut harness, Role::Button, "Overlaps");
    assert!(is_on(&harness));
    click(&mut harness, Role::Button, "Close panel");
    harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
    taken(&mut harness);
    assert!(is_on(&harness));
}

#[test]
fn motion_without_selection_lists_tags_and_joints() {
    let mut harness = dock(Format::Md3, DockTab::Motion);
    let id = harness.state().session.document.focus.unwrap();
    let name = harness.state().session.entity().unwrap().model().tags()[1].clone();
    // The inspector also lists the tag.
    let rows = harness.get_all_by_role_and_label(Role::ListItem, &name);
    let top = dock_corner(&harness).y;
    rows.into_iter().find(|row| row.rect().top() > top && row.rect().left() < 900.0).unwrap().click();
    let done = taken(&mut harness);
    assert_eq!(done, [Action::Scene(SceneAction::SelectIn(id, Selection::Tag(1)))]);
    let harness = dock(Format::Md5, DockTab::Motion);
    harness.get_by(|node| node.role() == Role::Label && node.value().is_some_and(|name| name == "Joints"));
}

#[test]
fn lint_without_findings_names_the_engine() {
    let mut harness = dock(Format::Md5, DockTab::Lint);
    let view = harness.state_mut().session.interface.lint.as_mut().unwrap();
    view.findings = Some(vec![std::sync::Arc::default()]);
    taken(&mut harness);
    harness.get_by_label("No findings for Doom 3");
}

#[test]
fn similar_files_in_folder_are_offered_for_comparison() {
    let folder = tempfile::tempdir().unwrap();
    let path = edited(folder.path(), |_| ());
    for name in ["edited_1.md3", "edited-old.md3", "editedly.md3", "other.md3"] {
        std::fs::copy(&path, folder.path().join(name)).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Compare)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    taken(&mut harness);
    harness.get_by_label("edited-old.md3: Similar name");
    assert!(harness.query_by_label_contains("editedly.md3: ").is_none());
    assert!(harness.query_by_label_contains("other.md3: ").is_none());
    click(&mut harness, Role::ListItem, "edited_1.md3: LOD");
    let session = &harness.state().session;
    let b = session.document.comparison.as_ref().unwrap().b;
    assert_eq!(session.document.scene.entity(b).unwrap().asset.name, "edited_1.md3");
}

#[test]
fn reloaded_model_compares_with_previous_state() {
    let folder = tempfile::tempdir().unwrap();
    let path = edited(folder.path(), |_| ());
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    assert!(session.document.before_reload().is_none());
    let at = 39_932 + 8 * (10 * 510 + 5) + 4;
    edited(folder.path(), |bytes| bytes[at + 1] += 1);
    act(&mut session, Action::File(FileAction::Reload));
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Compare)));
    let mut harness = bench(session, vec2(1280.0, 900.0));
    taken(&mut harness);
    click(&mut harness, Role::ListItem, "Before last reload");
    let session = &mut harness.state_mut().session;
    let comparison = session.document.comparison.clone().unwrap();
    assert_eq!(comparison.difference.surfaces[0].moved, 1);
    // The next reload keeps the stored state.
    act(session, Action::File(FileAction::Reload));
    let other = session.document.scene.entity(comparison.b).unwrap();
    assert_eq!((other.asset.name.as_str(), other.asset.file.as_ref()), ("edited.md3 before reload", None));
}

#[test]
fn model_stays_in_view_when_dock_narrows_it() {
    let mut session = session(Format::Md3, |_| {});
    let state = |width: u32| WindowState {
        viewport: [width, 600],
        pixels_per_point: 1.0,
        aspect: width as f32 / 600.0,
        timeline: 0.0,
        longest_side: 8192,
        theme: maquette_scene::scene::ColourTheme::Dark,
        is_used: false,
    };
    session.update_window_state(state(900));
    let before = session.view.camera.distance;
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
    session.update_window_state(state(200));
    assert!(session.view.camera.distance > before * 1.1, "{} {before}", session.view.camera.distance);
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
    session.update_window_state(state(900));
    assert!((session.view.camera.distance / before - 1.0).abs() < 1e-3);
    // Resizing the window does not change the camera, even after a dock opened that did not change the view.
    session.update_window_state(state(200));
    assert!((session.view.camera.distance / before - 1.0).abs() < 1e-3);
    session.apply(Action::Window(WindowAction::ToggleDock(DockTab::Motion)));
    session.update_window_state(state(200));
    session.update_window_state(state(200));
    session.update_window_state(state(900));
    assert!((session.view.camera.distance / before - 1.0).abs() < 1e-3);
}
