//! Limit on the frames of an animation.

use crate::error::{WarningKind, Warnings};
use crate::model::Model;

/// Maximum number of joints times frames in all animations of a model. A further animation may add one per byte of its
/// file.
pub(super) const JOINT_FRAMES: usize = 1 << 20;
/// Minimum number of joints that a frame counts as, because frames take memory even if few joints move.
const JOINTS_OF_FRAME: usize = 16;

/// Returns the number of frames to read, limited by the work of posing them. Static joints take no bytes per frame, so
/// posing all frames could take time quadratic in the file size. `model` is the model that the animation is for; `None`
/// if the frames are the model's own.
pub(super) fn frames_played(bytes: usize, frames: usize, joints: usize, model: Option<&Model>) -> usize {
    let posed = joints.max(model.map_or(0, |model| model.joints().len())).max(JOINTS_OF_FRAME);
    let before = model.map_or(0, |model| model.frames().len().saturating_mul(posed));
    let max = JOINT_FRAMES.saturating_sub(before).max(bytes);
    frames.min(max / posed)
}

/// Returns the message that `model` has no room for frames.
pub(super) fn no_room(model: &Model) -> String {
    let (loaded, joints) = (model.frames().len(), model.joints().len());
    format!("the model already has {loaded} frames of {joints} joints, which is the limit")
}

/// Warns that only `played` of `frames` frames are used.
pub(super) fn warn_cut(field: &str, [played, frames, joints, bytes]: [usize; 4], warnings: &mut Warnings) {
    let message = format!(
        "{frames} frames of {joints} joints are too many for a file of {bytes} bytes; the first {played} are used"
    );
    warnings.add(WarningKind::LeftOut, field, message);
}
