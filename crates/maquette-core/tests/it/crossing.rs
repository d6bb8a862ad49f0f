//! Crossing parts. The expected numbers follow from two boxes whose faces are parallel to the axes.

use glam::{Vec3, vec3};
use maquette_core::inspect::{CrossedPair, PosedPart, connected_parts, crossed_pairs, crossings};

/// Returns the corners of a cube, numbered by the bits of their axes, and two triangles for each side.
fn cube(centre: Vec3, half: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let side = |corner: u32, bit: u32| if corner & bit == 0 { -half } else { half };
    let corners = (0..8).map(|corner| centre + vec3(side(corner, 1), side(corner, 2), side(corner, 4)));
    let sides = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    (corners.collect(), triangles.collect())
}

fn found(parts: &[(Vec<Vec3>, Vec<[u32; 3]>)]) -> Vec<CrossedPair> {
    let posed: Vec<PosedPart<'_>> =
        parts.iter().map(|(positions, triangles)| (&positions[..], &triangles[..])).collect();
    crossed_pairs(&crossings(&posed))
}

#[test]
fn box_through_a_box_crosses_only_while_it_passes_a_side() {
    // A box of side 1 moves along X through a box of side 2, and is inside of it in frame 5.
    let at = |frame: u16| vec3(3.0 - 0.6 * f32::from(frame), 0.0, 0.0);
    let crosses = |frame: &u16| !found(&[cube(Vec3::ZERO, 1.0), cube(at(*frame), 0.5)]).is_empty();
    assert_eq!((0..10).filter(crosses).collect::<Vec<_>>(), [3, 4, 6, 7]);
    // The side of the large box cuts a square with sides of 1 out of both triangles of each of 4 sides.
    let [pair] = found(&[cube(Vec3::ZERO, 1.0), cube(at(3), 0.5)])[..] else { panic!("one pair") };
    assert_eq!((pair.parts, pair.triangles), ([0, 1], 2 + 4 * 2));
    assert!((pair.length - 4.0).abs() < 1e-4, "{}", pair.length);
}

#[test]
fn touching_boxes_do_not_cross() {
    for x in [1.5, 0.5, -0.5, -1.5] {
        assert_eq!(found(&[cube(Vec3::ZERO, 1.0), cube(vec3(x, 0.0, 0.0), 0.5)]), [], "{x}");
    }
}

#[test]
fn parts_of_a_surface_are_connected_by_positions() {
    let (mut positions, mut triangles) = cube(Vec3::ZERO, 1.0);
    for centre in [vec3(5.0, 0.0, 0.0), vec3(2.0, 2.0, 2.0)] {
        let first = u32::try_from(positions.len()).unwrap();
        let (more, others) = cube(centre, 1.0);
        positions.extend(more);
        triangles.extend(others.iter().map(|triangle| triangle.map(|index| index + first)));
    }
    // The third cube has a corner at a corner of the first.
    let parts = connected_parts((&positions, &triangles));
    assert_eq!(parts, [[0; 12], [1; 12], [0; 12]].concat());
}

#[test]
fn part_crosses_itself_but_not_its_neighbouring_triangles() {
    assert_eq!(found(&[cube(Vec3::ZERO, 1.0)]), []);
    let (mut positions, mut triangles) = cube(Vec3::ZERO, 1.0);
    let (more, others) = cube(vec3(1.2, 0.0, 0.0), 0.5);
    positions.extend(more);
    triangles.extend(others.iter().map(|triangle| triangle.map(|index| index + 8)));
    let [pair] = found(&[(positions, triangles)])[..] else { panic!("one part") };
    assert_eq!((pair.parts, pair.triangles), ([0, 0], 10));
}
