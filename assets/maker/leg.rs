//! Trousers and boots.

use glam::DVec3;

use super::coats::{cloth, cream, hide, leather, ochre, stitches};
use super::field::{cast, ellipsoid, join, taper};
use super::noise::noise;
use super::paint::{Colour, Spot, band, blend, hex};
use super::part::{Part, chain};
use super::profile::{Profile, smooth_step};
use super::sheet::{Layout, Sheet};
use super::skeleton::{HIPS, Side};
use super::tube::Tube;

/// Sideways place of the left boot.
const ANKLE_Y: f64 = 3.8;

pub fn parts() -> Vec<Part> {
    Side::BOTH.into_iter().flat_map(leg).collect()
}

fn leg(side: Side) -> [Part; 3] {
    let [thigh, shin, foot] = side.leg();
    let place = |sheet: Sheet| if side == Side::Left { sheet } else { sheet.mirrored() };
    let legs = move |p: DVec3, _: f64| chain(&[(HIPS, 0.0, 0.0), (thigh, -15.6, 1.2), (shin, -9.3, 1.0)], -p.z);
    // Stiff from the knee to the ankle, however far the knee bends.
    let boots = move |p: DVec3, _: f64| chain(&[(shin, 0.0, 0.0), (foot, -3.4, 1.3)], -p.z);
    let trousers = place(Sheet::new(8, &[0.2, 0.6, 1.0], trousers_point()));
    let boot =
        place(Sheet::new(10, &[0.0, 0.32, 0.48, 0.62, 0.77, 0.9, 0.955, 1.0], boot_point()).laid_out(Layout::Fold));
    let cuff = place(Sheet::new(8, &[0.0, 0.3, 0.65, 1.0], cuff_point()));
    [
        Part::new("clothes", ("trousers", 80, 36), trousers, legs, |spot| cloth(spot, hex(0x57_4f_52))),
        Part::new("leather", ("boot", 80, 150), boot, boots, boot_coat),
        Part::new("leather", ("cuff", 92, 28), cuff, boots, cuff_coat),
    ]
}

fn trousers_point() -> impl Fn(f64, f64) -> DVec3 {
    let tube = Tube {
        path: Profile::new(&[(0.0, [0.0, 3.1, 15.8]), (0.75, [0.7, 3.5, 9.9]), (1.0, [0.3, 3.7, 8.2])]),
        rings: Profile::new(&[
            (0.0, [0.0, 2.3, 2.6, 2.6, 2.0]),
            (0.6, [0.72, 2.75, 2.7, 2.9, 2.0]),
            (1.0, [1.0, 2.0, 1.8, 2.2, 2.0]),
        ]),
        front: DVec3::X,
    };
    move |a, v| tube.point(a, v)
}

/// The boot's form, on the plane y = 0.
fn form(p: DVec3) -> f64 {
    let v = DVec3::new;
    let shaft = taper(p, v(0.1, 0.0, 9.5), v(-0.4, 0.0, 3.6), 2.65, 2.2);
    let heel = ellipsoid(p, v(-1.2, 0.0, 1.6), v(2.4, 2.2, 2.4));
    let instep = taper(p, v(-0.2, 0.0, 3.2), v(4.2, 0.0, 1.6), 2.1, 2.0);
    let toe = ellipsoid(p, v(4.6, 0.0, 1.7), v(3.0, 2.75, 2.25));
    let d = join(join(shaft, heel, 1.4), join(instep, toe, 1.2), 1.0);
    // The sole is flat.
    d.max(-p.z)
}

fn boot_point() -> impl Fn(f64, f64) -> DVec3 {
    let axis = Profile::new(&[
        // along, x and z of the centre, the way the axis runs (−90° is down) and the rays' lean, in degrees
        (0.0, [0.05, 8.8, -90.0, 0.0]),
        (0.3, [-0.3, 5.2, -90.0, 0.0]),
        (0.55, [0.2, 2.4, -52.0, 0.0]),
        (0.75, [2.6, 1.7, -8.0, 0.0]),
        (0.9, [4.6, 1.3, 0.0, 16.0]),
        (0.955, [4.6, 1.3, 0.0, 48.0]),
        (1.0, [4.6, 1.3, 0.0, 90.0]),
    ]);
    move |around, along| {
        let [x, z, heading, lean] = axis.tight(along);
        let (sine, cosine) = (around * std::f64::consts::TAU).sin_cos();
        let (heading, lean) = (heading.to_radians(), lean.to_radians());
        let ahead = DVec3::new(heading.cos(), 0.0, heading.sin());
        let up = DVec3::new(-heading.sin(), 0.0, heading.cos());
        let spread = if along > 0.9999 { 0.0 } else { lean.cos() };
        let direction = (up * cosine + DVec3::Y * sine) * spread + ahead * lean.sin();
        cast(&form, DVec3::new(x, 0.0, z), direction, 9.0) + DVec3::Y * ANKLE_Y
    }
}

fn boot_coat(spot: &Spot) -> Colour {
    let p = spot.position;
    let mut colour = leather(spot, blend(hide() * 0.86, hide() * 1.12, smooth_step(2.0, 8.0, p.z)));
    // Toe cap and heel counter, stitched.
    let cap = p.x - 4.1 - 0.25 * (p.z - 2.0);
    colour = blend(colour, leather(spot, hide() * 0.68), smooth_step(-0.05, 0.05, cap));
    colour = if p.z > 0.9 && cap.abs() < 0.6 {
        stitches(colour, ochre() * 0.9, cap * 8.0 + 2.4, spot.texel.x)
    } else {
        colour
    };
    // Creases over the instep.
    let crease = band((p.x * 0.9 + p.z * 0.5 + 0.2 * noise(spot.texel / 9.0, 31)).rem_euclid(0.9), 0.45, 0.06, 0.16);
    colour = blend(
        colour,
        colour * 0.82,
        crease * smooth_step(3.4, 2.4, p.x) * smooth_step(5.4, 4.2, p.z) * smooth_step(0.6, 1.6, p.x),
    );
    // A strap over the ankle.
    let strap = p.z - 4.6 - 0.15 * p.x;
    colour = blend(colour, leather(spot, hide() * 0.55), band(strap, 0.0, 0.42, 0.06));
    // Sole.
    let sole = blend(hex(0x2a_1d_18), hex(0x8a_65_42), band(p.z, 0.72, 0.16, 0.06));
    blend(colour, sole, smooth_step(0.98, 0.9, p.z))
}

/// The folded top of a boot, lined with wool.
fn cuff_point() -> impl Fn(f64, f64) -> DVec3 {
    let tube = Tube {
        path: Profile::new(&[(6.0, [0.0, ANKLE_Y, 6.0]), (11.0, [0.2, ANKLE_Y - 0.1, 11.0])]),
        rings: Profile::new(&[
            (0.0, [8.4, 2.3, 2.3, 2.3, 2.0]),
            (0.3, [9.8, 3.0, 3.2, 3.1, 2.0]),
            (0.65, [8.2, 3.4, 3.6, 3.4, 2.0]),
            (1.0, [7.0, 2.3, 2.4, 2.4, 2.0]),
        ]),
        front: DVec3::X,
    };
    move |a, v| tube.point(a, v)
}

fn cuff_coat(spot: &Spot) -> Colour {
    let curl = noise(spot.texel / 2.6, 33) * 0.6 + noise(spot.texel / 1.3, 34) * 0.4;
    cream() * (0.86 + 0.09 * curl)
}
