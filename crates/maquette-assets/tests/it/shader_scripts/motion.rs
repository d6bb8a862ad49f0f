//! Coordinates, deformations and animation of shader stages over time.

use super::*;

/// Returns the moved texture coordinate of a vertex at `position`.
#[track_caller]
fn moved(lines: &str, seconds: f64, uv: [f32; 2], position: [f32; 3]) -> [f32; 2] {
    let mut uv = Vec2::from(uv);
    let [x, y, z] = position;
    for warp in warps(&stage(lines).moves, seconds) {
        uv = warp.matrix.transform_point2(uv);
        let swing = |coordinate: f32| warp.amplitude * (TAU * (coordinate / 1024.0 + warp.phase)).sin();
        uv += Vec2::new(swing(x + z), swing(y));
    }
    uv.to_array()
}

#[test]
fn tcmod_scales_scrolls_stretches_and_transforms() {
    let at = |lines: &str, seconds, uv| moved(lines, seconds, uv, [0.0; 3]);
    near(at("", 9.0, [0.3, 0.7]), [0.3, 0.7]);
    near(at("tcMod scale 2 -3", 9.0, [0.5, 0.25]), [1.0, -0.75]);
    near(at("tcMod scroll 0.5 2.25", 3.0, [0.25, 0.0]), [0.75, 0.75]); // 1.5 and 6.75 modulo 1
    near(at("tcMod scroll 1 0.5", 1_000_000.25, [0.0, 0.0]), [0.25, 0.125]);
    near(at("tcMod transform 1 2 3 4 5 6", 9.0, [1.0, 10.0]), [36.0, 48.0]);
    // The wave is 2 for half a second, p = ½; then 4, p = ¼.
    near(at("tcMod stretch square 3 -1 0 1", 0.0, [1.0, 0.0]), [0.75, 0.25]);
    near(at("tcMod stretch square 3 -1 0 1", 0.5, [1.0, 0.0]), [0.625, 0.375]);
    near(at("tcMod entityTranslate", 9.0, [0.3, 0.7]), [0.3, 0.7]);
}

/// At 45 degrees per second the texture has turned by 90 degrees after two seconds: s' = t and t' = 1 − s.
#[test]
fn tcmod_rotate_turns_about_the_centre() {
    let at = |seconds, uv| moved("tcMod rotate 45", seconds, uv, [0.0; 3]);
    near(at(2.0, [1.0, 0.0]), [0.0, 0.0]);
    near(at(2.0, [0.0, 0.0]), [0.0, 1.0]);
    near(at(2.0, [0.5, 0.5]), [0.5, 0.5]);
    let half = FRAC_1_SQRT_2 / 2.0;
    near(at(1.0, [1.0, 0.5]), [0.5 + half, 0.5 - half]);
    near(at(8.0, [1.0, 0.0]), [1.0, 0.0]);
    near(moved("tcMod rotate -45", 2.0, [0.0, 0.0], [0.0; 3]), [1.0, 0.0]);
}

#[test]
fn tcmod_turb_depends_on_vertex_position() {
    let at = |position| moved("tcMod turb 9 0.1 0.25 1", 0.5, [0.5, 0.5], position);
    near(at([0.0; 3]), [0.4, 0.4]); // ¾ of a period
    near(at([256.0, 512.0, 0.0]), [0.5, 0.6]); // 1 and 1¼ periods
    near(at([128.0, 0.0, 384.0]), [0.6, 0.4]);
}

#[test]
fn tcmods_apply_in_script_order() {
    let at = |lines: &str| moved(lines, 1.0, [0.5, 0.5], [0.0; 3]);
    near(at("tcMod scale 2 2\ntcMod scroll 0.25 0"), [1.25, 1.0]);
    near(at("tcMod scroll 0.25 0\ntcMod scale 2 2"), [1.5, 1.0]);
    let turb = "tcMod turb 0 0.1 0.25 0";
    near(at(&format!("tcMod scale 2 2\n{turb}\ntcMod scale 3 3")), [3.3, 3.3]);
    near(at(&format!("{turb}\ntcMod scale 2 2\ntcMod scale 3 3")), [3.6, 3.6]);
    near(at(&format!("tcMod scale 2 2\ntcMod scale 3 3\n{turb}\n{turb}")), [3.2, 3.2]);
}

