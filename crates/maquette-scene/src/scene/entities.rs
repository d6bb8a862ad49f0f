//! What stands in the scene: parts with their clocks and choices, attached to each other by tags and joints.
//!
//! A [`Scene`] turns every part's moment into a pose and every attachment into a place. A carried part stands at
//! `world_from_carrier · carrier_from_tag`: its own origin lands on the tag, its own tags play no role
//! (ioquake3 cg_ents.c, `CG_PositionEntityOnTag`).

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::playback::{ClipChoice, Playback};
use super::{Attachment, Entity, EntityId};
use maquette_assets::material::Material;
use maquette_assets::open::{Anchor, Assembly, AssemblyPart, Character, ModelAsset, Role, Source};
use maquette_core::model::Bounds;
use maquette_core::pose::{BoneBlend, FrameBlend, Sampling};

/// Seconds at which a still may be taken, in the order in which they are tried.
const STILL_MOMENTS: [f64; 8] = [0.0, 0.4, 0.3, 0.7, 1.1, 0.2, 0.6, 1.7];
/// How strong every material has to be for a moment to be a good one.
const CLEAR: f32 = 0.5;

/// Everything in the scene.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    entities: Vec<Entity>,
    /// What the entities make up together, if they are a figure.
    pub figure: Option<Character>,
    /// How MDR bones are blended.
    pub bones: BoneBlend,
    /// Shown alone for a while; all others keep their own switches.
    pub alone: Option<EntityId>,
    /// Two that are compared: while both are there, all others are out of the way.
    pub compared: Option<[EntityId; 2]>,
    last: u64,
}

impl Scene {
    /// Makes a scene of an assembly, every entity at the start of an idle clip; `clock` gives speed, repeat and
    /// interpolation.
    #[must_use]
    pub fn of(assembly: Assembly, clock: &Playback, last: &Self) -> Self {
        let mut scene = Self { figure: assembly.figure, bones: last.bones, last: last.last, ..Self::default() };
        let mut ids = Vec::new();
        for member in assembly.members {
            let id = scene.enter(member, &ids, clock);
            ids.push(id);
        }
        scene
    }

    /// Seconds on the clock of materials at which a still shows what they look like: 0, unless a picture falls together to a
    /// point there, as `tcMod stretch` begins with, or a glow is dark.
    #[must_use]
    pub fn still_moment(&self) -> f64 {
        let weakest = |seconds: f64| {
            let materials = self.entities.iter().flat_map(|entity| entity.materials().iter());
            let effects = materials.map(|material| &material.definition).filter(|material| !material.stages.is_empty());
            let faded = |material: &Arc<Material>| {
                if material.is_flattened(seconds) { 0.0 } else { material.strength(seconds) }
            };
            effects.map(faded).fold(1.0, f32::min)
        };
        let mut best = (f32::MIN, 0.0);
        for seconds in STILL_MOMENTS {
            let strength = weakest(seconds);
            if strength >= CLEAR {
                return seconds;
            }
            // At a tie the earlier one.
            if strength > best.0 {
                best = (strength, seconds);
            }
        }
        best.1
    }

    /// The same, brought back after `other`: ids of neither are given again.
    #[must_use]
    pub fn after(mut self, other: &Self) -> Self {
        self.last = self.last.max(other.last);
        self
    }

    /// The same without its poses, which are large and can be worked out anew.
    #[must_use]
    pub fn at_rest(&self) -> Self {
        let entities = self.entities.iter().map(Entity::at_rest).collect();
        Self { entities, figure: self.figure.clone(), ..*self }
    }

    /// The same, with the clocks and files of `other`, but its own changes of these; ids of neither are given again.
    #[must_use]
    pub fn with_clocks_of(mut self, other: &Self) -> Self {
        self.bones = other.bones;
        for entity in &mut self.entities {
            if let Some(now) = other.entity(entity.id) {
                entity.take_clock(now);
            }
        }
        self.after(other)
    }

