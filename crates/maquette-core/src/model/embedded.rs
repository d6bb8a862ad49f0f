//! Images, skins and materials that the model's file contains.

use std::fmt;
use std::sync::Arc;

/// Image that the model's file contains or names.
#[derive(Clone, PartialEq)]
pub enum EmbeddedImage {
    /// Path relative to the model's folder; in a sprite, path in the game.
    External(String),
    /// Contents of an image file.
    Encoded(Arc<[u8]>),
    /// Pixels without an image format.
    Pixels(Arc<Pixels>),
}

/// Pixels of an image, from the top row.
#[derive(Clone, PartialEq)]
pub struct Pixels {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Meaning of `bytes`.
    pub kind: PixelKind,
    /// Stored bytes, as many for each pixel as `kind` says.
    pub bytes: Vec<u8>,
}

/// Storage of a pixel.
#[derive(Clone, Debug, PartialEq)]
pub enum PixelKind {
    /// Byte that is an index into the palette of the game.
    GamePalette {
        /// Whether colour 255 is transparent.
        has_cutouts: bool,
    },
    /// Byte that is an index into a palette of the file: red, green, blue and alpha of each colour.
    Palette(Arc<[[u8; 4]; 256]>),
    /// Red, green, blue and alpha, one byte each.
    Rgba,
}

/// Skin whose images are inside the model's file.
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedSkin {
    /// Name of the skin in [`ModelParts::skins`](super::ModelParts::skins).
    pub name: String,
    /// Images, at least one.
    pub images: Vec<EmbeddedImage>,
    /// Times in seconds at which each image of an animated skin ends; empty if the skin is not animated.
    pub end_times: Vec<f32>,
}

/// Material that the model's file defines, for surfaces whose material name no game file defines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmbeddedMaterial {
    /// Base colour image.
    pub image: Option<EmbeddedImage>,
    /// Base colour, by which the image is multiplied: red, green, blue and alpha, linear, 0 to 1.
    pub colour: [f32; 4],
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// Whether both sides of triangles are visible.
    pub double_sided: bool,
    /// Shader or material source text of a game.
    pub script: Option<String>,
}

/// Converts a part of an sRGB colour, from 0 to 1, to linear light.
#[must_use]
pub fn linear(part: f32) -> f32 {
    if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
}

/// Meaning of the alpha channel of a [`EmbeddedMaterial`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Ignored.
    #[default]
    Opaque,
    /// Texels below this value are discarded.
    Mask(f32),
    /// Blended with the background.
    Blend,
}

impl EmbeddedImage {
    /// Returns the stored pixels; `None` if the image is an image file.
    pub fn pixels(&self) -> Option<&Pixels> {
        if let Self::Pixels(pixels) = self { Some(pixels) } else { None }
    }

    /// Returns the number of bytes in memory.
    pub fn bytes(&self) -> usize {
        match self {
            Self::External(path) => path.len(),
            Self::Encoded(bytes) => bytes.len(),
            Self::Pixels(pixels) => pixels.bytes.len(),
        }
    }
}

impl fmt::Debug for EmbeddedImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::External(path) => write!(f, "External({path:?})"),
            Self::Encoded(bytes) => write!(f, "Encoded({} bytes)", bytes.len()),
            Self::Pixels(pixels) => write!(f, "Pixels({} × {})", pixels.width, pixels.height),
        }
    }
}

impl Pixels {
    /// Returns whether the image has pixels, and bytes for exactly these.
    pub fn is_whole(&self) -> bool {
        let bytes_of_pixel = if self.kind == PixelKind::Rgba { 4 } else { 1 };
        let bytes = u64::from(self.width).saturating_mul(self.height.into()).saturating_mul(bytes_of_pixel);
        bytes > 0 && bytes == self.bytes.len() as u64
    }

    /// Returns whether the pixels are indices into the palette of the game.
    pub fn is_in_game_palette(&self) -> bool {
        matches!(self.kind, PixelKind::GamePalette { .. })
    }
}

impl EmbeddedSkin {
    /// Creates a skin with a single image of pixels.
    #[must_use]
    pub fn of_pixels(name: &str, pixels: Pixels) -> Self {
        Self { name: name.to_owned(), images: vec![EmbeddedImage::Pixels(Arc::new(pixels))], end_times: Vec::new() }
    }

    /// Returns the pixels of all images that are not image files.
    pub fn pixels(&self) -> impl Iterator<Item = &Pixels> {
        self.images.iter().filter_map(EmbeddedImage::pixels)
    }

    /// Returns whether all images are indices into the palette of the game.
    pub fn is_in_game_palette(&self) -> bool {
        self.images.iter().all(|image| image.pixels().is_some_and(Pixels::is_in_game_palette))
    }

    /// Returns whether colour 255 of the game's palette is transparent in an image.
    pub fn has_cutouts(&self) -> bool {
        self.pixels().any(|pixels| pixels.kind == PixelKind::GamePalette { has_cutouts: true })
    }

    /// Returns the size of the first image, if it is known without decoding, and the number of images: `200 × 200`,
    /// `64 × 64, 4 images`.
    pub fn summary(&self) -> String {
        let first = match self.images.first() {
            Some(EmbeddedImage::Pixels(pixels)) => format!("{} × {}", pixels.width, pixels.height),
            Some(EmbeddedImage::Encoded(bytes)) => format!("{} bytes", bytes.len()),
            Some(EmbeddedImage::External(path)) => path.clone(),
            None => String::new(),
        };
        let images = if self.images.len() == 1 { String::new() } else { format!(", {} images", self.images.len()) };
        first + &images
    }
}
