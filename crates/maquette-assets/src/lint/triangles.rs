//! Rules for triangles and vertices: inside-out, degenerate, duplicate or unused ones, and creases.

use std::collections::HashSet;
use std::collections::hash_map::Entry;

use foldhash::{HashMap, HashMapExt};
use glam::Vec3;

use super::finding::{Location, Occurrences, Severity, Sink};
use super::input::Context;
use maquette_core::edit::{flat_triangles, is_flat_in};
use maquette_core::error::counted;
use maquette_core::inspect::{CommandDifferences, command_differences};
use maquette_core::model::{Motion, Surface};
use maquette_core::pose::PosedSurface;

/// Minimum cosine between normals at one position that are not a crease: 45°.
const CREASE: f32 = std::f32::consts::FRAC_1_SQRT_2;

/// Reports triangles without area in any frame. Only if a triangle has none in the posed frames, all frames are posed.
pub(super) fn degenerate(context: &Context, sink: &mut Sink) {
    let mut in_samples: Vec<Vec<bool>> = Vec::new();
    each_surface(context, |_, surface, posed_frames| {
        let is_flat = |triangle: &[u32; 3]| posed_frames.iter().all(|posed| is_flat_in(posed, *triangle));
        in_samples.push(surface.triangles.iter().map(is_flat).collect());
    });
    if !in_samples.iter().flatten().any(|is_flat| *is_flat) {
        return;
    }
    let in_all = flat_triangles(context.model());
    let frames = if in_all.is_ok() { "" } else { " in the first, the middle and the last frame" };
    let flat = in_all.unwrap_or(in_samples);
    for (index, (surface, flat)) in context.model().surfaces().iter().zip(flat).enumerate() {
        let mut found = Occurrences::default();
        for (number, _) in flat.iter().enumerate().filter(|(_, is_flat)| **is_flat) {
            found.add(|| Location { triangle: Some(number), ..Location::surface(index, &surface.name) });
        }
        let message = format!("{} without area{frames}", counted(found.count, "triangle", "triangles"));
        sink.add_all(Severity::Warning, found, message);
    }
}

/// Reports surfaces whose triangles face against their stored normals. The front of a triangle is clockwise.
pub(super) fn inside_out(context: &Context, sink: &mut Sink) {
    if !context.model().format().traits().stores_normals {
        return;
    }
    each_surface(context, |index, surface, poses| {
        let Some(PosedSurface { positions, normals, .. }) = poses.first() else { return };
        let at = |list: &[Vec3], corner: u32| list.get(corner as usize).copied().unwrap_or_default();
        let (mut against, mut compared) = (0_usize, 0_usize);
        for [a, b, c] in &surface.triangles {
            let (origin, stored) = (at(positions, *a), at(normals, *a) + at(normals, *b) + at(normals, *c));
            let agreement = (at(positions, *c) - origin).cross(at(positions, *b) - origin).dot(stored);
            against += usize::from(agreement < 0.0);
            compared += usize::from(agreement != 0.0 && agreement.is_finite());
        }
        // In two-sided surfaces half of the triangles disagree, and in leaves with bent normals even more.
        if against * 10 > compared * 9 {
            let message = format!("{against} of {compared} triangles face against their normals");
            sink.add(Severity::Warning, Location::surface(index, &surface.name), message);
        }
    });
}

pub(super) fn repeated(context: &Context, sink: &mut Sink) {
    each_surface(context, |index, surface, posed_frames| {
        let shared = shared_positions(posed_frames);
        let index_of = |corner: u32| shared.get(corner as usize).copied().unwrap_or(0);
        let mut seen = HashSet::with_capacity(surface.triangles.len());
        let mut found = Occurrences::default();
        for (number, triangle) in surface.triangles.iter().enumerate() {
            let [a, b, c] = triangle.map(index_of);
            if a == b || b == c || c == a {
                continue;
            }
            // Rotated corners are the same triangle; reversed ones are the back of a two-sided triangle.
            let least = a.min(b).min(c);
            let turned = if least == a {
                [a, b, c]
            } else if least == b {
                [b, c, a]
            } else {
                [c, a, b]
            };
            if !seen.insert(turned) {
                found.add(|| Location { triangle: Some(number), ..Location::surface(index, &surface.name) });
            }
        }
        let message = counted(found.count, "duplicate triangle", "duplicate triangles");
        sink.add_all(Severity::Warning, found, message);
    });
}

