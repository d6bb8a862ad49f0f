//! Operations on single vertices, triangles, frames of a group and skins.

use glam::Vec3;
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::edit::{Call, apply, save};
use maquette_core::model::{Bounds, Format, PixelKind, Pixels};

use crate::operations::{changed, load, operation, positions, refused};
use maquette_testing::files::{Md2, Md2Frame, Md3, Mdl};
use maquette_testing::gltf::GltfFile;
use maquette_testing::skeletal_files::Mdr;

#[test]
fn moved_vertices_take_those_at_their_position_along() {
    let bytes = Md3 { tags: vec![], ..Md3::typical() }.build();
    // The corners are (x, 0, 0), (x, 1, 0) and (x, 0, 2), with x = 0 and 10 in the two frames.
    let model = changed(&bytes, &["move by=0,0,1 vertices=2"]);
    assert_eq!(positions(&model, 0), [Vec3::ZERO, Vec3::Y, Vec3::Z * 3.0]);
    assert_eq!(positions(&model, 1)[2], Vec3::new(10.0, 0.0, 3.0));
    assert_eq!(model.frames()[0].bounds, Some(Bounds { min: Vec3::ZERO, max: Vec3::new(0.0, 1.0, 3.0) }));
    let one = changed(&bytes, &["move by=0,0,1 vertices=1- frames=1"]);
    assert_eq!(positions(&one, 0), positions(&load(&bytes), 0));
    assert_eq!(positions(&one, 1), [[10.0, 0.0, 0.0], [10.0, 1.0, 1.0], [10.0, 0.0, 3.0]].map(Vec3::from));
    // The backs of a triangle have vertices 3 to 5.
    let both = changed(&bytes, &["double-sided", "scale factor=3 vertices=5"]);
    assert_eq!([2, 5].map(|vertex| positions(&both, 0)[vertex]), [Vec3::Z * 6.0; 2]);
    assert_eq!(
        refused(&load(&bytes), "move by=0,0,1 vertices=3"),
        "vertices 3 do not exist; there are 3, counted from 0"
    );
    assert_eq!(refused(&load(&bytes), "move by=0,0,1 vertices=x"), "vertices: “x” is not a range of numbers");
    let two = load(&Md3 { surfaces: 2, ..Md3::typical() }.build());
    let why = "the numbers belong to one surface; set surfaces to its name or index";
    assert_eq!(refused(&two, "rotate angle=90 vertices=0"), why);
    let why = "vertices of a model with joints can only be transformed together";
    assert_eq!(refused(&load(&Mdr::typical().build()), "move by=0,0,1 vertices=0"), why);
}

/// Both files store [2, 0, lift] steps of (1, 2, 3) units as vertex 1, which the seam divides in the MDL.
#[test]
fn bytes_of_other_vertices_stay() {
    for mut bytes in [Md2::typical().build(), Mdl::typical().build()] {
        let model = load(&bytes);
        let moved = apply(&model, &[operation("move by=3,4,0 vertices=2")]).unwrap();
        let after = save(&bytes, &model, &moved).unwrap().0;
        let [first, second] = [0, 10].map(|lift| bytes.windows(4).position(|own| own == [2, 0, lift, 5]).unwrap());
        [first, second].iter().for_each(|vertex| bytes[*vertex..vertex + 2].copy_from_slice(&[5, 2]));
        // The header and the frames of an MDL have boxes of the vertices, too.
        let tables = match model.format() {
            Format::Md2 => vec![(0, bytes.len())],
            _ => [first, second].map(|vertex| (vertex - 4, vertex + 12)).into(),
        };
        for (start, end) in tables {
            assert_eq!(bytes[start..end], after[start..end], "{}", model.format());
        }
    }
}

