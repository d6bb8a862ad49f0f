//! Details of operations: bounds, companions, joints, and data of other models.

use std::sync::Arc;

use glam::{Vec2, Vec3};
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::edit::{ADD_TAG, Call, Notes, RENAME_SURFACE, apply, apply_with_notes, lost_by_rewriting};
use maquette_core::model::{Bounds, Format, Model, Motion, PackedVertices, PixelKind, Pixels, TagTrack};

use crate::operations::{changed, first_x, frames, load, operation, pose, positions, refused};
use maquette_testing::files::{Md2, Md3, Mdc, Mdl, MdlFrame};
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr, MdrVertex};

pub fn with_files(text: &str, files: &[&[u8]]) -> Call {
    let mut call = operation(text);
    call.load_models(|_| Ok(files.iter().map(|bytes| Arc::new(load(bytes))).collect())).unwrap();
    call
}

fn notes_of(model: &Model, call: Call) -> (Model, Vec<String>) {
    let mut notes = Notes::default();
    let changed = apply_with_notes(model, &[call], &mut notes).unwrap();
    (changed, notes.into_all())
}

#[test]
fn bounds_follow_deleted_surfaces() {
    // Surface 0 moves to x = 5; without it, frame 0 reaches from (0, 0, 0) to (0, 1, 2).
    let bytes = Md3 { surfaces: 2, tags: vec![], ..Md3::typical() }.build();
    let model = changed(&bytes, &["move by=5,0,0 surfaces=#0", "delete-surfaces surfaces=#0"]);
    let frame = &model.frames()[0];
    assert_eq!(frame.bounds, Some(Bounds { min: Vec3::ZERO, max: Vec3::new(0.0, 1.0, 2.0) }));
    // The origin of the sphere is (100, 0, 0): the furthest vertices are (0, 1, 0), and (0, 0, 2).
    assert!((frame.radius - 10004_f32.sqrt()).abs() < 1e-3, "{}", frame.radius);
}

#[test]
fn simplified_model_has_bounds_of_its_vertices() {
    let bytes = Md3 { tags: vec![], ..Md3::typical() }.build();
    let model = changed(&bytes, &["simplify percent=100"]);
    assert_eq!(model.frames()[1].bounds.unwrap(), Bounds { min: Vec3::X * 10.0, max: Vec3::new(10.0, 1.0, 2.0) });
}

#[test]
fn vertices_without_colours_become_white_when_joined() {
    let mut parts = load(&Md3 { surfaces: 2, ..Md3::typical() }.build()).into_parts();
    Arc::make_mut(&mut parts.surfaces[0].data).colours = Some(vec![1, 2, 3].into());
    let joined = apply(&Model::new(parts).unwrap(), &[operation("join-surfaces")]).unwrap();
    // All four bytes of white are 255.
    assert_eq!(joined.surfaces()[0].data.colours.as_deref(), Some(&[1, 2, 3, -1, -1, -1][..]));
}

#[test]
fn replaced_group_of_skins_is_noted() {
    let mut call = operation("set-skin skin=0 image=x.png");
    let kind = PixelKind::GamePalette { has_cutouts: false };
    call.load_images(|_| Ok(Pixels { width: 8, height: 4, kind: kind.clone(), bytes: vec![9; 32] })).unwrap();
    let (model, notes) = notes_of(&load(&Mdl::grouped().build()), call);
    assert_eq!(notes, ["skin 0 was a group of 2 images"]);
    assert_eq!(model.embedded_skins()[0].images.len(), 1);
}

#[test]
fn coarser_lods_are_left_out_by_new_frames() {
    let mut parts = load(&Md3 { surfaces: 2, ..Md3::typical() }.build()).into_parts();
    parts.surfaces[1].lod = 1;
    let model = Model::new(parts).unwrap();
    let (animated, notes) = notes_of(&model, with_files("animate files=x", &[&Md3::typical().build()]));
    assert_eq!(notes[0], "the coarser LODs were left out, because they have no such frames");
    assert_eq!((animated.surfaces().len(), animated.lod_count()), (1, 1));
    // Without new frames, they stay.
    let moved = apply(&model, &[operation("reverse-frames")]).unwrap();
    assert_eq!(moved.lod_count(), 2);
}

