//! Editing in a session: edits, undo, and changes on disk.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Anchor, Opener, fitting_names};
use maquette_core::edit::{Call, OPERATIONS};
use maquette_scene::loader::LoaderContext;
use maquette_scene::scene::Attachment;
use maquette_scene::session::{
    Action, EditAction, EditField, EditSubject, Effect, FileAction, NotificationKind, OutputKind, SceneAction,
    Selection, Session, WindowAction,
};

use crate::support::editing::{Folder, bytes, call, edit, opened, path_of, redo, set_path, undo};
use crate::support::loading::{act, settle};
use maquette_testing::files::{Md2, Md3};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

fn last_note(session: &Session) -> String {
    session.interface.notes.last().map(|note| note.text.clone()).unwrap_or_default()
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
        assert!(session.document.has_unsaved());
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
    assert!(session.document.has_unsaved());
    act(&mut session, Action::Edit(EditAction::Discard));
    assert_eq!(path_of(&session), "theirs");
    assert!(!session.document.has_unsaved());
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
    assert!(!session.document.has_unsaved());
    undo(&mut session);
    assert_eq!(path_of(&session), "models/box/mended");
    assert!(session.document.has_unsaved());
}

#[test]
fn operation_is_undone_to_original_bytes() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let mut session = opened(&folder.put("box.md3", &before));
    let scale = OPERATIONS.iter().find(|operation| operation.name == "scale").unwrap();
    act(&mut session, Action::Edit(EditAction::Operate(scale)));
    assert_eq!(session.interface.edit_dialog.as_ref().unwrap().what, EditField::Arguments(scale));
    edit(&mut session, vec![Call::parse("scale factor=2").unwrap()]);
    assert!(session.interface.edit_dialog.is_none());
    assert_eq!(session.asset().unwrap().model.frames()[0].radius, 8.0);
    edit(&mut session, vec![Call::parse("delete-frames frames=0").unwrap()]);
    assert_eq!(session.asset().unwrap().model.frames().len(), 1);
    edit(&mut session, vec![Call::parse("delete-frames frames=0").unwrap()]);
    assert!(last_note(&session).contains("The model has a single frame"), "{}", last_note(&session));
    undo(&mut session);
    undo(&mut session);
    assert_eq!(bytes(&session), before);
}

#[test]
fn operations_take_names_of_clips_in_companion_files() {
    let folder = Folder::new();
    folder.put("box.md3.framegroups", b"0 1 10 1 // stop\n1 1 10 1 // go\n");
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    let shown = session.asset().unwrap().model.clips().iter().map(|clip| clip.name.clone()).collect::<Vec<_>>();
    assert_eq!(shown, ["stop", "go"]);
    edit(&mut session, vec![Call::parse("delete-frames frames=go").unwrap()]);
    assert_eq!(session.asset().unwrap().model.frames().len(), 1, "{}", last_note(&session));
}

#[test]
fn frames_of_animation_files_are_refused_in_window() {
    let folder = Folder::new();
    folder.put("box.md5anim", MD5_ANIM.as_bytes());
    let session = opened(&folder.put("box.md5mesh", MD5_MESH.as_bytes()));
    assert!(session.asset().unwrap().model.frames().len() > 1);
    let delete = OPERATIONS.iter().find(|operation| operation.name == "delete-frames").unwrap();
    let why = session.document.why_no_edit(delete);
    assert_eq!(why.unwrap(), "Frames are in animation files; maquette convert --edit changes them");
}

