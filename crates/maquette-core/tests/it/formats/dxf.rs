//! DXF meshes.

use glam::Vec3;
use maquette_core::formats::salvage;
use maquette_core::limits::MAX_DXF_TRIANGLES;
use maquette_core::model::Model;

use super::ase::corners;
use super::{load, refusal};
use maquette_testing::static_files::DXF;

/// Returns a DXF with these entities: groups of a code and a value, separated by blanks.
fn drawing(entities: &str) -> String {
    let text = format!("0 SECTION 2 ENTITIES {entities} 0 ENDSEC 0 EOF");
    text.split_whitespace().map(|word| format!("{word}\n")).collect()
}

fn positions(model: &Model, surface: usize, triangle: usize) -> [[f32; 3]; 3] {
    corners(model, surface, triangle).map(|(position, _)| position.to_array())
}

#[test]
fn surfaces_of_a_dxf_are_layers_of_one_colour() {
    let (model, warnings) = load(DXF.as_bytes());
    assert_eq!(warnings, "ENTITIES: entities without faces, or in rows, are not shown: 1 LINE");
    let surfaces = model.surfaces().iter().map(|surface| (&*surface.name, surface.triangles.len()));
    assert_eq!(surfaces.collect::<Vec<_>>(), [("lid", 6), ("lid", 8), ("side", 3), ("side", 1)]);
    let colours = model.surfaces().iter().map(|surface| {
        let material = surface.data.embedded_material.as_ref().unwrap();
        assert!(material.double_sided);
        material.colour.map(|part| (part * 100.0).round())
    });
    // Green and red of the layers; 12 is red of 165 in 255, 0.38 in linear light; 5 is blue.
    let expected = [[0.0, 100.0, 0.0], [38.0, 0.0, 0.0], [100.0, 0.0, 0.0], [0.0, 0.0, 100.0]];
    assert_eq!(colours.collect::<Vec<_>>(), expected.map(|[r, g, b]| [r, g, b, 100.0]));
}

#[test]
fn corners_of_a_3dface_become_clockwise_triangles() {
    let (model, _) = load(DXF.as_bytes());
    assert_eq!(positions(&model, 2, 0), [[0.0, 0.0, 0.0], [8.0, 8.0, 0.0], [8.0, 0.0, 0.0]]);
    assert_eq!(positions(&model, 2, 1), [[0.0, 0.0, 0.0], [0.0, 8.0, 0.0], [8.0, 8.0, 0.0]]);
    // The fourth corner of a triangle repeats the third.
    assert_eq!(positions(&model, 2, 2), [[0.0, 0.0, 5.0], [8.0, 8.0, 5.0], [8.0, 0.0, 5.0]]);
    let triangle = drawing("0 3DFACE 8 a 10 0 20 0 30 0 11 1 21 0 31 0 12 0 22 1 32 0");
    assert_eq!(positions(&load(triangle.as_bytes()).0, 0, 0), [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]]);
    assert_eq!(corners(&model, 2, 0)[0].1, Vec3::Z);
}

#[test]
fn copies_of_blocks_are_scaled_then_turned() {
    let (model, _) = load(DXF.as_bytes());
    // The base (1, 0, 0) is moved to (21, 0, 0).
    assert_eq!(positions(&model, 0, 0), [[20.0, 0.0, 0.0], [20.0, 0.0, 4.0], [24.0, 0.0, 0.0]]);
    // (x, y, z) becomes (1 − x, 2y, z) and then (−2y, 1 − x, z). A mirror image has its corners in the other order.
    let mirrored = positions(&model, 0, 3);
    for (own, expected) in mirrored.into_iter().zip([[0.0, 1.0, 0.0], [0.0, -3.0, 0.0], [0.0, 1.0, 4.0]]) {
        assert!(Vec3::from(own).abs_diff_eq(Vec3::from(expected), 1e-5), "{mirrored:?}");
    }
    // The first square of the grid.
    assert_eq!(positions(&model, 1, 0), [[20.0, 0.0, 9.0], [21.0, 1.0, 9.0], [21.0, 0.0, 9.0]]);
}

#[test]
fn faces_of_a_dxf_are_smooth_up_to_30_degrees() {
    // Two faces meet at an edge along Y; the second rises by `rise` on a length of 1.
    let normal = |rise: f32| {
        let text = drawing(&format!(
            "0 3DFACE 8 a 10 -1 20 0 30 0 11 0 21 0 31 0 12 0 22 1 32 0 13 -1 23 1 33 0
             0 3DFACE 8 a 10 0 20 0 30 0 11 1 21 0 31 {rise} 12 1 22 1 32 {rise} 13 0 23 1 33 0"
        ));
        corners(&load(text.as_bytes()).0, 0, 0)[2].1
    };
    // tan 30° is 0.577.
    assert_eq!(normal(0.6), Vec3::Z);
    assert!(normal(0.5).x < -0.1, "{}", normal(0.5));
}

