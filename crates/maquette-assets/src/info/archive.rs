//! Report of `info ARCHIVE`: number of files, and a summary of each model.

use serde::Serialize;

use maquette_core::error::LoadError;
use maquette_core::model::Model;

/// Report on an archive.
#[derive(Clone, Debug, Serialize)]
pub struct ArchiveReport {
    /// File name.
    pub name: String,
    /// Number of files in the archive.
    pub files: usize,
    /// Models that could be loaded, by path.
    pub models: Vec<ArchivedModel>,
    /// Files with names of models that could not be loaded.
    pub failed: Vec<FailedModel>,
    /// Warnings about the archive itself.
    pub warnings: Vec<String>,
}

/// A model in an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedModel {
    /// Path in the archive, as stored.
    pub path: String,
    /// Short name of the format, by content.
    pub format: &'static str,
    /// Number of frames; 1 for an MD5, whose animations are separate files.
    pub frames: usize,
    /// Number of surfaces of all levels of detail.
    pub surfaces: usize,
    /// Number of triangles of all surfaces.
    pub triangles: usize,
    /// Names of tags.
    pub tags: Vec<String>,
    /// Name of the archive or folder that overrides the file in the game, if any.
    pub replaced_by: Option<String>,
}

/// A file that could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedModel {
    /// Path in the archive, as stored.
    pub path: String,
    /// Reason, in a sentence.
    pub reason: String,
}

impl ArchiveReport {
    /// Adds a model, or the error if it did not load. `replaced_by` is the archive or folder that overrides it.
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