#[test]
fn rejected_edit_changes_nothing() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let mut session = opened(&folder.put("box.md3", &before));
    set_path(&mut session, &"x".repeat(64));
    assert!(last_note(&session).contains("has 64 bytes; the field holds at most 63"), "{}", last_note(&session));
    assert!(!session.document.has_unsaved());
    assert!(session.document.history.undoable().is_none());
    // An equal path is not a change.
    set_path(&mut session, "models/box/skin.tga");
    assert!(!session.document.has_unsaved() && session.document.history.undoable().is_none());
    edit(&mut session, vec![call("order-skins order=0")]);
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
    assert_eq!(dialog.what, EditField::Materials(vec![(0, 0), (2, 0)]));
    edit(&mut session, vec![call("set-material surfaces=#0,#2 path=both")]);
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
fn renamed_tag_keeps_attached_models() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let hat = folder.put("hat.md3", &Md3::typical().build());
    let mut session = opened(&file);
    let body = session.document.focus.unwrap();
    let to = Attachment { to: body, anchor: Anchor::Tag("tag_head".to_owned()) };
    act(&mut session, Action::Scene(SceneAction::Attach(hat, to)));
    let anchor = |session: &Session| session.document.scene.entities()[1].attachment.clone().unwrap().anchor;
    edit(&mut session, vec![call("rename-tag tag=#0 name=tag_hat")]);
    assert_eq!(anchor(&session), Anchor::Tag("tag_hat".to_owned()));
    assert!(session.interface.notes.iter().any(|note| note.is_toast && note.text == "No tag_head any more"));
    undo(&mut session);
    assert_eq!(anchor(&session), Anchor::Tag("tag_head".to_owned()));
    assert_eq!(session.asset().unwrap().model.tags(), ["tag_head"]);

    let tag = |session: &Session, index: usize| Vec3::from(session.document.pose().unwrap().tags[index].translation);
    session.refresh();
    let before = tag(&session, 0);
    edit(&mut session, vec![call("move-tag tag=#0 by=0,2,0")]);
    assert!((tag(&session, 0) - before - Vec3::new(0.0, 2.0, 0.0)).length() < 1e-5);
    edit(&mut session, vec![call("add-tag name=tag_new at=1,0,0")]);
    assert_eq!(session.document.selection, Selection::Tag(1), "a new tag is selected");
    act(&mut session, Action::Edit(EditAction::RemoveTag));
    assert_eq!(session.asset().unwrap().model.tags(), ["tag_head"]);
    assert_eq!(session.document.selection, Selection::None);
    assert_eq!(session.document.history.undoable(), Some("Remove tag"));
    // Detaching a part with unsaved changes asks first.
    session.document.focus = session.document.scene.entities().last().map(|entity| entity.id);
    edit(&mut session, vec![call("rename-tag tag=#0 name=tag_brim")]);
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
    edit(&mut session, vec![call("order-skins order=1,0")]);
    assert_eq!(session.asset().unwrap().model.skins(), [skins[1].clone(), skins[0].clone()]);
    undo(&mut session);
    assert_eq!(session.asset().unwrap().model.skins(), skins);
}

#[test]
fn path_of_second_missing_skin_can_be_edited() {
    let folder = Folder::new();
    let skins = vec!["m/a.pcx", "m/b.pcx"];
    let mut session = opened(&folder.put("box.md2", &Md2 { skins, ..Md2::typical() }.build()));
    session.apply(Action::Scene(SceneAction::ChooseSkin(1)));
    act(&mut session, Action::Edit(EditAction::Ask(EditSubject::ShaderPath)));
    assert_eq!(session.interface.edit_dialog.unwrap().what, EditField::Materials(vec![(0, 1)]));
}

#[test]
fn editing_a_sample_reports_that_it_has_no_file() {
    let mut session = Session::default();
    session.show(maquette_assets::open::open_sample(maquette_core::model::Format::Md3).unwrap());
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    set_path(&mut session, "x");
    assert_eq!(last_note(&session), "Sample models have no file to edit");
    assert!(!session.document.has_unsaved());
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
    assert!(!session.document.has_unsaved());
}

#[test]
fn file_panel_shows_unsaved_bytes() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = opened(&file);
    set_path(&mut session, "models/box/new");
    act(&mut session, Action::File(FileAction::ShowStructure(file)));
    let shown = session.interface.structure.clone().unwrap().contents.unwrap();
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
            effect = session.loaded(job.run(&mut LoaderContext::new(&opener, &|| false)));
        }
    };
    act(&mut session, Action::File(FileAction::Open(vec![file])));
    let texture = |session: &Session| session.entity().unwrap().materials()[0].image.clone().unwrap();
    let before = texture(&session);
    let rename = call("rename-tag tag=#0 name=tag_hat");
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
        (call("rename-surface surfaces=#0 name=lid"), format!("Rename surface {surface} to lid")),
        (call("set-material surfaces=#0 path=models/box/mended"), "Edit shader path of lid".to_owned()),
        (call("rename-tag tag=#0 name=tag_hat"), "Rename tag tag_head to tag_hat".to_owned()),
        (call("move-tag tag=#0 by=1,0,0"), "Move tag tag_hat".to_owned()),
        (call("recompute-bounds"), "Recompute bounds and radii".to_owned()),
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

