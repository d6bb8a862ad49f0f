//! glTF: scene, primitives, skins, animations, tags, materials, buffers, and files that are refused.

mod data;
mod refusals;
mod round_trip;

pub(super) use round_trip::exported_and_read;

use std::f32::consts::FRAC_1_SQRT_2;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};
use maquette_core::bytes::{Forward, LoadOptions};
use maquette_core::convert::{ConvertOptions, convert, to_files};
use maquette_core::export::gltf::write_glb;
use maquette_core::export::{Animation, ExportOptions, ExportPart, ExportScene, Track};
use maquette_core::formats;
use maquette_core::model::{
    AlphaMode, Clip, ClipSource, EmbeddedImage, EmbeddedMaterial, Format, FrameNumbering, Model, Motion, Surface, Wrap,
};
use maquette_core::pose::{FrameBlend, Pose, PosedSurface, Sampling, sample};
use maquette_testing::files::Mdl;
use maquette_testing::gltf::{GltfFile, I8, I16, U8, U16, U32};
use maquette_testing::gltf_file::MainFile;
use serde_json::{Value, json};

use super::{load, refusal};

/// Units in a metre.
const METRE: f32 = 1.0 / 0.0254;

fn model(file: &GltfFile) -> Model {
    let (model, warnings) = load(&file.glb());
    assert_eq!(warnings, "");
    model
}

fn with(file: &GltfFile, options: LoadOptions) -> Model {
    formats::load_with(&file.glb(), options, None).unwrap().0
}

pub(super) fn at(model: &Model, frame: u32) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose
}

fn in_clip(model: &Model, clip: &str, frame: u32) -> Pose {
    at(model, model.clip(clip).unwrap().first + frame)
}

#[track_caller]
fn is_at(found: Vec3, wanted: [f32; 3]) {
    assert!(found.abs_diff_eq(Vec3::from_array(wanted), 2e-3), "{found} is not at {wanted:?}");
}

/// Axes of a tag: forward, left and up.
fn axes(tag: &Affine3A) -> [Vec3; 3] {
    [tag.matrix3.x_axis, tag.matrix3.y_axis, tag.matrix3.z_axis].map(Vec3::from)
}

fn look(surface: &Surface) -> &EmbeddedMaterial {
    surface.data.embedded_material.as_ref().unwrap()
}

