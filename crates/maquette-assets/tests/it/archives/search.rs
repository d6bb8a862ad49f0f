//! Search order of folders and archives, and their caches.

use super::*;

/// Returns a game in which the content of `a.txt` differs everywhere and so identifies the folder or archive that wins.
fn game() -> TempDir {
    let one = |content: &'static [u8]| zip(&[("a.txt", content), ("own.txt", content)]);
    let all = |own: &str, content: &'static [u8]| zip(&[("a.txt", content), (own, content)]);
    folder(&[
        ("mod/a.txt", b"loose"),
        ("mod/models/x.md3", b"x"),
        ("mod/pak0.pk3", &one(b"pak0")),
        ("mod/PAK1.PK3", &all("pak1.txt", b"pak1")),
        ("mod/pak2.pk3dir/a.txt", b"folder"),
        ("mod/pak2.pk3dir/own.txt", b"folder"),
        ("mod/pak2.pk3dir/models/y.md3", b"y"),
        ("mod/zpak.pk3", &zip(&[("z.txt", b"zpak")])),
        ("mod/zzz.zip", &all("zip.txt", b"zip")),
        ("baseq3/pak0.pk3", &zip(&[("a.txt", b"base"), ("base.txt", b"base"), ("z.txt", b"base")])),
        ("baseq3/loose.txt", b"base"),
        ("main/notes.txt", b"no game"),
        ("elsewhere/a.txt", b"user"),
        ("extra.pk3", &zip(&[("a.txt", b"extra"), ("base.txt", b"extra")])),
    ])
}

#[track_caller]
pub(super) fn gives(vfs: &Vfs, expected: &[(&str, &str)]) {
    for (path, content) in expected {
        let found = vfs.read(path, ReadLimit::Whole).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        assert_eq!(found.unwrap_or_else(|error| error.to_string()), *content, "{path}");
    }
}

#[test]
fn loose_files_precede_archives_in_reverse_order() {
    let root = game();
    let (vfs, path) = FileSystem::default().for_file(&root.path().join("mod/models/x.md3")).unwrap();
    assert_eq!(path, "models/x.md3");
    let none = "no such file: zip.txt";
    gives(&vfs, &[("a.txt", "loose"), ("own.txt", "folder"), ("z.txt", "zpak"), ("pak1.txt", "pak1")]);
    gives(&vfs, &[("base.txt", "base"), ("loose.txt", "base"), ("models/Y.md3", "y"), ("zip.txt", none)]);
    assert!(
        vfs.read("notes.txt", ReadLimit::Whole).is_err(),
        "a folder is not a game folder because of its name alone"
    );
    assert_eq!(vfs.files_in("models").iter().collect::<Vec<_>>(), ["x.md3", "y.md3"]);
}

#[test]
fn game_order_applies_to_files_in_archives() {
    let root = game();
    let files = FileSystem::new(vec![]);
    let own = root.path().join("mod/pak0.pk3/OWN.txt");
    let in_folder = root.path().join("mod/pak2.pk3dir/models/y.md3");
    let (vfs, path) = files.for_file(&own).unwrap();
    assert_eq!((path.as_str(), vfs.root()), ("own.txt", Some(root.path().join("mod/pak0.pk3").as_path())));
    gives(&vfs, &[("a.txt", "loose"), ("own.txt", "folder"), ("z.txt", "zpak"), ("base.txt", "base")]);
    let (vfs, path) = files.for_file(&in_folder).unwrap();
    assert_eq!(path, "models/y.md3");
    gives(&vfs, &[("a.txt", "loose"), ("models/x.md3", "x"), ("z.txt", "zpak"), ("base.txt", "base")]);
    // The other search order starts with the file's own archive.
    let files = files.in_order(SearchOrder::OwnArchive);
    let (vfs, _) = files.for_file(&own).unwrap();
    gives(&vfs, &[("a.txt", "pak0"), ("own.txt", "pak0"), ("z.txt", "zpak"), ("base.txt", "base")]);
    let (vfs, _) = files.for_file(&in_folder).unwrap();
    gives(&vfs, &[("a.txt", "folder"), ("models/x.md3", "x"), ("z.txt", "zpak"), ("base.txt", "base")]);
}

