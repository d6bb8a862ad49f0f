//! Normals from triangles, for files that store none (MD5) or useless ones.

use std::collections::HashMap;

use glam::Vec3;

/// Unit normal of a triangle, outward for clockwise corners; zero if it has no area.
#[must_use]
pub fn face_normal(a: Vec3, b: Vec3, c: Vec3) -> Vec3 {
    // In double precision: slivers of real models lose their direction in single.
    let (a, b, c) = (a.as_dvec3(), b.as_dvec3(), c.as_dvec3());
    (c - a).cross(b - a).normalize_or_zero().as_vec3()
}

/// Smooth normals: for every vertex the **unweighted** sum of the unit face normals of all faces that touch a vertex at
/// the same position, as Doom 3 makes them in the bind pose, and across texture seams. Vertices of no face, and those
/// whose faces cancel out, get +Z.
#[must_use]
pub fn smooth_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut place_of = HashMap::with_capacity(positions.len());
    let places: Vec<u32> = positions
        .iter()
        .enumerate()
        .map(|(index, position)| {
            // Adding zero makes −0 and +0 the same bits.
            let key = (*position + Vec3::ZERO).to_array().map(f32::to_bits);
            #[allow(clippy::cast_possible_truncation, reason = "vertices are counted in 32 bits")]
            *place_of.entry(key).or_insert(index as u32)
        })
        .collect();
    let mut sums = vec![Vec3::ZERO; positions.len()];
    let at = |index: u32| positions.get(index as usize).copied().unwrap_or_default();
    for triangle in triangles {
        let normal = face_normal(at(triangle[0]), at(triangle[1]), at(triangle[2]));
        // A triangle with two corners at one place touches that place once.
        let corners = triangle.map(|corner| places.get(corner as usize).copied().unwrap_or(0));
        for (index, corner) in corners.iter().enumerate() {
            if !corners.iter().take(index).any(|earlier| earlier == corner)
                && let Some(sum) = sums.get_mut(*corner as usize)
            {
                *sum += normal;
            }
        }
    }
    places.iter().map(|place| sums.get(*place as usize).map_or(Vec3::Z, |sum| sum.normalize_or(Vec3::Z))).collect()
}
