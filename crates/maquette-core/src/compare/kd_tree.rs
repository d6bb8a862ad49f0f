//! Nearest-neighbour search in a k-d tree without pointers.

use crate::budget::Budget;
use glam::Vec3;

/// Points in k-d order: the middle point of every range splits it along one axis, and its halves split along the next.
pub(super) struct KdTree {
    points: Vec<Vec3>,
}

impl KdTree {
    pub(super) fn new(points: &[Vec3]) -> Self {
        let mut points = points.to_vec();
        // A search would visit all duplicates.
        points.sort_unstable_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
        points.dedup();
        split(&mut points, 0);
        Self { points }
    }

    /// Returns the distance to the nearest point, or `None` if `steps` runs out. Without the limit, a search could
    /// visit all points of equal distance.
    pub(super) fn distance(&self, position: Vec3, steps: &mut Budget) -> Option<f32> {
        let mut best = f32::INFINITY;
        search(&self.points, 0, position, &mut best, steps);
        (steps.left() > 0).then(|| best.sqrt())
    }
}

fn split(points: &mut [Vec3], axis: usize) {
    if points.len() < 2 {
        return;
    }
    let middle = points.len() / 2;
    let (below, _, above) = points.select_nth_unstable_by(middle, |p, q| p[axis].total_cmp(&q[axis]));
    split(below, (axis + 1) % 3);
    split(above, (axis + 1) % 3);
}

fn search(points: &[Vec3], axis: usize, position: Vec3, best: &mut f32, steps: &mut Budget) {
    let middle = points.len() / 2;
    let Some(point) = points.get(middle).filter(|_| *best > 0.0 && steps.take(1).is_ok()) else { return };
    *best = best.min(point.distance_squared(position));
    let offset = position[axis] - point[axis];
    let (below, above) = (&points[..middle], &points[middle + 1..]);
    let (near, far) = if offset < 0.0 { (below, above) } else { (above, below) };
    search(near, (axis + 1) % 3, position, best, steps);
    if offset * offset < *best {
        search(far, (axis + 1) % 3, position, best, steps);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_points_count_once_and_search_is_limited() {
        let position = Vec3::new(3.0, 4.0, 0.0);
        let same = KdTree::new(&[Vec3::ZERO; 1000]);
        let mut steps = Budget::new(2);
        assert_eq!(same.distance(position, &mut steps), Some(5.0));
        // All points are equally far from the centre of the circle.
        let circle: Vec<Vec3> =
            (0..1000_u16).map(|turn| Vec3::from((glam::Vec2::from_angle(turn.into()), 0.0))).collect();
        let circle = KdTree::new(&circle);
        assert_eq!(circle.distance(Vec3::ZERO, &mut Budget::new(10)), None);
        assert!(
            circle.distance(Vec3::ZERO, &mut Budget::new(1001)).is_some_and(|distance| (distance - 1.0).abs() < 1e-6)
        );
    }
}
