//! Single pictures as PNG.

use std::io;
use std::path::Path;

use image::RgbaImage;
use image::codecs::png::PngEncoder;

use super::whole_file::WholeFile;

/// Writes a picture, whole or not at all.
pub fn save_png(image: &RgbaImage, path: &Path) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    image.write_with_encoder(PngEncoder::new(&mut file)).map_err(io::Error::other)?;
    file.finish()
}
