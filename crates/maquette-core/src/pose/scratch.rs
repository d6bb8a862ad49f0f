//! Buffers that are reused between samples.

use crate::model::JointTransform;

#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// Composed joints of the animation.
    pub animated: Vec<JointTransform>,
    /// Joints of the mesh.
    pub posed: Vec<JointTransform>,
}
