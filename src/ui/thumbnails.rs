//! Texture thumbnails for the inspector, created when first visible.

use std::collections::HashMap;
use std::sync::{Arc, Weak};

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, Ui};
use glam::Vec2;
use image::{ImageBuffer, Rgba, imageops};

use super::theme;
use maquette_assets::material::Image;

/// Side of a thumbnail in pixels: 22 points at two pixels per point.
const SIDE: u32 = 44;
/// Maximum number of cached thumbnails. Beyond the limit, all are dropped and created again when needed.
const THUMBNAILS_KEPT: usize = 256;

#[derive(Default)]
pub struct Thumbnails {
    part_number: u64,
    /// Textures by image address and surface. The weak reference keeps the address from being reused.
    made: HashMap<(usize, usize), (Weak<Image>, TextureHandle)>,
}

impl Thumbnails {
    pub fn of_part(&mut self, part_number: u64) {
        if self.part_number != part_number || self.made.len() > THUMBNAILS_KEPT {
            self.part_number = part_number;
            self.made.clear();
        }
    }

    pub fn bytes(&self) -> u64 {
        self.made.values().map(|(_, texture)| texture.byte_size() as u64).sum()
    }

    /// Shows a square thumbnail, or a checker for a missing image. `used` limits the thumbnail to the part of the image
    /// that a surface uses. Returns its rectangle.
    pub fn show(&mut self, ui: &mut Ui, side: f32, image: Option<&Arc<Image>>, used: Option<(usize, &[Vec2])>) -> Rect {
        let (_, rect) = ui.allocate_space(egui::Vec2::splat(side));
        let Some(image) = image else {
            missing(ui, rect);
            return rect;
        };
        let (surface, uvs) = used.unwrap_or((usize::MAX, &[]));
        let (_, texture) = self.made.entry((Arc::as_ptr(image) as usize, surface)).or_insert_with(|| {
            let texture =
                ui.ctx().load_texture("thumbnail", small(image, used_area(image, uvs)), TextureOptions::LINEAR);
            (Arc::downgrade(image), texture)
        });
        super::paint::fill(ui.painter(), rect, 4, theme::tokens(ui).thumbnail);
        egui::Image::new((texture.id(), rect.size())).corner_radius(4).paint_at(ui, rect);
        rect
    }
}

fn missing(ui: &Ui, rect: Rect) {
    let colours = [Color32::from_rgb(0xc8, 0xc3, 0xcc), Color32::from_rgb(0xa3, 0x5c, 0xc0)];
    checker(&ui.painter_at(rect), rect, rect.width() / 4.0, colours);
}

/// Paints a checkerboard with squares of this side. The first square has the second colour.
pub fn checker(painter: &egui::Painter, rect: Rect, side: f32, [ground, squares]: [Color32; 2]) {
    painter.rect_filled(rect, 0.0, ground);
    let [columns, rows] = [rect.width(), rect.height()].map(|length| (length / side).ceil() as usize);
    let square = rect.with_max_x(rect.left() + side).with_max_y(rect.top() + side);
    for index in (0..columns * rows).filter(|index| (index % columns + index / columns).is_multiple_of(2)) {
        let place = egui::vec2((index % columns) as f32, (index / columns) as f32);
        painter.rect_filled(square.translate(place * side), 0.0, squares);
    }
}

/// Returns left, top, width and height, in texels, of a square that contains the texture coordinates. If they exceed
/// the image, returns the whole image, because textures repeat.
fn used_area(image: &Image, uvs: &[Vec2]) -> [u32; 4] {
    let size = Vec2::new(image.width as f32, image.height as f32);
    let whole = [0, 0, image.width, image.height];
    let min = uvs.iter().copied().fold(Vec2::ONE, Vec2::min);
    let max = uvs.iter().copied().fold(Vec2::ZERO, Vec2::max);
    let is_inside = uvs.iter().all(|uv| uv.is_finite()) && min.min_element() >= -0.01 && max.max_element() <= 1.01;
    if uvs.is_empty() || !is_inside {
        return whole;
    }
    // A square smaller than a thumbnail would be blurred, so enlarge it.
    let extent = (max - min) * size;
    let side = Vec2::splat(extent.max_element().max(SIDE as f32)).min(size).round();
    let corner = ((min + max) / 2.0 * size - side / 2.0).clamp(Vec2::ZERO, size - side).round();
    [corner.x as u32, corner.y as u32, side.x as u32, side.y as u32]
}

/// Reduces a part of an image to [`SIDE`]² opaque pixels.
fn small(image: &Image, [left, top, across, down]: [u32; 4]) -> ColorImage {
    let whole = ImageBuffer::<Rgba<u8>, _>::from_raw(image.width, image.height, image.rgba.as_slice());
    let mut image = ColorImage::filled([SIDE as usize; 2], Color32::BLACK);
    if let Some(whole) = whole {
        let small = imageops::thumbnail(&*imageops::crop_imm(&whole, left, top, across, down), SIDE, SIDE);
        image.pixels =
            small.pixels().map(|Rgba([red, green, blue, _])| Color32::from_rgb(*red, *green, *blue)).collect();
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texture_thumbnail_crops_to_uv_bounds_unless_they_repeat() {
        let image = Image::new(200, 100, vec![0; 200 * 100 * 4]);
        let box_of =
            |uvs: &[[f32; 2]]| used_area(&image, &uvs.iter().map(|uv| Vec2::from_array(*uv)).collect::<Vec<_>>());
        // 60 × 20 texels around (100, 50).
        assert_eq!(box_of(&[[0.35, 0.4], [0.65, 0.6]]), [70, 20, 60, 60]);
        // The square stays inside the image.
        assert_eq!(box_of(&[[0.0, 0.0], [0.3, 0.1]]), [0, 0, 60, 60]);
        assert_eq!(box_of(&[[0.0, 0.0], [1.0, 0.2]]), [0, 0, 200, 100]);
        assert_eq!(box_of(&[[0.2, 0.2], [2.0, 0.3]]), [0, 0, 200, 100]);
        assert_eq!(box_of(&[]), [0, 0, 200, 100]);
    }
}
