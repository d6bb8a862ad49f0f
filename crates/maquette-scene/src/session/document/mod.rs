//! Open document: scene, selection, comparison, edits and undo history.

pub(super) mod comparison;
pub(super) mod contact_sheet;
pub(super) mod edit_labels;
pub(super) mod editing;
pub(super) mod history;
pub(super) mod issues;
pub(super) mod selection;
pub(super) mod skins;
pub(super) mod versions;

use std::collections::BTreeSet;

use glam::Vec3;

use super::{Comparison, History, Issue};
use crate::scene::{ClipChoice, Entity, EntityId, Scene, Selection, Track, TrackId};
use maquette_assets::open::{ModelAsset, Role};
use maquette_core::model::Bounds;
use maquette_core::pose::Pose;

/// Open document: scene, selection and undo history.
#[derive(Clone)]
pub struct Document {
    /// The models and their state.
    pub scene: Scene,
    /// Entity that the panels describe; `None` if there is none.
    pub focus: Option<EntityId>,
    /// Selected element of the focused entity.
    pub selection: Selection,
    pub(crate) whole_character: bool,
    /// Running comparison.
    pub comparison: Option<Comparison>,
    /// Start of distance measurements, if any.
    pub measured_from: Option<(EntityId, Selection)>,
    /// Tracked points in addition to the selection.
    pub pinned: Vec<(EntityId, Selection)>,
    /// Selected surfaces in addition to the one of `selection`.
    pub other_surfaces: BTreeSet<usize>,
    /// Whether playback of legs and torso is linked, as in the game.
    pub paired: bool,
    /// Whether the transport controls the torso of the focused entity, if its model has one.
    pub leads_torso: bool,
    /// Issues of the files and the chosen skins, the worst first.
    pub issues: Vec<Issue>,
    /// Undo history.
    pub history: History,
    /// Number of the last notification.
    pub(crate) last_note: u64,
    pub(crate) before_reload: Vec<(EntityId, ModelAsset)>,
    /// Height of the ground: the lowest point of the clips when the bounds were last updated.
    pub floor: f32,
    /// Bounds of the scene over the same clips; empty without surfaces.
    pub extent: Bounds,
    /// Outermost vertices of sampled frames, which a view of the animated scene must contain.
    pub(crate) reach: Vec<Vec3>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            scene: Scene::default(),
            focus: None,
            selection: Selection::None,
            whole_character: false,
            comparison: None,
            measured_from: None,
            pinned: Vec::new(),
            other_surfaces: BTreeSet::new(),
            paired: true,
            leads_torso: false,
            issues: Vec::new(),
            history: History::default(),
            last_note: 0,
            before_reload: Vec::new(),
            floor: 0.0,
            extent: Bounds::EMPTY,
            reach: Vec::new(),
        }
    }
}

impl Document {
    /// Chooses a clip for an entity, and for the other half of the character if both are linked.
    pub fn choose(&mut self, track: impl Into<TrackId>, choice: ClipChoice) {
        self.scene.choose(track, choice, self.paired);
    }
}

impl Document {
    /// Returns the focused entity.
    pub fn entity(&self) -> Option<&Entity> {
        self.scene.entity(self.focus?)
    }

    /// Like [`Self::entity`], but mutable.
    pub fn entity_mut(&mut self) -> Option<&mut Entity> {
        let focus = self.focus?;
        self.scene.entity_mut(focus)
    }

    /// Returns the asset of the focused entity.
    pub fn asset(&self) -> Option<&ModelAsset> {
        self.entity().map(|entity| &entity.asset)
    }

    /// Returns the entity that the transport controls: the focused entity or its nearest ancestor with a track. If none
    /// has a track, returns the first entity with a track, or else the focused entity.
    pub fn track(&self) -> Option<&Entity> {
        let focus = self.entity()?;
        let mut at = Some(focus);
        while let Some(entity) = at.filter(|entity| !entity.has_track()) {
            at = entity.attachment.as_ref().and_then(|attachment| self.scene.entity(attachment.to));
        }
        at.or_else(|| self.scene.entities().iter().find(|entity| entity.has_track())).or(Some(focus))
    }

    /// Returns the names of the clips that the visible parts play, each once: `LEGS_IDLE + TORSO_STAND`.
    pub fn clip_names(&self) -> Option<String> {
        let moving = self.scene.entities().iter().filter(|entity| self.scene.shows(entity) && entity.has_track());
        let mut names: Vec<String> = Vec::new();
        for name in moving.flat_map(Entity::tracks).map(|track| track.clip().name) {
            if !names.iter().any(|known| known.eq_ignore_ascii_case(&name)) {
                names.push(name);
            }
        }
        let own = || self.track().map(|track| track.clip().name);
        if names.is_empty() { own() } else { Some(names.join(" + ")) }
    }

    /// Returns the track that the transport controls, of the entity from [`Self::track`].
    pub fn led_track(&self) -> Option<Track<'_>> {
        let entity = self.track()?;
        let is_torso = self.leads_torso && entity.model().has_torso();
        Some(entity.track(TrackId { entity: entity.id, is_torso }))
    }

    /// Returns all tracks. The torso precedes the legs.
    pub fn tracks(&self) -> Vec<Track<'_>> {
        let moving = self.scene.entities().iter().filter(|entity| entity.has_track());
        let mut tracks: Vec<Track> = moving.flat_map(Entity::tracks).collect();
        tracks.sort_by_key(|track| match track.entity.role {
            Role::Torso => 0,
            Role::Legs => 1,
            _ => 2,
        });
        tracks
    }

    /// Returns the pose of the focused entity.
    pub fn pose(&self) -> Option<&Pose> {
        self.entity().map(|entity| &entity.pose)
    }

    pub(crate) fn game(&self) -> Option<&'static str> {
        self.scene.entities().first().map(|entity| entity.model().format().game())
    }
}
