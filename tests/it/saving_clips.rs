//! Saving of the clips of an `animation.cfg` that several models, an archive or another folder may have.

use std::path::{Path, PathBuf};

use maquette::output::OutputJob;
use maquette_scene::session::{
    Action, EditAction, Effect, FileAction, OutputKind, SaveAction, SceneAction, Selection, Session, UnsavedAnswer,
    WindowAction,
};

use crate::support::editing::{Folder, call, edit, opened, undo};
use crate::support::loading::{act, settle};
use maquette_testing::archives::zip;
use maquette_testing::files::Md3;

/// Saves as the window does after the user gave a path. Returns the message and the next effect, or why saving failed.
fn save_to(session: &mut Session, product: OutputKind, path: &Path) -> Result<(String, Option<Effect>), String> {
    let job = OutputJob::new(session, product, path).map_err(|error| error.to_string())?;
    session.begin_saving(product, job.path());
    let message = job.make(&mut |_, _| true).map_err(|error| {
        session.jobs.not_saved();
        error.to_string()
    })?;
    Ok((message, session.saved()))
}

/// Saves with Ctrl+S and loads the result.
fn save(session: &mut Session) -> Result<String, String> {
    let Some(Effect::Save { product, path, .. }) = session.apply(Action::Edit(EditAction::Save)) else {
        panic!("nothing is saved")
    };
    let (message, effect) = save_to(session, product, &path)?;
    settle(session, effect);
    Ok(message)
}

fn clip_names(session: &Session) -> Vec<&str> {
    session.entity().unwrap().model().clips().iter().map(|clip| clip.name.as_str()).collect()
}

fn last_note(session: &Session) -> &str {
    session.interface.notes.last().map_or("", |note| &note.text)
}

fn long_md3(frames: usize) -> Vec<u8> {
    let mut md3 = Md3 { tags: Vec::new(), ..Md3::typical() };
    md3.frames = md3.frames.iter().cycle().take(frames).cloned().collect();
    md3.build()
}

/// Opens two models that share a list; the first is in focus. Returns their paths and that of the list.
fn sharing(folder: &Folder) -> (Session, [PathBuf; 3]) {
    let list = folder.put("animation.cfg", b"stop 0 1 -1 5\ngo 1 1 -1 7\n");
    let models = ["gun.md3", "gun_hand.md3"].map(|name| folder.put(name, &Md3::typical().build()));
    let mut session = opened(&models[0]);
    act(&mut session, Action::File(FileAction::Compare(models[1].clone())));
    focus(&mut session, &models[0]);
    let [gun, hand] = models;
    (session, [gun, hand, list])
}

fn focus(session: &mut Session, file: &Path) {
    let mut entities = session.document.scene.entities().iter();
    let id = entities.find(|entity| entity.asset.file.as_deref() == Some(file)).unwrap().id;
    act(session, Action::Scene(SceneAction::SelectIn(id, Selection::None)));
    assert_eq!(session.entity().unwrap().id, id);
}

#[test]
fn list_with_frames_of_a_longer_model_keeps_its_clips() {
    let folder = Folder::new();
    let text = "stand 0 5 -1 10\nrun 5 95 -1 10\n";
    let list = folder.put("animation.cfg", text.as_bytes());
    folder.put("b.md3", &long_md3(100));
    let file = folder.put("a.md3", &long_md3(20));
    let mut session = opened(&file);
    edit(&mut session, vec![call("delete-frames frames=0")]);
    let why = "animation.cfg cannot be changed: “run” has frames that this model lacks; edit it with a text editor";
    assert_eq!(last_note(&session), why);
    assert_eq!(save(&mut session).unwrap(), format!("Saved {}", file.display()));
    assert_eq!(std::fs::read_to_string(&list).unwrap(), text);
    edit(&mut session, vec![call("add-clip clip=x frames=0")]);
    assert!(last_note(&session).ends_with(why), "{}", last_note(&session));
    assert!(!session.document.has_unsaved());
}

