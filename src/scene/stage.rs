//! What stands on the stage: parts with their clocks and choices, hung on each other by tags and joints.
//!
//! A [`Stage`] turns every part's moment into a pose and every attachment into a place. A carried part stands at
//! `world_from_carrier · carrier_from_tag`: its own origin lands on the tag, its own tags play no role
//! (ioquake3 cg_ents.c, `CG_PositionEntityOnTag`).

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::playback::{ClipChoice, Playback};
use super::{Anchor, Cast, Figure, Member, Part, Role};
use crate::material::SurfaceLook;
use crate::model::{Bounds, Clip, Model};
use crate::pose::{BoneBlend, FrameBlend, Pose, Sampling, sample};

/// Names an actor as long as it is on stage, and never another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ActorId(pub u64);

/// What an actor hangs on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attachment {
    /// Who carries it.
    pub to: ActorId,
    /// Where.
    pub anchor: Anchor,
}

/// A part on stage.
#[derive(Clone, Debug)]
pub struct Actor {
    /// Its name for others.
    pub id: ActorId,
    /// Counts what was put on stage; another one after a reload.
    pub number: u64,
    /// The model with what belongs to it.
    pub part: Part,
    /// What it is in its figure.
    pub role: Role,
    /// What it hangs on.
    pub attachment: Option<Attachment>,
    /// Shows its carrier's frame.
    pub in_step: bool,
    /// Only worn with this skin of its carrier.
    pub worn_with: Option<usize>,
    /// Its clock.
    pub playback: Playback,
    /// Not drawn at all.
    pub hidden: bool,
    /// Per surface, whether it is shown.
    pub visible: Vec<bool>,
    /// Which of the part's skins it wears.
    pub skin: usize,
    /// What surfaces wear in place of the skin's picture.
    pub overrides: BTreeMap<usize, SurfaceLook>,
    /// Level of detail.
    pub lod: u32,
    /// The model as it stands now, in its own space.
    pub pose: Pose,
    /// Its place on the stage.
    pub world_from_model: Affine3A,
    looks: Arc<[SurfaceLook]>,
    dressed: u64,
    sampled: Option<(u64, Sampling)>,
}

impl Actor {
    fn new(id: ActorId, number: u64, member: Member, clock: &Playback) -> Self {
        let model = &member.part.model;
        let looks = member.part.skins.first().map_or_else(Arc::default, |skin| Arc::clone(&skin.looks));
        let mut playback = clock.for_model(model);
        playback.stand_as(model, member.role);
        Self {
            id,
            number,
            role: member.role,
            attachment: None,
            in_step: member.in_step,
            worn_with: member.worn_with,
            playback,
            hidden: member.hidden,
            visible: model.surfaces.iter().map(|surface| !surface.hidden).collect(),
            skin: 0,
            overrides: BTreeMap::new(),
            lod: 0,
            pose: Pose::default(),
            world_from_model: Affine3A::IDENTITY,
            looks,
            dressed: 0,
            sampled: None,
            part: member.part,
        }
    }

