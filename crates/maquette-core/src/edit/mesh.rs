//! Changes of the vertices and triangles of a surface.

use std::sync::Arc;

use glam::Vec3;

use super::operation::Notes;
use super::vertices::{NewFrame, decoded, encode};
use crate::model::packed_normal::{
    nearest_ring_normal, nearest_table_normal, nearest_zenith_azimuth, ring_normal, table_normal, zenith_azimuth,
};
use crate::model::{
    Binding, FormatData, ModelParts, MorphTrack, Motion, PackedVertices, ShortVertex, SkeletalMotion, Surface,
    SurfaceData, u32_or_max,
};

/// Gives a surface other vertices, as indices of its old ones, and other triangles.
pub(super) fn rebuild(parts: &mut ModelParts, index: usize, vertices: &[u32], triangles: Vec<[u32; 3]>) {
    put(parts, index, vertices, triangles, false);
}

/// Inserts a surface after another, with some of its vertices, and other triangles.
pub(super) fn insert_part(parts: &mut ModelParts, index: usize, vertices: &[u32], triangles: Vec<[u32; 3]>) {
    put(parts, index, vertices, triangles, true);
}

fn put(parts: &mut ModelParts, index: usize, vertices: &[u32], triangles: Vec<[u32; 3]>, is_added: bool) {
    fn store<T>(all: &mut Vec<T>, index: usize, new: T, is_added: bool) {
        if is_added {
            all.insert(index + 1, new);
        } else if let Some(own) = all.get_mut(index) {
            *own = new;
        }
    }
    let Some(surface) = parts.surfaces.get(index) else { return };
    let chosen: Vec<usize> = vertices.iter().map(|vertex| *vertex as usize).collect();
    let uvs = picked(&surface.uvs, &chosen);
    let colours = surface.data.colours.as_ref().map(|colours| picked(colours, &chosen).into());
    let data = Arc::new(SurfaceData { colours, bone_references: None, ..SurfaceData::clone(&surface.data) });
    let mut surface = Surface { uvs, triangles, data, ..surface.clone() };
    // The writers build them from the triangles.
    parts.data.gl_commands = None;
    match &mut parts.motion {
        Motion::Morph(motion) => {
            let Some(track) = motion.surfaces.get(index) else { return };
            let new = match &track.remap {
                None => with_stored(track, &chosen),
                Some(remap) => {
                    let remap = picked(remap, &chosen);
                    let mut stored: Vec<usize> = remap.iter().map(|stored| *stored as usize).collect();
                    stored.sort_unstable();
                    stored.dedup();
                    let new = |old: &u32| u32_or_max(stored.binary_search(&(*old as usize)).unwrap_or(0));
                    let remap = Some(remap.iter().map(new).collect());
                    let new = MorphTrack { remap, ..with_stored(track, &stored) };
                    pick_seams(&mut parts.data, &stored);
                    new
                }
            };
            store(&mut motion.surfaces, index, new, is_added);
        }
        Motion::Skeletal(motion) => {
            let Some(binding) = motion.bindings.get(index) else { return };
            let new = picked_binding(binding, &chosen);
            // Reports show the number of weights.
            Arc::make_mut(&mut surface.data).stored_weights = new.weights.len();
            store(&mut motion.bindings, index, new, is_added);
        }
    }
    store(&mut parts.surfaces, index, surface, is_added);
}

/// Chooses stored coordinates of an MDL.
pub(super) fn pick_seams(data: &mut FormatData, stored: &[usize]) {
    if let Some(seams) = &data.seams {
        let numbers = stored.iter().flat_map(|vertex| seams.get(vertex * 3..vertex * 3 + 3).unwrap_or_default());
        data.seams = Some(numbers.copied().collect());
    }
}

fn picked<T: Clone>(all: &[T], chosen: &[usize]) -> Vec<T> {
    chosen.iter().filter_map(|index| all.get(*index).cloned()).collect()
}

/// Returns a track with chosen stored vertices in all frames.
pub(super) fn with_stored(track: &MorphTrack, chosen: &[usize]) -> MorphTrack {
    let stored = track.stored as usize;
    fn of<T: Clone>(all: &[T], stored: usize, chosen: &[usize]) -> Vec<T> {
        all.chunks_exact(stored.max(1)).flat_map(|frame| picked(frame, chosen)).collect()
    }
    let vertices = match &track.vertices {
        PackedVertices::Bytes { vertices, frames } => {
            PackedVertices::Bytes { vertices: of(vertices, stored, chosen), frames: frames.clone() }
        }
        PackedVertices::Shorts(vertices) => PackedVertices::Shorts(of(vertices, stored, chosen)),
        PackedVertices::Floats(vertices) => PackedVertices::Floats(of(vertices, stored, chosen)),
        PackedVertices::KeyDeltas { keys, deltas, frames } => PackedVertices::KeyDeltas {
            keys: of(keys, stored, chosen),
            deltas: of(deltas, stored, chosen),
            frames: frames.clone(),
        },
    };
    MorphTrack { stored: u32_or_max(chosen.len()), vertices, remap: track.remap.clone(), ..*track }
}

fn picked_binding(binding: &Binding, chosen: &[usize]) -> Binding {
    let mut new = Binding { bind: picked(&binding.bind, chosen), ..Binding::default() };
    for vertex in picked(&binding.vertices, chosen) {
        let weights = binding.weights_of(vertex);
        new.vertices.push((u32_or_max(new.weights.len()), u32_or_max(weights.len())));
        new.weights.extend_from_slice(weights);
    }
    new
}

