//! Command palette, shortcuts, settings, notifications and start screen, by name and role.

use egui::{Key, Modifiers, Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_core::model::Format;
use maquette_scene::scene::{Background, ColourTheme, OverlayKind};
use maquette_scene::session::{
    Action, COMMANDS, CameraAction, ClockAction, Dialog, DisplayAction, DockTab, FileAction, NotificationKind,
    OutputKind, Preference, SaveAction, SceneAction, Selection, Session, WindowAction,
};

use crate::support::panels::{Bench, bench, click, desk, session, showing, taken};
use maquette_testing::player;

fn names(harness: &Harness<'static, Bench>, role: Role) -> Vec<String> {
    harness.query_all_by_role(role).filter_map(|node| node.accesskit_node().label()).collect()
}

fn find(harness: &mut Harness<'static, Bench>, text: &str) {
    harness.key_press_modifiers(Modifiers::COMMAND, Key::K);
    harness.run();
    harness.event(egui::Event::Text(text.to_owned()));
    harness.run();
    harness.state_mut().actions.clear();
}

#[test]
fn text_typed_after_palette_key_goes_to_palette() {
    let mut harness = desk(Format::Md3);
    for (key, modifiers) in [(Key::K, Modifiers::COMMAND), (Key::F6, Modifiers::NONE), (Key::F, Modifiers::COMMAND)] {
        let before = harness.state().session.view.display.shows(OverlayKind::Tags);
        // All keys arrive in one slow frame. As a shortcut, A would toggle tags.
        let press =
            |key, modifiers| egui::Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers };
        let events = &mut harness.input_mut().events;
        events.push(press(key, modifiers));
        for letter in ["t", "a", "g", "_", "h"] {
            events.extend(Key::from_name(&letter.to_uppercase()).map(|key| press(key, Modifiers::NONE)));
            events.push(egui::Event::Text(letter.to_owned()));
        }
        harness.step();
        // More letters arrive in the frame that opens the palette.
        harness.event(egui::Event::Text("ead".to_owned()));
        harness.run();
        assert_eq!(harness.state().session.view.display.shows(OverlayKind::Tags), before, "{key:?}");
        let fields = harness.query_all_by_role(Role::TextInput).filter_map(|node| node.value());
        assert!(fields.collect::<Vec<String>>().contains(&"tag_head".to_owned()), "{key:?}");
        harness.key_press(Key::Escape);
        harness.key_press(Key::Escape);
        harness.run();
    }
}

#[test]
fn held_key_of_unavailable_command_reports_once() {
    let mut harness = desk(Format::Md3);
    for (key, modifiers) in [(Key::Z, Modifiers::COMMAND), (Key::PageDown, Modifiers::NONE)] {
        let before = harness.state().session.interface.notes.len();
        for repeat in [false, true, true, true] {
            harness.event(egui::Event::Key { key, physical_key: None, pressed: true, repeat, modifiers });
            harness.run();
        }
        assert_eq!(harness.state().session.interface.notes.len(), before + 1, "{key:?}");
    }
}

#[test]
fn help_opens_by_alt_and_letter_unless_surfaces_are_hidden() {
    let mut harness = desk(Format::Md3);
    let about =
        |harness: &Harness<'static, Bench>| harness.query_by_role_and_label(Role::MenuItem, "About Maquette").is_some();
    harness.state_mut().session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    harness.key_press_modifiers(Modifiers::ALT, Key::H);
    assert_eq!(taken(&mut harness), [Action::Scene(SceneAction::ShowAllSurfaces)]);
    assert!(!about(&harness));
    harness.key_press_modifiers(Modifiers::ALT, Key::H);
    assert_eq!(taken(&mut harness), []);
    assert!(about(&harness));
}

#[test]
fn palette_finds_every_command_by_name() {
    let mut harness = desk(Format::Md3);
    for command in
        COMMANDS.iter().filter(|command| command.action != Action::Window(WindowAction::ToggleDialog(Dialog::Palette)))
    {
        find(&mut harness, command.label);
        let rows = names(&harness, Role::ListItem);
        let own = format!("{}, {}", command.label, command.group.label());
        assert!(
            rows.iter().any(|row| row.starts_with(&own) || row.ends_with(command.group.label())),
            "{own}: {rows:?}"
        );
        harness.key_press(Key::Escape);
        harness.run();
        if harness.state().session.interface.panels.dialog.is_some() {
            harness.key_press(Key::Escape);
            harness.run();
        }
        assert_eq!(harness.state().session.interface.panels.dialog, None, "{}", command.label);
    }
}

