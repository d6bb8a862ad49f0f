//! Table of operations.

mod clips;
mod frames;
mod header;
mod insert;
mod mesh;
mod names;
mod repairs;
mod simplify;
mod surfaces;
mod tags;
mod transform;

pub use header::MDL_EFFECTS;
pub use names::{NAMES_AND_REPAIRS, ORDER_SKINS, RENAME_FRAME, RENAME_SURFACE, RENAME_TAG, SET_MATERIAL};
pub use repairs::{RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS, REMOVE_DEGENERATE};
pub use tags::{ADD_TAG, MOVE_TAG, REMOVE_TAG, TAGS};

use super::operation::Operation;
use crate::model::{Model, ModelParts};

/// All operations, in the order of menus.
pub static OPERATIONS: &[Operation] = &[
    transform::SCALE,
    transform::ROTATE,
    transform::MIRROR,
    transform::MOVE,
    transform::ORIGIN,
    frames::DELETE,
    frames::CROP,
    frames::DUPLICATE,
    frames::MOVE,
    frames::REVERSE,
    frames::THIN,
    frames::RESAMPLE,
    frames::BLEND_LOOP,
    insert::INSERT,
    insert::SEQUENCE,
    clips::ADD,
    clips::CHANGE,
    clips::REMOVE,
    surfaces::DELETE,
    surfaces::JOIN,
    surfaces::SPLIT,
    surfaces::DUPLICATE,
    names::REPLACE_PATH,
    insert::ADD_SURFACES,
    simplify::SIMPLIFY,
    mesh::DELETE,
    mesh::FLIP,
    mesh::DOUBLE_SIDED,
    mesh::MERGE,
    mesh::DROP_UNUSED,
    mesh::COMMANDS,
    mesh::COORDINATES,
    mesh::COPY_COORDINATES,
    header::EFFECT,
    header::FLAGS,
    header::EYES,
    header::RADIUS,
    header::SYNC,
    header::SET_SKIN,
    header::ADD_SKIN,
    header::REMOVE_SKIN,
    header::GROUP_SKINS,
    header::UNGROUP_SKIN,
    header::RESIZE_SKIN,
    tags::TURN_TAG,
    tags::COPY_TAGS,
    SET_MATERIAL,
    RENAME_SURFACE,
    RENAME_TAG,
    MOVE_TAG,
    ADD_TAG,
    REMOVE_TAG,
    RENAME_FRAME,
    ORDER_SKINS,
    RECOMPUTE_NORMALS,
    RECOMPUTE_BOUNDS,
    REMOVE_DEGENERATE,
];

fn changed(model: &Model, change: impl FnOnce(&mut ModelParts)) -> Result<ModelParts, String> {
    let mut parts = model.clone().into_parts();
    change(&mut parts);
    Ok(parts)
}