#[test]
fn vertex_colours_reach_an_iqm() {
    let mut file = GltfFile::triangle();
    let colours = file.floats("VEC4", &[1.0, 0.0, 0.0, 1.0, 0.5, 0.5, 0.5, 1.0, 0.0, 0.0, 1.0, 0.5]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["COLOR_0"] = json!(colours);
    let (model, warnings) = formats::load(&file.glb()).unwrap();
    assert!(warnings.iter().all(|warning| !warning.kind.loses_data()), "{warnings:?}");
    // sRGB stores the linear half as 188.
    let expected = [[255, 0, 0, 255], [188, 188, 188, 255], [0, 0, 255, 128]].map(i32::from_le_bytes);
    let sorted = |model: &Model| {
        let mut colours = model.surfaces()[0].data.colours.as_ref().unwrap().to_vec();
        colours.sort_unstable_by_key(|colour| !colour);
        colours
    };
    let mut wanted = expected.to_vec();
    wanted.sort_unstable_by_key(|colour| !colour);
    assert_eq!(sorted(&model), wanted);
    let iqm = convert(&model, &ConvertOptions::to(Format::Iqm)).unwrap().model;
    let (again, _) = load(&formats::write(&iqm).unwrap().main);
    assert_eq!(sorted(&again), wanted);
}

#[test]
fn points_of_a_mesh_are_not_reported_as_lost() {
    let mut file = GltfFile::triangle();
    let mut points = file.json["meshes"][0]["primitives"][0].clone();
    points["mode"] = json!(0);
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(points);
    let (model, warnings) = formats::load(&file.glb()).unwrap();
    assert_eq!((model.surfaces().len(), warnings.len()), (1, 1));
    assert!(!warnings[0].kind.loses_data(), "{warnings:?}");
}

#[test]
fn scene_axes_become_model_axes_in_inches() {
    let model = model(&GltfFile::triangle());
    assert_eq!((model.format(), model.version(), model.frames().len()), (Format::Gltf, Some(2), 1));
    let surface = &model.surfaces()[0];
    assert_eq!((surface.name.as_str(), &surface.triangles), ("body", &vec![[0, 2, 1]]), "clockwise");
    assert_eq!(surface.uvs[1], Vec2::new(1.0, 0.0));
    let pose = at(&model, 0);
    // X is left and Y is up.
    is_at(pose.surfaces[0].positions[1], [0.0, METRE, 0.0]);
    is_at(pose.surfaces[0].positions[2], [0.0, 0.0, METRE]);
    is_at(pose.surfaces[0].normals[0], [1.0, 0.0, 0.0]);
}

#[test]
fn scale_and_forward_axis_can_be_chosen() {
    let file = GltfFile::triangle();
    let options = |forward| LoadOptions { scale: 0.5, forward, ..LoadOptions::default() };
    for (forward, x, normal) in [
        (Forward::PlusZ, [0.0, 2.0, 0.0], [1.0, 0.0, 0.0]),
        (Forward::MinusZ, [0.0, -2.0, 0.0], [-1.0, 0.0, 0.0]),
        // (X, Y, Z) becomes (X, −Z, Y).
        (Forward::PlusX, [2.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
        (Forward::MinusX, [-2.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    ] {
        let pose = at(&with(&file, options(forward)), 0);
        is_at(pose.surfaces[0].positions[1], x);
        is_at(pose.surfaces[0].positions[2], [0.0, 0.0, 2.0]);
        is_at(pose.surfaces[0].normals[0], normal);
    }
}

#[test]
fn unusual_size_is_reported_with_scale_option() {
    let mut file = GltfFile::triangle();
    file.json["nodes"][0]["scale"] = json!([100, 100, 100]);
    let (_, warnings) = load(&file.glb());
    assert!(warnings.contains("the largest side has 3937.0 units") && warnings.contains("--scale"), "{warnings}");
}

#[test]
fn nodes_place_meshes_and_mirrors_turn_triangles_over() {
    let mut file = GltfFile::triangle();
    file.push("nodes", json!({ "mesh": 0, "scale": [-1, 1, 1], "translation": [0, 0, 2] }));
    file.push("nodes", json!({ "name": "parent", "scale": [1, 2, 1], "children": [0, 1] }));
    file.show(&[2]);
    let model = model(&file);
    let names: Vec<&str> = model.surfaces().iter().map(|surface| surface.name.as_str()).collect();
    assert_eq!(names, ["body", "Mesh"], "the node’s name, else the mesh’s");
    assert_eq!(model.surfaces()[1].triangles, [[0, 1, 2]]);
    let pose = at(&model, 0);
    is_at(pose.surfaces[0].positions[2], [0.0, 0.0, 2.0 * METRE]);
    is_at(pose.surfaces[1].positions[1], [2.0 * METRE, -METRE, 0.0]);
    is_at(pose.surfaces[1].normals[0], [1.0, 0.0, 0.0]);
}

#[test]
fn mirrored_nodes_turn_skinned_triangles_over() {
    let mut file = GltfFile::skinned();
    let plain = model(&file).surfaces()[0].triangles.clone();
    let node = file.json["nodes"].as_array().unwrap().iter().position(|node| !node["skin"].is_null()).unwrap();
    file.json["nodes"][node]["scale"] = json!([-1, 1, 1]);
    let turned: Vec<[u32; 3]> = plain.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
    assert_eq!(model(&file).surfaces()[0].triangles, turned);
}

#[test]
fn normals_follow_the_inverse_transpose() {
    let mut file = GltfFile::triangle();
    let slanted = file.floats("VEC3", &[0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2].repeat(3));
    file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(slanted);
    file.json["nodes"][0]["scale"] = json!([1, 2, 1]);
    // (0, 1/2, 1) of unit length; up is Z.
    is_at(at(&model(&file), 0).surfaces[0].normals[0], [2.0 / 5_f32.sqrt(), 0.0, 1.0 / 5_f32.sqrt()]);
}

#[test]
fn strips_and_fans_become_triangles() {
    for (mode, triangles) in [(5, [[0, 2, 1], [1, 2, 3]]), (6, [[1, 0, 2], [2, 0, 3]])] {
        let mut file = GltfFile::triangle();
        let positions = file.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.]);
        let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(4));
        let attributes = json!({ "POSITION": positions, "NORMAL": normals });
        file.json["meshes"][0]["primitives"] = json!([{ "attributes": attributes, "mode": mode }]);
        assert_eq!(model(&file).surfaces()[0].triangles, triangles, "mode {mode}");
    }
}

#[test]
fn points_and_broken_primitives_are_left_out() {
    let mut file = GltfFile::triangle();
    let first = file.json["meshes"][0]["primitives"][0].clone();
    let mut points = first.clone();
    points["mode"] = json!(0);
    file.json["meshes"][0]["primitives"] = json!([points, { "attributes": {} }, first, first]);
    let (model, warnings) = load(&file.glb());
    let names: Vec<&str> = model.surfaces().iter().map(|surface| surface.name.as_str()).collect();
    assert_eq!(names, ["body", "body-2"]);
    assert_eq!(warnings.lines().count(), 2, "{warnings}");
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().truncate(2);
    assert_eq!(refusal(&file.glb()), "glTF: there is nothing to show: the scene has no triangles, joints or tags");
}

#[test]
fn triangles_beyond_the_vertices_are_left_out() {
    let mut file = GltfFile::triangle();
    let indices = file.numbers(U8, "SCALAR", &[0, 1, 2, 0, 1, 3, 0, 1], 8);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.surfaces()[0].triangles.len(), 1);
    assert!(warnings.contains("1 of 2 triangles name vertices") && warnings.contains("2 corners are left over"));
}

#[test]
fn missing_normals_make_flat_triangles() {
    let mut file = GltfFile::triangle();
    let indices = file.numbers(U16, "SCALAR", &[0, 0, 1, 0, 2, 0, 1, 0, 0, 0, 2, 0], 6);
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["indices"] = json!(indices);
    primitive["attributes"].as_object_mut().unwrap().remove("NORMAL");
    let model = model(&file);
    assert_eq!(model.surfaces()[0].vertex_count(), 6, "no vertex is shared");
    let normals = &at(&model, 0).surfaces[0].normals;
    is_at(normals[0], [1.0, 0.0, 0.0]);
    is_at(normals[3], [-1.0, 0.0, 0.0]);
}

#[test]
fn numbers_of_all_types_are_read() {
    for (component, bytes, normalized, wanted) in [
        (I8, vec![127, 0, 0, 0], true, 1.0),
        (I8, vec![0x80, 0, 0, 0], true, -1.0),
        (U8, vec![255, 0, 0, 0], true, 1.0),
        (U8, vec![2, 0, 0, 0], false, 2.0),
        (I16, vec![1, 0x80, 0, 0, 0, 0, 0, 0], true, -1.0),
        (I16, vec![0xfe, 0xff, 0, 0, 0, 0, 0, 0], false, -2.0),
        (U16, vec![0xff, 0xff, 0, 0, 0, 0, 0, 0], true, 1.0),
    ] {
        let mut file = GltfFile::triangle();
        let stride = bytes.len();
        let positions = file.numbers(component, "VEC3", &bytes.repeat(3), 3);
        file.json["accessors"][positions]["normalized"] = json!(normalized);
        let view = file.json["accessors"][positions]["bufferView"].as_u64().unwrap() as usize;
        file.json["bufferViews"][view]["byteStride"] = json!(stride);
        file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(positions);
        file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        let (model, _) = load(&file.glb());
        is_at(at(&model, 0).surfaces[0].positions[2], [0.0, wanted * METRE, 0.0]);
    }
}

#[test]
fn sparse_accessor_replaces_elements_of_zeros_too() {
    for has_view in [true, false] {
        let mut file = GltfFile::triangle();
        let places = file.view(&[2, 0]);
        let values = file.view(&[7_f32, 0.0, 0.0].iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>());
        file.json["accessors"][0]["sparse"] = json!({
            "count": 1,
            "indices": { "bufferView": places, "componentType": U16 },
            "values": { "bufferView": values },
        });
        if !has_view {
            file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
        }
        let positions = at(&model(&file), 0).surfaces[0].positions.clone();
        is_at(positions[2], [0.0, 7.0 * METRE, 0.0]);
        is_at(positions[1], [0.0, if has_view { METRE } else { 0.0 }, 0.0]);
    }
}

#[test]
fn unusable_numbers_count_as_zero() {
    let mut file = GltfFile::triangle();
    file.bytes[..4].copy_from_slice(&f32::INFINITY.to_le_bytes());
    file.bytes[4..8].copy_from_slice(&f32::NAN.to_le_bytes());
    let (model, warnings) = load(&file.glb());
    assert_eq!(warnings, "accessor 0: 2 numbers are not finite or beyond a billion; replaced by 0");
    is_at(at(&model, 0).surfaces[0].positions[0], [0.0; 3]);
}

#[test]
fn texture_transform_moves_texture_coordinates() {
    let mut file = GltfFile::triangle();
    let quarter = std::f32::consts::FRAC_PI_2;
    let transform = json!({ "offset": [0.5, 0.25], "rotation": quarter, "scale": [2, 3] });
    let texture = json!({ "index": 0, "extensions": { "KHR_texture_transform": transform } });
    file.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": texture } }));
    file.push("textures", json!({ "source": 0 }));
    file.push("images", json!({ "uri": "skins/red%20box.png" }));
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let model = model(&file);
    let surface = &model.surfaces()[0];
    // u′ = cos r · 2u + sin r · 3v + 0.5, v′ = −sin r · 2u + cos r · 3v + 0.25.
    assert!(surface.uvs[1].abs_diff_eq(Vec2::new(0.5, -1.75), 1e-5), "{:?}", surface.uvs);
    assert!(surface.uvs[2].abs_diff_eq(Vec2::new(3.5, 0.25), 1e-5), "{:?}", surface.uvs);
    assert_eq!(surface.materials, ["skins/red box"]);
    assert_eq!(look(surface).image, Some(EmbeddedImage::External("skins/red box.png".to_owned())));
}

#[test]
fn extension_of_a_texture_names_its_image() {
    let mut file = GltfFile::triangle();
    file.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
    file.push("textures", json!({ "extensions": { "EXT_texture_webp": { "source": 1 }, "OTHER": { "a": [2] } } }));
    file.push("images", json!({ "uri": "other.png" }));
    file.push("images", json!({ "uri": "box.webp" }));
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let image = |file: &GltfFile| look(&model(file).surfaces()[0]).image.clone();
    assert_eq!(image(&file), Some(EmbeddedImage::External("box.webp".to_owned())));
    // The image without an extension is the same one in a format that every program reads.
    file.json["textures"][0]["source"] = json!(0);
    assert_eq!(image(&file), Some(EmbeddedImage::External("other.png".to_owned())));
    file.json["textures"][0] = json!({ "extensions": { "OTHER": {} } });
    let (_, warnings) = load(&file.glb());
    assert!(warnings.contains("the texture of the base colour names no image; skipped"), "{warnings}");
}

#[test]
fn material_states_name_alpha_sides_and_script() {
    let mut file = GltfFile::skinned();
    let view = file.view(b"\x89PNG");
    file.push("images", json!({ "bufferView": view, "name": "inside" }));
    file.push("textures", json!({ "source": 0 }));
    file.json["materials"][0] = json!({
        "name": "models/box/skin.001", "alphaMode": "MASK", "alphaCutoff": 0.25, "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } }, "extras": { "script": "{ }", "other": [1] },
    });
    let model = model(&file);
    assert_eq!(model.surfaces()[0].materials, ["models/box/skin.001"]);
    let look = look(&model.surfaces()[0]);
    assert_eq!((look.alpha, look.double_sided, look.script.as_deref()), (AlphaMode::Mask(0.25), true, Some("{ }")));
    assert_eq!(look.image, Some(EmbeddedImage::Encoded(b"\x89PNG"[..].into())));
}

#[test]
fn skin_moves_vertices_and_ignores_its_node() {
    let mut file = GltfFile::skinned();
    file.json["nodes"][0]["translation"] = json!([5, 5, 5]);
    let model = model(&file);
    let joints: Vec<(&str, Option<u32>)> =
        model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
    assert_eq!(joints, [("root", None), ("arm", Some(0))]);
    assert_eq!(model.frame_numbering(), FrameNumbering::PerClip);
    let clip = model.clip("bend").unwrap();
    assert_eq!((clip.first, clip.count, clip.frames_per_second, clip.wrap), (1, 25, 24.0, Wrap::LastToFirst));
    let rest = at(&model, 0);
    is_at(rest.surfaces[0].positions[1], [0.0, METRE, 0.0]);
    is_at(rest.surfaces[0].normals[1], [1.0, 0.0, 0.0]);
    is_at(rest.joints[1].translation.into(), [0.0, 0.0, METRE]);
    // A quarter turn about the scene’s X turns Y to Z; (1, 0, 0) is at (1, −1, 0) of the joint.
    let bent = in_clip(&model, "bend", 24);
    is_at(bent.surfaces[0].positions[1], [-0.5 * METRE, METRE, 0.5 * METRE]);
    is_at(bent.surfaces[0].positions[2], [0.0, 0.0, METRE]);
}

#[test]
fn weights_of_all_sets_are_normalized() {
    let mut file = GltfFile::skinned();
    let second = file.numbers(U8, "VEC4", &[1, 0, 0, 0].repeat(3), 3);
    let weights = file.floats("VEC4", &[3.0, 0.0, 0.0, 0.0].repeat(3));
    let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["JOINTS_1"] = json!(second);
    attributes["WEIGHTS_1"] = json!(weights);
    let model = model(&file);
    let Motion::Skeletal(motion) = model.motion() else { panic!("it has joints") };
    let weights: Vec<(u32, f32)> =
        motion.bindings[0].weights.iter().map(|weight| (weight.joint, weight.bias)).collect();
    assert_eq!(weights[..2], [(0, 0.25), (1, 0.75)]);
    // Half, half and three of four shares: an eighth, an eighth and three quarters.
    assert_eq!(weights[2..5], [(0, 0.125), (1, 0.125), (1, 0.75)]);
}

#[test]
fn vertex_without_weight_follows_its_first_joint() {
    let mut file = GltfFile::skinned();
    let none = file.floats("VEC4", &[0.0; 12]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(none);
    let (model, warnings) = load(&file.glb());
    assert!(warnings.contains("3 vertices have no weight"), "{warnings}");
    let Motion::Skeletal(motion) = model.motion() else { panic!("it has joints") };
    let joints: Vec<u32> = motion.bindings[0].weights.iter().map(|weight| weight.joint).collect();
    assert_eq!(joints, [0, 0, 1]);
}

#[test]
fn moving_node_becomes_a_joint_that_carries_its_mesh() {
    let mut file = GltfFile::triangle();
    file.push("nodes", json!({ "name": "still", "mesh": 0 }));
    file.show(&[0, 1]);
    file.animate("slide", 0, "translation", &[1.0, 2.0], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "LINEAR");
    let model = model(&file);
    let names: Vec<&str> = model.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["body", "origin"]);
    assert_eq!(model.clip("slide").unwrap().count, 25, "from the first key to the last");
    let pose = in_clip(&model, "slide", 24);
    is_at(pose.surfaces[0].positions[1], [METRE, METRE, 0.0]);
    is_at(pose.surfaces[1].positions[1], [0.0, METRE, 0.0]);
}

#[test]
fn samplers_step_and_follow_cubic_splines() {
    let x = |file: &GltfFile, frame: u32| in_clip(&model(file), "move", frame).surfaces[0].positions[0].x / METRE;
    let mut file = GltfFile::triangle();
    let mut plain = file.clone();
    // Frame 12 of 24 is at the key; rounding must not hold the step back.
    file.animate("move", 0, "translation", &[0.0, 0.5, 1.0], &[0., 0., 0., 0., 0., 1., 0., 0., 2.], "STEP");
    assert_eq!([11, 12, 23, 24].map(|frame| x(&file, frame).round()), [0.0, 1.0, 1.0, 2.0]);
    // In-tangent, value and out-tangent of both keys, along Z. At the middle of one second, the value is
    // (p0 + p1) / 2 + (out − in) / 8 = 0.5 + 4 / 8.
    let values = [0., 0., 0., 0., 0., 0., 0., 0., 4., 0., 0., 0., 0., 0., 1., 0., 0., 0.];
    plain.animate("move", 0, "translation", &[0.0, 1.0], &values, "CUBICSPLINE");
    assert!((x(&plain, 12) - 1.0).abs() < 1e-3, "{}", x(&plain, 12));
}

#[test]
fn morph_targets_that_move_become_vertices_of_every_frame() {
    let model = model(&GltfFile::morphing());
    assert!(matches!(model.motion(), Motion::Morph(_)));
    assert_eq!((model.clip("wave").unwrap().first, model.clip("wave").unwrap().count), (1, 13));
    assert_eq!(model.frame_numbering(), FrameNumbering::PerClip);
    is_at(in_clip(&model, "wave", 6).surfaces[0].positions[1], [0.5 * METRE, METRE, 0.0]);
    is_at(in_clip(&model, "wave", 12).surfaces[0].positions[1], [METRE, METRE, 0.0]);
    is_at(at(&model, 0).surfaces[0].positions[1], [0.0, METRE, 0.0]);
}

#[test]
fn rest_weights_of_node_override_those_of_mesh() {
    let mut file = GltfFile::morphing();
    file.json.as_object_mut().unwrap().remove("animations");
    file.json["meshes"][0]["weights"] = json!([1]);
    is_at(at(&model(&file), 0).surfaces[0].positions[1], [METRE, METRE, 0.0]);
    file.json["nodes"][0]["weights"] = json!([0.5]);
    is_at(at(&model(&file), 0).surfaces[0].positions[1], [0.5 * METRE, METRE, 0.0]);
}

#[test]
fn tags_below_a_model_root_have_other_axes() {
    let mut file = GltfFile::triangle();
    file.push("nodes", json!({ "name": "model", "rotation": [-0.5, -0.5, -0.5, 0.5], "children": [2] }));
    file.push("nodes", json!({ "name": "tag_model", "translation": [1, 2, 3] }));
    file.push("nodes", json!({ "name": "Tag_Scene", "translation": [1, 2, 3], "scale": [2, 1, 1] }));
    file.push("nodes", json!({ "name": "tag_scene" }));
    file.show(&[1, 3, 0, 4]);
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.tags(), ["tag_model", "Tag_Scene"]);
    assert!(warnings.contains("“tag_scene”: another tag has this name; skipped"), "{warnings}");
    let pose = at(&model, 0);
    is_at(pose.tags[0].translation.into(), [METRE, 2.0 * METRE, 3.0 * METRE]);
    is_at(pose.tags[1].translation.into(), [3.0 * METRE, METRE, 2.0 * METRE]);
    for tag in &pose.tags {
        axes(tag)
            .into_iter()
            .zip([Vec3::X, Vec3::Y, Vec3::Z])
            .for_each(|(axis, wanted)| is_at(axis, wanted.to_array()));
    }
}

