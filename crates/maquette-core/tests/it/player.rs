//! Division of a model into the models of a Quake III player.

use std::sync::Arc;

use glam::{Affine3A, Vec2, Vec3};
use maquette_core::convert::{Player, player};
use maquette_core::error::Warnings;
use maquette_core::formats::animation_cfg::{AnimationConfig, BodyPart};
use maquette_core::model::{
    Clip, ClipSource, FloatVertex, Format, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion,
    PackedVertices, Surface, TagFrame, TagTrack, Wrap,
};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_testing::gltf::GltfFile;
use serde_json::json;

/// Corner of the surfaces in model space.
const CORNER: Vec3 = Vec3::new(1.0, 0.0, 12.0);

/// Returns the tags of a frame: the torso turned left by a right angle, the head above it.
fn tags(frame: u8) -> [TagFrame; 2] {
    let tag = |height: u8, axes| TagFrame { origin: Vec3::Z * f32::from(height + frame), axes };
    [tag(10, [Vec3::Y, Vec3::NEG_X, Vec3::Z]), tag(20, [Vec3::X, Vec3::Y, Vec3::Z])]
}

/// Model with one triangle for each part. Frame 0 is the rest pose, then two frames of running and two of standing.
fn undivided(names: &[&str], tag_names: &[&str]) -> Model {
    let clip = |name: &str, first, count| Clip::new(name, first, count, 15.0, ClipSource::AnimationList);
    let vertex = FloatVertex { position: CORNER, normal: Vec3::X };
    let surface = |name: &&str| Surface {
        name: (*name).to_owned(),
        materials: vec!["models/players/x/body".to_owned()],
        triangles: vec![[0, 1, 2]],
        uvs: vec![Vec2::ZERO; 3],
        ..Surface::default()
    };
    let track = |_: &&str| MorphTrack {
        stored: 3,
        frame_count: 5,
        remap: None,
        vertices: PackedVertices::Floats(vec![vertex; 15]),
    };
    Model::new(ModelParts {
        format: Format::Gltf,
        version: None,
        name: String::new(),
        surfaces: names.iter().map(surface).collect(),
        frames: vec![FrameInfo::default(); 5],
        tags: tag_names.iter().map(|name| (*name).to_owned()).collect(),
        clips: vec![clip("BIND", 0, 1), clip("legs_run", 1, 2), clip("TORSO_STAND", 3, 2), clip("dance", 3, 1)],
        alternative_clips: Vec::new(),
        skins: Vec::new(),
        motion: Motion::Morph(MorphMotion {
            surfaces: names.iter().map(track).collect(),
            tags: TagTrack::Axes((0..5).flat_map(|frame| tags(frame).into_iter().take(tag_names.len())).collect()),
        }),
        data: Default::default(),
        details: Vec::new(),
    })
    .unwrap()
}

fn typical() -> Player {
    player(&undivided(&["l_legs", "U_body", "h_head"], &["tag_torso", "tag_head"])).unwrap()
}

fn posed(model: &Model, frame: u32) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose
}

#[test]
fn parts_have_surfaces_tags_and_frames_of_the_game() {
    let [lower, upper, head] = &typical().parts;
    let content = |model: &Model| {
        let names = model.surfaces().iter().map(|surface| surface.name.clone()).collect::<Vec<_>>();
        (names.join(" "), model.tags().join(" "), model.frames().len())
    };
    // One frame of BOTH_ (the rest pose, because there is no such clip) and two of the only clip of each half.
    assert_eq!(content(lower), ("l_legs".to_owned(), "tag_torso".to_owned(), 3));
    assert_eq!(content(upper), ("U_body".to_owned(), "tag_torso tag_head".to_owned(), 3));
    assert_eq!(content(head), ("h_head".to_owned(), "tag_head".to_owned(), 1));
}

