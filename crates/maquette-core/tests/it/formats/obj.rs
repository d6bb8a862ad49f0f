//! OBJ meshes.

use std::rc::Rc;

use glam::{Vec2, Vec3};
use maquette_core::bytes::LoadOptions;
use maquette_core::convert::{ConvertOptions, to_files};
use maquette_core::formats;
use maquette_core::model::{AlphaMode, EmbeddedImage, Format};

use super::ase::{corners, uvs};
use super::{load, refusal};
use maquette_testing::static_files::OBJ;

#[test]
fn obj_surfaces_begin_at_materials() {
    let (model, warnings) = load(OBJ.as_bytes());
    assert_eq!(warnings, "");
    let surfaces: Vec<_> = model.surfaces().iter().map(|surface| surface.materials.concat()).collect();
    assert_eq!(surfaces, ["models/box/side", "lid", "models/box/side"]);
    assert_eq!(model.surfaces()[0].triangles.len(), 2, "a quad is a fan of two triangles");
}

#[test]
fn obj_is_turned_upright_with_clockwise_corners() {
    let (model, _) = load(OBJ.as_bytes());
    let [a, b, c] = corners(&model, 0, 0);
    assert_eq!([a.0, b.0, c.0], [Vec3::ZERO, Vec3::new(4.0, 0.0, 6.0), Vec3::new(4.0, 0.0, 0.0)]);
    assert_eq!([a.1, b.1, c.1], [Vec3::NEG_Y; 3]);
    assert_eq!(uvs(&model, 0, 0), [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.75), Vec2::new(1.0, 0.75)]);
    // Corner 4 has no texture coordinates. Faces without normals get their own.
    assert_eq!(uvs(&model, 0, 1)[1], Vec2::ZERO);
    assert_eq!(corners(&model, 1, 0)[1], (Vec3::new(0.0, 0.0, 6.0), Vec3::NEG_Y));
}

#[test]
fn obj_smoothing_groups_join_faces() {
    let text = |group: &str| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\ns {group}\nf 1 2 3\nf 1 3 4\n");
    let normal = |group: &str| corners(&load(text(group).as_bytes()).0, 0, 0)[0].1;
    assert_eq!(normal("off"), Vec3::NEG_Y);
    // Normals (0, 0, 1) and (1, 0, 0) of the file.
    assert!(normal("1").abs_diff_eq(Vec3::new(1.0, -1.0, 0.0).normalize(), 1e-6));
}

#[test]
fn obj_reads_colours_and_images_of_its_materials() {
    let mtl = "newmtl lid\nKd 0.5 0.25 1\nd 0.5\nnewmtl models/box/side\nKd 0.8 0.8 0.8\nmap_Kd -s 1 1 1 -clamp on lid skin.png\n";
    let read = |path: &str| match path {
        "maps/box.mtl" => Ok(Rc::new(mtl.as_bytes().to_vec())),
        _ => Err("absent".to_owned()),
    };
    let text = OBJ.replace("box.mtl", "maps/box.mtl");
    let (model, warnings) = formats::load_with(text.as_bytes(), LoadOptions::default(), Some(&read)).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let (_, warnings) = formats::load_with(OBJ.as_bytes(), LoadOptions::default(), Some(&read)).unwrap();
    assert_eq!(warnings[0].to_string(), "mtllib: box.mtl: absent");
    let material = |surface: usize| model.surfaces()[surface].data.embedded_material.clone().unwrap();
    assert_eq!((material(1).colour, material(1).alpha), ([0.5, 0.25, 1.0, 0.5], AlphaMode::Blend));
    assert!(matches!(&material(0).image, Some(EmbeddedImage::External(path)) if path == "maps/lid skin.png"));
    assert_eq!(material(0).colour, [1.0; 4], "games draw the image without the colour");
    for frame in [None, Some(0)] {
        let options = ConvertOptions { frame, ..ConvertOptions::to(Format::Obj) };
        let files = to_files(&model, &options).unwrap();
        let [companion] = &files.companions("out", "obj")[..] else { panic!("only materials") };
        assert_eq!(companion.name, "out.mtl");
        let read =
            |path: &str| if path == "out.mtl" { Ok(Rc::new(companion.bytes.clone())) } else { Err(path.to_owned()) };
        let (again, warnings) = formats::load_with(&files.main("out"), LoadOptions::default(), Some(&read)).unwrap();
        assert!(warnings.is_empty(), "{warnings:?}");
        for (own, read) in model.surfaces().iter().zip(again.surfaces()) {
            assert_eq!(own.data.embedded_material, read.data.embedded_material);
        }
    }
}

#[test]
fn obj_faces_that_cannot_be_drawn_are_reported() {
    let (model, warnings) = load(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\nf 1 2 7\n");
    assert_eq!(model.surfaces()[0].triangles.len(), 1);
    assert_eq!(
        warnings,
        "faces: 1 face has fewer than three corners and is skipped\n\
         faces: 1 face has a corner that does not exist and is skipped"
    );
    assert_eq!(refusal(b"v 0 0 zero\nf 1 1 1\n"), "OBJ: v at line 1, column 1: expected a number, found “zero”");
    assert!(refusal(b"v 0 0 0\n").ends_with("the file has no faces"));
}

#[test]
fn obj_names_of_many_surfaces_take_limited_memory() {
    let faces = "usemtl a\nf 1 2 3\n".repeat(200);
    let text = |name: usize| format!("v 0 0 0\nv 1 0 0\nv 0 1 0\ng {}\n{faces}", "x".repeat(name));
    assert_eq!(load(text(8).as_bytes()).0.surfaces().len(), 200);
    assert!(refusal(text(100_000).as_bytes()).contains("together they claim"), "{}", refusal(text(100_000).as_bytes()));
}

#[test]
fn obj_image_paths_follow_all_options() {
    let cases = [
        ("lid.png", "lid.png"),
        ("-s 1 1 1 lid skin.png", "lid skin.png"),
        ("-imfchan r lid.png", "lid.png"),
        ("-type sphere lid.png", "lid.png"),
        ("-TYPE cube_top -clamp on lid.png", "lid.png"),
        ("-mm 0 1 -o 0.5 tiles.png", "tiles.png"),
        ("-o 0.5 0 0 2 tiles.png", "2 tiles.png"),
        ("-bm 0.3 3 lids.png", "3 lids.png"),
        ("-blendu off -blendv off -cc on -boost 2 -texres 64 -t 1 a.png", "a.png"),
        ("-gamma 2.2 lid.png", "lid.png"),
        ("-lid.png", "-lid.png"),
        ("on", "on"),
    ];
    for (text, path) in cases {
        let read = |_: &str| Ok(Rc::new(format!("newmtl lid\nmap_Kd {text}\n").into_bytes()));
        let (model, _) = formats::load_with(OBJ.as_bytes(), LoadOptions::default(), Some(&read)).unwrap();
        let material = model.surfaces()[1].data.embedded_material.clone().unwrap();
        assert!(matches!(&material.image, Some(EmbeddedImage::External(found)) if found == path), "{text}");
    }
}

#[test]
fn obj_corners_of_one_position_become_one_vertex_if_they_are_equal() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt 0 0\nvt 1 1\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\nf 1/1/1 3/1/1 4/1/1\nf 1/2/1 2/1/1 4/1/1\n";
    let (model, _) = load(text.as_bytes());
    // Corner 1 has two texture coordinates.
    assert_eq!(model.surfaces()[0].uvs.len(), 5);
}
