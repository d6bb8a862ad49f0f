//! The head: skull, cheeks and muzzle as one flowing form, ears, eyes and their lids.

use glam::{DQuat, DVec3};

use super::coats::{cream, fur, rust, rust_dark, soot};
use super::eyes::{eye_coat, lid_coat};
use super::face::face_coat;
use super::field::{carve, cast, ellipsoid, join, taper};
use super::paint::{Colour, Spot, blend, hex};
use super::part::{Part, chain, rigid};
use super::profile::{Profile, smooth_step};
use super::sheet::{Layout, Sheet};
use super::skeleton::{EYE, EYES, HEAD, NECK, Side, eye_centre, gaze, lid_hinge};
use super::tube::Tube;

/// Radius of an eyeball in units.
pub const EYE_RADIUS: f64 = 3.5;

pub fn parts() -> Vec<Part> {
    let mut parts = vec![skull()];
    parts.extend((0..3).map(lock));
    for side in Side::BOTH {
        parts.extend([ear(side), eye(side), lid(side)]);
    }
    parts
}

/// The head's form, without ears.
fn form(p: DVec3) -> f64 {
    let v = DVec3::new;
    let q = v(p.x, p.y.abs(), p.z);
    let skull = ellipsoid(p, v(-0.6, 0.0, 37.8), v(7.6, 8.3, 7.0));
    let cheek = taper(q, v(1.8, 3.6, 34.6), v(-0.2, 7.4, 33.9), 3.9, 1.9);
    let muzzle = taper(p * v(1.0, 0.92, 1.0), v(4.5, 0.0, 34.4), v(12.2, 0.0, 33.6), 4.0, 1.75);
    let chin = ellipsoid(p, v(8.6, 0.0, 32.3), v(3.0, 1.9, 1.3));
    let nose = ellipsoid(p, v(13.4, 0.0, 34.6), v(1.2, 1.5, 1.05));
    let brow = taper(q, v(5.6, 1.6, 40.4), v(4.0, 5.2, 40.8), 1.5, 1.2);
    let mut d = join(skull, cheek, 2.6);
    d = join(d, brow, 1.6);
    d = join(d, muzzle, 3.0);
    d = join(d, chin, 1.0);
    // Shallow hollows in which the eyes lie.
    let hollow = q.distance(v(EYE[0], EYE[1], EYE[2]) + gaze(Side::Left) * 3.9) - 2.6;
    d = carve(d, hollow, 1.0);
    join(d, nose, 0.35)
}

/// Skull and muzzle. The rays start on an axis from the back of the head to the nose and lean backwards and forwards at
/// its ends.
fn skull() -> Part {
    let axis = Profile::new(&[
        // along, x and z of the centre, lean in degrees
        (0.0, [-3.0, 37.6, -90.0]),
        (0.14, [-2.6, 37.6, -48.0]),
        (0.32, [-0.6, 37.3, -8.0]),
        (0.50, [2.2, 36.4, 12.0]),
        (0.64, [5.0, 35.0, 16.0]),
        (0.80, [9.0, 34.1, 8.0]),
        (0.92, [12.2, 34.0, 14.0]),
        (1.0, [12.6, 34.2, 90.0]),
    ]);
    let point = move |around: f64, along: f64| {
        let [x, z, lean] = axis.tight(along);
        let (sine, cosine) = (around * std::f64::consts::TAU).sin_cos();
        let lean = lean.to_radians();
        // Exactly sideways at the poles, so that all columns meet in one point.
        let spread = if (lean.abs() - std::f64::consts::FRAC_PI_2).abs() < 1e-9 { 0.0 } else { lean.cos() };
        let direction = DVec3::new(lean.sin(), spread * sine, spread * cosine);
        let skin = cast(&form, DVec3::new(x, 0.0, z), direction, 16.0);
        skin + tufts((around - 0.5).abs() * 360.0, along) * DVec3::new(1.0, sine.signum(), 1.0)
    };
    let rows = [0.0, 0.10, 0.21, 0.32, 0.42, 0.50, 0.57, 0.64, 0.72, 0.80, 0.875, 0.93, 0.968, 1.0];
    let skin = |p: DVec3, _| chain(&[(NECK, 0.0, 0.0), (HEAD, 31.0, 1.2)], p.z);
    Part::new("head", ("face", 198, 320), Sheet::new(20, &rows, point).laid_out(Layout::Fold), skin, face_coat)
}

/// Displacement of the fur of the left cheek, `angle` degrees from below. The points are at columns and a row of vertices of
/// the skull, so that none is cut off.
fn tufts(angle: f64, along: f64) -> DVec3 {
    let point = |at: f64, wide: f64| smooth_step(wide, 0.0, (angle - at).abs());
    let row = smooth_step(0.15, 0.0, (along - 0.32).abs());
    row * (point(72.0, 17.0) * DVec3::new(-0.7, 2.3, -0.5)
        + point(54.0, 17.0) * DVec3::new(-0.4, 0.6, -0.2)
        + point(36.0, 17.0) * DVec3::new(-0.3, 1.3, -0.9))
}

