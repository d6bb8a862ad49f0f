//! Panels without a window: controls are found by name and role, clicked, and measured at every size.

use std::path::PathBuf;

use egui::{Color32, Key, Modifiers, Rect, Role, Vec2, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette::ui;
use maquette::ui::theme::{DARK, LIGHT, Tokens};
use maquette_assets::open::{open_sample, sample_formats};
use maquette_core::model::{Clip, ClipSource, Format, ModelParts};
use maquette_core::pose::Repeat;
use maquette_scene::scene::ClipChoice;
use maquette_scene::scene::{ColourTheme, OverlayKind, StandardView};
use maquette_scene::session::{
    Action, COMMANDS, CameraAction, ClockAction, Dialog, DisplayAction, FileAction, FilePrompt, SaveAction,
    SceneAction, Selection, Session, SidePanel, TimelineAction, WindowAction, WindowState,
};

use crate::support::panels::{Bench, bench, click, desk, session, showing, taken};

#[test]
fn loop_mode_is_chosen_from_a_list() {
    let mut harness = desk(Format::Md5);
    assert_eq!(click(&mut harness, Role::Button, "Loop mode: from clip"), []);
    let chosen = Action::Clock(ClockAction::SetRepeat(Repeat::PingPong));
    assert_eq!(click(&mut harness, Role::MenuItemCheckBox, "Ping-pong"), [chosen]);
    assert_eq!(harness.state().session.playback().repeat, Repeat::PingPong);
    click(&mut harness, Role::Button, "Loop mode: ping-pong");
    assert_eq!(
        click(&mut harness, Role::MenuItemCheckBox, "Once"),
        [Action::Clock(ClockAction::SetRepeat(Repeat::Once))]
    );
    // The next model plays as its clips specify.
    let session = &mut harness.state_mut().session;
    session.show(open_sample(Format::Md3).unwrap());
    assert_eq!(session.playback().repeat, Repeat::Loop);
}

#[test]
fn alt_with_a_letter_opens_the_menu() {
    let mut harness = desk(Format::Md3);
    for (key, row) in [(Key::F, "Quit"), (Key::V, "Frame all")] {
        harness.key_press_modifiers(egui::Modifiers::ALT, key);
        harness.run();
        let is_row = |label: String| label.starts_with(row);
        assert!(harness.query_all_by(|node| node.label().is_some_and(is_row)).next().is_some(), "{row}");
        harness.key_press(Key::Escape);
        harness.run();
    }
}

#[test]
fn buttons_found_by_name_apply_their_actions() {
    let mut harness = desk(Format::Md5);
    for (name, action) in [
        ("Play", Action::Clock(ClockAction::TogglePlay)),
        ("Pause", Action::Clock(ClockAction::TogglePlay)),
        ("First frame", Action::Clock(ClockAction::ClipStart)),
        ("Next frame", Action::Clock(ClockAction::Step(1))),
        ("Previous frame", Action::Clock(ClockAction::Step(-1))),
        ("Last frame", Action::Clock(ClockAction::ClipEnd)),
        ("Reverse playback", Action::Clock(ClockAction::Reverse)),
        ("Interpolate frames", Action::Clock(ClockAction::ToggleInterpolation)),
        ("Grid", Action::Display(DisplayAction::Toggle(OverlayKind::Grid))),
        ("Wireframe", Action::Display(DisplayAction::CycleWireframe)),
        ("Joints", Action::Display(DisplayAction::Toggle(OverlayKind::Joints))),
        ("Bounds", Action::Display(DisplayAction::Toggle(OverlayKind::Bounds))),
        ("Frame all", Action::Camera(CameraAction::FrameModel)),
        ("Light theme", Action::Window(WindowAction::SetTheme(Some(ColourTheme::Light)))),
        ("Top view", Action::Camera(CameraAction::LookFrom(StandardView::Top))),
        ("Files", Action::Window(WindowAction::TogglePanel(SidePanel::Files))),
        // This button comes last, because its dialog covers the other buttons.
        ("Save image", Action::Save(SaveAction::SaveImage)),
    ] {
        assert_eq!(click(&mut harness, Role::Button, name), [action], "{name}");
    }
}

#[test]
fn menus_contain_every_command_and_sample() {
    let mut harness = desk(Format::Md2);
    for command in COMMANDS.iter() {
        harness.get_by_role_and_label(Role::Button, command.group.label()).click();
        harness.run();
        if let Some(submenu) = command.submenu {
            harness.get_by_role_and_label(Role::MenuItem, submenu).click();
            harness.run();
        }
        let rows: Vec<_> =
            harness.get_all_by_label(command.label).filter(|node| is_menu_row(node.accesskit_node().role())).collect();
        assert_eq!(rows.len(), 1, "{}", command.label);
        harness.key_press(Key::Escape);
        harness.run();
    }
    harness.get_by_role_and_label(Role::Button, "File").click();
    harness.run();
    harness.get_by_role_and_label(Role::MenuItem, "Sample models").click();
    harness.run();
    assert_eq!(
        click(&mut harness, Role::MenuItem, "MDC — Return to Castle Wolfenstein"),
        [Action::File(FileAction::OpenSample(Format::Mdc))]
    );
}

#[test]
fn arrow_keys_step_through_menu_bar() {
    let mut harness = desk(Format::Md3);
    let press = |harness: &mut Harness<'static, Bench>, key| {
        harness.key_press(key);
        harness.run();
    };
    let shows = |harness: &Harness<'static, Bench>, row| {
        harness.query_all_by_label(row).any(|node| is_menu_row(node.accesskit_node().role()))
    };
    harness.get_by_role_and_label(Role::Button, "File").click();
    harness.run();
    taken(&mut harness);
    press(&mut harness, Key::ArrowRight);
    assert!(shows(&harness, "Undo") && !shows(&harness, "Sample models"), "right of File is Edit");
    press(&mut harness, Key::ArrowLeft);
    assert!(shows(&harness, "Sample models") && !shows(&harness, "Undo"), "left of Edit is File");
    press(&mut harness, Key::ArrowLeft);
    assert!(shows(&harness, "Keyboard shortcuts"), "left of File is Help");
    press(&mut harness, Key::ArrowRight);
    // The keys also work from a row. A submenu handles both keys itself.
    press(&mut harness, Key::ArrowDown);
    press(&mut harness, Key::ArrowRight);
    assert!(shows(&harness, "Undo"));
    press(&mut harness, Key::ArrowLeft);
    harness.get_by_role_and_label(Role::MenuItem, "Sample models").focus();
    harness.run();
    press(&mut harness, Key::ArrowRight);
    assert!(shows(&harness, "MD2 — Quake II") && shows(&harness, "Sample models"));
    press(&mut harness, Key::ArrowLeft);
    assert!(!shows(&harness, "MD2 — Quake II") && shows(&harness, "Sample models"));
    assert_eq!(taken(&mut harness), [], "nothing is done underneath");
}

