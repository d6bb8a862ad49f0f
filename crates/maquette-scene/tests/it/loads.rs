//! Loads without a window: requests of the session, the loader, and results.

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use glam::Vec3;
use maquette_assets::open::{OpenOptions, Role, open_sample};
use maquette_core::bytes::{Forward, LoadOptions};
use maquette_core::model::Format;
use maquette_scene::loader::{LoadJob, Loader, ReadFiles};
use maquette_scene::session::{
    Action, DisplayAction, Effect, FileAction, FilePrompt, ModelFileChange, NotificationKind, SceneAction, Selection,
    Session,
};

use crate::support::loading::{act, answer, load_of, settle};
use maquette_testing::waiting::MAX_WAIT;
use maquette_testing::{files::Md3, gltf::GltfFile, iqm::Iqm, player};

fn game() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let model_folder = folder.path().join("models/players/box");
    (folder, model_folder)
}

fn save_image(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    image::RgbaImage::from_pixel(2, 2, image::Rgba([200, 40, 40, 255])).save(&path).unwrap();
    path
}

/// Copies a sample file into a folder.
fn copy_of_sample(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample").join(name), &path).unwrap();
    path
}

#[test]
fn two_textures_set_in_quick_succession_both_apply() {
    let folder = tempfile::tempdir().unwrap();
    let (red, blue) = (save_image(folder.path(), "red.png"), save_image(folder.path(), "blue.png"));
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    let first = session.apply(Action::Scene(SceneAction::TryTexture(red)));
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(1))));
    assert!(session.apply(Action::Scene(SceneAction::TryTexture(blue))).is_none(), "it waits for the first");
    settle(&mut session, first);
    let names: Vec<String> =
        session.entity().unwrap().materials().iter().map(|material| material.name.clone()).collect();
    assert!(names[0].ends_with("red.png") && names[1].ends_with("blue.png"), "{names:?}");
    assert!(session.jobs.loading.is_none());
    session.apply(Action::Scene(SceneAction::Undo));
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(session.document.history.undoable().is_none(), "each was a step of its own");
}

#[test]
fn opened_model_resets_lights_and_player_colours() {
    let folder = tempfile::tempdir().unwrap();
    let (file, damaged) = (copy_of_sample(folder.path(), "umber.md3"), folder.path().join("damaged.md3"));
    std::fs::write(&damaged, b"IDP3").unwrap();
    let open = |path: &PathBuf| Action::File(FileAction::Open(vec![path.clone()]));
    let state = |session: &Session| (session.player_colours, session.view.display.game_lights.len());
    let mut session = Session::default();
    act(&mut session, open(&file));
    act(&mut session, Action::File(FileAction::ColourPlayer([Some(4), None])));
    // The second light takes the place of the parallel one.
    act(&mut session, Action::Display(DisplayAction::AddPointLight));
    act(&mut session, Action::Display(DisplayAction::AddPointLight));
    act(&mut session, open(&damaged));
    session.apply(open(&file));
    session.apply(Action::File(FileAction::CancelLoading));
    assert_eq!(state(&session), ([Some(4), None], 3), "the first model stays open");
    let reload = load_of(session.apply(Action::File(FileAction::Reload)));
    assert_eq!(reload.options.player_colours, [Some(4), None]);
    let images = session.loaded(answer(reload));
    settle(&mut session, images);
    session.interface.light_materials = vec!["lights/other_game".to_owned()];
    let load = load_of(session.apply(open(&file)));
    assert_eq!(load.options.player_colours, [None; 2]);
    settle(&mut session, Some(Effect::Load(load)));
    assert_eq!(state(&session), ([None; 2], 2));
    assert!(session.interface.light_materials.is_empty());
}

#[test]
fn setting_missing_texture_removes_its_issue() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model])));
    let missing = |session: &Session| {
        session
            .document
            .issues
            .iter()
            .filter(|issue| issue.warning.message.to_lowercase().contains("paths tried"))
            .count()
    };
    assert!(missing(&session) > 0, "{:?}", session.document.issues);
    act(&mut session, Action::Scene(SceneAction::TryTexture(save_image(folder.path(), "red.png"))));
    assert_eq!(missing(&session), 0, "{:?}", session.document.issues);
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(missing(&session) > 0, "back with what was undone");
}