    /// Its model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.part.model
    }

    /// What each surface wears now: its skin's picture, or what was tried on in its place.
    #[must_use]
    pub fn looks(&self) -> &Arc<[SurfaceLook]> {
        &self.looks
    }

    /// Changes with every change of [`Self::looks`].
    #[must_use]
    pub fn dressed(&self) -> u64 {
        self.dressed
    }

    /// Whether a surface is drawn, if the actor is: the user shows it and its skin does not hide it.
    #[must_use]
    pub fn draws(&self, surface: usize) -> bool {
        let hidden = self.looks.get(surface).is_some_and(|look| look.hidden);
        !hidden && self.visible.get(surface).copied().unwrap_or(true)
    }

    /// Whether it has a clock of its own to show: several frames, and not its carrier's.
    #[must_use]
    pub fn has_track(&self) -> bool {
        !self.in_step && self.part.model.frames.len() > 1
    }

    /// The frames it shows: its own, or those of `carrier` it is in step with.
    #[must_use]
    pub fn shown_blend(&self, carrier: Option<&Actor>) -> FrameBlend {
        match carrier.filter(|_| self.in_step).and_then(|carrier| carrier.sampled) {
            Some((_, carriers)) => carriers.blend,
            None => self.playback.blend(&self.part.model),
        }
    }

    /// The clip that plays.
    #[must_use]
    pub fn clip(&self) -> Clip {
        self.playback.clip(&self.part.model)
    }

    /// The frame or joint that others hang on: its place in the actor's own space. None if there is none of that name.
    #[must_use]
    pub fn place_of(&self, anchor: &Anchor) -> Option<Affine3A> {
        let model = &self.part.model;
        match anchor {
            Anchor::Origin => Some(Affine3A::IDENTITY),
            Anchor::Tag(name) => {
                let index = model.tags.iter().position(|tag| tag.eq_ignore_ascii_case(name))?;
                self.pose.tags.get(index).copied()
            }
            Anchor::Joint(name) => {
                let index = model.joints().iter().position(|joint| joint.name.eq_ignore_ascii_case(name))?;
                self.pose.joints.get(index).copied()
            }
        }
    }

    /// Whether something can hang on `anchor`.
    #[must_use]
    pub fn has(&self, anchor: &Anchor) -> bool {
        let model = &self.part.model;
        match anchor {
            Anchor::Origin => true,
            Anchor::Tag(name) => model.tags.iter().any(|tag| tag.eq_ignore_ascii_case(name)),
            Anchor::Joint(name) => model.joints().iter().any(|joint| joint.name.eq_ignore_ascii_case(name)),
        }
    }

    /// Box of its vertices on the stage; empty without any.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let points = self.pose.surfaces.iter().flat_map(|surface| surface.positions.iter());
        Bounds::of(points.map(|point| self.world_from_model.transform_point3(*point)))
    }

    /// Wears another skin. What was tried on is taken off.
    pub fn wear(&mut self, skin: usize) {
        if skin < self.part.skins.len() {
            self.skin = skin;
            self.overrides.clear();
            self.dress();
        }
    }

    /// Tries a look on one surface.
    pub fn try_on(&mut self, surface: usize, look: SurfaceLook) {
        if surface < self.part.model.surfaces.len() {
            self.overrides.insert(surface, look);
            self.dress();
        }
    }

    /// Takes off what was tried on a surface.
    pub fn take_off(&mut self, surface: usize) {
        if self.overrides.remove(&surface).is_some() {
            self.dress();
        }
    }

    fn dress(&mut self) {
        let skin = self.part.skins.get(self.skin).or(self.part.skins.first());
        let Some(skin) = skin else { return };
        self.looks = if self.overrides.is_empty() {
            Arc::clone(&skin.looks)
        } else {
            let worn = |(index, look)| self.overrides.get(&index).unwrap_or(look).clone();
            skin.looks.iter().enumerate().map(worn).collect()
        };
        self.dressed += 1;
    }

    /// Puts another state of the same file in its place, keeping what still fits.
    fn replace(&mut self, part: Part, number: u64) {
        let surfaces = self.part.model.surfaces.len();
        self.part = part;
        self.number = number;
        self.sampled = None;
        let model = Arc::clone(&self.part.model);
        self.skin = self.skin.min(self.part.skins.len().saturating_sub(1));
        self.lod = self.lod.min(model.lod_count() - 1);
        if surfaces != model.surfaces.len() {
            self.visible = model.surfaces.iter().map(|surface| !surface.hidden).collect();
            self.overrides.clear();
        }
        if let ClipChoice::Clip(index) = self.playback.choice
            && index >= self.playback.clips(&model).len()
        {
            self.playback = self.playback.for_model(&model);
        }
        self.dress();
    }

    fn pose_at(&mut self, sampling: Sampling) {
        if self.sampled != Some((self.number, sampling)) {
            sample(&self.part.model, &sampling, &mut self.pose);
            self.sampled = Some((self.number, sampling));
        }
    }
}

/// Everything on stage.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    actors: Vec<Actor>,
    /// What the actors make up together, if they are a figure.
    pub figure: Option<Figure>,
    /// How MDR bones are blended.
    pub bones: BoneBlend,
    last: u64,
}

impl Stage {
    /// Puts a cast on stage, everybody at the start of a calm clip; `clock` gives speed, repeat and interpolation.
    #[must_use]
    pub fn of(cast: Cast, clock: &Playback, last: &Self) -> Self {
        let mut stage = Self { figure: cast.figure, bones: last.bones, last: last.last, ..Self::default() };
        let mut ids = Vec::new();
        for mut member in cast.members {
            let carrier = member.carrier.take();
            let id = stage.enter(member, clock);
            ids.push(id);
            let to = carrier.and_then(|(index, anchor)| Some(Attachment { to: *ids.get(index)?, anchor }));
            if let (Some(actor), Some(attachment)) = (stage.actor_mut(id), to) {
                actor.attachment = Some(attachment);
            }
        }
        stage
    }

