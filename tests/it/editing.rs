//! Editing in a session: only the expected bytes change, undo restores the file, and actions that would lose changes
//! ask first.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use maquette::output::OutputJob;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Anchor, Opener, fitting_names};
use maquette_core::edit::Edit;
use maquette_core::formats;
use maquette_core::model::Model;
use maquette_scene::loader::Reading;
use maquette_scene::scene::Attachment;
use maquette_scene::session::{
    Action, EditAction, EditField, EditSubject, Effect, FileAction, OutputKind, SceneAction, Selection, Session,
    UnsavedAnswer, WindowAction,
};

use crate::support::loading::{act, settle};
use maquette_testing::files::{Md2, Md3};

/// Folder with a model in a game of its own.
struct Folder {
    folder: tempfile::TempDir,
}

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("models/box")).unwrap();
        Self { folder }
    }

    fn put(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join("models/box").join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }
}

fn opened(path: &Path) -> Session {
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.to_path_buf()])));
    assert!(session.asset().is_some());
    session
}

fn edit(session: &mut Session, edits: Vec<Edit>) {
    act(session, Action::Edit(EditAction::Change(edits)));
}

fn path_of(session: &Session) -> String {
    session.asset().unwrap().model.surfaces()[0].materials[0].clone()
}

fn set_path(session: &mut Session, name: &str) {
    edit(session, vec![Edit::SetMaterial { surface: 0, material: 0, name: name.to_owned() }]);
}

fn undo(session: &mut Session) {
    act(session, Action::Scene(SceneAction::Undo));
}

fn redo(session: &mut Session) {
    act(session, Action::Scene(SceneAction::Redo));
}

/// Returns the bytes that saving would write.
fn bytes(session: &Session) -> Vec<u8> {
    session.asset().unwrap().edited.as_ref().unwrap().bytes().to_vec()
}

/// Saves as the window does after the user gave a path.
fn save_to(session: &mut Session, path: &Path) {
    let job = OutputJob::new(session, OutputKind::File, path).unwrap();
    session.begin_saving(job.path());
    job.make(&mut |_, _| true).unwrap();
    let effect = session.saved();
    settle(session, effect);
}

fn last_note(session: &Session) -> String {
    session.interface.notes.last().map(|note| note.text.clone()).unwrap_or_default()
}

fn load(bytes: &[u8]) -> Model {
    formats::load(bytes).unwrap().0
}

#[test]
fn path_edit_changes_only_its_field_when_saved() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let file = folder.put("box.md3", &before);
    let mut session = opened(&file);
    assert!(!session.has_unsaved());
    let camera = session.view.camera.clone();
    set_path(&mut session, "models/box/mended");
    assert_eq!(path_of(&session), "models/box/mended");
    assert!(session.has_unsaved());
    assert_eq!(session.starred_name().as_deref(), Some("box.md3*"));
    assert_eq!(session.view.camera, camera);
    assert_eq!(std::fs::read(&file).unwrap(), before, "the file stays as it is until it is saved");

    save_to(&mut session, &file);
    assert!(!session.has_unsaved());
    assert_eq!(session.starred_name().as_deref(), Some("box.md3"));
    let after = std::fs::read(&file).unwrap();
    let old = load(&before).surfaces()[0].materials[0].clone();
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
    assert!(!session.has_unsaved(), "it is as on disk");
    undo(&mut session);
    assert!(session.entity().unwrap().visible[0]);
    assert!(!session.has_unsaved());
    redo(&mut session);
    redo(&mut session);
    redo(&mut session);
    assert_eq!(bytes(&session), two);
    assert!(session.has_unsaved() && !session.entity().unwrap().visible[0]);

    save_to(&mut session, &file);
    undo(&mut session);
    assert!(session.has_unsaved(), "what is on disk is another state");
    undo(&mut session);
    assert_eq!(bytes(&session), before);
    assert!(session.has_unsaved());
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
            Some(Effect::Ask(maquette_scene::session::FilePrompt::Save(OutputKind::File)))
        ));
        assert!(session.interface.unsaved_prompt.is_some(), "it stands until something is saved");
        let copy = folder.folder.path().join("copy.md3");
        let job = OutputJob::new(&session, OutputKind::File, &copy).unwrap();
        session.begin_saving(job.path());
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
fn actions_that_keep_changes_do_not_ask() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&file);
    set_path(&mut session, "models/box/mended");
    for action in [
        Action::File(FileAction::Reload),
        Action::File(FileAction::ListFolder(folder.folder.path().to_path_buf())),
        Action::Scene(SceneAction::ShowAllSurfaces),
    ] {
        act(&mut session, action.clone());
        assert!(session.interface.unsaved_prompt.is_none(), "{action:?}");
        assert_eq!(path_of(&session), "models/box/mended", "{action:?}");
        assert!(session.has_unsaved());
    }
}

