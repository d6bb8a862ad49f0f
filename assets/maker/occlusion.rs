//! Ambient occlusion: how much of the light from all around reaches a place, found by rays against the figure's triangles.

use glam::DVec3;

/// Units after which nothing shades any more.
const REACH: f64 = 11.0;

/// Rays per place.
const RAYS: usize = 48;

/// Most triangles in a leaf of the tree.
const LEAF: usize = 6;

/// Triangles in a tree of boxes.
pub struct Occluder {
    triangles: Vec<[DVec3; 3]>,
    nodes: Vec<Node>,
    directions: Vec<DVec3>,
}

struct Node {
    low: DVec3,
    high: DVec3,
    /// Triangles of a leaf.
    first: usize,
    count: usize,
    /// The second child; the first follows its parent. 0 in a leaf.
    second: usize,
}

impl Occluder {
    pub fn new(triangles: Vec<[DVec3; 3]>) -> Self {
        let mut occluder = Self { triangles, nodes: Vec::new(), directions: directions() };
        occluder.split(0, occluder.triangles.len());
        occluder
    }

    fn split(&mut self, first: usize, count: usize) -> usize {
        let range = &mut self.triangles[first..first + count];
        let corners = || range.iter().flatten().copied();
        let (low, high) =
            (corners().fold(DVec3::INFINITY, DVec3::min), corners().fold(DVec3::NEG_INFINITY, DVec3::max));
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, first, count, second: 0 });
        if count > LEAF {
            let size = (high - low).to_array();
            let axis = if size[0] >= size[1].max(size[2]) {
                0
            } else if size[1] >= size[2] {
                1
            } else {
                2
            };
            let middle = |triangle: &[DVec3; 3]| triangle.iter().map(|corner| corner[axis]).sum::<f64>();
            range.sort_by(|a, b| middle(a).total_cmp(&middle(b)));
            self.split(first, count / 2);
            self.nodes[index].second = self.split(first + count / 2, count - count / 2);
        }
        index
    }

    /// From 0 (shut in) to 1 (nothing near), light from the front counting most.
    pub fn openness(&self, position: DVec3, normal: DVec3) -> f64 {
        let from = position + normal * 0.3;
        let mut open = 0.0;
        let mut all = 0.0;
        for &direction in &self.directions {
            let facing = direction.dot(normal);
            if facing > 0.05 {
                // The floor shades too, half as much as the figure.
                let floor = if direction.z < -0.05 { -from.z.max(0.0) / direction.z } else { REACH };
                let floor_share = 0.5 + 0.5 * (floor / REACH).min(1.0);
                let near = self.nearest(from, direction);
                open += facing * (near / REACH).sqrt().min(floor_share);
                all += facing;
            }
        }
        if all > 0.0 { open / all } else { 1.0 }
    }

    /// Distance to the first triangle along a ray, at most `REACH`.
    fn nearest(&self, from: DVec3, direction: DVec3) -> f64 {
        let inverse = direction.recip();
        let mut nearest = REACH;
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let node = &self.nodes[index];
            let (a, b) = ((node.low - from) * inverse, (node.high - from) * inverse);
            let (enter, leave) = (a.min(b).max_element().max(0.0), a.max(b).min_element());
            if enter > leave || enter > nearest {
                continue;
            }
            if node.second > 0 {
                open.extend([index + 1, node.second]);
                continue;
            }
            for triangle in &self.triangles[node.first..node.first + node.count] {
                if let Some(distance) = hit(from, direction, triangle) {
                    nearest = nearest.min(distance);
                }
            }
        }
        nearest
    }
}

/// Distance along a ray to a triangle, from either side.
fn hit(from: DVec3, direction: DVec3, [a, b, c]: &[DVec3; 3]) -> Option<f64> {
    let (ab, ac) = (*b - *a, *c - *a);
    let across = direction.cross(ac);
    let determinant = ab.dot(across);
    if determinant.abs() < 1e-12 {
        return None;
    }
    let to_start = from - *a;
    let u = to_start.dot(across) / determinant;
    let turned = to_start.cross(ab);
    let v = direction.dot(turned) / determinant;
    let distance = ac.dot(turned) / determinant;
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0).then_some(distance)
}

/// Directions spread evenly over the whole sphere, on a spiral; the half that faces away from a place goes unused.
fn directions() -> Vec<DVec3> {
    let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
    (0..2 * RAYS)
        .map(|i| {
            let z = 1.0 - (2 * i + 1) as f64 / (2 * RAYS) as f64;
            let (sine, cosine) = (golden * i as f64).sin_cos();
            let radius = (1.0 - z * z).sqrt();
            DVec3::new(radius * cosine, radius * sine, z)
        })
        .collect()
}
