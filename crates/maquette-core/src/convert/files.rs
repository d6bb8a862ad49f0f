//! Files of a converted model.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::error::LoadError;
use crate::file_names::clean_unique;
use crate::formats::frame_names::by_name;
use crate::formats::{self, WrittenModel};
use crate::model::{AnimationFiles, Format, MaterialStorage, Model};

use super::clips::{animation_config, listed_clips, report_changed, report_words, uneven_clips};
use super::materials::report_colours;
use super::names::{report_non_ascii, report_renamed};
use super::{Conversion, ConvertError, ConvertOptions, Measured, Origin, UniqueNames, convert, measure};

/// Files of a converted model, and their difference from the original.
#[derive(Clone, Debug)]
pub struct ConvertedFiles {
    /// Model as read again from the files.
    pub model: Model,
    /// Descriptions of lost data, one sentence each.
    pub losses: Vec<String>,
    /// Largest differences from the original. `None` if frames, surfaces or vertices do not correspond.
    pub measured: Option<Measured>,
    /// New names of the materials whose names do not fit, by their names in the original.
    pub renamed_materials: HashMap<String, String>,
    written: WrittenModel,
    config: Option<Vec<u8>>,
    /// Whether the joints are in a file that the model already has.
    keeps_skeleton: bool,
}

/// Companion file of a converted model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompanionFile {
    /// File name.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
    /// Use of the file.
    pub kind: CompanionKind,
}

/// Use of a companion file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompanionKind {
    /// A coarser level of detail, or the materials. It belongs to the model alone.
    Own,
    /// An animation. Other models with the same skeleton may use it.
    Animation,
    /// The clip list of all models in the folder.
    ClipList,
}

/// Converts a model, writes it, reads the files again and compares them with the original. Fails like [`convert`], or
/// if a name or a number exceeds what the format can store.
pub fn to_files(original: &Model, options: &ConvertOptions) -> Result<ConvertedFiles, ConvertError> {
    let Conversion { mut model, mut losses, origin } = convert(original, options)?;
    let companions = options.format.traits().companions;
    let is_skeleton = companions.animations.are_skeletons();
    // The list of a GLM is next to its skeleton.
    let keeps_skeleton = options.keeps_frames_of(original) && model.has_skeleton_file();
    if let AnimationFiles::NamedSkeleton(extension) = companions.animations
        && model.has_skeleton_file()
        && !keeps_skeleton
        && let Some(path) = options.path
    {
        losses.extend(check_skeleton_path(path, extension, options.format)?);
        model.set_skeleton_path(path);
    }
    let mut written = formats::write(&model).map_err(ConvertError::Write)?;
    let mut stems = UniqueNames::default();
    let mut renamed = Vec::new();
    for animation in &mut written.animations {
        let stem = clean_unique(&animation.name, &mut stems);
        if stem != animation.name {
            renamed.push((std::mem::replace(&mut animation.name, stem.clone()), stem));
        }
    }
    // No clip list is needed if the clips follow from the frame names, which are part of the model file.
    let named = by_name(model.frames(), model.format().usual_rate());
    // An IQM lists its clips.
    let is_listed = matches!(companions.animations, AnimationFiles::Above(_));
    if !is_skeleton {
        report_renamed(&renamed, ["clip", "clips"], "each is a file", &mut losses);
    }
    let has_config = companions.clip_lists && !is_listed && !keeps_skeleton && named.as_deref() != Some(model.clips());
    let config = if has_config { animation_config(&listed_clips(&model)).map(String::into_bytes) } else { None };
    if config.is_some() {
        report_words(model.clips(), &mut losses);
    }
    let listed: Vec<String> = config.iter().flat_map(|_| model.clips()).map(|clip| clip.name.clone()).collect();
    let clips = model.clips().to_vec();
    drop(model);
    let model = read_again(&written).map_err(ConvertError::Unreadable)?;
    report_non_ascii(&model, &listed, &mut losses);
    if config.is_none() && !keeps_skeleton && model.frames().len() > 1 {
        report_changed(&clips, model.clips(), options.format, &mut losses);
    }
    if model.clips().iter().all(|clip| clip.end_times.is_empty()) {
        losses.extend(uneven_clips(&clips, options.format.title()));
    }
    report_colours(original, &model, &mut losses);
    let measured = measure(original, &model, &origin);
    let renamed_materials = renamed_materials(original, &model, &origin);
    Ok(ConvertedFiles { model, losses, measured, renamed_materials, written, config, keeps_skeleton })
}

/// Maximum bytes of the path of a skeleton, without the final NUL.
const SKELETON_PATH: usize = 63;

