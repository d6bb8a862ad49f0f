//! Tangents of vertices.

use std::collections::HashMap;

use glam::{Vec2, Vec3};
use maquette_assets::material::Deform;
use maquette_core::model::{Model, Motion, Surface};
use maquette_core::pose::PosedSurface;

/// Area of a triangle on the image, doubled, below which it has no tangents.
const DEGENERATE_AREA: f32 = 1e-20;

/// Returns the directions of both texture coordinates at each vertex: unit vectors across the normal, from the sum over
/// the triangles (dhewm3 `tr_trisurf.cpp`, `R_DeriveTangents`), or from the largest one only
/// (`R_DeriveUnsmoothedTangents`, which also makes them perpendicular). With `duplicates`, derives smoothed normals, too.
pub(super) fn derive(
    shape: &Surface,
    posed: &mut PosedSurface,
    deforms: &[Deform],
    duplicates: Option<&[Duplicate]>,
) -> Vec<[Vec3; 2]> {
    let is_unsmoothed = deforms.contains(&Deform::DominantNormals);
    if let Some(duplicates) = duplicates.filter(|_| !is_unsmoothed) {
        derive_normals(shape, posed, duplicates);
    }
    let PosedSurface { positions, normals, .. } = posed;
    let mut tangents = vec![[Vec3::ZERO; 2]; positions.len()];
    let mut largest = vec![0.0_f32; if is_unsmoothed { positions.len() } else { 0 }];
    let at = |index: u32| positions.get(index as usize).copied().unwrap_or_default();
    let on_image = |index: u32| shape.uvs.get(index as usize).copied().unwrap_or_default();
    for [a, b, c] in shape.triangles.iter().copied() {
        let [ab, ac] = [b, c].map(|index| at(index) - at(a));
        let [uv_ab, uv_ac]: [Vec2; 2] = [b, c].map(|index| on_image(index) - on_image(a));
        let area = uv_ab.perp_dot(uv_ac);
        if area.abs() < DEGENERATE_AREA {
            continue;
        }
        let side = area.signum();
        let along = [ab * uv_ac.y - ac * uv_ab.y, ac * uv_ab.x - ab * uv_ac.x];
        let along = along.map(|along| (along * side).normalize_or_zero());
        let size = ab.cross(ac).length();
        for index in [a, b, c].map(|index| index as usize) {
            let Some(own) = tangents.get_mut(index) else { continue };
            match largest.get_mut(index) {
                Some(known) if size >= *known => (*known, *own) = (size, along),
                Some(_) => {}
                None => own.iter_mut().zip(along).for_each(|(own, along)| *own += along),
            }
        }
    }
    for (own, normal) in tangents.iter_mut().zip(normals) {
        let across = |along: Vec3, axis: Vec3| along - axis * along.dot(axis);
        *own = own.map(|along| across(along, *normal).normalize_or_zero());
        if is_unsmoothed {
            own[1] = across(own[1], own[0]).normalize_or_zero();
        }
    }
    tangents
}

/// Returns whether Doom 3 derives the normals of a model in every pose.
pub(super) fn derives_normals(model: &Model) -> bool {
    matches!(model.motion(), Motion::Skeletal(_)) && !model.format().traits().stores_normals
}

/// A vertex, and the first one at its position.
pub(super) type Duplicate = (usize, usize);

/// Returns the vertices of a model's bind pose whose position an earlier one has (dhewm3 `tr_trisurf.cpp`,
/// `R_CreateDupVerts`).
pub(super) fn duplicates(positions: &[Vec3]) -> Vec<Duplicate> {
    let mut firsts = HashMap::new();
    // Positive and negative zero are equal.
    let bits = |position: &Vec3| position.to_array().map(|number| (number + 0.0).to_bits());
    let pairs = positions.iter().enumerate();
    let pairs = pairs.map(|(index, position)| (index, *firsts.entry(bits(position)).or_insert(index)));
    pairs.filter(|(index, first)| index != first).collect()
}

/// Derives normals as Doom 3 does. Where three or more vertices share a position, each gets the sum of its triangles and
/// those of the first vertex, and the first vertex gets the normal of the last (dhewm3 `tr_trisurf.cpp`,
/// `R_DeriveTangents`).
fn derive_normals(shape: &Surface, posed: &mut PosedSurface, duplicates: &[Duplicate]) {
    let PosedSurface { positions, normals, .. } = posed;
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in &shape.triangles {
        let [a, b, c] = triangle.map(|index| positions.get(index as usize).copied().unwrap_or_default());
        let normal = (c - a).cross(b - a).normalize_or_zero();
        for index in triangle {
            sums.get_mut(*index as usize).into_iter().for_each(|sum| *sum += normal);
        }
    }
    for (index, first) in duplicates {
        let sum = sums[*first];
        sums[*index] += sum;
    }
    duplicates.iter().for_each(|(index, first)| sums[*first] = sums[*index]);
    for (normal, sum) in normals.iter_mut().zip(sums) {
        *normal = sum.normalize_or(*normal);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normals_at_one_position_are_summed_with_those_of_first_vertex() {
        // Three triangles meet at the origin with a vertex each. Their normals are X, Y and Z.
        let positions = [[Vec3::ZERO; 3], Vec3::AXES].concat();
        let mut posed = PosedSurface { positions, normals: vec![Vec3::ZERO; 6], ..PosedSurface::default() };
        let shape = Surface { triangles: vec![[0, 5, 4], [1, 3, 5], [2, 4, 3]], ..Surface::default() };
        let duplicates = duplicates(&posed.positions);
        derive_normals(&shape, &mut posed, &duplicates);
        let expected = [Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 1.0, 0.0), Vec3::new(1.0, 0.0, 1.0)];
        for (normal, expected) in posed.normals.iter().zip(expected) {
            assert!(normal.distance(expected.normalize()) < 1e-6, "{:?}", posed.normals);
        }
    }
}