#[test]
fn tag_on_a_bone_moves_with_it() {
    let model = model(&GltfFile::skinned());
    assert_eq!(model.tags(), ["tag_hand"]);
    is_at(at(&model, 0).tags[0].translation.into(), [10.0, 0.0, METRE]);
    let bent = in_clip(&model, "bend", 24).tags[0];
    is_at(bent.translation.into(), [0.0, 0.0, METRE - 10.0]);
    is_at(axes(&bent)[0], [0.0, 0.0, -1.0]);
}

#[test]
fn extras_of_our_export_place_the_frames() {
    let mut file = GltfFile::skinned();
    let half = FRAC_1_SQRT_2;
    let values = [0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half, 0.0, 0.0, 0.0, 1.0];
    file.animate("later", 2, "rotation", &[0.0, 0.1, 0.2], &values, "LINEAR");
    file.json["animations"][0]["extras"] = json!({ "firstFrame": 0, "frameCount": 3, "framesPerSecond": 2 });
    file.json["animations"][1]["extras"] =
        json!({ "firstFrame": 5, "frameCount": 2, "framesPerSecond": 10, "reversed": true });
    let own = model(&file);
    let facts = |clip: &Clip| (clip.first, clip.count, clip.frames_per_second, clip.wrap, clip.loops(), clip.reversed);
    assert_eq!(own.frames().len(), 8, "the rest pose, then frames 0 to 6");
    assert_eq!(facts(own.clip("bend").unwrap()), (1, 3, 2.0, Wrap::LastToFirst, false, false));
    assert_eq!(facts(own.clip("later").unwrap()), (6, 2, 10.0, Wrap::LastToFirst, true, true));
    let y = |frame: u32| at(&own, frame).tags[0].translation.z;
    assert!((y(3) - y(5)).abs() < 1e-3, "a frame without a clip shows the one before");
    let sampled = with(&file, LoadOptions { rate: Some(8.0), ..LoadOptions::default() });
    assert_eq!(facts(sampled.clip("later").unwrap()), (10, 3, 8.0, Wrap::LastIsFirst, true, true));
}