#[test]
fn deleted_triangles_take_their_vertices_along() {
    let corners = |x: i16| ([x * 64, x * x * 64, 0], [0, 0]);
    let file = Md3 {
        tags: vec![],
        triangles: vec![[0, 1, 2], [2, 1, 3], [2, 3, 4]],
        uvs: vec![[0.0; 2]; 5],
        frames: vec![(0..5).map(corners).collect()],
        ..Md3::typical()
    };
    let model = changed(&file.build(), &["delete-triangles triangles=0,2"]);
    assert_eq!(model.surfaces()[0].triangles, [[1, 0, 2]]);
    assert_eq!(positions(&model, 0), [1.0, 2.0, 3.0].map(|x| Vec3::new(x, x * x, 0.0)));
    assert_eq!(model.frames()[0].bounds, Some(Bounds { min: Vec3::new(1.0, 1.0, 0.0), max: Vec3::new(3.0, 9.0, 0.0) }));
    let model = load(&file.build());
    assert_eq!(refused(&model, "delete-triangles triangles=all"), "no triangle of the surface would be left");
    assert_eq!(
        refused(&model, "delete-triangles triangles=2-3"),
        "triangles 2-3 do not exist; there are 3, counted from 0"
    );
    // The second triangle of the MDL is on the back: facesfront is 0.
    let mdl = changed(&Mdl::typical().build(), &["delete-triangles triangles=0"]);
    assert_eq!((mdl.surfaces()[0].triangles.len(), mdl.data().faces_front.to_vec()), (1, vec![0]));
}

#[test]
fn frames_of_a_group_get_single_times() {
    let bytes = Mdl::grouped().build();
    let model = load(&bytes);
    let name = &model.clips()[0].name;
    let again = changed(&bytes, &[&format!("change-clip clip={name} times=0.3,0.1")]);
    assert_eq!(again.clips()[0].end_times, [0.3, 0.3 + 0.1]);
    assert_eq!(again.clips()[0].frames_per_second, 2.0 / 0.4);
    let why = refused(&model, &format!("change-clip clip={name} times=0.3"));
    assert_eq!(why, "times: expected 2 durations, separated by commas");
    let why = refused(&load(&Md3::typical().build()), "change-clip clip=frame times=1,1");
    assert_eq!(why, "times need a frame group of an MDL, and no rate");
    let why = Call::parse("change-clip clip=run times=0.1,0").unwrap_err();
    assert_eq!(why, "times=0.1,0: expected seconds from 0.001 to 1000, such as 0.1,0.2");
}

#[test]
fn skins_are_grouped_with_times_and_ungrouped() {
    let bytes = Mdl::typical().build();
    let model = load(&bytes);
    let mut add = operation("set-skin skin=1 image=x.png");
    let kind = PixelKind::GamePalette { has_cutouts: false };
    add.load_images(|_| Ok(Pixels { width: 8, height: 4, kind: kind.clone(), bytes: vec![7; 32] })).unwrap();
    let two = apply(&model, std::slice::from_ref(&add)).unwrap();
    let grouped = apply(&two, &[operation("group-skins times=0.25,0.5")]).unwrap();
    let saved = save(&bytes, &model, &grouped).unwrap().0;
    // The header has 84 bytes and numskins at 48; then: type, number of images, end times, images.
    let number = |at: usize| i32::from_le_bytes(saved[at..at + 4].try_into().unwrap());
    let time = |at: usize| f32::from_le_bytes(saved[at..at + 4].try_into().unwrap());
    assert_eq!((number(48), number(84), number(88), time(92), time(96)), (1, 1, 2, 0.25, 0.75));
    assert_eq!((&saved[100..132], &saved[132..164]), (&bytes[88..120], &[7; 32][..]));
    assert_eq!((&saved[164..], load(&saved).skins()), (&bytes[120..], &["skin 0".to_owned()][..]));
    // Images keep their durations in a larger group; a single image lasts 0.1 seconds.
    let larger = apply(&grouped, &[add, operation("group-skins")]).unwrap();
    let times = &larger.embedded_skins()[0].end_times;
    assert!(times.iter().zip([0.25, 0.75, 0.85]).all(|(time, wanted)| (time - wanted).abs() < 1e-6), "{times:?}");
    let single = apply(&grouped, &[operation("ungroup-skin skin=0"), operation("remove-skin skin=1")]).unwrap();
    assert_eq!(save(&bytes, &model, &single).unwrap().0, bytes);
    assert_eq!(refused(&model, "group-skins"), "a group needs at least two skins");
    assert_eq!(refused(&two, "group-skins times=1"), "times: expected 2 durations, separated by commas");
    assert_eq!(refused(&model, "ungroup-skin skin=0"), "The model has no group of skins");
    assert_eq!(refused(&load(&Mdl::grouped().build()), "ungroup-skin skin=1"), "skin=1 is not a group of skins");
}

