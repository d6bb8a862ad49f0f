//! Model comparison: every change is reported with frame and distance, and nothing else is.

use maquette_core::compare::{Change, Difference, FramePosition, ModelSide, Pair, Side, SurfaceChange, Value, compare};
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::error::{Warning, Warnings};
use maquette_core::formats::{self, md5};
use maquette_core::model::{Format, Model};

use maquette_testing::files::{Md2, Md3, Mdc};
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr, bone};

fn between(a: &(Model, Vec<Warning>), b: &(Model, Vec<Warning>), tolerance: Option<f32>) -> Difference {
    let side = |name, (model, warnings)| Side { name, model, warnings };
    compare(side("a", (&a.0, &a.1)), side("b", (&b.0, &b.1)), tolerance)
}

fn load(bytes: &[u8]) -> (Model, Vec<Warning>) {
    formats::load(bytes).unwrap()
}

#[track_caller]
fn difference(a: &[u8], b: &[u8]) -> Difference {
    between(&load(a), &load(b), None)
}

/// Returns a mesh with an animation named `wave`.
fn animated(mesh: &str, animation: &str) -> (Model, Vec<Warning>) {
    let (mut model, warnings) = load(mesh.as_bytes());
    let mut more = Warnings::default();
    let (clip, channels, frames) = md5::load_animation(animation.as_bytes(), "wave", &model, &mut more).unwrap();
    model.add_track(clip, channels, frames).unwrap();
    (model, warnings)
}

/// Returns the only difference, which must be a surface.
#[track_caller]
fn only_surface(difference: &Difference) -> &SurfaceChange {
    let others =
        (&difference.header, &difference.tags, &difference.clips, &difference.joints, difference.surfaces.len());
    assert_eq!(others, (&vec![], &vec![], &vec![], &vec![], 1), "{difference:#?}");
    assert!(!difference.same);
    &difference.surfaces[0]
}

/// Checks the only difference: the numbers of moved vertices and of frames, then vertex, frame and distance of the
/// largest movement.
#[track_caller]
fn only_moved(difference: &Difference, moved: usize, frames: usize, furthest: (usize, u32, f32)) {
    let surface = only_surface(difference);
    let most = surface.furthest.as_ref().unwrap();
    let found = (surface.moved, surface.frames, most.vertex, most.frame.frame);
    assert_eq!(found, (moved, frames, furthest.0, furthest.1), "{surface:#?}");
    assert!((most.distance - furthest.2).abs() < 1e-5, "{surface:#?}");
    let plain = SurfaceChange { moved, frames, furthest: surface.furthest.clone(), ..SurfaceChange::default() };
    assert_eq!(surface, &SurfaceChange { name: surface.name.clone(), index: surface.index, ..plain });
}

fn at(frame: u32) -> FramePosition {
    FramePosition { clip: None, frame }
}

#[test]
fn model_equals_itself_in_diff() {
    let packed = Mdr { compressed: true, ..Mdr::typical() }.build();
    let files = [
        Md2::typical().build(),
        Md3::typical().build(),
        Mdc::typical().build(),
        Mdr::typical().build(),
        packed,
        MD5_MESH.into(),
    ];
    for bytes in &files {
        let difference = difference(bytes, bytes);
        assert!(difference.same, "{difference:#?}");
        assert_eq!(difference.tolerance, 0.0);
    }
    let moving = animated(MD5_MESH, MD5_ANIM);
    let difference = between(&moving, &moving, None);
    assert!(difference.same, "{difference:#?}");
    assert_eq!(difference.frames, 4, "the bind pose, and three of the animation");
}

#[test]
fn moved_vertex_is_reported_with_frame_and_distance() {
    let mut md2 = Md2::typical();
    let original = md2.build();
    // x has steps of 1 unit. The vertex has two texture coordinates but counts once.
    md2.frames[1].vertices[1][0] += 3;
    only_moved(&difference(&original, &md2.build()), 1, 1, (1, 1, 3.0));

    let mut md3 = Md3::typical();
    let original = md3.build();
    md3.frames[1][2].0[2] += 32;
    only_moved(&difference(&original, &md3.build()), 1, 1, (2, 1, 0.5));

    let mut mdc = Mdc::typical();
    let original = mdc.build();
    // Frame 2 is the second key frame; frame 1 has the deltas.
    mdc.keys[1][1].0[1] -= 16;
    only_moved(&difference(&original, &mdc.build()), 1, 1, (1, 2, 0.25));
    let mut mdc = Mdc::typical();
    mdc.deltas[0][0][0] += 20;
    only_moved(&difference(&original, &mdc.build()), 1, 1, (0, 1, 1.0));

    let mut mdr = Mdr { lods: 1, ..Mdr::typical() };
    let original = mdr.build();
    mdr.vertices[1].weights[0].2[2] += 2.0;
    only_moved(&difference(&original, &mdr.build()), 1, 2, (1, 0, 2.0));

    let mesh = MD5_MESH.replace("weight 1 1 1 ( 4 0 0 )", "weight 1 1 1 ( 4 3 0 )");
    let difference = between(&animated(MD5_MESH, MD5_ANIM), &animated(&mesh, MD5_ANIM), None);
    only_moved(&difference, 1, 4, (1, 0, 3.0));
    assert_eq!(difference.surfaces[0].furthest.as_ref().unwrap().frame.clip.as_deref(), Some("bind pose"));
}

