//! Scene: entities with their playback and settings, attached to each other by tags and joints.
//!
//! A [`Scene`] turns the time of each entity into a pose, and each attachment into a transform. The transform of an
//! attached entity is `world_from_parent · parent_from_tag`: its origin is placed on the parent's tag, and its own tags
//! play no role (ioquake3 cg_ents.c, `CG_PositionEntityOnTag`).

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Affine3A;

use super::playback::{ClipChoice, Playback};
use super::{Attachment, Entity, EntityId, TrackId};
use maquette_assets::material::Material;
use maquette_assets::open::{Anchor, Assembly, AssemblyPart, Character, HAND_TAGS, ModelAsset, Role, Source};
use maquette_core::compare::frames_to_show;
use maquette_core::error::Warning;
use maquette_core::model::Bounds;
use maquette_core::pose::{BoneBlend, FrameBlend};

/// Material times of a still image, in seconds, in the order in which they are tried.
const IMAGE_MATERIAL_TIMES: [f64; 8] = [0.0, 0.4, 0.3, 0.7, 1.1, 0.2, 0.6, 1.7];
/// Smallest strength of all materials at which a time is accepted.
const CLEAR: f32 = 0.5;

/// Entities and scene-wide settings.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    entities: Vec<Entity>,
    /// The character that the entities form, if any.
    pub character: Option<Character>,
    /// Interpolation of MDR bones.
    pub bones: BoneBlend,
    /// The only entity that is shown, if any. The other entities keep their own settings.
    pub alone: Option<EntityId>,
    /// Two compared entities. While both are in the scene, all others are hidden.
    pub compared: Option<[EntityId; 2]>,
    last: u64,
}

impl Scene {
    /// Creates a scene whose entities play their idle clips. `last` provides the bone interpolation and the ids in use.
    #[must_use]
    pub fn from_assembly(assembly: Assembly, clock: &Playback, last: &Self) -> Self {
        let mut scene = Self { character: assembly.character, bones: last.bones, last: last.last, ..Self::default() };
        let mut ids = Vec::new();
        for member in assembly.members {
            let id = scene.enter(member, &ids, clock);
            ids.push(id);
        }
        scene
    }

    /// Returns the material time for a still image, in seconds. The time is 0 unless a material is hardly visible then,
    /// because its texture collapses (`tcMod stretch` may begin so) or its glow is dark.
    pub fn material_time_of_image(&self) -> f64 {
        let weakest = |seconds: f64| {
            let materials = self.entities.iter().flat_map(|entity| entity.materials().iter());
            let effects = materials.map(|material| &material.definition).filter(|material| !material.stages.is_empty());
            let faded = |material: &Arc<Material>| {
                if material.is_flattened(seconds) { 0.0 } else { material.strength(seconds) }
            };
            effects.map(faded).fold(1.0, f32::min)
        };
        let mut best = (f32::MIN, 0.0);
        for seconds in IMAGE_MATERIAL_TIMES {
            let strength = weakest(seconds);
            if strength >= CLEAR {
                return seconds;
            }
            // On a tie the earlier time wins.
            if strength > best.0 {
                best = (strength, seconds);
            }
        }
        best.1
    }

    /// Returns the scene as the successor of `other`: ids created later differ from those of both scenes.
    #[must_use]
    pub fn after(mut self, other: &Self) -> Self {
        self.last = self.last.max(other.last);
        self
    }

    /// Returns the scene without poses, which are large and can be computed again.
    #[must_use]
    pub fn without_poses(&self) -> Self {
        let entities = self.entities.iter().map(Entity::without_poses).collect();
        Self { entities, character: self.character.clone(), ..*self }
    }

    /// Returns the scene with the playback of `other`, and with its assets where the bytes are equal. New ids differ
    /// from those of both scenes.
    #[must_use]
    pub fn with_playback_of(mut self, other: &Self) -> Self {
        self.bones = other.bones;
        for entity in &mut self.entities {
            if let Some(now) = other.entity(entity.id) {
                entity.take_playback(now);
            }
        }
        self.after(other)
    }

    /// Whether both scenes have the same entities, with equal attachments, visibility and materials.
    pub fn is_arranged_as(&self, other: &Self) -> bool {
        self.alone == other.alone
            && self.entities.len() == other.entities.len()
            && self.entities.iter().zip(&other.entities).all(|(entity, other)| entity.is_arranged_as(other))
    }

