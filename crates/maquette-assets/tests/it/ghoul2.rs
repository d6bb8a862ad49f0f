//! GLM models with the skeletons, clips and skins of other files.

use std::path::Path;

use maquette_assets::info::Report;
use maquette_assets::lint::{Profile, rejections};
use maquette_assets::material::{ImageLoading, ResolveContext};
use maquette_assets::open::{Anchor, Assembly, ModelAsset, Opener, Role, open_in};
use maquette_assets::vfs::Vfs;
use maquette_core::convert::{ConvertOptions, to_files};
use maquette_core::formats;
use maquette_core::model::{ClipSource, Format};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_testing::files::TGA;
use maquette_testing::ghoul2_files::{Gla, Glm};
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::Mdr;

const MESH: &str = "models/players/box/model.glm";

/// Opens a mesh with other files of its game.
fn opened(glm: &Glm, others: &[(&str, &[u8])]) -> ModelAsset {
    let bytes = glm.build();
    let own = [(MESH.to_owned(), bytes.clone())];
    let others = others.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec()));
    let vfs = Vfs::in_memory(own.into_iter().chain(others).collect());
    open_in(&vfs, MESH, &bytes, &ResolveContext::new(ImageLoading::LocateOnly)).unwrap()
}

/// Returns the warnings without those about missing images.
fn warnings(asset: &ModelAsset) -> Vec<String> {
    let own = asset.warnings.iter().map(ToString::to_string);
    own.filter(|warning| !warning.starts_with("body: ") && !warning.starts_with("cap: ")).collect()
}

/// Returns name, first frame and number of frames of the clips.
fn clips(asset: &ModelAsset) -> Vec<(&str, u32, u32)> {
    asset.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect()
}

fn report(asset: &ModelAsset) -> serde_json::Value {
    let mut pose = Pose::default();
    sample(&asset.model, &Sampling::default(), &mut pose);
    let report = Report::new(&asset.model, &pose, &asset.warnings, "model.glm");
    serde_json::to_value(report.with_materials(&asset.skins[0].materials)).unwrap()
}

#[test]
fn skeleton_is_found_by_its_game_path() {
    let gla = Gla::typical().build();
    let asset = opened(&Glm::typical(), &[("models/box/box.gla", &gla), ("models/players/box/box.gla", b"broken")]);
    assert_eq!(warnings(&asset), Vec::<String>::new());
    assert_eq!(clips(&asset), [("bind pose", 0, 1), ("box", 1, 3)]);
    assert_eq!(asset.model.joints().len(), 2);
}

#[test]
fn missing_game_skeleton_falls_back_to_mesh_folder() {
    let gla = Gla::typical().build();
    let asset = opened(&Glm::typical(), &[("models/players/box/BOX.gla", &gla)]);
    assert_eq!(warnings(&asset), Vec::<String>::new());
    assert_eq!(clips(&asset), [("bind pose", 0, 1), ("BOX", 1, 3)]);
}

#[test]
fn mesh_without_skeleton_opens_in_bind_pose() {
    let asset = opened(&Glm::typical(), &[]);
    assert_eq!(
        warnings(&asset),
        ["box.gla: the skeleton models/box/box.gla is missing; the model is shown in the bind pose"]
    );
    assert!(asset.model.joints().is_empty());
    let broken = opened(&Glm::typical(), &[("models/box/box.gla", b"2LGA")]);
    assert_eq!(clips(&broken), [("bind pose", 0, 1)]);
    let [message] = &*warnings(&broken) else { panic!("one warning: {:?}", broken.warnings) };
    assert!(message.starts_with("box.gla: skeleton skipped: GLA: version at byte 0x4"), "{message}");
    assert!(message.ends_with("the model is shown in the bind pose"), "{message}");
}

#[test]
fn mesh_that_needs_no_skeleton_opens_without_warning() {
    let asset = opened(&Glm { skeleton: "*default", ..Glm::typical() }, &[]);
    assert_eq!(warnings(&asset), Vec::<String>::new());
}

