//! Sleeve, forearm, hand and fingers.

use glam::DVec3;

use super::coats::{cloth, fur, ochre, soot, teal, teal_dark};
use super::paint::{Colour, Spot, band, blend};
use super::part::{Part, chain, rigid};
use super::profile::{Profile, smooth_step};
use super::sheet::Sheet;
use super::skeleton::{CHEST, Side};
use super::tube::Tube;

pub fn parts() -> Vec<Part> {
    Side::BOTH.into_iter().flat_map(arm).collect()
}

fn arm(side: Side) -> Vec<Part> {
    let [upper, fore, hand] = side.arm();
    let place = |sheet: Sheet| if side == Side::Left { sheet } else { sheet.mirrored() };
    let skin = move |p: DVec3, _: f64| {
        chain(&[(CHEST, 0.0, 0.0), (upper, 0.10, 0.14), (fore, 0.50, 0.13), (hand, 0.87, 0.08)], share_of_arm(p))
    };
    let sleeve = place(Sheet::new(8, &[0.0, 0.16, 0.36, 0.52, 0.68, 0.87, 0.94], sleeve_point()));
    let palm = place(Sheet::new(8, &[0.0, 0.45, 0.80, 1.0], palm_point()));
    let mut parts = vec![
        Part::new("clothes", ("sleeve", 100, 88), sleeve, skin, sleeve_coat),
        Part::new("fur", ("palm", 60, 56), palm, skin, palm_coat),
    ];
    for finger in 0..4 {
        let sheet = place(Sheet::new(5, &[0.0, 0.68, 1.0], finger_point(finger)));
        parts.push(Part::new("fur", ("finger", 28, 28), sheet, rigid(hand), finger_coat));
    }
    parts
}

/// Shoulder to knuckles.
fn arm_path() -> Profile<3> {
    Profile::new(&[
        (0.0, [-0.2, 3.2, 27.2]),
        (0.12, [-0.3, 5.4, 26.0]),
        (0.50, [-0.6, 9.6, 21.9]),
        (0.87, [0.3, 13.0, 18.3]),
        (1.1, [0.6, 15.0, 16.0]),
    ])
}

/// Position between shoulder (0.1) and wrist (0.87), along a straight line, because the arm is nearly straight.
fn share_of_arm(p: DVec3) -> f64 {
    let (shoulder, wrist) = (DVec3::new(-0.2, 4.9, 26.2), DVec3::new(0.3, 13.0, 18.3));
    let axis = wrist - shoulder;
    0.1 + 0.77 * (DVec3::new(p.x, p.y.abs(), p.z) - shoulder).dot(axis) / axis.length_squared()
}

fn sleeve_point() -> impl Fn(f64, f64) -> DVec3 {
    let tube = Tube {
        path: arm_path(),
        rings: Profile::new(&[
            (0.0, [0.0, 2.0, 2.4, 2.4, 2.0]),
            (0.14, [0.12, 2.5, 2.6, 2.6, 2.0]),
            (0.34, [0.32, 2.35, 2.35, 2.35, 2.0]),
            (0.52, [0.52, 2.15, 2.1, 2.25, 2.0]),
            (0.80, [0.76, 2.6, 2.7, 2.7, 2.0]),
            (0.88, [0.79, 2.55, 2.65, 2.65, 2.0]),
            (0.94, [0.74, 1.4, 1.45, 1.45, 2.0]),
            (1.0, [0.66, 1.3, 1.3, 1.3, 2.0]),
        ]),
        front: DVec3::X,
    };
    move |a, v| tube.point(a, v)
}

fn sleeve_coat(spot: &Spot) -> Colour {
    let mut colour = cloth(
        spot,
        blend(teal(), teal_dark(), 0.25 + 0.2 * (spot.along * 40.0).sin() * band(spot.along, 0.5, 0.08, 0.08)),
    );
    colour = blend(colour, cloth(spot, teal_dark()), smooth_step(0.13, 0.11, spot.along));
    let cuff = band(spot.along, 0.80, 0.055, 0.008);
    colour = blend(colour, cloth(spot, teal_dark() * 0.9), cuff);
    let lines = band(spot.along, 0.745, 0.010, 0.008).max(band(spot.along, 0.862, 0.014, 0.008));
    colour = blend(colour, cloth(spot, ochre()), lines);
    blend(colour, teal_dark() * 0.4, smooth_step(0.89, 0.92, spot.along))
}

fn palm_point() -> impl Fn(f64, f64) -> DVec3 {
    let tube = Tube {
        path: arm_path(),
        rings: Profile::new(&[
            (0.0, [0.60, 1.5, 1.5, 1.5, 2.0]),
            (0.4, [0.82, 1.25, 1.35, 1.35, 2.0]),
            (0.62, [0.93, 1.3, 2.0, 1.9, 2.2]),
            (0.85, [1.06, 1.2, 2.2, 2.1, 2.4]),
            (1.0, [1.1, 0.0, 0.0, 0.0, 2.2]),
        ]),
        front: DVec3::X,
    };
    move |a, v| tube.point(a, v)
}

fn palm_coat(spot: &Spot) -> Colour {
    fur(spot, blend(soot() * 1.25, soot(), smooth_step(0.3, 0.6, spot.along)))
}

fn finger_coat(spot: &Spot) -> Colour {
    fur(spot, blend(soot() * 1.2, soot() * 0.92, smooth_step(0.1, 0.9, spot.along)))
}

/// Three fingers, then the thumb: where each starts, where it bends and where it ends.
fn finger_point(finger: usize) -> impl Fn(f64, f64) -> DVec3 {
    let knuckles = DVec3::new(0.6, 14.6, 16.5);
    let ahead = DVec3::new(0.10, 0.60, -0.79).normalize();
    let inward = DVec3::new(0.0, -0.79, -0.60);
    let (start, bend, end) = if finger < 3 {
        let spread = 1.0 - finger as f64;
        let start = knuckles + DVec3::X * (1.35 * spread);
        let middle = start + ahead * 1.5 + DVec3::X * (0.25 * spread) + inward * 0.1;
        (start - ahead * 0.4, middle, middle + ahead * 1.3 + inward * 0.75 + DVec3::X * (0.1 * spread))
    } else {
        let start = knuckles - ahead * 1.9 + DVec3::X * 1.0 + inward * 0.2;
        let middle = start + DVec3::X * 1.5 + ahead * 0.6 + inward * 0.35;
        (start, middle, middle + DVec3::X * 0.7 + ahead * 1.2 + inward * 0.25)
    };
    let tube = Tube {
        path: Profile::new(&[(0.0, start.to_array()), (0.55, bend.to_array()), (1.0, end.to_array())]),
        rings: Profile::new(&[
            (0.0, [0.0, 0.85, 0.85, 0.85, 2.0]),
            (0.68, [0.84, 0.86, 0.86, 0.86, 2.0]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 2.0]),
        ]),
        front: if finger < 3 { DVec3::X } else { inward },
    };
    move |a, v| tube.point(a, v)
}
