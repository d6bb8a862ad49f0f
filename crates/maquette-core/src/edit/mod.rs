//! Editing of models and saving to the original file.
//!
//! An [`Edit`] changes a [`Model`]. [`save`] patches the changed numbers and names into the original bytes, so that
//! everything else is unchanged. If the size of a table changes, the whole file is rewritten.

#![forbid(unsafe_code)]

mod field_offsets;
mod kind;
mod normals;
mod operations;
mod patch;

use std::fmt;

pub use kind::{EditKind, why_not};
pub use operations::{Edit, apply};

use crate::error::{LoadError, WriteError};
use crate::formats;
use crate::model::Model;

/// Reason why an edit is not possible. Texts are sentences without full stop.
#[derive(Clone, Debug, PartialEq)]
pub enum EditError {
    /// An element does not exist: its kind and index.
    Missing(&'static str, usize),
    /// The format does not store what the edit changes.
    NotStored(String),
    /// The name belongs to another tag.
    TagExists(String),
    /// A position is beyond the range of the format.
    OutOfRange(String),
    /// The order of skins does not name each of this number of skins once.
    SkinOrder(usize),
    /// The model has too many frames for an edit of all frames.
    TooManyFrames(usize),
    /// The edited model is inconsistent.
    Invalid(LoadError),
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(what, index) => write!(f, "no {what} {index}"),
            Self::NotStored(why) | Self::OutOfRange(why) => f.write_str(why),
            Self::TagExists(name) => write!(f, "the model already has a tag “{name}”"),
            Self::SkinOrder(count) => write!(f, "expected each of the {count} skins once"),
            Self::TooManyFrames(count) => write!(f, "the model has too many frames to be recomputed ({count})"),
            Self::Invalid(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for EditError {}

/// Edited file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Whether the whole file was rewritten instead of patched.
    pub is_rewritten: bool,
}

/// Saves the edited model `after`. `bytes` is the file from which [`formats::load`] read `before`. Fails if a name or a
/// number exceeds what the format can store.
pub fn save(bytes: &[u8], before: &Model, after: &Model) -> Result<Saved, WriteError> {
    if let Some(bytes) = patch::patched(bytes, before, after)? {
        return Ok(Saved { bytes, is_rewritten: false });
    }
    Ok(Saved { bytes: formats::write(after)?.main, is_rewritten: true })
}