#[test]
fn vertex_without_triangle_counts_as_moved() {
    let mut md2 = Md2::typical();
    md2.triangles.pop();
    let original = md2.build();
    md2.frames[0].vertices[3][1] += 1;
    only_moved(&difference(&original, &md2.build()), 1, 1, (3, 0, 2.0));
}

#[test]
fn changed_frame_is_reported_by_number() {
    let mut md3 = Md3::typical();
    let original = md3.build();
    // All vertices of frame 1 move by a unit.
    md3.frames[1].iter_mut().for_each(|vertex| vertex.0[1] += 64);
    only_moved(&difference(&original, &md3.build()), 3, 1, (0, 1, 1.0));

    // The radius of frame 1 is at byte 36 of its 56.
    let mut bytes = original.clone();
    bytes[108 + 56 + 36..108 + 56 + 40].copy_from_slice(&5.0_f32.to_le_bytes());
    let found = difference(&original, &bytes);
    let radius = Change {
        field: "frame radius".to_owned(),
        a: Value::Number(4.0),
        b: Value::Number(5.0),
        index: Some(1),
        differing: Some(1),
    };
    assert_eq!((&found.header, found.surfaces.len()), (&vec![radius], 0));

    // Add one frame.
    let mut longer = Md3::typical();
    longer.frames.push(longer.frames[1].clone());
    let transform = longer.tags[0].1[1];
    longer.tags[0].1.push(transform);
    let found = difference(&original, &longer.build());
    assert_eq!((found.header[0].field.as_str(), &found.header[0].b), ("frames", &Value::Integer(3)));
    assert_eq!(found.frames, 2, "those that both have");
    assert!(found.surfaces.iter().all(|surface| surface.moved == 0) && found.tags.is_empty());

    // In frame 1 of the animation, the root joint is higher by two units.
    let animation = MD5_ANIM.replace("1 -0.70710678", "3 -0.70710678");
    let found = between(&animated(MD5_MESH, MD5_ANIM), &animated(MD5_MESH, &animation), None);
    let joints: Vec<_> = found.joints.iter().map(|joint| (joint.name.as_str(), joint.frames)).collect();
    assert_eq!(joints, [("origin", 1)]);
    let furthest = found.joints[0].furthest.as_ref().unwrap();
    assert_eq!((&furthest.frame, furthest.distance), (&FramePosition { clip: Some("wave".to_owned()), frame: 1 }, 2.0));
    assert_eq!((found.surfaces[0].moved, found.surfaces[0].frames), (3, 1));
}

#[test]
fn changed_tag_is_reported_by_name() {
    let mut md3 = Md3::typical();
    let original = md3.build();
    md3.tags[0].1[1][0] += 3.0;
    let found = difference(&original, &md3.build());
    let furthest = found.tags[0].furthest.as_ref().unwrap();
    assert_eq!((found.tags.len(), found.tags[0].name.as_str(), found.tags[0].frames), (1, "tag_head", 1));
    assert_eq!((&furthest.frame, furthest.distance, furthest.degrees), (&at(1), 3.0, 0.0));
    assert!(found.surfaces.is_empty() && found.header.is_empty());

    let mut mdc = Mdc::typical();
    let original = mdc.build();
    // The tag is 16 of 64 steps away, and lacks the roll of 8175 steps (90 degrees).
    mdc.tag_frames[2] = [208, 0, 0, 0, 0, 0];
    let found = difference(&original, &mdc.build());
    let furthest = found.tags[0].furthest.as_ref().unwrap();
    assert_eq!((&furthest.frame, furthest.distance), (&at(2), 0.25));
    assert!((furthest.degrees - 90.0).abs() < 0.01, "{furthest:?}");

    // Make the axes longer without a rotation.
    let mut md3 = Md3::typical();
    let original = md3.build();
    md3.tags[0].1[0][3..].iter_mut().for_each(|number| *number *= 2.0);
    let found = difference(&original, &md3.build());
    assert_eq!((found.tags[0].scaled, found.tags[0].frames), (Some(1), 0));

    let mut mdr = Mdr::typical();
    let original = mdr.build();
    mdr.tags.push((0, "tag_foot"));
    let found = difference(&original, &mdr.build());
    let tag = found.tags.iter().find(|tag| tag.name == "tag_foot").unwrap();
    assert_eq!((tag.only, found.tags.len()), (Some(ModelSide::B), 1));
}