    /// Like [`Self::is_arranged_as`], but ignores texture overrides and visible surfaces.
    pub fn is_laid_out_as(&self, other: &Self) -> bool {
        self.alone == other.alone
            && self.entities.len() == other.entities.len()
            && self.entities.iter().zip(&other.entities).all(|(entity, other)| entity.is_laid_out_as(other))
    }

    fn enter(&mut self, mut member: AssemblyPart, others: &[EntityId], clock: &Playback) -> EntityId {
        self.last += 1;
        let id = EntityId(self.last);
        let parent = member.parent.take();
        let required_skin = member.required_skin.take();
        let mut entity = Entity::new(id, self.last, member, clock);
        entity.attachment = parent.and_then(|(index, anchor)| Some(Attachment { to: *others.get(index)?, anchor }));
        entity.required_skin = required_skin.and_then(|(index, skin)| Some((*others.get(index)?, skin)));
        self.entities.push(entity);
        id
    }

    /// Adds a model to be compared with an entity. It shows the frames of the entity, unless the entity is static.
    pub fn add_compared(&mut self, id: EntityId, asset: ModelAsset, clock: &Playback) -> Option<EntityId> {
        let (lod, first) = (self.entity(id)?.lod, self.entity(id)?.model());
        let (follows_parent, frames) = (first.frames().len() > 1, frames_to_show(first, &asset.model));
        let part = AssemblyPart { follows_parent, ..AssemblyPart::new(asset, Role::Attached) };
        let added = self.enter(part, &[], clock);
        if let Some(entity) = self.entities.last_mut() {
            entity.attachment = Some(Attachment { to: id, anchor: Anchor::Origin });
            entity.frames_of_parent = frames.into();
            entity.lod = lod.min(entity.model().lod_count() - 1);
        }
        Some(added)
    }

    /// Returns the name of the character or else of the first part; `None` if the scene is empty.
    pub fn name(&self) -> Option<&str> {
        let first = self.entities.first()?;
        Some(self.character.as_ref().map_or(first.asset.name.as_str(), |character| character.name.as_str()))
    }

    /// Returns all entities, parents before their children.
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// Like [`Self::entities`], but mutable.
    pub fn entities_mut(&mut self) -> &mut [Entity] {
        &mut self.entities
    }