#[test]
fn arrow_keys_and_enter_choose_a_row_of_a_menu_opened_by_the_pointer() {
    let mut harness = desk(Format::Md3);
    let press = |harness: &mut Harness<'static, Bench>, key| {
        harness.key_press(key);
        harness.run();
    };
    let focused = |harness: &Harness<'static, Bench>| {
        harness.query_by(|node| node.is_focused()).and_then(|node| node.accesskit_node().label())
    };
    let surface = harness.state().session.entity().unwrap().surface_name(0);
    for is_context in [false, true] {
        match is_context {
            true => harness.query_all_by_role_and_label(Role::ListItem, &surface).next().unwrap().click_secondary(),
            false => harness.get_by_role_and_label(Role::Button, "Shading").click(),
        }
        harness.run();
        taken(&mut harness);
        press(&mut harness, Key::ArrowDown);
        let first = focused(&harness);
        press(&mut harness, Key::ArrowDown);
        let second = focused(&harness);
        assert!(first.is_some() && second.is_some() && first != second, "{first:?} {second:?}");
        press(&mut harness, Key::ArrowUp);
        assert_eq!(focused(&harness), first);
        press(&mut harness, Key::ArrowDown);
        assert_eq!(taken(&mut harness), [], "nothing is done underneath");
        press(&mut harness, Key::Enter);
        assert_eq!(taken(&mut harness).len(), 1, "{second:?}");
    }
}

