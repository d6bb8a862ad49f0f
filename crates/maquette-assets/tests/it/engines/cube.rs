//! Tests of the Cube engines.

use super::*;
use maquette_assets::engines::cube::script::CubeSkin;
use maquette_core::convert::{ConvertOptions, to_files};

fn cube(text: &str, format: Format) -> (Vec<CubePart>, Vec<String>) {
    let mut warnings = Warnings::default();
    let parts = script::parse(text.as_bytes(), format, &mut |_| None, &mut warnings);
    (parts, messages(warnings))
}

/// Returns the last texture for a mesh, which applies.
fn skin_of<'p>(part: &'p CubePart, mesh: &str) -> Option<&'p CubeSkin> {
    part.skins.iter().rev().find(|skin| skin.mesh == "*" || skin.mesh == mesh)
}

#[test]
fn cube_script_assigns_skins_and_later_lines_win() {
    let text = "// a lamp\nmdlscale 400\nmd3load \"../tree09/tris.md3\" // shared\n\
        md3skin * ../all.png; md3skin bark <dds>../bark.png <dds><ffmask:25>../mask.jpg 0.5 0.3\n\
        md3bumpmap bark <dds>norm.png\nmd3skin leaves a.png\nmd3skin leaves b.png\n\
        md3anim mapmodel 0 23 33\nmd3anim \"gun idle\" 4\n";
    let (parts, warnings) = cube(text, Format::Md3);
    assert_eq!((parts.len(), warnings.len()), (1, 0), "{warnings:?}");
    let part = &parts[0];
    assert_eq!(part.model.file, "../tree09/tris.md3");
    let bark = skin_of(part, "bark").unwrap();
    assert_eq!((bark.texture.file.as_str(), bark.mask.as_ref().unwrap().file.as_str()), ("../bark.png", "../mask.jpg"));
    let (mesh, normal_map) = part.normal_maps.last().unwrap();
    assert_eq!((mesh.as_str(), normal_map.file.as_str()), ("bark", "norm.png"));
    assert_eq!(skin_of(part, "leaves").unwrap().texture.file, "b.png");
    assert_eq!(skin_of(part, "trunk").unwrap().texture.file, "../all.png");
    let animations: Vec<_> =
        part.animations.iter().map(|one| (one.name.as_str(), one.frames.clone(), one.frames_per_second)).collect();
    let range = |first, count| CubeFrames::Range(first, count);
    assert_eq!(animations, [("mapmodel", range(0, 23), Some(33.0)), ("gun idle", range(4, 1), None)]);
    // A later line for all meshes overrides one for a single mesh, as in the engine.
    let (parts, _) = cube("md3load a.md3\nmd3skin bark a.png\nmd3skin * b.png\n", Format::Md3);
    assert_eq!(skin_of(&parts[0], "bark").unwrap().texture.file, "b.png");
}

#[test]
fn cube_script_of_md5_names_files_and_joints() {
    let text = "md5dir \"ffflag\"\nmd5load \"ffflag.md5mesh\" \"\" 00\nmd5tag Weapon tag_weapon\n\
        md5anim \"claw|sword\" \"idle.md5anim\" 1\nmd5skin Cube \"skin.png\"\nmd3skin * other.png\n";
    let (parts, warnings) = cube(text, Format::Md5);
    assert_eq!(warnings, [] as [String; 0]);
    let part = &parts[0];
    assert_eq!(part.model.folder.as_deref(), Some("ffflag"));
    assert_eq!(part.tags, [("Weapon".to_owned(), "tag_weapon".to_owned())]);
    let CubeFrames::File(file) = &part.animations[0].frames else { panic!("a file") };
    // `|` separates names of clips (Sauerbraten `rendermodel.cpp`, `matchanim`).
    let names: Vec<&str> = part.animations.iter().map(|animation| animation.name.as_str()).collect();
    assert_eq!((names, file.file.as_str()), (vec!["claw", "sword"], "idle.md5anim"));
    assert_eq!((part.skins.len(), part.animations[0].frames_per_second), (1, Some(1.0)));
}

