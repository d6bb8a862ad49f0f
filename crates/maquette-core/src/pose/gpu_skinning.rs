//! A skeletal model as a GPU skins it: places in the bind pose, joints and weights by vertex, inverse binds.
//!
//! [`sample`] places a vertex by weights that each have an offset of their own, as Doom 3 and Elite Force do. A vertex
//! shader has one place for each vertex and moves it by joint × inverse bind. Both come to the same where all offsets of a
//! vertex mean one place in the bind pose; [`SkinningLosses`] says how far they do.

use glam::{Affine3A, Vec3};

use super::{FrameBlend, Pose, Sampling, sample};
use crate::model::{Binding, Model, Motion, Weight};

/// Sums of weights below this are not made 1.
const NEGLIGIBLE_SUM: f32 = 1e-3;

/// The bind pose of a skeletal model, for a vertex shader:
/// `position = Σ weight · palette[joint] · bind_position`, and the same for normals with the palette's rotations, brought
/// to unit length; for the palette see [`Skinning::palette`].
#[derive(Clone, Debug)]
pub struct Skinning {
    /// Joints and weights of every vertex.
    pub weights_per_vertex: usize,
    /// One per joint: model space to joint space in the bind pose. Identity for a bone that has no inverse.
    pub inverse_binds: Vec<Affine3A>,
    /// One per surface of the model, all levels of detail.
    pub surfaces: Vec<SkinnedSurface>,
    /// What this way of skinning cannot keep.
    pub losses: SkinningLosses,
}

/// The vertices of a surface in the bind pose.
#[derive(Clone, Debug, Default)]
pub struct SkinnedSurface {
    /// Per vertex, in model space and units.
    pub positions: Vec<Vec3>,
    /// Per vertex, of unit length.
    pub normals: Vec<Vec3>,
    /// Per vertex [`Skinning::weights_per_vertex`] joints, the heaviest first; joint 0 where there are fewer.
    pub joints: Vec<u32>,
    /// The weights of `joints`; those of a vertex sum to 1, or are all 0 where it has none.
    pub weights: Vec<f32>,
}

/// What a [`Skinning`] cannot keep of its model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SkinningLosses {
    /// Most weights that a vertex of the model has.
    pub most_weights: usize,
    /// Vertices with more weights than were asked for; their lightest are left out.
    pub cut_vertices: usize,
    /// Largest share of a vertex that was left out with them.
    pub largest_cut: f32,
    /// Largest distance of a vertex's weights from summing to 1; the shader's sum to 1.
    pub largest_excess: f32,
    /// How far a vertex can come to lie from where [`sample`] puts it because its offsets mean different places, in units, in
    /// any pose of rigid joints. What is lost by weights that are cut or do not sum to 1 comes on top.
    pub largest_distance: f32,
    /// Joints without an inverse.
    pub flat_joints: usize,
}

impl Skinning {
    /// The bind pose of `model` with at most `most` weights for each vertex (vertex shaders mostly take 4 or 8); none for a
    /// model without joints. The bind pose is the model's first frame: what the mesh was bound in (MD5), or, as the files
    /// have none, the first of the animation (MDR).
    #[must_use]
    pub fn of(model: &Model, most: usize) -> Option<Self> {
        let Motion::Skeletal(motion) = model.motion() else { return None };
        let mut losses = SkinningLosses::default();
        let mut pose = Pose::default();
        let mut surfaces = vec![SkinnedSurface::default(); model.surfaces().len()];
        for lod in 0..model.lod_count() {
            sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::still(0)) }, &mut pose);
            let parts = surfaces.iter_mut().zip(&mut pose.surfaces).zip(model.surfaces()).zip(&motion.bindings);
            for (((skinned, posed), _), binding) in parts.filter(|((_, surface), _)| surface.lod == lod) {
                skinned.positions = std::mem::take(&mut posed.positions);
                skinned.normals = std::mem::take(&mut posed.normals);
                skinned.bind(binding, &pose.joints, most, &mut losses);
            }
        }
        // The joints are the same for all levels of detail.
        let inverse_binds = pose.joints.iter().map(|joint| inverse(joint, &mut losses)).collect();
        Some(Self { weights_per_vertex: most, inverse_binds, surfaces, losses })
    }

    /// What a vertex shader needs each frame, one for each joint: from the bind pose to `pose`, in model space.
    pub fn palette<'a>(&'a self, pose: &'a Pose) -> impl Iterator<Item = Affine3A> + 'a {
        pose.joints.iter().zip(&self.inverse_binds).map(|(joint, inverse)| *joint * *inverse)
    }
}

impl SkinnedSurface {
    fn bind(&mut self, binding: &Binding, joints: &[Affine3A], most: usize, losses: &mut SkinningLosses) {
        let mut heaviest: Vec<Weight> = Vec::new();
        for (vertex, position) in binding.vertices.iter().zip(&self.positions) {
            let weights = binding.weights_of(*vertex);
            heaviest.clear();
            heaviest.extend_from_slice(weights);
            heaviest.sort_by(|a, b| b.bias.abs().total_cmp(&a.bias.abs()));
            let sum = |weights: &[Weight]| weights.iter().map(|weight| weight.bias).sum::<f32>();
            let whole = sum(&heaviest);
            losses.most_weights = losses.most_weights.max(weights.len());
            if !weights.is_empty() {
                losses.largest_excess = losses.largest_excess.max((whole - 1.0).abs());
            }
            if heaviest.len() > most {
                losses.cut_vertices += 1;
                let cut = heaviest.get(most..).unwrap_or_default();
                losses.largest_cut = losses.largest_cut.max(cut.iter().map(|weight| weight.bias.abs()).sum());
                heaviest.truncate(most);
            }
            let kept = sum(&heaviest);
            // Weights that cancel each other out cannot be made to sum to 1.
            let share = if kept.abs() > NEGLIGIBLE_SUM { 1.0 / kept } else { 0.0 };
            let (whole_share, place) =
                if whole.abs() > NEGLIGIBLE_SUM { (1.0 / whole, *position / whole) } else { (0.0, *position) };
            // Rigid joints keep lengths: no pose makes more of a difference in a joint's space.
            let apart: f32 = weights
                .iter()
                .filter_map(|weight| {
                    let joint = joints.get(weight.joint as usize)?;
                    let meant = joint.transform_point3(weight.offset);
                    Some((meant - place).length() * (weight.bias * whole_share).abs())
                })
                .sum();
            losses.largest_distance = losses.largest_distance.max(apart);
            let unused = most - heaviest.len();
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
