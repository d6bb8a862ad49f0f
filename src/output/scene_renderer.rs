//! Drawing of a session's scene: uploads models and draws them with overlay lines and labels.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use crate::render::{GhostDraw, Gpu, PartDraw, RenderRequest, Renderer, Target, UploadBudget};
use maquette_core::model::Bounds;
use maquette_scene::scene::{
    Display, Entity, EntityId, Ghost, Label, Onion, Overlay, OverlayKind, OverlayPart, OverlayView, Selection, Tracks,
    ValueSource, Wireframe, update_ghosts,
};
use maquette_scene::session::{CompareMode, Document, DocumentView};

/// Uploaded data of a session's scene, and its overlay.
#[derive(Default)]
pub struct SceneRenderer {
    uploaded: HashMap<EntityId, (u64, u64)>,
    begun: HashSet<EntityId>,
    drawn: HashSet<EntityId>,
    shaped: HashMap<EntityId, u64>,
    /// Entities that were drawn before all their images were ready: number of the entity, and number of ready images.
    missing_images: HashMap<EntityId, (u64, usize)>,
    edged: HashMap<EntityId, u64>,
    overlay: Overlay,
    tracks: Tracks,
    laid: Option<(u64, u64, f32)>,
    static_overlay: Option<(u64, Display)>,
    values: HashMap<EntityId, (ValueSource, u64)>,
    ghosts: Vec<Ghost>,
    ghosts_of: Option<(u64, Onion)>,
}

/// Upload status of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UploadStatus {
    /// Whether enough is uploaded to draw the scene. If not, keep the previous image.
    pub is_drawable: bool,
    /// Whether anything new can be drawn.
    pub is_new: bool,
    /// Whether more data must be uploaded in the next slice.
    pub more: bool,
}

impl SceneRenderer {
    /// Forgets all uploads after the device was replaced.
    pub fn forget(&mut self) {
        self.begun.clear();
        self.uploaded.clear();
        self.shaped.clear();
        self.edged.clear();
        self.drawn.clear();
        self.missing_images.clear();
        self.values.clear();
    }

    /// Removes all uploads from the device, and clears the overlay.
    pub fn remove_all(&mut self, renderer: &mut Renderer) {
        self.begun.drain().for_each(|id| renderer.remove(id));
        *self = Self::default();
    }

    /// Returns the labels to draw.
    #[must_use]
    pub fn labels(&self) -> &[Label] {
        self.overlay.labels()
    }

