//! glTF export, read back according to the specification: axes, frames, joints, tags, clips, materials, characters,
//! losses.

use std::path::Path;

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Affine3A, Vec3};
use maquette::output::OutputJob;
use maquette::ui::ExportPreview;
use maquette_core::edit::RECOMPUTE_BOUNDS;
use maquette_core::export::EXPORTERS;
use maquette_core::formats;
use maquette_core::model::{Format, Model};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_scene::session::{Action, EditAction, Effect, FileAction, FilePrompt, OutputKind, SaveAction, Session};

use crate::support::command::maquette;
use crate::support::panels::{Bench, bench, click, session};
use maquette_testing::archives::folder;
use maquette_testing::files::{Md2, Md3, Mdc, Mdl};
use maquette_testing::gltf_file::{Gltf, in_model, usize_of};
use maquette_testing::player;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr, MdrVertex, bone};

/// Exports the first file. The others are its companion files. Returns the glTF and the printed messages.
fn exported(files: &[(&str, &[u8])], extra: &[&str]) -> (Gltf, String) {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    let (model, out) = (folder.path().join(files[0].0), folder.path().join("out.glb"));
    let arguments = [&["export", text(&model), "-o", text(&out)], extra].concat();
    let done = maquette(&arguments);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{message}");
    (Gltf::read(&out), message)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn posed(model: &Model, frame: u32) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose
}

/// Whether two positions are equal within the rounding of summed 32-bit floats.
fn near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-4
}

#[track_caller]
fn is_at(position: Vec3, wanted: [f32; 3]) {
    assert!(near(position, Vec3::from(wanted)), "{position} is not {wanted:?}");
}

#[test]
fn gltf_root_converts_axes_and_winding_is_counter_clockwise() {
    let (gltf, _) = exported(&[("box.md3", &Md3::typical().build())], &[]);
    // Positions are in file units of 1/64.
    let primitive = &gltf.json["meshes"][0]["primitives"][0];
    let positions = gltf.accessor(usize_of(&primitive["attributes"]["POSITION"]));
    assert_eq!(positions, [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 2.0]].map(Vec::from));
    assert_eq!(gltf.accessor(usize_of(&primitive["indices"])).concat(), [0.0, 2.0, 1.0]);
    let uvs = gltf.accessor(usize_of(&primitive["attributes"]["TEXCOORD_0"]));
    assert_eq!(uvs[2], [0.5, 1.5], "both count v from the top");
    assert_eq!((&gltf.json["meshes"][0]["name"], &gltf.json["asset"]["version"]), (&"u_torso".into(), &"2.0".into()));
    // Left is +X of the scene, up is +Y and forward is +Z. An inch is 0.0254 m.
    let corners = &gltf.posed(None, 0)[0];
    is_at(corners[2].0 / 0.0254, [1.0, 0.0, 0.0]);
    is_at(corners[1].0 / 0.0254, [0.0, 2.0, 0.0]);
    let root = gltf.transforms(None, 0)[0];
    is_at(root.transform_vector3(Vec3::X) / 0.0254, [0.0, 0.0, 1.0]);
}

#[test]
fn md3_frames_become_morph_targets_and_clips_close() {
    let mut file = Md3::typical();
    let corners = |x: i16| vec![([x, 0, 0], [64, 0]), ([x, 64, 0], [64, 64]), ([x, 0, 128], [128, 0])];
    file.frames = [0, 640, 64, 128].map(corners).to_vec();
    file.tags.clear();
    let (gltf, message) = exported(&[("box.md3", &file.build())], &["--scale", "1"]);
    assert_eq!(message, "", "nothing is lost");
    let animation = &gltf.json["animations"][0];
    let extras = &animation["extras"];
    assert_eq!((&extras["firstFrame"], &extras["frameCount"]), (&0.into(), &4.into()));
    let rate = extras["framesPerSecond"].as_f64().unwrap();
    let wanted: Vec<f64> = (0..5).map(|step| f64::from((f64::from(step) / rate) as f32)).collect();
    assert_eq!(gltf.times(animation), wanted, "four frames, and the first again");
    for (key, x) in [0.0, 10.0, 1.0, 2.0, 0.0].into_iter().enumerate() {
        is_at(in_model(gltf.posed(Some(animation), key)[0][0].0), [x, 0.0, 0.0]);
    }
    assert_eq!(
        gltf.json["meshes"][0]["primitives"][0]["targets"].as_array().unwrap().len(),
        3,
        "one is the mesh itself"
    );
}

