//! Undo and redo of scene changes. Playback is not undone.

use std::sync::Arc;

use maquette_assets::material::{Image, SurfaceMaterial, TextureWrap};
use maquette_assets::open::{Anchor, AssemblyPart, Role, Skin, open_sample};
use maquette_core::model::Format;
use maquette_scene::scene::{Attachment, Background, EntityId, OverlayKind};
use maquette_scene::session::{
    Action, FileAction, History, NotificationKind, OutputKind, SaveAction, SceneAction, Session,
};

fn showing(format: Format) -> Session {
    let mut session = Session::default();
    session.show(open_sample(format).unwrap());
    session
}

fn visible(session: &Session) -> Vec<bool> {
    session.entity().unwrap().visible.clone()
}

#[test]
fn hidden_surfaces_undo_and_redo_step_by_step() {
    let mut session = showing(Format::Md3);
    let all = visible(&session);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    let one = visible(&session);
    session.apply(Action::Scene(SceneAction::ShowOnly(0)));
    let only = visible(&session);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(visible(&session), one);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(visible(&session), all);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(visible(&session), all, "there is nothing before the beginning");
    session.apply(Action::Scene(SceneAction::Redo));
    session.apply(Action::Scene(SceneAction::Redo));
    assert_eq!(visible(&session), only);
    session.apply(Action::Scene(SceneAction::Undo));
    session.apply(Action::Scene(SceneAction::ShowAllSurfaces));
    session.apply(Action::Scene(SceneAction::Redo));
    assert!(visible(&session).iter().all(|shown| *shown), "what was done since is not done over");
}

#[test]
fn actions_without_effect_add_no_undo_step() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(visible(&session)[0]);
    assert!(session.document.history.undoable().is_none());
}

fn attach(session: &mut Session) -> EntityId {
    let to = session.document.focus.unwrap();
    let tag = session.asset().unwrap().model.tags()[0].clone();
    let asset = open_sample(Format::Md2).unwrap();
    let member = AssemblyPart::new(asset, Role::Attached);
    session.attach(vec![member], &Attachment { to, anchor: Anchor::Tag(tag) }, false);
    session.document.scene.entities().last().unwrap().id
}

#[test]
fn attaching_and_detaching_undo_without_resetting_time() {
    let mut session = showing(Format::Md3);
    let attached = attach(&mut session);
    session.apply(Action::Scene(SceneAction::Detach(attached)));
    assert!(session.document.scene.entity(attached).is_none());
    session.advance(0.35);
    let position = session.playback().position;
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(session.document.scene.entity(attached).is_some());
    assert_eq!(session.playback().position, position);
    session.refresh();
    let child = session.document.scene.entity(attached).unwrap();
    assert!(!child.pose.surfaces[0].positions.is_empty(), "it is posed again");
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(session.document.scene.entity(attached).is_none(), "not yet attached");
    session.apply(Action::Scene(SceneAction::Redo));
    assert!(session.document.scene.entity(attached).is_some());
    // New entities never reuse an id.
    let another = attach(&mut session);
    assert_ne!(another, attached);
}

