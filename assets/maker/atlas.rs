//! The atlas: where each chart lies in the texture.

use glam::DVec2;

use super::part::Part;

/// Side of the square texture in texels.
pub const SIDE: u32 = 512;

/// Texels left free around a chart, filled with its edge colours so that smaller mip levels do not bleed.
pub const MARGIN: u32 = 3;

/// A chart's rectangle in texels, without its margin.
#[derive(Clone, Copy, Debug)]
pub struct Chart {
    pub name: &'static str,
    pub left: u32,
    pub top: u32,
    pub width: u32,
    pub height: u32,
}

impl Chart {
    /// The texture coordinate of a place in the chart (0 to 1 both ways).
    pub fn uv(&self, place: DVec2) -> DVec2 {
        let texel =
            DVec2::new(self.left.into(), self.top.into()) + place * DVec2::new(self.width.into(), self.height.into());
        texel / f64::from(SIDE)
    }

    /// Whether the chart with its margin lies in the texture.
    fn is_inside(&self) -> bool {
        self.left + self.width + MARGIN <= SIDE && self.top + self.height + MARGIN <= SIDE
    }

    /// Whether two charts with their margins overlap.
    fn touches(&self, other: &Self) -> bool {
        let apart = 2 * MARGIN;
        self.left < other.left + other.width + apart
            && other.left < self.left + self.width + apart
            && self.top < other.top + other.height + apart
            && other.top < self.top + self.height + apart
    }
}

/// Lays out the parts' charts: tallest first, each as high up as it goes.
///
/// # Panics
/// If they do not fit: the sizes are chosen by hand, and a figure without its paint is of no use.
pub fn pack(parts: &[Part]) -> Vec<Chart> {
    let mut wanted: Vec<(&'static str, [u32; 2])> = Vec::new();
    for part in parts {
        if !wanted.iter().any(|(name, _)| *name == part.chart) {
            wanted.push((part.chart, part.size));
        }
    }
    wanted.sort_by_key(|(_, [width, height])| std::cmp::Reverse((*height, *width)));
    let mut charts: Vec<Chart> = Vec::new();
    for (name, [width, height]) in wanted {
        // Below or next to a chart, or at the edges.
        let lefts = charts.iter().map(|chart| chart.left + chart.width + MARGIN).chain([0]);
        let places = lefts.flat_map(|left| {
            charts.iter().map(|chart| chart.top + chart.height + MARGIN).chain([0]).map(move |top| (top, left))
        });
        let chart = (places.map(|(top, left)| Chart { name, left: left + MARGIN, top: top + MARGIN, width, height }))
            .filter(|chart| chart.is_inside() && !charts.iter().any(|other| other.touches(chart)))
            .min_by_key(|chart| (chart.top, chart.left))
            .unwrap_or_else(|| panic!("no room for the chart {name}"));
        charts.push(chart);
    }
    charts
}