#[test]
fn external_change_reloads_while_texture_is_being_set() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let red = save_image(folder.path(), "red.png");
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    let frames = session.asset().unwrap().model.frames().len();
    let mut longer = Md3::typical();
    longer.frames.push(longer.frames[0].clone());
    longer.tags.iter_mut().for_each(|(_, transforms)| transforms.push(transforms[0]));
    std::fs::write(&model, longer.build()).unwrap();
    for reload_first in [true, false] {
        let (change, wish) =
            (|session: &mut Session| session.file_changed(&model), Action::Scene(SceneAction::TryTexture(red.clone())));
        let effect = if reload_first {
            let effect = change(&mut session);
            assert!(session.apply(wish).is_none());
            effect
        } else {
            let effect = session.apply(wish);
            assert!(change(&mut session).is_none());
            effect
        };
        settle(&mut session, effect);
        assert_eq!(session.asset().unwrap().model.frames().len(), frames + 1, "the new state");
        assert!(session.entity().unwrap().materials()[0].name.ends_with("red.png"), "and the picture");
        assert!(session.interface.notes.iter().any(|note| note.text == "box.md3 reloaded"));
    }
}

#[test]
fn animations_dropped_in_succession_are_all_added() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = copy_of_sample(folder.path(), "umber.md5mesh");
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![mesh])));
    let known = session.asset().unwrap().model.clips().len();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    let mut anims: Vec<PathBuf> = std::fs::read_dir(sample)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md5anim"))
        .collect();
    anims.sort();
    assert!(anims.len() >= 2);
    let first = session.apply(Action::File(FileAction::Drop(vec![anims[0].clone()])));
    assert!(session.apply(Action::File(FileAction::Drop(vec![anims[1].clone()]))).is_none());
    settle(&mut session, first);
    assert_eq!(session.asset().unwrap().model.clips().len(), known + 2);
}

#[test]
fn model_with_an_extension_of_animations_opens() {
    let folder = tempfile::tempdir().unwrap();
    let [first, second] = ["a.iqm", "b.iqm"].map(|name| folder.path().join(name));
    for path in [&first, &second] {
        std::fs::write(path, Iqm::typical().build()).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![first])));
    assert_eq!(session.name(), Some("a.iqm"), "{:?}", session.interface.notes);
    act(&mut session, Action::File(FileAction::Drop(vec![second])));
    assert_eq!(session.name(), Some("b.iqm"), "{:?}", session.interface.notes);
}

#[test]
fn skins_dropped_together_are_added_and_last_is_active() {
    let (folder, model_folder) = game();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model_folder.join("lower.md3")])));
    let skins = ["red", "blue"].map(|name| {
        let path = folder.path().join(format!("{name}.skin"));
        std::fs::write(&path, format!("u_torso,models/players/box/{name}.png\n")).unwrap();
        path
    });
    let known = session.entity().unwrap().asset.skins.len();
    act(&mut session, Action::File(FileAction::Drop(skins.to_vec())));
    let legs = session.document.scene.with_role(Role::Legs).unwrap();
    assert_eq!(legs.asset.skins.len(), known + 2);
    assert_eq!(legs.skin_name(), "blue.skin");
}

#[test]
fn change_during_failed_open_is_reloaded_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let (model, broken) = (folder.path().join("box.md3"), folder.path().join("broken.md3"));
    std::fs::write(&model, Md3::typical().build()).unwrap();
    std::fs::write(&broken, b"IDP3").unwrap();
    let reloaded =
        |session: &Session| session.interface.notes.iter().filter(|note| note.text.ends_with("reloaded")).count();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    let effect = session.apply(Action::File(FileAction::Open(vec![broken.clone()])));
    assert!(session.file_changed(&model).is_none(), "it may be about to go");
    settle(&mut session, effect);
    assert_eq!(reloaded(&session), 1);
    // A changed file is also reloaded after a load was cancelled.
    session.apply(Action::File(FileAction::Open(vec![broken])));
    session.file_changed(&model);
    let effect = session.apply(Action::File(FileAction::CancelLoading));
    settle(&mut session, effect);
    assert_eq!(reloaded(&session), 2);
    assert_eq!(session.name(), Some("box.md3"));
}

#[test]
fn closing_discards_pending_load_results() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    let job = load_of(session.apply(Action::File(FileAction::OpenSample(Format::Md2))));
    assert!(matches!(session.apply(Action::File(FileAction::Close)), Some(Effect::CancelLoads)));
    assert!(session.loaded(answer(job)).is_none());
    assert!(session.asset().is_none() && session.jobs.loading.is_none());
}

