//! Comparison of surfaces: static data once, vertices frame by frame.

use std::mem::take;

use glam::{Vec2, Vec3};

use super::frames::{FramePair, frame_position};
use super::header::details;
use super::kd_tree::KdTree;
use super::matching::Matching;
use super::precision::{ComparePrecision, is_further};
use super::report::{ModelSide, NormalChange, Pair, SurfaceChange, TriangleChange, UvChange, VertexMove};
use super::transforms::angle;
use crate::budget::Budget;
use crate::model::{Binding, Model, MorphTrack, Motion, Surface, u32_or_max};
use crate::pose::{Pose, PosedSurface, sample_stored};

pub(super) struct SurfacePair {
    lod: u32,
    a: usize,
    b: usize,
    order: Option<Pair<usize>>,
}

fn material(surface: &Surface) -> &str {
    surface.materials.first().map_or("", String::as_str)
}

pub(super) fn pair(a: &Model, b: &Model, lods: u32) -> (Vec<SurfaceChange>, Vec<SurfacePair>) {
    let (mut alone, mut pairs) = (Vec::new(), Vec::new());
    for lod in 0..lods {
        let of = |model: &Model| -> Vec<usize> {
            (0..model.surfaces().len()).filter(|index| model.surfaces()[*index].lod == lod).collect()
        };
        let (of_a, of_b) = (of(a), of(b));
        let name_a = |index: usize| a.surfaces()[of_a[index]].script_name();
        let name_b = |index: usize| b.surfaces()[of_b[index]].script_name();
        let mut matching = Matching::by_name((0..of_a.len()).map(name_a), (0..of_b.len()).map(name_b));
        // Match renamed surfaces by material, because tools rename the surfaces of LODs.
        matching
            .match_rest_by_name(|one| material(&a.surfaces()[of_a[one]]), |other| material(&b.surfaces()[of_b[other]]));
        let size = |surface: &Surface| (surface.vertex_count(), surface.triangles.len());
        // Match the rest in order: surfaces of formats without names and of converters that choose names, with about as
        // many triangles, and surfaces of equal size.
        let as_many = a.format() != b.format() && matching.only_a.len() == matching.only_b.len();
        matching.match_rest(|one, other| {
            let (one_size, other_size) = (size(&a.surfaces()[of_a[one]]), size(&b.surfaces()[of_b[other]]));
            let is_near =
                a.format() == b.format() || one_size.1.abs_diff(other_size.1) * 8 <= one_size.1.max(other_size.1);
            let may_differ = as_many || name_a(one).is_empty() || name_b(other).is_empty();
            one_size == other_size || may_differ && is_near
        });
        let only = |model: &Model, index: usize, which| SurfaceChange {
            name: model.surfaces()[index].script_name().to_owned(),
            index,
            lod,
            only: Some(which),
            ..SurfaceChange::default()
        };
        alone.extend(matching.only_a.iter().map(|index| only(a, of_a[*index], ModelSide::A)));
        alone.extend(matching.only_b.iter().map(|index| only(b, of_b[*index], ModelSide::B)));
        let matched = matching.pairs.iter().zip(matching.orders());
        pairs.extend(matched.map(|((one, other), order)| SurfacePair { lod, a: of_a[*one], b: of_b[*other], order }));
    }
    (alone, pairs)
}

fn distances(a: &PosedSurface, b: &PosedSurface, steps: &mut Budget) -> Option<[Vec<f32>; 2]> {
    if steps.left() == 0 {
        return None;
    }
    let (near_a, near_b) = (KdTree::new(&a.positions), KdTree::new(&b.positions));
    let mut of = |positions: &[Vec3], near: &KdTree| -> Option<Vec<f32>> {
        positions.iter().map(|position| near.distance(*position, steps)).collect()
    };
    Some([of(&a.positions, &near_b)?, of(&b.positions, &near_a)?])
}

/// Cost of one nearest-vertex search, in posed vertices.
const COST_OF_SEARCH: usize = 128;