#[test]
fn player_parts_are_in_space_of_tags() {
    let [lower, upper, head] = typical().parts;
    assert_eq!(posed(&lower, 1).surfaces[0].positions[0], CORNER);
    // Frame 1 shows frame 3 of the model, whose torso is at height 13. Along the tag's axes, forward is Y and left −X.
    let pose = posed(&upper, 1);
    assert!(pose.surfaces[0].positions[0].distance(Vec3::new(0.0, -1.0, -1.0)) < 1e-5, "{pose:?}");
    assert!(pose.surfaces[0].normals[0].distance(Vec3::NEG_Y) < 1e-5, "{pose:?}");
    assert!(pose.tags[0].abs_diff_eq(Affine3A::IDENTITY, 1e-5));
    assert!(Vec3::from(pose.tags[1].translation).distance(Vec3::Z * 10.0) < 1e-5);
    assert!(posed(&head, 0).surfaces[0].positions[0].distance(Vec3::new(1.0, 0.0, -8.0)) < 1e-5);
}

#[test]
fn animation_list_round_trips_clips_of_both_halves() {
    let found = typical();
    let mut warnings = Warnings::default();
    let list = AnimationConfig::parse(found.animation_config.as_bytes(), &mut warnings);
    let rows = found.animation_config.lines().filter(|line| line.contains("//") && !line.starts_with("//"));
    assert_eq!(rows.count(), 25);
    let clip = |part, name: &str| {
        let clips = list.clips(part, 3, &mut Warnings::default());
        let clip = clips.iter().find(|clip| clip.name == name).unwrap();
        (clip.first, clip.count, clip.frames_per_second)
    };
    assert_eq!(clip(BodyPart::Legs, "LEGS_RUN"), (1, 2, 15.0));
    assert_eq!(clip(BodyPart::Torso, "TORSO_STAND"), (1, 2, 15.0));
    // The game has no idle clip here, so the legs show the only one.
    assert_eq!(clip(BodyPart::Legs, "LEGS_IDLE"), (1, 2, 15.0));
    assert_eq!(clip(BodyPart::Torso, "BOTH_DEAD1"), (0, 1, 15.0));
    assert!(warnings.into_vec().is_empty());
    assert_eq!(found.missing_clips.len(), 23);
    assert_eq!(found.losses.len(), 2, "{:?}", found.losses);
    assert!(found.losses[0].contains("dance") && found.losses[1].contains("tag_weapon"), "{:?}", found.losses);
}

/// Quake III plays an attack once (`bg_pmove.c`, `PM_Weapon`), so that its last frame is shown although it equals the
/// first. A stance blends from its last frame to its first.
#[test]
fn last_frame_of_an_attack_is_kept() {
    let mut parts = undivided(&["l_legs", "u_body", "h_head"], &["tag_torso", "tag_head"]).into_parts();
    let clip = |name: &str| Clip { wrap: Wrap::LastIsFirst, ..Clip::new(name, 1, 3, 15.0, ClipSource::AnimationList) };
    parts.clips = vec![clip("TORSO_ATTACK"), clip("TORSO_STAND")];
    let rows = |parts: &ModelParts| -> Vec<String> {
        let text = player(&Model::new(parts.clone()).unwrap()).unwrap().animation_config;
        let row = |name: &str| text.lines().find(|line| line.ends_with(name)).unwrap().to_owned();
        ["TORSO_ATTACK", "TORSO_STAND"].map(row).into()
    };
    // The last frame differs from the first, as in an animation of Doom 3 that never loops.
    assert_eq!(rows(&parts), ["1\t3\t0\t15\t// TORSO_ATTACK", "1\t3\t3\t15\t// TORSO_STAND"]);
    let Motion::Morph(motion) = &mut parts.motion else { panic!() };
    motion.tags = TagTrack::Axes([0, 1, 2, 1, 4].into_iter().flat_map(tags).collect());
    assert_eq!(rows(&parts), ["1\t3\t0\t15\t// TORSO_ATTACK", "1\t2\t2\t15\t// TORSO_STAND"]);
}

