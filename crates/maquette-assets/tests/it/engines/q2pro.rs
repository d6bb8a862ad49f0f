//! Tests of Q2PRO.

use super::*;

#[test]
fn replacing_model_has_skins_and_clips_of_the_replaced() {
    // The replaced MD2 has the frames stand01 and stand02, and the skins models/box/skin.pcx and pain.pcx.
    let body = Md2::typical().build();
    let files: [(&str, &[u8]); 5] = [
        ("models/box/tris.md2", &body),
        ("models/box/md5/tris.md5mesh", MD5_MESH.as_bytes()),
        ("models/box/md5/tris.md5anim", MD5_ANIM.as_bytes()),
        ("models/box/md5/skin.png", &[]),
        ("models/box/md5/pain.png", &[]),
    ];
    let part = open(&vfs_of(&files), "models/box/md5/tris.md5mesh");
    assert_eq!(skin_paths(&part), [("skin", "models/box/md5/skin.png"), ("pain", "models/box/md5/pain.png")]);
    let clips: Vec<_> = part.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    let whole = part.model.clip("tris").unwrap();
    assert_eq!(clips, [("stand", whole.first, 2)]);
    assert!(!first(&part).is_guess);
    // Without its animation, the MD5 replaces nothing.
    let part = open(&vfs_of(&[files[0], files[1], files[3], files[4]]), "models/box/md5/tris.md5mesh");
    assert!(part.model.clips().iter().all(|clip| clip.name != "stand"));
}