pub(super) struct SurfaceInMotion<'a> {
    pair: SurfacePair,
    surfaces: [&'a Surface; 2],
    stored: Option<[&'a MorphTrack; 2]>,
    bindings: Option<[(&'a Binding, &'a Model); 2]>,
    counts: [usize; 2],
    /// Vertex of the second surface for each of the first, if the orders differ. The first frame decides.
    reordered: Option<Vec<u32>>,
    is_order_known: bool,
    resolution: ComparePrecision,
    is_same_format: bool,
    moved: Vec<bool>,
    added: Vec<bool>,
    turned: Vec<(f32, u32)>,
    frames: usize,
    frames_left_out: usize,
    furthest: Option<(usize, u32, f32)>,
    posed: [PosedSurface; 2],
}

impl<'a> SurfaceInMotion<'a> {
    pub(super) fn new(a: &'a Model, b: &'a Model, pair: SurfacePair, resolution: &ComparePrecision) -> Self {
        let surfaces = [&a.surfaces()[pair.a], &b.surfaces()[pair.b]];
        let (track_a, track_b) = (stored_track(a, pair.a), stored_track(b, pair.b));
        let stored = track_a.zip(track_b).map(|(a, b)| [a, b]);
        let counts = match stored {
            Some(tracks) => tracks.map(|track| track.stored as usize),
            None => surfaces.map(Surface::vertex_count),
        };
        let bindings = binding(a, pair.a).zip(binding(b, pair.b)).map(|(own, other)| [(own, a), (other, b)]);
        let corresponds = counts[0] == counts[1];
        let has_normals = corresponds && resolution.normal_degrees.is_finite();
        let reordered = corresponds.then(|| {
            let [a, b] = [0, 1].map(|side| corners(surfaces[side], stored.map(|tracks| tracks[side])));
            reordered(a, b, counts[0])
        });
        Self {
            pair,
            surfaces,
            stored,
            bindings,
            counts,
            reordered: reordered.flatten(),
            is_order_known: false,
            resolution: *resolution,
            is_same_format: a.format() == b.format(),
            moved: vec![false; counts[0]],
            added: vec![false; if corresponds { 0 } else { counts[1] }],
            turned: vec![(0.0, 0); if has_normals { counts[0] } else { 0 }],
            frames: 0,
            frames_left_out: 0,
            furthest: None,
            posed: Default::default(),
        }
    }

    pub(super) fn lod(&self) -> u32 {
        self.pair.lod
    }

    pub(super) fn cost_of_search(&self) -> usize {
        if self.corresponds() { 0 } else { (self.counts[0] + self.counts[1]) * COST_OF_SEARCH }
    }

    pub(super) fn note(&self) -> Option<String> {
        let name = self.surfaces[0].script_name();
        let left_out = self.frames_left_out;
        (left_out > 0).then(|| {
            format!(
                "vertices of surface “{name}” in {left_out} frames: the search for the nearest vertices would take too long"
            )
        })
    }

    fn corresponds(&self) -> bool {
        self.counts[0] == self.counts[1]
    }

    pub(super) fn add(&mut self, frames: &FramePair, a: &Pose, b: &Pose, steps: &mut Budget) {
        if let Some([track_a, track_b]) = self.stored {
            let [mut posed_a, mut posed_b] = take(&mut self.posed);
            sample_stored(track_a, frames.a, &mut posed_a);
            sample_stored(track_b, frames.b, &mut posed_b);
            self.add_posed(frames, &posed_a, &posed_b, steps);
            self.posed = [posed_a, posed_b];
        } else if let (Some(a), Some(b)) = (a.surfaces.get(self.pair.a), b.surfaces.get(self.pair.b)) {
            self.add_posed(frames, a, b, steps);
        }
    }

    fn add_posed(&mut self, frames: &FramePair, a: &PosedSurface, b: &PosedSurface, steps: &mut Budget) {
        let mut moves = false;
        if self.corresponds() {
            if !self.is_order_known {
                self.is_order_known = true;
                self.drop_useless_order(a, b);
            }
            for (vertex, own) in a.positions.iter().enumerate() {
                let Some(other) = b.positions.get(self.other(vertex)) else { continue };
                moves |= self.moves(vertex, distance(*own, *other), frames.a);
            }
            for (vertex, own) in a.normals.iter().enumerate() {
                let other = b.normals.get(self.other(vertex));
                let (Some(turned), Some(other)) = (self.turned.get_mut(vertex), other) else { continue };
                let degrees = angle(*own, *other);
                if degrees > turned.0 {
                    *turned = (degrees, frames.a);
                }
            }
        } else {
            let Some([of_a, of_b]) = distances(a, b, steps) else {
                self.frames_left_out += 1;
                return;
            };
            for (vertex, distance) in of_a.into_iter().enumerate() {
                moves |= self.moves(vertex, distance, frames.a);
            }
            for (added, distance) in self.added.iter_mut().zip(of_b) {
                let is_new = is_beyond(distance, self.resolution.distance);
                *added |= is_new;
                moves |= is_new;
            }
        }
        self.frames += usize::from(moves);
    }

    /// Compares vertices by number if that finds as few differences: triangles may only be turned.
    fn drop_useless_order(&mut self, a: &PosedSurface, b: &PosedSurface) {
        let Some(order) = &self.reordered else { return };
        let moved = |others: &mut dyn Iterator<Item = u32>| {
            let far = |(own, other): (&Vec3, u32)| {
                let other = b.positions.get(other as usize);
                other.is_none_or(|other| is_beyond(distance(*own, *other), self.resolution.distance))
            };
            a.positions.iter().zip(others).filter(|pair| far(*pair)).count()
        };
        if moved(&mut (0..)) <= moved(&mut order.iter().copied()) {
            self.reordered = None;
        }
    }

    /// Returns the vertex of the second surface that corresponds to one of the first.
    fn other(&self, vertex: usize) -> usize {
        self.reordered.as_ref().and_then(|order| order.get(vertex)).map_or(vertex, |other| *other as usize)
    }

    fn moves(&mut self, vertex: usize, distance: f32, frame: u32) -> bool {
        let moves = is_beyond(distance, self.resolution.distance);
        if let Some(moved) = self.moved.get_mut(vertex).filter(|_| moves) {
            *moved = true;
            if self.furthest.is_none_or(|(_, _, furthest)| is_further(distance, furthest)) {
                self.furthest = Some((vertex, frame, distance));
            }
        }
        moves
    }

    pub(super) fn finish(self, model: &Model) -> Option<SurfaceChange> {
        let [a, b] = self.surfaces;
        let (name, other) = (a.script_name(), b.script_name());
        let is_renamed = name != other && (self.is_same_format || !(name.is_empty() || other.is_empty()));
        let change = SurfaceChange {
            name: name.to_owned(),
            index: self.pair.a,
            lod: self.pair.lod,
            only: None,
            renamed: is_renamed.then(|| other.to_owned()),
            order: self.pair.order,
            vertices: Pair::if_different(self.counts[0], self.counts[1]),
            matched: (!self.corresponds()).then_some("nearest"),
            reordered: self.reordered.is_some(),
            moved: count(&self.moved),
            added: (!self.corresponds()).then(|| count(&self.added)),
            frames: self.frames,
            furthest: self.furthest.map(|(vertex, frame, distance)| VertexMove {
                vertex,
                frame: frame_position(model, frame),
                distance,
            }),
            materials: self.materials(),
            triangles: self.triangles(),
            uvs: self.uvs(),
            normals: self.normals(model),
            weights: self.weights(),
            details: details(&a.details, &b.details, self.is_same_format),
        };
        let is_same = SurfaceChange {
            name: change.name.clone(),
            index: change.index,
            lod: change.lod,
            ..SurfaceChange::default()
        } == change;
        (!is_same).then_some(change)
    }

    fn materials(&self) -> Option<Pair<Vec<String>>> {
        let [a, b] = self.surfaces.map(|surface| &surface.materials);
        let is_same = if self.is_same_format {
            a == b
        } else {
            // Converters drop extensions, which games ignore.
            a.iter().map(|name| bare(name)).eq(b.iter().map(|name| bare(name)))
        };
        (!is_same).then(|| Pair { a: a.clone(), b: b.clone() })
    }

    /// Returns the corners of the triangles. Those of the first surface get the numbers of the second.
    fn corners(&self, side: usize) -> impl Iterator<Item = [u32; 3]> + '_ {
        let numbered = move |vertex: u32| if side == 0 { u32_or_max(self.other(vertex as usize)) } else { vertex };
        corners(self.surfaces[side], self.stored.map(|tracks| tracks[side])).map(move |corners| corners.map(numbered))
    }

    fn triangles(&self) -> Option<TriangleChange> {
        let counts = self.surfaces.map(|surface| surface.triangles.len());
        let differing = self.corresponds().then(|| {
            if self.resolution.alike {
                let same = self.corners(0).zip(self.corners(1)).filter(|(a, b)| a == b).count();
                counts[0].max(counts[1]) - same
            } else {
                unmatched(self.corners(0), self.corners(1))
            }
        });
        let differs = counts[0] != counts[1] || differing.is_some_and(|differing| differing > 0);
        differs.then_some(TriangleChange { a: counts[0], b: counts[1], differing })
    }

    fn uvs(&self) -> Option<UvChange> {
        if !self.corresponds() {
            return None;
        }
        let [a, b] = self.surfaces.map(|surface| surface.uvs.as_slice());
        let mut change = UvChange { differing: 0, vertex: 0, distance: 0.0 };
        let mut add = |vertex: usize, a: Option<&Vec2>, b: Option<&Vec2>| {
            let (Some(a), Some(b)) = (a, b) else { return };
            let distance = if a == b { 0.0 } else { a.distance(*b) };
            if is_beyond(distance, self.resolution.uv) {
                change.differing += 1;
                if is_beyond(distance, change.distance) {
                    (change.vertex, change.distance) = (vertex, distance);
                }
            }
        };
        if self.stored.is_some() {
            let [own, other] = self.surfaces.map(|surface| surface.triangles.as_flattened().iter());
            let vertices = corners(self.surfaces[0], self.stored.map(|tracks| tracks[0])).flatten();
            for ((own, other), vertex) in own.zip(other).zip(vertices) {
                add(vertex as usize, a.get(*own as usize), b.get(*other as usize));
            }
        } else {
            a.iter().enumerate().for_each(|(vertex, a)| add(vertex, Some(a), b.get(self.other(vertex))));
        }
        (change.differing > 0).then_some(change)
    }

    /// Skips moved vertices, whose normals turn with the move.
    fn normals(&self, model: &Model) -> Option<NormalChange> {
        let turned = self.turned.iter().zip(&self.moved).enumerate();
        let differing =
            turned.filter(|(_, ((degrees, _), moved))| !**moved && *degrees > self.resolution.normal_degrees);
        let differing: Vec<(usize, f32, u32)> =
            differing.map(|(vertex, ((degrees, frame), _))| (vertex, *degrees, *frame)).collect();
        let (vertex, degrees, frame) = differing.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(NormalChange { differing: differing.len(), vertex, frame: frame_position(model, frame), degrees })
    }

    fn weights(&self) -> Option<usize> {
        let [(a, model_a), (b, model_b)] = self.bindings.filter(|_| self.corresponds() && self.resolution.alike)?;
        let differs = |(vertex, one): &(usize, &(u32, u32))| {
            let Some(other) = b.vertices.get(self.other(*vertex)) else { return true };
            let weights = |binding: &'a Binding, model: &'a Model, vertex: (u32, u32)| {
                let name = |joint: u32| model.joints().get(joint as usize).map(|joint| joint.name.as_str());
                binding.weights_of(vertex).iter().map(move |weight| (name(weight.joint), weight.bias))
            };
            !weights(a, model_a, **one).eq(weights(b, model_b, *other))
        };
        let count = a.vertices.iter().enumerate().filter(differs).count();
        (count > 0).then_some(count)
    }
}

