//! Paths and lookups of the virtual file system.

use std::fs;

use maquette_assets::vfs::{FileSystem, ReadLimit, Vfs, folder_of, name_of, normalise, split_extension};

#[test]
fn paths_use_forward_slashes_and_stay_below_root() {
    assert_eq!(normalise("models\\players//sarge/./head.md3").as_deref(), Some("models/players/sarge/head.md3"));
    assert_eq!(normalise("/models/x.md3").as_deref(), Some("models/x.md3"));
    assert_eq!(normalise("models/../../etc/passwd"), None);
    assert_eq!(normalise("C:/models/x.md3"), None);
    assert_eq!(normalise("models/x\0.md3"), None);
}

#[test]
fn only_last_extension_is_split_off() {
    assert_eq!(split_extension("models/glass.tga.tga"), ("models/glass.tga", "tga"));
    assert_eq!(split_extension("models.v2/glass"), ("models.v2/glass", ""));
    assert_eq!(split_extension("models/.skin"), ("models/.skin", ""));
    assert_eq!((folder_of("a/b/c.md3"), name_of("a/b/c.md3")), ("a/b", "c.md3"));
    assert_eq!((folder_of("c.md3"), name_of("c.md3")), ("", "c.md3"));
}

#[test]
fn lookup_on_disk_ignores_case() {
    let root = tempfile::tempdir().unwrap();
    fs::create_dir_all(root.path().join("Models/Players")).unwrap();
    fs::write(root.path().join("Models/Players/Head.MD3"), b"head").unwrap();
    let (vfs, path) = FileSystem::default().for_file(&root.path().join("Models/Players/Head.MD3")).unwrap();
    assert_eq!(path, "Models/Players/Head.MD3");
    assert_eq!(vfs.find("models/players/head.md3").as_deref(), Some("Models/Players/Head.MD3"));
    assert_eq!(vfs.read("MODELS\\PLAYERS\\HEAD.md3", ReadLimit::Whole).unwrap(), b"head");
    assert_eq!(vfs.files_in("models/players").iter().collect::<Vec<_>>(), ["Head.MD3"]);
    assert_eq!(vfs.folders_in("").iter().collect::<Vec<_>>(), ["Models"]);
    assert!(vfs.read("models/players", ReadLimit::Whole).is_err(), "a folder is no file");
    assert!(vfs.read("models/players/../../../secret", ReadLimit::Whole).is_err());
}

#[test]
#[cfg(target_os = "linux")]
fn lookup_on_disk_prefers_exact_name() {
    let root = tempfile::tempdir().unwrap();
    for name in ["Skin.tga", "skin.tga"] {
        fs::write(root.path().join(name), name).unwrap();
    }
    let (vfs, _) = FileSystem::default().for_file(&root.path().join("skin.tga")).unwrap();
    for name in ["Skin.tga", "skin.tga"] {
        assert_eq!(vfs.find(name).as_deref(), Some(name));
        assert_eq!(vfs.read(name, ReadLimit::Whole).unwrap(), name.as_bytes());
    }
    assert_eq!(vfs.find("SKIN.TGA").as_deref(), Some("Skin.tga"), "first in byte order");
}

#[test]
fn game_root_is_the_nearest_plausible_folder() {
    let root = tempfile::tempdir().unwrap();
    let deep = root.path().join("baseq3/models/weapons2/gun");
    fs::create_dir_all(&deep).unwrap();
    fs::write(deep.join("gun.md3"), b"x").unwrap();
    let (vfs, path) = FileSystem::default().for_file(&deep.join("gun.md3")).unwrap();
    assert_eq!(path, "models/weapons2/gun/gun.md3");
    assert_eq!(vfs.root().unwrap(), root.path().join("baseq3"));
}

/// Creates empty files below a folder and opens the file system around the first one.
fn around_first(root: &std::path::Path, files: &[&str]) -> (Vfs, String) {
    for file in files {
        let path = root.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"x").unwrap();
    }
    FileSystem::default().for_file(&root.join(files[0])).unwrap()
}

#[test]
fn folder_of_models_with_players_is_not_a_root() {
    let root = tempfile::tempdir().unwrap();
    let files = ["game/models/mod/gun/gun.md3", "game/models/mod/players/a.md3", "game/scripts/a.shader"];
    let (vfs, path) = around_first(root.path(), &files);
    assert_eq!(path, "models/mod/gun/gun.md3");
    assert!(vfs.find("scripts/a.shader").is_some());
    // A game that somebody keeps below a folder called `models` has a root.
    let (vfs, path) = around_first(root.path(), &["models/game/models/gun/gun.md3", "models/game/scripts/b.shader"]);
    assert_eq!(path, "models/gun/gun.md3");
    assert!(vfs.find("scripts/b.shader").is_some());
}

/// Only Tesseract keeps its models in `media/model`.
#[test]
fn folder_model_marks_a_root_only_in_media() {
    let root = tempfile::tempdir().unwrap();
    let (_, path) = around_first(root.path(), &["game/models/gun/old/gun.md3", "game/models/gun/model/a.txt"]);
    assert_eq!(path, "models/gun/old/gun.md3");
    let (_, path) = around_first(root.path(), &["mine/gun/old/gun.md3", "mine/gun/model/a.txt"]);
    assert!(!path.starts_with("old/"), "{path}");
    let (vfs, path) = around_first(root.path(), &["tess/media/model/gun/gun.iqm", "tess/media/texture/a.png"]);
    assert_eq!(path, "model/gun/gun.iqm");
    assert!(vfs.find("texture/a.png").is_some());
}

