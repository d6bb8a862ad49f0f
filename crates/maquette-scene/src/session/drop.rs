//! Files dropped on the window, and the alternative action that is offered.
//!
//! A drop states neither target nor intent. The session carries out the likely action and offers the other one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Comparison, Document, Effect, History, NotificationKind, Selection, Session};
use crate::scene::{Attachment, Camera, Entity, EntityId, GameLight, Scene};
use maquette_assets::material::IMAGE_EXTENSIONS;
use maquette_assets::open::{Anchor, HAND_TAGS, Role, is_model_file, is_weapon};
use maquette_core::formats::is_animation_extension;

/// Action that a drop causes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropAction {
    /// Opens the files.
    Open,
    /// Attaches the model.
    Attach(Attachment),
    /// Applies the image as a texture.
    TryTexture,
    /// Applies the skin.
    TrySkin,
    /// Adds the animations to the mesh.
    Animate,
}

/// Alternative to the action of a dropped model.
pub struct DropAlternative {
    /// The model.
    pub file: PathBuf,
    /// Scene before the model was opened; `None` if the model was attached to it.
    previous: Option<Box<PreviousScene>>,
}

struct PreviousScene {
    scene: Scene,
    focus: Option<EntityId>,
    camera: Camera,
    game_lights: Arc<[GameLight]>,
    player_colours: [Option<u8>; 2],
    siblings: Arc<[PathBuf]>,
    history: History,
    comparison: Option<Comparison>,
}

impl DropAlternative {
    pub(super) fn attached(file: PathBuf) -> Self {
        Self { file, previous: None }
    }

    /// Returns the name of the previous scene; `None` if the model was attached.
    pub fn previous_name(&self) -> Option<&str> {
        self.previous.as_ref().and_then(|previous| previous.scene.name())
    }

    /// Returns the entities and anchors of the previous scene to which the model could be attached.
    pub fn attachment_points(&self) -> Vec<(&Entity, Anchor)> {
        self.previous.as_ref().map_or_else(Vec::new, |previous| attachment_points(&previous.scene))
    }

    /// Whether the model was attached instead of opened.
    pub fn was_attached(&self) -> bool {
        self.previous.is_none()
    }
}

/// Maximum number of anchors, and of files of a folder, to choose from. Further ones are omitted; no known model has as
/// many anchors.
pub(crate) const MAX_OFFERED: usize = 2000;

/// Returns the anchors of an entity: its tags, or the joints of a skeleton without tags.
pub fn anchors_of(entity: &Entity) -> impl Iterator<Item = Anchor> {
    let model = entity.model();
    let tags = model.tags().iter().map(|tag| Anchor::Tag(tag.clone()));
    let joints = model.joints().iter().filter(|joint| model.tags().is_empty() && !joint.name.is_empty());
    tags.chain(joints.map(|joint| Anchor::Joint(joint.name.clone())))
}

/// Returns the anchors of all entities, up to `MAX_OFFERED`.
pub fn attachment_points(scene: &Scene) -> Vec<(&Entity, Anchor)> {
    let all = scene.entities().iter().flat_map(|entity| anchors_of(entity).map(move |anchor| (entity, anchor)));
    all.take(MAX_OFFERED).collect()
}

/// Whether the scene has a tag or joint to which a model can be attached.
pub fn has_attachment_points(scene: &Scene) -> bool {
    scene.entities().iter().any(|entity| anchors_of(entity).next().is_some())
}

/// Size relative to the previous scene below which a dropped model may be meant for attaching.
const MAX_ATTACHMENT_RATIO: f32 = 0.6;

/// Whether the dropped model may be meant for attaching: a weapon, a model that shares a tag with the scene `before`,
/// or a model that is much smaller.
fn is_likely_attachment(file: &Path, next: &Scene, before: &Scene) -> bool {
    let tags = |scene: &Scene| -> Vec<String> {
        scene.entities().iter().flat_map(|entity| entity.model().tags()).map(|tag| tag.to_lowercase()).collect()
    };
    let (own, others) = (tags(next), tags(before));
    let radius = |scene: &Scene| scene.extent().bounds.radius();
    is_weapon(&file.to_string_lossy().replace('\\', "/"))
        || own.iter().any(|tag| others.contains(tag))
        || radius(next) < radius(before) * MAX_ATTACHMENT_RATIO
}

fn is_empty_remnant(scene: &Scene) -> bool {
    let is_drawn = |entity: &Entity| entity.model().surfaces().iter().any(|surface| !surface.triangles.is_empty());
    let is_damaged = |entity: &Entity| entity.asset.warnings.iter().any(|warning| warning.kind.loses_data());
    !scene.entities().iter().any(is_drawn) && scene.entities().iter().any(is_damaged)
}

/// Returns the extension of a path in lower case.
pub(super) fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

impl Document {
    /// Returns the action that dropping `paths` would cause now.
    pub fn drop_action(&self, paths: &[PathBuf]) -> DropAction {
        let all_are = |wanted: &dyn Fn(&str) -> bool| paths.iter().all(|path| wanted(&extension(path)));
        let Some(first) = paths.first().filter(|_| self.focus.is_some()) else { return DropAction::Open };
        if all_are(&|extension| IMAGE_EXTENSIONS.contains(&extension)) {
            return DropAction::TryTexture;
        }
        if all_are(&|extension| extension == "skin") {
            return DropAction::TrySkin;
        }
        if all_are(&is_animation_extension) && self.mesh(&extension(first)).is_some() {
            return DropAction::Animate;
        }
        match self.anchor_for(first).filter(|_| paths.len() == 1 && is_model_file(first)) {
            Some(to) => DropAction::Attach(to),
            None => DropAction::Open,
        }
    }

