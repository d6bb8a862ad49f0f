//! Assignment of materials to the surfaces of a model.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::candidate_paths::{is_empty_name, stem};
use super::model_folder::skin_order;
use super::resolver::missing_message;
use super::script::{Kind, plain_name};
use super::skin_cache::cached_skin;
use super::skin_file::skin_starts;
use super::{
    Image, InGame, MaterialResolver, Origin, SearchStep, SkinFile, SurfaceMaterial, TextureWrap, hides, skin_name,
};
use crate::limits::{MAX_MATERIAL_NAMES, MAX_MD2_SKIN_BYTES, MAX_MD2_SKINS, MAX_SKIN_FILES, MAX_SKIN_SURFACES};
use crate::vfs::{DecompressionBudget, FileNames, ReadLimit, join, name_of};
use maquette_core::error::{Warning, WarningKind, Warnings};
use maquette_core::model::{LodStorage, MaterialStorage, Model, ScriptOrder, Surface, u32_or_max};

/// A skin read from a `.skin` file in the model's folder.
pub struct LoadedSkin {
    /// Display name of the skin.
    pub name: String,
    /// Contents of the file.
    pub file: Arc<SkinFile>,
    /// Material of each surface with this skin.
    pub materials: Vec<SurfaceMaterial>,
    /// Whether the file is not named after a model.
    pub is_generic: bool,
    /// Game path of the file.
    pub path: String,
}

/// Maximum number of guessed images that a warning names.
const MAX_NAMED_GUESSES: usize = 3;

/// Name of the search step for a skin file.
pub const SKIN_STEP: &str = "Skin file";

