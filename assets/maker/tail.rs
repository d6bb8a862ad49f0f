//! The brush: a big tail with a pale tip.

use glam::{DVec2, DVec3};

use super::coats::{cream, fur, rust, rust_dark, soot};
use super::noise::noise;
use super::paint::{Colour, Spot, blend};
use super::part::{Part, chain};
use super::profile::{Profile, smooth_step};
use super::sheet::{Layout, Sheet};
use super::skeleton::{HIPS, TAIL};
use super::tube::Tube;

pub fn parts() -> Vec<Part> {
    let tube = Tube {
        path: Profile::new(&[
            (0.0, [-2.6, 0.0, 16.8]),
            (0.18, [-7.0, 0.0, 15.6]),
            (0.36, [-12.0, 0.0, 17.2]),
            (0.55, [-16.0, 0.0, 22.0]),
            (0.74, [-17.8, 0.0, 28.0]),
            (0.9, [-17.0, 0.0, 33.0]),
            (1.0, [-15.2, 0.0, 36.2]),
        ]),
        rings: Profile::new(&[
            (0.0, [0.0, 1.3, 1.3, 1.3, 2.0]),
            (0.15, [0.15, 1.7, 1.6, 1.7, 2.0]),
            (0.32, [0.32, 3.1, 2.9, 3.1, 2.0]),
            (0.52, [0.52, 4.6, 4.3, 4.7, 2.0]),
            (0.70, [0.70, 4.7, 4.3, 4.9, 2.0]),
            (0.86, [0.86, 3.1, 2.9, 3.3, 2.0]),
            (0.95, [0.95, 1.3, 1.2, 1.4, 2.0]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 2.0]),
        ]),
        // Never along the path, whose direction turns from backwards to upwards and forwards.
        front: DVec3::new(0.79, 0.0, 0.61),
    };
    let rows = [0.0, 0.14, 0.27, 0.40, 0.53, 0.66, 0.78, 0.88, 0.95, 1.0];
    let sheet = Sheet::new(12, &rows, move |a, v| tube.point(a, v)).laid_out(Layout::Fold);
    let skin = |_: DVec3, along: f64| {
        chain(
            &[
                (HIPS, 0.0, 0.0),
                (TAIL[0], 0.07, 0.06),
                (TAIL[1], 0.24, 0.12),
                (TAIL[2], 0.45, 0.13),
                (TAIL[3], 0.65, 0.13),
            ],
            along,
        )
    };
    vec![Part::new("fur", ("tail", 124, 260), sheet, skin, coat)]
}

fn coat(spot: &Spot) -> Colour {
    // Locks end in points where the colours change.
    let lock = 0.035 * noise(DVec2::new(spot.texel.x / 6.0, 0.5), 41)
        + 0.02 * noise(DVec2::new(spot.texel.x / 2.2, spot.texel.y / 18.0), 42);
    let base = blend(rust_dark(), rust(), smooth_step(0.05, 0.4, spot.along));
    let belly = blend(base, rust_dark(), 0.5 * smooth_step(0.3, 0.5, spot.around));
    let dusk = blend(belly, blend(rust_dark(), soot(), 0.55), smooth_step(0.58, 0.70, spot.along + lock) * 0.75);
    fur(spot, blend(dusk, cream(), smooth_step(0.715, 0.735, spot.along + 1.4 * lock)))
}
