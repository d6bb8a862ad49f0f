//! Skins whose images are inside the model's file.

/// Skin whose images are inside the model's file (MDL).
#[derive(Clone, Debug, PartialEq)]
pub struct EmbeddedSkin {
    /// Name of the skin in [`ModelParts::skins`](super::ModelParts::skins).
    pub name: String,
    /// Texels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Images, at least one: palette indices, from the top row.
    pub images: Vec<Vec<u8>>,
    /// Times in seconds at which each image of an animated skin ends; empty if the skin is not animated.
    pub end_times: Vec<f32>,
    /// Whether texels of colour 255 are transparent.
    pub is_cutout: bool,
}

impl EmbeddedSkin {
    /// Returns the size and the number of images: `200 × 200`, `64 × 64, 4 images`.
    #[must_use]
    pub fn summary(&self) -> String {
        let Self { width, height, images, .. } = self;
        let images = if images.len() == 1 { String::new() } else { format!(", {} images", images.len()) };
        format!("{width} × {height}{images}")
    }
}
