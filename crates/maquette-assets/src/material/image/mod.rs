//! Images: TGA, JPEG, PNG, BMP and WebP through `image`, PCX and DDS through `image-extras`; formats of games.

mod background;
mod cache;
mod mip_levels;
mod mip_textures;
mod program;
mod quake_palette;
mod queue;
mod tint;

use std::fmt;
use std::io::Cursor;
use std::ops::Deref;
use std::sync::{Arc, LazyLock, Mutex, Once, OnceLock, PoisonError};

use image::{ColorType, DynamicImage, ImageDecoder as _, ImageError, ImageFormat, ImageReader, Limits, guess_format};

use super::Transparency;
use super::limits::Limits as ModelLimits;
use crate::engines::IMAGE_EXTENSIONS;
use crate::vfs::split_extension;
use maquette_core::formats::stand_in;
use maquette_core::model::u32_or_max;

pub use cache::ImageCache;
pub use mip_levels::{MipLevel, mip_levels};
pub(in crate::material) use mip_textures::decode_mip_texture;
pub use program::ImageProgram;
pub(in crate::material) use program::TexelBudget;
pub(crate) use quake_palette::{Palette, decode_pixels, palette_near};
pub(in crate::material) use quake_palette::{TRANSPARENT, decode_lmp, quake_palette, quake2_palette};
pub use queue::ImageQueue;
pub(crate) use tint::display_colour;

/// Maximum width and height in texels. Larger images are refused.
const MAX_SIDE: u32 = 32_768;
/// Bytes that a decoder may use in addition to the texels, for tables, colour profiles and texts.
const DECODER_BYTES: u64 = 32 << 20;
/// Bytes beyond twice the file's length for data before the texels. A small colour profile can unpack to gigabytes.
const HEADER_BYTES: u64 = 8 << 20;

/// An image, possibly pending. Dereferences to its texels, or to a single grey texel while pending or if decoding
/// failed.
#[derive(Clone)]
pub struct Image {
    /// Unset while the image is pending; `None` if decoding failed.
    decoded: OnceLock<Option<Texels>>,
}

/// A decoded image, 8 bits per channel, top row first, colours as stored (sRGB).
#[derive(Clone)]
pub struct Texels {
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes a texel: red, green, blue, alpha.
    pub rgba: Vec<u8>,
    /// Whether any texel is not opaque.
    pub has_alpha: bool,
    /// Whether the image is of 8 bits, so that games fill its background if it is a skin.
    has_background: bool,
    filled: OnceLock<Option<Arc<Image>>>,
    levels: Levels,
    pub(super) transparency: OnceLock<Transparency>,
    luminance: OnceLock<f32>,
}

impl Deref for Image {
    type Target = Texels;

    fn deref(&self) -> &Texels {
        static GREY: LazyLock<Texels> = LazyLock::new(|| Texels::new(1, 1, vec![128, 128, 128, 255]));
        self.decoded.get().and_then(Option::as_ref).unwrap_or(&GREY)
    }
}

/// Cached mip levels. A clone of an image computes its own levels.
#[derive(Default)]
struct Levels(Mutex<Option<Arc<Vec<MipLevel>>>>);

impl Clone for Levels {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for Image {
    fn eq(&self, other: &Self) -> bool {
        (self.width, self.height) == (other.width, other.height) && self.rgba == other.rgba
    }
}

impl Eq for Image {}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({} × {})", self.width, self.height)
    }
}

/// Bytes of texels up to which a file of a few kilobytes is decoded to find out whether it can be.
const SMALL_IMAGE: u64 = 16 << 20;

/// Reason why an image could not be decoded, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    message: String,
    wasted: usize,
    /// Bytes of the image's texels if they exceed the limit, else 0.
    needed: u64,
}

impl DecodeError {
    /// Returns the bytes read, or bytes of the texels decoded before the failure, whichever is more.
    pub fn wasted(&self) -> usize {
        self.wasted
    }

