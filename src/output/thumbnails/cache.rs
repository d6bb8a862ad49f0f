//! Thumbnail cache on disk: PNG files with the model's format, frame count and damage state as text chunks.
//!
//! The folder is in the system's cache folder, or in the folder that the environment variable `MAQUETTE_CACHE` names.
//! Errors only cost time, so they are logged and not reported.

use std::fs::{self, File};
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use etcetera::BaseStrategy as _;
use image::RgbaImage;

use crate::output::atomic_file::write_atomic;
use crate::ui::Thumbnail;
use maquette_assets::vfs::{FileLocation, FileSystem};
use maquette_core::model::Format;
use maquette_scene::session::THUMBNAILS_ON_DISK;

/// Version of the cache. Increment it to redraw all thumbnails after changes in drawing or metadata.
const VERSION: u32 = 5;
const WRITES_PER_TIDY: u32 = 256;
/// Minimum age of a thumbnail's recorded last use before it is updated.
const MARK_AFTER: Duration = Duration::from_secs(24 * 3600);
/// Age after which partial files of terminated programs are removed.
const ABANDONED_AFTER: Duration = Duration::from_secs(3600);
/// Maximum side in pixels. Larger files, and files of more than eight bytes per pixel, are not thumbnails.
const MAX_THUMBNAIL_SIDE: u32 = 1024;

/// Returns the user's cache folder; `None` if the system has none.
pub fn cache_folder() -> Option<PathBuf> {
    match std::env::var_os("MAQUETTE_CACHE").filter(|folder| !folder.is_empty()) {
        Some(folder) => Some(PathBuf::from(folder)),
        None => etcetera::base_strategy::choose_native_strategy()
            .map_err(|error| log::debug!("could not find the cache folder: {error}"))
            .ok()
            .map(|folders| folders.cache_dir().join("maquette")),
    }
}

/// Thumbnails in a folder, by key.
#[derive(Debug)]
pub struct ThumbnailCache {
    folder: Option<PathBuf>,
    budget: u64,
    writes: u32,
}

impl ThumbnailCache {
    /// Opens the user's cache.
    #[must_use]
    pub fn of_user() -> Self {
        Self { folder: cache_folder().map(|folder| folder.join("thumbnails")), budget: THUMBNAILS_ON_DISK, writes: 0 }
    }

    /// Opens a cache in `folder` of at most `budget` bytes.
    #[must_use]
    pub fn in_folder(folder: PathBuf, budget: u64) -> Self {
        Self { folder: Some(folder), budget, writes: 0 }
    }

    /// Creates a cache that never stores anything.
    #[must_use]
    pub fn none() -> Self {
        Self { folder: None, budget: 0, writes: 0 }
    }

    /// Returns the key for the model at `path`. The key changes when the file changes. `None` if the file does not
    /// exist.
    pub fn key(files: &FileSystem, path: &Path) -> Option<String> {
        let (file, inner) = match files.locate(path).ok()? {
            FileLocation::File(file) => (file, String::new()),
            FileLocation::FileInArchive { archive, path } => (archive, path),
            FileLocation::Archive(_) | FileLocation::Folder(_) | FileLocation::FolderInArchive { .. } => return None,
        };
        let metadata = fs::metadata(&file).ok()?;
        let changed = match metadata.modified().ok()?.duration_since(UNIX_EPOCH) {
            Ok(since) => since.as_nanos(),
            // Times before 1970 still need distinct keys.
            Err(before) => u128::MAX - before.duration().as_nanos(),
        };
        let (version, length, changed) = (VERSION.to_le_bytes(), metadata.len().to_le_bytes(), changed.to_le_bytes());
        let hash = hash(&[&version, file.as_os_str().as_encoded_bytes(), inner.as_bytes(), &length, &changed]);
        Some(format!("{hash:032x}"))
    }

    /// Reads the thumbnail with this key, if any.
    pub fn read(&self, key: &str) -> Option<Thumbnail> {
        let path = self.path(key)?;
        // Check type and size, because a different file, such as an endless device, may have this name.
        let is_ours =
            |metadata: fs::Metadata| metadata.is_file() && metadata.len() <= u64::from(MAX_THUMBNAIL_SIDE).pow(2) * 8;
        let png = fs::metadata(&path).is_ok_and(is_ours).then(|| fs::read(&path))?.ok()?;
        let thumbnail = decode(&png);
        if thumbnail.is_none() {
            log::debug!("{} is not a thumbnail", path.display());
            return None;
        }
        mark_used(&path);
        thumbnail
    }

