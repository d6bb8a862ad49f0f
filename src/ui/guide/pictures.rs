//! The guide's pictures: compiled in, decoded when they first come into sight, forgotten with the sheet.

use std::collections::HashMap;

use egui::{ColorImage, TextureHandle, TextureOptions, Ui, Vec2};
use image::imageops::FilterType;

/// The pictures by their files, as the guide calls them.
pub const FILES: [(&str, &[u8]); 11] = [
    ("pictures/attach.png", include_bytes!("../../../docs/pictures/attach.png")),
    ("pictures/chosen.png", include_bytes!("../../../docs/pictures/chosen.png")),
    ("pictures/film.png", include_bytes!("../../../docs/pictures/film.png")),
    ("pictures/grey.png", include_bytes!("../../../docs/pictures/grey.png")),
    ("pictures/light.png", include_bytes!("../../../docs/pictures/light.png")),
    ("pictures/looks.png", include_bytes!("../../../docs/pictures/looks.png")),
    ("pictures/palette.png", include_bytes!("../../../docs/pictures/palette.png")),
    ("pictures/sheet.png", include_bytes!("../../../docs/pictures/sheet.png")),
    ("pictures/tags.png", include_bytes!("../../../docs/pictures/tags.png")),
    ("pictures/timeline.png", include_bytes!("../../../docs/pictures/timeline.png")),
    ("pictures/window.png", include_bytes!("../../../docs/pictures/window.png")),
];

/// What a PNG tells of its size: width and height stand at fixed places.
pub fn size_of(file: &str) -> Option<[u32; 2]> {
    let (_, bytes) = FILES.iter().find(|(name, _)| *name == file)?;
    let number = |at: usize| Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some([number(16)?, number(20)?]).filter(|[width, height]| *width > 0 && *height > 0)
}

/// The pictures that were seen, as many pixels wide as they are shown.
#[derive(Default)]
pub struct Pictures(HashMap<(String, u32), Option<TextureHandle>>);

impl Pictures {
    /// The picture of a file for a place of this size in points; none if there is no such picture.
    pub fn get(&mut self, ui: &Ui, file: &str, size: Vec2) -> Option<&TextureHandle> {
        let pixels = (size * ui.pixels_per_point()).round().max(Vec2::splat(1.0));
        let (width, height) = (pixels.x as u32, pixels.y as u32);
        // Other widths are of a window that had another size.
        self.0.retain(|(name, known), _| name != file || *known == width);
        let made = self.0.entry((file.to_owned(), width)).or_insert_with(|| {
            let (_, bytes) = FILES.iter().find(|(name, _)| *name == file)?;
            let picture = image::load_from_memory(bytes).ok()?.into_rgba8();
            // egui has no smaller copies of a texture: fine lines would break.
            let fitting = image::imageops::resize(&picture, width, height, FilterType::Triangle);
            let image = ColorImage::from_rgba_unmultiplied([width as usize, height as usize], &fitting);
            Some(ui.ctx().load_texture(file, image, TextureOptions::LINEAR))
        });
        made.as_ref()
    }
}
