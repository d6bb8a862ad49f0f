//! Saving of edited models: only the expected bytes change, undo restores the file, and actions that would lose changes
//! ask first.

use std::path::Path;
use std::sync::Arc;

use maquette::output::OutputJob;
use maquette_core::formats;
use maquette_core::model::{Clip, ClipSource, Model};
use maquette_scene::session::{
    Action, EditAction, Effect, FileAction, FilePrompt, NotificationKind, OutputKind, SaveAction, SceneAction, Session,
    UnsavedAnswer, WindowAction,
};

use crate::support::editing::{Folder, bytes, call, edit, opened, path_of, redo, set_path, undo};
use crate::support::loading::{act, settle};
use maquette_testing::files::Md3;

/// Saves as the window does after the user gave a path.
fn save_to(session: &mut Session, path: &Path) {
    let job = OutputJob::new(session, OutputKind::File, path).unwrap();
    session.begin_saving(OutputKind::File, job.path());
    job.make(&mut |_, _| true).unwrap();
    let effect = session.saved();
    settle(session, effect);
}

#[test]
fn path_edit_changes_only_its_field_when_saved() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let file = folder.put("box.md3", &before);
    let mut session = opened(&file);
    assert!(!session.document.has_unsaved());
    let camera = session.view.camera.clone();
    set_path(&mut session, "models/box/mended");
    assert_eq!(path_of(&session), "models/box/mended");
    assert!(session.document.has_unsaved());
    assert_eq!(session.starred_name().as_deref(), Some("box.md3*"));
    assert_eq!(session.view.camera, camera);
    assert_eq!(std::fs::read(&file).unwrap(), before, "the file stays as it is until it is saved");

    save_to(&mut session, &file);
    assert!(!session.document.has_unsaved());
    assert_eq!(session.starred_name().as_deref(), Some("box.md3"));
    let after = std::fs::read(&file).unwrap();
    let old = formats::load(&before).unwrap().0.surfaces()[0].materials[0].clone();
    let at = before.windows(old.len()).position(|window| window == old.as_bytes()).unwrap();
    let field = at..at + 64;
    assert_eq!(before.len(), after.len());
    let differing: Vec<usize> = (0..before.len()).filter(|index| before[*index] != after[*index]).collect();
    assert!(!differing.is_empty() && differing.iter().all(|index| field.contains(index)), "{differing:?}");
    assert_eq!(path_of(&opened(&file)), "models/box/mended");
}

#[test]
fn undo_restores_original_bytes_even_after_saving() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let file = folder.put("box.md3", &before);
    let mut session = opened(&file);
    // Undo also covers a step that was made before the first edit.
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    set_path(&mut session, "one");
    set_path(&mut session, "two");
    let two = bytes(&session);
    assert_eq!(session.document.history.undoable(), Some("Edit shader path"));
    undo(&mut session);
    assert_eq!(path_of(&session), "one");
    undo(&mut session);
    assert_eq!(bytes(&session), before);
    assert!(!session.document.has_unsaved(), "it is as on disk");
    undo(&mut session);
    assert!(session.entity().unwrap().visible[0]);
    assert!(!session.document.has_unsaved());
    redo(&mut session);
    redo(&mut session);
    redo(&mut session);
    assert_eq!(bytes(&session), two);
    assert!(session.document.has_unsaved() && !session.entity().unwrap().visible[0]);

    save_to(&mut session, &file);
    undo(&mut session);
    assert!(session.document.has_unsaved(), "what is on disk is another state");
    undo(&mut session);
    assert_eq!(bytes(&session), before);
    assert!(session.document.has_unsaved());
    save_to(&mut session, &file);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    redo(&mut session);
    redo(&mut session);
    assert_eq!(bytes(&session), two);
}

#[test]
fn save_as_switches_to_new_file_and_keeps_original() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let file = folder.put("box.md3", &before);
    let mut session = opened(&file);
    set_path(&mut session, "models/box/mended");
    let other = folder.folder.path().join("models/box/other");
    save_to(&mut session, &other);
    // The extension of the format was added.
    let other = other.with_extension("md3");
    assert_eq!(session.asset().unwrap().file.as_deref(), Some(other.as_path()));
    assert_eq!(session.name(), Some("other.md3"));
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert_eq!(path_of(&opened(&other)), "models/box/mended");
    // Undo applies to the open file.
    undo(&mut session);
    assert_eq!(session.starred_name().as_deref(), Some("other.md3*"));
    save_to(&mut session, &other);
    assert_eq!(std::fs::read(&other).unwrap(), before);
}

