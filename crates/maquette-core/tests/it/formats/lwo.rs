//! LWO meshes.

use glam::{Vec2, Vec3};

use super::ase::{corners, uvs};
use super::{load, refusal};
use maquette_testing::static_files::lwo;

#[test]
fn lwo_surfaces_are_tags_of_polygons() {
    for (kind, version) in [("LWO2", 2), ("LWOB", 1)] {
        let (model, warnings) = load(&lwo(kind));
        assert_eq!((warnings.as_str(), model.version()), ("", Some(version)), "{kind}");
        let materials: Vec<_> = model.surfaces().iter().map(|surface| surface.materials.concat()).collect();
        assert_eq!(materials, ["side", "lid"]);
    }
}

#[test]
fn lwo_axes_are_swapped_and_faces_join_up_to_the_angle_of_the_surface() {
    let (model, _) = load(&lwo("LWO2"));
    let [a, b, c] = corners(&model, 0, 0);
    assert_eq!([a.0, b.0, c.0], [Vec3::ZERO, Vec3::new(4.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 4.0)]);
    // The faces are in the planes y = 0 and z = 0 of the game; `side` is smooth up to 100 degrees, `lid` is flat.
    let sum = Vec3::new(0.0, 1.0, 1.0).normalize();
    assert!(a.1.abs_diff_eq(sum, 1e-6) && b.1.abs_diff_eq(sum, 1e-6), "{a:?} {b:?}");
    assert_eq!(c.1, Vec3::Y, "no other face has the point");
    assert_eq!(corners(&model, 1, 0).map(|(_, normal)| normal), [Vec3::Z; 3]);
}

#[test]
fn lwo_corners_override_texture_coordinates_of_points() {
    let (model, _) = load(&lwo("LWO2"));
    assert_eq!(uvs(&model, 0, 0)[1], Vec2::new(0.25, 0.25));
    assert_eq!(uvs(&model, 1, 0)[2], Vec2::new(1.0, 0.5));
    assert_eq!(uvs(&model, 1, 0)[0], Vec2::ZERO);
}

#[test]
fn broken_lwo_is_refused_with_its_position() {
    let file = lwo("LWO2");
    let message = refusal(&file[..file.len() - 4]);
    assert!(message.starts_with("LWO: size at byte 0x4: "), "{message}");
    let other = [&file[..8], b"ILBM", &file[12..]].concat();
    assert!(refusal(&other).contains("the type is “ILBM”"), "{}", refusal(&other));
    // The last point of the second polygon.
    let at = file.windows(4).position(|id| id == b"POLS").unwrap() + 8 + 4 + 8 + 6;
    let mut points = file.clone();
    points[at..at + 2].copy_from_slice(&9_u16.to_be_bytes());
    assert!(refusal(&points).ends_with("point 9 does not exist; there are 4"), "{}", refusal(&points));
}
