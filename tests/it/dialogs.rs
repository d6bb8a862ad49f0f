//! Guide, path dialogs without a system dialog, and requests of other programs.

use egui::{Key, Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette::ui;
use maquette_assets::open::open_sample;
use maquette_core::model::Format;
use maquette_scene::session::{
    Action, Effect, FileAction, FilePrompt, FolderListing, NotificationKind, OutputKind, SaveAction, Session,
    WindowAction,
};

use crate::support::panels::{Bench, bench, click, taken};

fn showing() -> Session {
    let mut session = Session::default();
    session.show(open_sample(Format::Md5).unwrap());
    session.apply(Action::Clock(maquette_scene::session::ClockAction::TogglePlay));
    session
}

#[test]
fn guide_opens_as_html_page_with_working_links() {
    let mut harness = bench(showing(), vec2(1280.0, 800.0));
    taken(&mut harness);
    harness.key_press_modifiers(egui::Modifiers::SHIFT, Key::F1);
    harness.run();
    assert_eq!(taken(&mut harness), [Action::Window(WindowAction::OpenGuideInBrowser)]);
    let mut session = showing();
    let effect = session.apply(Action::Window(WindowAction::OpenGuideInBrowser));
    assert!(matches!(effect, Some(Effect::OpenGuideInBrowser)));
    let pages: Vec<_> = ui::guide_pages().collect();
    assert_eq!(pages[0].0, "guide.html");
    // Links lead to pages and headings, and all images exist.
    for (name, page) in &pages {
        for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            if file.contains("://") {
                continue;
            }
            let file = if file.is_empty() { name } else { file };
            let (_, target) = pages.iter().find(|(known, _)| known == file).unwrap_or_else(|| panic!("{name}: {link}"));
            assert!(heading.is_empty() || target.contains(&format!("id=\"{heading}\"")), "{name}: {link}");
        }
        for file in page.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            assert!(
                ui::GUIDE_IMAGES.iter().any(|(known, bytes)| *known == file && !bytes.is_empty()),
                "{name}: {file}"
            );
        }
    }
}

#[test]
fn missing_browser_notification_offers_address_to_copy() {
    let mut harness = bench(showing(), vec2(1280.0, 800.0));
    let address = "file:///cache/maquette/guide/guide.html";
    harness.state_mut().session.notify_path(NotificationKind::Warning, "No browser available", address);
    harness.run();
    harness.get_by_role_and_label(Role::Button, "Copy").click();
    harness.step();
    let copied = harness
        .output()
        .platform_output
        .commands
        .iter()
        .any(|command| matches!(command, egui::OutputCommand::CopyText(text) if text == address));
    assert!(copied);
}

#[test]
fn load_failure_is_cleared_when_a_model_opens() {
    let mut session = showing();
    session.fail(&maquette_assets::open::open(std::path::Path::new("/nowhere/grunt.md3")).unwrap_err());
    assert!(session.interface.failure.is_some());
    session.show(open_sample(Format::Md2).unwrap());
    assert_eq!(session.interface.failure, None);
}

fn listing(folder: &str, names: &[&str]) -> FolderListing {
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    FolderListing { folder: folder.to_owned(), names, is_whole: true, ..FolderListing::default() }
}

#[test]
fn path_completion_extends_to_common_prefix() {
    let names = listing("/models/", &["Sarge/", "sarge.md3", "sargent.md3", "visor.md3", ".hidden"]);
    let completed = |typed: &str| names.completed(typed);
    assert_eq!(completed("/models/v").as_deref(), Some("/models/visor.md3"));
    // Completion ignores case and uses the spelling of the file.
    assert_eq!(completed("/models/SARGEN").as_deref(), Some("/models/sargent.md3"));
    assert_eq!(completed("/models/sargen").as_deref(), Some("/models/sargent.md3"));
    assert_eq!(completed("/models/s").as_deref(), Some("/models/Sarge"));
    assert_eq!(completed("/models/x"), None);
    assert_eq!(completed("/models/visor.md3"), None, "it is whole already");
    assert_eq!(completed("/other/v"), None, "another folder");
    assert_eq!(names.fitting("/models/").len(), 4, "hidden names wait for their dot");
    assert_eq!(names.fitting("/models/."), [".hidden"]);
}

#[test]
fn folder_listing_marks_subfolders_and_missing_folders() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("maps")).unwrap();
    std::fs::write(folder.path().join("Box.md3"), b"").unwrap();
    let typed = format!("{}{}", folder.path().display(), std::path::MAIN_SEPARATOR);
    let listing = FolderListing::read(&typed);
    assert_eq!(listing.folder, typed);
    assert_eq!(listing.names, ["Box.md3".to_owned(), format!("maps{}", std::path::MAIN_SEPARATOR)]);
    assert!(listing.is_whole && !listing.is_missing);
    let missing = FolderListing::read("/nowhere/at/all/");
    assert!(missing.names.is_empty() && missing.is_missing);
    // An archive is listed like a folder.
    let within = FolderListing::read(&format!("{typed}Box.md3/"));
    assert!(!within.is_missing && !within.is_whole);
}

