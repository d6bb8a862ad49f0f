//! Repeatable unevenness: a fixed hash and smooth noise made from it.

use glam::DVec2;

/// A value from 0 to 1 that is the same for the same three numbers, always.
pub fn hash(x: i64, y: i64, seed: i64) -> f64 {
    let mut bits = (x as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ (y as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f)
        ^ (seed as u64).wrapping_mul(0x1656_67b1_9e37_79f9);
    bits = (bits ^ (bits >> 31)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    bits = (bits ^ (bits >> 29)).wrapping_mul(0xa5a5_1c3b_94d0_49bb);
    bits ^= bits >> 32;
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Smooth noise from −1 to 1 with features about 1 unit wide.
pub fn noise(at: DVec2, seed: i64) -> f64 {
    let cell = at.floor();
    let t = at - cell;
    let t = t * t * (DVec2::splat(3.0) - 2.0 * t);
    let (x, y) = (cell.x as i64, cell.y as i64);
    let row = |y| hash(x, y, seed) * (1.0 - t.x) + hash(x + 1, y, seed) * t.x;
    2.0 * (row(y) * (1.0 - t.y) + row(y + 1) * t.y) - 1.0
}
