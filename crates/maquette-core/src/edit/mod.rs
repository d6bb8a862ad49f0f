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

pub use kind::{EditKind, why_not};
pub use operations::{Edit, apply};

use crate::error::WriteError;
use crate::formats;
use crate::model::Model;

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