#[test]
fn tcgen_sets_coordinate_source() {
    for line in ["", "tcGen base", "texGen texture", "tcGen lightmap"] {
        assert_eq!(stage(line).coordinates, Coordinates::Model, "{line}");
    }
    assert_eq!(stage("tcGen environment").coordinates, Coordinates::Environment);
    let vectors = Coordinates::Vectors(Vec3::new(1.0, 0.0, -2.0), Vec3::new(0.0, 0.5, 0.0));
    assert_eq!(stage("tcGen vector ( 1 0 -2 ) ( 0 .5 0 )").coordinates, vectors);
}

/// Looks along +Y; left in the view is −X.
const EYE: Viewpoint = Viewpoint { forward: Vec3::Y, left: Vec3::NEG_X, up: Vec3::Z, position: Vec3::ZERO };

/// Applies deforms to four vertices. Returns positions and normals. The normals point along X; s is 0, ½, ½, 0.
pub(super) fn deformed_by(
    deforms: &[Deform],
    seconds: f64,
    corners: Corners,
    triangles: [[u32; 3]; 2],
) -> ([Vec3; 4], [Vec3; 4]) {
    let uvs = [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]].map(Vec2::from).to_vec();
    let surface = Surface { triangles: triangles.to_vec(), uvs, ..Surface::default() };
    let (mut positions, mut normals) = (corners.map(Vec3::from), [Vec3::X; 4]);
    deforms.iter().for_each(|deform| deform.apply(seconds, &EYE, &surface, &mut positions, &mut normals));
    (positions, normals)
}

pub(super) fn deformed(body: &str, seconds: f64, corners: Corners, triangles: [[u32; 3]; 2]) -> ([Vec3; 4], [Vec3; 4]) {
    deformed_by(&material(body).deforms, seconds, corners, triangles)
}

pub(super) type Corners = [[f32; 3]; 4];
pub(super) const PLAIN: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
/// Triangle order of q3map.
pub(super) const TURNED: [[u32; 3]; 2] = [[3, 0, 2], [2, 0, 1]];

#[test]
fn deform_wave_moves_along_normals_by_position() {
    let corners = [[0.0, 0.0, 0.0], [10.0, 5.0, 10.0], [20.0, 30.0, 0.0], [0.0, 0.0, 75.0]];
    let heights = |body: &str, seconds: f64| {
        let (positions, normals) = deformed(body, seconds, corners, PLAIN);
        assert_eq!(normals, [Vec3::X; 4]);
        assert!(positions.iter().zip(corners).all(|(now, then)| now.y == then[1] && now.z == then[2]));
        [0, 1, 2, 3].map(|index| positions[index].x - corners[index][0])
    };
    // Sums of 0, 25, 50 and 75 are quarters of a div of 100.
    near(heights("deformVertexes wave 100 sin 0 3 0 1", 0.0), [0.0, 3.0, 0.0, -3.0]);
    near(heights("deformVertexes wave 100 sin 1 3 0 1", 0.25), [4.0, 1.0, -2.0, 1.0]);
    near(heights("deformVertexes wave 100 sin 0 3 0.25 0", 7.0), [3.0; 4]);
    // A div of 0 becomes a factor of 100, which gives whole periods here.
    near(heights("deformVertexes wave 0 sin 0 3 0.25 1", 0.0), [3.0; 4]);
}

#[test]
fn deform_bulge_and_move_displace_vertices() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    // s is 0 or ½: sin(½ · 2) and, a second later, sin(1 + 0.5) and sin(0.5).
    let bulge =
        |seconds| deformed("deformVertexes bulge 2 4 0.5", seconds, corners, PLAIN).0.map(|position| position.x);
    let close = |a: [f32; 4], b: [f32; 4]| assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.03), "{a:?} {b:?}");
    close(bulge(0.0), [0.0, 1.0 + 4.0 * 1_f32.sin(), 1.0 + 4.0 * 1_f32.sin(), 0.0]);
    let (near_edge, far_edge) = (4.0 * 0.5_f32.sin(), 1.0 + 4.0 * 1.5_f32.sin());
    close(bulge(1.0), [near_edge, far_edge, far_edge, near_edge]);
    let (moved, _) = deformed("deformVertexes move 1 2 -3 square 0.5 1.5 0 1", 0.25, corners, PLAIN);
    moved.iter().zip(corners).for_each(|(now, then)| near((*now - Vec3::from(then)).to_array(), [2.0, 4.0, -6.0]));
    // The deforms apply in order: up by 1, then along the normal by the wave at the new position.
    let two = "deformVertexes move 0 0 25 sin 1 0 0 0\ndeformVertexes wave 100 sin 0 3 0 1";
    near(deformed(two, 0.0, corners, PLAIN).0[0].to_array(), [3.0, 0.0, 25.0]);
}