/// Ranges of an animation.cfg share frames: `BOTH_DEAD1` is the last frame of `BOTH_DEATH1`. Other programs store a copy
/// for each clip.
#[test]
fn clips_with_equal_frames_share_them() {
    let mut parts = undivided(&["l_legs", "u_body", "h_head"], &["tag_torso", "tag_head"]).into_parts();
    let clip = |(name, first, count)| Clip::new(name, first, count, 15.0, ClipSource::AnimationList);
    parts.clips = [
        ("BOTH_DEATH1", 0, 2),
        ("BOTH_DEAD1", 2, 1),
        ("TORSO_GESTURE", 3, 1),
        ("TORSO_GETFLAG", 4, 1),
        ("TORSO_PATROL", 0, 1),
    ]
    .map(clip)
    .into();
    let Motion::Morph(motion) = &mut parts.motion else { panic!() };
    motion.tags = TagTrack::Axes([0, 1, 1, 3, 3].into_iter().flat_map(tags).collect());
    let found = player(&Model::new(parts).unwrap()).unwrap();
    let row = |name: &str| found.animation_config.lines().find(|line| line.ends_with(name)).unwrap();
    assert_eq!(row("BOTH_DEATH1"), "0\t2\t0\t15\t// BOTH_DEATH1");
    assert_eq!(row("BOTH_DEAD1"), "1\t1\t0\t15\t// BOTH_DEAD1");
    assert_eq!(found.parts[1].frames().len(), 3);
    // Quake III plays the gesture in place of those of Team Arena, so that an equal one is no loss.
    let lost = found.losses.iter().find(|loss| loss.contains("Team Arena")).unwrap();
    assert!(lost.ends_with(": TORSO_PATROL"), "{lost}");
}

/// Elite Force transforms all bones of a part (`tr_model.c`, `R_LerpTag`; at most 128).
#[test]
fn parts_of_a_skeleton_have_only_their_joints() {
    let mut file = GltfFile::skinned();
    file.json["nodes"][0]["name"] = json!("l_legs");
    for name in ["u_body", "h_head"] {
        let mesh = file.triangle_mesh();
        file.push("nodes", json!({ "name": name, "mesh": mesh }));
    }
    for name in ["tag_torso", "tag_head"] {
        file.push("nodes", json!({ "name": name }));
    }
    file.show(&[0, 1, 4, 5, 6, 7]);
    let model = maquette_core::formats::load(&file.glb()).unwrap().0;
    let Player { parts, .. } = player(&model).unwrap();
    let names = parts.each_ref().map(|part| part.joints().iter().map(|own| own.name.as_str()).collect::<Vec<_>>());
    assert_eq!(names[0], ["root", "arm", "origin"]);
    // The upper body has `tag_hand`, which is on the arm.
    assert_eq!((&names[1], &names[2]), (&vec!["arm", "origin"], &vec!["origin"]));
    assert_eq!(parts[0].joints()[1].parent, Some(0));
}

#[test]
fn nodes_above_a_surface_determine_its_part() {
    let mut parts = undivided(&["shoes", "h_coat", "face", "gun"], &["tag_torso", "tag_head"]).into_parts();
    let places = ["Lower", "upper", "head", "tag_weapon"];
    for (surface, place) in parts.surfaces.iter_mut().zip(places) {
        Arc::make_mut(&mut surface.data).parent = (*place).to_owned();
    }
    Arc::make_mut(&mut parts.surfaces[1].data).skin_material = "models/players/x/red.tga".to_owned();
    let found = player(&Model::new(parts).unwrap()).unwrap();
    let names = found.parts.each_ref().map(|part| part.surfaces()[0].name.as_str());
    assert_eq!(names, ["shoes", "h_coat", "face"]);
    assert_eq!(found.parts[1].surfaces()[0].materials, ["models/players/x/red.tga"]);
    assert!(found.losses.iter().any(|loss| loss.contains("left out: gun")), "{:?}", found.losses);
}

#[test]
fn models_that_cannot_be_divided_name_the_reason() {
    let why = |names: &[&str], tags: &[&str]| player(&undivided(names, tags)).unwrap_err().to_string();
    assert!(why(&["l_legs", "u_body", "hat"], &["tag_torso", "tag_head"]).contains("hat"));
    assert!(why(&["l_legs", "u_body"], &["tag_torso", "tag_head"]).contains("h_"));
    assert!(why(&["l_legs", "u_body", "h_head"], &["tag_torso"]).contains("tag_head"));
}