impl MaterialResolver<'_> {
    /// Returns paths and images of an MD2's skins: those in the file and those of a player, else the images in its
    /// folder, up to the limits.
    pub fn skins(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<(String, Arc<Image>)> {
        if model.format().traits().materials != MaterialStorage::Skins {
            return Vec::new();
        }
        let mut paths: Vec<String> = Vec::new();
        let listed = self.listed_skins(model).into_iter().filter(|material| material.image.is_some());
        let listed = listed.map(|material| material.path);
        for path in listed.chain(self.candidates.player_skins(MAX_MD2_SKINS)) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let mut count = paths.len();
        if paths.is_empty() {
            paths = self.candidates.images_in_folder(MAX_MD2_SKINS);
            count = self.candidates.model_folder().images.len();
        }
        self.queue.iter().for_each(|queue| queue.limit_skins(MAX_MD2_SKIN_BYTES));
        let mut bytes = 0;
        let mut skins = Vec::new();
        let mut tried = 0;
        for path in paths.iter().take(MAX_MD2_SKINS) {
            if bytes > MAX_MD2_SKIN_BYTES {
                break;
            }
            tried += 1;
            if let Some(image) = self.load_image(path, warnings) {
                bytes += image.rgba.len();
                skins.push((path.clone(), image));
            }
        }
        if tried < count {
            let message = format!("{} more images in the model’s folder skipped", count - tried);
            warnings.add(WarningKind::Companion, "skins", message);
        }
        skins
    }

    /// Returns the skins that an MD2 names but that were not found, without duplicates. An image that belongs to another
    /// skin of the list does not count as found. Empty for a player, whose list the game ignores.
    pub fn missing_skins(&mut self, model: &Model) -> Vec<SurfaceMaterial> {
        if !self.candidates.player_skins(1).is_empty() {
            return Vec::new();
        }
        let listed = self.listed_skins(model);
        let stem_of = |path: &str| stem(&path.replace('\\', "/")).to_lowercase();
        let named: HashSet<String> = listed.iter().map(|material| stem_of(&material.name)).collect();
        let belongs_to_other = |material: &SurfaceMaterial| {
            let path = stem_of(&material.path);
            named.contains(&path) && path != stem_of(&material.name)
        };
        let mut missing: Vec<SurfaceMaterial> = Vec::new();
        for material in listed.iter().filter(|material| material.is_missing() || belongs_to_other(material)) {
            if missing.iter().all(|known| known.name != material.name) {
                missing.push(SurfaceMaterial {
                    suggestion: material.suggestion.clone(),
                    search_log: material.search_log.clone(),
                    ..SurfaceMaterial::missing(&material.name, Origin::Model)
                });
            }
        }
        missing
    }

    fn listed_skins(&mut self, model: &Model) -> Vec<SurfaceMaterial> {
        let names = model.skins().iter().filter(|name| !name.trim().is_empty());
        names.map(|name| self.material(name, Origin::Model, &mut Warnings::default())).collect()
    }

    /// Returns the material of each surface by the names in the model file. A missing image is reported once per name.
    pub fn materials(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<SurfaceMaterial> {
        if model.format().traits().materials == MaterialStorage::Skins {
            // A model without triangles needs no skin, so its warnings are dropped.
            let is_empty = model.surfaces().iter().all(|surface| surface.triangles.is_empty());
            let mut unsaid = Warnings::default();
            let material = self.skin_look(model, if is_empty { &mut unsaid } else { warnings });
            return model.surfaces().iter().map(|_| material.clone()).collect();
        }
        if model.format().traits().materials == MaterialStorage::Inside {
            let first = self.embedded_skins(model, warnings).into_iter().next();
            let material = first.unwrap_or_else(|| SurfaceMaterial::missing("", Origin::Model));
            return model.surfaces().iter().map(|_| material.clone()).collect();
        }
        let ranks = ranks_of(model);
        let mut materials: Vec<SurfaceMaterial> = Vec::with_capacity(model.surfaces().len());
        for surface in model.surfaces() {
            // A surface with several materials has one per skin number; games show the first by default.
            let name = surface.materials.first().map_or("", String::as_str);
            let found = self.material(name, Origin::Model, warnings);
            let mut material = self.with_embedded(found, surface, warnings);
            material.sort_tiebreak = ranks.get(&plain_name(Kind::Quake3, name)).copied().unwrap_or(0);
            materials.push(material);
        }
        // A broken script may hide the definition of any material.
        warnings.append(self.script_warnings().clone().into_vec());
        if self.is_exhausted() {
            warnings.add(
                WarningKind::Companion,
                "materials",
                format!("only the first {MAX_MATERIAL_NAMES} names are resolved; the rest are skipped"),
            );
        }
        if materials.iter().all(SurfaceMaterial::is_missing) {
            self.guess_images(model, &mut materials, warnings);
        }
        Self::warn_missing(model, &materials, warnings);
        materials
    }

    /// Chooses images from the model's folder: for each surface the one named like it, else the one that belongs to the
    /// whole model by its name or because it is the only one.
    fn guess_images(&mut self, model: &Model, materials: &mut [SurfaceMaterial], warnings: &mut Warnings) {
        let names_nothing = materials.iter().all(|material| is_empty_name(&material.name));
        let shared = self.candidates.only_image_in_folder(names_nothing);
        // Quake III searches by name only. Engines related to Doom 3 choose images by their own rules.
        let is_chosen = model.format().traits().scripts == ScriptOrder::Doom3First;
        let mut images: BTreeMap<String, Option<Arc<Image>>> = BTreeMap::new();
        for (surface, material) in model.surfaces().iter().zip(materials) {
            let Some(path) = self.candidates.image_named(&surface.name).or_else(|| shared.clone()) else { continue };
            let image = images.entry(path.clone()).or_insert_with(|| self.load_image(&path, warnings)).clone();
            let Some(image) = image else { continue };
            let what = "Guess from the model’s folder".to_owned();
            let step = SearchStep { what, tried: vec![path.clone()], found: Some(path.clone()), note: String::new() };
            *material = SurfaceMaterial {
                search_log: material.search_log.then([step]),
                in_game: if is_chosen { InGame::Whole } else { material.in_game },
                is_guess: true,
                ..material.with_image(&path, image)
            };
        }
        let mut used: Vec<&str> =
            images.iter().filter(|(_, image)| image.is_some()).map(|(path, _)| name_of(path)).collect();
        if used.len() > MAX_NAMED_GUESSES {
            used.truncate(MAX_NAMED_GUESSES);
            used.push("others");
        }
        if !used.is_empty() {
            let message = format!("no texture named in the file was found; using {} from its folder", used.join(", "));
            warnings.add(WarningKind::Companion, "materials", message);
        }
    }

    /// Returns the skins of the skin table next to a model. Empty if the game has no such tables or there is no table.
    fn skin_table(&mut self, model: &Model, plain: &[SurfaceMaterial], warnings: &mut Warnings) -> Vec<LoadedSkin> {
        let Some(parse) = self.engine().and_then(|engine| engine.textures.skin_table) else { return Vec::new() };
        let [name, stem, _] = skin_starts(&self.candidates.name);
        let paths = [name, stem].map(|start| join(&self.candidates.folder, &format!("{start}.skin")));
        let Some(path) = paths.iter().find_map(|path| self.vfs.look_up(path)) else { return Vec::new() };
        let Ok(bytes) = self.vfs.read(&path, ReadLimit::TEXT) else { return Vec::new() };
        let mut odd = Warnings::default();
        let columns = parse(&bytes, &mut odd);
        let (file, location) = (name_of(&path).to_owned(), self.vfs.location_of(&path));
        let about = |warning: Warning| warning.of_companion(file.clone(), location.clone());
        warnings.append(odd.into_vec().into_iter().map(about).collect());
        let max = (MAX_SKIN_SURFACES / model.surfaces().len().max(1)).clamp(1, MAX_SKIN_FILES);
        let columns = columns.into_iter().take(max).enumerate();
        let skins = columns.map(|(number, skin)| {
            let materials = self.materials_with(model, plain, &skin, &file, warnings);
            LoadedSkin {
                name: number.to_string(),
                file: Arc::new(skin),
                materials,
                is_generic: false,
                path: path.clone(),
            }
        });
        skins.collect()
    }

    fn numbers_surfaces(&self) -> bool {
        self.engine().is_some_and(|engine| engine.textures.numbers_surfaces)
    }

    /// Returns whether `.skin` files apply to the model. Surfaces of an MD5 have no names that a file could contain, but
    /// Daemon assigns the entries by number.
    pub fn reads_skin_files(&self, model: &Model) -> bool {
        model.format().traits().companions.skins || self.numbers_surfaces()
    }

    /// Returns the skins of the `.skin` files in the model's folder, `default` (or `0`) first. Surfaces that a file
    /// does not name keep their material in `plain`.
    pub fn skin_files(&mut self, model: &Model, plain: &[SurfaceMaterial], warnings: &mut Warnings) -> Vec<LoadedSkin> {
        let table = self.skin_table(model, plain, warnings);
        if !table.is_empty() {
            return table;
        }
        let folder = self.candidates.model_folder();
        let (all, model_name) = (Arc::clone(&folder), self.candidates.name.clone());
        let is_skin = move |file: &str| skin_name(file, &model_name).is_some() || all.is_nobodys_skin(file);
        self.vfs.record_list(&self.candidates.folder, is_skin);
        let own =
            if self.candidates.is_shadowed() { Vec::new() } else { skins_of(&self.candidates.name, folder.names()) };
        let is_own = !own.is_empty();
        // Skins that are not named after a model (`red.skin`) apply to models whose surfaces they name.
        let files: &[(String, String)] = if is_own { &own } else { &folder.nobodys_skins };
        let max = (MAX_SKIN_SURFACES / model.surfaces().len().max(1)).clamp(1, MAX_SKIN_FILES);
        if files.len() > max {
            let read =
                if max == 1 { "only the first is read".to_owned() } else { format!("only the first {max} are read") };
            let message = format!("{} skin files in the model’s folder; {read}", files.len());
            warnings.add(WarningKind::Companion, "skins", message);
        }
        let mut skins = Vec::new();
        let mut room = DecompressionBudget::default();
        for (name, file) in files.iter().take(max) {
            let path = join(&self.candidates.folder, file);
            let size = self.vfs.entry(&path).and_then(|entry| entry.size());
            if size.is_some_and(|size| !room.take(size)) {
                continue;
            }
            let Some((skin, odd)) = cached_skin(self.vfs, &path) else { continue };
            let names_one = model
                .surfaces()
                .iter()
                .enumerate()
                .any(|(index, surface)| skin.path_of(self.name_in_skins(index, surface)).is_some());
            if is_own {
                let location = self.vfs.location_of(&path);
                let about = |warning: Warning| warning.of_companion(file.clone(), location.clone());
                warnings.append(odd.into_vec().into_iter().map(about).collect());
            }
            if skin.is_empty() && is_own {
                warnings.add(WarningKind::Companion, file, "the skin file names no surface");
            } else if is_own || names_one {
                let materials = self.materials_with(model, plain, &skin, file, warnings);
                skins.push(LoadedSkin { name: name.clone(), file: skin, materials, is_generic: !is_own, path });
            }
        }
        if let Some(message) = room.warning() {
            warnings.add(WarningKind::Companion, "skins", message);
        }
        skins
    }

    /// Returns the material of each surface with `skin`, called `file` in messages. Surfaces that `skin` does not name
    /// keep their material in `plain`.
    pub fn materials_with(
        &mut self,
        model: &Model,
        plain: &[SurfaceMaterial],
        skin: &SkinFile,
        file: &str,
        warnings: &mut Warnings,
    ) -> Vec<SurfaceMaterial> {
        let ranks: HashMap<String, u32> =
            plain.iter().map(|material| (plain_name(Kind::Quake3, &material.name), material.sort_tiebreak)).collect();
        // Names that the model does not have are sorted after all names of the model.
        let first = ranks.values().max().map_or(0, |last| last.saturating_add(1));
        let note = format!("“{file}” does not name this surface");
        let unnamed: Arc<[SearchStep]> =
            [SearchStep { what: SKIN_STEP.to_owned(), note, ..SearchStep::default() }].into();
        // Quake III cuts off the suffix of an LOD. Engines with their own rules do not change the names of surfaces.
        let cuts_names = self.engine().is_none() && model.format().traits().lods == LodStorage::Files;
        let mut assign = |(index, material): (usize, &SurfaceMaterial)| {
            let named = model.surfaces().get(index).map(|surface| self.name_in_skins(index, surface));
            let entry = if self.numbers_surfaces() {
                skin.path_at(index).map(|path| (path, u32_or_max(index)))
            } else {
                named.and_then(|name| skin.numbered_path_of(name))
            };
            let Some((path, number)) = entry else {
                let log = material.search_log.after(Arc::clone(&unnamed));
                if !self.reads_skin_files(model) {
                    return SurfaceMaterial { search_log: log, ..material.clone() };
                }
                return SurfaceMaterial { in_game: InGame::DefaultTexture, search_log: log, ..material.clone() };
            };
            let found = Some(format!("{file}: {path}"));
            let step = SearchStep { what: SKIN_STEP.to_owned(), found, ..SearchStep::default() };
            if hides(path) {
                return SurfaceMaterial {
                    hidden: true,
                    search_log: [step].into(),
                    ..SurfaceMaterial::missing(path, Origin::Skin)
                };
            }
            let is_unused = cuts_names && named.is_some_and(|name| skin.names_suffix(name));
            let mut material = self.material(path, Origin::Skin, warnings);
            let known = ranks.get(&plain_name(Kind::Quake3, path)).copied();
            material.sort_tiebreak = known.unwrap_or_else(|| first.saturating_add(number));
            material.search_log = material.search_log.after([step]);
            if is_unused {
                material.in_game = InGame::DefaultTexture;
            }
            material
        };
        plain
            .iter()
            .enumerate()
            .take(model.surfaces().len())
            .map(|(index, material)| assign((index, material)))
            .collect()
    }

    /// Returns `materials` with a search step that says that the model has no `.skin` file.
    #[must_use]
    pub fn without_skin(materials: &[SurfaceMaterial]) -> Vec<SurfaceMaterial> {
        let step = SearchStep { what: SKIN_STEP.to_owned(), note: "no .skin file".to_owned(), ..SearchStep::default() };
        let first: Arc<[SearchStep]> = [step].into();
        let with_step = |material: &SurfaceMaterial| SurfaceMaterial {
            search_log: material.search_log.after(Arc::clone(&first)),
            ..material.clone()
        };
        materials.iter().map(with_step).collect()
    }

    /// Reports surfaces of `materials` whose image is missing, once per name.
    pub fn warn_missing(model: &Model, materials: &[SurfaceMaterial], warnings: &mut Warnings) {
        let mut reported = HashSet::new();
        for (surface, material) in model.surfaces().iter().zip(materials) {
            let Some(problem) = material.problem().filter(|_| !surface.triangles.is_empty()) else { continue };
            if reported.insert(&material.name) {
                let about = if surface.name.is_empty() { "material" } else { &surface.name };
                warnings.add(WarningKind::Companion, about, problem);
            }
        }
    }

    fn skin_look(&mut self, model: &Model, warnings: &mut Warnings) -> SurfaceMaterial {
        let mut log: Vec<SearchStep> = Vec::new();
        let wrap = skin_wrap(model);
        // The game draws the first skin. If it is missing, a later one is used unless it is fully transparent.
        let mut is_clear = false;
        for (number, name) in model.skins().iter().enumerate() {
            let material = self.material(name, Origin::Model, &mut Warnings::default());
            log.extend(material.search_log.iter().cloned());
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
                let pictured = SurfaceMaterial::of_image(name, &material.path, image, wrap);
                return SurfaceMaterial { search_log: log.into(), ..pictured };
            }
        }
        let named = model.skins().first().cloned().unwrap_or_default();
        if is_clear {
            let message = format!("{}; the other skins are fully transparent", missing_message(&named, log.iter()));
            warnings.add(WarningKind::Companion, "skins", message);
            let suggestion = self.suggestion(&named);
            return SurfaceMaterial {
                suggestion,
                search_log: log.into(),
                ..SurfaceMaterial::missing(&named, Origin::Model)
            };
        }
        let images = self.candidates.images_in_folder(MAX_MD2_SKINS);
        let count = self.candidates.model_folder().images.len();
        let note = if count > images.len() {
            format!("only the first {} of {count} images are tried", images.len())
        } else {
            String::new()
        };
        let what = "Images in the model’s folder".to_owned();
        for path in &images {
            if let Some(image) = self.load_image(path, warnings) {
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
                let guessed = !self.candidates.player_skins(MAX_MD2_SKINS).contains(path);
                return SurfaceMaterial {
                    search_log: log.into(),
                    is_guess: guessed,
                    ..SurfaceMaterial::of_image(&named, path, image, wrap)
                };
            }
        }
        log.push(SearchStep { what, tried: images, found: None, note });
        let message = if model.skins().is_empty() {
            "the file names no skin, and its folder has no image".to_owned()
        } else {
            missing_message(&named, log.iter())
        };
        warnings.add(WarningKind::Companion, "skins", message);
        let suggestion = self.suggestion(&named);
        SurfaceMaterial { suggestion, search_log: log.into(), ..SurfaceMaterial::missing(&named, Origin::Model) }
    }
}

