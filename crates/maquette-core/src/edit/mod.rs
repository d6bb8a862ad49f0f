//! Editing of models and saving to the original file.
//!
//! A [`Call`] of an [`Operation`] changes a [`Model`]. [`save`] patches the changed numbers and names into the original
//! bytes, so that everything else is unchanged. If the size of a table changes, the whole file is rewritten.

mod clip_list;
mod field_offsets;
mod frame_list;
mod joints;
mod mesh;
mod normals;
mod operation;
mod operations;
mod patch;
mod repairs;
mod simplify;
mod transform;
mod vertices;

pub use clip_list::edited_clip_list;
pub use operation::{Call, DialogFault, Notes, Operation, Parameter, ParameterKind, Reach, lists_clips, stores_clips};
pub use operations::{
    ADD_TAG, MDL_EFFECTS, MOVE_TAG, NAMES_AND_REPAIRS, OPERATIONS, ORDER_SKINS, RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS,
    REMOVE_DEGENERATE, REMOVE_TAG, RENAME_FRAME, RENAME_SURFACE, RENAME_TAG, SET_MATERIAL, TAGS,
};
pub use repairs::{flat_triangles, is_flat_in};

use crate::convert::glm::materials_of_lods;
use crate::error::{WriteError, counted};
use crate::formats;
use crate::model::{DetailValue, Model, TagStorage};

/// Applies operations in order. Fails if one does not fit the model, or would take too long.
pub fn apply(model: &Model, calls: &[Call]) -> Result<Model, String> {
    apply_with_notes(model, calls, &mut Notes::default())
}

/// Like [`apply`]. Adds sentences about the results and lost data.
pub fn apply_with_notes(model: &Model, calls: &[Call], notes: &mut Notes) -> Result<Model, String> {
    let mut changed = None;
    for call in calls {
        changed = Some(call.apply(changed.as_ref().unwrap_or(model), notes)?);
    }
    Ok(changed.unwrap_or_else(|| model.clone()))
}

/// Returns a sentence about data that a rewritten file of the edited model lacks.
pub fn lost_by_rewriting(model: &Model) -> Option<String> {
    if model.format().traits().tags == TagStorage::Triangles {
        return materials_of_lods(&model.data().hierarchy, model.surfaces());
    }
    let detail = model.details().iter().find(|detail| detail.label == "num_extensions")?;
    let DetailValue::Text(number) = &detail.value else { return None };
    let count = number.parse::<usize>().ok().filter(|count| *count > 0)?;
    Some(format!("{} dropped", counted(count, "extension of the IQM was", "extensions of the IQM were")))
}

/// Saves the edited model `after`. `bytes` is the file from which [`formats::load`] read `before`. Fails if a name or a
/// number exceeds what the format can store. Also returns whether the whole file was rewritten instead of patched.
pub fn save(bytes: &[u8], before: &Model, after: &Model) -> Result<(Vec<u8>, bool), WriteError> {
    if let Some(bytes) = patch::patched(bytes, before, after)? {
        return Ok((bytes, false));
    }
    Ok((formats::write(after)?.main, true))
}