#[test]
fn external_change_keeps_unsaved_edits_and_notifies() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&file);
    set_path(&mut session, "models/box/mended");
    let mut theirs = Md3::typical();
    theirs.shaders = vec!["theirs"];
    folder.put("box.md3", &theirs.build());
    assert!(session.file_changed(&file).is_none());
    assert_eq!(last_note(&session), "box.md3 changed on disk");
    assert_eq!(path_of(&session), "models/box/mended");
    // The state on disk is unknown, so even the original counts as unsaved.
    undo(&mut session);
    assert!(session.has_unsaved());
    act(&mut session, Action::Edit(EditAction::Discard));
    assert_eq!(path_of(&session), "theirs");
    assert!(!session.has_unsaved());
    undo(&mut session);
    assert_eq!(path_of(&session), "models/box/skin.tga");
}

#[test]
fn undo_restores_discarded_changes() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let mut session = opened(&folder.put("box.md3", &before));
    set_path(&mut session, "models/box/mended");
    act(&mut session, Action::Edit(EditAction::Discard));
    assert_eq!(bytes(&session), before);
    assert!(!session.has_unsaved());
    undo(&mut session);
    assert_eq!(path_of(&session), "models/box/mended");
    assert!(session.has_unsaved());
}

#[test]
fn rejected_edit_changes_nothing() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let mut session = opened(&folder.put("box.md3", &before));
    set_path(&mut session, &"x".repeat(64));
    assert!(last_note(&session).contains("has 64 characters; the field holds at most 63"), "{}", last_note(&session));
    assert!(!session.has_unsaved());
    assert!(session.document.history.undoable().is_none());
    // An equal path is not a change.
    set_path(&mut session, "models/box/skin.tga");
    assert!(!session.has_unsaved() && session.document.history.undoable().is_none());
    edit(&mut session, vec![Edit::ReorderSkins { order: vec![0] }]);
    assert!(last_note(&session).starts_with("Only an MD2 lists its skins"), "{}", last_note(&session));
}

#[test]
fn one_edit_sets_path_of_several_surfaces() {
    let folder = Folder::new();
    let mut file = Md3::typical();
    file.surfaces = 3;
    let mut session = opened(&folder.put("box.md3", &file.build()));
    session.apply(Action::Scene(SceneAction::SelectSurfaces(vec![0, 2])));
    act(&mut session, Action::Edit(EditAction::Ask(EditSubject::ShaderPath)));
    let dialog = session.interface.edit_dialog.clone().unwrap();
    assert_eq!(dialog.what, EditField::ShaderPath(vec![(0, 0), (2, 0)]));
    let edits = [0, 2].map(|surface| Edit::SetMaterial { surface, material: 0, name: "both".to_owned() });
    edit(&mut session, edits.to_vec());
    let paths = |session: &Session| -> Vec<String> {
        session.asset().unwrap().model.surfaces().iter().map(|surface| surface.materials[0].clone()).collect()
    };
    assert_eq!(paths(&session), ["both", "models/box/skin.tga", "both"]);
    assert_eq!(session.document.selected_surfaces(), [0, 2], "what is selected stays so");
    assert!(session.interface.edit_dialog.is_none());
    undo(&mut session);
    assert_eq!(paths(&session), ["models/box/skin.tga"; 3]);
}

#[test]
fn path_dialog_offers_existing_shaders_and_textures() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    folder.put("skin.tga", b"");
    folder.put("notes.txt", b"");
    std::fs::create_dir_all(folder.folder.path().join("scripts")).unwrap();
    std::fs::write(folder.folder.path().join("scripts/box.shader"), "models/box/glow\n{\n}\n").unwrap();
    let mut session = opened(&file);
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    act(&mut session, Action::Edit(EditAction::Ask(EditSubject::ShaderPath)));
    let names = session.interface.material_names.clone().unwrap();
    let named: Vec<(&str, bool)> = names.iter().map(|name| (name.name.as_str(), name.is_shader)).collect();
    assert_eq!(named, [("models/box/glow", true), ("models/box/skin.tga", false)]);
    let fitting: Vec<&str> = fitting_names(&names, "BOX\\sk", 9).iter().map(|name| name.name.as_str()).collect();
    assert_eq!(fitting, ["models/box/skin.tga"]);
}

