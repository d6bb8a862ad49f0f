//! Loads that apply images to surfaces.

use std::path::PathBuf;

use super::{Document, QueuedLoad, then_update};
use crate::scene::EntityId;
use crate::session::{Effect, NotificationKind, Session};
use maquette_assets::material::SurfaceMaterial;

impl Document {
    fn texture_target(&self, entity: EntityId, surface: Option<usize>, others: &[usize]) -> String {
        let entity = self.scene.entity(entity);
        match (entity, surface) {
            (Some(_), Some(_)) if !others.is_empty() => format!("{} surfaces", others.len() + 1),
            (Some(entity), Some(surface)) => entity.surface_name(surface),
            _ => "all surfaces".to_owned(),
        }
    }
}

impl Session {
    /// Applies an image to the selected surfaces, or to all if none is selected.
    pub(crate) fn try_image(&mut self, path: PathBuf) -> Option<Effect> {
        let mut surfaces = self.document.selected_surfaces().into_iter();
        let (surface, others) = (surfaces.next(), surfaces.collect());
        self.load_texture(path, self.document.focus?, surface, others)
    }

    /// Applies an image to `surface` and `others`, or to all surfaces if `surface` is `None`.
    pub(crate) fn load_texture(
        &mut self,
        path: PathBuf,
        entity: EntityId,
        surface: Option<usize>,
        others: Vec<usize>,
    ) -> Option<Effect> {
        // An error that is shown now is older than the request.
        let old_failure = self.interface.failure.clone();
        self.load(QueuedLoad::of_path(path, move |context, path| {
            let material = context.opener.image(&path)?;
            for image in material.images() {
                image.mip_levels();
            }
            then_update(move |session| {
                if session.try_on(entity, surface, &others, &material) {
                    session.interface.failure.take_if(|failure| old_failure.as_ref() == Some(failure));
                    let target = session.document.texture_target(entity, surface, &others);
                    session.note(NotificationKind::Done, format!("{} applied to {target}", material.name));
                }
            })
        }))
    }

    /// Overrides the material of `surface` and `others`, or of all surfaces if `surface` is `None`, and of surfaces
    /// that lack the same image. Returns false if the entity was removed.
    pub fn try_on(
        &mut self,
        entity: EntityId,
        surface: Option<usize>,
        others: &[usize],
        material: &SurfaceMaterial,
    ) -> bool {
        let before = self.document.undo_step(if others.is_empty() { "Set texture" } else { "Set textures" });
        let Some(entity) = self.document.scene.entity_mut(entity) else {
            self.target_removed();
            return false;
        };
        let broken =
            surface.and_then(|surface| entity.materials().get(surface)).filter(|material| material.is_missing());
        let broken = broken.map(|material| material.name.clone()).filter(|name| !name.is_empty());
        let is_meant = |index: usize, own: &SurfaceMaterial| {
            let is_same = broken.as_ref().is_some_and(|name| own.is_missing() && own.name == *name);
            surface.is_none_or(|surface| surface == index) || others.contains(&index) || is_same
        };
        let materials = entity.materials().iter().enumerate();
        let meant: Vec<usize> =
            materials.filter(|(index, own)| is_meant(*index, own)).map(|(index, _)| index).collect();
        for index in meant {
            entity.override_texture(index, material);
        }
        self.remember_if_changed(before);
        self.document.update_issues();
        true
    }
}
