//! Decoding of packed vertices, four at a time.

use fearless_simd::{Simd, f32x8};
use glam::Vec3;

use super::lanes::{BLOCK, Columns, Rows, each};
use super::normal_table::{NormalLut, SinCosTable};
use crate::model::{ByteFrame, FloatVertex, ShortVertex, is_usable};

/// Units per step of an MDC delta. The byte [`DELTA_BIAS`] encodes offset 0.
const DELTA_STEP: f32 = 0.05;
const DELTA_BIAS: f32 = 127.0;
/// Units per step of a 16-bit coordinate.
pub(super) const SHORT_STEP: f32 = 1.0 / 64.0;

pub(super) trait Packing: Copy + Sync {
    type Vertex: Copy + Default + Sync;
    /// Units per step of [`Packing::positions`].
    const STEP: f32;
    fn positions<S: Simd>(self, simd: S, vertices: &[Self::Vertex; 4]) -> Rows<S>;
    fn normals<S: Simd>(self, simd: S, vertices: &[Self::Vertex; 4]) -> Columns<S>;

    /// Returns whether all possible positions are finite.
    fn is_bounded(self) -> bool {
        true
    }
}

#[derive(Clone, Copy)]
pub(super) struct Bytes {
    scale: [f32; 8],
    translate: [f32; 8],
    normals: &'static NormalLut,
}

impl Bytes {
    pub fn new(frame: ByteFrame) -> Self {
        let twice = |Vec3 { x, y, z }| [x, y, z, 0.0, x, y, z, 0.0];
        Self { scale: twice(frame.scale), translate: twice(frame.translate), normals: NormalLut::of_md2() }
    }
}

impl Packing for Bytes {
    type Vertex = [u8; 4];
    const STEP: f32 = 1.0;

    #[inline(always)]
    fn positions<S: Simd>(self, simd: S, [a, b, c, d]: &[[u8; 4]; 4]) -> Rows<S> {
        let (scale, translate) = (simd.load_array_f32x8(self.scale), simd.load_array_f32x8(self.translate));
        [bytes(simd, a, b) * scale + translate, bytes(simd, c, d) * scale + translate]
    }

    #[inline(always)]
    fn normals<S: Simd>(self, simd: S, vertices: &[[u8; 4]; 4]) -> Columns<S> {
        self.normals.normals(
            simd,
            each(
                *vertices,
                #[inline(always)]
                |[.., normal]| normal,
            ),
        )
    }

    fn is_bounded(self) -> bool {
        self.scale.iter().chain(&self.translate).all(|number| is_usable(*number))
    }
}

