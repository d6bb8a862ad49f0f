//! Operations on surfaces, vertices, header, skins and clips.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use maquette_core::edit::{Call, Notes, apply, apply_with_notes, save};
use maquette_core::formats;
use maquette_core::inspect::{CommandDifferences, command_differences};
use maquette_core::model::{Format, Model, PixelKind, Pixels};
use maquette_core::pose::Pose;

use crate::operations::{changed, first_x, frames, load, operation, pose, positions, refused};
use maquette_testing::files::{Md2, Md3, Mdc, Mdl, MdlFrame, MdlPose, Short};
use maquette_testing::iqm::Iqm;
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{MD5_MESH, Mdr};

fn names(model: &Model) -> Vec<&str> {
    model.surfaces().iter().map(|surface| surface.name.as_str()).collect()
}

/// Returns an MD3 with two separate triangles in one surface, and a vertex that no triangle uses.
fn two_triangles() -> Vec<u8> {
    let corners = |x: i16| -> Vec<Short> {
        let at = |x: i16, y: i16| ([x * 64, y * 64, 0], [0, 0]);
        vec![at(x, 0), at(x, 1), at(x + 1, 0), at(x, 9), at(x, 10), at(x + 1, 9), at(x, 99)]
    };
    Md3 {
        triangles: vec![[0, 1, 2], [3, 4, 5]],
        uvs: vec![[0.0, 0.0]; 7],
        frames: vec![corners(0), corners(20)],
        ..Md3::typical()
    }
    .build()
}

#[test]
fn surfaces_are_deleted_copied_and_joined() {
    let bytes = Md3 { surfaces: 3, ..Md3::typical() }.build();
    assert_eq!(names(&changed(&bytes, &["delete-surfaces surfaces=0,2"])), ["u_torso"]);
    assert_eq!(refused(&load(&bytes), "delete-surfaces surfaces=u_torso"), "no surface would be left");
    let copied = changed(&bytes, &["duplicate-surfaces surfaces=1"]);
    assert_eq!(names(&copied), ["u_torso", "u_torso", "u_torso_copy", "u_torso"]);
    let joined = changed(&bytes, &["join-surfaces"]);
    let surface = &joined.surfaces()[0];
    assert_eq!((joined.surfaces().len(), surface.vertex_count()), (1, 9));
    assert_eq!(surface.triangles, [[0, 1, 2], [3, 4, 5], [6, 7, 8]]);
    assert_eq!(positions(&joined, 1), positions(&load(&bytes), 1));
    for bytes in [Mdr::typical().build(), Mdc::typical().build(), Iqm::typical().build()] {
        let (model, twice) = (load(&bytes), changed(&bytes, &["duplicate-surfaces surfaces=0"]));
        let joined = apply(&twice, &[operation("join-surfaces surfaces=0,1")]).unwrap();
        assert_eq!(joined.surfaces().len(), model.surfaces().len(), "{}", model.format());
        assert_eq!(joined.surfaces()[0].vertex_count(), model.surfaces()[0].vertex_count() * 2);
        let (own, again) = (pose(&model, 0), pose(&joined, 0));
        assert_eq!(again.surfaces[0].positions[..own.surfaces[0].positions.len()], own.surfaces[0].positions);
    }
    assert_eq!(refused(&load(&Md2::typical().build()), "join-surfaces"), "An MD2 has a single mesh");
    let only = refused(&load(&Md3::typical().build()), "join-surfaces");
    assert_eq!(only, "no two of the surfaces have one material");
}

#[test]
fn connected_parts_become_surfaces() {
    let split = changed(&two_triangles(), &["split-surfaces"]);
    assert_eq!(names(&split), ["u_torso", "u_torso_2"]);
    let counts: Vec<usize> = split.surfaces().iter().map(|surface| surface.vertex_count()).collect();
    assert_eq!(counts, [3, 3]);
    assert_eq!(pose(&split, 1).surfaces[1].positions[0], Vec3::new(20.0, 9.0, 0.0));
    let why = refused(&load(&Md3::typical().build()), "split-surfaces");
    assert_eq!(why, "the surfaces are connected and cannot be split");
}

