//! Tests of SRB2.

use super::*;

#[test]
fn model_of_srb2_has_image_of_its_name() {
    // SRB2 `PNG_Load`, `PCX_Load`: the path of the model with the extension `.png`, else `.pcx`.
    let body = Md3 { surfaces: 2, shaders: vec!["models/other.tga"], ..Md3::typical() }.build();
    let files: [(&str, &[u8]); 9] = [
        ("models.dat", b"PLAY SONIC.md3 3.0 0.0\n"),
        ("models/SONIC.md3", &body),
        ("models/SONIC.png", b""),
        ("models/SONIC.tga", b""),
        ("models/other.tga", b""),
        ("models/chars/tails.md2", &md2(2)),
        ("models/chars/tails.pcx", b""),
        ("models/chars/skin.png", b""),
        ("models/box/skin.png", b""),
    ];
    for (model, image) in
        [("models/SONIC.md3", "models/SONIC.png"), ("models/chars/tails.md2", "models/chars/tails.pcx")]
    {
        let part = open(&vfs_of(&files), model);
        assert_eq!(part.skins.len(), 1);
        assert!(part.skins[0].materials.iter().all(|material| material.path == image && !material.is_guess));
        assert!(warnings_of(&part).is_empty(), "{}", warnings_of(&part));
    }
    let part = open(&vfs_of(&files[1..]), "models/SONIC.md3");
    assert_eq!(paths(&part, 0), ["models/other.tga"; 2]);
}