fn clips(session: &Session) -> Vec<(String, u32, u32, f32, u32)> {
    let clips = session.asset().unwrap().model.clips().iter();
    clips.map(|clip| (clip.name.clone(), clip.first, clip.count, clip.frames_per_second, clip.loop_frames)).collect()
}

/// Returns the effect of saving, and saves as the window does.
fn save(session: &mut Session) -> (OutputKind, std::path::PathBuf) {
    let Some(Effect::Save { product, path, .. }) = session.apply(Action::Edit(EditAction::Save)) else {
        panic!("nothing is saved")
    };
    let bytes = session.begin_saving(product, &path).unwrap();
    std::fs::write(&path, &*bytes).unwrap();
    let effect = session.saved();
    settle(session, effect);
    (product, path)
}

#[test]
fn clips_of_a_list_are_added_undone_and_saved_next_to_the_model() {
    let folder = Folder::new();
    let before = Md3::typical().build();
    let mut session = opened(&folder.put("box.md3", &before));
    let original = clips(&session);
    let list = folder.folder.path().join("models/box/animation.cfg");
    edit(&mut session, vec![call("add-clip clip=idle frames=0 rate=8")]);
    edit(&mut session, vec![call("add-clip clip=fire frames=0-1 rate=20 loop=no")]);
    // The clip of the frames' names is listed, too.
    let named = ("frame".to_owned(), 0, 2, 10.0, 2);
    let both = [named, ("idle".to_owned(), 0, 1, 8.0, 1), ("fire".to_owned(), 0, 2, 20.0, 0)];
    assert_eq!(clips(&session), both, "{}", last_note(&session));
    // The new clip is shown, and neither file has changed yet.
    assert_eq!(session.entity().unwrap().clip().name, "fire");
    assert_eq!(bytes(&session), before);
    assert!(session.document.has_unsaved() && !list.exists());

    undo(&mut session);
    undo(&mut session);
    assert_eq!(clips(&session), original);
    assert!(!session.document.has_unsaved());
    redo(&mut session);
    redo(&mut session);
    assert_eq!(clips(&session), both);

    session.apply(Action::Window(WindowAction::Quit));
    assert!(session.interface.unsaved_prompt.take().is_some());
    assert_eq!(save(&mut session), (OutputKind::ClipList, list.clone()));
    let text = "// NAME first count loop fps\nframe 0 2 0 10\nidle 0 1 0 8\nfire 0 2 -1 20\n";
    assert_eq!(std::fs::read_to_string(&list).unwrap(), text);
    assert!(!session.document.has_unsaved());
    assert_eq!(clips(&session), both);
    assert_eq!(clips(&opened(&folder.folder.path().join("models/box/box.md3"))), both);

    // Undo after saving is an unsaved change.
    undo(&mut session);
    assert_eq!(clips(&session), both[..2]);
    assert!(session.document.has_unsaved());
    redo(&mut session);
    assert!(!session.document.has_unsaved());
}

#[test]
fn removed_frames_change_the_list_with_the_model() {
    let folder = Folder::new();
    let list = folder.put("animation.cfg", b"sex n\nstop 0 1 1 5 // stands\ngo 1 1 1 7\n");
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    edit(&mut session, vec![call("delete-frames frames=stop")]);
    assert_eq!(clips(&session), [("go".to_owned(), 0, 1, 7.0, 1)], "{}", last_note(&session));
    let (text, _) = session.document.clip_list(None, Path::new("animation.cfg")).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "sex n\ngo 0 1 1 7\n");
    undo(&mut session);
    assert!(!session.document.has_unsaved());
    assert_eq!(clips(&session).len(), 2);
    assert_eq!(std::fs::read(&list).unwrap(), b"sex n\nstop 0 1 1 5 // stands\ngo 1 1 1 7\n");
}

