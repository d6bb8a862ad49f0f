//! Archives: paths, search order, and broken or hostile contents.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use maquette_assets::vfs::{
    Archive, FileLocation, FileSystem, ReadError, ReadLimit, SearchOrder, Vfs, is_archive_folder_name, is_archive_name,
};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRng, TestRunner};
use tempfile::TempDir;

use maquette_testing::archives::{RawEntry, RawZip, folder, pak, with_claims, zip};
use maquette_testing::bytes::{ByteWriter, with_i32};
use maquette_testing::memory::peak_of;
use maquette_testing::optional::shared_folder;
use maquette_testing::waiting::MAX_WAIT;

fn put(root: &TempDir, name: &str, content: &[u8]) {
    let path = root.path().join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

fn open(bytes: &[u8]) -> Result<Archive, ReadError> {
    let root = folder(&[("test.pk3", bytes)]);
    Archive::open(&root.path().join("test.pk3"))
}

/// Opens an archive in a temporary folder that must outlive it.
fn stored_archive(bytes: &[u8]) -> (TempDir, Archive) {
    let root = folder(&[("test.pk3", bytes)]);
    let archive = Archive::open(&root.path().join("test.pk3")).unwrap();
    (root, archive)
}

#[track_caller]
fn reads(files: &FileSystem, path: PathBuf, content: &str) {
    let bytes = files.read(&path, ReadLimit::Whole).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(String::from_utf8_lossy(&bytes), content, "{}", path.display());
}

#[track_caller]
fn not_found(files: &FileSystem, path: PathBuf) {
    let result = files.read(&path, ReadLimit::Whole);
    assert!(matches!(result, Err(ReadError::NotFound(_))), "{}: {result:?}", path.display());
}

// Paths through archives.

#[test]
fn archive_names_are_recognised_by_extension() {
    assert!(["pak0.pk3", "PAK0.PAK", "a/game01.pk4", "x.dpk", "x.ZIP"].iter().all(|name| is_archive_name(name)));
    assert!(!["pak0.pk3dir", "pk3", "x.md3", ".pk3"].iter().any(|name| is_archive_name(name)));
    assert!(["zz.pk3dir", "x.PK4DIR", "x.dpkdir"].iter().all(|name| is_archive_folder_name(name)));
    assert!(!is_archive_folder_name("pak0.pk3"));
}

#[test]
fn archive_paths_ignore_case() {
    let files: [(&str, &[u8]); 2] = [("Models\\Box\\Lower.MD3", b"lower"), ("readme.txt", b"read")];
    let root = folder(&[("pak0.pk3", &zip(&files)), ("pak1.pak", &pak(&files)), ("plain.txt", b"plain")]);
    let files = FileSystem::new(vec![]);
    for name in ["pak0.pk3", "pak1.pak"] {
        let archive = root.path().join(name);
        reads(&files, archive.join("models/box/LOWER.md3"), "lower");
        reads(&files, archive.join("README.TXT/"), "read");
        let stored = "Models/Box/Lower.MD3".to_owned();
        let location = files.locate(&archive.join("models/BOX/lower.md3")).unwrap();
        assert_eq!(location, FileLocation::FileInArchive { archive: archive.clone(), path: stored });
        let location = files.locate(&archive.join("models/box/")).unwrap();
        assert_eq!(location, FileLocation::FolderInArchive { archive: archive.clone(), path: "Models/Box".to_owned() });
        assert_eq!(files.locate(&archive.join("")).unwrap(), FileLocation::Archive(archive.clone()));
        assert!(matches!(files.read(&archive.join("models"), ReadLimit::Whole), Err(ReadError::IsFolder)));
        not_found(&files, archive.join("models/box/upper.md3"));
        not_found(&files, archive.join("models/box/lower.md3/deeper"));
        not_found(&files, archive.join("../plain.txt/x"));
        not_found(&files, archive.join("x".repeat(300)));
    }
    assert_eq!(files.locate(root.path()).unwrap(), FileLocation::Folder(root.path().to_owned()));
    assert_eq!(
        files.locate(&root.path().join("plain.txt")).unwrap(),
        FileLocation::File(root.path().join("plain.txt"))
    );
}

#[test]
fn archive_is_detected_by_content() {
    let inner = zip(&[("a.txt", b"a")]);
    let root =
        folder(&[("wrong.md3", &inner), ("wrong.pk3", b"no archive"), ("outer.pk3", &zip(&[("in.pk3", &inner)]))]);
    let files = FileSystem::new(vec![]);
    reads(&files, root.path().join("wrong.md3/a.txt"), "a");
    not_found(&files, root.path().join("wrong.pk3/a.txt"));
    reads(&files, root.path().join("wrong.pk3"), "no archive");
    assert!(matches!(files.archive(&root.path().join("wrong.pk3")), Err(ReadError::NotArchive)));
    assert_eq!(files.read(&root.path().join("outer.pk3/in.pk3"), ReadLimit::Whole).unwrap(), inner);
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 743749787\n";
    std::fs::write(root.path().join("pointer.pk3"), pointer).unwrap();
    let error = files.archive(&root.path().join("pointer.pk3")).unwrap_err();
    assert!(error.to_string().starts_with("this is a Git LFS pointer"), "{error}");
    // A nested archive is a plain file.
    not_found(&files, root.path().join("outer.pk3/in.pk3/a.txt"));
}

#[test]
fn archive_folders_list_their_files_and_folders() {
    let files: [(&str, &[u8]); 7] = [
        ("b/x.md3", b"1"),
        ("b.txt", b"2"),
        ("B/c/deep.tga", b"3"),
        ("b-side/y.tga", b"4"),
        ("b/c/d/deeper.tga", b"5"),
        ("b/c0.tga", b"6"),
        ("a.txt", b"7"),
    ];
    let (_root, archive) = stored_archive(&zip(&files));
    assert_eq!(archive.file_count(), 7);
    assert_eq!(archive.files_in(""), ["a.txt", "b.txt"]);
    assert_eq!(archive.folders_in(""), ["b", "b-side"]);
    assert_eq!(archive.files_in("B"), ["c0.tga", "x.md3"]);
    assert_eq!(archive.folders_in("b"), ["c"]);
    assert_eq!(archive.folders_in("b/c"), ["d"]);
    assert_eq!(archive.find_folder("B/C").as_deref(), Some("b/c"));
    assert_eq!((archive.find_folder("b/x"), archive.find("b/c")), (None, None));
    assert_eq!(archive.files_in("nowhere"), [""; 0]);
    let sorted: Vec<_> = archive.files().collect();
    assert_eq!(sorted[..4], ["a.txt", "b-side/y.tga", "b.txt", "b/c/d/deeper.tga"]);
}

#[test]
fn archive_of_5000_files_lists_them_all() {
    let names: Vec<_> = (0..5000).map(|index| format!("models/{}/part{index}.md3", index % 50)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), name.as_bytes())).collect();
    for bytes in [zip(&files), pak(&files)] {
        let (_root, archive) = stored_archive(&bytes);
        assert_eq!((archive.file_count(), archive.files().count()), (5000, 5000));
        assert_eq!(archive.folders_in("models").len(), 50);
        assert_eq!(archive.files_in("models/7").len(), 100);
        assert_eq!(archive.read(&names[4321], ReadLimit::Whole).unwrap(), names[4321].as_bytes());
    }
}

