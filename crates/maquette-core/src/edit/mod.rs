//! Models are mended: what is changed of a model goes back into its file.
//!
//! An [`Edit`] changes a [`Model`]; [`save`] puts what differs into the bytes that the model was read from, each number and name at
//! its own place, so that everything else stays as it was. Where the tables themselves change, a tag more, a triangle less,
//! the file is written anew.

#![forbid(unsafe_code)]

mod field_offsets;
mod kind;
mod normals;
mod operations;
mod patch;

use std::fmt;

pub use kind::{EditKind, why_not};
pub use operations::{Edit, apply};

use crate::error::WriteError;
use crate::formats;
use crate::model::Model;

/// Why a model cannot be mended so, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditError(String);

impl EditError {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for EditError {}

/// A mended file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Saved {
    /// The file.
    pub bytes: Vec<u8>,
    /// It was written anew, and is not the old one with some bytes changed.
    pub is_rewritten: bool,
}

/// The bytes of a file whose model, as read by [`formats::load`], was `before` and is to be `after`.
///
/// # Errors
///
/// If a name or a number is beyond what the format holds.
pub fn save(bytes: &[u8], before: &Model, after: &Model) -> Result<Saved, WriteError> {
    if let Some(bytes) = patch::patched(bytes, before, after)? {
        return Ok(Saved { bytes, is_rewritten: false });
    }
    Ok(Saved { bytes: formats::write(after)?.main, is_rewritten: true })
}
