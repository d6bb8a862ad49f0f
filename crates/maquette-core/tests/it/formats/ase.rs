//! ASE meshes.

use glam::{Vec2, Vec3};
use maquette_core::model::{Model, Motion, PackedVertices};

use super::{load, refusal};
use maquette_testing::static_files::ASE;

/// Returns the position and the normal of each corner of a triangle.
pub fn corners(model: &Model, surface: usize, triangle: usize) -> [(Vec3, Vec3); 3] {
    let Motion::Morph(motion) = model.motion() else { panic!("the mesh is static") };
    let PackedVertices::Floats(vertices) = &motion.surfaces[surface].vertices else { panic!("vertices are floats") };
    model.surfaces()[surface].triangles[triangle].map(|index| {
        let vertex = vertices[index as usize];
        (vertex.position, vertex.normal)
    })
}

/// Returns the texture coordinates of each corner of a triangle.
pub fn uvs(model: &Model, surface: usize, triangle: usize) -> [Vec2; 3] {
    let surface = &model.surfaces()[surface];
    surface.triangles[triangle].map(|index| surface.uvs[index as usize])
}

#[test]
fn ase_objects_are_divided_by_submaterial() {
    let (model, warnings) = load(ASE.as_bytes());
    assert_eq!(warnings, "bare: material 7 does not exist; Doom 3 shows the default material");
    let surfaces = model.surfaces().iter().map(|surface| (surface.name.as_str(), surface.materials.join(" ")));
    let surfaces: Vec<_> = surfaces.collect();
    // The path after the folder `base`, or the name if it begins like a path of the game.
    let expected = [("square", "models/box/side"), ("square", "textures/lid"), ("bare", "")];
    assert_eq!(surfaces, expected.map(|(name, material)| (name, material.to_owned())));
    assert_eq!((model.version(), model.frames().len()), (Some(200), 1));
}

#[test]
fn ase_corners_are_clockwise_and_normals_turn_with_the_object() {
    let (model, _) = load(ASE.as_bytes());
    let [a, b, c] = corners(&model, 0, 0);
    // Corners 0, 2 and 1. The object turns X to Y; its origin does not move the vertices.
    assert_eq!([a.0, b.0, c.0], [Vec3::ZERO, Vec3::new(8.0, 8.0, 0.0), Vec3::new(8.0, 0.0, 0.0)]);
    assert_eq!([a.1, b.1, c.1], [Vec3::Y, Vec3::Z, Vec3::Z]);
    // Without stored normals, a face without smoothing groups is flat.
    assert_eq!(corners(&model, 2, 0).map(|(_, normal)| normal), [Vec3::Z; 3]);
}

#[test]
fn ase_labels_of_corners_may_lack_space_and_the_first_colon() {
    let usual = "*MESH_FACE 0: A: 0 B: 1 C: 2";
    let line = ASE.lines().find(|line| line.contains("*MESH_FACE ")).unwrap();
    let start = &line[line.find("*MESH_FACE ").unwrap()..line.find(" AB").unwrap()];
    let spaced = start.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(spaced, usual);
    for other in ["*MESH_FACE 0 A: 0 B: 1 C: 2", "*MESH_FACE 0 : A:0 B:1 C:2"] {
        let (model, _) = load(ASE.replacen(start, other, 1).as_bytes());
        assert_eq!(corners(&model, 0, 0), corners(&load(ASE.as_bytes()).0, 0, 0), "{other}");
    }
}

#[test]
fn ase_texture_coordinates_are_transformed() {
    let (model, _) = load(ASE.as_bytes());
    assert_eq!(uvs(&model, 0, 0), [Vec2::new(0.0, 1.0), Vec2::new(0.5, 0.0), Vec2::new(1.0, 0.75)]);
    // u − 0.5, and (1 − v) · 2.
    assert_eq!(uvs(&model, 1, 0), [Vec2::new(-0.5, 2.0), Vec2::new(0.0, 0.0), Vec2::new(0.5, 1.5)]);
}