    /// The same, brought back after `other` stood there: what enters next is called like nobody of either.
    #[must_use]
    pub fn after(mut self, other: &Self) -> Self {
        self.last = self.last.max(other.last);
        self
    }

    fn enter(&mut self, member: Member, clock: &Playback) -> ActorId {
        self.last += 1;
        let id = ActorId(self.last);
        self.actors.push(Actor::new(id, self.last, member, clock));
        id
    }

    /// Everybody, carriers before what they carry.
    #[must_use]
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// Everybody, to be changed.
    pub fn actors_mut(&mut self) -> &mut [Actor] {
        &mut self.actors
    }

    /// One of them.
    #[must_use]
    pub fn actor(&self, id: ActorId) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.id == id)
    }

    /// One of them, to be changed.
    pub fn actor_mut(&mut self, id: ActorId) -> Option<&mut Actor> {
        self.actors.iter_mut().find(|actor| actor.id == id)
    }

    /// The first with this role.
    #[must_use]
    pub fn with_role(&self, role: Role) -> Option<&Actor> {
        self.actors.iter().find(|actor| actor.role == role)
    }

    /// Files of everybody, for those who want to read them again.
    pub fn files(&self) -> impl Iterator<Item = (ActorId, PathBuf)> + '_ {
        self.actors.iter().filter_map(|actor| Some((actor.id, actor.part.file.clone()?)))
    }

    /// Whether an actor is drawn: it is not hidden, and its carrier wears the skin it belongs to.
    #[must_use]
    pub fn shows(&self, actor: &Actor) -> bool {
        let worn = actor.worn_with.is_none_or(|skin| {
            let carrier = actor.attachment.as_ref().and_then(|attachment| self.actor(attachment.to));
            carrier.is_none_or(|carrier| carrier.skin == skin)
        });
        !actor.hidden && worn
    }

    /// Hangs new members on those who are there: the first on `to`, the others on each other as they say. What goes into
    /// a hand is a weapon, takes the place of the one that is there, and moves with a body that has no tags.
    pub fn hang(&mut self, mut members: Vec<Member>, to: &Attachment, clock: &Playback) -> Option<ActorId> {
        let carrier = self.actor(to.to)?;
        let in_step = carrier.role == Role::Body && to.anchor == Anchor::Origin;
        let is_hand = to.anchor.name().eq_ignore_ascii_case("tag_weapon") || in_step;
        if let Some(first) = members.first_mut().filter(|_| is_hand) {
            first.role = Role::Weapon;
            first.in_step = in_step;
            let same = |actor: &&Actor| actor.role == Role::Weapon && actor.attachment.as_ref() == Some(to);
            if let Some(old) = self.actors.iter().find(same).map(|actor| actor.id) {
                self.remove(old);
            }
        } else if let Some(first) = members.first_mut() {
            first.role = Role::Attached;
        }
        let mut ids: Vec<ActorId> = Vec::new();
        for mut member in members {
            let carrier = member.carrier.take();
            let id = self.enter(member, clock);
            let own = carrier.and_then(|(index, anchor)| Some(Attachment { to: *ids.get(index)?, anchor }));
            if let Some(actor) = self.actors.last_mut() {
                actor.attachment = Some(own.unwrap_or_else(|| to.clone()));
            }
            ids.push(id);
        }
        ids.first().copied()
    }

    /// Hangs an actor elsewhere; nobody can hang on himself, or on what he carries.
    pub fn attach(&mut self, id: ActorId, to: Attachment) -> bool {
        let carried = self.carried_by(id);
        if carried.contains(&to.to) || self.actor(to.to).is_none() {
            return false;
        }
        // With all it carries to the end, so that carriers still come first.
        let (moved, stay): (Vec<Actor>, Vec<Actor>) =
            std::mem::take(&mut self.actors).into_iter().partition(|actor| carried.contains(&actor.id));
        self.actors = stay.into_iter().chain(moved).collect();
        if let Some(actor) = self.actor_mut(id) {
            actor.attachment = Some(to);
        }
        true
    }

    /// Takes an actor and all it carries off the stage. The last one stays.
    pub fn remove(&mut self, id: ActorId) {
        let gone = self.carried_by(id);
        if gone.len() < self.actors.len() {
            self.actors.retain(|actor| !gone.contains(&actor.id));
        }
    }

    /// An actor and everything that hangs on it, however far.
    #[must_use]
    pub fn carried_by(&self, id: ActorId) -> Vec<ActorId> {
        let mut carried = vec![id];
        for actor in &self.actors {
            if actor.attachment.as_ref().is_some_and(|attachment| carried.contains(&attachment.to)) {
                carried.push(actor.id);
            }
        }
        carried
    }

    /// How many carriers stand between an actor and the ground.
    #[must_use]
    pub fn depth(&self, actor: &Actor) -> usize {
        let mut depth = 0;
        let mut at = actor;
        while let Some(carrier) = at.attachment.as_ref().and_then(|attachment| self.actor(attachment.to)) {
            depth += 1;
            at = carrier;
        }
        depth
    }

    /// Puts newer states of files in the places of the old ones.
    pub fn replace(&mut self, parts: Vec<(ActorId, Part)>) {
        for (id, part) in parts {
            self.last += 1;
            let number = self.last;
            if let Some(actor) = self.actor_mut(id) {
                actor.replace(part, number);
            }
        }
    }

    /// Brings poses and places up to date with the clocks; does nothing where they are.
    pub fn refresh(&mut self) {
        self.refresh_at(|actor| actor.playback.blend(&actor.part.model));
    }

    /// Poses everybody at the moment that `moment` gives for them, and hangs them on each other.
    pub fn refresh_at(&mut self, moment: impl Fn(&Actor) -> FrameBlend) {
        let scale = self.scale();
        for index in 0..self.actors.len() {
            let (before, rest) = self.actors.split_at_mut(index);
            let Some(actor) = rest.first_mut() else { return };
            let attachment = actor.attachment.as_ref();
            let carrier = attachment.and_then(|attachment| before.iter().find(|carrier| carrier.id == attachment.to));
            let blend = if actor.in_step { actor.shown_blend(carrier) } else { moment(actor) };
            let sampling = Sampling { blend, lod: actor.lod, bones: self.bones };
            let place = match (carrier, attachment) {
                (Some(carrier), Some(attachment)) => {
                    carrier.world_from_model * carrier.place_of(&attachment.anchor).unwrap_or(Affine3A::IDENTITY)
                }
                _ => Affine3A::from_scale(Vec3::splat(scale)),
            };
            actor.world_from_model = place;
            actor.pose_at(sampling);
        }
    }

    /// The scale a skin asks for (Return to Castle Wolfenstein's `playerscale`).
    fn scale(&self) -> f32 {
        self.actors.iter().find_map(|actor| actor.part.skins.get(actor.skin)?.scale).unwrap_or(1.0)
    }

    /// Everybody's box together, of those that are shown; empty without vertices.
    #[must_use]
    pub fn bounds(&self) -> Bounds {
        let shown = self.actors.iter().filter(|actor| self.shows(actor));
        shown.fold(Bounds::EMPTY, |bounds, actor| bounds.union(actor.bounds()))
    }

    /// Chooses a clip for one. In a `paired` figure legs and torso go together as in the game: what is for both plays
    /// on both, and who leaves such a clip takes the other along, to its standing clip.
    pub fn choose(&mut self, id: ActorId, choice: ClipChoice, paired: bool) {
        let Some(actor) = self.actor_mut(id) else { return };
        let model = Arc::clone(&actor.part.model);
        actor.playback.choose(&model, choice);
        let (role, name) = (actor.role, actor.clip().name.to_uppercase());
        let other = match role {
            Role::Legs => Role::Torso,
            Role::Torso => Role::Legs,
            _ => return,
        };
        let for_both = |name: &str| name.starts_with("BOTH_");
        let Some(other) = self.actors.iter_mut().find(|actor| actor.role == other).filter(|_| paired) else { return };
        let model = Arc::clone(&other.part.model);
        if for_both(&name) {
            let same = model.clips.iter().position(|clip| clip.name.eq_ignore_ascii_case(&name));
            if let Some(same) = same {
                other.playback.choose(&model, ClipChoice::Clip(same));
            }
        } else if for_both(&other.clip().name.to_uppercase()) {
            other.playback.stand_as(&model, other.role);
            other.playback.position = 0.0;
        }
        if role == Role::Torso || role == Role::Legs {
            self.play_all();
        }
    }

    /// Starts every clock that has something to play.
    pub fn play_all(&mut self) {
        for actor in &mut self.actors {
            actor.playback.playing = actor.has_track() && actor.playback.length(&actor.part.model) > 0.0;
        }
    }

    /// Whether any clock runs.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.actors.iter().any(|actor| actor.playback.playing)
    }
}