#[test]
fn unused_and_equal_vertices_are_removed() {
    let bytes = two_triangles();
    let dropped = changed(&bytes, &["drop-unused-vertices"]);
    assert_eq!(dropped.surfaces()[0].vertex_count(), 6);
    assert_eq!(positions(&dropped, 1)[..], positions(&load(&bytes), 1)[..6]);
    // A joined copy has each vertex twice.
    let twice = ["duplicate-surfaces surfaces=0", "join-surfaces"];
    let merged = changed(&bytes, &[&twice[..], &["merge-vertices"]].concat());
    assert_eq!(merged.surfaces()[0].vertex_count(), 7);
    assert_eq!(merged.surfaces()[0].triangles, [[0, 1, 2], [3, 4, 5], [0, 1, 2], [3, 4, 5]]);
    assert_eq!(positions(&merged, 1), positions(&load(&bytes), 1));
    // Nothing to change leaves all bytes.
    for bytes in [Mdl::typical().build(), Md2::typical().build(), MD5_MESH.into(), Mdr::typical().build()] {
        let model = load(&bytes);
        let after = apply(&model, &[operation("merge-vertices"), operation("drop-unused-vertices")]).unwrap();
        assert_eq!(save(&bytes, &model, &after).unwrap().0, bytes, "{}", model.format());
    }
}

#[test]
fn flipped_triangles_show_their_backs() {
    for bytes in [Md2::typical().build(), Mdl::typical().build(), Md3::typical().build(), Mdr::typical().build()] {
        let (before, after) = (load(&bytes), changed(&bytes, &["flip"]));
        let front = |model: &Model| {
            let posed = &pose(model, 0).surfaces[0];
            let [a, b, c] = model.surfaces()[0].triangles[0].map(|corner| posed.positions[corner as usize]);
            ((c - a).cross(b - a).normalize(), posed.normals[model.surfaces()[0].triangles[0][0] as usize])
        };
        let ((face, normal), (back, turned)) = (front(&before), front(&after));
        assert!(face.dot(back) < -0.99 && normal.dot(turned) < -0.99, "{}", before.format());
    }
}

#[test]
fn double_sided_surface_has_backs_with_own_normals() {
    for bytes in [Md2::typical().build(), Mdl::typical().build(), Md3::typical().build(), MD5_MESH.into()] {
        let (before, after) = (load(&bytes), changed(&bytes, &["double-sided"]));
        let (old, new) = (&before.surfaces()[0], &after.surfaces()[0]);
        assert_eq!(new.triangles.len(), old.triangles.len() * 2, "{}", before.format());
        assert_eq!(after.stored_vertices(0), before.stored_vertices(0) * 2);
        let posed = &pose(&after, 0).surfaces[0];
        let face = |triangle: [u32; 3]| {
            let [a, b, c] = triangle.map(|corner| posed.positions[corner as usize]);
            (c - a).cross(b - a).normalize()
        };
        let count = old.triangles.len();
        assert!(face(new.triangles[0]).dot(face(new.triangles[count])) < -0.99, "{}", before.format());
        let normals = |triangle: [u32; 3]| posed.normals[triangle[0] as usize];
        // An MD5 stores no normals.
        let is_turned = normals(new.triangles[0]).dot(normals(new.triangles[count])) < -0.9;
        assert!(is_turned || before.format() == Format::Md5, "{}", before.format());
    }
}

#[test]
fn texture_coordinates_are_scaled_rotated_and_moved() {
    let bytes = Md3::typical().build();
    let uvs = |text: &str| changed(&bytes, &[text]).surfaces()[0].uvs.clone();
    let by = uvs("move-coordinates scale-u=2 move-v=0.25");
    assert_eq!(by, [Vec2::new(0.0, 0.25), Vec2::new(2.0, 0.25), Vec2::new(1.0, 1.75)]);
    // A quarter turn about (0.5, 0.5) takes (0, 0) to (1, 0).
    let turned = uvs("move-coordinates angle=90");
    assert!(turned[0].distance(Vec2::new(1.0, 0.0)) < 1e-6, "{turned:?}");
    let why = refused(&load(&Mdl::typical().build()), "move-coordinates scale-u=2");
    assert_eq!(why, "Texture coordinates of an MDL are tied to the halves of its skin");
}

