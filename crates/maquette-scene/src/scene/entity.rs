//! Entity: one part of the scene with its playback, settings, pose and transform.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::camera::{Camera, Projection};
use super::playback::{ClipChoice, Playback};
use maquette_assets::material::{DrawnFaces, SurfaceMaterial};
use maquette_assets::open::{Anchor, AssemblyPart, EditedFile, ModelAsset, Role, Source};
use maquette_core::error::Warning;
use maquette_core::model::{Bounds, Clip, Model, Surface};
use maquette_core::pose::{BoneBlend, FrameBlend, Pose, Sampling, sample};

/// Identifier of an entity; never reused in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntityId(pub u64);

/// Track: the playback of an entity, or that of its torso.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TrackId {
    /// The entity.
    pub entity: EntityId,
    /// Whether the track moves only the torso of the entity (MDS, MDM).
    pub is_torso: bool,
}

impl From<EntityId> for TrackId {
    fn from(entity: EntityId) -> Self {
        Self { entity, is_torso: false }
    }
}

/// Track of the timeline.
#[derive(Clone, Copy, Debug)]
pub struct Track<'a> {
    /// Identifier.
    pub id: TrackId,
    /// The entity that the track moves.
    pub entity: &'a Entity,
    /// Playback that the track shows. A torso without a separate playback shows that of the entity.
    pub playback: &'a Playback,
}

impl<'a> Track<'a> {
    /// Returns the chosen clip.
    pub fn clip(&self) -> Clip {
        self.playback.clip(self.entity.model())
    }

    /// Returns the frame to display.
    pub fn shown_frame(&self) -> f64 {
        self.playback.shown_frame(self.entity.model())
    }

    /// Returns the display name. `is_shared` is whether there are several tracks.
    pub fn label(&self, is_shared: bool) -> &'a str {
        match (self.entity.model().has_torso() && is_shared, self.id.is_torso) {
            (true, true) => Role::Torso.label(),
            (true, false) => Role::Legs.label(),
            (false, _) => self.entity.label(),
        }
    }
}

/// Parent of an entity, and the anchor on the parent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// The parent.
    pub to: EntityId,
    /// The tag or joint of the parent, or its origin.
    pub anchor: Anchor,
}

/// A part of the scene.
#[derive(Clone, Debug)]
pub struct Entity {
    /// Identifier in the scene.
    pub id: EntityId,
    /// Revision of the asset; changes after a reload or an edit of the file.
    pub number: u64,
    /// Value of [`Self::number`] when the file was last read from disk.
    pub reading: u64,
    /// The model with its materials and companion files.
    pub asset: ModelAsset,
    /// Role in the character.
    pub role: Role,
    /// Parent and anchor.
    pub attachment: Option<Attachment>,
    /// Whether the entity shows the frames of its parent.
    pub follows_parent: bool,
    /// Frame for each frame of the parent, if the entity follows the parent; empty if the numbers are equal.
    pub frames_of_parent: Arc<[u32]>,
    /// Translation from the anchor, along the world axes.
    pub offset: Vec3,
    /// Factor on the size; 1 except for a model that is compared at the height of another.
    pub scale: f32,
    /// Skin of another entity that this entity requires: it is shown only while that skin is set. `None` if it is
    /// always shown.
    pub required_skin: Option<(EntityId, String)>,
    /// Warnings about other parts, which were not opened.
    pub assembly_warnings: Vec<Warning>,
    /// Clip, time and speed.
    pub playback: Playback,
    /// Playback of the torso, if the torso does not show the frames of the legs (MDS, MDM).
    pub torso: Option<Playback>,
    /// Whether the whole entity is hidden.
    pub hidden: bool,
    /// Whether each surface is shown.
    pub visible: Vec<bool>,
    /// Index of the chosen skin.
    pub skin: usize,
    /// Materials that override those of the skin, by surface.
    pub overrides: BTreeMap<usize, SurfaceMaterial>,
    /// Level of detail.
    pub lod: u32,
    /// Current pose, in model space.
    pub pose: Pose,
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
    materials: Arc<[SurfaceMaterial]>,
    material_revision: u64,
    /// Number of the asset and sampling of the pose; `None` if the pose is out of date.
    sampled: Option<(u64, Sampling)>,
}