#[test]
fn overridden_files_are_reported_in_both_search_orders() {
    let root = game();
    for order in SearchOrder::ALL {
        let files = FileSystem::new(vec![]).in_order(order);
        let (vfs, _) = files.for_file(&root.path().join("mod/pak0.pk3/a.txt")).unwrap();
        assert!(vfs.order_matters());
        assert_eq!(vfs.overridden_by("A.txt"), Some(root.path().join("mod").as_path()), "{order:?}");
        assert_eq!(vfs.overridden_by("own.txt"), Some(root.path().join("mod/pak2.pk3dir").as_path()));
        assert_eq!(vfs.overridden_by("z.txt"), None, "it is not in the own archive");
        assert_eq!(vfs.entry("own.txt").unwrap().is_own(), order == SearchOrder::OwnArchive);
        assert_eq!(vfs.own_entry("own.txt").unwrap().read(ReadLimit::Start(100)).unwrap(), b"pak0");
        let (vfs, _) = files.for_file(&root.path().join("mod/models/x.md3")).unwrap();
        assert_eq!((vfs.overridden_by("a.txt"), vfs.order_matters()), (None, false), "loose files come first");
        let listed = ["mod/a.txt", "mod/pak0.pk3/own.txt", "mod/PAK1.PK3/pak1.txt", "baseq3/pak0.pk3/z.txt"];
        let listed = listed.map(|path| root.path().join(path));
        let replaced = files.overridden(&listed);
        assert_eq!(replaced.len(), 1, "{replaced:?}");
        assert_eq!(replaced[&listed[1]], "pak2.pk3dir");
    }
}

#[test]
fn own_archive_is_searched_first_outside_a_game() {
    let both = |content: &'static [u8]| zip(&[("a.txt", content)]);
    let root = folder(&[
        ("downloads/one.pk3", &both(b"one")),
        ("downloads/two.pk3", &both(b"two")),
        ("downloads/more.pk3", &zip(&[("b.txt", b"more")])),
    ]);
    let files = FileSystem::new(vec![]);
    for (archive, own) in [("one.pk3", "one"), ("two.pk3", "two")] {
        let (vfs, _) = files.for_file(&root.path().join("downloads").join(archive).join("a.txt")).unwrap();
        gives(&vfs, &[("a.txt", own), ("b.txt", "more")]);
        assert_eq!((vfs.overridden_by("a.txt"), vfs.order_matters()), (None, false));
    }
}

#[test]
fn own_archive_is_searched_beyond_archive_limit() {
    let root = folder(&[("g/models/x.md3", b"x"), ("g/a.pk3", &zip(&[("last.txt", b"last")]))]);
    for index in 0..256 {
        put(&root, &format!("g/b{index}.pk3"), b"PK");
    }
    let (vfs, _) = FileSystem::new(vec![]).for_file(&root.path().join("g/a.pk3/last.txt")).unwrap();
    gives(&vfs, &[("last.txt", "last")]);
}

#[test]
fn archives_sort_by_upper_case_name() {
    // Quake III's `FS_PathCmp` compares in upper case. `_` (5F) follows `A` (41), so pak_a is searched before paka.
    let one = |content: &'static [u8]| zip(&[("a.txt", content)]);
    let root =
        folder(&[("g/models/x.md3", b"x"), ("g/pak_a.pk3", &one(b"line below")), ("g/paka.pk3", &one(b"letter"))]);
    let (vfs, _) = FileSystem::default().for_file(&root.path().join("g/models/x.md3")).unwrap();
    gives(&vfs, &[("a.txt", "line below")]);
}