    /// Whether the same entities are attached, shown and given materials in the same way in both.
    #[must_use]
    pub fn is_arranged_as(&self, other: &Self) -> bool {
        self.alone == other.alone
            && self.entities.len() == other.entities.len()
            && self.entities.iter().zip(&other.entities).all(|(entity, other)| entity.is_arranged_as(other))
    }

    /// Whether the same entities are attached and shown in both, in the same size: surfaces and materials aside.
    #[must_use]
    pub fn is_placed_as(&self, other: &Self) -> bool {
        self.alone == other.alone
            && self.entities.len() == other.entities.len()
            && self.entities.iter().zip(&other.entities).all(|(entity, other)| entity.is_placed_as(other))
    }

    /// Puts a member in the scene; `others` are those that its indices mean.
    fn enter(&mut self, mut member: AssemblyPart, others: &[EntityId], clock: &Playback) -> EntityId {
        self.last += 1;
        let id = EntityId(self.last);
        let parent = member.parent.take();
        let worn_with = member.worn_with.take();
        let mut entity = Entity::new(id, self.last, member, clock);
        entity.attachment = parent.and_then(|(index, anchor)| Some(Attachment { to: *others.get(index)?, anchor }));
        entity.worn_with = worn_with.and_then(|(index, skin)| Some((*others.get(index)?, skin)));
        self.entities.push(entity);
        id
    }

    /// Adds a model that stands with another one and shows its frames, `shift` frames later.
    pub fn add_beside(&mut self, id: EntityId, asset: ModelAsset, shift: i64, clock: &Playback) -> Option<EntityId> {
        let lod = self.entity(id)?.lod;
        let part = AssemblyPart { follows_parent: true, ..AssemblyPart::new(asset, Role::Attached) };
        let added = self.enter(part, &[], clock);
        if let Some(entity) = self.entities.last_mut() {
            entity.attachment = Some(Attachment { to: id, anchor: Anchor::Origin });
            entity.frame_shift = shift;
            entity.lod = lod.min(entity.model().lod_count() - 1);
        }
        Some(added)
    }