#[test]
fn clips_are_those_of_the_folder_of_the_skeleton() {
    let gla = Gla::typical().build();
    let config = b"BOTH_STAND1 0 2 0 15\nBOTH_DEATH1 1 2 -1 20\n";
    let files: [(&str, &[u8]); 3] = [
        ("models/box/box.gla", &gla),
        ("models/box/animation.cfg", config),
        ("models/players/box/animation.cfg", b"WRONG 0 1 0 10\n"),
    ];
    let asset = opened(&Glm::typical(), &files);
    assert_eq!(warnings(&asset), Vec::<String>::new());
    // Frames of the skeleton follow the bind pose.
    assert_eq!(clips(&asset), [("bind pose", 0, 1), ("BOTH_STAND1", 1, 2), ("BOTH_DEATH1", 2, 2), ("box", 1, 3)]);
    let death = asset.model.clip("BOTH_DEATH1").unwrap();
    assert_eq!((death.source, death.loops()), (ClipSource::AnimationConfig, false));
    let report = report(&asset);
    let shown: Vec<_> = report["animations"].as_array().unwrap().iter().map(|clip| clip["first"].as_u64()).collect();
    assert_eq!(shown, [Some(0), Some(1), Some(0)], "frames are counted as in the file of the skeleton");
}

#[test]
fn clip_beyond_the_skeleton_ends_with_it() {
    let gla = Gla::typical().build();
    let asset = opened(&Glm::typical(), &[("models/box/box.gla", &gla), ("models/box/animation.cfg", b"A 1 9 0 15\n")]);
    assert_eq!(clips(&asset)[1], ("A", 2, 2));
    assert_eq!(
        warnings(&asset),
        ["animation.cfg: A: the clip has frames 1 to 9, but the model's last frame is 2; the clip ends there"]
    );
}

#[test]
fn reports_list_drawn_surfaces_only() {
    let report = report(&opened(&Glm::typical(), &[]));
    let names = |list: &str| -> Vec<String> {
        report[list].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names("surfaces"), ["body", "body"]);
    assert_eq!(names("tags"), ["*hand"]);
    assert_eq!(names("materials"), ["models/box/skin"]);
    assert_eq!(report["materials"][0]["surfaces"], serde_json::json!([0, 1]));
}

#[test]
fn frames_of_the_skeleton_pose_the_mesh() {
    let gla = Gla::typical().build();
    let asset = opened(&Glm::typical(), &[("models/box/box.gla", &gla)]);
    let mut pose = Pose::default();
    let clip = asset.model.clip("box").unwrap();
    sample(&asset.model, &Sampling::at(FrameBlend::single(clip.first + 1)), &mut pose);
    // Half a turn about (10, 0, 0) moves (14, 0, 0).
    assert!(pose.surfaces[0].positions[1].distance(glam::Vec3::X * 6.0) < 1e-5);
}

#[test]
fn skin_hides_surfaces_and_names_off_surfaces() {
    let skin = b"body,*off\ncap_off,models/box/other\n";
    let asset = opened(
        &Glm { skeleton: "*default", ..Glm::typical() },
        &[("models/players/box/model_red.skin", skin), ("models/box/other.tga", b"")],
    );
    let red = asset.skins.iter().find(|skin| skin.name == "red").unwrap();
    assert!(red.materials[0].hidden);
    assert_eq!((red.materials[1].name.as_str(), red.materials[1].hidden), ("models/box/other", false));
    // The game does not turn on a surface that the model turns off.
    assert!(asset.model.surfaces()[1].hidden);
}

#[test]
fn skin_line_of_disabled_surface_is_ignored() {
    let asset = opened(
        &Glm { skeleton: "*default", ..Glm::typical() },
        &[("models/players/box/model_red.skin", b"body,models/box/other\ncap_off,*off\n")],
    );
    let red = asset.skins.iter().find(|skin| skin.name == "red").unwrap();
    assert_eq!(red.materials[1].name, "models/box/cap");
}

