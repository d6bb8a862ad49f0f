//! Simplification of meshes by half-edge collapses, which keep seams and surfaces closed in all frames.
//!
//! Vertices at one position in all sampled frames form a *corner*, across seams and surfaces. A collapse moves a corner
//! onto a neighbour. The error is the sum of the squared distances from the planes of the triangles, in several frames
//! (M. Garland and P. Heckbert, 1997).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use glam::{DVec3, Vec3};

use super::mesh::{bits, refine};
use crate::model::{Model, Motion, u32_or_max};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

/// Number of frames whose shape counts.
const WEIGHED_FRAMES: usize = 8;
/// Weight of planes through open edges, compared with those of triangles.
const EDGE_WEIGHT: f64 = 10.0;
/// Smallest cosine of the angle by which a collapse may turn a triangle.
const TURN_LIMIT: f32 = 0.3;
/// Largest number of triangles, including removed ones, of a corner that can be moved.
const MAX_TRIANGLES: usize = 512;

/// Size at which a simplification ends.
#[derive(Clone, Copy)]
pub(super) enum Target {
    /// Number of triangles of all surfaces.
    Triangles(usize),
    /// Largest numbers of triangles and of vertices of each surface.
    OfEach([usize; 2]),
}

/// Triangles of a simplified model.
pub(super) struct Simplified {
    /// Triangles that are left of each chosen surface.
    pub triangles: Vec<Vec<[u32; 3]>>,
    /// Largest distance of a removed vertex from the new triangles in the sampled frames, in units.
    pub deviation: f32,
    /// Whether the target was reached.
    pub is_reached: bool,
}

/// Symmetric matrix of a sum of squared distances from planes, as in the paper.
#[derive(Clone, Copy, Default)]
struct Quadric([f64; 10]);

impl Quadric {
    fn plane(normal: DVec3, point: DVec3, weight: f64) -> Self {
        let (DVec3 { x, y, z }, d) = (normal, -normal.dot(point));
        Self([x * x, x * y, x * z, x * d, y * y, y * z, y * d, z * z, z * d, d * d].map(|entry| entry * weight))
    }

    fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own += other);
    }

    fn at(&self, DVec3 { x, y, z }: DVec3) -> f64 {
        let [xx, xy, xz, xd, yy, yz, yd, zz, zd, dd] = self.0;
        (x * (xx * x + 2.0 * (xy * y + xz * z + xd))
            + y * (yy * y + 2.0 * (yz * z + yd))
            + z * (zz * z + 2.0 * zd)
            + dd)
            .max(0.0)
    }
}

struct Mesh {
    /// Corner of each vertex, across all surfaces.
    corner_of: Vec<u32>,
    /// Number of the corner, surface and texture coordinate of each vertex. Vertices of one such *wedge* differ only in
    /// normals.
    wedge_of: Vec<u32>,
    /// Position of each vertex in each frame.
    frames: Vec<Vec<Vec3>>,
    /// Vertices of each triangle; `None` if it was removed.
    triangles: Vec<Option<[u32; 3]>>,
    /// Triangles of each corner, including removed ones.
    of_corner: Vec<Vec<u32>>,
    /// Sum of planes of each corner in each frame.
    quadrics: Vec<Vec<Quadric>>,
    /// Corner onto which each corner was moved.
    moved_to: Vec<Option<u32>>,
    stamps: Vec<u32>,
    /// Surface of each vertex.
    surface_of: Vec<usize>,
    /// Vertex of each vertex as the format counts them: those of an MD2 or MDL may have several texture coordinates.
    stored_of: Vec<usize>,
    /// Number of corners of triangles that use each stored vertex.
    uses: Vec<u32>,
    /// Numbers of triangles and vertices that are left of each surface.
    left: Vec<[usize; 2]>,
    /// Number of triangles that are left of all surfaces.
    all: usize,
    target: Target,
    /// Number of surfaces with more than the target of each surface.
    exceeding: usize,
}