/// A cupped ear, leaning out.
fn ear(side: Side) -> Part {
    let tube = Tube {
        path: Profile::new(&[(0.0, [-0.8, 4.3, 40.4]), (0.5, [-1.6, 6.7, 47.0]), (1.0, [-2.6, 8.2, 54.6])]),
        rings: Profile::new(&[
            (0.0, [0.0, 3.6, 0.7, 2.2, 2.0]),
            (0.30, [0.29, 4.1, -0.6, 1.9, 2.0]),
            (0.66, [0.66, 2.7, -0.5, 1.3, 2.0]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 2.0]),
        ]),
        front: DVec3::new(0.86, 0.5, 0.0),
    };
    let sheet = Sheet::new(8, &[0.0, 0.2, 0.42, 0.66, 0.86, 1.0], move |a, v| tube.point(a, v));
    let skin = move |_: DVec3, along| chain(&[(HEAD, 0.0, 0.0), (side.ear(), 0.16, 0.2)], along);
    let sheet = if side == Side::Left { sheet } else { sheet.mirrored() };
    Part::new("head", ("ear", 104, 84), sheet, skin, ear_coat)
}

fn ear_coat(spot: &Spot) -> Colour {
    // 1 in the middle of the cup, 0 at its rim, below 0 behind.
    let cup = (spot.around * std::f64::consts::TAU).cos();
    let skin = blend(hex(0xd8_a0_80), hex(0x8a_4a_36), smooth_step(0.55, 0.05, spot.along));
    let inner = blend(cream(), skin, smooth_step(0.55, 0.95, cup));
    let coat = blend(rust(), inner, smooth_step(0.10, 0.32, cup) * smooth_step(0.80, 0.66, spot.along));
    fur(spot, blend(coat, soot(), smooth_step(0.58, 0.76, spot.along - 0.05 * cup.abs())))
}

/// A cap of a sphere around a direction. `edge` is the angle at its rim, in degrees.
fn cap(centre: DVec3, toward: DVec3, radius: f64, edge: f64) -> impl Fn(f64, f64) -> DVec3 {
    let turn = DQuat::from_rotation_arc(DVec3::X, toward.normalize());
    move |around, along| {
        let (sine, cosine) = (around * std::f64::consts::TAU).sin_cos();
        let (out, ahead) = (along * edge.to_radians()).sin_cos();
        centre + turn * (DVec3::new(ahead, out * sine, out * cosine) * radius)
    }
}

/// One of three locks that fall over the forehead.
fn lock(which: usize) -> Part {
    let spread = [0.0, 1.0, -1.0][which];
    let long = [1.0, 0.8, 0.7][which];
    let at = |x: f64, y: f64, z: f64| [x * long + 0.6, (y + 0.9) * spread + 0.25, 43.6 + z * long];
    let tube = Tube {
        path: Profile::new(&[(0.0, at(-1.6, 0.0, -0.8)), (0.5, at(0.0, 0.5, 2.2)), (1.0, at(3.6, 1.5, 3.4))]),
        rings: Profile::new(&[
            (0.0, [0.0, 1.3, 0.8, 0.8, 2.0]),
            (0.5, [0.5, 0.95, 0.6, 0.6, 2.0]),
            (1.0, [1.0, 0.0, 0.0, 0.0, 2.0]),
        ]),
        front: DVec3::Z,
    };
    let sheet = Sheet::new(4, &[0.0, 0.5, 1.0], move |a, v| tube.point(a, v));
    let coat = |spot: &Spot| fur(spot, blend(rust_dark(), rust() * 1.04, smooth_step(0.1, 0.9, spot.along)));
    Part::new("head", ("lock", 36, 40), sheet, rigid(HEAD), coat)
}

fn eye(side: Side) -> Part {
    let point = cap(eye_centre(side), gaze(side), EYE_RADIUS, 66.0);
    let chart = if side == Side::Left { "eye_l" } else { "eye_r" };
    let sheet = Sheet::new(10, &[0.0, 0.36, 0.68, 1.0], point).laid_out(Layout::Disc);
    Part::new("eyes", (chart, 84, 84), sheet, rigid(EYES), move |spot| eye_coat(spot, side)).shaded(0.6)
}

/// An upper lid: a cap just larger than the eyeball, which turns down over it. Open, its rim just touches the iris.
fn lid(side: Side) -> Part {
    let open = DQuat::from_axis_angle(lid_hinge(side), -101.5_f64.to_radians()) * gaze(side);
    let point = cap(eye_centre(side), open, EYE_RADIUS + 0.24, 66.0);
    let sheet = Sheet::new(12, &[0.0, 0.42, 0.76, 1.0], point).laid_out(Layout::Disc);
    Part::new("head", ("lid", 48, 48), sheet, rigid(side.lid()), lid_coat).shaded(0.12)
}
