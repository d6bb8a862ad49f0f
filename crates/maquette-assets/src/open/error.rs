//! Why a file was not opened.

use std::fmt;
use std::path::PathBuf;

use crate::vfs::ReadError;
use maquette_core::error::LoadError;
use maquette_core::formats;

/// Why a file was not opened.
#[derive(Debug)]
pub struct OpenError {
    /// The file, as it was asked for.
    pub path: PathBuf,
    /// What went wrong.
    pub cause: OpenCause,
}

/// What went wrong with a file.
#[derive(Debug)]
pub enum OpenCause {
    /// It could not be read.
    Read(ReadError),
    /// It could be read, but not understood.
    Load(Box<LoadError>),
    /// It could be read, but not understood as a whole; a part of it is intact, see [`Opener::salvaged`](super::Opener::salvaged).
    Damaged(Box<LoadError>),
    /// A folder or an archive without a model in it.
    NoModel,
    /// A picture, a skin or an animation, and no model in the scene that it could be for.
    ForModel,
    /// Nothing there makes up a figure.
    NoFigure,
    /// An animation for joints, and a model (its name) without them.
    NoSkeleton(String),
    /// A skin that names no surface of the model (its name).
    NoSurface(String),
    /// A picture that could not be decoded.
    Picture(String),
    /// A change of the file that cannot be made.
    NotChanged(String),
}

impl OpenCause {
    /// Why the loaders refuse these bytes of a model.
    pub(super) fn refused(bytes: &[u8], error: LoadError) -> Self {
        let cause = if formats::salvage(bytes).is_ok() { Self::Damaged } else { Self::Load };
        cause(Box::new(error))
    }

    /// What went wrong, in a sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Read(error) => error.reason(),
            Self::Load(error) | Self::Damaged(error) => error.to_string(),
            Self::NoModel => "there is no model in it".to_owned(),
            Self::ForModel => "it belongs to a model: open that first, then drop this on it".to_owned(),
            Self::NoFigure => "it is no part of a character: lower, upper and head, or a Quake II player".to_owned(),
            Self::NoSkeleton(model) => format!("an .md5anim moves an MD5, and {model} is none"),
            Self::NoSurface(model) => format!("it names no surface of {model}"),
            Self::Picture(error) | Self::NotChanged(error) => error.clone(),
        }
    }
}

impl OpenError {
    /// File name for a headline.
    #[must_use]
    pub fn name(&self) -> String {
        self.path
            .file_name()
            .map_or_else(|| self.path.display().to_string(), |name| name.to_string_lossy().into_owned())
    }

    /// What went wrong, in a sentence, without the path.
    #[must_use]
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
