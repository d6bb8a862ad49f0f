//! What `info --character` tells: every part of a figure, and where it stands.

use serde::Serialize;

use super::{BoundsReport, MaterialReports, bounds_report, finite};
use crate::scene::{Entity, Scene};

/// A figure at a moment, in its own space: the legs stand at the origin.
#[derive(Clone, Debug, Serialize)]
pub struct FigureReport<'a> {
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

impl<'a> FigureReport<'a> {
    /// Reports on what stands on a scene.
    #[must_use]
    pub fn new(scene: &'a Scene, name: &str) -> Self {
        let bounds = scene.bounds();
        let figure = scene.figure.as_ref();
        let warnings = scene.entities().iter().flat_map(|entity| {
            entity.asset.warnings.iter().map(|warning| format!("{}: {warning}", entity.asset.name)).collect::<Vec<_>>()
        });
        Self {
            name: figure.map_or_else(|| name.to_owned(), |figure| figure.name.clone()),
            bounds: (!bounds.is_empty()).then(|| bounds_report(bounds)),
            parts: scene.entities().iter().map(|entity| part_report(scene, entity)).collect(),
            weapons: figure
                .map_or_else(Vec::new, |figure| figure.weapons.iter().map(|path| path.display().to_string()).collect()),
            warnings: warnings.collect(),
        }
    }
}

fn part_report<'a>(scene: &Scene, entity: &'a Entity) -> PartReport<'a> {
    let axes = entity.world_from_model.matrix3;
    let carrier = entity.attachment.as_ref().and_then(|attachment| scene.entity(attachment.to));
    let bounds = entity.bounds();
    // In step, it is the carrier's clock that counts.
    let clock = carrier.filter(|_| entity.follows_parent).unwrap_or(entity);
    PartReport {
        name: entity.role.key(),
        model: entity.asset.game_path.clone(),
        replaced_by: entity.asset.replaced_by.clone(),
        format: entity.model().format().name(),
        on: carrier.map(|carrier| carrier.role.key()),
        at: entity.attachment.as_ref().map(|attachment| attachment.anchor.name().to_owned()),
        clip: clock.clip().name,
        frame: clock.playback.shown_frame(clock.model()),
        skin: entity.asset.skins.get(entity.skin).map_or_else(String::new, |skin| skin.name.clone()),
        shown: scene.shows(entity),
        origin: finite(entity.world_from_model.translation.into()),
        axis: [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| finite(axis.into())),
        bounds: (!bounds.is_empty()).then(|| bounds_report(bounds)),
        materials: MaterialReports::new(entity.materials()),
    }
}