#[test]
fn duplicate_entry_wins_last_in_zip_first_in_pak() {
    let files: [(&str, &[u8]); 3] = [("a.txt", b"first"), ("A.TXT", b"second"), ("b.txt", b"other")];
    let (_root, archive) = stored_archive(&zip(&files));
    assert_eq!(archive.read("a.txt", ReadLimit::Whole).unwrap(), b"second", "the later in a zip");
    assert_eq!((archive.file_count(), archive.files().collect::<Vec<_>>()), (3, vec!["A.TXT", "b.txt"]));
    let (_root, archive) = stored_archive(&pak(&files));
    assert_eq!(archive.read("A.txt", ReadLimit::Whole).unwrap(), b"first", "the first in a pak");
}

// Search order.

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
fn gives(vfs: &Vfs, expected: &[(&str, &str)]) {
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

#[test]
fn entry_paths_outside_the_archive_are_skipped() {
    let names: [&[u8]; 9] = [
        b"../up.txt",
        b"a/../../up.txt",
        b"/root.txt",
        b"\\root.txt",
        b"C:/x.txt",
        b"C:x.txt",
        b"nul\0.txt",
        b"",
        b"./.",
    ];
    let mut entries: Vec<_> = names.iter().map(|name| RawEntry::stored(name)).collect();
    entries.push(RawEntry::stored(b"good\\.//file.txt"));
    let root = folder(&[("up.txt", b"outside"), ("g/test.pk3", &RawZip::new(entries).build())]);
    let files = FileSystem::new(vec![]);
    let path = root.path().join("g/test.pk3");
    let archive = files.archive(&path).unwrap();
    assert_eq!(archive.files().collect::<Vec<_>>(), ["good/file.txt"]);
    assert_eq!(archive.file_count(), 10);
    let warnings = archive.warnings();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("9 entries skipped") && warnings[0].ends_with(" and 6 more"), "{warnings:?}");
    for name in ["../up.txt", "a/../../up.txt", "/root.txt", "C:/x.txt"] {
        not_found(&files, path.join("x").with_file_name("").join("test.pk3").join(name.trim_start_matches('/')));
        assert!(archive.read(name, ReadLimit::Whole).is_err(), "{name}");
    }
    reads(&files, path.join("good/file.txt"), "stored");
}

