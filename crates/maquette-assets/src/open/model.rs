//! Opening of one model with its materials and skins.

use std::path::Path;
use std::sync::Arc;

use super::character::plan_of_part;
use super::load::{archive_warnings, load_in, salvage_in};
use super::skins::find_skins;
use super::{EditedClipList, LoadedModel, ModelAsset, OpenCause, OpenError, Opener};
use crate::material::{ImageLoading, MaterialResolver, ResolveContext, SearchStep, SurfaceMaterial, converted_skins};
use crate::vfs::{ReadLimit, Vfs, name_of, name_of_location};
use maquette_core::bytes::LoadOptions;
use maquette_core::convert::takes_skin_image;
use maquette_core::error::LoadError;
use maquette_core::model::{EmbeddedSkin, Format};

impl Opener {
    /// Loads the model at `path` with levels of detail, animations, clips and tags of companion files, but no
    /// materials.
    pub fn load(&self, path: &Path) -> Result<LoadedModel, OpenError> {
        self.read_with(path, |vfs, game_path, bytes| {
            load_in(vfs, game_path, bytes, self.load).map_err(|error| OpenCause::refused(bytes, error))
        })
    }

    /// Finds skins, scripts and images for a model from [`Self::load`].
    pub fn with_materials(&self, path: &Path, loaded: &LoadedModel) -> Result<ModelAsset, OpenError> {
        let (vfs, game_path) = self.vfs_for(path)?;
        Ok(of_file(path, &vfs, with_materials(&vfs, &game_path, loaded, &self.search)))
    }

    /// Returns the size of the skins of a model in `format`, and the skins if `format` stores them. `size` replaces the
    /// size of the first skin's image. Searches for materials only if the result depends on them.
    pub fn converted_skins(
        &self,
        path: &Path,
        loaded: &LoadedModel,
        format: Format,
        size: Option<[u16; 2]>,
    ) -> Result<([u16; 2], Vec<Option<EmbeddedSkin>>), OpenError> {
        let stores_image = takes_skin_image(&loaded.model, format);
        if !stores_image && (size.is_some() || !format.traits().whole_texels) {
            return Ok(converted_skins(&[], size, false));
        }
        let asset = self.with_materials(path, loaded)?;
        Ok(converted_skins(&asset.skin_materials(&[]), size, stores_image))
    }

    /// Opens the single model at `path` with its companion files, skins and images.
    pub fn model(&self, path: &Path) -> Result<ModelAsset, OpenError> {
        self.model_with(path, load_in)
    }

    /// Opens the intact parts of a damaged model at `path`. An intact model is opened as a whole.
    pub fn salvaged(&self, path: &Path) -> Result<ModelAsset, OpenError> {
        self.model_with(path, salvage_in)
    }

    fn model_with(
        &self,
        path: &Path,
        load: fn(&Vfs, &str, &[u8], LoadOptions) -> Result<LoadedModel, LoadError>,
    ) -> Result<ModelAsset, OpenError> {
        self.read_with(path, |vfs, game_path, bytes| {
            let loaded = load(vfs, game_path, bytes, self.load).map_err(|error| OpenCause::refused(bytes, error))?;
            Ok(of_file(path, vfs, with_materials(vfs, game_path, &loaded, &self.search)))
        })
    }

    fn read_with<T>(
        &self,
        path: &Path,
        use_bytes: impl FnOnce(&Vfs, &str, &[u8]) -> Result<T, OpenCause>,
    ) -> Result<T, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let read = |error| fail(OpenCause::Read(error));
        let location = self.files.locate(path).map_err(read)?;
        let bytes = self.files.read_located(&location, ReadLimit::MODEL).map_err(read)?;
        let (vfs, game_path) = self.files.for_located(path, &location).map_err(read)?;
        use_bytes(&vfs, &game_path, &bytes).map_err(fail)
    }

    /// Reads a model's file; only the start if it is not a model.
    pub(super) fn bytes_of(&self, path: &Path) -> Result<Vec<u8>, OpenError> {
        let bytes = self.files.read(path, ReadLimit::MODEL);
        bytes.map_err(|error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) })
    }

    /// Opens the model at `path` with other bytes, and with the clips of an unsaved list.
    pub(super) fn model_of(
        &self,
        path: &Path,
        bytes: &[u8],
        list: Option<&EditedClipList>,
    ) -> Result<ModelAsset, OpenError> {
        let (vfs, game_path) = self.vfs_for(path)?;
        let vfs = list.map_or(vfs.clone(), |list| vfs.with_unsaved(&list.path, list.file.bytes()));
        let asset = open_in(&vfs, &game_path, bytes, &self.search);
        let refused = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::refused(bytes, error) };
        Ok(of_file(path, &vfs, asset.map_err(refused)?))
    }

    pub(super) fn vfs_for(&self, path: &Path) -> Result<(Vfs, String), OpenError> {
        let around = self.files.for_file(path);
        around.map_err(|error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) })
    }
}

