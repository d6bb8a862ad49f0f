//! Companion maps of a texture, found by suffix: glow, normal, gloss and tinted maps.

use std::sync::Arc;

use super::{IMAGE_EXTENSIONS, MaterialFinder};
use crate::engines::MapSuffixes;
use crate::material::expression::Expression;
use crate::material::stage::{AlphaTest, Blend, ColourSource, Map, NormalSpecular, Stage};
use crate::material::{ImageProgram, SearchStep, SurfaceMaterial};
use crate::vfs::split_extension;
use maquette_core::error::Warnings;

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
        let mut find = |endings: &[&str], what: &str, note: &str| -> Option<Map> {
            let paths = endings
                .iter()
                .flat_map(|ending| IMAGE_EXTENSIONS.map(|extension| format!("{stem}{ending}.{extension}")));
            let path = paths.filter(|path| !path.ends_with("wal")).find_map(|path| self.images.vfs.find(&path))?;
            let image = self.images.load(&path, warnings)?;
            let (tried, found) = (vec![path.clone()], Some(path.clone()));
            steps.push(SearchStep { what: what.to_owned(), tried, found, note: note.to_owned() });
            Some(Map { image: Some(image), path: path.clone(), ..Map::new(ImageProgram::Named(path)) })
        };
        let relief = NormalSpecular {
            bump: find(endings.normals, "Normal map", ""),
            specular: find(endings.gloss, "Specular map", ""),
        };
        let tinted: Vec<Map> = endings
            .tinted
            .iter()
            .filter_map(|ending| {
                find(&[*ending], "Tinted part", "drawn in the player’s colour in the game, in grey here")
            })
            .collect();
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
}
