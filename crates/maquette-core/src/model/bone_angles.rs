//! Frames of the Wolfenstein skeletons (MDS, MDX).

use glam::Vec3;

/// Angles of bones per frame. A bone's rotation is absolute. Its position is the parent's, moved by a fixed distance in
/// a stored direction.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneAngles {
    /// Bones in file order, one for each joint of the model.
    pub bones: Vec<AngleBone>,
    /// Indices of all bones, parents before their children.
    pub order: Vec<u32>,
    /// Position of the root bones in each frame, in model space.
    pub roots: Vec<Vec3>,
    /// Angles of each bone in each frame: the frame's bones are consecutive.
    pub angles: Vec<PackedAngles>,
    /// Bone about whose origin the torso turns; it may not exist.
    pub torso_parent: i32,
}

/// Bone with absolute angles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngleBone {
    /// Index of the parent; `None` for a root.
    pub parent: Option<u32>,
    /// Distance from the parent in units.
    pub distance: f32,
    /// Share of the torso's frame in the bone's pose: 0 for the legs' frame, 1 for the torso's.
    pub torso_weight: f32,
    /// Whether the bone is a tag of an MDS. The axes of a tag are the rows of its rotation matrix, not the columns.
    pub is_tag: bool,
    /// Whether vertices follow the bone. As a joint, a tag then has the axes of the bone and not of the tag.
    pub has_vertices: bool,
}

impl BoneAngles {
    /// Returns whether a tag on a bone has other axes than its joint.
    pub fn turns_tag(&self, bone: u32) -> bool {
        self.bones.get(bone as usize).is_some_and(|bone| bone.is_tag && bone.has_vertices)
    }
}

/// Angles in steps of 360/65536 degrees: pitch, yaw and roll of the bone; an unused number; pitch and yaw of the
/// direction from the parent.
pub type PackedAngles = [i16; 6];
