//! Tests of Quake and its ports.

use super::*;

#[test]
fn lmp_image_of_quake_uses_the_palette() {
    // Ironwail `Image_LoadLMP`: width, height, indices. `TEXPREF_ALPHA` makes colour 255 transparent.
    let mut palette = vec![0; 768];
    palette[3..6].copy_from_slice(&[10, 20, 30]);
    let lmp = |width: u8| [&[width, 0, 0, 0, 1, 0, 0, 0][..], &[1, 255]].concat();
    let opened = |width: u8, path: &str| {
        let image = lmp(width);
        let name = if path.ends_with("mesh") { "progs/gun_00_00.LMP" } else { "progs/u_torso_0.lmp" };
        let mesh = MD5_MESH.replace("models/box/skin", "gun");
        let bytes = if path.ends_with("mesh") { mesh.into_bytes() } else { md3("") };
        open(&vfs_of(&[(path, &bytes), (name, &image), ("gfx/palette.lmp", &palette)]), path)
    };
    for path in ["progs/gun.md5mesh", "progs/ogre.md3"] {
        let part = opened(2, path);
        let image = first(&part).image.clone().unwrap();
        assert_eq!((image.width, image.height), (2, 1), "{path}");
        assert_eq!(image.rgba, [10, 20, 30, 255, 0, 0, 0, 0]);
        assert_eq!(warnings_of(&part), "");
    }
    let part = opened(3, "progs/ogre.md3");
    assert!(warnings_of(&part).contains("u_torso_0.lmp: width × height differs from the number of texels"));
    let elsewhere =
        open(&vfs_of(&[("models/a.md3", &md3("models/skin")), ("models/skin.lmp", &lmp(2))]), "models/a.md3");
    assert!(first(&elsewhere).is_missing());
}

#[test]
fn quake_ports_derive_image_names_from_shader_or_surface() {
    // Ironwail `Mod_LoadMD5Skins`: `progs/<shader>_<skin>_<frame>`, glow maps with `_luma`.
    let shader = MD5_MESH;
    let named = shader.split("shader \"").nth(1).unwrap().split('"').next().unwrap();
    let mesh = shader.replace(named, "ogre");
    let files: [(&str, &[u8]); 5] = [
        ("progs/ogre.md5mesh", mesh.as_bytes()),
        ("progs/ogre_00_00.png", &[]),
        ("progs/ogre_00_00_luma.png", &[]),
        ("progs/ogre_01_00.png", &[]),
        ("progs/ogre_03_00.png", &[]),
    ];
    let part = open(&vfs_of(&files), "progs/ogre.md5mesh");
    assert_eq!(skin_paths(&part), [("0", "progs/ogre_00_00.png"), ("1", "progs/ogre_01_00.png")]);
    assert_eq!(first(&part).definition.stages[1].blend, Some(Blend::ADD));
    assert!(!first(&part).is_guess && warnings_of(&part).is_empty(), "{}", warnings_of(&part));

    // Ironwail `Mod_LoadMD3_LoadNonSkinFileTextures`: the surface is called `box`.
    let model = md3("");
    let skins = |images: &[&'static str]| -> Vec<(String, String)> {
        let mut files = vec![("progs/a.md3", model.as_slice())];
        files.extend(images.iter().map(|path| (*path, &[][..])));
        let part = open(&vfs_of(&files), "progs/a.md3");
        skin_paths(&part).iter().map(|(name, path)| ((*name).to_owned(), (*path).to_owned())).collect()
    };
    let surface = formats::load(&model).unwrap().0.surfaces()[0].name.clone();
    let path = |text: &str| -> &'static str { text.replace("SURFACE", &surface).leak() };
    let wanted = |list: &[&str]| -> Vec<(String, String)> {
        list.iter().enumerate().map(|(number, text)| (number.to_string(), path(text).to_owned())).collect()
    };
    let numbered = ["progs/SURFACE_0.png", "textures/SURFACE_1.png"];
    assert_eq!(skins(&numbered.map(path)), wanted(&numbered));
    let framed = ["progs/SURFACE_0_0.png", "progs/SURFACE_1_0.png"];
    assert_eq!(skins(&[path(framed[0]), path(framed[1]), path("progs/SURFACE_0.png")]), wanted(&framed));
    assert_eq!(skins(&[path("textures/SURFACE.png")]), wanted(&["textures/SURFACE.png"]));
    assert_eq!(skins(&["progs/a.md3_0_0_0.png", "progs/a.md3_0_1_0.png"]).len(), 2);
    // Other games do not derive such a name.
    let part = open(
        &vfs_of(&[("models/a.md3", &model), (path("models/SURFACE_0.png"), &[]), ("models/b.png", &[])]),
        "models/a.md3",
    );
    assert!(first(&part).is_missing());
    // The search log lists the patterns.
    let part = open(&vfs_of(&[("progs/a.md3", &model), ("progs/b.png", &[]), ("progs/c.png", &[])]), "progs/a.md3");
    let tried =
        |material: &SurfaceMaterial| material.search_log.iter().flat_map(|step| step.tried.clone()).collect::<Vec<_>>();
    assert!(tried(first(&part)).contains(&path("textures/SURFACE_0.tga").to_owned()), "{:?}", tried(first(&part)));
}

#[test]
fn table_of_skins_has_a_column_for_each() {
    let model = md3("");
    let surface = formats::load(&model).unwrap().0.surfaces()[0].name.clone();
    let table = format!("{surface}, progs/b0 ,b1,progs/b2.tga\n\nother,x\n");
    let files: [(&str, &[u8]); 5] = [
        ("progs/a.md3", &model),
        ("progs/a.skin", table.as_bytes()),
        ("progs/b0.png", &[]),
        ("textures/b1.png", &[]),
        ("progs/b2.png", &[]),
    ];
    let part = open(&vfs_of(&files), "progs/a.md3");
    assert_eq!(skin_paths(&part), [("0", "progs/b0.png"), ("1", "textures/b1.png"), ("2", "progs/b2.png")]);
    // A list that is shorter gives its first image to the other skins (vkQuake `r_alias.c`: `skinnum >= numskins`).
    let table = format!("other,b1,b1\n{surface},progs/b0\n");
    let shorter = [files[0], ("progs/a.skin", table.as_bytes()), files[2]];
    let part = open(&vfs_of(&shorter), "progs/a.md3");
    assert_eq!(skin_paths(&part)[..2], [("0", "progs/b0.png"), ("1", "progs/b0.png")]);
    let part = open(&vfs_of(&files), "progs/a.md3");
    assert!(warnings_of(&part).is_empty(), "{}", warnings_of(&part));
}

#[test]
fn skin_table_is_read_where_game_reads_one() {
    let root = tempfile::tempdir().unwrap();
    let looks_up = |path: &str, bytes: &[u8]| {
        let file = root.path().join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(&file, bytes).unwrap();
        let asset = open_file(&file).unwrap();
        asset.lookups.include(&asset.game_path.replace("flag.md3", "flag.skin").replace("flag.md5mesh", "flag.skin"))
    };
    assert!(looks_up("id1/progs/flag.md3", &md3("x")));
    assert!(!looks_up("baseq3/models/flag.md3", &md3("x")));
    assert!(!looks_up("id1/progs/flag.md5mesh", MD5_MESH.as_bytes()));
}
