//! Report of `info --character`: every part of a character with its transform.

use serde::Serialize;

use super::{BoundsReport, MaterialReports};

/// A character at one time. Positions are in its own space, with the legs at the origin.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterReport<'a> {
    /// Name of the folder.
    pub name: String,
    /// Bounding box of the drawn parts.
    pub bounds: Option<BoundsReport>,
    /// Parts, each after its parent.
    pub parts: Vec<PartReport<'a>>,
    /// Paths of available weapons.
    pub weapons: Vec<String>,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
}

/// A part of a character.
#[derive(Clone, Debug, Serialize)]
pub struct PartReport<'a> {
    /// Kind: `lower`, `upper`, `head`, `weapon`, `barrel`, `flash`, `body`, `accessory`, `attached`, `model`.
    pub name: &'static str,
    /// Game path of the model.
    pub model: String,
    /// Name of the archive or folder that overrides the model in the game, if any.
    pub replaced_by: Option<String>,
    /// Short name of the format.
    pub format: &'static str,
    /// Name of the parent; `None` for the first part.
    pub on: Option<&'static str>,
    /// Tag or joint of the parent to which the part is attached.
    pub at: Option<String>,
    /// Name of the current clip.
    pub clip: String,
    /// Current frame, fractional, as numbered in the interface.
    pub frame: f64,
    /// Name of the skin.
    pub skin: String,
    /// Whether the part is visible at first; a weapon's flash is not.
    pub shown: bool,
    /// Origin in the character's space.
    pub origin: [f32; 3],
    /// Axes in the character's space: forward, left, up, three rows.
    pub axis: [[f32; 3]; 3],
    /// Bounding box in the character's space; `None` without vertices.
    pub bounds: Option<BoundsReport>,
    /// Materials of the surfaces.
    pub materials: MaterialReports<'a>,
}
