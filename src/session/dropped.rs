//! What is done with things dropped on the window, and what else could be done with them.
//!
//! A drop tells neither place nor wish, so the likely thing is done and the other one offered.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Effect, History, Intent, Load, Selection, Session};
use crate::material::IMAGE_EXTENSIONS;
use crate::model::Format;
use crate::scene::{Actor, ActorId, Anchor, Attachment, Camera, Role, Stage, is_model_file, is_weapon};

/// What a drop does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Meaning {
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
pub struct Offer {
    /// The model.
    pub file: PathBuf,
    /// What stood there before, if the model was opened in its place; else the model was hung on what stands there.
    left: Option<Box<Left>>,
}

/// What stood there before.
struct Left {
    stage: Stage,
    focus: Option<ActorId>,
    camera: Camera,
    siblings: Arc<[PathBuf]>,
    history: History,
}

impl Offer {
    /// The model was hung on what stands there.
    pub(super) fn attached(file: PathBuf) -> Self {
        Self { file, left: None }
    }

    /// Places of what stood there before where the model could hang: who, and where.
    #[must_use]
    pub fn places(&self) -> Vec<(&Actor, Anchor)> {
        self.left.as_ref().map_or_else(Vec::new, |left| places(&left.stage))
    }

    /// Whether the model was hung on what stands there, instead of being opened.
    #[must_use]
    pub fn was_attached(&self) -> bool {
        self.left.is_none()
    }
}

/// Places offered at most: no model anyone made has as many.
const MOST_PLACES: usize = 512;

/// Where something can hang on an actor: its tags, or the joints of a skeleton without tags.
pub fn anchors_of(actor: &Actor) -> impl Iterator<Item = Anchor> {
    let model = actor.model();
    let tags = model.tags.iter().map(|tag| Anchor::Tag(tag.clone()));
    let joints = model.joints().iter().filter(|joint| model.tags.is_empty() && !joint.name.is_empty());
    tags.chain(joints.map(|joint| Anchor::Joint(joint.name.clone())))
}

/// Every place on stage where something can hang; the first few hundred.
#[must_use]
pub fn places(stage: &Stage) -> Vec<(&Actor, Anchor)> {
    let all = stage.actors().iter().flat_map(|actor| anchors_of(actor).map(move |anchor| (actor, anchor)));
    all.take(MOST_PLACES).collect()
}

/// Whether there is such a place.
#[must_use]
pub fn has_places(stage: &Stage) -> bool {
    stage.actors().iter().any(|actor| anchors_of(actor).next().is_some())
}

fn extension(path: &Path) -> String {
    path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default()
}

impl Session {
    /// What a drop of `paths` would do now.
    #[must_use]
    pub fn meaning_of(&self, paths: &[PathBuf]) -> Meaning {
        let all_are = |wanted: &dyn Fn(&str) -> bool| paths.iter().all(|path| wanted(&extension(path)));
        let Some(first) = paths.first().filter(|_| self.focus.is_some()) else { return Meaning::Open };
        if all_are(&|extension| IMAGE_EXTENSIONS.contains(&extension)) {
            return Meaning::TryPicture;
        }
        if all_are(&|extension| extension == "skin") {
            return Meaning::TrySkin;
        }
        if all_are(&|extension| extension == "md5anim") && self.mesh().is_some() {
            return Meaning::Animate;
        }
        match self.hand_for(first).filter(|_| paths.len() == 1 && is_model_file(first)) {
            Some(to) => Meaning::Attach(to),
            None => Meaning::Open,
        }
    }

    /// Does what is meant by a drop of `paths`.
    pub(super) fn dropped(&mut self, paths: Vec<PathBuf>) -> Option<Effect> {
        let first = paths.first()?.clone();
        match self.meaning_of(&paths) {
            Meaning::TryPicture => self.try_picture(first),
            Meaning::TrySkin => self.load(Load::Skins(Vec::new(), paths), Intent::AddSkins),
            Meaning::Animate => {
                let mesh = self.mesh()?;
                let (id, part) = (mesh.id, Box::new(mesh.part.clone()));
                self.load(Load::Animations(part, paths), Intent::AddAnimations(id))
            }
            Meaning::Attach(to) => self.load(Load::Model(first), Intent::Attach { to, dropped: true }),
            Meaning::Open => {
                let is_one_model = self.focus.is_some() && paths.len() == 1 && is_model_file(&first);
                let attachable = (is_one_model && has_places(&self.stage)).then_some(first);
                self.open_dropped(paths, attachable)
            }
        }
    }

