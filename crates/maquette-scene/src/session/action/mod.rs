//! Everything a user can want, as data: panels, keys, menus and the command line all end in an [`Action`]. Each topic has a
//! file of its own, with its actions and what they do.

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

use super::{Effect, Session};
use maquette_core::model::Format;

/// What a user wants, by topic.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Of files.
    File(FileAction),
    /// Of the scene.
    Scene(SceneAction),
    /// Of the model's file.
    Edit(EditAction),
    /// Of time.
    Clock(ClockAction),
    /// Of the timeline.
    Timeline(TimelineAction),
    /// Of how the model is shown.
    Display(DisplayAction),
    /// Of the camera.
    Camera(CameraAction),
    /// Of pictures that are saved.
    Save(SaveAction),
    /// Of the window.
    Window(WindowAction),
}

impl Session {
    /// Does what the user wants; what it cannot do itself comes back as an [`Effect`].
    /// What would lose changes that are not saved is asked for first.
    pub fn apply(&mut self, action: Action) -> Option<Effect> {
        if self.asks_first(&action) { None } else { self.perform(action) }
    }

    /// Does what the user wants, whatever is lost.
    pub(super) fn perform(&mut self, action: Action) -> Option<Effect> {
        match action {
            Action::Edit(action) => return self.apply_to_edits(action),
            Action::File(action) => return self.apply_to_files(action),
            Action::Scene(action) => return self.apply_undoably(action),
            Action::Clock(action) => self.apply_to_clocks(action),
            Action::Timeline(action) => self.apply_to_timeline(action),
            Action::Display(action) => self.apply_to_display(action),
            Action::Camera(action) => return self.apply_to_camera(action),
            Action::Save(action) => return self.apply_to_saving(action),
            Action::Window(action) => return self.apply_to_window(action),
        }
        None
    }

    /// What changes the scene can be undone.
    fn apply_undoably(&mut self, action: SceneAction) -> Option<Effect> {
        let Some(what) = self.undo_name(&action) else { return self.apply_to_scene(action) };
        let before = self.undo_step(what);
        let effect = self.apply_to_scene(action);
        self.remember_if_changed(before);
        effect
    }
}

/// The element after `current`, round the end.
fn after<T: Copy + PartialEq>(all: &[T], current: T) -> T {
    let next = all.iter().position(|one| *one == current).map_or(0, |index| (index + 1) % all.len());
    all.get(next).copied().unwrap_or(current)
}

/// The panels at the sides of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SidePanel {
    /// Models of the folder, at the left.
    Files,
    /// What the model is made of, at the right.
    Inspector,
}

/// A tab of the dock, the panel next to the view; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DockTab {
    /// The model's file, byte by byte.
    File,
    /// A texture, and how the selected surface lies on it.
    Texture,
    /// How what is followed moves.
    Motion,
    /// What is wrong for an engine.
    Lint,
    /// How the model differs from another one.
    Compare,
}

impl DockTab {
    /// All of them, in their order.
    pub const ALL: [Self; 5] = [Self::File, Self::Texture, Self::Motion, Self::Lint, Self::Compare];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Texture => "UV",
            Self::Motion => "Motion",
            Self::Lint => "Lint",
            Self::Compare => "Compare",
        }
    }
}

/// What lies over the window until it is closed; one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialog {
    /// The keys.
    Help,
    /// What happened.
    Log,
    /// Every action by its name.
    Palette,
    /// What is remembered from start to start.
    Settings,
    /// The first steps.
    Hints,
    /// The user guide.
    Guide,
    /// Version, graphics adapter and system.
    About,
    /// Large thumbnails of the listed models.
    Gallery,
}

/// Something that is remembered from start to start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preference {
    /// Read files again by itself when another program has saved them.
    Watch(bool),
    /// Begin where the last session ended.
    Restore(bool),
    /// The camera jumps instead of gliding, and nothing fades.
    ReducedMotion(bool),
    /// A section of the inspector is open, or closed.
    Section(&'static str, bool),
    /// Files at the right, inspector at the left.
    SwapPanels(bool),
    /// How large the interface is, times what the system says.
    Scale(f32),
    /// Megabytes that the images of a model may take; what is read from now on.
    ImageMemory(u32),
    /// Frames per second of a format's clips whose file names no rate; `None`: as usual.
    Rate(Format, Option<f32>),
}