/// Returns a session with the sample, and a folder with a model that does not open and an image.
fn with_broken_model_and_image() -> (tempfile::TempDir, PathBuf, PathBuf, Session) {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.md3");
    std::fs::write(&broken, b"IDP3").unwrap();
    let red = save_image(folder.path(), "red.png");
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    (folder, broken, red, session)
}

#[test]
fn load_error_is_kept_after_later_success() {
    let (_folder, broken, red, mut session) = with_broken_model_and_image();
    let to = maquette_scene::scene::Attachment {
        to: session.document.focus.unwrap(),
        anchor: maquette_assets::open::Anchor::Origin,
    };
    let effect = session.apply(Action::Scene(SceneAction::Attach(broken, to)));
    assert!(session.apply(Action::Scene(SceneAction::TryTexture(red))).is_none());
    settle(&mut session, effect);
    assert!(session.interface.failure.as_ref().is_some_and(|failure| failure.title.contains("broken.md3")));
    assert!(session.entity().unwrap().materials()[0].name.ends_with("red.png"));
}

#[test]
fn assigned_image_removes_an_earlier_error() {
    let (_folder, broken, red, mut session) = with_broken_model_and_image();
    act(&mut session, Action::File(FileAction::Open(vec![broken])));
    assert!(session.interface.failure.is_some());
    act(&mut session, Action::Scene(SceneAction::TryTexture(red)));
    assert_eq!(session.interface.failure, None);
}

#[test]
fn message_about_a_deleted_file_ends_when_the_file_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    let bytes = Md3::typical().build();
    std::fs::write(&model, &bytes).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    let is_shown = |session: &Session| {
        session.interface.notes.iter().any(|note| note.is_toast && note.text.contains("was deleted"))
    };
    std::fs::remove_file(&model).unwrap();
    assert!(session.file_changed(&model).is_none());
    assert!(is_shown(&session));
    std::fs::write(&model, &bytes).unwrap();
    session.file_changed(&model);
    assert!(!is_shown(&session));
}

#[test]
fn open_dialog_behaves_like_a_drop() {
    let (_game, model_folder) = game();
    let upper = model_folder.join("upper.md3");
    let by_dialog = FilePrompt::Open.action(vec![upper.clone()], true).unwrap();
    for action in [by_dialog, Action::File(FileAction::Drop(vec![upper]))] {
        let mut session = Session::default();
        act(&mut session, action);
        assert_eq!(session.entity().unwrap().role, Role::Torso, "what was asked for comes into focus");
    }
}

#[test]
fn next_model_follows_the_broken_file() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.md3", "c.md3"] {
        std::fs::write(folder.path().join(name), Md3::typical().build()).unwrap();
    }
    let broken = folder.path().join("b.md3");
    std::fs::write(&broken, b"IDP3").unwrap();
    for action in
        [FilePrompt::Open.action(vec![broken.clone()], true).unwrap(), Action::File(FileAction::Drop(vec![broken]))]
    {
        let mut session = Session::default();
        act(&mut session, action);
        assert!(session.interface.failure.is_some() && session.asset().is_none());
        act(&mut session, Action::File(FileAction::NextModel));
        assert_eq!(session.name(), Some("c.md3"));
    }
}

#[test]
fn superseded_load_result_is_discarded() {
    let (folder, model_folder) = game();
    let mut session = Session::default();
    let old = load_of(session.apply(Action::File(FileAction::Open(vec![model_folder.join("lower.md3")]))));
    let late = answer(old);
    let new = load_of(session.apply(Action::File(FileAction::OpenSample(Format::Md2))));
    assert!(session.loaded(late).is_none() && session.asset().is_none(), "nobody waits for it any more");
    session.loaded(answer(new));
    assert_eq!(session.name(), Some("umber.md2"));
    // A cancelled load gives no result. The loads queued behind it do not, either.
    let job = load_of(session.apply(Action::Scene(SceneAction::Attach(
        folder.path().join("models/weapons2/gauntlet/gauntlet.md3"),
        maquette_scene::scene::Attachment {
            to: session.document.focus.unwrap(),
            anchor: maquette_assets::open::Anchor::Origin,
        },
    ))));
    assert!(session.apply(Action::File(FileAction::Reload)).is_none());
    assert!(matches!(session.apply(Action::File(FileAction::CancelLoading)), Some(Effect::CancelLoads)));
    assert!(session.loaded(answer(job)).is_none());
    assert_eq!(session.document.scene.entities().len(), 1);
    assert!(session.apply(Action::File(FileAction::CancelLoading)).is_none(), "there is nothing left to give up");
}

