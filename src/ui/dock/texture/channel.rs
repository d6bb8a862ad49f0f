//! GPU texture that shows one or all channels of an image.

use std::sync::{Arc, Weak};

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use maquette_assets::material::Image;
use maquette_core::model::u32_or_max;
use maquette_scene::scene::{Choice, Choices};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Channel {
    /// All channels, with transparency.
    #[default]
    All,
    /// Colour without transparency.
    Colour,
    Red,
    Green,
    Blue,
    Alpha,
}

impl Choices for Channel {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::All, "RGBA"),
        Choice::new(Self::Colour, "RGB"),
        Choice::new(Self::Red, "R"),
        Choice::new(Self::Green, "G"),
        Choice::new(Self::Blue, "B"),
        Choice::new(Self::Alpha, "A"),
    ];
}

impl Channel {
    fn pixel(self, [red, green, blue, alpha]: [u8; 4]) -> Color32 {
        match self {
            Self::All => Color32::from_rgba_unmultiplied(red, green, blue, alpha),
            Self::Colour => Color32::from_rgb(red, green, blue),
            Self::Red => Color32::from_gray(red),
            Self::Green => Color32::from_gray(green),
            Self::Blue => Color32::from_gray(blue),
            Self::Alpha => Color32::from_gray(alpha),
        }
    }
}

pub struct UploadedImage {
    /// Displayed image. The weak reference keeps its address from being reused, so equal addresses mean the same image.
    image: Weak<Image>,
    channel: Channel,
    mip: usize,
    pub texture: TextureHandle,
}

impl UploadedImage {
    /// Uploads an image, or returns `before` if it already shows this image, channel and mip level.
    pub fn of(ctx: &Context, image: &Arc<Image>, channel: Channel, mip: usize, before: Option<Self>) -> Self {
        let is_same = |shown: &Self| {
            std::ptr::eq(shown.image.as_ptr(), Arc::as_ptr(image)) && (shown.channel, shown.mip) == (channel, mip)
        };
        if let Some(shown) = before.filter(is_same) {
            return shown;
        }
        // Use a smaller mip level if the image exceeds the GPU's texture limit.
        let longest = u32_or_max(ctx.input(|input| input.max_texture_side));
        let fits = |level: &usize| {
            let (width, height) = image.level_size(*level);
            width.max(height) <= longest
        };
        let level = (mip..=image.level_count()).find(fits).unwrap_or(image.level_count());
        // Level 0 needs no mip levels.
        let levels = (level > 0).then(|| image.mip_levels());
        let smaller = levels.as_ref().and_then(|levels| levels.get(level - 1));
        let (width, height, texels) = match smaller {
            Some((width, height, texels)) => (*width, *height, texels.as_slice()),
            None => (image.width, image.height, image.rgba.as_slice()),
        };
        let pixels = texels.as_chunks::<4>().0.iter().map(|texel| channel.pixel(*texel)).collect();
        let pixels = ColorImage::new([width as usize, height as usize], pixels);
        // Show magnified texels as squares.
        let options = TextureOptions { magnification: egui::TextureFilter::Nearest, ..TextureOptions::LINEAR };
        let texture = ctx.load_texture("texture panel", pixels, options);
        Self { image: Arc::downgrade(image), channel, mip, texture }
    }
}
