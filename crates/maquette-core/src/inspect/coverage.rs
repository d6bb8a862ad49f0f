//! Texture usage of triangles and texel density.

use glam::Vec2;

use super::uv::GRID;
use crate::budget::Budget;
use crate::limits::MAX_GRID_CELLS;
use crate::model::Surface;
use crate::pose::PosedSurface;

/// Use of a texture by surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureUse {
    /// Fraction of the texture covered by triangles, on a grid of 512 × 512 cells. The texture repeats beyond its
    /// edges.
    pub used: f32,
    /// Number of texels under triangles, counted once for each triangle.
    pub texels: f64,
    /// Area of the triangles in square units.
    pub area: f64,
}

impl TextureUse {
    /// Measures the use of a texture of `size` texels. Each surface comes with its pose.
    pub fn new<'a>(surfaces: impl IntoIterator<Item = (&'a Surface, &'a PosedSurface)>, size: [u32; 2]) -> Self {
        let mut cells = Cells::default();
        let mut found = Self::default();
        let texels = f64::from(size[0]) * f64::from(size[1]);
        for (surface, posed) in surfaces {
            for corners in &surface.triangles {
                let corner = |index: u32| {
                    let uv = surface.uvs.get(index as usize).copied().filter(|uv| uv.is_finite());
                    Some((uv?, *posed.positions.get(index as usize)?))
                };
                let [Some(a), Some(b), Some(c)] = corners.map(corner) else { continue };
                let area = f64::from((b.1 - a.1).cross(c.1 - a.1).length() / 2.0);
                let uv_area = f64::from((b.0 - a.0).perp_dot(c.0 - a.0).abs() / 2.0);
                if area.is_finite() && uv_area.is_finite() {
                    found.area += area;
                    found.texels += uv_area * texels;
                }
                cells.cover([a.0, b.0, c.0]);
            }
        }
        found.used = cells.covered as f32 / (GRID * GRID) as f32;
        found
    }

    /// Returns texels per unit of length, averaged over the area; `None` without area or texels.
    pub fn density(&self) -> Option<f64> {
        Some((self.texels / self.area).sqrt()).filter(|density| density.is_finite() && *density > 0.0)
    }

    /// Returns the density of several uses together.
    pub fn density_of<'a>(all: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        let sum = all.into_iter().fold(Self::default(), |sum, one| Self {
            texels: sum.texels + one.texels,
            area: sum.area + one.area,
            ..sum
        });
        sum.density()
    }
}

struct Cells {
    taken: Vec<bool>,
    covered: usize,
    /// Remaining rows and cells to visit. Coordinates may repeat the texture many times.
    budget: Budget,
}

impl Default for Cells {
    fn default() -> Self {
        Self { taken: vec![false; GRID * GRID], covered: 0, budget: Budget::new(MAX_GRID_CELLS) }
    }
}

impl Cells {
    fn cover(&mut self, corners: [Vec2; 3]) {
        let corners = corners.map(|uv| uv.as_dvec2() * GRID as f64);
        let [a, b, c] = corners;
        let (top, bottom) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        let (first, end) = ((top - 0.5).ceil() as i64, (bottom - 0.5).ceil() as i64);
        for row in first..end {
            if self.budget.take(1).is_err() {
                return;
            }
            let middle = row as f64 + 0.5;
            let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
            for (start, end) in [(a, b), (b, c), (c, a)] {
                if (start.y <= middle) != (end.y <= middle) {
                    let x = start.x + (middle - start.y) / (end.y - start.y) * (end.x - start.x);
                    (from, to) = (from.min(x), to.max(x));
                }
            }
            self.cover_row(row, (from - 0.5).ceil() as i64, (to - 0.5).ceil() as i64);
        }
    }

    fn cover_row(&mut self, row: i64, first: i64, end: i64) {
        let side = GRID as i64;
        let start = row.rem_euclid(side) as usize * GRID;
        // A range as wide as the texture covers the whole row.
        for column in first..end.min(first.saturating_add(side)) {
            if self.budget.take(1).is_err() {
                return;
            }
            if let Some(taken) = self.taken.get_mut(start + column.rem_euclid(side) as usize)
                && !std::mem::replace(taken, true)
            {
                self.covered += 1;
            }
        }
    }
}