#[test]
fn reversed_animations_keep_the_bind_pose_first() {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("wave", MD5_ANIM.as_bytes()).unwrap();
    let reversed = apply(&model, &[operation("reverse-frames")]).unwrap();
    // Vertex 1 is 4 units along the arm, which is at (10, 0) and rotates by 0, 90 and 180 degrees while it rises.
    let vertex = |frame| positions(&reversed, frame)[1].round();
    let meant = [(14.0, 0.0, 0.0), (6.0, 0.0, 2.0), (10.0, 4.0, 1.0), (14.0, 0.0, 0.0)].map(Vec3::from);
    assert_eq!([0, 1, 2, 3].map(vertex), meant);
}

#[test]
fn eyes_and_header_of_other_formats_are_refused() {
    let mdl = load(&Mdl::typical().build());
    assert_eq!(refused(&mdl, "set-eyes at=2e9,0,0"), "the eyes would be too far from the origin");
    assert_eq!(apply(&mdl, &[operation("set-eyes at=1e9,0,0")]).unwrap().data().eye_position, Vec3::X * 1e9);
    let md3 = load(&Md3::typical().build());
    assert_eq!(refused(&md3, "set-eyes at=0,0,0"), "Only an MDL stores this, not an MD3");
}

#[test]
fn tag_added_to_joints_follows_them_in_other_formats() {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("wave", MD5_ANIM.as_bytes()).unwrap();
    let (tagged, notes) = notes_of(&model, operation("add-tag name=tag_hand at=14,0,0 joint=ARM"));
    assert_eq!(notes, ["tag “tag_hand” follows joint “arm”"]);
    let md3 = convert(&tagged, &ConvertOptions::to(Format::Md3)).unwrap().model;
    assert_eq!(md3.tags(), ["tag_hand"]);
    // The arm is turned by 90 degrees in the second frame of the animation, and the hand is 4 units along it.
    assert_eq!(Vec3::from(pose(&md3, 1).tags[0].translation).round(), Vec3::new(10.0, 4.0, 1.0));
    assert_eq!(refused(&model, "add-tag name=tag_hand at=0,0,0 joint=leg"), "the model has no joint “leg”");
    // A file of joints does not store it.
    let why = maquette_core::edit::ADD_TAG.why_not(&model).unwrap();
    assert_eq!(why, "An MD5 has joints instead of tags");
    assert!(maquette_core::edit::ADD_TAG.why_not(&load(&Mdr::typical().build())).is_some());
}

#[test]
fn lost_extensions_of_an_iqm_are_named() {
    let mut bytes = Iqm::typical().build();
    assert_eq!(lost_by_rewriting(&load(&bytes)), None);
    // The last two numbers of the header of 124 bytes: count and offset of the extensions.
    bytes[116..120].copy_from_slice(&2_i32.to_le_bytes());
    assert_eq!(lost_by_rewriting(&load(&bytes)).unwrap(), "2 extensions of the IQM were dropped");
}

#[test]
fn single_frames_are_moved_scaled_and_rotated() {
    let bytes = frames(3);
    assert_eq!(first_x(&changed(&bytes, &["move by=1,0,0 frames=1"])), [0.0, 11.0, 20.0]);
    assert_eq!(first_x(&changed(&bytes, &["scale factor=2 frames=1-2"])), [0.0, 20.0, 40.0]);
    assert_eq!(first_x(&changed(&bytes, &["rotate angle=180 frames=2"])), [0.0, 10.0, -20.0]);
    // Tags of the frame follow.
    let tags = changed(&Md3::typical().build(), &["move by=0,0,1 frames=1"]);
    let z = |frame| pose(&tags, frame).tags[0].translation.z;
    assert_eq!([z(0), z(1)], [5.0, 6.0]);
    for bytes in [Md2::typical().build(), Mdl::typical().build()] {
        let (before, after) = (load(&bytes), changed(&bytes, &["move by=0,0,40 frames=1"]));
        for (frame, by) in [(0, Vec3::ZERO), (1, Vec3::Z * 40.0)] {
            let pairs = positions(&before, frame).into_iter().zip(positions(&after, frame));
            // An MDL has one box of 255 steps for all frames.
            pairs.for_each(|(a, b)| assert!((a + by - b).length() < 0.5, "{}: {a} {b}", before.format()));
        }
    }
    let why = refused(&load(&Mdr::typical().build()), "move by=1,0,0 frames=0");
    assert_eq!(why, "frames of a model with joints can only be transformed together");
}