fn is_menu_row(role: Role) -> bool {
    matches!(role, Role::MenuItem | Role::MenuItemCheckBox)
}

#[test]
fn shortcut_dialog_lists_all_commands_and_searches_by_key() {
    let mut harness = desk(Format::Md3);
    harness.key_press(Key::F1);
    harness.run();
    for command in COMMANDS.iter() {
        assert!(
            harness.query_all_by_label(command.label).any(|node| node.accesskit_node().role() == Role::MenuItem),
            "{}",
            command.label
        );
    }
    harness.get_by_role_and_label(Role::TextInput, "Search commands and keys").type_text("pagedown");
    harness.run();
    let rows: Vec<_> =
        harness.get_all_by_role(Role::MenuItem).filter_map(|node| node.accesskit_node().label()).collect();
    assert_eq!(rows, ["Next model", "Next model with a problem"]);
}

#[test]
fn keys_trigger_commands_except_in_text_fields() {
    let mut harness = desk(Format::Md2);
    for (modifiers, key, action) in [
        (Modifiers::NONE, Key::Space, Action::Clock(ClockAction::TogglePlay)),
        (Modifiers::NONE, Key::ArrowRight, Action::Clock(ClockAction::Step(1))),
        (Modifiers::SHIFT, Key::ArrowLeft, Action::Clock(ClockAction::Step(-10))),
        (Modifiers::COMMAND, Key::ArrowLeft, Action::Clock(ClockAction::ClipStart)),
        (Modifiers::NONE, Key::N, Action::Display(DisplayAction::Toggle(OverlayKind::VertexNormals))),
        (Modifiers::SHIFT, Key::N, Action::Display(DisplayAction::Toggle(OverlayKind::FaceNormals))),
        (Modifiers::COMMAND, Key::O, Action::File(FileAction::Ask(FilePrompt::Open))),
        (Modifiers::NONE, Key::Num7, Action::Camera(CameraAction::LookFrom(StandardView::Top))),
        (Modifiers::SHIFT, Key::Questionmark, Action::Window(WindowAction::ToggleDialog(Dialog::Help))),
    ] {
        harness.key_press_modifiers(modifiers, key);
        assert_eq!(taken(&mut harness), [action], "{modifiers:?} {key:?}");
    }
    // A button that was clicked does not keep the keyboard focus.
    harness.key_press(Key::Escape);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Grid").click();
    harness.run();
    harness.state_mut().actions.clear();
    harness.key_press(Key::Space);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::TogglePlay)]);
    harness.key_press(Key::F1);
    harness.run();
    harness.state_mut().actions.clear();
    // The shortcut dialog is open, and its field has the focus.
    harness.key_press(Key::N);
    harness.key_press(Key::ArrowRight);
    assert_eq!(taken(&mut harness), []);
    harness.key_press(Key::Escape);
    assert_eq!(taken(&mut harness), [Action::Window(WindowAction::ToggleDialog(Dialog::Help))]);
    harness.key_press(Key::Escape);
    assert_eq!(taken(&mut harness), [], "Escape never quits");
}

#[test]
fn h_key_hides_selected_surface_and_eye_shows_it() {
    let mut harness = desk(Format::Md3);
    let name = harness.state().session.asset().unwrap().model.surfaces()[0].name.clone();
    assert_eq!(click(&mut harness, Role::ListItem, &name), [Action::Scene(SceneAction::Select(Selection::Surface(0)))]);
    harness.key_press(Key::H);
    assert_eq!(taken(&mut harness), [Action::Scene(SceneAction::ToggleChosenSurface)]);
    assert_eq!(
        click(&mut harness, Role::CheckBox, &format!("Show {name}")),
        [Action::Scene(SceneAction::ShowSurface(0, true))]
    );
}

