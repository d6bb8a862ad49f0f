//! Baking of any model into full vertices and tags per frame.

use std::collections::HashSet;

use glam::{Affine3A, Vec3};

use super::merged::name_unnamed;
use super::names::{FittedNames, NAME, cut, fitted_frames};
use super::split::{SurfaceTarget, split_surfaces};
use super::{ConvertOptions, Origin, SurfaceLimits, TagOrigin, VertexOrigin, clips, kept_flags};
use crate::error::counted;
use crate::model::{
    Bounds, Format, FormatData, FrameInfo, JointStorage, Model, ModelParts, MorphMotion, Motion, Surface, is_tag_name,
};
use crate::pose::{FrameBlend, Pose, PosedSurface, Sampling, sample};

pub(super) struct Baked<'a> {
    source: &'a Model,
    /// Frames of the source to convert.
    pub frames: Vec<u32>,
    pub surfaces: Vec<Surface>,
    pub tags: Vec<String>,
    pub origin: Origin,
}

impl<'a> Baked<'a> {
    /// Prepares the frames of `options`. Surfaces are split at `limits`.
    pub fn new(source: &'a Model, options: &ConvertOptions, limits: SurfaceLimits, losses: &mut Vec<String>) -> Self {
        let frames = clips::frames(source, options);
        let target =
            SurfaceTarget { limits, lods: u32::MAX, joints: usize::MAX, materials: usize::MAX, format: options.format };
        let (surfaces, origins) = split_surfaces(source, &[], &target, losses);
        let origin = Origin {
            frames: frames.iter().copied().map(FrameBlend::single).collect(),
            surfaces: origins,
            tags: Vec::new(),
        };
        let mut baked = Self { source, frames, surfaces, tags: Vec::new(), origin };
        baked.add_tags(losses);
        baked
    }

    fn add_tags(&mut self, losses: &mut Vec<String>) {
        let (tags, joints) = (self.source.tags(), self.source.joints());
        let mut names = FittedNames::new(["tag", "tags"], NAME, self.source);
        for (index, tag) in (0_u32..).zip(tags) {
            self.tags.push(names.unique(tag));
            self.origin.tags.push(TagOrigin::Tag(index));
        }
        let known: HashSet<&str> = tags.iter().map(String::as_str).collect();
        let named =
            (0_u32..).zip(joints).filter(|(_, joint)| is_tag_name(&joint.name) && !known.contains(&*joint.name));
        for (index, joint) in named {
            self.tags.push(names.unique(&joint.name));
            self.origin.tags.push(TagOrigin::Joint(index));
        }
        names.report(losses);
        if self.source.format().traits().joints == JointStorage::Skeleton && !joints.is_empty() {
            let left = counted(joints.len(), "joint was dropped", "joints were dropped");
            let left = format!("the format has no joints; {left}");
            let tags_text = self.tags.join(", ");
            losses.push(if tags_text.is_empty() { left } else { format!("{left}; kept as tags: {tags_text}") });
        }
    }

