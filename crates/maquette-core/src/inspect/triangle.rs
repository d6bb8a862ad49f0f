//! Details of a triangle.

use glam::{Vec2, Vec3};

use crate::model::{Surface, face_normal};
use crate::pose::PosedSurface;

/// Details of a triangle in a posed frame.
#[derive(Clone, Debug, PartialEq)]
pub struct TriangleInfo {
    /// Vertices of the corners, in file order.
    pub corners: [u32; 3],
    /// Positions of the corners in model space, in units.
    pub positions: [Vec3; 3],
    /// Texture coordinates of the corners; (0, 0) is the top-left texel.
    pub uvs: [Vec2; 3],
    /// Area in square units.
    pub area: f32,
    /// Lengths of the sides from each corner to the next, in units.
    pub sides: [f32; 3],
    /// Unit normal of the front, on which the corners are clockwise; zero without area.
    pub normal: Vec3,
    /// Angle between `normal` and the mean vertex normal in degrees; above 90 the winding is reversed. `None` without
    /// area.
    pub deviation: Option<f32>,
    /// Area in the texture, whose whole area is 1; negative if the texture is mirrored.
    pub uv_area: f32,
}

impl TriangleInfo {
    /// Returns whether the front faces away from the vertex normals.
    pub fn is_reversed(&self) -> bool {
        self.deviation.is_some_and(|degrees| degrees > 90.0)
    }
}

/// Returns the details of a triangle of the posed surface. `None` if there is no such triangle or it is not posed.
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
        // v points down, so corners that are clockwise on the front are clockwise in the texture.
        uv_area: (uvs[1] - uvs[0]).perp_dot(uvs[2] - uvs[0]) / 2.0,
    })
}

/// Maximum ratio of twice the area to the square of the longest side of a triangle without area.
const FLAT: f32 = 1e-6;

/// Returns whether a triangle has no area.
pub fn is_flat([a, b, c]: [Vec3; 3]) -> bool {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let longest = ab.length_squared().max(bc.length_squared()).max(ca.length_squared());
    // A triangle whose size overflows has an area.
    ab.cross(ca).length() <= FLAT * longest && longest.is_finite()
}
