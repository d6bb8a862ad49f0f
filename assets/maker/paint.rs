//! Paints the texture: every texel asks its part's coat for a colour, and light that the form itself keeps away is taken out.

use glam::{DVec2, DVec3};
use image::{ExtendedColorType, ImageEncoder, codecs::png};

use super::atlas::{Chart, MARGIN, SIDE};
use super::occlusion::Occluder;
use super::part::Part;
use super::profile::smooth_step;

/// Red, green, blue as the texture stores them (sRGB), 0 to 1.
pub type Colour = DVec3;

/// The place a coat is asked about.
pub struct Spot {
    /// In model space, bind pose, heights above the floor.
    pub position: DVec3,
    pub normal: DVec3,
    /// On the sheet, 0 to 1.
    pub around: f64,
    pub along: f64,
    /// In the chart, in texels: for grain of even size.
    pub texel: DVec2,
}

/// A colour from its usual six hexadecimal digits.
pub fn hex(rgb: u32) -> Colour {
    DVec3::new(f64::from(rgb >> 16 & 255), f64::from(rgb >> 8 & 255), f64::from(rgb & 255)) / 255.0
}

/// `a` at 0, `b` at 1.
pub fn blend(a: Colour, b: Colour, t: f64) -> Colour {
    a.lerp(b, t.clamp(0.0, 1.0))
}

/// 1 within `half` of `middle`, 0 from `half + soft` on.
pub fn band(value: f64, middle: f64, half: f64, soft: f64) -> f64 {
    smooth_step(half + soft, half, (value - middle).abs())
}

/// The whole texture, `SIDE` × `SIDE` texels of three bytes.
pub fn texture(parts: &[Part], charts: &[Chart], occluder: &Occluder) -> Vec<u8> {
    let mut texels = vec![60; (SIDE * SIDE * 3) as usize];
    for chart in charts {
        if let Some(part) = parts.iter().find(|part| part.chart == chart.name) {
            paint_chart(&mut texels, part, chart, occluder);
        }
    }
    texels
}

fn paint_chart(texels: &mut [u8], part: &Part, chart: &Chart, occluder: &Occluder) {
    let outward = part.sheet.cut().outward;
    let spot = |place: DVec2| {
        let (around, along) = part.sheet.layout.sheet(place);
        // At the very ends all of `around` is one point, without a normal.
        let along = along.clamp(0.004, 0.996);
        let normal = part.sheet.normal(around, along, outward);
        let texel = place * DVec2::new(chart.width.into(), chart.height.into());
        Spot { position: (part.sheet.point)(around, along), normal, around, along, texel }
    };
    let openness = Openness::new(chart, |place| {
        let spot = spot(place);
        1.0 - part.shading * (1.0 - occluder.openness(spot.position, spot.normal))
    });
    for y in 0..chart.height + 2 * MARGIN {
        for x in 0..chart.width + 2 * MARGIN {
            let inside = |texel: u32, size: u32| {
                ((f64::from(texel) + 0.5 - f64::from(MARGIN)) / f64::from(size)).clamp(0.0, 1.0)
            };
            let place = DVec2::new(inside(x, chart.width), inside(y, chart.height));
            let spot = spot(place);
            let colour = shaded((part.coat)(&spot), &spot, openness.at(place));
            let index = ((chart.top + y - MARGIN) * SIDE + chart.left + x - MARGIN) as usize * 3;
            for (channel, value) in colour.to_array().into_iter().enumerate() {
                texels[index + channel] = (value.clamp(0.0, 1.0) * 255.0).round() as u8;
            }
        }
    }
}

/// Takes light out where the form shades itself, leaving the shadows warm, and adds a breath of sky from above.
fn shaded(colour: Colour, spot: &Spot, openness: f64) -> Colour {
    let shade = blend(DVec3::new(0.50, 0.42, 0.44), DVec3::ONE, openness.powf(0.85));
    colour * shade * (1.0 + 0.05 * spot.normal.z)
}

/// Openness on a coarse grid over a chart, read smoothly: it varies slowly and is costly to find.
struct Openness {
    columns: usize,
    rows: usize,
    values: Vec<f64>,
}

impl Openness {
    const TEXELS_PER_CELL: u32 = 5;

    fn new(chart: &Chart, openness: impl Fn(DVec2) -> f64) -> Self {
        let columns = (chart.width / Self::TEXELS_PER_CELL).max(2) as usize;
        let rows = (chart.height / Self::TEXELS_PER_CELL).max(2) as usize;
        let value = |i: usize| {
            let place = DVec2::new((i % columns) as f64, (i / columns) as f64);
            openness((place + 0.5) / DVec2::new(columns as f64, rows as f64))
        };
        Self { columns, rows, values: (0..columns * rows).map(value).collect() }
    }

    fn at(&self, place: DVec2) -> f64 {
        let top = DVec2::new((self.columns - 1) as f64, (self.rows - 1) as f64);
        let p = (place * DVec2::new(self.columns as f64, self.rows as f64) - 0.5).clamp(DVec2::ZERO, top);
        let (x, y) = (p.x as usize, p.y as usize);
        let (right, below) = ((x + 1).min(self.columns - 1), (y + 1).min(self.rows - 1));
        let t = p.fract();
        let row =
            |y: usize| self.values[y * self.columns + x] * (1.0 - t.x) + self.values[y * self.columns + right] * t.x;
        row(y) * (1.0 - t.y) + row(below) * t.y
    }
}

/// The texture as a PNG file.
pub fn encode_png(texels: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = png::PngEncoder::new_with_quality(&mut bytes, png::CompressionType::Best, png::FilterType::Adaptive);
    (encoder.write_image(texels, SIDE, SIDE, ExtendedColorType::Rgb8)).expect("a PNG can always be written to memory");
    bytes
}
