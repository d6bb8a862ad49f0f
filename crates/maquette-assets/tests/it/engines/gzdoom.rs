//! Tests of GZDoom.

use super::*;
use maquette_assets::engines::Profile;
use maquette_testing::iqm::{Iqm, IqmMesh};

#[test]
fn gzdoom_definition_places_the_model() {
    // From GZDoom's `RenderModel`: the angles first, then the scale, then the offset in unscaled units.
    let cases = [
        ("Offset 10 0 5 Scale 2 2 3 AngleOffset 90", Vec3::X, Vec3::new(10.0, 2.0, 5.0)),
        ("PitchOffset 90 ZOffset 4", Vec3::X, Vec3::new(0.0, 0.0, 5.0)),
        ("RollOffset 90", Vec3::Y, Vec3::Z),
        ("Scale 0 1 1", Vec3::X, Vec3::X),
    ];
    let body = Md2::typical().build();
    for (settings, point, wanted) in cases {
        let text = format!("Model A {{ {settings} Model 0 \"tris.md2\" Skin 0 \"wood.png\" FrameIndex CRAT A 0 0 }}");
        let files: [(&str, &[u8]); 3] = [("MODELDEF", text.as_bytes()), ("tris.md2", &body), ("wood.png", &[])];
        let part = open(&vfs_of(&files), "tris.md2");
        let placed = part.skins[0].placement.transform_point3(point);
        assert!(placed.abs_diff_eq(wanted, 1e-5), "{settings}: {placed}");
    }
}

#[test]
fn gzdoom_definitions_give_skins_and_clips() {
    let body = Md2::typical().build();
    let text = "Model Plain {\n Path \"MODELS\\Box\"\n Model 0 \"tris.md2\" Skin 0 \"wood\"\n FrameIndex CRAT A 0 0\n FrameIndex CRAT B 0 1\n\
        Skin 0 \"gold.png\" Scale -2 2 2 ROTATING\n Frame GOLD A 0 \"STAND02\" }\n#include \"more/extra.def\"\n";
    let more = "// a comment\nmodel Third { model 1 \"models/box/tris.md2\" skin 1 \"textures/third.png\" }";
    let files: [(&str, &[u8]); 6] = [
        ("MODELDEF.txt", text.as_bytes()),
        ("more/extra.def", more.as_bytes()),
        ("models/box/tris.md2", &body),
        ("models/box/wood.png", &[]),
        ("models/box/gold.png", &[]),
        ("textures/third.png", &[]),
    ];
    let part = open(&vfs_of(&files), "models/box/tris.md2");
    let wanted =
        [("Plain", "models/box/wood.png"), ("Plain (2)", "models/box/gold.png"), ("Third", "textures/third.png")];
    assert_eq!(skin_paths(&part), wanted);
    let scales: Vec<Vec3> = part.skins.iter().map(|skin| skin.placement.transform_vector3(Vec3::ONE)).collect();
    assert_eq!(scales, [Vec3::ONE, Vec3::new(-2.0, 2.0, 2.0), Vec3::ONE]);
    let clips: Vec<_> = part.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips, [("CRAT", 0, 2), ("GOLD", 1, 1)]);
    assert!(warnings_of(&part).is_empty(), "{}", warnings_of(&part));
}

