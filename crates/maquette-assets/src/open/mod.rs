//! Opening of models and characters with companion files, materials and skins.

mod additions;
mod character;
mod edit;
mod edited_file;
mod error;
mod load;
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
mod skins;
mod sort_models;
mod source;
mod stored_textures;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::material::{
    ColourSource, Image, ImageCache, ImageLoading, ImageQueue, Kind, Limits, MaterialResolver, Origin, ResolveContext,
    Scripts,
};
use crate::vfs::{FileSystem, ReadLimit, SearchOrder};
use maquette_core::bytes::LoadOptions;
use maquette_core::error::Warnings;
use maquette_core::model::Format;

pub use character::{Anchor, Assembly, AssemblyPart, Character, HAND_TAGS, Role, is_weapon};
pub use edit::{EditedPart, is_part_of_player, renamed_skins};
pub use edited_file::{EditedBytes, EditedClipList, EditedFile};
pub use error::{OpenCause, OpenError};
pub use loaded_model::LoadedModel;
pub use material_names::{MaterialName, fitting_names, names_beside};
pub use model::open_in;
pub use model_asset::{ClipListToSave, ModelAsset, Skin, SkinSource, is_same_path};
pub use model_search::{
    ModelFiles, ScanResult, count_unread, divide_coarser_levels, divide_levels, finest_level, format_by_name,
    is_animation_of_models, is_model_file, models_in_folder_of, only_legs, scan, scan_with_declared, unread_kind,
};
pub use model_tree::{ModelTree, Node, TreeFolder};
pub use named_files::NamedFiles;
pub use outlines::{Outline, OutlineCache, pose_key};
pub use pending_images::PendingImages;
pub use sample::{FIRST_SAMPLE, open_sample, sample_bytes, sample_conversions, sample_formats};
pub use sort_models::{sort_models, sorted_index};
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
    /// Colours of players ([`ResolveContext::player_colours`]).
    pub player_colours: [Option<u8>; 2],
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
        let OpenOptions { order, limits, queue, lit_fullbrights, player_colours, load } = options;
        let search = ResolveContext { limits, queue, lit_fullbrights, player_colours, ..self.search.clone() };
        Self { files: self.files.for_request().in_order(order), load, search }
    }

    /// Returns an opener that finds images but does not decode them.
    #[must_use]
    pub fn without_images(&self) -> Self {
        let (depth, limits) = (ImageLoading::LocateOnly, self.search.limits.clone());
        let search = ResolveContext { limits, without_suggestions: true, ..ResolveContext::new(depth) };
        Self { files: self.files.for_request(), load: self.load, search }
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

    /// Returns the images of a light's material in the game of a model of `format`: across the light, and along its
    /// depth.
    pub fn light_images(&self, model: &Path, format: Format, material: &str) -> [Option<Arc<Image>>; 2] {
        let Ok((vfs, game_path)) = self.files.for_file(model) else { return [None, None] };
        let mut resolver = MaterialResolver::new(&vfs, &game_path, format, None, &self.search);
        let found = resolver.material(material, Origin::Model, &mut Warnings::default());
        let projection = found.definition.stages.iter().find(|stage| stage.colour != ColourSource::Black);
        let projection = projection.and_then(|stage| stage.maps.first());
        let maps = [projection.filter(|_| found.script.is_some()), found.definition.falloff.as_ref()];
        maps.map(|map| map.and_then(|map| map.image.clone()))
    }

    /// Returns the names of the light materials in the game of a model, in the folder that Doom 3's editor offers (dhewm3
    /// `LightDlg.cpp`, `LoadLightTextures`).
    pub fn light_materials(&self, model: &Path) -> Vec<String> {
        let Ok((vfs, _)) = self.files.for_file(model) else { return Vec::new() };
        let is_light = |name: &&str| name.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("lights/"));
        let mut names: Vec<String> =
            Scripts::shared(&vfs).names(Kind::Doom3).filter(is_light).map(Into::into).collect();
        names.sort_unstable();
        names
    }

    /// Returns the file system.
    pub fn files(&self) -> &FileSystem {
        &self.files
    }
}