/// Simplifies surfaces of LOD 0 together, to at most `target` if possible.
pub(super) fn simplified(model: &Model, surfaces: &[usize], target: Target) -> Simplified {
    let (mut starts, mut triangles, mut stored_of) = (Vec::new(), Vec::new(), Vec::new());
    let (mut count, mut stored_count) = (0, 0);
    for (index, surface) in surfaces.iter().filter_map(|index| Some((*index, model.surfaces().get(*index)?))) {
        starts.push((count, triangles.len()));
        let first = u32_or_max(count);
        triangles.extend(surface.triangles.iter().map(|triangle| Some(triangle.map(|corner| corner + first))));
        let remap = if let Motion::Morph(motion) = model.motion() {
            motion.surfaces.get(index).and_then(|track| track.remap.as_ref())
        } else {
            None
        };
        let own = (0_u32..).take(surface.vertex_count()).map(|vertex| {
            let stored = remap.and_then(|remap| remap.get(vertex as usize)).copied().unwrap_or(vertex);
            stored_count + stored as usize
        });
        stored_of.extend(own);
        count += surface.vertex_count();
        stored_count += model.stored_vertices(index);
    }
    let wedges = surfaces.iter().filter_map(|index| model.surfaces().get(*index)).enumerate();
    let wedges = wedges.flat_map(|(index, surface)| surface.uvs.iter().map(move |uv| (index, bits(uv.extend(0.0)))));
    let mut mesh = Mesh::new(posed(model, surfaces), triangles, wedges, stored_of, target);
    mesh.simplify();
    let ends = starts.iter().skip(1).map(|(_, triangle)| *triangle).chain([mesh.triangles.len()]);
    let of_surface = |((vertex, first), end): (&(usize, usize), usize)| {
        let own = mesh.triangles.get(*first..end).unwrap_or_default().iter().flatten();
        own.map(|triangle| triangle.map(|corner| corner - u32_or_max(*vertex))).collect()
    };
    Simplified {
        triangles: starts.iter().zip(ends).map(of_surface).collect(),
        deviation: mesh.deviation(),
        is_reached: mesh.is_reached(),
    }
}

/// Returns the vertices of all surfaces in frames at equal distances.
fn posed(model: &Model, surfaces: &[usize]) -> Vec<Vec<Vec3>> {
    let count = model.frames().len();
    let chosen = (0..WEIGHED_FRAMES.min(count)).map(|index| index * count / WEIGHED_FRAMES.min(count));
    let mut pose = Pose::default();
    let frames = chosen.map(|frame| {
        sample(model, &Sampling::at(FrameBlend::single(u32_or_max(frame))), &mut pose);
        let own = surfaces.iter().filter_map(|surface| pose.surfaces.get(*surface));
        own.flat_map(|surface| surface.positions.iter().copied()).collect()
    });
    frames.collect()
}

impl Mesh {
    fn new(
        frames: Vec<Vec<Vec3>>,
        triangles: Vec<Option<[u32; 3]>>,
        wedges: impl Iterator<Item = (usize, [u32; 3])>,
        stored_of: Vec<usize>,
        target: Target,
    ) -> Self {
        let count = frames.first().map_or(0, Vec::len);
        let mut corner_of = vec![0; count];
        for frame in &frames {
            refine(&mut corner_of, frame.iter().map(|position| bits(*position)));
        }
        let mut wedge_of = corner_of.clone();
        let wedges: Vec<(usize, [u32; 3])> = wedges.collect();
        refine(&mut wedge_of, wedges.iter().copied());
        let surface_of: Vec<usize> = wedges.into_iter().map(|(surface, _)| surface).collect();
        let left = vec![[0; 2]; surface_of.last().map_or(0, |last| last + 1)];
        let quadrics = vec![vec![Quadric::default(); frames.len()]; count];
        let (of_corner, moved_to, stamps) = (vec![Vec::new(); count], vec![None; count], vec![0; count]);
        let uses = vec![0; stored_of.iter().max().map_or(0, |last| last + 1)];
        let (all, exceeding) = (0, 0);
        let mut mesh = Self {
            corner_of,
            wedge_of,
            frames,
            triangles,
            of_corner,
            quadrics,
            moved_to,
            stamps,
            surface_of,
            stored_of,
            uses,
            left,
            all,
            target,
            exceeding,
        };
        for (index, triangle) in mesh.triangles.clone().into_iter().enumerate() {
            for corner in mesh.corners(triangle) {
                if let Some(own) = mesh.of_corner.get_mut(corner as usize) {
                    own.push(u32_or_max(index));
                }
            }
        }
        mesh.triangles.clone().into_iter().flatten().for_each(|triangle| mesh.count_triangle(triangle, 1));
        mesh.add_planes();
        mesh
    }

