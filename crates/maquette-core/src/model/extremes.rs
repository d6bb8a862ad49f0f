//! The outermost of many points.

use glam::Vec3;

/// 13 axes through a cube: to the middles of its faces, of its edges, and to its corners.
const AXES: [[f32; 3]; 13] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 1.0, 0.0],
    [1.0, -1.0, 0.0],
    [1.0, 0.0, 1.0],
    [1.0, 0.0, -1.0],
    [0.0, 1.0, 1.0],
    [0.0, 1.0, -1.0],
    [1.0, 1.0, 1.0],
    [1.0, 1.0, -1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
];

/// The outermost points of a set in 26 directions, found in one pass: what a view must hold to hold all of them, nearly.
#[derive(Clone, Debug)]
pub struct Extremes {
    /// Along each axis, the least and the greatest distance from the origin, and where.
    ends: [[(f32, Vec3); 2]; 13],
}

impl Default for Extremes {
    fn default() -> Self {
        Self { ends: [[(f32::INFINITY, Vec3::ZERO), (f32::NEG_INFINITY, Vec3::ZERO)]; 13] }
    }
}

impl Extremes {
    /// Takes a point in; one that is not finite is passed over.
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

    /// The outermost points; the same one may come several times. Empty without any.
    pub fn points(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.ends.iter().flatten().filter(|(along, _)| along.is_finite()).map(|(_, point)| *point)
    }
}