#[test]
fn header_of_mdl_changes_only_its_fields() {
    let bytes = Mdl::typical().build();
    let saved = |text: &str| {
        let model = load(&bytes);
        save(&bytes, &model, &apply(&model, &[operation(text)]).unwrap()).unwrap().0
    };
    let number = |bytes: &[u8], at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    // The file has flags 8 (rotate) at 76, sync type 1 at 72 and the eyes at 36.
    assert_eq!(number(&bytes, 76), 8);
    assert_eq!(number(&saved("set-effect effect=rocket"), 76), 9);
    assert_eq!(number(&saved("set-effect effect=rotate on=no"), 76), 0);
    assert_eq!(number(&saved("set-flags value=16384"), 76), 16384);
    assert_eq!(number(&saved("set-sync type=together"), 72), 0);
    let eyes = saved("set-eyes at=0,0,24");
    assert_eq!(f32::from_le_bytes(eyes[44..48].try_into().unwrap()), 24.0);
    assert_eq!((&eyes[..36], &eyes[48..]), (&bytes[..36], &bytes[48..]));
    assert_eq!(f32::from_le_bytes(saved("set-radius radius=7")[32..36].try_into().unwrap()), 7.0);
    let why = refused(&load(&Md2::typical().build()), "set-eyes at=0,0,24");
    assert_eq!(why, "Only an MDL stores this, not an MD2");
}

#[test]
fn gl_commands_are_rebuilt_from_triangles() {
    // A strip of the first of two triangles, with all corners at (0, 0) instead of (0, 0), (63, 127) and (31, 63).
    let bytes = Md2 { commands: vec![3, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0], ..Md2::typical() }.build();
    let found = CommandDifferences { missing: 1, added: 0, moved: 1 };
    assert_eq!(command_differences(&load(&bytes)), Some(found));
    let after = changed(&bytes, &["rebuild-commands"]);
    assert_eq!(command_differences(&after), Some(CommandDifferences::default()));
    assert_eq!(refused(&load(&Md3::typical().build()), "rebuild-commands"), "MD3 files have no GL commands");
}

#[test]
fn skins_are_added_and_removed() {
    let bytes = Md2::typical().build();
    let more = changed(&bytes, &["add-skin path=models/box/new.pcx", "remove-skin skin=0"]);
    assert_eq!(more.skins(), ["models/box/pain.pcx", "models/box/new.pcx"]);
    assert_eq!(refused(&load(&bytes), "remove-skin skin=2"), "skin=2: the model has 2 skins, counted from 0");
    let many = vec!["add-skin path=models/box/new.pcx"; 30];
    let full = apply(&load(&bytes), &many.iter().map(|text| operation(text)).collect::<Vec<_>>()).unwrap();
    assert_eq!(refused(&full, "add-skin path=x.pcx"), "games load 32 skins at most");
    // The engine refuses an MDL whose numskins is below 1.
    let only = load(&Mdl::typical().build());
    assert_eq!(refused(&only, "remove-skin skin=0"), "games do not load an MDL without skins");
    // The skin of 8 × 4 texels with colours 0 to 31 is at 88, after its type.
    let bytes = Mdl::typical().build();
    let kind = PixelKind::GamePalette { has_cutouts: false };
    let set = |skin: usize| {
        let mut call = Call::parse(&format!("set-skin skin={skin} image=x.png")).unwrap();
        call.load_images(|_| Ok(Pixels { width: 8, height: 4, kind: kind.clone(), bytes: vec![7; 32] })).unwrap();
        apply(&load(&bytes), &[call])
    };
    let saved = |model: &Model| save(&bytes, &load(&bytes), model).unwrap().0;
    let replaced = saved(&set(0).unwrap());
    assert_eq!(replaced.len(), bytes.len());
    assert_eq!((&replaced[88..120], &replaced[120..]), (&[7; 32][..], &bytes[120..]));
    assert_eq!(load(&saved(&set(1).unwrap())).skins(), ["skin 0", "skin 1"]);
    assert_eq!(set(2).unwrap_err(), "skin=2: expected 0 to 1, where 1 adds a skin");
}

#[test]
fn frames_of_an_mdl_are_grouped_with_times() {
    let bytes = Mdl::typical().build();
    let grouped = changed(&bytes, &["add-clip clip=stand frames=0-1 rate=5"]);
    assert_eq!(grouped.clips()[0].end_times, [0.2, 0.4]);
    let again = load(&save(&bytes, &load(&bytes), &grouped).unwrap().0);
    let alone = apply(&again, &[operation(&format!("remove-clip clip=\"{}\"", again.clips()[0].name))]).unwrap();
    assert!(alone.clips().iter().all(|clip| clip.end_times.is_empty()));
    assert!(refused(&again, "add-clip clip=x frames=1").contains("cannot be in another group"));
}