#[test]
fn loop_frames_in_extras_decide_looping() {
    let mut file = GltfFile::skinned();
    let half = FRAC_1_SQRT_2;
    let values = [0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half, 0.0, 0.0, 0.0, 1.0];
    file.json["animations"] = json!([]);
    for (name, loops) in [("once", json!(0)), ("again", json!(3)), ("end", json!(1))] {
        file.animate(name, 2, "rotation", &[0.0, 0.1, 0.2], &values, "LINEAR");
        file.json["animations"].as_array_mut().unwrap().last_mut().unwrap()["extras"] =
            json!({ "firstFrame": 0, "frameCount": 3, "framesPerSecond": 10, "loopFrames": loops });
    }
    let own = model(&file);
    let facts = |name: &str| own.clip(name).map(|clip| (clip.loop_frames, clip.wrap)).unwrap();
    assert_eq!(facts("once").0, 0);
    assert_eq!(facts("again"), (3, Wrap::LastIsFirst));
    assert_eq!(facts("end"), (1, Wrap::LastToFirst));
}

#[test]
fn clips_loop_if_their_last_step_is_usual() {
    let clip_of = |angles: &[f32], extras: Value| {
        let mut file = GltfFile::triangle();
        let times: Vec<f32> = (0_u8..).map(|key| f32::from(key) * 0.1).take(angles.len()).collect();
        let turn = |degrees: &f32| glam::Quat::from_rotation_y(degrees.to_radians()).to_array();
        file.animate("clip", 0, "rotation", &times, &angles.iter().flat_map(turn).collect::<Vec<f32>>(), "LINEAR");
        file.json["animations"][0]["extras"] = extras;
        let model = with(&file, LoadOptions { usual_rate: Some(10.0), ..LoadOptions::default() });
        let clip = model.clip("clip").unwrap();
        (clip.count, clip.loop_frames, clip.wrap == Wrap::LastIsFirst)
    };
    assert_eq!(clip_of(&[0.0, 90.0, 180.0, 270.0], json!({})), (4, 4, false), "a turn");
    assert_eq!(clip_of(&[0.0, 90.0, 180.0, 270.0, 360.0], json!({})), (5, 5, true), "a turn with a closing key");
    assert_eq!(clip_of(&[0.0, 10.0, 40.0, 80.0, 90.0], json!({})), (5, 0, false), "a fall");
    assert_eq!(clip_of(&[0.0, 90.0, 180.0, 270.0], json!({ "loopFrames": 0 })).1, 0);
    assert_eq!(clip_of(&[0.0, 10.0, 40.0, 80.0, 90.0], json!({ "loopFrames": 2 })).1, 2);
    assert_eq!(clip_of(&[0.0, 90.0, 180.0, 270.0], json!({ "framesPerSecond": 20 })).0, 7);
}