#[test]
fn unavailable_commands_say_why() {
    let mut harness = desk(Format::Md3);
    harness.key_press(Key::H);
    taken(&mut harness);
    let session = &mut harness.state_mut().session;
    assert_eq!(session.interface.notes.last().map(|note| note.text.as_str()), Some("Select a surface first"));
    for command in COMMANDS.iter() {
        if let Some(why) = command.why_not(session) {
            assert!(session.apply(command.action.clone()).is_none(), "{}", command.label);
            assert_eq!(session.interface.notes.last().map(|note| &note.text[..]), Some(&*why), "{}", command.label);
        }
    }
}

#[test]
fn palette_finds_named_views() {
    let mut harness = desk(Format::Md3);
    let session = &mut harness.state_mut().session;
    let text = "yaw 10, pitch 20".to_owned();
    session.preferences.views.insert("From the shelf".to_owned(), text.clone());
    find(&mut harness, "shelf");
    harness.key_press(Key::Enter);
    let look = Action::Camera(CameraAction::LookAs(text));
    assert_eq!(taken(&mut harness), [Action::Window(WindowAction::ToggleDialog(Dialog::Palette)), look]);
}

#[test]
fn enter_runs_first_palette_result() {
    let mut harness = desk(Format::Md3);
    find(&mut harness, "bounds");
    harness.key_press(Key::Enter);
    assert_eq!(
        taken(&mut harness),
        [
            Action::Window(WindowAction::ToggleDialog(Dialog::Palette)),
            Action::Display(DisplayAction::Toggle(OverlayKind::Bounds))
        ]
    );
    // Tags are found by name, and become visible.
    let tag = harness.state().session.asset().unwrap().model.tags()[0].clone();
    find(&mut harness, &tag);
    harness.key_press(Key::Enter);
    let focus = harness.state().session.document.focus.unwrap();
    let chosen = Action::Scene(SceneAction::SelectIn(focus, Selection::Tag(0)));
    assert_eq!(taken(&mut harness), [Action::Window(WindowAction::ToggleDialog(Dialog::Palette)), chosen]);
    assert!(harness.state().session.view.display.shows(OverlayKind::Tags));
    // A path opens the file. The dots of a command's label may be typed in different ways.
    find(&mut harness, "/models/pak0.pk3/box.md3");
    harness.key_press(Key::Enter);
    let opened = Action::File(FileAction::Open(vec!["/models/pak0.pk3/box.md3".into()]));
    assert_eq!(taken(&mut harness), [Action::Window(WindowAction::ToggleDialog(Dialog::Palette)), opened]);
    find(&mut harness, "export contact sheet...");
    harness.key_press(Key::Enter);
    let export = Action::Save(SaveAction::SaveContactSheet);
    assert_eq!(taken(&mut harness), [Action::Window(WindowAction::ToggleDialog(Dialog::Palette)), export]);
    harness.state_mut().session.apply(Action::Save(SaveAction::CloseSaving));
    find(&mut harness, "no such thing at all");
    harness.key_press(Key::Enter);
    assert_eq!(taken(&mut harness), []);
}

/// Returns the names of the results of a query.
fn found(harness: &mut Harness<'static, Bench>, text: &str) -> Vec<String> {
    find(harness, text);
    let mut rows = names(harness, Role::ListItem);
    // The inspector also has rows, but only palette rows contain a location.
    rows.retain(|row| row.contains(", "));
    for _ in 0..2 {
        harness.key_press(Key::Escape);
        harness.run();
    }
    rows
}

#[test]
fn empty_palette_begins_with_used_commands_and_selection() {
    let mut harness = desk(Format::Md3);
    assert_ne!(found(&mut harness, "")[0], "Open…, File");
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    assert_eq!(found(&mut harness, "")[0], "Toggle surface visibility, Edit");
    for query in ["log", "bounds"] {
        find(&mut harness, query);
        harness.key_press(Key::Enter);
        taken(&mut harness);
        harness.key_press(Key::Escape);
        harness.run();
    }
    assert_eq!(found(&mut harness, "")[..2], ["Bounds, Display", "Log, Help"]);
}

