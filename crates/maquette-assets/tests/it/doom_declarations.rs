//! Doom 3's declarations and rejected materials, compared with dhewm3's `DeclManager.cpp` and `Material.cpp`.

use glam::{Affine3A, Vec3};
use maquette_assets::lint::{LintInput, Profile, Severity, check};
use maquette_assets::material::{ImageLoading, InGame, Kind, Scripts, SurfaceMaterial};
use maquette_assets::open::{ModelAsset, Opener, Role, SkinSource, scan, scan_with_declared};
use maquette_assets::vfs::Vfs;
use maquette_core::convert::{ConvertOptions, to_files};
use maquette_core::error::Warnings;
use maquette_core::model::Format;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use maquette_testing::archives::folder;
use maquette_testing::files::TGA;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

/// Returns the names of materials that a text defines, and the line of each.
fn defined(text: &str) -> Vec<(String, u32)> {
    let bytes: &'static [u8] = text.as_bytes().to_vec().leak();
    let vfs = Vfs::in_memory(vec![("materials/x.mtr".to_owned(), bytes)]);
    let scripts = Scripts::from_vfs(&vfs);
    let lines = scripts.names(Kind::Doom3).map(|name| {
        let line = scripts.find(name, Kind::Doom3, &mut Warnings::default()).map_or(0, |found| found.line);
        (name.to_owned(), line)
    });
    lines.collect()
}

fn names(text: &str) -> Vec<String> {
    defined(text).into_iter().map(|(name, _)| name).collect()
}

/// `DeclManager.cpp`, `LoadAndParse`: a name and a word that is not a bracket are skipped together. A type, a name and
/// such a word are skipped together, too.
#[test]
fn words_without_block_are_skipped_in_pairs() {
    let guide = "guide textures/a generic( textures/b, 1 )\n";
    // The guide has eight words.
    assert_eq!(names(&format!("{guide}textures/c {{ }}")), ["textures/c"]);
    assert_eq!(names(&format!("{guide}material textures/c {{ }}")), ["textures/c"]);
    // An odd word takes the name with it, and the block has no name; but not the type of the material.
    assert_eq!(names("odd\ntextures/c { }\ntextures/d { }"), ["textures/d"]);
    assert_eq!(names("odd\nmaterial textures/c { }"), ["textures/c"]);
    assert_eq!(names("material textures/c odd { }\ntextures/d { }"), ["textures/d"]);
    assert_eq!(names("}\ntextures/c { }\ntextures/d { }"), ["textures/d"]);
    assert_eq!(names("inlineGuide textures/c { }\ntextures/d { }"), ["textures/d"]);
    assert_eq!(names("{ }\ntextures/d { }"), ["textures/d"]);
    // The first definition of a file counts, also after a guide.
    assert_eq!(defined("guide a b(c)\nm { }\nm { }"), [("m".to_owned(), 2)]);
}

/// `DeclManager.cpp` (`Init`) and `Game_local.cpp` (`Init`).
#[test]
fn other_types_define_no_material() {
    let types = "skin sound entityDef mapDef fx particle articulatedFigure pda email video audio model export table";
    for what in types.split(' ') {
        assert_eq!(names(&format!("{what} a {{ }}\nb {{ }}")), ["b"], "{what}");
    }
}

/// `Lexer.cpp`: `ReadName` ends a name at a mark, and `ReadPunctuation` does not know `@`.
#[test]
fn name_without_quotes_ends_at_marks() {
    for mark in ["-", "~", "#", "$"] {
        assert_eq!(names(&format!("models/d/a{mark}b {{ }}")), ["b"]);
        assert_eq!(names(&format!("material models/d/a{mark}b {{ }}")), ["b"]);
        assert_eq!(names(&format!("\"models/d/a{mark}b\" {{ }}\nc {{ }}")), [&format!("models/d/a{mark}b"), "c"]);
    }
    assert_eq!(names("a { }\nb@c { }\nd { }"), ["a"]);
    assert_eq!(names("a { }\nb { map c@d }\ne { }"), ["a", "b"]);
    assert_eq!(names("a { } // b@c\n\"d@e\" { }"), ["a", "d@e"]);
}

