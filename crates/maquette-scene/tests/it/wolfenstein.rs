//! Characters of Return to Castle Wolfenstein and Enemy Territory, and the separate playback of their torsos.

use std::fs;
use std::path::{Path, PathBuf};

use glam::{Affine3A, Vec3};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Assembly, Opener, Role};
use maquette_scene::scene::{ClipChoice, Entity, TrackId};
use maquette_scene::session::{Action, ClockAction, FileAction, Session};

use crate::support::loading;

use maquette_testing::files::Mdc;
use maquette_testing::player::{md3, straight};
use maquette_testing::wolfenstein_files::Wolf;

const WOLFANIM: &str = "version 3\nskeletal\nSTARTANIMS\nidle 0 2 2 10 0 100\nturned 1 1 0 10 0 100\nENDANIMS\n";
const GROUP: &str = "animgroup { animfile \"animations/body.mdx\" { #include \"animations/body.aninc\" } }";
const ROWS: &str = "idle 0 2 2 10 0 100 0\nturned 1 1 0 10 0 100 0\n";
const CHARACTER: &str = "characterDef { skin \"gray\" mesh \"models/players/test/body.mdm\" \
                         animationgroup \"animations/test.anim\" hudhead \"models/players/hud/head.md3\" \
                         hudheadskin \"models/players/hud/gray.skin\" }";

fn wolf() -> Wolf {
    let axes = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    Wolf {
        tags: vec![("tag_head", 3), ("tag_ubelt", 1)],
        mdm_tags: vec![("tag_head", axes, 3, [0.0; 3])],
        ..Wolf::typical()
    }
}

fn write(root: &Path, files: &[(&str, &[u8])]) {
    for (path, bytes) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Writes a character of Return to Castle Wolfenstein, and returns its folder.
fn rtcw(root: &Path) -> PathBuf {
    let skin = b"u_body,models/players/test/body.tga\nmd3_belt,models/players/test/belt.md3\n";
    write(
        root,
        &[
            ("models/players/test/body.mds", &wolf().mds()),
            ("models/players/test/wolfanim.cfg", WOLFANIM.as_bytes()),
            ("models/players/test/head.mdc", &Mdc::typical().build()),
            ("models/players/test/belt.md3", &md3(1, &[])),
            ("models/players/test/body_default.skin", skin),
            ("models/players/test/body_red.skin", b"u_body,models/players/test/red.tga\n"),
            ("models/players/test/head_default.skin", b"head,models/players/test/head.tga\n"),
            ("models/players/test/head_red.skin", b"head,models/players/test/head.tga\n"),
        ],
    );
    root.join("models/players/test")
}

/// Writes a character of Enemy Territory, and returns its mesh.
fn enemy_territory(root: &Path) -> PathBuf {
    write(
        root,
        &[
            ("models/players/test/body.mdm", &wolf().mdm()),
            ("models/players/test/body_default.skin", b"u_body,models/players/test/body.tga\n"),
            ("models/players/test/body_gray.skin", b"u_body,models/players/test/gray.tga\n"),
            ("models/players/hud/head.md3", &md3(1, &[("tag_mouth", straight([0.0; 3]))])),
            ("models/players/hud/gray.skin", b"u_torso,models/players/hud/head.tga\n"),
            ("animations/body.mdx", &wolf().mdx()),
            ("animations/test.anim", GROUP.as_bytes()),
            ("animations/body.aninc", ROWS.as_bytes()),
            ("characters/temperate/test.char", CHARACTER.as_bytes()),
        ],
    );
    root.join("models/players/test/body.mdm")
}

fn assembly(path: &Path) -> Assembly {
    Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(path).unwrap()
}

fn showing(path: &Path) -> Session {
    let mut session = Session::default();
    session.show(assembly(path));
    session
}

fn roles(session: &Session) -> Vec<(Role, &str)> {
    session.document.scene.entities().iter().map(|entity| (entity.role, entity.skin_name())).collect()
}

fn body(session: &Session) -> &Entity {
    session.document.scene.with_role(Role::Body).unwrap()
}

fn act(session: &mut Session, action: ClockAction) {
    session.apply(Action::Clock(action));
    session.refresh();
}

fn track(session: &Session, is_torso: bool) -> TrackId {
    TrackId { entity: body(session).id, is_torso }
}

fn clip_of(session: &Session, name: &str) -> ClipChoice {
    ClipChoice::Clip(body(session).model().clips().iter().position(|clip| clip.name == name).unwrap())
}

#[track_caller]
fn assert_at(transform: Affine3A, origin: [f32; 3], forward: [f32; 3]) {
    let near = |actual: Vec3, expected: [f32; 3]| (actual - Vec3::from_array(expected)).length() < 1e-4;
    assert!(near(transform.translation.into(), origin), "{transform:?}");
    assert!(near(transform.matrix3.x_axis.into(), forward), "{transform:?}");
}

#[test]
fn folder_opens_rtcw_character_with_head_and_accessories() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = showing(&rtcw(folder.path()));
    assert_eq!(roles(&session), [(Role::Body, "default"), (Role::Head, "default"), (Role::Accessory, "default")]);
    let choice = clip_of(&session, "turned");
    let legs = track(&session, false);
    act(&mut session, ClockAction::ChooseClipOf(legs, choice));
    let scene = &session.document.scene;
    // The rows of the tag's bone are its axes.
    assert_at(scene.with_role(Role::Head).unwrap().world_from_model, [3.0, 12.0, 1.0], [0.0, 1.0, 0.0]);
    assert_at(scene.with_role(Role::Accessory).unwrap().world_from_model, [1.0, 12.0, 5.0], [0.0, 1.0, 0.0]);
}