    /// Calls `visit` with the vertices and tags of each frame, whose number counts the frames to convert.
    pub fn each_frame<Error>(&self, mut visit: impl FnMut(&Pose) -> Result<(), Error>) -> Result<(), Error> {
        let lods: Vec<u32> = (0..self.source.lod_count())
            .filter(|lod| *lod == 0 || self.surfaces.iter().any(|surface| surface.lod == *lod))
            .collect();
        let mut poses: Vec<Pose> = lods.iter().map(|_| Pose::default()).collect();
        let mut baked = Pose::default();
        baked.surfaces.resize_with(self.surfaces.len(), PosedSurface::default);
        for (index, frame) in (0..).zip(&self.frames) {
            for (lod, pose) in lods.iter().zip(&mut poses) {
                let blend = FrameBlend::single(*frame);
                sample(self.source, &Sampling { lod: *lod, ..Sampling::at(blend) }, pose);
            }
            let Some(finest) = poses.first() else { continue };
            baked.frame = index;
            baked.bounds = finest.bounds;
            baked.tags.clear();
            baked.tags.extend(self.origin.tags.iter().map(|tag| match tag {
                TagOrigin::Tag(tag) => finest.tags.get(*tag as usize).copied().unwrap_or_default(),
                TagOrigin::Joint(joint) => unit(finest.joints.get(*joint as usize).copied().unwrap_or_default()),
            }));
            for ((to, surface), from) in baked.surfaces.iter_mut().zip(&self.surfaces).zip(&self.origin.surfaces) {
                let pose = lods.iter().position(|lod| *lod == surface.lod).and_then(|index| poses.get(index));
                to.positions.clear();
                to.normals.clear();
                for VertexOrigin { surface, vertex } in from {
                    let posed = pose.and_then(|pose| pose.surfaces.get(*surface as usize));
                    let at = |list: &[Vec3]| list.get(*vertex as usize).copied().unwrap_or_default();
                    to.positions.push(posed.map_or(Vec3::ZERO, |posed| at(&posed.positions)));
                    to.normals.push(posed.map_or(Vec3::Z, |posed| at(&posed.normals)));
                }
            }
            visit(&baked)?;
        }
        Ok(())
    }

    pub fn frame_info(&self, frame: &Pose, name: String) -> FrameInfo {
        let source = self.frames.get(frame.frame as usize).copied().unwrap_or(0);
        FrameInfo { name, ..frame_info(self.source, source, || frame.bounds) }
    }

    /// Creates the parts of a model with the baked surfaces and tags.
    pub fn to_parts(&self, frames: Vec<FrameInfo>, motion: MorphMotion, format: Format) -> ModelParts {
        let (data, flags) = (self.source.data(), kept_flags(self.source, format));
        ModelParts {
            version: Some(format.traits().version),
            name: cut(self.source.name(), NAME, self.source.data().has_latin1).to_owned(),
            surfaces: self.surfaces.clone(),
            frames,
            tags: self.tags.clone(),
            clips: clips::blending(self.source, &self.frames, format.usual_rate()),
            motion: Motion::Morph(motion),
            data: FormatData { flags, skin_count: data.skin_count, ..FormatData::default() },
            ..ModelParts::empty(format)
        }
    }

    pub fn frame_names(&self, losses: &mut Vec<String>) -> Vec<String> {
        let infos = (0..self.frames.len()).map(|index| self.source_info(index));
        fitted_frames(infos.map(|info| info.map_or("", |info| &info.name)), self.source.data().has_latin1, losses)
    }

    /// Like [`Self::frame_names`], but names all frames.
    pub fn all_frame_names(&self, losses: &mut Vec<String>) -> Vec<String> {
        let mut names = self.frame_names(losses);
        name_unnamed(&clips::clips(self.source, &self.frames), &mut names);
        names
    }

    fn source_info(&self, index: usize) -> Option<&'a FrameInfo> {
        self.frames.get(index).and_then(|frame| self.source.frames().get(*frame as usize))
    }
}

/// Returns the stored properties of a frame, or those of its `bounds` if the format stores none.
pub(super) fn frame_info(model: &Model, frame: u32, bounds: impl FnOnce() -> Bounds) -> FrameInfo {
    let stored = model.frames().get(frame as usize).cloned().unwrap_or_default();
    if model.format().traits().bounds_frames && stored.bounds.is_some() {
        return stored;
    }
    let bounds = bounds().or_origin();
    let origin = bounds.centre();
    FrameInfo { name: stored.name, bounds: Some(bounds), origin, radius: (bounds.max - origin).length() }
}

fn unit(transform: Affine3A) -> Affine3A {
    let mut transform = transform;
    let matrix = &mut transform.matrix3;
    for axis in [&mut matrix.x_axis, &mut matrix.y_axis, &mut matrix.z_axis] {
        *axis = axis.normalize_or_zero();
    }
    transform
}
