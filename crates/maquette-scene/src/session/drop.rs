//! What is done with things dropped on the window, and what else could be done with them.
//!
//! A drop tells neither place nor wish, so the likely thing is done and the other one offered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Comparison, Effect, History, Load, Selection, Session};
use crate::scene::{Attachment, Camera, Entity, EntityId, Scene};
use maquette_assets::material::IMAGE_EXTENSIONS;
use maquette_assets::open::{Anchor, Role, is_model_file, is_weapon};
use maquette_core::error::WarningKind;

/// What a drop does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DropAction {
    /// The files are opened.
    Open,
    /// The model is hung here.
    Attach(Attachment),
    /// The picture is tried on.
    TryPicture,
    /// The skin is tried on.
    TrySkin,
    /// The animations are added to the mesh.
    Animate,
}

/// What else could be done with a model that was dropped.
pub struct DropAlternative {
    /// The model.
    pub file: PathBuf,
    /// What stood there before, if the model was opened in its place; else the model was hung on what stands there.
    left: Option<Box<Left>>,
}

/// What stood there before.
struct Left {
    scene: Scene,
    focus: Option<EntityId>,
    camera: Camera,
    siblings: Arc<[PathBuf]>,
    history: History,
    comparison: Option<Comparison>,
}

impl DropAlternative {
    /// The model was hung on what stands there.
    pub(super) fn attached(file: PathBuf) -> Self {
        Self { file, left: None }
    }

    /// What the scene before was called; none if the model was attached to what stands there.
    #[must_use]
    pub fn previous_name(&self) -> Option<&str> {
        self.left.as_ref().and_then(|left| left.scene.name())
    }

    /// Places in the scene before where the model could be attached: the entity, and its anchor.
    #[must_use]
    pub fn places(&self) -> Vec<(&Entity, Anchor)> {
        self.left.as_ref().map_or_else(Vec::new, |left| places(&left.scene))
    }

    /// Whether the model was hung on what stands there, instead of being opened.
    #[must_use]
    pub fn was_attached(&self) -> bool {
        self.left.is_none()
    }
}

/// Places offered at most: no model anyone made has as many.
const PLACES_OFFERED: usize = 512;

/// Where something can be attached to an entity: its tags, or the joints of a skeleton without tags.
pub fn anchors_of(entity: &Entity) -> impl Iterator<Item = Anchor> {
    let model = entity.model();
    let tags = model.tags().iter().map(|tag| Anchor::Tag(tag.clone()));
    let joints = model.joints().iter().filter(|joint| model.tags().is_empty() && !joint.name.is_empty());
    tags.chain(joints.map(|joint| Anchor::Joint(joint.name.clone())))
}

/// Every place in the scene where something can hang; the first few hundred.
#[must_use]
pub fn places(scene: &Scene) -> Vec<(&Entity, Anchor)> {
    let all = scene.entities().iter().flat_map(|entity| anchors_of(entity).map(move |anchor| (entity, anchor)));
    all.take(PLACES_OFFERED).collect()
}

/// Whether there is such a place.
#[must_use]
pub fn has_places(scene: &Scene) -> bool {
    scene.entities().iter().any(|entity| anchors_of(entity).next().is_some())
}

/// Share of what was there before below which a model is small enough to be meant for attaching.
const SMALL: f32 = 0.6;

/// Whether a model that was opened may have been meant to be attached to what was there: a weapon, one that shares a tag
/// with it, or a much smaller one.
fn is_likely_attachment(file: &Path, next: &Scene, before: &Scene) -> bool {
    let tags = |scene: &Scene| -> Vec<String> {
        scene.entities().iter().flat_map(|entity| entity.model().tags()).map(|tag| tag.to_lowercase()).collect()
    };
    let (own, others) = (tags(next), tags(before));
    let radius = |scene: &Scene| scene.extent().bounds.radius();
    is_weapon(&file.to_string_lossy().replace('\\', "/"))
        || own.iter().any(|tag| others.contains(tag))
        || radius(next) < radius(before) * SMALL
}

