//! Skinning of vertices with weights.

use fearless_simd::{Level, Simd, dispatch, f32x4};
use glam::{Affine3A, Vec3, Vec3A};

use super::chunk::Chunk;
use super::lanes::{BLOCK, BoundsAccumulator, Sums, by_component, each, four, write_rows};
use crate::model::{Binding, Bounds, Weight};

/// Skins vertices with their weights as stored. Vertices without weights are at the origin. Normals are normalised;
/// `part` can keep their original lengths.
pub(super) fn skin_vertices(binding: &Binding, joints: &[Affine3A], part: Chunk<'_>) -> Bounds {
    dispatch!(Level::new(), simd => weigh_in(simd, binding, joints, part))
}

#[inline(always)]
pub(super) fn weigh_in<S: Simd>(simd: S, binding: &Binding, joints: &[Affine3A], part: Chunk) -> Bounds {
    let Chunk { first, positions: all_positions, normals, lengths } = part;
    let mut lengths = lengths.chunks_mut(BLOCK);
    let mut reach = BoundsAccumulator::new(simd);
    let mut sums = Sums::new();
    let mut spoilt = four(simd, 0.0);
    let end = first + all_positions.len();
    // Pad the last block with vertices that have no weights, and exclude these from the bounding box.
    let mut spare = [(0, 0); BLOCK];
    let mut last = Bounds::EMPTY;
    let sum_of = |vertex| weighted_sum(simd, binding, vertex, joints);
    Chunk { first, positions: &mut *all_positions, normals, lengths: &mut [] }.each_block(
        #[inline(always)]
        |first, positions, normals| {
            let rest = binding.vertices.get(first..).unwrap_or_default();
            let block = rest.first_chunk().unwrap_or_else(|| {
                spare.iter_mut().zip(rest).for_each(|(to, vertex)| *to = *vertex);
                &spare
            });
            let reach_before = reach;
            for ((vertices, to), sum) in block.as_chunks().0.iter().zip(positions.as_chunks_mut().0).zip(sums.each()) {
                let [(a, e), (b, f), (c, g), (d, h)] = each(*vertices, sum_of);
                spoilt += (a + b + c + d) * 0.0;
                let rows = [simd.combine_f32x4(a, b), simd.combine_f32x4(c, d)];
                reach.add(rows);
                write_rows(simd, rows, to);
                sum.keep(simd, by_component(simd, [e, f, g, h]));
            }
            if let Some(positions) = positions.get(..end - first).filter(|shown| shown.len() < BLOCK) {
                reach = reach_before;
                sums.leave_out(positions.len());
                last = Bounds::from_points(positions.iter().map(|position| *position + Vec3::ZERO));
            }
            if !sums.write_unit(simd, normals) {
                for (normal, length) in normals.iter_mut().zip(sums.lengths()) {
                    *normal = if Sums::has_length(*length) { *normal } else { Vec3::Z };
                }
            }
            for (to, length) in lengths.next().unwrap_or_default().iter_mut().zip(sums.lengths()) {
                *to = *length;
            }
        },
    );
    let is_finite = simd.as_array_f32x4(spoilt) == [0.0; 4];
    if is_finite { reach.bounds(simd).union(last) } else { Bounds::from_points(all_positions.iter().copied()) }
}

/// Returns the position of a single vertex, an element of `binding.vertices`.
pub(super) fn skinned_position(binding: &Binding, vertex: (u32, u32), joints: &[Affine3A]) -> Vec3 {
    let moved = binding.weights_of(vertex).iter().map(|weight| {
        let joint = joints.get(weight.joint as usize).unwrap_or(&Affine3A::IDENTITY);
        joint.transform_point3(weight.offset) * weight.bias
    });
    moved.sum()
}

#[inline(always)]
fn weighted_sum<S: Simd>(simd: S, binding: &Binding, vertex: (u32, u32), joints: &[Affine3A]) -> (f32x4<S>, f32x4<S>) {
    let (mut point, mut normal) = (four(simd, 0.0), four(simd, 0.0));
    for Weight { joint, bias, offset, normal: direction } in binding.weights_of(vertex) {
        // Without a skeleton, weights are in model space.
        let Affine3A { matrix3: axes, translation } = joints.get(*joint as usize).unwrap_or(&Affine3A::IDENTITY);
        let [x, y, z] = [row(simd, axes.x_axis), row(simd, axes.y_axis), row(simd, axes.z_axis)];
        point += (x * offset.x + y * offset.y + z * offset.z + row(simd, *translation)) * *bias;
        normal += (x * direction.x + y * direction.y + z * direction.z) * *bias;
    }
    (point, normal)
}

#[inline(always)]
pub(super) fn row<S: Simd>(simd: S, vector: Vec3A) -> f32x4<S> {
    simd.load_array_f32x4(vector.extend(0.0).to_array())
}
