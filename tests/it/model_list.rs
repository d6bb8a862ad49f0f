//! The model list follows the disk: saved files, and files that other programs add or remove.

use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use maquette::output::OutputJob;
use maquette_core::edit::Call;
use maquette_core::export::EXPORTERS;
use maquette_scene::session::{
    Action, EditAction, Effect, FileAction, FilePrompt, ModelFileChange, OutputKind, SaveAction, Session, UnsavedAnswer,
};

use crate::support::loading::{act, answer, load_of, settle};
use crate::support::panels::{Bench, bench, click, taken};
use maquette_testing::files::Md3;

/// Creates a folder with these models.
fn folder_of(names: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in names {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, Md3::typical().build()).unwrap();
    }
    folder
}

fn open(path: &Path) -> Session {
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.to_path_buf()])));
    session
}

fn change(session: &mut Session) {
    let edit = Call::parse("set-material surfaces=#0 path=models/box/mended").unwrap();
    act(session, Action::Edit(EditAction::Change(vec![edit])));
    assert!(session.document.has_unsaved());
}

/// Saves as the window does after the user gave a path. Returns the next effect.
fn save(session: &mut Session, path: &Path) -> Option<Effect> {
    let job = OutputJob::new(session, OutputKind::File, path).unwrap();
    session.begin_saving(OutputKind::File, job.path());
    job.make(&mut |_, _| true).unwrap();
    session.saved()
}

fn listed(session: &Session) -> Vec<String> {
    session.model_list.iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

#[test]
fn model_saved_as_new_file_is_listed_and_current() {
    let folder = folder_of(&["box.md3", "crate.md3", "drum.md3"]);
    let mut session = open(&folder.path().join("crate.md3"));
    change(&mut session);
    let saved = folder.path().join("crate_mended.md3");
    let effect = save(&mut session, &saved);
    assert_eq!(listed(&session), ["box.md3", "crate.md3", "crate_mended.md3", "drum.md3"]);
    assert_eq!(session.requested_path.as_ref(), Some(&saved), "its row is the current one");
    settle(&mut session, effect);
    assert_eq!(listed(&session).len(), 4);
    act(&mut session, Action::File(FileAction::NextModel));
    assert_eq!(session.name(), Some("drum.md3"));
}

#[test]
fn next_model_is_unchanged_by_saving_under_new_name() {
    for (name, step, next) in [
        ("a.md3", FileAction::NextModel, "drum.md3"),
        ("crate_mended.md3", FileAction::NextModel, "drum.md3"),
        ("z.md3", FileAction::NextModel, "drum.md3"),
        ("z.md3", FileAction::PreviousModel, "box.md3"),
        ("elsewhere/z.md3", FileAction::NextModel, "drum.md3"),
    ] {
        let folder = folder_of(&["box.md3", "crate.md3", "drum.md3", "elsewhere/ton.md3"]);
        let mut session = open(&folder.path().join("crate.md3"));
        change(&mut session);
        assert!(session.apply(Action::File(step)).is_none(), "it asks first");
        session.apply(Action::Edit(EditAction::Answer(UnsavedAnswer::Save)));
        let effect = save(&mut session, &folder.path().join(name));
        settle(&mut session, effect);
        assert_eq!(session.name(), Some(next), "saved as {name}");
    }
}

#[test]
fn saving_elsewhere_lists_that_folder_unless_list_was_requested() {
    let folder = folder_of(&["models/box.md3", "models/crate.md3", "elsewhere/ton.md3"]);
    let (models, saved) = (folder.path().join("models"), folder.path().join("elsewhere/box.md3"));
    let mut session = open(&models.join("box.md3"));
    change(&mut session);
    let effect = save(&mut session, &saved);
    settle(&mut session, effect);
    assert_eq!(
        (listed(&session), session.requested_path.as_ref()),
        (vec!["box.md3".into(), "ton.md3".into()], Some(&saved))
    );
    assert_eq!(session.name(), Some("box.md3"));

    let mut session = open(&models);
    change(&mut session);
    let effect = save(&mut session, &folder.path().join("elsewhere/other.md3"));
    settle(&mut session, effect);
    assert_eq!(listed(&session), ["box.md3", "crate.md3"]);
    act(&mut session, Action::File(FileAction::NextModel));
    assert_eq!(session.name(), Some("crate.md3"), "one goes on from where one was");
}

#[test]
fn model_list_follows_files_in_listed_folders() {
    let folder = folder_of(&["box.md3", "crate.md3"]);
    let mut session = open(&folder.path().join("box.md3"));
    let found = |name: &str, exists| ModelFileChange::read(folder.path().join(name), exists);
    let before = std::sync::Arc::clone(&session.model_list);
    session.models_found(&[found("box.md3", true), found("notes.txt", true), found("elsewhere/ton.md3", true)]);
    assert!(std::sync::Arc::ptr_eq(&before, &session.model_list), "nothing is new");
    // A coarser LOD belongs to its finest model.
    session.models_found(&[found("apple.md3", true), found("box_1.md3", true)]);
    assert_eq!(listed(&session), ["apple.md3", "box.md3", "crate.md3"]);
    session.models_found(&[found("crate.md3", false), found("box.md3", false)]);
    assert_eq!(listed(&session), ["apple.md3", "box.md3"], "what is open stays");
    let has_stamp = |name: &str| session.file_stamps.contains_key(&folder.path().join(name));
    assert_eq!([has_stamp("apple.md3"), has_stamp("crate.md3")], [true, false]);
}

#[test]
fn changed_coarser_lods_are_not_listed_as_models() {
    let folder = folder_of(&["lower.md3", "lower_1.md3", "lower_2.md3", "crate.md3"]);
    let mut session = open(folder.path());
    assert_eq!(listed(&session), ["crate.md3", "lower.md3"]);
    let found = |name: &str, exists| ModelFileChange::read(folder.path().join(name), exists);
    // A copy over a file is reported as a new file.
    session.models_found(&[found("lower_2.md3", true)]);
    assert_eq!(listed(&session), ["crate.md3", "lower.md3"]);
    session.models_found(&[found("lower_3.md3", true), found("lower_2.md3", false)]);
    assert_eq!(listed(&session), ["crate.md3", "lower.md3", "lower_3.md3"], "no LOD is between");
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().join("crate.md3")])));
    session.models_found(&[found("lower.md3", false)]);
    assert_eq!(listed(&session), ["crate.md3", "lower_1.md3", "lower_3.md3"], "the finest is gone");
}