#[test]
fn clicked_clip_is_chosen_without_changing_playback() {
    let mut harness = desk(Format::Md2);
    let plays = harness.state().session.is_playing();
    let part = harness.state().session.asset().unwrap();
    let name = part.model.clips()[1].name.clone();
    assert_eq!(
        click(&mut harness, Role::ListItem, &name),
        [Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(1)))]
    );
    assert_eq!(harness.state().session.is_playing(), plays);
    harness.state_mut().session.apply(Action::Clock(ClockAction::TogglePlay));
    let name = harness.state().session.asset().unwrap().model.clips()[0].name.clone();
    click(&mut harness, Role::ListItem, &name);
    assert_eq!(harness.state().session.is_playing(), !plays);
}

#[test]
fn ruler_seeks_whole_frames_and_fractions_with_shift() {
    let mut harness = desk(Format::Md2);
    let ruler = harness.get_by_role_and_label(Role::Slider, "Frame").rect();
    let position = pos2(ruler.left() + ruler.width() * 0.31234, ruler.center().y);
    harness.drag_at(position);
    let actions = taken(&mut harness);
    assert!(
        matches!(actions.as_slice(), [Action::Clock(ClockAction::Seek(frame))] if frame.fract() == 0.0),
        "{actions:?}"
    );
    harness.drop_at(position);
    harness.run();
    harness.state_mut().actions.clear();
    // The pointer is not on the flag, which would keep its distance from the pointer.
    let between = pos2(ruler.left() + ruler.width() * 0.61234, ruler.bottom() - 1.0);
    harness.hover_at(between);
    let button = |pressed| egui::Event::PointerButton {
        pos: between,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::SHIFT,
    };
    harness.event_modifiers(button(true), egui::Modifiers::SHIFT);
    harness.event_modifiers(button(false), egui::Modifiers::SHIFT);
    let actions = taken(&mut harness);
    assert!(
        matches!(actions.first(), Some(Action::Clock(ClockAction::Seek(frame))) if frame.fract() > 0.0),
        "{actions:?}"
    );
    harness.key_press(Key::Semicolon);
    harness.run();
    harness.drag_at(position);
    let actions = taken(&mut harness);
    assert!(
        matches!(actions.last(), Some(Action::Clock(ClockAction::Seek(frame))) if frame.fract() == 0.0),
        "{actions:?}"
    );
}

#[test]
fn frame_field_seeks_typed_number() {
    let mut harness = desk(Format::Md2);
    harness.get_by_role_and_label(Role::SpinButton, "Frame").click();
    harness.run();
    harness.event(egui::Event::Text("2.5".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::Seek(2.5))]);
}

#[test]
fn dragging_in_viewport_orbits_camera() {
    let mut harness = desk(Format::Md5);
    let middle = harness.state().viewport.center();
    harness.drag_at(middle);
    harness.run();
    harness.hover_at(middle + vec2(30.0, 10.0));
    let actions = taken(&mut harness);
    assert!(
        matches!(actions.as_slice(), [Action::Camera(CameraAction::Orbit(yaw, pitch))] if *yaw < 0.0 && *pitch > 0.0),
        "{actions:?}"
    );
}

#[test]
fn load_error_is_shown_and_close_button_removes_it() {
    let mut session = showing(Format::Md3);
    session.fail(&maquette_assets::open::open(&PathBuf::from("/nowhere/grunt.md3")).unwrap_err());
    let mut harness = bench(session, vec2(640.0, 480.0));
    assert!(harness.query_all_by_label_contains("Could not open grunt.md3").next().is_some());
    let file = PathBuf::from("/nowhere/grunt.md3");
    assert_eq!(click(&mut harness, Role::Button, "Show in folder"), [Action::File(FileAction::ShowInFolder(file))]);
    assert_eq!(click(&mut harness, Role::Button, "Close message"), [Action::File(FileAction::CloseError)]);
    harness.key_press(Key::Escape);
    assert_eq!(taken(&mut harness), []);
}

