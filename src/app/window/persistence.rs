//! Saving of the settings and of the window's size.

use super::Application;
use maquette_scene::session::{NotificationKind, WindowPreferences};

impl Application {
    pub(super) fn save_settings(&mut self) {
        let error = self.settings.keep(&self.session.current_preferences());
        // Every save may fail for the same reason, so report it once.
        if let Some(error) = error.filter(|error| self.reported_save_error.as_ref() != Some(error)) {
            self.session.notify(NotificationKind::Warning, error.0.clone(), error.1.display().to_string());
            self.reported_save_error = Some(error);
        }
    }

    pub(super) fn store_size(&mut self) {
        let Some(open) = &self.open else { return };
        let maximized = open.window.is_maximized();
        let size = open.window.inner_size().to_logical::<f32>(open.window.scale_factor());
        if open.window.fullscreen().is_some() || size.width < 1.0 {
            return;
        }
        let before = self.session.preferences.window;
        let now = WindowPreferences { width: size.width, height: size.height, maximized };
        // Keep the size that the window had before it was maximized.
        let saved = before.filter(|_| maximized).map_or(now, |before| WindowPreferences { maximized, ..before });
        self.session.preferences.window = Some(saved);
    }
}
