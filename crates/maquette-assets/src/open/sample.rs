//! The built-in figure: one character of our own in all five formats, opened when no path is given.
//!
//! What is small, or takes long to make, the program holds. The files of the formats that keep every frame are a few
//! megabytes, and made of the figure's joints when they are asked for.

use std::path::Path;
use std::sync::LazyLock;

use super::{ModelAsset, open_in};
use crate::error::LoadError;
use crate::material::{Depth, Search};
use crate::model::Format;
use crate::vfs::Vfs;

#[path = "../../../../assets/maker/mod.rs"]
#[allow(dead_code, reason = "texture and MD5 are held, not made")]
#[allow(clippy::expect_used, clippy::unwrap_used, reason = "what it makes hangs on nothing; a test makes all of it")]
mod maker;

macro_rules! held_files {
    ($($name:literal),* $(,)?) => {
        /// The files that the program holds. `assets/maker` made them.
        const HELD: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../../../../assets/sample/", $name)))),*];
    };
}

held_files!("umber.md5mesh", "idle.md5anim", "run.md5anim", "wave.md5anim", "umber.png", "animation.cfg");

/// Files by name.
type Files = Vec<(String, Vec<u8>)>;

/// The files that are made, by the extension of their format.
static MADE: [(&str, LazyLock<Files>); 4] = [
    ("md2", LazyLock::new(|| maker::frame_files("md2"))),
    ("md3", LazyLock::new(|| maker::frame_files("md3"))),
    ("mdc", LazyLock::new(|| maker::frame_files("mdc"))),
    ("mdr", LazyLock::new(|| maker::frame_files("mdr"))),
];

/// The made files of a format, by its extension.
fn made(extension: &str) -> &'static [(String, Vec<u8>)] {
    MADE.iter().find(|(of, _)| *of == extension).map_or(&[], |(_, files)| files.as_slice())
}

/// File name of the figure in a format.
#[must_use]
pub fn sample_name(format: Format) -> &'static str {
    match format {
        Format::Md2 => "umber.md2",
        Format::Md3 => "umber.md3",
        Format::Mdc => "umber.mdc",
        Format::Mdr => "umber.mdr",
        Format::Md5 => "umber.md5mesh",
    }
}

/// The bytes of a file of the figure, by its name.
#[must_use]
pub fn sample_bytes(name: &Path) -> Option<&'static [u8]> {
    let held = HELD.iter().find(|(file, _)| name == Path::new(file)).map(|(_, bytes)| *bytes);
    held.or_else(|| {
        let files = made(name.extension()?.to_str()?);
        files.iter().find(|(file, _)| name == Path::new(file)).map(|(_, bytes)| bytes.as_slice())
    })
}

/// The formats in which there is a figure.
pub fn sample_formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter()
}

/// Opens the figure in a format.
///
/// # Errors
///
/// Never, as long as its files are what the maker makes.
pub fn open_sample(format: Format) -> Result<ModelAsset, LoadError> {
    let held = HELD.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes));
    let made = made(format.extension()).iter().map(|(name, bytes)| (name.clone(), bytes.as_slice()));
    let vfs = Vfs::in_memory(held.chain(made).collect());
    let name = sample_name(format);
    let bytes = sample_bytes(Path::new(name)).unwrap_or_default();
    open_in(&vfs, name, bytes, &Search::new(Depth::Decoded))
}
