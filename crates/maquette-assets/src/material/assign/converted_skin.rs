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
    let pixels = quake_pixels(image, [width, height], is_cutout)?;
    Some(EmbeddedSkin::of_pixels(&material.name, pixels))
}

/// Returns an image of this size in Quake's colours. `is_cutout` makes texels with little alpha transparent.
pub fn quake_pixels(image: &Image, [width, height]: [u32; 2], is_cutout: bool) -> Option<Pixels> {
    let whole: ImageBuffer<Rgba<u8>, &[u8]> = ImageBuffer::from_raw(image.width, image.height, image.rgba.as_slice())?;
    let fitting = if (width, height) == (image.width, image.height) {
        image.rgba.clone()
    } else {
        imageops::resize(&whole, width, height, FilterType::Triangle).into_raw()
    };
    let palette = quake_palette();
    let index =
        |texel: &[u8; 4]| if is_cutout && texel[3] < 128 { TRANSPARENT as u8 } else { nearest(&palette, *texel) };
    let bytes = fitting.as_chunks::<4>().0.iter().map(index).collect();
    let kind = PixelKind::GamePalette { has_cutouts: is_cutout };
    Some(Pixels { width, height, kind, bytes })
}

/// Returns the index of a colour, or of the nearest one that light darkens. Differences are weighted by how bright the
/// channels appear.
fn nearest(palette: &Palette, [red, green, blue, _]: [u8; 4]) -> u8 {
    let distance = |[r, g, b, _]: &[u8; 4]| {
        let square = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        2 * square(*r, red) + 4 * square(*g, green) + 3 * square(*b, blue)
    };
    let exact = palette.iter().position(|colour| distance(colour) == 0);
    let shaded = || (0..FIRST_BRIGHT).min_by_key(|index| distance(&palette[*index]));
    exact.or_else(shaded).and_then(|index| u8::try_from(index).ok()).unwrap_or(0)
}