#[test]
fn saving_elsewhere_relists_its_folder_silently() {
    let folder = folder_of(&["models/box.md3", "elsewhere/ton.md3"]);
    let mut session = open(&folder.path().join("models/box.md3"));
    let notes = session.interface.notes.len();
    change(&mut session);
    let job = load_of(save(&mut session, &folder.path().join("elsewhere/box.md3")));
    assert!(session.jobs.reads_everything());
    let job = load_of(session.loaded(answer(job)));
    assert!(!session.jobs.reads_everything() && job.path.ends_with("elsewhere/box.md3"));
    assert!(session.loaded(answer(job)).is_none());
    assert!(!session.interface.panels.files, "no panel opens");
    assert_eq!(session.interface.notes.len(), notes + 1, "nothing is told but the change");
    let here: Vec<PathBuf> = ["box.md3", "ton.md3"].map(|name| folder.path().join("elsewhere").join(name)).into();
    assert_eq!(session.model_list[..], here[..]);
}

fn drop_on(session: &mut Session, paths: &[PathBuf]) {
    act(session, Action::File(FileAction::Drop(paths.to_vec())));
}

#[test]
fn dropped_folder_or_archive_with_one_model_replaces_list() {
    let folder = folder_of(&["many/box.md3", "many/crate.md3", "one/ton.md3", "other/sack.md3"]);
    let archive = folder.path().join("pak0.pk3");
    let entries = [("models/jar.md3", Md3::typical().build())].map(|(name, bytes)| (name, bytes));
    let entries: Vec<(&str, &[u8])> = entries.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
    std::fs::write(&archive, maquette_testing::archives::zip(&entries)).unwrap();
    for (dropped, model) in
        [(folder.path().join("one"), "ton.md3"), (archive.clone(), "jar.md3"), (archive.join("models"), "jar.md3")]
    {
        let mut session = open(&folder.path().join("many"));
        session.interface.panels.files = false;
        drop_on(&mut session, std::slice::from_ref(&dropped));
        assert_eq!((session.name(), listed(&session)), (Some(model), vec![model.to_owned()]), "{}", dropped.display());
        assert_eq!(session.requested_path.as_ref(), session.model_list.first(), "its row is the current one");
        assert!(!session.interface.panels.files, "one model opens no panel");
        // The next file replaces that list.
        drop_on(&mut session, &[folder.path().join("other/sack.md3")]);
        assert_eq!(listed(&session), ["sack.md3"]);
    }
}

