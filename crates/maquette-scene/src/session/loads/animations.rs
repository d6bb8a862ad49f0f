//! Loads that add animations to a mesh.

use std::path::PathBuf;

use super::{QueuedLoad, SessionUpdate, on_loader, then_update};
use crate::loader::LoaderContext;
use crate::scene::{ClipChoice, EntityId};
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::open::{ModelAsset, OpenError};
use maquette_core::error::counted;

impl Session {
    /// Adds animations to the mesh of an entity, and plays the first of them.
    pub(crate) fn load_animations(&mut self, entity: EntityId, paths: Vec<PathBuf>) -> Option<Effect> {
        self.load(QueuedLoad::new(paths.first().cloned().unwrap_or_default(), move |session| {
            let Some(asset) = session.document.scene.entity(entity).map(|entity| entity.asset.clone()) else {
                session.target_removed();
                return None;
            };
            on_loader(move |context| add(context, entity, asset, &paths))
        }))
    }

    /// Plays the first animation that was added to a mesh. `refused` has the errors of animations that could not be
    /// added.
    fn play_new(&mut self, id: EntityId, asset: ModelAsset, refused: &[OpenError]) {
        let Some(known) = self.document.scene.entity(id).map(|entity| entity.model().clips().len()) else {
            return self.target_removed();
        };
        let added = asset.model.clips().get(known).map(|clip| clip.name.clone());
        let before = self.document.issues.len();
        self.replace(vec![(id, asset)]);
        let new_issues = self.document.issues.len().saturating_sub(before);
        if let Some(name) = added {
            self.document.scene.choose(id, ClipChoice::Clip(known), false);
            self.document.scene.play_all();
            self.note(NotificationKind::Done, format!("Added animation {name}"));
        }
        if new_issues > 0 {
            let count = counted(new_issues, "new issue", "new issues");
            self.notify_of_model(NotificationKind::Warning, format!("{count}; see Issues"), "");
        }
        for error in refused {
            let text = format!("Could not add {}: {}", error.name(), error.reason());
            self.notify_of_model(NotificationKind::Failed, text, "");
        }
    }
}

/// Adds every animation that fits. Fails if none fits.
pub(super) fn add(
    context: &mut LoaderContext,
    entity: EntityId,
    mut asset: ModelAsset,
    paths: &[PathBuf],
) -> Result<SessionUpdate, OpenError> {
    let known = asset.model.clips().len();
    let mut refused = Vec::new();
    for path in paths {
        match context.opener.with_animation(&asset, path) {
            Ok(more) => asset = more,
            Err(error) => refused.push(error),
        }
    }
    if asset.model.clips().len() == known
        && let Some(error) = refused.pop()
    {
        return Err(error);
    }
    context.prepare(asset.clone());
    then_update(move |session| session.play_new(entity, asset, &refused))
}
