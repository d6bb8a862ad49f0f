//! Materials that the model's file defines (glTF, OBJ), for names that the game does not define.
//!
//! The order is: the script in the file, which an export wrote; the game's own search for the name; the image of the
//! file, next to it or inside; a plain colour. What the file says about alpha and sides counts if no script was found.

use std::sync::Arc;

use super::MaterialResolver;
use crate::material::expression::Expression;
use crate::material::find::{BROKEN, INSIDE};
use crate::material::image::{palette_near, quake_palette};
use crate::material::script::Scripts;
use crate::material::stage::{AlphaTest, Blend, DrawnFaces, sort};
use crate::material::{Image, SearchStep, SurfaceMaterial, TextureWrap, UnreadableImage, display_colour};
use crate::vfs::{join, name_of};
use maquette_core::error::Warnings;
use maquette_core::model::{AlphaMode, EmbeddedImage, EmbeddedMaterial};

impl MaterialResolver<'_> {
    /// Returns the material of a surface: the one that was found for its name, with the definition in the model's file.
    pub(super) fn with_embedded(
        &mut self,
        found: SurfaceMaterial,
        embedded: Option<&Arc<EmbeddedMaterial>>,
        warnings: &mut Warnings,
    ) -> SurfaceMaterial {
        let Some(embedded) = embedded else { return found };
        let key = Arc::as_ptr(embedded) as usize;
        if let Some(known) = self.embedded.get(&key) {
            return known.clone();
        }
        let scripted = embedded.script.as_ref().and_then(|script| self.script_in_file(&found.name, script, warnings));
        let material = scripted.unwrap_or_else(|| self.seen_as(found, embedded, warnings));
        self.embedded.insert(key, material.clone());
        material
    }

    /// Returns the material of a script in the file if all of its images exist.
    fn script_in_file(&mut self, name: &str, script: &str, warnings: &mut Warnings) -> Option<SurfaceMaterial> {
        let path = join(&self.finder.images.candidates.folder, &self.finder.images.candidates.name);
        let definition = Scripts::single(&path, script, warnings)?;
        let step = SearchStep {
            what: "Script inside the file".to_owned(),
            found: Some(definition.kind.label().to_owned()),
            ..SearchStep::default()
        };
        let material = self.finder.define(name, definition, vec![step], warnings);
        (material.missing_image.is_none() && !material.is_missing()).then_some(material)
    }

    fn seen_as(
        &mut self,
        found: SurfaceMaterial,
        embedded: &EmbeddedMaterial,
        warnings: &mut Warnings,
    ) -> SurfaceMaterial {
        if found.script.is_some() {
            return found;
        }
        let material = match &embedded.image {
            None if found.is_missing() => return self.plain_colour(found, embedded),
            Some(image) if found.is_missing() => self.image_of_embedded(found, image, embedded.colour, warnings),
            _ => self.in_colour(found, embedded),
        };
        Self::with_surface_properties(material, embedded)
    }

    /// Returns a material of a plain colour. Materials of equal colours share the image and the definition.
    fn plain_colour(&mut self, missing: SurfaceMaterial, embedded: &EmbeddedMaterial) -> SurfaceMaterial {
        let colour = display_colour(embedded.colour);
        let key = format!("{colour:?} {:?} {}", embedded.alpha, embedded.double_sided);
        let known = self.colours.entry(key).or_insert_with(|| {
            let candidates = &self.finder.images.candidates;
            let path = join(&join(&candidates.folder, &candidates.name), "colour");
            let image = Arc::new(Image::of_colour(colour));
            let material = SurfaceMaterial::of_image("", &path, image, TextureWrap::Repeat);
            Self::with_surface_properties(material, embedded)
        });
        let step = SearchStep {
            what: "Colour inside the file".to_owned(),
            found: Some("a plain colour".to_owned()),
            ..SearchStep::default()
        };
        SurfaceMaterial {
            name: missing.name,
            search_log: missing.search_log.then([step]),
            sort_tiebreak: missing.sort_tiebreak,
            ..known.clone()
        }
    }

    /// Applies the alpha mode and the sides of the definition in the file.
    fn with_surface_properties(mut material: SurfaceMaterial, embedded: &EmbeddedMaterial) -> SurfaceMaterial {
        let definition = Arc::make_mut(&mut material.definition);
        if embedded.double_sided {
            definition.sides = DrawnFaces::Both;
        }
        if let Some(stage) = definition.stages.first_mut() {
            match embedded.alpha {
                AlphaMode::Opaque => {}
                AlphaMode::Mask(cutoff) => stage.alpha_test = AlphaTest::Above(Expression::Number(cutoff)),
                AlphaMode::Blend => {
                    stage.blend = Some(Blend::ALPHA);
                    stage.writes_depth = false;
                    definition.sort = sort::BLEND;
                }
            }
        }
        material
    }

    /// Applies the base colour if the search for the name found the image that the file names.
    fn in_colour(&mut self, found: SurfaceMaterial, embedded: &EmbeddedMaterial) -> SurfaceMaterial {
        let Some(EmbeddedImage::External(path)) = &embedded.image else { return found };
        let named = self.finder.images.external(path).found;
        let (Some(image), true) = (&found.image, named.as_ref() == Some(&found.path)) else { return found };
        if embedded.colour == [1.0; 4] {
            return found;
        }
        match self.finder.images.tinted(&found.path, Arc::clone(image), embedded.colour) {
            Some(image) => found.with_image(&found.path, image),
            None => found,
        }
    }

    fn image_of_embedded(
        &mut self,
        missing: SurfaceMaterial,
        image: &EmbeddedImage,
        colour: [f32; 4],
        warnings: &mut Warnings,
    ) -> SurfaceMaterial {
        let path_of_model = join(&self.finder.images.candidates.folder, &self.finder.images.candidates.name);
        let mut unreadable = missing.unreadable.clone();
        let (path, image, step) = match image {
            EmbeddedImage::External(path) => {
                let mut step = self.finder.images.external(path);
                let image = step.found.as_ref().and_then(|path| {
                    let image = self.finder.images.load(path, warnings)?;
                    self.finder.images.tinted(path, image, colour)
                });
                if let Some(why) = step.found.as_ref().and_then(|found| self.finder.images.reason(found)) {
                    step = SearchStep { found: None, note: format!("{}: {}", why.path, why.reason), ..step };
                    unreadable = Some(Box::new(why));
                } else if !step.note.is_empty() {
                    let reason = step.note.replace(&format!("“{path}”"), "the path");
                    unreadable = Some(Box::new(UnreadableImage { path: path.clone(), reason }));
                }
                (step.found.clone().unwrap_or_default(), image, step)
            }
            inside => {
                let images = &mut self.finder.images;
                let palette = match inside.pixels() {
                    Some(pixels) if pixels.is_in_game_palette() => {
                        palette_near(images.vfs, &images.candidates.folder).0
                    }
                    _ => quake_palette(),
                };
                let image = images.embedded(inside, &palette, [BROKEN, INSIDE], warnings);
                let image = image.and_then(|image| {
                    let key = format!("{INSIDE} {:p}", Arc::as_ptr(&image));
                    images.tinted(&key, image, colour)
                });
                let what = "Image inside the file".to_owned();
                let found = image.is_some().then(|| missing.name.clone());
                let name = if missing.name.is_empty() { "image" } else { &missing.name };
                (join(&path_of_model, name_of(name)), image, SearchStep { what, found, ..SearchStep::default() })
            }
        };
        let search_log = missing.search_log.then([step]);
        let Some(image) = image else { return SurfaceMaterial { search_log, unreadable, ..missing } };
        let material = SurfaceMaterial::of_image(&missing.name, &path, image, TextureWrap::Repeat);
        SurfaceMaterial { search_log, sort_tiebreak: missing.sort_tiebreak, ..material }
    }
}