#[test]
fn palette_finds_commands_by_synonyms() {
    let mut harness = desk(Format::Md5);
    for (word, wanted) in [
        ("gif", "Export animation…"),
        ("video", "Export animation…"),
        ("turntable", "Export turntable…"),
        ("screenshot", "Save image…"),
        ("screen shot", "Save image…"),
        ("picture", "Copy image"),
        ("film", "Export animation…"),
        ("export", "Export model…"),
        ("gltf", "Export model…"),
        ("bones", "Joints"),
        ("skeleton", "Joints"),
        ("solo", "Isolate selected surface"),
        ("isolate", "Isolate selected surface"),
        ("culling", "Backfaces (cull / show / tint)"),
        ("reload", "Reload"),
        ("hotkeys", "Keyboard shortcuts"),
        ("shortcuts", "Keyboard shortcuts"),
        ("preferences", "Settings…"),
        ("background", "Background: Black"),
        ("colour", "Background: White"),
        ("fps", "Frame rate: 24 fps"),
        ("frames per second", "Frame rate: 24 fps"),
        ("uv", "Shading: UV checker"),
        ("wire", "Wireframe: Only"),
        ("dark", "Theme: Dark"),
        ("light theme", "Theme: Light"),
        ("fov 60", "Field of view: 60°"),
        ("blender", "Navigation: Blender"),
        ("ping", "Loop mode: Ping-pong"),
        ("speed 2", "Speed: 2.00×"),
        ("orthographic", "Projection: Orthographic"),
        ("in-game", "Lighting: In-game"),
        ("watch", "Reload files when they change on disk: off"),
        ("sample quake", "Sample model: MD2 — Quake II"),
        ("frame 12", "Go to frame 12"),
        // The letters are in order, with other letters between them.
        ("wfrm", "Wireframe"),
        ("expanim", "Export animation…"),
    ] {
        let rows = found(&mut harness, word);
        let start = format!("{wanted},");
        assert!(rows.iter().take(12).any(|row| row.starts_with(&start)), "{word}: {wanted} is not among {rows:?}");
    }
    let mut harness = desk(Format::Md3);
    for (word, wanted) in [("lod", "LOD: 1"), ("level of detail", "LOD: 0")] {
        let rows = found(&mut harness, word);
        assert!(rows.iter().any(|row| row.starts_with(wanted)), "{word}: {rows:?}");
    }
    assert_eq!(found(&mut harness, "qqzz"), [""; 0]);
    let rows = found(&mut harness, "scale model");
    assert!(rows[0].starts_with("Scale…, Model"), "a name with scattered letters is first: {rows:?}");
}

#[test]
fn unavailable_command_with_better_match_is_first_and_says_why() {
    let mut harness = desk(Format::Md3);
    let rows = found(&mut harness, "redo");
    assert_eq!(rows[0], "Redo, Edit: Nothing to redo");
    for (typed, first) in [("undo", "Undo, "), ("scale", "Scale…, "), ("stop comp", "Stop comparing, ")] {
        let rows = found(&mut harness, typed);
        assert!(rows[0].starts_with(first), "{typed}: {rows:?}");
    }
}

#[test]
fn palette_applies_drop_down_choices() {
    let mut harness = desk(Format::Md5);
    for (word, wanted) in [
        ("background white", Action::Display(DisplayAction::SetBackground(Background::Colour([0xff; 3])))),
        ("24 fps", Action::Clock(ClockAction::SetRate(Some(24.0)))),
        ("theme light", Action::Window(WindowAction::SetTheme(Some(ColourTheme::Light)))),
        ("bookmark", Action::Camera(CameraAction::SaveView("View 1".to_owned()))),
        ("reduce motion on", Action::Window(WindowAction::Prefer(Preference::ReducedMotion(true)))),
    ] {
        find(&mut harness, word);
        harness.key_press(Key::Enter);
        let close = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
        assert_eq!(taken(&mut harness), [close, wanted], "{word}");
    }
    assert!(harness.state().session.preferences.reduced_motion);
}

#[test]
fn palette_builds_no_strings_for_unlisted_models() {
    let mut session = showing(Format::Md3);
    session.model_list = (0..200_000)
        .map(|number| std::path::PathBuf::from(format!("/games/models/{number}/model{number}.md3")))
        .collect();
    let mut harness = bench(session, vec2(1280.0, 800.0));
    find(&mut harness, "model");
    let allocations = maquette_testing::memory::allocations_of(|| {
        harness.event(egui::Event::Text("1".to_owned()));
        harness.run();
    });
    let rows = names(&harness, Role::ListItem);
    assert!(rows.iter().any(|row| row.starts_with("model1.md3")), "{rows:?}");
    // Building a string for each model would take an allocation for each.
    assert!(allocations < 100_000, "{allocations} allocations");
}

