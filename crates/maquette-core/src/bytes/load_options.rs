//! Interpretation of files in other conventions than those of the games.

/// Interpretation of a file in other conventions than those of the games. A loader of a format with the games' own
/// conventions ignores it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LoadOptions {
    /// Frames per second of all clips. `None` uses those in the file, else [`Self::usual_rate`].
    pub rate: Option<f32>,
    /// Frames per second of clips for which the file states none. `None` uses the rate of the format.
    pub usual_rate: Option<f32>,
    /// Metres per unit.
    pub scale: f32,
    /// Axis of the scene that is the model's forward direction.
    pub forward: Forward,
    /// Whether an OBJ is read as its mirror image. `None` reads it as the game does in whose folder it is, else as stored.
    pub mirrored: Option<bool>,
    /// Whether morph targets of a model with joints stay at rest, so that the joints are kept. Otherwise the model becomes
    /// vertices of every frame.
    pub keeps_joints: bool,
}

impl LoadOptions {
    /// Default for [`Self::scale`]: an inch.
    pub const INCH: f32 = 0.0254;
}

impl Default for LoadOptions {
    fn default() -> Self {
        let (scale, forward) = (Self::INCH, Forward::PlusZ);
        Self { rate: None, usual_rate: None, scale, forward, mirrored: None, keeps_joints: false }
    }
}

/// Axis of the scene that is the model's forward direction. +Y is always up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Forward {
    /// +Z, as the specification of glTF says; −Y in Blender.
    #[default]
    PlusZ,
    /// −Z; +Y in Blender.
    MinusZ,
    /// +X, also in Blender.
    PlusX,
    /// −X, also in Blender.
    MinusX,
}

impl Forward {
    /// All directions, with their names on the command line.
    pub const ALL: [(&str, Self); 4] =
        [("+z", Self::PlusZ), ("-z", Self::MinusZ), ("+x", Self::PlusX), ("-x", Self::MinusX)];
}
