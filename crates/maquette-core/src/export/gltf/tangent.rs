//! Tangents for normal maps.

use glam::Vec3;

use crate::model::Surface;

/// Returns unit tangents. The fourth component is 1 if normal × tangent points to the top of the texture, and −1
/// otherwise.
pub(super) fn tangents(surface: &Surface, positions: &[Vec3], normals: &[Vec3]) -> Vec<[f32; 4]> {
    let mut sums = vec![(Vec3::ZERO, Vec3::ZERO); positions.len()];
    for triangle in &surface.triangles {
        let corners = triangle.map(|corner| corner as usize);
        let position = |corner: usize| positions.get(corners[corner]).copied().unwrap_or_default();
        let uv = |corner: usize| surface.uvs.get(corners[corner]).copied().unwrap_or_default();
        let (side, other) = (position(1) - position(0), position(2) - position(0));
        let (a, b) = (uv(1) - uv(0), uv(2) - uv(0));
        // The vectors are not divided by the area, so triangles count by their area in the texture.
        let area = a.x * b.y - a.y * b.x;
        if !area.is_finite() || area == 0.0 {
            continue;
        }
        let along_u = (side * b.y - other * a.y) * area.signum();
        let along_v = (other * a.x - side * b.x) * area.signum();
        for corner in corners {
            if let Some(sum) = sums.get_mut(corner) {
                sum.0 += along_u;
                sum.1 += along_v;
            }
        }
    }
    sums.into_iter()
        .zip(normals)
        .map(|((along_u, along_v), normal)| {
            let flat = along_u - *normal * normal.dot(along_u);
            let tangent = flat.try_normalize().unwrap_or_else(|| normal.any_orthonormal_vector());
            // v grows downwards.
            let up = normal.cross(tangent).dot(-along_v);
            [tangent.x, tangent.y, tangent.z, if up < 0.0 { -1.0 } else { 1.0 }]
        })
        .collect()
}