#[test]
fn custom_shortcut_replaces_previous_command() {
    let mut harness = desk(Format::Md5);
    harness.key_press(Key::F1);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Change shortcut of Bounds").scroll_to_me();
    harness.run();
    click(&mut harness, Role::Button, "Change shortcut of Bounds");
    // The key was assigned to the grid before.
    harness.key_press(Key::G);
    let changed = taken(&mut harness);
    assert_eq!(
        changed,
        [
            Action::Window(WindowAction::SetKeys("display.grid", String::new())),
            Action::Window(WindowAction::SetKeys("display.bounds", "G".to_owned()))
        ]
    );
    harness.key_press(Key::Escape);
    harness.run();
    harness.state_mut().actions.clear();
    harness.key_press(Key::G);
    assert_eq!(taken(&mut harness), [Action::Display(DisplayAction::Toggle(OverlayKind::Bounds))]);
    harness.key_press(Key::X);
    assert_eq!(taken(&mut harness), []);
    harness.state_mut().session.apply(Action::Window(WindowAction::ResetKeys));
    harness.key_press(Key::X);
    assert_eq!(taken(&mut harness), [Action::Display(DisplayAction::Toggle(OverlayKind::Bounds))]);
}

#[test]
fn dialogs_block_shortcut_keys() {
    let mut harness = desk(Format::Md5);
    for sheet in [Dialog::Settings, Dialog::Log, Dialog::Hints] {
        harness.state_mut().session.apply(Action::Window(WindowAction::ToggleDialog(sheet)));
        harness.run();
        harness.state_mut().actions.clear();
        harness.key_press(Key::B);
        assert_eq!(taken(&mut harness), [], "{sheet:?}");
        harness.key_press(Key::Escape);
        assert_eq!(taken(&mut harness), [Action::Window(WindowAction::ToggleDialog(sheet))]);
    }
}

#[test]
fn settings_take_effect_at_once() {
    let mut harness = desk(Format::Md2);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::Comma);
    harness.run();
    harness.state_mut().actions.clear();
    let watch = Action::Window(WindowAction::Prefer(Preference::Watch(false)));
    assert_eq!(click(&mut harness, Role::CheckBox, "Reload files when they change on disk"), [watch]);
    let light = Action::Window(WindowAction::SetTheme(Some(ColourTheme::Light)));
    assert_eq!(click(&mut harness, Role::RadioButton, "Theme: Light"), [light]);
    let swap = Action::Window(WindowAction::Prefer(Preference::SwapPanels(true)));
    let before = harness.state().viewport;
    assert_eq!(click(&mut harness, Role::RadioButton, "Inspector: Left"), [swap]);
    assert!(harness.state().viewport.left() > before.left() + 200.0);
}

#[test]
fn notifications_stack_to_three_and_expire() {
    let mut harness = desk(Format::Md3);
    assert_eq!(names(&harness, Role::Alert), [] as [String; 0]);
    harness.state_mut().session.notify(NotificationKind::Done, "upper.md3 reloaded", "Camera and frame kept");
    harness.state_mut().session.note(NotificationKind::Done, "quietly done");
    harness.run();
    assert_eq!(names(&harness, Role::Alert), ["upper.md3 reloaded. Camera and frame kept"]);
    let toast = harness.get_by_role(Role::Alert).rect();
    assert!(harness.state().viewport.contains_rect(toast));
    harness.get_by_role_and_label(Role::Button, "Close message").click();
    harness.run();
    assert_eq!(names(&harness, Role::Alert), [] as [String; 0]);
    for number in 0..5 {
        harness.state_mut().session.note(NotificationKind::Warning, format!("odd {number}"));
    }
    harness.run();
    assert_eq!(names(&harness, Role::Alert).len(), 3, "more would hide the model");
    // More than ten seconds pass.
    harness.input_mut().time = Some(1000.0);
    harness.run();
    assert_eq!(names(&harness, Role::Alert), [] as [String; 0]);
}

#[test]
fn failed_save_offers_different_folder() {
    let mut harness = desk(Format::Md3);
    let session = &mut harness.state_mut().session;
    session.jobs.begin_work(OutputKind::Image, "Image", "");
    let text = "Not saved: the folder /home/someone/models/players/sarge/a folder of a long name does not exist";
    session.end_work(NotificationKind::Failed, text.to_owned(), None);
    harness.run();
    let toast = harness.get_by_role_and_label(Role::Alert, text).rect();
    assert!(toast.height() > 100.0 && harness.state().viewport.contains_rect(toast), "{toast:?}");
    let done = click(&mut harness, Role::Button, "Choose another place");
    assert_eq!(done, [Action::Save(SaveAction::SaveElsewhere(OutputKind::Image))]);
    assert_eq!(harness.state().session.jobs.saving.open, Some(OutputKind::Image));
    assert_eq!(names(&harness, Role::Alert), [] as [String; 0], "the notice is answered");
}

