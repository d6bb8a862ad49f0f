//! glTF: scene, primitives, skins, animations, tags, materials, buffers, and files that are refused.

use std::f32::consts::FRAC_1_SQRT_2;
use std::path::Path;
use std::rc::Rc;

use glam::{Affine3A, Vec2, Vec3};
use maquette_core::bytes::{Forward, LoadOptions};
use maquette_core::export::gltf::write_glb;
use maquette_core::export::{Animation, ExportFiles, ExportOptions, ExportPart, ExportScene, Track};
use maquette_core::formats;
use maquette_core::model::{
    AlphaMode, Clip, ClipSource, EmbeddedImage, EmbeddedMaterial, Format, FrameNumbering, Model, Motion, Surface, Wrap,
};
use maquette_core::pose::{FrameBlend, Pose, PosedSurface, Sampling, sample};
use maquette_testing::gltf::{GltfFile, I8, I16, U8, U16, U32};
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
    assert!(warnings.contains("“tag_scene” is already a tag; skipped"), "{warnings}");
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
    assert!(model.clip("light").is_none() && warnings.contains("“light” moves nothing"), "{warnings}");
}

#[test]
fn buffers_are_embedded_external_or_in_text() {
    let file = GltfFile::skinned();
    let inside = model(&file);
    let (data, _) = load(&file.gltf_with_data());
    let bytes = Rc::new(file.bytes.clone());
    let read = |path: &str| if path == "my data.bin" { Ok(Rc::clone(&bytes)) } else { Err("no such file".to_owned()) };
    let options = LoadOptions::default();
    let (beside, _) = formats::load_with(&file.gltf("my%20data.bin"), options, Some(&read)).unwrap();
    for other in [&data, &beside] {
        assert_eq!(at(other, 12).surfaces[0].positions, at(&inside, 12).surfaces[0].positions);
    }
    let refused = |uri: &str| formats::load_with(&file.gltf(uri), options, Some(&read)).unwrap_err().to_string();
    assert_eq!(refused("gone.bin"), "glTF: buffer 0: no such file");
    for uri in ["http://example.com/x.bin", "file:///etc/passwd", "/etc/passwd", "C:\\x.bin", "\\\\host\\x", "%2fetc"] {
        assert!(refused(uri).ends_with("is not a file next to the model; only those are read"), "{uri}");
    }
    assert!(refused("data:text/plain,abc").contains("not in base 64"));
    assert!(refused("data:;base64,AA*A").contains("character 2"));
    assert!(refused("data:;base64,AAAA").contains("the buffer has 3 bytes, but byteLength is"));
    assert!(refusal(&file.gltf("x.bin")).contains("“x.bin”"));
}

