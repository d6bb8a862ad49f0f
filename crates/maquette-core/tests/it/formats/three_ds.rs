//! 3DS meshes.

use glam::{Vec2, Vec3};
use maquette_core::formats::salvage;
use maquette_core::model::{AlphaMode, EmbeddedImage};

use super::ase::{corners, uvs};
use super::{load, refusal};
use maquette_testing::static_files::{three_ds, three_ds_chunk};

/// Returns the position of the only occurrence of `bytes`.
fn position(file: &[u8], bytes: &[u8]) -> usize {
    let mut found = (0..file.len()).filter(|at| file[*at..].starts_with(bytes));
    let position = found.next().unwrap();
    assert_eq!(found.next(), None);
    position
}

#[test]
fn objects_of_a_3ds_are_divided_by_material() {
    let (model, warnings) = load(&three_ds());
    let expected = [
        "chunk B000: 1 track of the animation is not read",
        "chunk B000: 1 copy of an object in the animation is not shown",
    ];
    assert_eq!(warnings.lines().collect::<Vec<_>>(), expected);
    let surfaces = model.surfaces().iter().map(|surface| (&*surface.name, surface.materials.concat()));
    let surfaces: Vec<_> = surfaces.collect();
    assert_eq!(surfaces, [("folded", "side"), ("folded", "glass"), ("bare", "")].map(|(a, b)| (a, b.to_owned())));
    assert_eq!((model.version(), model.frames().len()), (Some(3), 1));
}

#[test]
fn points_of_a_3ds_stay_and_corners_become_clockwise() {
    let (model, _) = load(&three_ds());
    // The matrix of the object mirrors, but the points are in the space of the scene.
    let positions = |surface| corners(&model, surface, 0).map(|(position, _)| position.to_array());
    assert_eq!(positions(0), [[0.0, 0.0, 0.0], [8.0, 8.0, 8.0], [8.0, 0.0, 0.0]]);
    assert_eq!(positions(1), [[0.0, 0.0, 0.0], [0.0, 8.0, 0.0], [8.0, 8.0, 8.0]]);
    // Stored V counts from the bottom.
    assert_eq!(uvs(&model, 0, 0), [Vec2::new(0.0, 1.0), Vec2::new(1.0, 0.0), Vec2::new(1.0, 0.75)]);
    assert_eq!(uvs(&model, 1, 0)[0], Vec2::new(0.5, 0.5));
    assert_eq!(uvs(&model, 2, 0), [Vec2::ZERO; 3], "the object has no texture coordinates");
}

#[test]
fn faces_of_a_3ds_at_one_position_with_a_common_group_are_smooth() {
    let (model, _) = load(&three_ds());
    // The faces have the normals (0, −1, 1) and (−1, 0, 1), and equal areas.
    let (first, second) = (Vec3::new(0.0, -1.0, 1.0).normalize(), Vec3::new(-1.0, 0.0, 1.0).normalize());
    let both = (first + second).normalize();
    for (surface, expected) in [(0, [both, both, first]), (1, [both, second, both])] {
        for ((_, normal), expected) in corners(&model, surface, 0).into_iter().zip(expected) {
            assert!(normal.abs_diff_eq(expected, 1e-6), "{normal} {expected}");
        }
    }
    let mut file = three_ds();
    let groups = position(&file, &[1, 0, 0, 0, 3, 0, 0, 0]);
    file[groups + 4] = 2;
    assert!(corners(&load(&file).0, 0, 0)[0].1.abs_diff_eq(first, 1e-6), "the groups 1 and 2 have no common bit");
}

#[test]
fn materials_of_a_3ds_have_a_colour_or_an_image() {
    let (model, _) = load(&three_ds());
    let material = |surface: usize| model.surfaces()[surface].data.embedded_material.clone();
    let side = material(0).unwrap();
    // The path of another machine is left out, and the image replaces the colour.
    assert_eq!(side.image, Some(EmbeddedImage::External("SIDE.TGA".to_owned())));
    assert_eq!((side.colour, side.alpha, side.double_sided), ([1.0; 4], AlphaMode::Opaque, false));
    let glass = material(1).unwrap();
    assert_eq!((glass.colour, glass.alpha, glass.double_sided), ([0.0, 1.0, 0.0, 0.25], AlphaMode::Blend, true));
    assert_eq!(material(2), None);
}

