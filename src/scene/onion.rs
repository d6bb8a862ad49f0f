//! The onion skin: what stands in the scene as it was some frames before, and will be some frames after.

use super::playback::Playback;
use super::{Entity, EntityId, Scene};
use crate::model::{Model, Wrap};
use crate::pose::{FrameBlend, Repeat};

/// Which neighbours of the frame shown are seen as ghosts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Onion {
    /// Whether any are.
    pub on: bool,
    /// How many before, 0 to [`Onion::MOST`].
    pub before: u32,
    /// How many after, 0 to [`Onion::MOST`].
    pub after: u32,
    /// Frames from one to the next, 1 to [`Onion::WIDEST`].
    pub step: u32,
}

impl Default for Onion {
    fn default() -> Self {
        Self { on: false, before: 2, after: 2, step: 1 }
    }
}

impl Onion {
    /// Ghosts at most on each side.
    pub const MOST: u32 = 5;
    /// Frames at most from one ghost to the next.
    pub const WIDEST: u32 = 10;

    /// The same, each number within its bounds.
    #[must_use]
    pub fn clamped(self) -> Self {
        Self {
            before: self.before.min(Self::MOST),
            after: self.after.min(Self::MOST),
            step: self.step.clamp(1, Self::WIDEST),
            ..self
        }
    }

    /// Steps from the frame shown to each ghost, the farthest first: negative before, positive after; and how strongly it is
    /// seen, from 1 next to the frame shown down towards 0. Empty while it is off.
    #[must_use]
    #[allow(clippy::cast_precision_loss, reason = "far below 2^24")]
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
    /// The model's frame so many whole steps before (negative) or after what is shown, in the order in which they play. None
    /// beyond an end that is not played on from, and where it would be the frame shown.
    #[must_use]
    pub fn neighbour(&self, model: &Model, steps: i32) -> Option<u32> {
        let span = self.span(model);
        let round = match self.repeat {
            Repeat::Whole => true,
            Repeat::Loop => span.loop_frames == span.count,
            Repeat::Once | Repeat::PingPong => false,
        };
        let blend = self.blend(model);
        let from = i64::from(span.step_of(blend.from));
        // Between two frames both of them are neighbours.
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

/// The scene at another moment.
pub struct Ghost {
    /// The scene at that moment.
    pub scene: Scene,
    /// Steps from what is shown: negative before, positive after.
    pub steps: i32,
    /// How strongly it is seen, 0 to 1.
    pub strength: f32,
    /// Entities that are posed otherwise than now.
    moved: Vec<EntityId>,
}

impl Ghost {
    /// The entities that are posed otherwise than now: what does not move has no ghost.
    pub fn entities(&self) -> impl Iterator<Item = &Entity> {
        self.scene.entities().iter().filter(|entity| self.moved.contains(&entity.id))
    }
}

/// The ghosts of a scene, the farthest from now first; none while the onion skin is off.
#[must_use]
pub fn ghosts(scene: &Scene, onion: &Onion) -> Vec<Ghost> {
    let mut ghosts = Vec::new();
    for (steps, strength) in onion.steps() {
        let moment = |entity: &Entity| entity.playback.neighbour(entity.model(), steps).filter(|_| entity.has_track());
        if scene.entities().iter().all(|entity| moment(entity).is_none()) {
            continue;
        }
        let mut then = scene.at_rest();
        then.refresh_at(|entity| match moment(entity) {
            Some(frame) => FrameBlend::still(frame),
            None => entity.playback.blend(entity.model()),
        });
        let pairs = then.entities().iter().zip(scene.entities());
        let moved = pairs.filter(|(then, now)| !then.stands_as(now)).map(|(then, _)| then.id).collect();
        ghosts.push(Ghost { scene: then, steps, strength, moved });
    }
    ghosts
}