#[test]
fn buffers_of_one_file_count_once_against_the_limit() {
    let mut file = GltfFile::triangle();
    file.json["buffers"] = json!(vec![json!({ "byteLength": 1, "uri": "x.bin" }); 8]);
    file.json["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 1_500_000 });
    file.json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    let bytes = Rc::new(vec![0; 3 << 20]);
    let read = |_: &str| Ok(Rc::clone(&bytes));
    let options = LoadOptions::default();
    // 18 MB of positions and 12 MB of texture coordinates exceed 6 × 3 MB, but not 6 × 8 × 3 MB.
    let error = formats::load_with(&file.gltf(""), options, Some(&read)).unwrap_err().to_string();
    assert!(error.contains("need too much memory"), "{error}");
}

/// Adds a mesh of primitives, each with its own indices, that share accessors of `count` vertices at (number / 64, 0, 0).
fn sharing_vertices(file: &mut GltfFile, count: u16, primitives: impl Iterator<Item = Vec<u16>>) {
    let floats = |vector: fn(f32) -> [f32; 3]| (0..count).flat_map(|vertex| vector(vertex.into())).collect::<Vec<_>>();
    let positions = file.floats("VEC3", &floats(|x| [x / 64.0, 0.0, 0.0]));
    let normals = file.floats("VEC3", &floats(|_| [0.0, 0.0, 1.0]));
    let primitives = primitives.map(|corners| {
        let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        let indices = file.numbers(U16, "SCALAR", &bytes, corners.len());
        json!({ "attributes": { "POSITION": positions, "NORMAL": normals }, "indices": indices })
    });
    let primitives: Vec<Value> = primitives.collect();
    let mesh = file.push("meshes", json!({ "primitives": primitives }));
    file.push("nodes", json!({ "mesh": mesh }));
    file.show(&[0]);
}

#[test]
fn primitives_keep_only_the_vertices_that_they_use() {
    let mut file = GltfFile::empty();
    sharing_vertices(&mut file, 40, [vec![4, 2, 0], vec![0, 1, 39]].into_iter());
    let model = model(&file);
    let counts: Vec<usize> = model.surfaces().iter().map(Surface::vertex_count).collect();
    assert_eq!(counts, [3, 3], "not all 40");
    assert_eq!(model.surfaces()[0].triangles, [[2, 0, 1]]);
    let pose = at(&model, 0);
    is_at(pose.surfaces[0].positions[1], [0.0, 2.0 / 64.0 * METRE, 0.0]);
    is_at(pose.surfaces[1].positions[2], [0.0, 39.0 / 64.0 * METRE, 0.0]);
}

#[test]
fn many_primitives_of_shared_vertices_fit_the_limit() {
    let mut file = GltfFile::empty();
    // 40 times all 30,000 vertices would be 29 MB of numbers, of a file of 0.7 MB.
    sharing_vertices(&mut file, 30_000, (0..40).map(|number| (number * 750..(number + 1) * 750).collect()));
    let (model, _) = load(&file.glb());
    assert_eq!(model.surfaces().iter().map(Surface::vertex_count).sum::<usize>(), 30_000);
}

#[test]
fn sparse_elements_of_used_vertices_are_replaced() {
    let mut file = GltfFile::empty();
    sharing_vertices(&mut file, 40, [vec![0, 2, 39]].into_iter());
    let places = file.view(&[1, 2, 39]);
    let values: Vec<u8> = (7..16_u8).flat_map(|number| f32::from(number).to_le_bytes()).collect();
    let values = file.view(&values);
    file.json["accessors"][0]["sparse"] = json!({
        "count": 3,
        "indices": { "bufferView": places, "componentType": U8 },
        "values": { "bufferView": values },
    });
    let pose = at(&model(&file), 0);
    for (vertex, wanted) in [[0.0, 0.0, 0.0], [12.0, 10.0, 11.0], [15.0, 13.0, 14.0]].into_iter().enumerate() {
        is_at(pose.surfaces[0].positions[vertex], wanted.map(|metres| metres * METRE));
    }
}

#[test]
fn materials_share_the_bytes_of_an_image() {
    let mut file = GltfFile::empty();
    let image = file.view(&vec![7; 3 << 20]);
    file.triangle_mesh();
    let first = file.json["meshes"][0]["primitives"][0].clone();
    let mut primitives = Vec::new();
    // Each third material has an image of its own, in the same bytes.
    for number in 0..9 {
        let image = if number % 3 > 0 { 0 } else { file.push("images", json!({ "bufferView": image })) };
        let texture = file.push("textures", json!({ "source": image }));
        let pbr = json!({ "baseColorTexture": { "index": texture } });
        let mut own = first.clone();
        own["material"] = json!(file.push("materials", json!({ "pbrMetallicRoughness": pbr })));
        primitives.push(own);
    }
    file.json["meshes"][0]["primitives"] = json!(primitives);
    file.push("nodes", json!({ "mesh": 0 }));
    let model = model(&file);
    let images: Vec<_> = model.surfaces().iter().map(|surface| look(surface).image.clone()).collect();
    let bytes = |image: &Option<EmbeddedImage>| match image {
        Some(EmbeddedImage::Encoded(bytes)) => bytes.as_ptr(),
        _ => panic!("the image is inside"),
    };
    assert_eq!(images.len(), 9);
    assert!(images.iter().all(|image| bytes(image) == bytes(&images[0])), "one allocation");
}

#[test]
fn broken_files_are_refused_with_the_object() {
    type Change = fn(&mut GltfFile);
    let cases: &[(Change, &str)] = &[
        (|file| file.json["asset"]["version"] = json!("1.0"), "asset: this is glTF 1.0"),
        (|file| file.json["asset"] = json!({ "version": "2.9", "minVersion": "3.0" }), "asset: this is glTF 3.0"),
        (|file| file.json["extensionsRequired"] = json!(["ABC_x"]), "requires the extension ABC_x"),
        (|file| file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]), "untick Compression"),
        (|file| file.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]), "compressed with meshopt"),
        (|file| file.json["accessors"][0]["count"] = json!(4), "accessor 0: 4 elements do not fit"),
        (|file| file.json["accessors"][0]["count"] = json!(1_u64 << 60), "accessor 0: "),
        (|file| file.json["accessors"][0]["byteOffset"] = json!(u64::MAX), "accessor 0: the data begins after"),
        (|file| file.json["accessors"][0]["type"] = json!("VEC2"), "accessor 0: the type is VEC2"),
        (|file| file.json["accessors"][0]["componentType"] = json!(7), "accessor 0: "),
        (|file| file.json["accessors"][0]["bufferView"] = json!(99), "accessor 0: bufferView 99 does not exist"),
        (|file| file.json["accessors"][1]["count"] = json!(2), "accessor 1: 2 elements for 3 vertices"),
        (|file| file.json["bufferViews"][0]["byteLength"] = json!(u64::MAX), "bufferView 0: "),
        (|file| file.json["bufferViews"][0]["byteStride"] = json!(u64::MAX), "accessor 0: 3 elements do not fit"),
        (|file| file.json["bufferViews"][0]["buffer"] = json!(1), "bufferView 0: buffer 1 does not exist; there are 1"),
        (|file| file.json["nodes"][1]["children"] = json!([2, 2]), "node 2: the node has two parents"),
        (|file| file.json["nodes"][2]["children"] = json!([1, 3]), "node 1: the node is its own ancestor"),
        (|file| file.json["nodes"][1]["children"] = json!([2, 77]), "node 1: node 77 does not exist"),
        (|file| file.json["nodes"][0]["mesh"] = json!(5), "node 0: mesh 5 does not exist"),
        (|file| file.json["nodes"][0]["skin"] = json!(5), "node 0: skin 5 does not exist"),
        (|file| file.json["nodes"][0]["mesh"] = json!("body"), "node 0: invalid type: string"),
        (|file| file.json["scene"] = json!(3), "scene 3 does not exist"),
        (|file| file.json["skins"][0]["joints"] = json!([1]), "vertex 1 names joint 1 of a skin with 1 joints"),
        (|file| file.json["skins"][0]["joints"] = json!([1, 2, 3]), "skin 0: 2 inverse bind matrices for 3 joints"),
        (|file| file.json["animations"][0]["channels"][0]["sampler"] = json!(9), "animation 0: sampler 9"),
        (|file| file.json["animations"][0]["samplers"][0]["interpolation"] = json!("X"), "animation 0: the interpola"),
    ];
    for (change, wanted) in cases {
        let mut file = GltfFile::skinned();
        change(&mut file);
        let message = refusal(&file.glb());
        assert!(message.contains(wanted), "{message}\n{wanted}");
    }
}

