//! Normals computed from triangles and packed in the model's format.

use std::collections::HashMap;

use glam::Vec3;

use crate::model::packed_normal::{nearest_ring_normal, nearest_table_normal, nearest_zenith_azimuth};
use crate::model::{MorphTrack, PackedVertices, Surface, face_normal};
use crate::pose::{PosedSurface, sample_stored};

/// Sums the unit normals of the triangles at each vertex. Vertices at one position are smoothed together if their
/// first-frame normals are equal (a texture seam), and kept separate otherwise (a hard edge).
pub(super) fn recompute(surface: &Surface, track: &mut MorphTrack) {
    let mut posed = PosedSurface::default();
    sample_stored(track, 0, &mut posed);
    let same = alike(&posed);
    let welded = |vertex: u32| {
        let stored = track.remap.as_ref().and_then(|remap| remap.get(vertex as usize).copied()).unwrap_or(vertex);
        same.get(stored as usize).copied().unwrap_or(0) as usize
    };
    let triangles: Vec<[usize; 3]> = surface.triangles.iter().map(|triangle| triangle.map(welded)).collect();
    for frame in 0..track.frame_count {
        sample_stored(track, frame, &mut posed);
        let mut sums = vec![Vec3::ZERO; posed.positions.len()];
        for triangle in &triangles {
            let [a, b, c] = triangle.map(|corner| posed.positions.get(corner).copied().unwrap_or_default());
            let normal = face_normal(a, b, c);
            for corner in triangle {
                if let Some(sum) = sums.get_mut(*corner) {
                    *sum += normal;
                }
            }
        }
        let of = |(own, known): (&u32, &Vec3)| sums.get(*own as usize).map_or(*known, |sum| sum.normalize_or(*known));
        let normals: Vec<Vec3> = same.iter().zip(&posed.normals).map(of).collect();
        store(track, frame as usize, &normals);
    }
}

fn alike(posed: &PosedSurface) -> Vec<u32> {
    let mut known: HashMap<[[u32; 3]; 2], u32> = HashMap::with_capacity(posed.positions.len());
    // Adding zero turns −0 into +0.
    let bits = |v: &Vec3| (*v + Vec3::ZERO).to_array().map(f32::to_bits);
    let vertices = (0_u32..).zip(posed.positions.iter().zip(&posed.normals));
    vertices.map(|(index, (position, normal))| *known.entry([bits(position), bits(normal)]).or_insert(index)).collect()
}

fn store(track: &mut MorphTrack, frame: usize, normals: &[Vec3]) {
    let stored = track.stored as usize;
    match &mut track.vertices {
        PackedVertices::Bytes { vertices, .. } => {
            for (vertex, normal) in vertices.iter_mut().skip(frame * stored).zip(normals) {
                vertex[3] = nearest_table_normal(*normal);
            }
        }
        PackedVertices::Shorts(vertices) => {
            for (vertex, normal) in vertices.iter_mut().skip(frame * stored).zip(normals) {
                vertex.normal = nearest_zenith_azimuth(*normal);
            }
        }
        PackedVertices::Floats(vertices) => {
            for (vertex, normal) in vertices.iter_mut().skip(frame * stored).zip(normals) {
                vertex.normal = *normal;
            }
        }
        PackedVertices::KeyDeltas { keys, deltas, frames } => {
            let Some(entry) = frames.get(frame) else { return };
            match entry.delta {
                Some(delta) => {
                    for (vertex, normal) in deltas.iter_mut().skip(usize::from(delta) * stored).zip(normals) {
                        vertex[3] = nearest_ring_normal(*normal);
                    }
                }
                None => {
                    for (vertex, normal) in keys.iter_mut().skip(usize::from(entry.key) * stored).zip(normals) {
                        vertex.normal = nearest_zenith_azimuth(*normal);
                    }
                }
            }
        }
    }
}