    /// Uploads the session's scene and draws it into `target` as the average of all samples.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        target: &Target,
        shown: DocumentView<'_>,
        pixels_per_point: f32,
    ) {
        self.upload(gpu, renderer, shown, &mut UploadBudget::whole());
        let all = shown.view.display.samples_at_rest();
        let samples = if all > 1 { 0..all } else { 0..0 };
        self.draw_present(gpu, renderer, target, shown, pixels_per_point, samples);
    }

    /// Draws what [`Self::upload`] has uploaded: the given samples, shown as their average with the earlier ones, or a
    /// single image as in motion if `samples` is empty.
    pub fn draw_present(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        target: &Target,
        shown: DocumentView<'_>,
        pixels_per_point: f32,
        samples: Range<u32>,
    ) {
        for entity in shown.document.scene.entities() {
            self.upload_values(gpu, renderer, shown, entity);
            if self.uploaded.contains_key(&entity.id) {
                self.drawn.insert(entity.id);
            }
        }
        self.lay_over(shown, target.size().1 as f32 / pixels_per_point);
        self.update_ghosts(shown);
        let draw = |request: &RenderRequest<'_>| {
            if samples.is_empty() {
                renderer.draw(gpu, request, target);
            } else {
                renderer.refine(gpu, request, target, samples);
            }
        };
        with_request(shown, &self.overlay, &self.ghosts, pixels_per_point, draw);
    }

    /// Uploads new entities and changed materials within the budget, and removes deleted entities.
    pub fn upload(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        shown: DocumentView<'_>,
        budget: &mut UploadBudget,
    ) -> UploadStatus {
        let scene = &shown.document.scene;
        for id in self.begun.iter().copied().filter(|id| scene.entity(*id).is_none()).collect::<Vec<_>>() {
            self.begun.remove(&id);
            self.drawn.remove(&id);
            self.uploaded.remove(&id);
            self.shaped.remove(&id);
            self.edged.remove(&id);
            self.missing_images.remove(&id);
            self.values.remove(&id);
            renderer.remove(id);
        }
        let mut status = UploadStatus { is_drawable: true, ..UploadStatus::default() };
        let (mut is_absent, mut is_old, mut is_seen) = (false, false, false);
        for entity in scene.entities() {
            self.begun.insert(entity.id);
            let (is_new, more) = self.upload_entity(gpu, renderer, entity, budget);
            let (has_new_edges, more_edges) = match shown.view.display.wireframe {
                Wireframe::Off => (false, false),
                _ if !scene.shows(entity) => (false, false),
                _ => self.upload_edges(gpu, renderer, entity, budget),
            };
            status.is_new |= is_new || has_new_edges;
            status.more |= more || more_edges;
            match self.uploaded.get(&entity.id) {
                None => is_absent = true,
                Some((number, _)) if *number != entity.number => is_old = true,
                Some(_) => is_seen |= self.drawn.contains(&entity.id),
            }
        }
        // A scene first appears as a whole. Entities that are added later appear when they are ready.
        status.is_drawable = !is_old && (!is_absent || is_seen);
        status
    }

    /// Uploads one entity. Returns whether there is something new to draw, and whether more must be uploaded in the
    /// next slice.
    fn upload_entity(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        entity: &Entity,
        budget: &mut UploadBudget,
    ) -> (bool, bool) {
        let wanted = (entity.number, entity.material_revision());
        let half = self.missing_images.get(&entity.id).copied().filter(|(number, _)| *number == entity.number);
        if self.uploaded.get(&entity.id) == Some(&wanted) && half.is_none() {
            return (false, false);
        }
        let id = entity.id;
        if self.shaped.get(&entity.id) != Some(&entity.number) {
            if !renderer.upload_part(gpu, id, entity.number, entity.model(), budget) {
                return (false, true);
            }
            self.shaped.insert(entity.id, entity.number);
        }
        let mut known = HashSet::new();
        let images = entity.materials().iter().flat_map(|material| material.images());
        let (mut there, mut waits, mut is_pending) = (0, false, false);
        for image in images.filter(|image| known.insert(Arc::as_ptr(image))) {
            if image.is_pending() {
                is_pending = true;
            } else if renderer.upload_image(gpu, image, budget) {
                there += 1;
            } else {
                waits = true;
            }
        }
        // An entity keeps its old materials until the new ones are complete. A new entity waits for its decoded images.
        if waits && half.is_none() && !is_pending {
            return (false, true);
        }
        let is_whole = !waits && !is_pending;
        let is_same = half == Some((entity.number, there)) && self.uploaded.get(&entity.id) == Some(&wanted);
        if is_same && !is_whole {
            return (false, waits);
        }
        renderer.set_present_materials(gpu, id, entity.model(), entity.materials());
        if self.uploaded.insert(entity.id, wanted).is_none_or(|(number, _)| number != entity.number) {
            self.values.remove(&entity.id);
        }
        if is_whole {
            self.missing_images.remove(&entity.id);
        } else {
            self.missing_images.insert(entity.id, (entity.number, there));
        }
        (true, waits)
    }

    fn upload_edges(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        entity: &Entity,
        budget: &mut UploadBudget,
    ) -> (bool, bool) {
        let is_there = self.shaped.get(&entity.id) == Some(&entity.number);
        if !is_there || self.edged.get(&entity.id) == Some(&entity.number) {
            return (false, false);
        }
        if !renderer.upload_edges(gpu, entity.id, &entity.asset.model, budget) {
            return (false, true);
        }
        self.edged.insert(entity.id, entity.number);
        (true, false)
    }

    fn upload_values(&mut self, gpu: &Gpu, renderer: &mut Renderer, shown: DocumentView<'_>, entity: &Entity) {
        let is_focused = shown.document.focus == Some(entity.id);
        let selection = if is_focused { shown.document.selection } else { Selection::None };
        let comparison = shown.document.comparison.as_ref();
        let other = comparison.and_then(|comparison| {
            let other = shown.document.scene.entity(comparison.other(entity.id)?)?;
            Some((other, comparison.reach()))
        });
        let shading = shown.view.display.shading;
        let wanted = ValueSource::new(shading, entity, selection, other.map(|(other, _)| other));
        let wanted = wanted.map(|source| (source, entity.number));
        let known = self.values.get(&entity.id).copied();
        if wanted == known {
            return;
        }
        let values = wanted.map(|(source, _)| source.values(entity, other));
        renderer.set_values(gpu, entity.id, values.as_deref());
        match wanted {
            Some(wanted) => self.values.insert(entity.id, wanted),
            None => self.values.remove(&entity.id),
        };
    }

    fn update_ghosts(&mut self, shown: DocumentView<'_>) {
        let source = (shown.document.revision(), shown.view.onion);
        if self.ghosts_of != Some(source) {
            update_ghosts(&mut self.ghosts, &shown.document.scene, &shown.view.onion);
            self.ghosts_of = Some(source);
        }
    }

    /// Updates the overlay for a viewport of `height` points, if it is out of date.
    pub fn lay_over(&mut self, shown: DocumentView<'_>, height: f32) {
        let DocumentView { document, view } = shown;
        let source = (document.revision(), view.revision(), height);
        if self.laid == Some(source) {
            return;
        }
        let display = &view.display;
        let scene = &document.scene;
        let entities: Vec<(&Entity, Vec<bool>)> = scene
            .entities()
            .iter()
            .filter(|entity| scene.shows(entity))
            .map(|entity| (entity, drawn_surfaces(entity)))
            .collect();
        let selected = document.selected_surfaces();
        let parts = || entities.iter().map(|(entity, drawn)| overlay_part(document, entity, drawn, &selected));
        // Camera moves do not affect these lines, because they change only the revision of the view.
        if self.static_overlay.as_ref().is_none_or(|(known, old)| *known != document.revision() || old != display) {
            self.overlay.set_static(parts(), display);
            self.static_overlay = Some((document.revision(), display.clone()));
        }
        self.overlay.clear();
        let view = OverlayView { camera: &view.camera, display, height };
        parts().for_each(|part| self.overlay.add_moving(&part, &view));
        if display.shows(OverlayKind::Trails) {
            let selection = document.focus.map(|focus| (focus, document.selection));
            for followed in self.tracks.followed(scene, selection, &document.pinned) {
                let entity = scene.entity(followed.entity);
                if let Some(entity) = entity.filter(|entity| scene.shows(entity)) {
                    self.overlay.add_trail(&followed, entity);
                }
            }
        }
        if let Some((entity, measure)) = document.focus.zip(document.measure()) {
            self.overlay.add_measure(entity, &measure, &view);
        }
        self.laid = Some(source);
    }
}

