//! Skins in `.skin` files, and in tables of skins.

use std::collections::HashMap;
use std::sync::Arc;

use super::skin_file::skin_starts;
use super::{MaterialResolver, SKIN_STEP, SkinFile, hides, skin_name};
use crate::limits::{MAX_MODEL_FILES, MAX_SKIN_SURFACES};
use crate::material::find::skin_order;
use crate::material::script::{Kind, plain_name};
use crate::material::{InGame, Origin, SearchStep, SurfaceMaterial};
use crate::vfs::{DecompressionBudget, FileNames, ReadLimit, Vfs, join, name_of};
use maquette_core::error::{Warning, WarningKind, Warnings};
use maquette_core::model::{LodStorage, Model, Surface, u32_or_max};

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

impl MaterialResolver<'_> {
    /// Returns whether `.skin` files apply to the model. Surfaces of an MD5 have no names that a file could contain, but
    /// Daemon assigns the entries by number.
    pub fn reads_skin_files(&self, model: &Model) -> bool {
        model.format().traits().companions.skins || self.numbers_surfaces()
    }

    fn numbers_surfaces(&self) -> bool {
        self.finder.engine().is_some_and(|engine| engine.textures.numbers_surfaces)
    }

    /// Returns the skins of the `.skin` files in the model's folder, `default` (or `0`) first. Surfaces that a file
    /// does not name keep their material in `plain`.
    pub fn skin_files(&mut self, model: &Model, plain: &[SurfaceMaterial], warnings: &mut Warnings) -> Vec<LoadedSkin> {
        let table = self.skin_table(model, plain, warnings);
        if !table.is_empty() {
            return table;
        }
        let folder = self.finder.images.candidates.model_folder();
        let (all, model_name) = (Arc::clone(&folder), self.finder.images.candidates.name.clone());
        let is_skin = move |file: &str| skin_name(file, &model_name).is_some() || all.is_shared_skin_file(file);
        self.finder.images.vfs.record_list(&self.finder.images.candidates.folder, is_skin);
        let own = if self.finder.images.candidates.is_shadowed() {
            Vec::new()
        } else {
            skins_of(&self.finder.images.candidates.name, folder.names())
        };
        let is_own = !own.is_empty();
        // Skins that are not named after a model (`red.skin`) apply to models whose surfaces they name.
        let files: &[(String, String)] = if is_own { &own } else { &folder.shared_skin_files };
        let max = (MAX_SKIN_SURFACES / model.surfaces().len().max(1)).clamp(1, MAX_MODEL_FILES);
        if files.len() > max {
            let read =
                if max == 1 { "only the first is read".to_owned() } else { format!("only the first {max} are read") };
            let message = format!("{} skin files in the model’s folder; {read}", files.len());
            warnings.add(WarningKind::Companion, "skins", message);
        }
        let mut skins = Vec::new();
        let mut room = DecompressionBudget::default();
        for (name, file) in files.iter().take(max) {
            let path = join(&self.finder.images.candidates.folder, file);
            let size = self.finder.images.vfs.entry(&path).and_then(|entry| entry.size());
            if size.is_some_and(|size| !room.take(size)) {
                continue;
            }
            let Some((skin, odd)) = cached_skin(self.finder.images.vfs, &path) else { continue };
            let names_one = model
                .surfaces()
                .iter()
                .enumerate()
                .any(|(index, surface)| skin.path_of(self.name_in_skins(index, surface)).is_some());
            if is_own {
                let location = self.finder.images.vfs.location_of(&path);
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

    /// Returns the skins of the skin table next to a model. Empty if the game has no such tables or there is no table.
    fn skin_table(&mut self, model: &Model, plain: &[SurfaceMaterial], warnings: &mut Warnings) -> Vec<LoadedSkin> {
        if !self.finder.engine().is_some_and(|engine| engine.textures.has_skin_tables) {
            return Vec::new();
        }
        let [name, stem, _] = skin_starts(&self.finder.images.candidates.name);
        let paths = [name, stem].map(|start| join(&self.finder.images.candidates.folder, &format!("{start}.skin")));
        let Some(path) = paths.iter().find_map(|path| self.finder.images.vfs.look_up(path)) else { return Vec::new() };
        let Ok(bytes) = self.finder.images.vfs.read(&path, ReadLimit::TEXT) else { return Vec::new() };
        let mut odd = Warnings::default();
        let columns = SkinFile::parse_columns(&bytes, &mut odd);
        let (file, location) = (name_of(&path).to_owned(), self.finder.images.vfs.location_of(&path));
        let about = |warning: Warning| warning.of_companion(file.clone(), location.clone());
        warnings.append(odd.into_vec().into_iter().map(about).collect());
        let max = (MAX_SKIN_SURFACES / model.surfaces().len().max(1)).clamp(1, MAX_MODEL_FILES);
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
        let cuts_names = self.finder.engine().is_none() && model.format().traits().lods == LodStorage::Files;
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
            let mut material = self.finder.material(path, Origin::Skin, warnings);
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

    fn name_in_skins<'m>(&'m self, index: usize, surface: &'m Surface) -> &'m str {
        self.skin_names.get(&index).unwrap_or(&surface.name)
    }
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

/// Returns the contents of a `.skin` file, which is read once for all models.
fn cached_skin(vfs: &Vfs, path: &str) -> Option<(Arc<SkinFile>, Warnings)> {
    let read = vfs.memo(path, |vfs| {
        let bytes = vfs.read(path, ReadLimit::TEXT).ok()?;
        let mut warnings = Warnings::default();
        let file = Arc::new(SkinFile::parse_with(&bytes, &mut warnings));
        Some((file, warnings))
    });
    read.as_ref().clone()
}
