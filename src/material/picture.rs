//! Pictures: TGA, JPEG, PNG, BMP and WebP through `image`, PCX and DDS through `image-extras`.

use std::fmt;
use std::io::Cursor;
use std::sync::{Once, OnceLock};

use image::{DynamicImage, ImageFormat, ImageReader, ImageResult, Limits};

use super::Transparency;
use super::mip_levels::{MipLevel, mip_levels};

/// Longest side accepted, in texels.
const LONGEST_SIDE: u32 = 16_384;
/// Most bytes a decoder may take.
const MEMORY: u64 = 1 << 30;

/// A decoded picture, 8 bits per channel, top row first, colours as stored (sRGB).
#[derive(Clone)]
pub struct Picture {
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a texel: red, green, blue, alpha.
    pub rgba: Vec<u8>,
    /// Whether any texel is not opaque.
    pub has_alpha: bool,
    levels: OnceLock<Vec<MipLevel>>,
    pub(super) transparency: OnceLock<Transparency>,
}

/// By their texels.
impl PartialEq for Picture {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height) && self.rgba == other.rgba
    }
}

impl Eq for Picture {}

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
    /// A picture of `width` × `height` texels, four bytes each.
    #[must_use]
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        let has_alpha = rgba.as_chunks::<4>().0.iter().any(|texel| texel[3] < 255);
        Self { width, height, rgba, has_alpha, levels: OnceLock::new(), transparency: OnceLock::new() }
    }

    /// Its smaller forms, the largest first. They are made by the first who asks for them: the thread that read the picture,
    /// where that can be.
    pub fn mip_levels(&self) -> &[MipLevel] {
        self.levels.get_or_init(|| mip_levels(self.width, self.height, &self.rgba))
    }

    /// A picture of one texel.
    #[must_use]
    pub fn of_colour(colour: [u8; 4]) -> Self {
        Self::new(1, 1, colour.to_vec())
    }

    /// A texel of the picture repeated in all directions.
    #[must_use]
    pub fn texel(&self, x: i64, y: i64) -> [u8; 4] {
        let inside = |at: i64, size: u32| usize::try_from(at.rem_euclid(i64::from(size.max(1)))).unwrap_or(0);
        let at = inside(y, self.height) * self.width as usize + inside(x, self.width);
        self.rgba.as_chunks::<4>().0.get(at).copied().unwrap_or([0; 4])
    }

    /// Decodes `bytes`. Content decides; TGA has no signature, so it is what nothing else claims, and what a file
    /// called `.tga` is tried as when its first bytes happen to look like another format's.
    pub fn decode(bytes: &[u8], name: &str) -> Result<Self, PictureError> {
        static EXTRAS: Once = Once::new();
        EXTRAS.call_once(image_extras::register);
        let fail = |why: String| PictureError(format!("{name}: {why}"));
        let error = match decode_guessed(bytes) {
            Ok(decoded) => return Self::of(decoded).ok_or_else(|| fail("the picture has no texels".to_owned())),
            Err(error) => error,
        };
        let again = if is_pcx(bytes) && !name.to_ascii_lowercase().ends_with(".tga") {
            pcx_with_marker(bytes).and_then(|bytes| decode_guessed(&bytes).ok())
        } else if name.to_ascii_lowercase().ends_with(".tga") {
            decode_as_tga(bytes).ok()
        } else {
            None
        };
        again.and_then(Self::of).ok_or_else(|| fail(error.to_string()))
    }

    fn of(decoded: DynamicImage) -> Option<Self> {
        let image = decoded.into_rgba8();
        let (width, height) = image.dimensions();
        (width > 0 && height > 0).then(|| Self::new(width, height, image.into_raw()))
    }
}

/// Decodes by the first bytes; what nothing else claims is TGA, which has no signature.
fn decode_guessed(bytes: &[u8]) -> ImageResult<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tga).with_guessed_format()?;
    reader.limits(limits());
    reader.decode()
}

fn decode_as_tga(bytes: &[u8]) -> ImageResult<DynamicImage> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tga);
    reader.limits(limits());
    reader.decode()
}

/// Length of a PCX header, and of the palette at its end.
const PCX_HEADER: usize = 128;
const PCX_PALETTE: usize = 768;

fn is_pcx(bytes: &[u8]) -> bool {
    matches!(bytes, [0x0A, 0..=5, 1, 8, ..])
}

/// Some tools leave out the byte 12 that marks the palette, and games never look for it: the file with the byte put in.
fn pcx_with_marker(bytes: &[u8]) -> Option<Vec<u8>> {
    let palette = bytes.len().checked_sub(PCX_PALETTE).filter(|start| *start > PCX_HEADER)?;
    let (picture, colours) = bytes.split_at_checked(palette)?;
    Some([picture, &[0x0C], colours].concat())
}

fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(LONGEST_SIDE);
    limits.max_image_height = Some(LONGEST_SIDE);
    limits.max_alloc = Some(MEMORY);
    limits
}
