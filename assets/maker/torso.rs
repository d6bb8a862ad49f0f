//! The tunic, with belt and embroidered hem, and the satchel.

use glam::DVec3;

use super::coats::{brass, cloth, hide, leather, ochre, stitches, teal, teal_dark};
use super::paint::{Colour, Spot, band, blend};
use super::part::{Part, chain, mix_shares};
use super::profile::{Profile, smooth_step};
use super::sheet::Sheet;
use super::skeleton::{CHEST, HIPS, NECK, SPINE, Side};
use super::tube::Tube;

/// Width of the tunic's chart in texels.
const TUNIC_WIDTH: u32 = 260;

pub fn parts() -> Vec<Part> {
    vec![tunic(), satchel()]
}

fn tunic() -> Part {
    let tube = Tube {
        path: Profile::new(&[
            (8.0, [-0.1, 0.0, 8.0]),
            (18.0, [-0.1, 0.0, 18.0]),
            (24.0, [0.1, 0.0, 24.0]),
            (31.0, [0.3, 0.0, 31.0]),
        ]),
        rings: Profile::new(&[
            (0.0, [14.0, 5.4, 3.8, 4.2, 2.1]),
            (0.05, [11.6, 7.0, 5.5, 5.9, 2.1]),
            (0.09, [11.5, 7.4, 5.9, 6.3, 2.1]),
            (0.28, [14.8, 6.5, 5.2, 5.4, 2.1]),
            (0.44, [17.6, 5.3, 4.3, 4.2, 2.1]),
            (0.50, [18.8, 5.1, 4.2, 4.0, 2.1]),
            (0.60, [21.0, 5.2, 4.5, 4.0, 2.1]),
            (0.76, [24.4, 5.4, 4.7, 4.2, 2.2]),
            (0.88, [27.0, 5.0, 4.1, 4.1, 2.2]),
            (0.96, [28.8, 3.6, 3.2, 3.3, 2.0]),
            (1.0, [30.0, 2.6, 2.5, 2.6, 2.0]),
        ]),
        front: DVec3::X,
    };
    let rows = [0.0, 0.055, 0.09, 0.22, 0.34, 0.46, 0.60, 0.76, 0.88, 0.97];
    let sheet = Sheet::new(16, &rows, move |a, v| tube.point(a, v));
    Part::new("clothes", ("tunic", TUNIC_WIDTH, 146), sheet, tunic_skin, tunic_coat)
}

/// Up the spine; below the belt the skirt follows each thigh a little, more towards its hem.
fn tunic_skin(p: DVec3, along: f64) -> Vec<(usize, f64)> {
    let body = chain(&[(HIPS, 0.0, 0.0), (SPINE, 18.8, 1.6), (CHEST, 22.6, 2.0), (NECK, 29.6, 1.0)], p.z);
    let follow = 0.62 * smooth_step(17.0, 12.0, p.z) * smooth_step(0.42, 0.30, along);
    let left = smooth_step(-3.5, 3.5, p.y);
    let thighs = [(Side::Left.leg()[0], left), (Side::Right.leg()[0], 1.0 - left)];
    mix_shares(&body, &thighs, follow)
}

fn tunic_coat(spot: &Spot) -> Colour {
    let p = spot.position;
    let turn = spot.around * std::f64::consts::TAU;
    // Texels from the middle of the front, from the hem, and from the belt's middle.
    let from_front = ((spot.around + 0.5).fract() - 0.5) * f64::from(TUNIC_WIDTH);
    let height = p.z;
    let pleats = smooth_step(17.4, 13.0, height) * (turn * 9.0).sin();
    let mut colour = cloth(spot, blend(teal(), teal_dark(), 0.34 - 0.34 * pleats));
    // Yoke over the shoulders.
    let yoke = height - 26.4 + 1.2 * turn.cos().abs();
    colour = blend(colour, cloth(spot, teal_dark()), smooth_step(-0.1, 0.1, yoke));
    colour = stitches_if(yoke.abs() < 0.5, colour, yoke * 7.0 - 1.8, spot.texel.x);
    // The front's edge and its toggles, from belt to collar.
    if turn.cos() > 0.0 && height > 18.5 {
        colour = blend(colour, teal_dark() * 0.7, band(from_front, 0.0, 0.3, 0.8));
        colour = stitches_if(from_front.abs() < 12.0, colour, from_front.abs() - 6.0, spot.texel.y);
        for toggle in [20.7, 23.4] {
            let on = band(from_front, 0.0, 3.6, 0.8) * band(height, toggle, 0.22, 0.12);
            colour = blend(colour, ochre(), on);
        }
    }
    colour = hem(spot, height, colour);
    // The satchel's strap, from the right shoulder to the left hip.
    let strap = (height - 23.0) + 0.92 * p.y;
    let on_strap = band(strap * 0.73, 0.0, 0.5, 0.1) * smooth_step(17.6, 18.0, height);
    let strap_coat = blend(leather(spot, hide()), hide() * 0.55, smooth_step(0.34, 0.5, (strap * 0.73).abs()));
    colour = blend(
        colour * (1.0 - 0.25 * band(strap * 0.73, 0.0, 0.55, 0.3) * smooth_step(17.6, 18.0, height)),
        strap_coat,
        on_strap,
    );
    belt(spot, height, from_front, colour)
}

