//! Where a model comes from, for reading it again.

use std::path::PathBuf;

use super::EditedFile;

/// Origin of a model: its file and what was added to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The model's file.
    pub file: PathBuf,
    /// Skins and animations that the user added.
    pub added: Vec<PathBuf>,
    /// The file's changed bytes. What is not saved is read from them.
    pub edited: Option<EditedFile>,
    /// Whether the file is damaged, so that its intact parts are enough.
    pub salvaged: bool,
}
