//! Two models held against each other: the one in focus and another, which shows the same frames.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

use super::{DockTab, Effect, Load, NotificationKind, Selection, Session};
use crate::scene::{Entity, EntityId, Playback, Shading};
use maquette_assets::open::ModelAsset;
use maquette_core::compare::Difference;
use maquette_core::model::{Bounds, FrameNumbering, Model};

/// How the two are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CompareMode {
    /// Beside each other.
    #[default]
    SideBySide,
    /// The second as a ghost behind the first, at the same place.
    Overlay,
    /// The first alone.
    First,
    /// The second alone, where the first was.
    Second,
}

impl CompareMode {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 4] = [Self::SideBySide, Self::Overlay, Self::First, Self::Second];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::SideBySide => "Side by side",
            Self::Overlay => "Overlay",
            Self::First => "A",
            Self::Second => "B",
        }
    }
}

/// Two models that are compared.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The one that was open.
    pub a: EntityId,
    /// The one that it is compared with.
    pub b: EntityId,
    /// How they differ.
    pub difference: Arc<Difference>,
    /// How they are shown.
    pub mode: CompareMode,
    /// Where every part stood in its animation before.
    before: Vec<(EntityId, Playback)>,
    /// What was selected before: the part, the element, further surfaces.
    selected: (Option<EntityId>, Selection, BTreeSet<usize>),
}

impl Comparison {
    /// Where the scale of distances ends, in units: the furthest that a vertex stands from its counterpart.
    #[must_use]
    pub fn reach(&self) -> f32 {
        let furthest = self.difference.surfaces.iter().filter_map(|surface| surface.furthest.as_ref());
        furthest.map(|furthest| furthest.distance).fold(1e-3, f32::max)
    }

    /// The other one of the two.
    #[must_use]
    pub fn other(&self, entity: EntityId) -> Option<EntityId> {
        match entity {
            entity if entity == self.a => Some(self.b),
            entity if entity == self.b => Some(self.a),
            _ => None,
        }
    }
}

/// Room between the two, as a share of how wide they are together.
const GAP: f32 = 0.15;
/// How much further away they are looked at than the picture would hold.
const PLATE_ROOM: f32 = 1.2;

impl Session {
    /// What a model is compared with: the first of two that are compared already, else the part in focus.
    #[must_use]
    pub fn first_of_comparison(&self) -> Option<&Entity> {
        let known = self.document.comparison.as_ref().and_then(|known| self.document.scene.entity(known.a));
        known.or_else(|| self.entity())
    }

    /// The file of what a model will be compared with.
    #[must_use]
    pub fn compared_name(&self) -> &str {
        self.first_of_comparison().map_or("model", |entity| &entity.asset.name)
    }

    /// Compares a model with the part in focus; of two that are compared already, it takes the place of the second.
    pub(super) fn compare_with(&mut self, path: PathBuf) -> Option<Effect> {
        self.interface.path_field = None;
        let first = self.first_of_comparison()?;
        let (entity, part) = (first.id, Box::new(first.asset.clone()));
        self.load(Load::Compare { entity, part, path })
    }

    /// The answer: the other model comes into the scene.
    pub(super) fn compared(&mut self, a: EntityId, asset: ModelAsset, difference: Arc<Difference>) {
        self.stop_comparing();
        let Some(first) = self.document.scene.entity(a) else { return self.gone() };
        let shift = bind_frames(&asset.model) - bind_frames(first.model());
        let clock = self.playback().clone();
        let name = asset.name.clone();
        let before = self.document.scene.entities().iter();
        let before = before.map(|entity| (entity.id, entity.playback.clone())).collect();
        let selected = (self.document.focus, self.document.selection, self.document.other_surfaces.clone());
        let Some(b) = self.document.scene.add_beside(a, asset, shift, &clock) else { return self.gone() };
        let is_same = difference.same;
        self.document.comparison =
            Some(Comparison { a, b, difference, mode: CompareMode::SideBySide, before, selected });
        // The other parts of a figure would stand in the way.
        self.document.scene.compared = Some([a, b]);
        self.look_at(a);
        self.interface.failure = None;
        if !is_same {
            self.view.display.shading = Shading::Difference;
        }
        self.show_compared(CompareMode::SideBySide);
        self.frame_compared();
        // What differs is listed there; the picture may be lower from now on.
        let was_open = self.interface.panels.dock.replace(DockTab::Compare).is_some();
        self.view.fit_when_sized |= !was_open;
        self.update_issues();
        let text = if is_same { format!("{name} is alike") } else { format!("Compared with {name}") };
        self.note(NotificationKind::Done, text);
    }

