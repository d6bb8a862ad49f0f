//! Applies the results of loads to the scene: assemblies, reloads, attached parts, images, errors.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{DropAlternative, Effect, Failure, History, MaterialClock, NotificationKind, Selection, Session, View};
use crate::scene::{Attachment, Camera, ClipChoice, Entity, EntityId, OverlayKind, Scene};
use maquette_assets::material::SurfaceMaterial;
use maquette_assets::open::{Assembly, AssemblyPart, ModelAsset, OpenCause, OpenError};
use maquette_core::error::counted;

impl Session {
    /// Shows an assembly from the first view. Its entities play their idle clips.
    pub fn show(&mut self, assembly: impl Into<Assembly>) {
        self.show_instead(assembly.into(), None, None);
    }

    /// Shows an assembly instead of the scene. `attachable` is a dropped file that could be attached to the old scene,
    /// with the model list of that scene.
    pub(super) fn show_instead(
        &mut self,
        assembly: Assembly,
        focus: Option<PathBuf>,
        attachable: Option<(PathBuf, Arc<[PathBuf]>)>,
    ) {
        self.put(assembly, focus, attachable);
        // Without surfaces, show tags and joints. The next file restores the overlays.
        let View { display, switched, .. } = &mut *self.view;
        if let Some(overlays) = switched.take() {
            display.overlays = overlays;
        }
        let mut surfaces = self.document.scene.entities().iter().flat_map(|entity| entity.asset.model.surfaces());
        if surfaces.all(|surface| surface.triangles.is_empty()) {
            *switched = Some(display.overlays);
            for entity in self.document.scene.entities() {
                if !entity.model().tags().is_empty() {
                    display.overlays.set(OverlayKind::Tags, true);
                }
                if !entity.model().joints().is_empty() {
                    display.overlays.set(OverlayKind::Joints, true);
                }
            }
        }
        self.use_usual_rates();
        self.update_extent();
        let Camera { projection, field_of_view, .. } = self.view.camera;
        self.view.camera = Camera { projection, field_of_view, ..self.first_camera() };
        self.refresh();
        self.frame_model();
        self.view.fit_when_sized = true;
    }

    pub(super) fn first_camera(&self) -> Camera {
        let folder = self.asset().and_then(|asset| asset.file.as_deref()).and_then(Path::parent);
        let saved = folder.and_then(|folder| self.preferences.folder_view(folder));
        saved.map_or_else(Camera::default, |[yaw, pitch]| Camera { yaw, pitch, ..Camera::default() })
    }

    fn put(&mut self, assembly: Assembly, focus: Option<PathBuf>, attachable: Option<(PathBuf, Arc<[PathBuf]>)>) {
        if let Some(track) = self.track() {
            self.clock = track.playback.clone();
        }
        self.interface.failure = None;
        self.interface.dismissed_losses = 0;
        let next = Scene::from_assembly(assembly, &self.clock, &self.document.scene);
        let offer = attachable.and_then(|(file, siblings)| self.leave(&next, file, siblings));
        self.document.scene = next;
        self.forget_comparison();
        self.document.history = History::default();
        self.document.before_reload = Vec::new();
        let entities = self.document.scene.entities();
        let wanted = entities.iter().find(|entity| focus.is_some() && entity.asset.file == focus);
        self.document.focus = wanted.or(entities.first()).map(|entity| entity.id);
        // The requested path may have been a folder or differ in spelling.
        self.requested_path = self.asset().and_then(|part| part.file.clone()).or(focus);
        self.document.selection = Selection::None;
        self.document.whole_character = false;
        self.document.forget_removed_parts();
        self.interface.alternative = offer;
        self.view.material_clock = MaterialClock::default();
        self.open_timeline();
        let game = self.game().unwrap_or_default();
        self.view.display.lighting = self.preferences.lighting.get(game).copied().unwrap_or_default();
        self.view.display.texture_filter = self.preferences.texture_filters.get(game).copied().unwrap_or_default();
        self.update_issues();
    }

    /// Replaces the assets of parts. Camera, playback and selection stay as far as they apply.
    pub fn replace(&mut self, mut parts: Vec<(EntityId, ModelAsset)>) {
        // Images of the previous models may have been decoded during the load.
        for (_, asset) in &mut parts {
            asset.finish_pending_images();
        }
        let chosen = self.chosen_name();
        self.document.scene.replace(parts);
        self.renew_history();
        self.select_named(chosen);
        self.interface.failure = None;
        self.update_issues();
        self.update_extent();
        self.refresh();
    }