#[test]
fn broken_containers_are_refused() {
    let file = GltfFile::triangle().glb();
    let changed = |at: usize, word: u32| {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        refusal(&file)
    };
    assert!(changed(4, 1).contains("version 1 is not supported"));
    assert!(changed(8, 1 << 20).contains("length at byte 0x8: the file should have 1048576 bytes"));
    assert!(changed(12, 1 << 20).contains("the chunk of 1048576 bytes ends after the file"));
    assert!(changed(16, 7).contains("the first chunk is not JSON"));
    assert!(refusal(&file[..file.len() - 4]).contains("it ends after"));
    assert!(formats::salvage(&file[..file.len() - 4]).is_err());
    let text = refusal(br#"{"asset":{"version":"2.0"},"nodes":[}"#);
    assert!(text.starts_with("glTF: JSON at line 1, column 3"), "{text}");
}

#[test]
fn draco_is_refused_only_without_other_data() {
    let mut file = GltfFile::triangle();
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["extensions"] = json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {} } });
    model(&file);
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert!(refusal(&file.glb()).contains("compressed with Draco"));
}

#[test]
fn shared_data_beyond_the_limit_is_refused() {
    let mut file = GltfFile::triangle();
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    file.json["accessors"][0]["count"] = json!(1 << 24);
    assert!(refusal(&file.glb()).contains("need too much memory"));
    let mut nodes = GltfFile::triangle();
    nodes.json["nodes"] = json!(vec![json!({}); 65_536]);
    assert!(refusal(&nodes.glb()).contains("node 65535: more objects than the limit"));
}