#[test]
fn body_alone_opens_without_its_character() {
    let folder = tempfile::tempdir().unwrap();
    let body = rtcw(folder.path()).join("body.mds");
    assert_eq!(assembly(&body).members.len(), 3);
    let single = Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&body).unwrap();
    let names: Vec<&str> = single.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["idle", "turned"]);
    assert!(single.of_character);
    assert_eq!(single.skins[0].name, "default");
}

#[test]
fn definition_of_et_character_names_animations_skins_and_head() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = enemy_territory(folder.path());
    let definition = folder.path().join("characters/temperate/test.char");
    for path in [mesh.as_path(), mesh.parent().unwrap(), &definition] {
        let mut session = showing(path);
        assert_eq!(roles(&session), [(Role::Body, "gray"), (Role::Head, "gray")]);
        let clips: Vec<(&str, u32, u32)> =
            body(&session).model().clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
        assert_eq!(clips, [("body", 0, 2), ("idle", 0, 2), ("turned", 1, 1)]);
        let choice = clip_of(&session, "turned");
        let legs = track(&session, false);
        act(&mut session, ClockAction::ChooseClipOf(legs, choice));
        // The bone turns the tag's forward axis Y to X.
        let head = session.document.scene.with_role(Role::Head).unwrap();
        assert_at(head.world_from_model, [3.0, 12.0, 1.0], [1.0, 0.0, 0.0]);
    }
}

#[test]
fn mesh_without_skeleton_opens_with_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &[("body.mdm", &wolf().mdm())]);
    let opened = assembly(&folder.path().join("body.mdm"));
    let warnings: Vec<String> = opened.members[0].asset.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("no skeleton (.mdx) was found")), "{warnings:?}");
    assert_eq!(opened.members[0].asset.model.tags(), ["tag_head"]);
}

#[test]
fn skeletons_in_the_folder_serve_a_mesh_without_character() {
    let folder = tempfile::tempdir().unwrap();
    let mut other = wolf();
    other.bones.truncate(1);
    other.frames.iter_mut().for_each(|(_, angles)| angles.truncate(1));
    write(
        folder.path(),
        &[("body.mdm", &wolf().mdm()), ("a.mdx", &wolf().mdx()), ("b.mdx", &other.mdx()), ("c.mdx", &wolf().mdx())],
    );
    let opened = assembly(&folder.path().join("body.mdm"));
    let asset = &opened.members[0].asset;
    let clips: Vec<&str> = asset.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clips, ["a", "c"]);
    let warning = asset.warnings.iter().find(|warning| warning.about == "b.mdx").unwrap();
    assert!(warning.to_string().contains("the file has 1 bones, but the model’s skeleton has 4"), "{warning}");
}