#[test]
fn error_strip_leaves_viewport_unchanged() {
    let session = showing(Format::Md3);
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let before = harness.state().viewport;
    // A file that does not exist has no bytes to show.
    let error = maquette_assets::open::open(&PathBuf::from("/nowhere/grunt.md3")).unwrap_err();
    harness.state_mut().session.fail(&error);
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Button, "Show bytes").is_none());
    let folder = tempfile::tempdir().unwrap();
    let rubbish = folder.path().join("grunt.md3");
    std::fs::write(&rubbish, b"IDP3").unwrap();
    let error = maquette_assets::open::open(&rubbish).unwrap_err();
    harness.state_mut().session.fail(&error);
    harness.run();
    assert_eq!(harness.state().viewport, before);
    let rects = ["Copy details", "Show bytes", "Show in folder"]
        .map(|name| harness.get_by_role_and_label(Role::Button, name).rect());
    assert!(rects.iter().all(|rect| before.contains_rect(*rect) && rect.top() == rects[0].top()), "{rects:?}");
    // A drag on the strip does not orbit.
    let at = before.center_top() + vec2(0.0, 12.0);
    harness.drag_at(at);
    harness.run();
    harness.hover_at(at + vec2(30.0, 10.0));
    assert_eq!(taken(&mut harness), []);
}

#[test]
fn start_screen_offers_files_folders_and_samples() {
    let mut harness = bench(Session::default(), vec2(1280.0, 800.0));
    assert_eq!(click(&mut harness, Role::Button, "Open file"), [Action::File(FileAction::Ask(FilePrompt::Open))]);
    assert_eq!(
        click(&mut harness, Role::Button, "Open folder"),
        [Action::File(FileAction::Ask(FilePrompt::OpenFolder))]
    );
    harness.get_by_role_and_label(Role::Button, "Sample models").click();
    harness.run();
    assert_eq!(
        click(&mut harness, Role::MenuItem, "MD5 — Doom 3"),
        [Action::File(FileAction::OpenSample(Format::Md5))]
    );
}

#[test]
fn small_window_folds_menus_and_opens_panel_on_request() {
    let mut harness = bench(showing(Format::Md5), vec2(640.0, 480.0));
    assert!(harness.query_by_role_and_label(Role::Heading, "Inspector").is_none());
    let before = harness.state().viewport.width();
    assert_eq!(click(&mut harness, Role::Button, "Inspector"), [], "the small window decides by itself");
    assert!(harness.state().viewport.width() < before - 240.0);
    assert!(harness.state().viewport.width() >= 320.0);
    harness.get_by_role_and_label(Role::Button, "Menu").click();
    harness.run();
    for group in ["File", "View", "Display", "Animation", "Help"] {
        harness.get_by_role_and_label(Role::MenuItem, group);
    }
}

/// Whether a control can be clicked or typed into.
fn is_control(role: Role) -> bool {
    matches!(role, Role::Button | Role::SpinButton | Role::TextInput)
}

