//! Tests of Quake III.

use super::*;

#[test]
fn skin_entry_with_suffix_has_no_effect_in_quake3() {
    // ioquake3 `R_LoadMD3` cuts `_1` off the surface's name, so only an entry without the suffix applies.
    let mut body = md3("x");
    let name = body.windows(7).position(|bytes| bytes == b"u_torso").unwrap();
    body[name..name + 7].copy_from_slice(b"u_arm_1");
    let drawn = |skin: &str| {
        let files: [(&str, &[u8]); 3] =
            [("models/x/x.md3", &body), ("models/x/x_default.skin", skin.as_bytes()), ("models/x/a.png", b"")];
        let part = open(&vfs_of(&files), "models/x/x.md3");
        (first(&part).path.clone(), first(&part).in_game == InGame::Whole)
    };
    assert_eq!(drawn("u_arm_1,models/x/a"), ("models/x/a.png".to_owned(), false));
    assert_eq!(drawn("u_arm,models/x/a"), ("models/x/a.png".to_owned(), true));
}

#[test]
fn quake_3_folder_has_no_special_rules() {
    let vfs = vfs_of(&[
        ("models/players/sarge/upper.md3", &md3("x")),
        ("models/players/sarge/animation.cfg", b"sex m\n"),
        ("scripts/models.shader", b"x { }"),
        ("textures/x.tga", b""),
        ("default.cfg", b"bind w +forward\n"),
    ]);
    for format in Format::ALL {
        assert!(KnownEngine::for_model(&vfs, "models/players/sarge/upper.md3", format).is_none());
    }
}
