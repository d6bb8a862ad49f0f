//! Cache of a model's outlines.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glam::{Affine3A, Vec3};

use super::Anchor;
use maquette_core::limits::MAX_CACHED;
use maquette_core::model::{Bounds, Extremes, Model};
use maquette_core::pose::{BoneBlend, Pose, Sampling, sample};

/// Outermost points, tags and joints of a model in one pose, in model space.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Outermost vertices along a fixed set of axes.
    pub points: Vec<Vec3>,
    tags: Vec<Affine3A>,
    joints: Vec<Affine3A>,
}

impl Outline {
    /// Returns the transform of `anchor`; `None` if `model` has no such tag or joint.
    pub fn location_of(&self, model: &Model, anchor: &Anchor) -> Option<Affine3A> {
        anchor.transform_in(model, &self.tags, &self.joints)
    }
}

/// Cache of a model's outlines. All entities with the model, and earlier states of the scene, share it through clones.
#[derive(Clone, Debug, Default)]
pub struct OutlineCache {
    by_pose: Arc<Mutex<HashMap<PoseKey, Arc<Outline>>>>,
    by_clip: Arc<Mutex<HashMap<ClipKey, Bounds>>>,
    /// The first pose to show, computed by the loader.
    first: Arc<Mutex<Option<(Sampling, Pose)>>>,
}

/// Key of an outline: frame, frame of a separate torso, level of detail and blending of bones.
pub type PoseKey = (u32, Option<u32>, u32, BoneBlend);
type ClipKey = (u32, u32, u32);

impl OutlineCache {
    fn by_pose(&self) -> MutexGuard<'_, HashMap<PoseKey, Arc<Outline>>> {
        self.by_pose.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the address that identifies the cache; clones share it.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.by_pose).addr()
    }

    /// Returns whether the outline is in the cache.
    pub fn contains(&self, sampling: &Sampling) -> bool {
        self.by_pose().contains_key(&pose_key(sampling))
    }

    /// Returns the outline from the cache, or computes it.
    pub fn get(&self, model: &Model, sampling: &Sampling) -> Arc<Outline> {
        let known = self.by_pose().get(&pose_key(sampling)).cloned();
        known.unwrap_or_else(|| self.compute(model, sampling, &mut Pose::default()))
    }

    /// Samples into `pose` and caches the outline.
    pub fn compute(&self, model: &Model, sampling: &Sampling, pose: &mut Pose) -> Arc<Outline> {
        sample(model, sampling, pose);
        let mut outermost = Extremes::default();
        pose.surfaces.iter().flat_map(|surface| &surface.positions).for_each(|point| outermost.add(*point));
        let (tags, joints) = (pose.tags.clone(), pose.joints.clone());
        let outline = Arc::new(Outline { points: outermost.points().collect(), tags, joints });
        let mut outlines = self.by_pose();
        if outlines.len() >= MAX_CACHED {
            outlines.clear();
        }
        outlines.insert(pose_key(sampling), Arc::clone(&outline));
        outline
    }

    /// Returns the bounds of `count` frames from `first`, from the cache or from `compute`.
    pub fn clip_bounds(&self, first: u32, count: u32, lod: u32, compute: impl FnOnce() -> Bounds) -> Bounds {
        let key = (first, count, lod);
        let by_clip = || self.by_clip.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = by_clip().get(&key) {
            return *known;
        }
        let bounds = compute();
        let mut by_clip = by_clip();
        if by_clip.len() >= MAX_CACHED {
            by_clip.clear();
        }
        by_clip.insert(key, bounds);
        bounds
    }

    /// Stores the first pose to show.
    pub fn store_pose(&self, sampling: Sampling, pose: Pose) {
        *self.first.lock().unwrap_or_else(PoisonError::into_inner) = Some((sampling, pose));
    }

    /// Takes the stored pose; `None` if it was sampled differently. The stored pose is dropped in either case.
    pub fn take_pose(&self, sampling: &Sampling) -> Option<Pose> {
        let stored = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        stored.filter(|(known, _)| known == sampling).map(|(_, pose)| pose)
    }
}

/// Returns the key of the outline of a pose.
pub fn pose_key(sampling: &Sampling) -> PoseKey {
    (sampling.blend.from, sampling.torso.map(|torso| torso.from), sampling.lod, sampling.bones)
}