#[test]
fn parent_folder_in_entry_name_is_resolved() {
    // The entry of `pak0.pak` of Quake II (q2pro `files.c`: `FS_NormalizePathBuffer`).
    let entry = "models/monsters/tank/../ctank/skin.pcx";
    let root = folder(&[("g/pak0.pak", &pak(&[(entry, b"skin")]))]);
    let files = FileSystem::new(vec![]);
    let archive = files.archive(&root.path().join("g/pak0.pak")).unwrap();
    assert_eq!(archive.files().collect::<Vec<_>>(), ["models/monsters/ctank/skin.pcx"]);
    assert!(archive.warnings().is_empty());
    reads(&files, root.path().join("g/pak0.pak/models/monsters/ctank/skin.pcx"), "skin");
}

#[test]
fn many_hostile_entry_names_give_one_warning() {
    let entries = vec![RawEntry::stored(b"../x"); 60_000];
    let (_root, archive) = stored_archive(&RawZip::new(entries).build());
    assert_eq!((archive.file_count(), archive.files().count()), (60_000, 0));
    let warnings = archive.warnings().concat();
    assert!(warnings.starts_with("60000 entries skipped") && warnings.len() < 200, "{warnings}");
}

#[test]
fn encrypted_entries_are_skipped_and_reported() {
    let secret = RawEntry { flags: 1, ..RawEntry::stored(b"notes/Secret.txt") };
    let strong = RawEntry { method: 99, ..RawEntry::stored(b"strong.txt") };
    let zip_bytes = RawZip::new(vec![secret, strong, RawEntry::stored(b"open.txt")]).build();
    let root = folder(&[("g/own.pk3", &zip_bytes), ("g/aaa.pk3", &zip(&[("strong.txt", b"plain")]))]);
    let files = FileSystem::new(vec![]);
    let path = root.path().join("g/own.pk3");
    let error = files.read(&path.join("notes/secret.txt"), ReadLimit::Whole).unwrap_err();
    assert_eq!(error.to_string(), "“notes/secret.txt” is encrypted in its archive and cannot be read");
    let (vfs, _) = files.for_file(&path).unwrap();
    assert!(vfs.find("notes/secret.txt").is_none() && vfs.files_in("notes").is_empty());
    gives(&vfs, &[("open.txt", "stored"), ("strong.txt", "plain"), ("notes/secret.txt", &error.to_string())]);
    assert_eq!(vfs.warnings(), ["own.pk3: 2 encrypted entries skipped: “notes/Secret.txt”, “strong.txt”"]);
}