/// Returns an MDL with four single frames, `frame1` to `frame4`.
fn four_frames() -> Vec<u8> {
    let frame = |number: u8| MdlFrame::Single(MdlPose::typical(&format!("frame{number}"), number));
    Mdl { frames: (1..=4).map(frame).collect(), ..Mdl::typical() }.build()
}

fn names_of_clips(model: &Model) -> Vec<(&str, u32, u32)> {
    model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect()
}

#[test]
fn frames_of_a_group_have_its_name_in_the_file() {
    let bytes = four_frames();
    let saved = |texts: &[&str]| {
        let calls: Vec<Call> = texts.iter().map(|text| operation(text)).collect();
        let model = apply(&load(&bytes), &calls).unwrap();
        let saved = save(&bytes, &load(&bytes), &model).unwrap().0;
        assert_eq!(names_of_clips(&load(&saved)), names_of_clips(&model), "{texts:?}");
        saved
    };
    // The frames begin after a header of 84 bytes, a skin of 36, coordinates of 48 and triangles of 32. A single frame
    // has 44 bytes: type, box, name of 16 bytes and 4 vertices. A group begins with a type, a count, a box and 4 bytes for
    // each time.
    let (first, group) = (200, 244);
    let pose = group + 4 + 4 + 8 + 4 * 2;
    let name = |bytes: &[u8], pose: usize| String::from_utf8(bytes[pose + 8..][..16].to_vec()).unwrap();
    let added = saved(&["add-clip clip=run frames=1-2"]);
    assert_eq!(name(&added, first + 4), "frame1\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(name(&added, pose), "run01\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(name(&added, pose + 40), "run02\0\0\0\0\0\0\0\0\0\0\0");
    assert_eq!(names_of_clips(&load(&added)), [("frame", 0, 1), ("run", 1, 2), ("frame (2)", 3, 1)]);
    // A digit at the end of the name belongs to the name.
    let changed = saved(&["add-clip clip=run frames=1-2", "change-clip clip=run name=pain1 times=0.25,0.5"]);
    assert_eq!(name(&changed, pose + 40), "pain102\0\0\0\0\0\0\0\0\0");
    assert_eq!(&changed[group + 16..][..8], [0.25_f32.to_le_bytes(), 0.75_f32.to_le_bytes()].concat());
    assert_eq!(names_of_clips(&load(&changed))[1], ("pain1", 1, 2));
    // The frames of a removed group keep their names.
    let removed = saved(&["add-clip clip=run frames=1-2", "remove-clip clip=run"]);
    assert_eq!(names_of_clips(&load(&removed)), [("frame", 0, 1), ("run", 1, 2), ("frame (2)", 3, 1)]);
    let model = load(&added);
    assert_eq!(
        refused(&model, "change-clip clip=run name=\"a b\""),
        "frames of an MDL cannot name a clip “a b”, only “a_b”"
    );
    assert!(refused(&model, "change-clip clip=run name=ninety_nine_balloons").ends_with("only “ninety_nine”"));
    assert!(refused(&model, "change-clip clip=run name=frame").ends_with("only “frame (2)”"));
    assert_eq!(refused(&model, "add-clip clip=Run frames=0"), "the model already has a clip “Run”");
}

#[test]
fn renamed_frames_of_an_mdl_change_only_their_names() {
    let bytes = four_frames();
    let before = load(&bytes);
    let model = changed(&bytes, &["rename-frames frames=0-3 name=run"]);
    let mut expected = bytes.clone();
    for frame in 0..4 {
        expected[200 + 44 * frame + 12..][..16]
            .copy_from_slice(format!("run{}\0\0\0\0\0\0\0\0\0\0\0\0", frame + 1).as_bytes());
    }
    assert_eq!(save(&bytes, &before, &model).unwrap().0, expected);
    let model = apply(&before, &[operation("rename-frames frames=0 name=seventeen_letters")]).unwrap();
    let why = save(&bytes, &before, &model).unwrap_err().to_string();
    assert!(why.ends_with("“seventeen_letters” has 17 bytes; the field holds at most 16"), "{why}");
}

#[test]
fn clips_of_an_iqm_are_listed_in_its_file() {
    let bytes = Iqm::typical().build();
    let name = load(&bytes).clips()[0].name.clone();
    let model = changed(&bytes, &[&format!("change-clip clip={name} name=walk rate=24 loop=no")]);
    let clip = &model.clips()[0];
    assert_eq!((clip.name.as_str(), clip.frames_per_second, clip.loops()), ("walk", 24.0, false));
    assert_eq!(
        refused(&model, "remove-clip clip=fly"),
        format!(
            "unknown clip “fly”; available: {}",
            model.clips().iter().map(|c| c.name.clone()).collect::<Vec<_>>().join(", ")
        )
    );
}

#[test]
fn frames_of_other_models_are_inserted() {
    let with_models = |text: &str, files: &[Vec<u8>]| {
        let mut call = Call::parse(text).unwrap();
        call.load_models(|_| Ok(files.iter().map(|bytes| Arc::new(load(bytes))).collect())).unwrap();
        call
    };
    let model = load(&frames(3));
    let mut notes = Notes::default();
    let insert = with_models("insert-frames files=x before=1", &[frames(2)]);
    let inserted = apply_with_notes(&model, &[insert], &mut notes).unwrap();
    assert_eq!(notes.losses, ["clips whose frames are no longer together were removed: frame"]);
    assert_eq!(first_x(&inserted), [0.0, 0.0, 10.0, 10.0, 20.0]);
    // One frame of each file, in their order.
    let files: Vec<Vec<u8>> = [0, 2, 1]
        .map(|frame| {
            let bytes = frames(3);
            let model = load(&bytes);
            let keep = apply(&model, &[operation(&format!("keep-frames frames={frame}"))]).unwrap();
            save(&bytes, &model, &keep).unwrap().0
        })
        .into();
    let animated = apply(&load(&files[0]), &[with_models("animate files=a_*.md3", &files)]).unwrap();
    assert_eq!(first_x(&animated), [0.0, 20.0, 10.0]);
    let why = apply(&model, &[with_models("animate files=x", &[two_triangles()])]).unwrap_err();
    assert_eq!(why, "the models differ: 1 surfaces with 3 vertices, and 1 with 7");
}

/// Returns a flat grid of 8 × 8 squares in two surfaces that share the middle column, bent differently in each frame.
fn grid(bend: i16) -> Vec<u8> {
    let at = |x: i16, y: i16, frame: i16| ([x * 64, y * 64, frame * bend * (x - 4).abs() * 16], [0, 0]);
    let corners = |frame: i16| (0..9).flat_map(|y| (0..9).map(move |x| at(x, y, frame))).collect::<Vec<Short>>();
    let square = |cell: i32| {
        let first = cell / 8 * 9 + cell % 8;
        [[first, first + 9, first + 1], [first + 1, first + 9, first + 10]]
    };
    Md3 {
        tags: vec![],
        triangles: (0..64).flat_map(square).collect(),
        uvs: (0_u8..81).map(|index| [f32::from(index % 9) / 8.0, f32::from(index / 9) / 8.0]).collect(),
        frames: vec![corners(0), corners(1)],
        ..Md3::typical()
    }
    .build()
}

#[test]
fn simplified_plane_keeps_its_shape_and_outline() {
    let mut notes = Notes::default();
    let model = load(&grid(0));
    let coarse = apply_with_notes(&model, &[operation("simplify percent=10")], &mut notes).unwrap();
    // 10 % of 128 triangles are 13.
    assert!(coarse.surfaces()[0].triangles.len() <= 13);
    assert!(notes.results[0].ends_with("the largest deviation is 0.000 units"), "{notes:?}");
    let area = |model: &Model| -> f32 {
        let posed = &pose(model, 1).surfaces[0].positions;
        let triangles = model.surfaces()[0].triangles.iter();
        triangles
            .map(|triangle| triangle.map(|corner| posed[corner as usize]))
            .map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0)
            .sum()
    };
    assert!((area(&coarse) - 64.0).abs() < 1e-3, "{}", area(&coarse));
}

