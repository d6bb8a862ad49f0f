//! Images whose names a game makes from a surface, a shader or the model.

use std::sync::Arc;

use super::MaterialResolver;
use crate::engines::NamePattern;
use crate::limits::MAX_SKINS;
use crate::material::find::FoundImage;
use crate::material::{SearchStep, SurfaceMaterial, TextureWrap};
use crate::vfs::{join, name_of, normalise, split_extension};
use maquette_core::error::Warnings;
use maquette_core::model::{Model, Surface};

impl MaterialResolver<'_> {
    /// Returns the skins whose images follow the game's name patterns, in order. Surfaces without an image keep `plain`
    /// in skin 0, and the material of skin 0 in other skins. If there is no image at all, the error is `plain` with the
    /// steps of the search.
    pub fn skins_by_pattern(
        &mut self,
        model: &Model,
        plain: Vec<SurfaceMaterial>,
        warnings: &mut Warnings,
    ) -> Result<Vec<Vec<SurfaceMaterial>>, Vec<SurfaceMaterial>> {
        let Some(engine) = self.finder.engine() else { return Err(plain) };
        let (rules, format) = (&engine.textures, model.format());
        let patterns: Vec<&NamePattern> =
            rules.name_patterns.iter().filter(|pattern| pattern.format == format).collect();
        let mut skins: Vec<Vec<SurfaceMaterial>> = Vec::new();
        if patterns.is_empty() {
            return Err(plain);
        }
        for skin in 0..MAX_SKINS {
            let mut is_found = false;
            let mut materials = Vec::with_capacity(plain.len());
            for (index, (surface, plain)) in model.surfaces().iter().zip(&plain).enumerate() {
                let steps = patterns.iter().filter_map(|pattern| {
                    let name = self.expand(pattern.name, surface, index, skin)?;
                    let paths = rules.name_folders.iter().map(|folder| join(folder, &name)).collect();
                    Some((format!("Name “{}”", pattern.name), paths))
                });
                let steps: Vec<(String, Vec<String>)> = steps.collect();
                let found = self.material_at(steps, warnings);
                is_found |= found.is_ok();
                let first = skins.first().and_then(|first| first.get(index));
                materials.push(match (found, first) {
                    (Ok(found), _) => SurfaceMaterial { sort_tiebreak: plain.sort_tiebreak, ..found },
                    (Err(_), Some(first)) => first.clone(),
                    (Err(tried), None) => {
                        SurfaceMaterial { search_log: plain.search_log.after(tried), ..plain.clone() }
                    }
                });
            }
            match (is_found, skins.is_empty()) {
                (true, _) => skins.push(materials),
                (false, true) => return Err(materials),
                (false, false) => break,
            }
        }
        Ok(skins)
    }

    /// Replaces the placeholders of a pattern. `None` if the pattern does not apply.
    pub(super) fn expand(&self, pattern: &str, surface: &Surface, index: usize, skin: usize) -> Option<String> {
        let shader = surface.materials.first().map_or("", String::as_str);
        let needs = |placeholder: &str, value: &str| pattern.contains(placeholder) && value.trim().is_empty();
        if needs("{surface}", &surface.name) || needs("{shader}", shader) || skin > 0 && !pattern.contains("{skin") {
            return None;
        }
        let model = join(&self.finder.images.candidates.folder, split_extension(&self.finder.images.candidates.name).0);
        let name = pattern
            .replace("{skin:02}", &format!("{skin:02}"))
            .replace("{skin}", &skin.to_string())
            .replace("{index}", &index.to_string())
            .replace("{model}", &model)
            .replace("{stem}", name_of(&model))
            .replace("{surface}", &surface.name)
            .replace("{shader}", shader);
        normalise(name.trim_start_matches(['/', '\\']))
    }

    /// Returns the material of the first image that exists, or the steps of the search.
    fn material_at(
        &mut self,
        steps: Vec<(String, Vec<String>)>,
        warnings: &mut Warnings,
    ) -> Result<SurfaceMaterial, Arc<[SearchStep]>> {
        let mut search_log: Vec<SearchStep> = self.finder.game_step().into_iter().collect();
        for (what, paths) in steps {
            if let Some(FoundImage { path, image, .. }) =
                self.finder.images.find_in(&what, &paths, &mut search_log, warnings)
            {
                let material = SurfaceMaterial::of_image(&path, &path, image, TextureWrap::Repeat);
                let mut material = SurfaceMaterial { search_log: search_log.into(), ..material };
                self.finder.add_game_layers(&mut material, warnings);
                return Ok(material);
            }
        }
        Err(search_log.into())
    }
}
