//! Onion skin: ghosts of the scene some frames before and after the shown frame.

use glam::Affine3A;

use super::playback::Playback;
use super::{Attachment, Entity, EntityId, Scene};
use maquette_core::model::{Model, Wrap};
use maquette_core::pose::{FrameBlend, Pose, Repeat, Sampling, sample};

/// Ghosts shown around the current frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onion {
    /// Whether ghosts are shown.
    pub on: bool,
    /// Number of ghosts before the current frame, 0 to [`Onion::PER_SIDE`].
    pub before: u32,
    /// Number of ghosts after the current frame, 0 to [`Onion::PER_SIDE`].
    pub after: u32,
    /// Number of frames from one ghost to the next, 1 to [`Onion::WIDEST`].
    pub step: u32,
}

impl Default for Onion {
    fn default() -> Self {
        Self { on: false, before: 2, after: 2, step: 1 }
    }
}

impl Onion {
    /// Maximum number of ghosts on each side.
    pub const PER_SIDE: u32 = 5;
    /// Maximum number of frames from one ghost to the next.
    pub const WIDEST: u32 = 10;

    /// Returns the settings, each number clamped to its limits.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self {
            before: self.before.min(Self::PER_SIDE),
            after: self.after.min(Self::PER_SIDE),
            step: self.step.clamp(1, Self::WIDEST),
            ..self
        }
    }

    /// Returns the frame offset and the strength of each ghost, the farthest first. The strength falls from 1 towards 0
    /// with the distance. Returns nothing if the onion skin is off.
    pub fn steps(&self) -> Vec<(i32, f32)> {
        let mut steps = Vec::new();
        let width = i32::try_from(self.step).unwrap_or(1);
        for number in (1..=self.before.max(self.after)).rev().filter(|_| self.on) {
            let far = i32::try_from(number).unwrap_or(1) * width;
            let strength = |all: u32| 1.0 - (number - 1) as f32 / all.max(1) as f32;
            if number <= self.before {
                steps.push((-far, strength(self.before)));
            }
            if number <= self.after {
                steps.push((far, strength(self.after)));
            }
        }
        steps
    }
}

impl Playback {
    /// Returns the model frame that is `steps` away in playing order; `None` beyond an end of the clip, or back at the
    /// shown frame.
    pub fn neighbour(&self, model: &Model, steps: i32) -> Option<u32> {
        let span = self.span(model);
        let round = match self.repeat {
            Repeat::Whole => true,
            Repeat::Loop => span.loop_frames == span.count,
            Repeat::Once | Repeat::PingPong => false,
        };
        let blend = self.blend(model);
        let from = i64::from(span.step_of(blend.from));
        // If the time is between two frames, step back from the later frame and forward from the earlier one.
        let here = if steps < 0 && blend.t > 0.0 { from + 1 } else { from };
        let count = i64::from(span.count);
        let period = if span.wrap == Wrap::LastIsFirst { count - 1 } else { count };
        let wanted = here + i64::from(steps);
        let step = if round && period > 1 {
            (i64::from(steps).abs() < period).then(|| wanted.rem_euclid(period))?
        } else {
            Some(wanted).filter(|step| (0..count).contains(step))?
        };
        let step = u32::try_from(step).ok()?;
        Some(if span.reversed { span.end() - 1 - step } else { span.first + step })
    }
}

/// Ghost: the scene at another frame.
#[derive(Debug, Default)]
pub struct Ghost {
    instances: Vec<GhostInstance>,
    /// Frame offset from the shown frame: negative before, positive after.
    pub steps: i32,
    /// Opacity, 0 to 1.
    pub strength: f32,
}

/// Entity of a ghost.
#[derive(Debug)]
pub struct GhostInstance {
    /// The entity.
    pub id: EntityId,
    /// Pose in model space.
    pub pose: Pose,
    /// Transform to world space.
    pub world_from_model: Affine3A,
    sampled: (u64, Sampling),
    moved: bool,
}

impl Ghost {
    /// Returns the entities whose pose or transform differs from the current one.
    pub fn entities(&self) -> impl Iterator<Item = &GhostInstance> {
        self.instances.iter().filter(|instance| instance.moved)
    }

    fn pose(&mut self, scene: &Scene, blend_of: impl Fn(&Entity, &Playback) -> FrameBlend) {
        let mut before = std::mem::take(&mut self.instances);
        let root = scene.placement();
        for entity in scene.entities() {
            let attachment = entity.attachment.as_ref();
            let parent =
                attachment.and_then(|to| Some((self.instances.iter().find(|instance| instance.id == to.to)?, to)));
            let sampling = match parent.filter(|_| entity.follows_parent) {
                Some((parent, _)) => Sampling { lod: entity.lod, ..parent.sampled.1 },
                None => Sampling {
                    blend: blend_of(entity, &entity.playback),
                    torso: entity.torso.as_ref().map(|torso| blend_of(entity, torso)),
                    lod: entity.lod,
                    bones: scene.bones,
                },
            };
            let transform_on = |(parent, to): (&GhostInstance, &Attachment)| {
                let model = scene.entity(parent.id)?.model();
                let transform = to.anchor.transform_in(model, &parent.pose.tags, &parent.pose.joints);
                Some(parent.world_from_model * transform.unwrap_or(Affine3A::IDENTITY))
            };
            let transform = parent.and_then(transform_on).unwrap_or(root);
            let sampled = (entity.number, sampling);
            let known =
                before.iter().position(|instance| instance.id == entity.id).map(|index| before.swap_remove(index));
            let pose = match known {
                Some(known) if known.sampled == sampled => known.pose,
                known => {
                    let mut pose = known.map_or_else(Pose::default, |known| known.pose);
                    sample(entity.model(), &sampled.1, &mut pose);
                    pose
                }
            };
            let moved = !entity.stands_at(sampled, transform);
            self.instances.push(GhostInstance { id: entity.id, pose, world_from_model: transform, sampled, moved });
        }
    }
}

/// Updates `ghosts` for a scene, the farthest first. Removes all ghosts if the onion skin is off.
pub fn update_ghosts(ghosts: &mut Vec<Ghost>, scene: &Scene, onion: &Onion) {
    let mut count = 0;
    for (steps, strength) in onion.steps() {
        let neighbour = |entity: &Entity, playback: &Playback| {
            playback.neighbour(entity.model(), steps).filter(|_| entity.has_track())
        };
        let stands = |entity: &Entity| entity.playbacks().all(|(_, playback)| neighbour(entity, playback).is_none());
        if scene.entities().iter().all(stands) {
            continue;
        }
        if count == ghosts.len() {
            ghosts.push(Ghost::default());
        }
        let Some(ghost) = ghosts.get_mut(count) else { break };
        (ghost.steps, ghost.strength) = (steps, strength);
        ghost.pose(scene, |entity, playback| match neighbour(entity, playback) {
            Some(frame) => FrameBlend::single(frame),
            None => playback.blend(entity.model()),
        });
        count += 1;
    }
    ghosts.truncate(count);
}