/// Returns the overlay data of an entity. Normals are shown for the `selected` surfaces, or for all surfaces if none is
/// selected.
fn overlay_part<'a>(
    document: &Document,
    entity: &'a Entity,
    drawn: &'a [bool],
    selected: &'a [usize],
) -> OverlayPart<'a> {
    let is_focused = document.focus == Some(entity.id);
    OverlayPart {
        entity: entity.id,
        model: entity.model(),
        pose: &entity.pose,
        lod: entity.lod,
        visible: drawn,
        selection: if is_focused { document.selection } else { Selection::None },
        normals_of: (!selected.is_empty()).then_some(if is_focused { selected } else { &[] }),
        world_from_model: entity.world_from_model,
    }
}

fn drawn_surfaces(entity: &Entity) -> Vec<bool> {
    (0..entity.asset.model.surfaces().len()).map(|index| entity.draws(index)).collect()
}

fn with_request(
    shown: DocumentView<'_>,
    overlay: &Overlay,
    ghosts: &[Ghost],
    pixels_per_point: f32,
    draw: impl FnOnce(&RenderRequest<'_>),
) {
    let bounds =
        if shown.document.extent.is_empty() { Bounds::from_points(shown.points()) } else { shown.document.extent };
    let drawn: Vec<&Entity> =
        shown.document.scene.entities().iter().filter(|entity| shown.document.scene.shows(entity)).collect();
    // In the overlay mode of a comparison, the second model is drawn as a ghost.
    let laid_over = shown.document.comparison.as_ref().filter(|comparison| comparison.mode == CompareMode::Overlay);
    let laid_over = laid_over.map(|comparison| comparison.b);
    let surfaces: Vec<(Vec<bool>, Vec<bool>)> = drawn
        .iter()
        .map(|entity| {
            let count = entity.asset.model.surfaces().len();
            let is_outlined = |index| shown.document.focus == Some(entity.id) && shown.document.outlines_surface(index);
            (drawn_surfaces(entity), (0..count).map(is_outlined).collect())
        })
        .collect();
    let parts: Vec<PartDraw<'_>> = drawn
        .iter()
        .zip(&surfaces)
        .map(|(entity, (visible, outlined))| PartDraw {
            id: entity.id,
            model: entity.model(),
            pose: &entity.pose,
            lod: entity.lod,
            visible,
            outlined,
            world_from_model: entity.world_from_model,
        })
        .collect();
    let (over, parts): (Vec<PartDraw<'_>>, Vec<PartDraw<'_>>) =
        parts.into_iter().partition(|part| laid_over.is_some_and(|id| part.id == id));
    let over = over.into_iter().map(|part| GhostDraw { part, steps: 1, strength: 1.0 });
    let ghosts: Vec<GhostDraw<'_>> = ghosts
        .iter()
        .flat_map(|ghost| ghost.entities().map(move |entity| (ghost, entity)))
        .filter_map(|(ghost, entity)| {
            let part = parts.iter().find(|part| part.id == entity.id)?;
            let part = PartDraw { pose: &entity.pose, world_from_model: entity.world_from_model, ..*part };
            Some(GhostDraw { part, steps: ghost.steps, strength: ghost.strength })
        })
        .chain(over)
        .collect();
    draw(&RenderRequest {
        camera: &shown.view.camera,
        parts: &parts,
        ghosts: &ghosts,
        lines: overlay,
        display: &shown.view.display,
        pixels_per_point,
        seconds: shown.view.material_clock.seconds,
        floor: shown.document.floor,
        radius: bounds.radius().max(1.0),
        centre: bounds.centre(),
    });
}
