//! Model list, updated when files are added to or removed from its folders.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::loads::{QueuedLoad, fail, then_update};
use super::{Action, Effect, FileAction, NotificationKind, Session};
use crate::loader::{FileStamp, ModelList};
use maquette_assets::open::{self, OpenCause, divide_levels, is_model_file, sort_models, sorted_index};
use maquette_assets::vfs::FileLocation;
use maquette_core::error::counted;

/// A model file that was added to or removed from a watched folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ModelFileChange {
    /// Path of the file.
    pub path: PathBuf,
    /// Whether the file exists now.
    pub exists: bool,
    stamp: FileStamp,
}

impl ModelFileChange {
    /// Reads the size and date of the file, which takes time on a slow drive.
    #[must_use]
    pub fn read(path: PathBuf, exists: bool) -> Self {
        Self { stamp: FileStamp::read(&path), path, exists }
    }
}

impl Session {
    /// Lists the models of a folder, of an archive or next to a file.
    pub(super) fn list_models(&mut self, path: PathBuf) -> Option<Effect> {
        self.load(QueuedLoad::of_path(path, |context, path| {
            let files = context.opener.files();
            match files.locate(&path) {
                Ok(FileLocation::File(_) | FileLocation::FileInArchive { .. }) => context.list_folder_of(&path, true),
                Ok(_) => context.list(open::scan_with_declared(files, &path, context.stop), true),
                Err(error) => return fail(&path, OpenCause::Read(error)),
            }
            let list = context.list.take();
            then_update(move |session| {
                session.take_list(list, None);
                session.interface.panels.files = true;
                let models = counted(session.model_list.len(), "model", "models");
                session.note(NotificationKind::Done, format!("Listed {models}"));
            })
        }))
    }

    /// Lists the models next to a file that is already open. If this fails, the old list stays.
    pub(super) fn list_folder_of(&mut self, path: PathBuf) -> Option<Effect> {
        let load = QueuedLoad::of_path(path, |context, path| {
            context.list_folder_of(&path, false);
            let list = context.list.take();
            then_update(move |session| session.take_list(list, None))
        });
        self.load(load.or_else(|_, _| {}))
    }

    /// Whether the list that the user opened stays, because it contains the file.
    fn keeps_list(&self, file: Option<&Path>) -> bool {
        self.list_asked_for && file.is_some_and(|file| self.is_listed(file))
    }

    /// Applies the list of a load, unless the current list stays. `file` is the requested file.
    pub(super) fn take_list(&mut self, list: Option<ModelList>, file: Option<&Path>) {
        if let Some(list) = list.filter(|list| list.asked_for || !self.keeps_list(file)) {
            self.list_asked_for = list.is_asked_for();
            self.interface.selected_models.clear();
            self.set_models(list.models.into());
            self.coarser_levels = list.coarser;
            // *Attach instead* returns to the list before.
            self.file_stamps.extend(list.stamps);
            self.replaced_models = list.replaced.into();
            self.left_out = list.left_out.into();
        }
    }

    /// Sets the listed models, and forgets the others' results and selection.
    pub(super) fn set_models(&mut self, models: Arc<[PathBuf]>) {
        self.model_list = models;
        self.interface.folder_check.keep(&self.model_list);
        self.interface.triangle_counts.take([], &self.model_list);
        if !self.interface.selected_models.is_empty() {
            let listed: HashSet<&PathBuf> = self.model_list.iter().collect();
            self.interface.selected_models.retain(|model| listed.contains(model));
        }
    }

