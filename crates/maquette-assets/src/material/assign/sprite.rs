//! Material of a sprite: an image for each frame, which games draw at full brightness and turn to the viewer.
//!
//! Source: GLQuake `gl_rmain.c` (`R_DrawSpriteModel`), Half-Life's texture formats as in Xash3D `gl_sprite.c`, Quake II
//! `gl_image.c` (`GL_LoadPic`): colour 255 of a PCX is transparent.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::MaterialResolver;
use crate::material::expression::Expression;
use crate::material::find::missing_message;
use crate::material::image::palette_near;
use crate::material::stage::{AlphaTest, Blend, ColourSource, DrawnFaces, Map, Material, Stage, sort};
use crate::material::{Deform, Image, ImageProgram, Origin, SearchStep, SurfaceMaterial, TextureWrap};
use crate::vfs::join;
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::model::{AlphaMode, EmbeddedImage, Model, Sprite};

impl MaterialResolver<'_> {
    /// Returns the material of a sprite's images. Reports images that were not found if others were.
    pub(super) fn sprite(&mut self, model: &Model, warnings: &mut Warnings) -> SurfaceMaterial {
        let nothing = || SurfaceMaterial::missing("", Origin::Model);
        let Some((sprite, skin)) = model.data().sprite.zip(model.embedded_skins().first()) else {
            return nothing();
        };
        let candidates = &self.finder.images.candidates;
        let inside = join(&candidates.folder, &candidates.name);
        let (palette, palette_step) = palette_near(self.finder.images.vfs, &candidates.folder);
        let mut log: Vec<SearchStep> = Vec::new();
        if skin.is_in_game_palette() {
            log.push(palette_step);
        }
        let mut maps = Vec::new();
        let mut named: BTreeMap<&str, SurfaceMaterial> = BTreeMap::new();
        for stored in &skin.images {
            let (path, image) = match stored {
                EmbeddedImage::External(name) => {
                    let found = named.entry(name).or_insert_with(|| self.image_called(name, warnings));
                    (found.path.clone(), found.image.clone())
                }
                stored => {
                    let about = ["sprite", "an image"];
                    (inside.clone(), self.finder.images.embedded(stored, &palette, about, warnings))
                }
            };
            maps.push(Map { image, path: path.clone(), ..Map::new(ImageProgram::Named(path)) });
        }
        log.extend(named.values().flat_map(|material| material.search_log.iter().cloned()));
        let first = maps.iter().find_map(|map| Some((map.path.clone(), map.image.clone()?)));
        let Some((path, image)) = first else {
            return named.into_values().next().unwrap_or_else(nothing);
        };
        for (name, material) in named.iter().filter(|(_, material)| material.image.is_none()) {
            let message = missing_message(name, material.search_log.iter());
            warnings.add(WarningKind::Companion, "sprite", message);
        }
        let has_shades = maps.iter().filter_map(|map| map.image.as_ref()).any(|image| has_shades(image));
        let name = surface_name(model);
        SurfaceMaterial {
            definition: Arc::new(definition(sprite, maps, has_shades)),
            search_log: log.into(),
            ..SurfaceMaterial::of_image(&name, &path, image, TextureWrap::Clamp)
        }
    }

    /// Returns the image that a frame names.
    fn image_called(&mut self, name: &str, warnings: &mut Warnings) -> SurfaceMaterial {
        let found = self.finder.material(name, Origin::Model, &mut Warnings::default());
        match self.finder.images.cut_out(&found.path, warnings) {
            Some(image) => SurfaceMaterial { image: Some(image), ..found },
            None => found,
        }
    }
}

fn surface_name(model: &Model) -> String {
    let name = model.surfaces().first().and_then(|surface| surface.materials.first());
    name.cloned().unwrap_or_default()
}

/// Returns whether some texels are neither opaque nor transparent, so that they must be blended.
fn has_shades(image: &Image) -> bool {
    image.has_alpha && image.rgba.as_chunks::<4>().0.iter().any(|texel| !matches!(texel[3], 0 | 255))
}

fn definition(sprite: Sprite, maps: Vec<Map>, has_shades: bool) -> Material {
    let mut stage =
        Stage { maps, by_frame: true, wrap: TextureWrap::Clamp, colour: ColourSource::White, ..Stage::default() };
    let mut order = sort::OPAQUE;
    match sprite.alpha {
        _ if sprite.is_added => (stage.blend, order) = (Some(Blend::ADD), sort::BLEND),
        AlphaMode::Opaque => {}
        AlphaMode::Mask(above) if !has_shades => {
            stage.alpha_test = AlphaTest::Above(Expression::Number(above));
        }
        AlphaMode::Mask(_) | AlphaMode::Blend => (stage.blend, order) = (Some(Blend::ALPHA), sort::BLEND),
    }
    stage.writes_depth = stage.blend.is_none();
    let deforms =
        if sprite.faces_viewer { vec![Deform::Billboard { is_upright: sprite.is_upright }] } else { Vec::new() };
    Material { sides: DrawnFaces::Both, sort: order, deforms, stages: vec![stage], ..Material::default() }
}