#[test]
fn deep_nodes_need_no_recursion() {
    let mut file = GltfFile::triangle();
    let depth = 50_000;
    for index in 1..=depth {
        let child = if index == depth { 0 } else { index + 1 };
        file.push("nodes", json!({ "children": [child] }));
    }
    file.show(&[1]);
    is_at(at(&model(&file), 0).surfaces[0].positions[1], [0.0, METRE, 0.0]);
}

#[test]
fn frames_beyond_the_limit_are_cut() {
    let mut file = GltfFile::skinned();
    let times = file.floats("SCALAR", &[0.0, 1e6]);
    file.json["animations"][0]["samplers"][0]["input"] = json!(times);
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.clip("bend").unwrap().count, 65_535);
    assert!(warnings.contains("“bend”: 24000001 frames; the first 65535 are used"), "{warnings}");
}

#[test]
fn second_scene_is_named_in_a_warning() {
    let mut file = GltfFile::triangle();
    file.json["scenes"] = json!([{ "nodes": [] }, { "nodes": [0] }]);
    file.json["scene"] = json!(1);
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.surfaces().len(), 1);
    assert_eq!(warnings, "scenes: the file has 2 scenes; only scene 1 is shown");
    let index = file.numbers(U32, "SCALAR", &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0], 3);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(index);
    file.json.as_object_mut().unwrap().remove("scenes");
    file.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(load(&file.glb()).1, "", "without scenes, all roots are shown");
}

/// Export target that keeps only the first file.
#[derive(Default)]
struct Memory(Vec<u8>);

impl ExportFiles for Memory {
    fn main(&mut self) -> &mut dyn std::io::Write {
        &mut self.0
    }

    fn companion_name(&self, ending: &str) -> String {
        format!("x{ending}")
    }

    fn write_companion(&mut self, _: &str, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// Exports a model with these clips, and reads it again.
pub(super) fn exported_and_read(model: &Model, clips: &[Clip]) -> Model {
    let pose = at(model, 0);
    let animation = |clip: &Clip| Animation {
        name: clip.name.clone(),
        first: clip.first,
        count: clip.count,
        rate: clip.frames_per_second,
        reversed: clip.reversed,
        loop_frames: clip.loop_frames,
        source: clip.source,
        tracks: vec![Track::new(0, clip, clip.frames_per_second)],
    };
    let scene = ExportScene {
        parts: vec![ExportPart::alone(model, &pose)],
        animations: clips.iter().map(animation).collect(),
        ..ExportScene::default()
    };
    let mut files = Memory::default();
    write_glb(&scene, &ExportOptions::default(), &mut files).unwrap();
    formats::load(&files.0).unwrap().0
}

#[test]
fn exported_models_read_back_with_their_clips_and_tags() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    for name in ["umber.md2", "umber.md3", "umber.mdc", "umber.mdr", "umber.md5mesh"] {
        let mut model = load(&read(name)).0;
        if model.format() == Format::Md5 {
            for clip in ["idle", "run"] {
                model.add_animation(clip, &read(&format!("{clip}.md5anim"))).unwrap();
            }
        }
        let named = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose).cloned();
        let mut clips: Vec<Clip> = named.collect();
        if clips.is_empty() {
            let count = u32::try_from(model.frames().len()).unwrap();
            clips = vec![Clip::new("some frames", 3, count.min(12), 12.0, ClipSource::AllFrames)];
        }
        let back = exported_and_read(&model, &clips);
        // The tags of bones follow the order of the bones.
        let sorted = |model: &Model| -> Vec<String> {
            let mut tags = model.tags().to_vec();
            tags.sort();
            tags
        };
        assert_eq!(sorted(&back), sorted(&model), "{name}");
        assert_eq!(back.surfaces().len(), model.surfaces().iter().filter(|surface| surface.lod == 0).count(), "{name}");
        for clip in &clips {
            let own = back.clip(&clip.name).unwrap();
            let facts = |clip: &Clip| (clip.count, clip.frames_per_second, clip.loop_frames, clip.wrap);
            assert_eq!(facts(own), facts(clip), "{name}");
            let is_unlisted = |clip: &Clip| clip.source == ClipSource::AllFrames;
            assert_eq!(is_unlisted(own), is_unlisted(clip), "{name}");
            for frame in [0, clip.count / 2, clip.count - 1] {
                compare_poses(name, &model, &at(&model, clip.first + frame), &back, &at(&back, own.first + frame));
            }
        }
    }
}

