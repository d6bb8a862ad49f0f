//! Broken or hostile archives.

use super::*;

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
