//! Vertex lerp: decodes and blends packed frames in blocks of vertices.

use fearless_simd::{Level, Simd, dispatch};
use glam::Vec3;

use super::chunk::Chunk;
use super::lanes::{BLOCK, BoundsAccumulator, Columns, Sums, four, write_columns, write_rows};
use super::packing::{Packing, StoredVertices};
use crate::model::Bounds;

pub(super) struct Frame<P, F> {
    pub packing: P,
    pub stored: F,
}

pub(super) fn single<P: Packing>(frame: Frame<P, impl StoredVertices<P::Vertex>>, part: Chunk<'_>) -> Bounds {
    dispatch!(Level::new(), simd => single_in(simd, frame, part))
}

/// Blends positions linearly and normals as unit vectors. Normals that cancel out are taken from `from`.
pub(super) fn between<A: Packing, B: Packing>(
    from: Frame<A, impl StoredVertices<A::Vertex>>,
    to: Frame<B, impl StoredVertices<B::Vertex>>,
    t: f32,
    part: Chunk<'_>,
) -> Bounds {
    dispatch!(Level::new(), simd => between_in(simd, from, to, t, part))
}

#[inline(always)]
pub(super) fn single_in<S: Simd, P: Packing>(
    simd: S,
    frame: Frame<P, impl StoredVertices<P::Vertex>>,
    part: Chunk,
) -> Bounds {
    let Frame { packing, stored } = frame;
    let mut reach = BoundsAccumulator::new(simd);
    let mut spare = [P::Vertex::default(); BLOCK];
    let Chunk { first, positions: all_positions, normals, .. } = part;
    Chunk { first, positions: &mut *all_positions, normals, lengths: &mut [] }.each_block(
        #[inline(always)]
        |first, positions, normals| {
            let block = stored.block(first, &mut spare).as_chunks::<4>().0;
            let parts = block.iter().zip(positions.as_chunks_mut().0).zip(normals.as_chunks_mut().0);
            for ((vertices, position), normal) in parts {
                let [low, high] = packing.positions(simd, vertices);
                let rows = [low * P::STEP, high * P::STEP];
                reach.add(rows);
                write_rows(simd, rows, position);
                write_columns(simd, packing.normals(simd, vertices), normal);
            }
        },
    );
    if packing.is_bounded() { reach.bounds(simd) } else { Bounds::from_points(all_positions.iter().copied()) }
}

#[inline(always)]
pub(super) fn between_in<S: Simd, A: Packing, B: Packing>(
    simd: S,
    from: Frame<A, impl StoredVertices<A::Vertex>>,
    to: Frame<B, impl StoredVertices<B::Vertex>>,
    t: f32,
    part: Chunk,
) -> Bounds {
    let (Frame { packing: from, stored: from_stored }, Frame { packing: to, stored: to_stored }) = (from, to);
    let (share, other_share) = (four(simd, 1.0 - t), four(simd, t));
    let (steps, other_steps) = (simd.splat_f32x8((1.0 - t) * A::STEP), simd.splat_f32x8(t * B::STEP));
    let mut reach = BoundsAccumulator::new(simd);
    let mut sums = Sums::new();
    let (mut spare, mut other_spare) = ([A::Vertex::default(); BLOCK], [B::Vertex::default(); BLOCK]);
    let Chunk { first, positions: all_positions, normals, .. } = part;
    Chunk { first, positions: &mut *all_positions, normals, lengths: &mut [] }.each_block(
        #[inline(always)]
        |first, positions, normals| {
            let block = from_stored.block(first, &mut spare).as_chunks::<4>().0;
            let other_block = to_stored.block(first, &mut other_spare).as_chunks::<4>().0;
            let parts = block.iter().zip(other_block).zip(positions.as_chunks_mut().0).zip(sums.each());
            for (((vertices, other_vertices), out), sum) in parts {
                let ([a, b], [c, d]) = (from.positions(simd, vertices), to.positions(simd, other_vertices));
                let rows = [a * steps + c * other_steps, b * steps + d * other_steps];
                reach.add(rows);
                write_rows(simd, rows, out);
                let ([ax, ay, az], [bx, by, bz]) = (from.normals(simd, vertices), to.normals(simd, other_vertices));
                let lerp = |a, b| a * share + b * other_share;
                sum.keep(simd, [lerp(ax, bx), lerp(ay, by), lerp(az, bz)]);
            }
            if !sums.write_unit(simd, normals) {
                for (vertices, (lengths, out)) in
                    block.iter().zip(sums.lengths().as_chunks().0.iter().zip(normals.as_chunks_mut().0))
                {
                    keep_own(simd, from.normals(simd, vertices), lengths, out);
                }
            }
        },
    );
    let is_bounded = from.is_bounded() && to.is_bounded();
    if is_bounded { reach.bounds(simd) } else { Bounds::from_points(all_positions.iter().copied()) }
}

#[inline(never)]
fn keep_own<S: Simd>(simd: S, own: Columns<S>, lengths: &[f32; 4], to: &mut [Vec3; 4]) {
    let mut normals = [Vec3::ZERO; 4];
    write_columns(simd, own, &mut normals);
    for ((to, normal), length) in to.iter_mut().zip(normals).zip(lengths) {
        if !Sums::has_length(*length) {
            *to = normal;
        }
    }
}
