//! Computation of normals, for files that store none (MD5) or invalid ones.

use foldhash::{HashMap, HashMapExt};
use glam::Vec3;

/// Returns the unit normal of a triangle, outward for clockwise corners; zero without area.
pub fn face_normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    // Double precision, because the normals of slivers in real models are lost in single precision.
    let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
    (c - a).cross(b - a).normalize_or_zero().as_vec3()
}

/// Computes smooth normals: the **unweighted** sum of the unit normals of all faces at the vertex position, also across
/// texture seams, as Doom 3 does in the bind pose. Vertices without a face, or whose faces cancel out, get +Z.
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut first_of = HashMap::with_capacity(positions.len());
    let first = |(index, position): (u32, &Vec3)| *first_of.entry(key(*position)).or_insert(index);
    let first_equal: Vec<u32> = (0..).zip(positions).map(first).collect();
    let sums = sums(&first_equal, positions.len(), positions, triangles);
    first_equal.iter().map(|first| normal_of(&sums, *first)).collect()
}

/// Like [`smooth_normals`], for the vertices with indices `wanted`.
pub fn smooth_normals_of(wanted: &[usize], positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut first_of = HashMap::with_capacity(wanted.len());
    let first = |(next, index): (u32, &usize)| {
        *first_of.entry(key(positions.get(*index).copied().unwrap_or_default())).or_insert(next)
    };
    let own: Vec<u32> = (0..).zip(wanted).map(first).collect();
    let first_equal: Vec<u32> =
        positions.iter().map(|position| first_of.get(&key(*position)).copied().unwrap_or(NOWHERE)).collect();
    let sums = sums(&first_equal, wanted.len(), positions, triangles);
    own.iter().map(|first| normal_of(&sums, *first)).collect()
}

const NOWHERE: u32 = u32::MAX;

fn key(position: Vec3) -> (u32, u32, u32) {
    // Adding zero turns −0 into +0.
    let [x, y, z] = (position + Vec3::ZERO).to_array().map(f32::to_bits);
    (x, y, z)
}

fn sums(first_equal: &[u32], count: usize, positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; count];
    let at = |index: u32| positions.get(index as usize).copied().unwrap_or_default();
    let first_of = |index: u32| first_equal.get(index as usize).copied().unwrap_or(NOWHERE);
    for [a, b, c] in triangles {
        let (at_a, at_b, at_c) = (first_of(*a), first_of(*b), first_of(*c));
        if at_a == NOWHERE && at_b == NOWHERE && at_c == NOWHERE {
            continue;
        }
        let normal = face_normal(at(*a), at(*b), at(*c));
        let mut touch = |first: u32| {
            if let Some(sum) = sums.get_mut(first as usize) {
                *sum += normal;
            }
        };
        // A triangle with two corners at one position counts once there.
        touch(at_a);
        if at_b != at_a {
            touch(at_b);
        }
        if at_c != at_a && at_c != at_b {
            touch(at_c);
        }
    }
    sums
}

fn normal_of(sums: &[Vec3], first: u32) -> Vec3 {
    sums.get(first as usize).map_or(Vec3::Z, |sum| sum.normalize_or(Vec3::Z))
}
