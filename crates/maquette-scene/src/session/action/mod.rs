//! User actions as data. Panels, keys and menus produce them. Each topic has its own file.

mod camera;
mod clock;
mod display;
mod edit;
mod file;
mod save;
mod scene;
mod timeline;
mod window;

pub use camera::CameraAction;
pub use clock::ClockAction;
pub use display::DisplayAction;
pub use edit::{EditAction, EditSubject};
pub use file::FileAction;
pub use save::SaveAction;
pub use scene::SceneAction;
pub use timeline::TimelineAction;
pub use window::WindowAction;

use super::{Effect, NotificationKind, Session, command_for};
use maquette_core::model::Format;

/// User action, by topic.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Action on files.
    File(FileAction),
    /// Action on the scene.
    Scene(SceneAction),
    /// Edit of the model's file.
    Edit(EditAction),
    /// Playback action.
    Clock(ClockAction),
    /// Timeline action.
    Timeline(TimelineAction),
    /// Display action.
    Display(DisplayAction),
    /// Camera action.
    Camera(CameraAction),
    /// Action on saved images, animations and models.
    Save(SaveAction),
    /// Action on the window.
    Window(WindowAction),
}

impl Session {
    /// Applies an action, but asks first if it would discard unsaved changes. Returns work for the application.
    pub fn apply(&mut self, action: Action) -> Option<Effect> {
        let effect = if self.asks_first(&action) { None } else { self.perform(action) };
        effect.or_else(|| self.start_due_lint())
    }

    pub(super) fn perform(&mut self, action: Action) -> Option<Effect> {
        let command = command_for(&action).filter(|_| self.asset().is_some() && !self.has_dialog());
        if let Some(why) = command.and_then(|command| command.why_not(self)) {
            self.note(NotificationKind::Warning, why);
            return None;
        }
        match action {
            Action::Edit(action) => return self.apply_to_edits(action),
            Action::File(action) => return self.apply_to_files(action),
            Action::Scene(action) => return self.apply_undoably(action),
            Action::Clock(action) => self.apply_to_clocks(action),
            Action::Timeline(action) => self.apply_to_timeline(action),
            Action::Display(action) => return self.apply_to_display(action),
            Action::Camera(action) => return self.apply_to_camera(action),
            Action::Save(action) => return self.apply_to_saving(action),
            Action::Window(action) => return self.apply_to_window(action),
        }
        None
    }

    fn apply_undoably(&mut self, action: SceneAction) -> Option<Effect> {
        let Some(what) = self.undo_name(&action) else { return self.apply_to_scene(action) };
        let before = self.document.undo_step(what);
        let effect = self.apply_to_scene(action);
        self.remember_if_changed(before);
        effect
    }
}

fn after<T: Copy + PartialEq>(all: impl IntoIterator<Item = T>, current: T) -> T {
    let all: Vec<T> = all.into_iter().collect();
    let next = all.iter().position(|one| *one == current).map_or(0, |index| (index + 1) % all.len());
    all.get(next).copied().unwrap_or(current)
}

/// Panel at a side of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidePanel {
    /// File list, at the left unless the panels are swapped.
    Files,
    /// Inspector, at the right unless the panels are swapped.
    Inspector,
}

/// Dialog of the window. At most one dialog is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// Shortcuts.
    Help,
    /// Log of notifications.
    Log,
    /// Command palette.
    Palette,
    /// Settings.
    Settings,
    /// First steps for new users.
    Hints,
    /// Version, graphics adapter and system.
    About,
    /// Large thumbnails of the listed models.
    Gallery,
}

/// Setting that is saved between sessions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preference {
    /// Whether files changed by other programs are reloaded.
    Watch(bool),
    /// Whether the last session is reopened.
    Restore(bool),
    /// Whether the camera jumps instead of gliding, and the interface does not fade.
    ReducedMotion(bool),
    /// Whether a section of the inspector is open.
    Section(&'static str, bool),
    /// Whether the file list is at the right and the inspector at the left.
    SwapPanels(bool),
    /// Scale of the interface, relative to that of the system.
    Scale(f32),
    /// Memory limit for the images of a model, in megabytes. It applies from the next load on.
    ImageMemory(u32),
    /// Frames per second of a format's clips whose file specifies no rate; `None` is the default.
    Rate(Format, Option<f32>),
}