    /// Updates the list after files were added to or removed from its folders. Open files stay listed.
    pub fn models_found(&mut self, found: &[ModelFileChange]) {
        for file in found {
            self.interface.folder_check.outdate_if_written(&file.path, file.stamp);
            self.interface.triangle_counts.forget_if_written(&file.path, file.stamp);
            match file.exists {
                true => self.file_stamps.insert(file.path.clone(), file.stamp),
                false => self.file_stamps.remove(&file.path),
            };
        }
        self.interface.folder_check.revision += 1;
        // The compare panel requests the versions again.
        self.interface.versions = None;
        // Use sets, because both lists may have thousands of files.
        let listed: HashSet<&Path> = self.model_list.iter().chain(&self.coarser_levels).map(PathBuf::as_path).collect();
        let folders: HashSet<&Path> = self.model_list.iter().filter_map(|listed| listed.parent()).collect();
        let is_new = |found: &&ModelFileChange| {
            let ModelFileChange { path, exists, .. } = found;
            let is_in_folder = path.parent().is_some_and(|folder| folders.contains(folder));
            *exists && is_model_file(path) && is_in_folder && !listed.contains(path.as_path())
        };
        let new: Vec<PathBuf> = found.iter().filter(is_new).map(|found| found.path.clone()).collect();
        let gone: HashSet<&Path> =
            found.iter().filter(|found| !found.exists).map(|found| found.path.as_path()).collect();
        let is_gone = |listed: &PathBuf| {
            let is_open = || self.requested_path.as_ref() == Some(listed) || self.document.shows_file(listed);
            gone.contains(listed.as_path()) && !is_open()
        };
        if new.is_empty() && !self.model_list.iter().chain(&self.coarser_levels).any(is_gone) {
            return;
        }
        let mut models: Vec<PathBuf> = self.model_list.iter().filter(|listed| !is_gone(listed)).cloned().collect();
        // Only the other files are divided: the loader compared the triangles of the listed ones.
        let others: Vec<PathBuf> =
            self.coarser_levels.iter().filter(|file| !is_gone(file)).cloned().chain(new).collect();
        let divided = divide_levels(models.iter().chain(&others).cloned().collect());
        let coarser: HashSet<PathBuf> = divided.coarser.into_iter().collect();
        let (coarser, shown): (Vec<_>, Vec<_>) = others.into_iter().partition(|file| coarser.contains(file));
        models.extend(shown);
        sort_models(&mut models);
        self.coarser_levels = coarser;
        if models[..] != self.model_list[..] {
            self.set_models(models.into());
        }
    }

    /// Updates the list after a save at `path`. Returns whether the folder has to be listed again.
    pub(super) fn move_in_list(&mut self, path: &Path) -> bool {
        self.models_found(&[ModelFileChange::read(path.to_path_buf(), true)]);
        let is_listed = self.is_listed(path);
        // Saving outside the list that the user opened does not change the position in the list.
        if is_listed || !self.list_asked_for {
            self.requested_path = Some(path.to_path_buf());
        }
        !is_listed && !self.list_asked_for
    }

    /// Resolves “next” or “previous model” to a path, before the list or the position in it changes.
    pub(super) fn resolve_sibling(&self, action: Action) -> Action {
        let sibling = match action {
            Action::File(FileAction::NextModel) => self.sibling(1),
            Action::File(FileAction::PreviousModel) => self.sibling(-1),
            _ => None,
        };
        sibling.map_or(action, |path| Action::File(FileAction::Show(path)))
    }

    /// Returns the model that is `steps` further in the list, which wraps around. Steps count from the requested model,
    /// even if it failed to open.
    pub(super) fn sibling(&self, steps: isize) -> Option<PathBuf> {
        let count = isize::try_from(self.model_list.len()).ok().filter(|count| *count > 0)?;
        let Some(last) = &self.requested_path else { return self.model_list.first().cloned() };
        let listed = self.model_list.iter().position(|sibling| sibling == last);
        let own = isize::try_from(listed.unwrap_or_else(|| sorted_index(&self.model_list, last))).ok()?;
        // A model that is not listed is before the model at its index.
        let next = own + if steps > 0 && listed.is_none() { steps - 1 } else { steps };
        self.model_list.get(usize::try_from(next.rem_euclid(count)).ok()?).cloned()
    }

    fn is_listed(&self, path: &Path) -> bool {
        self.model_list.iter().any(|listed| listed == path)
    }
}