#[test]
fn player_folder_opens_with_weapon_in_hand() {
    let root = tempfile::tempdir().unwrap();
    let put = |path: &str, bytes: &[u8]| {
        let path = root.path().join("base").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let mut body = Glm { skeleton: "*default", ..Glm::typical() };
    put("models/players/kyle/model.glm", &body.build());
    let alone = open_assembly(&root.path().join("base/models/players/kyle"));
    assert_eq!(alone.members.iter().map(|part| part.role).collect::<Vec<_>>(), [Role::Body]);

    body.nodes[2].name = "*r_hand";
    put("models/players/kyle/model.glm", &body.build());
    let weapon = Glm { skeleton: "*default", ..Glm::typical() }.build();
    put("models/weapons2/blaster_r/blaster_w.glm", &weapon);
    put("models/weapons2/saber/saber_w.glm", &weapon);
    put("models/weapons2/saber/saber_other.glm", &weapon);
    for path in ["base/models/players/kyle", "base/models/players/kyle/model.glm"] {
        let whole = open_assembly(&root.path().join(path));
        let parts: Vec<_> = whole.members.iter().map(|part| (part.role, part.asset.name.as_str())).collect();
        assert_eq!(parts, [(Role::Body, "model.glm"), (Role::Weapon, "saber_w.glm")]);
        assert_eq!(whole.members[1].parent, Some((0, Anchor::Tag("*r_hand".to_owned()))));
        let character = whole.character.unwrap();
        assert_eq!((character.name.as_str(), character.weapons.len()), ("kyle", 2));
    }
}

fn open_assembly(path: &Path) -> Assembly {
    Opener::new(Vec::new(), ImageLoading::LocateOnly).assembly(path).unwrap()
}

#[test]
fn switch_file_turns_surfaces_of_its_skin_on_and_off() {
    let plain = b"body,models/box/other\ncap_off,models/box/other\n";
    let asset = opened(
        &Glm::typical(),
        &[
            ("models/players/box/model_bare.skin", plain),
            ("models/players/box/model_bare.surf", b"// parts\nsurfOn cap\nsurfOff \"body\"\nsurfoff other,CAP\n"),
            ("models/players/box/model_full.skin", plain),
            ("models/box/other.tga", b""),
        ],
    );
    let switches = |name: &str| {
        let skin = asset.skins.iter().find(|skin| skin.name == name).unwrap();
        skin.materials.iter().take(2).map(|material| (material.shown, material.hidden)).collect::<Vec<_>>()
    };
    // OpenJK turns all surfaces off before it turns surfaces on.
    assert_eq!(switches("bare"), [(false, true), (true, false)]);
    assert_eq!(switches("full"), [(false, false), (false, false)]);
}

#[test]
fn skins_of_three_parts_are_combined() {
    let asset = opened(
        &Glm::typical(),
        &[
            ("models/players/box/head_a1.skin", b"body,models/box/one\nother,models/box/two\n"),
            ("models/players/box/head_b1.skin", b"body,models/box/three\n"),
            ("models/players/box/lower_a1.skin", b"body,models/box/two\ncap,*off\n"),
            ("models/players/box/torso_a1.skin", b"cap,models/box/two\n"),
            ("models/players/box/torso_b1.skin", b"cap,*off\n"),
            ("models/box/one.tga", b""),
            ("models/box/two.tga", b""),
            ("models/box/three.tga", b""),
        ],
    );
    let skins: Vec<_> = asset.skins.iter().filter(|skin| skin.name.contains('|')).collect();
    let names: Vec<&str> = skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["head_a1|torso_a1|lower_a1", "head_b1|torso_a1|lower_a1", "head_a1|torso_b1|lower_a1"]);
    // OpenJK takes the first line of a surface.
    let paths = |skin: usize| skins[skin].materials.iter().take(2).map(|material| material.name.as_str());
    assert_eq!(paths(0).collect::<Vec<_>>(), ["models/box/one", "models/box/two"]);
    assert_eq!(paths(1).collect::<Vec<_>>(), ["models/box/three", "models/box/two"]);
    assert!(skins[2].materials[1].hidden);
}