#[test]
fn malformed_cube_script_lines_are_reported_and_rest_read() {
    let text = "md5skin * early.png\nmd5load mesh.md5mesh\nmd5skin\nmd5anim \"reload\" ../a.md5anim\" 22.85\n\
        md5skin * \"open.png\nmd5tag hand tag_hand\n";
    let (parts, warnings) = cube(text, Format::Md5);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("line 1: “md5skin” comes before the model is loaded"), "{warnings:?}");
    assert!(warnings[1].starts_with("line 3: “md5skin” needs 2 words"), "{warnings:?}");
    // A quoted text ends at the end of its line.
    assert_eq!(skin_of(&parts[0], "x").unwrap().texture.file, "open.png");
    assert_eq!((parts[0].tags.len(), parts[0].animations.len()), (1, 1));
    // An MD2 has one part even without a load line.
    let (parts, _) = cube("md2skin * a.png\nmd2anim \"idle\" 0 4", Format::Md2);
    assert_eq!((parts.len(), parts[0].model.file.as_str(), parts[0].animations.len()), (1, "tris.md2", 1));
}

#[test]
fn cube_script_next_to_model_assigns_materials() {
    let script = b"md3load tris.md3\nmd3skin * <dds>../shared/skin.jpg ../shared/mask.png\nmd3anim \"idle\" 0 2 25\n";
    let vfs = vfs_of(&[
        ("models/ladder/tris.md3", &md3("models/players/model/skin.tga")),
        ("models/ladder/md3.cfg", script),
        ("models/ladder/skin.png", b""),
        ("models/shared/skin.jpg", b""),
        ("models/shared/mask.png", b""),
    ]);
    let part = open(&vfs, "models/ladder/tris.md3");
    assert_eq!((paths(&part, 0), part.skins.len()), (vec!["models/shared/skin.jpg"], 1));
    assert_eq!(rows(part.model.clips()), [("idle", 0, 2, 25.0, true)]);
    assert!(part.warnings.is_empty(), "{}", warnings_of(&part));
    let trail: Vec<(&str, Option<&str>)> =
        first(&part).search_log.iter().map(|step| (step.what.as_str(), step.found.as_deref())).collect();
    assert_eq!(trail[0], ("Skin file", Some("models/ladder/md3.cfg: models/shared/skin.jpg")));
    assert_eq!(trail.last().unwrap(), &("Mask", Some("models/shared/mask.png")));
    let game = KnownEngine::for_model(&vfs, "models/ladder/tris.md3", Format::Md3).unwrap();
    assert!(game.engine.name.starts_with("Cube engine") && game.by == "models/ladder/md3.cfg");
}

