//! Files: what is opened, read again, or asked for.

use std::path::PathBuf;

use crate::scene::Attachment;
use crate::session::{CompareMode, Effect, FilePrompt, Load, NotificationKind, Session};
use maquette_assets::vfs::SearchOrder;
use maquette_core::model::Format;

/// What a user wants of files.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAction {
    /// Ask for a path, and do with it what it is asked for.
    Ask(FilePrompt),
    /// Open these files or folders; the first model among them is shown, the others are next.
    Open(Vec<PathBuf>),
    /// What was dropped on the window: models are opened or attached to the scene, pictures and skins are tried on,
    /// animations are added.
    Drop(Vec<PathBuf>),
    /// Show one of the models to go through, with the figure it is a part of.
    Show(PathBuf),
    /// Show what is intact of a damaged model.
    Salvage(PathBuf),
    /// Show the built-in figure in one of its five formats.
    OpenSample(Format),
    /// List the models of this folder, or of the folder of this file; what is shown stays.
    ListFolder(PathBuf),
    /// Search this folder or archive before the models' own games.
    AddRoot(PathBuf),
    /// Search a folder or an archive that was added no more, and read what is shown again.
    RemoveRoot(PathBuf),
    /// Look at models in the archives of a game as the game does, or with their own archive first; what is shown is read
    /// again.
    SearchIn(SearchOrder),
    /// Read the model and everything beside it again, keeping the camera.
    Reload,
    /// Go to the next model of the folder.
    NextModel,
    /// Go to the previous model of the folder.
    PreviousModel,
    /// Give up what is being opened; the scene stays as it is.
    CancelLoading,
    /// Take everything off the scene.
    Close,
    /// Open what was open when the last session ended.
    RestoreLast,
    /// Forget what was opened before.
    ForgetRecent,
    /// Remove the thumbnails on disk.
    ClearThumbnails,
    /// Tell what lies in a folder whose path is being typed.
    ReadFolder(String),
    /// Show a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Put the error away.
    CloseError,
    /// Put away the message that something of the models could not be read.
    CloseLosses,
    /// Bring back what stood there before a model was dropped, and hang the model here.
    AttachInstead(Attachment),
    /// Open the model that was attached to the scene.
    OpenInstead,
    /// Put the alternative away.
    CloseAlternative,
    /// Compare the part in focus with this model.
    Compare(PathBuf),
    /// Compare the part in focus with its state before the last reload.
    CompareBeforeReload,
    /// Look for other versions of the part in focus.
    FindVersions,
    /// Show the two that are compared in another way.
    ShowCompared(CompareMode),
    /// Show the other one of the two alone.
    SwapCompared,
    /// Compare no more.
    StopComparing,
    /// Look at the part in focus with the rules of this lint profile.
    Lint(usize),
    /// Read a file to be shown byte by byte.
    TakeApart(PathBuf),
}

impl Session {
    pub(super) fn apply_to_files(&mut self, action: FileAction) -> Option<Effect> {
        match action {
            FileAction::Ask(FilePrompt::Save(product)) => return self.ask_where(product),
            FileAction::Ask(purpose) => return Some(Effect::Ask(purpose)),
            FileAction::Open(paths) => return self.open(paths, None),
            FileAction::Drop(paths) => return self.dropped(paths),
            FileAction::Show(path) => return self.open_listed(path),
            FileAction::Salvage(path) => return self.salvage(path),
            FileAction::OpenSample(format) => return self.load(Load::Sample(format)),
            FileAction::ListFolder(path) => return self.load(Load::List(path)),
            FileAction::AddRoot(root) => {
                self.interface.path_field = None;
                let root = std::path::absolute(&root).unwrap_or(root);
                return self.load(Load::Root(root, Vec::new()));
            }
            FileAction::RemoveRoot(root) => {
                self.search_folders.retain(|known| *known != root);
                return self.reload(None);
            }
            FileAction::SearchIn(order) => {
                self.search_order = order;
                return self.reload(None);
            }
            FileAction::Reload => return self.reload(None),
            FileAction::NextModel => return self.sibling(1).and_then(|path| self.open_listed(path)),
            FileAction::PreviousModel => return self.sibling(-1).and_then(|path| self.open_listed(path)),
            FileAction::CancelLoading => return self.cancel_loads(),
            FileAction::Close => {
                let reads = self.jobs.loading.is_some();
                self.forget_loads();
                self.close();
                return reads.then_some(Effect::CancelLoads);
            }
            FileAction::RestoreLast => return self.restore_last(),
            FileAction::ForgetRecent => self.preferences.recent.clear(),
            FileAction::ClearThumbnails => return Some(Effect::ClearThumbnails),
            FileAction::ReadFolder(folder) => return Some(Effect::ReadFolder(folder)),
            FileAction::ShowInFolder(file) => return Some(Effect::ShowInFolder(file)),
            FileAction::CloseError => self.interface.failure = None,
            FileAction::CloseLosses => self.interface.dismissed_losses = self.losses().count(),
            FileAction::Compare(path) => return self.compare_with(path),
            FileAction::CompareBeforeReload => return self.compare_before_reload(),
            FileAction::FindVersions => return self.find_versions(),
            FileAction::ShowCompared(mode) => self.show_compared(mode),
            FileAction::SwapCompared => self.swap_compared(),
            FileAction::StopComparing => {
                self.stop_comparing();
                self.note(NotificationKind::Done, "Comparison ended");
            }
            FileAction::Lint(profile) => return self.lint(profile),
            FileAction::TakeApart(file) => return self.open_structure(file),
            FileAction::AttachInstead(to) => return self.attach_instead(to),
            FileAction::OpenInstead => {
                let offer = self.interface.alternative.take()?;
                return self.open(vec![offer.file], None);
            }
            FileAction::CloseAlternative => self.interface.alternative = None,
        }
        None
    }
}
