//! Faults of files that some engines refuse.

/// A fault for which the loader of some engine refuses a file, or reads past its data, while other engines and Maquette
/// accept the file. The lint profile of each engine lists its faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// No line with the version (MD5).
    MissingVersion,
    /// No `commandline` line (MD5).
    MissingCommandLine,
    /// A mesh without a `shader` line (MD5).
    MissingShader,
    /// No `frameRate` line (MD5).
    MissingRate,
    /// A frame rate of 0 or less (MD5).
    UnusableRate,
    /// A frame rate that is not a whole number (MD5).
    FractionalRate,
    /// A mesh with a `name` line (MD5).
    NamedMesh,
    /// More entries than the count before them announces (MD5).
    SurplusEntries,
    /// A vertex with no weight.
    VertexWithoutWeights,
    /// A vertex that names weights beyond the last one (MD5).
    UnknownWeight,
    /// A weight of a joint or bone that does not exist.
    UnknownJoint,
    /// A triangle of vertices that do not exist.
    UnknownVertex,
    /// A joint that does not come after its parent, or whose parent does not exist.
    InvalidParent,
    /// Like [`Self::InvalidParent`], in an animation (MD5).
    InvalidAnimationParent,
    /// A number that is not finite (MD5).
    NotFinite,
    /// Several joints of the mesh have no parent.
    SeveralRoots,
    /// Several joints of an animation have no parent (MD5).
    SeveralAnimationRoots,
    /// Unknown flags of a joint of an animation (MD5).
    UnknownFlags,
    /// A joint of an animation whose numbers end beyond those of a frame (MD5).
    UnknownComponent,
    /// Like [`Self::UnknownComponent`], of a joint that uses no numbers (MD5).
    UnusedComponent,
    /// Not one bounding box for each frame.
    BoundsCount,
    /// Frames that are not in the order of their numbers (MD5).
    FrameOrder,
    /// An animation that cannot be read.
    BrokenAnimation,
    /// No animation that is named after the mesh (MD5).
    MissingAnimation,
    /// The file that the model names for its skeleton is missing (GLM).
    MissingSkeleton,
    /// No skin (MDL).
    MissingSkin,
    /// A skin whose width is not a multiple of 4 (MDL).
    SkinWidth,
    /// A skin whose width or height is 0 or less (MD2).
    SkinSize,
    /// A time of a group of frames or skins that is 0 or less (MDL).
    Interval,
    /// No texture coordinates (MD2, IQM).
    MissingCoordinates,
    /// No normals (IQM).
    MissingNormals,
    /// Joints, but no weights (IQM).
    MissingWeights,
    /// An attribute of vertices whose numbers are not those that most exporters write (IQM).
    ArrayFormat,
    /// An animation, but no joints and weights of vertices, four bytes each (IQM).
    WeightFormat,
    /// Joints or weights of vertices that are not four bytes each (IQM).
    WideWeights,
    /// The size in the header is larger than the file.
    FileSize,
    /// The size in the header is not larger than the offset of one of the tables (MD3, MDC, MDS, MDM).
    ShortEnd,
    /// Version 1 of the format (IQM).
    OldVersion,
    /// A surface with another number of frames than the model (MD3).
    FrameCount,
    /// No surfaces.
    NoSurfaces,
    /// No triangles.
    NoTriangles,
    /// A surface without triangles (MD3).
    EmptySurface,
}

impl Fault {
    /// Returns whether the file is complete and unambiguous, so that only engines that refuse it have a problem.
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::FractionalRate | Self::SeveralAnimationRoots | Self::UnusedComponent)
    }
}
