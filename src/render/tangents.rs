//! Tangents of vertices.

use glam::{Vec2, Vec3};
use maquette_assets::material::Deform;
use maquette_core::model::Surface;
use maquette_core::pose::PosedSurface;

/// Area of a triangle on the image, doubled, below which it has no tangents.
const DEGENERATE_AREA: f32 = 1e-20;

/// Returns the directions of both texture coordinates at each vertex: unit vectors across the normal, from the sum over
/// the triangles (dhewm3 `tr_trisurf.cpp`, `R_DeriveTangents`), or from the largest one only
/// (`R_DeriveUnsmoothedTangents`, which also makes them perpendicular).
pub(super) fn derive(shape: &Surface, posed: &PosedSurface, deforms: &[Deform]) -> Vec<[Vec3; 2]> {
    let PosedSurface { positions, normals, .. } = posed;
    let is_unsmoothed = deforms.contains(&Deform::DominantNormals);
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