fn compare_poses(name: &str, model: &Model, pose: &Pose, back: &Model, again: &Pose) {
    let far = pose.bounds.min.abs().max(pose.bounds.max.abs()).max_element();
    // A packed bone is not a rotation: three entries may be off by a whole step.
    let limit = if model.format() == Format::Mdr { 3.0 * 2.0 * far / 32_766.0 } else { 1e-3 };
    for (index, surface) in back.surfaces().iter().enumerate() {
        let known = &model.surfaces()[index];
        assert_eq!(surface.triangles.len(), known.triangles.len(), "{name}");
        for (corners, own) in surface.triangles.iter().zip(&known.triangles) {
            for (corner, own) in corners.iter().zip(own) {
                let (found, wanted) =
                    (again.surfaces[index].positions[*corner as usize], pose.surfaces[index].positions[*own as usize]);
                assert!(found.distance(wanted) < limit, "{name} surface {index}: {found} is not {wanted}");
                assert_eq!(surface.uvs[*corner as usize], known.uvs[*own as usize], "{name}");
            }
        }
    }
    for (tag, wanted) in model.tags().iter().zip(&pose.tags) {
        let found = &again.tags[back.tags().iter().position(|own| own == tag).unwrap()];
        assert!(found.translation.distance(wanted.translation) < limit, "{name}");
        for (found, wanted) in axes(found).into_iter().zip(axes(wanted)) {
            assert!(found.distance(wanted) < 1e-3, "{name}: {found} is not {wanted}");
        }
    }
}

/// Replaces one value of the JSON, chosen by `random`.
fn change_one_value(json: &mut Value, random: &mut impl FnMut(usize) -> usize) {
    let hostile = [
        json!(0),
        json!(1),
        json!(2),
        json!(255),
        json!(65_535),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(-1),
        json!(0.5),
        json!(1e38),
        json!(-1e300),
        json!(null),
        json!(true),
        json!(""),
        json!("tag_x"),
        json!([]),
        json!({}),
        json!([0]),
        json!([0, 0, 0]),
        json!([1e20, 0, 0]),
        json!([0, 0, 0, 0]),
        json!("MAT4"),
        json!("SCALAR"),
        json!("VEC4"),
        json!(5121),
        json!(5125),
        json!(5126),
        json!("CUBICSPLINE"),
        json!("STEP"),
        json!("weights"),
        json!("scale"),
    ];
    let mut value = json;
    for depth in 0.. {
        let count = match value {
            Value::Array(list) => list.len(),
            Value::Object(map) => map.len(),
            _ => 0,
        };
        if count == 0 || depth > 1 && random(12) == 0 {
            let is_number = value.is_number() && random(3) > 0;
            *value = if is_number { json!(random(5)) } else { hostile[random(hostile.len())].clone() };
            return;
        }
        let chosen = random(count);
        value = match value {
            Value::Array(list) => &mut list[chosen],
            Value::Object(map) => map.values_mut().nth(chosen).unwrap(),
            _ => return,
        };
    }
}

#[test]
fn changed_values_are_refused_or_give_finite_models() {
    let seeds = [GltfFile::triangle(), GltfFile::skinned(), GltfFile::morphing()];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut loaded = 0;
    for round in 0..3000 {
        let mut file = seeds[round % seeds.len()].clone();
        for _ in 0..=random(2) {
            change_one_value(&mut file.json, &mut random);
        }
        for _ in 0..random(4) {
            let at = random(file.bytes.len());
            file.bytes[at] = u8::try_from(random(256)).unwrap();
        }
        let Ok((model, _)) = formats::load(&file.glb()) else { continue };
        loaded += 1;
        let last = u32::try_from(model.frames().len() - 1).unwrap();
        for frame in [0, 1, last] {
            let pose = at(&model, frame.min(last));
            let sound = |surface: &PosedSurface| {
                surface.positions.iter().chain(&surface.normals).all(|vector| vector.is_finite())
            };
            assert!(pose.surfaces.iter().all(sound), "{}", file.json);
            assert!(pose.tags.iter().chain(&pose.joints).all(|transform| transform.is_finite()), "{}", file.json);
        }
    }
    assert!(loaded > 300, "only {loaded} changed files were read");
}
