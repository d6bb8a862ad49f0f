//! Damaged files in the window: the message offers the recoverable part.

use egui::accesskit::Role;
use egui::vec2;
use maquette_core::model::Model;
use maquette_scene::session::{Action, FileAction, NotificationKind, Session};

use crate::support::loading::act;
use crate::support::panels::{bench, click, taken};
use maquette_testing::bytes::with_i32;
use maquette_testing::files::{Md3, Mdc};

/// Returns the numbers of surfaces, triangles of the first surface, frames and tags.
fn counts(model: &Model) -> [usize; 4] {
    let triangles = model.surfaces().first().map_or(0, |surface| surface.triangles.len());
    [model.surfaces().len(), triangles, model.frames().len(), model.tags().len()]
}

#[test]
fn damaged_file_message_offers_intact_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.md3");
    let sound = Md3::typical().build();
    std::fs::write(&path, with_i32(&sound, 4, 14)).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.clone()])));
    assert!(session.asset().is_none() && session.interface.failure.as_ref().is_some_and(|it| it.is_damaged));
    let mut harness = bench(session, vec2(1000.0, 800.0));
    let done = click(&mut harness, Role::Button, "Open recoverable part");
    let wanted = Action::File(FileAction::Salvage(path.clone()));
    assert_eq!(done, std::slice::from_ref(&wanted));
    // The palette finds the command as well.
    harness.key_press_modifiers(egui::Modifiers::COMMAND, egui::Key::K);
    harness.run();
    harness.event(egui::Event::Text("damaged".to_owned()));
    harness.run();
    harness.key_press(egui::Key::Enter);
    assert_eq!(taken(&mut harness).last(), Some(&wanted));

    let mut session = Session::default();
    act(&mut session, wanted);
    assert_eq!(session.interface.failure, None);
    let asset = session.asset().unwrap();
    assert!(asset.salvaged);
    assert_eq!(counts(&asset.model), [1, 1, 2, 1]);
    let first = session.document.issues[0].to_string();
    assert!(first.starts_with("MD3: version at byte 0x4: version 14"), "{first}");
    assert!(session.interface.notes.iter().any(|note| note.kind == NotificationKind::Warning), "it is told");

    // A file saved with other damage is salvaged again. If salvage fails, the shown model stays.
    std::fs::write(&path, with_i32(&sound, 4, 16)).unwrap();
    act(&mut session, Action::File(FileAction::Reload));
    assert!(session.document.issues[0].to_string().contains("version 16"));
    std::fs::write(&path, &sound[..50]).unwrap();
    act(&mut session, Action::File(FileAction::Reload));
    assert!(session.interface.failure.as_ref().is_some_and(|failure| !failure.is_damaged));
    assert_eq!(counts(&session.asset().unwrap().model), [1, 1, 2, 1]);
    // A repaired file opens normally.
    std::fs::write(&path, &sound).unwrap();
    act(&mut session, Action::File(FileAction::Reload));
    assert!(!session.asset().unwrap().salvaged);
}

#[test]
fn file_without_intact_part_offers_no_salvage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.md3");
    std::fs::write(&path, &Md3::typical().build()[..50]).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    assert!(session.interface.failure.as_ref().is_some_and(|failure| !failure.is_damaged));
    let harness = bench(session, vec2(1000.0, 800.0));
    use egui_kittest::kittest::Queryable as _;
    assert!(harness.query_by_label("Open recoverable part").is_none());
}

#[test]
fn file_that_lost_all_triangles_offers_salvage() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("head.mdc");
    std::fs::write(&path, &Mdc::typical().build()[..380 + 228 + 24 + 4]).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.clone()])));
    assert_eq!(counts(&session.asset().unwrap().model), [0, 0, 3, 1]);
    let mut harness = bench(session, vec2(1000.0, 800.0));
    let done = click(&mut harness, Role::Button, "Open recoverable part");
    assert_eq!(done, [Action::File(FileAction::Salvage(path))]);
}