#[test]
fn skin_of_gzdoom_may_be_name_of_texture() {
    // GZDoom `LoadSkin`: the file in the folder, else a texture by its name of at most 8 letters.
    let definition =
        |skin: &str| format!("Model A {{ Path \"models\" Model 0 \"a.md3\" Skin 0 \"{skin}\" FrameIndex A A 0 0 }}");
    let image = |skin: &str, images: &[&str]| {
        let (text, body) = (definition(skin), md3("x"));
        let mut files: Vec<(&str, &[u8])> = images.iter().map(|path| (*path, &[][..])).collect();
        files.extend([("modeldef.txt", text.as_bytes()), ("models/a.md3", &body)]);
        let part = open(&vfs_of(&files), "models/a.md3");
        first(&part).path.clone()
    };
    assert_eq!(image("CONSCR", &["Textures/tech/conscr.png"]), "Textures/tech/conscr.png");
    assert_eq!(image("CONSCR", &["textures/conscr.png", "models/conscr.jpg"]), "models/conscr.jpg");
    assert_eq!(image("beam", &["textures/beam.png", "graphics/beam.png", "patches/beam.png"]), "graphics/beam.png");
    assert_eq!(image("longname", &["textures/longname1.png"]), "textures/longname1.png");
    assert_eq!(image("longname1", &["textures/longname1.png"]), "");
    assert_eq!(image("other", &["misc/other.png"]), "");
}

#[test]
fn textures_lump_defines_skins() {
    // GZDoom `multipatchtexturebuilder.cpp`, `ParseTexture` and `ResolvePatches`; `SortTexturesByType`.
    let textures = "// a comment\nTexture TankSkinLong, 64, 64\n{\n XScale 2.0 Offset -3, 5\n Patch \"models/tank/tank.png\", 0, 0\n}\n\
        sprite optional CHAIN, 8, 8 { patch Link, 0, 0 { } }\nwalltexture LINK, 8, 8 { Graphic LEAF, 0, 0 }\n\
        texture SELF, 8, 8 { patch SELF, 0, 0 }\n#include \"more.txt\"\n\
        texture MIX, 8, 8 { patch LEAF, 0, 0 patch RUST, 4, 4 { FlipX Alpha 0.5 } }\ntexture LOOP, 8, 8 { patch LOOP, 0, 0 }";
    let opened = |skin: &str| {
        let definition = format!("Model A {{ Model 0 \"a.md3\" Skin 0 \"{skin}\" FrameIndex A A 0 0 }}");
        let body = md3("x");
        open(
            &vfs_of(&[
                ("MODELDEF", definition.as_bytes()),
                ("TEXTURES.tank", textures.as_bytes()),
                ("more.txt", b"graphic MORE, 8, 8 { sprite RUST, 0, 0 }"),
                ("a.md3", &body),
                ("models/tank/tank.png", &[]),
                ("graphics/leaf.png", &[]),
                ("patches/leaf.png", &[]),
                ("textures/self.png", &[]),
                ("sprites/rust.png", &[]),
            ]),
            "a.md3",
        )
    };
    let cases = [
        ("TANKSKINLONG", "models/tank/tank.png"),
        ("chain", "graphics/leaf.png"),
        ("Self", "textures/self.png"),
        ("more", "sprites/rust.png"),
        ("MIX", "patches/leaf.png"),
        ("LOOP", ""),
    ];
    for (skin, wanted) in cases {
        let part = opened(skin);
        assert_eq!(first(&part).path, wanted, "{skin}");
        let warnings = warnings_of(&part);
        assert_eq!(warnings.contains("“MIX” is composed; only its first patch is shown"), skin == "MIX", "{warnings}");
    }
}

#[test]
fn gzdoom_surfaces_have_textures_by_number() {
    let body = Md3 { surfaces: 2, shaders: vec!["nothing"], ..Md3::typical() }.build();
    let by_surface =
        "Model A { Path \"models\" Model 0 \"a.md3\" SurfaceSkin 0 1 \"b.png\" SurfaceSkin 0 0 \"a.png\" }";
    let by_both = by_surface.replace('}', "Skin 0 \"c.png\" }");
    let opened = |text: &str| {
        let files: [(&str, &[u8]); 5] = [
            ("modeldef", text.as_bytes()),
            ("models/a.md3", &body),
            ("models/a.png", &[]),
            ("models/b.png", &[]),
            ("models/c.png", &[]),
        ];
        open(&vfs_of(&files), "models/a.md3")
    };
    assert_eq!(paths(&opened(by_surface), 0), ["models/a.png", "models/b.png"]);
    assert_eq!(paths(&opened(&by_both), 0), ["models/c.png", "models/c.png"]);
    let part = opened("Model A { Model 0 \"models/a.md3\" Skin 0 \"gone.png\" }");
    assert_eq!((first(&part).is_missing(), first(&part).stages_in_game()), (true, 0));
    assert_eq!(first(&part).in_game, InGame::Stages(0));
}

