//! Numbered checker texture of 8 × 8 fields, A to H across and 1 to 8 down, with a tint for each column. It shows
//! position, scale, rotation and mirroring of texture coordinates.

/// Texels per side of the texture.
pub(super) const SIZE: u32 = 1024;
const FIELD: u32 = SIZE / 8;
const DOT: u32 = 7;
/// Texels per side of the small squares within a field, which show the texel density.
const SMALL: u32 = FIELD / 4;

/// Letters and digits, 5 dots wide and 7 high. The highest of the five bits is the left dot.
const LETTERS: [[u8; 7]; 8] = [
    [0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
    [0x1e, 0x11, 0x11, 0x1e, 0x11, 0x11, 0x1e],
    [0x0e, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0e],
    [0x1e, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1e],
    [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x1f],
    [0x1f, 0x10, 0x10, 0x1e, 0x10, 0x10, 0x10],
    [0x0e, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0f],
    [0x11, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11],
];
const DIGITS: [[u8; 7]; 8] = [
    [0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e],
    [0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f],
    [0x0e, 0x11, 0x01, 0x06, 0x01, 0x11, 0x0e],
    [0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02],
    [0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e],
    [0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e],
    [0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08],
    [0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e],
];
/// Tints of the columns, for light and dark fields.
#[rustfmt::skip]
const TINTS: [[u8; 3]; 8] = [
    [214, 132, 118], [214, 168, 104], [190, 190, 104], [128, 190, 120], [104, 188, 180], [116, 160, 214],
    [158, 140, 214], [206, 132, 186],
];

pub(super) fn texels() -> Vec<u8> {
    (0..SIZE).flat_map(|y| (0..SIZE).flat_map(move |x| texel(x, y))).collect()
}

fn texel(x: u32, y: u32) -> [u8; 4] {
    let (column, row) = ((x / FIELD) as usize, (y / FIELD) as usize);
    let (inner_x, inner_y) = (x % FIELD, y % FIELD);
    let dark = (column + row) % 2 == 1;
    let [red, green, blue] = TINTS.get(column).copied().unwrap_or([128; 3]);
    let raised = (x / SMALL + y / SMALL).is_multiple_of(2);
    let lift = match (dark, raised) {
        (true, false) => 10,
        (true, true) => 38,
        (false, false) => 92,
        (false, true) => 124,
    };
    let shade = |value: u8| if dark { value / 3 + lift } else { value / 2 + lift };
    let ink = if dark { [232; 3] } else { [32; 3] };
    // Two glyphs of 5 dots and a gap of 1: 11 dots across, 7 down, centred in the field.
    let (left, top) = ((FIELD - 11 * DOT) / 2, (FIELD - 7 * DOT) / 2);
    let lettered = inner_x.checked_sub(left).zip(inner_y.checked_sub(top)).is_some_and(|(x, y)| {
        let (dot_x, dot_y) = (x / DOT, (y / DOT) as usize);
        let (glyph, dot_x) = if dot_x < 6 { (LETTERS.get(column), dot_x) } else { (DIGITS.get(row), dot_x - 6) };
        dot_x < 5 && glyph.and_then(|glyph| glyph.get(dot_y)).is_some_and(|bits| bits >> (4 - dot_x) & 1 == 1)
    });
    let [red, green, blue] = if lettered { ink } else { [shade(red), shade(green), shade(blue)] };
    [red, green, blue, 255]
}
