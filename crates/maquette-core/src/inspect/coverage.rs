//! How much of a picture the triangles use that wear it, and how many of its texels a unit has.

use glam::Vec2;

use super::uv::GRID;
use crate::budget::Budget;
use crate::limits::MAX_GRID_CELLS;
use crate::model::Surface;
use crate::pose::PosedSurface;

/// What surfaces use of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TextureUse {
    /// Share of the picture that lies under triangles, 0 to 1, measured on a grid of 512 × 512 cells. Beyond its
    /// edges the picture repeats.
    pub used: f32,
    /// Texels under triangles; those under several count for each.
    pub texels: f64,
    /// Area of the triangles, in square units.
    pub area: f64,
}

impl TextureUse {
    /// What `surfaces` use of a picture of `size` texels; each comes with itself at the moment that is looked at.
    #[must_use]
    pub fn of<'a>(surfaces: impl IntoIterator<Item = (&'a Surface, &'a PosedSurface)>, size: [u32; 2]) -> Self {
        let mut cells = Cells::default();
        let mut found = Self::default();
        let picture = f64::from(size[0]) * f64::from(size[1]);
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
                    found.texels += uv_area * picture;
                }
                cells.cover([a.0, b.0, c.0]);
            }
        }
        found.used = cells.covered as f32 / (GRID * GRID) as f32;
        found
    }

    /// Texels along a unit, as the mean over the area; none where there is no area, or no texel.
    #[must_use]
    pub fn density(&self) -> Option<f64> {
        Some((self.texels / self.area).sqrt()).filter(|density| density.is_finite() && *density > 0.0)
    }

    /// The density of several together.
    #[must_use]
    pub fn density_of<'a>(all: impl IntoIterator<Item = &'a Self>) -> Option<f64> {
        let sum = all.into_iter().fold(Self::default(), |sum, one| Self {
            texels: sum.texels + one.texels,
            area: sum.area + one.area,
            ..sum
        });
        sum.density()
    }
}

/// A picture as cells, which of them triangles cover.
struct Cells {
    taken: Vec<bool>,
    covered: usize,
    /// Rows and cells that may still be looked at: many are asked for by coordinates that repeat the picture again and again.
    budget: Budget,
}

impl Default for Cells {
    fn default() -> Self {
        Self { taken: vec![false; GRID * GRID], covered: 0, budget: Budget::new(MAX_GRID_CELLS) }
    }
}

impl Cells {
    /// Takes the cells whose middle lies in a triangle, row by row.
    fn cover(&mut self, corners: [Vec2; 3]) {
        let corners = corners.map(|uv| uv.as_dvec2() * GRID as f64);
        let [a, b, c] = corners;
        let (top, bottom) = (a.y.min(b.y).min(c.y), a.y.max(b.y).max(c.y));
        // Middles of rows are at halves.
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

    /// Takes the cells of a row from `first` to before `end`, as often as the picture repeats there.
    fn cover_row(&mut self, row: i64, first: i64, end: i64) {
        let side = GRID as i64;
        let start = row.rem_euclid(side) as usize * GRID;
        // A whole picture's width takes the whole row.
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
