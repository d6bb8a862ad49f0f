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
    parts: HashMap<EntityId, PartState>,
    overlay: Overlay,
    tracks: Tracks,
    /// Revisions of document and view, and the height of the viewport, for which the overlay was made.
    overlay_source: Option<(u64, u64, f32)>,
    static_overlay_source: Option<(u64, Display)>,
    ghosts: Vec<Ghost>,
    ghosts_source: Option<(u64, Onion)>,
}

/// Uploaded data of an entity. An entity that is loaded again has a new number.
#[derive(Default)]
struct PartState {
    /// Number of the entity whose geometry is uploaded.
    geometry: Option<u64>,
    /// Number of the entity and revision of its materials, once both can be drawn.
    materials: Option<(u64, u64)>,
    /// Number of the entity and of its ready images, if the materials were set before all images were ready.
    incomplete: Option<(u64, usize)>,
    /// Number of the entity whose edges are uploaded.
    edges: Option<u64>,
    values: Option<(ValueSource, u64)>,
    was_drawn: bool,
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
        self.parts.clear();
    }

    /// Removes all uploads from the device, and clears the overlay.
    pub fn remove_all(&mut self, renderer: &mut Renderer) {
        self.parts.keys().for_each(|id| renderer.remove(*id));
        *self = Self::default();
    }

    /// Returns the labels to draw.
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
            let part = self.parts.entry(entity.id).or_default();
            part.upload_values(gpu, renderer, shown, entity);
            part.was_drawn |= part.materials.is_some();
        }
        self.update_overlay(shown, target.size().1 as f32 / pixels_per_point);
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
        self.parts.retain(|id, _| {
            let exists = scene.entity(*id).is_some();
            if !exists {
                renderer.remove(*id);
            }
            exists
        });
        let mut status = UploadStatus { is_drawable: true, ..UploadStatus::default() };
        let (mut has_new, mut has_outdated, mut has_drawn) = (false, false, false);
        for entity in scene.entities() {
            let part = self.parts.entry(entity.id).or_default();
            let (is_new, more) = part.upload(gpu, renderer, entity, budget);
            let (has_new_edges, more_edges) = match shown.view.display.wireframe {
                Wireframe::Off => (false, false),
                _ if !scene.shows(entity) => (false, false),
                _ => part.upload_edges(gpu, renderer, entity, budget),
            };
            status.is_new |= is_new || has_new_edges;
            status.more |= more || more_edges;
            match part.materials {
                None => has_new = true,
                Some((number, _)) if number != entity.number => has_outdated = true,
                Some(_) => has_drawn |= part.was_drawn,
            }
        }
        // A scene first appears as a whole. Entities that are added later appear when they are ready.
        status.is_drawable = !has_outdated && (!has_new || has_drawn);
        status
    }

    fn update_ghosts(&mut self, shown: DocumentView<'_>) {
        let source = (shown.document.revision(), shown.view.onion);
        if self.ghosts_source != Some(source) {
            update_ghosts(&mut self.ghosts, &shown.document.scene, &shown.view.onion);
            self.ghosts_source = Some(source);
        }
    }

    /// Updates the overlay for a viewport of `height` points, if it is out of date.
    pub fn update_overlay(&mut self, shown: DocumentView<'_>, height: f32) {
        let DocumentView { document, view } = shown;
        let source = (document.revision(), view.revision(), height);
        if self.overlay_source == Some(source) {
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
        if self
            .static_overlay_source
            .as_ref()
            .is_none_or(|(known, old)| *known != document.revision() || old != display)
        {
            self.overlay.set_static(parts(), display);
            self.static_overlay_source = Some((document.revision(), display.clone()));
        }
        self.overlay.clear();
        let view = OverlayView { camera: &view.camera, display, height };
        parts().for_each(|part| self.overlay.add_moving(&part, &view));
        if display.shows(OverlayKind::Trails) {
            let selection = document.focus.map(|focus| (focus, document.selection));
            for followed in self.tracks.followed(scene, selection, &document.tracked_points()) {
                let entity = scene.entity(followed.entity);
                if let Some(entity) = entity.filter(|entity| scene.shows(entity)) {
                    self.overlay.add_trail(&followed, entity);
                }
            }
        }
        if let Some((entity, measure)) = document.focus.zip(document.measure()) {
            self.overlay.add_measure(entity, &measure, &view);
        }
        self.overlay_source = Some(source);
    }
}