#[test]
fn failed_drop_keeps_list_and_current_row() {
    let folder = folder_of(&["many/box.md3", "many/crate.md3"]);
    let put = |name: &str| {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, b"IDP3").unwrap();
        file
    };
    let (broken, text) = (put("broken/rubbish.md3"), put("notes.xyz"));
    put("broken/scrap.md3");
    let drops = [
        vec![broken.clone()],
        vec![text.clone()],
        vec![folder.path().join("broken")],
        vec![folder.path().join("nowhere")],
        vec![broken, text],
    ];
    for opened in [folder.path().join("many"), folder.path().join("many/crate.md3")] {
        let mut session = open(&opened);
        while session.name() != Some("crate.md3") {
            act(&mut session, Action::File(FileAction::NextModel));
        }
        for dropped in &drops {
            session.interface.failure = None;
            drop_on(&mut session, dropped);
            assert!(session.interface.failure.is_some(), "{dropped:?}");
            assert_eq!(listed(&session), ["box.md3", "crate.md3"], "{dropped:?}");
            let current = session.requested_path.as_ref();
            assert_eq!(current, Some(&folder.path().join("many/crate.md3")), "{dropped:?}");
        }
        act(&mut session, Action::File(FileAction::NextModel));
        assert_eq!(session.name(), Some("box.md3"));
    }
}

#[test]
fn salvaging_refused_file_lists_its_folder() {
    let folder = folder_of(&["many/box.md3", "many/crate.md3", "damaged/ton.md3"]);
    let damaged = folder.path().join("damaged/jar.md3");
    // Set an unsupported version.
    let bytes = maquette_testing::bytes::with_i32(&Md3::typical().build(), 4, 14);
    std::fs::write(&damaged, bytes).unwrap();
    let mut session = open(&folder.path().join("many"));
    drop_on(&mut session, std::slice::from_ref(&damaged));
    assert_eq!((session.name(), listed(&session).len()), (Some("box.md3"), 2));
    act(&mut session, Action::File(FileAction::Salvage(damaged.clone())));
    assert_eq!((session.name(), listed(&session)), (Some("jar.md3"), vec!["jar.md3".into(), "ton.md3".into()]));
    assert_eq!(session.requested_path, Some(damaged));
}

/// Opens the panels with a list of four models; the first one is open.
fn panels() -> (tempfile::TempDir, Harness<'static, Bench>) {
    let folder = folder_of(&["barrel.md3", "box.md3", "crate.md3", "drum.md3"]);
    let mut session = open(folder.path());
    act(&mut session, Action::File(FileAction::Show(folder.path().join("barrel.md3"))));
    session.interface.panels.files = true;
    (folder, bench(session, vec2(1280.0, 800.0)))
}

#[test]
fn ctrl_and_shift_selected_models_export_together() {
    let (folder, mut harness) = panels();
    let row = |harness: &Harness<'static, Bench>, name: &str, modifiers: Modifiers| {
        harness.get_by_role_and_label(Role::ListItem, name).click_modifiers(modifiers);
    };
    row(&harness, "crate.md3", Modifiers::SHIFT);
    harness.run();
    row(&harness, "box.md3", Modifiers::COMMAND);
    let selects = |action: &Action| matches!(action, Action::File(FileAction::SelectModels(_)));
    assert!(taken(&mut harness).iter().all(selects), "nothing is opened");
    harness.get_by_role_and_label(Role::ListItem, "crate.md3").click_secondary();
    harness.run();
    harness.get_by_role_and_label(Role::MenuItem, "Export 2 models as").click();
    harness.run();
    let first = EXPORTERS.first().unwrap();
    let models = ["barrel.md3", "crate.md3"].map(|name| folder.path().join(name));
    assert_eq!(harness.state().session.interface.selected_models, models.into());
    let asked = click(&mut harness, Role::MenuItem, first.label);
    assert_eq!(asked, [Action::Save(SaveAction::SaveModels(0))]);
}

