//! Skinning: every vertex is the sum of its places in its joints' spaces, by weight.

use fearless_simd::{Level, Simd, dispatch, f32x4};
use glam::{Affine3A, Vec3, Vec3A};

use super::lanes::{BLOCK, Columns, Reach, Rows, Sums, write_rows};
use super::part::Part;
use crate::model::{Binding, Bounds, Weight};

/// Places every vertex: the sum of its places in its joints' spaces, by weight, as stored. One without weights stands at
/// the origin. Its normal turns with the same joints and is brought back to unit length; how long it was may be kept.
pub(super) fn weigh(binding: &Binding, joints: &[Affine3A], part: Part<'_>) -> Bounds {
    dispatch!(Level::new(), simd => weigh_in(simd, binding, joints, part))
}

#[inline(always)]
fn weigh_in<S: Simd>(simd: S, binding: &Binding, joints: &[Affine3A], part: Part) -> Bounds {
    let Part { first, positions: all_positions, normals, lengths } = part;
    let mut lengths = lengths.chunks_mut(BLOCK);
    let mut reach = Reach::new(simd);
    let mut sums = Sums::new();
    let mut is_finite = true;
    Part { first, positions: &mut *all_positions, normals, lengths: &mut [] }.each_block(
        #[inline(always)]
        |first, positions, normals| {
            let vertices = binding.vertices.get(first..).unwrap_or_default();
            // What lies beyond the last vertex is the last again.
            let last = vertices.last().copied().unwrap_or_default();
            let mut vertices = vertices.iter().copied().chain(std::iter::repeat(last));
            let mut spoilt = Vec3A::ZERO;
            for (to, sum) in positions.as_chunks_mut().0.iter_mut().zip(sums.each()) {
                let mut next = || {
                    let (first, count) = vertices.next().unwrap_or(last);
                    let weights = binding.weights.get(first as usize..first as usize + count as usize);
                    let (place, normal) = vertex(weights.unwrap_or_default(), joints);
                    spoilt += place * 0.0;
                    (row(simd, place), row(simd, normal))
                };
                let [(a, e), (b, f), (c, g), (d, h)] = [next(), next(), next(), next()];
                reach.add([a, b, c, d]);
                write_rows(simd, [a, b, c, d], to);
                sum.keep(simd, columns(simd, [e, f, g, h]));
            }
            is_finite &= spoilt == Vec3A::ZERO;
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
    if is_finite { reach.bounds(simd) } else { Bounds::of(all_positions.iter().copied()) }
}

/// Place and normal of a vertex, the latter of any length.
#[inline(always)]
fn vertex(weights: &[Weight], joints: &[Affine3A]) -> (Vec3A, Vec3A) {
    let (mut position, mut normal) = (Vec3A::ZERO, Vec3A::ZERO);
    for weight in weights {
        let Some(joint) = joints.get(weight.joint as usize) else { continue };
        position += joint.transform_point3a(weight.offset.into()) * weight.bias;
        normal += joint.matrix3 * Vec3A::from(weight.normal) * weight.bias;
    }
    (position, normal)
}

#[inline(always)]
fn row<S: Simd>(simd: S, vector: Vec3A) -> f32x4<S> {
    simd.load_array_f32x4(vector.extend(0.0).to_array())
}

/// The same four vectors by component.
#[inline(always)]
fn columns<S: Simd>(simd: S, [a, b, c, d]: Rows<S>) -> Columns<S> {
    let (low, other_low) = (simd.zip_low_f32x4(a, b), simd.zip_low_f32x4(c, d));
    let (high, other_high) = (simd.zip_high_f32x4(a, b), simd.zip_high_f32x4(c, d));
    let wide = |half| simd.reinterpret_f64_f32x4(half);
    let narrow = |wide| simd.reinterpret_f32_f64x2(wide);
    [
        narrow(simd.zip_low_f64x2(wide(low), wide(other_low))),
        narrow(simd.zip_high_f64x2(wide(low), wide(other_low))),
        narrow(simd.zip_low_f64x2(wide(high), wide(other_high))),
    ]
}
