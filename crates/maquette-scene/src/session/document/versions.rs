//! Likely models for a comparison: LODs and copies of a model, and its state before a reload.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::scene::EntityId;
use crate::session::loads::{QueuedLoad, then_update};
use crate::session::{Document, Effect, Interface, Session};
use maquette_assets::open::{ModelAsset, finest_level, models_in_folder_of};

/// Other versions of a model in its folder.
#[derive(Clone, Debug)]
pub struct ModelVersions {
    /// The model's file.
    pub file: PathBuf,
    /// Other versions of the model; `None` until the folder is read.
    pub models: Option<Vec<ModelVersion>>,
}

/// A version of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelVersion {
    /// The file.
    pub path: PathBuf,
    /// The difference from the model.
    pub kind: VersionKind,
}

/// Difference between a version and the model, according to the file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VersionKind {
    /// A level of detail: `lower_1.md3`.
    Lod,
    /// A file of a different format: `lower.mdc`.
    Format,
    /// A name that continues the model's, or has another number: `lower-old.md3`, `lower_v2.md3`.
    Copy,
}

impl VersionKind {
    /// Returns the display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Lod => "LOD",
            Self::Format => "Other format",
            Self::Copy => "Similar name",
        }
    }
}

/// Returns the file name in lower case, without the extension and the number of a level of detail.
fn base_name(path: &Path) -> Option<String> {
    let finest = finest_level(path);
    Some(finest.as_deref().unwrap_or(path).file_stem()?.to_str()?.to_lowercase())
}

/// Returns a base name without the number of a version: `lower` for `lower_v2`, `lower-2` and `lower2`.
fn unnumbered(base: &str) -> &str {
    let is_separator = |letter: char| !letter.is_alphanumeric();
    let name = base.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let name = name.strip_suffix('v').filter(|name| name.ends_with(is_separator)).unwrap_or(name);
    let name = name.trim_end_matches(is_separator);
    if name.is_empty() { base } else { name }
}

fn versions_among(file: &Path, models: Vec<PathBuf>) -> Vec<ModelVersion> {
    let Some(base) = base_name(file) else { return Vec::new() };
    let kind = |path: &Path| {
        let other = base_name(path)?;
        if other == base {
            let is_format = path.extension() != file.extension();
            return Some(if is_format { VersionKind::Format } else { VersionKind::Lod });
        }
        let rest = other.strip_prefix(unnumbered(&base))?;
        let is_similar = unnumbered(&other) == unnumbered(&base) || !rest.starts_with(char::is_alphanumeric);
        is_similar.then_some(VersionKind::Copy)
    };
    let others = models.into_iter().filter(|path| path != file);
    let mut versions: Vec<ModelVersion> =
        others.filter_map(|path| Some(ModelVersion { kind: kind(&path)?, path })).collect();
    versions.sort_by_key(|version| version.kind as u8);
    versions
}

impl Document {
    pub(crate) fn keep_before_reload(&mut self, assets: &[(EntityId, ModelAsset)]) {
        let scene = &self.scene;
        let saved = assets.iter().filter_map(|(id, asset)| {
            let before = &scene.entity(*id)?.asset;
            let is_same = Arc::ptr_eq(&before.model, &asset.model);
            // Without a file, the next reload does not read the model again.
            let name = format!("{} before reload", before.name);
            (!is_same).then(|| (*id, ModelAsset { name, file: None, edited: None, ..before.clone() }))
        });
        self.before_reload = saved.collect();
    }

    /// Returns the state of the model to compare, before the last reload.
    pub fn before_reload(&self) -> Option<&ModelAsset> {
        self.before_reload_of(self.first_of_comparison()?.id)
    }

    pub(crate) fn before_reload_of(&self, id: EntityId) -> Option<&ModelAsset> {
        self.before_reload.iter().find(|(known, _)| *known == id).map(|(_, asset)| asset)
    }
}

impl Interface {
    fn versions_found(&mut self, file: &Path, models: Vec<PathBuf>) {
        if let Some(versions) = self.versions.as_mut().filter(|versions| versions.file == file) {
            versions.models = Some(versions_among(file, models));
        }
    }
}

impl Session {
    pub(crate) fn find_versions(&mut self) -> Option<Effect> {
        let file = self.document.first_of_comparison()?.asset.file.clone()?;
        self.interface.versions = Some(ModelVersions { file: file.clone(), models: None });
        self.load(QueuedLoad::of_path(file, |context, file| {
            let models = models_in_folder_of(context.opener.files(), &file);
            then_update(move |session| session.interface.versions_found(&file, models))
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_versions_of_a_model_are_offered() {
        let models = ["a/legs.md3", "a/legs_v1.md3", "a/legs_v2.md3", "a/legs-3.md3", "a/legsy.md3", "a/arms_v2.md3"];
        let found = versions_among(Path::new("a/legs_v1.md3"), models.map(PathBuf::from).to_vec());
        let names: Vec<_> = found.iter().map(|version| version.path.to_str().unwrap_or_default()).collect();
        assert_eq!(names, ["a/legs.md3", "a/legs_v2.md3", "a/legs-3.md3"]);
        assert!(found.iter().all(|version| version.kind == VersionKind::Copy));
    }
}
