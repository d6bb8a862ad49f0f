//! A converted model as files, and those files as a model again.

use crate::error::LoadError;
use crate::error::WriteError;
use crate::formats::{self, WrittenModel};
use crate::model::Model;

use super::clips::animation_config;

/// A converted model as it will lie on disk.
#[derive(Clone, Debug)]
pub struct ConvertedFiles {
    written: WrittenModel,
    /// Lists the clips, for formats that do not name them.
    config: Option<String>,
}

/// A file beside the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
    /// It may belong to other models too: the list of clips.
    pub is_shared: bool,
}

impl ConvertedFiles {
    /// Writes a model that was converted.
    ///
    /// # Errors
    ///
    /// If a name or a number is beyond what the format holds.
    pub fn of(model: &Model) -> Result<Self, WriteError> {
        let has_config = model.format().traits().companions.clip_lists;
        let config = if has_config { animation_config(model.clips()) } else { None };
        Ok(Self { written: formats::write(model)?, config })
    }

    /// The model's own file.
    #[must_use]
    pub fn main(&self) -> &[u8] {
        &self.written.main
    }

    /// Files that belong to a model `NAME.EXTENSION`: `NAME_1.EXTENSION` for a coarser level of detail, the name of its clip for an
    /// animation, `animation.cfg` for the list of clips.
    #[must_use]
    pub fn beside(&self, stem: &str, extension: &str) -> Vec<CompanionFile> {
        let own = |name: String, bytes: &[u8]| CompanionFile { name, bytes: bytes.to_vec(), is_shared: false };
        let lods = self.written.lods.iter().map(|(lod, bytes)| own(format!("{stem}_{lod}.{extension}"), bytes));
        let animations = self.written.animations.iter();
        let animations = animations.map(|file| own(format!("{}.md5anim", file_name(&file.name)), &file.bytes));
        let config = self
            .config
            .iter()
            .map(|text| CompanionFile { is_shared: true, ..own("animation.cfg".to_owned(), text.as_bytes()) });
        lods.chain(animations).chain(config).collect()
    }

    /// Reads everything that was written.
    ///
    /// # Errors
    ///
    /// If something of it does not load, which would be a mistake of ours.
    pub fn read_again(&self) -> Result<Model, LoadError> {
        let (mut model, _) = formats::load(&self.written.main)?;
        for (lod, bytes) in &self.written.lods {
            model.add_lod(formats::load(bytes)?.0, *lod);
        }
        if model.format().traits().companions.animations {
            for animation in &self.written.animations {
                model.add_animation(&animation.name, &animation.bytes)?;
            }
        }
        Ok(model)
    }
}

/// A name without what file systems take for something else.
fn file_name(name: &str) -> String {
    let safe = |c: char| if c.is_control() || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    name.chars().map(safe).collect()
}