#[test]
fn frames_without_clip_become_an_animation() {
    let mut file = Md3::typical();
    file.frames = [0, 640, 64, 128].map(|x| vec![([x, 0, 0], [64, 0]); 3]).to_vec();
    file.tags.clear();
    let list = b"1 2 8 1 // walk\n";
    let (gltf, _) = exported(&[("box.md3", &file.build()), ("box.md3.framegroups", list)], &["--scale", "1"]);
    let animations = gltf.json["animations"].as_array().unwrap();
    let named = |animation: &serde_json::Value| {
        let number = |key: &str| animation["extras"][key].as_u64().unwrap();
        (animation["name"].as_str().unwrap().to_owned(), number("firstFrame"), number("frameCount"))
    };
    let wanted = [("walk", 1, 2), ("frame 0", 0, 1), ("frame 3", 3, 1)].map(|(name, a, b)| (name.to_owned(), a, b));
    assert_eq!(animations.iter().map(named).collect::<Vec<_>>(), wanted);
}

#[test]
fn exported_morph_frames_match_model_poses() {
    let files =
        [("box.md2", Md2::typical().build()), ("box.md3", Md3::typical().build()), ("box.mdc", Mdc::typical().build())];
    for (name, bytes) in files {
        let (model, _) = formats::load(&bytes).unwrap();
        for options in [&["--scale", "1"][..], &["--scale", "1", "--quantize"]] {
            let (gltf, _) = exported(&[(name, &bytes)], options);
            for animation in gltf.json["animations"].as_array().unwrap() {
                let first = usize_of(&animation["extras"]["firstFrame"]);
                for frame in first..first + usize_of(&animation["extras"]["frameCount"]) {
                    let pose = posed(&model, frame as u32);
                    let corners = &gltf.posed(Some(animation), frame - first)[0];
                    let triangle = model.surfaces()[0].triangles[0].map(|corner| corner as usize);
                    for (corner, own) in [triangle[0], triangle[2], triangle[1]].into_iter().zip(corners) {
                        let wanted = pose.surfaces[0].positions[corner];
                        let apart = in_model(own.0).distance(wanted);
                        assert!(apart < 1e-3, "{name} frame {frame} {options:?}: {} is not {wanted}", in_model(own.0));
                        assert!(in_model(own.1).distance(pose.surfaces[0].normals[corner]) < 1e-3, "{name}");
                    }
                }
            }
        }
    }
}

#[test]
fn quantized_md3_positions_keep_file_integers() {
    let (gltf, message) = exported(&[("box.md3", &Md3::typical().build())], &["--quantize"]);
    assert_eq!(message, "", "nothing is lost");
    assert_eq!(gltf.json["extensionsRequired"], serde_json::json!(["KHR_mesh_quantization"]));
    let primitive = &gltf.json["meshes"][0]["primitives"][0];
    let position = usize_of(&primitive["attributes"]["POSITION"]);
    assert_eq!(gltf.json["accessors"][position]["componentType"], 5122);
    assert_eq!(gltf.accessor(position)[2], [0.0, 0.0, 128.0]);
    assert_eq!(gltf.accessor(usize_of(&primitive["targets"][0]["POSITION"]))[0], [640.0, 0.0, 0.0]);
    let node = &gltf.json["nodes"][gltf.node("u_torso")];
    assert_eq!(node["scale"], serde_json::json!([1.0 / 64.0, 1.0 / 64.0, 1.0 / 64.0]));
}