    /// Stores a thumbnail.
    pub fn write(&mut self, key: &str, thumbnail: &Thumbnail) {
        let Some(path) = self.path(key) else { return };
        if self.writes.is_multiple_of(WRITES_PER_TIDY) {
            self.tidy();
        }
        self.writes += 1;
        let Some(png) = encode(thumbnail) else { return };
        if let Err(error) = write_atomic(&path, &png) {
            log::debug!("could not write {}: {error}", path.display());
        }
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(format!("{key}.png")))
    }

    /// Returns the total size of all thumbnails in bytes.
    pub fn size(&self) -> u64 {
        self.files().iter().map(|(length, _)| length).sum()
    }

    /// Removes all thumbnails, but no other files in the folder. Returns the remaining bytes.
    pub fn clear(&self) -> u64 {
        self.files().iter().for_each(|(_, path)| remove(path));
        self.size()
    }

    fn files(&self) -> Vec<(u64, PathBuf)> {
        let entries = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok());
        let file = |entry: fs::DirEntry| {
            let path = entry.path();
            let is_png = path.extension().is_some_and(|extension| extension == "png");
            is_png.then(|| Some((entry.metadata().ok()?.len(), path))).flatten()
        };
        entries.into_iter().flatten().flatten().filter_map(file).collect()
    }

    /// If the budget is exceeded, removes the least recently used thumbnails until three quarters of the budget are
    /// used.
    pub fn tidy(&self) {
        let Some(entries) = self.folder.as_ref().and_then(|folder| fs::read_dir(folder).ok()) else { return };
        let now = SystemTime::now();
        let mut files = Vec::new();
        for entry in entries.flatten() {
            let path = entry.path();
            let Ok(metadata) = entry.metadata() else { continue };
            let used = metadata.modified().unwrap_or(UNIX_EPOCH);
            let has_extension = |wanted| path.extension().is_some_and(|extension| extension == wanted);
            if has_extension("png") {
                files.push((used, metadata.len(), path));
            } else if has_extension("part") && now.duration_since(used).is_ok_and(|age| age > ABANDONED_AFTER) {
                remove(&path);
            }
        }
        let mut size: u64 = files.iter().map(|(_, length, _)| length).sum();
        if size <= self.budget {
            return;
        }
        files.sort();
        for (_, length, path) in files {
            if size <= self.budget / 4 * 3 {
                return;
            }
            remove(&path);
            size -= length;
        }
    }
}

fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path) {
        log::debug!("could not remove {}: {error}", path.display());
    }
}

/// Sets a file's modification time, which records its last use.
fn mark_used(path: &Path) {
    let used = fs::metadata(path).and_then(|metadata| metadata.modified());
    let now = SystemTime::now();
    if used.is_ok_and(|used| now.duration_since(used).is_ok_and(|age| age > MARK_AFTER)) {
        let marked = File::options().append(true).open(path).and_then(|file| file.set_modified(now));
        marked.unwrap_or_else(|error| log::debug!("could not update the time of {}: {error}", path.display()));
    }
}

const KEYWORD: &str = "Maquette";
const DAMAGED: &str = " damaged";

fn encode(thumbnail: &Thumbnail) -> Option<Vec<u8>> {
    let write = || -> Result<Vec<u8>, png::EncodingError> {
        let mut bytes = Vec::new();
        let (width, height) = thumbnail.image.dimensions();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Rgba);
        let damaged = if thumbnail.damaged { DAMAGED } else { "" };
        let summary = format!("{} {}{damaged}", thumbnail.format.name(), thumbnail.frames);
        encoder.add_text_chunk(KEYWORD.to_owned(), summary)?;
        let mut writer = encoder.write_header()?;
        writer.write_image_data(thumbnail.image.as_raw())?;
        writer.finish()?;
        Ok(bytes)
    };
    write().map_err(|error| log::debug!("could not encode a thumbnail: {error}")).ok()
}

fn decode(bytes: &[u8]) -> Option<Thumbnail> {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().ok()?;
    let info = reader.info();
    let (width, height) = (info.width, info.height);
    let is_ours = info.color_type == png::ColorType::Rgba && info.bit_depth == png::BitDepth::Eight;
    if !is_ours || width > MAX_THUMBNAIL_SIDE || height > MAX_THUMBNAIL_SIDE {
        return None;
    }
    let summary = info.uncompressed_latin1_text.iter().find(|text| text.keyword == KEYWORD)?;
    let sound = summary.text.strip_suffix(DAMAGED);
    let (format, frames) = sound.unwrap_or(&summary.text).split_once(' ')?;
    let format = Format::by_name(format)?;
    let (frames, damaged) = (frames.parse().ok()?, sound.is_some());
    let mut rgba = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut rgba).ok()?;
    Some(Thumbnail { image: RgbaImage::from_raw(width, height, rgba)?, format, frames, damaged })
}

/// Returns the 128-bit FNV-1a hash, which is stable across program versions. The length of each field is included, so
/// that field boundaries matter.
fn hash(fields: &[&[u8]]) -> u128 {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for field in fields {
        let length = (field.len() as u64).to_le_bytes();
        for byte in field.iter().chain(&length) {
            hash = (hash ^ u128::from(*byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }
    hash
}
