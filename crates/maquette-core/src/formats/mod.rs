//! Loaders and writers of the formats, and the table that lists them.
//!
//! The first bytes determine the format, not the extension (real `.md2` files exist that contain an MD3). A loader
//! reads bytes and knows no path, no GPU and no other loader. To add a format, create a module with `fn load(source,
//! warnings) -> Result<ModelParts, LoadError>`, a row in [`FORMATS`] and one in the table of
//! [`model::Format`](crate::model::Format).

#![forbid(unsafe_code)]

pub mod animation_cfg;
pub mod clip_list;
pub mod cube_cfg;
pub mod doom_def;
pub mod framegroups;
pub mod md2;
pub mod md3;
pub mod md5;
pub mod mdc;
pub mod mdr;
pub mod model_def;
pub mod ufoai_anm;
pub mod ufoai_tag;

mod chunk;
pub(crate) mod frame_names;
mod md3_common;
mod write;

pub use write::{AnimationFile, WrittenModel, write};

use write::{single, with_lods};

use crate::bytes::{Recorder, Salvage, Source};
use crate::error::{FilePosition, LoadError, Reason, Warning, WarningKind, Warnings, WriteError};
use crate::model::{Format, Model, ModelParts};

/// Number of leading bytes for [`detect`]. Text may have as many before its first word.
pub const HEAD: u64 = 1 << 16;

/// Function that loads one file.
pub type Load = fn(&Source, &mut Warnings) -> Result<ModelParts, LoadError>;

/// Function that writes the files of a model.
pub type Write = fn(&Model) -> Result<WrittenModel, WriteError>;

/// Loader and writer of a format.
pub struct FormatEntry {
    /// Format of the entry.
    pub format: Format,
    /// Function that returns whether the first bytes are of this format.
    pub detect: fn(&[u8]) -> bool,
    /// Loader of the format.
    pub load: Load,
    /// Writer of the format. `None` if models of the format are only read.
    pub write: Option<Write>,
}

/// All formats; those with a magic number first. Some exporters omit MD5's version line, so its grammar is detected.
pub const FORMATS: [FormatEntry; Format::ALL.len()] = [
    FormatEntry {
        format: Format::Md2,
        detect: |bytes| bytes.starts_with(b"IDP2"),
        load: md2::load,
        write: Some(|model| md2::write(model).map(single)),
    },
    FormatEntry {
        format: Format::Md3,
        detect: |bytes| bytes.starts_with(b"IDP3"),
        load: md3::load,
        write: Some(|model| with_lods(model, md3::write)),
    },
    FormatEntry {
        format: Format::Mdc,
        detect: |bytes| bytes.starts_with(b"IDPC"),
        load: mdc::load,
        write: Some(|model| with_lods(model, mdc::write)),
    },
    FormatEntry {
        format: Format::Mdr,
        detect: |bytes| bytes.starts_with(b"RDM5"),
        load: mdr::load,
        write: Some(|model| mdr::write(model).map(single)),
    },
    FormatEntry { format: Format::Md5, detect: md5::looks_like_mesh, load: md5::load, write: Some(md5::write) },
];

const RELATIVES: &[(&[u8], &str)] = &[
    (b"IDPO", "a Quake model (MDL)"),
    (b"IDP4", "an MD4 model"),
    (b"MDSW", "a Return to Castle Wolfenstein skeleton (MDS)"),
    (b"MDMW", "an Enemy Territory mesh (MDM)"),
    (b"MDXW", "an Enemy Territory skeleton (MDX)"),
    (b"INTERQUAKEMODEL", "an Inter-Quake model (IQM)"),
    (b"ZYMOTICMODEL", "a Zymotic model (ZYM)"),
    (b"DARKPLACESMODEL", "a DarkPlaces model (DPM)"),
    (b"2LGM", "a Ghoul2 mesh (GLM)"),
    (b"2LGA", "a Ghoul2 animation (GLA)"),
];

/// Extensions of unsupported model formats. Skeletons (MDX, GLA) are not models.
const RELATIVE_EXTENSIONS: &[&str] = &["mdl", "zym", "dpm", "iqm", "md4", "mds", "mdm", "glm"];

/// Returns whether a file extension belongs to an unsupported model format.
#[must_use]
pub fn is_unread_extension(extension: &str) -> bool {
    RELATIVE_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known))
}

/// Detects the format of a file by its first bytes.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<&'static FormatEntry> {
    FORMATS.iter().find(|entry| (entry.detect)(bytes))
}

/// Returns the writer of a format. `None` if models of the format are only read.
#[must_use]
pub fn writer(format: Format) -> Option<Write> {
    FORMATS.iter().find(|entry| entry.format == format).and_then(|entry| entry.write)
}

/// Returns whether a file extension belongs to a supported model format.
#[must_use]
pub fn is_model_extension(extension: &str) -> bool {
    Format::by_extension(extension).is_some()
}

