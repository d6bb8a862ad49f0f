//! Bind pose of a mesh: the joint transforms for which its weights were made.
//!
//! An MD5 or IQM stores the bind pose. An MDR does not, so that its bones are aligned ([`aligned_joints`]).

use glam::{Affine3A, DAffine3, DMat3, DVec3, Vec3};

use super::joint_weights::shares;
use super::sampler::FrameSampler;
use crate::export::scene::ExportPart;
use crate::model::{Binding, SkeletalMotion, u32_or_max};
use crate::pose::{FrameBlend, Pose, PosedSurface, Sampling, aligned_joints, sample, sample_joints};

pub(super) struct Bind {
    pub surfaces: Vec<PosedSurface>,
    pub inverses: Vec<Affine3A>,
}

impl Bind {
    pub fn new(part: &ExportPart<'_>, motion: &SkeletalMotion) -> Self {
        let bind = motion.bind_pose();
        let is_bound = bind.is_some();
        let joints = bind.map_or_else(|| joints(part, motion), |bind| bind.iter().map(Affine3A::as_daffine3).collect());
        let normals: Vec<DMat3> = joints.iter().map(|joint| joint.matrix3.inverse().transpose()).collect();
        let mut surfaces: Vec<PosedSurface> = motion.bindings.iter().map(|_| PosedSurface::default()).collect();
        let first_turns_normal = part.model.format().traits().first_turns_normal;
        for surface in part.surfaces() {
            if let (Some(bound), Some(binding)) = (surfaces.get_mut(surface), motion.bindings.get(surface)) {
                *bound = bound_surface(binding, [first_turns_normal, is_bound], &joints, &normals);
            }
        }
        let inverse = |joint: &DAffine3| {
            let inverse = joint.inverse();
            if inverse.is_finite() { inverse.as_affine3a() } else { Affine3A::IDENTITY }
        };
        let mut bind = Self { surfaces, inverses: joints.iter().map(inverse).collect() };
        bind.settle(part, motion, is_bound);
        bind
    }

    /// Turns normals to minimise the error over some frames; without a stored bind pose, moves vertices as well. The
    /// error cannot always be 0: weights need not sum to 1, packing shears bones in stored frames, but not between them,
    /// and formats with one normal for all weights turn it with one bone.
    fn settle(&mut self, part: &ExportPart<'_>, motion: &SkeletalMotion, keeps_positions: bool) {
        let frames = u32_or_max(part.model.frames().len());
        let mut sums: Vec<Vec<VertexFit>> =
            self.surfaces.iter().map(|surface| vec![VertexFit::ZERO; surface.positions.len()]).collect();
        let mut sampler = FrameSampler::new(part.model);
        let mut pose = Pose::default();
        let step = (frames / SETTLED_FRAMES + 1) as usize;
        let whole = (0..frames).step_by(step).map(|frame| (frame, false));
        // Between clips, programs blend joints in different ways. Stored bind poses are exact in whole frames.
        let last = if keeps_positions { 0 } else { frames.saturating_sub(1) };
        let between = (0..last).step_by(step).map(|frame| (frame, true));
        for (frame, is_between) in whole.chain(between) {
            let blend = FrameBlend::at_frame(f64::from(frame) + if is_between { 0.5 } else { 0.0 });
            let palette = if is_between {
                sampler.palette_after(frame, &self.inverses)
            } else {
                sampler.palette(frame, &self.inverses)
            };
            sample(part.model, &Sampling { lod: part.lod, ..Sampling::at(blend) }, &mut pose);
            let surfaces = sums.iter_mut().zip(&self.surfaces).zip(&motion.bindings).zip(&pose.surfaces);
            for (((sums, bound), binding), posed) in surfaces {
                let vertices = sums.iter_mut().zip(&bound.normals).zip(&binding.vertices);
                let targets = posed.positions.iter().zip(&posed.normals);
                for (((sum, bound), vertex), (position, normal)) in vertices.zip(targets) {
                    let (mut matrix, mut translation) = (DMat3::ZERO, DVec3::ZERO);
                    for (joint, share) in shares(binding.weights_of(*vertex)) {
                        let Some(joint) = palette.get(usize::from(joint)) else { continue };
                        matrix += joint.matrix3 * f64::from(share);
                        translation += joint.translation * f64::from(share);
                    }
                    let turned = matrix.transpose();
                    sum.matrix += turned * matrix;
                    sum.target += turned * (position.as_dvec3() - translation);
                    // Blended matrices shorten normals, and programs normalise them afterwards.
                    let length = (matrix * bound.as_dvec3()).length();
                    sum.normal += turned * (normal.as_dvec3() * length);
                }
            }
        }
        for (surface, sums) in self.surfaces.iter_mut().zip(sums) {
            let vertices = surface.positions.iter_mut().zip(&mut surface.normals);
            for ((position, normal), sum) in vertices.zip(sums) {
                // A degenerate matrix does not determine the vertex.
                if sum.matrix.determinant().abs() <= 1e-9 {
                    continue;
                }
                let inverse = sum.matrix.inverse();
                let settled = (inverse * sum.target).as_vec3();
                if !keeps_positions && settled.is_finite() {
                    *position = settled;
                }
                if let Some(settled) = (inverse * sum.normal).try_normalize() {
                    *normal = settled.as_vec3();
                }
            }
        }
    }
}

/// Sums over frames for the least squares of a vertex. M is the blended matrix of its joints, t their translation.
#[derive(Clone, Copy)]
struct VertexFit {
    /// Sum of MᵀM.
    matrix: DMat3,
    /// Sum of Mᵀ (position − t).
    target: DVec3,
    /// Sum of Mᵀ normal, with the normal as long as M leaves it.
    normal: DVec3,
}

impl VertexFit {
    const ZERO: Self = Self { matrix: DMat3::ZERO, target: DVec3::ZERO, normal: DVec3::ZERO };
}

const SETTLED_FRAMES: u32 = 16;

fn bound_surface(
    binding: &Binding,
    [first_turns_normal, as_stored]: [bool; 2],
    joints: &[DAffine3],
    normals: &[DMat3],
) -> PosedSurface {
    let mut bound = PosedSurface::default();
    for vertex in &binding.vertices {
        let weights = binding.weights_of(*vertex);
        let (mut point, mut normal, mut sum) = (DVec3::ZERO, DVec3::ZERO, 0.0);
        for weight in weights {
            let index = weight.joint as usize;
            let joint = joints.get(index).unwrap_or(&DAffine3::IDENTITY);
            let turn = normals.get(index).unwrap_or(&DMat3::IDENTITY);
            let bias = f64::from(weight.bias);
            point += joint.transform_point3(weight.offset.as_dvec3()) * bias;
            normal += *turn * weight.normal.as_dvec3() * if first_turns_normal { 1.0 } else { bias };
            sum += bias;
        }
        let point = if sum.abs() > 1e-6 && !as_stored { point / sum } else { point };
        bound.positions.push(if point.is_finite() { point.as_vec3() } else { Vec3::ZERO });
        bound.normals.push(normal.try_normalize().unwrap_or(DVec3::Z).as_vec3());
    }
    bound
}

fn joints(part: &ExportPart<'_>, motion: &SkeletalMotion) -> Vec<DAffine3> {
    let mut pose = Pose::default();
    sample_joints(part.model, FrameBlend::single(0), &mut pose);
    aligned_joints(motion, &pose.joints)
}
