//! Tables of decoded normals, laid out for SIMD access to four at a time.

use std::sync::LazyLock;

use fearless_simd::{Simd, f32x4};
use glam::Vec3;

use super::lanes::{Columns, by_component, each};
use crate::model::packed_normal::{ring_normal, table_normal, zenith_azimuth};

/// Sine and cosine of each zenith, two floats per byte value. Each pair is loaded as the bits of one f64.
pub(super) struct SinCosTable([f64; 256]);

impl SinCosTable {
    pub fn get() -> &'static Self {
        static TURNS: LazyLock<SinCosTable> = LazyLock::new(|| {
            SinCosTable(std::array::from_fn(|zenith| {
                // With azimuth 0, a normal is (sine, 0, cosine) of its zenith.
                let normal = zenith_azimuth(u16::from_le_bytes([u8::try_from(zenith).unwrap_or(0), 0]));
                let [a, b] = [normal.x, normal.z].map(f32::to_ne_bytes);
                f64::from_ne_bytes([a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]])
            }))
        });
        &TURNS
    }

    #[inline(always)]
    fn pairs<S: Simd>(&self, simd: S, bytes: [u8; 4]) -> (f32x4<S>, f32x4<S>) {
        let [a, b, c, d] = each(
            bytes,
            #[inline(always)]
            |byte| self.0[usize::from(byte)],
        );
        let low = simd.reinterpret_f32_f64x2(simd.load_array_f64x2([a, b]));
        let high = simd.reinterpret_f32_f64x2(simd.load_array_f64x2([c, d]));
        (simd.unzip_low_f32x4(low, high), simd.unzip_high_f32x4(low, high))
    }

    #[inline(always)]
    pub fn normals<S: Simd>(&self, simd: S, normals: [u16; 4]) -> Columns<S> {
        let zenith = each(
            normals,
            #[inline(always)]
            |normal| normal.to_le_bytes()[0],
        );
        let azimuth = each(
            normals,
            #[inline(always)]
            |normal| normal.to_le_bytes()[1],
        );
        let (zenith_sine, zenith_cosine) = self.pairs(simd, zenith);
        let (azimuth_sine, azimuth_cosine) = self.pairs(simd, azimuth);
        [azimuth_cosine * zenith_sine, azimuth_sine * zenith_sine, zenith_cosine]
    }
}

pub(super) struct NormalLut([[f32; 4]; 256]);

impl NormalLut {
    fn new(normal: fn(u8) -> Vec3) -> Self {
        Self(std::array::from_fn(|index| normal(u8::try_from(index).unwrap_or(0)).extend(0.0).to_array()))
    }

    pub fn of_md2() -> &'static Self {
        static MD2: LazyLock<NormalLut> = LazyLock::new(|| NormalLut::new(table_normal));
        &MD2
    }

    pub fn of_rings() -> &'static Self {
        static RINGS: LazyLock<NormalLut> = LazyLock::new(|| NormalLut::new(ring_normal));
        &RINGS
    }

    #[inline(always)]
    pub fn normals<S: Simd>(&self, simd: S, indices: [u8; 4]) -> Columns<S> {
        let row = |index: u8| simd.load_array_ref_f32x4(&self.0[usize::from(index)]);
        by_component(simd, each(indices, row))
    }
}