#[test]
fn bar_controls_fit_and_never_overlap_at_any_size() {
    for format in sample_formats() {
        for size in [[640.0, 480.0], [720.0, 560.0], [820.0, 600.0], [1024.0, 640.0], [1280.0, 800.0], [2560.0, 1440.0]]
        {
            for both_panels in [false, true] {
                let mut session = showing(format);
                session.interface.panels.files = both_panels;
                let size = Vec2::from(size);
                let harness = bench(session, size);
                let screen = Rect::from_min_size(pos2(0.0, 0.0), size);
                let viewport = harness.state().viewport;
                assert!(viewport.width() >= 320.0 && viewport.height() >= 200.0, "{format} {size}: {viewport}");
                let controls: Vec<(String, Rect)> = harness
                    .root()
                    .children_recursive()
                    .filter(|node| is_control(node.accesskit_node().role()))
                    .map(|node| (node.accesskit_node().label().unwrap_or_default(), node.rect()))
                    // Axis buttons may overlap, like the axes.
                    .filter(|(name, _)| !name.ends_with(" view"))
                    .collect();
                assert!(controls.len() > 12);
                for (index, (name, rect)) in controls.iter().enumerate() {
                    assert!(screen.expand(0.5).contains_rect(*rect), "{format} {size}: {name} at {rect}");
                    for (other, other_rect) in controls.iter().skip(index + 1) {
                        assert!(
                            !rect.shrink(0.5).intersects(other_rect.shrink(0.5)),
                            "{format} {size}: {name} at {rect} over {other} at {other_rect}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn tiny_windows_draw_without_panic() {
    for size in [[0.0, 0.0], [1.0, 1.0], [40.0, 30.0], [200.0, 100.0], [330.0, 900.0], [2000.0, 60.0]] {
        for mut session in [showing(Format::Md5), Session::default()] {
            session.interface.panels.files = true;
            session.interface.panels.dialog = Some(Dialog::Help);
            session.apply(Action::Scene(SceneAction::Select(Selection::Joint(0))));
            session.fail(&maquette_assets::open::open(&PathBuf::from("/nowhere/grunt.md3")).unwrap_err());
            bench(session, Vec2::from(size));
        }
    }
}

#[test]
fn idle_window_requests_no_frames() {
    for size in [vec2(640.0, 480.0), vec2(1280.0, 800.0)] {
        for mut harness in [bench(showing(Format::Md5), size), bench(Session::default(), size)] {
            harness.run();
            harness.step();
            let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
            assert!(delay > std::time::Duration::from_secs(60), "{delay:?}");
        }
    }
}

fn luminance(colour: Color32) -> f32 {
    let linear = |value: u8| {
        let value = f32::from(value) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(colour.r()) + 0.7152 * linear(colour.g()) + 0.0722 * linear(colour.b())
}

/// Returns the contrast ratio of WCAG 2, from 1 to 21.
fn contrast(a: Color32, b: Color32) -> f32 {
    let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
    a.max(b) / a.min(b)
}

#[test]
fn text_colours_meet_contrast_ratios() {
    for tokens in [&DARK, &LIGHT] {
        let Tokens { panel, bar, field, raised, hover, pop, selected, .. } = tokens;
        for (name, ground) in [
            ("panel", panel),
            ("bar", bar),
            ("field", field),
            ("raised", raised),
            ("hover", hover),
            ("pop", pop),
            ("selected", selected),
        ] {
            assert!(contrast(tokens.text, *ground) >= 7.0, "{:?} text on {name}", tokens.theme);
            assert!(contrast(tokens.text2, *ground) >= 4.5, "{:?} second text on {name}", tokens.theme);
        }
        for ground in [panel, bar, field, pop] {
            for status in [tokens.warn, tokens.error, tokens.link] {
                assert!(contrast(status, *ground) >= 4.5, "{:?}", tokens.theme);
            }
            assert!(contrast(tokens.text3, *ground) >= 3.0, "{:?}", tokens.theme);
            assert!(contrast(tokens.accent, *ground) >= 4.5, "{:?}", tokens.theme);
        }
        assert!(contrast(tokens.on_accent, tokens.accent_fill) >= 4.5);
        for colour in tokens.clips {
            let [rest, current] = tokens.clip_fill.map(|share| ui::theme::mix(tokens.field, colour, share));
            assert!(contrast(tokens.text, rest) >= 7.0);
            assert!(contrast(tokens.text, current) >= 4.5);
            assert!(contrast(colour, tokens.field) >= 3.0);
        }
    }
}

#[test]
fn letters_in_open_menu_focus_rows_without_commands() {
    let mut harness = desk(Format::Md3);
    harness.get_by_role_and_label(Role::Button, "View").click();
    harness.run();
    let type_letters = |harness: &mut Harness<'static, Bench>, letters: &str| {
        for letter in letters.chars() {
            let key = Key::from_name(&letter.to_uppercase().to_string()).unwrap();
            harness.key_press(key);
            harness.event(egui::Event::Text(letter.to_string()));
            harness.run_steps(2);
        }
    };
    // N, A and T are shortcuts for normals, tags and shading.
    taken(&mut harness);
    type_letters(&mut harness, "pers");
    assert_eq!(taken(&mut harness), [], "nothing fires underneath");
    let focused = harness.get_by(|node| node.is_focused());
    assert!(focused.accesskit_node().label().unwrap().to_lowercase().contains("pers"), "{focused:?}");
}

#[test]
fn long_clip_menu_filters_by_typing() {
    let clip = |number: u32| Clip::new(format!("clip_{number:06}"), 0, 1, 10.0, ClipSource::FrameNames);
    let many = |model: &mut ModelParts| model.clips = (0..50_000).map(clip).collect();
    let mut harness = bench(session(Format::Md2, many), vec2(1280.0, 800.0));
    click(&mut harness, Role::Button, "Clip");
    let rows = |harness: &Harness<'static, Bench>| harness.query_all_by_role(Role::MenuItemCheckBox).count();
    assert!((10..60).contains(&rows(&harness)), "only rows in sight are made: {}", rows(&harness));
    // The filter field has the focus.
    assert_eq!(harness.get_by(|node| node.is_focused()).accesskit_node().role(), Role::TextInput);
    // N and A are shortcuts.
    harness.event(egui::Event::Text("31 _0412".to_owned()));
    harness.run();
    assert_eq!(rows(&harness), 1);
    harness.get_by_role_and_label(Role::MenuItemCheckBox, "clip_041231");
    taken(&mut harness);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::ChooseClip(ClipChoice::Clip(41_231)))]);
    assert_eq!(rows(&harness), 0, "chosen, it is closed");
}

#[test]
fn go_to_frame_focuses_frame_field() {
    let mut harness = desk(Format::Md2);
    harness.state_mut().session.apply(Action::Timeline(TimelineAction::EnterFrame));
    harness.run();
    harness.event(egui::Event::Text("3.5".to_owned()));
    harness.run();
    taken(&mut harness);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), [Action::Clock(ClockAction::Seek(3.5))]);
}

#[test]
fn new_model_plays_forwards_again() {
    let mut harness = desk(Format::Md2);
    let session = &mut harness.state_mut().session;
    session.apply(Action::Clock(ClockAction::SetSpeed(-0.5)));
    session.show(open_sample(Format::Md3).unwrap());
    assert_eq!(session.playback().speed, 0.5);
}

#[test]
fn camera_menu_looks_from_standard_views() {
    let mut harness = desk(Format::Md2);
    click(&mut harness, Role::Button, "Projection");
    click(&mut harness, Role::MenuItem, "View from");
    let left = Action::Camera(CameraAction::LookFrom(StandardView::Left));
    assert_eq!(click(&mut harness, Role::MenuItem, "Left"), [left]);
    harness.state_mut().session.apply(Action::Camera(CameraAction::ToggleProjection));
    harness.state_mut().session.advance(10.0);
    assert_eq!(harness.state().session.view.camera.standard_view(), Some(StandardView::Left));
    harness.state_mut().session.apply(Action::Camera(CameraAction::Orbit(1.0, 0.0)));
    assert_eq!(harness.state().session.view.camera.standard_view(), None);
}

#[test]
fn first_start_hints_disappear_after_first_use() {
    let mut harness = desk(Format::Md3);
    assert!(harness.query_by_label("Drop a model").is_some());
    assert!(harness.state().session.interface.panels.dialog.is_none(), "no dialog covers the model");
    let facts = |is_used: bool| WindowState {
        viewport: [640, 480],
        pixels_per_point: 1.0,
        aspect: 4.0 / 3.0,
        timeline: 600.0,
        longest_side: 8192,
        theme: ColourTheme::Dark,
        is_used,
    };
    harness.state_mut().session.update_window_state(facts(false));
    harness.run();
    assert!(harness.query_by_label("Drop a model").is_some());
    harness.state_mut().session.update_window_state(facts(true));
    harness.run();
    assert!(harness.query_by_label("Drop a model").is_none());
}