#[test]
fn written_file_offers_folder_and_path_copy() {
    let mut harness = desk(Format::Md3);
    let file = std::path::PathBuf::from("/pictures/sarge.png");
    let session = &mut harness.state_mut().session;
    session.jobs.begin_work(OutputKind::Image, "Image", "");
    session.end_work(NotificationKind::Done, "Saved /pictures/sarge.png".to_owned(), Some(file.clone()));
    harness.run();
    assert_eq!(
        click(&mut harness, Role::Button, "Show in folder"),
        [Action::File(FileAction::ShowInFolder(file.clone()))]
    );
    let copied = Action::Window(WindowAction::Copied(file.display().to_string()));
    assert_eq!(click(&mut harness, Role::Button, "Copy path"), [copied]);
}

#[test]
fn closing_model_updates_status_text() {
    let mut harness = desk(Format::Md3);
    let name = harness.state().session.name().unwrap().to_owned();
    harness.state_mut().session.apply(Action::File(FileAction::Close));
    harness.run();
    assert_eq!(names(&harness, Role::Status), [format!("Closed {name}; no model open")]);
}

#[test]
fn start_screen_offers_recent_files() {
    let mut session = Session::default();
    let path = std::path::PathBuf::from("/games/baseq3/pak0.pk3");
    session.preferences.add_recent(&path);
    let mut harness = bench(session, vec2(1280.0, 800.0));
    assert_eq!(click(&mut harness, Role::Button, "Open pak0.pk3"), [Action::File(FileAction::Open(vec![path]))]);
    assert_eq!(click(&mut harness, Role::Button, "Clear recent files"), [Action::File(FileAction::ForgetRecent)]);
    assert!(harness.query_by_role_and_label(Role::Button, "Open pak0.pk3").is_none());
}

#[test]
fn palette_numbers_equal_surface_names_and_skips_coarser_lods() {
    let mut harness = bench(
        session(Format::Md3, |model| {
            // Two surfaces with equal names, and one of a coarser LOD.
            let last = model.surfaces.len() - 1;
            assert!(last > 1);
            for index in [0, 1, last] {
                model.surfaces[index].name = "h_head".to_owned();
            }
            model.surfaces[last].lod = 1;
        }),
        vec2(1280.0, 800.0),
    );
    find(&mut harness, "h_head");
    let rows = names(&harness, Role::ListItem);
    let found: Vec<&String> = rows.iter().filter(|row| row.starts_with("h_head, ")).collect();
    assert_eq!(found, ["h_head, Surface 0 of umber.md3", "h_head, Surface 1 of umber.md3"]);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().session.document.selection, Selection::Surface(0));
}

#[test]
fn selection_mode_change_is_shown_in_status() {
    let mut harness = desk(Format::Md3);
    for (button, text) in
        [("Select triangles", "Clicks select triangles"), ("Select vertices", "Clicks select vertices")]
    {
        click(&mut harness, Role::Button, button);
        assert!(names(&harness, Role::Status).contains(&text.to_owned()), "{:?}", names(&harness, Role::Status));
    }
    harness.key_press(Key::S);
    harness.run();
    assert!(names(&harness, Role::Status).contains(&"Clicks select surfaces".to_owned()));
}

#[test]
fn undo_menu_row_names_the_step() {
    let mut harness = desk(Format::Md3);
    harness.state_mut().session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Edit").click();
    harness.run();
    assert_eq!(click(&mut harness, Role::MenuItem, "Undo: hide surface"), [Action::Scene(SceneAction::Undo)]);
    assert!(harness.state().session.entity().unwrap().visible[0]);
}