impl PartState {
    /// Uploads geometry and materials. Returns whether there is something new to draw, and whether more must be
    /// uploaded in the next slice.
    fn upload(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        entity: &Entity,
        budget: &mut UploadBudget,
    ) -> (bool, bool) {
        let materials = (entity.number, entity.material_revision());
        let incomplete = self.incomplete.filter(|(number, _)| *number == entity.number);
        if self.materials == Some(materials) && incomplete.is_none() {
            return (false, false);
        }
        if self.geometry != Some(entity.number) {
            if !renderer.upload_part(gpu, entity.id, entity.number, entity.model(), budget) {
                return (false, true);
            }
            self.geometry = Some(entity.number);
        }
        let mut known = HashSet::new();
        let images = entity.materials().iter().flat_map(|material| material.images());
        let (mut ready, mut more, mut is_pending) = (0, false, false);
        for image in images.filter(|image| known.insert(Arc::as_ptr(image))) {
            if image.is_pending() {
                is_pending = true;
            } else if renderer.upload_image(gpu, image, budget) {
                ready += 1;
            } else {
                more = true;
            }
        }
        // An entity keeps its old materials until the new ones are complete. A new entity waits for its decoded images.
        if more && incomplete.is_none() && !is_pending {
            return (false, true);
        }
        let is_complete = !more && !is_pending;
        let is_same = incomplete == Some((entity.number, ready)) && self.materials == Some(materials);
        if is_same && !is_complete {
            return (false, more);
        }
        renderer.set_present_materials(gpu, entity.id, entity.model(), entity.materials());
        if self.materials.replace(materials).is_none_or(|(number, _)| number != entity.number) {
            self.values = None;
        }
        self.incomplete = (!is_complete).then_some((entity.number, ready));
        (true, more)
    }

    /// Like [`Self::upload`], for edges.
    fn upload_edges(
        &mut self,
        gpu: &Gpu,
        renderer: &mut Renderer,
        entity: &Entity,
        budget: &mut UploadBudget,
    ) -> (bool, bool) {
        if self.geometry != Some(entity.number) || self.edges == Some(entity.number) {
            return (false, false);
        }
        if !renderer.upload_edges(gpu, entity.id, &entity.asset.model, budget) {
            return (false, true);
        }
        self.edges = Some(entity.number);
        (true, false)
    }

    fn upload_values(&mut self, gpu: &Gpu, renderer: &mut Renderer, shown: DocumentView<'_>, entity: &Entity) {
        let is_focused = shown.document.focus == Some(entity.id);
        let selection = if is_focused { shown.document.selection } else { Selection::None };
        let comparison = shown.document.comparison.as_ref();
        let other = comparison.and_then(|comparison| {
            let other = shown.document.scene.entity(comparison.other(entity.id)?)?;
            Some((other, comparison.reach()?))
        });
        let shading = shown.view.display.shading;
        let source = ValueSource::new(shading, entity, selection, other.map(|(other, _)| other));
        let source = source.map(|source| (source, entity.number));
        if source != self.values {
            let values = source.map(|(source, _)| source.values(entity, other));
            renderer.set_values(gpu, entity.id, values.as_deref());
            self.values = source;
        }
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
    let comparison = shown.document.comparison.as_ref().filter(|comparison| comparison.mode == CompareMode::Overlay);
    let overlaid_entity = comparison.map(|comparison| comparison.b);
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
            light: shown.view.display.light_on(&entity.asset),
        })
        .collect();
    let (overlaid, parts): (Vec<PartDraw<'_>>, Vec<PartDraw<'_>>) =
        parts.into_iter().partition(|part| overlaid_entity.is_some_and(|id| part.id == id));
    let overlaid = overlaid.into_iter().map(|part| GhostDraw { part, steps: 1, strength: 1.0 });
    let ghosts: Vec<GhostDraw<'_>> = ghosts
        .iter()
        .flat_map(|ghost| ghost.entities().map(move |entity| (ghost, entity)))
        .filter_map(|(ghost, entity)| {
            let part = parts.iter().find(|part| part.id == entity.id)?;
            let part = PartDraw { pose: &entity.pose, world_from_model: entity.world_from_model, ..*part };
            Some(GhostDraw { part, steps: ghost.steps, strength: ghost.strength })
        })
        .chain(overlaid)
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
