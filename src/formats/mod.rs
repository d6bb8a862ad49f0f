//! Bytes become a [`Model`]: one file per format, one table that lists them.
//!
//! Content decides: the first bytes are looked at, never the file's extension (real `.md2` files exist that hold an MD3).
//! A loader reads bytes and knows no path, no GPU and no other loader. To add a format: a file with
//! `fn load(bytes, warnings) -> Result<ModelParts, LoadError>` and a row in [`FORMATS`].

pub mod animation_cfg;
pub mod doom_def;
pub mod md2;
pub mod md3;
pub mod md5;
pub mod mdc;
pub mod mdr;

mod chunk;
mod surfaces;

use crate::error::{LoadError, Place, Reason, Warning, Warnings};
use crate::model::{Format, Model, ModelParts};

/// Reads the bytes of one file.
pub type Load = fn(&[u8], &mut Warnings) -> Result<ModelParts, LoadError>;

/// What is known of a format.
pub struct FormatEntry {
    /// Which.
    pub format: Format,
    /// Usual extension of a model file, without the dot.
    pub extension: &'static str,
    /// First bytes of a file; compared without regard to case, after white space and comments for text formats.
    pub magic: &'static [u8],
    /// Its loader.
    pub load: Load,
}

/// Every format, in no order that matters.
pub const FORMATS: [FormatEntry; 5] = [
    FormatEntry { format: Format::Md2, extension: "md2", magic: b"IDP2", load: md2::load },
    FormatEntry { format: Format::Md3, extension: "md3", magic: b"IDP3", load: md3::load },
    FormatEntry { format: Format::Mdc, extension: "mdc", magic: b"IDPC", load: mdc::load },
    FormatEntry { format: Format::Mdr, extension: "mdr", magic: b"RDM5", load: mdr::load },
    FormatEntry { format: Format::Md5, extension: "md5mesh", magic: b"MD5Version", load: md5::load },
];

/// Relatives one may meet, to be named in the refusal.
const RELATIVES: [(&[u8], &str); 8] = [
    (b"IDPO", "a Quake model (MDL), which is not supported"),
    (b"IDP4", "an MD4 model, which is not supported"),
    (b"MDSW", "a Return to Castle Wolfenstein skeleton (MDS), which is not supported"),
    (b"MDMW", "an Enemy Territory mesh (MDM), which is not supported"),
    (b"MDXW", "an Enemy Territory skeleton (MDX), which is not supported"),
    (b"INTERQUAKEMODEL", "an Inter-Quake model (IQM), which is not supported"),
    (b"2LGM", "a Ghoul2 mesh (GLM), which is not supported"),
    (b"2LGA", "a Ghoul2 animation (GLA), which is not supported"),
];

/// The format of a file, by its first bytes. MD5 files of some exporters lack the version line; they are known by their
/// grammar.
#[must_use]
pub fn detect(bytes: &[u8]) -> Option<&'static FormatEntry> {
    let binary = |entry: &&FormatEntry| entry.format != Format::Md5 && bytes.starts_with(entry.magic);
    FORMATS
        .iter()
        .find(binary)
        .or_else(|| FORMATS.iter().find(|entry| entry.format == Format::Md5 && md5::looks_like_mesh(bytes)))
}

/// Whether a file name's extension is one of a model's.
#[must_use]
pub fn is_model_extension(extension: &str) -> bool {
    FORMATS.iter().any(|entry| entry.extension.eq_ignore_ascii_case(extension))
}

/// Loads a model of any format; warnings tell what was odd.
pub fn load(bytes: &[u8]) -> Result<(Model, Vec<Warning>), LoadError> {
    let mut warnings = Warnings::default();
    let Some(entry) = detect(bytes) else { return Err(unknown(bytes)) };
    let parts = (entry.load)(bytes, &mut warnings)?;
    Ok((Model::new(parts)?, warnings.into_vec()))
}

fn unknown(bytes: &[u8]) -> LoadError {
    let refuse = |why: &str| LoadError::new("", "", Place::Whole, Reason::Broken(why.to_owned()));
    if bytes.is_empty() {
        return refuse("the file is empty");
    }
    if let Some((_, what)) = RELATIVES.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return refuse(&format!("this is {what}"));
    }
    if md5::looks_like_animation(bytes) {
        return refuse("this is an MD5 animation without its mesh; open the .md5mesh instead");
    }
    let found = bytes.iter().take(4).map(|byte| byte.escape_ascii().to_string()).collect::<String>();
    LoadError::new("", "", Place::Whole, Reason::WrongMagic { found: format!("“{found}”") })
}