#[test]
fn models_that_gzdoom_joins_are_opened_together() {
    let folder = tempfile::tempdir().unwrap();
    let text = "Model Tank { Path \"models\" Model 0 \"hull.md2\" Model 1 \"tread.md2\" Skin 1 \"b.png\" Skin 0 \"a.png\" }\n\
        Model Debris { Model 0 \"models/tread.md2\" Skin 0 \"models/a.png\" }";
    std::fs::create_dir(folder.path().join("models")).unwrap();
    let files: [(&str, Vec<u8>); 5] = [
        ("MODELDEF", text.into()),
        ("models/hull.md2", Md2::typical().build()),
        ("models/tread.md2", Md2::typical().build()),
        ("models/a.png", image_bytes().to_vec()),
        ("models/b.png", image_bytes().to_vec()),
    ];
    for (path, bytes) in &files {
        std::fs::write(folder.path().join(path), bytes).unwrap();
    }
    let opener = Opener::new(Vec::new(), ImageLoading::Decode);
    let assembly = opener.assembly(&folder.path().join("models/hull.md2")).unwrap();
    let [hull, tread] = &assembly.members[..] else { panic!("{} members", assembly.members.len()) };
    assert_eq!((hull.asset.name.as_str(), paths(&hull.asset, 0)), ("hull.md2", vec!["models/a.png"]));
    assert_eq!((tread.asset.name.as_str(), paths(&tread.asset, 0)), ("tread.md2", vec!["models/b.png"]));
    assert_eq!((tread.parent.clone(), tread.follows_parent), (Some((0, Anchor::Origin)), true));
    // The file of definitions marks the root, regardless of folder names.
    std::fs::create_dir(folder.path().join("meshes")).unwrap();
    std::fs::write(folder.path().join("meshes/hull.md2"), Md2::typical().build()).unwrap();
    let model = opener.model(&folder.path().join("meshes/hull.md2")).unwrap();
    assert_eq!(model.game_path, "meshes/hull.md2");
    // The tread has the textures of both definitions as skins.
    assert_eq!(skin_paths(&tread.asset), [("Tank", "models/b.png"), ("Debris", "models/a.png")]);
}

#[test]
fn mistakes_in_modeldef_are_reported() {
    let definitions = "#include \"gone.txt\"\nModel Box\n{\n\tModel 0 \"box.md3\"\n\tModel 1 \"lid.md3\"\n\tSkinn 0 \"a.png\"\n\t\
        SurfaceSkin 0 7 \"a.png\"\n\tRotation-Vector 0 0 1\n\tFrame BOXA A 0 \"nosuchframe\"\n\tFrameIndex BOXA B 0 500\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("MODELDEF.txt"), definitions).unwrap();
    fs::write(folder.path().join("box.md3"), Md3::typical().build()).unwrap();
    let asset = open_file(&folder.path().join("box.md3")).unwrap();
    let warnings: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
    for wanted in [
        "“Skinn” is not a setting",
        "the definition of “Box” has no closing brace",
        "included file not found: gone.txt",
        "the model has no frame “nosuchframe”",
        "frame 500 does not exist; the model has 2 frames",
        "SurfaceSkin 0 7 has no effect",
        "model not found: lid.md3",
    ] {
        assert!(warnings.iter().any(|warning| warning.contains(wanted)), "{wanted}: {warnings:#?}");
    }
    assert!(!warnings.iter().any(|warning| warning.contains("Rotation")), "{warnings:#?}");
}