    /// What it is called: the character, or else its first part; none if it is empty.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let first = self.entities.first()?;
        Some(self.figure.as_ref().map_or(first.asset.name.as_str(), |figure| figure.name.as_str()))
    }

    /// All entities, parents before what is attached to them.
    #[must_use]
    pub fn entities(&self) -> &[Entity] {
        &self.entities
    }

    /// All entities, to be changed.
    pub fn entities_mut(&mut self) -> &mut [Entity] {
        &mut self.entities
    }

    /// One of them.
    #[must_use]
    pub fn entity(&self, id: EntityId) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.id == id)
    }

    /// One of them, to be changed.
    pub fn entity_mut(&mut self, id: EntityId) -> Option<&mut Entity> {
        self.entities.iter_mut().find(|entity| entity.id == id)
    }

    /// The first with this role.
    #[must_use]
    pub fn with_role(&self, role: Role) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.role == role)
    }

    /// Returns where every entity comes from, for reading it again. Samples have no source.
    pub fn sources(&self) -> impl Iterator<Item = (EntityId, Source)> + '_ {
        self.entities.iter().filter_map(|entity| Some((entity.id, entity.source()?)))
    }

    /// Whether an entity is drawn: it is not hidden, its wearer wears the skin it belongs to, and what it is a piece of (a
    /// barrel of its weapon, a hat of its head) is drawn too.
    #[must_use]
    pub fn shows(&self, entity: &Entity) -> bool {
        if let Some(compared) = self.compared_pair() {
            return compared.contains(&entity.id) && !entity.hidden;
        }
        if let Some(alone) = self.alone {
            return alone == entity.id;
        }
        let mut at = entity;
        loop {
            let worn = at.worn_with.as_ref().is_none_or(|(wearer, skin)| {
                self.entity(*wearer).is_none_or(|wearer| wearer.skin_name().eq_ignore_ascii_case(skin))
            });
            if at.hidden || !worn {
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

    /// The two that are compared, while both are in the scene.
    #[must_use]
    pub fn compared_pair(&self) -> Option<[EntityId; 2]> {
        self.compared.filter(|pair| pair.iter().all(|id| self.entity(*id).is_some()))
    }

    /// The weapon that one attached here would replace.
    #[must_use]
    pub fn replaced_by(&self, to: &Attachment) -> Option<&Entity> {
        self.entities.iter().find(|entity| entity.role == Role::Weapon && entity.attachment.as_ref() == Some(to))
    }

    /// Attaches new parts: the first to `to`, the others to each other as they say. What goes into
    /// a hand is a weapon, takes the place of the one that is there, and moves with a body that has no tags.
    pub fn attach_parts(
        &mut self,
        mut members: Vec<AssemblyPart>,
        to: &Attachment,
        clock: &Playback,
    ) -> Option<EntityId> {
        let parent = self.entity(to.to)?;
        let follows_parent = parent.role == Role::Body && to.anchor == Anchor::Origin;
        let is_hand = to.anchor.name().eq_ignore_ascii_case("tag_weapon") || follows_parent;
        if let Some(first) = members.first_mut().filter(|_| is_hand) {
            first.role = Role::Weapon;
            first.follows_parent = follows_parent;
            if let Some(old) = self.replaced_by(to).map(|entity| entity.id) {
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

    /// Attaches an entity elsewhere; not to itself, nor to what is attached to it.
    pub fn attach(&mut self, id: EntityId, to: Attachment) -> bool {
        let carried = self.carried_by(id);
        if carried.contains(&to.to) || self.entity(to.to).is_none() {
            return false;
        }
        // With all it carries to the end, so that parents still come first.
        let (moved, stay): (Vec<Entity>, Vec<Entity>) =
            std::mem::take(&mut self.entities).into_iter().partition(|entity| carried.contains(&entity.id));
        self.entities = stay.into_iter().chain(moved).collect();
        if let Some(entity) = self.entity_mut(id) {
            entity.attachment = Some(to);
        }
        true
    }

    /// Takes an entity and all that is attached to it off the scene. The last one stays.
    pub fn remove(&mut self, id: EntityId) {
        let gone = self.carried_by(id);
        if self.alone.is_some_and(|alone| gone.contains(&alone)) {
            self.alone = None;
        }
        if gone.len() < self.entities.len() {
            self.entities.retain(|entity| !gone.contains(&entity.id));
        }
    }

    /// An entity and everything attached to it, directly or not.
    #[must_use]
    pub fn carried_by(&self, id: EntityId) -> Vec<EntityId> {
        let mut carried = vec![id];
        for entity in &self.entities {
            if entity.attachment.as_ref().is_some_and(|attachment| carried.contains(&attachment.to)) {
                carried.push(entity.id);
            }
        }
        carried
    }

    /// How many parents stand between an entity and the ground.
    #[must_use]
    pub fn depth(&self, entity: &Entity) -> usize {
        let mut depth = 0;
        let mut at = entity;
        while let Some(parent) = at.attachment.as_ref().and_then(|attachment| self.entity(attachment.to)) {
            depth += 1;
            at = parent;
        }
        depth
    }

    /// Puts newer states of files in the places of the old ones.
    pub fn replace(&mut self, parts: Vec<(EntityId, ModelAsset)>) {
        for (id, part) in parts {
            self.last += 1;
            let number = self.last;
            if let Some(entity) = self.entity_mut(id) {
                entity.replace(part, number);
                entity.reading = number;
            }
        }
    }

    /// Puts the changed state of a file in the place of the one before.
    pub fn replace_edited(&mut self, id: EntityId, part: ModelAsset) {
        self.last += 1;
        let number = self.last;
        if let Some(entity) = self.entity_mut(id) {
            entity.replace(part, number);
        }
    }

    /// Takes over materials that changed because the last images of their models are decoded. Returns whether any are.
    pub fn finish_pending_images(&mut self) -> bool {
        let mut ended = false;
        for entity in &mut self.entities {
            ended |= entity.finish_pending_images();
        }
        ended
    }

    /// Brings poses and places up to date with the clocks; does nothing where they are.
    pub fn refresh(&mut self) {
        self.refresh_at(|entity| entity.playback.blend(&entity.asset.model));
    }

    /// Poses every entity at the moment that `moment` gives for it, and places each on its parent.
    pub fn refresh_at(&mut self, moment: impl Fn(&Entity) -> FrameBlend) {
        let scale = self.scale();
        for index in 0..self.entities.len() {
            let (before, rest) = self.entities.split_at_mut(index);
            let Some(entity) = rest.first_mut() else { return };
            let attachment = entity.attachment.as_ref();
            let parent = attachment.and_then(|attachment| before.iter().find(|parent| parent.id == attachment.to));
            let blend = if entity.follows_parent { entity.shown_blend(parent) } else { moment(entity) };
            let sampling = Sampling { blend, lod: entity.lod, bones: self.bones };
            let place = match (parent, attachment) {
                (Some(parent), Some(attachment)) => {
                    let anchor = parent.place_of(&attachment.anchor).unwrap_or(Affine3A::IDENTITY);
                    Affine3A::from_translation(entity.offset) * parent.world_from_model * anchor
                }
                _ => Affine3A::from_scale(Vec3::splat(scale)),
            };
            entity.world_from_model = place;
            entity.pose_at(sampling);
        }
    }

    /// The scale a skin asks for (Return to Castle Wolfenstein's `playerscale`).
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.entities.iter().find_map(|entity| entity.asset.skins.get(entity.skin)?.scale).unwrap_or(1.0)
    }

    /// The box of all entities that are shown; empty without vertices.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let shown = self.entities.iter().filter(|entity| self.shows(entity));
        shown.fold(Bounds::EMPTY, |bounds, entity| bounds.union(entity.bounds()))
    }

    /// Chooses a clip for one. In a `paired` figure legs and torso go together as in the game: what is for both plays
    /// on both, and leaving such a clip takes the other part along, to its standing clip. What was paused stays paused.
    pub fn choose(&mut self, id: EntityId, choice: ClipChoice, paired: bool) {
        let Some(entity) = self.entity_mut(id) else { return };
        let model = Arc::clone(&entity.asset.model);
        entity.playback.choose(&model, choice);
        if paired {
            self.pair(id);
        }
        let plays = self.entity(id).is_some_and(|entity| entity.playback.playing || entity.playback.has_ended());
        if plays {
            self.play_all();
        } else {
            self.entities.iter_mut().for_each(|entity| entity.playback.pause());
        }
    }

    /// Takes the other half of a figure along: to the same clip if this one is for both, out of such a clip if not. Gives
    /// the other half, if the clip is for both.
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

    /// Someone went to a frame of one half of a figure: in a clip that is for both the other half stands where it stands.
    /// All stand still.
    pub fn follow(&mut self, id: EntityId) {
        let Some(position) = self.entity(id).map(|entity| entity.playback.position) else { return };
        if let Some(other) = self.pair(id) {
            other.playback.jump(position);
        }
        self.entities.iter_mut().for_each(|entity| entity.playback.pause());
    }

    /// Has a sample wave: a better first sight than its idle clip.
    pub fn play_sample_wave(&mut self) {
        for entity in self.entities.iter_mut().filter(|entity| entity.asset.file.is_none()) {
            let model = Arc::clone(&entity.asset.model);
            if let Some(wave) = model.clips().iter().position(|clip| clip.name.eq_ignore_ascii_case("wave")) {
                entity.playback.choose(&model, ClipChoice::Clip(wave));
            }
        }
    }

    /// Starts every clock that has something to play.
    pub fn play_all(&mut self) {
        for entity in &mut self.entities {
            let model = Arc::clone(&entity.asset.model);
            entity.playback.start(&model);
            entity.playback.playing &= entity.has_track();
        }
    }

    /// Whether any clock runs.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.entities.iter().any(|entity| entity.has_track() && entity.playback.playing)
    }
}
