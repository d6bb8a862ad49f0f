//! A model with its materials and skins.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Affine3A;

use super::{EditedBytes, EditedFile, OutlineCache, PendingImages};
use crate::engines::{Engine, KnownEngine, PROFILES, Profile};
use crate::material::{SKIN_STEP, SurfaceMaterial, SurfaceRename};
use crate::vfs::{Lookups, name_of};
use maquette_core::error::Warning;
use maquette_core::model::{MaterialStorage, Model, Surface};

/// A model with its materials and skins.
#[derive(Clone, Debug)]
pub struct ModelAsset {
    /// Display name: the file name.
    pub name: String,
    /// Game path, with forward slashes.
    pub game_path: String,
    /// Path of the file; `None` for the built-in samples.
    pub file: Option<PathBuf>,
    /// Name of the archive or folder that overrides the file in the game, if any.
    pub overridden_by: Option<String>,
    /// Whether the game searches other archives before the model's own, see [`crate::vfs::SearchOrder`].
    pub order_matters: bool,
    /// The edited file, if there are edits; the model was loaded from its bytes.
    pub edited: Option<EditedFile>,
    /// Whether the file is damaged, so that only its intact parts are loaded.
    pub salvaged: bool,
    /// Whether the model represents a character in its folder: `lower`, `upper`, `head`, a Quake II body.
    pub of_character: bool,
    /// The model with its levels of detail and animations.
    pub model: Arc<Model>,
    /// Engine that the model was recognised as, if it has specific rules.
    pub engine: Option<KnownEngine>,
    /// Cache of the model's outlines.
    pub outlines: OutlineCache,
    /// Images that are still being decoded, if any.
    pub pending_images: Option<Arc<PendingImages>>,
    /// Skins and animations that the user added, to be added again on reload.
    pub added: Vec<PathBuf>,
    /// Name or file of the skin that the character puts first; empty if the order is that of the model.
    pub first_skin: String,
    /// Available skins; never empty.
    pub skins: Vec<Skin>,
    /// Companion files that were looked up.
    pub lookups: Arc<Lookups>,
    /// Warnings about the files and about missing images.
    pub warnings: Vec<Warning>,
}

/// List of clips to write.
#[derive(Clone, Debug)]
pub struct ClipListToSave {
    /// Path of the list.
    pub path: PathBuf,
    /// Bytes that the file has; `None` if there is none, or its bytes are unknown.
    pub before: Option<Arc<Vec<u8>>>,
    /// Bytes to write; empty if the file is removed.
    pub bytes: Arc<Vec<u8>>,
}

/// Whether saving at `path` overwrites `file`.
pub fn is_same_path(file: Option<&Path>, path: &Path) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    file.is_some_and(|file| absolute(file) == absolute(path))
}

/// Materials for all surfaces.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Display name: a file name, or `default`.
    pub name: String,
    /// Material of each surface.
    pub materials: Arc<[SurfaceMaterial]>,
    /// Accessories: position (`hat`, `belt`) and game path of each model (Return to Castle Wolfenstein).
    pub accessories: Vec<(String, String)>,
    /// Transform of the model with this skin: Return to Castle Wolfenstein's `playerscale`, or scale, offset and angles
    /// of a GZDoom definition. A negative scale mirrors the model.
    pub placement: Affine3A,
    /// Names in the list of an MD2 that lead to the image.
    pub listed_names: Vec<String>,
    /// Whether the skin's file is not named after a model.
    pub is_generic: bool,
    /// Source of the materials.
    pub source: SkinSource,
}

/// Source of a skin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkinSource {
    /// Names in the model, or images in the folder of an MD2.
    Model,
    /// A `.skin` file, by its game path.
    SkinFile(String),
    /// Another file of the game, by its game path: a definition such as `MODELDEF`, or a model that this one replaces.
    GameFile(String),
    /// Images whose names the game derives from the model.
    ImageNames,
}

