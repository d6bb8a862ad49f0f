//! Files of a converted model.

use crate::error::{LoadError, WriteError, is_unprintable};
use crate::formats::frame_names::by_name;
use crate::formats::{self, WrittenModel};
use crate::model::{AnimationFiles, Model};

use super::UniqueNames;
use super::clips::animation_config;

/// Converted model in file form.
#[derive(Clone, Debug)]
pub struct ConvertedFiles {
    written: WrittenModel,
    config: Option<String>,
    animation_extension: &'static str,
}

/// Companion file of a converted model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionFile {
    /// File name.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Whether the file may belong to other models too, like a clip list.
    pub is_shared: bool,
}

impl ConvertedFiles {
    /// Writes a converted model. Fails if a name or a number exceeds what the format can store.
    pub fn from_model(model: &Model) -> Result<Self, WriteError> {
        // No clip list is needed if the clips follow from the frame names, which are part of the model file.
        let named = by_name(model.frames(), model.format().usual_rate());
        let companions = model.format().traits().companions;
        // An IQM lists its clips.
        let is_listed = matches!(companions.animations, AnimationFiles::Above(_));
        let has_config = companions.clip_lists && !is_listed && named.as_deref() != Some(model.clips());
        let config = if has_config { animation_config(model.clips()) } else { None };
        let animation_extension = companions.animations.extension().unwrap_or_default();
        let mut written = formats::write(model)?;
        let mut stems = UniqueNames::default();
        for animation in &mut written.animations {
            animation.name = unique_stem(&animation.name, &mut stems);
        }
        Ok(Self { written, config, animation_extension })
    }

    /// Returns the contents of the model file.
    #[must_use]
    pub fn main(&self) -> &[u8] {
        &self.written.main
    }

    /// Returns the companion files of a model `STEM.EXTENSION`: `STEM_1.EXTENSION` for coarser LODs, `CLIP.md5anim` or
    /// `CLIP.iqm` for animations, `animation.cfg` for the clip list.
    #[must_use]
    pub fn companions(&self, stem: &str, extension: &str) -> Vec<CompanionFile> {
        let own = |name: String, bytes: &[u8]| CompanionFile { name, bytes: bytes.to_vec(), is_shared: false };
        let lods = self.written.lods.iter().map(|(lod, bytes)| own(format!("{stem}_{lod}.{extension}"), bytes));
        let animations = self.written.animations.iter();
        let animations = animations.map(|file| own(format!("{}.{}", file.name, self.animation_extension), &file.bytes));
        let config = self
            .config
            .iter()
            .map(|text| CompanionFile { is_shared: true, ..own("animation.cfg".to_owned(), text.as_bytes()) });
        lods.chain(animations).chain(config).collect()
    }

    /// Reads the written files. An error means a bug in the writer.
    pub fn read_again(&self) -> Result<Model, LoadError> {
        let (mut model, _) = formats::load(&self.written.main)?;
        for (lod, bytes) in &self.written.lods {
            model.add_lod(formats::load(bytes)?.0, *lod);
        }
        for animation in &self.written.animations {
            model.add_animation(&animation.name, &animation.bytes)?;
        }
        Ok(model)
    }
}

/// Maximum length of a file name without extension. File systems allow 255 bytes, and a number may follow. Longer names
/// are cut.
const MAX_STEM_BYTES: usize = 200;

/// Returns a file name without extension for a clip, which every system accepts and `taken` does not contain.
pub(super) fn unique_stem(clip: &str, taken: &mut UniqueNames) -> String {
    let allowed = |c: char| if is_unprintable(c) || "/\\:*?\"<>|".contains(c) { '_' } else { c };
    let mut stem: String = clip.chars().map(allowed).collect();
    stem.truncate(stem.floor_char_boundary(MAX_STEM_BYTES));
    if stem.is_empty() || is_device(&stem) {
        stem.insert(0, '_');
    }
    // Some systems compare file names without case.
    taken.claim(stem, str::to_lowercase, "_")
}

/// Returns whether Windows takes a file of this name for a device, whatever its extension.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_ascii_lowercase();
    let numbered =
        |kind: &str| stem.strip_prefix(kind).is_some_and(|number| matches!(number.as_bytes(), [b'0'..=b'9']));
    ["con", "prn", "aux", "nul"].contains(&stem.as_str()) || numbered("com") || numbered("lpt")
}