    /// Shows the two in another way, as they are looked at: the first one stays where it is in the picture.
    pub(super) fn show_compared(&mut self, mode: CompareMode) {
        let Some(comparison) = &mut self.document.comparison else { return };
        let was_beside = comparison.mode == CompareMode::SideBySide;
        comparison.mode = mode;
        let (a, b) = (comparison.a, comparison.b);
        let apart = if mode == CompareMode::SideBySide { self.apart(a, b) } else { Vec3::ZERO };
        let scene = &mut self.document.scene;
        if let Some(first) = scene.entity_mut(a) {
            first.hidden = mode == CompareMode::Second;
        }
        if let Some(second) = scene.entity_mut(b) {
            second.hidden = mode == CompareMode::First;
            second.offset = apart;
        }
        self.refresh();
        self.update_extent();
        // The second one may come to stand outside the picture.
        if mode == CompareMode::SideBySide && !was_beside && !self.sees_compared() {
            self.frame_compared();
        }
    }

    /// From the first one to the second beside it, along the axis of the floor that lies across the picture.
    fn apart(&self, a: EntityId, b: EntityId) -> Vec3 {
        let scene = &self.document.scene;
        let Some(first) = scene.entity(a) else { return Vec3::ZERO };
        let (right, _) = self.view.camera.right_up();
        let axis = if right.x.abs() > right.y.abs() { Vec3::X * right.x.signum() } else { Vec3::Y * right.y.signum() };
        // Both stand where the first one does.
        let width = |id| {
            let corners = scene.entity(id).map(|entity| entity.clip_bounds().corners());
            let placed = corners.into_iter().flatten().map(|corner| first.world_from_model.transform_point3(corner));
            Bounds::of(placed).size().dot(axis.abs()).max(0.0)
        };
        axis * (width(a) + width(b)) * (0.5 + GAP)
    }

    /// Whether both are in the picture as a whole, as they stand.
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

    /// Frames the two, with room for the plates that tell which is which.
    pub(super) fn frame_compared(&mut self) {
        self.frame_model();
        self.view.camera.distance *= PLATE_ROOM;
    }

    /// Shows the other one of the two alone.
    pub(super) fn swap_compared(&mut self) {
        let mode = self.document.comparison.as_ref().map(|comparison| comparison.mode);
        if let Some(mode) = mode {
            self.show_compared(if mode == CompareMode::First { CompareMode::Second } else { CompareMode::First });
        }
    }

    /// Takes the second one out of the scene.
    pub(super) fn stop_comparing(&mut self) {
        let Some(comparison) = self.document.comparison.take() else { return };
        self.document.scene.compared = None;
        self.document.scene.remove(comparison.b);
        // Rows led to other frames.
        for (id, playback) in comparison.before {
            if let Some(entity) = self.document.scene.entity_mut(id) {
                entity.playback = playback;
            }
        }
        if let Some(first) = self.document.scene.entity_mut(comparison.a) {
            first.hidden = false;
        }
        // So did they to other vertices.
        let (focus, selection, others) = comparison.selected;
        let known = focus.filter(|focus| self.document.scene.entity(*focus).is_some());
        let first = self.document.scene.entities().first().map(|entity| entity.id);
        let selection = if known.is_some() { selection } else { Selection::None };
        (self.document.focus, self.document.selection) = (known.or(first), selection);
        self.document.other_surfaces = others;
        self.forget_comparison();
        self.refresh();
        self.update_extent();
        self.update_issues();
        self.frame_model();
    }

    /// What was compared is not there any more.
    pub(super) fn forget_comparison(&mut self) {
        self.document.comparison = None;
        if self.view.display.shading == Shading::Difference {
            self.view.display.shading = Shading::Textured;
        }
    }
}

/// Frames that stand before those of a model's animations.
fn bind_frames(model: &Model) -> i64 {
    i64::from(model.frame_numbering() == FrameNumbering::PerClip && model.frames().len() > 1)
}