#[test]
fn message_names_model_that_shares_the_saved_list() {
    let folder = Folder::new();
    let (mut session, [_, _, list]) = sharing(&folder);
    edit(&mut session, vec![call("change-clip clip=go rate=9")]);
    let message = save(&mut session).unwrap();
    assert_eq!(message, format!("Saved {}; gun_hand.md3 also uses animation.cfg", list.display()));
}

#[test]
fn two_models_with_changes_of_one_list_do_not_overwrite_each_other() {
    let folder = Folder::new();
    let (mut session, [gun, hand, list]) = sharing(&folder);
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    focus(&mut session, &hand);
    edit(&mut session, vec![call("change-clip clip=go rate=11")]);
    save(&mut session).unwrap();
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "stop 0 1 -1 5\ngo 1 1 -1 11\n");
    // The changes of the other model are kept, but saving them is a question of replacing the file.
    let first = session.document.unsaved().next().unwrap();
    assert_eq!(first.asset.file.as_ref(), Some(&gun));
    session.ask_to_replace(OutputKind::ClipList, list.clone(), list.display().to_string());
    let reason = session.interface.path_field.take().unwrap().reason;
    assert_eq!(reason, "animation.cfg was changed on disk. Replace it or enter another path");
    // Another program changes the list before the export thread writes it.
    let mut session = opened(&gun);
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    std::fs::write(&list, "theirs 0 1 -1 5\n").unwrap();
    assert_eq!(save(&mut session).unwrap_err(), "another program changed the file; try again");
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "theirs 0 1 -1 5\n");
}

#[test]
fn external_change_of_a_shared_list_marks_the_edits_of_all_models() {
    let folder = Folder::new();
    let (mut session, [_, hand, list]) = sharing(&folder);
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    focus(&mut session, &hand);
    edit(&mut session, vec![call("change-clip clip=go rate=11")]);
    std::fs::write(&list, "theirs 0 1 -1 5\n").unwrap();
    session.file_changed(&list);
    let files = session.document.unsaved().map(|part| part.asset.edited.as_ref().unwrap().is_outdated());
    assert_eq!(files.collect::<Vec<_>>(), [true, true]);
}

#[test]
fn model_in_an_archive_is_saved_with_its_list() {
    let folder = Folder::new();
    let model = Md3::typical().build();
    let archive = folder.folder.path().join("pak0.pk3");
    let files: [(&str, &[u8]); 2] = [("models/box/box.md3", &model), ("models/box/animation.cfg", b"stop 0 1 -1 5\n")];
    std::fs::write(&archive, zip(&files)).unwrap();
    let mut session = opened(&archive.join("models/box/box.md3"));
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    session.apply(Action::Window(WindowAction::Quit));
    let asked = session.apply(Action::Edit(EditAction::Answer(UnsavedAnswer::Save)));
    assert!(matches!(asked, Some(Effect::Ask(_))), "{asked:?}");
    let new = tempfile::tempdir().unwrap();
    let (file, list) = (new.path().join("box.md3"), new.path().join("animation.cfg"));
    // A list that is there already is not replaced.
    std::fs::write(&list, "theirs 0 1 -1 5\n").unwrap();
    let why = save_to(&mut session, OutputKind::File, &file).unwrap_err();
    assert_eq!(why, "another animation.cfg is in this folder; choose another folder, or move that file first");
    std::fs::remove_file(&list).unwrap();
    let (message, effect) = save_to(&mut session, OutputKind::File, &file).unwrap();
    assert_eq!(message, format!("Saved {} and animation.cfg", file.display()));
    assert!(matches!(effect, Some(Effect::Quit)));
    assert!(!session.document.has_unsaved());
    assert_eq!(std::fs::read(&file).unwrap(), model);
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "stop 0 1 -1 9\n");
}

#[test]
fn model_saved_in_new_folder_keeps_its_unsaved_clips() {
    let folder = Folder::new();
    folder.put("animation.cfg", b"stop 0 1 -1 5\n");
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    edit(&mut session, vec![call("add-clip clip=fire frames=0-1")]);
    let other = folder.folder.path().join("models/other");
    std::fs::create_dir(&other).unwrap();
    let (_, effect) = save_to(&mut session, OutputKind::File, &other.join("box.md3")).unwrap();
    settle(&mut session, effect);
    assert_eq!(clip_names(&session), ["stop", "fire"]);
    assert!(session.document.has_unsaved());
    // The new folder had no list, so nothing has changed on disk there.
    let list = other.join("animation.cfg");
    assert_eq!(save(&mut session).unwrap(), format!("Saved {}", list.display()));
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "stop 0 1 -1 5\nfire 0 2 0 10\n");
    assert!(!session.document.has_unsaved());
    assert_eq!(clip_names(&session), ["stop", "fire"]);
}

