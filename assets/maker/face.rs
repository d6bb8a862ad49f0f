//! Paint for the head: mask, bridge, nose, mouth, brows.

use glam::{DVec2, DVec3};

use super::coats::{cream, fur, rust, rust_dark, soot};
use super::head::EYE_RADIUS;
use super::noise::noise;
use super::paint::{Colour, Spot, band, blend, hex};
use super::profile::smooth_step;
use super::skeleton::EYE;

/// Mouth line and the groove under the nose.
const LIP: u32 = 0x54_2c_26;

pub fn face_coat(spot: &Spot) -> Colour {
    let p = spot.position;
    let side = p.y.abs();
    // Ragged edges where two colours of fur meet.
    let strands = noise(DVec2::new(spot.texel.x / 2.2, spot.texel.y / 5.0), 21);
    let ragged = 0.35 * strands + 0.25 * noise(spot.texel / 7.0, 22);

    let crown = blend(rust(), rust_dark(), 0.55 * smooth_step(3.0, -7.0, p.x + 0.6 * ragged));
    let bridge = blend(crown, rust_dark(), 0.45 * smooth_step(6.5, 12.0, p.x) * smooth_step(2.2, 0.8, side));
    let mut colour = blend(bridge, cream(), mask(p, side, ragged));
    // Brow spots.
    let brow = DVec2::new(side - 3.5 + 0.25 * (p.z - 42.0), (p.z - 42.0) * 0.9).length();
    let on_brow = smooth_step(1.1, 0.7, brow + 0.3 * ragged) * smooth_step(0.5, 1.5, p.x);
    colour = blend(colour, cream(), 0.85 * on_brow);
    colour = fur(spot, colour);
    colour = eye_line(p, side, colour);
    colour = mouth(p, colour);
    nose(p, colour)
}

/// Weight of the cream mask at a position: sides of the muzzle, cheeks, chin.
fn mask(p: DVec3, side: f64, ragged: f64) -> f64 {
    let on_muzzle = 35.3 - 0.12 * (p.x - 8.0);
    let on_cheek = 35.2 + 0.16 * (side - 3.0).max(0.0);
    let top = on_cheek + (on_muzzle - on_cheek) * smooth_step(5.0, 8.0, p.x);
    smooth_step(0.35, -0.35, p.z - top + ragged) * smooth_step(-3.2, -1.6, p.x + ragged)
}

/// A dark line round the eyes, wider at their outer corners, and a shadow from the inner ones down the muzzle.
fn eye_line(p: DVec3, side: f64, colour: Colour) -> Colour {
    let eye = DVec3::new(p.x - EYE[0], side - EYE[1], p.z - EYE[2]);
    let width = 0.30 + 0.08 * smooth_step(0.5, 3.0, eye.y) * smooth_step(-1.5, 1.0, eye.z);
    let on_line = smooth_step(width + 0.16, width - 0.1, eye.length() - EYE_RADIUS) * smooth_step(-1.6, -1.4, eye.x);
    let colour = blend(colour, soot() * 0.8, 0.95 * on_line);
    let on_way = smooth_step(10.4, 8.6, p.x) * smooth_step(6.0, 7.4, p.x) * smooth_step(34.8, 35.6, p.z);
    blend(colour, soot(), 0.55 * on_way * band(side - 2.2, 0.15 * (9.0 - p.x), 0.18, 0.4))
}

/// A line from under the nose back along the muzzle, its corner turned up.
fn mouth(p: DVec3, colour: Colour) -> Colour {
    let height = 32.75 + 0.95 * smooth_step(9.6, 6.9, p.x) + 0.02 * (12.0 - p.x);
    let line = band(p.z, height, 0.05, 0.2) * smooth_step(6.9, 7.3, p.x) * smooth_step(13.6, 13.0, p.x);
    let groove = band(p.y, 0.0, 0.04, 0.18) * smooth_step(12.8, 13.3, p.x) * band(p.z, 33.3, 0.55, 0.2);
    blend(blend(colour, hex(LIP), 0.85 * line), hex(LIP), 0.8 * groove)
}

fn nose(p: DVec3, colour: Colour) -> Colour {
    let on = smooth_step(12.75, 12.95, p.x - 0.55 * (34.1 - p.z).max(0.0)) * smooth_step(33.75, 33.95, p.z);
    let shine = smooth_step(0.75, 0.35, DVec2::new((p.y + 0.35) * 0.8, p.z - 35.35).length());
    blend(colour, blend(hex(0x2b_1a_1c), hex(0x93_7b_80), 0.75 * shine), on)
}