#[test]
fn clips_of_a_target_for_each_frame_loop_by_their_shapes() {
    let loops = |offsets: &[[f32; 2]]| {
        let mut file = GltfFile::morphing();
        let targets = offsets.iter().map(|[x, y]| {
            let moved = file.floats("VEC3", &[*x, *y, 0.0].repeat(3));
            json!({ "POSITION": moved })
        });
        file.json["meshes"][0]["primitives"][0]["targets"] = targets.collect();
        let times: Vec<f32> = (0_u8..).map(|key| f32::from(key) * 0.1).take(offsets.len()).collect();
        let weights = (0..offsets.len().pow(2)).map(|at| if at % (offsets.len() + 1) == 0 { 1.0 } else { 0.0 });
        file.json["animations"] = json!([]);
        file.animate("clip", 0, "weights", &times, &weights.collect::<Vec<f32>>(), "LINEAR");
        let own = with(&file, LoadOptions { usual_rate: Some(10.0), ..LoadOptions::default() });
        own.clip("clip").unwrap().loops()
    };
    assert!(loops(&[[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]]), "a turn");
    assert!(!loops(&[[0.0, 0.0], [0.1, 0.0], [0.5, 0.0], [0.9, 0.0], [1.0, 0.0]]), "a fall");
}

#[test]
fn material_names_changed_by_blender_are_restored() {
    let name_of = |name: &str, exported: serde_json::Value| {
        let mut file = GltfFile::triangle();
        let material = file.push("materials", json!({ "name": name, "extras": { "name": exported } }));
        file.json["meshes"][0]["primitives"][0]["material"] = json!(material);
        model(&file).surfaces()[0].materials.clone()
    };
    let long = "models/players/a_folder_with_a_long_name/another_folder/a_skin_of_it.tga";
    assert_eq!(name_of("models/box.003", json!("models/box")), ["models/box"]);
    assert_eq!(name_of(&long[..63], json!(long)), [long]);
    assert_eq!(name_of(&format!("{}.012", &long[..59]), json!(long)), [long]);
    assert_eq!(name_of("models/crate", json!("models/box")), ["models/crate"], "the user has renamed it");
    assert_eq!(name_of("models/bo", json!("models/box")), ["models/bo"]);
    assert_eq!(name_of("models/box", json!(7)), ["models/box"]);
}

