//! Joints, or tags, moment by moment, as the nodes of a glTF file can have them.

use glam::{Affine3A, Vec3};

use super::transform::Transform;
use crate::model::{JointFrames, Model, Motion, SkeletalMotion};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

/// Scales that differ from 1 by no more are what rounding, or packing, left of a rotation.
const RIGID: f32 = 0.01;

/// Goes through the moments of a model.
pub(super) struct FrameSampler<'a> {
    model: &'a Model,
    /// For each joint the middle of what it carries, in its own space; none where it carries nothing.
    middles: Vec<Option<Vec3>>,
    pose: Pose,
    places: Vec<Transform>,
}

impl<'a> FrameSampler<'a> {
    pub fn of(model: &'a Model) -> Self {
        let middles = match model.motion() {
            Motion::Skeletal(motion) if has_matrices(motion) => middles(motion),
            _ => Vec::new(),
        };
        Self { model, middles, pose: Pose::default(), places: Vec::new() }
    }

    /// Their places at a moment: joints relative to their parents, tags in the model.
    pub fn at(&mut self, blend: FrameBlend) -> &[Transform] {
        // No level of detail has so many: joints and tags alone are wanted.
        sample(self.model, &Sampling { lod: u32::MAX, ..Sampling::at(blend) }, &mut self.pose);
        let joints = &self.pose.joints;
        self.places.clear();
        match self.model.motion() {
            Motion::Skeletal(motion) => {
                self.places.extend(motion.joints.iter().zip(joints).enumerate().map(|(index, (joint, place))| {
                    let parent = joint.parent.and_then(|parent| joints.get(parent as usize));
                    let local = parent.map_or(*place, |parent| parent.inverse() * *place);
                    local_joint(&local, self.middles.get(index).copied().flatten())
                }))
            }
            Motion::Morph(_) => self.places.extend(self.pose.tags.iter().map(|tag| Transform::of(tag).rigid())),
        }
        &self.places
    }

    /// From the bind pose to a frame, joint by joint, in model space.
    pub fn palette(&mut self, frame: u32, inverses: &[Affine3A]) -> Vec<Affine3A> {
        let model = self.model;
        palette(model, self.at(FrameBlend::still(frame)), inverses)
    }

    /// The same half way from a frame to the next, as readers of the file blend them.
    pub fn palette_after(&mut self, frame: u32, inverses: &[Affine3A]) -> Vec<Affine3A> {
        let model = self.model;
        let mut places = self.at(FrameBlend::still(frame)).to_vec();
        for (place, next) in places.iter_mut().zip(self.at(FrameBlend::still(frame.saturating_add(1)))) {
            *place = Transform {
                translation: place.translation.midpoint(next.translation),
                rotation: place.rotation.slerp(next.rotation, 0.5),
                scale: place.scale.midpoint(next.scale),
            };
        }
        palette(model, &places, inverses)
    }

    /// The pose of the moment that was last asked for.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }
}

fn palette(model: &Model, places: &[Transform], inverses: &[Affine3A]) -> Vec<Affine3A> {
    let mut palette: Vec<Affine3A> = Vec::new();
    for (joint, local) in model.joints().iter().zip(places) {
        let parent = joint.parent.and_then(|parent| palette.get(parent as usize));
        let place = parent.map_or(local.matrix(), |parent| *parent * local.matrix());
        palette.push(place);
    }
    palette.iter_mut().zip(inverses).for_each(|(joint, inverse)| *joint *= *inverse);
    palette
}

/// A joint as a node. What little shears a packed rotation is there in whole frames and not between them: the middle of what
/// the joint carries goes half the way.
fn local_joint(place: &Affine3A, middle: Option<Vec3>) -> Transform {
    let own = Transform::of(place);
    let is_rigid = (own.scale - Vec3::ONE).abs().max_element() <= RIGID;
    if !is_rigid {
        return own;
    }
    let rigid = own.unscaled();
    let lost =
        middle.map_or(Vec3::ZERO, |middle| place.transform_point3(middle) - rigid.matrix().transform_point3(middle));
    Transform { translation: rigid.translation + lost * 0.5, ..rigid }
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
    // A tag's bone stands where it is.
    for tag in &motion.tags {
        if let Some(sum) = sums.get_mut(*tag as usize) {
            sum.1 = 0.0;
        }
    }
    let middle = |(sum, weight): (Vec3, f32)| (weight > 0.0).then(|| sum / weight).filter(|middle| middle.is_finite());
    sums.into_iter().map(middle).collect()
}