/// A seam in the middle of 8 × 8 squares gives 9 of 81 vertices a second texture coordinate.
#[test]
fn simplification_counts_vertices_as_the_format_stores_them() {
    let vertices = (0_u8..81).map(|index| [index % 9 * 20, index / 9 * 20, index % 9 * (index % 5) * 4, 5]).collect();
    let coordinates = (0..90).map(|index| if index < 81 { [index % 9, index / 9] } else { [60, index - 81] });
    let square = |cell: u16| {
        let first = cell / 8 * 9 + cell % 8;
        // The squares on the right of column 4 have other coordinates there.
        let st = |vertex: u16| if cell % 8 >= 4 && vertex % 9 == 4 { 81 + vertex / 9 } else { vertex };
        [[first, first + 9, first + 1], [first + 1, first + 9, first + 10]]
            .map(|[a, b, c]| [a, b, c, st(a), st(b), st(c)])
    };
    let frame = Md2Frame { scale: [1.0; 3], translate: [0.0; 3], name: "a".to_owned(), vertices };
    let bytes = Md2 {
        coordinates: coordinates.collect(),
        triangles: (0..64).flat_map(square).collect(),
        frames: vec![frame],
        commands: vec![0],
        ..Md2::typical()
    };
    let model = load(&bytes.build());
    assert_eq!((model.stored_vertices(0), model.surfaces()[0].vertex_count()), (81, 90));
    let kept = apply(&model, &[operation("simplify vertices=81")]).unwrap();
    assert_eq!(kept.surfaces()[0].triangles.len(), 128);
    // A collapse removes a single vertex.
    let fewer = apply(&model, &[operation("simplify vertices=60")]).unwrap();
    assert_eq!(fewer.stored_vertices(0), 60);
}

#[test]
fn lod_is_added_inside_an_mdr() {
    let bytes = Mdr { lods: 1, ..Mdr::typical() }.build();
    let model = load(&bytes);
    let (surfaces, triangles) = (model.surfaces().len(), model.surfaces()[0].triangles.len());
    let twice = changed(&bytes, &["simplify percent=100 lod=yes", "simplify percent=100 lod=yes"]);
    let lods: Vec<u32> = twice.surfaces().iter().map(|surface| surface.lod).collect();
    assert_eq!((twice.lod_count(), lods), (3, [vec![0; surfaces], vec![1; surfaces], vec![2; surfaces]].concat()));
    assert_eq!(twice.surfaces().last().unwrap().triangles.len(), triangles);
    let saved = save(&bytes, &model, &twice).unwrap().0;
    assert_eq!(saved, Mdr { lods: 3, ..Mdr::typical() }.build());
    let why = refused(&load(&Md3::typical().build()), "simplify lod=yes");
    assert_eq!(why, "Each LOD of an MD3 is a file; save the simplified model as gun_1.md3");
}

#[test]
fn clips_of_a_gltf_are_renamed_before_its_conversion() {
    let model = load(&GltfFile::morphing().glb());
    let name = model.clips()[0].name.clone();
    let renamed = apply(&model, &[operation(&format!("change-clip clip=\"{name}\" name=idle rate=5"))]).unwrap();
    let md3 = convert(&renamed, &ConvertOptions::to(Format::Md3)).unwrap().model;
    let first = &md3.clips()[0];
    assert_eq!((first.name.as_str(), first.frames_per_second), ("idle", 5.0));
    let why = refused(&load(&Md2::typical().build()), "change-clip clip=stand name=idle");
    assert_eq!(why, "Clips of an MD2 follow from the names of its frames");
}
