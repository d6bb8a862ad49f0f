//! Skins whose images are inside the model's file.
//!
//! Their texels are colours of the game's palette, `gfx/palette.lmp`. The file is searched for from the model's folder up
//! to the game's root. Without it, Quake's colours are used.

use std::iter::successors;
use std::sync::Arc;

use super::assign::skin_wrap;
use super::quake_palette::QUAKE_PALETTE;
use super::resolver::too_large_together;
use super::stage::{Map, Stage};
use super::{Image, ImageProgram, MaterialResolver, SearchStep, SurfaceMaterial};
use crate::vfs::{ReadLimit, Vfs, folder_of, join};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::model::{EmbeddedSkin, Model};

/// Path of the palette: red, green and blue of 256 colours.
const PALETTE: &str = "gfx/palette.lmp";

/// Colour that is transparent in skins with transparent texels.
pub(super) const TRANSPARENT: usize = 255;

/// Colours as red, green, blue, alpha.
pub(super) type Palette = [[u8; 4]; 256];

impl MaterialResolver<'_> {
    /// Returns the materials of the skins inside the model's file, in order. An animated skin changes its image at the
    /// mean rate of its images.
    pub fn embedded_skins(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<SurfaceMaterial> {
        if model.embedded_skins().is_empty() {
            return Vec::new();
        }
        let (mut palette, palette_step) = self.palette();
        let wrap = skin_wrap(model);
        let mut materials = Vec::new();
        for skin in model.embedded_skins() {
            palette[TRANSPARENT][3] = if skin.is_cutout { 0 } else { 255 };
            let path = join(&join(&self.candidates.folder, &self.candidates.name), &skin.name);
            let images: Vec<Arc<Image>> = skin
                .images
                .iter()
                .map_while(|indices| {
                    self.embedded_image(indices.len() * 4, || decode(skin.width, skin.height, indices, &palette))
                })
                .collect();
            if images.len() < skin.images.len() {
                warnings.add(WarningKind::Companion, "skins", too_large_together(&skin.name));
            }
            let Some(first) = images.first() else { continue };
            let mut material = SurfaceMaterial::of_image(&skin.name, &path, Arc::clone(first), wrap);
            if let Some(stage) = Arc::make_mut(&mut material.definition).stages.first_mut() {
                animate(stage, skin, &path, &images);
            }
            let what = "Image inside the file".to_owned();
            let image_step = SearchStep { what, found: Some(skin.name.clone()), ..SearchStep::default() };
            material.search_log = [image_step, palette_step.clone()].into();
            materials.push(material);
        }
        materials
    }

    pub(super) fn palette(&self) -> (Palette, SearchStep) {
        let folders =
            successors(Some(self.candidates.folder.as_str()), |folder| (!folder.is_empty()).then(|| folder_of(folder)));
        let mut tried = Vec::new();
        let found = folders.map(|folder| join(folder, PALETTE)).find_map(|path| {
            let found = self.vfs.find(&path);
            tried.push(path);
            found
        });
        let usual = || QUAKE_PALETTE.map(|colour| [(colour >> 16) as u8, (colour >> 8) as u8, colour as u8, 255]);
        let colours = found.as_ref().and_then(|path| read_palette(self.vfs, path));
        let note = if colours.is_some() { "" } else { "Quake’s colours are used" };
        let step = SearchStep { what: "Palette".to_owned(), tried, found, note: note.to_owned() };
        (colours.unwrap_or_else(usual), step)
    }
}

fn read_palette(vfs: &Vfs, path: &str) -> Option<Palette> {
    let bytes = vfs.read(path, ReadLimit::Start(768)).ok()?;
    let colours: &[[u8; 3]; 256] = bytes.as_chunks::<3>().0.first_chunk()?;
    Some(colours.map(|[red, green, blue]| [red, green, blue, 255]))
}

/// Returns an image of `width` × `height` texels, each the index of a colour.
pub(super) fn decode(width: u32, height: u32, indices: &[u8], palette: &Palette) -> Image {
    let texels: Vec<[u8; 4]> = indices.iter().map(|index| palette[usize::from(*index)]).collect();
    Image::new(width, height, texels.into_flattened())
}

/// Adds the further images of an animated skin to the stage with the first.
#[expect(clippy::cast_precision_loss, reason = "the file has few images")]
fn animate(stage: &mut Stage, skin: &EmbeddedSkin, path: &str, images: &[Arc<Image>]) {
    let map = |image: &Arc<Image>| Map {
        image: Some(Arc::clone(image)),
        path: path.to_owned(),
        ..Map::new(ImageProgram::Named(path.to_owned()))
    };
    stage.maps.extend(images.iter().skip(1).map(map));
    stage.rate = skin.end_times.last().map_or(0.0, |end| (skin.end_times.len() as f32 / end).min(1000.0));
}
