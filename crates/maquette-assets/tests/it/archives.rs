//! Archives: paths, search order, and broken or hostile contents.

mod hostile;
mod search;

use search::gives;

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
