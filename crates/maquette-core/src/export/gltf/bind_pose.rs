//! Bind pose of a mesh: the joint transforms for which its weights were made.
//!
//! An MD5 or IQM stores the bind pose. An MDR does not: each weight has an offset in the space of its bone, but the bones'
//! transforms at binding time are unknown. The exporter aligns bones that share vertices until their offsets agree
//! (least squares: B. Horn, *Closed-form solution of absolute orientation using unit quaternions*, 1987).

use std::collections::BTreeSet;

use glam::{Affine3A, DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4, Vec3};

use super::joint_weights::shares;
use super::sampler::FrameSampler;
use super::transform::Transform;
use crate::export::scene::ExportPart;
use crate::limits::{MAX_ALIGNED_BONES, MAX_ALIGNED_VERTICES, MAX_VERTEX_JOINTS};
use crate::model::{Binding, SkeletalMotion, u32_or_max};
use crate::pose::{FrameBlend, Pose, PosedSurface, Sampling, sample, sample_joints};

/// Number of further passes, in which each bone is also aligned with the bones that follow it in the first pass.
const ROUNDS: usize = 20;
/// Weight of a bone's first-frame transform; a shared vertex has weight 1. Stabilises bones with few shared vertices.
const PRIOR: f64 = 1e-5;

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
        for surface in part.surfaces() {
            if let (Some(bound), Some(binding)) = (surfaces.get_mut(surface), motion.bindings.get(surface)) {
                *bound = bound_surface(binding, &joints, &normals, is_bound);
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

fn bound_surface(binding: &Binding, joints: &[DAffine3], normals: &[DMat3], as_stored: bool) -> PosedSurface {
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
            normal += *turn * weight.normal.as_dvec3() * bias;
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

/// Returns transforms of the joints for which the offsets of each vertex agree as well as possible. `first` is the
/// start of the search.
pub(crate) fn aligned_joints(motion: &SkeletalMotion, first: &[Affine3A]) -> Vec<DAffine3> {
    let first: Vec<DAffine3> =
        first.iter().map(|joint| Transform::from_affine(joint).unscaled().matrix().as_daffine3()).collect();
    if first.len() > MAX_ALIGNED_BONES {
        return first;
    }
    BoneAlignment::new(motion, first).solved()
}

/// Joint, vertex offset in joint space, weight.
type Share = (usize, DVec3, f64);

struct BoneAlignment {
    vertices: Vec<Vec<Share>>,
    carried: Vec<Vec<usize>>,
    first: Vec<DAffine3>,
    transforms: Vec<DAffine3>,
}

impl BoneAlignment {
    fn new(motion: &SkeletalMotion, first: Vec<DAffine3>) -> Self {
        let all: usize = motion.bindings.iter().map(|binding| binding.vertices.len()).sum();
        let mut vertices = Vec::new();
        for binding in &motion.bindings {
            for vertex in binding.vertices.iter().step_by(all / MAX_ALIGNED_VERTICES + 1) {
                let weights = binding.weights_of(*vertex);
                let shares: Vec<Share> = weights
                    .iter()
                    .filter(|weight| weight.bias > 0.0 && (weight.joint as usize) < first.len())
                    .map(|weight| (weight.joint as usize, weight.offset.as_dvec3(), f64::from(weight.bias)))
                    .take(MAX_VERTEX_JOINTS)
                    .collect();
                if shares.len() > 1 {
                    vertices.push(shares);
                }
            }
        }
        let mut carried = vec![Vec::new(); first.len()];
        for (vertex, shares) in vertices.iter().enumerate() {
            for (joint, ..) in shares {
                if let Some(carried) = carried.get_mut(*joint) {
                    carried.push(vertex);
                }
            }
        }
        Self { vertices, carried, transforms: first.clone(), first }
    }

    fn solved(mut self) -> Vec<DAffine3> {
        // Align one bone after another. The next bone is the one that shares most vertices with aligned bones.
        let mut left: BTreeSet<usize> = (0..self.first.len()).collect();
        let mut is_aligned = vec![false; self.first.len()];
        let mut shared = vec![0_usize; self.first.len()];
        let mut order = Vec::new();
        while let Some(next) = left.iter().copied().max_by_key(|joint| (shared[*joint], self.carried[*joint].len())) {
            left.remove(&next);
            // A bone without shared vertices keeps its transform.
            if shared[next] > 0 {
                self.align(next, &is_aligned);
                order.push(next);
            }
            is_aligned[next] = true;
            for vertex in &self.carried[next] {
                for (joint, ..) in &self.vertices[*vertex] {
                    shared[*joint] += 1;
                }
            }
        }
        for _ in 0..ROUNDS {
            for joint in &order {
                self.align(*joint, &is_aligned);
            }
        }
        self.transforms
    }

    fn align(&mut self, joint: usize, is_aligned: &[bool]) {
        let mut pairs: Vec<(DVec3, DVec3, f64)> = Vec::new();
        let mut neighbour = None;
        for shares in self.carried[joint].iter().filter_map(|vertex| self.vertices.get(*vertex)) {
            let (mut position, mut sum) = (DVec3::ZERO, 0.0);
            for (other, offset, bias) in shares.iter().filter(|(other, ..)| *other != joint && is_aligned[*other]) {
                position += self.transforms[*other].transform_point3(*offset) * *bias;
                sum += bias;
                neighbour = neighbour.or(Some(*other));
            }
            let own = shares.iter().find(|(own, ..)| *own == joint);
            if let (Some((_, offset, bias)), true) = (own, sum > 0.0) {
                pairs.push((*offset, position / sum, bias.min(sum)));
            }
        }
        let Some(neighbour) = neighbour else { return };
        let usual = self.transforms[neighbour] * self.first[neighbour].inverse() * self.first[joint];
        let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        pairs.extend(corners.map(|corner| (corner, usual.transform_point3(corner), PRIOR)));
        let transform = rigid(&pairs);
        if transform.is_finite() {
            self.transforms[joint] = transform;
        }
    }
}

fn rigid(pairs: &[(DVec3, DVec3, f64)]) -> DAffine3 {
    let weight: f64 = pairs.iter().map(|(.., weight)| weight).sum();
    let mean =
        |pick: fn(&(DVec3, DVec3, f64)) -> DVec3| pairs.iter().map(|pair| pick(pair) * pair.2).sum::<DVec3>() / weight;
    let (from, to) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let mut sums = DMat3::ZERO;
    for (a, b, weight) in pairs {
        let (a, b) = (*a - from, (*b - to) * *weight);
        // Outer product a bᵀ, by columns.
        sums += DMat3::from_cols(a * b.x, a * b.y, a * b.z);
    }
    let rotation = rotation_of(&sums);
    DAffine3::from_rotation_translation(rotation, to - rotation * from)
}

/// Computes a rotation by Horn's method: the quaternion is the eigenvector with the largest eigenvalue of a symmetric 4
/// × 4 matrix.
fn rotation_of(sums: &DMat3) -> DQuat {
    let at = |row: usize, column: usize| sums.col(column)[row];
    let (xx, yy, zz) = (at(0, 0), at(1, 1), at(2, 2));
    let (wx, wy, wz) = (at(1, 2) - at(2, 1), at(2, 0) - at(0, 2), at(0, 1) - at(1, 0));
    let (xy, xz, yz) = (at(0, 1) + at(1, 0), at(2, 0) + at(0, 2), at(1, 2) + at(2, 1));
    let [w, x, y, z] = largest_eigenvector(DMat4::from_cols_array_2d(&[
        [xx + yy + zz, wx, wy, wz],
        [wx, xx - yy - zz, xy, xz],
        [wy, xy, yy - xx - zz, yz],
        [wz, xz, yz, zz - xx - yy],
    ]))
    .to_array();
    DQuat::from_xyzw(x, y, z, w).normalize()
}

const SWEEPS: usize = 12;

/// Returns the eigenvector with the largest eigenvalue. Uses the Jacobi eigenvalue algorithm, in which each rotation
/// zeroes one off-diagonal entry.
fn largest_eigenvector(mut matrix: DMat4) -> DVec4 {
    let mut vectors = DMat4::IDENTITY;
    for (p, q) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)].repeat(SWEEPS) {
        let off = matrix.col(q)[p];
        if off.abs() < f64::MIN_POSITIVE {
            continue;
        }
        let slope = (matrix.col(q)[q] - matrix.col(p)[p]) / (2.0 * off);
        let tangent = slope.signum() / (slope.abs() + (slope * slope + 1.0).sqrt());
        let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
        let sine = tangent * cosine;
        let mut turn = DMat4::IDENTITY;
        (turn.col_mut(p)[p], turn.col_mut(q)[q]) = (cosine, cosine);
        (turn.col_mut(p)[q], turn.col_mut(q)[p]) = (-sine, sine);
        matrix = turn.transpose() * matrix * turn;
        vectors *= turn;
    }
    let largest = (0..4).max_by(|a, b| matrix.col(*a)[*a].total_cmp(&matrix.col(*b)[*b])).unwrap_or(0);
    vectors.col(largest)
}