#[test]
fn md5_export_keeps_joints_and_animation() {
    let files: [(&str, &[u8]); 2] = [("box.md5mesh", MD5_MESH.as_bytes()), ("wave.md5anim", MD5_ANIM.as_bytes())];
    let (gltf, message) = exported(&files, &["--scale", "1"]);
    assert_eq!(message, "", "nothing is lost");
    let (origin, arm) = (gltf.node("origin"), gltf.node("arm"));
    assert_eq!(gltf.json["nodes"][origin]["children"], serde_json::json!([arm]));
    assert_eq!(gltf.json["nodes"][arm]["translation"], serde_json::json!([10.0, 0.0, 0.0]));
    // In the bind pose, the corner is 4 along the arm, which is 10 from the origin.
    let corners = &gltf.posed(None, 0)[0];
    is_at(in_model(corners[2].0), [14.0, 0.0, 0.0]);
    let wave = gltf.animation("wave");
    assert_eq!(
        wave["extras"],
        serde_json::json!({"firstFrame": 0, "frameCount": 3, "framesPerSecond": 30.0, "loopFrames": 3})
    );
    // The arm rotates about Z by 90 degrees per frame, and the origin rises by 1. Corners: 0, 2, 1.
    for (key, [x, y, z]) in [[14.0, 0.0, 0.0], [10.0, 4.0, 1.0], [6.0, 0.0, 2.0]].into_iter().enumerate() {
        let corners = &gltf.posed(Some(wave), key)[0];
        is_at(in_model(corners[2].0), [x, y, z]);
        is_at(in_model(corners[0].0), [0.0, 0.0, 5.0 + z]);
    }
}

#[test]
fn mdr_bones_become_joints_that_skin_vertices() {
    for compressed in [false, true] {
        let file = Mdr { compressed, ..Mdr::typical() }.build();
        let (gltf, _) = exported(&[("box.mdr", &file)], &["--scale", "1"]);
        let animation = &gltf.json["animations"][0];
        // Calculated by hand: the second bone rotated by 90 degrees at (10, 0, 4).
        let corners = &gltf.posed(Some(animation), 1)[0];
        for ((position, _), wanted) in corners.iter().zip([[0.0, 0.0, 5.0], [6.0, -4.0, 2.0], [10.0, 4.0, 4.0]]) {
            assert!(in_model(*position).distance(Vec3::from(wanted)) < 2e-3, "{position} {wanted:?} {compressed}");
        }
        // The tag equals its bone.
        let tag = in_model(gltf.transforms(Some(animation), 1)[gltf.node("tag_hand")].translation.into());
        assert!(tag.distance(Vec3::new(10.0, 0.0, 4.0)) < 2e-3);
    }
}

#[test]
fn mdr_bind_pose_is_recovered_from_weights() {
    // The second bone is bound at (10, 0, 0) and rotated by 30 degrees. No frame shows the bind pose.
    let bind = Affine3A::from_rotation_translation(glam::Quat::from_rotation_z(30_f32.to_radians()), Vec3::X * 10.0);
    let corner = |x: f32, y: f32, z: f32, share: f32| {
        let position = Vec3::new(x, y, z);
        let in_bone = bind.inverse().transform_point3(position);
        let weights = vec![(0, 1.0 - share, position.to_array()), (1, share, in_bone.to_array())];
        MdrVertex { normal: [0.0, 0.0, 1.0], uv: [0.0, 0.0], weights }
    };
    let file = Mdr {
        frames: vec![
            vec![bone(0.0, [0.0; 3]), bone(80.0, [9.0, 3.0, 1.0])],
            vec![bone(20.0, [0.0, 1.0, 0.0]), bone(-60.0, [10.0, -2.0, 4.0])],
        ],
        vertices: vec![
            corner(8.0, 0.0, 0.0, 0.5),
            corner(9.0, 3.0, 1.0, 0.25),
            corner(11.0, -2.0, 3.0, 0.5),
            corner(10.0, 2.0, -2.0, 0.75),
        ],
        triangles: vec![[0, 1, 2], [1, 2, 3]],
        ..Mdr::typical()
    }
    .build();
    let (model, _) = formats::load(&file).unwrap();
    let (gltf, message) = exported(&[("box.mdr", &file)], &["--scale", "1"]);
    assert_eq!(message, "only one LOD is exported: box.mdr\n");
    for frame in 0..2 {
        let pose = posed(&model, frame);
        let corners = &gltf.posed(Some(&gltf.json["animations"][0]), frame as usize)[0];
        for (index, own) in [0, 2, 1, 1, 3, 2].into_iter().zip(corners) {
            assert!(
                in_model(own.0).distance(pose.surfaces[0].positions[index]) < 1e-3,
                "frame {frame}, vertex {index}"
            );
        }
    }
}