#[test]
fn root_inside_a_root_is_searched_first() {
    let root = tempfile::tempdir().unwrap();
    let files = ["game/_src/models/x/x.md3", "game/models/x/a.png", "game/models/x/x.md3", "game/scripts/a.shader"];
    let (vfs, path) = around_first(root.path(), &files);
    assert_eq!(path, "models/x/x.md3");
    assert_eq!(vfs.root().unwrap().file_name().unwrap(), "_src");
    assert!(vfs.find("models/x/a.png").is_some() && vfs.find("scripts/a.shader").is_some());
    assert!(vfs.location_of("models/x/x.md3").unwrap().ends_with("game/_src/models/x/x.md3"));
}

#[test]
fn file_without_game_uses_its_folder_as_root() {
    let root = tempfile::tempdir().unwrap();
    fs::write(root.path().join("thing.md2"), b"x").unwrap();
    let (vfs, path) = FileSystem::default().for_file(&root.path().join("thing.md2")).unwrap();
    // The folder above may look like a game root; the file is found either way.
    assert!(path.ends_with("thing.md2"));
    assert_eq!(vfs.read(&path, ReadLimit::Whole).unwrap(), b"x");
}

#[test]
fn memory_files_behave_like_folder_files() {
    let vfs = Vfs::in_memory(vec![("a/One.md3".to_owned(), b"1"), ("a/b/two.tga".to_owned(), b"2")]);
    assert_eq!(vfs.read("A/one.MD3", ReadLimit::Whole).unwrap(), b"1");
    assert_eq!(vfs.files_in("a").iter().collect::<Vec<_>>(), ["One.md3"]);
    assert_eq!(vfs.folders_in("a").iter().collect::<Vec<_>>(), ["b"]);
    assert_eq!(vfs.folders_in("").iter().collect::<Vec<_>>(), ["a"]);
    assert!(vfs.location_of("a/One.md3").is_none());
}

#[test]
fn next_vfs_sees_changes_in_a_folder() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("models");
    std::fs::create_dir(&folder).unwrap();
    let model = folder.join("a.md3");
    std::fs::write(&model, b"a").unwrap();
    let files = FileSystem::new(Vec::new());
    let finds = |name: String| files.for_file(&model).unwrap().0.find(&format!("models/{name}")).is_some();
    let mut times = Vec::new();
    for round in 0..24_u32 {
        let name = format!("{round}.tga");
        // Some listings are cached; others are read while the folder may change within the time resolution.
        std::thread::sleep(std::time::Duration::from_millis(if round % 4 == 0 { 120 } else { 0 }));
        assert!(!finds(name.clone()), "{round}");
        std::fs::write(folder.join(&name), b"b").unwrap();
        assert!(finds(name.clone()), "{round}");
        if round % 3 == 0 {
            std::fs::remove_file(folder.join(&name)).unwrap();
            assert!(!finds(name.clone()), "{round}");
            std::fs::create_dir(folder.join(&name)).unwrap();
            assert!(!finds(name), "{round}: a folder is no file");
        }
        times.push(std::fs::metadata(&folder).unwrap().modified().unwrap());
    }
    assert!(times.is_sorted());
}

#[cfg(unix)]
#[test]
fn folder_with_reset_time_is_listed_again() {
    let root = tempfile::tempdir().unwrap();
    let model = root.path().join("a.md3");
    std::fs::write(&model, b"a").unwrap();
    let files = FileSystem::new(Vec::new());
    let finds = || files.for_file(&model).unwrap().0.find("b.tga").is_some();
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::new(1_000_000_000, 5);
    let set_back = || std::fs::File::open(root.path()).unwrap().set_modified(old).unwrap();
    set_back();
    std::thread::sleep(std::time::Duration::from_millis(120));
    assert!(!finds());
    std::fs::write(root.path().join("b.tga"), b"b").unwrap();
    set_back();
    assert!(finds());
}

#[test]
fn file_names_sort_and_match_prefix_ignoring_case() {
    let files =
        ["m/Lower_red.skin", "m/lower.md3", "m/LOWER_blue.skin", "m/lowered.tga", "m/upper_red.skin", "m/x/lower_c"];
    let vfs = Vfs::in_memory(files.map(|name| (name.to_owned(), Vec::<u8>::new())).to_vec());
    let names = vfs.files_in("M");
    let all: Vec<&str> = names.iter().collect();
    assert_eq!(all, ["lower.md3", "LOWER_blue.skin", "Lower_red.skin", "lowered.tga", "upper_red.skin"]);
    assert_eq!(names.beginning_with("lOwer_").collect::<Vec<_>>(), ["LOWER_blue.skin", "Lower_red.skin"]);
    assert_eq!(names.beginning_with("z").count(), 0);
    assert_eq!((names.len(), vfs.files_in("nowhere").is_empty()), (5, true));
}
