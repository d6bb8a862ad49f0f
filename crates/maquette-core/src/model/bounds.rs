//! Axis-aligned bounding box.

use glam::Vec3;

/// Axis-aligned box in model space, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Minimum corner.
    pub min: Vec3,
    /// Maximum corner.
    pub max: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    /// Empty box, to which points can be added.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Grows the box to contain `point`. Non-finite points are ignored.
    pub fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// Returns the smallest box that contains both boxes.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Returns the smallest box that contains `points`. Non-finite points are ignored.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut bounds = Self::EMPTY;
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Returns the box, or the origin for an empty one.
    #[must_use]
    pub fn or_origin(self) -> Self {
        if self.is_empty() { Self { min: Vec3::ZERO, max: Vec3::ZERO } } else { self }
    }

    /// Returns whether the box is empty.
    pub fn is_empty(&self) -> bool {
        !(self.min.cmple(self.max).all())
    }

    /// Returns the centre; the origin if the box is empty.
    pub fn centre(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.min.midpoint(self.max) }
    }

    /// Returns the lengths of the sides; zero if the box is empty.
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// Returns half the diagonal; zero if the box is empty.
    pub fn radius(&self) -> f32 {
        self.size().length() / 2.0
    }

    /// Returns the eight corners: bit 0 of the index selects x, bit 1 y, bit 2 z.
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
            Vec3::new(pick(0, self.min.x, self.max.x), pick(1, self.min.y, self.max.y), pick(2, self.min.z, self.max.z))
        })
    }
}