#[test]
fn negative_frame_of_gzdoom_hides_the_model_in_the_state() {
    // GZDoom `models_md3.cpp`, `RenderFrame`: frames that do not exist are not drawn.
    let body = Md2::typical().build();
    let text = "Model A { Model 0 \"a.md2\" Skin 0 \"wood.png\" FrameIndex GUNA A 0 -1 FrameIndex GUNA B 0 1 }";
    let files: [(&str, &[u8]); 3] = [("MODELDEF", text.as_bytes()), ("a.md2", &body), ("wood.png", &[])];
    let part = open(&vfs_of(&files), "a.md2");
    assert!(warnings_of(&part).is_empty(), "{}", warnings_of(&part));
    let clips: Vec<_> = part.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips[0], ("GUNA", 1, 1));
}

/// Returns an IQM of two meshes with two animations: `wave` of two frames, and `hold`, the second of them.
fn iqm() -> Iqm {
    let typical = Iqm::typical();
    let mesh = |name| IqmMesh { name, material: "nothing", ..typical.meshes[0].clone() };
    Iqm { meshes: vec![mesh("a"), mesh("b")], ..typical }
}

/// Returns an IQM without frames of its own.
fn still_iqm() -> Iqm {
    Iqm { poses: Vec::new(), anims: Vec::new(), frames: Vec::new(), bounds: Vec::new(), ..iqm() }
}

#[test]
fn modeldef_applies_to_iqm() {
    // GZDoom `models_iqm.cpp`: `RenderFrame` (skin, then the surface's), `FindFrame` (`ANIMATION:NUMBER`).
    let text = "Model Tank { Path \"models\" Model 0 \"tank.iqm\" SurfaceSkin 0 0 \"red.png\" SurfaceSkin 0 1 \"green.png\"\n\
        Scale 2 2 2 Frame TANK A 0 \"Wave:1\" Frame TANK B 0 hold Frame TANK C 0 \"WA\" }\n\
        Model Wreck { Model 0 \"models/tank.iqm\" Skin 0 \"models/green.png\" FrameIndex WREK A 0 1 }\n\
        Model Turned { Model 0 \"models/tank.iqm\" AngleOffset 90 FrameIndex WREK B 0 2\n\
        Frame WREK C 0 \"wave:2\" Frame WREK D 0 \"walk\" }";
    let body = iqm().build();
    let files: [(&str, &[u8]); 5] = [
        ("modeldef", text.as_bytes()),
        ("zscript.txt", b"version"),
        ("models/tank.iqm", &body),
        ("models/red.png", &[]),
        ("models/green.png", &[]),
    ];
    let vfs = vfs_of(&files);
    let part = open(&vfs, "models/tank.iqm");
    let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["Tank", "Wreck", "Turned"]);
    assert_eq!(paths(&part, 0), ["models/red.png", "models/green.png"]);
    assert_eq!(paths(&part, 1), ["models/green.png", "models/green.png"]);
    let placed = |skin: usize| part.skins[skin].placement.transform_point3(Vec3::X);
    assert_eq!(placed(0), Vec3::new(2.0, 0.0, 0.0));
    // A use without a skin has the size and direction of its definition.
    assert!(placed(2).abs_diff_eq(Vec3::Y, 1e-5), "{}", placed(2));
    // The sprites of the states follow the file's own names.
    let own = [("wave", 0, 2, 20.0, true), ("hold", 1, 1, 10.0, false)];
    let sprites = [("TANK", 1, 1, 10.0, true), ("TANK (2)", 0, 1, 10.0, true), ("WREK", 1, 1, 10.0, true)];
    assert_eq!(rows(part.model.clips()), [&own[..], &sprites].concat());
    let warnings = warnings_of(&part);
    for wanted in ["frame 2 does not exist; the model has 2 frames", "no frame “wave:2”", "no frame “walk”"] {
        assert!(warnings.contains(wanted), "{wanted}: {warnings}");
    }
    assert!(!warnings.contains("Wave:1") && !warnings.contains("WA”"), "{warnings}");
    assert_eq!(KnownEngine::for_model(&vfs, "models/tank.iqm", Format::Iqm).unwrap().engine.name, "GZDoom");
    assert!(Profile::named("gzdoom").unwrap().formats.contains(&Format::Iqm));
}

