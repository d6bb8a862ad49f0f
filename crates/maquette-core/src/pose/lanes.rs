//! SIMD arithmetic on four vertices at a time.
//!
//! The code is compiled for each instruction set that the processor may support (`fearless_simd`). It uses only
//! operations that IEEE 754 defines exactly, and no fused ones, so every processor and every number of threads computes
//! identical numbers.

use fearless_simd::{Simd, SimdFloat, f32x4, f32x8};
use glam::Vec3;

use crate::model::Bounds;

/// Vertices that are processed together, so that square roots and divisions of different vertices overlap.
pub(super) const BLOCK: usize = 32;

/// Four vectors by component: all x, all y, all z.
pub(super) type Columns<S> = [f32x4<S>; 3];

/// Four vectors in sequence, two per element; the fourth component is unused.
pub(super) type Rows<S> = [f32x8<S>; 2];

/// Applies `work` to each of four values. `array::map` is not always inlined, and a call would lose the instruction
/// set.
#[inline(always)]
pub(super) fn each<T, U>([a, b, c, d]: [T; 4], work: impl Fn(T) -> U) -> [U; 4] {
    [work(a), work(b), work(c), work(d)]
}

#[inline(always)]
pub(super) fn four<S: Simd>(simd: S, number: f32) -> f32x4<S> {
    simd.splat_f32x4(number)
}

#[inline(always)]
pub(super) fn by_component<S: Simd>(simd: S, [a, b, c, d]: [f32x4<S>; 4]) -> Columns<S> {
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

#[inline(always)]
pub(super) fn write_rows<S: Simd>(simd: S, [low, high]: Rows<S>, to: &mut [Vec3; 4]) {
    let ([a, b, c, _, d, e, f, _], [g, h, i, _, j, k, l, _]) = (simd.as_array_f32x8(low), simd.as_array_f32x8(high));
    *to = [Vec3::new(a, b, c), Vec3::new(d, e, f), Vec3::new(g, h, i), Vec3::new(j, k, l)];
}

#[inline(always)]
pub(super) fn write_columns<S: Simd>(simd: S, [x, y, z]: Columns<S>, to: &mut [Vec3; 4]) {
    let [x, y, z] = [simd.as_array_f32x4(x), simd.as_array_f32x4(y), simd.as_array_f32x4(z)];
    *to = [
        Vec3::new(x[0], y[0], z[0]),
        Vec3::new(x[1], y[1], z[1]),
        Vec3::new(x[2], y[2], z[2]),
        Vec3::new(x[3], y[3], z[3]),
    ];
}

#[derive(Clone, Copy)]
pub(super) struct BoundsAccumulator<S: Simd> {
    least: f32x8<S>,
    greatest: f32x8<S>,
}

impl<S: Simd> BoundsAccumulator<S> {
    #[inline(always)]
    pub fn new(simd: S) -> Self {
        Self { least: simd.splat_f32x8(f32::INFINITY), greatest: simd.splat_f32x8(f32::NEG_INFINITY) }
    }

    /// Adds four positions, which must be finite.
    #[inline(always)]
    pub fn add(&mut self, [low, high]: Rows<S>) {
        self.least = self.least.min(low.min(high));
        self.greatest = self.greatest.max(low.max(high));
    }

    #[inline(always)]
    pub fn bounds(self, simd: S) -> Bounds {
        let two = |row: f32x8<S>| {
            let [a, b, c, _, d, e, f, _] = simd.as_array_f32x8(row);
            // Instruction sets differ in the order of 0 and −0; adding zero makes both 0.
            [Vec3::new(a, b, c) + Vec3::ZERO, Vec3::new(d, e, f) + Vec3::ZERO]
        };
        let ([a, b], [c, d]) = (two(self.least), two(self.greatest));
        Bounds { min: a.min(b), max: c.max(d) }
    }
}

pub(super) struct Sums {
    columns: [[[f32; 4]; 3]; BLOCK / 4],
    lengths: [[f32; 4]; BLOCK / 4],
}

impl Sums {
    pub const fn new() -> Self {
        Self { columns: [[[0.0; 4]; 3]; BLOCK / 4], lengths: [[0.0; 4]; BLOCK / 4] }
    }

    #[inline(always)]
    pub fn each(&mut self) -> impl Iterator<Item = Sum<'_>> {
        self.columns.iter_mut().zip(&mut self.lengths).map(|(columns, squares)| Sum { columns, squares })
    }

    #[inline(always)]
    pub fn leave_out(&mut self, from: usize) {
        self.lengths.as_flattened_mut().iter_mut().skip(from).for_each(|square| *square = 1.0);
    }

    #[inline(always)]
    pub fn write_unit<S: Simd>(&mut self, simd: S, to: &mut [Vec3; BLOCK]) -> bool {
        let mut least = four(simd, f32::INFINITY);
        let mut spoilt = four(simd, 0.0);
        let mut shares = [[0.0; 4]; BLOCK / 4];
        for (lengths, shares) in self.lengths.iter_mut().zip(&mut shares) {
            let square = simd.load_array_f32x4(*lengths);
            least = least.min(square);
            spoilt += square * 0.0;
            let length = square.sqrt();
            *lengths = simd.as_array_f32x4(length);
            *shares = simd.as_array_f32x4(four(simd, 1.0) / length);
        }
        for ((columns, share), to) in self.columns.iter().zip(&shares).zip(to.as_chunks_mut().0) {
            let share = simd.load_array_f32x4(*share);
            let [x, y, z] = *columns;
            let unit =
                [simd.load_array_f32x4(x) * share, simd.load_array_f32x4(y) * share, simd.load_array_f32x4(z) * share];
            write_columns(simd, unit, to);
        }
        let sound = least.simd_ge(four(simd, f32::MIN_POSITIVE)) & spoilt.simd_eq(four(simd, 0.0));
        simd.all_true_mask32x4(sound)
    }

    pub fn lengths(&self) -> &[f32] {
        self.lengths.as_flattened()
    }

    pub fn has_length(length: f32) -> bool {
        length.is_finite() && length * length >= f32::MIN_POSITIVE
    }
}

pub(super) struct Sum<'a> {
    columns: &'a mut [[f32; 4]; 3],
    squares: &'a mut [f32; 4],
}

impl Sum<'_> {
    #[inline(always)]
    pub fn keep<S: Simd>(self, simd: S, sums: Columns<S>) {
        let [x, y, z] = sums;
        *self.columns = [simd.as_array_f32x4(x), simd.as_array_f32x4(y), simd.as_array_f32x4(z)];
        *self.squares = simd.as_array_f32x4(x * x + y * y + z * z);
    }
}