#[test]
fn every_folder_that_loads_a_model_is_its_skin() {
    let gun = MD5_MESH.replace("mesh {", "mesh {\n\t// meshes: Mesh");
    let vfs = vfs_of(&[
        ("guns/rifle/rifle.md5mesh", gun.as_bytes()),
        ("guns/rifle/a.md5anim", MD5_ANIM.as_bytes()),
        (
            "guns/rifle/hand/md5.cfg",
            b"md5load ../rifle.md5mesh\n\
         md5tag arm tag_muzzle\n\
         md5skin Mesh ../skin.png\n\
         md5anim \"shoot\" ../a.md5anim 8\n\
         md5anim \"idle\" ../a.md5anim\n\
         ",
        ),
        ("guns/rifle/item/md5.cfg", b"md5load ../rifle.md5mesh\nmd5skin Mesh ../gold.png\n"),
        ("guns/rifle/world/md5.cfg", b"md5load ../rifle.md5mesh\nmd5skin Mesh ../skin.png\n"),
        ("guns/rifle/other/md5.cfg", b"md5load ../other.md5mesh\nmd5skin * ../gone.png\n"),
        ("guns/rifle/skin.png", b""),
        ("guns/rifle/gold.png", b""),
    ]);
    let part = open(&vfs, "guns/rifle/rifle.md5mesh");
    let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["hand", "item"], "one that looks the same is none of its own");
    assert_eq!((paths(&part, 0), paths(&part, 1)), (vec!["guns/rifle/skin.png"], vec!["guns/rifle/gold.png"]));
    // Only a comment contains the name. Scripts use it to identify the mesh.
    let surface = &part.model.surfaces()[0];
    assert_eq!((surface.name.as_str(), surface.script_name()), ("", "Mesh"));
    assert_eq!(part.model.tags(), ["tag_muzzle"]);
    // One file with several clip names is stored once: the bind pose and its three frames.
    assert_eq!(part.model.frames().len(), 4);
    let clips: Vec<_> = rows(part.model.clips()).into_iter().skip(1).collect();
    // Without a rate, the engine plays 10 frames a second, whatever the file states (Sauerbraten `animmodel.h`).
    assert_eq!(clips, [("shoot", 1, 3, 8.0, true), ("idle", 1, 3, 10.0, true), ("a", 1, 3, 30.0, true)]);
}

/// The script is not converted, so each clip is a file with the script's rate. Parts of the body repeat lines.
#[test]
fn converted_md5_states_clips_of_script_and_reports_its_tags() {
    let vfs = vfs_of(&[
        ("drone/mesh.md5mesh", MD5_MESH.as_bytes()),
        ("drone/forward.md5anim", MD5_ANIM.as_bytes()),
        ("drone/idle.md5anim", MD5_ANIM.as_bytes()),
        (
            "drone/md5.cfg",
            b"md5load mesh.md5mesh\nmd5tag arm tag_weapon\nmd5tag origin origin\nmd5skin * a.png\n\
            md5anim \"forward\" forward.md5anim 16\nmd5anim \"impulse\" forward.md5anim 18\n\
            md5anim \"claw primary|sword primary\" idle.md5anim 2.5\n\
            md5animpart arm\nmd5anim \"impulse\" forward.md5anim 18\nmd5anim \"forward\" idle.md5anim 4\n",
        ),
    ]);
    let part = open(&vfs, "drone/mesh.md5mesh");
    let files = to_files(&part.model, &ConvertOptions::to(Format::Md5)).unwrap();
    let rates: Vec<(String, String)> = files
        .companions("mesh", "md5mesh")
        .into_iter()
        .map(|file| {
            let text = String::from_utf8(file.bytes).unwrap();
            (file.name, text.lines().find_map(|line| line.strip_prefix("frameRate ")).unwrap().to_owned())
        })
        .collect();
    // The file idle.md5anim itself has 30 frames per second.
    let wanted = [
        ("forward", "16"),
        ("impulse", "18"),
        ("claw primary", "2.5"),
        ("sword primary", "2.5"),
        ("forward_2", "4"),
        ("idle", "30"),
    ];
    assert_eq!(rates, wanted.map(|(name, rate)| (format!("{name}.md5anim"), rate.to_owned())));
    // The bind pose, and three frames of each clip.
    assert_eq!(files.model.frames().len(), 1 + 6 * 3);
    assert_eq!(files.measured.unwrap().position.value, 0.0);
    let losses = [
        "MD5 stores no tags; 1 tag was dropped: “tag_weapon” at the joint “arm”",
        "Doom 3 needs a whole frame rate, but 2 clips have another: “claw primary” (2.5), “sword primary” (2.5)",
        "1 clip was renamed: “forward” to “forward_2” (each is a file)",
    ];
    assert_eq!(files.losses, losses);
}