#[test]
fn changed_joint_is_reported_by_name() {
    let mut mdr = Mdr { lods: 1, ..Mdr::typical() };
    let original = mdr.build();
    mdr.frames[1][1] = bone(90.0, [10.0, 3.0, 8.0]);
    let found = difference(&original, &mdr.build());
    assert_eq!(found.joints.len(), 1, "{found:#?}");
    let furthest = found.joints[0].furthest.as_ref().unwrap();
    assert_eq!((found.joints[0].index, &furthest.frame, furthest.distance), (1, &at(1), 5.0));
    // The corner with full weight moves as far as its joint, and the other corner half as far.
    only_furthest(&found, 2, (1, 1, 5.0));
    assert_eq!(found.tags[0].furthest.as_ref().map(|furthest| furthest.distance), Some(5.0));

    let mesh = MD5_MESH.replace("0 ( 10 0 0 )", "0 ( 13 4 0 )");
    let found = difference(MD5_MESH.as_bytes(), mesh.as_bytes());
    let joints: Vec<_> = found.joints.iter().map(|joint| (joint.name.as_str(), joint.bind.unwrap().distance)).collect();
    assert_eq!(joints, [("arm", 5.0)]);

    let mesh = MD5_MESH.replace("\"arm\"\t0", "\"arm\"\t-1");
    let found = difference(MD5_MESH.as_bytes(), mesh.as_bytes());
    assert_eq!(found.joints[0].parent, Some(Pair { a: Some("origin".to_owned()), b: None }));
    assert!(found.surfaces.is_empty());

    // The second vertex moves to the other joint without changing position.
    let mesh = MD5_MESH.replace("weight 1 1 1 ( 4 0 0 )", "weight 1 0 1 ( 14 0 0 )");
    let found = difference(MD5_MESH.as_bytes(), mesh.as_bytes());
    assert_eq!((only_surface(&found).weights, found.surfaces[0].moved), (Some(1), 0));
}

#[track_caller]
fn only_furthest(difference: &Difference, moved: usize, (vertex, frame, distance): (usize, u32, f32)) {
    assert_eq!(difference.surfaces.len(), 1);
    let furthest = difference.surfaces[0].furthest.as_ref().unwrap();
    assert_eq!((difference.surfaces[0].moved, furthest.vertex, &furthest.frame), (moved, vertex, &at(frame)));
    assert!((furthest.distance - distance).abs() < 1e-5, "{furthest:?}");
}

#[test]
fn changed_material_is_reported_by_name() {
    let patched = |bytes: &[u8], from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let offset = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        [&bytes[..offset], to.as_bytes(), &bytes[offset + from.len()..]].concat()
    };
    for (bytes, name) in [
        (Md2::typical().build(), "models/box/pain.pcx"),
        (Md3::typical().build(), "models/box/skin.tga"),
        (Mdc::typical().build(), "models/head/skin"),
        (Mdr { lods: 1, ..Mdr::typical() }.build(), "models/box/skin"),
        (MD5_MESH.into(), "models/box/skin"),
    ] {
        let other = name.replace("models", "things");
        let found = difference(&bytes, &patched(&bytes, name, &other));
        let surface = only_surface(&found);
        let materials = surface.materials.as_ref().unwrap();
        let differing: Vec<_> = materials.a.iter().zip(&materials.b).filter(|(a, b)| a != b).collect();
        assert_eq!(differing, [(&name.to_owned(), &other)]);
        assert_eq!(surface.moved, 0);
    }
}

