//! Joints and weights in converted models: scales, mirrorings and shared joints.

use std::path::Path;

use glam::{Mat3A, Vec3};
use maquette_core::bytes::LoadOptions;
use maquette_core::convert::{ConvertOptions, ConvertedFiles, to_files};
use maquette_core::export::{Animation, ExportOptions, ExportPart, ExportScene, exporter_for};
use maquette_core::formats;
use maquette_core::model::{Format, Model, Motion};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_testing::gltf::{GltfFile, U8};
use maquette_testing::gltf_file::MainFile;
use maquette_testing::iqm::Iqm;
use serde_json::json;

/// Units in a metre.
const METRE: f32 = 1.0 / 0.0254;

fn written(model: &Model, format: Format) -> ConvertedFiles {
    to_files(model, &ConvertOptions::to(format)).unwrap()
}

/// Returns a skinned file whose weights are multiples of 1/255, which an IQM stores exactly.
fn skinned_in_bytes() -> GltfFile {
    let mut file = GltfFile::skinned();
    let weights = file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 0.6, 0.4, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    file
}

fn has_loss(files: &ConvertedFiles, word: &str) -> bool {
    files.losses.iter().any(|loss| loss.contains(word))
}

/// The offsets of weights take the scale of the joints, as a converter from the same skeleton in a glTF does.
#[test]
fn constant_scales_of_joints_are_exact_in_md5() {
    for scale in [[0.01; 3], [2.0, 3.0, 0.5], [-1.0, 1.0, 1.0]] {
        let mut file = Iqm::typical();
        file.joints[0].scale = scale;
        file.poses.clear();
        file.anims.clear();
        file.frames.clear();
        let model = formats::load(&file.build()).unwrap().0;
        let files = written(&model, Format::Md5);
        assert!(files.measured.unwrap().position.value < 1e-3, "{scale:?}: {:?}", files.measured);
        assert!(!has_loss(&files, "scale"), "{scale:?}: {:?}", files.losses);
    }
}

#[test]
fn scale_that_changes_is_lost_in_md5() {
    let mut file = GltfFile::skinned();
    file.animate("grow", 2, "scale", &[0.0, 1.0], &[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], "LINEAR");
    let files = written(&formats::load(&file.glb()).unwrap().0, Format::Md5);
    assert!(has_loss(&files, "1 joint changes its scale"), "{:?}", files.losses);
}

/// A joint is turned over by a scale from 1 to −1. Its child is a board whose rotation must not change.
#[test]
fn scale_through_zero_is_exact_in_iqm() {
    let mut file = skinned_in_bytes();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    file.json["nodes"][2]["rotation"] = json!([0.0, half, 0.0, half]);
    file.json["nodes"][3]["name"] = json!("hand");
    file.json["animations"] = json!([]);
    file.animate("fold", 1, "scale", &[0.0, 1.0], &[1.0, 1.0, 1.0, -1.0, 1.0, 1.0], "LINEAR");
    let model = formats::load(&file.glb()).unwrap().0;
    let files = written(&model, Format::Iqm);
    assert!(!has_loss(&files, "shear"), "{:?}", files.losses);
    assert!(files.measured.unwrap().position.value < 0.02, "{:?}", files.measured);
}