#[test]
fn subfolders_with_skin_image_are_skins_without_script() {
    let vfs = vfs_of(&[
        ("packages/models/armor/tris.md3", &md3("models/players/model/skin.tga")),
        ("packages/models/armor/md3.cfg", b"mdlspec 300\n"),
        ("packages/models/armor/green/skin.jpg", b""),
        ("packages/models/armor/yellow/skin.jpg", b""),
    ]);
    let part = open(&vfs, "packages/models/armor/tris.md3");
    let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["green", "yellow"]);
    assert_eq!(paths(&part, 1), ["packages/models/armor/yellow/skin.jpg"]);
}

#[test]
fn cube_model_without_script_uses_skin_of_folder() {
    // Sauerbraten `loaddefaultparts`: `loadskin(loadname, parentdir(loadname))`.
    let body = Md2 { skins: Vec::new(), ..Md2::typical() }.build();
    let vfs = vfs_of(&[
        ("packages/models/guns/a/tris.md2", &body),
        ("packages/models/guns/a/skin.png", b""),
        ("packages/models/guns/b/tris.md2", &body),
        ("packages/models/guns/b/other.png", b""),
        ("packages/models/guns/skin.jpg", b""),
        ("packages/modelsx/b/tris.md2", &body),
        ("packages/modelsx/skin.jpg", b""),
    ]);
    let image = |path: &str| {
        let part = open(&vfs, path);
        (paths(&part, 0)[0].to_owned(), first(&part).is_guess)
    };
    assert_eq!(image("packages/models/guns/a/tris.md2"), ("packages/models/guns/a/skin.png".to_owned(), false));
    assert_eq!(image("packages/models/guns/b/tris.md2"), ("packages/models/guns/skin.jpg".to_owned(), false));
    assert_eq!(image("packages/modelsx/b/tris.md2").0, "");
}

#[test]
fn packages_folder_may_be_cube_root() {
    // Sauerbraten's own layout: `packages` contains `models` and `textures`, so it looks like a game's root.
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("game/packages/models");
    let body = Md2 { skins: Vec::new(), ..Md2::typical() }.build();
    for (path, bytes) in [
        ("window/left/tris.md2", body.as_slice()),
        ("window/left/masks.png", image_bytes()),
        ("window/skin.png", image_bytes()),
        ("window/md2.cfg", b"mdlcullface 0\n"),
    ] {
        std::fs::create_dir_all(models.join(path).parent().unwrap()).unwrap();
        std::fs::write(models.join(path), bytes).unwrap();
    }
    let opener = Opener::new(Vec::new(), ImageLoading::Decode);
    let part = opener.model(&models.join("window/left/tris.md2")).unwrap();
    // The skin is the parent's, not the mask, and so are the states (`md2.h`, `loaddefaultparts`).
    assert_eq!((paths(&part, 0)[0], first(&part).is_guess), ("models/window/skin.png", false));
    assert_eq!(first(&part).definition.sides, DrawnFaces::Both);
    assert!(!first(&part).is_plain(), "both sides are drawn by its stage, not as a plain image");
}