/// Whether nothing that is drawn is left of the models, because their files are damaged.
fn is_empty_remnant(scene: &Scene) -> bool {
    let is_drawn = |entity: &Entity| entity.model().surfaces().iter().any(|surface| !surface.triangles.is_empty());
    let is_damaged = |entity: &Entity| entity.asset.warnings.iter().any(|warning| warning.kind == WarningKind::LeftOut);
    !scene.entities().iter().any(is_drawn) && scene.entities().iter().any(is_damaged)
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

impl Session {
    /// What a drop of `paths` would do now.
    #[must_use]
    pub fn drop_action(&self, paths: &[PathBuf]) -> DropAction {
        let all_are = |wanted: &dyn Fn(&str) -> bool| paths.iter().all(|path| wanted(&extension(path)));
        let Some(first) = paths.first().filter(|_| self.document.focus.is_some()) else { return DropAction::Open };
        if all_are(&|extension| IMAGE_EXTENSIONS.contains(&extension)) {
            return DropAction::TryPicture;
        }
        if all_are(&|extension| extension == "skin") {
            return DropAction::TrySkin;
        }
        if all_are(&|extension| extension == "md5anim") && self.mesh().is_some() {
            return DropAction::Animate;
        }
        match self.hand_for(first).filter(|_| paths.len() == 1 && is_model_file(first)) {
            Some(to) => DropAction::Attach(to),
            None => DropAction::Open,
        }
    }

    /// Does what is meant by a drop of `paths`.
    pub(super) fn dropped(&mut self, paths: Vec<PathBuf>) -> Option<Effect> {
        let first = paths.first()?.clone();
        match self.drop_action(&paths) {
            DropAction::TryPicture => self.try_image(first),
            DropAction::TrySkin => self.load(Load::Skins(Vec::new(), paths)),
            DropAction::Animate => {
                let mesh = self.mesh()?;
                let (entity, part) = (mesh.id, Box::new(mesh.asset.clone()));
                self.load(Load::Animations { entity, part, paths })
            }
            DropAction::Attach(to) => self.load(Load::Attach { path: first, to, dropped: true }),
            DropAction::Open => {
                // Nothing is attached to a sample.
                let is_file = self.asset().is_some_and(|asset| asset.file.is_some());
                let is_one_model = is_file && paths.len() == 1 && is_model_file(&first);
                let attachable = (is_one_model && has_places(&self.document.scene)).then_some(first);
                self.load(Load::Open { paths, restore: None, attachable })
            }
        }
    }

    /// Tries a picture on the selected surfaces, or on all of the part in focus.
    pub(super) fn try_image(&mut self, path: PathBuf) -> Option<Effect> {
        let mut surfaces = self.document.selected_surfaces().into_iter();
        let (surface, others) = (surfaces.next(), surfaces.collect());
        self.load(Load::TryOn { path, entity: self.document.focus?, surface, others })
    }

    /// The surface in focus, if one is chosen.
    pub(super) fn chosen_surface(&self) -> Option<usize> {
        if let Selection::Surface(index) = self.document.selection { Some(index) } else { None }
    }

    /// The name of the selected surface, or how many are; none if none is.
    #[must_use]
    pub fn chosen_surface_name(&self) -> Option<String> {
        let (entity, index) = (self.entity()?, self.chosen_surface()?);
        Some(match self.document.selected_surfaces().len() {
            1 => entity.surface_name(index),
            several => format!("{several} surfaces"),
        })
    }

    /// What a texture is put on: a surface by its name, several, or all of a part.
    pub(super) fn texture_target(&self, entity: EntityId, surface: Option<usize>, others: &[usize]) -> String {
        let entity = self.document.scene.entity(entity);
        match (entity, surface) {
            (Some(_), Some(_)) if !others.is_empty() => format!("{} surfaces", others.len() + 1),
            (Some(entity), Some(surface)) => entity.surface_name(surface),
            _ => "all surfaces".to_owned(),
        }
    }

    /// The mesh that an animation is for: the one in focus, else the first.
    fn mesh(&self) -> Option<&Entity> {
        let is_mesh = |entity: &&Entity| entity.model().format().traits().companions.animations;
        self.entity().filter(is_mesh).or_else(|| self.document.scene.entities().iter().find(is_mesh))
    }

    /// Where a dropped model is attached by itself: on the tag or joint that is chosen, or, if it is a weapon, in a hand.
    fn hand_for(&self, file: &Path) -> Option<Attachment> {
        let entity = self.entity()?;
        let model = entity.model();
        let chosen = match self.document.selection {
            Selection::Tag(index) => model.tags().get(index).map(|tag| Anchor::Tag(tag.clone())),
            Selection::Joint(index) => model.joints().get(index).map(|joint| Anchor::Joint(joint.name.clone())),
            _ => None,
        };
        if let Some(anchor) = chosen {
            return Some(Attachment { to: entity.id, anchor });
        }
        let path = file.to_string_lossy().replace('\\', "/");
        if is_weapon(&path) { self.hand() } else { None }
    }

    /// Where a weapon goes: where the one it replaces hangs, else on the first `tag_weapon`, else in step with a body
    /// that has no tags.
    pub(super) fn hand(&self) -> Option<Attachment> {
        if let Some(held) = self.document.scene.with_role(Role::Weapon).and_then(|entity| entity.attachment.clone()) {
            return Some(held);
        }
        let hand = Anchor::Tag("tag_weapon".to_owned());
        if let Some(holder) = self.document.scene.entities().iter().find(|entity| entity.has(&hand)) {
            return Some(Attachment { to: holder.id, anchor: hand });
        }
        self.document.scene.with_role(Role::Body).map(|body| Attachment { to: body.id, anchor: Anchor::Origin })
    }

    /// Remembers what stands there, for the model that takes its place could be hung on it instead.
    pub(super) fn leave(&mut self, next: &Scene, file: PathBuf, siblings: Arc<[PathBuf]>) -> Option<DropAlternative> {
        let came = next.entities().iter().any(|entity| entity.asset.file.as_ref() == Some(&file));
        let left = Left {
            scene: std::mem::take(&mut self.document.scene),
            focus: self.document.focus,
            camera: self.view.camera.clone(),
            siblings,
            history: std::mem::take(&mut self.document.history),
            comparison: self.document.comparison.take(),
        };
        let is_itself = left.scene.entities().iter().any(|entity| entity.asset.file.as_ref() == Some(&file));
        let is_usable = !is_itself && !is_empty_remnant(next) && !is_empty_remnant(&left.scene);
        let is_plausible = came && is_usable && is_likely_attachment(&file, next, &left.scene);
        is_plausible.then(|| DropAlternative { file, left: Some(Box::new(left)) })
    }

    /// Brings back what was shown before and attaches the model to it.
    pub(super) fn attach_instead(&mut self, to: Attachment) -> Option<Effect> {
        let offer = self.interface.alternative.take()?;
        let left = *offer.left?;
        self.document.scene = left.scene.after(&self.document.scene);
        self.document.focus = left.focus;
        self.view.moves.stop();
        self.view.camera = left.camera;
        self.model_list = left.siblings;
        self.document.history = left.history;
        self.document.comparison = left.comparison;
        self.document.selection = Selection::None;
        self.requested_path = self.asset().and_then(|part| part.file.clone());
        self.update_issues();
        self.update_extent();
        self.load(Load::Attach { path: offer.file, to, dropped: false })
    }
}
