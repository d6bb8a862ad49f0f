//! Opening of models and characters with companion files, materials and skins.

#![forbid(unsafe_code)]

mod character;
mod edit;
mod edited_file;
mod error;
mod loaded_model;
mod material_names;
mod model;
mod model_asset;
mod model_search;
mod model_setup;
mod model_tree;
mod named_files;
mod outlines;
mod pending_images;
mod sample;
mod sort_models;
mod source;
mod stored_textures;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::limits::MAX_MODEL_FILES;
use crate::material::{
    Image, ImageCache, ImageLoading, ImageQueue, Limits, MaterialResolver, ResolveContext, SearchStep, SkinFile,
    SurfaceMaterial, TextureWrap,
};
use crate::vfs::{FileLocation, FileSystem, ReadLimit, SearchOrder, Vfs, folder_of, name_of, split_extension};
use maquette_core::bytes::LoadOptions;
use maquette_core::error::{LoadError, Warning, Warnings};
use maquette_core::model::{AnimationFiles, Model};

pub use character::{Anchor, Assembly, AssemblyPart, Character, HAND_TAGS, Role, is_weapon};
use character::{add_extras, assemble, missing_part, plan_of_folder, plan_of_part};
pub use edit::{EditedPart, renamed_skins};
pub use edited_file::EditedFile;
pub use error::{OpenCause, OpenError};
pub use loaded_model::LoadedModel;
pub use material_names::{MaterialName, fitting_names};
pub use model::open_in;
use model::{load_in, open_there, resolve, salvage_in, set_overridden_by};
pub use model_asset::{ModelAsset, Skin, SkinSource};
pub use model_search::{
    ScanResult, finest_level, format_by_name, is_animation_of_models, is_model_file, models_in_folder_of, only_legs,
    scan, without_coarser_levels, without_levels,
};
pub use model_tree::{ModelTree, Node, TreeFolder};
pub use named_files::NamedFiles;
pub use outlines::{Outline, OutlineCache, pose_key};
pub use pending_images::PendingImages;
pub use sample::{FIRST_SAMPLE, open_sample, sample_bytes, sample_conversions, sample_formats};
pub use sort_models::sort_models;
pub use source::Source;

/// Opens a model file with its companion files, skins and images.
pub fn open(path: &Path) -> Result<ModelAsset, OpenError> {
    Opener::new(Vec::new(), ImageLoading::Decode).model(path)
}

/// Opener of models and characters in folders and archives. Clones share caches.
#[derive(Clone, Debug)]
pub struct Opener {
    files: FileSystem,
    load: LoadOptions,
    search: ResolveContext,
}

/// Options of one request to an [`Opener`].
#[derive(Clone, Debug, Default)]
pub struct OpenOptions {
    /// Order in which the archives of a game are searched.
    pub order: SearchOrder,
    /// Memory for the images of a model, and cancellation. A cancelled request returns an incomplete model.
    pub limits: Limits,
    /// Queue for images that are decoded later; if `None`, images are decoded at once.
    pub queue: Option<Arc<ImageQueue>>,
    /// Whether fullbright colours of the skins in a model are lit ([`ResolveContext::lit_fullbrights`]).
    pub lit_fullbrights: bool,
    /// Interpretation of models in other conventions than those of the games.
    pub load: LoadOptions,
}

impl Opener {
    /// Creates an opener that searches `roots` (later ones first) before a model's game. `depth` selects whether images
    /// are decoded.
    #[must_use]
    pub fn new(roots: Vec<PathBuf>, depth: ImageLoading) -> Self {
        Self { files: FileSystem::new(roots), load: LoadOptions::default(), search: ResolveContext::new(depth) }
    }

    /// Returns an opener for one request.
    #[must_use]
    pub fn with(&self, options: OpenOptions) -> Self {
        let OpenOptions { order, limits, queue, lit_fullbrights, load } = options;
        let search = ResolveContext { limits, queue, lit_fullbrights, ..self.search.clone() };
        Self { files: self.files.for_request().in_order(order), load, search }
    }

    /// Sets the order in which the archives of a game are searched.
    #[must_use]
    pub fn in_order(mut self, order: SearchOrder) -> Self {
        self.files = self.files.in_order(order);
        self
    }

    /// Shares decoded images through `images`.
    #[must_use]
    pub fn sharing(mut self, images: Arc<ImageCache>) -> Self {
        self.search = self.search.sharing(images);
        self
    }

    /// Assumes that files do not change, for a run over many models.
    #[must_use]
    pub fn unchanging(mut self) -> Self {
        self.files = self.files.unchanging();
        self.sharing(Arc::new(ImageCache::keeping()))
    }