#[test]
fn cube_script_reads_other_scripts() {
    // Sauerbraten's players: clips and hands are in scripts that others share. The folder of `md5dir` stays.
    let hands = b"md5dir hero/hands\nmd5load hands.md5mesh\nmd5skin * skin.png\nexec packages/models/gone.cfg\n";
    let vfs = vfs_of(&[
        ("packages/models/hero/hero.md5mesh", MD5_MESH.as_bytes()),
        ("packages/models/hero/wave.md5anim", MD5_ANIM.as_bytes()),
        (
            "packages/models/hero/md5.cfg",
            b"md5load hero.md5mesh\nmd5skin * a.png\nexec \"packages/models/hero/anims.cfg\"\n",
        ),
        ("packages/models/hero/anims.cfg", b"md5anim \"taunt\" wave.md5anim 12\nmd5tag arm\n"),
        ("packages/models/hero/a.png", b""),
        ("packages/models/hero/hands/hands.md5mesh", MD5_MESH.as_bytes()),
        ("packages/models/hero/hands/skin.png", b""),
        ("packages/models/hero/hands/gun/md5.cfg", b"exec packages/models/hero/hands.cfg\nmd5bumpmap * norm.png\n"),
        ("packages/models/hero/hands/norm.png", b""),
        ("packages/models/hero/hands.cfg", hands),
    ]);
    let part = open(&vfs, "packages/models/hero/hero.md5mesh");
    assert_eq!(rows(part.model.clips())[1], ("taunt", 1, 3, 12.0, true));
    let expected = "md5.cfg: packages/models/hero/anims.cfg line 2: “md5tag” needs 2 words; line skipped";
    assert!(warnings_of(&part).contains(expected), "{}", warnings_of(&part));
    let part = open(&vfs, "packages/models/hero/hands/hands.md5mesh");
    assert_eq!((part.skins[0].name.as_str(), paths(&part, 0)[0]), ("gun", "packages/models/hero/hands/skin.png"));
    let relief = first(&part).definition.stages[0].relief.as_ref().unwrap();
    assert_eq!(relief.bump.as_ref().unwrap().path, "packages/models/hero/hands/norm.png");
    // A script that reads itself ends.
    let mut itself = |_: &str| Some(b"md3load b.md3\nexec me\n".to_vec());
    let parts = script::parse(b"md3load a.md3\nexec me\n", Format::Md3, &mut itself, &mut Warnings::default());
    assert!(parts.len() > 2 && parts.len() < 100);
}

#[test]
fn cube_script_states_set_sides_and_alpha() {
    // Sauerbraten `animmodel.h`: `setcullface`, `setalphatest`, `setalphablend`; without them 0.9 and blended.
    let material = |script: &str| {
        let vfs = vfs_of(&[("m/tris.md3", &md3("x")), ("m/md3.cfg", script.as_bytes()), ("m/skin.png", b"")]);
        open(&vfs, "m/tris.md3").skins[0].materials[0].definition.as_ref().clone()
    };
    let alpha = |material: &Material| match &material.stages[0].alpha_test {
        AlphaTest::Above(alpha) => Some((alpha.at(0.0), material.stages[0].blend)),
        _ => None,
    };
    let load = "md3load tris.md3\nmd3skin * skin.png\n";
    let plain = material(load);
    assert_eq!((plain.sides, alpha(&plain)), (DrawnFaces::Front, None));
    // A script without `md3load` is about the default model.
    for load in [load, ""] {
        let leaf = material(&format!("{load}mdlcullface 0\nmdlalphablend 0\nmdlalphatest .35"));
        assert_eq!((leaf.sides, alpha(&leaf)), (DrawnFaces::Both, Some((0.35, None))));
    }
    assert_eq!(alpha(&material(&format!("{load}mdlalphablend 0"))), Some((0.9, None)));
    let fire = material(&format!("{load}mdlalphatest 0.01"));
    assert_eq!((alpha(&fire), fire.stages[0].writes_depth), (Some((0.01, Some(Blend::ALPHA))), true));
    // A test at 0 draws all texels.
    assert!(alpha(&material(&format!("{load}mdlalphatest 0"))).unwrap().0 < 0.0);
    // States of a mesh; the last command wins, and those for all come after the load.
    assert_eq!(material(&format!("{load}md3cullface gone 0")).sides, DrawnFaces::Front);
    assert_eq!(material(&format!("{load}mdlcullface 0\nmd3cullface * 1")).sides, DrawnFaces::Front);
    assert_eq!(material(&format!("{load}md3cullface * 1\nmdlcullface 0")).sides, DrawnFaces::Both);
}

