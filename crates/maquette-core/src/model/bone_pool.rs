//! Frames of a GLA: indices into a pool of compressed bones.

/// Frames of a skeleton, as indices of compressed bones that joints and frames share.
///
/// A bone is relative to the bind pose and to its parent: F = F of the parent × bone moves points of the bind pose, in
/// model space, and F × [`Joint::bind`](super::Joint::bind) is the transform of the joint.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BonePool {
    /// Index into [`Self::bones`] for each frame and joint, little-endian.
    pub indices: Vec<[u8; 3]>,
    /// Compressed bones.
    pub bones: Vec<PackedBone>,
}

/// Compressed bone: words 0–3 are the quaternion w x y z as u/16383 − 2, words 4–6 the translation as u/64 − 512. The
/// quaternion is used without normalisation.
pub type PackedBone = [u16; 7];

impl BonePool {
    /// Compressed bone without rotation and translation.
    pub const IDENTITY: PackedBone = [49_149, 32_766, 32_766, 32_766, 32_768, 32_768, 32_768];

    /// Returns the index of a bone as a number.
    pub fn number([low, middle, high]: [u8; 3]) -> u32 {
        u32::from_le_bytes([low, middle, high, 0])
    }
}
