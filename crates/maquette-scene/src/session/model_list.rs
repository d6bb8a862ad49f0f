//! The list of models to go through, kept true while files come and go in the folders that it lists.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{Action, FileAction, Session};
use maquette_assets::open::{is_model_file, sort_models, without_levels};

/// A model file in a folder that is watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundModel {
    /// Where it lies, or lay.
    pub path: PathBuf,
    /// Whether it is there.
    pub exists: bool,
}

impl Session {
    /// Model files came or went beside those that are open: the list has them where it lists their folder. What is open
    /// stays listed.
    pub fn models_found(&mut self, found: &[FoundModel]) {
        // The dock asks for them again.
        self.interface.versions = None;
        // Both may have many thousands.
        let listed: HashSet<&Path> = self.model_list.iter().map(PathBuf::as_path).collect();
        let folders: HashSet<&Path> = self.model_list.iter().filter_map(|listed| listed.parent()).collect();
        let is_new = |found: &&FoundModel| {
            let FoundModel { path, exists } = found;
            let is_beside = path.parent().is_some_and(|folder| folders.contains(folder));
            *exists && is_model_file(path) && is_beside && !listed.contains(path.as_path())
        };
        let new: Vec<PathBuf> = found.iter().filter(is_new).map(|found| found.path.clone()).collect();
        let gone: HashSet<&Path> =
            found.iter().filter(|found| !found.exists).map(|found| found.path.as_path()).collect();
        let is_gone = |listed: &PathBuf| {
            let is_open = || self.requested_path.as_ref() == Some(listed) || self.shows_file(listed);
            gone.contains(listed.as_path()) && !is_open()
        };
        if new.is_empty() && !self.model_list.iter().any(is_gone) {
            return;
        }
        let mut models: Vec<PathBuf> = self.model_list.iter().filter(|listed| !is_gone(listed)).cloned().collect();
        models.extend(new);
        sort_models(&mut models);
        let models = without_levels(models);
        if models[..] != self.model_list[..] {
            self.model_list = models.into();
        }
    }

    /// The model that was asked for last lies at another place now: the list has it there, and one goes on from it. Gives
    /// whether the list has to be read anew for that.
    pub(super) fn move_in_list(&mut self, path: &Path) -> bool {
        self.models_found(&[FoundModel { path: path.to_path_buf(), exists: true }]);
        let is_listed = self.is_listed(path);
        // Where it lies elsewhere than what was asked for as a list, one goes on from where one was.
        if is_listed || !self.list_asked_for {
            self.requested_path = Some(path.to_path_buf());
        }
        !is_listed && !self.list_asked_for
    }

    /// An action as it is meant now, before the list or the place in it change: the next model, by its path.
    pub(super) fn as_meant_now(&self, action: Action) -> Action {
        let sibling = match action {
            Action::File(FileAction::NextModel) => self.sibling(1),
            Action::File(FileAction::PreviousModel) => self.sibling(-1),
            _ => None,
        };
        sibling.map_or(action, |path| Action::File(FileAction::Show(path)))
    }

    /// The model `steps` further in the list, round its ends, from the one asked for last: a broken one does not bar
    /// the way.
    pub(super) fn sibling(&self, steps: isize) -> Option<PathBuf> {
        let count = isize::try_from(self.model_list.len()).ok().filter(|count| *count > 0)?;
        let last = self.requested_path.as_ref();
        let own = last.and_then(|file| self.model_list.iter().position(|sibling| sibling == file));
        let next = match own.and_then(|own| isize::try_from(own).ok()) {
            Some(own) => (own + steps).rem_euclid(count),
            None => 0,
        };
        self.model_list.get(usize::try_from(next).ok()?).cloned()
    }

    fn is_listed(&self, path: &Path) -> bool {
        self.model_list.iter().any(|listed| listed == path)
    }
}
