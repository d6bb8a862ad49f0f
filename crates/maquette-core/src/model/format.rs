//! Properties of a format that the rest of the program asks for. Each format's own are in the `FORMAT` of its module in
//! [`formats`](crate::formats).

pub use crate::formats::Format;

/// Division of a mesh into surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceStorage {
    /// Single surface without a name, whose tables are those of the file.
    One,
    /// Surfaces with names.
    Named,
    /// Surfaces with names; the file states which are drawn. Reports leave out the others.
    Switched,
    /// Surfaces named after their materials.
    Unnamed,
}

/// Materials of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialStorage {
    /// All skins whose images the file names; the user selects one.
    Skins,
    /// All skins whose images are inside the file; the user selects one.
    Inside,
    /// Image for each frame (SPR, SP2), inside the file or named in it.
    Frames,
    /// Single material.
    One,
    /// Material for each skin number.
    Several,
}

/// Location of the coarser LODs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodStorage {
    /// No LODs.
    None,
    /// LODs in separate files, `NAME_1` and `NAME_2`.
    Files,
    /// LODs in the model's file.
    Inside,
}

/// Storage of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagStorage {
    /// No tags.
    None,
    /// Transform in each frame.
    Frames,
    /// Joints themselves.
    Joints,
    /// Names, each with a bone that moves the tag.
    Bones,
    /// Names of transforms in the space of bones.
    Offsets,
    /// Surfaces whose first three vertices determine the tag's transform.
    Triangles,
}

impl TagStorage {
    /// Returns whether tags are stored apart from joints.
    pub fn is_apart_from_joints(self) -> bool {
        matches!(self, Self::Offsets | Self::Triangles)
    }
}

/// Storage of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointStorage {
    /// No joints; vertices are stored for each frame.
    None,
    /// Bones without names and parents. Games blend the rows of their matrices.
    Bones,
    /// Skeleton of named joints.
    Skeleton,
}

/// Precision of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 1/255 of the box of a frame (MD2) or of the model (MDL).
    Bytes,
    /// 1/64 unit.
    Shorts,
    /// 1/64 unit in key frames, 1/20 unit in offsets from them.
    KeyDeltas,
    /// 32-bit floats.
    Floats,
    /// Decimal text.
    Decimals,
}

/// Maximum lengths of names in bytes. `None` if unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameLimits {
    /// Names of surfaces and paths of materials.
    pub surface: Option<usize>,
    /// Names of tags.
    pub tag: Option<usize>,
    /// Names of frames.
    pub frame: Option<usize>,
}

/// Companion files of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Companions {
    /// Separate animation files.
    pub animations: AnimationFiles,
    /// Whether clip lists like `animation.cfg` exist.
    pub clip_lists: bool,
    /// Whether `.skin` files assign materials.
    pub skins: bool,
}

/// Separate animation files of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFiles {
    /// No separate files.
    None,
    /// Files with this extension in the model's folder and below, which name the joints.
    Below(&'static str),
    /// Files with this extension and without meshes, in the nearest folder that has any: the model's, or one of the two
    /// above. They number the joints.
    Above(&'static str),
    /// Skeletons with this extension and with all frames, without which the model has no joints.
    Skeleton(&'static str),
    /// Like [`Self::Skeleton`]; the model states the path of its skeleton in the game.
    NamedSkeleton(&'static str),
}

impl AnimationFiles {
    /// Returns the extension of the files, without the dot; `None` without separate files.
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Below(extension)
            | Self::Above(extension)
            | Self::Skeleton(extension)
            | Self::NamedSkeleton(extension) => Some(extension),
        }
    }

    /// Returns whether the files are skeletons.
    pub fn are_skeletons(self) -> bool {
        matches!(self, Self::Skeleton(_) | Self::NamedSkeleton(_))
    }
}

/// Search order of the games' scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptOrder {
    /// No scripts; names refer to images.
    None,
    /// Quake III, then Doom 3.
    Quake3First,
    /// Doom 3, then Quake III.
    Doom3First,
}
