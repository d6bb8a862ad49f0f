//! How a surface lies on its picture.

use std::collections::HashMap;

use glam::Vec2;

use crate::budget::Budget;
use crate::limits::MAX_GRID_CELLS;
use crate::model::Surface;

/// Cells along a side of the grid by which overlaps are found.
pub const GRID: usize = 512;

/// How a surface lies on its picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvInfo {
    /// Groups of triangles that are joined by texture coordinates.
    pub islands: usize,
    /// Triangles with a corner outside of the picture, which repeats there, or is held.
    pub outside: Vec<u32>,
    /// Triangles on which the picture is mirrored.
    pub mirrored: usize,
    /// Triangles that share a place of the picture with another one, as far as a grid of `GRID` cells a side shows.
    pub overlapping: Vec<u32>,
    /// Share of the picture that triangles cover, 0 to 1, by the same grid.
    pub covered: f32,
}

impl UvInfo {
    /// Looks at every triangle of a surface.
    #[must_use]
    pub fn of(surface: &Surface) -> Self {
        let corner = |index: u32| surface.uvs.get(index as usize).copied().filter(|uv| uv.is_finite());
        let triangles: Vec<(u32, [Vec2; 3])> = (0_u32..)
            .zip(&surface.triangles)
            .filter_map(|(number, corners)| {
                let [Some(a), Some(b), Some(c)] = corners.map(corner) else { return None };
                Some((number, [a, b, c]))
            })
            .collect();
        let is_outside = |uv: &Vec2| uv.min_element() < -EDGE || uv.max_element() > 1.0 + EDGE;
        let outside = triangles.iter().filter(|(_, corners)| corners.iter().any(is_outside));
        let mirrored = triangles.iter().filter(|(_, corners)| doubled_area(corners) < 0.0).count();
        let (overlapping, covered) = overlaps(&triangles);
        Self {
            islands: islands(surface),
            outside: outside.map(|(number, _)| *number).collect(),
            mirrored,
            overlapping,
            covered,
        }
    }
}

/// What a coordinate may lie beyond the picture's edge without being outside: exporters round.
const EDGE: f32 = 1e-3;

fn doubled_area([a, b, c]: &[Vec2; 3]) -> f32 {
    (*b - *a).perp_dot(*c - *a)
}

/// Groups of triangles whose corners have the same texture coordinates.
fn islands(surface: &Surface) -> usize {
    let mut place_of = HashMap::with_capacity(surface.uvs.len());
    let mut places: Vec<usize> = Vec::with_capacity(surface.uvs.len());
    for (index, uv) in surface.uvs.iter().enumerate() {
        let key = (*uv + Vec2::ZERO).to_array().map(f32::to_bits);
        places.push(*place_of.entry(key).or_insert(index));
    }
    let mut roots: Vec<usize> = (0..places.len()).collect();
    let mut used = vec![false; places.len()];
    for corners in &surface.triangles {
        let corners = corners.map(|corner| places.get(corner as usize).copied());
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        [a, b, c].into_iter().for_each(|place| used[place] = true);
        let (a, b, c) = (root(&mut roots, a), root(&mut roots, b), root(&mut roots, c));
        roots[b] = a;
        // The second may have been joined to the third's.
        let c = root(&mut roots, c);
        roots[c] = root(&mut roots, a);
    }
    let is_root = |place: &usize| used[*place] && roots[*place] == *place;
    (0..places.len()).filter(is_root).count()
}

fn root(roots: &mut [usize], mut at: usize) -> usize {
    while roots[at] != at {
        roots[at] = roots[roots[at]];
        at = roots[at];
    }
    at
}

/// Triangles that share cells of the grid, and the share of cells that any covers. What lies outside of the picture is
/// left out: it is meant to repeat.
fn overlaps(triangles: &[(u32, [Vec2; 3])]) -> (Vec<u32>, f32) {
    const NONE: u32 = u32::MAX;
    let mut owner = vec![NONE; GRID * GRID];
    let mut overlapping = std::collections::BTreeSet::new();
    let (mut covered, mut left) = (0_usize, Budget::new(MAX_GRID_CELLS));
    for (number, corners) in triangles {
        let area = doubled_area(corners);
        let [a, b, c] = corners.map(|uv| uv * GRID as f32);
        let (least, most) = (a.min(b).min(c), a.max(b).max(c));
        if area == 0.0 || least.min_element() < -1.0 || most.max_element() > GRID as f32 + 1.0 {
            continue;
        }
        let cell = |at: f32| (at.max(0.0) as usize).min(GRID - 1);
        for y in cell(least.y)..=cell(most.y) {
            for x in cell(least.x)..=cell(most.x) {
                if left.take(1).is_err() {
                    break;
                }
                let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
                let side = |from: Vec2, to: Vec2| (to - from).perp_dot(middle - from) * area.signum() > 0.0;
                if !(side(a, b) && side(b, c) && side(c, a)) {
                    continue;
                }
                let known = &mut owner[y * GRID + x];
                if *known == NONE {
                    *known = *number;
                    covered += 1;
                } else {
                    overlapping.extend([*known, *number]);
                }
            }
        }
    }
    (overlapping.into_iter().collect(), covered as f32 / (GRID * GRID) as f32)
}

/// The triangle that lies under a place of the picture, the last in file order; none if none does.
#[must_use]
pub fn triangle_at(surface: &Surface, place: Vec2) -> Option<usize> {
    surface.triangles.iter().rposition(|corners| {
        let corner = |index: u32| surface.uvs.get(index as usize).copied();
        let [Some(a), Some(b), Some(c)] = corners.map(corner) else { return false };
        let side = |from: Vec2, to: Vec2| (to - from).perp_dot(place - from);
        let sides = [side(a, b), side(b, c), side(c, a)];
        doubled_area(&[a, b, c]) != 0.0
            && (sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0))
    })
}