#[test]
fn import_options_apply_at_once_and_keep_view() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.glb");
    std::fs::write(&path, GltfFile::triangle().glb()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path])));
    let second = |session: &Session| session.entity().unwrap().pose.surfaces[0].positions[1];
    assert!(second(&session).distance(Vec3::new(0.0, 1.0 / 0.0254, 0.0)) < 1e-3);
    let distance = session.view.camera.distance;
    let turned = LoadOptions { forward: Forward::MinusZ, ..LoadOptions::default() };
    act(&mut session, Action::File(FileAction::Import(turned)));
    assert!(second(&session).distance(Vec3::new(0.0, -1.0 / 0.0254, 0.0)) < 1e-3);
    assert_eq!(session.view.camera.distance, distance, "a model of the same size stays where it is");
    act(&mut session, Action::File(FileAction::Import(LoadOptions { scale: 1.0, ..turned })));
    assert!(second(&session).distance(Vec3::NEG_Y) < 1e-5);
    assert!(session.view.camera.distance < distance / 20.0, "a smaller model is framed again");
}

#[test]
fn open_model_is_not_reloaded_during_next_load() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    let effect = session.apply(Action::File(FileAction::OpenSample(Format::Md5)));
    assert!(session.file_changed(&model).is_none());
    settle(&mut session, effect);
    assert_eq!(session.name(), Some("umber.md5mesh"));
    // Twenty changes within a second cause one more read, not twenty.
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    let first = session.file_changed(&model);
    (0..20).for_each(|_| assert!(session.file_changed(&model).is_none()));
    let reloaded =
        |session: &Session| session.interface.notes.iter().filter(|note| note.text.ends_with("reloaded")).count();
    settle(&mut session, first);
    assert_eq!(reloaded(&session), 2, "the one under way, and one for all that came since");
}

#[test]
fn deleted_texture_is_listed_among_the_issues() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3 { shaders: vec!["box.png"], ..Md3::typical() }.build()).unwrap();
    let texture = folder.path().join("box.png");
    image::RgbaImage::new(2, 2).save(&texture).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model])));
    let missing = |session: &Session| {
        session.document.issues.iter().filter(|issue| issue.warning.message.contains("box.png")).count()
    };
    let before = missing(&session);
    std::fs::remove_file(&texture).unwrap();
    let effect = session.file_changed(&texture);
    settle(&mut session, effect);
    assert!(session.entity().unwrap().materials().iter().any(|material| material.is_missing()));
    assert!(missing(&session) > before, "{:?}", session.document.issues);
    assert_eq!(session.interface.notes.last().unwrap().detail, "box.png was deleted from disk");
}

#[test]
fn changed_companion_file_is_named_in_reload_note() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let skin = folder.path().join("box_red.skin");
    std::fs::write(&skin, "u_torso,models/box/red.png\n").unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    for (file, detail) in [(&model, "File changed on disk"), (&skin, "box_red.skin changed on disk")] {
        let effect = session.file_changed(file);
        settle(&mut session, effect);
        let note = session.interface.notes.last().unwrap();
        assert_eq!((note.text.as_str(), note.detail.as_str()), ("box.md3 reloaded", detail));
    }
    // The session already reported its own write when it saved the file.
    let notes = session.interface.notes.len();
    let effect = session.own_file_changed(&skin);
    assert!(effect.is_some());
    settle(&mut session, effect);
    assert!(session.own_file_changed(&model).is_none(), "a model that is saved is read again then");
    assert_eq!(session.interface.notes.len(), notes);
}

#[test]
fn deleted_file_is_reported_and_model_stays() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model.clone()])));
    std::fs::remove_file(&model).unwrap();
    assert!(session.file_changed(&model).is_none());
    let note = session.interface.notes.last().unwrap();
    assert_eq!((note.kind, note.text.as_str()), (NotificationKind::Warning, "box.md3 was deleted from disk"));
    assert_eq!(session.name(), Some("box.md3"));
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let effect = session.file_changed(&model);
    settle(&mut session, effect);
    let note = session.interface.notes.iter().find(|note| note.text == "box.md3 was deleted from disk").unwrap();
    assert_eq!((note.kind, note.detail.as_str(), note.is_toast), (NotificationKind::Done, "The file is back", false));
}