fn stitches_if(near: bool, colour: Colour, across: f64, along: f64) -> Colour {
    if near && across.abs() < 2.0 { stitches(colour, ochre(), across, along) } else { colour }
}

/// An embroidered border: ochre lines and a zigzag between them.
fn hem(spot: &Spot, height: f64, colour: Colour) -> Colour {
    if spot.along < 0.05 {
        return colour * 0.55;
    }
    let zigzag = 13.15 + 0.38 * (2.0 * ((spot.around * 26.0).fract() - 0.5).abs() * 2.0 - 1.0);
    let ground = blend(colour, cloth(spot, teal_dark() * 0.85), band(height, 13.15, 0.95, 0.08));
    let lines = band(height, 12.2, 0.13, 0.1).max(band(height, 14.1, 0.13, 0.1)).max(band(height, zigzag, 0.12, 0.12));
    blend(ground, cloth(spot, ochre()), lines.max(smooth_step(11.75, 11.6, height)))
}

fn belt(spot: &Spot, height: f64, from_front: f64, colour: Colour) -> Colour {
    let shadow = 1.0 - 0.35 * band(height, 17.9, 1.0, 0.6);
    let mut coat = leather(spot, hide());
    coat = blend(coat, hide() * 0.5, smooth_step(0.62, 0.8, (height - 17.9).abs()));
    coat = stitches_if(true, coat, ((height - 17.9).abs() - 0.5) * 7.0, spot.texel.x);
    let outer = band(from_front, 0.0, 8.0, 0.8) * band(height, 17.9, 1.0, 0.1);
    // An engraved lozenge.
    let lozenge = band(from_front.abs() / 5.0 + (height - 17.9).abs() / 0.62, 0.72, 0.1, 0.14);
    let shine = 0.8 + 0.35 * smooth_step(17.0, 18.8, height);
    let on_belt = band(height, 17.9, 0.85, 0.08);
    let mut colour = blend(colour * shadow, coat, on_belt);
    colour = blend(colour, brass() * shine, outer);
    blend(colour, hide() * 0.8, 0.85 * outer * lozenge)
}

/// A small bag on the left hip.
fn satchel() -> Part {
    let tube = Tube {
        path: Profile::new(&[(0.0, [0.6, 6.6, 17.6]), (1.0, [0.6, 7.5, 12.4])]),
        rings: Profile::new(&[
            (0.0, [0.02, 0.0, 0.0, 0.0, 3.2]),
            (0.1, [0.0, 1.0, 2.0, 2.0, 3.2]),
            (0.3, [0.12, 1.3, 2.5, 2.5, 3.4]),
            (0.85, [0.9, 1.5, 2.7, 2.7, 3.4]),
            (0.95, [1.0, 1.0, 2.2, 2.2, 3.2]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 3.2]),
        ]),
        front: DVec3::X,
    };
    let sheet = Sheet::new(8, &[0.0, 0.1, 0.3, 0.85, 0.95, 1.0], move |a, v| tube.point(a, v));
    let skin = |_: DVec3, _| vec![(HIPS, 0.62), (Side::Left.leg()[0], 0.38)];
    Part::new("leather", ("satchel", 96, 56), sheet, skin, satchel_coat)
}

fn satchel_coat(spot: &Spot) -> Colour {
    let flap_edge = 15.0 - 0.55 * (1.0 - ((spot.position.x - 0.6) / 2.4).powi(2)).max(0.0);
    let flap = spot.position.z - flap_edge;
    let ground = leather(spot, hide() * 1.05);
    let mut colour = blend(ground * 0.8, leather(spot, hide() * 1.35), smooth_step(-0.06, 0.06, flap));
    colour = blend(colour, hide() * 0.4, band(flap, -0.1, 0.05, 0.15));
    colour = stitches_if(true, colour, (flap - 0.4) * 9.0, spot.texel.x);
    let button = (spot.position.x - 0.6).hypot(flap - 0.05);
    blend(colour, brass(), smooth_step(0.55, 0.42, button))
}
