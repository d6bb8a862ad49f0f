//! Origin of a model, for reloading.

use std::path::PathBuf;

use super::EditedFile;

/// Origin of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// File of the model.
    pub file: PathBuf,
    /// Skins and animations that the user added.
    pub added: Vec<PathBuf>,
    /// Skin that the character puts first; may be empty.
    pub first_skin: String,
    /// Edited bytes of the file, used for unsaved edits.
    pub edited: Option<EditedFile>,
    /// Whether to open only the intact parts of a damaged file.
    pub salvaged: bool,
}
