//! Paths and lookups of the file world.

use std::fs;

use maquette::vfs::{Vfs, folder_of, name_of, normalise, split_extension};

#[test]
fn paths_use_forward_slashes_and_never_leave_the_root() {
    assert_eq!(normalise("models\\players//sarge/./head.md3").as_deref(), Some("models/players/sarge/head.md3"));
    assert_eq!(normalise("/models/x.md3").as_deref(), Some("models/x.md3"));
    assert_eq!(normalise("models/../../etc/passwd"), None);
    assert_eq!(normalise("C:/models/x.md3"), None);
    assert_eq!(normalise("models/x\0.md3"), None);
}

#[test]
fn only_the_last_extension_is_one() {
    assert_eq!(split_extension("models/glass.tga.tga"), ("models/glass.tga", "tga"));
    assert_eq!(split_extension("models.v2/glass"), ("models.v2/glass", ""));
    assert_eq!(split_extension("models/.skin"), ("models/.skin", ""));
    assert_eq!((folder_of("a/b/c.md3"), name_of("a/b/c.md3")), ("a/b", "c.md3"));
    assert_eq!((folder_of("c.md3"), name_of("c.md3")), ("", "c.md3"));
}

#[test]
fn case_does_not_matter_on_disk() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("Models/Players")).unwrap();
    fs::write(root.path().join("Models/Players/Head.MD3"), b"head").unwrap();
    let (vfs, path) = Vfs::around(&root.path().join("Models/Players/Head.MD3")).unwrap();
    assert_eq!(path, "Models/Players/Head.MD3");
    assert_eq!(vfs.find("models/players/head.md3").as_deref(), Some("Models/Players/Head.MD3"));
    assert_eq!(vfs.read("MODELS\\PLAYERS\\HEAD.md3").unwrap(), b"head");
    assert_eq!(vfs.files_in("models/players"), ["Head.MD3"]);
    assert_eq!(vfs.folders_in(""), ["Models"]);
    assert!(vfs.read("models/players").is_err(), "a folder is no file");
    assert!(vfs.read("models/players/../../../secret").is_err());
}

#[test]
fn the_game_root_is_the_nearest_folder_that_looks_like_one() {
    let root = tempfile::tempdir().unwrap();
    let deep = root.path().join("baseq3/models/weapons2/gun");
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("gun.md3"), b"x").unwrap();
    let (vfs, path) = Vfs::around(&deep.join("gun.md3")).unwrap();
    assert_eq!(path, "models/weapons2/gun/gun.md3");
    assert_eq!(vfs.root().unwrap(), root.path().join("baseq3"));
}

#[test]
fn a_file_without_a_game_around_it_has_its_folder_as_root() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("thing.md2"), b"x").unwrap();
    let (vfs, path) = Vfs::around(&root.path().join("thing.md2")).unwrap();
    // The folder above may look like a game's root; the file is found either way.
    assert!(path.ends_with("thing.md2"));
    assert_eq!(vfs.read(&path).unwrap(), b"x");
}

#[test]
fn files_in_memory_look_like_files_in_folders() {
    let vfs = Vfs::in_memory(vec![("a/One.md3".to_owned(), b"1"), ("a/b/two.tga".to_owned(), b"2")]);
    assert_eq!(vfs.read("A/one.MD3").unwrap(), b"1");
    assert_eq!(vfs.files_in("a"), ["One.md3"]);
    assert_eq!(vfs.folders_in("a"), ["b"]);
    assert_eq!(vfs.folders_in(""), ["a"]);
    assert!(vfs.on_disk("a/One.md3").is_none());
}
