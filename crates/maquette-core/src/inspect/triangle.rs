//! One triangle.

use glam::{Vec2, Vec3};

use crate::model::{Surface, face_normal};
use crate::pose::PosedSurface;

/// A triangle at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleInfo {
    /// The surface's vertices at its corners, in file order.
    pub corners: [u32; 3],
    /// Their places in model space, in units.
    pub positions: [Vec3; 3],
    /// Their texture coordinates; (0, 0) is the top-left texel.
    pub uvs: [Vec2; 3],
    /// In square units.
    pub area: f32,
    /// Lengths of the sides from each corner to the next, in units.
    pub sides: [f32; 3],
    /// Unit normal of the front, round which the corners go clockwise; zero without an area.
    pub normal: Vec3,
    /// Degrees between that and the mean of its corners' normals: above 90 the triangle is wound against them. None
    /// without an area.
    pub deviation: Option<f32>,
    /// Its part of the picture, 1 being the whole; negative where the picture is mirrored on it.
    pub uv_area: f32,
}

impl TriangleInfo {
    /// Whether its front faces away from where its vertices' normals point.
    #[must_use]
    pub fn is_reversed(&self) -> bool {
        self.deviation.is_some_and(|degrees| degrees > 90.0)
    }
}

/// What a surface says of a triangle; `posed` is the surface at the moment that is looked at. None if there is no such
/// triangle, or it is not posed.
#[must_use]
pub fn triangle(surface: &Surface, posed: &PosedSurface, triangle: usize) -> Option<TriangleInfo> {
    let corners = *surface.triangles.get(triangle)?;
    let each = |index: u32| {
        let index = index as usize;
        Some((*posed.positions.get(index)?, *posed.normals.get(index)?, *surface.uvs.get(index)?))
    };
    let [Some(a), Some(b), Some(c)] = corners.map(each) else { return None };
    let positions = [a.0, b.0, c.0];
    let uvs = [a.2, b.2, c.2];
    let normal = face_normal(a.0, b.0, c.0);
    let mean = (a.1 + b.1 + c.1).try_normalize();
    let deviation = mean.filter(|_| normal != Vec3::ZERO).map(|mean| normal.angle_between(mean).to_degrees());
    Some(TriangleInfo {
        corners,
        positions,
        uvs,
        area: (b.0 - a.0).cross(c.0 - a.0).length() / 2.0,
        sides: [a.0.distance(b.0), b.0.distance(c.0), c.0.distance(a.0)],
        normal,
        deviation,
        // With v pointing down, corners that go clockwise round the front go clockwise in the picture.
        uv_area: (uvs[1] - uvs[0]).perp_dot(uvs[2] - uvs[0]) / 2.0,
    })
}