#[test]
fn paths_in_selected_models_and_their_lods_are_replaced_in_copies() {
    let folder = folder_of(&["box.md3", "box_1.md3", "crate.md3", "drum.md3"]);
    let mut session = open(folder.path());
    session.interface.selected_models = ["box.md3", "crate.md3"].map(|name| folder.path().join(name)).into();
    session.interface.panels.files = true;
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.get_by_role_and_label(Role::ListItem, "box.md3").click_secondary();
    harness.run();
    click(&mut harness, Role::MenuItem, "Edit 2 models");
    click(&mut harness, Role::MenuItem, "Surfaces");
    click(&mut harness, Role::MenuItem, "Replace in paths…");
    harness.get_by_role_and_label(Role::Dialog, "Replace in paths: 2 models");
    harness.event(egui::Event::Text("box/skin".to_owned()));
    harness.run();
    harness.get_by_role_and_label(Role::TextInput, "Replace with").focus();
    harness.run();
    harness.event(egui::Event::Text("box/steel".to_owned()));
    harness.run();
    let call = Call::parse("replace-path find=box/skin with=box/steel").unwrap();
    let asked = click(&mut harness, Role::Button, "Save copies…");
    assert_eq!(asked, [Action::Edit(EditAction::ChangeSelected(call))]);
    harness.state_mut().session.ask_in_window(FilePrompt::Save(OutputKind::Models), "", String::new());
    harness.run();
    harness.get_by_role_and_label(Role::Dialog, "Save edited copies to a folder");
    harness.get_by_role_and_label(Role::Button, "Save");
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let job = OutputJob::new(&harness.state().session, OutputKind::Models, &out).unwrap();
    assert_eq!(job.make(&mut |_, _| true).unwrap(), format!("Wrote 2 models and 1 LOD to {}", out.display()));
    let original = Md3::typical().build();
    for name in ["box.md3", "box_1.md3", "crate.md3"] {
        assert_eq!(std::fs::read(folder.path().join(name)).unwrap(), original, "{name}");
        let (model, _) = maquette_core::formats::load(&std::fs::read(out.join(name)).unwrap()).unwrap();
        assert_eq!(model.surfaces()[0].materials, ["models/box/steel.tga"], "{name}");
    }
}

#[test]
fn gallery_filters_by_typing_and_enter_opens_model() {
    let (folder, mut harness) = panels();
    harness.key_press_modifiers(Modifiers::SHIFT, Key::F3);
    harness.run();
    let tiles = |harness: &Harness<'static, Bench>| -> Vec<String> {
        let dialog = harness.get_by_role_and_label(Role::Dialog, "Gallery");
        dialog.query_all_by_role(Role::ListItem).filter_map(|tile| tile.accesskit_node().label()).collect()
    };
    assert_eq!(tiles(&harness), ["barrel.md3, MD3", "box.md3, MD3", "crate.md3, MD3", "drum.md3, MD3"]);
    assert_eq!(harness.state().wanted.len(), 4, "thumbnails are asked for");
    harness.event(egui::Event::Text("b".to_owned()));
    harness.run();
    assert_eq!(tiles(&harness), ["barrel.md3, MD3", "box.md3, MD3"]);
    harness.key_press(Key::ArrowRight);
    harness.run();
    harness.state_mut().actions.clear();
    harness.key_press(Key::Enter);
    let show = Action::File(FileAction::Show(folder.path().join("box.md3")));
    assert!(taken(&mut harness).contains(&show));
    assert!(harness.query_by_role_and_label(Role::Dialog, "Gallery").is_none());
}

#[test]
fn recent_folder_requests_thumbnail_of_last_model() {
    let folder = folder_of(&["box.md3", "crate.md3"]);
    let mut session = open(folder.path());
    let shown = folder.path().join("crate.md3");
    act(&mut session, Action::File(FileAction::Show(shown.clone())));
    act(&mut session, Action::File(FileAction::Close));
    let mut harness = bench(session, vec2(1280.0, 800.0));
    harness.run();
    assert_eq!(harness.state().wanted, [shown]);
    harness.state_mut().session.apply(Action::File(FileAction::ForgetRecent));
    assert!(harness.state().session.preferences.recent_models.is_empty());
}