fn opened(material: &str) -> ModelAsset {
    let text = format!("models/box/skin\n{{\n{material}\n}}\n");
    let files: [(&str, &[u8]); 4] = [
        ("materials/x.mtr", text.as_bytes()),
        ("models/d/a.tga", TGA),
        ("models/d/a-b.tga", TGA),
        ("models/box/box.md5mesh", MD5_MESH.as_bytes()),
    ];
    let root = folder(&files);
    Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&root.path().join("models/box/box.md5mesh")).unwrap()
}

fn surface(asset: &ModelAsset) -> &SurfaceMaterial {
    &asset.skins[0].materials[0]
}

/// Returns the warnings about directives for Doom 3.
fn rejections(asset: &ModelAsset, engine: &str) -> Vec<String> {
    let findings = check(LintInput::new(asset), Profile::named(engine), None);
    let found = findings.list.into_iter().filter(|finding| finding.rule == "unknown-directive");
    found.inspect(|finding| assert_eq!(finding.severity, Severity::Warning)).map(|finding| finding.message).collect()
}

/// `Material.cpp` (`ParseMaterial`, `ParseStage`, `NameToSrcBlendMode`): `MF_DEFAULTED`.
#[test]
fn unknown_word_gives_default_material() {
    for (inside, why) in [
        ("bumpmapp models/d/a\ndiffusemap models/d/a.tga", "unknown directive “bumpmapp”"),
        ("{\nmap models/d/a.tga\nflicker on\n}", "unknown directive “flicker”"),
        ("{\nblend gl_on, gl_one\nmap models/d/a.tga\n}", "unknown “blend gl_on, gl_one”"),
        ("diffusemap models/d/a-b.tga", "the name “models/d/a-b.tga” has a “-”, but no quotes"),
        ("deform foo\ndiffusemap models/d/a.tga", "unknown “deform foo”"),
        ("{\nmap models/d/a.tga\nrgb nosuch[time]\n}", "unknown table “nosuch”"),
    ] {
        let asset = opened(inside);
        assert_eq!(surface(&asset).in_game, InGame::DefaultTexture, "{inside}");
        assert!(!surface(&asset).path.is_empty(), "{inside}: other lighting shows the image");
        assert_eq!(rejections(&asset, "doom3"), [format!("{why}; Doom 3 rejects the material")]);
        assert_eq!(rejections(&asset, "quake3"), [""; 0]);
    }
    for inside in [
        "diffusemap models/d/a.tga\nsuppressInSubview\nportalSky\nnoFragment",
        "diffusemap \"models/d/a-b.tga\"",
        "{\nblend diffusemap\nmap models/d/a.tga\nignoreDepth\n}",
    ] {
        let asset = opened(inside);
        assert_eq!((surface(&asset).in_game, rejections(&asset, "doom3").len()), (InGame::Whole, 0), "{inside}");
    }
    let foreign = opened("{\nmap models/d/a.tga\ntexGen foo\n}");
    assert_eq!(surface(&foreign).in_game, InGame::DefaultTexture);
    assert_eq!(rejections(&foreign, "doom3"), ["unknown “texGen foo”; Doom 3 rejects the material"]);
    // Words of XreaL are for XreaL, but Doom 3 rejects them.
    let asset = opened("cull none\ndiffusemap models/d/a.tga");
    assert_eq!(surface(&asset).in_game, InGame::Whole);
    assert_eq!(rejections(&asset, "doom3"), ["unknown directive “cull”; Doom 3 rejects the material"]);
}