#[test]
fn torso_and_legs_have_tracks_of_their_own() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = showing(&rtcw(folder.path()));
    let labels: Vec<String> = session.document.tracks().iter().map(|track| track.label(true).to_owned()).collect();
    assert_eq!(labels[..2], ["Torso", "Legs"]);
    let (torso, legs) = (track(&session, true), track(&session, false));
    let (idle, turned) = (clip_of(&session, "idle"), clip_of(&session, "turned"));
    act(&mut session, ClockAction::ChooseClipOf(legs, idle));
    act(&mut session, ClockAction::SetPaired(false));
    act(&mut session, ClockAction::ChooseClipOf(torso, turned));
    let shown: Vec<String> = session.document.tracks().iter().map(|track| track.clip().name).collect();
    assert_eq!(shown[..2], ["turned", "idle"]);
    assert_eq!(session.document.led_track().unwrap().id, torso);
    act(&mut session, ClockAction::ClipStart);
    act(&mut session, ClockAction::SeekIn(legs, 0.0));
    // Half of the turn of the spine, which has vertices and so the axes of its bone, and all of that of the arm.
    let half = 0.5_f32.sqrt();
    let joints = &body(&session).pose.joints;
    assert_at(joints[1], [1.0 + 10.0 * half, 2.0 + 10.0 * half, 3.0], [half, -half, 0.0]);
    assert_at(joints[2], [1.0 + 10.0 * half, 2.0 + 10.0 * half, -1.0], [0.0, -1.0, 0.0]);
    // A linked torso shows the legs' frames again.
    act(&mut session, ClockAction::SetPaired(true));
    assert_at(body(&session).pose.joints[2], [15.0, 2.0, 3.0], [1.0, 0.0, 0.0]);
}

#[test]
fn linked_torso_and_legs_play_one_clip() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = showing(&rtcw(folder.path()));
    let (torso, turned) = (track(&session, true), clip_of(&session, "turned"));
    act(&mut session, ClockAction::ChooseClipOf(torso, turned));
    assert_eq!(body(&session).clip().name, "turned");
    assert!(body(&session).torso.is_none());
}

#[test]
fn separate_torso_advances_with_its_own_rate() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = showing(&rtcw(folder.path()));
    let (torso, legs, idle) = (track(&session, true), track(&session, false), clip_of(&session, "idle"));
    act(&mut session, ClockAction::ChooseClipOf(legs, idle));
    act(&mut session, ClockAction::SetPaired(false));
    act(&mut session, ClockAction::SeekIn(torso, 0.0));
    act(&mut session, ClockAction::SetRate(Some(2.0)));
    act(&mut session, ClockAction::SeekIn(legs, 0.0));
    act(&mut session, ClockAction::TogglePlay);
    session.advance(0.05);
    let positions: Vec<f64> = session.document.tracks().iter().map(|track| track.playback.position).collect();
    assert!((positions[0] - 0.1).abs() < 1e-9 && (positions[1] - 0.5).abs() < 1e-9, "{positions:?}");
}

#[test]
fn bounds_over_clips_contain_separate_torso() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = showing(&rtcw(folder.path()));
    let (torso, legs) = (track(&session, true), track(&session, false));
    let (idle, turned) = (clip_of(&session, "idle"), clip_of(&session, "turned"));
    act(&mut session, ClockAction::ChooseClipOf(legs, turned));
    act(&mut session, ClockAction::SetPaired(false));
    act(&mut session, ClockAction::ChooseClipOf(torso, idle));
    act(&mut session, ClockAction::SeekIn(torso, 0.0));
    // The legs have the only frame of their clip, but the torso is straight.
    let shown = body(&session).pose.bounds;
    let bounds = session.document.scene.extent().bounds;
    assert!(
        bounds.min.cmple(shown.min + 1e-4).all() && bounds.max.cmpge(shown.max - 1e-4).all(),
        "{bounds:?} {shown:?}"
    );
}

#[test]
fn reload_keeps_the_skin_that_the_character_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::default();
    session.show(assembly(&enemy_territory(folder.path())));
    let skins = |session: &Session| {
        let entities = session.document.scene.entities().iter();
        entities.map(|entity| (entity.skin_name().to_owned(), entity.asset.skins.len())).collect::<Vec<_>>()
    };
    let before = skins(&session);
    assert!(before.iter().any(|(name, _)| name == "gray"), "{before:?}");
    loading::act(&mut session, Action::File(FileAction::Reload));
    assert_eq!(skins(&session), before);
}