#[test]
fn coordinates_are_copied_and_split_at_new_seams() {
    let square = |uvs: &[[f32; 2]], triangles: &[[i32; 3]]| {
        let corners = (0..i16::try_from(uvs.len()).unwrap()).map(|index| ([index * 64, index * index * 64, 0], [0, 0]));
        let frames = vec![corners.collect()];
        Md3 { tags: vec![], uvs: uvs.to_vec(), triangles: triangles.to_vec(), frames, ..Md3::typical() }.build()
    };
    let own = square(&[[0.0; 2]; 4], &[[0, 1, 2], [2, 1, 3]]);
    // In the other model, the triangles share no vertex.
    let uvs = [[0.0, 0.0], [0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.1, 0.0], [0.5, 0.0]];
    let call = with_files("copy-coordinates files=x", &[&square(&uvs, &[[0, 1, 2], [3, 4, 5]])]);
    let copied = apply(&load(&own), &[call]).unwrap();
    let surface = &copied.surfaces()[0];
    // Vertex 1 has one coordinate in both, and vertex 2 has two.
    assert_eq!(surface.triangles, [[0, 1, 2], [3, 1, 4]]);
    assert_eq!(surface.uvs, [0.0, 0.1, 0.2, 0.3, 0.5].map(|u| Vec2::new(u, 0.0)));
    assert_eq!(positions(&copied, 0)[3], positions(&load(&own), 0)[2]);
    let call = with_files("copy-coordinates files=x", &[&Md3::typical().build()]);
    let why = apply(&load(&own), &[call]).unwrap_err();
    assert_eq!(why, "surface “u_torso” has 2 triangles, but 1 in the other model");
    // The second triangle of the other model is at corner 0, and not at corner 2.
    let other = square(&[[0.0; 2]; 4], &[[0, 1, 2], [0, 1, 3]]);
    let why = apply(&load(&own), &[with_files("copy-coordinates files=x", &[&other])]).unwrap_err();
    assert_eq!(why, "triangle 1 of surface “u_torso” has other neighbours in the other model");
    // Of 12 separate triangles with 36 edges, two have a common edge in either model: others in the other one.
    let separate = |moved: usize| {
        let mut uvs = vec![[0.0; 2]; 36];
        uvs[0] = [moved as f32, 0.0];
        let corner = |index: usize| {
            // The edge of triangles 0 and 1, or 2 and 3.
            let at = if index == moved * 6 + 3 {
                moved * 6 + 1
            } else if index == moved * 6 + 4 {
                moved * 6
            } else {
                index
            };
            ([at as i16 * 64, (at * at) as i16, 0], [0, 0])
        };
        let mut triangles: Vec<[i32; 3]> = (0..12).map(|index| [index * 3, index * 3 + 1, index * 3 + 2]).collect();
        triangles[11].rotate_left(moved);
        Md3 { tags: vec![], uvs, triangles, frames: vec![(0..36).map(corner).collect()], ..Md3::typical() }.build()
    };
    let (copied, notes) = notes_of(&load(&separate(0)), with_files("copy-coordinates files=x", &[&separate(1)]));
    assert_eq!(notes, ["triangle 3 of surface “u_torso” has other neighbours in the other model"]);
    assert_eq!(copied.surfaces()[0].uvs[0], Vec2::new(1.0, 0.0));
    // Two triangles without a common edge touch at corners 2 and 0 in this model, and at corners 0 and 1 in the other.
    let own = square(&[[0.0; 2]; 5], &[[0, 1, 2], [2, 3, 4]]);
    let other = square(&[[0.0, 0.0], [0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.4, 0.0]], &[[0, 1, 2], [3, 0, 4]]);
    let copied = apply(&load(&own), &[with_files("copy-coordinates files=x", &[&other])]).unwrap();
    let surface = &copied.surfaces()[0];
    let u: Vec<f32> = surface.triangles.as_flattened().iter().map(|corner| surface.uvs[*corner as usize].x).collect();
    assert_eq!(u, [0.0, 0.1, 0.2, 0.3, 0.0, 0.4]);
}

