//! What `info ARCHIVE` tells: how many files there are, and what every model among them is.

use serde::Serialize;

use maquette_core::error::LoadError;
use maquette_core::model::Model;

/// An archive.
#[derive(Clone, Debug, Serialize)]
pub struct ArchiveReport {
    /// File name.
    pub name: String,
    /// Entries that are no folders.
    pub files: usize,
    /// Every model that could be read, by path.
    pub models: Vec<ArchivedModel>,
    /// Files called like models that could not be read.
    pub failed: Vec<FailedModel>,
    /// What was odd in the archive itself.
    pub warnings: Vec<String>,
}

/// A model in an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedModel {
    /// Path in the archive, as stored.
    pub path: String,
    /// Short name of the format, by content.
    pub format: &'static str,
    /// Frames in the file; 1 for an MD5, whose animations are files of their own.
    pub frames: usize,
    /// Surfaces in the file, of all its levels of detail.
    pub surfaces: usize,
    /// Their triangles.
    pub triangles: usize,
    /// Names of its tags.
    pub tags: Vec<String>,
    /// Name of the archive or folder whose file the game takes in place of this one; none where it takes this one.
    pub replaced_by: Option<String>,
}

/// A file that could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedModel {
    /// Path in the archive, as stored.
    pub path: String,
    /// Why, in a sentence.
    pub reason: String,
}

impl ArchiveReport {
    /// Adds a model, with the name of what the game takes in its place, or why it is none.
    pub fn add(&mut self, path: &str, replaced_by: Option<String>, model: Result<&Model, &LoadError>) {
        match model {
            Ok(model) => self.models.push(ArchivedModel {
                path: path.to_owned(),
                format: model.format().name(),
                frames: model.frames().len(),
                surfaces: model.surfaces().len(),
                triangles: model.surfaces().iter().map(|surface| surface.triangles.len()).sum(),
                tags: model.tags().to_vec(),
                replaced_by,
            }),
            Err(error) => self.failed.push(FailedModel { path: path.to_owned(), reason: error.to_string() }),
        }
    }
}
