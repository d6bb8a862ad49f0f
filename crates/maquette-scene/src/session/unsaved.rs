//! Prompt before unsaved changes or a running export are lost.

use super::{Action, Document, DropAction, Effect, FileAction, SceneAction, Session, WindowAction};
use crate::scene::EntityId;
use maquette_assets::open::Role;

/// Answer to the prompt about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsavedAnswer {
    /// Save the changes, then run the action.
    Save,
    /// Discard the changes and run the action.
    Discard,
    /// Do not run the action.
    Cancel,
}

impl Document {
    fn has_unsaved_below(&self, part: EntityId) -> bool {
        let subtree = self.scene.subtree(part);
        self.unsaved().any(|entity| subtree.contains(&entity.id))
    }
}

impl Session {
    /// Postpones an action that would lose unsaved changes or end an export, and opens the prompt. Returns whether it was
    /// postponed.
    pub(super) fn asks_first(&mut self, action: &Action) -> bool {
        let has_changes = self.document.has_unsaved() || self.jobs.is_editing();
        let ends_export = self.jobs.work.is_some() && matches!(action, Action::Window(WindowAction::Quit));
        let loses = ends_export || has_changes && self.would_lose(action);
        if !loses {
            return false;
        }
        self.interface.unsaved_prompt = Some(Box::new(action.clone()));
        self.interface.path_field = None;
        self.interface.edit_dialog = None;
        self.interface.panels.dialog = None;
        true
    }

    fn would_lose(&self, action: &Action) -> bool {
        match action {
            Action::Window(WindowAction::Quit) => true,
            Action::File(action) => match action {
                FileAction::Open(_)
                | FileAction::Show(_)
                | FileAction::Salvage(_)
                | FileAction::OpenSample(_)
                | FileAction::NextModel
                | FileAction::PreviousModel
                | FileAction::NextProblem
                | FileAction::Close
                | FileAction::RestoreLast
                | FileAction::AttachInstead(_)
                | FileAction::OpenInstead => true,
                FileAction::Drop(paths) => self.document.drop_action(paths) == DropAction::Open,
                _ => false,
            },
            Action::Scene(SceneAction::ShowCharacter) => self.document.scene.alone.is_none(),
            Action::Scene(action) => self.removed_by(action).is_some_and(|part| self.document.has_unsaved_below(part)),
            _ => false,
        }
    }

    fn removed_by(&self, action: &SceneAction) -> Option<EntityId> {
        match action {
            SceneAction::Detach(entity) => Some(*entity),
            SceneAction::DetachFocused => self.document.detachable(),
            SceneAction::ChooseWeapon(_) => self.document.scene.with_role(Role::Weapon).map(|weapon| weapon.id),
            SceneAction::Attach(_, to) => self.document.scene.weapon_at(to).map(|weapon| weapon.id),
            _ => None,
        }
    }

    pub(super) fn answer_unsaved(&mut self, answer: UnsavedAnswer) -> Option<Effect> {
        match answer {
            // The prompt appears again until everything is saved.
            UnsavedAnswer::Save => self.save_model(),
            UnsavedAnswer::Discard => {
                let action = self.interface.unsaved_prompt.take()?;
                self.perform(*action)
            }
            UnsavedAnswer::Cancel => {
                self.interface.unsaved_prompt = None;
                None
            }
        }
    }
}