/// A joint without extent in the first frame has no inverse, which the bind pose of its tag would need.
#[test]
fn tag_below_hidden_joint_has_bind_pose_in_iqm() {
    let mut file = skinned_in_bytes();
    file.json["nodes"][3]["name"] = json!("tag_hand");
    file.json["animations"] = json!([]);
    file.animate("hide", 1, "scale", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    let model = formats::load(&file.glb()).unwrap().0;
    let files = written(&model, Format::Iqm);
    assert!(files.model.joints().iter().all(|joint| joint.bind.translation.is_finite()), "{:?}", files.model.joints());
}

#[test]
fn part_hidden_by_its_scale_stays_hidden_in_mdr() {
    let mut file = GltfFile::skinned();
    file.json["animations"] = json!([]);
    file.animate("hide", 1, "scale", &[0.0, 1.0], &[0.0; 6], "LINEAR");
    let files = written(&formats::load(&file.glb()).unwrap().0, Format::Mdr);
    assert!(files.measured.unwrap().position.value < 1e-3, "{:?}", files.measured);
}

/// Weights of one joint are added, and zeros are nothing (glTF 2.0, 3.7.3.1), so that IQM's four are enough.
#[test]
fn weights_of_two_joints_fit_into_an_iqm() {
    let mut file = GltfFile::skinned();
    let joints = file.numbers(U8, "VEC4", &[0, 1, 0, 1].repeat(3), 3);
    let more = file.numbers(U8, "VEC4", &[1, 0, 1, 0].repeat(3), 3);
    // The sums are 0.4 and 0.6, 102 and 153 steps of a byte.
    let weights = file.floats("VEC4", &[0.2, 0.2, 0.1, 0.2].repeat(3));
    let last = file.floats("VEC4", &[0.2, 0.1, 0.0, 0.0].repeat(3));
    let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
    for (name, accessor) in [("JOINTS_0", joints), ("JOINTS_1", more), ("WEIGHTS_0", weights), ("WEIGHTS_1", last)] {
        attributes[name] = json!(accessor);
    }
    let files = written(&formats::load(&file.glb()).unwrap().0, Format::Iqm);
    assert!(!has_loss(&files, "largest weights"), "{:?}", files.losses);
    assert!(files.measured.unwrap().position.value < 0.01, "{:?}", files.measured);
}

/// DarkPlaces reads only bytes, and engines do not normalise them, so a vertex has 255 steps in total. The largest
/// remainders are rounded up: 0.7 is 178.5 steps, 0.2 is 51 and 0.1 is 25.5.
#[test]
fn weights_of_an_iqm_are_bytes_that_add_up_to_255() {
    let cases = [
        ([0.5, 0.5, 0.0, 0.0], vec![128, 127]),
        ([1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0], vec![85, 85, 85]),
        ([0.7, 0.2, 0.1, 0.0], vec![179, 51, 25]),
        ([0.25, 0.25, 0.25, 0.25], vec![64, 64, 64, 63]),
        ([0.998, 0.001, 0.001, 0.0], vec![255]),
        ([0.001, 0.996, 0.003, 0.0], vec![254, 1]),
        ([1.0 / 255.0, 254.0 / 255.0, 0.0, 0.0], vec![1, 254]),
    ];
    for (weights, expected) in cases {
        let mut file = GltfFile::skinned();
        for name in ["b", "c"] {
            let node = file.push("nodes", json!({ "name": name }));
            file.json["skins"][0]["joints"].as_array_mut().unwrap().push(json!(node));
        }
        file.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
        let joints = file.numbers(U8, "VEC4", &[0, 1, 2, 3].repeat(3), 3);
        let weights = file.floats("VEC4", &weights.repeat(3));
        let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
        (attributes["JOINTS_0"], attributes["WEIGHTS_0"]) = (json!(joints), json!(weights));
        let files = written(&formats::load(&file.glb()).unwrap().0, Format::Iqm);
        let arrays: Vec<_> = files.model.data().arrays.iter().map(|array| (array.attribute, array.number)).collect();
        assert!(arrays.contains(&("blendindexes", "u8")) && arrays.contains(&("blendweights", "u8")), "{arrays:?}");
        let Motion::Skeletal(motion) = files.model.motion() else { panic!() };
        let binding = &motion.bindings[0];
        let steps = |vertex| binding.weights_of(vertex).iter().map(|weight| (weight.bias * 255.0).round() as u32);
        assert_eq!(steps(binding.vertices[0]).collect::<Vec<_>>(), expected);
    }
}

/// Each vertex has five joints, of which the four with the largest weights stay: 0.9 of the weights. The joint with
/// 0.21 moves by 1 m, so its share becomes 0.2333 of 39.37 units.
#[test]
fn bounds_of_an_iqm_contain_vertices_whose_weights_were_cut() {
    let mut file = GltfFile::skinned();
    for name in ["b", "c", "d"] {
        let node = file.push("nodes", json!({ "name": name }));
        file.json["skins"][0]["joints"].as_array_mut().unwrap().push(json!(node));
    }
    file.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    file.json["nodes"][2]["translation"] = json!([0, 0, 0]);
    let first = file.numbers(U8, "VEC4", &[0, 1, 2, 3].repeat(3), 3);
    let last = file.numbers(U8, "VEC4", &[4, 0, 0, 0].repeat(3), 3);
    let large = file.floats("VEC4", &[0.27, 0.24, 0.21, 0.18].repeat(3));
    let small = file.floats("VEC4", &[0.1, 0.0, 0.0, 0.0].repeat(3));
    let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
    for (name, accessor) in [("JOINTS_0", first), ("JOINTS_1", last), ("WEIGHTS_0", large), ("WEIGHTS_1", small)] {
        attributes[name] = json!(accessor);
    }
    let arm = file.json["skins"][0]["joints"][2].as_u64().unwrap() as usize;
    file.json["animations"] = json!([]);
    file.animate("push", arm, "translation", &[0.0, 1.0], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "LINEAR");
    let files = written(&formats::load(&file.glb()).unwrap().0, Format::Iqm);
    assert!(has_loss(&files, "4 largest weights"), "{:?}", files.losses);
    let last = files.model.frames().last().unwrap();
    // 0.21 of 0.9 are 59.5 steps of 255.
    let reach = last.bounds.unwrap().max.x;
    assert!((59.0 / 255.0 * METRE..=60.0 / 255.0 * METRE + 1e-3).contains(&reach), "{reach}");
    assert!(last.radius >= reach, "{}", last.radius);
}

/// Engines turn normals by the cofactors of the change since the bind pose (ioquake3 `tr_model_iqm.c`).
#[test]
fn mirrored_armature_keeps_its_normals_in_iqm() {
    let mut file = skinned_in_bytes();
    file.push("nodes", json!({ "name": "armature", "scale": [-1, 1, 1], "children": [0, 1] }));
    file.show(&[file.json["nodes"].as_array().unwrap().len() - 1]);
    let files = written(&formats::load(&file.glb()).unwrap().0, Format::Iqm);
    let mut pose = Pose::default();
    sample(&files.model, &Sampling::at(FrameBlend::single(0)), &mut pose);
    // glTF's Z, which the mirroring keeps, is forward in the game.
    let normal = pose.surfaces[0].normals[0];
    assert!(normal.distance(Vec3::X) < 1e-3, "{normal}");
    assert!(files.measured.unwrap().position.value < 0.02, "{:?}", files.measured);
}

/// The animations of Doom 3's torso contain the joints below the torso, so that a tag belongs to a channel.
#[test]
fn tag_stays_below_its_joint() {
    let model = formats::load(&skinned_in_bytes().glb()).unwrap().0;
    for format in [Format::Iqm, Format::Md5] {
        let files = written(&model, format);
        let joints = files.model.joints();
        let tag = joints.iter().find(|joint| joint.name == "tag_hand").unwrap();
        let parent = &joints[tag.parent.unwrap() as usize];
        assert_eq!(parent.name, "arm", "{format:?}: {joints:?}");
        assert!(files.measured.unwrap().position.value < 0.01, "{format:?}: {:?}", files.measured);
    }
}

/// Games find a tag by the name of its joint. Z, X and Y of a node in a glTF are forward, left and up.
#[test]
fn tag_that_is_a_joint_or_moves_is_the_joint_of_its_name() {
    for node in [2, 3] {
        let mut file = skinned_in_bytes();
        file.json["nodes"][3]["name"] = json!("hand");
        file.json["nodes"][node]["name"] = json!("tag_hand");
        file.json["animations"] = json!([]);
        file.animate("move", node, "translation", &[0.0, 1.0], &[0.0, 1.0, 0.0, 0.0, 2.0, 0.0], "LINEAR");
        let model = formats::load(&file.glb()).unwrap().0;
        for format in [Format::Iqm, Format::Md5] {
            let files = written(&model, format);
            assert!(!has_loss(&files, "renamed"), "{:?}", files.losses);
            assert!(files.measured.unwrap().position.value < 0.01, "{:?}", files.measured);
            let mut pose = Pose::default();
            sample(&files.model, &Sampling::at(FrameBlend::single(0)), &mut pose);
            let joint = files.model.joints().iter().position(|joint| joint.name == "tag_hand").unwrap();
            assert!(pose.joints[joint].matrix3.abs_diff_eq(Mat3A::IDENTITY, 1e-3), "{:?}", pose.joints[joint]);
        }
    }
}

/// dhewm3 `Anim.cpp`, `idMD5Anim::LoadAnim` needs one root. A surface without joints has one at the origin already.
#[test]
fn joint_of_loose_surfaces_is_the_root_in_md5() {
    let mut file = skinned_in_bytes();
    let loose = file.push("nodes", json!({ "name": "box", "mesh": 1, "translation": [0, 0, 1] }));
    file.triangle_mesh();
    file.show(&[0, 1, loose]);
    for (first, root) in [("root", "origin"), ("origin", "origin_2")] {
        file.json["nodes"][1]["name"] = json!(first);
        let files = written(&formats::load(&file.glb()).unwrap().0, Format::Md5);
        let joints: Vec<(&str, Option<u32>)> =
            files.model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
        assert_eq!(joints, [(root, None), (first, Some(0)), ("arm", Some(1)), ("tag_hand", Some(2))]);
        assert!(has_loss(&files, &format!("joint “{root}” is the parent of 1 joint")), "{:?}", files.losses);
        assert!(files.measured.unwrap().position.value < 0.01, "{:?}", files.measured);
    }
}

/// The joints of an IQM multiply their parents, uneven scales included (`iqm.txt`).
#[test]
fn unevenly_scaled_parent_is_exact_in_iqm() {
    let mut file = skinned_in_bytes();
    file.json["nodes"][1]["scale"] = json!([1.0, 2.0, 0.7]);
    let files = written(&formats::load(&file.glb()).unwrap().0, Format::Iqm);
    assert!(!has_loss(&files, "shear"), "{:?}", files.losses);
    assert!(files.measured.unwrap().position.value < 0.01, "{:?}", files.measured);
}

/// Vertices without weights follow a joint that the file does not store.
#[test]
fn joint_for_free_vertices_is_marked() {
    let mut file = Iqm::typical();
    let joints = file.joints.len();
    assert!(formats::load(&file.build()).unwrap().0.joints().iter().all(|joint| !joint.is_added));
    let weights = file.arrays.iter_mut().find(|array| array.kind == 5).unwrap();
    weights.bytes[..4].fill(0);
    let model = formats::load(&file.build()).unwrap().0;
    let added: Vec<bool> = model.joints().iter().map(|joint| joint.is_added).collect();
    assert_eq!((added.len(), added.last()), (joints + 1, Some(&true)));
}

/// A skinned file whose triangle also has a shape: one animation moves both, and one the shape alone.
#[test]
fn shapes_stay_at_rest_so_that_joints_are_kept() {
    let mut file = skinned_in_bytes();
    let target = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }]);
    file.animate("smile", 0, "weights", &[0.0, 0.5], &[0.0, 1.0], "LINEAR");
    let vertices = formats::load(&file.glb()).unwrap().0;
    assert!(vertices.joints().is_empty());
    assert!(format!("{:?}", vertices.details()).contains("root, arm"), "{:?}", vertices.details());
    let pose = Pose::default();
    let scene = ExportScene {
        parts: vec![ExportPart::alone(&vertices, &pose)],
        animations: vec![Animation::new(&vertices.clips()[1], 24.0, Vec::new())],
        ..ExportScene::default()
    };
    let expected = [
        "“smile”: the animation moves only shapes, not joints; skipped",
        "morph targets: the shapes of 1 mesh stay at rest, so that joints can move the model",
    ];
    for extension in ["iqm", "md5mesh", "mdr"] {
        let exporter = exporter_for(Path::new(&format!("x.{extension}"))).unwrap();
        let mut files = MainFile::default();
        let losses = exporter.write(&scene, &ExportOptions::default(), &mut files).unwrap();
        assert!(expected.iter().all(|wanted| losses.iter().any(|loss| loss == wanted)), "{losses:?}");
        assert!(!formats::load(&files.0).unwrap().0.joints().is_empty(), "{extension}");
    }
    let options = LoadOptions { keeps_joints: true, ..LoadOptions::default() };
    let (model, warnings) = formats::load_with(&file.glb(), options, None).unwrap();
    let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert!(expected.iter().all(|wanted| warnings.iter().any(|warning| warning == wanted)), "{warnings:?}");
    for format in [Format::Iqm, Format::Md5, Format::Mdr] {
        let files = written(&model, format);
        assert!(files.model.joints().iter().any(|joint| joint.name == "arm") || format == Format::Mdr);
        assert!(files.model.clips().iter().all(|clip| clip.name != "smile"), "{format:?}");
    }
}