#[test]
fn exported_materials_keep_all_names_and_the_skin() {
    let read = |name: &str, extras: serde_json::Value| {
        let mut file = GltfFile::triangle();
        let material = file.push("materials", json!({ "name": name, "extras": extras }));
        file.json["meshes"][0]["primitives"][0]["material"] = json!(material);
        let surface = model(&file).surfaces()[0].clone();
        (surface.materials.join(" "), surface.data.skin_material.clone())
    };
    let several = json!({ "name": "a.pcx", "stored": "a.pcx\nb.pcx", "skin": "c.tga" });
    assert_eq!(read("a.pcx.001", several.clone()), ("a.pcx b.pcx".to_owned(), "c.tga".to_owned()));
    assert_eq!(read("new", several), ("new".to_owned(), String::new()), "the user has renamed it");
    // The model's file has no name, so the export used that of the surface.
    assert_eq!(read("body", json!({ "name": "body", "stored": "" })).0, "");
}

#[test]
fn surfaces_know_the_tag_or_part_above_them() {
    let below = |name: &str, joints: &[usize]| {
        let mut file = GltfFile::triangle();
        file.push("nodes", json!({ "name": "arm", "children": [0] }));
        file.push("nodes", json!({ "name": name, "children": [1] }));
        file.push("skins", json!({ "joints": joints }));
        file.show(&[2]);
        model(&file).surfaces()[0].data.parent.clone()
    };
    assert_eq!(below("Upper", &[1]), "Upper");
    assert_eq!(below("tag_weapon", &[1]), "tag_weapon");
    assert_eq!(below("body", &[1]), "");
    assert_eq!(below("head", &[2]), "", "a bone is no part");
}

#[test]
fn animation_without_effect_is_skipped() {
    let mut file = GltfFile::triangle();
    file.animate("light", 0, "pointer", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    let (model, warnings) = load(&file.glb());
    assert!(model.clip("light").is_none() && warnings.contains("“light”: the animation moves nothing"), "{warnings}");
}