#[test]
fn triangle_uv_and_normal_changes_are_reported_separately() {
    let mut md3 = Md3::typical();
    let original = md3.build();
    md3.triangles[0] = [0, 2, 1];
    let found = difference(&original, &md3.build());
    let triangles = only_surface(&found).triangles.unwrap();
    assert_eq!((triangles.a, triangles.b, triangles.differing), (1, 1, Some(1)));

    let mut md3 = Md3::typical();
    md3.uvs[1][1] += 0.25;
    let found = difference(&original, &md3.build());
    let uvs = only_surface(&found).uvs.unwrap();
    assert_eq!((uvs.differing, uvs.vertex, uvs.distance), (1, 1, 0.25));

    // The normal turns from +X to +Z.
    let mut md3 = Md3::typical();
    md3.frames[1][0].1 = [0, 0];
    let found = difference(&original, &md3.build());
    let normals = only_surface(&found).normals.as_ref().unwrap();
    assert_eq!((normals.differing, normals.vertex, &normals.frame), (1, 0, &at(1)));
    assert!((normals.degrees - 90.0).abs() < 0.01, "{normals:?}");

    // The second MD2 triangle begins with vertex 1 and its fifth coordinate, 5 6 of 64 × 128, which no other corner
    // uses.
    let mut md2 = Md2::typical();
    let original = md2.build();
    md2.coordinates[4][0] += 16;
    let found = difference(&original, &md2.build());
    let uvs = only_surface(&found).uvs.unwrap();
    assert_eq!((uvs.differing, uvs.vertex, uvs.distance), (1, 1, 0.25));
}

#[test]
fn surfaces_with_equal_names_pair_in_order() {
    let original = Md3 { surfaces: 2, ..Md3::typical() }.build();
    // Change the last vertex of the last frame of the last surface: z is its third number.
    let mut bytes = original.clone();
    let z = bytes.len() - 4;
    bytes[z..z + 2].copy_from_slice(&192_i16.to_le_bytes());
    let found = difference(&original, &bytes);
    only_moved(&found, 1, 1, (2, 1, 1.0));
    assert_eq!(found.surfaces[0].index, 1);
    let found = difference(&original, &Md3::typical().build());
    assert_eq!((found.surfaces[0].only, found.surfaces[0].index), (Some(ModelSide::A), 1));
}

#[test]
fn unrelated_surfaces_of_two_formats_do_not_pair() {
    let (md2, mut md3) = (Md2::typical(), Md3::typical());
    md3.triangles.extend_from_within(..);
    md3.triangles.extend_from_within(..);
    let found = difference(&md2.build(), &md3.build());
    let only: Vec<_> = found.surfaces.iter().map(|surface| surface.only).collect();
    assert_eq!(only, [Some(ModelSide::A), Some(ModelSide::B)]);
}

#[test]
fn renamed_surfaces_pair_by_material() {
    let with_materials = |surfaces: [(&str, &str, usize); 2]| {
        let (model, warnings) = load(&Md3 { surfaces: 2, ..Md3::typical() }.build());
        let mut parts = model.into_parts();
        for (surface, (name, material, triangles)) in parts.surfaces.iter_mut().zip(surfaces) {
            surface.name = name.to_owned();
            surface.materials = vec![material.to_owned()];
            surface.triangles = vec![[0, 1, 2]; triangles];
        }
        (Model::new(parts).unwrap(), warnings)
    };
    // The other model is a coarser export of a tool, with other names, counts and order.
    let fine = with_materials([("gun", "metal", 3), ("glass", "pane", 2)]);
    let coarse = with_materials([("glass.001", "pane", 1), ("gun.001", "metal", 2)]);
    let found = between(&fine, &coarse, None);
    let renamed =
        found.surfaces.iter().map(|surface| (surface.name.as_str(), surface.renamed.as_deref(), surface.only));
    let wanted = [("gun", Some("gun.001"), None), ("glass", Some("glass.001"), None)];
    assert_eq!(renamed.collect::<Vec<_>>(), wanted);
}

#[test]
fn reordered_vertices_match_by_triangle_corners() {
    let original = Md3::typical().build();
    let mut md3 = Md3::typical();
    md3.triangles = vec![[2, 0, 1]];
    for list in &mut md3.frames {
        list.rotate_left(1);
    }
    md3.uvs.rotate_left(1);
    let found = difference(&original, &md3.build());
    let surface = only_surface(&found);
    assert!(surface.reordered && surface.moved == 0 && surface.triangles.is_none() && surface.uvs.is_none());
    // The vertex that A numbers 1 is vertex 0 of B.
    md3.frames[0][0].0[2] += 64;
    let found = difference(&original, &md3.build());
    let surface = only_surface(&found);
    assert_eq!((surface.reordered, surface.moved, surface.frames), (true, 1, 1));
    assert_eq!(surface.furthest.as_ref().map(|furthest| (furthest.vertex, furthest.distance)), Some((1, 1.0)));
}