impl Entity {
    pub(super) fn new(id: EntityId, number: u64, member: AssemblyPart, clock: &Playback) -> Self {
        let model = &member.asset.model;
        let materials = member.asset.skins.first().map_or_else(Arc::default, |skin| Arc::clone(&skin.materials));
        let mut playback = clock.for_model(model);
        playback.stand_as(model, member.role);
        // An entity that follows its parent, or has one frame, does not play.
        playback.playing &= !member.follows_parent && model.frames().len() > 1;
        Self {
            id,
            number,
            reading: number,
            role: member.role,
            attachment: None,
            follows_parent: member.follows_parent,
            frames_of_parent: Arc::default(),
            offset: Vec3::ZERO,
            scale: 1.0,
            required_skin: None,
            assembly_warnings: member.warnings,
            playback,
            torso: None,
            hidden: member.hidden,
            visible: default_visibility(model, &materials),
            skin: 0,
            overrides: BTreeMap::new(),
            lod: 0,
            pose: Pose::default(),
            world_from_model: Affine3A::IDENTITY,
            materials,
            material_revision: 0,
            sampled: None,
            asset: member.asset,
        }
    }

    /// Returns the entity without its pose.
    pub(super) fn without_poses(&self) -> Self {
        Self {
            pose: Pose::default(),
            sampled: None,
            asset: self.asset.clone(),
            attachment: self.attachment.clone(),
            required_skin: self.required_skin.clone(),
            assembly_warnings: self.assembly_warnings.clone(),
            playback: self.playback.clone(),
            torso: self.torso.clone(),
            visible: self.visible.clone(),
            overrides: self.overrides.clone(),
            materials: Arc::clone(&self.materials),
            frames_of_parent: Arc::clone(&self.frames_of_parent),
            ..*self
        }
    }

    /// Takes the playback of `now`, and its asset if the same bytes were read again.
    pub(super) fn take_playback(&mut self, now: &Self) {
        self.material_revision = self.material_revision.max(now.material_revision) + 1;
        let is_same = self.asset.has_same_bytes(&now.asset);
        if is_same && self.number != now.number {
            self.replace(now.asset.clone(), now.number);
            self.reading = now.reading;
        }
        self.playback = now.playback.clone();
        self.torso.clone_from(&now.torso);
        if !is_same {
            self.asset.update_location(&now.asset);
            let clip = now.playback.clip(now.model()).name;
            self.fit_playback(&clip, now.playback.shown_frame(now.model()));
        }
    }

    /// Chooses the clip that was played before, which is called `clip`. If there is none, the model's usual clip is
    /// chosen, paused if the playback was paused.
    fn fit_playback(&mut self, clip: &str, shown: f64) {
        let model = Arc::clone(&self.asset.model);
        let clips = self.playback.clips(&model);
        if let ClipChoice::Clip(chosen) = self.playback.choice {
            // The index changes if clips were added or removed.
            let named = clips.iter().position(|own| own.name == clip);
            match named.or_else(|| (chosen < clips.len()).then_some(chosen)) {
                Some(index) => self.playback.choice = ClipChoice::Clip(index),
                None => {
                    let is_paused = !self.playback.playing && !self.playback.has_ended();
                    self.playback = self.playback.for_model(&model);
                    if is_paused {
                        self.playback.pause();
                    }
                }
            }
        }
        self.playback.refit_range(&model, shown);
        self.torso = self.torso.take().filter(|torso| match torso.choice {
            ClipChoice::Clip(index) => index < torso.clips(&model).len(),
            ClipChoice::AllFrames => true,
        });
    }

    /// Returns the source from which the model can be read again; `None` for a sample.
    pub fn source(&self) -> Option<Source> {
        let ModelAsset { file, added, first_skin, edited, salvaged, .. } = &self.asset;
        let (file, added, edited, first_skin) = (file.clone()?, added.clone(), edited.clone(), first_skin.clone());
        Some(Source { file, added, first_skin, edited, salvaged: *salvaged })
    }

    pub(super) fn is_arranged_as(&self, other: &Self) -> bool {
        self.id == other.id
            && self.attachment == other.attachment
            && self.hidden == other.hidden
            && self.visible == other.visible
            && self.skin == other.skin
            && self.material_revision == other.material_revision
            && self.lod == other.lod
            && self.asset.has_same_bytes(&other.asset)
    }

    pub(super) fn is_laid_out_as(&self, other: &Self) -> bool {
        self.id == other.id
            && self.number == other.number
            && self.attachment == other.attachment
            && self.hidden == other.hidden
            && self.skin == other.skin
            && self.lod == other.lod
    }

    /// Like [`Self::source`], but without unsaved changes.
    pub fn discarded(&self) -> Option<Source> {
        let source = self.source()?;
        Some(Source { edited: source.edited.as_ref().map(EditedFile::discarded), ..source })
    }