#[test]
fn largest_deviation_of_mdr_normals_is_reported() {
    // An MDR has one normal for all bones. Here, the bones point in different directions in the bind pose, so no normal
    // of the bind pose is right in both frames.
    let bind = Affine3A::from_rotation_translation(glam::Quat::from_rotation_z(100_f32.to_radians()), Vec3::X * 10.0);
    let corner = |position: [f32; 3]| {
        let in_bone = bind.inverse().transform_point3(position.into());
        let weights = vec![(0, 0.75, position), (1, 0.25, in_bone.to_array())];
        MdrVertex { normal: [1.0, 0.0, 0.0], uv: [0.0, 0.0], weights }
    };
    let file = Mdr {
        frames: vec![
            vec![bone(0.0, [0.0; 3]), bone(80.0, [9.0, 3.0, 1.0])],
            vec![bone(20.0, [0.0, 1.0, 0.0]), bone(-60.0, [10.0, -2.0, 4.0])],
        ],
        vertices: [[8.0, 0.0, 0.0], [9.0, 3.0, 1.0], [11.0, -2.0, 3.0]].map(corner).into(),
        triangles: vec![[0, 1, 2]],
        ..Mdr::typical()
    }
    .build();
    let (model, _) = formats::load(&file).unwrap();
    let (gltf, message) = exported(&[("box.mdr", &file)], &["--scale", "1"]);
    let deviations = (0..2).map(|frame| {
        let normal = gltf.posed(Some(&gltf.json["animations"][0]), frame as usize)[0][0].1;
        in_model(normal).angle_between(posed(&model, frame).surfaces[0].normals[0]).to_degrees()
    });
    let largest = deviations.fold(0.0, f32::max);
    assert!(
        largest > 1.0 && message.contains(&format!("normals are off by up to {largest:.1}°")),
        "{largest} {message}"
    );
}

