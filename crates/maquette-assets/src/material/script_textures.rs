//! Assignment of textures from a game's own scripts, which give paths.

use std::sync::Arc;

use super::assign::SKIN_STEP;
use super::image_program::ImageProgram;
use super::stage::{Map, NormalSpecular};
use super::{MaterialResolver, Origin, SearchStep, SurfaceMaterial, TextureWrap};
use maquette_core::error::Warnings;
use maquette_core::model::{Model, Surface};

/// Textures of one surface, as game paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SurfaceTextures {
    /// Diffuse texture.
    pub image: String,
    /// Mask of shine, glow and reflection; reported, not drawn.
    pub mask: Option<String>,
    /// Normal map.
    pub normal_map: Option<String>,
}

impl MaterialResolver<'_> {
    /// Returns the material of each surface by a script, called `script` in messages. Other surfaces keep `plain`.
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
        let mut wear = |(index, (surface, plain)): (usize, (&Surface, &SurfaceMaterial))| {
            let Some(dress) = textures_of(index, surface) else {
                return SurfaceMaterial { trail: plain.trail.after(Arc::clone(&unnamed)), ..plain.clone() };
            };
            let material = self.wearing(&dress, script, warnings);
            SurfaceMaterial { sort_tiebreak: plain.sort_tiebreak, ..material }
        };
        model.surfaces().iter().zip(plain).enumerate().map(&mut wear).collect()
    }

    fn wearing(&mut self, dress: &SurfaceTextures, script: &str, warnings: &mut Warnings) -> SurfaceMaterial {
        let found = Some(format!("{script}: {}", dress.image));
        let mut trail = vec![SearchStep { what: SKIN_STEP.to_owned(), found, ..SearchStep::default() }];
        trail.extend(self.game_step());
        let Some((path, picture)) = self.image(&dress.image, "Image", &mut trail, warnings) else {
            let nearest = self.nearest(&dress.image);
            let mut missing = SurfaceMaterial::missing(&dress.image, Origin::Model);
            self.hide_missing(&mut missing);
            return SurfaceMaterial { nearest, trail: trail.into(), ..missing };
        };
        let mut material = SurfaceMaterial::of_image(&dress.image, &path, picture, TextureWrap::Repeat);
        if let Some(name) = &dress.normal_map
            && let Some((path, picture)) = self.image(name, "Normal map", &mut trail, warnings)
            && let Some(stage) = Arc::make_mut(&mut material.definition).stages.first_mut()
        {
            let map = Map { image: Some(picture), path, ..Map::of(ImageProgram::Named(name.clone())) };
            stage.relief = Some(Box::new(NormalSpecular { bump: Some(map), specular: None }));
        }
        if let Some(mask) = &dress.mask {
            let found = self.vfs.find(mask);
            let note = if found.is_some() { "mask of shine and glow; not drawn here" } else { "" };
            trail.push(SearchStep { what: "Mask".to_owned(), tried: vec![mask.clone()], found, note: note.to_owned() });
        }
        SurfaceMaterial { trail: trail.into(), ..material }
    }
}
