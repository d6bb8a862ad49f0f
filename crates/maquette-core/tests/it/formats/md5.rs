//! MD5 meshes and animations.

use maquette_core::error::Warnings;
use maquette_core::formats::md5;
use maquette_core::model::{ClipSource, JointChannels, JointFrames, Wrap};

use super::{load, refusal};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

fn channels(joints: JointFrames) -> JointChannels {
    let JointFrames::Channels(channels) = joints else { panic!("an MD5 has channels") };
    channels
}

fn animation(text: &str) -> (Result<(maquette_core::model::Clip, JointChannels, usize), String>, String) {
    let (model, _) = load(MD5_MESH.as_bytes());
    let mut warnings = Warnings::default();
    let result = md5::load_animation(text.as_bytes(), "wave", &model, &mut warnings);
    let result =
        result.map(|(clip, joints, frames)| (clip, channels(joints), frames.len())).map_err(|error| error.to_string());
    (result, warnings.into_vec().iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
}

#[track_caller]
fn mesh_warns(from: &str, to: &str, message: &str) {
    assert!(MD5_MESH.contains(from), "“{from}” is in the mesh");
    assert_eq!(load(MD5_MESH.replacen(from, to, 1).as_bytes()).1, message);
}

#[track_caller]
fn mesh_is_refused(from: &str, to: &str, message: &str) {
    assert!(MD5_MESH.contains(from), "“{from}” is in the mesh");
    assert_eq!(refusal(MD5_MESH.replacen(from, to, 1).as_bytes()), message);
}

#[track_caller]
fn animation_is_refused(from: &str, to: &str, message: &str) {
    assert!(MD5_ANIM.contains(from), "“{from}” is in the animation");
    assert_eq!(animation(&MD5_ANIM.replacen(from, to, 1)).0.unwrap_err(), message);
}

#[track_caller]
fn animation_warns(from: &str, to: &str, message: &str) {
    assert!(MD5_ANIM.contains(from), "“{from}” is in the animation");
    let (result, warnings) = animation(&MD5_ANIM.replacen(from, to, 1));
    assert!(result.is_ok(), "{result:?}");
    assert_eq!(warnings, message);
}

#[test]
fn md5_mesh_has_joints_materials_and_bind_pose() {
    let (model, warnings) = load(MD5_MESH.as_bytes());
    assert_eq!(warnings, "");
    assert_eq!(model.version(), Some(10));
    assert_eq!((model.frames().len(), model.clips()[0].source), (1, ClipSource::BindPose));
    assert_eq!(model.joints()[1].parent, Some(0));
    assert_eq!(model.surfaces()[0].materials, ["models/box/skin"]);
    assert_eq!(model.surfaces()[0].triangles, [[0, 1, 2]]);
}

#[test]
fn md5_mesh_without_meshes_loads() {
    let (model, warnings) = load(b"numJoints 0 numMeshes 0 joints { }");
    assert_eq!((model.surfaces().len(), model.version()), (0, None));
    assert!(warnings.contains("MD5Version: the line is missing; the file is read as version 10"), "{warnings}");
}

#[test]
fn md5_meshes_of_other_exporters_load_with_warnings() {
    mesh_warns("MD5Version 10", "", "MD5Version: the line is missing; the file is read as version 10");
    mesh_warns("commandline \"mesh box\"", "", "commandline: the line is missing");
    mesh_warns("shader \"models/box/skin\"", "", "mesh 0: shader: the line is missing");
    mesh_warns(
        "numMeshes 1",
        "numMeshes 2",
        "numMeshes: the count is 2, but the file has 1; the meshes found are used",
    );
    mesh_warns("numverts 3", "numverts 2", "mesh 0: numverts is 2, but the file has 3; all are used");
    mesh_warns(
        "vert 1",
        "vert 4294967295",
        "mesh 0: 1 index of vert, tri or weight does not match its order; the order in the file is used",
    );
    mesh_warns("tri 0 0 1 2", "tri 0 0 1 3", "mesh 0: 1 triangle names vertices that do not exist; skipped");
    mesh_warns(
        "weight 3 1",
        "weight 3 2",
        "mesh 0: 1 weight names a joint that does not exist; skipped\n\
         mesh 0: 1 vertex has weights that do not sum to 1; they are used as stored",
    );
    mesh_warns(
        "vert 2 ( 0.5 1 ) 2 2",
        "vert 2 ( 0.5 1 ) 2 3",
        "mesh 0: 1 vertex names weights that do not exist; the existing weights are used",
    );
    mesh_warns("vert 0 ( 0 0 ) 0 1", "vert 0 ( 0 0 ) 0 0", "mesh 0: 1 vertex has no weight; it stays at the origin");
    mesh_warns(
        "\"arm\"\t0",
        "\"arm\"\t1",
        "joint 1 “arm”: the parent 1 does not precede the joint; the joint becomes a root",
    );
    mesh_warns(
        "( -8 0 0 )",
        "( -8 nan 0 )",
        "mesh 0: weight 3, line 24: a number is not finite or beyond a billion; replaced by 0",
    );
    mesh_warns(
        "( 10 0 0 )",
        "( 10 1.#INF 0 )",
        "joint 1, line 9: a number is not finite or beyond a billion; replaced by 0",
    );
    mesh_warns("( 10 0 0 ) ( 0 0 0 )", "( 10 0 0 ) ( 1 1 0 )", "joints: 1 orientation is longer than 1; normalised");
    mesh_warns(
        "\"arm\"",
        "\"Origin\"",
        "joints: 1 joint has the name of an earlier joint; animations move only the first joint of each name",
    );
}

#[test]
fn md5_syntax_errors_name_line_and_column() {
    mesh_is_refused(
        "numtris 1",
        "numtriangles 1",
        "MD5: mesh 0 at line 18, column 2: expected “vert”, “tri”, “weight” or “}”, found “numtriangles”",
    );
    mesh_is_refused(
        "( 10 0 0 )",
        "( 10 0 )",
        "MD5: joint 1: position at line 9, column 17: expected a number, found “)”",
    );
    mesh_is_refused(
        "numweights 4",
        "numweights 5",
        "MD5: mesh 0: numweights at line 20, column 13: expected 5, found only 4",
    );
    mesh_is_refused(
        "\"origin\"",
        "\"origin",
        "MD5: joint 0: parent at line 9, column 3: expected a whole number, found “arm”",
    );
    mesh_is_refused(
        "MD5Version 10",
        "MD5Version 6",
        "MD5: MD5Version at line 1, column 12: version 6 (the Doom 3 alpha) is not supported; expected version 10",
    );
    mesh_is_refused(
        "MD5Version 10",
        "MD5Version 11",
        "MD5: MD5Version at line 1, column 12: version 11 (Enemy Territory: Quake Wars) is not supported; expected version 10",
    );
    mesh_is_refused(
        "numJoints 2",
        "",
        "MD5: numJoints at line 26, column 1: expected “numJoints”, found the end of the file",
    );
}

#[test]
fn md5_cameras_and_animations_are_rejected_as_models() {
    assert_eq!(refusal(MD5_ANIM.as_bytes()), "this is an MD5 animation without its mesh; open the .md5mesh instead");
    let camera = "MD5Version 10\ncommandline \"\"\nnumFrames 1\nframeRate 24\nnumCuts 0\ncuts {\n}\ncamera {\n}\n";
    assert!(!md5::looks_like_animation(camera.as_bytes()));
    let message = refusal(camera.as_bytes());
    assert!(message.contains("camera"), "{message}");
}

#[test]
fn md5_files_are_recognised_by_grammar() {
    for mesh in
        [MD5_MESH, "// by hand\nnumJoints 1 numMeshes 0", "commandline \"x\" numJoints 1 numMeshes 1", "joints {"]
    {
        assert!(md5::looks_like_mesh(mesh.as_bytes()) && !md5::looks_like_animation(mesh.as_bytes()), "{mesh}");
    }
    for animation in [MD5_ANIM, "numFrames 3 numJoints 2", "commandline \"\" numFrames 1 numJoints 1"] {
        assert!(!md5::looks_like_mesh(animation.as_bytes()) && md5::looks_like_animation(animation.as_bytes()));
    }
    for other in [&b"mesh"[..], b"joints", b"", b"\0\0\0\0", b"numJoints", b"commandline", b"\"unclosed", b"/*"] {
        assert!(!md5::looks_like_mesh(other) && !md5::looks_like_animation(other), "{other:?}");
    }
}

#[test]
fn md5_animation_clip_ends_on_its_first_frame() {
    let (result, warnings) = animation(MD5_ANIM);
    let (clip, channels, frames) = result.unwrap();
    assert_eq!(warnings, "");
    assert_eq!((clip.name.as_str(), clip.count, clip.wrap, frames), ("wave", 3, Wrap::LastIsFirst, 3));
    assert!((clip.frames_per_second - 30.0).abs() < 1e-6);
    assert_eq!(channels.joint_of_mesh, [Some(0), Some(1)], "names are compared in any case");
}

#[test]
fn md5_animation_deviations_load_with_warnings() {
    animation_warns("frameRate 30", "frameRate 0", "frameRate: the rate is 0; 24 is used");
    animation_warns("\t( -3 -3 -3 ) ( 3 3 3 )\n", "", "bounds: found 2 bounds for 3 frames; they are used in order");
    animation_warns(
        "\"Arm\"",
        "\"leg\"",
        "hierarchy: the animation has no joint “arm”; those joints keep the bind pose\n\
         hierarchy: the animation moves joint “leg”, which the mesh does not have; skipped",
    );
    animation_warns("32 1", "96 1", "hierarchy: 1 joint has unknown flags, which are ignored");
    animation_warns(
        "32 1",
        "36 1",
        "hierarchy: 1 joint uses numbers beyond the end of a frame; its base frame is used",
    );
    animation_warns(
        "1 -0.70710678",
        "1 -0.70710678 5",
        "frames: the frames have 1 more number than announced; skipped",
    );
}

#[test]
fn md5_last_frame_of_each_number_wins() {
    let swapped = MD5_ANIM.replace("frame 0", "frame x").replace("frame 2", "frame 0").replace("frame x", "frame 2");
    let (result, warnings) = animation(&swapped);
    assert_eq!(result.unwrap().1.components[..2], [2.0, -1.0]);
    assert_eq!(warnings, "frames: the frames are not in order; their numbers are used");
    let repeated = format!("{MD5_ANIM}\nframe 1 {{ 7 0 }}\n");
    let (result, warnings) = animation(&repeated);
    assert_eq!(result.unwrap().1.components[2..4], [7.0, 0.0]);
    assert_eq!(warnings, "frames: 1 frame is repeated or beyond numFrames; the last frame of each number is used");
}

#[test]
fn md5_animation_ends_after_its_last_frame() {
    // Doom 3 reads `numFrames` frames and no further. The end of a longer old file follows in files of Tomatenquark.
    let (result, warnings) = animation(&format!("{MD5_ANIM}\n0.189587 0.981864\n}}\n\n11 5.097563\n}}\n"));
    assert_eq!(result.unwrap().2, 3);
    assert_eq!(warnings, "frame: the text after the last frame is skipped, from line 36");
    // Before the last frame, such text is an error.
    let (result, _) = animation(&MD5_ANIM.replace("frame 2", "0.189587 }\nframe 2"));
    assert!(result.unwrap_err().starts_with("MD5: line 32, column 1: expected “hierarchy”"));
}

#[test]
fn md5_animation_errors_name_line_and_column() {
    animation_is_refused(
        "frame 2",
        "frame 3",
        "MD5: numFrames at line 3, column 11: 3 frames are announced, but frame 2 is missing",
    );
    animation_is_refused("2 -1", "2", "MD5: frame 2 at line 34, column 2: expected 2 numbers, found only 1");
    animation_is_refused("numJoints 2", "numJoints 3", "MD5: numJoints at line 4, column 11: expected 3, found only 2");
    let foreign = MD5_ANIM.replace("\"origin\"", "\"hip\"").replace("\"Arm\"", "\"leg\"");
    let message = "MD5: hierarchy at line 4, column 11: no joint of the animation matches a joint of the mesh; it belongs to another model";
    assert_eq!(animation(&foreign).0.unwrap_err(), message);
    assert_eq!(animation(MD5_MESH).0.unwrap_err(), "MD5: line 5, column 1: this is an MD5 mesh, not an animation");
}
