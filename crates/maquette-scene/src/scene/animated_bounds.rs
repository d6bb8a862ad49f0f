//! Bounds of a scene while its clips play, from the outermost vertices of sampled frames.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Affine3A, Vec3};

use maquette_assets::open::{Outline, pose_key};

use super::{Entity, Scene};
use maquette_core::model::{Bounds, Clip, u32_or_max};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_core::threads;

/// Maximum number of frames sampled of a scene. Each clip is sampled as often as the longest one.
const MAX_SAMPLED_FRAMES: u32 = 12;

/// Maximum number of frames sampled for the box of one clip.
const MAX_SAMPLED_CLIP_FRAMES: u32 = 64;

/// Bounds of a scene over its clips.
#[derive(Clone, Debug)]
pub struct AnimatedBounds {
    /// World-space box over all sampled frames; empty without vertices. Approximate for rotated attached parts.
    pub bounds: Bounds,
    /// Outermost vertices of each entity in each sampled frame, in world space.
    pub points: Vec<Vec3>,
}

impl Entity {
    /// Returns the model-space box of the chosen clip. Of a clip with more than 64 frames, 64 frames are sampled.
    pub fn clip_bounds(&self) -> Bounds {
        let clip = self.clip();
        let (count, sampled) = (clip.count.max(1), clip.count.clamp(1, MAX_SAMPLED_CLIP_FRAMES));
        self.asset.outlines.clip_bounds(clip.first, clip.count, self.lod, || {
            let mut pose = Pose::default();
            (0..sampled).fold(Bounds::EMPTY, |whole, step| {
                let passed = u64::from(step) * u64::from(count) / u64::from(sampled);
                let frame = clip.first.saturating_add(u32::try_from(passed).unwrap_or(0));
                let last = u32_or_max(self.model().frames().len()).saturating_sub(1);
                let blend = FrameBlend::single(frame).clamped(last);
                sample(self.model(), &Sampling { blend, lod: self.lod, ..Sampling::default() }, &mut pose);
                whole.union(pose.bounds)
            })
        })
    }
}

impl Entity {
    fn torso_clip(&self) -> Option<Clip> {
        self.torso.as_ref().map(|torso| torso.clip(self.model()))
    }
}

impl Scene {
    /// Returns the bounds over up to 12 sampled frames of the chosen clips.
    pub fn extent(&self) -> AnimatedBounds {
        let sampled = self.sampled();
        let mut extent = AnimatedBounds { bounds: Bounds::EMPTY, points: Vec::new() };
        for step in 0..sampled {
            self.add_frame(step, sampled, &mut extent);
        }
        extent
    }

    /// Computes the outlines for [`Self::extent`] and the first poses in advance, on all cores.
    pub fn prepare(&mut self) {
        let sampled = self.sampled();
        let mut known = HashSet::new();
        let mut wanted = Vec::new();
        for step in 0..sampled {
            for (entity, sampling) in self.entities().iter().zip(self.samplings(step, sampled)) {
                let outlines = &entity.asset.outlines;
                if known.insert((outlines.address(), pose_key(&sampling))) && !outlines.contains(&sampling) {
                    wanted.push((entity, sampling));
                }
            }
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut pose = Pose::default();
            while let Some((entity, sampling)) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
                entity.asset.outlines.compute(entity.model(), sampling, &mut pose);
            }
        };
        threads::with_others(threads::processors().min(wanted.len()).saturating_sub(1), work);
        self.refresh();
        for entity in self.entities_mut() {
            if let Some((sampling, pose)) = entity.leave_pose() {
                entity.asset.outlines.store_pose(sampling, pose);
            }
        }
    }

    fn sampled(&self) -> u32 {
        let clips = self.entities().iter().flat_map(|entity| [Some(entity.clip()), entity.torso_clip()]);
        let longest = clips.flatten().map(|clip| clip.count).max().unwrap_or(1);
        longest.clamp(1, MAX_SAMPLED_FRAMES)
    }

    fn samplings(&self, step: u32, sampled: u32) -> Vec<Sampling> {
        // Parents precede their children, so their blends are known.
        let mut blends: Vec<(FrameBlend, Option<FrameBlend>)> = Vec::new();
        let at_step = |clip: &Clip| {
            let passed = u64::from(step) * u64::from(clip.count) / u64::from(sampled);
            FrameBlend::single(clip.first + u32::try_from(passed).unwrap_or(0))
        };
        let mut samplings = Vec::new();
        for entity in self.entities() {
            let attachment = entity.attachment.as_ref().filter(|_| entity.follows_parent);
            let mut others = self.entities().iter().zip(&blends);
            let parent = attachment.and_then(|to| others.find(|(other, _)| other.id == to.to));
            let shifted = |blend: FrameBlend| blend.mapped(|frame| entity.frame_with(frame));
            let (blend, torso) = match parent {
                Some((_, (blend, torso))) => (shifted(*blend), torso.map(shifted)),
                None => (at_step(&entity.clip()), entity.torso_clip().as_ref().map(at_step)),
            };
            blends.push((blend, torso));
            let last = u32_or_max(entity.model().frames().len()).saturating_sub(1);
            let torso = torso.map(|torso| torso.clamped(last));
            samplings.push(Sampling { blend: blend.clamped(last), torso, lod: entity.lod, bones: self.bones });
        }
        samplings
    }

    fn add_frame(&self, step: u32, sampled: u32, extent: &mut AnimatedBounds) {
        let mut done: Vec<(&Entity, Affine3A, Arc<Outline>)> = Vec::new();
        let root = self.placement();
        for (entity, sampling) in self.entities().iter().zip(self.samplings(step, sampled)) {
            let attachment = entity.attachment.as_ref();
            let parent = attachment.and_then(|attachment| done.iter().find(|(other, ..)| other.id == attachment.to));
            let outline = entity.asset.outlines.get(entity.model(), &sampling);
            let transform = match (parent, attachment) {
                (Some((parent, transform, outline)), Some(attachment)) => {
                    let anchor = outline.location_of(parent.model(), &attachment.anchor).unwrap_or(Affine3A::IDENTITY);
                    entity.placed_at(*transform * anchor)
                }
                _ => root,
            };
            done.push((entity, transform, outline));
        }
        for (_, transform, outline) in done.iter().filter(|(entity, ..)| self.shows(entity)) {
            let first = extent.points.len();
            extent.points.extend(outline.points.iter().map(|point| transform.transform_point3(*point)));
            let added = extent.points.get(first..).unwrap_or_default();
            extent.bounds = extent.bounds.union(Bounds::from_points(added.iter().copied()));
        }
    }
}