    /// Returns the entity with this id.
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == id)
    }

    /// Like [`Self::entity`], but mutable.
    pub fn entity_mut(&mut self, id: EntityId) -> Option<&mut Entity> {
        self.entities.iter_mut().find(|entity| entity.id == id)
    }

    /// Returns the first entity with this role.
    pub fn with_role(&self, role: Role) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.role == role)
    }

    /// Returns the source of every entity, for reading it again. Samples have no source.
    pub fn sources(&self) -> impl Iterator<Item = (EntityId, Source)> + '_ {
        self.entities.iter().filter_map(|entity| Some((entity.id, entity.source()?)))
    }

    /// Returns the warnings about an entity's files, and [`Self::assembly_warnings_of`].
    pub fn warnings_of(&self, entity: &Entity) -> Vec<Warning> {
        [entity.asset.warnings.clone(), self.assembly_warnings_of(entity)].concat()
    }

    /// Returns the warnings about parts that were not opened, and about tags of an entity that its children lack.
    pub fn assembly_warnings_of(&self, entity: &Entity) -> Vec<Warning> {
        let mut warnings = entity.assembly_warnings.clone();
        for child in &self.entities {
            let lacks = |on: &&Attachment| on.to == entity.id && !entity.has(&on.anchor);
            if let Some(on) = child.attachment.as_ref().filter(lacks) {
                let message = format!("no {}; {} is placed at the origin", on.anchor.name(), child.asset.name);
                warnings.push(Warning::companion(entity.asset.name.clone(), message));
            }
        }
        warnings
    }

    /// Returns the display name of an entity, with as many folders as distinguish it from others of this name.
    pub fn distinct_label<'a>(&self, entity: &'a Entity) -> Cow<'a, str> {
        let (label, own) = (entity.label(), entity.asset.file.as_deref());
        let twins = self.entities.iter().filter(|other| other.id != entity.id && other.label() == label);
        let twins = twins.filter_map(|other| other.asset.file.as_deref()).filter(|other| Some(*other) != own);
        let ends = |path: &'a Path| path.iter().rev();
        let common =
            twins.map(|twin| own.map_or(0, |own| ends(own).zip(twin.iter().rev()).take_while(|(a, b)| a == b).count()));
        let (Some(common), Some(own)) = (common.max(), own) else { return label.into() };
        let skipped = own.iter().count().saturating_sub(common + 1);
        own.iter().skip(skipped).collect::<PathBuf>().display().to_string().into()
    }

    /// Whether an entity is drawn. Reasons to hide it are its own settings, a skin that it requires, a comparison, an
    /// isolated entity, and, for barrels, flashes and accessories, its parent.
    pub fn shows(&self, entity: &Entity) -> bool {
        if let Some(compared) = self.compared_pair() {
            return compared.contains(&entity.id) && !entity.hidden;
        }
        if let Some(alone) = self.alone {
            return alone == entity.id;
        }
        let mut at = entity;
        loop {
            let is_skin_set = at.required_skin.as_ref().is_none_or(|(owner, skin)| {
                self.entity(*owner).is_none_or(|owner| owner.skin_name().eq_ignore_ascii_case(skin))
            });
            if at.hidden || !is_skin_set {
                return false;
            }
            let is_piece = matches!(at.role, Role::Barrel | Role::Flash | Role::Accessory);
            let parent = at.attachment.as_ref().filter(|_| is_piece);
            match parent.and_then(|attachment| self.entity(attachment.to)) {
                Some(parent) => at = parent,
                None => return true,
            }
        }
    }

    /// Returns the compared entities, if both are in the scene.
    pub fn compared_pair(&self) -> Option<[EntityId; 2]> {
        self.compared.filter(|pair| pair.iter().all(|id| self.entity(*id).is_some()))
    }

    /// Returns the weapon that a new weapon at `to` would replace.
    pub fn weapon_at(&self, to: &Attachment) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.role == Role::Weapon && entity.attachment.as_ref() == Some(to))
    }

    /// Attaches new parts, the first to `to`. A part in a hand becomes the weapon and replaces the one at `to`.
    pub fn attach_parts(
        &mut self,
        mut members: Vec<AssemblyPart>,
        to: &Attachment,
        clock: &Playback,
    ) -> Option<EntityId> {
        let parent = self.entity(to.to)?;
        let follows_parent = parent.role == Role::Body && to.anchor == Anchor::Origin;
        let is_hand = HAND_TAGS.iter().any(|tag| to.anchor.name().eq_ignore_ascii_case(tag)) || follows_parent;
        if let Some(first) = members.first_mut().filter(|_| is_hand) {
            first.role = Role::Weapon;
            first.follows_parent = follows_parent;
            if let Some(old) = self.weapon_at(to).map(|entity| entity.id) {
                self.remove(old);
            }
        } else if let Some(first) = members.first_mut() {
            first.role = Role::Attached;
        }
        let was_playing = self.is_playing();
        let mut ids: Vec<EntityId> = Vec::new();
        for member in members {
            let id = self.enter(member, &ids, clock);
            if let Some(entity) = self.entities.last_mut() {
                entity.attachment = entity.attachment.take().or_else(|| Some(to.clone()));
                entity.playback.playing &= was_playing;
            }
            ids.push(id);
        }
        ids.first().copied()
    }

    /// Attaches an entity to another parent or anchor. Returns false if `to` is the entity itself, one of its
    /// descendants or unknown.
    pub fn attach(&mut self, id: EntityId, to: Attachment) -> bool {
        let subtree = self.subtree(id);
        if subtree.contains(&to.to) || self.entity(to.to).is_none() {
            return false;
        }
        // Move the entity to the end with its descendants, so that parents still come first.
        let (moved, stay): (Vec<Entity>, Vec<Entity>) =
            std::mem::take(&mut self.entities).into_iter().partition(|entity| subtree.contains(&entity.id));
        self.entities = stay.into_iter().chain(moved).collect();
        if let Some(entity) = self.entity_mut(id) {
            entity.attachment = Some(to);
        }
        true
    }

    /// Removes an entity and its descendants, unless that would empty the scene.
    pub fn remove(&mut self, id: EntityId) {
        let gone = self.subtree(id);
        if self.alone.is_some_and(|alone| gone.contains(&alone)) {
            self.alone = None;
        }
        if gone.len() < self.entities.len() {
            self.entities.retain(|entity| !gone.contains(&entity.id));
        }
    }

    /// Shows all entities. Muzzle flashes stay hidden, because they are visible only for a moment.
    pub fn show_all(&mut self) {
        let lasting = self.entities.iter_mut().filter(|entity| entity.role != Role::Flash);
        lasting.for_each(|entity| entity.hidden = false);
    }

    /// Sets the level of detail. All parts of a character use one, because they have the same distance from the eye.
    pub fn set_lod(&mut self, lod: u32) {
        for entity in &mut self.entities {
            entity.lod = lod.min(entity.asset.model.lod_count() - 1);
        }
    }

    /// Returns an entity and all its descendants.
    pub fn subtree(&self, id: EntityId) -> Vec<EntityId> {
        let mut subtree = vec![id];
        for entity in &self.entities {
            if entity.attachment.as_ref().is_some_and(|attachment| subtree.contains(&attachment.to)) {
                subtree.push(entity.id);
            }
        }
        subtree
    }

    /// Returns the number of ancestors of an entity.
    pub fn depth(&self, entity: &Entity) -> usize {
        let mut depth = 0;
        let mut at = entity;
        while let Some(parent) = at.attachment.as_ref().and_then(|attachment| self.entity(attachment.to)) {
            depth += 1;
            at = parent;
        }
        depth
    }

    /// Replaces assets that were loaded again, for example with added skins or animations.
    pub fn replace(&mut self, assets: Vec<(EntityId, ModelAsset)>) {
        for (id, asset) in assets {
            self.last += 1;
            let number = self.last;
            if let Some(entity) = self.entity_mut(id) {
                entity.replace(asset, number);
                entity.reading = number;
            }
        }
        self.pair_frames();
    }

    /// Replaces an asset by its edited state.
    pub fn replace_edited(&mut self, id: EntityId, asset: ModelAsset) {
        self.last += 1;
        let number = self.last;
        if let Some(entity) = self.entity_mut(id) {
            entity.replace(asset, number);
        }
        self.pair_frames();
    }

    /// Pairs the frames of the compared models.
    fn pair_frames(&mut self) {
        let Some([a, b]) = self.compared.map(|pair| pair.map(|id| self.entity(id))) else { return };
        let frames = a.zip(b).map(|(a, b)| (b.id, frames_to_show(a.model(), b.model())));
        if let Some((id, frames)) = frames
            && let Some(entity) = self.entity_mut(id)
        {
            entity.frames_of_parent = frames.into();
        }
    }

    /// Applies the final materials of models whose images are all decoded. Returns whether any material changed.
    pub fn finish_pending_images(&mut self) -> bool {
        let mut ended = false;
        for entity in &mut self.entities {
            ended |= entity.finish_pending_images();
        }
        ended
    }

    /// Updates poses and transforms that are out of date, at the current playback positions.
    pub fn refresh(&mut self) {
        self.refresh_at(|entity, _, playback| playback.blend(&entity.asset.model));
    }

    /// Poses every entity at the frames from `blend_of` and computes its transform from its parent.
    pub fn refresh_at(&mut self, blend_of: impl Fn(&Entity, TrackId, &Playback) -> FrameBlend) {
        let root = self.placement();
        for index in 0..self.entities.len() {
            let (before, rest) = self.entities.split_at_mut(index);
            let Some(entity) = rest.first_mut() else { return };
            let attachment = entity.attachment.as_ref();
            let parent = attachment.and_then(|attachment| before.iter().find(|parent| parent.id == attachment.to));
            let sampling = entity.sampling_at(parent, self.bones, |track, playback| blend_of(entity, track, playback));
            let transform = match (parent, attachment) {
                (Some(parent), Some(attachment)) => {
                    let anchor = parent.anchor_transform(&attachment.anchor).unwrap_or(Affine3A::IDENTITY);
                    entity.placed_at(parent.world_from_model * anchor)
                }
                _ => root,
            };
            entity.world_from_model = transform;
            entity.pose_at(sampling);
        }
    }

    /// Returns the transform of the first skin that has one ([`Skin::placement`](maquette_assets::open::Skin)).
    pub fn placement(&self) -> Affine3A {
        let skins = self.entities.iter().filter_map(|entity| entity.asset.skins.get(entity.skin));
        skins.map(|skin| skin.placement).find(|own| *own != Affine3A::IDENTITY).unwrap_or(Affine3A::IDENTITY)
    }

    /// Returns the box of all entities that are shown; empty without vertices.
    pub fn bounds(&self) -> Bounds {
        let shown = self.entities.iter().filter(|entity| self.shows(entity));
        shown.fold(Bounds::EMPTY, |bounds, entity| bounds.union(entity.bounds()))
    }

    /// Chooses a clip. If `paired`, a `BOTH_` clip also plays on the other half of the character, and any other clip
    /// returns a half in a `BOTH_` clip to idle. Torso and legs of one model then play the same clip.
    pub fn choose(&mut self, track: impl Into<TrackId>, choice: ClipChoice, paired: bool) {
        let track = track.into();
        let Some(entity) = self.entity_mut(track.entity) else { return };
        let model = Arc::clone(&entity.asset.model);
        entity.playback_mut(track, paired).choose(&model, choice);
        if paired {
            self.pair(track.entity);
        }
        let playback = self.entity(track.entity).map(|entity| entity.track(track).playback);
        let plays = playback.is_some_and(|playback| playback.playing || playback.has_ended());
        if plays {
            self.play_all();
        } else {
            self.pause();
        }
    }

    /// Pauses every part.
    pub fn pause(&mut self) {
        self.entities.iter_mut().flat_map(Entity::playbacks_mut).for_each(Playback::pause);
    }

    /// Makes the other half of a character follow: it plays the same `BOTH_` clip, or leaves such a clip for idle.
    /// Returns the other half in the first case.
    fn pair(&mut self, id: EntityId) -> Option<&mut Entity> {
        let entity = self.entity(id)?;
        let name = entity.clip().name.to_uppercase();
        let other = match entity.role {
            Role::Legs => Role::Torso,
            Role::Torso => Role::Legs,
            _ => return None,
        };
        let other = self.entities.iter_mut().find(|entity| entity.role == other)?;
        let for_both = |name: &str| name.starts_with("BOTH_");
        let model = Arc::clone(&other.asset.model);
        let others = other.clip().name.to_uppercase();
        if for_both(&name) {
            let same = model.clips().iter().position(|clip| clip.name.eq_ignore_ascii_case(&name))?;
            if others != name {
                other.playback.choose(&model, ClipChoice::Clip(same));
            }
            return Some(other);
        }
        if for_both(&others) {
            other.playback.stand_as(&model, other.role);
            other.playback.position = 0.0;
        }
        None
    }

    /// Copies the loop range and position of an entity to the other half of its character, if the entity plays a
    /// `BOTH_` clip.
    pub fn pair_range(&mut self, id: EntityId) {
        let Some((range, position)) = self.entity(id).map(|entity| (entity.playback.range, entity.playback.position))
        else {
            return;
        };
        if let Some(other) = self.pair(id) {
            let model = Arc::clone(&other.asset.model);
            other.playback.set_range(&model, range);
            other.playback.jump(position);
        }
    }

    /// Pauses the scene after a seek in one entity. In a `BOTH_` clip the other half moves to the same position.
    pub fn follow(&mut self, id: EntityId) {
        let Some(position) = self.entity(id).map(|entity| entity.playback.position) else { return };
        if let Some(other) = self.pair(id) {
            other.playback.jump(position);
        }
        self.pause();
    }

    /// Plays the `wave` clip of samples, which makes a better first impression than the idle clip.
    pub fn play_sample_wave(&mut self) {
        for entity in self.entities.iter_mut().filter(|entity| entity.asset.file.is_none()) {
            let model = Arc::clone(&entity.asset.model);
            if let Some(wave) = model.clips().iter().position(|clip| clip.name.eq_ignore_ascii_case("wave")) {
                entity.playback.choose(&model, ClipChoice::Clip(wave));
            }
        }
    }

    /// Starts playback of every entity that has a track.
    pub fn play_all(&mut self) {
        for entity in &mut self.entities {
            let model = Arc::clone(&entity.asset.model);
            let has_track = entity.has_track();
            for playback in entity.playbacks_mut() {
                playback.start(&model);
                playback.playing &= has_track;
            }
        }
    }

    /// Whether any entity plays.
    pub fn is_playing(&self) -> bool {
        let mut moving = self.entities.iter().filter(|entity| entity.has_track()).flat_map(Entity::playbacks);
        moving.any(|(_, playback)| playback.playing)
    }
}