fn shared_positions(posed_frames: &[&PosedSurface]) -> Vec<u32> {
    let count = posed_frames.first().map_or(0, |posed| posed.positions.len());
    let mut shared = vec![0; count];
    // Each key has the position in one frame; a key for all frames would be three times as long.
    let mut first: HashMap<(u32, Bits), u32> = HashMap::with_capacity(count);
    for posed in posed_frames {
        first.clear();
        for (vertex, (shared_index, position)) in (0_u32..).zip(shared.iter_mut().zip(&posed.positions)) {
            *shared_index = *first.entry((*shared_index, bits(*position))).or_insert(vertex);
        }
    }
    shared
}

type Bits = (u32, u32, u32);

fn bits(position: Vec3) -> Bits {
    // Adding zero converts −0 to +0.
    let [x, y, z] = (position + Vec3::ZERO).to_array().map(f32::to_bits);
    (x, y, z)
}

/// Reports GL commands that differ from the list of triangles.
pub(super) fn gl_commands(context: &Context, sink: &mut Sink) {
    let model = context.model();
    let Some(CommandDifferences { missing, added, moved }) = command_differences(model) else { return };
    if missing > 0 && model.data().gl_commands.as_ref().is_some_and(|words| words.len() < 2) {
        let message = "the file has no GL commands, so Quake II’s GL renderers draw nothing";
        return sink.add(Severity::Note, Location::default(), message);
    }
    let parts = [(missing, "missing"), (added, "added"), (moved, "moved on the skin")];
    let parts = parts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
    let parts: Vec<String> = parts.collect();
    if !parts.is_empty() {
        let message = format!("the GL commands differ from the triangles: {}", parts.join(", "));
        sink.add(Severity::Warning, Location::default(), message);
    }
}

pub(super) fn unused(context: &Context, sink: &mut Sink) {
    let tracks = match context.model().motion() {
        Motion::Morph(morph) => morph.surfaces.as_slice(),
        Motion::Skeletal(_) => &[],
    };
    for (index, surface) in context.model().surfaces().iter().enumerate() {
        // Loading splits an MD2's vertices by texture coordinates; report the stored vertices.
        let track = tracks.get(index);
        let remap = track.and_then(|track| track.remap.as_deref());
        let stored = match (remap, track) {
            (Some(_), Some(track)) => track.stored as usize,
            _ => surface.vertex_count(),
        };
        let mut is_used = vec![false; stored];
        for corner in surface.triangles.iter().flatten() {
            let vertex = remap.map_or(Some(*corner), |remap| remap.get(*corner as usize).copied());
            if let Some(used) = vertex.and_then(|vertex| is_used.get_mut(vertex as usize)) {
                *used = true;
            }
        }
        let mut found = Occurrences::default();
        for (vertex, _) in is_used.iter().enumerate().filter(|(_, used)| !**used) {
            found.add(|| Location { vertex: Some(vertex), ..Location::surface(index, &surface.name) });
        }
        let message = format!("{} not used by any triangle", counted(found.count, "vertex", "vertices"));
        sink.add_all(Severity::Note, found, message);
    }
}

pub(super) fn creases(context: &Context, sink: &mut Sink) {
    each_surface(context, |index, surface, posed_frames| {
        let Some(PosedSurface { positions, normals, .. }) = posed_frames.first() else { return };
        let mut first: HashMap<Bits, (u32, bool)> = HashMap::with_capacity(positions.len());
        let mut found = Occurrences::default();
        for (vertex, (position, normal)) in (0_u32..).zip(positions.iter().zip(normals)) {
            match first.entry(bits(*position)) {
                Entry::Vacant(entry) => drop(entry.insert((vertex, false))),
                Entry::Occupied(mut entry) => {
                    let (known, is_reported) = *entry.get();
                    let parts = |known: &Vec3| known.dot(*normal) < CREASE;
                    if !is_reported && normals.get(known as usize).is_some_and(parts) {
                        entry.insert((known, true));
                        let vertex = Some(vertex as usize);
                        found.add(|| Location { vertex, ..Location::surface(index, &surface.name) });
                    }
                }
            }
        }
        let message =
            format!("hard edge: normals differ by more than 45° at {}", counted(found.count, "position", "positions"));
        sink.add_all(Severity::Note, found, message);
    });
}

fn each_surface(context: &Context, mut message: impl FnMut(usize, &Surface, &[&PosedSurface])) {
    for (index, surface) in context.model().surfaces().iter().enumerate() {
        let posed_frames: Vec<&PosedSurface> =
            context.posed_frames.iter().filter_map(|posed| posed.get(index)).collect();
        message(index, surface, &posed_frames);
    }
}
