//! Skins whose images are inside the model's file.
//!
//! Texels may be colours of the game's palette, `gfx/palette.lmp`. The file is searched for from the model's folder up
//! to the game's root. Without it, Quake's colours are used. Bright colours ignore light: the skin has a lit stage in
//! which they are black, and a stage that adds them (QuakeSpasm `gl_model.c`, `Mod_LoadAllSkins`). An image called
//! `MODEL.mdl_0.tga` replaces skin 0 (DarkPlaces `model_alias.c`, `Mod_IDP0_Load`), and so do those whose names an engine
//! makes.

use std::sync::Arc;

use super::{MaterialResolver, skin_wrap};
use crate::engines::QUAKE_MAPS;
use crate::limits::MAX_SKINS;
use crate::material::image::{Palette, TRANSPARENT, palette_near};
use crate::material::stage::{Blend, Map, Stage};
use crate::material::{
    IMAGE_EXTENSIONS, Image, ImageProgram, MAX_PLAYER_COLOUR, SearchStep, SurfaceMaterial, TextureWrap,
};
use crate::vfs::join;
use maquette_core::error::Warnings;
use maquette_core::model::{EmbeddedSkin, Model, PixelKind, Pixels};

/// First colour that light does not darken (QuakeSpasm `gl_texmgr.c`, `TexMgr_LoadPalette`).
pub(super) const FIRST_BRIGHT: usize = 224;

impl MaterialResolver<'_> {
    /// Returns the materials of the skins inside the model's file, in order.
    pub fn embedded_skins(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<SurfaceMaterial> {
        if model.embedded_skins().is_empty() {
            return Vec::new();
        }
        let images = &self.finder.images;
        let (palette, palette_step) = palette_near(images.vfs, &images.candidates.folder);
        let palette = coloured(&palette, self.search.player_colours);
        let wrap = skin_wrap(model);
        let mut materials = Vec::new();
        for (number, skin) in model.embedded_skins().iter().enumerate() {
            if skin.images.len() == 1
                && let Some(replaced) = self.skin_image(model, number, &skin.name, wrap, warnings)
            {
                materials.push(replaced);
                continue;
            }
            let path =
                join(&join(&self.finder.images.candidates.folder, &self.finder.images.candidates.name), &skin.name);
            let glows =
                !self.search.lit_fullbrights && skin.is_in_game_palette() && skin.pixels().any(has_bright_colours);
            let (lit, bright) = if glows { divided(&palette) } else { (palette, palette) };
            let images = self.decoded_images(skin, &lit, warnings);
            let is_divided = glows && images.len() == skin.images.len();
            let added = if is_divided { self.decoded_images(skin, &bright, warnings) } else { Vec::new() };
            let Some(first) = images.first() else { continue };
            let whole = if glows { self.decoded_image(skin, 0, &palette, &mut Warnings::default()) } else { None };
            let mut material = SurfaceMaterial::of_image(&skin.name, &path, Arc::clone(first), wrap);
            material.image = whole.or(material.image);
            let stages = &mut Arc::make_mut(&mut material.definition).stages;
            if let Some(stage) = stages.first_mut() {
                // `TEXPREF_PAD` alone: the game does not make mip levels of skins in its palette.
                stage.mipmaps = !skin.is_in_game_palette();
                animate(stage, skin, &path, &images);
                if !added.is_empty() {
                    let mut bright = Stage {
                        maps: Vec::new(),
                        blend: Some(Blend::ADD),
                        writes_depth: false,
                        at_equal_depth: skin.has_cutouts(),
                        colour: Stage::default().colour,
                        ..stage.clone()
                    };
                    animate(&mut bright, skin, &path, &added);
                    stages.push(bright);
                }
            }
            let what = "Image inside the file".to_owned();
            let image_step = SearchStep { what, found: Some(skin.name.clone()), ..SearchStep::default() };
            let palette_step = skin.is_in_game_palette().then(|| palette_step.clone());
            material.search_log = [image_step].into_iter().chain(palette_step).collect::<Arc<[_]>>().into();
            materials.push(material);
        }
        for number in model.embedded_skins().len()..MAX_SKINS {
            let Some(more) = self.skin_image(model, number, &format!("skin {number}"), wrap, warnings) else { break };
            materials.push(more);
        }
        materials
    }

    /// Returns the material of the image that replaces or adds a skin, with its glow map.
    fn skin_image(
        &mut self,
        model: &Model,
        number: usize,
        name: &str,
        wrap: TextureWrap,
        warnings: &mut Warnings,
    ) -> Option<SurfaceMaterial> {
        let extensions = || IMAGE_EXTENSIONS.iter().filter(|extension| **extension != "wal");
        let stems = self.skin_stems(model, number);
        let paths = stems.iter().flat_map(|stem| extensions().map(move |extension| format!("{stem}.{extension}")));
        let path = paths.into_iter().find_map(|path| self.finder.images.vfs.find(&path))?;
        let image = self.finder.images.load(&path, warnings)?;
        let mut material = SurfaceMaterial::of_image(name, &path, image, wrap);
        let what = "Image of the skin".to_owned();
        let step = SearchStep { what, tried: vec![path.clone()], found: Some(path), ..SearchStep::default() };
        material.search_log = [step].into();
        self.finder.add_layers(&mut material, &QUAKE_MAPS, warnings);
        Some(material)
    }

    /// Returns the paths, without extensions, of images that may replace a skin.
    fn skin_stems(&self, model: &Model, number: usize) -> Vec<String> {
        let candidates = &self.finder.images.candidates;
        let own = format!("{}_{number}", join(&candidates.folder, &candidates.name));
        let patterns = self.finder.engine().map_or(&[][..], |engine| engine.textures.name_patterns);
        let patterns = patterns.iter().filter(|pattern| pattern.format == model.format());
        let surface = model.surfaces().first();
        let made = patterns.filter_map(|pattern| self.expand(pattern.name, surface?, 0, number));
        std::iter::once(own).chain(made).collect()
    }

    /// Decodes the images of a skin up to the memory limit, or up to a broken image.
    fn decoded_images(&mut self, skin: &EmbeddedSkin, palette: &Palette, warnings: &mut Warnings) -> Vec<Arc<Image>> {
        (0..skin.images.len()).map_while(|image| self.decoded_image(skin, image, palette, warnings)).collect()
    }

    fn decoded_image(
        &mut self,
        skin: &EmbeddedSkin,
        image: usize,
        palette: &Palette,
        warnings: &mut Warnings,
    ) -> Option<Arc<Image>> {
        self.finder.images.embedded(skin.images.get(image)?, palette, ["skins", &skin.name], warnings)
    }
}