#[test]
fn differing_vertex_counts_match_by_nearest_point() {
    let original = Md3::typical().build();
    let mut md3 = Md3::typical();
    md3.uvs.push([0.0, 0.0]);
    // The fourth vertex is 2 units from the first in frame 0 and equal to it in frame 1. The second moves by half a
    // unit.
    md3.frames[0].push(([0, 0, -128], [0, 0]));
    md3.frames[1].push(([640, 0, 0], [0, 0]));
    md3.frames[0][1].0[1] += 32;
    let found = difference(&original, &md3.build());
    let surface = only_surface(&found);
    assert_eq!((surface.matched, surface.vertices), (Some("nearest"), Some(Pair { a: 3, b: 4 })));
    assert_eq!((surface.moved, surface.added, surface.frames), (1, Some(2), 1));
    let furthest = surface.furthest.as_ref().unwrap();
    assert_eq!((furthest.vertex, furthest.frame.frame, furthest.distance), (1, 0, 0.5));
    assert!(surface.uvs.is_none() && surface.normals.is_none(), "nobody knows whose they are");
}

#[test]
fn nearest_point_matching_scales_to_100000_points() {
    // Two grids of about a hundred thousand points are half a unit apart along z. All pairs would be ten billion, far
    // beyond the limit of a comparison.
    let grid = |side: i16, z: i16| {
        let all = (0..side).flat_map(|x| (0..316_i16).map(move |y| ([x * 64, y * 64, z], [0, 0])));
        let points: Vec<_> = all.collect();
        let uvs = vec![[0.0, 0.0]; points.len()];
        Md3 { tags: vec![], uvs, frames: vec![points], ..Md3::typical() }.build()
    };
    let found = difference(&grid(317, 0), &grid(316, 32));
    assert_eq!(found.surfaces[0].moved, 317 * 316);
    // The last row of the first grid has no counterpart: one unit along x, half a unit along z.
    let distance = found.surfaces[0].furthest.as_ref().unwrap().distance;
    assert!((distance - 1.25_f32.sqrt()).abs() < 1e-5, "{distance}");
}

#[test]
fn difference_within_tolerance_counts_as_same() {
    let mut md3 = Md3::typical();
    let original = load(&md3.build());
    md3.frames[1][2].0[2] += 32;
    let edited = load(&md3.build());
    assert!(between(&original, &edited, Some(0.5)).same);
    assert!(!between(&original, &edited, Some(0.499)).same);
}

#[test]
fn formats_match_within_their_rounding() {
    let corners = Mdc::typical().keys;
    let mdc = Mdc { surface: "u_torso", tags: vec![], tag_frames: vec![], ..Mdc::typical() };
    // Deltas of frame 1: 20 steps of 0.05 along x are a unit, −1 is 3 of 64, 128 are 6.4 units.
    let mut between_keys = corners[0].clone();
    between_keys[0].0[0] += 64;
    between_keys[1].0[1] -= 3;
    between_keys[2].0[2] += 410;
    // Directions of the deltas: 0 is on the equator, 8 and 252 are other table entries.
    for (vertex, index) in between_keys.iter_mut().zip([0_u8, 8, 252]) {
        let normal = maquette_core::model::packed_normal::ring_normal(index);
        let steps = |radians: f32| (radians * 256.0 / std::f32::consts::TAU).round() as i32 as u8;
        vertex.1 = [steps(normal.z.acos()), steps(normal.y.atan2(normal.x))];
    }
    let frames = vec![corners[0].clone(), between_keys, corners[1].clone()];
    let mut md3 = Md3 { tags: vec![], shaders: vec!["models/head/skin.tga"], frames, ..Md3::typical() };
    let found = difference(&md3.build(), &mdc.build());
    assert!(found.same, "{found:#?}");
    // The tolerance is √3 (1/64 + 1/64 + 0.025) = 0.0974: 4 of 64 along x are within it, 8 are not.
    assert!((found.tolerance - 0.0974).abs() < 1e-4, "{}", found.tolerance);
    md3.frames[0][1].0[0] += 4;
    assert!(difference(&md3.build(), &mdc.build()).same);
    md3.frames[0][1].0[0] += 4;
    only_moved(&difference(&md3.build(), &mdc.build()), 1, 1, (1, 0, 0.125));

    let plain = Mdr { lods: 1, ..Mdr::typical() };
    let packed = Mdr { compressed: true, ..Mdr { lods: 1, ..Mdr::typical() } };
    let found = difference(&plain.build(), &packed.build());
    assert!(found.surfaces.is_empty() && found.tags.is_empty() && found.joints.is_empty(), "{found:#?}");
    let fields: Vec<_> = found.header.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["frames"], "plain, compressed");
}