#[test]
fn cube_script_without_skins_still_names_clips_and_tags() {
    let vfs = vfs_of(&[
        ("g/gun.md5mesh", MD5_MESH.as_bytes()),
        ("g/a.md5anim", MD5_ANIM.as_bytes()),
        ("g/md5.cfg", b"md5load gun.md5mesh\nmd5tag arm tag_muzzle\nmd5anim \"shoot\" a.md5anim 8\n"),
        ("models/box/skin.png", b""),
    ]);
    let part = open(&vfs, "g/gun.md5mesh");
    assert_eq!((part.model.tags(), paths(&part, 0)), (&["tag_muzzle".to_owned()][..], vec!["models/box/skin.png"]));
    assert_eq!(rows(part.model.clips())[1], ("shoot", 1, 3, 8.0, true));
    // An MD2 still uses the skin in its folder.
    let files: [(&str, &[u8]); 3] =
        [("m/tris.md2", &md2(3)), ("m/md2.cfg", b"md2anim \"idle\" 0 2 5\n"), ("m/skin.jpg", b"")];
    let part = open(&vfs_of(&files), "m/tris.md2");
    assert_eq!((paths(&part, 0), rows(part.model.clips())), (vec!["m/skin.jpg"], vec![("idle", 0, 2, 5.0, true)]));
}

#[test]
fn cube_script_of_different_file_is_the_fallback() {
    let vfs = vfs_of(&[
        ("v/tree01/tris.md3", &md3("models/players/model/skin.tga")),
        ("v/tree01/md3.cfg", b"md3load ../tree09/tris.md3\nmd3skin * ../green.png\n"),
        ("v/green.png", b""),
    ]);
    let part = open(&vfs, "v/tree01/tris.md3");
    assert_eq!(paths(&part, 0), ["v/green.png"]);
    assert!(warnings_of(&part).contains("md3.cfg: the script is for ../tree09/tris.md3"), "{}", warnings_of(&part));
}

#[test]
fn cube_aliases_run_with_their_arguments() {
    // Sauerbraten `command.cpp`: a block is text, which runs with `$arg1` … when its name is a command.
    let text = "// bodies\nbody = [\n  md3load tris.md3 // a ] in a comment\n  md3skin energy $arg1; md3skin * $arg2 \"$arg1\"\n\
        md3anim idle 0 $arg3 $rate ]\nrate = 25\nalias second [ md3skin glass ../glass.png ]\nunused = [ md3skin * gone.png ]\n\
        body \"../red one.png\" blue.png 4\nsecond\n";
    let (parts, warnings) = cube(text, Format::Md3);
    assert_eq!((parts.len(), warnings.len()), (1, 0), "{warnings:?}");
    let skins: Vec<_> = parts[0].skins.iter().map(|skin| (skin.mesh.as_str(), skin.texture.file.as_str())).collect();
    assert_eq!(skins, [("energy", "../red one.png"), ("*", "blue.png"), ("glass", "../glass.png")]);
    // A quoted `$arg1` is not an argument.
    assert_eq!(parts[0].skins[1].mask.as_ref().unwrap().file, "$arg1");
    let [idle] = &parts[0].animations[..] else { panic!("one animation") };
    assert_eq!((&idle.frames, idle.frames_per_second), (&CubeFrames::Range(0, 4), Some(25.0)));
    // Aliases of an executed script apply in the script that reads it, and problems name the script.
    let mut base = |_: &str| Some(b"base = [\nmd3load tris.md3\nmd3skin\nmd3skin * $arg1\n]".to_vec());
    let mut warnings = Warnings::default();
    let parts = script::parse(b"exec base.cfg\nbase \"../red.png\"", Format::Md3, &mut base, &mut warnings);
    assert_eq!(parts[0].skins[0].texture.file, "../red.png");
    assert!(messages(warnings)[0].starts_with("base.cfg line 3: “md3skin” needs 2 words"));
    // An alias that runs itself ends.
    for text in
        ["a = [ a a a a ]\na", "a = [ b $arg1 $arg1; b ]\nb = [ a $arg1 $arg1 ]\na x", "a = [ md3load x\na", "= [\n]"]
    {
        let (parts, _) = cube(text, Format::Md3);
        assert!(parts.len() < 2, "{text}");
    }
}

