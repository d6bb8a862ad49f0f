//! Data for GPU skinning: bind-pose positions, joints and weights per vertex, inverse bind matrices.
//!
//! [`sample`] uses a separate offset for each weight, as Doom 3 and Elite Force do. A vertex shader moves one position
//! per vertex by joint × inverse bind matrix. Both agree if all offsets of a vertex mean one position in the bind pose;
//! [`SkinningLosses`] measures the difference.

use glam::{Affine3A, Vec3};

use super::{FrameBlend, Pose, Sampling, sample};
use crate::model::{Binding, Model, Motion, Weight};

/// Sums of weights below this are not normalised.
const NEGLIGIBLE_SUM: f32 = 1e-3;

/// Bind pose of a skeletal model for a vertex shader: `position = Σ weight · palette[joint] · bind_position`. Normals
/// use the palette's rotations and are normalised. See [`Skinning::palette`] for the palette.
#[derive(Clone, Debug)]
pub struct Skinning {
    /// Number of joints and weights per vertex.
    pub weights_per_vertex: usize,
    /// Transform from model space to joint space in the bind pose; the identity for a bone without inverse.
    pub inverse_binds: Vec<Affine3A>,
    /// Vertices of each surface, in all LODs.
    pub surfaces: Vec<SkinnedSurface>,
    /// Differences from exact skinning.
    pub losses: SkinningLosses,
}

/// Vertices of a surface in the bind pose.
#[derive(Clone, Debug, Default)]
pub struct SkinnedSurface {
    /// Position of each vertex, in model space and units.
    pub positions: Vec<Vec3>,
    /// Unit normal of each vertex.
    pub normals: Vec<Vec3>,
    /// [`Skinning::weights_per_vertex`] joints for each vertex, largest weight first, padded with joint 0.
    pub joints: Vec<u32>,
    /// Weights of `joints`; they sum to 1 for each vertex, or are all 0 if it has none.
    pub weights: Vec<f32>,
}

/// Differences of a [`Skinning`] from its model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkinningLosses {
    /// Maximum number of weights of a vertex in the model.
    pub max_weights: usize,
    /// Number of vertices with more weights than requested; their smallest are left out.
    pub cut_vertices: usize,
    /// Largest sum of weights left out at a vertex.
    pub largest_cut: f32,
    /// Largest difference between a vertex's sum of weights and 1; the shader's weights sum to 1.
    pub largest_excess: f32,
    /// Upper bound for the distance between a vertex and its position in [`sample`], in units, for any pose of rigid
    /// joints. The cause is offsets that disagree; cut weights and sums other than 1 add further differences.
    pub largest_distance: f32,
    /// Number of joints without an inverse.
    pub flat_joints: usize,
}

impl Skinning {
    /// Computes the bind pose of `model` with at most `max` weights per vertex (vertex shaders usually take 4 or 8);
    /// `None` without joints. The first frame serves as the bind pose. In an MDR, it is a frame of the animation.
    #[must_use]
    pub fn from_model(model: &Model, max: usize) -> Option<Self> {
        let Motion::Skeletal(motion) = model.motion() else { return None };
        if motion.joints.is_empty() {
            return None;
        }
        let mut losses = SkinningLosses::default();
        let mut pose = Pose::default();
        let mut surfaces = vec![SkinnedSurface::default(); model.surfaces().len()];
        for lod in 0..model.lod_count() {
            sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(0)) }, &mut pose);
            let parts = surfaces.iter_mut().zip(&mut pose.surfaces).zip(model.surfaces()).zip(&motion.bindings);
            for (((skinned, posed), _), binding) in parts.filter(|((_, surface), _)| surface.lod == lod) {
                skinned.positions = std::mem::take(&mut posed.positions);
                skinned.normals = std::mem::take(&mut posed.normals);
                skinned.bind(binding, &pose.joints, max, &mut losses);
            }
        }
        let inverse_binds = pose.joints.iter().map(|joint| inverse(joint, &mut losses)).collect();
        Some(Self { weights_per_vertex: max, inverse_binds, surfaces, losses })
    }

    /// Returns the palette for a frame: for each joint the transform from the bind pose to `pose`, in model space.
    pub fn palette<'a>(&'a self, pose: &'a Pose) -> impl Iterator<Item = Affine3A> + 'a {
        pose.joints.iter().zip(&self.inverse_binds).map(|(joint, inverse)| *joint * *inverse)
    }
}

impl SkinnedSurface {
    fn bind(&mut self, binding: &Binding, joints: &[Affine3A], max: usize, losses: &mut SkinningLosses) {
        let mut heaviest: Vec<Weight> = Vec::new();
        for (vertex, position) in binding.vertices.iter().zip(&self.positions) {
            let weights = binding.weights_of(*vertex);
            heaviest.clear();
            heaviest.extend_from_slice(weights);
            heaviest.sort_by(|a, b| b.bias.abs().total_cmp(&a.bias.abs()));
            let sum = |weights: &[Weight]| weights.iter().map(|weight| weight.bias).sum::<f32>();
            let whole = sum(&heaviest);
            losses.max_weights = losses.max_weights.max(weights.len());
            if !weights.is_empty() {
                losses.largest_excess = losses.largest_excess.max((whole - 1.0).abs());
            }
            if heaviest.len() > max {
                losses.cut_vertices += 1;
                let cut = heaviest.get(max..).unwrap_or_default();
                losses.largest_cut = losses.largest_cut.max(cut.iter().map(|weight| weight.bias.abs()).sum());
                heaviest.truncate(max);
            }
            let heaviest_sum = sum(&heaviest);
            // Weights that cancel out cannot be normalised.
            let share = if heaviest_sum.abs() > NEGLIGIBLE_SUM { 1.0 / heaviest_sum } else { 0.0 };
            let (whole_share, single) =
                if whole.abs() > NEGLIGIBLE_SUM { (1.0 / whole, *position / whole) } else { (0.0, *position) };
            // Rigid joints preserve lengths, so no pose can increase the difference in joint space.
            let apart: f32 = weights
                .iter()
                .filter_map(|weight| {
                    let joint = joints.get(weight.joint as usize)?;
                    let meant = joint.transform_point3(weight.offset);
                    Some((meant - single).length() * (weight.bias * whole_share).abs())
                })
                .sum();
            losses.largest_distance = losses.largest_distance.max(apart);
            let unused = max - heaviest.len();
            self.joints.extend(heaviest.iter().map(|weight| weight.joint).chain(std::iter::repeat_n(0, unused)));
            let shares = heaviest.iter().map(|weight| weight.bias * share);
            self.weights.extend(shares.chain(std::iter::repeat_n(0.0, unused)));
        }
    }
}

fn inverse(joint: &Affine3A, losses: &mut SkinningLosses) -> Affine3A {
    let inverse = joint.inverse();
    if inverse.is_finite() && joint.matrix3.determinant().abs() > f32::MIN_POSITIVE {
        return inverse;
    }
    losses.flat_joints += 1;
    Affine3A::IDENTITY
}