#[test]
#[cfg(unix)]
fn path_dialog_reports_missing_file_before_enter() {
    let mut session = showing();
    session.ask_in_window(FilePrompt::Open, "", "/models/".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let names = ["box.md3", "animation.cfg", "pak0.pk3", "visor/"];
    harness.state_mut().session.interface.folder_listed(listing("/models/", &names));
    harness.run();
    let offered =
        |harness: &Harness<'static, Bench>, name: &str| harness.query_by_role_and_label(Role::ListItem, name).is_some();
    assert!(offered(&harness, "box.md3") && offered(&harness, "pak0.pk3") && offered(&harness, "visor/"));
    assert!(!offered(&harness, "animation.cfg"), "it is no model");
    taken(&mut harness);
    // The user continues from the offered folder.
    harness.event(egui::Event::Text("cube.md3".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), []);
    assert!(harness.query_by_label("File not found").is_some());
    harness.event(egui::Event::Text("x".to_owned()));
    harness.key_press(Key::Backspace);
    for _ in 0.."cube.md3".len() {
        harness.key_press(Key::Backspace);
    }
    harness.event(egui::Event::Text("animation.cfg".to_owned()));
    harness.run();
    assert!(harness.query_by_label("File not found").is_none());
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), [Action::File(FileAction::Open(vec!["/models/animation.cfg".into()]))]);
}

#[test]
#[cfg(unix)]
fn unique_name_prefix_opens_its_file() {
    let mut session = showing();
    session.ask_in_window(FilePrompt::Open, "", "/models/".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.state_mut().session.interface.folder_listed(listing("/models/", &["box.md3", "boat.md3", "visor/"]));
    harness.run();
    taken(&mut harness);
    // Two files share this prefix.
    harness.event(egui::Event::Text("bo".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), []);
    harness.event(egui::Event::Text("x".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), [Action::File(FileAction::Open(vec!["/models/box.md3".into()]))]);
}

#[test]
#[cfg(unix)]
fn tab_completes_path_and_click_picks_name() {
    let mut session = showing();
    session.ask_in_window(FilePrompt::Open, "", "/models/vi".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let asked = Action::File(FileAction::ReadFolder("/models/".to_owned()));
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), [asked]);
    harness.state_mut().session.interface.folder_listed(listing("/models/", &["box.md3", "visor/"]));
    harness.run();
    harness.key_press(Key::Tab);
    harness.run();
    // The completed folder is listed as well.
    let asked = Action::File(FileAction::ReadFolder("/models/visor/".to_owned()));
    assert_eq!(taken(&mut harness), [asked]);
    harness.state_mut().session.interface.folder_listed(listing("/models/visor/", &["head.md3", "lower.md3"]));
    harness.run();
    click(&mut harness, Role::ListItem, "lower.md3");
    let opened = Action::File(FileAction::Open(vec!["/models/visor/lower.md3".into()]));
    assert_eq!(click(&mut harness, Role::Button, "Open"), [opened]);
}