#[test]
fn closed_grid_joins_its_ends() {
    let grid = |flags: u32| {
        let points: Vec<String> =
            (0..12).map(|index| format!("0 VERTEX 10 {} 20 {} 30 0", index / 4, index % 4)).collect();
        drawing(&format!("0 POLYLINE 8 a 70 {flags} 71 3 72 4 {} 0 SEQEND", points.join(" ")))
    };
    let triangles = |flags| load(grid(flags).as_bytes()).0.surfaces()[0].triangles.len();
    // Two rows of three squares; with another row, another column, or both.
    assert_eq!([16, 17, 48, 49].map(triangles), [12, 18, 16, 24]);
    assert!(refusal(grid(8).as_bytes()).ends_with("the drawing has no faces (3DFACE, POLYLINE with faces or MESH)"));
}

#[test]
fn grid_without_columns_has_no_faces() {
    for rows in ["71 9000000000000000000", "71 9000000000000000000 72 2", "72 9000000000000000000", "71 -1 72 -1"] {
        let text = drawing(&format!("0 POLYLINE 70 49 {rows} 0 VERTEX 10 1 0 SEQEND"));
        assert!(refusal(text.as_bytes()).ends_with("the drawing has no faces (3DFACE, POLYLINE with faces or MESH)"));
    }
}

#[test]
fn face_of_a_mesh_without_its_point_leaves_later_faces() {
    let points = "92 3 10 0 20 0 30 0 10 1 20 0 30 0 10 0 20 2 30 0";
    // Four corners, of which one does not exist, and three.
    let faces = "93 9 90 4 90 0 90 1 90 9 90 2 90 3 90 0 90 1 90 2";
    let (model, warnings) = load(drawing(&format!("0 MESH 8 a {points} {faces}")).as_bytes());
    assert_eq!(model.surfaces()[0].triangles.len(), 1);
    assert_eq!(positions(&model, 0, 0), [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, 0.0, 0.0]]);
    assert!(warnings.starts_with("faces: 1 face has a corner that does not exist"), "{warnings}");
}

/// Returns a DXF with these blocks and entities.
fn with_blocks(blocks: &str, entities: &str) -> String {
    drawing(&format!("0 ENDSEC 0 SECTION 2 BLOCKS {blocks} 0 ENDSEC 0 SECTION 2 ENTITIES {entities}"))
}

const FACE: &str = "0 3DFACE 8 a 10 0 20 0 30 0 11 1 21 0 31 0 12 0 22 2 32 0";

#[test]
fn corners_of_copies_beyond_a_billion_are_replaced() {
    // 10^9 in each of three levels: 10^27; in six: infinity.
    for levels in [3, 6] {
        let blocks = (0..levels).map(|level| {
            let next = level + 1;
            format!("0 BLOCK 2 b{level} 0 INSERT 2 b{next} 10 5 41 1e9 42 1e9 43 1e9 0 ENDBLK")
        });
        let blocks = blocks.collect::<Vec<_>>().join(" ");
        let text = with_blocks(&format!("{blocks} 0 BLOCK 2 b{levels} {FACE} 0 ENDBLK"), "0 INSERT 2 b0");
        let (model, warnings) = load(text.as_bytes());
        assert_eq!(positions(&model, 0, 0)[0].map(f32::is_finite), [true; 3]);
        assert!(positions(&model, 0, 0).as_flattened().iter().all(|part| part.abs() <= 1e9), "{model:?}");
        assert!(warnings.starts_with("INSERT: "), "{warnings}");
        assert!(warnings.ends_with("the first here, are not finite or beyond a billion; replaced by 0"), "{warnings}");
    }
}