/// Loads a model of any format, with warnings about recoverable errors.
pub fn load(bytes: &[u8]) -> Result<(Model, Vec<Warning>), LoadError> {
    let mut warnings = Warnings::default();
    let Some(entry) = detect(bytes) else { return Err(unknown(bytes)) };
    let source = Source::new(entry.format.name(), bytes);
    let parts = (entry.load)(&source, &mut warnings)?;
    Ok((Model::new(parts)?, warnings.into_vec()))
}

/// Like [`load`], and records every field read in `recorder`. If loading fails, `recorder` holds the fields until then.
pub fn load_recorded(bytes: &[u8], recorder: &Recorder) -> (Result<Model, LoadError>, Vec<Warning>) {
    let mut warnings = Warnings::default();
    let Some(entry) = detect(bytes) else { return (Err(unknown(bytes)), Vec::new()) };
    let source = Source::recorded(entry.format.name(), bytes, recorder);
    let model = (entry.load)(&source, &mut warnings).and_then(Model::new);
    (model, warnings.into_vec())
}

/// Records the fields of the intact part of a damaged model, and returns the warnings. `loaded` is the number of
/// triangles that [`load`] returns, if it succeeds. `None` if the intact part has no more than that.
pub fn salvage_recorded(bytes: &[u8], recorder: &Recorder, loaded: Option<usize>) -> Option<Vec<Warning>> {
    let (model, warnings) = load_salvaged(detect(bytes)?, bytes, Some(recorder));
    let model = model.ok()?;
    let is_more = loaded.map_or_else(|| is_shown(&model), |loaded| triangles(&model) > loaded);
    is_more.then(|| warnings.into_vec())
}

/// Intact part of a damaged model.
#[derive(Debug)]
pub struct Salvaged {
    /// Loaded model.
    pub model: Model,
    /// Warnings. For a damaged file, the first is the error that made [`load`] fail, if it does.
    pub warnings: Vec<Warning>,
    /// Whether the file is damaged. If not, the result equals that of [`load`].
    pub is_damaged: bool,
}

/// Recovers the intact part of a model that [`load`] refuses or loads with fewer triangles than the file contains:
/// surfaces before the end of a truncated file, complete frames, triangles with existing vertices. Returns the error of
/// [`load`] if no triangle, tag or joint can be recovered.
pub fn salvage(bytes: &[u8]) -> Result<Salvaged, LoadError> {
    let Some(entry) = detect(bytes) else { return Err(unknown(bytes)) };
    // Drop this model before loading another.
    let loaded = load(bytes).map(|(model, _)| triangles(&model));
    let (salvaged, noted) = load_salvaged(entry, bytes, None);
    let mut warnings = Warnings::default();
    let model = match (loaded, salvaged) {
        (Ok(known), Ok(model)) if triangles(&model) > known => model,
        (Ok(_), _) => {
            return load(bytes).map(|(model, warnings)| Salvaged { model, warnings, is_damaged: false });
        }
        (Err(error), Ok(model)) if is_shown(&model) => {
            let message = format!("{error}; only the recoverable part of the file is shown");
            warnings.add_error(WarningKind::LeftOut, "", message, &error);
            model
        }
        (Err(error), _) => return Err(error),
    };
    warnings.append(noted.into_vec());
    Ok(Salvaged { model, warnings: warnings.into_vec(), is_damaged: true })
}

fn load_salvaged(
    entry: &FormatEntry,
    bytes: &[u8],
    recorder: Option<&Recorder>,
) -> (Result<Model, LoadError>, Warnings) {
    let (notes, mut odd) = (Salvage::default(), Warnings::default());
    let mut source = Source::salvaged(entry.format.name(), bytes, &notes);
    if let Some(recorder) = recorder {
        source = source.with_recorder(recorder);
    }
    let model = (entry.load)(&source, &mut odd).and_then(Model::new);
    let mut warnings = notes.into_warnings();
    warnings.append(odd.into_vec());
    (model, warnings)
}

fn is_shown(model: &Model) -> bool {
    triangles(model) + model.tags().len() + model.joints().len() > 0
}

/// Returns the number of triangles of all surfaces.
pub fn triangles(model: &Model) -> usize {
    model.surfaces().iter().map(|surface| surface.triangles.len()).sum()
}

fn unknown(bytes: &[u8]) -> LoadError {
    let refuse = |why: &str| LoadError::new("", "", FilePosition::Whole, Reason::Broken(why.to_owned()));
    if bytes.is_empty() {
        return LoadError::new("", "", FilePosition::Whole, Reason::Empty);
    }
    if let Some((_, what)) = RELATIVES.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return LoadError::new("", "", FilePosition::Whole, Reason::UnsupportedFormat { what });
    }
    if md5::looks_like_animation(bytes) {
        return refuse("this is an MD5 animation without its mesh; open the .md5mesh instead");
    }
    let found = bytes.iter().take(4).map(|byte| byte.escape_ascii().to_string()).collect::<String>();
    LoadError::new("", "", FilePosition::Whole, Reason::WrongMagic { found: format!("“{found}”") })
}
