//! Errors of opening a file.

use std::fmt;
use std::path::PathBuf;

use crate::vfs::ReadError;
use maquette_core::error::LoadError;
use maquette_core::formats;
use maquette_core::model::{AnimationFiles, Format};

/// Error of opening a file.
#[derive(Debug)]
pub struct OpenError {
    /// The requested file.
    pub path: PathBuf,
    /// Cause of the error.
    pub cause: OpenCause,
}

/// Cause of an [`OpenError`].
#[derive(Debug)]
pub enum OpenCause {
    /// The file could not be read.
    Read(ReadError),
    /// The file could not be loaded.
    Load(Box<LoadError>),
    /// The file is damaged, but can be loaded in part, see [`Opener::salvaged`](super::Opener::salvaged).
    Damaged(Box<LoadError>),
    /// The folder or archive contains no model.
    NoModel,
    /// The image, skin or animation needs a model, but none in the scene fits.
    ForModel,
    /// The files do not form a character. Contains the name of a missing part, if the folder has the other one.
    NoCharacter(Option<&'static str>),
    /// The animation needs joints, which the model of this name lacks.
    NoSkeleton(String),
    /// The skin names no surface of the model of this name.
    NoSurface(String),
    /// The image could not be decoded.
    Image(String),
    /// The file could not be edited.
    NotChanged(String),
}

impl OpenCause {
    pub(super) fn refused(bytes: &[u8], error: LoadError) -> Self {
        let cause = if formats::salvage(bytes).is_ok() { Self::Damaged } else { Self::Load };
        cause(Box::new(error))
    }

    /// Describes the cause in a sentence.
    pub fn sentence(&self) -> String {
        match self {
            Self::Read(error) => error.reason(),
            Self::Load(error) | Self::Damaged(error) => error.to_string(),
            Self::NoModel => "no model found".to_owned(),
            Self::ForModel => "this file belongs to a model; open the model first, then drop the file on it".to_owned(),
            Self::NoCharacter(Some(missing)) => {
                format!("the character is incomplete: its folder has no {missing}.md3, .mdc, .mdr or .iqm")
            }
            Self::NoCharacter(None) => {
                "not part of a character; a character needs lower, upper and head, a body of Quake II or Wolfenstein, \
                 or models that GZDoom joins"
                    .to_owned()
            }
            Self::NoSkeleton(model) => {
                format!("animation files need a model in one of the formats {}, not {model}", animated_formats())
            }
            Self::NoSurface(model) => format!("the skin names no surface of {model}"),
            Self::Image(error) | Self::NotChanged(error) => error.clone(),
        }
    }
}

/// Returns the titles of the formats with separate animation files.
fn animated_formats() -> String {
    let formats = Format::ALL.into_iter().map(Format::traits);
    let animated = formats.filter(|format| format.companions.animations != AnimationFiles::None);
    animated.map(|format| format.title).collect::<Vec<_>>().join(", ")
}

impl OpenError {
    /// Returns the file name, for headlines.
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// Describes the cause in a sentence, without the path.
    pub fn reason(&self) -> String {
        self.cause.sentence()
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.reason())
    }
}

impl std::error::Error for OpenError {}
