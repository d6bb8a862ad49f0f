//! Paint for the tunic: yoke, front with toggles, embroidered hem, belt, and the satchel's strap across it all.

use std::f64::consts::TAU;

use super::coats::{brass, cloth, hide, leather, ochre, stitches, teal, teal_dark};
use super::paint::{Colour, Spot, band, blend};
use super::profile::smooth_step;

/// Width of the tunic's chart in texels.
pub const TUNIC_WIDTH: u32 = 260;

/// Texels per unit of height, for stitches that follow a height.
const TEXELS_PER_UNIT: f64 = 7.0;

/// Height of the belt's middle.
const BELT: f64 = 17.9;

pub fn tunic_coat(spot: &Spot) -> Colour {
    let height = spot.position.z;
    let pleats = smooth_step(17.4, 13.0, height) * (9.0 * TAU * spot.around).sin();
    let mut colour = cloth(spot, blend(teal(), teal_dark(), 0.34 - 0.34 * pleats));
    colour = yoke(spot, colour);
    colour = front(spot, colour);
    colour = hem(spot, colour);
    colour = strap(spot, colour);
    belt(spot, colour)
}

/// Texels from the middle of the front, to either side.
fn from_front(spot: &Spot) -> f64 {
    ((spot.around + 0.5).fract() - 0.5) * f64::from(TUNIC_WIDTH)
}

/// Darker cloth over the shoulders.
fn yoke(spot: &Spot, colour: Colour) -> Colour {
    let edge = spot.position.z - 26.4 + 1.2 * (TAU * spot.around).cos().abs();
    let colour = blend(colour, cloth(spot, teal_dark()), smooth_step(-0.1, 0.1, edge));
    stitches(colour, ochre(), edge * TEXELS_PER_UNIT - 1.8, spot.texel.x)
}

/// Closure of the front, from belt to collar.
fn front(spot: &Spot, colour: Colour) -> Colour {
    let (across, height) = (from_front(spot), spot.position.z);
    if height < BELT {
        return colour;
    }
    let colour = blend(colour, teal_dark() * 0.7, band(across, 0.0, 0.3, 0.8));
    let colour = stitches(colour, ochre(), across.abs() - 6.0, spot.texel.y);
    let toggles = [20.7, 23.4].map(|toggle| band(height, toggle, 0.22, 0.12));
    blend(colour, ochre(), band(across, 0.0, 3.6, 0.8) * toggles[0].max(toggles[1]))
}

/// An embroidered border: ochre lines and a zigzag between them.
fn hem(spot: &Spot, colour: Colour) -> Colour {
    // The lining.
    if spot.along < 0.05 {
        return colour * 0.55;
    }
    let height = spot.position.z;
    let ground = blend(colour, cloth(spot, teal_dark() * 0.85), band(height, 13.15, 0.95, 0.08));
    let rise = 4.0 * ((26.0 * spot.around).fract() - 0.5).abs() - 1.0;
    let zigzag = band(height, 13.15 + 0.38 * rise, 0.12, 0.12);
    let lines = band(height, 12.2, 0.13, 0.1).max(band(height, 14.1, 0.13, 0.1));
    let edge = smooth_step(11.75, 11.6, height);
    blend(ground, cloth(spot, ochre()), zigzag.max(lines).max(edge))
}

/// The satchel's strap, from the right shoulder to the left hip.
fn strap(spot: &Spot, colour: Colour) -> Colour {
    let p = spot.position;
    let across = 0.73 * (p.z - 23.0 + 0.92 * p.y);
    let above_belt = smooth_step(BELT - 0.3, BELT + 0.1, p.z);
    let shadowed = colour * (1.0 - 0.25 * band(across, 0.0, 0.55, 0.3) * above_belt);
    let coat = blend(leather(spot, hide()), hide() * 0.55, smooth_step(0.34, 0.5, across.abs()));
    blend(shadowed, coat, band(across, 0.0, 0.5, 0.1) * above_belt)
}

fn belt(spot: &Spot, colour: Colour) -> Colour {
    let (from_front, up) = (from_front(spot), spot.position.z - BELT);
    let shadowed = colour * (1.0 - 0.35 * band(up, 0.0, 1.0, 0.6));
    let coat = blend(leather(spot, hide()), hide() * 0.5, smooth_step(0.62, 0.8, up.abs()));
    let coat = stitches(coat, ochre(), (up.abs() - 0.5) * TEXELS_PER_UNIT, spot.texel.x);
    let colour = blend(shadowed, coat, band(up, 0.0, 0.85, 0.08));
    // A brass plate with an engraved lozenge.
    let plate = band(from_front, 0.0, 8.0, 0.8) * band(up, 0.0, 1.0, 0.1);
    let lozenge = band(from_front.abs() / 5.0 + up.abs() / 0.62, 0.72, 0.1, 0.14);
    let colour = blend(colour, brass() * (0.8 + 0.35 * smooth_step(-0.9, 0.9, up)), plate);
    blend(colour, hide() * 0.8, 0.85 * plate * lozenge)
}