#[test]
fn base_game_and_unmounted_archives_have_own_search_order() {
    let root = game();
    let files = FileSystem::new(vec![]);
    // A base game has no other game below it.
    let (vfs, path) = files.for_file(&root.path().join("baseq3/pak0.pk3")).unwrap();
    assert_eq!(path, "");
    gives(&vfs, &[("a.txt", "base"), ("loose.txt", "base"), ("own.txt", "no such file: own.txt")]);
    let (vfs, path) = files.for_file(&root.path().join("mod/models")).unwrap();
    assert_eq!(path, "models");
    gives(&vfs, &[("a.txt", "loose")]);
    // An opened archive is searched even if games do not mount it.
    let (vfs, _) = files.for_file(&root.path().join("mod/zzz.zip/a.txt")).unwrap();
    gives(&vfs, &[("a.txt", "zip"), ("own.txt", "folder")]);
}

#[test]
fn user_search_folders_precede_everything() {
    let root = game();
    let roots = ["elsewhere", "extra.pk3", "not there"].map(|name| root.path().join(name));
    let files = FileSystem::new(roots.to_vec());
    let (vfs, _) = files.for_file(&root.path().join("mod/models/x.md3")).unwrap();
    gives(&vfs, &[("a.txt", "extra"), ("base.txt", "extra"), ("models/x.md3", "x")]);
    assert_eq!(vfs.root(), Some(root.path().join("mod").as_path()));
    let roots = ["extra.pk3", "elsewhere"].map(|name| root.path().join(name));
    let (vfs, _) = FileSystem::new(roots.to_vec()).for_file(&root.path().join("mod/models/x.md3")).unwrap();
    gives(&vfs, &[("a.txt", "user"), ("base.txt", "extra")]);
    // A folder that contains archives is a game folder.
    let files = FileSystem::new(vec![root.path().join("mod")]);
    let (vfs, _) = files.for_file(&root.path().join("elsewhere/a.txt")).unwrap();
    gives(&vfs, &[("a.txt", "loose"), ("own.txt", "folder")]);
}

#[test]
fn file_location_of_vfs_path_can_be_read() {
    let root = game();
    let files = FileSystem::new(vec![]);
    let (vfs, _) = files.for_file(&root.path().join("mod/models/x.md3")).unwrap();
    let mod_folder = root.path().join("mod");
    assert_eq!(vfs.location_of("A.txt"), Some(mod_folder.join("a.txt")));
    assert_eq!(vfs.location_of("PAK1.txt"), Some(mod_folder.join("PAK1.PK3/pak1.txt")));
    assert_eq!(vfs.location_of("own.txt"), Some(mod_folder.join("pak2.pk3dir/own.txt")));
    reads(&files, vfs.location_of("pak1.txt").unwrap(), "pak1");
    assert_eq!(vfs.location_of("nothing.txt"), None);
}

#[test]
fn neighbouring_archives_open_lazily_and_may_be_broken() {
    let root =
        folder(&[("g/models/x.md3", b"x"), ("g/zbroken.pk3", b"PK\x03\x04"), ("g/pak0.pk3", &zip(&[("a.txt", b"a")]))]);
    let (vfs, _) = FileSystem::default().for_file(&root.path().join("g/models/x.md3")).unwrap();
    gives(&vfs, &[("models/x.md3", "x")]);
    assert_eq!(vfs.warnings(), [""; 0], "nothing was opened so far");
    gives(&vfs, &[("a.txt", "a")]);
    assert_eq!(
        vfs.warnings(),
        [
            "zbroken.pk3: ZIP: central directory at byte 0x4: the directory is damaged or truncated (the end of the archive is missing)"
        ]
    );
}

#[test]
fn search_is_limited_to_256_archives() {
    let root = folder(&[("g/models/x.md3", b"x"), ("g/a.pk3", &zip(&[("last.txt", b"last")]))]);
    for index in 0..256 {
        put(&root, &format!("g/b{index}.pk3"), b"PK");
    }
    let (vfs, _) = FileSystem::default().for_file(&root.path().join("g/models/x.md3")).unwrap();
    assert_eq!(vfs.warnings(), ["257 archives in the folders around this file; only the first 256 are searched"]);
    assert!(vfs.read("last.txt", ReadLimit::Whole).is_err());
}