    /// Adds to the numbers of triangles and vertices that are left of the surface of a vertex.
    fn count(&mut self, vertex: u32, change: [isize; 2]) {
        let surface = self.surface_of.get(vertex as usize).copied().unwrap_or(usize::MAX);
        let before = usize::from(self.exceeds(surface));
        for (left, change) in self.left.get_mut(surface).into_iter().flatten().zip(change) {
            *left = left.saturating_add_signed(change);
        }
        self.all = self.all.saturating_add_signed(change[0]);
        self.exceeding = (self.exceeding + usize::from(self.exceeds(surface))).saturating_sub(before);
    }

    /// Adds 1 or −1 to the number of triangles that are left, and counts the stored vertices that they use.
    fn count_triangle(&mut self, triangle: [u32; 3], change: isize) {
        self.count(triangle[0], [change, 0]);
        for vertex in triangle {
            let stored = self.stored_of.get(vertex as usize).copied().unwrap_or(usize::MAX);
            let Some(uses) = self.uses.get_mut(stored) else { continue };
            let before = *uses;
            *uses = before.saturating_add_signed(change as i32);
            let is_changed = before == 0 || *uses == 0;
            self.count(vertex, [0, if is_changed { change } else { 0 }]);
        }
    }

    /// Returns whether a surface has more triangles or vertices than it may have.
    fn exceeds(&self, surface: usize) -> bool {
        let Target::OfEach(max) = self.target else { return false };
        self.left.get(surface).is_some_and(|left| left.iter().zip(max).any(|(left, max)| *left > max))
    }

    fn is_reached(&self) -> bool {
        match self.target {
            Target::Triangles(max) => self.all <= max,
            Target::OfEach(_) => self.exceeding == 0,
        }
    }

    /// Returns whether a corner is in a surface that exceeds the target.
    fn is_meant(&self, corner: u32) -> bool {
        if let Target::Triangles(_) = self.target {
            return true;
        }
        let surface = |vertex: u32| self.surface_of.get(vertex as usize).copied().unwrap_or(usize::MAX);
        self.around(corner).iter().any(|(_, [vertex, ..])| self.exceeds(surface(*vertex)))
    }

    fn corner(&self, vertex: u32) -> u32 {
        self.corner_of.get(vertex as usize).copied().unwrap_or(vertex)
    }

    fn corners(&self, triangle: Option<[u32; 3]>) -> impl Iterator<Item = u32> + use<> {
        triangle.map(|triangle| triangle.map(|vertex| self.corner(vertex))).into_iter().flatten()
    }

    fn position(&self, frame: usize, vertex: u32) -> Vec3 {
        self.frames.get(frame).and_then(|frame| frame.get(vertex as usize)).copied().unwrap_or_default()
    }

    /// Returns the triangles of a corner.
    fn around(&self, corner: u32) -> Vec<(u32, [u32; 3])> {
        let own = self.of_corner.get(corner as usize).into_iter().flatten();
        own.filter_map(|index| Some((*index, (*self.triangles.get(*index as usize)?)?))).collect()
    }

    /// Returns the neighbours of a corner, each with the number of triangles at their edge.
    fn neighbours(&self, corner: u32) -> Vec<(u32, usize)> {
        let around = self.around(corner).into_iter().flat_map(|(_, triangle)| self.corners(Some(triangle)));
        let mut all: Vec<(u32, usize)> = around.filter(|other| *other != corner).map(|other| (other, 1)).collect();
        all.sort_unstable();
        all.dedup_by(|(other, more), (known, count)| {
            *count += if known == other { *more } else { 0 };
            known == other
        });
        all
    }

    /// Returns whether a corner has too many triangles to be moved. Each collapse visits all of them.
    fn is_crowded(&self, corner: u32) -> bool {
        self.of_corner.get(corner as usize).is_some_and(|own| own.len() > MAX_TRIANGLES)
    }

