//! The built-in figure: one character of our own in all five formats, opened when no path is given.

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

/// Opens the figure in a format.
pub fn open_sample(format: Format) -> Result<ModelAsset, LoadError> {
    let vfs = Vfs::in_memory(FILES.iter().map(|(name, bytes)| ((*name).to_owned(), *bytes)).collect());
    let name = sample_name(format);
    let bytes = FILES.iter().find(|(file, _)| *file == name).map_or(&[][..], |(_, bytes)| bytes);
    open_in(&vfs, name, bytes, &Search::new(Depth::Decoded))
}