#[test]
fn slow_load_can_be_cancelled() {
    let mut session = showing(Format::Md3);
    session.jobs.loading = Some("pak0.pk3".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    assert!(harness.query_by_role_and_label(Role::Button, "Cancel").is_none());
    harness.input_mut().time = Some(100.0);
    harness.run();
    assert_eq!(click(&mut harness, Role::Button, "Cancel"), [Action::File(FileAction::CancelLoading)]);
    assert!(harness.state().session.jobs.loading.is_none() && harness.state().session.asset().is_some());
}

#[test]
fn dragged_panel_width_lasts_until_layout_reset() {
    let mut harness = desk(Format::Md3);
    let viewport = harness.state().viewport;
    // Point slightly inside the viewport, where no row covers the edge.
    let edge = egui::pos2(viewport.right() - 2.0, viewport.center().y);
    harness.hover_at(edge);
    harness.run();
    harness.drag_at(edge);
    harness.run();
    harness.hover_at(edge - vec2(60.0, 0.0));
    harness.run();
    harness.drop_at(edge - vec2(60.0, 0.0));
    harness.run();
    let width = harness.state().session.preferences.panels.inspector_width.unwrap();
    assert!((width - 348.0).abs() < 4.0, "288 and 60 more: {width}");
    harness.state_mut().session.apply(Action::Window(WindowAction::ResetLayout));
    harness.run();
    harness.run();
    assert!((harness.state().viewport.right() - viewport.right()).abs() < 1.0);
}

#[test]
fn save_dialog_blocks_shortcut_keys() {
    let mut harness = desk(Format::Md3);
    harness.key_press(Key::F12);
    harness.run();
    harness.state_mut().actions.clear();
    harness.key_press(Key::G);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::W);
    assert_eq!(taken(&mut harness), []);
    assert!(harness.state().session.asset().is_some());
}

#[test]
fn text_field_keeps_editing_shortcuts() {
    let mut harness = desk(Format::Md2);
    harness.get_by_role_and_label(Role::SpinButton, "Frame").click();
    harness.run();
    harness.state_mut().actions.clear();
    for key in [Key::W, Key::Z, Key::A] {
        harness.key_press_modifiers(Modifiers::COMMAND, key);
        assert_eq!(taken(&mut harness), [], "{key:?}");
    }
}

#[test]
fn default_shortcut_button_takes_key_back() {
    let mut harness = desk(Format::Md5);
    harness.state_mut().session.apply(Action::Window(WindowAction::SetKeys("display.grid", String::new())));
    harness.state_mut().session.apply(Action::Window(WindowAction::SetKeys("display.bounds", "G".to_owned())));
    harness.key_press(Key::F1);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Change shortcut of Grid").scroll_to_me();
    harness.run();
    click(&mut harness, Role::Button, "Change shortcut of Grid");
    harness.key_press(Key::Tab);
    assert_eq!(taken(&mut harness), [], "Tab moves the focus");
    let given = click(&mut harness, Role::Button, "Default");
    assert_eq!(
        given,
        [
            Action::Window(WindowAction::SetKeys("display.bounds", String::new())),
            Action::Window(WindowAction::SetKeys("display.grid", "G".to_owned()))
        ]
    );
}

#[test]
fn palette_opens_panel_in_narrow_window() {
    let mut harness = bench(showing(Format::Md5), vec2(780.0, 600.0));
    let before = harness.state().viewport.width();
    find(&mut harness, "inspector");
    harness.key_press(Key::Enter);
    harness.run();
    harness.run();
    assert!(harness.state().viewport.width() < before - 200.0);
}

#[test]
fn palette_finds_parts_by_name() {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let lower = folder.path().join("models/players/box/lower.md3");
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(&lower).unwrap());
    let head = session.document.scene.with_role(maquette_assets::open::Role::Head).unwrap().id;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    find(&mut harness, "head");
    click(&mut harness, Role::ListItem, "Head, Part, head.md3");
    assert_eq!(harness.state().session.document.focus, Some(head));
}

#[test]
fn palette_focuses_inspector_sections() {
    let focused = |harness: &Harness<'static, Bench>| {
        harness.query_by(|node| node.is_focused()).and_then(|node| node.accesskit_node().label()).unwrap_or_default()
    };
    for size in [vec2(1280.0, 800.0), vec2(780.0, 600.0)] {
        let mut harness = bench(showing(Format::Md5), size);
        find(&mut harness, "larger texture");
        harness.key_press(Key::Enter);
        harness.run();
        harness.run();
        // The sample uses one texture.
        assert!(focused(&harness).starts_with("umber.png: 512 × 512, "), "{size}: {}", focused(&harness));
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().session.interface.panels.dock, Some(DockTab::Texture), "{size}");
        assert!(!harness.state().session.document.selected_surfaces().is_empty());
    }
    let mut harness = desk(Format::Md3);
    find(&mut harness, "facts frames");
    harness.key_press(Key::Enter);
    harness.run();
    harness.run();
    assert_eq!(focused(&harness), "Model", "it has no rows");
}
