//! Tests of FTE QuakeWorld.

use super::*;
use maquette_assets::engines::Profile;
use maquette_testing::files::Mdl;

/// Returns the path of the image of a model below `progs`, in a game with these images.
fn image_of(shader: &'static str, images: &[&str]) -> String {
    let body = md3(shader);
    let mut files: Vec<(&str, &[u8])> = images.iter().map(|path| (*path, &[][..])).collect();
    files.extend([("default.fmf", &b"FTEMANIFEST 1"[..]), ("progs/a.md3", &body)]);
    first(&open(&vfs_of(&files), "progs/a.md3")).path.clone()
}

#[test]
fn fte_searches_folders_of_textures_and_models() {
    // FTE `image.c`: `tex_path`, with the subpaths `FOLDER:models` of `R_RegisterSkin` (`gl_shader.c`).
    let bare = [
        "textures/progs/s.png",
        "textures/models/s.png",
        "progs/s.png",
        "models/s.png",
        "textures/s.png",
        "override/s.png",
    ];
    for start in 0..bare.len() {
        assert_eq!(image_of("s", &bare[start..]), bare[start]);
    }
    // A name with a folder has the subpath `models` alone.
    let named = ["b/s.png", "textures/models/s.png", "models/s.png", "textures/b/s.png", "override/b/s.png"];
    for start in 0..named.len() {
        assert_eq!(image_of("b/s.tga", &named[start..]), named[start]);
    }
    assert_eq!(image_of("b/s", &["textures/progs/s.png"]), "");
}

#[test]
fn images_in_textures_models_replace_skins_of_mdl() {
    // FTE `com_mesh.c`: the skin is `progs/ogre.mdl_0`, whose base name without the extension is `ogre_0`.
    let body = Mdl::typical().build();
    let image = |images: &[&str], manifest: &'static str| {
        let mut files: Vec<(&str, &[u8])> = images.iter().map(|path| (*path, &[][..])).collect();
        files.extend([(manifest, &b"FTEMANIFEST 1"[..]), ("progs/ogre.mdl", &body)]);
        let part = open(&vfs_of(&files), "progs/ogre.mdl");
        (first(&part).path.clone(), part.engine().name)
    };
    let all = [
        "progs/ogre.mdl_0.png",
        "textures/models/ogre_0.png",
        "models/ogre_0.png",
        "textures/progs/ogre.mdl_0.png",
        "override/progs/ogre.mdl_0.png",
    ];
    for start in 0..all.len() {
        assert_eq!(image(&all[start..], "default.fmf"), (all[start].to_owned(), "FTE QuakeWorld"));
    }
    // Other clients of QuakeWorld have two of the folders (ezQuake `Mod_LoadExternalSkin`).
    assert_eq!(image(&all[1..], "readme"), (all[1].to_owned(), "Quake"));
    assert_eq!(image(&["textures/ogre_0.png"], "readme").0, "textures/ogre_0.png");
    assert_eq!(image(&all[2..], "readme").0, "progs/ogre.mdl/skin 0");
}

#[test]
fn manifest_next_to_the_game_identifies_fte() {
    // FTE `fs.c`: `default.fmf` is in the folder of the engine, the game below.
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in [
        ("default.fmf", b"FTEMANIFEST 1\nGAME box\nBASEGAME lg".to_vec()),
        ("lg/progs/box.md3", md3("skin")),
        ("lg/progs/box.md3.framegroups", b"0 2 15 1 turn".to_vec()),
        ("lg/textures/models/skin.png", image_bytes().to_vec()),
    ] {
        fs::create_dir_all(root.path().join(path).parent().unwrap()).unwrap();
        fs::write(root.path().join(path), bytes).unwrap();
    }
    let part = open_file(&root.path().join("lg/progs/box.md3")).unwrap();
    assert_eq!((first(&part).path.as_str(), first(&part).is_guess), ("textures/models/skin.png", false));
    assert_eq!((part.engine().short_name, warnings_of(&part)), ("FTE", String::new()));
    assert_eq!(rows(part.model.clips()), [("turn", 0, 2, 15.0, true)]);
    let step = first(&part).search_log.iter().find(|step| step.what == "Rules of the game").unwrap();
    assert_eq!(step.found.as_deref(), Some("FTE QuakeWorld, by default.fmf"));
    // Without the manifest it is Quake.
    fs::remove_file(root.path().join("default.fmf")).unwrap();
    assert_eq!(open_file(&root.path().join("lg/progs/box.md3")).unwrap().engine().name, "Quake");
    assert!(Profile::named("fte").unwrap().formats.contains(&Format::Iqm));
}
