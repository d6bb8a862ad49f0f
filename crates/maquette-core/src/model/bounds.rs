//! Axis-aligned boxes.

use glam::Vec3;

/// An axis-aligned box in model space, in units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest corner.
    pub min: Vec3,
    /// Largest corner.
    pub max: Vec3,
}

impl Bounds {
    /// The box around nothing: any point makes it that point.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Grows the box to hold `point`; a point that is not finite is ignored.
    pub fn add(&mut self, point: Vec3) {
        if point.is_finite() {
            self.min = self.min.min(point);
            self.max = self.max.max(point);
        }
    }

    /// The smallest box around both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The smallest box around `points`.
    pub fn of(points: impl IntoIterator<Item = Vec3>) -> Self {
        let mut bounds = Self::EMPTY;
        points.into_iter().for_each(|point| bounds.add(point));
        bounds
    }

    /// Whether the box holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        !(self.min.cmple(self.max).all())
    }

    /// Middle of the box; the origin if it is empty.
    #[must_use]
    pub fn centre(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.min.midpoint(self.max) }
    }

    /// Lengths of the sides; zero if it is empty.
    #[must_use]
    pub fn size(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max - self.min }
    }

    /// Half the diagonal; zero if it is empty.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.size().length() / 2.0
    }

    /// The eight corners: bit 0 of the index chooses x, bit 1 y, bit 2 z.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|i| {
            let pick = |bit: usize, low: f32, high: f32| if i >> bit & 1 == 0 { low } else { high };
            Vec3::new(pick(0, self.min.x, self.max.x), pick(1, self.min.y, self.max.y), pick(2, self.min.z, self.max.z))
        })
    }
}
