//! The scarf: a thick wrap round the neck and two ends that fly behind.

use glam::DVec3;

use super::coats::{berry, cloth, cream};
use super::noise::noise;
use super::paint::{Colour, Spot, band, blend};
use super::part::{Part, chain};
use super::profile::{Profile, smooth_step};
use super::sheet::Sheet;
use super::skeleton::{CHEST, NECK, SCARF};
use super::tube::Tube;

pub fn parts() -> Vec<Part> {
    vec![wrap(), end(0), end(1)]
}

/// A ring of cloth round the neck, lower in front. `along` runs round the neck from behind, `around` round the cloth.
fn wrap() -> Part {
    let point = |around: f64, along: f64| {
        let turn = along * std::f64::consts::TAU;
        let (sine, cosine) = turn.sin_cos();
        let out = DVec3::new(-cosine, sine, 0.0);
        let centre = DVec3::new(0.2 - 3.3 * cosine, 3.9 * sine, 28.9 + 0.7 * cosine);
        let fold = 1.0 + 0.07 * (3.0 * turn + 0.6).sin();
        let (up, across) = (around * std::f64::consts::TAU).sin_cos();
        centre + out * (1.55 * across * fold) + DVec3::Z * (2.0 * up * fold) - out * (0.35 * up)
    };
    let rows: Vec<f64> = (0..=12).map(|i| f64::from(i) / 12.0).collect();
    let skin = |p: DVec3, _| chain(&[(CHEST, 0.0, 0.0), (NECK, 30.4, 1.8)], p.z);
    Part::new("scarf", ("wrap", 64, 196), Sheet::new(6, &rows, point), skin, wrap_coat)
}

/// Soft diagonal folds and ribs.
fn knit(spot: &Spot, base: Colour) -> Colour {
    let rib = (spot.texel.x * 1.05).sin() * 0.035;
    cloth(spot, base) * (1.0 + rib + 0.05 * noise(spot.texel / 9.0, 51))
}

/// Two turns of cloth, the upper laid over the lower: soft folds, and a crease where one edge lies on the other.
fn wrap_coat(spot: &Spot) -> Colour {
    let turn = spot.along * std::f64::consts::TAU;
    let fold = (spot.around * 12.6 + 3.0 * turn).sin();
    // Above the crease is positive.
    let above = (spot.around + 0.5).fract() - 0.5 - 0.03 * (turn + 0.6).sin() - 0.012 * (3.0 * turn).sin();
    let hem = band(above, 0.045, 0.012, 0.008);
    let colour = blend(knit(spot, berry() * (1.0 + 0.10 * fold)), knit(spot, cream() * 0.93), 0.9 * hem);
    colour * (1.0 - 0.42 * smooth_step(-0.075, -0.004, above) * smooth_step(0.012, -0.004, above))
}

/// A hanging end: flat, swinging on three joints. The second is shorter and lies over the first.
fn end(which: usize) -> Part {
    let (length, inward) = [(1.0, 0.0), (0.74, 2.3)][which];
    let shift = |x: f64, y: f64, z: f64| {
        let start = DVec3::new(-3.2, 2.4, 29.0);
        let p = start + (DVec3::new(x, y, z) - start) * length;
        [p.x - 0.5 * inward, p.y - inward * (0.3 + 0.5 * (29.0 - p.z) / 11.0), p.z + 0.1 * inward]
    };
    let tube = Tube {
        path: Profile::new(&[
            (0.0, shift(-2.8, 2.2, 29.2)),
            (0.25, shift(-5.2, 3.4, 27.8)),
            (0.6, shift(-7.4, 4.8, 24.0)),
            (1.0, shift(-9.4, 5.9, 18.6)),
        ]),
        rings: Profile::new(&[
            (0.0, [0.0, 0.8, 0.8, 0.8, 2.0]),
            (0.2, [0.2, 1.5, 0.55, 0.55, 2.4]),
            (0.9, [0.9, 2.2, 0.4, 0.4, 2.6]),
            (0.97, [1.0, 2.3, 0.35, 0.35, 2.6]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 2.6]),
        ]),
        front: DVec3::new(-1.0, 0.35, 0.5),
    };
    let sheet = Sheet::new(6, &[0.0, 0.2, 0.45, 0.7, 0.97, 1.0], move |a, v| tube.point(a, v));
    let skin = move |_: DVec3, along: f64| {
        let along = along * length;
        chain(&[(CHEST, 0.0, 0.0), (SCARF[0], 0.12, 0.1), (SCARF[1], 0.40, 0.14), (SCARF[2], 0.68, 0.14)], along)
    };
    Part::new("scarf", ("scarf_end", 76, 92), sheet, skin, end_coat)
}

fn end_coat(spot: &Spot) -> Colour {
    let stripe = band(spot.along, 0.74, 0.035, 0.008).max(band(spot.along, 0.86, 0.02, 0.008));
    let colour = blend(knit(spot, berry()), knit(spot, cream() * 0.95), stripe);
    let thread = (spot.texel.x * 1.6).sin();
    blend(colour, berry() * (0.85 + 0.25 * thread), smooth_step(0.91, 0.93, spot.along))
}