/// Returns the stored bytes of a frame. Frames of an MDC are a key frame and offsets.
fn stored(model: &Model, frame: usize) -> String {
    let Motion::Morph(motion) = model.motion() else { panic!("vertices") };
    let track = &motion.surfaces[0];
    let own = frame * track.stored as usize..(frame + 1) * track.stored as usize;
    let vertices = match &track.vertices {
        PackedVertices::Bytes { frames, vertices } => format!("{:?} {:?}", frames[frame], &vertices[own]),
        PackedVertices::KeyDeltas { keys, deltas, frames } => {
            let chunk = |number: u16| usize::from(number) * 3..usize::from(number) * 3 + 3;
            let delta = frames[frame].delta.map(|delta| &deltas[chunk(delta)]);
            format!("{:?} {delta:?}", &keys[chunk(frames[frame].key)])
        }
        others => panic!("{others:?}"),
    };
    let tag = if let TagTrack::Angles(tags) = &motion.tags { Some(tags[frame]) } else { None };
    format!("{vertices} {tag:?}")
}

#[test]
fn frames_that_are_not_chosen_keep_their_bytes() {
    // The vertices fill the box of the MDL, which starts at (10, 20, 30) and has 255 steps of (1, 2, 3) units.
    let mut mdl = Mdl::typical();
    let MdlFrame::Single(pose) = &mut mdl.frames[0] else { panic!("a group") };
    (pose.vertices[0], pose.vertices[1]) = ([0, 0, 0, 5], [255, 255, 255, 9]);
    for (bytes, frames, operations) in [
        (mdl.build(), 2, ["move by=1,0.4,0.7 frames=1", "scale factor=1.5 frames=1", "scale axes=1,1.1,1 frames=1"]),
        (
            Mdc::typical().build(),
            3,
            ["move by=1,0.4,0.7 frames=1", "rotate angle=33 frames=1", "scale axes=1,3,1 frames=1"],
        ),
        (Mdc::typical().build(), 3, ["move by=1,2,3 frames=2", "move by=1,2,3 frames=0", "move by=100,0,0 frames=1"]),
    ] {
        let model = load(&bytes);
        for text in operations {
            let (moved, notes) = notes_of(&model, operation(text));
            assert_eq!(notes, Vec::<String>::new(), "{text}");
            let changed: Vec<usize> = (0..frames).filter(|at| stored(&moved, *at) != stored(&model, *at)).collect();
            let chosen: usize = text.split_once("frames=").unwrap().1.parse().unwrap();
            assert_eq!(changed, [chosen], "{:?}: {text}", model.format());
        }
    }
}

#[test]
fn larger_box_of_an_mdl_is_noted() {
    let model = load(&Mdl::typical().build());
    let (moved, notes) = notes_of(&model, operation("move by=0,0,2000 frames=1"));
    assert_eq!(notes, ["the vertices of all frames were rounded to the steps of a new box"]);
    let step = 2000.0 / 255.0;
    for (old, new) in positions(&model, 0).into_iter().zip(positions(&moved, 0)) {
        assert!((old - new).abs().max_element() < step, "{old} {new}");
    }
}

/// An MDR stores its vertices once, so that its frames cost what their bones cost.
#[test]
fn large_skeletal_model_can_be_reduced() {
    let mut file = Mdr { lods: 1, ..Mdr::typical() };
    file.vertices = (0..30_000)
        .map(|_| MdrVertex { normal: [0.0, 0.0, 1.0], uv: [0.0; 2], weights: vec![(0, 1.0, [1.0; 3])] })
        .collect();
    file.frames = vec![file.frames[0].clone(); 5000];
    let mut parts = load(&file.build()).into_parts();
    parts.surfaces.push(parts.surfaces[0].clone());
    let Motion::Skeletal(motion) = &mut parts.motion else { panic!("joints") };
    motion.bindings.push(motion.bindings[0].clone());
    let model = Model::new(parts).unwrap();
    assert_eq!(notes_of(&model, operation("delete-frames frames=1-4999")).0.frames().len(), 1);
    let kept = "the bounds stay, because the model has too many frames to be recomputed";
    let (reduced, notes) = notes_of(&model, operation("delete-surfaces surfaces=#1"));
    assert_eq!((reduced.surfaces().len(), notes), (1, vec![kept.to_owned()]));
    assert_eq!(reduced.frames()[0].bounds, model.frames()[0].bounds);
    assert!(apply(&model, &[operation("simplify")]).is_ok());
    assert!(refused(&model, "rotate angle=1").contains("too many frames"));
}

