//! Effects: requests of the session to the application for files, dialogs and the window.

use std::path::PathBuf;

use super::{Action, FileAction, LoadJob, OutputKind, SaveAction, SceneAction};
use crate::scene::Attachment;

/// Request to the application.
#[derive(Debug)]
pub enum Effect {
    /// Run a load and pass the answer to [`Session::loaded`](super::Session::loaded).
    Load(LoadJob),
    /// Cancel all loads.
    CancelLoads,
    /// Ask for a path; [`FilePrompt::action`] turns the answer into an action.
    Ask(FilePrompt),
    /// Produce and save a file.
    Save {
        /// Kind of output.
        product: OutputKind,
        /// Path of the file.
        path: PathBuf,
        /// Whether the user confirmed replacing an existing file.
        replace: bool,
    },
    /// Copy the image to the clipboard.
    CopyImage,
    /// Copy text to the clipboard.
    CopyText(String),
    /// Paste the text of the clipboard into the focused panel.
    Paste,
    /// Cancel the running export.
    CancelWork,
    /// Switch full screen on or off.
    ToggleFullScreen,
    /// List a folder and pass the result to [`Interface::folder_listed`](super::Interface::folder_listed).
    ReadFolder(String),
    /// Measure the thumbnails on disk and set
    /// [`Interface::thumbnails_on_disk`](super::Interface::thumbnails_on_disk).
    MeasureThumbnails,
    /// Remove the thumbnails on disk and pass the remaining size to
    /// [`Session::thumbnails_cleared`](super::Session::thumbnails_cleared).
    ClearThumbnails,
    /// Show a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Open the user guide in the browser.
    OpenGuideInBrowser,
    /// Quit the program.
    Quit,
}

/// Purpose of a path that the user is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilePrompt {
    /// Files to open.
    Open,
    /// A folder to open.
    OpenFolder,
    /// A model to attach.
    Attach(Attachment),
    /// An image to apply as a texture.
    TryTexture,
    /// A model to compare with.
    Compare,
    /// A folder to search before the models' own games.
    AddRoot,
    /// Destination of an output.
    Save(OutputKind),
}

impl FilePrompt {
    /// Returns the action for the chosen paths; `None` without a path. `replace`: whether the dialog has confirmed
    /// replacing a file.
    pub fn action(self, paths: Vec<PathBuf>, replace: bool) -> Option<Action> {
        let mut paths = paths;
        if paths.is_empty() {
            return None;
        }
        Some(match self {
            Self::Open | Self::OpenFolder => Action::File(FileAction::Open(paths)),
            Self::Attach(to) => Action::Scene(SceneAction::Attach(paths.swap_remove(0), to)),
            Self::Compare => Action::File(FileAction::Compare(paths.swap_remove(0))),
            Self::TryTexture => Action::Scene(SceneAction::TryTexture(paths.swap_remove(0))),
            Self::AddRoot => Action::File(FileAction::AddRoot(paths.swap_remove(0))),
            Self::Save(product) => Action::Save(SaveAction::SaveTo { product, path: paths.swap_remove(0), replace }),
        })
    }
}
