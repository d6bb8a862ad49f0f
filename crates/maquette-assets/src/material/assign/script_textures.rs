//! Assignment of textures from a game's own scripts, which state paths.

use std::sync::Arc;

use super::{MaterialResolver, SKIN_STEP};
use crate::material::find::FoundImage;
use crate::material::stage::{AlphaTest, Blend, DrawnFaces, Map, NormalSpecular, Stage};
use crate::material::{ImageProgram, Origin, SearchStep, SurfaceMaterial, TextureWrap};
use maquette_core::error::Warnings;
use maquette_core::model::{Model, Surface};

/// Textures of one surface, as game paths.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceTextures {
    /// Diffuse texture.
    pub image: String,
    /// Mask of shine, glow and reflection; reported, not drawn.
    pub mask: Option<String>,
    /// Normal map.
    pub normal_map: Option<String>,
    /// Image that is drawn over the texture by its alpha. It represents the material, because it mostly covers the
    /// texture.
    pub decal: Option<String>,
    /// Whether both sides are drawn.
    pub is_two_sided: bool,
    /// Use of the image's alpha. `None` for the usual transparency of images.
    pub alpha: Option<ScriptAlpha>,
}

/// Use of an image's alpha according to a game's script.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScriptAlpha {
    /// Alpha up to which texels are not drawn; 0 to draw all.
    pub cutoff: f32,
    /// Whether the drawn texels are blended.
    pub blends: bool,
}

impl MaterialResolver<'_> {
    /// Returns the material of each surface by a script, called `script` in messages. Surfaces for which `textures_of`
    /// returns `None` keep their material in `plain`.
    pub fn assign_from_script(
        &mut self,
        model: &Model,
        plain: &[SurfaceMaterial],
        script: &str,
        mut textures_of: impl FnMut(usize, &Surface) -> Option<SurfaceTextures>,
        warnings: &mut Warnings,
    ) -> Vec<SurfaceMaterial> {
        let note = format!("“{script}” does not name this surface");
        let unnamed: Arc<[SearchStep]> =
            [SearchStep { what: SKIN_STEP.to_owned(), note, ..SearchStep::default() }].into();
        let mut assign = |(index, (surface, plain)): (usize, (&Surface, &SurfaceMaterial))| {
            let Some(textures) = textures_of(index, surface) else {
                return SurfaceMaterial { search_log: plain.search_log.after(Arc::clone(&unnamed)), ..plain.clone() };
            };
            let material = self.material_with(&textures, script, warnings);
            SurfaceMaterial { sort_tiebreak: plain.sort_tiebreak, ..material }
        };
        model.surfaces().iter().zip(plain).enumerate().map(&mut assign).collect()
    }

    fn material_with(&mut self, textures: &SurfaceTextures, script: &str, warnings: &mut Warnings) -> SurfaceMaterial {
        let found = Some(format!("{script}: {}", textures.image));
        let mut log = vec![SearchStep { what: SKIN_STEP.to_owned(), found, ..SearchStep::default() }];
        log.extend(self.finder.game_step());
        let Some(FoundImage { path, image, .. }) =
            self.finder.images.find(&textures.image, "Image", &mut log, warnings)
        else {
            let suggestion = self.finder.images.suggestion(&textures.image);
            let unreadable = self.finder.images.unreadable(&textures.image);
            let mut missing = SurfaceMaterial::missing(&textures.image, Origin::Model);
            self.finder.hide_missing(&mut missing);
            return SurfaceMaterial { suggestion, unreadable, search_log: log.into(), ..missing };
        };
        let mut material = SurfaceMaterial::of_image(&textures.image, &path, image, TextureWrap::Repeat);
        if textures.is_two_sided {
            Arc::make_mut(&mut material.definition).sides = DrawnFaces::Both;
        }
        if let Some(alpha) = textures.alpha {
            material = material.with_script_alpha(alpha);
        }
        if let Some(name) = &textures.normal_map
            && let Some(FoundImage { path, image, .. }) =
                self.finder.images.find(name, "Normal map", &mut log, warnings)
            && let Some(stage) = Arc::make_mut(&mut material.definition).stages.first_mut()
        {
            let map = Map { image: Some(image), path, ..Map::new(ImageProgram::Named(name.clone())) };
            stage.relief = Some(Box::new(NormalSpecular { bump: Some(map), ..NormalSpecular::default() }));
        }
        if let Some(name) = &textures.decal {
            self.add_decal(&mut material, name, &mut log, warnings);
        }
        if let Some(mask) = &textures.mask {
            let found = self.finder.images.vfs.find(mask);
            let note = if found.is_some() { "mask of shine and glow; Maquette does not draw it" } else { "" };
            log.push(SearchStep { what: "Mask".to_owned(), tried: vec![mask.clone()], found, note: note.to_owned() });
        }
        SurfaceMaterial { search_log: log.into(), ..material }
    }

    /// Adds a stage with the image `name` after the first one (Tesseract `setdecal`).
    fn add_decal(
        &mut self,
        material: &mut SurfaceMaterial,
        name: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) {
        let Some(FoundImage { path, image, .. }) = self.finder.images.find(name, "Decal", log, warnings) else {
            return;
        };
        let stages = &mut Arc::make_mut(&mut material.definition).stages;
        if let Some(base) = stages.first().cloned() {
            let map = Map {
                image: Some(Arc::clone(&image)),
                path: path.clone(),
                ..Map::new(ImageProgram::Named(path.clone()))
            };
            let decal = Stage {
                maps: vec![map],
                blend: Some(Blend::ALPHA),
                writes_depth: false,
                at_equal_depth: base.alpha_test != AlphaTest::None,
                alpha_test: AlphaTest::None,
                ..base
            };
            stages.insert(1, decal);
        }
        (material.path, material.image) = (path, Some(image));
    }
}