#[test]
fn ase_material_names_follow_the_games() {
    let name = |name: &str, bitmap: &str| {
        let text = ASE.replace("models/box/side", name).replace(r"C:\doom3\base\models\box\side.tga", bitmap);
        load(text.as_bytes()).0.surfaces()[0].materials.concat()
    };
    assert_eq!(name(r"models\box\side.tga", "x.tga"), "models/box/side");
    assert_eq!(name("01 - Default", r"maps\none.tga"), "maps/none");
    assert_eq!(name("01 - Default", "None"), "01 - Default");
    assert_eq!(name("steel", r"D:\work\models\crate\steel.png"), "models/crate/steel");
    assert_eq!(name("steel", r"D:\pictures\steel.png"), "steel");
    assert_eq!(name("steel", "../../textures/a/steel.tga"), "textures/a/steel");
    assert_eq!(name("steel", "/home/me/database/steel.tga"), "steel");
}

#[test]
fn ase_smoothing_groups_join_faces_without_stored_normals() {
    let start = ASE.find("*MESH_NORMALS").unwrap();
    let end = ASE[start..].find("\t\t}\n").unwrap() + start;
    let without = format!("{}*IGNORED {{{}", &ASE[..start], &ASE[end..]);
    // Raise a corner of the second face, and let both faces have group 2.
    let bent = without.replace("*MESH_VERTEX 3 0 8 0", "*MESH_VERTEX 3 0 8 8");
    let joined =
        bent.replace("*MESH_SMOOTHING 1 ", "*MESH_SMOOTHING 1,2 ").replace("*MESH_SMOOTHING *", "*MESH_SMOOTHING 2 *");
    let normal = |text: &str| corners(&load(text.as_bytes()).0, 0, 0)[1].1;
    assert_eq!(normal(&bent), Vec3::Z);
    // Areas (0, 0, 64) and (64, −64, 64).
    let sum = Vec3::new(64.0, -64.0, 128.0).normalize();
    assert!(normal(&joined).abs_diff_eq(sum, 1e-6), "{}", normal(&joined));
}

#[test]
fn ase_normals_of_q3map2_are_those_of_vertices() {
    let start = ASE.find("*MESH_FACENORMAL 0").unwrap();
    let end = ASE.find("*MESH_VERTEXNORMAL 3 0 0 1").unwrap() + "*MESH_VERTEXNORMAL 3 0 0 1".len();
    let lines =
        "*MESH_FACENORMAL 0 0 0 -1 *MESH_FACENORMAL 1 0 0 -1\n*MESH_VERTEXNORMAL 0 0 0 1\n*MESH_VERTEXNORMAL 1 1 0 0";
    let text = format!("{}{lines}{}", &ASE[..start], &ASE[end..]);
    let (model, _) = load(text.as_bytes());
    assert_eq!(corners(&model, 0, 0).map(|(_, normal)| normal), [Vec3::Z, Vec3::Z, Vec3::Y]);
}

#[test]
fn broken_ase_is_refused_with_its_line() {
    let face = ASE.replace("A: 0 B: 1 C: 2 AB", "A: 0 B: 1 C: 9 AB");
    assert_eq!(
        refusal(face.as_bytes()),
        "ASE: object 0: *MESH_FACE at line 42, column 31: the index is 9, but there are 4"
    );
    let cut = &ASE[..ASE.find("*MESH_NUMTVERTEX").unwrap()];
    assert!(refusal(cut.as_bytes()).contains("expected “}”, found the end of the file"), "{}", refusal(cut.as_bytes()));
    assert!(refusal(b"*3DSMAX_ASCIIEXPORT 200").ends_with("no object has faces"));
}

#[test]
fn surfaces_for_collisions_and_shadows_are_hidden_at_first() {
    let hidden = |material: &str| {
        let file = ASE.replace("textures\\lid.tga", material).replace("textures/lid.tga", material);
        let (model, _) = load(file.as_bytes());
        model.surfaces().iter().map(|surface| surface.hidden).collect::<Vec<_>>()
    };
    assert_eq!(hidden("textures/common/collision.tga"), [false, true, false]);
    assert_eq!(hidden("textures/common/shadow2.tga"), [false, true, false]);
    assert_eq!(hidden("textures/common/caulk.tga"), [false; 3]);
}