#[derive(Clone, Copy)]
pub(super) struct Shorts(&'static SinCosTable);

impl Shorts {
    pub fn new() -> Self {
        Self(SinCosTable::get())
    }
}

impl Packing for Shorts {
    type Vertex = ShortVertex;
    const STEP: f32 = SHORT_STEP;

    #[inline(always)]
    fn positions<S: Simd>(self, simd: S, [a, b, c, d]: &[ShortVertex; 4]) -> Rows<S> {
        [shorts(simd, a, b), shorts(simd, c, d)]
    }

    #[inline(always)]
    fn normals<S: Simd>(self, simd: S, vertices: &[ShortVertex; 4]) -> Columns<S> {
        self.0.normals(
            simd,
            each(
                *vertices,
                #[inline(always)]
                |vertex| vertex.normal,
            ),
        )
    }
}

#[derive(Clone, Copy)]
pub(super) struct Floats;

impl Packing for Floats {
    type Vertex = FloatVertex;
    const STEP: f32 = 1.0;

    #[inline(always)]
    fn positions<S: Simd>(self, simd: S, [a, b, c, d]: &[FloatVertex; 4]) -> Rows<S> {
        let two = |a: &FloatVertex, b: &FloatVertex| {
            let ([x, y, z], [u, v, w]) = (a.position.to_array(), b.position.to_array());
            simd.load_array_f32x8([x, y, z, 0.0, u, v, w, 0.0])
        };
        [two(a, b), two(c, d)]
    }

    #[inline(always)]
    fn normals<S: Simd>(self, simd: S, [a, b, c, d]: &[FloatVertex; 4]) -> Columns<S> {
        let along = |axis: usize| simd.load_array_f32x4([a, b, c, d].map(|vertex| vertex.normal[axis]));
        [along(0), along(1), along(2)]
    }

    fn is_bounded(self) -> bool {
        false
    }
}

#[derive(Clone, Copy)]
pub(super) struct Deltas(&'static NormalLut);

impl Deltas {
    pub fn new() -> Self {
        Self(NormalLut::of_rings())
    }
}

impl Packing for Deltas {
    type Vertex = (ShortVertex, [u8; 4]);
    const STEP: f32 = 1.0;

    #[inline(always)]
    fn positions<S: Simd>(self, simd: S, [a, b, c, d]: &[(ShortVertex, [u8; 4]); 4]) -> Rows<S> {
        let two = |(a, c): &(ShortVertex, [u8; 4]), (b, d): &(ShortVertex, [u8; 4])| {
            let offset = (bytes(simd, c, d) - simd.splat_f32x8(DELTA_BIAS)) * DELTA_STEP;
            shorts(simd, a, b) * SHORT_STEP + offset
        };
        [two(a, b), two(c, d)]
    }

    #[inline(always)]
    fn normals<S: Simd>(self, simd: S, vertices: &[(ShortVertex, [u8; 4]); 4]) -> Columns<S> {
        self.0.normals(
            simd,
            each(
                *vertices,
                #[inline(always)]
                |(_, [.., normal])| normal,
            ),
        )
    }
}

#[inline(always)]
fn shorts<S: Simd>(simd: S, a: &ShortVertex, b: &ShortVertex) -> f32x8<S> {
    let whole = |ShortVertex { position: [x, y, z], normal }: &ShortVertex| {
        simd.load_array_i32x4(each([*x, *y, *z, normal.cast_signed()], i32::from))
    };
    simd.cvt_f32_i32x8(simd.combine_i32x4(whole(a), whole(b)))
}

#[inline(always)]
fn bytes<S: Simd>(simd: S, a: &[u8; 4], b: &[u8; 4]) -> f32x8<S> {
    let whole = |vertex: &[u8; 4]| simd.load_array_i32x4(each(*vertex, i32::from));
    simd.cvt_f32_i32x8(simd.combine_i32x4(whole(a), whole(b)))
}

pub(super) trait StoredVertices<V>: Copy + Sync {
    /// Returns a block of vertices. Beyond the end, the last vertex is repeated.
    fn block<'a>(&'a self, first: usize, spare: &'a mut [V; BLOCK]) -> &'a [V; BLOCK];
}

#[derive(Clone, Copy)]
pub(super) struct VertexSelection<'a, V> {
    pub vertices: &'a [V],
    pub remap: Option<&'a [u32]>,
}

impl<V: Copy + Default> VertexSelection<'_, V> {
    fn at(&self, index: usize) -> V {
        let stored = match self.remap {
            Some(remap) => remap.get(index).or(remap.last()).map_or(0, |stored| *stored as usize),
            None => index,
        };
        self.vertices.get(stored).or(self.vertices.last()).copied().unwrap_or_default()
    }
}

impl<V: Copy + Default + Sync> StoredVertices<V> for VertexSelection<'_, V> {
    #[inline(always)]
    fn block<'a>(&'a self, first: usize, spare: &'a mut [V; BLOCK]) -> &'a [V; BLOCK] {
        fn whole<T>(list: &[T], first: usize) -> Option<&[T; BLOCK]> {
            list.get(first..).and_then(<[T]>::first_chunk)
        }
        match (self.remap, self.remap.and_then(|remap| whole(remap, first)), whole(self.vertices, first)) {
            (None, _, Some(block)) => return block,
            (_, Some(remap), _) => {
                for (vertex, stored) in spare.iter_mut().zip(remap) {
                    *vertex = self.vertices.get(*stored as usize).copied().unwrap_or_default();
                }
            }
            _ => {
                for (index, vertex) in (first..).zip(spare.iter_mut()) {
                    *vertex = self.at(index);
                }
            }
        }
        spare
    }
}

impl<A: Copy + Default + Sync, B: Copy + Default + Sync> StoredVertices<(A, B)>
    for (VertexSelection<'_, A>, VertexSelection<'_, B>)
{
    #[inline(always)]
    fn block<'a>(&'a self, first: usize, spare: &'a mut [(A, B); BLOCK]) -> &'a [(A, B); BLOCK] {
        let (mut spare_a, mut spare_b) = ([A::default(); BLOCK], [B::default(); BLOCK]);
        let (a, b) = (self.0.block(first, &mut spare_a), self.1.block(first, &mut spare_b));
        for ((vertex, a), b) in spare.iter_mut().zip(a).zip(b) {
            *vertex = (*a, *b);
        }
        spare
    }
}