#[test]
fn actions_that_discard_changes_ask_first() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let next = folder.put("crate.md3", &Md3::typical().build());
    let losing = [
        Action::Window(WindowAction::Quit),
        Action::File(FileAction::Close),
        Action::File(FileAction::Open(vec![next.clone()])),
        Action::File(FileAction::Drop(vec![next.clone()])),
        Action::File(FileAction::Show(next.clone())),
        Action::File(FileAction::NextModel),
        Action::File(FileAction::PreviousModel),
        Action::File(FileAction::OpenSample(maquette_core::model::Format::Md2)),
    ];
    for action in losing {
        let mut session = opened(&file);
        assert!(session.model_list.len() == 2);
        set_path(&mut session, "models/box/mended");
        // Cancel does nothing.
        assert!(session.apply(action.clone()).is_none(), "{action:?}");
        assert_eq!(session.interface.unsaved_prompt.as_deref(), Some(&action));
        act(&mut session, Action::Edit(EditAction::Answer(UnsavedAnswer::Cancel)));
        assert!(session.interface.unsaved_prompt.is_none());
        assert_eq!(path_of(&session), "models/box/mended", "{action:?}");
        // Save first, then perform the action.
        session.apply(action.clone());
        assert!(matches!(
            session.apply(Action::Edit(EditAction::Answer(UnsavedAnswer::Save))),
            Some(Effect::Save { product: OutputKind::File, replace: false, .. })
        ));
        assert!(session.interface.unsaved_prompt.is_some(), "it stands until something is saved");
        let copy = folder.folder.path().join("copy.md3");
        let job = OutputJob::new(&session, OutputKind::File, &copy).unwrap();
        session.begin_saving(OutputKind::File, job.path());
        job.make(&mut |_, _| true).unwrap();
        let effect = session.saved();
        match &action {
            Action::Window(_) => assert!(matches!(effect, Some(Effect::Quit))),
            Action::File(FileAction::Close) => assert!(session.asset().is_none()),
            _ => assert!(matches!(effect, Some(Effect::Load(..))), "{action:?}"),
        }
        assert_eq!(path_of(&opened(&copy)), "models/box/mended");
        // Discard performs the action at once.
        let mut session = opened(&file);
        set_path(&mut session, "models/box/mended");
        session.apply(action.clone());
        let effect = session.apply(Action::Edit(EditAction::Answer(UnsavedAnswer::Discard)));
        assert!(effect.is_some() || session.asset().is_none(), "{action:?}");
        assert!(session.interface.unsaved_prompt.is_none());
        // Without changes there is no question.
        let mut session = opened(&file);
        session.apply(action.clone());
        assert!(session.interface.unsaved_prompt.is_none(), "{action:?}");
    }
}

#[test]
fn renaming_surface_updates_its_skin_files() {
    let folder = Folder::new();
    let path = folder.put("box.md3", &Md3::typical().build());
    let name = formats::load(&Md3::typical().build()).unwrap().0.surfaces()[0].name.clone();
    let entry = |name: &str| format!("// {name}\n{name},models/box/red.tga\n");
    let red = folder.put("box_red.skin", entry(&name).as_bytes());
    let blue = folder.put("box_blue.skin", entry(&name).as_bytes());
    let of_another = folder.put("crate_red.skin", entry(&name).as_bytes());
    let text = |path: &Path| std::fs::read_to_string(path).unwrap();
    let mut session = opened(&path);
    assert_eq!(session.asset().unwrap().skins_that_name(0), 2);
    act(&mut session, Action::Edit(EditAction::RenameInSkins { surface: 0, name: "lid".to_owned() }));
    let named = |session: &Session| {
        (session.asset().unwrap().model.surfaces()[0].name.clone(), session.asset().unwrap().skins_that_name(0))
    };
    // Skins match the old name until the model is saved.
    assert_eq!(named(&session), ("lid".to_owned(), 2));
    assert_eq!(text(&red), entry(&name));
    save_to(&mut session, &path);
    let renamed = format!("// {name}\nlid,models/box/red.tga\n");
    assert_eq!((text(&red), text(&blue)), (renamed.clone(), renamed));
    assert_eq!(text(&of_another), entry(&name), "a skin of another model");
    assert_eq!(named(&session), ("lid".to_owned(), 2));
    // Undo restores the name in the model; the next save restores it in the skins.
    undo(&mut session);
    assert_eq!(named(&session), (name.clone(), 2));
    save_to(&mut session, &path);
    assert_eq!((text(&red), named(&session).1), (entry(&name), 2));
    // Saving as another model leaves the skins unchanged.
    act(&mut session, Action::Edit(EditAction::RenameInSkins { surface: 0, name: "top".to_owned() }));
    save_to(&mut session, &path.with_file_name("copy.md3"));
    assert_eq!(text(&red), entry(&name));
}

