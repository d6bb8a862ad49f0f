//! Sampling of a [`Model`] at a time: vertices, normals, joints and tags in model space.
//!
//! Runs on the CPU: vertex lerp for vertex animation (`morph`), joint slerp and skinning for skeletons
//! (`skin_vertices`). Drawing, overlays and exports use identical numbers. A reused pose needs no further allocations.

mod angles;
mod bone;
mod bone_alignment;
mod bone_angles;
mod bone_pool;
mod channels;
mod chunk;
#[cfg(test)]
mod determinism_tests;
mod frame_time;
mod lanes;
mod local;
mod morph;
mod normal_table;
mod packing;
mod skeleton_pose;
mod skin_vertices;
mod transform;
mod vertex_lerp;

use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

pub use angles::angles;
pub(crate) use bone_alignment::aligned_joints;
pub(crate) use bone_angles::direction as angle_direction;
pub(crate) use bone_pool::unpacked_bone;
pub(crate) use channels::blend_joints;
pub use frame_time::{FrameBlend, Repeat, blend_at, blend_at_seconds, clip_length};
pub use morph::sample_stored;
pub(crate) use morph::stored_tag;
pub(crate) use transform::is_flat;

use crate::model::{Bounds, JointTransform, MaterialStorage, Model, Motion, is_usable, u32_or_max};
use crate::threads::processors;

/// Pose of a model at a time, in model space and units.
#[derive(Clone, Debug, Default)]
pub struct Pose {
    /// Vertices of each surface of the model; empty for surfaces of other LODs.
    pub surfaces: Vec<PosedSurface>,
    /// Transform from joint space to model space for each joint.
    pub joints: Vec<Affine3A>,
    /// Transform from tag space to model space for each tag. The columns are forward, left and up, of unit length.
    pub tags: Vec<Affine3A>,
    /// Bounding box of the vertices in `surfaces`.
    pub bounds: Bounds,
    /// Frame of the model, the first of the two between which the pose lies.
    pub frame: u32,
    revision: u64,
    /// Joints of the animation and of the model, reused between samples.
    joint_scratch: [Vec<JointTransform>; 2],
    change_scratch: Vec<Affine3A>,
}

static SAMPLED: AtomicU64 = AtomicU64::new(0);

impl Pose {
    /// Returns the revision, which is unique among all poses and changes with every [`sample`].
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Sets a new revision, after vertices were changed directly.
    pub fn touch(&mut self) {
        self.revision = SAMPLED.fetch_add(1, Ordering::Relaxed) + 1;
    }
}

/// Posed vertices of one surface.
#[derive(Clone, Debug, Default)]
pub struct PosedSurface {
    /// Position of each vertex, in units.
    pub positions: Vec<Vec3>,
    /// Unit normal of each vertex.
    pub normals: Vec<Vec3>,
    /// Length of each normal before normalisation, which MDR games use for lighting (ioquake3 `tr_animation.c`,
    /// `RB_MDRSurfaceAnim`). Empty if all are 1.
    pub normal_lengths: Vec<f32>,
}

impl PosedSurface {
    fn resize(&mut self, vertices: usize, keeps_lengths: bool) {
        self.positions.resize(vertices, Vec3::ZERO);
        self.normals.resize(vertices, Vec3::ZERO);
        self.normal_lengths.resize(if keeps_lengths { vertices } else { 0 }, 0.0);
    }
}

/// Blending of bones stored as matrices (MDR).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoneBlend {
    /// Slerp rotations and lerp translations, without shrinking.
    #[default]
    Slerp,
    /// Blend each matrix entry, as the game does; meshes shrink slightly between distant frames.
    Engine,
}

/// Options for sampling.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sampling {
    /// Time to sample.
    pub blend: FrameBlend,
    /// Time of the torso, if it differs from that of the legs (MDS, MDM).
    pub torso: Option<FrameBlend>,
    /// Level of detail.
    pub lod: u32,
    /// Blending of MDR bones.
    pub bones: BoneBlend,
}

impl Sampling {
    /// Creates options for LOD 0 at `blend`.
    #[must_use]
    pub fn at(blend: FrameBlend) -> Self {
        Self { blend, ..Self::default() }
    }
}

/// Samples `model` into `pose`. Frames beyond the last show the last one. If the LOD does not exist, all surfaces are
/// empty.
pub fn sample(model: &Model, sampling: &Sampling, pose: &mut Pose) {
    sample_on(processors(), model, sampling, pose);
}

/// Like [`sample`], with at most `threads` threads including the caller. Their number does not affect the result.
pub fn sample_on(threads: usize, model: &Model, sampling: &Sampling, pose: &mut Pose) {
    let last = u32_or_max(model.frames().len()).saturating_sub(1);
    let mut blend = sampling.blend.clamped(last);
    if model.format().traits().materials == MaterialStorage::Frames {
        // Games do not blend the images of a sprite.
        blend = FrameBlend::single(blend.from);
    }
    pose.frame = blend.from;
    let sampling = &Sampling { blend, torso: sampling.torso.map(|torso| torso.clamped(last)), ..*sampling };
    pose.touch();
    pose.surfaces.resize_with(model.surfaces().len(), PosedSurface::default);
    match model.motion() {
        Motion::Morph(motion) => {
            pose.joints.clear();
            morph::sample(model, motion, blend, sampling.lod, threads, pose);
        }
        Motion::Skeletal(motion) => skeleton_pose::sample(model, motion, sampling, threads, pose),
    }
}

/// Like [`sample`], but poses only joints and tags: all surfaces are empty.
pub fn sample_joints(model: &Model, blend: FrameBlend, pose: &mut Pose) {
    // No surface has this LOD.
    sample(model, &Sampling { lod: u32::MAX, ..Sampling::at(blend) }, pose);
}

/// Returns the transform of a tag, with axes normalised as in the games' blend. Mirrored and skewed axes are kept.
/// Invalid axes become the identity.
fn tag_frame(origin: Vec3A, axes: [Vec3A; 3]) -> Affine3A {
    let lengths = axes.map(Vec3A::length);
    let sound = lengths.iter().all(|length| length.is_finite() && *length > f32::MIN_POSITIVE);
    let axes = if sound { axes.map(Vec3A::normalize) } else { [Vec3A::X, Vec3A::Y, Vec3A::Z] };
    let origin = if origin.to_array().into_iter().all(is_usable) { origin } else { Vec3A::ZERO };
    Affine3A { matrix3: Mat3A::from_cols(axes[0], axes[1], axes[2]), translation: origin }
}

/// Estimates the cost of posing one frame, as a number of vertices. Counts vertices, weights, surfaces, joints and
/// tags.
pub fn cost_of_frame(model: &Model) -> usize {
    let vertices: usize = model.surfaces().iter().map(|surface| surface.vertex_count()).sum();
    let weights = match model.motion() {
        Motion::Morph(_) => 0,
        Motion::Skeletal(motion) => {
            let counts = motion.bindings.iter().flat_map(|binding| &binding.vertices).map(|(_, count)| *count as usize);
            counts.fold(0_usize, usize::saturating_add)
        }
    };
    let transforms = model.joints().len() + model.tags().len() + 1;
    vertices.saturating_add(weights) + model.surfaces().len() * COST_OF_SURFACE + transforms * COST_OF_TRANSFORM
}

/// Returns the frame step for which posing costs at most `max` in total.
pub fn frame_step(frames: usize, cost_of_frame: usize, max: usize) -> usize {
    frames.saturating_mul(cost_of_frame).div_ceil(max).max(1)
}

const COST_OF_SURFACE: usize = 64;
const COST_OF_TRANSFORM: usize = 4;