    pub(super) fn lacks_room(&self, limits: &ModelLimits) -> bool {
        (1..=limits.image_bytes()).contains(&self.needed)
    }

    fn new(message: String) -> Self {
        Self { message, wasted: 0, needed: 0 }
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DecodeError {}

impl Texels {
    fn new(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        let has_alpha = rgba.as_chunks::<4>().0.iter().any(|texel| texel[3] < 255);
        Self {
            width,
            height,
            rgba,
            has_alpha,
            has_background: false,
            filled: OnceLock::new(),
            levels: Levels::default(),
            transparency: OnceLock::new(),
            luminance: OnceLock::new(),
        }
    }

    /// Returns the mean luminance of the opaque texels in linear light, from 0 to 1, estimated from some of them.
    pub fn luminance(&self) -> f32 {
        const MAX_SAMPLES: usize = 4096;
        *self.luminance.get_or_init(|| {
            let texels = self.rgba.as_chunks::<4>().0;
            // An odd step does not stay in one column.
            let step = (texels.len() / MAX_SAMPLES) | 1;
            let (mut sum, mut count) = (0.0, 0.0_f32);
            for [red, green, blue, alpha] in texels.iter().step_by(step) {
                if *alpha >= 128 {
                    // The square approximates the sRGB curve.
                    let [red, green, blue] = [red, green, blue].map(|value| (f32::from(*value) / 255.0).powi(2));
                    sum += 0.2126 * red + 0.7152 * green + 0.0722 * blue;
                    count += 1.0;
                }
            }
            if count > 0.0 { sum / count } else { 0.5 }
        })
    }

    /// Returns the mip levels, the largest first. The first call computes them.
    pub fn mip_levels(&self) -> Arc<Vec<MipLevel>> {
        let mut levels = self.levels.0.lock().unwrap_or_else(PoisonError::into_inner);
        let make = || Arc::new(mip_levels(self.width, self.height, &self.rgba));
        Arc::clone(levels.get_or_insert_with(make))
    }

    /// Frees the mip levels. The next call of [`Self::mip_levels`] computes them again.
    pub fn forget_levels(&self) {
        *self.levels.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the number of mip levels below the image itself.
    pub fn level_count(&self) -> usize {
        self.width.max(self.height).max(1).ilog2() as usize
    }

    /// Returns width and height of a mip level; level 0 is the image itself.
    pub fn level_size(&self, level: usize) -> (u32, u32) {
        let shrunk = |side: u32| side.checked_shr(u32_or_max(level)).unwrap_or(0).max(1);
        (shrunk(self.width), shrunk(self.height))
    }

    /// Returns the bytes in memory, with the mip levels that are cached.
    pub fn bytes(&self) -> u64 {
        let levels = self.levels.0.lock().unwrap_or_else(PoisonError::into_inner);
        let smaller = levels.iter().flat_map(|levels| levels.iter()).map(|(_, _, texels)| texels.len());
        (self.rgba.len() + smaller.sum::<usize>()) as u64
    }

    /// Returns a texel of the image repeated in all directions.
    pub fn texel(&self, x: i64, y: i64) -> [u8; 4] {
        let inside = |at: i64, size: u32| usize::try_from(at.rem_euclid(i64::from(size.max(1)))).unwrap_or(0);
        let at = inside(y, self.height) * self.width as usize + inside(x, self.width);
        self.rgba.as_chunks::<4>().0.get(at).copied().unwrap_or([0; 4])
    }
}

impl Image {
    /// Creates an image of `width` × `height` texels, four bytes each.
    #[must_use]
    pub fn new(width: u32, height: u32, rgba: Vec<u8>) -> Self {
        Self { decoded: OnceLock::from(Some(Texels::new(width, height, rgba))) }
    }

    /// Creates an image of one texel.
    pub fn of_colour(colour: [u8; 4]) -> Self {
        Self::new(1, 1, colour.to_vec())
    }

    /// Marks the image as one of 8 bits, see [`Texels::filled`].
    pub(super) fn with_background(mut self) -> Self {
        if let Some(Some(texels)) = self.decoded.get_mut() {
            texels.has_background = true;
        }
        self
    }

    /// Creates an image that is decoded later.
    #[must_use]
    pub fn pending() -> Self {
        Self { decoded: OnceLock::new() }
    }

    /// Returns whether the image is not decoded yet.
    pub fn is_pending(&self) -> bool {
        self.decoded.get().is_none()
    }

    pub(super) fn is_broken(&self) -> bool {
        self.decoded.get().is_some_and(Option::is_none)
    }

    pub(super) fn finish(&self, decoded: Option<Self>) {
        self.decoded.set(decoded.and_then(|decoded| decoded.decoded.into_inner().flatten())).ok();
    }

    /// Decodes `bytes` within the usual limit, see [`Image::decode_within`].
    pub fn decode(bytes: &[u8], name: &str) -> Result<Self, DecodeError> {
        Self::decode_within(bytes, name, ModelLimits::default().image_bytes())
    }

    /// Decodes `bytes` to at most `max` bytes of texels. The content determines the format. TGA has no signature: files
    /// without one, and `.tga` files that do not decode, are read as TGA.
    pub fn decode_within(bytes: &[u8], name: &str, max: u64) -> Result<Self, DecodeError> {
        register_formats();
        if let Some(image) = decode_mip_texture(bytes, name, None, max) {
            return Ok(image);
        }
        let whole = |decoded: Result<DynamicImage, DecodeError>| -> Result<Self, DecodeError> {
            let image = Self::from_decoded(decoded?);
            let image = image.ok_or_else(|| DecodeError::new("the image has no pixels".to_owned()))?;
            Ok(if is_pcx(bytes) { image.with_background() } else { image })
        };
        let failed = match whole(decode_guessed(bytes, max)) {
            Ok(image) => return Ok(image),
            Err(failed) => failed,
        };
        let is_called_tga = name.to_ascii_lowercase().ends_with(".tga");
        let again = if is_pcx(bytes) && !is_called_tga {
            pcx_with_marker(bytes).map(|bytes| decode_guessed(&bytes, max))
        } else {
            is_called_tga.then(|| decode_as_tga(bytes, max))
        };
        let wasted = match again.map(whole) {
            Some(Ok(image)) => return Ok(image),
            Some(Err(again)) => again.wasted.max(failed.wasted),
            None => failed.wasted,
        };
        let is_image = is_called_tga || is_pcx(bytes) || bytes.starts_with(b"DDS ") || guess_format(bytes).is_ok();
        let unknown = || if is_image { failed.message.as_str() } else { "unsupported image format" };
        let why = if bytes.is_empty() { "the file is empty" } else { stand_in(bytes).unwrap_or_else(unknown) };
        Err(DecodeError { message: format!("{name}: {why}"), wasted: wasted.max(bytes.len()), ..failed })
    }

    /// Returns why an image that begins with `start` cannot be decoded; `None` if the start does not show that.
    /// `is_cut` states whether the file continues.
    pub(super) fn problem_of_head(name: &str, start: &[u8], is_cut: bool) -> Option<String> {
        if start.is_empty() {
            return Some("the file is empty".to_owned());
        }
        if let Some(problem) = stand_in(start) {
            return Some(problem.to_owned());
        }
        // A PNG begins with its header, the only one whose length is fixed.
        let is_png = start.starts_with(b"\x89PNG\r\n\x1a\n");
        if is_png && start.get(8..16) != Some(b"\0\0\0\x0dIHDR") {
            return Some("the PNG has no header".to_owned());
        }
        let has_signature = is_png || start.starts_with(b"DDS ") || guess_format(start).is_ok();
        let is_known = has_signature || matches!(start, [0x0A, 0..=5, ..]) || begins_like_tga(start);
        // Images of games may have no signature, such as WAL.
        let extension = split_extension(name).1.to_ascii_lowercase();
        if !is_known && extension != "wal" && IMAGE_EXTENSIONS.contains(&extension.as_str()) {
            return Some("the file is not an image".to_owned());
        }
        if is_cut || !is_known {
            return None;
        }
        // An image of one colour may have millions of texels.
        let failed = Self::decode_within(start, name, SMALL_IMAGE).err().filter(|error| error.needed == 0);
        failed.map(|error| error.to_string())
    }

    fn from_decoded(decoded: DynamicImage) -> Option<Self> {
        let image = decoded.into_rgba8();
        let (width, height) = image.dimensions();
        (width > 0 && height > 0).then(|| Self::new(width, height, image.into_raw()))
    }
}

/// Whether the header has the values that the TGA specification allows: kind of colour map, kind of image, size, depth.
fn begins_like_tga(start: &[u8]) -> bool {
    let Some(&[_, map, kind, .., width_low, width_high, height_low, height_high, depth, _]) = start.get(..18) else {
        return false;
    };
    let has_size = [width_low, width_high] != [0, 0] && [height_low, height_high] != [0, 0];
    map <= 1 && matches!(kind, 1..=3 | 9..=11) && has_size && matches!(depth, 8 | 15 | 16 | 24 | 32)
}

fn register_formats() {
    static EXTRAS: Once = Once::new();
    EXTRAS.call_once(image_extras::register);
}

fn decode_guessed(bytes: &[u8], max: u64) -> Result<DynamicImage, DecodeError> {
    let reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tga).with_guessed_format();
    decode_from(reader.map_err(|error| DecodeError::new(error.to_string()))?, bytes.len(), max)
}

fn decode_as_tga(bytes: &[u8], max: u64) -> Result<DynamicImage, DecodeError> {
    decode_from(ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tga), bytes.len(), max)
}

fn decode_from(mut reader: ImageReader<Cursor<&[u8]>>, length: usize, max: u64) -> Result<DynamicImage, DecodeError> {
    let unread = |error: ImageError| DecodeError::new(error.to_string());
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some((length as u64).saturating_mul(2).saturating_add(HEADER_BYTES));
    reader.limits(limits.clone());
    let mut decoder = reader.into_decoder().map_err(unread)?;
    let (width, height) = decoder.dimensions();
    let texels = u64::from(width) * u64::from(height) * 4;
    // Texels in another format take memory twice while they are converted.
    let stored = if decoder.color_type() == ColorType::Rgba8 { 0 } else { decoder.total_bytes() };
    let taken = texels.max(texels.saturating_add(stored).div_ceil(2));
    if taken > max {
        let (megabytes, max) = (taken.div_ceil(1 << 20), max >> 20);
        let message = format!(
            "{width} × {height} pixels need {megabytes} MB of memory, more than the limit of {max} MB; raise it with --max-memory or in Settings"
        );
        return Err(DecodeError { needed: taken, ..DecodeError::new(message) });
    }
    limits.max_alloc = Some(decoder.total_bytes().max(texels).saturating_add(DECODER_BYTES));
    decoder.set_limits(limits).map_err(unread)?;
    let wasted = usize::try_from(texels).unwrap_or(usize::MAX);
    DynamicImage::from_decoder(decoder).map_err(|error| DecodeError { wasted, ..unread(error) })
}

const PCX_HEADER: usize = 128;
const PCX_PALETTE: usize = 768;

fn is_pcx(bytes: &[u8]) -> bool {
    matches!(bytes, [0x0A, 0..=5, 1, 8, ..])
}

/// Inserts the byte 12 that marks the palette. Some tools omit it, and games do not check it.
fn pcx_with_marker(bytes: &[u8]) -> Option<Vec<u8>> {
    let palette = bytes.len().checked_sub(PCX_PALETTE).filter(|start| *start > PCX_HEADER)?;
    let (image, colours) = bytes.split_at_checked(palette)?;
    Some([image, &[0x0C], colours].concat())
}
