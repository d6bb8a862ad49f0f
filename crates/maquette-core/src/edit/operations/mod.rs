//! Table of operations.

mod frames;
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
];
