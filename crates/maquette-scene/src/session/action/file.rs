//! File actions: opening, reloading, comparing.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::scene::Attachment;
use crate::session::{CompareMode, Effect, FilePrompt, NotificationKind, Session};
use maquette_assets::vfs::SearchOrder;
use maquette_core::bytes::LoadOptions;
use maquette_core::model::Format;

/// File action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum FileAction {
    /// Ask for a path, and use the path as the prompt states.
    Ask(FilePrompt),
    /// Open files or folders: show the first model and list the others.
    Open(Vec<PathBuf>),
    /// Handle dropped files: open or attach models, apply images and skins, add animations.
    Drop(Vec<PathBuf>),
    /// Open a model of the list, with its character.
    Show(PathBuf),
    /// Open the intact parts of a damaged model.
    Salvage(PathBuf),
    /// Open the built-in sample in one of its five formats.
    OpenSample(Format),
    /// List the models in a folder, or in the folder of a file. The scene does not change.
    ListFolder(PathBuf),
    /// Add a folder or an archive to search before the models' own games.
    AddRoot(PathBuf),
    /// Remove an added folder or archive, and reload.
    RemoveRoot(PathBuf),
    /// Set whether archives are searched in the game's order or with the model's own archive first, and reload.
    SearchIn(SearchOrder),
    /// Read models in other conventions than those of the games (glTF) like this.
    Import(LoadOptions),
    /// Set whether fullbright colours of the skins in a model are lit, and reload.
    LightFullbrights(bool),
    /// Set the colours of shirt and trousers (MDL); `None` as in the file.
    ColourPlayer([Option<u8>; 2]),
    /// Reload the models and their companion files. The camera does not change.
    Reload,
    /// Open the next model of the list.
    NextModel,
    /// Open the previous model of the list.
    PreviousModel,
    /// Count the triangles of all models of the list.
    CountTriangles,
    /// Check all models of the list.
    CheckFiles,
    /// Check all listed models for the engine with this index in `PROFILES`; `None` for the engine of each model.
    CheckFilesFor(Option<usize>),
    /// Select these listed models together.
    SelectModels(BTreeSet<PathBuf>),
    /// Check the selected models again.
    CheckSelected,
    /// Open the next model of the list that has a problem. If the list is not checked, check it.
    NextProblem,
    /// Cancel loading. The scene does not change.
    CancelLoading,
    /// Remove everything from the scene.
    Close,
    /// Reopen the files of the last session.
    RestoreLast,
    /// Clear the list of recent files.
    ForgetRecent,
    /// Remove the thumbnails on disk.
    ClearThumbnails,
    /// List a folder whose path is being typed.
    ReadFolder(String),
    /// Show a file in the system's file manager.
    ShowInFolder(PathBuf),
    /// Close the error strip.
    CloseError,
    /// Close the message about unreadable parts of models.
    CloseLosses,
    /// Restore the scene before a drop, and attach the dropped model to it.
    AttachInstead(Attachment),
    /// Open the model that a drop attached.
    OpenInstead,
    /// Close the offer of the alternative action for a dropped model.
    CloseAlternative,
    /// Compare the focused part with a model.
    Compare(PathBuf),
    /// Compare the focused part with its state before the last reload.
    CompareBeforeReload,
    /// Search for other versions of the focused part.
    FindVersions,
    /// Set the display of the compared models.
    ShowCompared(CompareMode),
    /// Set whether the second of the compared models is as tall as the first.
    EqualHeight(bool),
    /// Switch to the other compared model.
    SwapCompared,
    /// Stop comparing.
    StopComparing,
    /// Check the focused part with the lint profile of this index.
    Lint(usize),
    /// Search the clip for crossing surfaces, or cancel the search.
    FindCrossings(bool),
    /// Show the result of the search with this index.
    ShowCrossing(usize),
    /// Open a file in the structure view.
    ShowStructure(PathBuf),
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
            FileAction::OpenSample(format) => return self.open_sample(format),
            FileAction::ListFolder(path) => return self.list_models(path),
            FileAction::AddRoot(root) => {
                self.interface.path_field = None;
                return self.add_search_folder(std::path::absolute(&root).unwrap_or(root));
            }
            FileAction::RemoveRoot(root) => {
                self.search_folders.retain(|known| *known != root);
                return self.reload(None);
            }
            FileAction::SearchIn(order) => {
                self.search_order = order;
                return self.reload(None);
            }
            FileAction::Import(options) => {
                self.import = options;
                return self.reload(None);
            }
            FileAction::LightFullbrights(lit) => {
                self.preferences.lit_fullbrights = lit;
                return self.reload(None);
            }
            FileAction::ColourPlayer(colours) => {
                self.player_colours = colours;
                return self.reload(None);
            }
            FileAction::Reload => return self.reload(None),
            FileAction::NextModel => return self.sibling(1).and_then(|path| self.open_listed(path)),
            FileAction::CountTriangles => return self.count_triangles(),
            FileAction::CheckFiles => return self.check_files(),
            FileAction::CheckFilesFor(engine) => return self.check_files_for(engine),
            FileAction::SelectModels(models) => self.interface.selected_models = models,
            FileAction::CheckSelected => return self.check_selected(),
            FileAction::NextProblem => return self.open_next_problem(),
            FileAction::PreviousModel => return self.sibling(-1).and_then(|path| self.open_listed(path)),
            FileAction::CancelLoading => return self.cancel_loads(),
            FileAction::Close => return self.close_and_cancel_loads(),
            FileAction::RestoreLast => return self.restore_last(),
            FileAction::ForgetRecent => {
                self.preferences.recent.clear();
                self.preferences.recent_models.clear();
            }
            FileAction::ClearThumbnails => return Some(Effect::ClearThumbnails),
            FileAction::ReadFolder(folder) => return Some(Effect::ReadFolder(folder)),
            FileAction::ShowInFolder(file) => return Some(Effect::ShowInFolder(file)),
            FileAction::CloseError => self.interface.failure = None,
            FileAction::CloseLosses => self.interface.dismissed_losses = self.document.losses().count(),
            FileAction::Compare(path) => return self.compare_with(path),
            FileAction::CompareBeforeReload => return self.compare_before_reload(),
            FileAction::FindVersions => return self.find_versions(),
            FileAction::ShowCompared(mode) => self.show_compared(mode),
            FileAction::EqualHeight(equal) => self.equalise_height(equal),
            FileAction::SwapCompared => self.swap_compared(),
            FileAction::StopComparing => {
                self.stop_comparing();
                self.note(NotificationKind::Done, "Comparison ended");
            }
            FileAction::Lint(profile) => return self.load_lint(profile, |load| load),
            FileAction::FindCrossings(true) => return self.find_crossings(),
            FileAction::FindCrossings(false) => self.stop_finding_crossings(),
            FileAction::ShowCrossing(index) => self.show_crossing(index),
            FileAction::ShowStructure(file) => return self.open_structure(file),
            FileAction::AttachInstead(to) => return self.attach_instead(to),
            FileAction::OpenInstead => {
                let offer = self.interface.alternative.take()?;
                return self.open(vec![offer.file], None);
            }
            FileAction::CloseAlternative => self.interface.alternative = None,
        }
        None
    }

    fn close_and_cancel_loads(&mut self) -> Option<Effect> {
        let reads = self.jobs.loading.is_some();
        self.jobs.forget_loads();
        self.close();
        reads.then_some(Effect::CancelLoads)
    }
}