#[test]
fn external_change_of_a_list_keeps_its_edit_until_discarded() {
    let folder = Folder::new();
    let list = folder.put("animation.cfg", b"stop 0 1 -1 5\n");
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    edit(&mut session, vec![call("change-clip clip=stop rate=9")]);
    folder.put("animation.cfg", b"theirs 1 1 -1 5\n");
    assert!(session.file_changed(&list).is_none());
    assert_eq!(last_note(&session), "animation.cfg changed on disk");
    assert_eq!(clips(&session)[0].3, 9.0);
    act(&mut session, Action::Edit(EditAction::Discard));
    assert_eq!(clips(&session), [("theirs".to_owned(), 1, 1, 5.0, 0)]);
    assert!(!session.document.has_unsaved());
}

#[test]
fn clips_of_players_and_wrong_frames_are_refused_with_one_sentence() {
    let folder = Folder::new();
    let mut session = opened(&folder.put("box.md3", &Md3::typical().build()));
    edit(&mut session, vec![call("add-clip clip=idle frames=0-2")]);
    assert!(last_note(&session).ends_with("frames 0-2 do not exist; the model has frames 0 to 1"));
    assert!(!session.document.has_unsaved());
    let session = opened(&folder.put("upper.md3", &Md3::typical().build()));
    let add = OPERATIONS.iter().find(|operation| operation.name == "add-clip").unwrap();
    let why = session.document.why_no_edit(add).unwrap();
    assert_eq!(why, "The animation.cfg of a player has the clips of all parts; edit it with a text editor");
}

#[test]
fn progress_says_what_a_load_does_with_its_file() {
    let folder = Folder::new();
    let file = folder.put("box.md3", &Md3::typical().build());
    let mut session = Session::default();
    for (action, progress) in [
        (Action::File(FileAction::Open(vec![file.clone()])), "Opening box.md3…"),
        (Action::Edit(EditAction::Change(vec![call("scale factor=2")])), "Changing box.md3…"),
        (Action::Edit(EditAction::Discard), "Changing box.md3…"),
        (Action::File(FileAction::Reload), "Reading box.md3…"),
        (Action::File(FileAction::FindVersions), "Reading box.md3…"),
    ] {
        let effect = session.apply(action.clone());
        assert_eq!(session.jobs.loading.as_deref(), Some(progress), "{action:?}");
        settle(&mut session, effect);
        assert_eq!(session.jobs.loading, None, "{action:?}");
    }
}

#[test]
fn result_of_an_operation_is_a_success_and_a_loss_is_a_warning() {
    let folder = Folder::new();
    // A flat grid of 8 × 8 squares.
    let square = |cell: i32| {
        let first = cell / 8 * 9 + cell % 8;
        [[first, first + 9, first + 1], [first + 1, first + 9, first + 10]]
    };
    let corner = |index: i16| ([index % 9 * 64, index / 9 * 64, 0], [0, 0]);
    let grid = Md3 {
        tags: vec![],
        triangles: (0..64).flat_map(square).collect(),
        uvs: (0_u8..81).map(|index| [f32::from(index % 9) / 8.0, f32::from(index / 9) / 8.0]).collect(),
        frames: vec![(0..81).map(corner).collect()],
        ..Md3::typical()
    };
    let mut session = opened(&folder.put("grid.md3", &grid.build()));
    let toasts = |session: &Session| {
        let notes = session.interface.notes.iter().filter(|note| note.is_toast);
        notes.map(|note| (note.kind, note.text.clone())).collect::<Vec<_>>()
    };
    edit(&mut session, vec![call("simplify triangles=20")]);
    let shown = toasts(&session);
    let [(NotificationKind::Done, text)] = shown.as_slice() else { panic!("{shown:?}") };
    assert!(text.starts_with("Simplify: ") && text.contains(" triangles are left; "), "{text}");
    // Nearly all edges of these triangles are open.
    let mut session = opened(&folder.put("open.md3", &Md3::grid(30, 2001).build()));
    edit(&mut session, vec![call("simplify triangles=1000")]);
    let (kind, text) = toasts(&session).pop().unwrap();
    assert!(kind == NotificationKind::Warning && text.contains("allow no fewer"), "{text}");
}
