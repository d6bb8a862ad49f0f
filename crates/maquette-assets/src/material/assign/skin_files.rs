//! Skins in `.skin` files, and in tables of skins.

use std::collections::HashMap;
use std::sync::Arc;

use super::skin_file::skin_starts;
use super::{MaterialResolver, SKIN_STEP, SkinFile, hides, skin_name};
use crate::companions::add_warnings;
use crate::engines::{DeclaredSkin, Engine, TextureRules};
use crate::limits::{MAX_GAME_FILES, MAX_MODEL_FILES, MAX_SKIN_SURFACES, MAX_SKINS};
use crate::material::find::skin_order;
use crate::material::script::{Kind, plain_name};
use crate::material::{InGame, Origin, SearchStep, SurfaceMaterial};
use crate::vfs::{DecompressionBudget, FileNames, ReadLimit, Vfs, join, name_of, split_extension};
use maquette_core::bytes::Source;
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::stand_in;
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

    /// Returns the engine that the model belongs to, or that its format was made for.
    fn engine(&self, model: &Model) -> &'static Engine {
        self.finder.engine().unwrap_or_else(|| Engine::for_format(model.format()))
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
        let rules = &self.engine(model).textures;
        let listed = listed_skins(own, &folder.shared_skin_files, rules.skin_parts);
        let max = (MAX_SKIN_SURFACES / model.surfaces().len().max(1)).clamp(1, MAX_MODEL_FILES);
        if listed.len() > max {
            let read =
                if max == 1 { "only the first is read".to_owned() } else { format!("only the first {max} are read") };
            let message = format!("{} skins in the model’s folder; {read}", listed.len());
            warnings.add(WarningKind::Companion, "skins", message);
        }
        let mut skins = Vec::new();
        let mut room = DecompressionBudget::default();
        for listed in listed.into_iter().take(max) {
            skins.extend(self.read_skin(model, plain, listed, rules, &mut room, warnings));
        }
        skins.extend(self.group_skins(model, plain, rules, max.saturating_sub(skins.len()), &mut room, warnings));
        if let Some(message) = room.warning() {
            warnings.add(WarningKind::Companion, "skins", message);
        }
        skins
    }

    /// Reads the skins of the game's folder that name the model.
    fn group_skins(
        &mut self,
        model: &Model,
        plain: &[SurfaceMaterial],
        rules: &TextureRules,
        max: usize,
        room: &mut DecompressionBudget,
        warnings: &mut Warnings,
    ) -> Vec<LoadedSkin> {
        let vfs = self.finder.images.vfs;
        let candidates = &self.finder.images.candidates;
        let game_path = join(&candidates.folder, &candidates.name).to_lowercase();
        let stem = split_extension(name_of(&game_path)).0;
        let Some((_, folder)) = rules.skin_folders.iter().find(|(start, _)| game_path.starts_with(start)) else {
            return Vec::new();
        };
        let mut skins = Vec::new();
        for path in vfs.list(folder, is_group_skin).into_iter().take(MAX_GAME_FILES) {
            let size = vfs.entry(&path).and_then(|entry| entry.size());
            if skins.len() >= max || size.is_some_and(|size| !room.take(size)) {
                break;
            }
            let Some((skin, odd)) = cached_skin(vfs, &path).filter(|(skin, _)| skin.is_for(stem)) else { continue };
            add_warnings(vfs, &path, odd, warnings);
            let file = name_of(&path);
            let materials = self.materials_with(model, plain, &skin, file, warnings);
            let name = split_extension(file).0.to_owned();
            skins.push(LoadedSkin { name, file: skin, materials, is_generic: true, path });
        }
        skins
    }

    /// Returns the skins that the game declares for a model.
    pub(crate) fn declared_skins(
        &mut self,
        model: &Model,
        plain: &[SurfaceMaterial],
        warnings: &mut Warnings,
    ) -> Vec<(DeclaredSkin, Vec<SurfaceMaterial>)> {
        let candidates = &self.finder.images.candidates;
        let game_path = join(&candidates.folder, &candidates.name);
        let declared = (self.engine(model).skins)(self.finder.images.vfs, &game_path, model);
        let max = (MAX_SKIN_SURFACES / model.surfaces().len().max(1)).clamp(1, MAX_SKINS);
        let mut assign = |skin: DeclaredSkin| {
            let materials = self.materials_with(model, plain, &skin.entries, name_of(&skin.path), warnings);
            (skin, materials)
        };
        declared.into_iter().take(max).map(&mut assign).collect()
    }

    /// Reads the files of a skin. `None` if it does not apply to the model.
    fn read_skin(
        &mut self,
        model: &Model,
        plain: &[SurfaceMaterial],
        ListedSkin { name, files, is_own }: ListedSkin,
        rules: &TextureRules,
        room: &mut DecompressionBudget,
        warnings: &mut Warnings,
    ) -> Option<LoadedSkin> {
        let vfs = self.finder.images.vfs;
        let paths: Vec<String> = files.iter().map(|file| join(&self.finder.images.candidates.folder, file)).collect();
        let mut parts = Vec::with_capacity(paths.len());
        let mut is_skipped = false;
        for path in &paths {
            let size = vfs.entry(path).and_then(|entry| entry.size());
            if size.is_some_and(|size| !room.take(size)) {
                return None;
            }
            let (skin, odd) = cached_skin(vfs, path)?;
            is_skipped |= skin.is_empty() && odd.count() > 0;
            if is_own {
                add_warnings(vfs, path, odd, warnings);
            }
            parts.push(skin);
        }
        let path = paths.into_iter().next()?;
        let mut skin =
            if parts.len() == 1 { parts.pop()? } else { Arc::new(SkinFile::combined(parts.iter().map(AsRef::as_ref))) };
        let file = files.join(", ");
        let mut surfaces = model.surfaces().iter().enumerate();
        let names_one = surfaces.any(|(index, surface)| skin.path_of(self.name_in_skins(index, surface)).is_some());
        if skin.is_empty() && is_own {
            if !is_skipped {
                warnings.add(WarningKind::Companion, &file, "the skin file names no surface");
            }
            return None;
        }
        if !is_own && !names_one {
            return None;
        }
        if let Some(switches) = switches_of(vfs, &path, rules).filter(|_| files.len() == 1) {
            Arc::make_mut(&mut skin).switch_surfaces(&switches);
        }
        let materials = self.materials_with(model, plain, &skin, &file, warnings);
        Some(LoadedSkin { name, file: skin, materials, is_generic: !is_own, path })
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
        let file = name_of(&path).to_owned();
        add_warnings(self.finder.images.vfs, &path, odd, warnings);
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
            let surface = model.surfaces().get(index);
            let named = surface.map(|surface| self.name_in_skins(index, surface));
            let own = surface.and_then(|surface| surface.materials.first()).filter(|_| skin.names_materials);
            let entry = if self.numbers_surfaces() {
                skin.path_at(index).map(|path| (path, u32_or_max(index)))
            } else {
                match own {
                    Some(name) => skin.material_for(name, !material.hidden && !surface.is_some_and(|own| own.hidden)),
                    None => named.and_then(|name| skin.numbered_path_of(name)),
                }
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
        let mut materials: Vec<SurfaceMaterial> =
            plain.iter().enumerate().take(model.surfaces().len()).map(&mut assign).collect();
        for (index, (material, surface)) in materials.iter_mut().zip(model.surfaces()).enumerate() {
            if let Some(is_on) = skin.is_switched_on(self.name_in_skins(index, surface)) {
                (material.shown, material.hidden) = (is_on, !is_on);
            }
        }
        materials
    }

    /// Returns `materials` with a search step that says that the model has no `.skin` file.
    pub fn without_skin(materials: Vec<SurfaceMaterial>) -> Vec<SurfaceMaterial> {
        let step = SearchStep { what: SKIN_STEP.to_owned(), note: "no .skin file".to_owned(), ..SearchStep::default() };
        let first: Arc<[SearchStep]> = [step].into();
        let with_step = |material: SurfaceMaterial| SurfaceMaterial {
            search_log: material.search_log.after(Arc::clone(&first)),
            ..material
        };
        materials.into_iter().map(with_step).collect()
    }

    fn name_in_skins<'m>(&'m self, index: usize, surface: &'m Surface) -> &'m str {
        self.search.skin_names.get(&index).unwrap_or(&surface.name)
    }
}