/// dhewm3 `DeclSkin.cpp` (`Parse`, `RemapShaderBySkin`).
#[test]
fn declared_skins_replace_materials() {
    let skins = "skin other { models/other/skin models/d/a }\n\
                 skin by_material { Models\\Box\\Skin.tga models/d/a }\n\
                 skin by_model { model models/box/BOX.md5mesh * models/d/b models/box/skin models/d/a }\n\
                 skin by_model { model models/box/box.md5mesh * models/d/a }\n\
                 skin hides { models/box/skin textures/common/nodraw }\n\
                 skin of_definition { models/box/skin models/d/b }";
    let files: [(&str, &[u8]); 6] = [
        ("skins/x.skin", skins.as_bytes()),
        ("def/x.def", b"model box { skin of_definition mesh models/box/box.md5mesh anim idle idle.md5anim }"),
        ("models/d/a.tga", TGA),
        ("models/d/b.tga", TGA),
        ("models/box/skin.tga", TGA),
        ("models/box/box.md5mesh", MD5_MESH.as_bytes()),
    ];
    let root = folder(&files);
    let path = root.path().join("models/box/box.md5mesh");
    let asset = Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&path).unwrap();
    let skins = asset.skins.iter().map(|skin| {
        let material = &skin.materials[0];
        (skin.name.as_str(), material.path.as_str(), material.hidden)
    });
    let expected = [
        ("default (from file)", "models/box/skin.tga", false),
        ("of_definition", "models/d/b.tga", false),
        ("by_model", "models/d/b.tga", false),
        ("by_material", "models/d/a.tga", false),
        ("hides", "", true),
    ];
    assert_eq!(skins.collect::<Vec<_>>(), expected);
    assert_eq!(asset.skins[1].source, SkinSource::GameFile("skins/x.skin".to_owned()));
}

/// dhewm3 `DeclEntityDef.cpp` (`Parse`), `Entity.cpp` (`ParseSpawnArgsToRenderEntity`): an entity names a `model`
/// declaration or a mesh, and inherits what it does not set. Its skin takes precedence over that of the `model`.
#[test]
fn entities_are_listed_and_open_with_their_own_look() {
    let definitions = "model imp { skin plain mesh models/box/box.md5mesh anim idle models/box/a.md5anim }\n\
                       model imp_fast { inherit imp anim run models/box/a.md5anim }\n\
                       model gone { mesh models/gone.md5mesh anim idle models/box/a.md5anim }\n\
                       entityDef monster_imp { \"model\" \"imp\" \"health\" \"9\" }\n\
                       entityDef monster_imp_red { \"inherit\" \"monster_imp\" \"skin\" \"red\" }\n\
                       entityDef monster_imp_bare { \"inherit\" \"monster_imp_red\" \"skin\" \"\" }\n\
                       entityDef monster_imp_shy { \"inherit\" \"monster_imp\" }";
    let skins = "skin red { models/box/skin models/d/a }\nskin plain { models/box/skin models/d/b }";
    let files: [(&str, &[u8]); 6] = [
        ("def/x.def", definitions.as_bytes()),
        ("skins/x.skin", skins.as_bytes()),
        ("models/d/a.tga", TGA),
        ("models/d/b.tga", TGA),
        ("models/box/box.md5mesh", MD5_MESH.as_bytes()),
        ("models/box/a.md5anim", MD5_ANIM.as_bytes()),
    ];
    let root = folder(&files);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let listed = scan_with_declared(opener.files(), root.path(), &|| false).models;
    let expected =
        ["imp_fast", "monster_imp", "monster_imp_bare", "monster_imp_red"].map(|name| format!("def/x.def/{name}"));
    let mesh = "models/box/box.md5mesh".to_owned();
    assert_eq!(listed, [&expected[..], &[mesh]].concat().iter().map(|path| root.path().join(path)).collect::<Vec<_>>());
    let opened = |path: &str| {
        let asset = opener.model(&root.path().join(path)).unwrap();
        let clips = asset.model.clips().iter().skip(1).map(|clip| clip.name.clone()).collect::<Vec<_>>();
        (asset.name.clone(), asset.skins[0].name.clone(), clips.join(" "))
    };
    let expect = |name: &str, skin: &str, clips: &str| (name.to_owned(), skin.to_owned(), clips.to_owned());
    assert_eq!(opened(&expected[0]), expect("imp_fast", "plain", "idle run"));
    let imp_fast = opener.model(&root.path().join(&expected[0])).unwrap();
    let files = to_files(&imp_fast.model, &ConvertOptions::to(Format::Md5)).unwrap().companions("x", "md5mesh");
    let names: Vec<_> = files.into_iter().map(|file| file.name).collect();
    assert_eq!(names, ["idle.md5anim", "run.md5anim"], "names of one file are files");
    assert_eq!(opened(&expected[1]), expect("monster_imp", "plain", "idle"));
    assert_eq!(opened(&expected[2]), expect("monster_imp_bare", "plain", "idle"));
    assert_eq!(opened(&expected[3]), expect("monster_imp_red", "red", "idle"));
    assert!(opener.model(&root.path().join("def/x.def/gone")).is_err());
    assert_eq!(scan(opener.files(), root.path(), &|| false).models.len(), 1);
}

