//! Comparison of the focused model with another one that shows the same frames.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

use crate::scene::{Choice, Choices, Entity, EntityId, Playback, Shading, counterpart_vertex};
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{DockTab, Document, Effect, NotificationKind, Selection, Session};
use maquette_assets::open::ModelAsset;
use maquette_core::compare::{self, Difference, ModelSide};

/// Display of the compared models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareMode {
    /// The models next to each other.
    #[default]
    SideBySide,
    /// The second model as a ghost at the position of the first.
    Overlay,
    /// The first model alone.
    First,
    /// The second model alone, at the position of the first.
    Second,
}

impl Choices for CompareMode {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::SideBySide, "Side by side"),
        Choice::new(Self::Overlay, "Overlay"),
        Choice::new(Self::First, "A"),
        Choice::new(Self::Second, "B"),
    ];
}

/// Two models that are compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The model that was open.
    pub a: EntityId,
    /// The model it is compared with.
    pub b: EntityId,
    /// Differences of the models.
    pub difference: Arc<Difference>,
    /// Display of the models.
    pub mode: CompareMode,
    /// Whether the second model is scaled to the height of the first.
    pub equal_height: bool,
    /// Playback of all parts before the comparison.
    before: Vec<(EntityId, Playback)>,
    selected: (Option<EntityId>, Selection, BTreeSet<usize>),
}

impl Comparison {
    /// Returns the distance at the end of the scale, in units: the largest distance of a vertex from its counterpart.
    /// `None` if no surface is in both models.
    pub fn reach(&self) -> Option<f32> {
        let mut shared = self.difference.surfaces.iter().filter(|surface| surface.only.is_none()).peekable();
        shared.peek()?;
        let furthest = shared.filter_map(|surface| surface.furthest.as_ref());
        Some(furthest.map(|furthest| furthest.distance).fold(1e-3, f32::max))
    }

    /// Returns the compared model other than `entity`; `None` if `entity` is not compared.
    pub fn other(&self, entity: EntityId) -> Option<EntityId> {
        match entity {
            entity if entity == self.a => Some(self.b),
            entity if entity == self.b => Some(self.a),
            _ => None,
        }
    }
}

/// Gap between the models, as a share of the sum of their widths.
const GAP: f32 = 0.15;
/// Factor on the camera distance, which makes room for the labels.
const PLATE_ROOM: f32 = 1.2;

impl Document {
    /// Returns the model to compare: the first of a running comparison, or else the focused part.
    pub fn first_of_comparison(&self) -> Option<&Entity> {
        let known = self.comparison.as_ref().and_then(|known| self.scene.entity(known.a));
        known.or_else(|| self.entity())
    }

    /// Returns the pinned points, and the counterparts of the selection and of pinned points in the compared models.
    pub fn tracked_points(&self) -> Vec<(EntityId, Selection)> {
        let mut points = self.pinned.clone();
        let selected = self.focus.map(|focus| (focus, self.selection));
        for point in self.pinned.iter().copied().chain(selected) {
            let counterpart = self.counterpart(point);
            points.extend(counterpart.filter(|one| Some(*one) != selected && !self.pinned.contains(one)));
        }
        points
    }

    /// Returns the tag or joint of the same name, or the corresponding vertex, in the other of the compared models.
    fn counterpart(&self, (id, selection): (EntityId, Selection)) -> Option<(EntityId, Selection)> {
        let other = self.comparison.as_ref()?.other(id)?;
        let (own, model) = (self.scene.entity(id)?.model(), self.scene.entity(other)?.model());
        let selection = match selection {
            Selection::Tag(tag) => {
                let name = own.tags().get(tag)?;
                Selection::Tag(model.tags().iter().position(|one| one.eq_ignore_ascii_case(name))?)
            }
            Selection::Joint(joint) => {
                let name = &own.joints().get(joint)?.name;
                Selection::Joint(model.joints().iter().position(|one| one.name.eq_ignore_ascii_case(name))?)
            }
            Selection::Vertex { surface, vertex } => {
                let (surface, vertex) = counterpart_vertex(own, (surface, vertex), model)?;
                Selection::Vertex { surface, vertex }
            }
            _ => return None,
        };
        Some((other, selection))
    }

    /// Returns the file name of the model to compare.
    pub fn compared_name(&self) -> &str {
        self.first_of_comparison().map_or("model", |entity| &entity.asset.name)
    }
}

