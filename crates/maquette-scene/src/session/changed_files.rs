//! Files of what is shown that change on disk, by other programs or by Maquette itself.

use std::path::Path;

use super::{Effect, NotificationKind, Session};
use crate::scene::Entity;

impl Session {
    /// A file of what is shown was saved by another program: it is read again, unless something else is about to be shown.
    pub fn file_changed(&mut self, path: &Path) -> Option<Effect> {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if self.asset().is_none() || self.waits_for_another(path) {
            None
        } else if !path.exists() {
            self.notify(
                NotificationKind::Warning,
                format!("{name} was deleted from disk"),
                "The loaded model stays open",
            );
            None
        } else if self.outdate(path) {
            let detail = "Your changes stay; saving replaces it";
            self.notify(NotificationKind::Warning, format!("{name} changed on disk"), detail);
            None
        } else if !self.preferences.watch {
            self.notify(NotificationKind::Done, format!("{name} changed on disk"), "Reload to update");
            None
        } else {
            self.reload(Some(name))
        }
    }

    /// A file of what is shown was saved by Maquette itself, as a texture: it is read again, and nothing more is told. A
    /// model that is saved is read again by [`Session::saved`].
    pub fn own_file_changed(&mut self, path: &Path) -> Option<Effect> {
        if self.asset().is_none() || self.shows_file(path) || !self.preferences.watch {
            return None;
        }
        if self.waits_for_another(path) { None } else { self.reload_quietly() }
    }

    /// Whether something else is about to be shown: until it is known whether that can be opened, the change waits.
    fn waits_for_another(&mut self, path: &Path) -> bool {
        let waits = self.jobs.loads.will_replace();
        if waits {
            self.jobs.loads.changed = Some(path.to_path_buf());
        }
        waits
    }

    /// Whether a model of the scene was read from this file.
    #[must_use]
    pub fn shows_file(&self, path: &Path) -> bool {
        self.document.scene.entities().iter().any(|entity| entity.asset.file.as_deref() == Some(path))
    }

    /// Says that what is shown was read again because of a file: one of the models, or one that belongs to them.
    pub(super) fn tell_reloaded(&mut self, file: &str) {
        let is_model = |entity: &Entity| entity.asset.name == file;
        if self.document.scene.entities().iter().any(is_model) {
            self.notify(NotificationKind::Done, format!("{file} reloaded"), "File changed on disk");
        } else {
            let name = self.name().unwrap_or_default().to_owned();
            self.notify(NotificationKind::Done, format!("{name} reloaded"), format!("{file} changed on disk"));
        }
    }
}
