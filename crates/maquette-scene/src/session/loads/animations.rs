//! Loads that add animations to a mesh.

use std::path::PathBuf;

use super::{Finish, Load, finish, read};
use crate::loader::Reading;
use crate::scene::{ClipChoice, EntityId};
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::open::{ModelAsset, OpenError, Opener};
use maquette_core::error::counted;

impl Session {
    /// Adds animations to the mesh of an entity, and plays the first of them.
    pub(crate) fn load_animations(&mut self, entity: EntityId, paths: Vec<PathBuf>) -> Option<Effect> {
        self.load(Load::new(paths.first().cloned().unwrap_or_default(), move |session| {
            let Some(asset) = session.document.scene.entity(entity).map(|entity| entity.asset.clone()) else {
                session.target_removed();
                return None;
            };
            read(move |reading| add(reading, entity, asset, &paths))
        }))
    }

    /// Plays the first animation that was added to a mesh. `refused` has the errors of animations that could not be
    /// added.
    fn play_new(&mut self, id: EntityId, part: ModelAsset, refused: &[OpenError]) {
        let Some(known) = self.document.scene.entity(id).map(|entity| entity.model().clips().len()) else {
            return self.target_removed();
        };
        let added = part.model.clips().get(known).map(|clip| clip.name.clone());
        let before = self.document.issues.len();
        self.replace(vec![(id, part)]);
        let new_issues = self.document.issues.len().saturating_sub(before);
        if let Some(name) = added {
            self.document.scene.choose(id, ClipChoice::Clip(known), false);
            self.document.scene.play_all();
            self.note(NotificationKind::Done, format!("Added animation {name}"));
        }
        if new_issues > 0 {
            self.note(
                NotificationKind::Warning,
                format!("{}; see Issues", counted(new_issues, "new issue", "new issues")),
            );
        }
        for error in refused {
            self.note(NotificationKind::Failed, format!("Could not add {}: {}", error.name(), error.reason()));
        }
    }
}

/// Reads animations, and adds those that fit.
pub(super) fn add(
    reading: &mut Reading,
    entity: EntityId,
    asset: ModelAsset,
    paths: &[PathBuf],
) -> Result<Finish, OpenError> {
    let (asset, refused) = with_animations(reading.opener, asset, paths)?;
    reading.prepare(asset.clone());
    finish(move |session| session.play_new(entity, asset, &refused))
}

/// Adds every animation that fits. Returns the part and the errors of the other animations, or an error if none fits.
fn with_animations(
    opener: &Opener,
    mut part: ModelAsset,
    paths: &[PathBuf],
) -> Result<(ModelAsset, Vec<OpenError>), OpenError> {
    let known = part.model.clips().len();
    let mut refused = Vec::new();
    for path in paths {
        match opener.with_animation(&part, path) {
            Ok(more) => part = more,
            Err(error) => refused.push(error),
        }
    }
    match refused.pop() {
        Some(error) if part.model.clips().len() == known => Err(error),
        last => Ok((part, refused.into_iter().chain(last).collect())),
    }
}
