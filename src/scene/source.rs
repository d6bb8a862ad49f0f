//! Where what stands in the scene comes from, for reading it again.

use std::path::PathBuf;

use super::{EditedFile, EntityId};

/// Where an entity comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Whose.
    pub entity: EntityId,
    /// The model's file.
    pub file: PathBuf,
    /// Skins and animations that were added to it by hand.
    pub added: Vec<PathBuf>,
    /// The file, if it was changed here: what is not saved is read from these bytes.
    pub edited: Option<EditedFile>,
    /// What is intact of the model's file is enough.
    pub salvaged: bool,
}