#[test]
fn entries_outside_the_archive_file_are_skipped() {
    let far = RawEntry { offset: Some(5000), ..RawEntry::stored(b"far.txt") };
    let long = RawEntry { claims: Some([60_000, 6]), ..RawEntry::stored(b"long.txt") };
    let (_root, archive) = stored_archive(&RawZip::new(vec![far, RawEntry::stored(b"a.txt"), long]).build());
    assert_eq!(archive.files().collect::<Vec<_>>(), ["a.txt"]);
    assert_eq!(archive.warnings(), ["2 entries skipped: they lie outside the file: “far.txt”, “long.txt”"]);

    let sound = pak(&[("a.txt", b"aaaa"), ("b.txt", b"bbbb"), ("c.txt", b"c")]);
    for (offset, value) in [(20 + 57, i32::MAX), (20 + 57, -1), (20 + 61, 4000), (20 + 61, -4)] {
        let directory = 12 + 9;
        assert_eq!(i32::from_le_bytes(sound[4..8].try_into().unwrap()), directory);
        // The first entry's filepos and filelen.
        let (_root, archive) = stored_archive(&with_i32(&sound, offset, value));
        assert_eq!(archive.files().collect::<Vec<_>>(), ["b.txt", "c.txt"], "{value}");
        assert_eq!(archive.warnings(), ["1 entry skipped: it lies outside the file: “a.txt”"]);
    }
    // A directory that is truncated, or not a multiple of the entry size, keeps its whole entries.
    for (length, notes) in [(3 * 64 + 63, 0), (4 * 64, 1), (2 * 64 + 1, 0)] {
        let (_root, archive) = stored_archive(&with_i32(&sound, 8, length));
        assert_eq!(archive.files().count(), usize::try_from(length / 64).unwrap().min(3));
        assert_eq!(archive.warnings().len(), notes, "{:?}", archive.warnings());
    }
}

#[test]
fn wrong_checksum_is_reported_and_data_returned() {
    let entry = RawEntry { checksum: 7, ..RawEntry::stored(b"a.txt") };
    let (_root, archive) = stored_archive(&RawZip::new(vec![entry, RawEntry::stored(b"b.txt")]).build());
    assert_eq!(archive.warnings(), [""; 0]);
    assert_eq!(archive.read("b.txt", ReadLimit::Whole).unwrap(), b"stored");
    assert_eq!(archive.warnings(), [""; 0]);
    for _ in 0..2 {
        assert_eq!(archive.read("a.txt", ReadLimit::Whole).unwrap(), b"stored");
        assert_eq!(archive.warnings(), ["1 file does not match its checksum; read unchanged: “a.txt”"]);
    }
}

#[test]
fn unsupported_compression_method_is_named() {
    let (_root, archive) =
        stored_archive(&RawZip::new(vec![RawEntry { method: 14, ..RawEntry::stored(b"a.txt") }]).build());
    let message = archive.read("a.txt", ReadLimit::Whole).unwrap_err().to_string();
    assert_eq!(
        message,
        "ZIP: “a.txt” at byte 0x0: compression method Lzma is not supported; only stored and deflated entries can be read"
    );
}

#[test]
fn zip64_comments_and_encodings_are_supported() {
    let entries =
        vec![RawEntry::stored(b"a.txt"), RawEntry::stored(b"caf\xe9.txt"), RawEntry::stored("ü.txt".as_bytes())];
    let plain = RawZip::new(entries.clone()).build();
    let wide = RawZip { wide: true, ..RawZip::new(entries.clone()) }.build();
    let comment = b"PK\x05\x06 is how the end begins, and here is more of it".to_vec();
    let commented = RawZip { comment, ..RawZip::new(entries) }.build();
    for bytes in [plain, wide, commented] {
        let (_root, archive) = stored_archive(&bytes);
        assert_eq!(archive.files().collect::<Vec<_>>(), ["a.txt", "café.txt", "ü.txt"]);
        assert_eq!(archive.read("CAFÉ.txt", ReadLimit::Whole).unwrap(), b"stored");
        assert_eq!(archive.warnings(), [""; 0]);
    }
    let (_root, archive) = stored_archive(&RawZip::new(vec![]).build());
    assert_eq!((archive.file_count(), archive.files_in("")), (0, vec![]));
}