#[test]
fn model_keeps_what_deleted_companions_supplied() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![model])));
    for name in ["box.mdx", "_humanoid.gla", "walk.md5anim", "animation.cfg"] {
        assert!(session.file_changed(&folder.path().join(name)).is_none(), "{name} is not read again");
        let note = session.interface.notes.last().unwrap();
        assert_eq!((note.kind, &*note.text), (NotificationKind::Warning, &*format!("{name} was deleted from disk")));
        assert_eq!(note.detail, "The model stays open");
    }
    for name in ["box.TGA", "box_red.skin", "box.shader", "box.mtr"] {
        let effect = session.file_changed(&folder.path().join(name));
        assert!(effect.is_some(), "{name} changes the materials");
        settle(&mut session, effect);
    }
}

#[test]
fn model_that_changes_while_it_is_counted_is_counted_again() {
    let actions = [FileAction::CountTriangles, FileAction::CheckFiles];
    for (action, by_watcher) in actions.into_iter().flat_map(|action| [(action.clone(), false), (action, true)]) {
        let folder = tempfile::tempdir().unwrap();
        let model = folder.path().join("a.md3");
        std::fs::write(&model, Md3::grid(30, 3).build()).unwrap();
        let mut session = Session::default();
        act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
        let Some(Effect::Load(job)) = session.apply(Action::File(action.clone())) else { panic!("{action:?}") };
        let counted = answer(job);
        std::fs::write(&model, Md3::grid(30, 40).build()).unwrap();
        if by_watcher {
            session.models_found(&[ModelFileChange::read(model.clone(), true)]);
        } else {
            assert!(session.file_changed(&model).is_none(), "it is read again after the count");
        }
        let effect = session.loaded(counted);
        settle(&mut session, effect);
        assert_eq!(session.interface.triangle_counts.of(&model), Some(40), "{action:?} {by_watcher}");
        assert!(!session.interface.triangle_counts.is_running());
    }
}

#[test]
fn loader_processes_requests_in_order_and_skips_superseded() {
    let (_game, model_folder) = game();
    let (answers, answered) = channel();
    let loader = Loader::start(move |answer| drop(answers.send(answer)), || {});
    let job = |id, path: &str, replaces| {
        let path = model_folder.join(path);
        let (search_folders, options) = (Vec::new(), OpenOptions::default());
        let file = path.clone();
        let read: ReadFiles<()> = Box::new(move |context| match replaces {
            true => context.opener.assembly(&file).map(drop),
            false => context.opener.image(&file).map(drop),
        });
        LoadJob { id, search_folders, options, path, replaces, read }
    };
    for id in [1, 2] {
        assert!(loader.load(job(id, "default.png", false)).is_none());
    }
    loader.load(job(3, "lower.md3", true));
    loader.load(job(4, "upper.md3", true));
    // The loader may release its cache at any time.
    loader.drop_caches();
    loader.load(job(5, "default.png", false));
    let mut ids = Vec::new();
    while ids.last() != Some(&5) {
        ids.push(answered.recv_timeout(MAX_WAIT).unwrap().id);
    }
    // Only the last load must finish. Earlier loads that replace the scene may or may not finish.
    ids.retain(|id| ![3, 4].contains(id));
    assert_eq!(ids, [1, 2, 5]);
}

#[test]
fn listed_folder_reports_its_number_of_models() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["a.md3", "b.md3"] {
        std::fs::write(folder.path().join(name), Md3::typical().build()).unwrap();
    }
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::ListFolder(folder.path().to_path_buf())));
    assert_eq!(session.interface.notes.last().unwrap().text, "Listed 2 models");
}

#[test]
fn folder_opens_at_its_first_model_that_can_be_opened() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..30 {
        std::fs::write(folder.path().join(format!("a{number:02}.md3")), b"version https://git-lfs.github.com/spec/v1")
            .unwrap();
    }
    std::fs::write(folder.path().join("b.md3"), Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    assert_eq!(session.asset().unwrap().file.as_deref(), Some(folder.path().join("b.md3").as_path()));
    assert_eq!(session.model_list.len(), 31);
    let note = session.interface.notes.last().unwrap();
    assert_eq!(
        (note.kind, note.text.as_str()),
        (NotificationKind::Warning, "30 files could not be opened; b.md3 is shown")
    );
    assert!(note.detail.contains("a00.md3") && note.detail.contains("Git LFS"), "{}", note.detail);
}
