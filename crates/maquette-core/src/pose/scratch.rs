//! Buffers that are kept between samples.

use crate::model::JointTransform;

/// Buffers that are kept between samples, so that none is made anew.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The animation's own joints, put together.
    pub animated: Vec<JointTransform>,
    /// The mesh's joints.
    pub posed: Vec<JointTransform>,
}