#[test]
fn toasts_about_the_model_end_with_their_step_and_the_model() {
    let mut session = showing(Format::Md3);
    let attached = attach(&mut session);
    session.apply(Action::Scene(SceneAction::Detach(attached)));
    let toasts = |session: &Session| {
        let shown = session.interface.notes.iter().filter(|note| note.is_toast);
        shown.map(|note| note.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(toasts(&session).len(), 1, "the model is detached");
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(toasts(&session), [] as [String; 0]);
    session.notify_of_model(NotificationKind::Warning, "gun.md3 is damaged", "");
    session.notify_path(NotificationKind::Done, "Exported", "/games/gun.glb");
    session.apply(Action::File(FileAction::Close));
    assert_eq!(toasts(&session), ["Exported"], "the file remains");
}

#[test]
fn undo_hides_only_later_toasts_about_the_model() {
    let mut session = showing(Format::Md3);
    let toasts = |session: &Session| {
        let shown = session.interface.notes.iter().filter(|note| note.is_toast);
        shown.map(|note| note.text.clone()).collect::<Vec<_>>()
    };
    session.notify_of_model(NotificationKind::Warning, "gun.md3 changed on disk", "");
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.notify_of_model(NotificationKind::Warning, "No tag_weapon any more", "");
    session.jobs.begin_work(OutputKind::Model, "Export", "");
    session.end_work(NotificationKind::Failed, "Could not export gun.md3".to_owned(), None);
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(toasts(&session), ["gun.md3 changed on disk", "Could not export gun.md3"]);
    session.apply(Action::File(FileAction::Close));
    assert_eq!(toasts(&session), ["Could not export gun.md3"]);
}

#[test]
fn new_model_clears_undo_history() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.show(open_sample(Format::Md3).unwrap());
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(visible(&session)[0]);
    assert!(session.document.history.undoable().is_none() && session.document.history.redoable().is_none());
}

#[test]
fn undo_keeps_data_of_a_reload() {
    let mut session = showing(Format::Md3);
    let entity = session.document.focus.unwrap();
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.replace(vec![(entity, open_sample(Format::Md3).unwrap())]);
    let number = session.entity().unwrap().number;
    session.apply(Action::Scene(SceneAction::Undo));
    assert!(visible(&session)[0]);
    assert_eq!(session.entity().unwrap().number, number);
}

#[test]
fn action_without_effect_keeps_redo_steps() {
    let mut session = showing(Format::Md3);
    session.apply(Action::Scene(SceneAction::ShowSurface(0, false)));
    session.apply(Action::Scene(SceneAction::Undo));
    session.apply(Action::Scene(SceneAction::ShowAllSurfaces));
    session.apply(Action::Scene(SceneAction::Redo));
    assert!(!visible(&session)[0]);
}

/// Attaches and detaches a model with a texture of 1024 × 256 texels (1 MB). Returns the texture.
fn attach_and_detach(session: &mut Session) -> std::sync::Weak<Image> {
    let image = Arc::new(Image::new(1024, 256, vec![255; 1 << 20]));
    let known = Arc::downgrade(&image);
    let mut asset = open_sample(Format::Md2).unwrap();
    let material = SurfaceMaterial::of_image("big", "big.tga", image, TextureWrap::Repeat);
    asset.skins = vec![Skin::plain("big", vec![material; asset.model.surfaces().len()].into())];
    let to = session.document.scene.entities()[0].id;
    let anchor = Anchor::Tag(session.asset().unwrap().model.tags()[0].clone());
    session.attach(vec![AssemblyPart::new(asset, Role::Attached)], &Attachment { to, anchor }, false);
    let attached = session.document.scene.entities().last().unwrap().id;
    session.apply(Action::Scene(SceneAction::Detach(attached)));
    known
}

#[test]
fn undo_history_drops_oldest_steps_beyond_budget() {
    let mut session = showing(Format::Md3);
    session.document.history = History::within(8 << 20);
    let images: Vec<_> = (0..20).map(|_| attach_and_detach(&mut session)).collect();
    let bytes = session.document.history.bytes(&session.document.scene);
    assert!((4 << 20..=8 << 20).contains(&bytes), "{bytes} bytes are held");
    let alive: Vec<bool> = images.iter().map(|image| image.strong_count() > 0).collect();
    // Fewer than eight fit, because the models need memory too.
    let left = alive.iter().filter(|alive| **alive).count();
    assert!((4..8).contains(&left), "{left} are left");
    assert!(alive[..20 - left].iter().all(|alive| !alive) && alive[20 - left..].iter().all(|alive| *alive));
    // The remaining steps can be undone.
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(session.document.scene.entities().len(), 2);
}

#[test]
fn newest_undo_step_is_kept_beyond_budget() {
    let mut session = showing(Format::Md3);
    session.document.history = History::within(0);
    let [first, second] = [(); 2].map(|()| attach_and_detach(&mut session));
    assert_eq!((first.strong_count() > 0, second.strong_count() > 0), (false, true));
    session.apply(Action::Scene(SceneAction::Undo));
    assert_eq!(session.document.scene.entities().len(), 2);
}

#[test]
fn closing_releases_models_textures_and_undo_steps() {
    let mut session = showing(Format::Md3);
    let images: Vec<_> = (0..3).map(|_| attach_and_detach(&mut session)).collect();
    session.apply(Action::Scene(SceneAction::Undo));
    let scene = &session.document.scene;
    let models: Vec<_> = scene.entities().iter().map(|entity| Arc::downgrade(&entity.asset.model)).collect();
    assert_eq!(models.len(), 2);
    session.apply(Action::File(FileAction::Close));
    assert!(models.iter().all(|model| model.strong_count() == 0));
    assert!(images.iter().all(|image| image.strong_count() == 0));
    assert_eq!(session.document.history.bytes(&session.document.scene), 0);
}

#[test]
fn saving_an_image_restores_its_background_and_shadows() {
    let mut session = showing(Format::Md3);
    session.view.display.overlays.set(OverlayKind::Shadow, true);
    session.apply(Action::Save(SaveAction::SaveImage));
    let mut chosen = session.jobs.saving.image;
    (chosen.extras.background, chosen.extras.shadow) = (Some(Background::Transparent), false);
    session.apply(Action::Save(SaveAction::SetImage(chosen)));
    for action in [SaveAction::SaveTransparent, SaveAction::SaveTransparent, SaveAction::SaveImage] {
        session.apply(Action::Save(action));
        assert_eq!(session.jobs.saving.image, chosen, "a cutout had no shadows before");
    }
    (chosen.extras.background, chosen.extras.shadow) = (None, true);
    session.apply(Action::Save(SaveAction::SetImage(chosen)));
    session.apply(Action::Save(SaveAction::SaveTransparent));
    assert!(!session.jobs.saving.image.extras.shadow);
    session.apply(Action::Save(SaveAction::SaveImage));
    assert_eq!(session.jobs.saving.image, chosen);
}