fn count(flags: &[bool]) -> usize {
    flags.iter().filter(|flag| **flag).count()
}

fn is_beyond(distance: f32, max: f32) -> bool {
    distance > max || distance.is_nan()
}

/// Returns the distance of two positions. Equal positions have distance 0 even if they are infinite.
fn distance(a: Vec3, b: Vec3) -> f32 {
    if a == b { 0.0 } else { a.distance(b) }
}

fn stored_track(model: &Model, surface: usize) -> Option<&MorphTrack> {
    let Motion::Morph(motion) = model.motion() else { return None };
    motion.surfaces.get(surface).filter(|track| track.remap.is_some())
}

fn binding(model: &Model, surface: usize) -> Option<&Binding> {
    let Motion::Skeletal(motion) = model.motion() else { return None };
    motion.bindings.get(surface)
}

fn bare(name: &str) -> String {
    let name = name.to_lowercase().replace('\\', "/");
    let file = name.rfind('/').map_or(0, |slash| slash + 1);
    let end = name[file..].rfind('.').map_or(name.len(), |dot| file + dot);
    name[..end].to_owned()
}

/// Returns the corners of triangles as stored vertices.
fn corners<'a>(surface: &'a Surface, track: Option<&'a MorphTrack>) -> impl Iterator<Item = [u32; 3]> + 'a {
    let remap = track.and_then(|track| track.remap.as_deref());
    let vertex = move |index: u32| remap.map_or(index, |remap| remap.get(index as usize).copied().unwrap_or(index));
    surface.triangles.iter().map(move |corners| corners.map(vertex))
}

