//! Opening in two steps: models first, what they wear when it is decoded.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::OpenCause;
use super::cube::Outfit;
use super::shared_files::SharedFiles;
use crate::error::Warnings;
use crate::game::KnownGame;
use crate::material::{PictureSupply, Search};
use crate::model::Model;
use crate::open::{ModelAsset, Outlines};
use crate::vfs::KeptFiles;

/// As many as one figure may have.
const WORN_KEPT: usize = 64;

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
struct Models(Mutex<HashMap<PathBuf, Arc<ReadModel>>>);

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Models")
    }
}

/// A model with its levels of detail and clips, before it is dressed.
pub(super) struct ReadModel {
    pub model: Arc<Model>,
    pub outlines: Outlines,
    /// What was odd so far.
    pub warnings: Warnings,
    pub outfits: Vec<Outfit>,
    pub game: Option<KnownGame>,
    /// By what its pictures are known when they come.
    pub number: u64,
}

/// Models read by now.
static READ: AtomicU64 = AtomicU64::new(0);

impl ReadModel {
    pub fn new(model: Model, warnings: Warnings, outfits: Vec<Outfit>, game: Option<KnownGame>) -> Self {
        let number = READ.fetch_add(1, Ordering::Relaxed) + 1;
        Self { model: Arc::new(model), outlines: Outlines::default(), warnings, outfits, game, number }
    }
}

/// How models are opened.
#[derive(Debug)]
pub(super) struct Opening {
    pub search: Search,
    pub shared: SharedFiles,
    /// Models that figures wear and hold.
    pub worn: KeptFiles<Result<ModelAsset, OpenCause>, WORN_KEPT>,
    staging: Option<Staging>,
}

impl Opening {
    pub fn new(search: Search) -> Self {
        Self { search, shared: SharedFiles::default(), worn: KeptFiles::default(), staging: None }
    }

    pub fn set_staging(&mut self, staging: Option<Staging>) {
        self.search.supply = staging.as_ref().map(|staging| staging.supply.clone());
        self.staging = staging;
    }

    /// The model at a place as it was read before.
    pub fn known(&self, place: Option<&Path>) -> Option<Arc<ReadModel>> {
        let models = self.staging.as_ref()?.models.0.lock().unwrap_or_else(PoisonError::into_inner);
        models.get(place?).cloned()
    }

    /// Keeps what was read.
    pub fn keep(&self, place: Option<&Path>, read: ReadModel) -> Arc<ReadModel> {
        let read = Arc::new(read);
        if let Some((staging, place)) = self.staging.as_ref().zip(place) {
            let mut models = staging.models.0.lock().unwrap_or_else(PoisonError::into_inner);
            models.insert(place.to_path_buf(), Arc::clone(&read));
        }
        read
    }
}