#[test]
fn tags_become_animated_nodes_even_if_mirrored() {
    let mut file = Md3::typical();
    // The tag is mirrored, because left and up are swapped.
    let mirrored = |x: f32| [x, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    file.tags.push(("tag_mirrored", vec![mirrored(0.0), mirrored(2.0)]));
    let (gltf, message) = exported(&[("box.md3", &file.build())], &["--scale", "1"]);
    assert_eq!(message, "", "nothing is lost");
    let animation = &gltf.json["animations"][0];
    let transforms = gltf.transforms(Some(animation), 1);
    // In the file: at (8, 0, 5), forward +Y, left −X, up +Z.
    let tag = transforms[gltf.node("tag_head")];
    is_at(in_model(tag.translation.into()), [8.0, 0.0, 5.0]);
    is_at(in_model(tag.transform_vector3(Vec3::X)), [0.0, 1.0, 0.0]);
    is_at(in_model(tag.transform_vector3(Vec3::Y)), [-1.0, 0.0, 0.0]);
    let tag = transforms[gltf.node("tag_mirrored")];
    is_at(in_model(tag.translation.into()), [2.0, 0.0, 5.0]);
    is_at(in_model(tag.transform_vector3(Vec3::Y)), [0.0, 0.0, 1.0]);
    is_at(in_model(tag.transform_vector3(Vec3::Z)), [0.0, 1.0, 0.0]);
}

#[test]
fn skewed_tag_axes_are_reported_with_angle() {
    let mut file = Md3::typical();
    // Left leans by 45 degrees towards forward.
    let half = 0.5_f32.sqrt();
    file.tags = vec![("tag_bent", vec![[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, half, half, 0.0, 0.0, 0.0, 1.0]; 2])];
    let (_, message) = exported(&[("box.md3", &file.build())], &[]);
    // Forward and left are 45 degrees apart. The nearest right angle moves each axis by half of the difference.
    assert!(message.contains("tag_bent") && message.contains("22.5°"), "{message}");
}

#[test]
fn single_frame_export_has_no_animations() {
    let files: [(&str, &[u8]); 2] = [("box.md5mesh", MD5_MESH.as_bytes()), ("wave.md5anim", MD5_ANIM.as_bytes())];
    let (gltf, _) = exported(&files, &["--scale", "1", "--animation", "wave", "--frame", "1"]);
    assert!(gltf.json["animations"].is_null());
    is_at(in_model(gltf.posed(None, 0)[0][2].0), [10.0, 4.0, 1.0]);
    let (gltf, _) = exported(&[("box.md3", &Md3::typical().build())], &["--scale", "1", "--frame", "0.5"]);
    is_at(in_model(gltf.posed(None, 0)[0][0].0), [5.0, 0.0, 0.0]);
    is_at(in_model(gltf.transforms(None, 0)[gltf.node("tag_head")].translation.into()), [4.0, 0.0, 5.0]);
}

#[test]
fn character_export_nests_parts_and_moves_both_halves() {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let (model, out) = (folder.path().join("models/players/box"), folder.path().join("out.glb"));
    let done = maquette(&["export", text(&model), "-o", text(&out), "--scale", "1"]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let gltf = Gltf::read(&out);
    let names = gltf.animation_names();
    assert!(names.contains(&"BOTH_DEATH1"), "{names:?}");
    assert!(names.contains(&"LEGS_WALK"), "{names:?}");
    assert!(names.contains(&"TORSO_ATTACK"), "{names:?}");
    // The torso's tag is at (1, 2, 10) in the legs, and the head's tag at (5, 0, 3) in the torso. The torso is rotated:
    // forward is +Y.
    let transforms = gltf.transforms(None, 0);
    let children = |node: usize| gltf.json["nodes"][node]["children"].as_array().unwrap().iter().map(usize_of);
    let torso = children(gltf.node("tag_torso")).next().unwrap();
    assert_eq!(gltf.json["nodes"][torso]["name"], "upper");
    is_at(in_model(transforms[gltf.node("tag_head")].translation.into()), [1.0, 7.0, 13.0]);
    // Only the requested animations.
    let named =
        [&["export", text(&model), "-o", text(&out)], &["--animation", "LEGS_WALK", "--animation", "both_dead1"][..]]
            .concat();
    assert!(maquette(&named).status.success());
    assert_eq!(Gltf::read(&out).animation_names(), ["BOTH_DEAD1", "LEGS_WALK"]);
}

#[test]
fn textures_are_embedded_external_or_omitted() {
    let folder = tempfile::tempdir().unwrap();
    let skin = folder.path().join("models/box");
    std::fs::create_dir_all(&skin).unwrap();
    let mut image = image::RgbaImage::from_pixel(4, 2, image::Rgba([200, 100, 50, 255]));
    image.put_pixel(1, 0, image::Rgba([1, 2, 3, 255]));
    image.save(skin.join("skin.png")).unwrap();
    let model = skin.join("box.md3");
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let export = |name: &str, placement: &str| {
        let out = folder.path().join(name);
        let done = maquette(&["export", text(&model), "-o", text(&out), "--textures", placement]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        Gltf::read(&out)
    };
    let gltf = export("in.glb", "embed");
    assert_eq!(gltf.json["materials"][0]["name"], "models/box/skin.tga");
    assert_eq!(gltf.json["images"][0]["mimeType"], "image/png");
    let gltf = export("be side.gltf", "beside");
    assert_eq!(gltf.json["images"][0]["uri"], "be%20side_skin.png");
    assert_eq!(gltf.json["buffers"][0]["uri"], "be%20side.bin");
    let written = image::open(folder.path().join("be side_skin.png")).unwrap().to_rgba8();
    assert_eq!(written, image);
    let gltf = export("none.glb", "none");
    assert!(
        gltf.json["images"].is_null()
            && gltf.json["materials"][0]["pbrMetallicRoughness"]["baseColorTexture"].is_null()
    );
}

#[test]
fn lost_images_of_animated_skins_are_reported() {
    let (_, message) = exported(&[("box.mdl", &Mdl::grouped().build())], &[]);
    assert!(message.contains("only the first image of animated skins is exported: box.mdl"), "{message}");
}

/// Returns a TGA of 8 × 8 texels of one colour.
fn tga(blue_green_red: [u8; 3]) -> Vec<u8> {
    [&[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 8, 0, 24, 0], blue_green_red.repeat(64).as_slice()].concat()
}

/// Quake's `modelgen.h`: `numskins` is at byte 48, the skins of 4 + 64 bytes follow at byte 84. In its palette, colour
/// 251 is red, and colour 0 black.
#[test]
fn skins_with_one_file_name_stay_separate_in_all_outputs() {
    let file = Md2 { skins: vec!["models/red/skin.tga", "models/black/skin.tga"], ..Md2::typical() }.build();
    let (red, black) = (tga([0, 0, 255]), tga([0; 3]));
    let skins = [("models/red/skin.tga", red.as_slice()), ("models/black/skin.tga", &black)];
    let folder = folder(&[skins[0], skins[1], ("models/box.md2", &file)]);
    let written = |command: &str, name: &str| {
        let [model, out] = ["models/box.md2", name].map(|name| folder.path().join(name));
        let done = maquette(&[command, text(&model), "-o", text(&out)]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        std::fs::read(out).unwrap()
    };
    let converted = written("convert", "converted.mdl");
    assert_eq!((converted[48], converted[88], converted[84 + 68 + 4]), (2, 251, 0));
    assert!(written("export", "exported.mdl") == converted);
    written("export", "out.glb");
    let gltf = Gltf::read(&folder.path().join("out.glb"));
    let names = &gltf.json["extensions"]["KHR_materials_variants"]["variants"];
    assert_eq!(*names, serde_json::json!([{ "name": "skin.tga" }, { "name": "skin.tga 2" }]));
    let extension = &gltf.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"];
    let materials: Vec<usize> = [0, 1].map(|skin| usize_of(&extension["mappings"][skin]["material"])).to_vec();
    assert_ne!(materials[0], materials[1]);
}

/// Converts the model in a folder to MDL. Returns the first texel of each skin of 64 texels, and the messages.
fn skins_of_mdl(files: &[(&str, &[u8])], model: &str, edits: &[&str]) -> (Vec<u8>, String) {
    let folder = folder(files);
    let [model, out] = [model, "out.mdl"].map(|name| folder.path().join(name));
    let done = maquette(&[&["convert", text(&model), "-o", text(&out)], edits].concat());
    let messages = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{messages}");
    let bytes = std::fs::read(out).unwrap();
    let count = usize::from(bytes[48]);
    ((0..count).map(|skin| bytes[84 + skin * 68 + 4]).collect(), messages)
}

/// Quake counts the skins of an MDL (`ent->v.skin`), as Quake II counts those of an MD2.
#[test]
fn skins_of_an_mdl_are_those_that_an_md2_lists() {
    let (red, black) = (tga([0, 0, 255]), tga([0; 3]));
    let converted = |listed: &[&'static str]| {
        let model = Md2 { skins: listed.to_vec(), ..Md2::typical() }.build();
        let files = [("box.md2", model.as_slice()), ("red.tga", &red), ("black.tga", &black), ("x.tga", &black)];
        skins_of_mdl(&files, "box.md2", &[])
    };
    let (skins, messages) = converted(&["red.tga", "gone.tga", "black.tga"]);
    assert_eq!(skins, [251, 251, 0]);
    assert!(messages.contains("skins without an image show that of skin 0: 1"), "{messages}");
    let (skins, messages) = converted(&["gone.tga", "red.tga"]);
    assert_eq!(skins, [251, 251]);
    assert!(messages.contains("skins without an image show that of skin 1: 0"), "{messages}");
    // No listed image exists: the images of the folder are no skins of the model, except the one that it shows.
    assert_eq!(converted(&["gone.tga", "lost.tga"]).0.len(), 1);
    assert_eq!(converted(&["red.tga"]).0, [251]);
}

#[test]
fn skin_of_an_mdl_follows_edits() {
    let (red, black) = (tga([0, 0, 255]), tga([0; 3]));
    let model = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let files = [("box.md3", model.as_slice()), ("red.tga", &red), ("black.tga", &black)];
    let materials = ["--set-material", "0=red", "--set-material", "1=black"];
    assert_eq!(skins_of_mdl(&files, "box.md3", &materials).0, [251]);
    let deleted = [&materials[..], &["--edit", "delete-surfaces surfaces=#0"]].concat();
    assert_eq!(skins_of_mdl(&files, "box.md3", &deleted).0, [0]);
}

#[test]
fn script_becomes_alpha_mode_sides_emissive_and_extras() {
    let folder = tempfile::tempdir().unwrap();
    let skin = folder.path().join("models/box");
    std::fs::create_dir_all(&skin).unwrap();
    std::fs::create_dir_all(folder.path().join("scripts")).unwrap();
    for name in ["a", "glow"] {
        image::RgbaImage::from_pixel(2, 2, image::Rgba([9, 9, 9, 128])).save(skin.join(format!("{name}.png"))).unwrap();
    }
    let script = "models/box/skin\n{\n\tcull none\n\t{\n\t\tmap models/box/a.png\n\t\talphaFunc GE128\n\t}\n\t{\n\t\tmap models/box/glow.png\n\t\tblendFunc add\n\t}\n}\n";
    std::fs::write(folder.path().join("scripts/box.shader"), script).unwrap();
    let (model, out) = (skin.join("box.md3"), folder.path().join("out.glb"));
    std::fs::write(&model, Md3::typical().build()).unwrap();
    assert!(maquette(&["export", text(&model), "-o", text(&out)]).status.success());
    let material = &Gltf::read(&out).json["materials"][0];
    assert_eq!((&material["alphaMode"], &material["alphaCutoff"]), (&"MASK".into(), &0.5.into()));
    assert_eq!(material["doubleSided"], true);
    assert!(!material["emissiveTexture"].is_null());
    assert_eq!(material["extras"]["stored"], "models/box/skin.tga");
    let extras = material["extras"]["script"].as_str().unwrap();
    assert!(extras.starts_with('{') && extras.contains("alphaFunc GE128") && extras.ends_with('}'), "{extras}");
    assert!(maquette(&["export", text(&model), "-o", text(&out), "--unlit"]).status.success());
    let unlit = Gltf::read(&out);
    assert_eq!(unlit.json["extensionsUsed"], serde_json::json!(["KHR_materials_unlit"]));
}

#[test]
fn invalid_export_options_are_usage_errors() {
    let folder = tempfile::tempdir().unwrap();
    let (model, out) = (folder.path().join("box.md3"), folder.path().join("out.glb"));
    std::fs::write(&model, Md3::typical().build()).unwrap();
    let refused = |extra: &[&str], words: &str| {
        let done = maquette(&[&["export", text(&model), "-o", text(&out)], extra].concat());
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{message}");
        assert!(message.contains(words), "{message}");
        assert!(!out.exists(), "nothing was begun");
    };
    refused(&["--animation", "walk"], "unknown clip walk");
    refused(&["--scale", "0"], "above 0");
    refused(&["--lod", "3"], "--lod 3");
}

#[test]
fn export_dialog_options_reach_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut harness = bench(session(Format::Md5, |_| {}), vec2(1280.0, 800.0));
    harness.state_mut().session.apply(Action::Save(SaveAction::SaveModel));
    harness.run();
    let extension = |harness: &Harness<'_, Bench>| harness.state().session.jobs.saving.model.exporter().extension;
    assert_eq!(extension(&harness), "glb", "one file with everything in it");
    click(&mut harness, Role::RadioButton, "Textures: None");
    click(&mut harness, Role::RadioButton, "Units: Game units");
    click(&mut harness, Role::RadioButton, "Content: Current clip");
    let export = |harness: &Harness<'_, Bench>| {
        let job = OutputJob::new(&harness.state().session, OutputKind::Model, &folder.path().join("out")).unwrap();
        assert_eq!(job.existing_file(), None);
        job.make(&mut |_, _| true).unwrap()
    };
    let message = export(&harness);
    assert!(message.starts_with("Exported ") && message.ends_with("out.glb"), "{message}");
    let gltf = Gltf::read(&folder.path().join("out.glb"));
    let playing = harness.state().session.entity().unwrap().clip().name;
    assert_eq!(gltf.animation_names(), [playing.as_str()]);
    assert!(gltf.json["images"].is_null());
    assert_eq!(gltf.json["nodes"][0]["scale"], serde_json::json!([1.0, 1.0, 1.0]));
    // OBJ stores one frame, so there is no choice.
    click(&mut harness, Role::RadioButton, "Format: OBJ");
    assert!(harness.query_by_role_and_label(Role::RadioButton, "Content: Current clip").is_none());
    export(&harness);
    assert!(folder.path().join("out.obj").exists());
    // The extension of another format chooses that format.
    let named = folder.path().join("named.glb");
    OutputJob::new(&harness.state().session, OutputKind::Model, &named).unwrap().make(&mut |_, _| true).unwrap();
    assert_eq!(Gltf::read(&named).animation_names(), [playing.as_str()]);
    // The button waits for the losses.
    assert!(harness.get_by_role_and_label(Role::Button, "Export").accesskit_node().is_disabled());
    let context = harness.ctx.clone();
    harness.state_mut().ui.set_preview(&context, Some(&ExportPreview::default()));
    harness.run();
    let asked = Action::File(FileAction::Ask(FilePrompt::Save(OutputKind::Model)));
    assert_eq!(click(&mut harness, Role::Button, "Export"), [asked]);
}

#[test]
fn listed_models_export_to_folder_without_overwriting() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let models = vec![
        write("a/box.md3", &Md3::typical().build()),
        write("b/box.md3", &Md3::typical().build()),
        write("b/broken.md3", b"IDP3"),
    ];
    let out = folder.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let mut session = Session::default();
    let glb = EXPORTERS.iter().position(|exporter| exporter.extension == "glb").unwrap();
    session.interface.selected_models.extend(models);
    let effect = session.apply(Action::Save(SaveAction::SaveModels(glb)));
    assert!(matches!(effect, Some(Effect::Ask(FilePrompt::Save(OutputKind::Models)))));
    let export = |session: &Session| {
        let job = OutputJob::new(session, OutputKind::Models, &out).unwrap();
        assert_eq!(job.existing_file(), None, "the folder is no file that is replaced");
        job.make(&mut |_, _| true).unwrap()
    };
    let message = export(&session);
    assert!(message.starts_with(&format!("Exported 2 of 3 models to {}; broken.md3: ", out.display())), "{message}");
    export(&session);
    let job = OutputJob::new(&session, OutputKind::Models, &folder.path().join("b")).unwrap();
    let stopped = job.make(&mut |done, _| done == 0).unwrap();
    assert!(stopped.starts_with("Exported 1 of 3 models to ") && stopped.ends_with("; cancelled"), "{stopped}");
    let mut names: Vec<String> =
        std::fs::read_dir(&out).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["box-2.glb", "box-3.glb", "box-4.glb", "box.glb"]);
    Gltf::read(&out.join("box-2.glb"));
}