/// A skin of a model: its display name and its files.
struct ListedSkin {
    name: String,
    files: Vec<String>,
    /// Whether the file is named after the model.
    is_own: bool,
}

/// Returns the skins of a folder: those of `own` files, and those of combined files. Other skins that are not named after
/// a model (`red.skin`) apply only if there are no others.
fn listed_skins(own: Vec<(String, String)>, shared: &[(String, String)], parts: &[&str]) -> Vec<ListedSkin> {
    let mut skins: Vec<ListedSkin> =
        own.into_iter().map(|(name, file)| ListedSkin { name, files: vec![file], is_own: true }).collect();
    skins.extend(combinations(shared, parts));
    if skins.is_empty() {
        let others = shared.iter().cloned();
        skins.extend(others.map(|(name, file)| ListedSkin { name, files: vec![file], is_own: false }));
    }
    skins
}

/// Returns skins that consist of one file for each of `parts`: the first files of all parts, and each other file with the
/// first files of the other parts. So every file is in a skin, but not every combination.
fn combinations(shared: &[(String, String)], parts: &[&str]) -> Vec<ListedSkin> {
    let starts = |name: &str, part: &str| name.get(..part.len()).is_some_and(|start| start.eq_ignore_ascii_case(part));
    let by_part: Vec<Vec<&(String, String)>> =
        parts.iter().map(|part| shared.iter().filter(|(name, _)| starts(name, part)).collect()).collect();
    let Some(first) = by_part.iter().map(|files| files.first().copied()).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let others =
        by_part.iter().enumerate().flat_map(|(part, files)| files.iter().skip(1).map(move |file| (part, *file)));
    let changed = others.map(|(part, file)| {
        let mut all = first.clone();
        if let Some(slot) = all.get_mut(part) {
            *slot = file;
        }
        all
    });
    let skin = |files: Vec<&(String, String)>| ListedSkin {
        name: files.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("|"),
        files: files.iter().map(|(_, file)| file.clone()).collect(),
        is_own: false,
    };
    let all = std::iter::once(first.clone()).filter(|files| !files.is_empty()).chain(changed);
    all.map(skin).collect()
}

/// Returns the contents of the file that turns surfaces of the skin at `path` on and off. `None` if there is none.
fn switches_of(vfs: &Vfs, path: &str, rules: &TextureRules) -> Option<Vec<u8>> {
    let extension = Some(rules.switch_extension).filter(|extension| !extension.is_empty())?;
    let file = vfs.look_up(&format!("{}.{extension}", split_extension(path).0))?;
    vfs.read(&file, ReadLimit::TEXT).ok()
}

fn is_group_skin(file: &str) -> bool {
    split_extension(file).1.eq_ignore_ascii_case("g2skin")
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
        let source = Source::new("skin", &bytes);
        let parse = if is_group_skin(path) { SkinFile::parse_groups } else { SkinFile::parse_from };
        let file = match stand_in(&bytes) {
            Some(what) => {
                warnings.add(WarningKind::Companion, "", format!("skipped: {what}"));
                Arc::default()
            }
            None => Arc::new(parse(&source, &mut warnings)),
        };
        Some((file, warnings))
    });
    read.as_ref().clone()
}
