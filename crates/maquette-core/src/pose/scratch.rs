//! Buffers that are reused between samples.

use crate::model::JointTransform;

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub animated: Vec<JointTransform>,
    pub posed: Vec<JointTransform>,
}