#[test]
fn tesseract_decal_covers_texture_in_media_folder() {
    // Tesseract `animmodel.h`: `setdecal`; models are in `media/model`.
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("media/model/hudgun/rail");
    std::fs::create_dir_all(&folder).unwrap();
    let script = "md5dir \"hudgun/rail\"\nmd5load model.md5mesh\nmd5skin * base.png\nmd5decal * paint.png\n\
        md5anim shoot wave.md5anim 23\n";
    for (name, bytes) in [
        ("model.md5mesh", MD5_MESH.as_bytes()),
        ("wave.md5anim", MD5_ANIM.as_bytes()),
        ("md5.cfg", script.as_bytes()),
        ("base.png", image_bytes()),
        ("paint.png", image_bytes()),
    ] {
        std::fs::write(folder.join(name), bytes).unwrap();
    }
    let part = open_file(&folder.join("model.md5mesh")).unwrap();
    assert_eq!(warnings_of(&part), "");
    assert_eq!(rows(part.model.clips())[1], ("shoot", 1, 3, 23.0, true));
    let material = first(&part);
    assert_eq!(material.path, "model/hudgun/rail/paint.png");
    let stages = &material.definition.stages;
    let images: Vec<_> = stages.iter().map(|stage| (stage.maps[0].path.as_str(), stage.blend)).collect();
    let [base, paint] = ["base", "paint"].map(|name| format!("model/hudgun/rail/{name}.png"));
    assert_eq!(images, [(base.as_str(), None), (paint.as_str(), Some(Blend::ALPHA))]);
    assert!(stages[1].is_lit() && !stages[1].writes_depth && !material.is_plain());
    // Without a script, the folder of models identifies the engine.
    let game =
        KnownEngine::for_model(&vfs_of(&[("media/model/a/a.md3", &md3("x"))]), "media/model/a/a.md3", Format::Md3);
    assert!(game.unwrap().engine.name.contains("Tesseract"));
}

#[test]
fn missing_and_outside_script_images_are_reported() {
    for path in ["../../../../etc/skin.png", "gone.png", "C:\\skin.png"] {
        let script = format!("md3load tris.md3\nmd3skin * \"{path}\"\n");
        let vfs = vfs_of(&[("a/b/tris.md3", &md3("x")), ("a/b/md3.cfg", script.as_bytes())]);
        let part = open(&vfs, "a/b/tris.md3");
        assert!(first(&part).is_missing(), "{path}");
        assert!(warnings_of(&part).contains("no image"), "{path}: {}", warnings_of(&part));
    }
}

#[test]
fn cube_parser_memory_is_bounded() {
    for line in ["md3load tris.md3\n", "md3skin * a.png\n", "md3anim a 0 1\n", "a 0 1 5\n", "0 1\n", "md5tag a b\n"] {
        let text = format!("md3load tris.md3\nmd5load a.md5mesh\n{}", line.repeat(50_000));
        let (_, peak) = peak_of(|| survive(text.as_bytes()));
        assert!(peak < 64 << 20, "{peak} bytes for {line}");
    }
}

#[test]
fn overlong_cube_script_is_reported_and_long_words_skipped() {
    let script = format!("md3load tris.md3\nmd3skin * skin.png\n{}", "//\n".repeat(50_000));
    let part = open(&vfs_of(&[("m/tris.md3", &md3("x")), ("m/md3.cfg", script.as_bytes())]), "m/tris.md3");
    assert!(
        warnings_of(&part).contains("md3.cfg: the script is longer than 131072 bytes; skipped"),
        "{}",
        warnings_of(&part)
    );
    // Each path would store the long folder name.
    let script = format!("md3load tris.md3\nmd3dir {}\n{}", "f".repeat(50_000), "md3skin a b c\n".repeat(500));
    let (parts, peak) =
        peak_of(|| script::parse(script.as_bytes(), Format::Md3, &mut |_| None, &mut Warnings::default()));
    assert!(parts[0].skins[0].texture.folder.is_none() && peak < 4 << 20, "{peak} bytes");
}