#[test]
fn modeldef_animation_moves_iqm_of_other_file() {
    // GZDoom `models.cpp`: `Animation` names a model, with or without meshes, whose frames move this one.
    let opened = |animation: &str| {
        let text = format!(
            "Model Cyber {{ Path \"models\" Model 0 \"cyber.iqm\" Animation 0 \"{animation}\" Skin 0 \"wood.png\"\n\
             FrameIndex CGAR A 0 0 FrameIndex CGAR B 0 1 Frame CGAR C 0 \"hold\" }}"
        );
        let (body, walk) = (still_iqm().build(), iqm().build());
        open(
            &vfs_of(&[
                ("MODELDEF", text.as_bytes()),
                ("models/cyber.iqm", &body),
                ("models/walk.iqm", &walk),
                ("models/wood.png", &[]),
            ]),
            "models/cyber.iqm",
        )
    };
    let part = opened("walk.iqm");
    let clips: Vec<_> = rows(part.model.clips()).into_iter().skip(1).collect();
    let own = [("wave", 1, 2, 20.0, true), ("hold", 2, 1, 10.0, false)];
    assert_eq!(clips, [&own[..], &[("CGAR", 1, 2, 10.0, true)]].concat());
    assert_eq!((paths(&part, 0), warnings_of(&part)), (vec!["models/wood.png"; 2], String::new()));
    let part = opened("gone.iqm");
    assert!(warnings_of(&part).contains("gone.iqm: declared in MODELDEF: animation skipped"), "{}", warnings_of(&part));
}

#[test]
fn states_of_a_second_animation_file_name_no_frames_of_the_first() {
    let one = |actor: &str, animation: &str| {
        format!(
            "Model {actor} {{ Path \"models\" Model 0 \"cyber.iqm\" Animation 0 \"{animation}\" FrameIndex {actor} A 0 0 }}\n"
        )
    };
    let text = one("WALK", "walk.iqm") + &one("RUNS", "runs.iqm");
    let (body, walk) = (still_iqm().build(), iqm().build());
    let files: [(&str, &[u8]); 4] = [
        ("MODELDEF", text.as_bytes()),
        ("models/cyber.iqm", &body),
        ("models/walk.iqm", &walk),
        ("models/runs.iqm", &walk),
    ];
    let part = open(&vfs_of(&files), "models/cyber.iqm");
    let clips: Vec<_> = rows(part.model.clips()).into_iter().map(|clip| (clip.0.to_owned(), clip.1)).collect();
    // The model has one frame, and each file two.
    assert_eq!(part.model.frames().len(), 5);
    assert!(clips.contains(&("WALK".to_owned(), 1)), "{clips:?}");
    assert!(clips.iter().all(|(name, _)| name != "RUNS"), "{clips:?}");
}

#[test]
fn words_of_modeldef_follow_the_scanner_of_gzdoom() {
    // GZDoom `sc_man_scanner.re`: `;` begins a comment, and sprites may have any name.
    let text = "Model Box { ; the box {\n Path models\n Model 0 box.md3 ; Model 0 \"other.md3\"\n Skin 0 \"red.png\"\n\
        ; Skin 0 \"green.png\"\n#region frames\n FORCECULLBACKFACES FrameIndex &(!$ A 0 0 FrameIndex &(!$ [\\] 0 1\n#endregion\n}";
    let body = md3("x");
    let files: [(&str, &[u8]); 4] =
        [("MODELDEF", text.as_bytes()), ("models/box.md3", &body), ("models/red.png", &[]), ("models/green.png", &[])];
    let part = open(&vfs_of(&files), "models/box.md3");
    assert_eq!((paths(&part, 0), warnings_of(&part)), (vec!["models/red.png"], String::new()));
    assert_eq!(rows(part.model.clips())[0].0, "&(!$");
}