    /// Returns the model.
    pub fn model(&self) -> &Model {
        &self.asset.model
    }

    /// Returns the material of each surface: the override or the material of the skin.
    pub fn materials(&self) -> &Arc<[SurfaceMaterial]> {
        &self.materials
    }

    /// Returns a number that changes with [`Self::materials`].
    pub fn material_revision(&self) -> u64 {
        self.material_revision
    }

    /// Whether a surface is drawn while the entity is: neither the user nor the skin hides it.
    pub fn draws(&self, surface: usize) -> bool {
        let hidden = self.materials.get(surface).is_some_and(|material| material.hidden);
        !hidden && self.visible.get(surface).copied().unwrap_or(true)
    }

    /// Returns the name of the chosen skin.
    pub fn skin_name(&self) -> &str {
        self.asset.skins.get(self.skin).map_or("", |skin| &skin.name)
    }

    /// Returns a surface's name, or a substitute if it has none.
    pub fn surface_name(&self, index: usize) -> String {
        self.model().display_name_of_surface(index)
    }

    /// Whether another surface of the same LOD has the same name.
    pub fn has_twin(&self, index: usize) -> bool {
        let surfaces = self.asset.model.surfaces();
        let name = self.surface_name(index);
        let lod = |index: usize| surfaces.get(index).map(|surface| surface.lod);
        (0..surfaces.len()).any(|other| other != index && lod(other) == lod(index) && self.surface_name(other) == name)
    }

    /// Returns the name of a surface, with its index if the name is not unique: `head, surface 2`.
    pub fn distinct_surface_name(&self, index: usize) -> String {
        let name = self.surface_name(index);
        if self.has_twin(index) { format!("{name}, surface {index}") } else { name }
    }

    /// Returns the display name: the role in a character, or else the file name.
    pub fn label(&self) -> &str {
        match self.role {
            Role::Model | Role::Attached | Role::Accessory => &self.asset.name,
            role => role.label(),
        }
    }

    /// Whether the entity has its own track: it has several frames and does not follow its parent.
    pub fn has_track(&self) -> bool {
        !self.follows_parent && self.asset.model.frames().len() > 1
    }

    /// Returns the frame that the entity shows with a frame of the parent that it follows.
    pub fn frame_with(&self, parents: u32) -> u32 {
        self.frames_of_parent.get(parents as usize).copied().unwrap_or(parents)
    }

    /// Returns how to pose the entity with the frames from `blend_of`, or with those of `parent` if the entity follows
    /// the parent.
    pub(super) fn sampling_at(
        &self,
        parent: Option<&Entity>,
        bones: BoneBlend,
        blend_of: impl Fn(TrackId, &Playback) -> FrameBlend,
    ) -> Sampling {
        if self.follows_parent {
            let parents = parent.and_then(|parent| parent.sampled).map(|(_, sampling)| sampling);
            let blend = parents.map_or_else(|| self.playback.blend(self.model()), |parents| parents.blend);
            let shifted = |blend: FrameBlend| {
                if parents.is_some() { blend.mapped(|frame| self.frame_with(frame)) } else { blend }
            };
            let torso = parents.and_then(|parents| parents.torso);
            return Sampling { blend: shifted(blend), torso: torso.map(shifted), lod: self.lod, bones };
        }
        let torso = self.playbacks().find(|(track, _)| track.is_torso);
        Sampling {
            blend: blend_of(self.id.into(), &self.playback),
            torso: torso.map(|(track, playback)| blend_of(track, playback)),
            lod: self.lod,
            bones,
        }
    }

    /// Returns how to pose the entity now, given its parent with its current pose.
    pub fn sampling(&self, parent: Option<&Entity>, bones: BoneBlend) -> Sampling {
        self.sampling_at(parent, bones, |_, playback| playback.blend(self.model()))
    }