fn of_file(path: &Path, vfs: &Vfs, mut asset: ModelAsset) -> ModelAsset {
    asset.file = Some(path.to_path_buf());
    if let Some(name) = vfs.declared_as() {
        name.clone_into(&mut asset.name);
    }
    set_overridden_by(vfs, &mut asset);
    asset
}

/// Opens a model by its game path.
pub(super) fn open_there(vfs: &Vfs, game_path: &str, search: &ResolveContext) -> Result<ModelAsset, OpenCause> {
    let bytes = vfs.read(game_path, ReadLimit::MODEL).map_err(OpenCause::Read)?;
    let mut part = open_in(vfs, game_path, &bytes, search).map_err(|error| OpenCause::refused(&bytes, error))?;
    part.file = vfs.location_of(game_path);
    if vfs.entry(game_path).is_some_and(|entry| entry.is_own()) {
        set_overridden_by(vfs, &mut part);
    }
    Ok(part)
}

/// Opens an accessory or a weapon. The result is cached if images are not decoded, because many characters may use the
/// model.
pub(super) fn open_accessory(
    vfs: &Vfs,
    game_path: &str,
    search: &ResolveContext,
) -> Arc<Result<ModelAsset, OpenCause>> {
    match search.depth {
        ImageLoading::LocateOnly => vfs.memo(game_path, |vfs| open_there(vfs, game_path, search)),
        ImageLoading::Decode => Arc::new(open_there(vfs, game_path, search)),
    }
}

/// Records the override if the game uses another file instead of a model in the home mount.
fn set_overridden_by(vfs: &Vfs, asset: &mut ModelAsset) {
    let Some(by) = vfs.overridden_by(&asset.game_path).map(name_of_location) else { return };
    let own = vfs.root().map(name_of_location).unwrap_or_default();
    let note = format!("overridden by {by} in the game; this is the file from {own}");
    let first: Arc<[SearchStep]> = [SearchStep { what: "Model".to_owned(), note, ..SearchStep::default() }].into();
    for skin in &mut asset.skins {
        let with_step = |material: &SurfaceMaterial| SurfaceMaterial {
            search_log: material.search_log.after(Arc::clone(&first)),
            ..material.clone()
        };
        skin.materials = skin.materials.iter().map(with_step).collect();
    }
    asset.overridden_by = Some(by);
}

/// Opens `bytes` as the model at `game_path`, with its companion files in `vfs`.
pub fn open_in(vfs: &Vfs, game_path: &str, bytes: &[u8], search: &ResolveContext) -> Result<ModelAsset, LoadError> {
    Ok(with_materials(vfs, game_path, &load_in(vfs, game_path, bytes, LoadOptions::default())?, search))
}

/// Adds the materials and skins to a loaded model.
fn with_materials(vfs: &Vfs, game_path: &str, loaded: &LoadedModel, search: &ResolveContext) -> ModelAsset {
    let LoadedModel { model, setups, engine, lookups, .. } = loaded;
    let vfs = &vfs.recording(lookups);
    let (mut warnings, traits) = (loaded.warnings.clone(), model.format().traits());
    let mut resolver = MaterialResolver::new(vfs, game_path, model.format(), engine.clone(), search);
    let mut skins = find_skins(vfs, &mut resolver, game_path, model, setups, &mut warnings);
    if traits.alpha_without_script || engine.as_ref().is_some_and(|known| known.engine.textures.alpha_without_script) {
        search.queue.iter().for_each(|queue| queue.count_alpha());
        let seen = |material: &SurfaceMaterial| material.clone().with_image_transparency();
        skins.iter_mut().for_each(|skin| skin.materials = skin.materials.iter().map(seen).collect());
    }
    // The search may have opened more archives.
    warnings.append(archive_warnings(vfs, game_path));
    ModelAsset {
        name: name_of(game_path).to_owned(),
        game_path: game_path.to_owned(),
        file: None,
        added: Vec::new(),
        first_skin: String::new(),
        overridden_by: None,
        order_matters: vfs.order_matters(),
        edited: None,
        salvaged: loaded.salvaged,
        of_character: plan_of_part(vfs, game_path).is_some(),
        outlines: loaded.outlines.clone(),
        pending_images: None,
        model: Arc::clone(model),
        engine: engine.clone(),
        skins,
        lookups: Arc::clone(lookups),
        warnings: warnings.into_vec(),
    }
}
