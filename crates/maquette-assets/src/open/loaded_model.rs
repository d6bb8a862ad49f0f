//! A model before the search for materials.

use std::sync::Arc;

use super::OutlineCache;
use crate::engines::{KnownEngine, ModelSetup};
use crate::vfs::Lookups;
use maquette_core::error::{Warning, Warnings};
use maquette_core::model::Model;

/// A model with its levels of detail, animations, clips and tags, before the search for materials.
pub struct LoadedModel {
    /// The model.
    pub model: Arc<Model>,
    /// Whether the file is damaged, so that only its intact parts are loaded.
    pub(super) salvaged: bool,
    pub(super) outlines: OutlineCache,
    pub(super) warnings: Warnings,
    pub(super) archive_warnings: Vec<Warning>,
    pub(super) setups: Vec<ModelSetup>,
    /// Engine that the model was recognised as, if it has specific rules.
    pub(super) engine: Option<KnownEngine>,
    /// Companion files that were looked up.
    pub(super) lookups: Arc<Lookups>,
}

impl LoadedModel {
    /// Returns the warnings about the model's file and its companion files.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut all = self.warnings.clone();
        all.append(self.archive_warnings.clone());
        all.into_vec()
    }
}