#[test]
fn loose_model_with_the_list_of_an_archive_is_saved_with_a_list_of_its_own() {
    let folder = Folder::new();
    let files: [(&str, &[u8]); 1] = [("models/box/animation.cfg", b"stop 0 1 -1 5\ngo 1 1 -1 7\n")];
    std::fs::write(folder.folder.path().join("pak0.pk3"), zip(&files)).unwrap();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&file);
    assert_eq!(clip_names(&session), ["stop", "go"]);
    edit(&mut session, vec![call("delete-frames frames=stop")]);
    assert_eq!(save(&mut session).unwrap(), format!("Saved {} and animation.cfg", file.display()));
    let list = file.with_file_name("animation.cfg");
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "go 0 1 -1 7\n");
    assert!(!session.document.has_unsaved());
}

#[test]
fn clip_list_of_the_focused_model_is_saved_next_to_an_edited_one() {
    let folder = Folder::new();
    let (mut session, [_, hand, list]) = sharing(&folder);
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    focus(&mut session, &hand);
    let copy = list.with_file_name("hand.cfg");
    session.apply(Action::Save(SaveAction::SaveClipList));
    save_to(&mut session, OutputKind::ClipList, &copy).unwrap();
    assert!(std::fs::read_to_string(&copy).unwrap().contains("stop 0 1 -1 5\n"));
    let groups = list.with_file_name("hand.md3.framegroups");
    save_to(&mut session, OutputKind::ClipList, &groups).unwrap();
    assert!(std::fs::read_to_string(&groups).unwrap().contains("0 1 5 0 // stop\n"));
    // Ctrl+S saves the changed list, although another model is in focus.
    save(&mut session).unwrap();
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "stop 0 1 -1 9\ngo 1 1 -1 7\n");
}

#[test]
fn undone_new_list_is_removed_when_saved_again() {
    let folder = Folder::new();
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    let list = folder.folder.path().join("models/box/animation.cfg");
    edit(&mut session, vec![call("add-clip clip=idle frames=0")]);
    save(&mut session).unwrap();
    assert!(list.exists());
    undo(&mut session);
    assert_eq!(save(&mut session).unwrap(), format!("Removed {}", list.display()));
    assert!(!list.exists() && !session.document.has_unsaved());
}

#[test]
fn deleted_list_is_written_again() {
    let folder = Folder::new();
    let list = folder.put("animation.cfg", b"stop 0 1 -1 5\n");
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    std::fs::remove_file(&list).unwrap();
    session.file_changed(&list);
    assert_eq!(save(&mut session).unwrap(), format!("Saved {}", list.display()));
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "stop 0 1 -1 9\n");
    // Together with the model.
    edit(&mut session, vec![call("delete-frames frames=1")]);
    edit(&mut session, vec![call("change-clip clip=stop rate=8")]);
    std::fs::remove_file(&list).unwrap();
    session.file_changed(&list);
    assert!(save(&mut session).unwrap().ends_with("and animation.cfg"));
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "stop 0 1 -1 8\n");
    assert!(!session.document.has_unsaved());
}

#[test]
fn list_beyond_the_limit_is_not_replaced() {
    let folder = Folder::new();
    let mut text = b"stop 0 1 -1 5\n".to_vec();
    text.resize(maquette_core::limits::MAX_TEXT_BYTES + 1, b'\n');
    folder.put("animation.cfg", &text);
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    edit(&mut session, vec![call("add-clip clip=idle frames=0")]);
    let why = format!("animation.cfg cannot be changed: it has more than {} bytes", text.len() - 1);
    assert!(last_note(&session).ends_with(&why), "{}", last_note(&session));
    assert!(!session.document.has_unsaved());
}