/// Returns the behaviour of skins beyond their edges. Skins do not tile. If all coordinates are inside the image, clamping
/// keeps opposite edges from blending.
pub(super) fn skin_wrap(model: &Model) -> TextureWrap {
    let inside = |uv: &glam::Vec2| (0.0..=1.0).contains(&uv.x) && (0.0..=1.0).contains(&uv.y);
    let clamps = model.surfaces().iter().flat_map(|surface| &surface.uvs).all(inside);
    if clamps { TextureWrap::Clamp } else { TextureWrap::Repeat }
}

fn skins_of(model: &str, files: &FileNames) -> Vec<(String, String)> {
    let starts = skin_starts(model).map(|start| format!("{start}_"));
    let mut found: Vec<&str> = starts.iter().flat_map(|start| files.beginning_with(start)).collect();
    found.sort_by_cached_key(|file| file.to_lowercase());
    found.dedup();
    let named = |file: &str| skin_name(file, model).map(|name| (name.to_owned(), file.to_owned()));
    let mut skins: Vec<(String, String)> = found.into_iter().filter_map(named).collect();
    skins.sort_by_cached_key(|(name, _)| skin_order(name));
    skins
}

/// Returns the rank of each material name by first occurrence. Coarser LODs come first, as in ioquake3 (`tr_model.c`,
/// `R_RegisterMD3`).
fn ranks_of(model: &Model) -> HashMap<String, u32> {
    let mut surfaces: Vec<&Surface> = model.surfaces().iter().collect();
    surfaces.sort_by_key(|surface| std::cmp::Reverse(surface.lod));
    let mut ranks = HashMap::new();
    for name in surfaces.iter().flat_map(|surface| &surface.materials) {
        add_rank(&mut ranks, name);
    }
    ranks
}

fn add_rank(ranks: &mut HashMap<String, u32>, name: &str) {
    let next = u32_or_max(ranks.len());
    ranks.entry(plain_name(Kind::Quake3, name)).or_insert(next);
}