#[test]
fn skin_parts_without_one_of_three_are_single_skins() {
    let head = b"body,models/box/one\n";
    let others: &[(&str, &[u8])] =
        &[("models/players/box/head_a1.skin", head), ("models/players/box/torso_a1.skin", head)];
    let asset = opened(&Glm::typical(), others);
    let names: Vec<&str> = asset.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert!(names.contains(&"head_a1") && names.contains(&"torso_a1"), "{names:?}");
}

/// SoF2 SDK `ui_main.c` (`UI_RegisterIdentity`): the first group of a material, its `shader1` before its `texture1`.
/// ModView `skins.cpp`: the skins that name the model, for the materials of the GLM.
#[test]
fn g2skin_assigns_materials_of_the_glm() {
    let skin = br#"prefs // a soldier
        { models { 1 "Model" 2 "other" } surfaces_on { name1 "cap_off" } surfaces_off { name1 "body" } }
        Material { name "models/box/skin" group { name "white" texture1 "models/box/other" Shader1 "models/box/shader" }
            group { name "black" texture1 "models/box/black" } }
        material { name "models/box/cap" group { name "white" texture1 "models/box/other" } }"#;
    let files: [(&str, &[u8]); 5] = [
        ("models/characters/skins/soldier.g2skin", skin),
        (
            "models/characters/skins/thug.g2skin",
            b"prefs { models { 1 \"thug\" } } material { name \"models/box/cap\" }",
        ),
        ("models/objects/skins/crate.g2skin", skin),
        ("shaders/a.shader", b"models/box/shader\n{\n{\nmap models/box/other.tga\n}\n}"),
        ("models/box/other.tga", TGA),
    ];
    let asset = opened(&Glm { skeleton: "*default", ..Glm::typical() }, &files);
    let names: Vec<&str> = asset.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["soldier"]);
    let materials = &asset.skins[0].materials;
    let found: Vec<_> = materials.iter().take(2).map(|material| (material.name.as_str(), material.hidden)).collect();
    assert_eq!(found, [("models/box/shader", true), ("models/box/other", false)]);
    assert_eq!(materials[0].script, Some(("shaders/a.shader".to_owned(), 1)));
    assert_eq!((materials[1].path.as_str(), materials[1].shown), ("models/box/other.tga", true));
}

#[test]
fn written_pair_opens_with_its_clips_and_passes_the_engine_check() {
    let profile = Profile::named("jka").unwrap();
    for (bytes, named) in [(Iqm::typical().build(), &["wave", "hold"][..]), (Mdr::typical().build(), &["frame"])] {
        let (model, _) = formats::load(&bytes).unwrap();
        let path = Some("models/players/y/model");
        let files = to_files(&model, &ConvertOptions { path, ..ConvertOptions::to(Format::Glm) }).unwrap();
        assert_eq!(rejections(&files.model, profile).list, []);
        // In the folder of the game, and in another one, where the skeleton is next to the mesh.
        for folder in ["models/players/y", "models/map_objects"] {
            let path = format!("{folder}/model.glm");
            let mesh = files.main("model").into_owned();
            let companions = files.companions("model", "glm").into_iter();
            let companions = companions.map(|file| (format!("{folder}/{}", file.name), file.bytes));
            let vfs = Vfs::in_memory(companions.chain([(path.clone(), mesh.clone())]).collect());
            let asset = open_in(&vfs, &path, &mesh, &ResolveContext::new(ImageLoading::LocateOnly)).unwrap();
            assert!(!warnings(&asset).iter().any(|warning| warning.contains("skeleton")), "{:?}", asset.warnings);
            assert_eq!(asset.model.joints().len(), files.model.joints().len());
            let of_list = asset.model.clips().iter().filter(|clip| clip.source == ClipSource::AnimationConfig);
            assert_eq!(of_list.map(|clip| clip.name.as_str()).collect::<Vec<_>>(), named);
        }
    }
}