    /// Attaches opened models to the scene. A weapon replaces the weapon at the same anchor.
    pub fn attach(&mut self, members: Vec<AssemblyPart>, to: &Attachment, dropped: bool) {
        let name = members.first().map(|member| member.asset.name.clone()).unwrap_or_default();
        let Some(parent) = self.document.scene.entity(to.to).map(|entity| entity.asset.name.clone()) else {
            return self.gone();
        };
        let before = self.undo_step("Attach model");
        let replaced = self.document.scene.replaced_by(to).map(|weapon| weapon.asset.name.clone());
        let clock = self.playback().clone();
        let file = members.first().and_then(|member| member.asset.file.clone());
        self.document.scene.attach_parts(members, to, &clock);
        if self.entity().is_none() {
            self.document.focus = Some(to.to);
            self.document.selection = Selection::None;
        }
        self.interface.failure = None;
        self.interface.alternative = file.filter(|_| dropped).map(DropAlternative::attached);
        self.update_issues();
        let replacing = replaced.map_or(String::new(), |old| format!(", replacing {old}"));
        self.note(NotificationKind::Done, format!("Attached {name} to {} of {parent}{replacing}", to.anchor.name()));
        self.remember_if_changed(before);
        self.use_usual_rates();
        self.update_extent();
        self.refresh();
    }

    pub(super) fn gone(&mut self) {
        self.update_issues();
        self.note(NotificationKind::Warning, "The target part was removed");
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
        let before = self.undo_step(if others.is_empty() { "Set texture" } else { "Set textures" });
        let Some(entity) = self.document.scene.entity_mut(entity) else {
            self.gone();
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
        self.update_issues();
        true
    }

    /// Replaces parts and assigns the last skin of each.
    pub fn assign_new_skins(&mut self, parts: Vec<(EntityId, ModelAsset)>) {
        let entities: Vec<(EntityId, usize)> =
            parts.iter().map(|(id, part)| (*id, part.skins.len().saturating_sub(1))).collect();
        self.replace(parts);
        let before = self.undo_step("Change skin");
        let mut assigned = Vec::new();
        for (id, last) in entities {
            if let Some(entity) = self.document.scene.entity_mut(id) {
                entity.set_skin(last);
                assigned.push(format!("{}: skin “{}”", entity.asset.name, entity.skin_name()));
            }
        }
        self.remember_if_changed(before);
        self.note(NotificationKind::Done, assigned.join(", "));
        self.update_issues();
    }

    /// Plays the first animation that was added to a part. `refused` has the errors of animations that could not be
    /// added.
    pub fn play_new(&mut self, id: EntityId, part: ModelAsset, refused: &[OpenError]) {
        let Some(known) = self.document.scene.entity(id).map(|entity| entity.model().clips().len()) else {
            return self.gone();
        };
        let added = part.model.clips().get(known).map(|clip| clip.name.clone());
        let before = self.document.issues.len();
        self.replace(vec![(id, part)]);
        let odd = self.document.issues.len().saturating_sub(before);
        if let Some(name) = added {
            self.document.scene.choose(id, ClipChoice::Clip(known), false);
            self.document.scene.play_all();
            self.note(NotificationKind::Done, format!("Added animation {name}"));
        }
        if odd > 0 {
            self.note(NotificationKind::Warning, format!("{}; see Issues", counted(odd, "new issue", "new issues")));
        }
        for error in refused {
            self.note(NotificationKind::Failed, format!("Could not add {}: {}", error.name(), error.reason()));
        }
    }

    /// Applies images that were decoded after their models were shown. Returns a lint load if the lint view is out of
    /// date.
    pub fn images_decoded(&mut self) -> Option<Effect> {
        self.document.history.finish_pending_images();
        if !self.document.scene.finish_pending_images() {
            return None;
        }
        self.update_issues();
        // Findings about a model without its images may have changed.
        let view = self.interface.lint.as_ref()?;
        let (number, profile) = (view.number, view.profile);
        self.entity().filter(|entity| entity.number == number)?;
        self.lint(profile)
    }

    /// Returns the number of decoded images and of all images; `None` if all are decoded.
    #[must_use]
    pub fn pending_textures(&self) -> Option<(usize, usize)> {
        let pending = |entity: &Entity| Some(entity.asset.pending_images.as_ref()?.queue.progress());
        self.document.scene.entities().iter().find_map(pending)
    }

    /// Shows an error for a file that could not be opened. The scene does not change.
    pub fn fail(&mut self, error: &OpenError) {
        let advice = self.name().map_or(String::new(), |name| format!("{name} stays open"));
        let title = format!("Could not open {}", error.name());
        self.log(NotificationKind::Failed, format!("{title}: {}", error.reason()));
        let is_damaged = matches!(error.cause, OpenCause::Damaged(_));
        let (message, file) = (error.reason(), error.path.clone());
        let is_folder = file.is_dir();
        self.interface.failure = Some(Failure { title, message, advice, file, is_damaged, is_folder });
    }
}
