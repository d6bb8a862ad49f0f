//! Undo and redo of what is tedious to do again: what is attached where, which skin is worn, what is shown.
//!
//! What is kept is the scene as it stood, without its poses, which are worked out anew; clocks run on.

use super::{NoteKind, Selection, Session};
use crate::scene::{EntityId, Scene};

/// The scene as it stood before something was done to it.
#[derive(Clone, Debug)]
pub(super) struct UndoStep {
    /// What was done then.
    what: &'static str,
    scene: Scene,
    focus: Option<EntityId>,
}

/// What can be undone and what can be done again.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<UndoStep>,
    future: Vec<UndoStep>,
}

/// Steps that can be undone.
const MOST: usize = 100;

impl History {
    /// What would be undone.
    #[must_use]
    pub fn undoable(&self) -> Option<&'static str> {
        self.past.last().map(|step| step.what)
    }

    /// What would be done again.
    #[must_use]
    pub fn redoable(&self) -> Option<&'static str> {
        self.future.last().map(|step| step.what)
    }
}

impl Session {
    /// The scene as it stands, before `what` is done to it.
    pub(super) fn undo_step(&self, what: &'static str) -> UndoStep {
        UndoStep { what, scene: self.document.scene.at_rest(), focus: self.document.focus }
    }

    /// Remembers a step, if the scene is arranged in another way since; what was undone cannot be done again then.
    pub(super) fn remember_if_changed(&mut self, before: UndoStep) {
        if before.scene.is_arranged_as(&self.document.scene) {
            return;
        }
        self.document.history.past.push(before);
        if self.document.history.past.len() > MOST {
            self.document.history.past.remove(0);
        }
        self.document.history.future.clear();
    }

    /// Files were read again: what is remembered of them is what was read, or old states would pile up.
    pub(super) fn renew_history(&mut self) {
        let scene = &self.document.scene;
        for step in self.document.history.past.iter_mut().chain(&mut self.document.history.future) {
            step.scene = std::mem::take(&mut step.scene).with_clocks_of(scene);
        }
    }

    pub(super) fn undo(&mut self) {
        match self.document.history.past.pop() {
            Some(step) => {
                let what = step.what;
                let now = self.put_back(step);
                self.document.history.future.push(now);
                self.log(NoteKind::Done, format!("Undo: {what}"));
            }
            None => self.log(NoteKind::Done, "Nothing to undo"),
        }
    }

    pub(super) fn redo(&mut self) {
        match self.document.history.future.pop() {
            Some(step) => {
                let what = step.what;
                let now = self.put_back(step);
                self.document.history.past.push(now);
                self.log(NoteKind::Done, format!("Redo: {what}"));
            }
            None => self.log(NoteKind::Done, "Nothing to redo"),
        }
    }

    /// Puts the scene back as it stood; gives it as it stands now.
    fn put_back(&mut self, step: UndoStep) -> UndoStep {
        let now = self.undo_step(step.what);
        self.document.scene = step.scene.with_clocks_of(&self.document.scene);
        if self.document.focus != step.focus || self.entity().is_none() {
            self.document.focus = step.focus;
            self.document.selection = Selection::None;
        }
        self.interface.alternative = None;
        self.update_issues();
        if !self.document.scene.is_placed_as(&now.scene) {
            self.update_extent();
        }
        self.refresh();
        now
    }
}
