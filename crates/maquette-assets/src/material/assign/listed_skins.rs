//! Skins that an MD2 lists, and those of a Quake II player.

use std::collections::HashSet;
use std::sync::Arc;

use super::{MaterialResolver, skin_wrap};
use crate::limits::{MAX_MD2_SKIN_BYTES, MAX_SKINS};
use crate::material::find::{missing_message, stem};
use crate::material::{Image, Origin, SearchStep, SurfaceMaterial};
use crate::vfs::name_of;
use maquette_core::error::{WarningKind, Warnings, counted};
use maquette_core::model::Model;

impl MaterialResolver<'_> {
    /// Returns paths and images of an MD2's skins, and whether each path is a guess: those in the file and those of a player,
    /// else the images in its folder, up to the limits.
    pub fn skins(&mut self, listed: &[SurfaceMaterial], warnings: &mut Warnings) -> Vec<(String, Arc<Image>, bool)> {
        let mut paths: Vec<(String, bool)> = Vec::new();
        let listed = listed.iter().filter(|material| material.image.is_some());
        let listed = listed.map(|material| (material.path.clone(), material.is_guess));
        let of_player = self.finder.images.candidates.player_skins(MAX_SKINS);
        for (path, is_guess) in listed.chain(of_player.into_iter().map(|path| (path, false))) {
            if paths.iter().all(|(known, _)| *known != path) {
                paths.push((path, is_guess));
            }
        }
        let mut count = paths.len();
        if paths.is_empty() {
            let all = self.finder.images.candidates.images_in_folder(MAX_SKINS);
            paths = all.into_iter().map(|path| (path, false)).collect();
            count = self.finder.images.candidates.model_folder().images.len();
        }
        self.finder.images.queue.iter().for_each(|queue| queue.limit_skins(MAX_MD2_SKIN_BYTES));
        let mut bytes = 0;
        let mut skins = Vec::new();
        let mut tried = 0;
        for (path, is_guess) in paths.iter().take(MAX_SKINS) {
            if bytes > MAX_MD2_SKIN_BYTES {
                break;
            }
            tried += 1;
            if let Some(image) = self.finder.images.load(path, warnings) {
                bytes += image.rgba.len();
                skins.push((path.clone(), image, *is_guess));
            }
        }
        if tried < count {
            let more = counted(count - tried, "more image", "more images");
            let message = format!("{more} in the model’s folder skipped");
            warnings.add(WarningKind::Companion, "skins", message);
        }
        skins
    }

    /// Returns the skins of a list that were not found, without duplicates. Empty for a player, whose list the game
    /// ignores.
    pub fn missing_skins(&mut self, listed: &[SurfaceMaterial]) -> Vec<SurfaceMaterial> {
        if !self.finder.images.candidates.player_skins(1).is_empty() {
            return Vec::new();
        }
        let mut missing: Vec<SurfaceMaterial> = Vec::new();
        for material in listed.iter().filter(|material| material.is_missing() && !material.name.trim().is_empty()) {
            if missing.iter().all(|known| known.name != material.name) {
                missing.push(material.clone());
            }
        }
        missing
    }

    /// Returns the material of each skin that an MD2 lists. An image that belongs to another skin of the list does not
    /// count as found.
    pub fn listed_skins(&mut self, model: &Model) -> Vec<SurfaceMaterial> {
        let material = |name: &String| match name.trim() {
            "" => SurfaceMaterial::missing(name, Origin::Model),
            _ => self.finder.material(name, Origin::Model, &mut Warnings::default()),
        };
        let mut listed: Vec<SurfaceMaterial> = model.skins().iter().map(material).collect();
        let stem_of = |path: &str| stem(&path.replace('\\', "/")).to_lowercase();
        let named: HashSet<String> = listed.iter().map(|material| stem_of(&material.name)).collect();
        let belongs_to_other = |material: &SurfaceMaterial| {
            let path = stem_of(&material.path);
            named.contains(&path) && path != stem_of(&material.name)
        };
        for material in listed.iter_mut().filter(|material| material.is_missing() || belongs_to_other(material)) {
            *material = SurfaceMaterial {
                suggestion: material.suggestion.clone(),
                search_log: material.search_log.clone(),
                unreadable: material.unreadable.clone(),
                ..SurfaceMaterial::missing(&material.name, Origin::Model)
            };
        }
        listed
    }

    /// Returns the material of the first skin that exists, else of an image in the model's folder.
    pub(super) fn material_of_skins(&mut self, model: &Model, warnings: &mut Warnings) -> SurfaceMaterial {
        let mut log: Vec<SearchStep> = Vec::new();
        let wrap = skin_wrap(model);
        // The game draws the first skin. If it is missing, a later one is used unless it is fully transparent.
        let mut is_clear = false;
        for (number, name) in model.skins().iter().enumerate() {
            let material = self.finder.material(name, Origin::Model, &mut Warnings::default());
            if number == 0 {
                log = material.search_log.iter().cloned().collect();
            }
            if let Some(image) = material.image {
                if image.is_clear() {
                    is_clear = true;
                    if number > 0 {
                        continue;
                    }
                    let message = "the first skin is fully transparent, so the game shows nothing";
                    warnings.add(WarningKind::Companion, "skins", message);
                } else if number > 0 {
                    let first = model.skins().first().map_or("", String::as_str);
                    let message = format!("the first skin “{first}” was not found; using {}", name_of(&material.path));
                    warnings.add(WarningKind::Companion, "skins", message);
                }
                let material_of_image = SurfaceMaterial::of_image(name, &material.path, image, wrap);
                let SurfaceMaterial { search_log, is_guess, in_game, .. } = material;
                let in_game = if is_guess { in_game } else { material_of_image.in_game };
                return SurfaceMaterial { search_log, is_guess, in_game, ..material_of_image };
            }
        }
        let named = model.skins().first().cloned().unwrap_or_default();
        if is_clear {
            let message = format!("{}; the other skins are fully transparent", missing_message(&named, log.iter()));
            warnings.add(WarningKind::Companion, "skins", message);
            return self.missing_skin(&named, log);
        }
        let images = self.finder.images.candidates.images_in_folder(MAX_SKINS);
        let count = self.finder.images.candidates.model_folder().images.len();
        let note = if images.is_empty() {
            "the folder has no image".to_owned()
        } else if count > images.len() {
            format!("only the first {} of {count} images are tried", images.len())
        } else {
            String::new()
        };
        let what = "Any image in model folder".to_owned();
        for path in &images {
            if let Some(image) = self.finder.images.load(path, warnings) {
                let message = if model.skins().is_empty() {
                    "the file names no skin"
                } else {
                    "no skin named in the file exists"
                };
                warnings.add(
                    WarningKind::Companion,
                    "skins",
                    format!("{message}; using {} from its folder", name_of(path)),
                );
                log.push(SearchStep { what, tried: images.clone(), found: Some(path.clone()), note });
                let guessed = !self.finder.images.candidates.player_skins(MAX_SKINS).contains(path);
                return SurfaceMaterial {
                    search_log: log.into(),
                    is_guess: guessed,
                    ..SurfaceMaterial::of_image(&named, path, image, wrap)
                };
            }
        }
        log.push(SearchStep { what, tried: images, found: None, note });
        let missing = self.missing_skin(&named, log);
        let message = match missing.problem() {
            Some(problem) if !model.skins().is_empty() => problem,
            _ => "the file names no skin, and its folder has no image".to_owned(),
        };
        warnings.add(WarningKind::Companion, "skins", message);
        missing
    }

    fn missing_skin(&mut self, name: &str, log: Vec<SearchStep>) -> SurfaceMaterial {
        SurfaceMaterial {
            suggestion: self.finder.images.suggestion(name),
            unreadable: self.finder.images.unreadable(name),
            search_log: log.into(),
            ..SurfaceMaterial::missing(name, Origin::Model)
        }
    }
}
