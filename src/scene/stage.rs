//! What stands on the stage: parts with their clocks and choices, hung on each other by tags and joints.
//!
//! A [`Stage`] turns every part's moment into a pose and every attachment into a place. A carried part stands at
//! `world_from_carrier · carrier_from_tag`: its own origin lands on the tag, its own tags play no role
//! (ioquake3 cg_ents.c, `CG_PositionEntityOnTag`).

use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::playback::{ClipChoice, Playback};
use super::{Actor, ActorId, Anchor, Attachment, Cast, Figure, Member, Part, Role};
use crate::model::Bounds;
use crate::pose::{BoneBlend, FrameBlend, Sampling};

/// Where an actor comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Whose.
    pub actor: ActorId,
    /// The model's file.
    pub file: PathBuf,
    /// Skins and animations that were added to it by hand.
    pub added: Vec<PathBuf>,
}

/// Everything on stage.
#[derive(Clone, Debug, Default)]
pub struct Stage {
    actors: Vec<Actor>,
    /// What the actors make up together, if they are a figure.
    pub figure: Option<Figure>,
    /// How MDR bones are blended.
    pub bones: BoneBlend,
    /// Shown alone for a while; everybody else stays as he is.
    pub alone: Option<ActorId>,
    last: u64,
}

impl Stage {
    /// Puts a cast on stage, everybody at the start of a calm clip; `clock` gives speed, repeat and interpolation.
    #[must_use]
    pub fn of(cast: Cast, clock: &Playback, last: &Self) -> Self {
        let mut stage = Self { figure: cast.figure, bones: last.bones, last: last.last, ..Self::default() };
        let mut ids = Vec::new();
        for member in cast.members {
            let id = stage.enter(member, &ids, clock);
            ids.push(id);
        }
        stage
    }

    /// The same, brought back after `other` stood there: what enters next is called like nobody of either.
    #[must_use]
    pub fn after(mut self, other: &Self) -> Self {
        self.last = self.last.max(other.last);
        self
    }

    /// The same without its poses, which are large and can be worked out anew.
    #[must_use]
    pub fn at_rest(&self) -> Self {
        let actors = self.actors.iter().map(Actor::at_rest).collect();
        Self { actors, figure: self.figure.clone(), ..*self }
    }

    /// The same, everybody's clock and file as they are on `other`; what enters next is called like nobody of either.
    #[must_use]
    pub fn with_clocks_of(mut self, other: &Self) -> Self {
        self.bones = other.bones;
        for actor in &mut self.actors {
            if let Some(now) = other.actor(actor.id) {
                actor.take_clock(now);
            }
        }
        self.after(other)
    }

    /// Whether the same actors hang, are shown and are dressed in the same way on both.
    #[must_use]
    pub fn is_arranged_as(&self, other: &Self) -> bool {
        self.alone == other.alone
            && self.actors.len() == other.actors.len()
            && self.actors.iter().zip(&other.actors).all(|(actor, other)| actor.is_arranged_as(other))
    }

    /// Puts a member on stage; `others` are those that its indices mean.
    fn enter(&mut self, mut member: Member, others: &[ActorId], clock: &Playback) -> ActorId {
        self.last += 1;
        let id = ActorId(self.last);
        let carrier = member.carrier.take();
        let worn_with = member.worn_with.take();
        let mut actor = Actor::new(id, self.last, member, clock);
        actor.attachment = carrier.and_then(|(index, anchor)| Some(Attachment { to: *others.get(index)?, anchor }));
        actor.worn_with = worn_with.and_then(|(index, skin)| Some((*others.get(index)?, skin)));
        self.actors.push(actor);
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

    /// Where everybody comes from, for those who want to read it again.
    pub fn sources(&self) -> impl Iterator<Item = Source> + '_ {
        self.actors.iter().filter_map(|actor| {
            let (file, added) = (actor.part.file.clone()?, actor.part.added.clone());
            Some(Source { actor: actor.id, file, added })
        })
    }

    /// Whether an actor is drawn: it is not hidden, its wearer wears the skin it belongs to, and what it is a piece of (a
    /// barrel of its weapon, a hat of its head) is drawn too.
    #[must_use]
    pub fn shows(&self, actor: &Actor) -> bool {
        if let Some(alone) = self.alone {
            return alone == actor.id;
        }
        let mut at = actor;
        loop {
            let worn = at.worn_with.as_ref().is_none_or(|(wearer, skin)| {
                self.actor(*wearer).is_none_or(|wearer| wearer.skin_name().eq_ignore_ascii_case(skin))
            });
            if at.hidden || !worn {
                return false;
            }
            let is_piece = matches!(at.role, Role::Barrel | Role::Flash | Role::Accessory);
            let carrier = at.attachment.as_ref().filter(|_| is_piece);
            match carrier.and_then(|attachment| self.actor(attachment.to)) {
                Some(carrier) => at = carrier,
                None => return true,
            }
        }
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
        let was_playing = self.is_playing();
        let mut ids: Vec<ActorId> = Vec::new();
        for member in members {
            let id = self.enter(member, &ids, clock);
            if let Some(actor) = self.actors.last_mut() {
                actor.attachment = actor.attachment.take().or_else(|| Some(to.clone()));
                actor.playback.playing &= was_playing;
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
        if self.alone.is_some_and(|alone| gone.contains(&alone)) {
            self.alone = None;
        }
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
    #[must_use]
    pub fn scale(&self) -> f32 {
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
        self.play_all();
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
        self.actors.iter().any(|actor| actor.has_track() && actor.playback.playing)
    }
}
