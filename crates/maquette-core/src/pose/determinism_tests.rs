//! Tests that every instruction set computes identical bits.

use fearless_simd::{Fallback, Level, Simd, dispatch};
use glam::{Affine3A, Quat, Vec3};

use super::PosedSurface;
use super::chunk::Chunk;
use super::packing::{Bytes, Deltas, Packing, Shorts, StoredVertices, VertexSelection};
use super::skin_vertices::{change_in, weigh_in};
use super::vertex_lerp::{Frame, between_in, single_in};
use crate::model::{Binding, Bounds, ByteFrame, FloatVertex, ShortVertex, Weight};

const VERTICES: usize = 70;

struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 32) as u32
    }

    fn unit(&mut self) -> f32 {
        f32::from(self.next().to_le_bytes()[3]) / 128.0 - 1.0
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.unit(), self.unit(), self.unit())
    }

    fn short_vertex(&mut self) -> ShortVertex {
        let mut short = || i16::from_le_bytes([self.next().to_le_bytes()[3], self.next().to_le_bytes()[3]]);
        ShortVertex { position: [short(), short(), short()], normal: short().cast_unsigned() }
    }

    fn byte_vertex(&mut self) -> [u8; 4] {
        self.next().to_le_bytes().map(|byte| byte % 162)
    }

    fn list<T>(&mut self, count: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..count).map(|_| make(self)).collect()
    }
}

fn posed(pose: impl FnOnce(Chunk<'_>) -> Bounds) -> Vec<u32> {
    let mut surface = PosedSurface::default();
    surface.resize(VERTICES, true);
    let bounds = pose(Chunk::whole(&mut surface));
    let vectors = surface.positions.iter().chain(&surface.normals).chain([&bounds.min, &bounds.max]);
    vectors.flat_map(|vector| vector.to_array()).chain(surface.normal_lengths.clone()).map(f32::to_bits).collect()
}

fn morphed<S: Simd, P: Packing>(
    simd: S,
    [a, b]: [P; 2],
    [from, to]: [impl StoredVertices<P::Vertex>; 2],
) -> impl Iterator<Item = u32> {
    let whole = posed(|part| simd.vectorize(|| single_in(simd, Frame { packing: a, stored: from }, part)));
    let between = [0.1, 0.5, 0.77].map(|t| {
        let (from, to) = (Frame { packing: a, stored: from }, Frame { packing: b, stored: to });
        posed(|part| simd.vectorize(|| between_in(simd, from, to, t, part)))
    });
    whole.into_iter().chain(between.into_iter().flatten())
}

fn all<S: Simd>(simd: S) -> Vec<u32> {
    let mut numbers = Numbers(1);
    let shorts = [(); 2].map(|()| numbers.list(VERTICES, Numbers::short_vertex));
    let bytes = [(); 2].map(|()| numbers.list(VERTICES, Numbers::byte_vertex));
    let frames = [(); 2].map(|()| Bytes::new(ByteFrame { scale: numbers.vector(), translate: numbers.vector() }));
    let shorts = shorts.each_ref().map(|vertices| VertexSelection { vertices, remap: None });
    let bytes = bytes.each_ref().map(|vertices| VertexSelection { vertices, remap: None });
    let deltas = [(shorts[0], bytes[0]), (shorts[1], bytes[1])];
    let weight = |numbers: &mut Numbers| Weight {
        joint: numbers.next() % 4,
        bias: numbers.unit(),
        offset: numbers.vector(),
        normal: numbers.vector(),
    };
    let weights = numbers.list(3 * VERTICES, weight);
    let binding = Binding {
        vertices: (0..).step_by(3).zip(std::iter::repeat(3)).take(VERTICES).collect(),
        weights,
        bind: numbers.list(VERTICES, |numbers| FloatVertex { position: numbers.vector(), normal: numbers.vector() }),
    };
    let joint = |numbers: &mut Numbers| {
        let turned = Quat::from_xyzw(numbers.unit(), numbers.unit(), numbers.unit(), 1.0).normalize();
        Affine3A::from_rotation_translation(turned, numbers.vector())
    };
    let joints = numbers.list(4, joint);
    morphed(simd, frames, bytes)
        .chain(morphed(simd, [Shorts::new(); 2], shorts))
        .chain(morphed(simd, [Deltas::new(); 2], deltas))
        .chain(posed(|part| simd.vectorize(|| weigh_in(simd, &binding, &joints, false, part))))
        .chain(posed(|part| simd.vectorize(|| change_in(simd, &binding, &joints, part))))
        .collect()
}

#[test]
fn all_instruction_sets_give_identical_bits() {
    let plain = all(Fallback::new());
    assert!(dispatch!(Level::new(), simd => all(simd)) == plain);
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let Some(older) = Level::new().as_sse4_2() {
        assert!(all(older) == plain);
    }
}