#[test]
fn broken_3ds_is_refused_with_the_chunk() {
    let file = three_ds();
    let message = refusal(&file[..file.len() - 1]);
    let start = format!("3DS: chunk 4D4D: size at byte 0x2: the file ends here; {} bytes are needed", file.len());
    assert!(message.starts_with(&start), "{message}");

    let mut tables = file.clone();
    let points = position(&file, &[0x10, 0x41, 68, 0, 0, 0]);
    tables[points + 6] = 7;
    let message = refusal(&tables);
    let chunks = "3DS: chunk 4D4D: chunk 3D3D: chunk 4000: chunk 4100: chunk 4110: count at byte ";
    assert!(message.starts_with(chunks), "{message}");
    assert!(message.ends_with("7 records need 84 bytes, but the chunk has 60"), "{message}");

    let empty = three_ds_chunk(0x4d4d, &[&three_ds_chunk(0x3d3d, &[])]);
    assert!(refusal(&empty).ends_with("no object has faces"), "{}", refusal(&empty));
    let size = three_ds_chunk(0x4d4d, &[&[0x3d, 0x3d, 5, 0, 0, 0]]);
    assert!(refusal(&size).ends_with("the size is 5; a chunk has at least 6 bytes"), "{}", refusal(&size));
}

#[test]
fn damaged_3ds_keeps_what_is_whole() {
    let file = three_ds();
    // The end of the first object.
    let cut = &file[..position(&file, b"bare\0\0\x41")];
    let salvaged = salvage(cut).unwrap();
    assert_eq!(salvaged.model.surfaces().len(), 2);
    assert!(salvaged.is_damaged);

    let mut faces = file.clone();
    let face = position(&file, &[4, 0, 2, 0, 3, 0, 6, 0]);
    faces[face] = 9;
    let (model, warnings) = load(&faces);
    assert_eq!(model.surfaces().len(), 2, "{warnings}");
    assert!(warnings.contains("faces: 1 face has a corner that does not exist and is skipped"), "{warnings}");

    let mut sizes = file.clone();
    let last = position(&file, &[0x50, 0x41, 14, 0, 0, 0]);
    sizes[last + 2] += 8;
    let (model, warnings) = load(&sizes);
    assert_eq!(model.surfaces().len(), 3);
    assert!(warnings.contains("chunks: 1 chunk ends after its parent; the rest is skipped"), "{warnings}");
}

/// Returns a mesh of a triangle.
fn triangle() -> Vec<u8> {
    let numbers = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let points: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let points = three_ds_chunk(0x4110, &[&[3, 0], &points]);
    three_ds_chunk(0x4100, &[&points, &three_ds_chunk(0x4120, &[&[1, 0, 0, 0, 1, 0, 2, 0, 0, 0]])])
}

fn scene(object: &[&[u8]]) -> Vec<u8> {
    three_ds_chunk(0x4d4d, &[&three_ds_chunk(0x3d3d, &[&three_ds_chunk(0x4000, object)])])
}

#[test]
fn meshes_of_an_object_share_its_name() {
    let (model, _) = load(&scene(&[b"twice\0", &triangle(), &three_ds_chunk(0x4100, &[]), &triangle()]));
    assert_eq!(model.surfaces().iter().map(|surface| &*surface.name).collect::<Vec<_>>(), ["twice"; 2]);
    // Surfaces with 500 KB of names each, of a file of 1.3 MB.
    let name = [vec![b'n'; 500_000], vec![0]].concat();
    let message = refusal(&scene(&[&name, &triangle().repeat(11_000)]));
    assert!(message.starts_with("3DS: chunk 3D3D"), "{message}");
    // Copies for a million empty meshes would take an hour.
    let file = scene(&[&name, &three_ds_chunk(0x4100, &[]).repeat(1_000_000), &triangle()]);
    assert_eq!(load(&file).0.surfaces().len(), 1);
}

#[test]
fn bytes_after_the_main_chunk_and_short_tracks_are_not_read() {
    let (_, warnings) = load(&three_ds());
    assert_eq!(load(&[three_ds(), vec![0xff; 40]].concat()).1, warnings);
    let node = three_ds_chunk(0xb002, &[&three_ds_chunk(0xb020, &[&[0; 9]])]);
    let frames = three_ds_chunk(0xb000, &[&node]);
    let editor = three_ds_chunk(0x3d3d, &[&three_ds_chunk(0x4000, &[b"a\0", &triangle()])]);
    let (model, warnings) = load(&three_ds_chunk(0x4d4d, &[&editor, &frames]));
    assert_eq!(model.surfaces().len(), 1);
    assert_eq!(warnings, "chunk B000: 1 track of the animation is not read");
}
