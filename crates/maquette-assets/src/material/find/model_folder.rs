//! Files in a model's folder, sorted once for all models of the folder.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use crate::material::IMAGE_EXTENSIONS;
use crate::vfs::{FileNames, Vfs, name_of, split_extension};
use maquette_core::model::Format;

/// Extension of images that are found only by their whole names, because they are rarely skins.
pub(in crate::material) const NOT_SEARCHED: &str = "wal";
#[derive(Debug)]
pub(in crate::material) struct ModelFolder {
    names: Arc<FileNames>,
    folder: String,
    pub images: Vec<(String, String)>,
    /// The first image of each stem that is not a mask, a normal map or the like.
    by_stem: HashMap<String, String>,
    /// Indices into `images` in order of preference as a skin: of a weapon, and of any other model.
    skin_orders: OnceLock<[Vec<usize>; 2]>,
    model_stems: HashSet<String>,
    /// Name and file of the `.skin` files that are not named after a model, in display order.
    pub shared_skin_files: Vec<(String, String)>,
}

impl ModelFolder {
    pub(in crate::material) fn shared(vfs: &Vfs, folder: &str) -> Arc<Self> {
        vfs.memo(folder, |vfs| Self::new(vfs.files_in(folder), folder))
    }

    fn new(names: Arc<FileNames>, folder: &str) -> Self {
        let stem_of = |name: &str| split_extension(name).0.to_lowercase();
        let images: Vec<(String, String)> =
            names.iter().filter(|name| is_skin_image(name)).map(|name| (name.to_owned(), stem_of(name))).collect();
        let mut by_stem = HashMap::new();
        for (name, stem) in images.iter().filter(|(name, _)| !is_auxiliary(name)) {
            by_stem.entry(stem.clone()).or_insert_with(|| name.clone());
        }
        let model_stems = model_stems(&names);
        let shared = names.iter().filter(|file| is_shared_skin_file(file, &model_stems));
        let mut shared_skin_files: Vec<(String, String)> =
            shared.map(|file| (split_extension(file).0.to_owned(), file.to_owned())).collect();
        shared_skin_files.sort_by_cached_key(|(name, _)| skin_order(name));
        let (folder, skin_orders) = (name_of(folder).to_lowercase(), OnceLock::new());
        Self { names, folder, images, by_stem, skin_orders, model_stems, shared_skin_files }
    }

    pub(in crate::material) fn names(&self) -> &FileNames {
        &self.names
    }

    /// Returns whether a file is a skin that is not named after a model of the folder.
    pub(in crate::material) fn is_shared_skin_file(&self, file: &str) -> bool {
        is_shared_skin_file(file, &self.model_stems)
    }

    pub(in crate::material) fn image_called(&self, stem: &str) -> Option<&str> {
        self.by_stem.get(stem).map(String::as_str)
    }

    /// Returns the names of the images that may be a model's skin, best first: images named like the model, `skin.*`,
    /// images with an icon (skins of Quake II players), others. `weapon.*` is second for weapons and last for other
    /// models. `model` is the stem of the model's file name in lower case.
    pub(in crate::material) fn skin_images(&self, model: &str) -> impl Iterator<Item = &str> {
        let called = |extension: &&str| self.names.get(&format!("{model}.{extension}"));
        let mut own: Vec<&str> =
            IMAGE_EXTENSIONS.iter().filter(|known| **known != NOT_SEARCHED).filter_map(called).collect();
        own.retain(|name| is_skin_image(name));
        own.sort_by_cached_key(|name| name.to_lowercase());
        let [of_weapon, of_other] =
            self.skin_orders.get_or_init(|| [true, false].map(|weapon| self.skin_order(weapon)));
        let others = if is_weapon(model) { of_weapon } else { of_other };
        let others = others.iter().filter_map(|number| self.images.get(*number));
        // Masks and normal maps of the model are not skins.
        let is_other = move |name: &str, stem: &str| stem != model && !(stem.starts_with(model) && is_auxiliary(name));
        own.into_iter().chain(others.filter(move |(name, stem)| is_other(name, stem)).map(|(name, _)| name.as_str()))
    }