#[test]
fn renaming_surface_updates_its_skin_files() {
    let folder = Folder::new();
    let path = folder.put("box.md3", &Md3::typical().build());
    let name = load(&Md3::typical().build()).surfaces()[0].name.clone();
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
fn renamed_tag_keeps_attached_models() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let hat = folder.put("hat.md3", &Md3::typical().build());
    let mut session = opened(&file);
    let body = session.document.focus.unwrap();
    let to = Attachment { to: body, anchor: Anchor::Tag("tag_head".to_owned()) };
    act(&mut session, Action::Scene(SceneAction::Attach(hat, to)));
    let anchor = |session: &Session| session.document.scene.entities()[1].attachment.clone().unwrap().anchor;
    edit(&mut session, vec![Edit::RenameTag { tag: 0, name: "tag_hat".to_owned() }]);
    assert_eq!(anchor(&session), Anchor::Tag("tag_hat".to_owned()));
    undo(&mut session);
    assert_eq!(anchor(&session), Anchor::Tag("tag_head".to_owned()));
    assert_eq!(session.asset().unwrap().model.tags(), ["tag_head"]);

    let tag = |session: &Session, index: usize| Vec3::from(session.pose().unwrap().tags[index].translation);
    session.refresh();
    let before = tag(&session, 0);
    edit(&mut session, vec![Edit::MoveTag { tag: 0, by: Vec3::new(0.0, 2.0, 0.0) }]);
    assert!((tag(&session, 0) - before - Vec3::new(0.0, 2.0, 0.0)).length() < 1e-5);
    edit(&mut session, vec![Edit::AddTag { name: "tag_new".to_owned(), at: Vec3::X }]);
    assert_eq!(session.document.selection, Selection::Tag(1), "a new tag is selected");
    act(&mut session, Action::Edit(EditAction::RemoveTag));
    assert_eq!(session.asset().unwrap().model.tags(), ["tag_head"]);
    assert_eq!(session.document.selection, Selection::None);
    assert_eq!(session.document.history.undoable(), Some("Remove tag"));
    // Detaching a part with unsaved changes asks first.
    session.document.focus = session.document.scene.entities().last().map(|entity| entity.id);
    edit(&mut session, vec![Edit::RenameTag { tag: 0, name: "tag_brim".to_owned() }]);
    session.apply(Action::Scene(SceneAction::DetachFocused));
    assert!(session.interface.unsaved_prompt.is_some());
}

#[test]
fn md2_skin_reorder_can_be_undone() {
    let folder = Folder::new();
    let md2 = Md2::typical();
    let file = folder.put("box.md2", &md2.build());
    let mut session = opened(&file);
    let skins = session.asset().unwrap().model.skins().to_vec();
    assert_eq!(skins.len(), 2);
    edit(&mut session, vec![Edit::ReorderSkins { order: vec![1, 0] }]);
    assert_eq!(session.asset().unwrap().model.skins(), [skins[1].clone(), skins[0].clone()]);
    undo(&mut session);
    assert_eq!(session.asset().unwrap().model.skins(), skins);
}

#[test]
fn editing_a_sample_reports_that_it_has_no_file() {
    let mut session = Session::default();
    session.show(maquette_assets::open::open_sample(maquette_core::model::Format::Md3).unwrap());
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    set_path(&mut session, "x");
    assert_eq!(last_note(&session), "Sample models have no file to edit");
    assert!(!session.has_unsaved());
}

