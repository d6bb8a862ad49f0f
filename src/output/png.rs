//! PNG files of single images.

use std::io;
use std::path::Path;

use image::codecs::png::PngEncoder;
use image::{ImageError, RgbaImage};

use super::atomic_file::{AtomicFile, PendingFile};

/// Writes an image completely or not at all.
pub fn save_png(image: &RgbaImage, path: &Path) -> io::Result<()> {
    hold_png(image, path)?.finish()
}

/// Like [`save_png`], but does not rename the file yet.
pub(super) fn hold_png(image: &RgbaImage, path: &Path) -> io::Result<PendingFile> {
    let mut file = AtomicFile::create(path)?;
    image.write_with_encoder(PngEncoder::new(&mut file)).map_err(metadata)?;
    file.hold()
}

/// Returns the file error in an image error, to keep the message of the system.
fn metadata(error: ImageError) -> io::Error {
    match error {
        ImageError::IoError(error) => error,
        other => io::Error::other(other),
    }
}
