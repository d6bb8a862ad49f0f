//! How far a scene reaches while its clips play: a few moments are looked at, and of each only its outermost vertices kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use glam::{Affine3A, Vec3};

use super::{Anchor, Entity, Scene};
use crate::model::{Bounds, Extremes, Model};
use crate::pose::{BoneBlend, FrameBlend, Pose, Sampling, sample};

/// Moments looked at of each clip.
const LOOKED_AT: u32 = 12;

/// The same for the box that is told as the clip's.
const LOOKED_AT_FOR_BOX: u32 = 64;

/// How far a scene reaches.
#[derive(Clone, Debug)]
pub struct Extent {
    /// Box of all moments, in the world; empty without vertices. Of attached parts that are turned nearly so: it is made of
    /// their outermost vertices along 13 axes of their own.
    pub bounds: Bounds,
    /// The outermost vertices of each entity at each moment, in the world: what a view of the moving scene must hold.
    pub points: Vec<Vec3>,
}

/// What is kept of a model at a moment, in its own space.
#[derive(Clone, Debug)]
struct Outline {
    points: Vec<Vec3>,
    tags: Vec<Affine3A>,
    joints: Vec<Affine3A>,
}

/// The outlines of a model that were worked out, shared by all entities that show it and by the scenes of before.
#[derive(Clone, Debug, Default)]
pub struct Outlines {
    moments: Arc<Mutex<HashMap<Key, Arc<Outline>>>>,
    /// Boxes of whole clips.
    boxes: Arc<Mutex<HashMap<ClipKey, Bounds>>>,
}

/// Frame, level of detail, and how bones are blended.
type Key = (u32, u32, BoneBlend);
/// First frame, number of frames and level of detail.
type ClipKey = (u32, u32, u32);

impl Outlines {
    /// Outlines kept of a model.
    const MOST: usize = 256;

    fn get(&self, model: &Model, sampling: &Sampling) -> Arc<Outline> {
        let key = (sampling.blend.from, sampling.lod, sampling.bones);
        let known = |this: &Self| this.moments.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        known(self).unwrap_or_else(|| {
            let mut pose = Pose::default();
            sample(model, sampling, &mut pose);
            let mut outermost = Extremes::default();
            pose.surfaces.iter().flat_map(|surface| &surface.positions).for_each(|point| outermost.add(*point));
            let outline =
                Arc::new(Outline { points: outermost.points().collect(), tags: pose.tags, joints: pose.joints });
            let mut outlines = self.moments.lock().unwrap_or_else(PoisonError::into_inner);
            if outlines.len() >= Self::MOST {
                outlines.clear();
            }
            outlines.insert(key, Arc::clone(&outline));
            outline
        })
    }
}

impl Entity {
    /// Box of the clip that is chosen, in the model's own space, whichever of its frames is shown: of every frame, or of
    /// 64 of a longer clip.
    #[must_use]
    pub fn clip_bounds(&self) -> Bounds {
        let clip = self.clip();
        let key = (clip.first, clip.count, self.lod);
        let boxes = || self.asset.outlines.boxes.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = boxes().get(&key) {
            return *known;
        }
        let (count, looked_at) = (clip.count.max(1), clip.count.clamp(1, LOOKED_AT_FOR_BOX));
        let mut pose = Pose::default();
        let whole = (0..looked_at).fold(Bounds::EMPTY, |whole, step| {
            let passed = u64::from(step) * u64::from(count) / u64::from(looked_at);
            let frame = clip.first.saturating_add(u32::try_from(passed).unwrap_or(0));
            let last = u32::try_from(self.model().frames().len()).unwrap_or(u32::MAX).saturating_sub(1);
            let blend = FrameBlend::still(frame).clamped(last);
            sample(self.model(), &Sampling { blend, lod: self.lod, ..Sampling::default() }, &mut pose);
            whole.union(pose.bounds)
        });
        let mut boxes = boxes();
        if boxes.len() >= Outlines::MOST {
            boxes.clear();
        }
        boxes.insert(key, whole);
        whole
    }
}

impl Scene {
    /// How far it reaches at a few moments of the clips that are chosen.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let longest = self.entities().iter().map(|entity| entity.clip().count).max().unwrap_or(1);
        let looked_at = longest.clamp(1, LOOKED_AT);
        let mut extent = Extent { bounds: Bounds::EMPTY, points: Vec::new() };
        for step in 0..looked_at {
            self.add_moment(step, looked_at, &mut extent);
        }
        extent
    }

    fn add_moment(&self, step: u32, looked_at: u32, extent: &mut Extent) {
        // Parents come first.
        let mut placed: Vec<(&Entity, Affine3A, FrameBlend, Arc<Outline>)> = Vec::new();
        let root = Affine3A::from_scale(Vec3::splat(self.scale()));
        for entity in self.entities() {
            let attachment = entity.attachment.as_ref();
            let parent = attachment.and_then(|attachment| placed.iter().find(|(other, ..)| other.id == attachment.to));
            let clip = entity.clip();
            let own = || {
                let passed = u64::from(step) * u64::from(clip.count) / u64::from(looked_at);
                FrameBlend::still(clip.first + u32::try_from(passed).unwrap_or(0))
            };
            let blend = match parent.filter(|_| entity.follows_parent) {
                Some((_, _, blend, _)) => blend.shifted(entity.frame_shift),
                None => own(),
            };
            let last = u32::try_from(entity.model().frames().len()).unwrap_or(u32::MAX).saturating_sub(1);
            let sampling = Sampling { blend: blend.clamped(last), lod: entity.lod, bones: self.bones };
            let outline = entity.asset.outlines.get(entity.model(), &sampling);
            let place = match (parent, attachment) {
                (Some((parent, place, _, outline)), Some(attachment)) => {
                    let anchor = outline.place_of(parent.model(), &attachment.anchor).unwrap_or(Affine3A::IDENTITY);
                    *place * anchor * Affine3A::from_translation(entity.offset)
                }
                _ => root,
            };
            placed.push((entity, place, blend, outline));
        }
        for (_, place, _, outline) in placed.iter().filter(|(entity, ..)| self.shows(entity)) {
            let first = extent.points.len();
            extent.points.extend(outline.points.iter().map(|point| place.transform_point3(*point)));
            let added = extent.points.get(first..).unwrap_or_default();
            extent.bounds = extent.bounds.union(Bounds::of(added.iter().copied()));
        }
    }
}

impl Outline {
    fn place_of(&self, model: &Model, anchor: &Anchor) -> Option<Affine3A> {
        anchor.place_in(model, &self.tags, &self.joints)
    }
}
