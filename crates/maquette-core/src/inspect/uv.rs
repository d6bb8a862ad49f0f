//! Analysis of texture coordinates.

use std::collections::HashMap;

use glam::Vec2;

use crate::budget::Budget;
use crate::limits::MAX_GRID_CELLS;
use crate::model::Surface;

pub const GRID: usize = 512;

/// Properties of a surface's texture coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UvInfo {
    /// Number of groups of triangles connected by texture coordinates.
    pub islands: usize,
    /// Triangles with a corner outside the texture, which repeats or is clamped there.
    pub outside: Vec<u32>,
    /// Number of triangles on which the texture is mirrored.
    pub mirrored: usize,
    /// Triangles that share cells of a grid of `GRID` per side, except the two halves of a mirrored model.
    pub overlapping: Vec<u32>,
    /// Fraction of the texture covered by triangles, on the same grid.
    pub covered: f32,
}

impl UvInfo {
    /// Analyses all triangles of a surface.
    #[must_use]
    pub fn from_surface(surface: &Surface) -> Self {
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

/// Tolerance beyond the texture's edge for rounding by exporters.
const EDGE: f32 = 1e-3;

fn doubled_area([a, b, c]: &[Vec2; 3]) -> f32 {
    (*b - *a).perp_dot(*c - *a)
}

fn islands(surface: &Surface) -> usize {
    let mut first_of = HashMap::with_capacity(surface.uvs.len());
    let mut first_equal: Vec<usize> = Vec::with_capacity(surface.uvs.len());
    for (index, uv) in surface.uvs.iter().enumerate() {
        let key = (*uv + Vec2::ZERO).to_array().map(f32::to_bits);
        first_equal.push(*first_of.entry(key).or_insert(index));
    }
    let mut roots: Vec<usize> = (0..first_equal.len()).collect();
    let mut used = vec![false; first_equal.len()];
    for corners in &surface.triangles {
        let corners = corners.map(|corner| first_equal.get(corner as usize).copied());
        let [Some(a), Some(b), Some(c)] = corners else { continue };
        [a, b, c].into_iter().for_each(|vertex| used[vertex] = true);
        let (a, b, c) = (root(&mut roots, a), root(&mut roots, b), root(&mut roots, c));
        roots[b] = a;
        // The first union may have changed the root.
        let c = root(&mut roots, c);
        roots[c] = root(&mut roots, a);
    }
    let is_root = |vertex: &usize| used[*vertex] && roots[*vertex] == *vertex;
    (0..first_equal.len()).filter(is_root).count()
}

fn root(roots: &mut [usize], mut at: usize) -> usize {
    while roots[at] != at {
        roots[at] = roots[roots[at]];
        at = roots[at];
    }
    at
}

struct Laid {
    number: u32,
    is_mirrored: bool,
    cells: Vec<u32>,
}

fn cells_under(corners: &[Vec2; 3], left: &mut Budget) -> Vec<u32> {
    let area = doubled_area(corners);
    let [a, b, c] = corners.map(|uv| uv * GRID as f32);
    let (min, max) = (a.min(b).min(c), a.max(b).max(c));
    let mut cells = Vec::new();
    if area == 0.0 || min.min_element() < -1.0 || max.max_element() > GRID as f32 + 1.0 {
        return cells;
    }
    let cell = |at: f32| (at.max(0.0) as usize).min(GRID - 1);
    for y in cell(min.y)..=cell(max.y) {
        for x in cell(min.x)..=cell(max.x) {
            if left.take(1).is_err() {
                break;
            }
            let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let side = |from: Vec2, to: Vec2| (to - from).perp_dot(middle - from) * area.signum() > 0.0;
            if side(a, b) && side(b, c) && side(c, a) {
                cells.push((y * GRID + x) as u32);
            }
        }
    }
    cells
}

/// Minimum percentage of a triangle's cells covered by mirrored twins; cells on an edge may belong to either side.
const TWIN_PERCENT: usize = 90;

/// Returns the overlapping triangles and the covered fraction. Skips triangles outside the texture, because repetition
/// is intended there. Also skips pairs of a triangle and its mirrored twin, because the halves of a mirrored model
/// share texels on purpose.
fn overlaps(triangles: &[(u32, [Vec2; 3])]) -> (Vec<u32>, f32) {
    let mut left = Budget::new(MAX_GRID_CELLS);
    let laid = triangles.iter().map(|(number, corners)| Laid {
        number: *number,
        is_mirrored: doubled_area(corners) < 0.0,
        cells: cells_under(corners, &mut left),
    });
    let laid: Vec<Laid> = laid.filter(|one| !one.cells.is_empty()).collect();
    // Number of unmirrored and mirrored triangles over each cell.
    let mut counts = vec![[0_u8; 2]; GRID * GRID];
    for one in &laid {
        for cell in &one.cells {
            let count = &mut counts[*cell as usize][usize::from(one.is_mirrored)];
            *count = count.saturating_add(1);
        }
    }
    let covered = counts.iter().filter(|count| **count != [0, 0]).count();
    let mut is_contested = vec![false; GRID * GRID];
    for one in &laid {
        let twins = one.cells.iter().filter(|cell| counts[**cell as usize] == [1, 1]).count();
        if twins * 100 < one.cells.len() * TWIN_PERCENT {
            for cell in &one.cells {
                let [plain, mirrored] = counts[*cell as usize];
                is_contested[*cell as usize] |= plain.saturating_add(mirrored) > 1;
            }
        }
    }
    let overlapping = laid.iter().filter(|one| one.cells.iter().any(|cell| is_contested[*cell as usize]));
    (overlapping.map(|one| one.number).collect(), covered as f32 / (GRID * GRID) as f32)
}

/// Maximum number of triangles whose edges [`uv_edges`] lists. Further triangles are left out.
const MAX_EDGE_TRIANGLES: usize = 1 << 18;

/// Edge of triangles in the texture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UvEdge {
    /// Texture coordinates of the ends.
    pub ends: [Vec2; 2],
    /// Fraction of the texture that the largest triangle at the edge covers.
    pub area: f32,
    /// Whether triangles lie on one side only.
    pub is_border: bool,
}

/// Returns the edges of a surface's triangles in the texture, each once.
pub fn uv_edges(surface: &Surface) -> Vec<UvEdge> {
    let bits = |uv: Vec2| (uv + Vec2::ZERO).to_array().map(f32::to_bits);
    let mut edges: Vec<UvEdge> = Vec::new();
    // Index of an edge, and the opposite corner in its first triangle.
    let mut known: HashMap<[[u32; 2]; 2], (usize, [u32; 2])> = HashMap::new();
    for corners in surface.triangles.iter().take(MAX_EDGE_TRIANGLES) {
        let corner = |index: u32| surface.uvs.get(index as usize).copied().filter(|uv| uv.is_finite());
        let [Some(a), Some(b), Some(c)] = corners.map(corner) else { continue };
        let area = doubled_area(&[a, b, c]).abs() / 2.0;
        for [from, to, opposite] in [[a, b, c], [b, c, a], [c, a, b]] {
            let mut key = [bits(from), bits(to)];
            if key[0] == key[1] {
                continue;
            }
            key.sort_unstable();
            let (index, first) = *known.entry(key).or_insert((edges.len(), bits(opposite)));
            match edges.get_mut(index) {
                Some(edge) => {
                    edge.area = edge.area.max(area);
                    edge.is_border &= first == bits(opposite);
                }
                None => edges.push(UvEdge { ends: [from, to], area, is_border: true }),
            }
        }
    }
    edges
}

/// Returns the last triangle in file order that contains the texture coordinate `point`.
pub fn triangle_at(surface: &Surface, point: Vec2) -> Option<usize> {
    surface.triangles.iter().rposition(|corners| {
        let corner = |index: u32| surface.uvs.get(index as usize).copied();
        let [Some(a), Some(b), Some(c)] = corners.map(corner) else { return false };
        let side = |from: Vec2, to: Vec2| (to - from).perp_dot(point - from);
        let sides = [side(a, b), side(b, c), side(c, a)];
        doubled_area(&[a, b, c]) != 0.0
            && (sides.iter().all(|side| *side >= 0.0) || sides.iter().all(|side| *side <= 0.0))
    })
}