#[test]
fn non_finite_value_differs_from_its_replacement() {
    let mut md3 = Md3::typical();
    // The loader's replacement for an invalid position.
    md3.tags[0].1[0] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let original = md3.build();
    md3.tags[0].1[0][0] = f32::NAN;
    let broken = md3.build();
    let found = difference(&original, &broken);
    assert_eq!((found.same, found.header[0].field.as_str()), (false, "warning"));
    assert!(difference(&broken, &broken).same);
}

#[test]
fn companion_of_one_model_does_not_count_as_difference() {
    let (mut finer, warnings) = load(&Md3::typical().build());
    finer.add_lod(load(&Md3::typical().build()).0, 1);
    let plain = load(&Md3::typical().build());
    let found = between(&(finer, warnings), &plain, None);
    assert!(found.same && found.notes.len() == 1, "{found:#?}");
    let found = between(&animated(MD5_MESH, MD5_ANIM), &load(MD5_MESH.as_bytes()), None);
    assert!(found.same && found.notes.len() == 1, "{found:#?}");
}

/// An IQM has its clips in its own file, and an MD5 in others.
#[test]
fn clips_in_other_files_are_compared() {
    let md5 = animated(MD5_MESH, MD5_ANIM);
    let conversion = convert(&md5.0, &ConvertOptions::to(Format::Iqm)).unwrap();
    let found = between(&md5, &(conversion.model, Vec::new()), None);
    assert!(!found.notes.iter().any(|note| note.contains("clips")), "{:?}", found.notes);
    assert!(found.frames > 1, "{}", found.frames);
}

#[test]
fn every_shared_model_equals_itself() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let mut compared = 0;
    for path in files_below(&models) {
        let Ok(model) = formats::load(&std::fs::read(&path).unwrap()) else { continue };
        let found = between(&model, &model, None);
        assert!(found.same, "{}: {found:#?}", path.display());
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn converted_shared_models_match_within_format_rounding() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let sarge = |format: &str, folder: &str, part: &str| {
        models.join(format!("{format}/{folder}/models/players/sarge/{part}.{format}"))
    };
    for part in ["head", "upper", "lower", "lower_1", "lower_2"] {
        let md3 = std::fs::read(sarge("md3", "openarena-sarge", part)).unwrap();
        let mdc = std::fs::read(sarge("mdc", "conv-sarge", part)).unwrap();
        let found = difference(&md3, &mdc);
        assert_eq!((found.surfaces.len(), found.header.len()), (0, 0), "{part}: {found:#?}");
        // The converter stored the angles of axes that are not perpendicular.
        assert!(found.tags.iter().all(|tag| tag.name == "tag_weapon"), "{part}: {found:#?}");
        assert!(found.tags.iter().all(|tag| tag.furthest.as_ref().is_some_and(|f| f.distance < found.tolerance)));
    }
    let drone = |folder: &str, name: &str| {
        std::fs::read(models.join(format!("mdr/{folder}/models/players/drone/{name}.mdr"))).unwrap()
    };
    for part in ["lower", "upper"] {
        let packed = drone("conv-drone-player", part);
        let found = difference(&packed, &drone("ioq3-uncompressed", &format!("{part}_uncompressed")));
        assert!(found.surfaces.is_empty() && found.tags.is_empty() && found.joints.is_empty(), "{part}: {found:#?}");
    }
}

#[test]
fn sample_is_identical_as_md3_mdc_and_mdr() {
    let sample = |name: &str| {
        load(&std::fs::read(format!("{}/../../assets/sample/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap())
    };
    let md3 = sample("umber.md3");
    for other in ["umber.mdc", "umber.mdr"] {
        let found = between(&md3, &sample(other), None);
        let moved: usize = found.surfaces.iter().filter(|surface| surface.lod == 0).map(|surface| surface.moved).sum();
        assert_eq!((moved, found.tags.len(), found.header.len()), (0, 0, 0), "{other}: {found:#?}");
        assert!(found.surfaces.iter().all(|surface| surface.lod > 0), "{other}: {found:#?}");
    }
}
