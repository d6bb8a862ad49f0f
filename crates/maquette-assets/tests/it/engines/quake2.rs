//! Tests of Quake II.

use super::*;

#[test]
fn transparent_skin_does_not_stand_in_for_the_first() {
    let image = |alpha: u8| -> &'static [u8] {
        let mut bytes = Cursor::new(Vec::new());
        let image = RgbaImage::from_pixel(2, 2, image::Rgba([200, 100, 50, alpha]));
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner().leak()
    };
    let (model, clear, solid) = (md2(2), image(0), image(255));
    let opened = |files: &[(&str, &[u8])]| {
        let mut all = vec![("models/box/tris.md2", model.as_slice())];
        all.extend_from_slice(files);
        open(&vfs_of(&all), "models/box/tris.md2")
    };
    // The model names skin.pcx and pain.pcx.
    let part = opened(&[("models/box/pain.png", clear)]);
    assert!(first(&part).is_missing() && first(&part).name == "models/box/skin.pcx");
    assert!(warnings_of(&part).contains("the other skins are fully transparent"), "{}", warnings_of(&part));
    assert_eq!(part.skins.iter().map(|skin| skin.name.as_str()).collect::<Vec<_>>(), ["skin.pcx", "pain.png"]);
    let part = opened(&[("models/box/pain.png", solid)]);
    assert_eq!(paths(&part, 0), ["models/box/pain.png"]);
    assert!(warnings_of(&part).contains("the first skin “models/box/skin.pcx” was not found; using pain.png"));
    let part = opened(&[("models/box/skin.png", clear), ("models/box/pain.png", solid)]);
    assert_eq!(paths(&part, 0), ["models/box/skin.png"]);
    assert!(warnings_of(&part).contains("the first skin is fully transparent"));
    assert_eq!(warnings_of(&opened(&[("models/box/skin.png", solid), ("models/box/pain.png", clear)])), "");
}

#[test]
fn md2_skin_with_parent_folder_is_found_inside_root() {
    // q2pro `FS_NormalizePathBuffer` resolves `..`; ioquake3 `FS_FOpenFileReadDir` refuses the name.
    let skins = vec!["m/tank/skin.pcx", "m\\tank\\..\\ctank\\skin.pcx"];
    let body = Md2 { skins, ..Md2::typical() }.build();
    let named = md3("m/tank/../ctank/skin.pcx");
    let both: [(&str, &[u8]); 4] =
        [("m/tank/tris.md2", &body), ("m/b/b.md3", &named), ("m/tank/skin.png", b""), ("m/ctank/skin.png", b"")];
    let part = open(&vfs_of(&both), "m/tank/tris.md2");
    assert_eq!(part.skins.len(), 2);
    assert_eq!((paths(&part, 0), paths(&part, 1)), (vec!["m/tank/skin.png"], vec!["m/ctank/skin.png"]));
    assert!(open(&vfs_of(&both), "m/b/b.md3").skins[0].materials[0].is_missing());
}

#[test]
fn quake2_player_has_skins_with_icon() {
    // yquake2 `menu.c`: a skin needs an icon. The list in the model does not matter.
    let body = Md2 { skins: vec!["players/foo/grunt.pcx", "players/foo/gone.pcx"], ..Md2::typical() }.build();
    let files = ["grunt", "grunt_i", "other", "other_i", "noicon", "weapon"];
    let names = files.map(|name| format!("players/foo/{name}.pcx"));
    let skins_of = |model: &str| {
        let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &[][..])).collect();
        files.push((model, &body));
        let part = open(&vfs_of(&files), model);
        part.skins.iter().map(|skin| (skin.name.clone(), skin.materials[0].is_missing())).collect::<Vec<_>>()
    };
    assert_eq!(skins_of("players/foo/tris.md2"), [("grunt.pcx".to_owned(), false), ("other.pcx".to_owned(), false)]);
    assert_eq!(skins_of("players/foo/weapon.md2"), [("grunt.pcx".to_owned(), false), ("gone.pcx".to_owned(), true)]);
}

#[test]
fn listed_skin_with_foreign_image_is_missing() {
    let skins = vec!["m/tank/skin.pcx", "m/ctank/skin.pcx", "M\\Tank\\Skin.tga"];
    let body = Md2 { skins, ..Md2::typical() }.build();
    let part = open(&vfs_of(&[("m/tank/tris.md2", &body), ("m/tank/skin.png", b"")]), "m/tank/tris.md2");
    let skins = part.skins.iter().map(|skin| (skin.materials[0].name.as_str(), skin.materials[0].path.as_str()));
    assert_eq!(skins.collect::<Vec<_>>(), [("m/tank/skin.pcx", "m/tank/skin.png"), ("m/ctank/skin.pcx", "")]);
}

#[test]
fn every_missing_skin_is_listed_once() {
    let skins = vec!["m/a.pcx", "m/b.pcx", "m/c.pcx", "m/b.pcx"];
    let body = Md2 { skins, ..Md2::typical() }.build();
    let names = |files: &[(&str, &[u8])]| {
        let mut all = vec![("m/tris.md2", body.as_slice())];
        all.extend_from_slice(files);
        let part = open(&vfs_of(&all), "m/tris.md2");
        let named = |skin: &Skin| (skin.name.clone(), skin.materials[0].is_missing());
        part.skins.iter().map(named).collect::<Vec<_>>()
    };
    let listed = |wanted: [(&str, bool); 3]| wanted.map(|(name, missing)| (name.to_owned(), missing));
    assert_eq!(names(&[]), listed([("a.pcx", true), ("b.pcx", true), ("c.pcx", true)]));
    assert_eq!(names(&[("m/b.pcx", b"")]), listed([("b.pcx", false), ("a.pcx", true), ("c.pcx", true)]));
}

/// yquake2 `gl3_image.c`, `GL3_FindImage`: the path alone is tried.
#[test]
fn md2_skin_of_the_authors_disk_is_a_guess() {
    for name in ["C:/q2/models/i/skin.pcx", "D:\\work\\skin.pcx", "/home/me/skin.pcx", "models/other/skin.pcx"] {
        let body = Md2 { skins: vec![name], ..Md2::typical() }.build();
        let part = open(&vfs_of(&[("models/i/tris.md2", &body), ("models/i/skin.pcx", &[])]), "models/i/tris.md2");
        let found = first(&part);
        assert_eq!((found.path.as_str(), found.is_guess), ("models/i/skin.pcx", true), "{name}");
        assert_eq!(found.in_game, InGame::DefaultTexture, "{name}");
    }
    let body = Md2 { skins: vec!["models/i/a.pcx", "C:/x/b.pcx"], ..Md2::typical() }.build();
    let part = open(
        &vfs_of(&[("models/i/tris.md2", &body), ("models/i/a.pcx", &[]), ("models/i/b.pcx", &[])]),
        "models/i/tris.md2",
    );
    assert_eq!([0, 1].map(|skin: usize| part.skins[skin].materials[0].is_guess), [false, true]);
}
