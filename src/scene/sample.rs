//! The built-in figure: one character of our own in all five formats, opened when no path is given.

use std::path::Path;

use super::{ModelAsset, open_in};
use crate::error::LoadError;
use crate::material::{Depth, Search};
use crate::model::Format;
use crate::vfs::Vfs;

macro_rules! sample_files {
    ($($name:literal),* $(,)?) => {
        /// Every file of the figure. `assets/maker` makes them.
        const FILES: &[(&str, &[u8])] = &[$(($name, include_bytes!(concat!("../../assets/sample/", $name)))),*];
    };
}

sample_files!(
    "umber.md2",
    "umber.md3",
    "umber_1.md3",
    "umber.mdc",
    "umber.mdr",
    "umber.md5mesh",
    "idle.md5anim",
    "run.md5anim",
    "wave.md5anim",
    "umber.png",
    "animation.cfg",
);

/// File name of the figure in a format; empty if there is none in it.
#[must_use]
pub fn sample_name(format: Format) -> &'static str {
    let is_of = |name: &&str| name.strip_prefix("umber.") == Some(format.extension());
    FILES.iter().map(|(name, _)| *name).find(is_of).unwrap_or_default()
}

/// The bytes of a file of the figure, by its name.
#[must_use]
pub fn sample_bytes(name: &Path) -> Option<&'static [u8]> {
    FILES.iter().find(|(file, _)| name == Path::new(file)).map(|(_, bytes)| *bytes)
}

/// The formats in which there is a figure.
pub fn sample_formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| !sample_name(*format).is_empty())
}

/// Opens the figure in a format; an error if there is none in it.
pub fn open_sample(format: Format) -> Result<ModelAsset, LoadError> {
    let vfs = Vfs::in_memory(FILES.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes)).collect());
    let name = sample_name(format);
    let bytes = FILES.iter().find(|(file, _)| *file == name).map_or(&[][..], |(_, bytes)| bytes);
    open_in(&vfs, name, bytes, &Search::new(Depth::Decoded))
}