#[test]
fn simplification_limits_each_surface() {
    // The grid has 128 triangles and 81 vertices.
    let model = load(&grid(0));
    for (limits, max) in [("triangles=40", [40, 81]), ("vertices=30", [128, 30]), ("triangles=200", [128, 81])] {
        let coarse = apply(&model, &[operation(&format!("simplify {limits}"))]).unwrap();
        let size = [coarse.surfaces()[0].triangles.len(), coarse.surfaces()[0].vertex_count()];
        assert!(size.iter().zip(max).all(|(size, max)| *size <= max), "{limits}: {size:?}");
        assert!(size[1] > 20, "{limits}: no more is removed than needed");
    }
}

#[test]
fn simplified_fold_is_kept_in_all_frames() {
    // Frame 0 is flat, and frame 1 has an edge at x = 4 that is 1 unit deep: the first frame alone would lose it.
    let model = load(&grid(4));
    let coarse = apply(&model, &[operation("simplify percent=20")]).unwrap();
    let heights = |model: &Model| {
        let z = positions(model, 1).into_iter().map(|position| position.z);
        z.fold((f32::MAX, f32::MIN), |(min, max), z| (min.min(z), max.max(z)))
    };
    assert_eq!(heights(&coarse), heights(&model));
}

/// Returns the edges of a model that a single triangle has, as positions in all frames.
fn open_edges(model: &Model) -> HashMap<[Vec<[u32; 3]>; 2], i32> {
    let frames: Vec<_> = (0..u32::try_from(model.frames().len()).unwrap()).map(|frame| pose(model, frame)).collect();
    let mut edges: HashMap<_, i32> = HashMap::new();
    for (index, surface) in model.surfaces().iter().enumerate() {
        let at = |corner: u32| -> Vec<[u32; 3]> {
            let position = |pose: &Pose| (pose.surfaces[index].positions[corner as usize] + 0.0).to_array();
            frames.iter().map(|pose| position(pose).map(f32::to_bits)).collect()
        };
        for [a, b, c] in &surface.triangles {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                *edges.entry([at(*from), at(*to)]).or_default() += 1;
                *edges.entry([at(*to), at(*from)]).or_default() -= 1;
            }
        }
    }
    edges.retain(|_, count| *count > 0);
    edges
}

