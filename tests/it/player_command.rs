//! `maquette convert --player`: a manikin from Blender becomes a character of Quake III.

use std::path::Path;

use glam::Vec3;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{LoadedModel, OpenOptions, Opener};
use maquette_core::bytes::LoadOptions;
use maquette_core::model::{ClipSource, Model};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use maquette_testing::gltf::GltfFile;
use maquette_testing::player;
use serde_json::json;

use crate::support::command::maquette;

fn manikin() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/extras/blender/manikin.glb"))
}

/// Loads a model; a glTF at the rate that `convert` uses for MD3.
fn load(path: &Path) -> LoadedModel {
    let load = LoadOptions { usual_rate: Some(15.0), ..LoadOptions::default() };
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    opener.with(OpenOptions { load, ..OpenOptions::default() }).load(path).unwrap()
}

/// Returns the pose of a step of a clip.
fn posed(loaded: &LoadedModel, clip: &str, step: u32) -> Pose {
    let clip = loaded.model.clips().iter().find(|own| own.name.eq_ignore_ascii_case(clip)).unwrap();
    let mut pose = Pose::default();
    sample(&loaded.model, &Sampling::at(FrameBlend::single(clip.first + step)), &mut pose);
    pose
}

#[test]
fn manikin_becomes_a_player_that_moves_like_it() {
    let folder = tempfile::tempdir().unwrap();
    let player = folder.path().join("models/players/manikin");
    let at = |name: &str| player.join(name);
    let arguments = ["convert", manikin().to_str().unwrap(), "--player", "--textures", "-o", player.to_str().unwrap()];
    let done = maquette(&arguments);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{message}");
    assert!(message.contains("TORSO_GESTURE") && !message.contains("LEGS_RUN"), "missing clips: {message}");
    assert!(std::fs::read_to_string(at("upper_default.skin")).unwrap().contains("u_torso,models/players/manikin/body"));

    assert!(std::fs::metadata(at("body.tga")).unwrap().len() > 1000);

    // Attached to tag_torso of the legs, the upper body is where it is in the manikin.
    let [source, lower, upper] = [manikin().to_path_buf(), at("lower.md3"), at("upper.md3")].map(|path| load(&path));
    for (clip, step) in [("BOTH_DEATH1", 0), ("BOTH_DEATH1", 5)] {
        let [wanted, legs, torso] = [&source, &lower, &upper].map(|loaded| posed(loaded, clip, step));
        let tag = lower.model.tags().iter().position(|tag| tag == "tag_torso").unwrap();
        let surface = |loaded: &LoadedModel, name: &str| {
            loaded.model.surfaces().iter().position(|surface| surface.name == name).unwrap()
        };
        let positions =
            |loaded: &LoadedModel, pose: &Pose, name: &str| pose.surfaces[surface(loaded, name)].positions.clone();
        for (own, wanted) in positions(&lower, &legs, "l_legs").iter().zip(positions(&source, &wanted, "l_legs")) {
            assert!(own.distance(wanted) < 0.02, "{own} {wanted}");
        }
        for (own, wanted) in positions(&upper, &torso, "u_torso").iter().zip(positions(&source, &wanted, "u_torso")) {
            let placed: Vec3 = legs.tags[tag].transform_point3(*own);
            // An MD3 stores 1/64 unit, twice.
            assert!(placed.distance(wanted) < 0.03, "{placed} {wanted}");
        }
    }

    let checked = maquette(&["check", "--profile", "quake3", player.to_str().unwrap()]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let again = maquette(&arguments);
    assert!(!again.status.success(), "existing files are kept");
    assert!(String::from_utf8_lossy(&again.stderr).contains("--overwrite"));
    let list = std::fs::read_to_string(at("animation.cfg")).unwrap();
    std::fs::write(at("animation.cfg"), list.replace("sex\tm\n", "sex f\nfootsteps mech\n")).unwrap();
    assert!(maquette(&[&arguments[..], &["--overwrite"]].concat()).status.success());
    let replaced = std::fs::read_to_string(at("animation.cfg")).unwrap();
    assert_eq!(replaced, list.replace("sex\tm\n", "sex f\nfootsteps mech\n"), "lines about the player are kept");
    // Anything but a file is refused before it is read.
    std::fs::remove_file(at("animation.cfg")).unwrap();
    std::fs::create_dir(at("animation.cfg")).unwrap();
    let refused = maquette(&[&arguments[..], &["--overwrite"]].concat());
    let message = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && message.contains("animation.cfg: "), "{message}");
}