    /// Disables the search for similarly named images.
    #[must_use]
    pub fn without_suggestions(mut self) -> Self {
        self.search.without_suggestions = true;
        self
    }

    /// Decodes images of `queue` until no work is left or `stop` returns true. Several threads may call this function.
    pub fn decode(&self, queue: &ImageQueue, stop: impl Fn() -> bool) {
        let read = |location: &Path, max| self.files.read(location, ReadLimit::Start(max));
        queue.decode(&self.search.limits, &self.search.images, read, stop);
    }

    /// Returns the file system.
    #[must_use]
    pub fn files(&self) -> &FileSystem {
        &self.files
    }

    /// Loads the model at `path` with levels of detail, animations, clips and tags of companion files, but no
    /// materials.
    pub fn load(&self, path: &Path) -> Result<LoadedModel, OpenError> {
        self.read_with(path, |vfs, game_path, bytes| {
            load_in(vfs, game_path, bytes, self.load).map_err(|error| OpenCause::refused(bytes, error))
        })
    }

    /// Finds skins, scripts and images for a model from [`Self::load`].
    pub fn resolve(&self, path: &Path, loaded: &LoadedModel) -> Result<ModelAsset, OpenError> {
        let (vfs, game_path) = self.vfs_for(path)?;
        Ok(of_file(path, &vfs, resolve(&vfs, &game_path, loaded, &self.search)))
    }

    /// Opens the single model at `path` with its companion files, skins and images.
    pub fn model(&self, path: &Path) -> Result<ModelAsset, OpenError> {
        self.model_with(path, |vfs, game_path, bytes| {
            let loaded = load_in(vfs, game_path, bytes, self.load);
            let loaded = loaded.map_err(|error| OpenCause::refused(bytes, error))?;
            Ok(resolve(vfs, game_path, &loaded, &self.search))
        })
    }

    /// Opens the intact parts of a damaged model at `path`. An intact model is opened as a whole.
    pub fn salvaged(&self, path: &Path) -> Result<ModelAsset, OpenError> {
        self.model_with(path, |vfs, game_path, bytes| {
            let salvaged = salvage_in(vfs, game_path, bytes, self.load, &self.search);
            salvaged.map_err(|error| OpenCause::refused(bytes, error))
        })
    }

    fn model_with(
        &self,
        path: &Path,
        open: impl FnOnce(&Vfs, &str, &[u8]) -> Result<ModelAsset, OpenCause>,
    ) -> Result<ModelAsset, OpenError> {
        self.read_with(path, |vfs, game_path, bytes| Ok(of_file(path, vfs, open(vfs, game_path, bytes)?)))
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
        let (vfs, game_path) = self.files.around_located(&location).map_err(read)?;
        use_bytes(&vfs, &game_path, &bytes).map_err(fail)
    }