#[test]
fn claimed_entry_counts_allocate_no_memory() {
    let small = RawZip::new(vec![RawEntry::stored(b"a.txt")]);
    for (count, wide) in [(65_000, false), (1_000_000, true), (1 << 40, true), (u64::MAX, true)] {
        let bytes = RawZip { count: Some(count), wide, entries: small.entries.clone(), ..RawZip::new(vec![]) }.build();
        let root = folder(&[("test.pk3", &bytes)]);
        let (result, peak) = peak_of(|| Archive::open(&root.path().join("test.pk3")));
        assert!(peak < 256 * 1024, "{peak} bytes for {count} entries");
        let message = result.unwrap_err().to_string();
        assert!(message.starts_with("ZIP: central directory at byte "), "{message}");
        assert!(message.contains("the directory is damaged or truncated"), "{message}");
    }
    // The bytes of a million entries, but only one entry.
    let count = (1 << 20) + 1;
    let mut bytes = RawZip { count: Some(count), wide: true, ..small }.build();
    let end = bytes.windows(4).rposition(|bytes| bytes == b"PK\x06\x06").unwrap();
    let gap = usize::try_from(46 * count).unwrap();
    for (offset, added) in [(end + 40, gap), (end + 56 + 8, gap)] {
        let value = u64::from_le_bytes(bytes[offset..offset + 8].try_into().unwrap()) + added as u64;
        bytes[offset..offset + 8].copy_from_slice(&value.to_le_bytes());
    }
    bytes.splice(end..end, vec![0; gap]);
    let root = folder(&[("test.pk3", &bytes)]);
    let (result, peak) = peak_of(|| Archive::open(&root.path().join("test.pk3")));
    let message = result.unwrap_err().to_string();
    assert_eq!(
        (message.contains("1048577 is outside 0 to 1048576"), peak < 256 * 1024),
        (true, true),
        "{message} {peak}"
    );
}

#[test]
fn broken_zip_directory_keeps_readable_entries() {
    let entries = ["a.txt", "b.txt", "c.txt"].map(|name| RawEntry::stored(name.as_bytes()));
    let raw = RawZip::new(entries.to_vec());
    let mut bytes = raw.build();
    let second = bytes.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap() - (46 + 5);
    bytes[second] = b'?';
    let (_root, archive) = stored_archive(&bytes);
    assert_eq!(archive.files().collect::<Vec<_>>(), ["a.txt"]);
    let warning = "1 of 3 entries of the directory are read; after them, the directory is damaged or truncated";
    assert_eq!(archive.warnings(), [format!("{warning} (Invalid Central Directory header)")]);
    // The directory contains more entries than claimed, as from writers whose count overflowed.
    let (_root, archive) = stored_archive(&RawZip { count: Some(2), ..raw }.build());
    assert_eq!(archive.files().collect::<Vec<_>>(), ["a.txt", "b.txt"]);
    assert_eq!(archive.warnings(), ["the directory claims 2 entries, but has more; the rest are skipped"]);
}

#[test]
fn zip_directory_memory_is_bounded_by_file_size() {
    let names = (0..20_000).map(|index| format!("{index}"));
    let small = names.map(|name| RawEntry { packed: vec![], ..RawEntry::stored(name.as_bytes()) }).collect();
    // Empty extra fields.
    let spam = |name: &[u8]| RawEntry { extra: [7, 7, 0, 0].repeat(10_000), ..RawEntry::stored(name) };
    for (count, entries) in [(20_000, small), (3, vec![spam(b"a.txt"), spam(b"b.txt"), spam(b"c.txt")])] {
        let bytes = RawZip::new(entries).build();
        let root = folder(&[("test.pk3", &bytes)]);
        let (result, peak) = peak_of(|| Archive::open(&root.path().join("test.pk3")));
        assert!(peak <= 16 * bytes.len() + (1 << 20), "{peak} bytes for a file of {}", bytes.len());
        assert_eq!(result.unwrap().files().count(), count);
    }
}

#[test]
fn nested_zip_end_records_take_bounded_time() {
    // As many end records as fit, each pointing at as many zip64 end records.
    let mut bytes = ByteWriter::new();
    bytes.raw(b"PK\x03\x04").raw(&b"PK\x06\x06".repeat(1 << 20));
    for _ in 0..1500 {
        bytes.raw(b"PK\x06\x07").u32(0).u64(8).u32(1);
        bytes.raw(b"PK\x05\x06").u32(0).u32(u32::MAX).u64(u64::MAX).u16(0);
    }
    let started = Instant::now();
    assert!(open(&bytes.finish()).is_err());
    assert!(started.elapsed() < MAX_WAIT, "{:?}", started.elapsed());
}