#[test]
fn recomputed_bounds_of_listed_models_go_to_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    // The boxes in the file do not contain the vertices.
    let bytes = Md3::typical().build();
    std::fs::write(&model, &bytes).unwrap();
    let mut session = Session::default();
    session.interface.selected_models.insert(model.clone());
    let effect = session.apply(Action::Edit(EditAction::OperateSelected(&RECOMPUTE_BOUNDS)));
    assert!(matches!(effect, Some(Effect::Ask(FilePrompt::Save(OutputKind::Models)))));
    let job = OutputJob::new(&session, OutputKind::Models, folder.path()).unwrap();
    let message = job.make(&mut |_, _| true).unwrap();
    assert_eq!(message, format!("Wrote 1 model to {}", folder.path().display()));
    assert_eq!(std::fs::read(&model).unwrap(), bytes, "no file is replaced");
    let written = std::fs::read(folder.path().join("box-2.md3")).unwrap();
    let bounds = |bytes: &[u8]| formats::load(bytes).unwrap().0.frames()[0].bounds.unwrap();
    let highest =
        Md3::typical().frames[0].iter().map(|(corner, _)| f32::from(corner[2]) / 64.0).fold(f32::MIN, f32::max);
    assert_eq!(bounds(&written).max.z, highest);
    assert_ne!(bounds(&bytes).max.z, highest);
}
