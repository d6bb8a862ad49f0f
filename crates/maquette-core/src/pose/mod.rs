//! A [`Model`] at a moment becomes a [`Pose`]: vertices, normals, joints and tags in model space.
//!
//! All on the CPU: vertex lerp for morphing models (`morph`), joint slerp and skinning for skeletal ones (`skin_vertices`).
//! The overlays draw, and the export writes, the very numbers that are drawn. A pose is reused: once warm, sampling
//! allocates nothing.

#![forbid(unsafe_code)]

mod angles;
mod bone;
mod channels;
mod chunk;
#[cfg(test)]
mod determinism_tests;
mod frame_time;
mod gpu_skinning;
mod lanes;
mod morph;
mod normal_table;
mod packing;
mod scratch;
mod skeleton_pose;
mod skin_vertices;
mod vertex_lerp;

use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

pub use angles::angles;
pub use frame_time::{FrameBlend, Repeat, blend_at, blend_at_seconds, clip_length};
pub use gpu_skinning::{SkinnedSurface, Skinning, SkinningLosses};
pub use morph::sample_stored;

use crate::model::{Bounds, Model, Motion, is_usable, u32_or_max};
use crate::threads::processors;

/// A model at a moment, in model space and units.
#[derive(Clone, Debug)]
pub struct Pose {
    /// One per surface of the model; those of other levels of detail are left empty.
    pub surfaces: Vec<PosedSurface>,
    /// One per joint: joint space to model space.
    pub joints: Vec<Affine3A>,
    /// One per tag: tag space to model space. The columns are forward, left and up, of unit length.
    pub tags: Vec<Affine3A>,
    /// Box of the vertices in `surfaces`; empty if there are none.
    pub bounds: Bounds,
    revision: u64,
    scratch: scratch::Scratch,
}

impl Default for Pose {
    fn default() -> Self {
        Self {
            surfaces: Vec::new(),
            joints: Vec::new(),
            tags: Vec::new(),
            bounds: Bounds::EMPTY,
            revision: 0,
            scratch: scratch::Scratch::default(),
        }
    }
}

/// Poses sampled by now.
static SAMPLED: AtomicU64 = AtomicU64::new(0);

impl Pose {
    /// Changes with every [`sample`], and is never the same in two poses: while it is the same, so are the numbers.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Gives it another revision: to be called when its vertices were changed by hand.
    pub fn touch(&mut self) {
        self.revision = SAMPLED.fetch_add(1, Ordering::Relaxed) + 1;
    }
}

/// The vertices of one surface at a moment.
#[derive(Clone, Debug, Default)]
pub struct PosedSurface {
    /// Per vertex, in units.
    pub positions: Vec<Vec3>,
    /// Per vertex, of unit length.
    pub normals: Vec<Vec3>,
    /// Per vertex, how long its normal is as the weights sum it, which an MDR's game leaves so when it lights and mirrors
    /// (ioquake3 `tr_animation.c`, `RB_MDRSurfaceAnim`). Empty where all are 1.
    pub normal_lengths: Vec<f32>,
}

impl PosedSurface {
    /// Makes room for so many vertices, whatever they are; with the lengths of their normals, or without.
    fn resize(&mut self, vertices: usize, keeps_lengths: bool) {
        self.positions.resize(vertices, Vec3::ZERO);
        self.normals.resize(vertices, Vec3::ZERO);
        self.normal_lengths.resize(if keeps_lengths { vertices } else { 0 }, 0.0);
    }
}

/// How bones stored as matrices (MDR) are blended between frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BoneBlend {
    /// Rotations turn, translations move straight; nothing shrinks.
    #[default]
    Slerp,
    /// Each matrix entry by itself, as the game does; meshes shrink a little between far frames.
    Engine,
}

/// What of a model is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sampling {
    /// Which moment.
    pub blend: FrameBlend,
    /// Which level of detail.
    pub lod: u32,
    /// How MDR bones are blended.
    pub bones: BoneBlend,
}

impl Sampling {
    /// Level of detail 0 at `blend`.
    #[must_use]
    pub fn at(blend: FrameBlend) -> Self {
        Self { blend, ..Self::default() }
    }
}

/// Samples `model` into `pose`. Frames beyond the model's last hold the last; of a level of detail that there is not, all
/// surfaces are empty. A model of very many vertices is shared out to the machine's cores.
pub fn sample(model: &Model, sampling: &Sampling, pose: &mut Pose) {
    sample_on(processors(), model, sampling, pose);
}

/// The same on at most so many threads, the calling one among them. Their number changes nothing about the pose.
pub fn sample_on(threads: usize, model: &Model, sampling: &Sampling, pose: &mut Pose) {
    let last = u32_or_max(model.frames().len()).saturating_sub(1);
    let blend = sampling.blend.clamped(last);
    pose.touch();
    pose.surfaces.resize_with(model.surfaces().len(), PosedSurface::default);
    match model.motion() {
        Motion::Morph(motion) => {
            pose.joints.clear();
            morph::sample(model, motion, blend, sampling.lod, threads, pose);
        }
        Motion::Skeletal(motion) => skeleton_pose::sample(model, motion, blend, sampling, threads, pose),
    }
}

/// A tag's frame: each axis to unit length, the identity where one has no length or is not finite, as the games' blend
/// leaves no scale in a tag. Mirrored and skewed axes stay as they are.
fn tag_frame(origin: Vec3A, axes: [Vec3A; 3]) -> Affine3A {
    let lengths = axes.map(Vec3A::length);
    let sound = lengths.iter().all(|length| length.is_finite() && *length > f32::MIN_POSITIVE);
    let axes = if sound { axes.map(Vec3A::normalize) } else { [Vec3A::X, Vec3A::Y, Vec3A::Z] };
    let origin = if origin.to_array().into_iter().all(is_usable) { origin } else { Vec3A::ZERO };
    Affine3A { matrix3: Mat3A::from_cols(axes[0], axes[1], axes[2]), translation: origin }
}

/// About what posing a frame of all surfaces costs, in vertices: these, their weights, and what they hang on.
#[must_use]
pub fn cost_of_frame(model: &Model) -> usize {
    let vertices: usize = model.surfaces().iter().map(|surface| surface.vertex_count()).sum();
    let weights = match model.motion() {
        Motion::Morph(_) => 0,
        // Vertices may share their weights.
        Motion::Skeletal(motion) => {
            let counts = motion.bindings.iter().flat_map(|binding| &binding.vertices).map(|(_, count)| *count as usize);
            counts.fold(0_usize, usize::saturating_add)
        }
    };
    let places = model.joints().len() + model.tags().len() + 1;
    vertices.saturating_add(weights) + model.surfaces().len() * COST_OF_SURFACE + places * COST_OF_PLACE
}

/// Returns every how many of `frames` is posed, so that all that are posed cost at most `most`.
#[must_use]
pub fn frame_step(frames: usize, cost_of_frame: usize, most: usize) -> usize {
    frames.saturating_mul(cost_of_frame).div_ceil(most).max(1)
}

/// What a surface without vertices and the place of a joint or a tag cost, in vertices.
const COST_OF_SURFACE: usize = 64;
const COST_OF_PLACE: usize = 4;