/// Returns a hint if the path of a new skeleton has no folder. Fails if the path is too long, because games would look
/// for another file.
fn check_skeleton_path(path: &str, extension: &str, format: Format) -> Result<Option<String>, ConvertError> {
    let (bytes, file, format) = (path.len(), extension.to_uppercase(), format.title());
    if bytes > SKELETON_PATH {
        return Err(ConvertError::OutOfRange(format!(
            "the path of the {file} in the game, “{path}”, has {bytes} bytes, but {format} stores at most {SKELETON_PATH}; write the model to a shorter path"
        )));
    }
    let hint = || {
        format!(
            "the game looks for the {file} in its base folder; write the model below the game’s folder “models” to store its path"
        )
    };
    Ok((!path.contains('/')).then(hint))
}

fn renamed_materials(original: &Model, converted: &Model, origin: &Origin) -> HashMap<String, String> {
    let name = |surface: usize| original.surfaces().get(surface)?.materials.first();
    let sources = origin.surfaces.iter().map(|vertices| name(vertices.first()?.surface as usize));
    let stored = converted.surfaces().iter().map(|surface| surface.materials.first());
    // The skins of an MD2 are the materials of all surfaces.
    let mut materials: Vec<_> = original.surfaces().iter().filter_map(|surface| surface.materials.first()).collect();
    let mut seen = HashSet::new();
    materials.retain(|name| !name.is_empty() && seen.insert(*name));
    let of_skins = materials.into_iter().zip(converted.skins());
    let of_surfaces = sources.zip(stored).filter_map(|(source, stored)| Some((source?, stored?)));
    let pairs: Vec<_> = match converted.format().traits().materials {
        MaterialStorage::Skins => of_skins.collect(),
        MaterialStorage::Inside => Vec::new(),
        _ => of_surfaces.collect(),
    };
    pairs.into_iter().filter(|(from, to)| from != to).map(|(from, to)| (from.clone(), to.clone())).collect()
}

fn read_again(written: &WrittenModel) -> Result<Model, LoadError> {
    let (mut model, _) = formats::load(&written.main)?;
    for (lod, bytes) in &written.lods {
        model.add_lod(formats::load(bytes)?.0, *lod);
    }
    for animation in &written.animations {
        model.add_animation(&animation.name, &animation.bytes)?;
    }
    Ok(model)
}

impl ConvertedFiles {
    /// Sets the contents of the `animation.cfg`.
    pub fn set_clip_list(&mut self, bytes: Vec<u8>) {
        self.config = Some(bytes);
    }

    /// Returns the contents of the model file `STEM.EXTENSION`.
    pub fn main(&self, stem: &str) -> Cow<'_, [u8]> {
        if self.written.materials.is_empty() {
            return Cow::Borrowed(&self.written.main);
        }
        Cow::Owned([format!("mtllib {stem}.mtl\n").as_bytes(), &self.written.main].concat())
    }

    /// Returns the companion files of a model `STEM.EXTENSION`: `STEM_1.EXTENSION` for coarser LODs, `STEM.mtl` for
    /// materials, `CLIP.md5anim` or `CLIP.iqm` for animations, `STEM.gla` or `STEM.mdx` for a new skeleton,
    /// `animation.cfg` for the clip list. A GLM or MDM whose frames all stay keeps its skeletons.
    pub fn companions(&self, stem: &str, extension: &str) -> Vec<CompanionFile> {
        let file = |kind, name: String, bytes: &[u8]| CompanionFile { name, bytes: bytes.to_vec(), kind };
        let lods = self.written.lods.iter();
        let lods = lods.map(|(lod, bytes)| file(CompanionKind::Own, format!("{stem}_{lod}.{extension}"), bytes));
        let storage = self.model.format().traits().companions.animations;
        let animation_extension = storage.extension().unwrap_or_default();
        let animations = self.written.animations.iter().filter(|_| !self.keeps_skeleton);
        let animations = animations.map(|animation| {
            let (kind, stem) = match storage.are_skeletons() {
                true => (CompanionKind::Own, stem),
                false => (CompanionKind::Animation, animation.name.as_str()),
            };
            file(kind, format!("{stem}.{animation_extension}"), &animation.bytes)
        });
        let config = self.config.iter();
        let config = config.map(|text| file(CompanionKind::ClipList, "animation.cfg".to_owned(), text));
        let materials = Some(&self.written.materials).filter(|bytes| !bytes.is_empty());
        let materials = materials.map(|bytes| file(CompanionKind::Own, format!("{stem}.mtl"), bytes));
        lods.chain(materials).chain(animations).chain(config).collect()
    }
}
