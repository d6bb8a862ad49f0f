//! A model in the scene with everything that was found for it.

use std::path::PathBuf;
use std::sync::Arc;

use super::{EditedFile, OutlineCache, PendingImages};
use crate::material::{SKIN_STEP, SurfaceMaterial, SurfaceRename};
use maquette_core::error::Warning;
use maquette_core::model::{Model, Surface};

/// A model in the scene.
#[derive(Clone, Debug)]
pub struct ModelAsset {
    /// File name, for people.
    pub name: String,
    /// Path in its game, with forward slashes.
    pub game_path: String,
    /// Place on disk; none for the built-in samples.
    pub file: Option<PathBuf>,
    /// The archive or folder whose file the game takes in place of this one.
    pub replaced_by: Option<String>,
    /// It lies in an archive of a game that searches others before: what it wears may be another thing in the game than
    /// with its own archive first.
    pub order_matters: bool,
    /// Its file, once it was changed here: what is shown was read from these bytes.
    pub edited: Option<EditedFile>,
    /// Its file is damaged; this is what is intact of it.
    pub salvaged: bool,
    /// Whether it stands for a whole figure that lies beside it: `lower`, `upper`, `head`, a Quake II body.
    pub of_figure: bool,
    /// The model with its levels of detail and animations.
    pub model: Arc<Model>,
    /// How far it reaches at the moments that were looked at.
    pub outlines: OutlineCache,
    /// Images that are still being decoded; `None` if all are.
    pub pending_images: Option<Arc<PendingImages>>,
    /// Skins and animations that were added by hand, to be added again when the file is read again.
    pub added: Vec<PathBuf>,
    /// Choices of pictures; never empty.
    pub skins: Vec<Skin>,
    /// Skins that an MD2 names and that are not there.
    pub missing_skins: Arc<[SurfaceMaterial]>,
    /// What was odd in the files and what was not found.
    pub warnings: Vec<Warning>,
}

/// A choice of pictures for all surfaces.
#[derive(Clone, Debug)]
pub struct Skin {
    /// For people: the picture's file name, or `default`.
    pub name: String,
    /// One per surface.
    pub materials: Arc<[SurfaceMaterial]>,
    /// Models it adds to its wearer: what for (`hat`, `belt`), and their paths (Return to Castle Wolfenstein).
    pub accessories: Vec<(String, String)>,
    /// How large its wearer is; none leaves it as it is.
    pub scale: Option<f32>,
    /// From a file that is named after no model, and so may be meant for any.
    pub is_generic: bool,
}

impl ModelAsset {
    /// Whether it has changes that are not saved.
    #[must_use]
    pub fn is_unsaved(&self) -> bool {
        self.edited.as_ref().is_some_and(|file| !file.is_saved())
    }

    /// Its name, with a star if it has changes that are not saved.
    #[must_use]
    pub fn starred_name(&self) -> String {
        format!("{}{}", self.name, if self.is_unsaved() { "*" } else { "" })
    }

    /// Surfaces whose entries in `.skin` files are renamed when the model is saved in its place.
    #[must_use]
    pub fn skin_renames(&self) -> Vec<(usize, SurfaceRename)> {
        let Some(edited) = &self.edited else { return Vec::new() };
        let surfaces = self.model.surfaces();
        let rename = |(index, old): (&usize, &String)| {
            let new = surfaces.get(*index)?.name.clone();
            let others = surfaces.iter().enumerate().filter(|(other, _)| other != index);
            // Coarser levels of detail are in files of their own.
            let uses_old = |(other, surface): (usize, &Surface)| {
                !edited.skin_names().contains_key(&other) && surface.name.eq_ignore_ascii_case(old)
            };
            let keeps_old = others.into_iter().any(uses_old);
            Some((*index, SurfaceRename { old: old.clone(), new, keeps_old }))
        };
        edited.skin_names().iter().filter_map(rename).collect()
    }

    /// Number of skins whose file names a surface.
    #[must_use]
    pub fn skins_that_name(&self, surface: usize) -> usize {
        let names = |skin: &&Skin| {
            let material = skin.materials.get(surface);
            material.is_some_and(|material| {
                material.trail.iter().any(|step| step.what == SKIN_STEP && step.found.is_some())
            })
        };
        self.skins.iter().filter(names).count()
    }

    /// Lies where another state of the same file lies by now.
    pub fn update_location(&mut self, now: &Self) {
        self.name.clone_from(&now.name);
        self.game_path.clone_from(&now.game_path);
        self.file.clone_from(&now.file);
        self.added.clone_from(&now.added);
        if let (Some(own), Some(now)) = (&mut self.edited, &now.edited) {
            own.take_disk(now);
        }
    }

    /// Whether another state was read from the same bytes; a file that was never changed is as it is on disk.
    #[must_use]
    pub fn has_same_bytes(&self, other: &Self) -> bool {
        match (&self.edited, &other.edited) {
            (Some(own), Some(others)) => own.is_same(others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }

    /// Materials of this model, see-through where their pictures are and the format's games draw them so.
    #[must_use]
    pub fn seen_through(&self, materials: Vec<SurfaceMaterial>) -> Vec<SurfaceMaterial> {
        let is_meant = self.model.format().traits().alpha_without_script;
        let seen = SurfaceMaterial::with_image_transparency;
        if is_meant { materials.into_iter().map(seen).collect() } else { materials }
    }
}

impl Skin {
    /// What a skin is called that is none: what the model itself names.
    pub const OWN_NAMES: &str = "default (from file)";

    /// What [`Self::OWN_NAMES`] was before: it may still stand in settings and scripts.
    const FORMER_OWN_NAMES: &str = "names in the file";

    /// Whether this name is its own, capitals aside.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name)
            || (self.is_own_names() && name.eq_ignore_ascii_case(Self::FORMER_OWN_NAMES))
    }

    /// Whether it is what the model itself names, beside skins that name other things.
    #[must_use]
    pub fn is_own_names(&self) -> bool {
        self.name == Self::OWN_NAMES
    }

    /// Pictures alone.
    #[must_use]
    pub fn plain(name: &str, materials: Arc<[SurfaceMaterial]>) -> Self {
        Self { name: name.to_owned(), materials, accessories: Vec::new(), scale: None, is_generic: false }
    }
}