#[test]
fn copies_are_turned_to_their_axis() {
    let copy = |axis: &str| {
        let text =
            with_blocks(&format!("0 BLOCK 2 b {FACE} 0 ENDBLK"), &format!("0 INSERT 2 b 10 10 20 3 30 1 {axis}"));
        positions(&load(text.as_bytes()).0, 0, 0)
    };
    // Corners are clockwise: the second and the third are exchanged.
    assert_eq!(copy(""), [[10.0, 3.0, 1.0], [10.0, 5.0, 1.0], [11.0, 3.0, 1.0]]);
    // By the arbitrary axis algorithm, (x, y, z) is (−x, y, −z) for the axis (0, 0, −1), and (z, x, y) for (1, 0, 0).
    assert_eq!(copy("210 0 220 0 230 -1"), [[-10.0, 3.0, -1.0], [-10.0, 5.0, -1.0], [-11.0, 3.0, -1.0]]);
    assert_eq!(copy("210 1 220 0 230 0"), [[1.0, 10.0, 3.0], [1.0, 10.0, 5.0], [1.0, 11.0, 3.0]]);
}

#[test]
fn entities_that_are_not_shown_are_named() {
    let others: Vec<String> = (0..9).map(|index| format!("0 X{index}")).collect();
    let entities = format!("{FACE} {} 0 INSERT 2 b 70 2 0 INSERT 2 b 71 3 0 INSERT 2 b 70 1 71 1", others.join(" "));
    let warnings = load(drawing(&entities).as_bytes()).1;
    let list = "2 INSERT, 1 X0, 1 X1, 1 X2, 1 X3, 1 X4, 1 X5, 1 X6, …";
    assert_eq!(warnings, format!("ENTITIES: entities without faces, or in rows, are not shown: {list}"));
}

#[test]
fn blank_lines_in_a_dxf_take_linear_time() {
    // A million lines; a look at all that follow from each would take an hour. The first face has no end.
    let end = "0\nENDSEC\n0\nEOF\n";
    let text = drawing(&format!("{FACE} {FACE}")).replace(end, "");
    let (first, second) = text.split_at(text.rfind("0\n3DFACE").unwrap());
    let text = [first, &"\n".repeat(1_000_000), second, end].concat();
    assert_eq!(salvage(text.as_bytes()).unwrap().model.surfaces()[0].triangles.len(), 1);
}

#[test]
fn broken_dxf_is_refused_with_its_line() {
    let message = refusal(DXF.replacen("24\n", "24\nmore\n", 1).replacen("20\n0.0\n", "20\nx\n", 1).as_bytes());
    let line = DXF.lines().position(|line| line == "20").unwrap() + 2;
    assert_eq!(message, format!("DXF: line {line}, column 1: expected a number, found “x”"));
    let shifted = drawing("0 3DFACE 8 a 10 0 20 0 30 0 1.5 0");
    assert_eq!(refusal(shifted.as_bytes()), "DXF: line 15, column 1: expected a group code, found “1.5”");
    let binary = refusal(b"AutoCAD Binary DXF\r\n\x1a\0\0SECTION\0");
    assert_eq!(binary, "DXF: this is a binary DXF, which is not supported; save it as text (ASCII)");
    let missing = drawing("0 POLYLINE 8 a 70 64 0 VERTEX 10 0 70 192 0 VERTEX 70 128 71 1 72 2 73 3 0 SEQEND");
    assert!(refusal(missing.as_bytes()).ends_with("the drawing has no faces (3DFACE, POLYLINE with faces or MESH)"));
}

#[test]
fn damaged_dxf_keeps_its_whole_entities() {
    let salvaged = salvage(DXF.replacen("11\n8.0\n", "11\n?\n", 1).as_bytes()).unwrap();
    // Without the first square of two triangles.
    assert_eq!(salvaged.model.surfaces()[2].triangles.len(), 1);
    assert!(salvaged.warnings[0].to_string().contains("expected a number, found “?”"), "{:?}", salvaged.warnings);
}

#[test]
fn blocks_that_multiply_are_limited() {
    // Each block has two copies of the next one: 2^40 faces.
    let block = |index: usize| match index {
        40 => format!("0 BLOCK 2 b40 {FACE} 0 ENDBLK"),
        _ => format!("0 BLOCK 2 b{index} 0 INSERT 2 b{0} 0 INSERT 2 b{0} 0 ENDBLK", index + 1),
    };
    let blocks: Vec<String> = (0..=40).map(block).collect();
    let text = with_blocks(&blocks.join(" "), "0 INSERT 2 b0");
    let (model, warnings) = load(text.as_bytes());
    assert!(model.surfaces()[0].triangles.len() as u64 <= MAX_DXF_TRIANGLES);
    assert!(warnings.contains("triangles and copies of blocks are left out: there are too many"), "{warnings}");
    // A block that contains itself.
    let own = text.replacen("b1\n", "b0\n", 2);
    assert!(formats_refuse(&own), "the block has no faces");
}

fn formats_refuse(text: &str) -> bool {
    maquette_core::formats::load(text.as_bytes()).is_err()
}