#[test]
fn unedited_model_is_saved_as_a_copy() {
    let folder = Folder::new();
    let bytes = Md3::typical().build();
    let path = folder.put("box.md3", &bytes);
    let mut session = opened(&path);
    assert!(session.apply(Action::Edit(EditAction::SaveAs)).is_some_and(|effect| matches!(effect, Effect::Ask(_))));
    let copy = path.with_file_name("copy.md3");
    save_to(&mut session, &copy);
    assert_eq!(std::fs::read(copy).unwrap(), bytes);
    assert_eq!(session.asset().unwrap().file.as_ref(), Some(&path), "the open model stays");
}

#[test]
fn outputs_start_in_the_folder_of_their_model() {
    let (folder, other, chosen) = (Folder::new(), Folder::new(), Folder::new());
    let [path, elsewhere] = [&folder, &other].map(|folder| folder.put("box.md3", &Md3::typical().build()));
    let exporting = FilePrompt::Save(OutputKind::Model);
    let mut session = opened(&path);
    assert_eq!(session.likely_folder(&exporting).as_deref(), path.parent());
    let target = chosen.put("box.glb", &[]);
    session.apply(Action::Save(SaveAction::SaveTo { product: OutputKind::Model, path: target.clone(), replace: true }));
    assert_eq!(session.likely_folder(&exporting).as_deref(), target.parent(), "the user chose it for this model");
    act(&mut session, Action::File(FileAction::Open(vec![elsewhere.clone()])));
    assert_eq!(session.likely_folder(&exporting).as_deref(), elsewhere.parent());
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    assert_eq!(session.likely_folder(&exporting).as_deref(), target.parent());
    // Several models are saved in the chosen folder, not next to it.
    let into = Action::Save(SaveAction::SaveTo {
        product: OutputKind::Models,
        path: chosen.folder.path().to_path_buf(),
        replace: true,
    });
    session.apply(into);
    assert_eq!(session.likely_folder(&FilePrompt::Save(OutputKind::Models)), Some(chosen.folder.path().to_path_buf()));
}

#[test]
fn clip_list_of_a_model_contains_its_named_clips() {
    let folder = Folder::new();
    let path = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&path);
    folder.put("animation.cfg", b"walk 0 1 0 10\n");
    act(&mut session, Action::File(FileAction::Reload));
    let clip = session.entity().unwrap().model().clips()[0].clone();
    assert_eq!((clip.name.as_str(), clip.first, clip.count), ("walk", 0, 1));
    assert!(session.apply(Action::Save(SaveAction::SaveClipList)).is_some());
    let copy = path.with_file_name("copy.cfg");
    OutputJob::new(&session, OutputKind::ClipList, &copy).unwrap().make(&mut |_, _| true).unwrap();
    let line = std::fs::read_to_string(copy).unwrap();
    assert!(line.lines().any(|line| line.starts_with("walk") && line.split_whitespace().nth(2) == Some("1")), "{line}");
}

#[test]
fn clip_list_reports_what_it_cannot_store() {
    let folder = Folder::new();
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    let clip = |name: &str, source| Clip::new(name, 0, 1, 10.0, source);
    let mut set = |clips: Vec<Clip>| {
        let mut model = Model::clone(session.entity().unwrap().model());
        model.set_clips(clips);
        let id = session.entity().unwrap().id;
        session.document.scene.entity_mut(id).unwrap().asset.model = Arc::new(model);
        OutputJob::new(&session, OutputKind::ClipList, &folder.folder.path().join("copy.cfg"))
    };
    let saved = set(vec![clip("run fast", ClipSource::FrameNames)]).unwrap().make(&mut |_, _| true).unwrap();
    assert!(saved.contains("1 clip was renamed: “run fast” to “run_fast”"), "{saved}");
    let refused = set(vec![clip("bind pose", ClipSource::BindPose)]).map(|_| ()).unwrap_err();
    assert_eq!(refused.to_string(), "The model has no named clips");
}

/// Saves a `.skin` file as the export thread does.
fn write_skin(session: &mut Session, path: &Path) {
    let job = OutputJob::new(session, OutputKind::SkinFile, path).unwrap();
    session.jobs.begin_work(OutputKind::SkinFile, job.name, job.unit);
    let text = job.make(&mut |_, _| true).unwrap();
    session.end_work(NotificationKind::Done, text, Some(path.to_path_buf()));
}

