//! Thumbnails of models and their cache on disk.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use image::{Rgba, RgbaImage};
use maquette::output::{ThumbnailCache, ThumbnailError, ThumbnailMaker};
use maquette::render::Gpu;
use maquette::ui::Thumbnail;
use maquette_assets::vfs::FileSystem;
use maquette_core::model::Format;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample").join(name)
}

fn thumbnail(shade: u8) -> Thumbnail {
    let image = RgbaImage::from_fn(96, 96, |x, y| Rgba([shade, x as u8, y as u8, (x + y) as u8]));
    Thumbnail { image, format: Format::Mdc, frames: 156, damaged: shade % 2 == 1 }
}

#[test]
fn cached_thumbnail_reads_back_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = ThumbnailCache::in_folder(folder.path().join("not/yet/there"), 1 << 20);
    assert_eq!(cache.read("0123"), None);
    cache.write("0123", &thumbnail(7));
    assert_eq!(cache.read("0123"), Some(thumbnail(7)));
    assert_eq!(cache.read("4567"), None);
    // No partial file remains, and the file is a regular image.
    let files: Vec<_> = fs::read_dir(folder.path().join("not/yet/there")).unwrap().flatten().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(image::open(files[0].path()).unwrap().into_rgba8(), thumbnail(7).image);
}

#[test]
fn broken_cache_file_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = ThumbnailCache::in_folder(folder.path().to_owned(), 1 << 20);
    cache.write("whole", &thumbnail(7));
    let whole = fs::read(folder.path().join("whole.png")).unwrap();
    for end in [0, 1, 8, 20, 40, whole.len() / 2, whole.len() - 30] {
        fs::write(folder.path().join("cut.png"), &whole[..end]).unwrap();
        assert_eq!(cache.read("cut"), None, "cut at {end}");
    }
    let mut no_text = std::io::Cursor::new(Vec::new());
    thumbnail(7).image.write_to(&mut no_text, image::ImageFormat::Png).unwrap();
    fs::write(folder.path().join("plain.png"), no_text.get_ref()).unwrap();
    assert_eq!(cache.read("plain"), None);
    ThumbnailCache::none().write("nowhere", &thumbnail(7));
}

#[test]
fn changed_file_gets_new_cache_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.md3");
    let library = FileSystem::default();
    let key = || ThumbnailCache::key(&library, &path);
    assert_eq!(key(), None);
    fs::write(&path, b"IDP3").unwrap();
    let first = key().unwrap();
    assert_eq!(key().as_ref(), Some(&first));
    fs::write(&path, b"IDP3 and more").unwrap();
    let second = key().unwrap();
    assert_ne!(first, second);
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(5)).unwrap();
    assert_ne!(key().unwrap(), second);
    assert_eq!(ThumbnailCache::key(&library, folder.path()), None, "a folder has none");
}

#[test]
fn tidying_removes_least_recently_used_thumbnails() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = ThumbnailCache::in_folder(folder.path().to_owned(), 1 << 30);
    let age = |key: &str, hours: u64| {
        let file = fs::File::options().append(true).open(folder.path().join(key)).unwrap();
        file.set_modified(SystemTime::now() - Duration::from_secs(hours * 3600)).unwrap();
    };
    for hours in 0..8_u8 {
        cache.write(&hours.to_string(), &thumbnail(hours));
        age(&format!("{hours}.png"), u64::from(hours) * 30);
    }
    fs::write(folder.path().join("9.1234.part"), b"half").unwrap();
    fs::write(folder.path().join("8.5678.part"), b"half").unwrap();
    age("8.5678.part", 2);
    // A thumbnail that was read counts as recently used.
    assert!(cache.read("7").is_some());
    let size = fs::metadata(folder.path().join("0.png")).unwrap().len();
    ThumbnailCache::in_folder(folder.path().to_owned(), size * 6).tidy();
    let mut left: Vec<String> =
        fs::read_dir(folder.path()).unwrap().flatten().map(|file| file.file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["0.png", "1.png", "2.png", "7.png", "9.1234.part"]);
}

#[test]
fn thumbnail_shows_only_the_model() {
    let gpu = match Gpu::headless() {
        Ok(gpu) => gpu,
        Err(error) => {
            assert!(std::env::var_os("MAQUETTE_REQUIRE_GPU").is_none_or(|value| value != "1"), "{error}");
            eprintln!("skipped: no adapter");
            return;
        }
    };
    let folder = tempfile::tempdir().unwrap();
    let cache = || ThumbnailCache::in_folder(folder.path().join("kept"), 1 << 20);
    let mut maker = ThumbnailMaker::new(gpu, cache());
    for (file, format) in [("umber.md2", Format::Md2), ("umber.md3", Format::Md3), ("umber.md5mesh", Format::Md5)] {
        let made = maker.make(&sample(file), false).unwrap();
        assert_eq!(made.format, format);
        assert!(made.frames > 1, "{file}: {} frames", made.frames);
        let solid = made.image.pixels().filter(|pixel| pixel.0[3] == 255).count();
        // The model covers at least a twentieth and at most two thirds of 192 × 192 pixels.
        assert!((1600..24_000).contains(&solid), "{file}: {solid} solid pixels");
        for corner in [(0, 0), (191, 0), (0, 191), (191, 191)] {
            assert_eq!(made.image.get_pixel(corner.0, corner.1).0[3], 0, "{file}: transparent at {corner:?}");
        }
        // The second thumbnail comes from the cache, and the third is drawn again.
        assert_eq!(maker.make(&sample(file), false).unwrap(), made);
        assert_eq!(maker.make(&sample(file), true).unwrap(), made);
    }
    let broken = folder.path().join("broken.md3");
    fs::write(&broken, b"IDP3 but no more").unwrap();
    assert!(matches!(maker.make(&broken, false), Err(ThumbnailError::Model(_))));
}

#[test]
fn cache_reports_size_and_clears_only_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut cache = ThumbnailCache::in_folder(folder.path().to_owned(), 1 << 20);
    assert_eq!(cache.size(), 0);
    cache.write("one", &thumbnail(1));
    cache.write("two", &thumbnail(2));
    let length = |name: &str| fs::metadata(folder.path().join(name)).unwrap().len();
    assert_eq!(cache.size(), length("one.png") + length("two.png"));
    fs::write(folder.path().join("notes.txt"), "mine").unwrap();
    assert_eq!(cache.clear(), 0);
    assert_eq!(cache.size(), 0);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "what is not a thumbnail stays");
    assert_eq!(ThumbnailCache::none().clear(), 0);
}