#[test]
fn archive_stays_open_until_its_file_changes() {
    let root = folder(&[("pak0.pk3", &zip(&[("a.txt", b"old"), ("b.txt", b"b")]))]);
    let path = root.path().join("pak0.pk3");
    let files = FileSystem::new(vec![]);
    let (_world, _) = files.for_file(&path.join("a.txt")).unwrap();
    let first = files.archive(&path).unwrap();
    drop(files.for_file(&path.join("b.txt")).unwrap());
    assert!(Arc::ptr_eq(&first, &files.archive(&path).unwrap()));
    fs::write(&path, zip(&[("a.txt", b"newer")])).unwrap();
    reads(&files, path.join("a.txt"), "newer");
    assert!(matches!(first.read("a.txt", ReadLimit::Whole), Err(ReadError::Changed)));
}

#[test]
fn batch_cache_finds_identical_files() {
    let root = game();
    let relative_paths = [
        "mod/models/x.md3",
        "mod/pak0.pk3/OWN.txt",
        "mod/PAK1.PK3/a.txt",
        "mod/pak2.pk3dir/models/y.md3",
        "mod/zzz.zip/zip.txt",
        "mod/pak0.pk3/own.txt",
        "mod/models/x.md3",
        "baseq3/loose.txt",
        "main/notes.txt",
        "extra.pk3/base.txt",
    ];
    for order in SearchOrder::ALL {
        let plain = FileSystem::new(vec![]).in_order(order);
        let cached = FileSystem::new(vec![]).unchanging().in_order(order);
        for relative in relative_paths {
            let path = root.path().join(relative);
            assert_eq!(cached.locate(&path).unwrap(), plain.locate(&path).unwrap());
            assert_eq!(
                cached.read(&path, ReadLimit::Whole).unwrap(),
                plain.read(&path, ReadLimit::Whole).unwrap(),
                "{relative}"
            );
            let ((own, own_path), (other, other_path)) =
                (cached.for_file(&path).unwrap(), plain.for_file(&path).unwrap());
            assert_eq!((own_path, own.root()), (other_path, other.root()), "{relative}");
            for name in ["a.txt", "own.txt", "z.txt", "zip.txt", "base.txt", "models/x.md3", "models/y.md3"] {
                assert_eq!(
                    own.read(name, ReadLimit::Whole).ok(),
                    other.read(name, ReadLimit::Whole).ok(),
                    "{name} around {relative}"
                );
            }
        }
        let missing = root.path().join("mod/pak0.pk3/gone.txt");
        not_found(&cached, missing);
    }
}

#[test]
fn concurrent_reads_return_correct_contents() {
    let names: Vec<_> = (0..40).map(|index| format!("f{index}.txt")).collect();
    let contents: Vec<_> = (0..40_u8).map(|index| vec![index; 5000]).collect();
    let files: Vec<(&str, &[u8])> =
        names.iter().zip(&contents).map(|(name, content)| (name.as_str(), content.as_slice())).collect();
    let root = folder(&[("pak0.pk3", &zip(&files))]);
    let files = FileSystem::new(vec![]);
    let (vfs, _) = files.for_file(&root.path().join("pak0.pk3")).unwrap();
    fn shared<T: Send + Sync>(_: &T) {}
    shared(&files);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                names.iter().zip(&contents).for_each(|(name, content)| {
                    assert_eq!(&vfs.read(name, ReadLimit::Whole).unwrap(), content);
                    assert_eq!(
                        &files.read(&root.path().join("pak0.pk3").join(name), ReadLimit::Whole).unwrap(),
                        content
                    );
                })
            });
        }
    });
}

// Malformed and hostile archives.
