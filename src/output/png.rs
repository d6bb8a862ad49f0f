//! Single pictures as PNG.

use std::io;
use std::path::Path;

use image::codecs::png::PngEncoder;
use image::{ImageError, RgbaImage};

use super::atomic_file::{AtomicFile, PendingFile};

/// Writes a picture, whole or not at all.
pub fn save_png(image: &RgbaImage, path: &Path) -> io::Result<()> {
    hold_png(image, path)?.finish()
}

/// The same, not in its place yet.
pub(super) fn hold_png(image: &RgbaImage, path: &Path) -> io::Result<PendingFile> {
    let mut file = AtomicFile::create(path)?;
    image.write_with_encoder(PngEncoder::new(&mut file)).map_err(told)?;
    file.hold()
}

/// Why it could not be written, in the words of the disk.
fn told(error: ImageError) -> io::Error {
    match error {
        ImageError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