/// Returns whether an opaque pixel has a bright colour of the game's palette.
fn has_bright_colours(pixels: &Pixels) -> bool {
    let transparent = (pixels.kind == PixelKind::GamePalette { has_cutouts: true }).then_some(TRANSPARENT);
    let mut indices = pixels.bytes.iter().map(|index| usize::from(*index));
    indices.any(|index| index >= FIRST_BRIGHT && Some(index) != transparent)
}

/// Returns the palette with other rows of colours for shirt and trousers. The upper rows run backwards (QuakeSpasm
/// `gl_texmgr.c`, `TexMgr_ReloadImage`).
fn coloured(palette: &Palette, rows: [Option<u8>; 2]) -> Palette {
    let mut coloured = *palette;
    for (start, row) in [16, 96].into_iter().zip(rows) {
        let Some(row) = row.map(|row| usize::from(row.min(MAX_PLAYER_COLOUR))) else { continue };
        let colours = &mut coloured[start..start + 16];
        colours.copy_from_slice(&palette[row * 16..row * 16 + 16]);
        if row >= 8 {
            colours.reverse();
        }
    }
    coloured
}

/// Returns the palette with black in place of the bright colours, and the palette with black in place of the others.
fn divided(palette: &Palette) -> (Palette, Palette) {
    let (mut lit, mut bright) = (*palette, *palette);
    let black = |[.., alpha]: [u8; 4]| [0, 0, 0, alpha];
    lit.iter_mut().skip(FIRST_BRIGHT).for_each(|colour| *colour = black(*colour));
    bright.iter_mut().take(FIRST_BRIGHT).for_each(|colour| *colour = black(*colour));
    (lit, bright)
}

/// Sets the images of a stage, their times, and their mean rate.
fn animate(stage: &mut Stage, skin: &EmbeddedSkin, path: &str, images: &[Arc<Image>]) {
    let map = |image: &Arc<Image>| Map {
        image: Some(Arc::clone(image)),
        path: path.to_owned(),
        ..Map::new(ImageProgram::Named(path.to_owned()))
    };
    stage.maps = images.iter().map(map).collect();
    stage.end_times = if images.len() == skin.end_times.len() { skin.end_times.clone() } else { Vec::new() };
    stage.rate = skin.end_times.last().map_or(0.0, |end| (skin.end_times.len() as f32 / end).min(1000.0));
}