/// `--rename-surface all=x` of `maquette convert` names one surface.
#[test]
fn marked_name_is_one_surface() {
    let bytes = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let rename = |name: &str| Call::with(&RENAME_SURFACE, &[&format!("={name}"), "x"]);
    for name in ["all", "#0,#1"] {
        let why = apply(&load(&bytes), &[rename(name)]).unwrap_err();
        assert!(why.starts_with(&format!("unknown surface “{name}”")), "{why}");
    }
    let named = changed(&bytes, &["rename-surface surfaces=#1 name=all"]);
    let renamed = apply(&named, &[rename("all")]).unwrap();
    assert_eq!(renamed.surfaces().iter().filter(|surface| surface.name == "x").count(), 1);
}

#[test]
fn add_surfaces_appends_surfaces_of_other_model() {
    let model = load(&Md3::typical().build());
    let still = changed(&frames(2), &["delete-frames frames=0", "move by=0,0,7"]);
    let other = maquette_core::formats::write(&still).unwrap().main;
    let (merged, notes) = notes_of(&model, with_files("add-surfaces files=x", &[&other]));
    assert_eq!(notes, ["add the new surfaces to the .skin files of the model"]);
    // The surface with a single frame is at (10, 0, 7) in both frames.
    let places: Vec<Vec3> = [0, 1].map(|frame| pose(&merged, frame).surfaces[1].positions[0]).into();
    assert_eq!(places, [Vec3::new(10.0, 0.0, 7.0); 2]);
    assert_eq!(merged.frames()[0].bounds.unwrap().max, Vec3::new(10.0, 1.0, 9.0));
    let why = apply(&model, &[with_files("add-surfaces files=x", &[&frames(3)])]).unwrap_err();
    assert_eq!(why, "the models have 2 and 3 frames");
    assert_eq!(
        refused(&load(&Mdr::typical().build()), "add-surfaces files=x"),
        "Surfaces of models with joints cannot be added"
    );
}

#[test]
fn skins_are_resized_with_their_coordinates() {
    // The skin of 8 × 4 texels has the colours 0 to 31; vertex 1 is at (1, 3), and vertex 3 at (7, 3).
    let doubled = changed(&Mdl::typical().build(), &["resize-skin width=16 height=8"]);
    let texels = |model: &Model| {
        let maquette_core::model::EmbeddedImage::Pixels(pixels) = &model.embedded_skins()[0].images[0] else {
            panic!()
        };
        pixels.bytes.clone()
    };
    let all = texels(&doubled);
    assert_eq!((all.len(), &all[..4], &all[16..20], all[127]), (128, &[0, 0, 1, 1][..], &[0, 0, 1, 1][..], 31));
    assert_eq!(doubled.data().seams.as_ref().unwrap()[3..6], [0x20, 3, 7]);
    let padded = changed(&Mdl::typical().build(), &["resize-skin width=8 height=6 pad=yes"]);
    // The last row is repeated, and the coordinates stay.
    assert_eq!(texels(&padded)[32..40], [24, 25, 26, 27, 28, 29, 30, 31]);
    assert_eq!(padded.data().seams.as_ref().unwrap()[3..6], [0x20, 1, 3]);
    let mdl = load(&Mdl::typical().build());
    let why = refused(&mdl, "resize-skin width=10 height=4 pad=yes");
    assert_eq!(why, "the skin of an MDL has halves of equal width; pad only its height");
    let why = refused(&mdl, "resize-skin width=8 height=2 pad=yes");
    assert_eq!(why, "padding cannot shrink the skin of 8 × 4 texels");
    let md2 = load(&Md2::typical().build());
    let size = md2.data().skin_size.unwrap();
    let text = format!("resize-skin width={} height={} pad=yes", size[0] * 2, size[1]);
    let wide = apply(&md2, &[operation(&text)]).unwrap();
    assert_eq!(wide.surfaces()[0].uvs[1].x, md2.surfaces()[0].uvs[1].x / 2.0);
}

#[test]
fn call_with_invalid_value_is_refused() {
    let model = load(&Md3::typical().build());
    for (at, expected) in [("inf,0,0", "at=inf,0,0: expected three numbers X,Y,Z"), ("1,2", "at=1,2: expected three")] {
        let why = apply(&model, &[Call::with(&ADD_TAG, &["tag_x", at])]).unwrap_err();
        assert!(why.contains(expected), "{why}");
    }
}