impl ModelAsset {
    /// Returns the engine that the model was recognised as, else the one that its format was made for.
    pub fn engine(&self) -> &'static Engine {
        self.engine.as_ref().map_or_else(|| Engine::for_format(self.model.format()), |known| known.engine)
    }

    /// Returns the lint profile of the engine, or of the engine that the format was made for. Returns the profile
    /// without limits if only the format suggests the engine and it does not read an image of the model.
    pub fn profile(&self) -> &'static Profile {
        let format = self.model.format();
        let own = self.engine().profile.filter(|profile| profile.formats.contains(&format));
        let profile = own.unwrap_or_else(|| Profile::for_format(format));
        let folders = || self.file.iter().flat_map(|file| file.iter());
        let is_base = |folder: &OsStr| self.engine().base_folders.iter().any(|base| folder.eq_ignore_ascii_case(base));
        let materials = || self.skins.iter().flat_map(|skin| skin.materials.iter());
        let is_foreign = |material: &SurfaceMaterial| {
            // The engine does not depend on whether the images are decoded.
            let path = material.unreadable.as_ref().map_or(&material.path, |image| &image.path);
            !path.is_empty() && !profile.reads_image(path)
        };
        // Without a file there is no folder that could speak for a game.
        let is_unknown = self.engine.is_none() && self.file.is_some() && !folders().any(is_base);
        if is_unknown && materials().any(is_foreign) { PROFILES.first().copied().unwrap_or(profile) } else { profile }
    }

    /// Returns the skins of the model's file, if there are several: those of a format without materials of surfaces, or
    /// variants. Other skins, such as `.skin` files, do not belong to the model.
    pub fn own_skins(&self) -> &[Skin] {
        let storage = self.model.format().traits().materials;
        let stores_skins = matches!(storage, MaterialStorage::Inside | MaterialStorage::Skins);
        let has_several = self.skins.len() > 1 && (stores_skins || !self.model.data().variants.is_empty());
        if has_several { &self.skins } else { &[] }
    }

    /// Returns the material of each skin for a format with skins inside the file; `None` without an image, because the
    /// games count skins. A model with a single skin has the materials `shown`, or those of the first skin with an image.
    pub fn skin_materials<'a>(&'a self, shown: &'a [SurfaceMaterial]) -> Vec<Option<&'a SurfaceMaterial>> {
        let has_image = |material: &&SurfaceMaterial| material.image.is_some();
        let surface = self.model.skin_surface();
        let material = |skin: &'a Skin| skin.materials.get(surface).filter(has_image);
        let listed = |name: &String| self.skins.iter().find(|skin| skin.listed_names.contains(name)).and_then(material);
        let has_list = self.model.format().traits().materials == MaterialStorage::Skins;
        let all: Vec<Option<&SurfaceMaterial>> = match has_list {
            true => self.model.skins().iter().map(listed).collect(),
            false => self.own_skins().iter().map(material).collect(),
        };
        if all.len() > 1 && all.iter().any(Option::is_some) {
            return all;
        }
        let all = || shown.iter().chain(self.skins.iter().flat_map(|skin| &*skin.materials)).filter(has_image);
        // A single texel is the colour of a material without texture, such as that of the hands of a weapon.
        let is_texture = |material: &&SurfaceMaterial| {
            material.image.as_ref().is_some_and(|image| image.width.max(image.height) > 1)
        };
        all().find(is_texture).or_else(|| all().next()).map(Some).into_iter().collect()
    }

    /// Returns whether the model has unsaved edits.
    pub fn is_unsaved(&self) -> bool {
        self.edited.as_ref().is_some_and(|file| !file.is_saved())
    }

    /// Returns the path of the list of clips next to the model, if an edit may change it.
    pub fn clip_list_file(&self) -> Option<PathBuf> {
        let list = self.edited.as_ref()?.clip_list.as_ref()?;
        Some(self.file.as_ref()?.with_file_name(name_of(&list.path)))
    }

    /// Returns the list of clips to save at `path` if it has unsaved changes: the path of the list itself, or that of the
    /// model, whose list is next to it. A model in an archive takes its list to the new folder.
    pub fn clip_list_to_save(&self, path: &Path) -> Option<ClipListToSave> {
        let list = self.edited.as_ref()?.unsaved_clip_list()?;
        let (model, own) = (self.file.as_deref()?, self.clip_list_file()?);
        let path = if is_same_path(Some(&own), path) || is_same_path(Some(model), path) {
            own
        } else if !model.is_file() {
            path.with_file_name(name_of(&list.path))
        } else {
            return None;
        };
        let is_read = list.read_from.as_ref().is_some_and(|file| is_same_path(Some(file), &path));
        let before = list.file.on_disk().filter(|_| is_read).cloned();
        Some(ClipListToSave { path, before, bytes: Arc::clone(list.file.bytes()) })
    }

    /// Returns the edited file at a path: the model's own, or its list of clips.
    pub fn edited_at(&self, path: &Path) -> Option<&EditedBytes> {
        let edited = self.edited.as_ref()?;
        if self.file.as_deref() == Some(path) {
            return Some(&edited.model);
        }
        edited.clip_list.as_ref().filter(|_| self.clip_list_file().as_deref() == Some(path)).map(|list| &list.file)
    }

    /// Like [`Self::edited_at`].
    pub fn edited_at_mut(&mut self, path: &Path) -> Option<&mut EditedBytes> {
        let is_model = self.file.as_deref() == Some(path);
        self.edited_at(path)?;
        let edited = self.edited.as_mut()?;
        if is_model { Some(&mut edited.model) } else { edited.clip_list.as_mut().map(|list| &mut list.file) }
    }

    /// Returns the name of the file with unsaved edits: the list of clips if only it has any.
    pub fn unsaved_name(&self) -> String {
        let list = self.clip_list_file().filter(|_| self.edited.as_ref().is_some_and(|edited| edited.model.is_saved()));
        list.map_or_else(
            || self.name.clone(),
            |list| list.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        )
    }

    /// Returns the display name, with a star if there are unsaved edits.
    pub fn starred_name(&self) -> String {
        format!("{}{}", self.name, if self.is_unsaved() { "*" } else { "" })
    }

    /// Returns the surfaces to rename in `.skin` files when the model is saved to its file.
    pub fn skin_renames(&self) -> Vec<(usize, SurfaceRename)> {
        let Some(edited) = &self.edited else { return Vec::new() };
        let surfaces = self.model.surfaces();
        let rename = |(index, old): (&usize, &String)| {
            let new = surfaces.get(*index)?.name.clone();
            let others = surfaces.iter().enumerate().filter(|(other, _)| other != index);
            // Surfaces of coarser LODs keep the old name, because they are in separate files.
            let uses_old = |(other, surface): (usize, &Surface)| {
                !edited.skin_names().contains_key(&other) && surface.name.eq_ignore_ascii_case(old)
            };
            let keeps_old = others.into_iter().any(uses_old);
            Some((*index, SurfaceRename { old: old.clone(), new, keeps_old }))
        };
        edited.skin_names().iter().filter_map(rename).collect()
    }

    /// Returns the number of skins whose file names a surface.
    pub fn skins_that_name(&self, surface: usize) -> usize {
        let names = |skin: &&Skin| {
            let material = skin.materials.get(surface);
            material.is_some_and(|material| {
                material.search_log.iter().any(|step| step.what == SKIN_STEP && step.found.is_some())
            })
        };
        self.skins.iter().filter(names).count()
    }

    /// Returns the `.skin` file that sets the path of a surface in a skin, as a game path.
    pub fn skin_file_of(&self, skin: usize, surface: usize) -> Option<&str> {
        let skin = self.skins.get(skin)?;
        let SkinSource::SkinFile(path) = &skin.source else { return None };
        let mut steps = skin.materials.get(surface)?.search_log.iter();
        let found = steps.find(|step| step.what == SKIN_STEP)?.found.as_deref()?;
        // A skin of several files has no single file to edit.
        let (file, _) = found.split_once(": ")?;
        (path.ends_with(file) && file.to_lowercase().ends_with(".skin")).then_some(path)
    }

    /// Takes the paths of the file from another state of the model.
    pub fn update_location(&mut self, now: &Self) {
        self.name.clone_from(&now.name);
        self.game_path.clone_from(&now.game_path);
        self.file.clone_from(&now.file);
        self.added.clone_from(&now.added);
        if let (Some(own), Some(now)) = (&mut self.edited, &now.edited) {
            own.take_disk(now);
        }
    }

    /// Returns whether another state was loaded from the same bytes. Files without edits count as equal.
    pub fn has_same_bytes(&self, other: &Self) -> bool {
        match (&self.edited, &other.edited) {
            (Some(own), Some(others)) => own.is_same(others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }

    /// Applies the transparency of the images to `materials`, if the games of the format use alpha without a script.
    pub fn seen_through(&self, materials: Vec<SurfaceMaterial>) -> Vec<SurfaceMaterial> {
        let is_meant = self.model.format().traits().alpha_without_script;
        let seen = SurfaceMaterial::with_image_transparency;
        if is_meant { materials.into_iter().map(seen).collect() } else { materials }
    }
}

impl Skin {
    /// Name of the skin with the names in the model.
    pub const OWN_NAMES: &str = "default (from file)";

    /// Former value of [`Self::OWN_NAMES`], which settings and scripts may contain.
    const FORMER_OWN_NAMES: &str = "names in the file";

    /// Returns whether the skin has this name, ignoring case.
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || (self.is_own_names() && name.eq_ignore_ascii_case(Self::FORMER_OWN_NAMES))
    }

    /// Returns whether this is the skin with the names in the model, listed next to other skins.
    pub fn is_own_names(&self) -> bool {
        self.name == Self::OWN_NAMES
    }

    /// Returns the skins whose images should exist, with their indices. The names in a model with `.skin` files often
    /// lead nowhere.
    pub fn checked(skins: &[Self]) -> impl Iterator<Item = (usize, &Self)> {
        let has_files = skins.iter().any(|skin| matches!(skin.source, SkinSource::SkinFile(_)));
        skins.iter().enumerate().filter(move |(_, skin)| !has_files || !skin.is_own_names())
    }

    /// Creates a skin without accessories.
    #[must_use]
    pub fn plain(name: &str, materials: Arc<[SurfaceMaterial]>) -> Self {
        Self {
            name: name.to_owned(),
            materials,
            accessories: Vec::new(),
            placement: Affine3A::IDENTITY,
            listed_names: Vec::new(),
            is_generic: false,
            source: SkinSource::Model,
        }
    }
}