#[test]
fn simplified_shared_models_stay_closed_in_all_frames() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let mut tested = 0;
    for path in files_below(&folder) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok((model, _)) = formats::load(&bytes) else { continue };
        let triangles: usize = model.surfaces().iter().map(|surface| surface.triangles.len()).sum();
        if !model.format().is_written() || model.frames().len() > 40 || !(200..4000).contains(&triangles) {
            continue;
        }
        let before = open_edges(&model);
        // Where two sheets touch, one edge may belong to several triangles, and its openness is not defined.
        for percent in [50, 25] {
            let coarse = apply(&model, &[operation(&format!("simplify percent={percent}"))]).unwrap();
            let after = open_edges(&coarse);
            assert!(after.len() <= before.len(), "{}: {} of {}", path.display(), after.len(), before.len());
        }
        tested += 1;
        if tested == 20 {
            break;
        }
    }
    assert_eq!(tested, 20);
}

#[test]
fn simplified_hull_of_faceted_box_reports_its_deviation() {
    // Each triangle of a closed bar of 1 × 1 × 8 squares has vertices of its own, as in flat shading.
    let mut vertices: Vec<Short> = Vec::new();
    let mut square = |corners: [[i16; 3]; 4]| {
        for index in [0, 2, 1, 0, 3, 2] {
            let [x, y, z] = corners[index];
            vertices.push(([x * 64, y * 64, z * 64], [0, 0]));
        }
    };
    let ring = [[0, 0], [1, 0], [1, 1], [0, 1]];
    for z in 0..8 {
        for side in 0..4 {
            let ([a, b], [c, d]) = (ring[side], ring[(side + 1) % 4]);
            square([[a, b, z], [c, d, z], [c, d, z + 1], [a, b, z + 1]]);
        }
    }
    square([[0, 0, 8], [1, 0, 8], [1, 1, 8], [0, 1, 8]]);
    square([[0, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 0]]);
    let count = i32::try_from(vertices.len()).unwrap();
    let file = Md3 {
        tags: vec![],
        triangles: (0..count / 3).map(|index| [index * 3, index * 3 + 1, index * 3 + 2]).collect(),
        uvs: vec![[0.0, 0.0]; vertices.len()],
        frames: vec![vertices],
        ..Md3::typical()
    };
    let model = load(&file.build());
    assert_eq!((model.surfaces()[0].triangles.len(), open_edges(&model).len()), (68, 0));
    // The faces have 204 vertices of their own. A collapse removes those of two faces, and joins some of the others.
    let half = apply(&model, &[operation("simplify vertices=102")]).unwrap();
    assert!((93..=102).contains(&half.surfaces()[0].vertex_count()), "{}", half.surfaces()[0].vertex_count());
    // The bar needs 12 triangles; with fewer, its shape changes.
    for (percent, exact) in [(18, true), (10, false)] {
        let mut notes = Notes::default();
        let coarse =
            apply_with_notes(&model, &[operation(&format!("simplify percent={percent}"))], &mut notes).unwrap();
        assert_eq!(open_edges(&coarse).len(), 0, "{percent}");
        assert_eq!(notes.into_all()[0].ends_with("deviation is 0.000 units"), exact, "{percent}");
    }
}