#[test]
fn overridden_texture_becomes_permanent_with_game_path() {
    let folder = Folder::new();
    let mut model = Md3::typical();
    model.shaders = vec!["models/box/stel"];
    let file = folder.put("box.md3", &model.build());
    let image = folder.put("steel.tga", &tga());
    let mut session = opened(&file);
    assert!(session.entity().unwrap().materials()[0].is_missing());
    act(&mut session, Action::Scene(SceneAction::UseNearest(0)));
    assert_eq!(session.entity().unwrap().overrides.len(), 1);
    act(&mut session, Action::Edit(EditAction::MakePermanent));
    assert_eq!(path_of(&session), "models/box/steel.tga");
    assert!(session.entity().unwrap().overrides.is_empty(), "the file has it now");
    assert!(!session.entity().unwrap().materials()[0].is_missing());
    undo(&mut session);
    assert_eq!(path_of(&session), "models/box/stel");
    assert_eq!(session.entity().unwrap().overrides.len(), 1, "what was set is set again");
    // An image outside the game has no game path.
    let elsewhere = tempfile::tempdir().unwrap();
    let other = elsewhere.path().join("other.tga");
    std::fs::copy(image, &other).unwrap();
    act(&mut session, Action::Scene(SceneAction::TryTexture(other)));
    act(&mut session, Action::Edit(EditAction::MakePermanent));
    assert!(last_note(&session).contains("is outside the folders of the model’s game"), "{}", last_note(&session));
    assert_eq!(path_of(&session), "models/box/stel");
}

/// Returns an image of one red texel.
fn tga() -> Vec<u8> {
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0];
    file.extend([0, 0, 255]);
    file
}

#[test]
fn undo_keeps_textures_found_by_reload() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&file);
    set_path(&mut session, "models/box/new");
    // Another program adds the original texture.
    folder.put("skin.tga", &tga());
    act(&mut session, Action::File(FileAction::Reload));
    assert_eq!(path_of(&session), "models/box/new");
    undo(&mut session);
    assert_eq!(path_of(&session), "models/box/skin.tga");
    assert!(!session.entity().unwrap().materials()[0].is_missing(), "it is found");
    assert!(!session.has_unsaved());
}

#[test]
fn file_panel_shows_unsaved_bytes() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&file);
    set_path(&mut session, "models/box/new");
    act(&mut session, Action::File(FileAction::TakeApart(file)));
    let shown = session.interface.structure.clone().unwrap().taken_apart.unwrap();
    assert_eq!(shown.bytes, bytes(&session));
}

#[test]
fn edits_share_unchanged_textures() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let image = folder.put("skin.tga", &tga());
    let opener = Opener::new(Vec::new(), ImageLoading::Decode);
    let mut session = Session::default();
    let act = |session: &mut Session, action: Action| {
        let mut effect = session.apply(action);
        while let Some(Effect::Load(job)) = effect {
            effect = session.loaded(job.run(&mut Reading::new(&opener, &|| false)));
        }
    };
    act(&mut session, Action::File(FileAction::Open(vec![file])));
    let texture = |session: &Session| session.entity().unwrap().materials()[0].image.clone().unwrap();
    let before = texture(&session);
    let rename = Edit::RenameTag { tag: 0, name: "tag_hat".to_owned() };
    act(&mut session, Action::Edit(EditAction::Change(vec![rename])));
    assert!(Arc::ptr_eq(&before, &texture(&session)));
    // A changed image is decoded again.
    let mut other = tga();
    other.extend([0; 7]);
    std::fs::write(image, other).unwrap();
    act(&mut session, Action::File(FileAction::Reload));
    assert!(!Arc::ptr_eq(&before, &texture(&session)));
}

#[test]
fn log_names_each_edit_and_its_target() {
    let folder = Folder::new();
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    let surface = session.entity().unwrap().surface_name(0);
    let expected = [
        (Edit::RenameSurface { surface: 0, name: "lid".to_owned() }, format!("Rename surface {surface} to lid")),
        (
            Edit::SetMaterial { surface: 0, material: 0, name: "models/box/mended".to_owned() },
            "Edit shader path of lid".to_owned(),
        ),
        (Edit::RenameTag { tag: 0, name: "tag_hat".to_owned() }, "Rename tag tag_head to tag_hat".to_owned()),
        (Edit::MoveTag { tag: 0, by: Vec3::X }, "Move tag tag_hat".to_owned()),
        (Edit::RecomputeBounds, "Recompute bounds and radii".to_owned()),
    ];
    for (change, text) in &expected {
        edit(&mut session, vec![change.clone()]);
        assert_eq!(last_note(&session), *text);
    }
    undo(&mut session);
    assert_eq!(last_note(&session), "Undo: recompute bounds and radii");
    undo(&mut session);
    assert_eq!(last_note(&session), "Undo: move tag tag_hat");
    redo(&mut session);
    assert_eq!(last_note(&session), "Redo: move tag tag_hat");
}
