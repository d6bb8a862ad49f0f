//! Limit of overdraw on software devices.
//!
//! A software device takes minutes for thousands of triangles that cover each other, and the window waits for it.

use glam::{Mat4, Vec2, Vec3, Vec4, Vec4Swizzles};

use maquette_core::model::u32_or_max;

/// Layers of a part that are drawn, each of which covers the whole viewport. Triangles beyond are not drawn. Models that
/// do not repeat triangles stay far below.
pub(super) const DRAWN_LAYERS: f32 = 64.0;

/// Layers beyond which surfaces are not drawn over equal depth, so that repeated triangles are shaded once.
pub(super) const DENSE_LAYERS: f32 = 16.0;

/// Layers of a square of the model's diagonal. The depth maps of lights show it from other sides, but only its depth.
const LAYERS_OF_DIAGONAL: f32 = 0.125;

/// Returns how many of the first triangles fit into `layers`, and takes their layers from it.
pub(super) fn drawn_triangles(
    triangles: &[[u32; 3]],
    positions: &[Vec3],
    clip_from_model: &Mat4,
    diagonal: f32,
    layers: &mut f32,
) -> u32 {
    let fits = |corners: &&[u32; 3]| {
        let corners = corners.map(|corner| positions.get(corner as usize).copied().unwrap_or_default());
        *layers -= layers_of(corners, clip_from_model, diagonal);
        *layers > 0.0
    };
    u32_or_max(triangles.iter().take_while(fits).count())
}

/// Returns the share of the viewport that a triangle covers, or its share in [`LAYERS_OF_DIAGONAL`] if that is more.
fn layers_of([a, b, c]: [Vec3; 3], clip_from_model: &Mat4, diagonal: f32) -> f32 {
    let area = (b - a).cross(c - a).length() / 2.0;
    let share = viewport_share([a, b, c].map(|corner| *clip_from_model * corner.extend(1.0)));
    (LAYERS_OF_DIAGONAL * area / (diagonal * diagonal)).max(share).min(1.0)
}

fn viewport_share(corners: [Vec4; 3]) -> f32 {
    let sides: [fn(&Vec4) -> bool; 5] = [
        |corner| corner.x < -corner.w,
        |corner| corner.x > corner.w,
        |corner| corner.y < -corner.w,
        |corner| corner.y > corner.w,
        |corner| corner.w <= 0.0,
    ];
    if sides.into_iter().any(|is_beyond| corners.iter().all(is_beyond)) {
        return 0.0;
    }
    if corners.iter().any(|corner| corner.w <= 0.0) {
        return 1.0;
    }
    let [a, b, c] = corners.map(|corner| corner.xy() / corner.w);
    let low = a.min(b).min(c).max(Vec2::NEG_ONE);
    let high = a.max(b).max(c).min(Vec2::ONE);
    let area = (b - a).perp_dot(c - a).abs() / 2.0;
    // The viewport has four units of area.
    area.min((high - low).element_product()) / 4.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_the_larger_share_of_viewport_and_bounds() {
        let corners = [Vec3::new(-1.0, -1.0, 0.5), Vec3::new(1.0, -1.0, 0.5), Vec3::new(-1.0, 1.0, 0.5)];
        assert_eq!(layers_of(corners, &Mat4::IDENTITY, 10.0), 0.5, "half of the viewport");
        let edge_on = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
        assert_eq!(layers_of(corners, &edge_on, 2.0), 0.0625, "an eighth of 2 of 4 square units");
        let magnified = Mat4::from_scale(Vec3::new(100.0, 100.0, 1.0));
        assert_eq!(layers_of(corners, &magnified, 100.0), 1.0, "the whole viewport");
        let beside = Mat4::from_translation(Vec3::new(3.0, 0.0, 0.0));
        assert_eq!(layers_of(corners, &beside, 1.0), 0.25);
    }

    #[test]
    fn repeated_triangles_are_drawn_up_to_the_limit() {
        let corners = [Vec3::new(-1.0, -1.0, 0.5), Vec3::new(1.0, -1.0, 0.5), Vec3::new(-1.0, 1.0, 0.5)];
        let mut layers = DRAWN_LAYERS;
        let mut drawn =
            |count: usize| drawn_triangles(&vec![[0, 1, 2]; count], &corners, &Mat4::IDENTITY, 10.0, &mut layers);
        assert_eq!((drawn(100), drawn(100), drawn(1)), (100, 27, 0), "each covers half of the viewport");
    }
}
