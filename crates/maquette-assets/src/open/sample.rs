//! Built-in sample: one character in five formats, of which three are converted from the MDR on demand.

use std::path::Path;
use std::sync::LazyLock;

use super::{ModelAsset, open_in};
use crate::material::{ImageLoading, ResolveContext};
use crate::vfs::Vfs;
use maquette_core::convert::{CompanionFile, CompanionKind, ConvertOptions, to_files};
use maquette_core::error::LoadError;
use maquette_core::model::{Format, Model};

macro_rules! held_files {
    ($($name:literal),* $(,)?) => {
        /// Files embedded in the program. `assets/maker` made them.
        const HELD: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../../../../assets/sample/", $name)))),*];
    };
}

held_files!("umber.md5mesh", "umber.mdr", "idle.md5anim", "run.md5anim", "wave.md5anim", "umber.png", "animation.cfg");

/// Image of the models.
const IMAGE: &str = "umber.png";

/// Format of the sample that is opened at the first start.
pub const FIRST_SAMPLE: Format = Format::Md5;

type Files = Vec<(String, Vec<u8>)>;

static CONVERTED: [(Format, LazyLock<Files>); 3] = [
    (Format::Md2, LazyLock::new(|| converted(Format::Md2))),
    (Format::Md3, LazyLock::new(|| converted(Format::Md3))),
    (Format::Mdc, LazyLock::new(|| converted(Format::Mdc))),
];

/// Converts the MDR; empty if that fails.
fn converted(format: Format) -> Files {
    // Quake II accepts skins of at most 480 rows. Texture coordinates are stored relative to this size.
    let options = ConvertOptions { skin: [480; 2], ..ConvertOptions::to(format) };
    let Some(files) = named_source().and_then(|source| to_files(&source, &options).ok()) else {
        return Files::new();
    };
    // The MDC has one level of detail.
    let is_own = |file: &CompanionFile| file.kind != CompanionKind::ClipList && format != Format::Mdc;
    let companions = files.companions("umber", format.extension()).into_iter().filter(is_own);
    let main = (format.traits().sample.unwrap_or_default().to_owned(), files.main("umber").into_owned());
    std::iter::once(main).chain(companions.map(|file| (file.name, file.bytes))).collect()
}

fn named_source() -> Option<Model> {
    let mut parts = Model::clone(&opened(Format::Mdr, ImageLoading::LocateOnly).ok()?.model).into_parts();
    for clip in &parts.clips {
        let frames = parts.frames.iter_mut().skip(clip.first as usize).take(clip.count as usize);
        (1..).zip(frames).for_each(|(number, frame)| frame.name = format!("{}{number:02}", clip.name));
    }
    Model::new(parts).ok()
}

fn conversions(format: Format) -> impl Iterator<Item = (&'static str, &'static [u8])> {
    let files = CONVERTED.iter().filter(move |(of, _)| *of == format).flat_map(|(_, files)| files.iter());
    files.map(|(name, bytes)| (name.as_str(), bytes.as_slice()))
}

/// Returns the names and bytes of the converted files.
pub fn sample_conversions() -> impl Iterator<Item = (String, Vec<u8>)> {
    CONVERTED.iter().flat_map(|(_, files)| files.iter().cloned())
}

/// Returns the bytes of a file of the sample.
pub fn sample_bytes(name: &Path) -> Option<&'static [u8]> {
    let name = name.to_str()?;
    let held = HELD.iter().find(|(file, _)| *file == name).map(|(_, bytes)| *bytes);
    held.or_else(|| {
        // Names of other files must not cause a conversion.
        let is_sample = |format: &Format| name.starts_with("umber") && name.ends_with(format.extension());
        let format = Format::ALL.into_iter().find(is_sample)?;
        conversions(format).find(|(file, _)| *file == name).map(|(_, bytes)| bytes)
    })
}

/// Returns the formats with a sample.
pub fn sample_formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.traits().sample.is_some())
}

/// Opens the sample in a format. Fails if there is none.
pub fn open_sample(format: Format) -> Result<ModelAsset, LoadError> {
    opened(format, ImageLoading::Decode)
}

fn opened(format: Format, depth: ImageLoading) -> Result<ModelAsset, LoadError> {
    let files = HELD.iter().copied().chain(conversions(format));
    // The image is at the path that the models name.
    let path_of = |name: &str| if name == IMAGE { format!("models/umber/{name}") } else { name.to_owned() };
    let vfs = Vfs::in_memory(files.map(|(name, bytes)| (path_of(name), bytes)).collect());
    let name = format.traits().sample.unwrap_or_default();
    let bytes = sample_bytes(Path::new(name)).unwrap_or_default();
    open_in(&vfs, name, bytes, &ResolveContext::new(depth))
}
