//! What the session cannot do itself: files, dialogs and the window are the application's.

use std::path::PathBuf;

use super::{Action, FileAction, Load, OutputKind, SaveAction, SceneAction, Ticket};
use crate::scene::Attachment;

/// What the application is to do.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Read this, and bring the answer with its ticket to [`Session::loaded`](super::Session::loaded).
    Load(Ticket, Load),
    /// Give up what is being read.
    CancelLoads,
    /// Ask for a path; the answer is [`FilePrompt::action`].
    Ask(FilePrompt),
    /// Make and save something.
    Save {
        /// What.
        product: OutputKind,
        /// Where.
        path: PathBuf,
        /// A file of this name may be replaced: the user has confirmed it.
        replace: bool,
    },
    /// Put the picture on the clipboard.
    CopyPicture,
    /// Put a text on the clipboard.
    CopyText(String),
    /// Bring the clipboard's text to the panels.
    Paste,
    /// Stop what is being made.
    CancelWork,
    /// The whole screen, or a window.
    ToggleFullScreen,
    /// Read what lies in a folder, and bring it to [`Session::folder_listed`](super::Session::folder_listed).
    ReadFolder(String),
    /// See how much the thumbnails on disk take, and bring it to [`Session::measured`](super::Session::measured).
    MeasureThumbnails,
    /// Remove the thumbnails on disk, and bring what is left to
    /// [`Session::thumbnails_cleared`](super::Session::thumbnails_cleared).
    ClearThumbnails,
    /// Show a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Show the user guide in the browser.
    OpenGuideInBrowser,
    /// End the program.
    Quit,
}

/// What a path is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilePrompt {
    /// Files to open.
    Open,
    /// A folder to open.
    OpenFolder,
    /// A model to attach here.
    Attach(Attachment),
    /// A picture to try on.
    TryPicture,
    /// A model to compare with.
    Compare,
    /// A folder to be searched before the models' own games.
    AddRoot,
    /// Where to save something.
    Save(OutputKind),
}

impl FilePrompt {
    /// The action for the chosen paths; none without a path. `replace`: an existing file may be replaced, since the
    /// dialog has asked for that.
    #[must_use]
    pub fn action(self, paths: Vec<PathBuf>, replace: bool) -> Option<Action> {
        let mut paths = paths;
        if paths.is_empty() {
            return None;
        }
        Some(match self {
            Self::Open | Self::OpenFolder => Action::File(FileAction::Open(paths)),
            Self::Attach(to) => Action::Scene(SceneAction::Attach(paths.swap_remove(0), to)),
            Self::Compare => Action::File(FileAction::Compare(paths.swap_remove(0))),
            Self::TryPicture => Action::Scene(SceneAction::TryPicture(paths.swap_remove(0))),
            Self::AddRoot => Action::File(FileAction::AddRoot(paths.swap_remove(0))),
            Self::Save(product) => Action::Save(SaveAction::SaveTo { product, path: paths.swap_remove(0), replace }),
        })
    }
}
