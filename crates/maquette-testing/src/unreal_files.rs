//! Generated PSK and PSA. The second of two bones is at (10, 0, 0) of the first.

use crate::bytes::ByteWriter;

const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Adds a chunk, and returns where its records begin.
fn chunk(file: &mut ByteWriter, name: &str, size: i32, count: i32) -> usize {
    file.name(name, 20).i32(1_999_801).i32(size).i32(count);
    file.len()
}

fn bones(file: &mut ByteWriter, name: &str) {
    chunk(file, name, 120, 2);
    for (name, x) in [("root", 0.0), ("tag_arm", 10.0)] {
        file.name(name, 64).i32(0).i32(0).i32(0).f32s(&[0.0, 0.0, 0.0, 1.0, x, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
    }
}

/// Returns a PSK with one triangle: one corner on the root, one on the arm, one on both.
pub fn psk() -> Vec<u8> {
    let mut file = ByteWriter::new();
    chunk(&mut file, "ACTRHEAD", 0, 0);
    chunk(&mut file, "PNTS0000", 12, 3);
    file.f32s(&[4.0, 0.0, 0.0, 12.0, 0.0, 0.0, 0.0, 8.0, 0.0]);
    chunk(&mut file, "VTXW0000", 16, 3);
    for (point, uv) in [[0.0, 0.25], [1.0, 0.0], [0.0, 1.0]].into_iter().enumerate() {
        file.u16(point as u16).u16(0).f32s(&uv).u32(0);
    }
    chunk(&mut file, "FACE0000", 12, 1);
    file.u16(0).u16(2).u16(1).raw(&[0, 0]).u32(1);
    chunk(&mut file, "MATT0000", 88, 1);
    file.name("models/box/side", 64).raw(&[0; 24]);
    bones(&mut file, "REFSKELT");
    chunk(&mut file, "RAWWEIGHTS", 12, 4);
    for (weight, point, bone) in [(1.0, 0, 0), (1.0, 1, 1), (0.75, 2, 0), (0.25, 2, 1)] {
        file.f32(weight).i32(point).i32(bone);
    }
    file.finish()
}

/// Returns a PSA with two animations for [`psk`]: `turn` has two frames, the second with the root turned by 90 degrees about
/// +Z; `bend` has one with the arm turned likewise.
pub fn psa() -> Vec<u8> {
    let mut file = ByteWriter::new();
    chunk(&mut file, "ANIMHEAD", 0, 0);
    bones(&mut file, "BONENAMES");
    chunk(&mut file, "ANIMINFO", 168, 2);
    for (name, rate, first, count) in [("turn", 15.0, 0, 2), ("bend", 30.0, 2, 1)] {
        file.name(name, 64).name("", 64).i32(2).raw(&[0; 12]).f32s(&[0.0, 0.0, rate]).i32(0).i32(first).i32(count);
    }
    chunk(&mut file, "ANIMKEYS", 32, 6);
    // The rotation of a root is stored with −y, that of other bones as the conjugate.
    for [root, arm] in [[0.0, 0.0], [HALF, 0.0], [0.0, -HALF]] {
        for (z, x) in [(root, 0.0), (arm, 10.0)] {
            file.f32s(&[x, 0.0, 0.0, 0.0, 0.0, z, if z == 0.0 { 1.0 } else { HALF }, 1.0]);
        }
    }
    file.finish()
}
