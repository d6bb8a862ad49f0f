//! A session's scene on a graphics device: its models, the lines and names over them, and one picture of it all.

use std::collections::HashMap;

use glam::Affine3A;

use crate::model::Bounds;
use crate::pose::{BoneBlend, FrameBlend};
use crate::render::{GhostShot, Gpu, PartId, PartShot, Renderer, Shot, Target};
use crate::scene::{Actor, ActorId, Camera, Display, Label, Overlay, OverlayPart, OverlayView, Selection, ghosts};
use crate::session::Session;

/// What was uploaded of a session's scene, and what lies over it.
#[derive(Default)]
pub struct SceneDrawing {
    /// Number and dress of each actor that was uploaded.
    uploaded: HashMap<ActorId, (u64, u64)>,
    overlay: Overlay,
    /// What the overlay was made of.
    laid: Option<OverlaySource>,
}

/// Everything that the lines and names over the models depend on.
#[derive(Clone, Debug, PartialEq)]
struct OverlaySource {
    scene: SceneState,
    camera: Camera,
    display: Display,
    focus: Option<ActorId>,
    selection: Selection,
    /// Of the picture, in points.
    height: f32,
}

/// Everything of a scene that a picture depends on: while it is the same, nothing has moved.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneState {
    actors: Vec<ActorState>,
    bones: BoneBlend,
}

/// What of an actor a picture depends on.
#[derive(Clone, Debug, PartialEq)]
struct ActorState {
    number: u64,
    dressed: u64,
    blend: FrameBlend,
    lod: u32,
    shown: bool,
    visible: Vec<bool>,
    place: Affine3A,
    /// The frames of its ghosts.
    around: Vec<Option<u32>>,
}

impl SceneState {
    /// The session's scene as it stands.
    #[must_use]
    pub fn of(session: &Session) -> Self {
        let actor = |actor: &Actor| ActorState {
            number: actor.number,
            dressed: actor.dressed(),
            blend: actor.playback.blend(actor.model()),
            lod: actor.lod,
            shown: session.stage.shows(actor),
            visible: actor.visible.clone(),
            place: actor.world_from_model,
            around: {
                let steps = session.onion.steps().into_iter();
                steps.map(|(steps, _)| actor.playback.neighbour(actor.model(), steps)).collect()
            },
        };
        Self { actors: session.stage.actors().iter().map(actor).collect(), bones: session.stage.bones }
    }
}

impl SceneDrawing {
    /// The device is another one: everything is uploaded again.
    pub fn forget(&mut self) {
        self.uploaded.clear();
    }

    /// Takes everything that was uploaded off the device.
    pub fn remove_all(&mut self, renderer: &mut Renderer) {
        self.uploaded.drain().for_each(|(id, _)| renderer.remove(PartId(id.0)));
        self.laid = None;
    }

    /// Names in the picture.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        self.overlay.labels()
    }

    /// Draws the session's scene into `target`.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        target: &Target,
        session: &Session,
        pixels_per_point: f32,
    ) {
        self.upload(gpu, renderer, session);
        self.lay_over(session, target.size().1 as f32 / pixels_per_point);
        with_shot(session, &self.overlay, pixels_per_point, |shot| renderer.draw(gpu, shot, target));
    }

    /// Brings the device's models up to date with the stage: those who left are forgotten, newcomers uploaded, those
    /// who changed clothes dressed.
    fn upload(&mut self, gpu: &Gpu, renderer: &mut Renderer, session: &Session) {
        let stage = &session.stage;
        self.uploaded.retain(|id, _| {
            let stays = stage.actor(*id).is_some();
            if !stays {
                renderer.remove(PartId(id.0));
            }
            stays
        });
        for actor in stage.actors() {
            let wanted = (actor.number, actor.dressed());
            match self.uploaded.insert(actor.id, wanted) {
                Some(known) if known == wanted => {}
                Some((number, _)) if number == actor.number => {
                    renderer.dress(gpu, PartId(actor.id.0), actor.model(), actor.looks())
                }
                _ => renderer.upload(gpu, PartId(actor.id.0), actor.model(), actor.looks()),
            }
        }
    }

    /// Makes the lines and names over the models, for a picture of `height` points; nothing where they are the same.
    pub fn lay_over(&mut self, session: &Session, height: f32) {
        let source = OverlaySource {
            scene: SceneState::of(session),
            camera: session.camera.clone(),
            display: session.display.clone(),
            focus: session.focus,
            selection: session.selection,
            height,
        };
        if self.laid.as_ref() == Some(&source) {
            return;
        }
        self.overlay.clear();
        let view = OverlayView { camera: &session.camera, display: &session.display, height };
        for actor in session.stage.actors().iter().filter(|actor| session.stage.shows(actor)) {
            let drawn = drawn_surfaces(actor);
            let part = OverlayPart {
                actor: actor.id,
                model: actor.model(),
                pose: &actor.pose,
                lod: actor.lod,
                visible: &drawn,
                selection: if session.focus == Some(actor.id) { session.selection } else { Selection::None },
                world_from_model: actor.world_from_model,
            };
            self.overlay.add(&part, &view);
        }
        self.laid = Some(source);
    }
}

/// Per surface, whether it is drawn.
fn drawn_surfaces(actor: &Actor) -> Vec<bool> {
    (0..actor.part.model.surfaces.len()).map(|index| actor.draws(index)).collect()
}

/// Calls `draw` with the session as one picture.
fn with_shot(session: &Session, overlay: &Overlay, pixels_per_point: f32, draw: impl FnOnce(&Shot<'_>)) {
    let bounds = if session.extent.is_empty() { Bounds::of(session.points()) } else { session.extent };
    let shown: Vec<&Actor> = session.stage.actors().iter().filter(|actor| session.stage.shows(actor)).collect();
    let surfaces: Vec<(Vec<bool>, Vec<bool>)> = shown
        .iter()
        .map(|actor| {
            let count = actor.part.model.surfaces.len();
            let is_outlined = |index| session.focus == Some(actor.id) && session.selection == Selection::Surface(index);
            (drawn_surfaces(actor), (0..count).map(is_outlined).collect())
        })
        .collect();
    let parts: Vec<PartShot<'_>> = shown
        .iter()
        .zip(&surfaces)
        .map(|(actor, (visible, outlined))| PartShot {
            id: PartId(actor.id.0),
            model: actor.model(),
            pose: &actor.pose,
            lod: actor.lod,
            visible,
            outlined,
            world_from_model: actor.world_from_model,
        })
        .collect();
    let around = ghosts(&session.stage, &session.onion);
    let ghosts: Vec<GhostShot<'_>> = around
        .iter()
        .flat_map(|ghost| ghost.actors().map(move |actor| (ghost, actor)))
        .filter_map(|(ghost, actor)| {
            let part = parts.iter().find(|part| part.id == PartId(actor.id.0))?;
            let part = PartShot { pose: &actor.pose, world_from_model: actor.world_from_model, ..*part };
            Some(GhostShot { part, steps: ghost.steps, strength: ghost.strength })
        })
        .collect();
    draw(&Shot {
        camera: &session.camera,
        parts: &parts,
        ghosts: &ghosts,
        lines: overlay,
        display: &session.display,
        pixels_per_point,
        seconds: session.effects.seconds,
        floor: session.floor,
        radius: bounds.radius().max(1.0),
        centre: bounds.centre(),
    });
}