impl Session {
    pub(crate) fn compare_with(&mut self, path: PathBuf) -> Option<Effect> {
        self.interface.path_field = None;
        let entity = self.document.first_of_comparison()?.id;
        self.load(QueuedLoad::new(path.clone(), move |session| {
            let asset = session.compared_asset(entity)?;
            on_loader(move |context| {
                let other = context.opener.model(&path)?;
                let difference = Arc::new(difference(&asset, &other));
                context.prepare(other.clone());
                then_update(move |session| session.compared(entity, other, difference))
            })
        }))
    }

    pub(crate) fn compare_before_reload(&mut self) -> Option<Effect> {
        self.document.before_reload()?;
        let first = self.document.first_of_comparison()?;
        let entity = first.id;
        self.load(QueuedLoad::new(first.asset.file.clone().unwrap_or_default(), move |session| {
            let asset = session.compared_asset(entity)?;
            let other = session.document.before_reload_of(entity)?.clone();
            on_loader(move |_| {
                let difference = Arc::new(difference(&asset, &other));
                then_update(move |session| session.compared(entity, other, difference))
            })
        }))
    }

    fn compared_asset(&mut self, entity: EntityId) -> Option<ModelAsset> {
        let asset = self.document.scene.entity(entity).map(|entity| entity.asset.clone());
        if asset.is_none() {
            self.target_removed();
        }
        asset
    }

    fn compared(&mut self, a: EntityId, asset: ModelAsset, difference: Arc<Difference>) {
        self.stop_comparing();
        let Some(first) = self.document.scene.entity(a) else { return self.target_removed() };
        let of_a = difference.surfaces.iter().filter(|surface| surface.only == Some(ModelSide::A)).count();
        let has_pair = of_a < first.model().surfaces().len();
        let clock = self.playback().clone();
        let name = asset.name.clone();
        let before = self.document.scene.entities().iter();
        let before = before.map(|entity| (entity.id, entity.playback.clone())).collect();
        let selected = (self.document.focus, self.document.selection, self.document.other_surfaces.clone());
        let Some(b) = self.document.scene.add_compared(a, asset, &clock) else { return self.target_removed() };
        let is_same = difference.same;
        self.document.comparison =
            Some(Comparison { a, b, difference, mode: CompareMode::SideBySide, equal_height: false, before, selected });
        // Hide the other parts of a character, because they would cover the compared ones.
        self.document.scene.compared = Some([a, b]);
        self.document.focus_on(a);
        self.interface.failure = None;
        // Without a pair of surfaces, the colours would not mean anything.
        if !is_same && has_pair {
            self.view.display.shading = Shading::Difference;
        }
        self.show_compared(CompareMode::SideBySide);
        self.frame_compared();
        // The panel lists the differences. Opening it may make the viewport smaller.
        let was_open = self.interface.panels.dock.replace(DockTab::Compare).is_some();
        self.view.fit_when_sized |= !was_open;
        self.document.update_issues();
        let text = if is_same { format!("{name} is identical") } else { format!("Compared with {name}") };
        self.note(NotificationKind::Done, text);
    }

    /// Sets the display mode. The first model does not move in the viewport.
    pub(crate) fn show_compared(&mut self, mode: CompareMode) {
        let Some(comparison) = &mut self.document.comparison else { return };
        let was_side_by_side = comparison.mode == CompareMode::SideBySide;
        comparison.mode = mode;
        let (a, b, equal_height) = (comparison.a, comparison.b, comparison.equal_height);
        let (scale, lift) = if equal_height { self.equal_height(a, b) } else { (1.0, 0.0) };
        if let Some(second) = self.document.scene.entity_mut(b) {
            second.scale = scale;
        }
        let apart = if mode == CompareMode::SideBySide { self.apart(a, b) } else { Vec3::ZERO };
        let scene = &mut self.document.scene;
        if let Some(first) = scene.entity_mut(a) {
            first.hidden = mode == CompareMode::Second;
        }
        if let Some(second) = scene.entity_mut(b) {
            second.hidden = mode == CompareMode::First;
            second.offset = apart + Vec3::Z * lift;
        }
        self.refresh();
        self.document.update_extent();
        // The second model may be outside the viewport.
        if mode == CompareMode::SideBySide && !was_side_by_side && !self.sees_compared() {
            self.frame_compared();
        }
    }

