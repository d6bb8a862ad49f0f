//! Pictures: TGA, JPEG, PNG, BMP and WebP through `image`, PCX and DDS through `image-extras`.

use std::fmt;
use std::io::Cursor;
use std::sync::Once;

use image::{ImageFormat, ImageReader, Limits};

/// Longest side accepted, in texels.
const LONGEST_SIDE: u32 = 16_384;
/// Most bytes a decoder may take.
const MEMORY: u64 = 1 << 30;

/// A decoded picture, 8 bits per channel, top row first, colours as stored (sRGB).
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a texel: red, green, blue, alpha.
    pub rgba: Vec<u8>,
    /// Whether any texel is not opaque.
    pub has_alpha: bool,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({} × {})", self.width, self.height)
    }
}

/// Why a picture could not be decoded, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PictureError(pub String);

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PictureError {}

impl Picture {
    /// Decodes `bytes`. Content decides; TGA has no signature, so it is what nothing else claims, and what a file
    /// called `.tga` is tried as when its first bytes happen to look like another format's.
    pub fn decode(bytes: &[u8], name: &str) -> Result<Self, PictureError> {
        static EXTRAS: Once = Once::new();
        EXTRAS.call_once(image_extras::register);
        let fail = |why: String| PictureError(format!("{name}: {why}"));
        let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tga);
        reader.limits(limits());
        let reader = reader.with_guessed_format().map_err(|error| fail(error.to_string()))?;
        let is_called_tga = name.to_ascii_lowercase().ends_with(".tga");
        let decoded = reader.decode().or_else(|error| {
            let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tga);
            reader.limits(limits());
            if is_called_tga { reader.decode().map_err(|_| error) } else { Err(error) }
        });
        let decoded = decoded.map_err(|error| fail(error.to_string()))?;
        let image = decoded.into_rgba8();
        let (width, height) = image.dimensions();
        if width == 0 || height == 0 {
            return Err(fail("the picture has no texels".to_owned()));
        }
        let rgba = image.into_raw();
        let has_alpha = rgba.as_chunks::<4>().0.iter().any(|texel| texel[3] < 255);
        Ok(Self { width, height, rgba, has_alpha })
    }
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MEMORY);
    limits
}