/// Turns the normals of stored vertices from `first` on.
pub(super) fn turn_normals(track: &mut MorphTrack, first: usize) {
    fn each<T>(all: &mut [T], stored: u32, first: usize, turn: impl Fn(&mut T)) {
        all.chunks_exact_mut(stored.max(1) as usize).flat_map(|frame| frame.iter_mut().skip(first)).for_each(turn);
    }
    let short = |vertex: &mut ShortVertex| vertex.normal = nearest_zenith_azimuth(-zenith_azimuth(vertex.normal));
    let stored = track.stored;
    match &mut track.vertices {
        PackedVertices::Bytes { vertices, .. } => {
            each(vertices, stored, first, |vertex| vertex[3] = nearest_table_normal(-table_normal(vertex[3])));
        }
        PackedVertices::Floats(vertices) => each(vertices, stored, first, |vertex| vertex.normal = -vertex.normal),
        PackedVertices::Shorts(vertices) => each(vertices, stored, first, short),
        PackedVertices::KeyDeltas { keys, deltas, .. } => {
            each(keys, stored, first, short);
            each(deltas, stored, first, |vertex| vertex[3] = nearest_ring_normal(-ring_normal(vertex[3])));
        }
    }
}

/// Turns the normals of the vertices of a skinned surface from `first` on.
pub(super) fn turn_skinned_normals(binding: &mut Binding, first: usize) {
    for vertex in binding.vertices.iter().skip(first) {
        let weights = vertex.0 as usize..vertex.0 as usize + vertex.1 as usize;
        for weight in binding.weights.get_mut(weights).unwrap_or_default() {
            weight.normal = -weight.normal;
        }
    }
    binding.bind.iter_mut().skip(first).for_each(|vertex| vertex.normal = -vertex.normal);
}

/// Appends the mesh of surface `from` to surface `to`. The caller removes `from`.
pub(super) fn append(parts: &mut ModelParts, to: usize, from: usize) -> Result<(), String> {
    let (Some(other), Some(surface)) = (parts.surfaces.get(from).cloned(), parts.surfaces.get_mut(to)) else {
        return Ok(());
    };
    let start = u32_or_max(surface.uvs.len());
    surface.triangles.extend(other.triangles.iter().map(|triangle| triangle.map(|corner| corner + start)));
    surface.uvs.extend(&other.uvs);
    let data = Arc::make_mut(&mut surface.data);
    data.bone_references = None;
    // Vertices without colours are white.
    let of = |colours: &Option<Arc<[i32]>>, count: usize| colours.as_ref().map_or(vec![-1; count], |own| own.to_vec());
    let has_colours = data.colours.is_some() || other.data.colours.is_some();
    let all = [of(&data.colours, start as usize), of(&other.data.colours, other.uvs.len())].concat();
    data.colours = has_colours.then(|| all.into());
    match &mut parts.motion {
        Motion::Morph(motion) => {
            let Some(other) = motion.surfaces.get(from).cloned() else { return Ok(()) };
            let Some(track) = motion.surfaces.get_mut(to) else { return Ok(()) };
            let frames = (0..track.frame_count.max(other.frame_count)).map(|frame| {
                let (mut posed, more) = (decoded(track, frame), decoded(&other, frame));
                posed.positions.extend(more.positions);
                posed.normals.extend(more.normals);
                NewFrame::Made(posed)
            });
            let frames = frames.collect();
            encode(track, false, frames, &mut Notes::default())
        }
        Motion::Skeletal(SkeletalMotion { bindings, .. }) => {
            let Some(other) = bindings.get(from).cloned() else { return Ok(()) };
            let Some(binding) = bindings.get_mut(to) else { return Ok(()) };
            let first = u32_or_max(binding.weights.len());
            binding.vertices.extend(other.vertices.iter().map(|(start, count)| (start + first, *count)));
            binding.weights.extend(other.weights);
            binding.bind.extend(other.bind);
            data.stored_weights = binding.weights.len();
            Ok(())
        }
    }
}

/// Removes surfaces with their vertices.
pub(super) fn remove(parts: &mut ModelParts, removed: &[usize]) {
    fn without<T>(all: &mut Vec<T>, removed: &[usize]) {
        let mut index = 0;
        all.retain(|_| {
            index += 1;
            !removed.contains(&(index - 1))
        });
    }
    without(&mut parts.surfaces, removed);
    match &mut parts.motion {
        Motion::Morph(motion) => without(&mut motion.surfaces, removed),
        Motion::Skeletal(motion) => without(&mut motion.bindings, removed),
    }
}

/// Inserts a copy of a surface before surface `to`.
pub(super) fn copy(parts: &mut ModelParts, index: usize, to: usize) {
    fn twice<T: Clone>(all: &mut Vec<T>, index: usize, to: usize) {
        if let Some(own) = all.get(index).cloned() {
            all.insert(to.min(all.len()), own);
        }
    }
    twice(&mut parts.surfaces, index, to);
    match &mut parts.motion {
        Motion::Morph(motion) => twice(&mut motion.surfaces, index, to),
        Motion::Skeletal(motion) => twice(&mut motion.bindings, index, to),
    }
}

/// Returns the number of each vertex in `keys`: equal keys have the number of the first. Keys of several rounds are
/// combined with `classes`.
pub(super) fn refine<K: std::hash::Hash + Eq>(classes: &mut [u32], keys: impl Iterator<Item = K>) {
    let mut known = std::collections::HashMap::with_capacity(classes.len());
    for ((index, class), key) in (0_u32..).zip(classes).zip(keys) {
        *class = *known.entry((*class, key)).or_insert(index);
    }
}

/// Returns the bits of a vector, with one zero.
pub(super) fn bits(vector: Vec3) -> [u32; 3] {
    (vector + Vec3::ZERO).to_array().map(f32::to_bits)
}
