//! Skinning of vertices with weights.

use fearless_simd::{Level, Simd, dispatch, f32x4};
use glam::{Affine3A, Vec3, Vec3A};

use super::chunk::Chunk;
use super::lanes::{BLOCK, BoundsAccumulator, Columns, Sums, by_component, each, four, write_rows};
use crate::model::{Binding, Bounds, FloatVertex, Weight};

/// Skins vertices with their weights as stored. Vertices without weights are at the origin. Normals are normalised;
/// `part` can keep their original lengths. If `first_turns_normal`, a normal is turned by the joint of the first weight,
/// the only one that has it, whatever the share of this weight.
pub(super) fn skin_vertices(
    binding: &Binding,
    joints: &[Affine3A],
    first_turns_normal: bool,
    part: Chunk<'_>,
) -> Bounds {
    dispatch!(Level::new(), simd => weigh_in(simd, binding, joints, first_turns_normal, part))
}

#[inline(always)]
pub(super) fn weigh_in<S: Simd>(
    simd: S,
    binding: &Binding,
    joints: &[Affine3A],
    first_turns_normal: bool,
    part: Chunk,
) -> Bounds {
    let posed = |_, vertex| weighted_sum(simd, binding, vertex, joints, first_turns_normal);
    skin_in(simd, binding, part, posed, |_, normals| by_component(simd, normals))
}

/// Skins vertices from their bind pose, as ioquake3 does (`tr_model_iqm.c`, `RB_IQMSurfaceAnim`): the weighted sum of
/// the changes of joints since the bind pose transforms the position, and its cofactors transform the normal.
pub(super) fn skin_bind_pose(binding: &Binding, changes: &[Affine3A], part: Chunk<'_>) -> Bounds {
    dispatch!(Level::new(), simd => change_in(simd, binding, changes, part))
}

#[inline(always)]
pub(super) fn change_in<S: Simd>(simd: S, binding: &Binding, changes: &[Affine3A], part: Chunk) -> Bounds {
    let posed = |index, vertex| {
        let [x, y, z, origin] = weighted_change(simd, binding, vertex, changes);
        let Vec3 { x: along_x, y: along_y, z: along_z } = bind_vertex(binding, index).position;
        (x * along_x + y * along_y + z * along_z + origin, [x, y, z])
    };
    let normals = |index: usize, [a, b, c, d]: [[f32x4<S>; 3]; 4]| {
        let [x, y, z] = [
            by_component(simd, [a[0], b[0], c[0], d[0]]),
            by_component(simd, [a[1], b[1], c[1], d[1]]),
            by_component(simd, [a[2], b[2], c[2], d[2]]),
        ];
        let stored = |index| row(simd, bind_vertex(binding, index).normal.into());
        let normal = by_component(simd, each([index, index + 1, index + 2, index + 3], stored));
        let [along_x, along_y, along_z] = [cross(y, z), cross(z, x), cross(x, y)];
        let turned = |axis: usize| along_x[axis] * normal[0] + along_y[axis] * normal[1] + along_z[axis] * normal[2];
        [turned(0), turned(1), turned(2)]
    };
    skin_in(simd, binding, part, posed, normals)
}

/// Skins vertices. `posed` returns the position of a vertex by index and weights, and what `normals` needs for the
/// normals of four vertices from an index on.
#[inline(always)]
fn skin_in<S: Simd, T>(
    simd: S,
    binding: &Binding,
    part: Chunk,
    posed: impl Fn(usize, (u32, u32)) -> (f32x4<S>, T),
    normals_of: impl Fn(usize, [T; 4]) -> Columns<S>,
) -> Bounds {
    let Chunk { first, positions: all_positions, normals, lengths } = part;
    let mut lengths = lengths.chunks_mut(BLOCK);
    let mut reach = BoundsAccumulator::new(simd);
    let mut sums = Sums::new();
    let mut spoilt = four(simd, 0.0);
    let end = first + all_positions.len();
    // Pad the last block with vertices that have no weights, and exclude these from the bounding box.
    let mut spare = [(0, 0); BLOCK];
    let mut last = Bounds::EMPTY;
    Chunk { first, positions: &mut *all_positions, normals, lengths: &mut [] }.each_block(
        #[inline(always)]
        |first, positions, normals| {
            let rest = binding.vertices.get(first..).unwrap_or_default();
            let block = rest.first_chunk().unwrap_or_else(|| {
                spare.iter_mut().zip(rest).for_each(|(to, vertex)| *to = *vertex);
                &spare
            });
            let reach_before = reach;
            let four_vertices = (first..).step_by(4).zip(block.as_chunks().0);
            for (((index, [i, j, k, l]), to), sum) in four_vertices.zip(positions.as_chunks_mut().0).zip(sums.each()) {
                let numbered = [(index, *i), (index + 1, *j), (index + 2, *k), (index + 3, *l)];
                let [(a, e), (b, f), (c, g), (d, h)] = each(numbered, |(index, vertex)| posed(index, vertex));
                spoilt += (a + b + c + d) * 0.0;
                let rows = [simd.combine_f32x4(a, b), simd.combine_f32x4(c, d)];
                reach.add(rows);
                write_rows(simd, rows, to);
                sum.keep(simd, normals_of(index, [e, f, g, h]));
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
fn weighted_sum<S: Simd>(
    simd: S,
    binding: &Binding,
    vertex: (u32, u32),
    joints: &[Affine3A],
    first_turns_normal: bool,
) -> (f32x4<S>, f32x4<S>) {
    let (mut point, mut normal) = (four(simd, 0.0), four(simd, 0.0));
    for Weight { joint, bias, offset, normal: direction } in binding.weights_of(vertex) {
        // Without a skeleton, weights are in model space.
        let Affine3A { matrix3: axes, translation } = joints.get(*joint as usize).unwrap_or(&Affine3A::IDENTITY);
        let [x, y, z] = [row(simd, axes.x_axis), row(simd, axes.y_axis), row(simd, axes.z_axis)];
        point += (x * offset.x + y * offset.y + z * offset.z + row(simd, *translation)) * *bias;
        let share = if first_turns_normal { 1.0 } else { *bias };
        normal += (x * direction.x + y * direction.y + z * direction.z) * share;
    }
    (point, normal)
}

/// Returns the columns of the weighted sum of the changes.
#[inline(always)]
fn weighted_change<S: Simd>(simd: S, binding: &Binding, vertex: (u32, u32), changes: &[Affine3A]) -> [f32x4<S>; 4] {
    let mut sum = [four(simd, 0.0); 4];
    for weight in binding.weights_of(vertex) {
        let Affine3A { matrix3: axes, translation } = changes.get(weight.joint as usize).unwrap_or(&Affine3A::IDENTITY);
        let [x, y, z, origin] =
            [row(simd, axes.x_axis), row(simd, axes.y_axis), row(simd, axes.z_axis), row(simd, *translation)];
        let bias = weight.bias;
        sum = [sum[0] + x * bias, sum[1] + y * bias, sum[2] + z * bias, sum[3] + origin * bias];
    }
    sum
}

#[inline(always)]
fn bind_vertex(binding: &Binding, index: usize) -> FloatVertex {
    binding.bind.get(index).copied().unwrap_or(FloatVertex { position: Vec3::ZERO, normal: Vec3::Z })
}

#[inline(always)]
fn cross<S: Simd>(a: Columns<S>, b: Columns<S>) -> Columns<S> {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

#[inline(always)]
fn row<S: Simd>(simd: S, vector: Vec3A) -> f32x4<S> {
    simd.load_array_f32x4(vector.extend(0.0).to_array())
}
