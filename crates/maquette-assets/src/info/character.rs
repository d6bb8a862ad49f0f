//! What `info --character` tells: every part of a figure, and where it stands.

use serde::Serialize;

use super::{BoundsReport, MaterialReports};

/// A figure at a moment, in its own space: the legs stand at the origin.
#[derive(Clone, Debug, Serialize)]
pub struct CharacterReport<'a> {
    /// Name of its folder.
    pub name: String,
    /// Box of all parts that are drawn.
    pub bounds: Option<BoundsReport>,
    /// Carriers before what they carry.
    pub parts: Vec<PartReport<'a>>,
    /// Weapons it may carry, by path.
    pub weapons: Vec<String>,
    /// What was odd, a sentence each.
    pub warnings: Vec<String>,
}

/// One part where it stands.
#[derive(Clone, Debug, Serialize)]
pub struct PartReport<'a> {
    /// What it is: `lower`, `upper`, `head`, `weapon`, `barrel`, `flash`, `body`, `accessory`, `attached`, `model`.
    pub name: &'static str,
    /// Path of its model in the game.
    pub model: String,
    /// Name of the archive or folder whose file the game takes in place of this one; none where it takes this one.
    pub replaced_by: Option<String>,
    /// Short name of the format.
    pub format: &'static str,
    /// Name of the part that carries it; none for the first.
    pub on: Option<&'static str>,
    /// The tag or joint it is attached to.
    pub at: Option<String>,
    /// Clip that is shown.
    pub clip: String,
    /// Frame that is shown, fractional, as people count it.
    pub frame: f64,
    /// The skin it wears.
    pub skin: String,
    /// Whether it is drawn at first; a weapon's flash is not.
    pub shown: bool,
    /// Its origin in the figure's space.
    pub origin: [f32; 3],
    /// Its axes there: forward, left, up, three rows.
    pub axis: [[f32; 3]; 3],
    /// Box of its vertices there; none without vertices.
    pub bounds: Option<BoundsReport>,
    /// What its surfaces look like.
    pub materials: MaterialReports<'a>,
}
