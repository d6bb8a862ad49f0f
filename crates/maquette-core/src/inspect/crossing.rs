//! Triangles of posed parts that cross each other.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;

use crate::budget::Budget;

/// Positions and triangles of a posed part, for example a surface.
pub type PosedPart<'a> = (&'a [Vec3], &'a [[u32; 3]]);

/// Length of a crossing below which triangles only touch, as a fraction of the largest coordinate.
const TOUCH: f32 = 1e-5;

/// Number of pairs of triangles that are compared in a pose. A crossing counts as several. Further pairs are left out.
const COMPARISONS: u64 = 1 << 24;
const COST_OF_CROSSING: u64 = 16;

/// Line on which two triangles cross.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Indices of the parts, in ascending order.
    pub parts: [usize; 2],
    /// Index of a triangle in each part.
    pub triangles: [usize; 2],
    /// Ends of the line.
    pub line: [Vec3; 2],
}

/// Summary of the crossings of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossedPair {
    /// Indices of the parts, in ascending order. Equal for a part that crosses itself.
    pub parts: [usize; 2],
    /// Number of triangles of both parts that cross.
    pub triangles: usize,
    /// Length of all lines in units.
    pub length: f32,
}

struct Facet {
    corners: [Vec3; 3],
    min: Vec3,
    max: Vec3,
    part: usize,
    triangle: usize,
}

/// Returns the crossings of all parts. Triangles that touch, lie in one plane or share a corner do not cross. If
/// thousands of triangles lie at one point, later crossings are left out.
pub fn crossings(parts: &[PosedPart<'_>]) -> Vec<Crossing> {
    let mut facets = Vec::new();
    for (part, (positions, triangles)) in parts.iter().enumerate() {
        for (triangle, indices) in triangles.iter().enumerate() {
            let corners = indices.map(|index| positions.get(index as usize).copied().unwrap_or(Vec3::NAN));
            if corners.iter().all(|corner| corner.is_finite()) {
                let (min, max) =
                    (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
                facets.push(Facet { corners, min, max, part, triangle });
            }
        }
    }
    let reach = facets
        .iter()
        .fold(0.0, |reach: f32, facet| reach.max(facet.min.abs().max_element()).max(facet.max.abs().max_element()));
    // Sweep along the longest axis: a facet can only cross those that begin before it ends.
    let bounds =
        facets.iter().fold((Vec3::MAX, Vec3::MIN), |(min, max), facet| (min.min(facet.min), max.max(facet.max)));
    let axis = (bounds.1 - bounds.0).max_position();
    facets.sort_unstable_by(|a, b| a.min[axis].total_cmp(&b.min[axis]));
    let (mut found, mut budget) = (Vec::new(), Budget::new(COMPARISONS));
    for (index, first) in facets.iter().enumerate() {
        let later = facets.iter().skip(index + 1).take_while(|later| later.min[axis] <= first.max[axis]);
        for second in later {
            if budget.take(1).is_err() {
                return found;
            } else if !(second.min.cmple(first.max).all() && first.min.cmple(second.max).all()) {
                continue;
            }
            let (a, b) = if (first.part, first.triangle) <= (second.part, second.triangle) {
                (first, second)
            } else {
                (second, first)
            };
            let line = crossing(&a.corners, &b.corners, TOUCH * reach);
            if let Some(line) = line.filter(|_| budget.take(COST_OF_CROSSING).is_ok()) {
                found.push(Crossing { parts: [a.part, b.part], triangles: [a.triangle, b.triangle], line });
            }
        }
    }
    found
}

/// Summarises crossings for each pair of parts.
pub fn crossed_pairs(crossings: &[Crossing]) -> Vec<CrossedPair> {
    // Triangles with their parts, and the length of all lines.
    type Pair = (BTreeSet<(usize, usize)>, f32);
    let mut pairs: BTreeMap<[usize; 2], Pair> = BTreeMap::new();
    for Crossing { parts, triangles, line } in crossings {
        let (known, length) = pairs.entry(*parts).or_default();
        known.extend(parts.iter().copied().zip(*triangles));
        *length += line[0].distance(line[1]);
    }
    let pair = |(parts, (triangles, length)): (_, Pair)| CrossedPair { parts, triangles: triangles.len(), length };
    pairs.into_iter().map(pair).collect()
}

/// Returns the line on which two triangles cross, if it is longer than `touch` units.
fn crossing(a: &[Vec3; 3], b: &[Vec3; 3], touch: f32) -> Option<[Vec3; 2]> {
    if a.iter().any(|corner| b.iter().any(|other| corner.distance_squared(*other) <= touch * touch)) {
        return None;
    }
    let (on_b, on_a) = (cut(a, b, touch)?, cut(b, a, touch)?);
    // Both cuts lie on the line of the two planes, so the common part is between the inner two of the four ends.
    let along = (on_b[1] - on_b[0]).normalize_or_zero();
    let order = |cut: [Vec3; 2]| if cut[0].dot(along) <= cut[1].dot(along) { cut } else { [cut[1], cut[0]] };
    let (on_b, on_a) = (order(on_b), order(on_a));
    let start = if on_b[0].dot(along) >= on_a[0].dot(along) { on_b[0] } else { on_a[0] };
    let end = if on_b[1].dot(along) <= on_a[1].dot(along) { on_b[1] } else { on_a[1] };
    ((end - start).dot(along) > touch).then_some([start, end])
}

/// Returns the line on which `triangle` cuts the plane of `other`, if its corners are on both sides.
fn cut(triangle: &[Vec3; 3], other: &[Vec3; 3], touch: f32) -> Option<[Vec3; 2]> {
    let normal = (other[1] - other[0]).cross(other[2] - other[0]).normalize_or_zero();
    let above = triangle.map(|corner| normal.dot(corner - other[0]));
    if !above.iter().any(|above| *above > touch) || !above.iter().any(|above| *above < -touch) {
        return None;
    }
    let mut ends = [(0, 1), (1, 2), (2, 0)].into_iter().filter(|(from, to)| (above[*from] < 0.0) != (above[*to] < 0.0));
    let mut end = || {
        let (from, to) = ends.next()?;
        Some(triangle[from].lerp(triangle[to], above[from] / (above[from] - above[to])))
    };
    Some([end()?, end()?])
}