/// Returns the vertex of `b` for each vertex of `a` if both have the same triangles in the same order, but other numbers
/// of vertices. Tools that convert models change the numbers.
fn reordered(
    a: impl Iterator<Item = [u32; 3]>,
    b: impl Iterator<Item = [u32; 3]>,
    vertices: usize,
) -> Option<Vec<u32>> {
    let mut to: Vec<Option<u32>> = vec![None; vertices];
    let mut is_taken = vec![false; vertices];
    let (mut a, mut b) = (a.flatten(), b.flatten());
    loop {
        let (own, other) = match (a.next(), b.next()) {
            (Some(own), Some(other)) => (own, other),
            (None, None) => break,
            _ => return None,
        };
        let (to, is_taken) = (to.get_mut(own as usize)?, is_taken.get_mut(other as usize)?);
        match to {
            Some(known) if *known == other => {}
            None if !*is_taken => (*to, *is_taken) = (Some(other), true),
            _ => return None,
        }
    }
    // Vertices without triangles keep their order.
    let mut free = (0..).zip(&is_taken).filter(|(_, is_taken)| !**is_taken).map(|(index, _)| index);
    let order: Vec<u32> = to.into_iter().map(|to| to.or_else(|| free.next())).collect::<Option<_>>()?;
    (!order.iter().copied().eq(0..u32_or_max(vertices))).then_some(order)
}

fn unmatched(a: impl Iterator<Item = [u32; 3]>, b: impl Iterator<Item = [u32; 3]>) -> usize {
    let sorted = |triangles: &mut dyn Iterator<Item = [u32; 3]>| {
        let mut turned: Vec<[u32; 3]> = triangles.map(from_smallest).collect();
        turned.sort_unstable();
        turned
    };
    let (a, b) = (sorted(&mut { a }), sorted(&mut { b }));
    let (mut own, mut other, mut same) = (0, 0, 0);
    while let (Some(one), Some(two)) = (a.get(own), b.get(other)) {
        same += usize::from(one == two);
        own += usize::from(one <= two);
        other += usize::from(one >= two);
    }
    a.len().max(b.len()) - same
}

fn from_smallest(mut corners: [u32; 3]) -> [u32; 3] {
    let first = (0..3).min_by_key(|corner| corners[*corner]).unwrap_or(0);
    corners.rotate_left(first);
    corners
}
