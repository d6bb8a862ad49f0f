//! Opening in two steps: models first, their materials when these are decoded.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::cube::CubeSetup;
use crate::material::{KnownGame, Limits, PictureSupply, ResolveContext};
use crate::open::OutlineCache;
use maquette_core::error::{Warning, Warnings};
use maquette_core::model::Model;

/// What is kept between the steps of an opening: the models, and the pictures as far as they are decoded. While an opener
/// has it, what it opens again is dressed anew and not read again.
#[derive(Clone, Debug, Default)]
pub struct Staging {
    /// The pictures.
    pub supply: PictureSupply,
    models: Arc<Models>,
}

impl Staging {
    /// Whether anybody else holds a model that was opened with it.
    #[must_use]
    pub fn is_wanted(&self) -> bool {
        let models = self.models.0.lock().unwrap_or_else(PoisonError::into_inner);
        models.values().any(|read| Arc::strong_count(&read.model) > 1)
    }
}

#[derive(Default)]
struct Models(Mutex<HashMap<PathBuf, Arc<LoadedModel>>>);

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Models")
    }
}

/// A model with its levels of detail, animations, clips and tags, before its materials are searched for.
pub struct LoadedModel {
    /// The model.
    pub model: Arc<Model>,
    pub(super) outlines: OutlineCache,
    /// Warnings about the model's file and its companion files.
    pub(super) warnings: Warnings,
    /// Warnings of the model's archive about the file.
    pub(super) archive_warnings: Vec<Warning>,
    pub(super) outfits: Vec<CubeSetup>,
    pub(super) game: Option<KnownGame>,
    /// Number by which images that come later find the model.
    pub(super) number: u64,
}

/// Models read by now.
static READ: AtomicU64 = AtomicU64::new(0);

impl LoadedModel {
    pub(super) fn new(model: Model, warnings: Warnings, outfits: Vec<CubeSetup>, game: Option<KnownGame>) -> Self {
        Self {
            model: Arc::new(model),
            outlines: OutlineCache::default(),
            warnings,
            archive_warnings: Vec::new(),
            outfits,
            game,
            number: READ.fetch_add(1, Ordering::Relaxed) + 1,
        }
    }

    /// Warnings about the model's file and its companion files.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut all = self.warnings.clone();
        all.append(self.archive_warnings.clone());
        all.into_vec()
    }
}

/// How models are opened.
#[derive(Clone, Debug)]
pub(super) struct Opening {
    pub search: ResolveContext,
    staging: Option<Staging>,
}

impl Opening {
    pub fn new(search: ResolveContext) -> Self {
        Self { search, staging: None }
    }

    /// Like `self`, for a request with these options.
    pub fn with(&self, limits: Limits, staging: Option<Staging>) -> Self {
        let mut search = self.search.clone();
        (search.limits, search.supply) = (limits, staging.as_ref().map(|staging| staging.supply.clone()));
        Self { search, staging }
    }

    /// The model at a place as it was read before.
    pub fn known(&self, place: Option<&Path>) -> Option<Arc<LoadedModel>> {
        let models = self.staging.as_ref()?.models.0.lock().unwrap_or_else(PoisonError::into_inner);
        models.get(place?).cloned()
    }

    /// Keeps what was read.
    pub fn keep(&self, place: Option<&Path>, read: LoadedModel) -> Arc<LoadedModel> {
        let read = Arc::new(read);
        if let Some((staging, place)) = self.staging.as_ref().zip(place) {
            let mut models = staging.models.0.lock().unwrap_or_else(PoisonError::into_inner);
            models.insert(place.to_path_buf(), Arc::clone(&read));
        }
        read
    }
}
