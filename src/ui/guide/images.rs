//! Images of the guide. They are compiled in, decoded when they become visible, and freed with the dialog.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::thread;

use egui::{Context, TextureHandle, TextureOptions, Ui, Vec2};
use image::imageops::FilterType;

use crate::ui::colour_image;

macro_rules! files {
    ($($name:literal)*) => {
        [$((
            concat!("pictures/", $name, ".webp"),
            include_bytes!(concat!("../../../docs/pictures/", $name, ".webp")).as_slice(),
        )),*]
    };
}

/// Encoded images by their file names in the guide.
pub static FILES: [(&str, &[u8]); 14] = files!(
    "attach" "bytes" "chosen" "film" "grey" "light" "looks" "motion" "palette" "sheet" "tags" "timeline" "uv" "window"
);

/// Reads width and height in pixels from the file header.
pub fn size_of(file: &str) -> Option<[u32; 2]> {
    let (_, bytes) = FILES.iter().find(|(name, _)| *name == file)?;
    let reader = image::ImageReader::with_format(std::io::Cursor::new(*bytes), image::ImageFormat::WebP);
    let (width, height) = reader.into_dimensions().ok()?;
    (width > 0 && height > 0).then_some([width, height])
}

/// Texture of an image once the image is decoded. The inner `None` means that decoding failed.
pub type Decoded = Arc<OnceLock<Option<TextureHandle>>>;

/// Interval in seconds for checking whether an image is decoded.
const LOOK_AFTER: f32 = 0.03;

/// Images seen so far, by file and displayed width in pixels.
pub type Images = HashMap<(String, u32), Decoded>;

/// Returns the image of a file for a size in points. A thread decodes it. Returns `None` until then, and for a missing
/// image.
pub fn get<'a>(pictures: &'a mut Images, ui: &Ui, file: &str, size: Vec2) -> Option<&'a TextureHandle> {
    let pixels = (size * ui.pixels_per_point()).round().max(Vec2::splat(1.0));
    let (width, height) = (pixels.x as u32, pixels.y as u32);
    // Images with other widths belong to an earlier window size, so drop them.
    pictures.retain(|(name, known), _| name != file || *known == width);
    let decoded = pictures.entry((file.to_owned(), width)).or_insert_with(|| {
        let decoded = Decoded::default();
        let (context, answer, name) = (ui.ctx().clone(), Arc::clone(&decoded), file.to_owned());
        let work = move || drop(answer.set(decode(&context, &name, width, height)));
        if let Err(error) = thread::Builder::new().name("guide".to_owned()).spawn(work) {
            log::error!("could not load the images of the guide: {error}");
            drop(decoded.set(None));
        }
        decoded
    });
    if decoded.get().is_none() {
        ui.ctx().request_repaint_after_secs(LOOK_AFTER);
    }
    decoded.get()?.as_ref()
}

fn decode(context: &Context, file: &str, width: u32, height: u32) -> Option<TextureHandle> {
    let (_, bytes) = FILES.iter().find(|(name, _)| *name == file)?;
    let picture = image::load_from_memory(bytes).ok()?.into_rgba8();
    // Resize the image on the CPU, because without mip levels a reduced image would lose fine lines in egui.
    let fitting = image::imageops::resize(&picture, width, height, FilterType::Triangle);
    Some(context.load_texture(file, colour_image(&fitting), TextureOptions::LINEAR))
}