/// A square of side 2 about (5, 6, 7), seen edge-on: half its side becomes 0.707 · √2 = 0.99985.
#[test]
fn autosprite_faces_the_camera() {
    let corners = [[5.0, 5.0, 8.0], [5.0, 7.0, 8.0], [5.0, 7.0, 6.0], [5.0, 5.0, 6.0]];
    let (positions, normals) = deformed("deformVertexes autosprite", 9.0, corners, PLAIN);
    let half = 0.707 * 2_f32.sqrt();
    let uvs = maquette_assets::material::SPRITE_COORDINATES;
    for (position, uv) in positions.iter().zip(uvs) {
        // The image's upper left is (0, 0); left is −X.
        let (right, down) = (uv.x * 2.0 - 1.0, uv.y * 2.0 - 1.0);
        near(position.to_array(), [5.0 + right * half, 6.0, 7.0 - down * half]);
    }
    let has = |s, t| uvs.contains(&Vec2::new(s, t));
    assert!(has(0.0, 0.0) && has(1.0, 0.0) && has(1.0, 1.0) && has(0.0, 1.0));
    normals.iter().for_each(|normal| near(normal.to_array(), [0.0, -1.0, 0.0]));
}

/// A strip of 2 × 20, seen edge-on: its short edges turn to X.
#[test]
fn autosprite2_rotates_about_its_long_axis() {
    let corners = [[0.0, -1.0, 10.0], [0.0, 1.0, 10.0], [0.0, 1.0, -10.0], [0.0, -1.0, -10.0]];
    let turned = |triangles| deformed("deformVertexes autosprite2", 9.0, corners, triangles).0;
    let [a, b, c, d] = turned(TURNED);
    near([a.x.abs(), b.x.abs(), c.x.abs(), d.x.abs()], [1.0; 4]);
    near([a.x + b.x, c.x + d.x, a.x - d.x, b.x - c.x], [0.0; 4]);
    near([a.y, b.y, c.y, d.y], [0.0; 4]);
    near([a.z, b.z, c.z, d.z], [10.0, 10.0, -10.0, -10.0]);
    let [a, b, c, d] = turned(PLAIN);
    near([a.x + b.x, c.x + d.x, a.x - c.x, b.x - d.x], [0.0; 4]); // twisted, as in the game
    near([a.z, b.z, c.z, d.z], [10.0, 10.0, -10.0, -10.0]);
}

#[test]
fn static_stages_and_deforms_are_not_animated() {
    let static_lines =
        "tcMod scale 2 2\ntcMod transform 1 0 0 1 0 0\ntcMod scroll 0 0\ntcMod rotate 0\nrgbGen const ( 1 0 0 )";
    assert!(!stage(static_lines).moves());
    for lines in ["", "rgbGen lightingDiffuse\nalphaGen lightingSpecular\ntcGen environment", "rgbGen wave sin 1 1 0 0"]
    {
        assert!(!stage(lines).moves(), "{lines}");
    }
    let one = material("deformVertexes autosprite\n{\nanimMap 5 a.tga\n}");
    assert!(!one.moves(1));
    assert!(!material("deformVertexes wave 100 sin 0 1 0 0\ndeformVertexes bulge 1 1 0").moves(8));
}

#[test]
fn time_dependent_stages_and_deforms_are_animated() {
    let coordinates = ["tcMod scroll 0 1", "tcMod rotate 1", "tcMod stretch sin 1 1 0 1", "tcMod turb 0 1 0 1"];
    let others = ["rgbGen wave sin 0 1 0 1", "alphaGen wave square 0 1 0 1", "animMap 5 a.tga b.tga"];
    for lines in coordinates.into_iter().chain(others) {
        assert!(stage(lines).moves(), "{lines}");
    }
    for form in ["wave 100 sin 0 1 0 1", "bulge 1 1 1", "move 1 0 0 sin 0 1 0 1", "normal 1 1"] {
        let deformed = material(&format!("deformVertexes {form}"));
        assert!(deformed.moves(1), "{form}");
        assert!(!deformed.moves(0), "{form}: nothing is drawn");
    }
    let second = material("{\nmap a.tga\n}\n{\nmap b.tga\ntcMod scroll 1 1\n}");
    assert!(!second.moves(1) && second.moves(2));
}