    fn skin_order(&self, of_weapon: bool) -> Vec<usize> {
        let icon_of = |name: &str| split_extension(name).0.to_lowercase().strip_suffix("_i").map(str::to_owned);
        let icons: HashSet<String> = self.names.iter().filter_map(icon_of).collect();
        let rank = |number: &usize| match self.images.get(*number).map_or("", |(_, stem)| stem) {
            "skin" => 0,
            stem if is_weapon(stem) && of_weapon => 1,
            stem if is_weapon(stem) => 5,
            stem if icons.contains(stem) && stem == self.folder => 2,
            stem if icons.contains(stem) => 3,
            _ => 4,
        };
        let mut order: Vec<usize> = (0..self.images.len()).collect();
        order.sort_by_cached_key(rank);
        order
    }

    /// Returns the only image that is not a mask, a normal map or the like; files with the same stem count as one.
    pub(in crate::material) fn only_image(&self) -> Option<&str> {
        let mut all = self.by_stem.values();
        all.next().filter(|_| all.next().is_none()).map(String::as_str)
    }
}

fn is_weapon(stem: &str) -> bool {
    stem == "weapon" || stem.starts_with("w_")
}

pub(in crate::material) fn skin_order(name: &str) -> (bool, String) {
    let name = name.to_lowercase();
    (!matches!(name.as_str(), "default" | "0"), name)
}

fn model_stems(files: &FileNames) -> HashSet<String> {
    let models = files
        .iter()
        .filter(|name| Format::with_extension(split_extension(name).1).any(|format| format.traits().companions.skins));
    models.flat_map(|name| [name.to_lowercase(), split_extension(name).0.to_lowercase()]).collect()
}

fn is_shared_skin_file(file: &str, models: &HashSet<String>) -> bool {
    let (stem, extension) = split_extension(file);
    if !extension.eq_ignore_ascii_case("skin") {
        return false;
    }
    let stem = stem.to_lowercase();
    let mut starts = stem.match_indices('_').filter_map(|(at, _)| stem.get(..at)).chain([stem.as_str()]);
    !starts.any(|start| models.contains(start))
}

fn is_skin_image(name: &str) -> bool {
    let (stem, extension) = split_extension(name);
    let known = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    known && !extension.eq_ignore_ascii_case(NOT_SEARCHED) && !stem.to_lowercase().ends_with("_i")
}

pub(super) fn is_auxiliary(name: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        "mask", "masks", "norm", "normal", "normals", "local", "spec", "specular", "glow", "height", "_n", "_s", "_h",
        "_nm",
    ];
    let stem = split_extension(name).0.to_lowercase();
    stem.starts_with("icon") || ENDINGS.iter().any(|ending| stem.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skin_images_rank_own_name_first_and_weapons_last() {
        let names = ["a.pcx", "ctf.pcx", "ctf_i.pcx", "male.pcx", "male_i.pcx", "skin.pcx", "w_gun.pcx", "weapon.pcx"];
        let files = names.map(|name| (format!("players/male/{name}"), b"".as_slice()));
        let vfs = Vfs::in_memory(files.into_iter().collect());
        let folder = ModelFolder::shared(&vfs, "players/male");
        let order = |model: &str| folder.skin_images(model).collect::<Vec<_>>();
        assert_eq!(order("tris"), ["skin.pcx", "male.pcx", "ctf.pcx", "a.pcx", "w_gun.pcx", "weapon.pcx"]);
        assert_eq!(order("a")[..2], ["a.pcx", "skin.pcx"]);
        assert_eq!(order("w_gun")[..4], ["w_gun.pcx", "skin.pcx", "weapon.pcx", "male.pcx"]);
    }

    #[test]
    fn normal_map_of_a_model_is_not_its_skin() {
        let files = ["cactus_nm.png", "fern.png"].map(|name| (format!("models/{name}"), b"".as_slice()));
        let vfs = Vfs::in_memory(files.into_iter().collect());
        let folder = ModelFolder::shared(&vfs, "models");
        assert_eq!(folder.skin_images("cactus").collect::<Vec<_>>(), ["fern.png"]);
    }
}
