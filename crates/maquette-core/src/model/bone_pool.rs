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
    /// Scale in the header of the file; 0 if unknown.
    pub scale: f32,
    /// Bone of the file that each joint is; empty if the joints did not come from a GLA.
    pub stored: Vec<StoredBone>,
}

/// Fields of a bone that its joint does not have, or not exactly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StoredBone {
    /// Index in the file, by which meshes name the bone.
    pub number: u32,
    /// Flags.
    pub flags: u32,
    /// Bind pose as three rows of (r r r t). The rotation may be scaled.
    pub bind: [f32; 12],
    /// Inverse of the bind pose.
    pub inverse: [f32; 12],
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