#[test]
fn path_in_skin_file_changes_without_the_model() {
    let folder = Folder::new();
    let bytes = Md3::typical().build();
    let path = folder.put("box.md3", &bytes);
    let name = formats::load(&bytes).unwrap().0.surfaces()[0].name.clone();
    folder.put("box_default.skin", format!("{name},models/box/default.tga\n").as_bytes());
    let skin = folder.put("box_red.skin", format!("tag_a,\n{name},models/box/red.tga // red\n").as_bytes());
    let mut session = opened(&path);
    let asset = session.asset().unwrap();
    let red = asset.skins.iter().position(|skin| skin.name == "red").unwrap();
    assert!(asset.skin_file_of(red, 0).is_some_and(|file| file.ends_with("box_red.skin")));
    act(&mut session, Action::Scene(SceneAction::ChooseSkin(red)));
    let change = || Action::Edit(EditAction::SetInSkin { surfaces: vec![0], path: "models/box/blue.tga".to_owned() });
    let Some(Effect::Save { product, path: target, replace: true }) = session.apply(change()) else {
        panic!("the skin file is not saved")
    };
    assert_eq!((product, &target), (OutputKind::SkinFile, &skin));
    write_skin(&mut session, &target);
    let text = |colour: &str| format!("tag_a,\n{name},models/box/{colour}.tga // red\n");
    let saved = || std::fs::read_to_string(&skin).unwrap();
    assert_eq!(saved(), text("blue"));
    assert_eq!(std::fs::read(&path).unwrap(), bytes);
    // The edit is the last step of the history, after the choice of the skin.
    for (step, colour) in [(SceneAction::Undo, "red"), (SceneAction::Redo, "blue")] {
        let Some(Effect::Save { product: OutputKind::SkinFile, path: target, .. }) = session.apply(Action::Scene(step))
        else {
            panic!("the step does not save the file")
        };
        write_skin(&mut session, &target);
        assert_eq!(saved(), text(colour));
    }
    // Undo does not overwrite another program's change; the step remains until the file is restored.
    std::fs::write(&skin, text("green")).unwrap();
    assert!(session.apply(Action::Scene(SceneAction::Undo)).is_none());
    assert_eq!((saved(), session.entity().unwrap().skin), (text("green"), red));
    std::fs::write(&skin, text("blue")).unwrap();
    assert!(matches!(session.apply(Action::Scene(SceneAction::Undo)), Some(Effect::Save { .. })));
    // Another program changes the file before the export thread writes it.
    std::fs::write(&skin, text("green")).unwrap();
    let error = OutputJob::new(&session, OutputKind::SkinFile, &skin).unwrap().make(&mut |_, _| true).unwrap_err();
    assert_eq!(error.to_string(), "another program changed the file; try again");
    assert!(session.apply(Action::Scene(SceneAction::Undo)).is_none());
    assert_eq!((saved(), session.entity().unwrap().skin), (text("green"), red));
    // The next undo continues with the step before, which the menu names.
    assert_eq!(session.document.history.undoable(), Some("Change skin"));
    session.apply(Action::Scene(SceneAction::Undo));
    assert_ne!(session.entity().unwrap().skin, red);
    session.apply(Action::Scene(SceneAction::Redo));
    // A file that is not in the folder, such as one in an archive, is not replaced.
    std::fs::remove_file(&skin).unwrap();
    assert!(session.apply(change()).is_none());
}

#[test]
fn model_and_its_clip_list_are_saved_together() {
    let folder = Folder::new();
    let text = "sex n\nstop 0 1 1 5\ngo 1 1 1 7\n";
    let list = folder.put("animation.cfg", text.as_bytes());
    let before = Md3::typical().build();
    let file = folder.put("box.md3", &before);
    let mut session = opened(&file);
    edit(&mut session, vec![call("delete-frames frames=stop")]);
    // Another program changed the list, and the window does not know it yet.
    std::fs::write(&list, "theirs 0 1 1 5\n").unwrap();
    let job = OutputJob::new(&session, OutputKind::File, &file).unwrap();
    let why = job.make(&mut |_, _| true).unwrap_err().to_string();
    assert!(why.contains("animation.cfg changed on disk"), "{why}");
    assert_eq!(std::fs::read(&file).unwrap(), before);
    std::fs::write(&list, text).unwrap();
    save_to(&mut session, &file);
    assert_eq!(std::fs::read_to_string(&list).unwrap(), "sex n\ngo 0 1 1 7\n");
    assert_eq!(formats::load(&std::fs::read(&file).unwrap()).unwrap().0.frames().len(), 1);
    assert!(!session.document.has_unsaved());
}