    pub(super) fn chosen_surface(&self) -> Option<usize> {
        if let Selection::Surface(index) = self.selection { Some(index) } else { None }
    }

    /// Returns the name of the selected surface, or the number of selected ones; `None` without a selection.
    pub fn chosen_surface_name(&self) -> Option<String> {
        let (entity, index) = (self.entity()?, self.chosen_surface()?);
        Some(match self.selected_surfaces().len() {
            1 => entity.surface_name(index),
            several => format!("{several} surfaces"),
        })
    }

    /// Returns the mesh whose animation files have this extension.
    fn mesh(&self, extension: &str) -> Option<&Entity> {
        let is_mesh =
            |entity: &&Entity| entity.model().format().traits().companions.animations.extension() == Some(extension);
        self.entity().filter(is_mesh).or_else(|| self.scene.entities().iter().find(is_mesh))
    }

    /// Returns the anchor for a dropped weapon: the selected tag or joint, or else the hand. Other models open, because
    /// users also select tags to look at them.
    fn anchor_for(&self, file: &Path) -> Option<Attachment> {
        let hand = self.hand().filter(|_| is_weapon(&file.to_string_lossy().replace('\\', "/")))?;
        Some(self.selected_anchor().unwrap_or(hand))
    }

    fn selected_anchor(&self) -> Option<Attachment> {
        let entity = self.entity()?;
        let model = entity.model();
        let anchor = match self.selection {
            Selection::Tag(index) => model.tags().get(index).map(|tag| Anchor::Tag(tag.clone())),
            Selection::Joint(index) => model.joints().get(index).map(|joint| Anchor::Joint(joint.name.clone())),
            _ => None,
        };
        Some(Attachment { to: entity.id, anchor: anchor? })
    }

    /// Returns the anchor of the current weapon, or else the first of [`HAND_TAGS`], or else a body without tags.
    pub(super) fn hand(&self) -> Option<Attachment> {
        if let Some(held) = self.scene.with_role(Role::Weapon).and_then(|entity| entity.attachment.clone()) {
            return Some(held);
        }
        for hand in HAND_TAGS.map(|tag| Anchor::Tag(tag.to_owned())) {
            if let Some(holder) = self.scene.entities().iter().find(|entity| entity.has(&hand)) {
                return Some(Attachment { to: holder.id, anchor: hand });
            }
        }
        self.scene.with_role(Role::Body).map(|body| Attachment { to: body.id, anchor: Anchor::Origin })
    }
}

impl Session {
    pub(super) fn dropped(&mut self, paths: Vec<PathBuf>) -> Option<Effect> {
        if self.interface.path_field.is_some() {
            self.note(NotificationKind::Warning, "Nothing dropped; close the dialog first");
            return None;
        }
        let first = paths.first()?.clone();
        match self.document.drop_action(&paths) {
            DropAction::TryTexture => self.try_image(first),
            DropAction::TrySkin => self.load_skins(paths),
            DropAction::Animate => self.load_animations(self.document.mesh(&extension(&first))?.id, paths),
            DropAction::Attach(to) => self.load_attachment(first, to, true),
            DropAction::Open => {
                // Offer no alternative if the scene is a sample.
                let is_file = self.asset().is_some_and(|asset| asset.file.is_some());
                let is_one_model = is_file && paths.len() == 1 && is_model_file(&first);
                let mesh = self.document.mesh(&extension(&first)).map(|mesh| mesh.id);
                let attachable = (is_one_model && has_attachment_points(&self.document.scene)).then_some(first);
                self.open_or_attach(paths, None, attachable, mesh)
            }
        }
    }

    /// Takes the scene out of the document. Returns the offer to attach the opened model to that scene, if this is
    /// plausible.
    pub(super) fn leave_scene(
        &mut self,
        next: &Scene,
        file: PathBuf,
        siblings: Arc<[PathBuf]>,
    ) -> Option<DropAlternative> {
        let is_meant = self.document.selected_anchor().is_some();
        let is_opened = next.entities().iter().any(|entity| entity.asset.file.as_ref() == Some(&file));
        let previous = PreviousScene {
            scene: std::mem::take(&mut self.document.scene),
            focus: self.document.focus,
            camera: self.view.camera.clone(),
            game_lights: Arc::clone(&self.view.display.game_lights),
            player_colours: self.player_colours,
            siblings,
            history: std::mem::take(&mut self.document.history),
            comparison: self.document.comparison.take(),
        };
        let is_itself = previous.scene.entities().iter().any(|entity| entity.asset.file.as_ref() == Some(&file));
        let is_usable = !is_itself && !is_empty_remnant(next) && !is_empty_remnant(&previous.scene);
        let is_plausible = is_meant || is_likely_attachment(&file, next, &previous.scene);
        (is_opened && is_usable && is_plausible).then(|| DropAlternative { file, previous: Some(Box::new(previous)) })
    }

    pub(super) fn attach_instead(&mut self, to: Attachment) -> Option<Effect> {
        let offer = self.interface.alternative.take()?;
        let previous = *offer.previous?;
        self.document.scene = previous.scene.after(&self.document.scene);
        self.document.focus = previous.focus;
        self.view.moves.stop();
        self.view.camera = previous.camera;
        self.view.display.game_lights = previous.game_lights;
        self.player_colours = previous.player_colours;
        self.set_models(previous.siblings);
        self.coarser_levels.clear();
        self.document.history = previous.history;
        self.document.comparison = previous.comparison;
        self.document.selection = Selection::None;
        self.requested_path = self.asset().and_then(|asset| asset.file.clone());
        self.document.update_issues();
        self.document.update_extent();
        self.load_attachment(offer.file, to, false)
    }
}
