//! Skins of converted models, made from their materials.

use image::imageops::{self, FilterType};
use image::{ImageBuffer, Rgba};

use super::embedded_skin::FIRST_BRIGHT;
use crate::material::image::{Palette, TRANSPARENT, quake_palette};
use crate::material::stage::AlphaTest;
use crate::material::{Image, SurfaceMaterial};
use maquette_core::convert::ConvertOptions;
use maquette_core::model::{EmbeddedSkin, PixelKind, Pixels};

/// Returns the size of the skins of a converted model in texels, and the skins if the format stores them, from the
/// material of each skin. `size` replaces the size of the first image.
pub fn converted_skins(
    materials: &[Option<&SurfaceMaterial>],
    size: Option<[u16; 2]>,
    stores_image: bool,
) -> ([u16; 2], Vec<Option<EmbeddedSkin>>) {
    let of_image = materials.iter().flatten().find_map(|material| material.image.as_ref());
    let of_image = of_image.map(|image| ConvertOptions::skin_for(image.width, image.height));
    // A model without an image has a single grey texel, which leaves no room for texture coordinates.
    let of_image = of_image.filter(|size| size.iter().all(|side| *side >= 8));
    let mut found: Vec<Option<EmbeddedSkin>> = Vec::new();
    for material in materials.iter().filter(|_| stores_image) {
        // All skins have the size of the first.
        let first = found.iter().flatten().next().and_then(|skin| skin.pixels().next());
        let first = first.and_then(|pixels| Some([pixels.width.try_into().ok()?, pixels.height.try_into().ok()?]));
        found.push(material.and_then(|material| quake_skin(material, first.or(size))));
    }
    (size.or(of_image).unwrap_or(ConvertOptions::USUAL_SKIN), found)
}

/// Returns the image as the skin of an MDL, in Quake's colours; `None` without an image. By default, the image is
/// halved until the game accepts it, and widened to a multiple of four (Quake `model.c`, `Mod_LoadAliasModel`).
fn quake_skin(material: &SurfaceMaterial, size: Option<[u16; 2]>) -> Option<EmbeddedSkin> {
    let image = material.image.as_deref()?;
    let [width, height] = size.unwrap_or_else(|| {
        // The colour of a glTF is a single texel, which leaves no room for texture coordinates.
        if image.width == 1 && image.height == 1 {
            return ConvertOptions::USUAL_SKIN;
        }
        let [width, height] = ConvertOptions::skin_for(image.width, image.height);
        [width.next_multiple_of(4), height]
    });
    let (width, height) = (u32::from(width.max(1)), u32::from(height.max(1)));
    let stage = material.definition.stages.first();
    let is_cutout =
        image.has_alpha && stage.is_some_and(|stage| stage.blend.is_some() || stage.alpha_test != AlphaTest::None);
    let pixels = quake_pixels(image, [width, height], is_cutout, Matching::default())?;
    Some(EmbeddedSkin::of_pixels(&material.name, pixels))
}

/// Choice of the colours of a palette.
#[derive(Clone, Copy, Default)]
pub struct Matching {
    /// Whether texels make up for the errors of the texels before and above them (R. Floyd and L. Steinberg, 1976).
    pub dithers: bool,
    /// Whether texels never get colours that light does not darken. Else, texels in exactly these colours do.
    pub avoids_bright: bool,
}

/// Returns an image of this size in Quake's colours. `is_cutout` makes texels with little alpha transparent.
pub fn quake_pixels(image: &Image, [width, height]: [u32; 2], is_cutout: bool, matching: Matching) -> Option<Pixels> {
    let whole: ImageBuffer<Rgba<u8>, &[u8]> = ImageBuffer::from_raw(image.width, image.height, image.rgba.as_slice())?;
    let fitting = if (width, height) == (image.width, image.height) {
        image.rgba.clone()
    } else {
        imageops::resize(&whole, width, height, FilterType::Triangle).into_raw()
    };
    let (palette, side) = (quake_palette(), width as usize);
    let mut bytes = Vec::with_capacity(fitting.len() / 4);
    // Errors of the texels of this row and of the next, with a texel more on both sides.
    let mut errors = [vec![[0.0_f32; 3]; side + 2], vec![[0.0; 3]; side + 2]];
    for row in fitting.as_chunks::<4>().0.chunks(side.max(1)) {
        for (x, texel) in row.iter().enumerate() {
            if is_cutout && texel[3] < 128 {
                bytes.push(TRANSPARENT as u8);
                continue;
            }
            let of_channel = |channel: usize| (f32::from(texel[channel]) + errors[0][x + 1][channel]).clamp(0.0, 255.0);
            let wanted: [f32; 3] = std::array::from_fn(of_channel);
            let index = nearest(&palette, wanted.map(|channel| channel.round() as u8), matching);
            bytes.push(index);
            let found = palette[usize::from(index)];
            for (row, at, share) in [(0, x + 2, 7.0), (1, x, 3.0), (1, x + 1, 5.0), (1, x + 2, 1.0)] {
                for (channel, error) in errors[row][at].iter_mut().enumerate().filter(|_| matching.dithers) {
                    *error += (wanted[channel] - f32::from(found[channel])) * share / 16.0;
                }
            }
        }
        errors.swap(0, 1);
        errors[1].fill([0.0; 3]);
    }
    let kind = PixelKind::GamePalette { has_cutouts: is_cutout };
    Some(Pixels { width, height, kind, bytes })
}

/// Returns the index of a colour, or of the nearest one that light darkens. Differences are weighted by how bright the
/// channels appear.
fn nearest(palette: &Palette, [red, green, blue]: [u8; 3], matching: Matching) -> u8 {
    let distance = |[r, g, b, _]: &[u8; 4]| {
        let square = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        2 * square(*r, red) + 4 * square(*g, green) + 3 * square(*b, blue)
    };
    let known = if matching.avoids_bright { FIRST_BRIGHT } else { palette.len() };
    let exact = palette.iter().take(known).position(|colour| distance(colour) == 0);
    let shaded = || (0..FIRST_BRIGHT).min_by_key(|index| distance(&palette[*index]));
    exact.or_else(shaded).and_then(|index| u8::try_from(index).ok()).unwrap_or(0)
}
