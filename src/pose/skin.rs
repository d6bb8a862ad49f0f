//! placeholder
use super::{FrameBlend, Pose, Sampling};
use crate::model::{Model, SkeletalMotion};
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {}
pub(super) fn sample(
    _model: &Model,
    _motion: &SkeletalMotion,
    _blend: FrameBlend,
    _sampling: &Sampling,
    _pose: &mut Pose,
) {
}
