//! Fast search for the nearest vector in a table of normals.

use glam::Vec3;

const SIDE: usize = 16;

/// Candidate vectors for directions through each square of a cube around the origin.
pub(super) struct NearestNormal {
    squares: Vec<Vec<(u8, Vec3)>>,
}

impl NearestNormal {
    pub fn new(normals: &[Vec3]) -> Self {
        let squares = (0..6 * SIDE * SIDE).map(|square| {
            let (face, row, column) = (square / (SIDE * SIDE), square / SIDE % SIDE, square % SIDE);
            let at = |step: usize, part: f32| (step as f32 + part) * (2.0 / SIDE as f32) - 1.0;
            let centre = direction(face, at(column, 0.5), at(row, 0.5));
            let corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0), (1.0, 1.0)];
            let reach = corners.map(|(x, y)| centre.angle_between(direction(face, at(column, x), at(row, y))));
            let reach = reach.into_iter().fold(0.0, f32::max);
            let angles = || normals.iter().map(|normal| centre.angle_between(*normal));
            // Triangle inequality: the nearest vector lies within this angle of the centre. The constant covers
            // rounding.
            let max = angles().fold(f32::INFINITY, f32::min) + 2.0 * reach + 1e-3;
            let near = (0..=255_u8).zip(normals).zip(angles()).filter(|(_, angle)| *angle <= max);
            near.map(|((index, normal), _)| (index, *normal)).collect()
        });
        Self { squares: squares.collect() }
    }

    /// Returns the index of the nearest vector. A zero direction counts as +Z.
    pub fn find(&self, direction: Vec3) -> u8 {
        let direction = if direction.is_finite() && direction != Vec3::ZERO { direction } else { Vec3::Z };
        let near = self.squares.get(square(direction)).map_or(&[][..], Vec::as_slice);
        let nearest = near.iter().max_by(|(_, a), (_, b)| a.dot(direction).total_cmp(&b.dot(direction)));
        nearest.map_or(0, |(index, _)| *index)
    }
}

fn direction(face: usize, x: f32, y: f32) -> Vec3 {
    let side = if face.is_multiple_of(2) { 1.0 } else { -1.0 };
    let point = match face / 2 {
        0 => Vec3::new(side, x, y),
        1 => Vec3::new(x, side, y),
        _ => Vec3::new(x, y, side),
    };
    point.normalize()
}

fn square(direction: Vec3) -> usize {
    let size = direction.abs();
    let axis = size.max_position();
    let (main, x, y) = match axis {
        0 => (direction.x, direction.y, direction.z),
        1 => (direction.y, direction.x, direction.z),
        _ => (direction.z, direction.x, direction.y),
    };
    let face = 2 * axis + usize::from(main < 0.0);
    let step = |number: f32| (((number / main.abs() + 1.0) * (SIDE as f32 / 2.0)) as usize).min(SIDE - 1);
    (face * SIDE + step(y)) * SIDE + step(x)
}
