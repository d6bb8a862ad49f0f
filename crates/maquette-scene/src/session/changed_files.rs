//! Shown files that changed on disk, by other programs or by Maquette itself.

use std::path::Path;

use super::drop::extension;
use super::{Document, Effect, Jobs, NotificationKind, Session};
use crate::scene::Entity;
use maquette_assets::material::IMAGE_EXTENSIONS;

/// Extensions of the files that assign or describe materials.
const MATERIAL_EXTENSIONS: [&str; 4] = ["skin", "shader", "mtr", "mtl"];

/// Whether a model opens completely without this file, apart from its look.
fn is_for_materials(path: &Path) -> bool {
    let extension = extension(path);
    IMAGE_EXTENSIONS.into_iter().chain(MATERIAL_EXTENSIONS).any(|known| known == extension)
}

impl Document {
    /// Whether a model of the scene was read from this file.
    pub fn shows_file(&self, path: &Path) -> bool {
        self.scene.entities().iter().any(|entity| entity.asset.file.as_deref() == Some(path))
    }
}

impl Jobs {
    /// Whether a load is going to replace the scene. If so, the changed file is handled when that load ends.
    fn waits_for_another(&mut self, path: &Path) -> bool {
        let waits = self.loads.will_replace();
        if waits {
            self.loads.changed = Some(path.to_path_buf());
        }
        waits
    }
}

impl Session {
    /// Handles a shown file that another program changed. Reloads the scene, unless a load is going to replace it.
    pub fn file_changed(&mut self, path: &Path) -> Option<Effect> {
        for model in self.document.scene.entities().iter().filter_map(|entity| entity.asset.file.as_deref()) {
            self.interface.folder_check.outdate(model);
            self.interface.triangle_counts.forget(model);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let deleted = format!("{name} was deleted from disk");
        let exists = path.exists();
        if exists {
            for note in self.interface.notes.iter_mut().filter(|note| note.text == deleted) {
                note.is_toast = false;
                note.kind = NotificationKind::Done;
                "The file is back".clone_into(&mut note.detail);
            }
        }
        if self.asset().is_none() || self.jobs.waits_for_another(path) {
            None
        } else if !exists && !is_for_materials(path) {
            // A reload would lose the model, its skeleton or its clips, until a program that replaces the file is done.
            self.notify_of_model(NotificationKind::Warning, deleted, "The model stays open");
            None
        } else if self.document.outdate(path) {
            let detail = "Your changes are kept; saving replaces the file";
            self.notify_of_model(NotificationKind::Warning, format!("{name} changed on disk"), detail);
            None
        } else {
            let change = if exists { "changed on disk" } else { "was deleted from disk" };
            if self.preferences.watch {
                // A reload lists a deleted texture among the issues.
                return self.reload(Some((name, change)));
            }
            self.notify_of_model(NotificationKind::Done, format!("{name} {change}"), "Reload to update");
            None
        }
    }

    /// Reloads the scene after Maquette saved a companion file. [`Session::saved`] handles models.
    pub fn own_file_changed(&mut self, path: &Path) -> Option<Effect> {
        if self.asset().is_none() || self.document.shows_file(path) || !self.preferences.watch {
            return None;
        }
        let models = self.document.scene.entities().iter().filter_map(|entity| entity.asset.file.clone());
        let check = self.check_saved(models.collect::<Vec<_>>());
        let reload = if self.jobs.waits_for_another(path) { None } else { self.reload_quietly() };
        reload.or(check)
    }

    pub(super) fn notify_reloaded(&mut self, file: &str, change: &str) {
        let is_model = |entity: &Entity| entity.asset.name == file;
        if self.document.scene.entities().iter().any(is_model) {
            self.notify_of_model(NotificationKind::Done, format!("{file} reloaded"), "File changed on disk");
        } else {
            let name = self.name().unwrap_or_default().to_owned();
            self.notify_of_model(NotificationKind::Done, format!("{name} reloaded"), format!("{file} {change}"));
        }
    }
}
