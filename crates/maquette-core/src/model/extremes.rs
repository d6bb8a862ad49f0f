//! Extreme points of a set.

use glam::Vec3;

/// 13 axes through a cube: through the centres of its faces and edges, and through its corners.
#[rustfmt::skip]
const AXES: [[f32; 3]; 13] = [
    [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0], [0.0, 1.0, 1.0], [0.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.0, -1.0], [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// Extreme points of a set in 26 directions, found in one pass. A view that contains them contains nearly all points.
#[derive(Clone, Debug)]
pub struct Extremes {
    ends: [[(f32, Vec3); 2]; 13],
}

impl Default for Extremes {
    fn default() -> Self {
        Self { ends: [[(f32::INFINITY, Vec3::ZERO), (f32::NEG_INFINITY, Vec3::ZERO)]; 13] }
    }
}

impl Extremes {
    /// Adds a point. Non-finite points are ignored.
    pub fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        for (axis, [least, greatest]) in AXES.iter().zip(&mut self.ends) {
            let along = axis[0] * point.x + axis[1] * point.y + axis[2] * point.z;
            if along <= least.0 {
                *least = (along, point);
            }
            if along >= greatest.0 {
                *greatest = (along, point);
            }
        }
    }

    /// Returns the extreme points, which may repeat; empty without points.
    pub fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.ends.iter().flatten().filter(|(along, _)| along.is_finite()).map(|(_, point)| *point)
    }
}
