//! Companion maps of a texture, found by suffix: glow, normal, gloss and tinted maps.

use std::sync::Arc;

use super::MaterialFinder;
use super::model_folder::NOT_SEARCHED;
use crate::engines::IMAGE_EXTENSIONS;
use crate::engines::MapSuffixes;
use crate::material::expression::Expression;
use crate::material::stage::{AlphaTest, Blend, ColourSource, Map, NormalSpecular, Stage};
use crate::material::{ImageProgram, SearchStep, SurfaceMaterial};
use crate::vfs::split_extension;
use maquette_core::error::Warnings;

/// Suffixes of normal and specular maps of Doom 3 and Unvanquished, for images without a script.
const BUMP_ENDINGS: [&str; 5] = ["_local", "_normal", "_n", "_nm", "_norm"];
const SPECULAR_ENDINGS: [&str; 3] = ["_s", "_specular", "_spec"];

/// Value of each channel, 0 to 1, in place of a player's colour: a neutral grey.
const NEUTRAL: f32 = 0.5;

impl MaterialFinder<'_> {
    pub(in crate::material) fn add_layers(
        &mut self,
        material: &mut SurfaceMaterial,
        endings: &MapSuffixes,
        warnings: &mut Warnings,
    ) {
        let Some((map, stage)) = material.definition.plain_map() else { return };
        let path = map.path.clone();
        let Some(index) = material.definition.stages.iter().position(|own| std::ptr::eq(own, stage)) else { return };
        let stem = split_extension(&path).0.to_owned();
        let mut steps: Vec<SearchStep> = Vec::new();
        let mut find = |suffixes: &[&str], what: &str, note: &str| -> Option<Map> {
            let (map, step) = self.companion_map(&stem, suffixes, what, warnings)?;
            steps.push(SearchStep { note: note.to_owned(), ..step });
            Some(map)
        };
        let relief = NormalSpecular {
            bump: find(endings.normals, "Normal map", ""),
            specular: find(endings.gloss, "Specular map", ""),
            own: None,
        };
        let note = "drawn in the player’s colour in the game, in grey here";
        let tinted = endings.tinted.iter().filter_map(|suffix| find(&[*suffix], "Tinted part", note));
        let tinted: Vec<Map> = tinted.collect();
        let glow = find(endings.glow, "Glow", "");
        if steps.is_empty() {
            return;
        }
        let definition = Arc::make_mut(&mut material.definition);
        let Some(base) = definition.stages.get_mut(index) else { return };
        if relief.bump.is_some() || relief.specular.is_some() {
            base.relief.get_or_insert_with(|| Box::new(relief));
        }
        let added = Stage {
            wrap: base.wrap,
            mipmaps: base.mipmaps,
            blend: Some(Blend::ADD),
            writes_depth: false,
            at_equal_depth: base.alpha_test != AlphaTest::None,
            coordinates: base.coordinates,
            moves: base.moves.clone(),
            ..Stage::default()
        };
        let grey = || ColourSource::LightTimes(Box::new(std::array::from_fn(|_| Expression::Number(NEUTRAL))));
        let tinted = tinted.into_iter().map(|map| Stage { maps: vec![map], colour: grey(), ..added.clone() });
        let glow = glow.into_iter().map(|map| Stage { maps: vec![map], ..added.clone() });
        let layers: Vec<Stage> = tinted.chain(glow).collect();
        definition.stages.splice(index + 1..index + 1, layers);
        material.search_log = material.search_log.then(steps);
    }

    /// Adds the normal and specular maps of an image without a script (Doom 3 and Unvanquished).
    pub(super) fn add_relief(&mut self, material: &mut SurfaceMaterial, warnings: &mut Warnings) {
        let stem = split_extension(&material.path).0;
        let stem = stem.strip_suffix("_d").or_else(|| stem.strip_suffix("_diffuse")).unwrap_or(stem).to_owned();
        let (bump, bump_step) = self.companion_map(&stem, &BUMP_ENDINGS, "Normal map", warnings).unzip();
        let (specular, specular_step) = self.companion_map(&stem, &SPECULAR_ENDINGS, "Specular map", warnings).unzip();
        let steps: Vec<SearchStep> = bump_step.into_iter().chain(specular_step).collect();
        if steps.is_empty() {
            return;
        }
        material.search_log = material.search_log.then(steps);
        if let Some(stage) = Arc::make_mut(&mut material.definition).stages.first_mut() {
            stage.relief = Some(Box::new(NormalSpecular { bump, specular, own: None }));
        }
    }

    /// Returns the first image named `stem` with one of the suffixes, and the step of its search.
    fn companion_map(
        &mut self,
        stem: &str,
        suffixes: &[&str],
        what: &str,
        warnings: &mut Warnings,
    ) -> Option<(Map, SearchStep)> {
        let extensions = IMAGE_EXTENSIONS.iter().filter(|extension| **extension != NOT_SEARCHED);
        let paths =
            suffixes.iter().flat_map(|suffix| extensions.clone().map(move |end| format!("{stem}{suffix}.{end}")));
        let path = paths.into_iter().find_map(|path| self.images.vfs.find(&path))?;
        let image = self.images.load(&path, warnings)?;
        let (tried, found) = (vec![path.clone()], Some(path.clone()));
        let step = SearchStep { what: what.to_owned(), tried, found, note: String::new() };
        Some((Map { image: Some(image), path: path.clone(), ..Map::new(ImageProgram::Named(path)) }, step))
    }
}
