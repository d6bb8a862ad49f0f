//! Bind pose of bones without a stored one (MDR): each weight has an offset in the space of its bone, but the bones'
//! transforms at binding time are unknown. Bones that share vertices are aligned until their offsets agree (least
//! squares: B. Horn, *Closed-form solution of absolute orientation using unit quaternions*, 1987).

use std::collections::BTreeSet;

use glam::{Affine3A, DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4};

use crate::limits::{MAX_ALIGNED_BONES, MAX_ALIGNED_VERTICES, MAX_VERTEX_JOINTS};
use crate::model::LocalTransform;
use crate::model::SkeletalMotion;

/// Number of further passes, in which each bone is also aligned with the bones that follow it in the first pass.
const ROUNDS: usize = 20;
/// Weight of a bone's first-frame transform; a shared vertex has weight 1. Stabilises bones with few shared vertices.
const PRIOR: f64 = 1e-5;

/// Returns transforms of the joints for which the offsets of each vertex agree as well as possible. `first` is the
/// start of the search.
pub(crate) fn aligned_joints(motion: &SkeletalMotion, first: &[Affine3A]) -> Vec<DAffine3> {
    let first: Vec<DAffine3> =
        first.iter().map(|joint| LocalTransform::from_affine(joint).unscaled().matrix().as_daffine3()).collect();
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
