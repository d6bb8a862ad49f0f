//! The tunic and the satchel on its hip.

use glam::DVec3;

use super::coats::{brass, hide, leather, ochre, stitches};
use super::paint::{Colour, Spot, band, blend};
use super::part::{Part, chain, mix_shares};
use super::profile::{Profile, smooth_step};
use super::sheet::Sheet;
use super::skeleton::{CHEST, HIPS, NECK, SPINE, Side};
use super::tube::Tube;
use super::tunic::{TUNIC_WIDTH, tunic_coat};

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
    let follow = 0.9 * smooth_step(17.6, 12.4, p.z) * smooth_step(0.42, 0.30, along);
    let left = smooth_step(-3.0, 3.0, p.y);
    let thighs = [(Side::Left.leg()[0], left), (Side::Right.leg()[0], 1.0 - left)];
    mix_shares(&body, &thighs, follow)
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
    colour = stitches(colour, ochre(), (flap - 0.4) * 9.0, spot.texel.x);
    let button = (spot.position.x - 0.6).hypot(flap - 0.05);
    blend(colour, brass(), smooth_step(0.55, 0.42, button))
}
