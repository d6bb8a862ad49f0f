//! Packed normals: MD3's two angles, MDC's 256 directions, and the search in a list of directions.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::DVec3;

/// The direction in a list that is closest to `normal`.
pub fn nearest<T: Copy + Into<[f32; 3]>>(directions: &[T], normal: DVec3) -> usize {
    let closeness = |direction: &T| DVec3::from((*direction).into().map(f64::from)).dot(normal);
    let mut best = (0, f64::NEG_INFINITY);
    for (index, direction) in directions.iter().enumerate() {
        let dot = closeness(direction);
        if dot > best.1 {
            best = (index, dot);
        }
    }
    best.0
}

/// MD3: the angle from +Z in the low byte, the angle round Z from +X in the high one, 256 steps to the turn.
pub fn to_angles(normal: DVec3) -> u16 {
    let steps = |angle: f64| (angle * 256.0 / TAU).round() as i64 & 255;
    let zenith = steps(normal.z.clamp(-1.0, 1.0).acos());
    // At the poles any azimuth would do; writers store 0.
    let azimuth = if zenith == 0 || zenith == 128 { 0 } else { steps(normal.y.atan2(normal.x)) };
    (azimuth << 8 | zenith) as u16
}

/// MDC's 256 directions: rings of equal zenith angle, from the equator down and then from above it up.
pub fn mdc_directions() -> Vec<[f32; 3]> {
    let ring = |count: usize, zenith: f64| {
        (0..count).map(move |k| {
            let (sine, cosine) = (TAU * k as f64 / count as f64).sin_cos();
            [cosine * zenith.sin(), sine * zenith.sin(), zenith.cos()].map(|x| x as f32)
        })
    };
    let step = FRAC_PI_2 / 8.0;
    let down = (0..8).flat_map(|i| ring(32 - 4 * i, FRAC_PI_2 + step * i as f64));
    let up = (1..8).flat_map(|i| ring(32 - 4 * i, FRAC_PI_2 - step * i as f64));
    down.chain(up).collect()
}
