//! Report on a character: its parts and their transforms.

use super::{Entity, Scene};
use maquette_assets::info::{BoundsReport, CharacterReport, MaterialReports, PartReport};
use maquette_core::model::finite;

impl Scene {
    /// Returns a report on the scene. A scene that is not a character is called `name`.
    pub fn report(&self, name: &str) -> CharacterReport<'_> {
        let bounds = self.bounds();
        let character = self.character.as_ref();
        let warnings = self.entities().iter().flat_map(|entity| {
            let name = &entity.asset.name;
            self.warnings_of(entity).into_iter().map(move |warning| format!("{name}: {warning}"))
        });
        CharacterReport {
            name: character.map_or_else(|| name.to_owned(), |character| character.name.clone()),
            bounds: BoundsReport::new(bounds),
            parts: self.entities().iter().map(|entity| part_report(self, entity)).collect(),
            weapons: character.map_or_else(Vec::new, |character| {
                character.weapons.iter().map(|path| path.display().to_string()).collect()
            }),
            warnings: warnings.collect(),
        }
    }
}

fn part_report<'a>(scene: &Scene, entity: &'a Entity) -> PartReport<'a> {
    let axes = entity.world_from_model.matrix3;
    let parent = entity.attachment.as_ref().and_then(|attachment| scene.entity(attachment.to));
    let bounds = entity.bounds();
    // A part that follows its parent has the parent's clip and frame.
    let clock = parent.filter(|_| entity.follows_parent).unwrap_or(entity);
    PartReport {
        name: entity.role.key(),
        model: entity.asset.game_path.clone(),
        replaced_by: entity.asset.overridden_by.clone(),
        format: entity.model().format().name(),
        on: parent.map(|parent| parent.role.key()),
        at: entity.attachment.as_ref().map(|attachment| attachment.anchor.name().to_owned()),
        clip: clock.clip().name,
        frame: clock.playback.shown_frame(clock.model()),
        skin: entity.asset.skins.get(entity.skin).map_or_else(String::new, |skin| skin.name.clone()),
        shown: scene.shows(entity),
        origin: finite(entity.world_from_model.translation.into()),
        axis: [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| finite(axis.into())),
        bounds: BoundsReport::new(bounds),
        materials: MaterialReports::new(entity.materials().iter()),
    }
}
