//! Editing of models and saving to the original file.
//!
//! An [`Edit`] changes a [`Model`]. [`save`] patches the changed numbers and names into the original bytes, so that
//! everything else is unchanged. If the size of a table changes, the whole file is rewritten.

#![forbid(unsafe_code)]

mod field_offsets;
mod frame_list;
mod joints;
mod kind;
mod mesh;
mod normals;
mod operation;
mod operations;
mod patch;
mod repairs;
mod simplify;
mod transform;
mod vertices;

pub use kind::{EditKind, why_not};
pub use operation::{Call, Operation, Parameter, ParameterKind, Reach, stores_clips, surfaces_named, tag_named};
pub use operations::OPERATIONS;
pub use repairs::{Edit, apply, apply_with_notes};

use crate::error::WriteError;
use crate::formats;
use crate::model::Model;

/// Saves the edited model `after`. `bytes` is the file from which [`formats::load`] read `before`. Fails if a name or a
/// number exceeds what the format can store. Also returns whether the whole file was rewritten instead of patched.
pub fn save(bytes: &[u8], before: &Model, after: &Model) -> Result<(Vec<u8>, bool), WriteError> {
    if let Some(bytes) = patch::patched(bytes, before, after)? {
        return Ok((bytes, false));
    }
    Ok((formats::write(after)?.main, true))
}
