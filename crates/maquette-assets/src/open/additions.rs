//! Skins, animations and images that the user adds to a model.

use std::path::Path;
use std::sync::Arc;

use super::{ModelAsset, OpenCause, OpenError, Opener, OutlineCache, Skin, SkinSource};
use crate::material::{Image, MaterialResolver, SearchStep, SkinFile, SurfaceMaterial, TextureWrap};
use crate::vfs::{ReadLimit, Vfs, split_extension};
use maquette_core::convert::UniqueNames;
use maquette_core::error::{LoadError, Warning, Warnings};
use maquette_core::model::{AnimationFiles, Model};

impl Opener {
    /// Adds the animation file at `path` to the clips of `asset`; see [`Model::add_animation`].
    pub fn with_animation(&self, asset: &ModelAsset, path: &Path) -> Result<ModelAsset, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let broken = |error: LoadError| fail(OpenCause::Load(Box::new(error)));
        let bytes = self.files.read(path, ReadLimit::Whole).map_err(|error| fail(OpenCause::Read(error)))?;
        if asset.model.format().traits().companions.animations == AnimationFiles::None {
            return Err(fail(OpenCause::NoSkeleton(asset.name.clone())));
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut names = UniqueNames::default();
        for clip in asset.model.clips() {
            names.claim(clip.name.clone(), str::to_owned, "_");
        }
        let name = names.claim(split_extension(&file).0.to_owned(), str::to_owned, "_");
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
            placement: read.placement(),
            accessories: read.accessories,
            source: SkinSource::SkinFile(path.display().to_string()),
            ..Skin::plain(&name, materials.into())
        });
        Ok(asset)
    }
}
