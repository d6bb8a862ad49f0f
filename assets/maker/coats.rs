//! Materials the figure is painted with: fur, woven cloth, leather, and the palette.

use glam::DVec2;

use super::noise::noise;
use super::paint::{Colour, Spot, blend, hex};

/// The fox's back, crown and limbs.
pub fn rust() -> Colour {
    hex(0xd9_70_35)
}
/// Fur in its own shade.
pub fn rust_dark() -> Colour {
    hex(0xb5_52_26)
}
/// Mask, brow spots, tip of the tail, wool.
pub fn cream() -> Colour {
    hex(0xf7_ea_d3)
}
/// Ear tips, hands, lines round the eyes.
pub fn soot() -> Colour {
    hex(0x45_2c_24)
}
/// Tunic.
pub fn teal() -> Colour {
    hex(0x2f_73_78)
}
/// Tunic's yoke, cuffs and pleats.
pub fn teal_dark() -> Colour {
    hex(0x22_55_5e)
}
/// Embroidery and stitches.
pub fn ochre() -> Colour {
    hex(0xe3_b3_52)
}
/// Scarf.
pub fn berry() -> Colour {
    hex(0xb2_36_4a)
}
/// Leather.
pub fn hide() -> Colour {
    hex(0x6b_43_2c)
}
/// Buckle and button.
pub fn brass() -> Colour {
    hex(0xd8_ae_58)
}

/// Fur: strands that run along the part, clumped, a little lighter at their tips.
pub fn fur(spot: &Spot, base: Colour) -> Colour {
    let t = spot.texel;
    let fine = noise(DVec2::new(t.x / 1.4, t.y / 6.0), 1);
    let bend = noise(t / 14.0, 2) * 3.0;
    let clump = noise(DVec2::new((t.x + bend) / 4.5, t.y / 16.0), 3);
    base * (1.0 + 0.045 * fine + 0.06 * clump)
}

/// Woven cloth: a faint thread pattern and soft unevenness from use.
pub fn cloth(spot: &Spot, base: Colour) -> Colour {
    let t = spot.texel;
    let checker = if (t.x.floor() as i64 + t.y.floor() as i64).rem_euclid(2) == 0 { 1.0 } else { -1.0 };
    let worn = noise(t / 17.0, 5) * 0.04 + noise(t / 5.0, 6) * 0.025;
    base * (1.0 + 0.018 * checker + worn)
}

/// Leather: blotches and fine grain.
pub fn leather(spot: &Spot, base: Colour) -> Colour {
    let t = spot.texel;
    let blotch = noise(t / 11.0, 8);
    let grain = noise(t / 2.0, 9);
    blend(base, base * 1.22, 0.5 + 0.5 * blotch) * (1.0 + 0.05 * grain)
}

/// Stitches: dashes along a line. `across` is the distance from the line and `along` the way along it, in texels.
pub fn stitches(base: Colour, thread: Colour, across: f64, along: f64) -> Colour {
    let dash = (along / 6.0).rem_euclid(1.0);
    if across.abs() < 1.0 && dash < 0.62 {
        blend(base, thread, 0.8)
    } else {
        blend(base, base * 0.8, 1.4 - across.abs())
    }
}