#[test]
#[cfg(unix)]
fn typed_absolute_path_replaces_offered_folder() {
    for (typed, meant) in [
        ("/models/", None),
        ("/models/visor", None),
        ("/models//home/a.md3", Some("/home/a.md3")),
        ("/models/~/a.md3", Some("~/a.md3")),
        ("/models/a~/b", None),
        ("/models//", None),
        ("/models/visor//home/a.md3", None),
        ("/other//home/a.md3", None),
        // The cursor is behind the first letter, before the offered suffix.
        ("/models//h", Some("/h")),
    ] {
        assert_eq!(maquette_scene::session::path_from_root(typed, "/models/"), meant, "{typed}");
    }
    let mut session = showing();
    session.ask_in_window(FilePrompt::Open, "", "/models/".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.event(egui::Event::Paste("/home/box.md3".to_owned()));
    harness.run();
    taken(&mut harness);
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(taken(&mut harness), [Action::File(FileAction::Open(vec!["/home/box.md3".into()]))]);
}

#[test]
#[cfg(unix)]
fn whole_path_typed_over_offered_name_replaces_line() {
    let typed = "/home/me/second.glb";
    let letters: Vec<egui::Event> = typed.chars().map(|letter| egui::Event::Text(letter.to_string())).collect();
    // Typed letter by letter, typed within one slow frame, and pasted.
    for events in [
        letters.iter().map(std::slice::from_ref).collect(),
        vec![letters.as_slice()],
        vec![&[egui::Event::Paste(typed.to_owned())]],
    ] {
        let events: Vec<&[egui::Event]> = events;
        let mut session = showing();
        session.ask_in_window(FilePrompt::Save(OutputKind::Model), "", "/models/sarge.glb".to_owned());
        let mut harness = bench(session, vec2(1280.0, 800.0));
        for frame in events {
            frame.iter().for_each(|event| harness.event(event.clone()));
            harness.run();
        }
        let field = harness.get_by_role_and_label(Role::TextInput, "Path");
        assert_eq!(field.value().as_deref(), Some(typed));
    }
    // For a bare name, the folder and the extension are kept.
    let mut session = showing();
    session.ask_in_window(FilePrompt::Save(OutputKind::Model), "", "/models/sarge.glb".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.event(egui::Event::Text("second".to_owned()));
    harness.run();
    let field = harness.get_by_role_and_label(Role::TextInput, "Path");
    assert_eq!(field.value().as_deref(), Some("/models/second.glb"));
    // An extension that is typed, too, counts once.
    let mut session = showing();
    session.ask_in_window(FilePrompt::Save(OutputKind::Model), "", "/models/sarge.glb".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.event(egui::Event::Text("third.glb".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    let path = std::path::PathBuf::from("/models/third.glb");
    let save = Action::Save(SaveAction::SaveTo { product: OutputKind::Model, path, replace: false });
    assert!(taken(&mut harness).contains(&save));
}

#[test]
fn keys_are_ignored_while_file_dialog_is_open() {
    let mut session = showing();
    session.interface.awaits_dialog = true;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    taken(&mut harness);
    for key in [Key::Num2, Key::G, Key::Space, Key::Enter, Key::Escape] {
        harness.key_press(key);
        harness.event(egui::Event::Text("g".to_owned()));
        assert_eq!(taken(&mut harness), [], "{key:?}");
    }
    // A second request still opens the field, and the field receives the keys.
    harness.state_mut().session.ask_in_window(FilePrompt::Save(OutputKind::Image), "", "/models/box.png".to_owned());
    // Enter arrived before the field was visible.
    harness.key_press(Key::Enter);
    harness.run();
    let saved = |action: &Action| matches!(action, Action::Save(_));
    assert!(!taken(&mut harness).iter().any(saved));
    harness.event(egui::Event::Text("crate".to_owned()));
    harness.run();
    let field = harness.get_by_role_and_label(Role::TextInput, "Path");
    assert_eq!(field.value().as_deref(), Some("/models/crate.png"));
    harness.key_press(Key::Enter);
    assert!(taken(&mut harness).iter().any(saved));
}

#[test]
fn existing_file_shows_replace_button_until_path_changes() {
    let mut session = showing();
    let (file, typed) = ("/models/box.md3".into(), "/models/box.md3".to_owned());
    session.ask_to_replace(OutputKind::File, file, typed);
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.run();
    taken(&mut harness);
    harness.get_by_label_contains("box.md3 already exists");
    assert!(harness.query_by_role_and_label(Role::Button, "Replace").is_some());
    // A different path saves without replacing a file.
    harness.event(egui::Event::Text("x".to_owned()));
    harness.run();
    harness.run();
    assert!(harness.query_by_role_and_label(Role::Button, "Replace").is_none());
}

#[test]
fn closed_question_does_not_confirm_a_later_save() {
    let mut session = showing();
    session.ask_to_replace(OutputKind::File, "/models/box.md3".into(), "/models/box.md3".to_owned());
    session.apply(Action::Window(WindowAction::ClosePathField));
    assert_eq!(session.jobs.saving.replace, None);
}

#[test]
#[cfg(unix)]
fn repeated_path_prompt_lists_names_again() {
    let mut session = showing();
    session.ask_in_window(FilePrompt::Compare, "No file dialog available", "/models/".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let asked = Action::File(FileAction::ReadFolder("/models/".to_owned()));
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), std::slice::from_ref(&asked));
    let answer = |harness: &mut Harness<'static, Bench>| {
        harness.state_mut().session.interface.folder_listed(listing("/models/", &["box.md3", "skin.tga", "visor/"]));
        harness.run();
        let offered = |name: &str| harness.query_by_role_and_label(Role::ListItem, name).is_some();
        assert!(offered("box.md3") && offered("visor/") && !offered("skin.tga"));
    };
    answer(&mut harness);
    // The user pressed the button twice before the system answered.
    harness.state_mut().session.ask_in_window(FilePrompt::Compare, "No file dialog available", "/models/".to_owned());
    assert_eq!(taken(&mut harness), [asked]);
    answer(&mut harness);
}

#[test]
#[cfg(unix)]
fn arrow_keys_move_through_all_offered_names() {
    let mut session = showing();
    session.ask_in_window(FilePrompt::Compare, "", "/models/".to_owned());
    let mut harness = bench(session, vec2(1280.0, 800.0));
    let names: Vec<String> = (0..9).map(|number| format!("{number}.md3")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    harness.state_mut().session.interface.folder_listed(listing("/models/", &names));
    harness.run();
    for name in &names {
        harness.key_press(Key::ArrowDown);
        harness.run();
        let focused = harness.get_by(|node| node.is_focused());
        assert_eq!(focused.accesskit_node().label().as_deref(), Some(*name));
        // The list shows five rows.
        let (row, last) = (focused.rect(), harness.get_by_role_and_label(Role::Button, "Compare").rect());
        assert!(row.bottom() < last.top(), "{name} is in sight: {row}");
    }
    harness.key_press(Key::Enter);
    harness.run();
    let field = harness.get_by_role_and_label(Role::TextInput, "Path");
    assert_eq!(field.value().as_deref(), Some("/models/8.md3"));
}