    fn add_planes(&mut self) {
        let mut uses: HashMap<[u32; 2], usize> = HashMap::new();
        let edge = |a: u32, b: u32| [a.min(b), a.max(b)];
        for triangle in &self.triangles {
            let corners: Vec<u32> = self.corners(*triangle).collect();
            for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
                *uses.entry(edge(*a, *b)).or_default() += 1;
            }
        }
        for index in 0..self.triangles.len() {
            let Some(triangle) = self.triangles.get(index).copied().flatten() else { continue };
            let corners = triangle.map(|vertex| self.corner(vertex));
            let open: Vec<usize> =
                (0..3).filter(|first| uses.get(&edge(corners[*first], corners[(first + 1) % 3])) == Some(&1)).collect();
            for frame in 0..self.frames.len() {
                let points = triangle.map(|vertex| self.position(frame, vertex).as_dvec3());
                let cross = (points[2] - points[0]).cross(points[1] - points[0]);
                let normal = cross.normalize_or_zero();
                let mut planes = vec![Quadric::plane(normal, points[0], cross.length())];
                planes.extend(open.iter().map(|edge| {
                    let along = points[(edge + 1) % 3] - points[*edge];
                    let outward = along.cross(normal).normalize_or_zero();
                    Quadric::plane(outward, points[*edge], along.length_squared() * EDGE_WEIGHT)
                }));
                for corner in corners {
                    let own = self.quadrics.get_mut(corner as usize).and_then(|own| own.get_mut(frame));
                    own.into_iter().for_each(|own| planes.iter().for_each(|plane| own.add(plane)));
                }
            }
        }
    }

    fn cost(&self, from: u32, to: u32) -> f64 {
        let of = |corner: u32| self.quadrics.get(corner as usize).into_iter().flatten().enumerate();
        let error = |(frame, quadric): (usize, &Quadric)| quadric.at(self.position(frame, to).as_dvec3());
        of(from).chain(of(to)).map(error).sum()
    }

    fn simplify(&mut self) {
        let mut heap = BinaryHeap::new();
        for corner in 0..u32_or_max(self.of_corner.len()) {
            self.offer(corner, false, &mut heap);
        }
        while let Some(Reverse((_, from, to, stamp))) = heap.pop().filter(|_| !self.is_reached()) {
            let of = |corner: u32| self.stamps.get(corner as usize).copied().unwrap_or(0);
            if of(from).wrapping_add(of(to)) == stamp && self.is_meant(from) && self.collapse(from, to) {
                self.offer(to, true, &mut heap);
            }
        }
    }

    /// Adds the collapses of a corner onto its neighbours, and those of the neighbours onto it.
    fn offer(&self, corner: u32, both_ways: bool, heap: &mut BinaryHeap<Reverse<(u64, u32, u32, u32)>>) {
        let of = |corner: u32| self.stamps.get(corner as usize).copied().unwrap_or(0);
        let others = if self.is_crowded(corner) { Vec::new() } else { self.neighbours(corner) };
        for (other, _) in others {
            let ways = [(corner, other), (other, corner)];
            for (from, to) in ways.into_iter().take(if both_ways { 2 } else { 1 }) {
                // The bits of positive numbers have the order of the numbers.
                heap.push(Reverse((self.cost(from, to).to_bits(), from, to, of(from).wrapping_add(of(to)))));
            }
        }
    }

    fn wedge(&self, vertex: u32) -> u32 {
        self.wedge_of.get(vertex as usize).copied().unwrap_or(vertex)
    }

    /// Returns the vertex that replaces each vertex of a corner, if the corner can be moved.
    fn replacements(&self, from: u32, to: u32) -> Option<Vec<(u32, u32)>> {
        let around = self.around(from);
        let mut all: Vec<(u32, u32)> = Vec::new();
        let vertex_at =
            |triangle: &[u32; 3], corner| triangle.iter().copied().find(|vertex| self.corner(*vertex) == corner);
        for (_, triangle) in &around {
            if let (Some(old), Some(new)) = (vertex_at(triangle, from), vertex_at(triangle, to)) {
                match all.iter().find(|(known, _)| self.wedge(*known) == self.wedge(old)) {
                    Some((_, known)) if self.wedge(*known) != self.wedge(new) => return None,
                    _ => all.push((old, new)),
                }
            }
        }
        for (_, triangle) in &around {
            let old = vertex_at(triangle, from)?;
            let (_, new) = all.iter().find(|(known, _)| self.wedge(*known) == self.wedge(old)).copied()?;
            if all.iter().all(|(known, _)| *known != old) {
                all.push((old, new));
            }
        }
        Some(all)
    }

    /// Moves a corner onto another. Returns false if that would open, fold or turn the mesh.
    fn collapse(&mut self, from: u32, to: u32) -> bool {
        if self.is_crowded(from) || self.is_crowded(to) {
            return false;
        }
        let (own, others) = (self.neighbours(from), self.neighbours(to));
        let Some((_, shared)) = own.iter().find(|(corner, _)| *corner == to).copied() else { return false };
        let is_open = own.iter().any(|(_, count)| *count == 1);
        let common = own.iter().filter(|(corner, _)| others.iter().any(|(other, _)| other == corner)).count();
        if common != shared || shared > 2 || own.iter().any(|(_, count)| *count > 2) || is_open != (shared == 1) {
            return false;
        }
        let Some(replacements) = self.replacements(from, to) else { return false };
        let replaced = |triangle: [u32; 3]| {
            triangle.map(|vertex| replacements.iter().find(|(old, _)| *old == vertex).map_or(vertex, |(_, new)| *new))
        };
        let around = self.around(from);
        let has = |triangle: [u32; 3], corner| self.corners(Some(triangle)).any(|own| own == corner);
        let (removed, kept): (Vec<_>, Vec<_>) = around.into_iter().partition(|(_, triangle)| has(*triangle, to));
        let turns = |(_, triangle): &(u32, [u32; 3])| {
            (0..self.frames.len()).any(|frame| {
                let normal = |triangle: [u32; 3]| {
                    let [a, b, c] = triangle.map(|vertex| self.position(frame, vertex));
                    (c - a).cross(b - a).normalize_or_zero()
                };
                let (before, after) = (normal(*triangle), normal(replaced(*triangle)));
                before != Vec3::ZERO && before.dot(after) < TURN_LIMIT
            })
        };
        let is_last = kept.is_empty() && self.around(to).len() == removed.len();
        if is_last || kept.iter().any(turns) {
            return false;
        }
        for (index, triangle) in &removed {
            self.triangles.get_mut(*index as usize).into_iter().for_each(|triangle| *triangle = None);
            self.count_triangle(*triangle, -1);
        }
        for (index, triangle) in kept {
            self.count_triangle(replaced(triangle), 1);
            self.count_triangle(triangle, -1);
            self.triangles.get_mut(index as usize).into_iter().for_each(|own| *own = Some(replaced(triangle)));
            self.of_corner.get_mut(to as usize).into_iter().for_each(|own| own.push(index));
        }
        let quadrics = self.quadrics.get(from as usize).cloned().unwrap_or_default();
        for (own, other) in self.quadrics.get_mut(to as usize).into_iter().flatten().zip(&quadrics) {
            own.add(other);
        }
        for corner in [from, to] {
            self.stamps.get_mut(corner as usize).into_iter().for_each(|stamp| *stamp += 1);
        }
        self.moved_to.get_mut(from as usize).into_iter().for_each(|own| *own = Some(to));
        true
    }

    fn deviation(&self) -> f32 {
        let mut largest = 0.0_f32;
        for (corner, first) in (0_u32..).zip(&self.moved_to).filter_map(|(corner, first)| Some((corner, (*first)?))) {
            let mut end = first;
            while let Some(next) = self.moved_to.get(end as usize).copied().flatten() {
                end = next;
            }
            // The nearest triangle is at the new corner, or at one of its neighbours.
            let neighbours = self.neighbours(end).into_iter().map(|(corner, _)| corner);
            let near: Vec<[u32; 3]> = std::iter::once(end)
                .chain(neighbours.filter(|corner| !self.is_crowded(*corner)))
                .flat_map(|corner| self.around(corner))
                .map(|(_, triangle)| triangle)
                .collect();
            for frame in 0..self.frames.len() {
                let point = self.position(frame, corner);
                let distance = |triangle: &[u32; 3]| {
                    let [a, b, c] = triangle.map(|vertex| self.position(frame, vertex));
                    nearest(point, a, b, c).distance(point)
                };
                let at_corner = point.distance(self.position(frame, end));
                largest = largest.max(near.iter().map(distance).fold(at_corner, f32::min));
            }
        }
        largest
    }
}

/// Returns the nearest point of a triangle.
fn nearest(point: Vec3, a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    let normal = (b - a).cross(c - a);
    let inside = |from: Vec3, to: Vec3| (to - from).cross(point - from).dot(normal) >= 0.0;
    if normal != Vec3::ZERO && inside(a, b) && inside(b, c) && inside(c, a) {
        let unit = normal.normalize_or_zero();
        return point - unit * unit.dot(point - a);
    }
    let on_edge = |from: Vec3, to: Vec3| {
        let along = to - from;
        from + along * ((point - from).dot(along) / along.length_squared().max(f32::MIN_POSITIVE)).clamp(0.0, 1.0)
    };
    let [first, second, third] = [on_edge(a, b), on_edge(b, c), on_edge(c, a)];
    let nearer = |a: Vec3, b: Vec3| if b.distance_squared(point) < a.distance_squared(point) { b } else { a };
    nearer(nearer(first, second), third)
}
