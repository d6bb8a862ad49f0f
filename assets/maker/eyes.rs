//! Paint for eyes and lids.

use glam::DVec3;

use super::coats::{fur, rust, soot};
use super::paint::{Colour, Spot, blend, hex};
use super::profile::smooth_step;
use super::skeleton::{Side, eye_centre};

/// Amber iris in a large dark eye, with a window of light and a small one opposite.
pub fn eye_coat(spot: &Spot, side: Side) -> Colour {
    let out = (spot.position - eye_centre(side)).normalize();
    let toward = DVec3::new(0.92, 0.40 * side.sign(), 0.03).normalize();
    let angle = out.angle_between(toward).to_degrees();
    // Light falls in from above and glows in the iris' lower half.
    let low = smooth_step(0.20, -0.40, out.z - toward.z);
    let white = blend(hex(0xfd_f7_ea), hex(0xb9_a8_a0), smooth_step(0.1, 0.5, out.z - toward.z));
    // Turned away from the light at the corners.
    let white = blend(white, hex(0xa8_8c_7c), 0.75 * smooth_step(44.0, 72.0, angle));
    let iris = blend(hex(0x6a_34_12), hex(0xe8_a0_38), low);
    let mut colour = blend(white, hex(0x2a_14_0e), smooth_step(41.0, 39.0, angle));
    colour = blend(colour, iris, smooth_step(37.5, 33.5, angle));
    colour = blend(colour, hex(0x14_0a_08), smooth_step(22.5, 20.0, angle));
    let glint = (toward + DVec3::new(0.0, -0.21, 0.25)).normalize();
    colour = blend(colour, DVec3::ONE, smooth_step(9.6, 7.8, out.angle_between(glint).to_degrees()));
    let second = (toward + DVec3::new(0.0, 0.23, -0.27)).normalize();
    blend(colour, hex(0xff_ea_c4), 0.75 * smooth_step(5.6, 3.8, out.angle_between(second).to_degrees()))
}

/// Fur with a dark rim.
pub fn lid_coat(spot: &Spot) -> Colour {
    blend(fur(spot, rust()), soot() * 0.6, smooth_step(0.84, 0.90, spot.along))
}