    /// Reads a model's file; only the start if it is not a model.
    fn bytes_of(&self, path: &Path) -> Result<Vec<u8>, OpenError> {
        let bytes = self.files.read(path, ReadLimit::MODEL);
        bytes.map_err(|error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) })
    }

    fn renaming_in_skins(&self, edited: &EditedFile) -> Self {
        let search = ResolveContext { skin_names: Arc::clone(edited.skin_names()), ..self.search.clone() };
        Self { search, ..self.clone() }
    }

    fn model_of(&self, path: &Path, bytes: &[u8]) -> Result<ModelAsset, OpenError> {
        let (vfs, game_path) = self.vfs_for(path)?;
        let asset = open_in(&vfs, &game_path, bytes, &self.search);
        let refused = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::refused(bytes, error) };
        Ok(of_file(path, &vfs, asset.map_err(refused)?))
    }

    fn vfs_for(&self, path: &Path) -> Result<(Vfs, String), OpenError> {
        let around = self.files.for_file(path);
        around.map_err(|error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) })
    }

    /// Opens the character if `path` is its folder or one of its main parts, else the single model.
    pub fn assembly(&self, path: &Path) -> Result<Assembly, OpenError> {
        match self.planned_character(path) {
            Err(OpenError { cause: OpenCause::NoCharacter(_), .. }) => self.with_joined_models(path),
            // If another part is broken, the requested one is shown alone.
            Err(error) if error.path != path => {
                let Ok(mut asset) = self.model(path) else { return Err(error) };
                asset.warnings.push(Warning::companion("character", error.to_string()));
                Ok(Assembly::from(asset))
            }
            result => result,
        }
    }

    /// Opens a single model with the models that its game draws together with it.
    fn with_joined_models(&self, path: &Path) -> Result<Assembly, OpenError> {
        let mut assembly = Assembly::from(self.model(path)?);
        let Some(first) = assembly.members.first_mut() else { return Ok(assembly) };
        let asset = &mut first.asset;
        let (vfs, game_path) = self.vfs_for(path)?;
        let known = asset.engine.as_ref();
        let joined = known.and_then(|known| (known.engine.joined_models)(&vfs, &game_path));
        let Some((actor, paths)) = joined else { return Ok(assembly) };
        let mut members = Vec::new();
        for path in paths.iter().take(MAX_MODEL_FILES) {
            match open_there(&vfs, path, &self.search) {
                Ok(mut part) => {
                    // Put the actor's skin first, because a part starts with its first skin.
                    part.skins.sort_by_key(|skin| !skin.is_called(&actor));
                    let member = AssemblyPart::new(part, Role::Attached).on(0, Anchor::Origin);
                    let follows_parent = member.asset.model.frames().len() == asset.model.frames().len();
                    members.push(AssemblyPart { follows_parent, ..member });
                }
                Err(cause) => asset.warnings.push(Warning::companion(
                    name_of(path),
                    format!("the joined model was not opened: {}", cause.sentence()),
                )),
            }
        }
        assembly.members.extend(members);
        Ok(assembly)
    }

    /// Opens a model again, with its unsaved edits and the skins and animations that the user added.
    pub fn reopen(&self, source: &Source) -> Result<ModelAsset, OpenError> {
        let mut asset = match &source.edited {
            Some(edited) => self.reopen_edited(&source.file, edited)?,
            None if source.salvaged => self.salvaged(&source.file)?,
            None => self.model(&source.file)?,
        };
        let opener = source.edited.as_ref().map_or_else(|| self.clone(), |edited| self.renaming_in_skins(edited));
        for added in &source.added {
            let is_skin = added.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("skin"));
            let more = if is_skin { opener.with_skin(&asset, added) } else { self.with_animation(&asset, added) };
            match more {
                Ok(more) => asset = more,
                Err(error) => asset.warnings.push(Warning::companion(error.name(), error.reason())),
            }
        }
        Ok(asset)
    }

    /// Opens the character if `path` is its folder or one of its main parts, else the models that a game draws
    /// together.
    pub fn character(&self, path: &Path) -> Result<Assembly, OpenError> {
        let planned = self.planned_character(path);
        if matches!(&planned, Err(OpenError { cause: OpenCause::NoCharacter(_), .. }))
            && let Ok(joined) = self.with_joined_models(path)
            && joined.members.len() > 1
        {
            return Ok(joined);
        }
        planned
    }

    fn planned_character(&self, path: &Path) -> Result<Assembly, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let read = |error| fail(OpenCause::Read(error));
        let location = self.files.locate(path).map_err(read)?;
        let (vfs, game_path) = self.files.around_located(&location).map_err(read)?;
        let plan = match &location {
            FileLocation::File(_) | FileLocation::FileInArchive { .. } => plan_of_part(&vfs, &game_path),
            FileLocation::Folder(_) | FileLocation::FolderInArchive { .. } => plan_of_folder(&vfs, &game_path, ""),
            FileLocation::Archive(_) => None,
        };
        let plan = plan.ok_or_else(|| {
            let is_file = matches!(location, FileLocation::File(_) | FileLocation::FileInArchive { .. });
            let folder = if is_file { folder_of(&game_path) } else { &game_path };
            fail(OpenCause::NoCharacter(missing_part(&vfs, folder)))
        })?;
        let assembly = assemble(&vfs, &plan, &self.search).map_err(|(broken, cause)| OpenError {
            path: vfs.location_of(&broken).unwrap_or_else(|| PathBuf::from(broken)),
            cause,
        });
        let mut assembly = assembly?;
        // The requested file keeps its path. It is used even if a root or a later archive of the game overrides it.
        for member in
            assembly.members.iter_mut().filter(|member| member.asset.game_path.eq_ignore_ascii_case(&game_path))
        {
            if !vfs.entry(&game_path).is_some_and(|entry| entry.is_own()) {
                member.asset = self.model(path)?;
            }
            member.asset.file = Some(path.to_path_buf());
        }
        Ok(assembly)
    }

    /// Opens a model for attaching, with a weapon's barrel and flash.
    pub fn attachment(&self, path: &Path) -> Result<Vec<AssemblyPart>, OpenError> {
        let asset = self.model(path)?;
        let read = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) };
        let (vfs, game_path) = self.files.for_file(path).map_err(read)?;
        let mut members = vec![AssemblyPart::new(asset, Role::Attached)];
        add_extras(&vfs, &game_path, &self.search, &mut members);
        Ok(members)
    }

    /// Adds the animation file at `path` to the clips of `asset`; see [`Model::add_animation`].
    pub fn with_animation(&self, asset: &ModelAsset, path: &Path) -> Result<ModelAsset, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let broken = |error: LoadError| fail(OpenCause::Load(Box::new(error)));
        let bytes = self.files.read(path, ReadLimit::Whole).map_err(|error| fail(OpenCause::Read(error)))?;
        if asset.model.format().traits().companions.animations == AnimationFiles::None {
            return Err(fail(OpenCause::NoSkeleton(asset.name.clone())));
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let stem = split_extension(&file).0.to_owned();
        let taken = |name: &str| asset.model.clips().iter().any(|clip| clip.name == name);
        let mut name = stem.clone();
        let mut number = 2;
        while taken(&name) {
            name = format!("{stem} ({number})");
            number += 1;
        }
        let mut model = Model::clone(&asset.model);
        let own = model.add_animation(&name, &bytes).map_err(broken)?;
        let mut warnings = asset.warnings.clone();
        let location = Some(path.to_path_buf());
        warnings.extend(own.into_iter().map(|warning| warning.of_companion(file.clone(), location.clone())));
        let mut added = asset.added.clone();
        if !added.iter().any(|known| known == path) {
            added.push(path.to_path_buf());
        }
        // The frames differ from those of the previous model.
        let outlines = OutlineCache::default();
        Ok(ModelAsset { model: Arc::new(model), outlines, warnings, added, ..asset.clone() })
    }

    /// Decodes an image file into a material that can be assigned.
    pub fn image(&self, path: &Path) -> Result<SurfaceMaterial, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let limits = &self.search.limits;
        let bytes = self.files.read(path, ReadLimit::Start(limits.image_file_bytes()));
        let bytes = bytes.map_err(|error| fail(OpenCause::Read(error)))?;
        let name = path.display().to_string();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let image = Image::decode_within(&bytes, &file, limits.image_bytes());
        let image = image.map_err(|error| fail(OpenCause::Image(error.to_string())))?;
        let step = SearchStep {
            what: "Image file".to_owned(),
            tried: vec![name.clone()],
            found: Some(name.clone()),
            ..SearchStep::default()
        };
        let material = SurfaceMaterial::of_image(&file, &name, Arc::new(image), TextureWrap::Repeat);
        Ok(SurfaceMaterial { search_log: [step].into(), ..material })
    }

    /// Adds the skin in the `.skin` file at `path` to `asset`.
    pub fn with_skin(&self, asset: &ModelAsset, path: &Path) -> Result<ModelAsset, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let bytes = self.files.read(path, ReadLimit::TEXT).map_err(|error| fail(OpenCause::Read(error)))?;
        // The images may be in the model's game or in the skin's.
        let (skin_vfs, _) = self.files.for_file(path).map_err(|error| fail(OpenCause::Read(error)))?;
        let model_vfs =
            asset.file.as_ref().and_then(|file| self.files.for_file(file).ok()).map(|(model_vfs, _)| model_vfs);
        let read = SkinFile::parse(&bytes);
        let matches = asset.model.surfaces().iter().any(|surface| read.path_of(&surface.name).is_some());
        if !matches && read.scale.is_none() {
            return Err(fail(OpenCause::NoSurface(asset.name.clone())));
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let assigned = |vfs: &Vfs| {
            let (format, engine) = (asset.model.format(), asset.engine.clone());
            let mut resolver = MaterialResolver::new(vfs, &asset.game_path, format, engine, &self.search);
            // Surfaces that the skin does not name keep the material of the model.
            let plain = resolver.materials(&asset.model, &mut Warnings::default());
            resolver.materials_with(&asset.model, &plain, &read, &name, &mut Warnings::default())
        };
        let found = |materials: &[SurfaceMaterial]| materials.iter().filter(|material| !material.is_missing()).count();
        let mut materials = assigned(&skin_vfs);
        if let Some(model_vfs) = model_vfs {
            let others = assigned(&model_vfs);
            if found(&others) > found(&materials) {
                materials = others;
            }
        }
        let mut asset = asset.clone();
        if !read.accessories.is_empty() {
            let message = "accessories skipped: they attach only if the skin file is in the model’s folder";
            asset.warnings.push(Warning::companion(name.clone(), message));
        }
        if !asset.added.iter().any(|known| known == path) {
            asset.added.push(path.to_path_buf());
        }
        let materials = asset.seen_through(materials);
        asset.skins.retain(|skin| skin.name != name);
        asset.skins.push(Skin {
            name,
            materials: materials.into(),
            placement: read.placement(),
            accessories: read.accessories,
            is_generic: false,
            source: SkinSource::SkinFile(path.display().to_string()),
        });
        Ok(asset)
    }
}

fn of_file(path: &Path, vfs: &Vfs, mut asset: ModelAsset) -> ModelAsset {
    asset.file = Some(path.to_path_buf());
    set_overridden_by(vfs, &mut asset);
    asset
}