#[test]
fn fan_of_many_triangles_is_simplified_in_time() {
    let rim = |index: u16| {
        let angle = f32::from(index) / 5000.0 * std::f32::consts::TAU;
        ([(angle.cos() * 30_000.0) as i16, (angle.sin() * 30_000.0) as i16, 0], [0, 0])
    };
    let fan = Md3 {
        triangles: (1..5000).map(|index| [0, index, index + 1]).collect(),
        uvs: vec![[0.0, 0.0]; 5001],
        frames: vec![std::iter::once(([0, 0, 0], [0, 0])).chain((1..=5000).map(rim)).collect()],
        ..Md3::typical()
    };
    let model = apply(&load(&fan.build()), &[operation("simplify percent=90")]).unwrap();
    assert!(model.surfaces()[0].triangles.len() < 4999);
}

#[test]
fn excessive_operations_are_refused() {
    let model = load(&frames(3));
    let far = refused(&model, "move by=1e38,0,0");
    assert_eq!(far, "a vertex would be more than 512 units from the origin");
    for bytes in [MD5_MESH.as_bytes(), &Iqm::typical().build()] {
        assert_eq!(refused(&load(bytes), "move by=1e38,0,0"), "the model would be too far from the origin");
    }
    let all = vec!["all"; 20_000].join(",");
    assert!(refused(&model, &format!("duplicate-frames frames={all} times=1000")).ends_with("would be too large"));
    let mut slow = model.clone().into_parts();
    slow.clips[0].frames_per_second = 1e-9;
    let slow = Model::new(slow).unwrap();
    assert!(refused(&slow, "resample rate=1000").ends_with("would be too large"));
}

#[test]
fn surface_of_many_parts_is_not_split() {
    let corner = |index: u16| ([(index % 3 * 10) as i16, (index % 2) as i16, (index / 3) as i16], [0, 0]);
    let many = Md3 {
        triangles: (0..300).map(|index| [index * 3, index * 3 + 1, index * 3 + 2]).collect(),
        uvs: vec![[0.0, 0.0]; 900],
        frames: vec![(0..900).map(corner).collect()],
        ..Md3::typical()
    };
    assert_eq!(refused(&load(&many.build()), "split-surfaces"), "the surfaces have more than 256 connected parts");
}

#[test]
fn copies_have_unique_names_and_an_index_can_be_marked() {
    let bytes = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let copied = changed(&bytes, &["duplicate-surfaces surfaces=#0", "duplicate-surfaces surfaces=#0"]);
    assert_eq!(names(&copied), ["u_torso", "u_torso_copy2", "u_torso_copy", "u_torso"]);
    let mut named = load(&bytes).into_parts();
    named.surfaces[1].name = "0".to_owned();
    let named = Model::new(named).unwrap();
    let deleted = |text: &str| apply(&named, &[operation(text)]).unwrap();
    assert_eq!(names(&deleted("delete-surfaces surfaces=0")), ["u_torso"]);
    assert_eq!(names(&deleted("delete-surfaces surfaces=#0")), ["0"]);
}

#[test]
fn clips_that_follow_from_frames_are_not_removed_from_an_mdl() {
    let model = load(&Mdl::typical().build());
    let name = &model.clips()[0].name;
    for text in [format!("remove-clip clip=\"{name}\""), format!("change-clip clip=\"{name}\" rate=5")] {
        assert!(refused(&model, &text).ends_with("it follows from the frames. Use add-clip"), "{text}");
    }
}

#[test]
fn radius_of_mdl_contains_moved_vertices() {
    // The first vertex is at (10, 20, 30), and the furthest one in steps from there.
    let model = changed(&Mdl::typical().build(), &["move by=1000,0,0"]);
    let furthest = positions(&model, 0).iter().map(|position| position.length()).fold(0.0, f32::max);
    assert!(furthest > 1000.0 && model.data().radius >= furthest - 0.01, "{}", model.data().radius);
}