/// dhewm3 `Actor.cpp` (`SetupHead`): the head is at the joint, and has the axes of the body when the body is created.
#[test]
fn head_of_entity_is_on_its_joint_with_the_axes_of_the_body() {
    // The joint is turned by 90 degrees about Z in the bind pose.
    let turned = MD5_MESH.replace("0 ( 10 0 0 ) ( 0 0 0 )", "0 ( 10 0 0 ) ( 0 0 0.70710678 )");
    let definitions = "model head { mesh models/head.md5mesh }\nmodel body { mesh models/body.md5mesh }\n\
                       entityDef npc { \"model\" \"body\" \"def_head\" \"head\" \"head_joint\" \"Arm\" }";
    let files: [(&str, &[u8]); 3] = [
        ("def/x.def", definitions.as_bytes()),
        ("models/head.md5mesh", MD5_MESH.as_bytes()),
        ("models/body.md5mesh", turned.as_bytes()),
    ];
    let root = folder(&files);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let assembly = opener.assembly(&root.path().join("def/x.def/npc")).unwrap();
    let [body, head] = &assembly.members[..] else { panic!("{}", assembly.members.len()) };
    assert_eq!((head.asset.name.as_str(), head.role), ("head.md5mesh", Role::Head));
    let (_, anchor) = head.parent.as_ref().unwrap();
    let mut pose = Pose::default();
    sample(&body.asset.model, &Sampling::at(FrameBlend::single(0)), &mut pose);
    let tag = anchor.transform_in(&body.asset.model, &pose.tags, &pose.joints).unwrap();
    assert!(tag.abs_diff_eq(Affine3A::from_translation(Vec3::new(10.0, 0.0, 0.0)), 1e-5), "{tag:?}");
}

/// dhewm3 `Actor.cpp` (`Attach`): the attached entity is at the joint, moved along the axes of the body, and has the axes
/// of the joint, turned by its angles.
#[test]
fn attached_entities_are_on_their_joints() {
    let turned = MD5_MESH.replace("0 ( 10 0 0 ) ( 0 0 0 )", "0 ( 10 0 0 ) ( 0 0 0.70710678 )");
    let definitions = "model gun { mesh models/gun.md5mesh }\nmodel body { mesh models/body.md5mesh }\n\
                       entityDef item { \"model\" \"gun\" \"joint\" \"Arm\" \"angles\" \"0 -90 0\" \"origin\" \"1 2 3\" }\n\
                       entityDef base { \"model\" \"body\" \"def_attach\" \"gone\" \"def_attach2\" \"item\" }\n\
                       entityDef npc { \"inherit\" \"base\" \"skin\" \"plain\" }";
    let files: [(&str, &[u8]); 3] = [
        ("def/x.def", definitions.as_bytes()),
        ("models/gun.md5mesh", MD5_MESH.as_bytes()),
        ("models/body.md5mesh", turned.as_bytes()),
    ];
    let root = folder(&files);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let assembly = opener.assembly(&root.path().join("def/x.def/npc")).unwrap();
    let [body, gun] = &assembly.members[..] else { panic!("{}", assembly.members.len()) };
    assert_eq!((gun.asset.name.as_str(), gun.role), ("gun.md5mesh", Role::Attached));
    let warnings: Vec<String> = body.asset.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|text| text.contains("gone") && text.contains("not declared")), "{warnings:?}");
    let (_, anchor) = gun.parent.as_ref().unwrap();
    let mut pose = Pose::default();
    sample(&body.asset.model, &Sampling::at(FrameBlend::single(0)), &mut pose);
    let tag = anchor.transform_in(&body.asset.model, &pose.tags, &pose.joints).unwrap();
    // The joint is turned by −90 degrees about Z, because w is negative in the file, and the item by further −90.
    let half = glam::Quat::from_rotation_z(std::f32::consts::PI);
    assert!(tag.abs_diff_eq(Affine3A::from_rotation_translation(half, Vec3::new(11.0, 2.0, 3.0)), 1e-5), "{tag:?}");
}