    /// Returns the tracks of the entity: the torso, if the model has one, then the entity itself.
    pub fn tracks(&self) -> impl Iterator<Item = Track<'_>> {
        let torso = TrackId { entity: self.id, is_torso: true };
        let torso = self.model().has_torso().then(|| self.track(torso));
        torso.into_iter().chain([self.track(self.id.into())])
    }

    /// Returns a track of the entity.
    pub fn track(&self, id: TrackId) -> Track<'_> {
        let torso = self.torso.as_ref().filter(|_| id.is_torso);
        Track { id, entity: self, playback: torso.unwrap_or(&self.playback) }
    }

    /// Returns the playback of a track, to change it. If the tracks are `linked`, the torso follows the legs from now
    /// on; otherwise it has its own playback.
    pub fn playback_mut(&mut self, track: TrackId, linked: bool) -> &mut Playback {
        if linked || !self.model().has_torso() {
            self.torso = None;
            return &mut self.playback;
        }
        let torso = self.torso.get_or_insert_with(|| self.playback.clone());
        if track.is_torso { torso } else { &mut self.playback }
    }

    /// Returns the playbacks that move the entity: its own, then that of its torso if it has a separate one.
    pub fn playbacks(&self) -> impl Iterator<Item = (TrackId, &Playback)> {
        let torso = self.torso.as_ref().map(|torso| (TrackId { entity: self.id, is_torso: true }, torso));
        std::iter::once((self.id.into(), &self.playback)).chain(torso)
    }

    /// Like [`Self::playbacks`], but mutable.
    pub fn playbacks_mut(&mut self) -> impl Iterator<Item = &mut Playback> {
        std::iter::once(&mut self.playback).chain(&mut self.torso)
    }

    /// Returns the model frame nearest to the pose.
    pub fn nearest_frame(&self) -> usize {
        let blend = self.sampled.map_or_else(|| self.playback.blend(&self.asset.model), |(_, sampling)| sampling.blend);
        (if blend.t < 0.5 { blend.from } else { blend.to }) as usize
    }

    /// Returns the chosen clip.
    pub fn clip(&self) -> Clip {
        self.playback.clip(&self.asset.model)
    }

    /// Returns the transform of an anchor in model space; `None` if the model has no tag or joint of that name.
    pub fn anchor_transform(&self, anchor: &Anchor) -> Option<Affine3A> {
        anchor.transform_in(self.model(), &self.pose.tags, &self.pose.joints)
    }

    /// Whether the model has `anchor`.
    pub fn has(&self, anchor: &Anchor) -> bool {
        let model = &self.asset.model;
        match anchor {
            Anchor::Origin => true,
            Anchor::Tag(name) => model.tags().iter().any(|tag| tag.eq_ignore_ascii_case(name)),
            Anchor::Joint(name) => model.joints().iter().any(|joint| joint.name.eq_ignore_ascii_case(name)),
        }
    }

    /// Returns the transform of this entity at an anchor.
    pub(super) fn placed_at(&self, world_from_anchor: Affine3A) -> Affine3A {
        Affine3A::from_translation(self.offset) * world_from_anchor * Affine3A::from_scale(Vec3::splat(self.scale))
    }

    /// Returns the world-space box of the posed vertices; empty without vertices.
    pub fn bounds(&self) -> Bounds {
        let points = self.pose.surfaces.iter().flat_map(|surface| surface.positions.iter());
        Bounds::from_points(points.map(|point| self.world_from_model.transform_point3(*point)))
    }

    /// Whether at least one triangle of a surface turns one of `faces` to the camera.
    pub fn turns_to(&self, camera: &Camera, surface: usize, faces: DrawnFaces) -> bool {
        let (Some(still), Some(posed)) = (self.model().surfaces().get(surface), self.pose.surfaces.get(surface)) else {
            return false;
        };
        let model_from_world = self.world_from_model.inverse();
        let (eye, towards) = (camera.eye(), camera.towards_eye());
        let (eye, towards) = (model_from_world.transform_point3(eye), model_from_world.transform_vector3(towards));
        let mirrored = self.world_from_model.matrix3.determinant().signum();
        let at = |corner: u32| posed.positions.get(corner as usize).copied().unwrap_or_default();
        still.triangles.iter().any(|triangle| {
            let [a, b, c] = triangle.map(at);
            let outward = (c - a).cross(b - a) * mirrored;
            let facing = match camera.projection {
                Projection::Perspective => outward.dot(eye - a),
                Projection::Orthographic => outward.dot(towards),
            };
            match faces {
                DrawnFaces::Front => facing > 0.0,
                DrawnFaces::Back => facing < 0.0,
                DrawnFaces::Both => facing != 0.0,
            }
        })
    }

    /// Whether a skin lacks images for surfaces of the current LOD.
    pub fn lacks_images(&self, skin: usize) -> bool {
        let Some(skin) = self.asset.skins.get(skin) else { return false };
        let is_drawn = |surface: &Surface| surface.lod == self.lod && !surface.triangles.is_empty();
        let mut surfaces = self.model().surfaces().iter().zip(skin.materials.iter());
        surfaces.any(|(surface, material)| is_drawn(surface) && material.has_problem())
    }

    /// Returns the skins in display order: those with missing images come last.
    pub fn skins_in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.asset.skins.len()).collect();
        order.sort_by_cached_key(|skin| self.lacks_images(*skin));
        order
    }

    /// Assigns a skin and clears the overrides.
    pub fn set_skin(&mut self, skin: usize) {
        if skin < self.asset.skins.len() {
            self.skin = skin;
            self.overrides.clear();
            let before = default_visibility(&self.asset.model, &self.materials);
            self.update_materials();
            let after = default_visibility(&self.asset.model, &self.materials);
            for (visible, (before, after)) in self.visible.iter_mut().zip(before.into_iter().zip(after)) {
                if before != after {
                    *visible = after;
                }
            }
        }
    }

    /// Overrides the material of a surface. An image takes the wrap mode of the material that it overrides.
    pub fn override_texture(&mut self, surface: usize, material: &SurfaceMaterial) {
        if surface < self.asset.model.surfaces().len() {
            let wrap = self.materials.get(surface).map(|material| material.wrap).unwrap_or_default();
            let material = match (&material.image, &material.script) {
                (Some(image), None) => SurfaceMaterial {
                    search_log: material.search_log.clone(),
                    ..SurfaceMaterial::of_image(&material.name, &material.path, Arc::clone(image), wrap)
                },
                _ => material.clone(),
            };
            self.overrides.extend(self.asset.seen_through(vec![material]).pop().map(|material| (surface, material)));
            self.update_materials();
        }
    }

    /// Clears the override of a surface.
    pub fn clear_override(&mut self, surface: usize) {
        if self.overrides.remove(&surface).is_some() {
            self.update_materials();
        }
    }

    fn update_materials(&mut self) {
        let skin = self.asset.skins.get(self.skin).or(self.asset.skins.first());
        let Some(skin) = skin else { return };
        self.materials = if self.overrides.is_empty() {
            Arc::clone(&skin.materials)
        } else {
            let material = |(index, material)| self.overrides.get(&index).unwrap_or(material).clone();
            skin.materials.iter().enumerate().map(material).collect()
        };
        self.material_revision += 1;
    }

    pub(super) fn finish_pending_images(&mut self) -> bool {
        let name = self.skin_name().to_owned();
        let ended = self.asset.finish_pending_images();
        if ended {
            self.skin = self.asset.skins.iter().position(|skin| skin.name == name).unwrap_or(0);
            self.update_materials();
        }
        ended
    }

    /// Replaces the asset by another state of its file and keeps the settings that still fit.
    pub(super) fn replace(&mut self, asset: ModelAsset, number: u64) {
        let surfaces = self.asset.model.surfaces().len();
        let name = self.skin_name().to_owned();
        let shown = self.playback.shown_frame(&self.asset.model);
        let clip = self.clip().name;
        self.asset = asset;
        self.number = number;
        self.sampled = None;
        let model = Arc::clone(&self.asset.model);
        self.skin = self.asset.skins.iter().position(|skin| skin.name == name).unwrap_or(0);
        self.lod = self.lod.min(model.lod_count() - 1);
        let has_changed = surfaces != model.surfaces().len();
        if has_changed {
            self.overrides.clear();
        }
        self.fit_playback(&clip, shown);
        self.update_materials();
        if has_changed {
            self.visible = default_visibility(&model, &self.materials);
        }
    }

    /// Whether the entity was last posed from `sampled` and has the given transform.
    pub(super) fn stands_at(&self, sampled: (u64, Sampling), world_from_model: Affine3A) -> bool {
        self.sampled == Some(sampled) && self.world_from_model == world_from_model
    }

    pub(super) fn pose_at(&mut self, sampling: Sampling) {
        if self.sampled != Some((self.number, sampling)) {
            // The loader may have computed the first pose.
            let cached = self.sampled.is_none().then(|| self.asset.outlines.take_pose(&sampling)).flatten();
            match cached {
                Some(pose) => self.pose = pose,
                None => sample(&self.asset.model, &sampling, &mut self.pose),
            }
            self.sampled = Some((self.number, sampling));
        }
    }

    pub(super) fn leave_pose(&mut self) -> Option<(Sampling, Pose)> {
        let (_, sampling) = self.sampled.take()?;
        Some((sampling, std::mem::take(&mut self.pose)))
    }
}

/// Returns for each surface whether it is visible until the user hides or shows it.
fn default_visibility(model: &Model, materials: &[SurfaceMaterial]) -> Vec<bool> {
    let is_shown = |index: usize| materials.get(index).is_some_and(|material| material.shown);
    model.surfaces().iter().enumerate().map(|(index, surface)| !surface.hidden || is_shown(index)).collect()
}