    /// Tries a picture on the chosen surface, or on all of the part in focus.
    pub(super) fn try_picture(&mut self, path: PathBuf) -> Option<Effect> {
        let intent = Intent::TryOn { actor: self.focus?, surface: self.chosen_surface() };
        self.load(Load::Picture(path), intent)
    }

    /// The surface in focus, if one is chosen.
    pub(super) fn chosen_surface(&self) -> Option<usize> {
        if let Selection::Surface(index) = self.selection { Some(index) } else { None }
    }

    /// The mesh that an animation is for: the one in focus, else the first.
    fn mesh(&self) -> Option<&Actor> {
        let is_mesh = |actor: &&Actor| actor.model().format == Format::Md5;
        self.actor().filter(is_mesh).or_else(|| self.stage.actors().iter().find(is_mesh))
    }

    /// Where a dropped model hangs by itself: on the tag or joint that is chosen, or, if it is a weapon, in a hand.
    fn hand_for(&self, file: &Path) -> Option<Attachment> {
        let actor = self.actor()?;
        let model = actor.model();
        let chosen = match self.selection {
            Selection::Tag(index) => model.tags.get(index).map(|tag| Anchor::Tag(tag.clone())),
            Selection::Joint(index) => model.joints().get(index).map(|joint| Anchor::Joint(joint.name.clone())),
            _ => None,
        };
        if let Some(anchor) = chosen {
            return Some(Attachment { to: actor.id, anchor });
        }
        let path = file.to_string_lossy().replace('\\', "/");
        if is_weapon(&path) { self.hand() } else { None }
    }

    /// Where a weapon goes: where the one it replaces hangs, else on the first `tag_weapon`, else in step with a body
    /// that has no tags.
    pub(super) fn hand(&self) -> Option<Attachment> {
        if let Some(held) = self.stage.with_role(Role::Weapon).and_then(|actor| actor.attachment.clone()) {
            return Some(held);
        }
        let hand = Anchor::Tag("tag_weapon".to_owned());
        if let Some(holder) = self.stage.actors().iter().find(|actor| actor.has(&hand)) {
            return Some(Attachment { to: holder.id, anchor: hand });
        }
        self.stage.with_role(Role::Body).map(|body| Attachment { to: body.id, anchor: Anchor::Origin })
    }

    /// Remembers what stands there, for the model that takes its place could be hung on it instead.
    pub(super) fn leave(&mut self, next: &Stage, file: PathBuf, siblings: Arc<[PathBuf]>) -> Option<Offer> {
        let came = next.actors().iter().any(|actor| actor.part.file.as_ref() == Some(&file));
        let left = Left {
            stage: std::mem::take(&mut self.stage),
            focus: self.focus,
            camera: self.camera.clone(),
            siblings,
            history: std::mem::take(&mut self.history),
        };
        came.then(|| Offer { file, left: Some(Box::new(left)) })
    }

    /// Brings back what stood there and hangs the model on it.
    pub(super) fn attach_instead(&mut self, to: Attachment) -> Option<Effect> {
        let offer = self.offer.take()?;
        let left = *offer.left?;
        self.stage = left.stage.after(&self.stage);
        self.focus = left.focus;
        self.moves.stop();
        self.camera = left.camera;
        self.siblings = left.siblings;
        self.history = left.history;
        self.selection = Selection::None;
        self.asked_for = self.part().and_then(|part| part.file.clone());
        self.find_issues();
        self.find_floor();
        self.load(Load::Model(offer.file), Intent::Attach { to, dropped: false })
    }
}