#[test]
fn entry_larger_than_declared_size_is_rejected() {
    let size = 32 << 20;
    let bomb = zip(&[("bomb", &vec![0; size])]);
    let (_root, archive) = stored_archive(&bomb);
    assert_eq!(archive.read("bomb", ReadLimit::Whole).unwrap().len(), size, "much, but honest");
    let (_root, archive) = stored_archive(&zip(&[("bomb", &vec![0; size + 1])]));
    let message = archive.read("bomb", ReadLimit::Whole).unwrap_err().to_string();
    assert!(message.ends_with("the entry unpacks to more than 16 times its compressed size"), "{message}");
    assert_eq!(archive.read("bomb", ReadLimit::Start(1 << 20)).unwrap().len(), 1 << 20, "the start can be read");
    for (claim, limit, words) in [
        (10, 1 << 20, "larger than its declared uncompressed size"),
        (1 << 22, 16 << 20, "larger than its declared uncompressed size"),
        (u32::MAX, 1 << 20, "the file has 4294967295 bytes; at most 1073741824 are read"),
    ] {
        let (_root, archive) = stored_archive(&with_claims(&bomb, None, claim));
        let (result, peak) = peak_of(|| archive.read("bomb", ReadLimit::Whole));
        let message = result.unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
        assert!(peak < limit, "{peak} bytes for a claim of {claim}");
    }
    // An excessive claim allocates only memory for the existing bytes.
    let (_root, archive) = stored_archive(&with_claims(&zip(&[("a.txt", b"small")]), None, 1 << 30));
    let (result, peak) = peak_of(|| archive.read("a.txt", ReadLimit::Whole));
    assert_eq!((result.unwrap().as_slice(), peak < 1 << 20), (b"small".as_slice(), true), "{peak}");
    assert_eq!(archive.warnings(), ["1 file is shorter than its entry states: “a.txt”"]);
    // The entry claims too few packed bytes.
    let (_root, archive) = stored_archive(&with_claims(&bomb, Some(100), u32::try_from(size).unwrap()));
    let message = archive.read("bomb", ReadLimit::Whole).unwrap_err().to_string();
    assert!(message.starts_with("ZIP: “bomb” at byte 0x0: the compressed bytes are damaged"), "{message}");
}

