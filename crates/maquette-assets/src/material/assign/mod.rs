//! Assignment of materials to the surfaces of a model, by the names in the model or by skins.

mod converted_skin;
mod embedded_material;
mod embedded_skin;
mod listed_skins;
mod name_patterns;
mod script_textures;
mod skin_file;
mod skin_files;
mod sprite;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::find::{MaterialFinder, is_empty_name};
use super::script::{Kind, plain_name};
use super::{Image, InGame, Origin, ResolveContext, SearchStep, SurfaceMaterial, TextureWrap};
use crate::engines::KnownEngine;
use crate::limits::MAX_MATERIAL_NAMES;
use crate::vfs::{Vfs, name_of};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::model::{Format, MaterialStorage, Model, ScriptOrder, Surface, u32_or_max};

pub use converted_skin::{Matching, converted_skins, quake_pixels};
pub use script_textures::{ScriptAlpha, SurfaceTextures};
pub use skin_file::{SkinFile, SurfaceRename, hides, rename_surfaces, set_paths, skin_name};
pub use skin_files::LoadedSkin;

/// Maximum number of guessed images that a warning names.
const MAX_NAMED_GUESSES: usize = 3;

/// Name of the search step for a skin file.
pub const SKIN_STEP: &str = "Skin file";

/// Search for the materials of one model, and their assignment to its surfaces.
pub struct MaterialResolver<'a> {
    finder: MaterialFinder<'a>,
    search: &'a ResolveContext,
    /// Materials by the address of the definition in the model's file.
    embedded: HashMap<usize, SurfaceMaterial>,
    /// Materials of plain colours, by colour, alpha mode and sides. A file may have a material for each of 65,535
    /// surfaces.
    colours: HashMap<String, SurfaceMaterial>,
}

impl<'a> MaterialResolver<'a> {
    /// Creates a resolver for the model of `format` and `engine` at `model_path`.
    #[must_use]
    pub fn new(
        vfs: &'a Vfs,
        model_path: &str,
        format: Format,
        engine: Option<KnownEngine>,
        search: &'a ResolveContext,
    ) -> Self {
        Self {
            finder: MaterialFinder::new(vfs, model_path, format, engine, search),
            search,
            embedded: HashMap::new(),
            colours: HashMap::new(),
        }
    }

    /// Finds the material of a name. Warns about faulty scripts and broken images, but not about missing images: see
    /// [`SurfaceMaterial::problem`].
    pub fn material(&mut self, name: &str, origin: Origin, warnings: &mut Warnings) -> SurfaceMaterial {
        self.finder.material(name, origin, warnings)
    }

    /// Returns the material of each surface by the names in the model file. A missing image is reported once per name.
    pub fn materials(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<SurfaceMaterial> {
        if model.format().traits().materials == MaterialStorage::Skins {
            // A model without triangles needs no skin, so its warnings are dropped.
            let is_empty = model.surfaces().iter().all(|surface| surface.triangles.is_empty());
            let mut unsaid = Warnings::default();
            let material = self.material_of_skins(model, if is_empty { &mut unsaid } else { warnings });
            return model.surfaces().iter().map(|_| material.clone()).collect();
        }
        if model.format().traits().materials == MaterialStorage::Inside {
            let first = self.embedded_skins(model, warnings).into_iter().next();
            let material = first.unwrap_or_else(|| SurfaceMaterial::missing("", Origin::Model));
            return model.surfaces().iter().map(|_| material.clone()).collect();
        }
        if model.format().traits().materials == MaterialStorage::Frames {
            let material = self.sprite(model, warnings);
            return model.surfaces().iter().map(|_| material.clone()).collect();
        }
        self.materials_in(model, None, warnings)
    }

    /// Returns the material of each surface in a variant of the model.
    pub fn materials_in(
        &mut self,
        model: &Model,
        variant: Option<u32>,
        warnings: &mut Warnings,
    ) -> Vec<SurfaceMaterial> {
        let ranks = ranks_of(model);
        let mut materials: Vec<SurfaceMaterial> = Vec::with_capacity(model.surfaces().len());
        for surface in model.surfaces() {
            // A surface with several materials has one per skin number; games show the first by default.
            let (name, embedded) = surface.material_in(variant);
            let found = self.finder.material(name, Origin::Model, warnings);
            let mut material = self.with_embedded(found, embedded, warnings);
            material.sort_tiebreak = ranks.get(&plain_name(Kind::Quake3, name)).copied().unwrap_or(0);
            materials.push(material);
        }
        // A broken script may hide the definition of any material.
        warnings.append(self.finder.scripts.warnings().clone().into_vec());
        if self.finder.is_exhausted() {
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
        let shared = self.finder.images.candidates.only_image_in_folder(names_nothing);
        // Quake III searches by name only. Engines related to Doom 3 choose images by their own rules.
        let is_chosen = model.format().traits().scripts == ScriptOrder::Doom3First;
        let mut images: BTreeMap<String, Option<Arc<Image>>> = BTreeMap::new();
        for (surface, material) in model.surfaces().iter().zip(materials) {
            let Some(path) = self.finder.images.candidates.image_named(&surface.name).or_else(|| shared.clone()) else {
                continue;
            };
            // The model does not name the image, so its faults are not the model's.
            let load = || self.finder.images.load(&path, &mut Warnings::default());
            let image = images.entry(path.clone()).or_insert_with(load).clone();
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

    /// Reports surfaces of `materials` whose image is missing, once per name.
    pub fn warn_missing(model: &Model, materials: &[SurfaceMaterial], warnings: &mut Warnings) {
        let mut reported = HashSet::new();
        for (index, (surface, material)) in model.surfaces().iter().zip(materials).enumerate() {
            let is_drawn = !surface.triangles.is_empty() && !model.is_helper(surface);
            let Some(problem) = material.problem().filter(|_| is_drawn) else { continue };
            if reported.insert(&material.name) {
                warnings.add(WarningKind::Companion, model.display_name_of_surface(index), problem);
            }
        }
    }
}

/// Returns the behaviour of skins beyond their edges. Skins do not tile. If all coordinates are inside the image,
/// clamping keeps opposite edges from blending.
fn skin_wrap(model: &Model) -> TextureWrap {
    let inside = |uv: &glam::Vec2| (0.0..=1.0).contains(&uv.x) && (0.0..=1.0).contains(&uv.y);
    let clamps = model.surfaces().iter().flat_map(|surface| &surface.uvs).all(inside);
    if clamps { TextureWrap::Clamp } else { TextureWrap::Repeat }
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
