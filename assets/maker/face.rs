//! Paint for the head: mask, bridge, nose, mouth, brows.

use glam::{DVec2, DVec3};

use super::coats::{cream, fur, rust, rust_dark, soot};
use super::head::EYE_RADIUS;
use super::noise::noise;
use super::paint::{Colour, Spot, band, blend, hex};
use super::profile::smooth_step;
use super::skeleton::EYE;

pub fn face_coat(spot: &Spot) -> Colour {
    let p = spot.position;
    let side = p.y.abs();
    // Ragged edges where two colours of fur meet.
    let ragged =
        0.35 * noise(DVec2::new(spot.texel.x / 2.2, spot.texel.y / 5.0), 21) + 0.25 * noise(spot.texel / 7.0, 22);

    let crown = blend(rust(), rust_dark(), 0.55 * smooth_step(3.0, -7.0, p.x + 0.6 * ragged));
    let bridge = blend(crown, rust_dark(), 0.45 * smooth_step(6.5, 12.0, p.x) * smooth_step(2.2, 0.8, side));
    let mut colour = blend(bridge, cream(), mask(p, side, ragged));
    // Brow spots.
    let brow = DVec2::new(side - 3.5 + 0.25 * (p.z - 42.0), (p.z - 42.0) * 0.9).length();
    if p.x > 1.0 {
        colour = blend(colour, cream(), 0.85 * smooth_step(1.1, 0.7, brow + 0.3 * ragged));
    }
    colour = fur(spot, colour);
    // A dark line round the eyes, wider at their outer corners.
    let eye = DVec3::new(p.x - EYE[0], side - EYE[1], p.z - EYE[2]);
    let line = 0.30 + 0.08 * smooth_step(0.5, 3.0, eye.y) * smooth_step(-1.5, 1.0, eye.z);
    if p.x > EYE[0] - 1.5 {
        colour = blend(colour, soot() * 0.8, 0.95 * smooth_step(line + 0.16, line - 0.1, eye.length() - EYE_RADIUS));
    }
    let tear =
        smooth_step(10.4, 8.6, p.x) * smooth_step(6.0, 7.4, p.x) * band(side - 2.2, 0.15 * (9.0 - p.x), 0.18, 0.4);
    colour = blend(colour, soot(), 0.55 * tear * smooth_step(34.8, 35.6, p.z));
    // Mouth: from under the nose back along the muzzle, its corner turned up.
    let corner = 0.95 * smooth_step(9.6, 6.9, p.x);
    let mouth = band(p.z, 32.75 + corner + 0.02 * (12.0 - p.x), 0.05, 0.2) * smooth_step(6.9, 7.3, p.x);
    colour = blend(colour, hex(0x54_2c_26), 0.85 * mouth * smooth_step(13.6, 13.0, p.x));
    let groove = band(p.y, 0.0, 0.04, 0.18) * smooth_step(12.8, 13.3, p.x) * band(p.z, 33.3, 0.55, 0.2);
    colour = blend(colour, hex(0x54_2c_26), 0.8 * groove);
    nose(p, colour)
}

/// How much a place belongs to the cream mask: muzzle's sides, cheeks, chin.
fn mask(p: DVec3, side: f64, ragged: f64) -> f64 {
    let on_muzzle = 35.3 - 0.12 * (p.x - 8.0);
    let on_cheek = 35.2 + 0.16 * (side - 3.0).max(0.0);
    let top = blend(DVec3::splat(on_cheek), DVec3::splat(on_muzzle), smooth_step(5.0, 8.0, p.x)).x;
    smooth_step(0.35, -0.35, p.z - top + ragged) * smooth_step(-3.2, -1.6, p.x + ragged)
}

fn nose(p: DVec3, colour: Colour) -> Colour {
    let on = smooth_step(12.75, 12.95, p.x - 0.55 * (34.1 - p.z).max(0.0)) * smooth_step(33.75, 33.95, p.z);
    let shine = smooth_step(0.75, 0.35, DVec2::new((p.y + 0.35) * 0.8, p.z - 35.35).length());
    blend(colour, blend(hex(0x2b_1a_1c), hex(0x93_7b_80), 0.75 * shine), on)
}
