//! What `info --character` tells: every part of a figure, and where it stands.

use serde::Serialize;

use super::{BoundsReport, MaterialReport, bounds_report, finite, material_reports};
use crate::scene::{Actor, Stage};

/// A figure at a moment, in its own space: the legs stand at the origin.
#[derive(Clone, Debug, Serialize)]
pub struct FigureReport {
    /// Name of its folder.
    pub name: String,
    /// Box of all parts that are drawn.
    pub bounds: Option<BoundsReport>,
    /// Carriers before what they carry.
    pub parts: Vec<PartReport>,
    /// Weapons it may carry, by path.
    pub weapons: Vec<String>,
    /// What was odd, a sentence each.
    pub warnings: Vec<String>,
}

/// One part where it stands.
#[derive(Clone, Debug, Serialize)]
pub struct PartReport {
    /// What it is: `lower`, `upper`, `head`, `weapon`, `barrel`, `flash`, `body`, `accessory`, `attached`, `model`.
    pub name: &'static str,
    /// Path of its model in the game.
    pub model: String,
    /// Short name of the format.
    pub format: &'static str,
    /// Name of the part that carries it; none for the first.
    pub on: Option<&'static str>,
    /// The tag or joint it hangs on.
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
    /// What each of its surfaces looks like.
    pub materials: Vec<MaterialReport>,
}

impl FigureReport {
    /// Reports on what stands on a stage.
    #[must_use]
    pub fn new(stage: &Stage, name: &str) -> Self {
        let bounds = stage.bounds();
        let figure = stage.figure.as_ref();
        let warnings = stage.actors().iter().flat_map(|actor| {
            actor.part.warnings.iter().map(|warning| format!("{}: {warning}", actor.part.name)).collect::<Vec<_>>()
        });
        Self {
            name: figure.map_or_else(|| name.to_owned(), |figure| figure.name.clone()),
            bounds: (!bounds.is_empty()).then(|| bounds_report(bounds)),
            parts: stage.actors().iter().map(|actor| part_report(stage, actor)).collect(),
            weapons: figure
                .map_or_else(Vec::new, |figure| figure.weapons.iter().map(|path| path.display().to_string()).collect()),
            warnings: warnings.collect(),
        }
    }

    /// Indented JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

fn part_report(stage: &Stage, actor: &Actor) -> PartReport {
    let axes = actor.world_from_model.matrix3;
    let carrier = actor.attachment.as_ref().and_then(|attachment| stage.actor(attachment.to));
    let bounds = actor.bounds();
    // In step, it is the carrier's clock that counts.
    let clock = carrier.filter(|_| actor.in_step).unwrap_or(actor);
    PartReport {
        name: actor.role.key(),
        model: actor.part.game_path.clone(),
        format: actor.model().format.name(),
        on: carrier.map(|carrier| carrier.role.key()),
        at: actor.attachment.as_ref().map(|attachment| attachment.anchor.name().to_owned()),
        clip: clock.clip().name,
        frame: clock.playback.shown_frame(clock.model()),
        skin: actor.part.skins.get(actor.skin).map_or_else(String::new, |skin| skin.name.clone()),
        shown: stage.shows(actor),
        origin: finite(actor.world_from_model.translation.into()),
        axis: [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| finite(axis.into())),
        bounds: (!bounds.is_empty()).then(|| bounds_report(bounds)),
        materials: material_reports(actor.model(), actor.looks()),
    }
}
