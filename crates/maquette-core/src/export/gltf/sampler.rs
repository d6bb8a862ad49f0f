//! Transforms of joints or tags per frame, in the form of glTF nodes.

use glam::{Affine3A, DAffine3, Vec3};

use crate::model::LocalTransform;
use crate::model::{JointFrames, JointStorage, Model, Motion, SkeletalMotion, SkeletalTag};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

/// Scales within this distance of 1 count as 1, because rounding and packing change them.
const RIGID: f32 = 0.01;
/// Like [`RIGID`], for formats that store scales.
const UNSCALED: f32 = 1e-5;

pub(super) struct FrameSampler<'a> {
    model: &'a Model,
    middles: Vec<Option<Vec3>>,
    /// Scales within this distance of 1 count as 1.
    rigid: f32,
    pose: Pose,
    transforms: Vec<LocalTransform>,
}

impl<'a> FrameSampler<'a> {
    pub fn new(model: &'a Model) -> Self {
        let middles = match model.motion() {
            Motion::Skeletal(motion) if has_matrices(motion) && !stores_scales(model) => middles(motion),
            _ => Vec::new(),
        };
        let rigid = if stores_scales(model) { UNSCALED } else { RIGID };
        Self { model, middles, rigid, pose: Pose::default(), transforms: Vec::new() }
    }

    pub fn at(&mut self, blend: FrameBlend) -> &[LocalTransform] {
        self.halves_at(blend, None)
    }

    pub fn halves_at(&mut self, blend: FrameBlend, torso: Option<FrameBlend>) -> &[LocalTransform] {
        // No surface has this LOD, so only joints and tags are posed.
        sample(self.model, &Sampling { torso, lod: u32::MAX, ..Sampling::at(blend) }, &mut self.pose);
        let joints = &self.pose.joints;
        let before = std::mem::take(&mut self.transforms);
        match self.model.motion() {
            Motion::Skeletal(motion) => self.transforms.extend(motion.joints.iter().zip(joints).enumerate().map(
                |(index, (joint, transform))| {
                    let parent = joint.parent.and_then(|parent| joints.get(parent as usize));
                    let own = LocalTransform::relative(parent, transform, before.get(index));
                    let local = parent.map_or(*transform, |parent| parent.inverse() * *transform);
                    local_joint(own, &local, self.middles.get(index).copied().flatten(), self.rigid)
                },
            )),
            Motion::Morph(_) => {
                self.transforms.extend(self.pose.tags.iter().map(|tag| LocalTransform::from_affine(tag).rigid()))
            }
        }
        &self.transforms
    }

    pub fn palette(&mut self, frame: u32, inverses: &[Affine3A]) -> Vec<DAffine3> {
        let model = self.model;
        palette(model, self.at(FrameBlend::single(frame)), inverses)
    }

    pub fn palette_after(&mut self, frame: u32, inverses: &[Affine3A]) -> Vec<DAffine3> {
        let model = self.model;
        let mut transforms = self.at(FrameBlend::single(frame)).to_vec();
        for (transform, next) in transforms.iter_mut().zip(self.at(FrameBlend::single(frame.saturating_add(1)))) {
            *transform = LocalTransform {
                translation: transform.translation.midpoint(next.translation),
                rotation: transform.rotation.slerp(next.rotation, 0.5),
                scale: transform.scale.midpoint(next.scale),
            };
        }
        palette(model, &transforms, inverses)
    }

    pub fn pose(&self) -> &Pose {
        &self.pose
    }
}

/// The products are in double precision, because those of large but valid numbers exceed single precision.
fn palette(model: &Model, transforms: &[LocalTransform], inverses: &[Affine3A]) -> Vec<DAffine3> {
    let mut palette: Vec<DAffine3> = Vec::new();
    for (joint, local) in model.joints().iter().zip(transforms) {
        let local = local.matrix().as_daffine3();
        let parent = joint.parent.and_then(|parent| palette.get(parent as usize));
        palette.push(parent.map_or(local, |parent| *parent * local));
    }
    palette.iter_mut().zip(inverses).for_each(|(joint, inverse)| *joint *= inverse.as_daffine3());
    palette
}

/// Splits a joint's transform into translation, rotation and scale. Packing shears rotations in stored frames, but not
/// between them. As a compromise, the centre of the joint's vertices gets half the error.
fn local_joint(own: LocalTransform, transform: &Affine3A, middle: Option<Vec3>, tolerance: f32) -> LocalTransform {
    let is_rigid = (own.scale - Vec3::ONE).abs().max_element() <= tolerance;
    if !is_rigid {
        return own;
    }
    let rigid = own.unscaled();
    let lost = middle
        .map_or(Vec3::ZERO, |middle| transform.transform_point3(middle) - rigid.matrix().transform_point3(middle));
    LocalTransform { translation: rigid.translation + lost * 0.5, ..rigid }
}

fn stores_scales(model: &Model) -> bool {
    let Motion::Skeletal(motion) = model.motion() else { return false };
    let has_bones = model.format().traits().joints == JointStorage::Bones;
    motion.tracks.iter().any(|track| match track.frames {
        JointFrames::Local(_) | JointFrames::Relative(_) => true,
        JointFrames::Matrices(_) => !has_bones,
        _ => false,
    })
}

fn has_matrices(motion: &SkeletalMotion) -> bool {
    let is_matrices =
        |frames: &JointFrames| matches!(frames, JointFrames::Matrices(_) | JointFrames::PackedMatrices(_));
    motion.tracks.iter().any(|track| is_matrices(&track.frames))
}

fn middles(motion: &SkeletalMotion) -> Vec<Option<Vec3>> {
    let mut sums = vec![(Vec3::ZERO, 0.0_f32); motion.joints.len()];
    for weight in motion.bindings.iter().flat_map(|binding| &binding.weights) {
        if let Some(sum) = sums.get_mut(weight.joint as usize).filter(|_| weight.bias > 0.0) {
            sum.0 += weight.offset * weight.bias;
            sum.1 += weight.bias;
        }
    }
    // A bone with a tag keeps its exact position.
    for tag in motion.tags.iter().filter_map(SkeletalTag::joint) {
        if let Some(sum) = sums.get_mut(tag as usize) {
            sum.1 = 0.0;
        }
    }
    let middle = |(sum, weight): (Vec3, f32)| (weight > 0.0).then(|| sum / weight).filter(|middle| middle.is_finite());
    sums.into_iter().map(middle).collect()
}