/// An imported character holds a weapon, which is a model of its own.
#[test]
fn textures_of_the_weapon_are_not_written() {
    let mut file = GltfFile::empty();
    let mut roots = Vec::new();
    for (name, material) in [("l_legs", "body"), ("u_body", "body"), ("h_head", "body"), ("gun", "gun")] {
        let mesh = file.triangle_mesh();
        let colour = json!({ "name": material, "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } });
        file.json["meshes"][mesh]["primitives"][0]["material"] = json!(file.push("materials", colour));
        roots.push(file.push("nodes", json!({ "name": name, "mesh": mesh })));
    }
    let gun = roots.pop().unwrap();
    for name in ["tag_torso", "tag_head"] {
        roots.push(file.push("nodes", json!({ "name": name })));
    }
    roots.push(file.push("nodes", json!({ "name": "tag_weapon", "children": [gun] })));
    file.show(&roots);
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("player.glb");
    std::fs::write(&source, file.glb()).unwrap();
    let player = folder.path().join("player");
    let done =
        maquette(&["convert", source.to_str().unwrap(), "--player", "--textures", "-o", player.to_str().unwrap()]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success() && message.contains("left out: gun"), "{message}");
    assert!(player.join("body.tga").is_file() && !player.join("gun.tga").exists());
}

/// Elite Force loads the legs and the upper body as MDR, and the head as MD3.
#[test]
fn mdr_player_moves_like_the_manikin() {
    let folder = tempfile::tempdir().unwrap();
    let player = folder.path().join("models/players2/manikin");
    let at = |name: &str| player.join(name);
    let done = maquette(&["convert", manikin().to_str().unwrap(), "--player", "--mdr", "-o", player.to_str().unwrap()]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    assert!(at("head.md3").exists() && !at("lower.md3").exists());
    let [source, lower, upper] = [manikin().to_path_buf(), at("lower.mdr"), at("upper.mdr")].map(|path| load(&path));
    for clip in ["BOTH_DEATH1", "BOTH_DEAD1"] {
        let step = if clip == "BOTH_DEAD1" { 0 } else { 7 };
        let from = if clip == "BOTH_DEAD1" { ("BOTH_DEATH1", last_step(&source, "BOTH_DEATH1")) } else { (clip, step) };
        let wanted = posed(&source, from.0, from.1);
        let (legs, torso) = (posed(&lower, clip, step), posed(&upper, clip, step));
        let tag = lower.model.tags().iter().position(|tag| tag == "tag_torso").unwrap();
        for (part, pose, name, limit) in [(&lower, &legs, "l_legs", 0.03), (&upper, &torso, "u_torso", 0.06)] {
            let surface =
                |loaded: &LoadedModel| loaded.model.surfaces().iter().position(|surface| surface.name == name).unwrap();
            let placed = |position: &Vec3| {
                if name == "u_torso" { legs.tags[tag].transform_point3(*position) } else { *position }
            };
            let wanted = &wanted.surfaces[surface(&source)].positions;
            for (own, wanted) in pose.surfaces[surface(part)].positions.iter().zip(wanted) {
                assert!(placed(own).distance(*wanted) < limit, "{name} of {clip}: {} {wanted}", placed(own));
            }
        }
    }
    let checked = maquette(&["check", "--profile", "elite-force", player.to_str().unwrap()]);
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
    let whole = maquette(&["info", player.to_str().unwrap(), "--character"]);
    let text = String::from_utf8_lossy(&whole.stdout).into_owned();
    assert!(text.contains("lower.mdr") && text.contains("upper.mdr") && text.contains("head.md3"), "{text}");
}

fn last_step(loaded: &LoadedModel, clip: &str) -> u32 {
    loaded.model.clips().iter().find(|own| own.name.eq_ignore_ascii_case(clip)).unwrap().count - 1
}

#[test]
fn exported_player_becomes_the_same_player() {
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let source = folder.path().join("models/players/box");
    let (glb, output) = (folder.path().join("box.glb"), folder.path().join("again"));
    let text = |path: &Path| path.to_str().unwrap().to_owned();
    let exported = maquette(&["export", "--character", &text(&source), "-o", &text(&glb)]);
    assert!(exported.status.success(), "{}", String::from_utf8_lossy(&exported.stderr));
    let done = maquette(&["convert", &text(&glb), "--player", "-o", &text(&output)]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{message}");
    assert!(message.contains("attached to tags are left out"), "the machinegun: {message}");
    for part in ["lower.md3", "upper.md3"] {
        let [wanted, own] = [&source, &output].map(|folder| load(&folder.join(part)).model);
        let clips = |model: &Model| {
            let clips = model.clips().iter().filter(|clip| clip.source == ClipSource::AnimationConfig);
            clips
                .map(|clip| (clip.name.clone(), clip.count, clip.frames_per_second, clip.loop_frames))
                .collect::<Vec<_>>()
        };
        assert_eq!(clips(&own), clips(&wanted), "{part}");
        assert_eq!(own.surfaces()[0].name, wanted.surfaces()[0].name);
    }
}

#[test]
fn edits_and_players_exclude_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("player");
    let (model, output) = (manikin().to_str().unwrap(), output.to_str().unwrap());
    for edit in [["--remove-tag", "tag_head"], ["--rename-surface", "h_head=head"], ["--animation", "LEGS_RUN"]] {
        let done = maquette(&["convert", model, "--player", "-o", output, edit[0], edit[1]]);
        assert_eq!(done.status.code(), Some(2), "{edit:?}");
    }
    assert!(!folder.path().join("player").exists());
}
