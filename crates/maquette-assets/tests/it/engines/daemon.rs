//! Tests of Daemon.

use super::*;

#[test]
fn skin_file_of_daemon_is_for_meshes_by_number() {
    // Daemon `tr_animation.cpp`: `skin->surfaces[i]` for mesh i. Entries of tags do not count (`RE_RegisterSkin`).
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("pkg/human_src.dpkdir/models/human");
    fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).unwrap();
    let (start, mesh) = MD5_MESH.split_at(MD5_MESH.find("mesh {").unwrap());
    write("body.md5mesh", format!("{}{mesh}\n{mesh}", start.replace("numMeshes 1", "numMeshes 2")).as_bytes());
    write("body_default.skin", b"torso,models/human/a\ntag_x,\nhelmet,models/human/b\n");
    write("body_red.skin", b"torso,models/human/b.tga\n");
    for image in ["a.png", "b.png"] {
        write(image, image_bytes());
    }
    let part = open_file(&folder.join("body.md5mesh")).unwrap();
    let paths_of = |skin: usize| {
        let materials = part.skins[skin].materials.iter();
        materials.map(|material| material.path.strip_prefix("models/human/").unwrap_or_default()).collect::<Vec<_>>()
    };
    let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names[..2], ["default", "red"]);
    assert_eq!((paths_of(0), paths_of(1)), (vec!["a.png", "b.png"], vec!["b.png", ""]));
}