    /// Returns the translation that puts `b` to the right of `a` in the view, at the same distance from the camera.
    fn apart(&self, a: EntityId, b: EntityId) -> Vec3 {
        let scene = &self.document.scene;
        let Some(first) = scene.entity(a) else { return Vec3::ZERO };
        let (right, _) = self.view.goal().right_up();
        // Both models have the transform of the first.
        let extent = |id| {
            let entity = scene.entity(id);
            let corners = entity.map(|entity| entity.clip_bounds().corners().map(|corner| corner * entity.scale));
            let along = corners.into_iter().flatten().map(|corner| first.world_from_model.transform_point3(corner));
            along
                .map(|corner| corner.dot(right))
                .fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((low_a, high_a), (low_b, high_b)) = (extent(a), extent(b));
        let apart = right * (high_a - low_b + GAP * (high_a - low_a + high_b - low_b));
        if apart.is_finite() { apart } else { Vec3::ZERO }
    }

    /// Returns the factor that makes `b` as tall as `a`, and the translation that puts it on the same ground.
    fn equal_height(&self, a: EntityId, b: EntityId) -> (f32, f32) {
        let [Some(first), Some(second)] = [a, b].map(|id| self.document.scene.entity(id)) else { return (1.0, 0.0) };
        let (of_a, of_b) = (first.clip_bounds(), second.clip_bounds());
        let scale = of_a.size().z / of_b.size().z;
        if !scale.is_finite() || scale <= 0.0 {
            return (1.0, 0.0);
        }
        (scale, of_a.min.z - of_b.min.z * scale)
    }

    pub(crate) fn equalise_height(&mut self, equal: bool) {
        let Some(comparison) = &mut self.document.comparison else { return };
        comparison.equal_height = equal;
        let mode = comparison.mode;
        self.show_compared(mode);
        self.frame_compared();
    }

    fn sees_compared(&self) -> bool {
        let Some(pair) = self.document.scene.compared_pair() else { return true };
        let corners = pair
            .into_iter()
            .filter_map(|id| self.document.scene.entity(id))
            .flat_map(|entity| entity.bounds().corners());
        let (width, height) = (self.view.aspect, 1.0);
        corners.into_iter().all(|corner| {
            let seen = self.view.camera.project(corner, width, height);
            seen.is_some_and(|at| (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y))
        })
    }

    pub(crate) fn frame_compared(&mut self) {
        self.frame_model();
        self.view.camera.distance *= PLATE_ROOM;
    }

    pub(crate) fn swap_compared(&mut self) {
        let mode = self.document.comparison.as_ref().map(|comparison| comparison.mode);
        if let Some(mode) = mode {
            self.show_compared(if mode == CompareMode::First { CompareMode::Second } else { CompareMode::First });
        }
    }

    pub(crate) fn stop_comparing(&mut self) {
        let Some(comparison) = self.document.comparison.take() else { return };
        self.document.scene.compared = None;
        self.document.scene.remove(comparison.b);
        // Restore the frames, because clicks in the list of differences seek.
        for (id, playback) in comparison.before {
            if let Some(entity) = self.document.scene.entity_mut(id) {
                entity.playback = playback;
            }
        }
        if let Some(first) = self.document.scene.entity_mut(comparison.a) {
            first.hidden = false;
        }
        // Restore the selection, because clicks in the list of differences select vertices.
        let (focus, selection, others) = comparison.selected;
        let known = focus.filter(|focus| self.document.scene.entity(*focus).is_some());
        let first = self.document.scene.entities().first().map(|entity| entity.id);
        let selection = if known.is_some() { selection } else { Selection::None };
        (self.document.focus, self.document.selection) = (known.or(first), selection);
        self.document.other_surfaces = others;
        self.forget_comparison();
        self.refresh();
        self.document.update_extent();
        self.document.update_issues();
        self.frame_model();
    }

    /// Drops the comparison without changing the scene.
    pub(crate) fn forget_comparison(&mut self) {
        self.document.comparison = None;
        if self.view.display.shading == Shading::Difference {
            self.view.display.shading = Shading::Textured;
        }
    }
}

fn difference(asset: &ModelAsset, other: &ModelAsset) -> Difference {
    let [asset, other] =
        [asset, other].map(|asset| compare::Side { name: &asset.name, model: &asset.model, warnings: &asset.warnings });
    compare::compare(asset, other, None)
}
