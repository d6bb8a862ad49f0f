//! Samples that are averaged for an image at rest: each has its own sub-pixel offset and directions of light.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

/// Number of samples from which on their average is shown. Fewer look noisier than an image in motion.
pub(super) const MIN_SHOWN: u32 = 4;
/// Number of directions of the studio in a sample.
pub(super) const DOMES: usize = 4;

/// Offsets of one image of an average. The sequence is the same on each run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sample {
    /// Number of samples in the average up to this one.
    pub count: u32,
    /// Offset of the camera in pixels, −0.5 to 0.5.
    pub pixel: Vec2,
    /// Offset on the key light's disc, in its radii.
    pub key: Vec2,
    /// Directions to the parts of the studio whose light is tested for occlusion.
    pub dome: [Vec3; DOMES],
}

impl Sample {
    /// The only sample of an image in motion.
    pub fn single() -> Self {
        Self { pixel: Vec2::ZERO, key: Vec2::ZERO, ..Self::new(0) }
    }

    /// Returns a sample. Each run of consecutive samples covers all offsets evenly.
    pub fn new(number: u32) -> Self {
        let [pixel, key] = [0.06, 0.37].map(|start| spread(number, start));
        let (sin, cos) = (key.x * TAU).sin_cos();
        Self {
            count: number + 1,
            pixel: pixel - 0.5,
            key: Vec2::new(cos, sin) * key.y.sqrt(),
            dome: std::array::from_fn(|part| on_sphere(spread(number * DOMES as u32 + part as u32, 0.71))),
        }
    }
}

/// Returns the direction of a point of the unit square. Equal areas stay equal.
fn on_sphere(point: Vec2) -> Vec3 {
    let (sin, cos) = (point.x * TAU).sin_cos();
    let height = 1.0 - 2.0 * point.y;
    let radius = (1.0 - height * height).max(0.0).sqrt();
    Vec3::new(cos * radius, sin * radius, height)
}

/// Returns a point of the unit square from a sequence with low discrepancy: multiples of powers of the plastic number.
fn spread(number: u32, start: f32) -> Vec2 {
    let number = number as f32 + start * 17.0;
    Vec2::new((number * 0.754_877_7 + start).fract(), (number * 0.569_840_3 + start).fract())
}

#[cfg(test)]
mod tests {
    use maquette_scene::scene::SAMPLES;

    use super::*;

    #[test]
    fn samples_cover_pixel_disc_and_sphere_evenly() {
        let samples: Vec<Sample> = (0..SAMPLES).map(Sample::new).collect();
        let count = samples.len() as f32;
        let pixel = samples.iter().map(|sample| sample.pixel).sum::<Vec2>() / count;
        let key = samples.iter().map(|sample| sample.key).sum::<Vec2>() / count;
        let dome = samples.iter().flat_map(|sample| sample.dome).sum::<Vec3>() / (count * DOMES as f32);
        assert!(pixel.length() < 0.06 && key.length() < 0.1 && dome.length() < 0.1, "{pixel} {key} {dome}");
        for axis in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::Z, Vec3::NEG_Z] {
            let sum = samples.iter().flat_map(|sample| sample.dome).map(|dome| dome.dot(axis).max(0.0)).sum::<f32>();
            let mean = sum / (count * DOMES as f32);
            assert!((mean - 0.25).abs() < 0.03, "{axis}: {mean}");
        }
    }
}