/// Opens, lists and reads everything; every error must have a message.
#[track_caller]
fn survives(path: &Path, bytes: &[u8]) {
    fs::write(path, bytes).unwrap();
    let (result, peak) = peak_of(|| Archive::open(path));
    assert!(peak <= 16 * bytes.len() + (1 << 20), "{peak} bytes for a file of {}", bytes.len());
    match result {
        Ok(archive) => {
            for name in archive.files().map(str::to_owned).collect::<Vec<_>>() {
                assert_eq!(archive.find(&name).as_deref(), Some(name.as_str()));
                let (result, peak) = peak_of(|| archive.read(&name, ReadLimit::Whole));
                assert!(peak <= (4 << 20), "{peak} bytes for a file of {}", bytes.len());
                assert!(result.is_ok() || !result.unwrap_err().to_string().is_empty());
            }
            let _ = (archive.files_in(""), archive.folders_in(""), archive.warnings());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn small_archives() -> Vec<Vec<u8>> {
    let files: [(&str, &[u8]); 3] =
        [("models/a.md3", b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"), ("b.txt", b"b"), ("c", b"")];
    let entries = || vec![RawEntry::stored(b"models/a.md3"), RawEntry::stored(b"b.txt")];
    vec![zip(&files), pak(&files), RawZip { wide: true, ..RawZip::new(entries()) }.build()]
}

#[test]
fn archive_reader_survives_every_truncation() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("test.pk3");
    for bytes in small_archives() {
        (0..bytes.len()).for_each(|length| survives(&path, &bytes[..length]));
        let message = open(&bytes[..bytes.len() - 70]).err().map(|error| error.to_string());
        let pak_is_cut = bytes.starts_with(b"PACK") && message.is_none();
        assert!(pak_is_cut || message.is_some_and(|message| message.contains("the directory is damaged or truncated")));
    }
}

#[test]
fn archive_reader_survives_every_changed_byte() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("test.pk3");
    for bytes in small_archives() {
        for index in 0..bytes.len() {
            for flip in [0x01, 0xff] {
                let mut changed = bytes.clone();
                changed[index] ^= flip;
                survives(&path, &changed);
            }
        }
        for offset in (0..bytes.len() - 3).step_by(2) {
            for value in [-1, i32::MAX, 1 << 20] {
                survives(&path, &with_i32(&bytes, offset, value));
            }
        }
    }
}

#[test]
fn archive_reader_survives_random_corruption() {
    let config = Config { cases: 1500, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("test.pk3");
    let any_bytes = || prop::collection::vec(any::<u8>(), 0..600);
    runner
        .run(&(0..5_usize, any_bytes(), any_bytes()), |(kind, head, tail)| {
            let magic: &[u8] = [b"PACK", b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x06"][kind];
            // Without an end record, no bytes are a zip.
            let end: &[u8] = if kind == 0 { b"" } else { b"PK\x05\x06\0\0\0\0\x01\0\x01\0" };
            survives(&path, &[magic, &head, end, &tail].concat());
            Ok(())
        })
        .unwrap();
    let sound = small_archives();
    let flips = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12);
    runner
        .run(&(0..sound.len(), flips), |(file, flips)| {
            let mut bytes = sound[file].clone();
            for (index, value) in flips {
                let offset = 4 + index.index(bytes.len() - 4);
                bytes[offset] = value;
            }
            survives(&path, &bytes);
            Ok(())
        })
        .unwrap();
}

#[test]
fn shared_archives_list_and_read_all_files() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let files = FileSystem::new(vec![]);
    for (name, count, first, magic) in [
        ("md2/pak/aqtion-sample.pak", 6, "players/sydney/TRIS.md2", b"IDP2"),
        ("md3/castle-oaktree-pk3/jkm_oaktree.pk3", 11, "models/mapobjects/oak/oak4.md3", b"IDP3"),
    ] {
        let path = models.join(name);
        let archive = files.archive(&path).unwrap();
        assert_eq!((archive.file_count(), archive.files().count()), (count, count), "{name}");
        let bytes = files.read(&path.join(first), ReadLimit::Whole).unwrap();
        assert!(bytes.starts_with(magic), "{name}");
        for file in archive.files() {
            archive.read(file, ReadLimit::Whole).unwrap();
        }
        assert_eq!(archive.warnings(), [""; 0], "{name}");
    }
}

#[test]
fn paks_with_other_entries_are_read_by_their_layout() {
    // SiN: names of 120 bytes. Daikatana: the size in the archive and a flag for compression after the usual fields.
    let build = |magic: &[u8], name: usize, more: Option<[i32; 2]>| {
        let mut file = ByteWriter::new();
        file.raw(magic).i32(12 + 5).i32(i32::try_from(name).unwrap() + if more.is_some() { 16 } else { 8 });
        file.raw(b"hello").name("models/a.txt", name).i32(12).i32(5);
        more.into_iter().flatten().for_each(|number| {
            file.i32(number);
        });
        file.finish()
    };
    let root = folder(&[
        ("sin.pak", &build(b"SPAK", 120, None)),
        ("plain.pak", &build(b"PACK", 120, None)),
        ("daikatana.pak", &build(b"PACK", 56, Some([0, 0]))),
        ("packed.pak", &build(b"PACK", 56, Some([3, 1]))),
    ]);
    for (name, game) in [("sin.pak", "SiN"), ("plain.pak", "SiN"), ("daikatana.pak", "Daikatana")] {
        let archive = Archive::open(&root.path().join(name)).unwrap();
        assert_eq!(archive.files().collect::<Vec<_>>(), ["models/a.txt"], "{name}");
        assert!(archive.warnings().iter().any(|warning| warning.contains(game)), "{:?}", archive.warnings());
    }
    let archive = Archive::open(&root.path().join("packed.pak")).unwrap();
    assert!(archive.warnings().iter().any(|warning| warning.contains("compression")), "{:?}", archive.warnings());
}
