//! Table of operations.

mod clips;
mod frames;
mod header;
mod insert;
mod mesh;
mod simplify;
mod surfaces;
mod transform;

use super::operation::Operation;

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
    simplify::SIMPLIFY,
    mesh::FLIP,
    mesh::DOUBLE_SIDED,
    mesh::MERGE,
    mesh::DROP_UNUSED,
    mesh::COORDINATES,
    header::EFFECT,
    header::FLAGS,
    header::EYES,
    header::RADIUS,
    header::SYNC,
    header::SET_SKIN,
    header::ADD_SKIN,
    header::REMOVE_SKIN,
];
