//! Undo and redo of what is tedious to do again: what is attached where, which skin is worn, what is shown.
//!
//! What is kept is the scene as it stood, without its poses, which are worked out anew; clocks run on.

use super::commands::lower;
use super::{Document, Effect, NotificationKind, Selection, Session, UNDO_HISTORY};
use crate::scene::{EntityId, MemoryUsage, Scene};
use maquette_assets::open::EditedFile;

/// The scene as it stood before something was done to it.
#[derive(Clone, Debug)]
pub(super) struct UndoStep {
    /// What was done then.
    what: &'static str,
    /// The same with what it was done to.
    told: String,
    scene: Scene,
    focus: Option<EntityId>,
}

impl UndoStep {
    /// The same, told in these words.
    pub(super) fn told(mut self, words: &str) -> Self {
        words.clone_into(&mut self.told);
        self
    }
}

/// What can be undone and what can be done again.
#[derive(Clone, Debug)]
pub struct History {
    past: Vec<UndoStep>,
    future: Vec<UndoStep>,
    /// Bytes that all steps may hold beside the scene.
    budget: u64,
}

impl Default for History {
    fn default() -> Self {
        Self::within(UNDO_HISTORY)
    }
}

/// Steps that can be undone.
const STEPS_KEPT: usize = 100;

impl History {
    /// One whose steps hold at most `budget` bytes of models and images that are not in the scene; the newest step stays
    /// whatever it holds.
    #[must_use]
    pub fn within(budget: u64) -> Self {
        Self { past: Vec::new(), future: Vec::new(), budget }
    }

    /// Bytes of the models and images that are kept for it alone while `scene` is shown.
    #[must_use]
    pub fn bytes(&self, scene: &Scene) -> u64 {
        let mut held = MemoryUsage::default();
        held.add(scene);
        let shown = held.bytes();
        self.past.iter().chain(&self.future).for_each(|step| held.add(&step.scene));
        held.bytes() - shown
    }

    /// Lets the oldest steps go, if there are too many or they hold too much.
    fn trim(&mut self, scene: &Scene) {
        let mut held = MemoryUsage::default();
        held.add(scene);
        let most = held.bytes().saturating_add(self.budget);
        self.future.iter().for_each(|step| held.add(&step.scene));
        let fits = |step: &UndoStep| {
            held.add(&step.scene);
            held.bytes() <= most
        };
        let kept = self.past.iter().rev().take(STEPS_KEPT).map(fits).take_while(|fits| *fits).count().max(1);
        self.past.drain(..self.past.len().saturating_sub(kept));
    }

    /// A file is changed for the first time: what is remembered of it was read from what it was before.
    pub(super) fn begin_edits(&mut self, id: EntityId, before: &EditedFile) {
        for step in self.past.iter_mut().chain(&mut self.future) {
            let entity = step.scene.entity_mut(id).filter(|entity| entity.asset.edited.is_none());
            entity.into_iter().for_each(|entity| entity.asset.edited = Some(before.clone()));
        }
    }

    /// Takes over materials that changed because the last images of their models are decoded.
    pub(super) fn finish_pending_images(&mut self) {
        for step in self.past.iter_mut().chain(&mut self.future) {
            step.scene.finish_pending_images();
        }
    }

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
        UndoStep { what, told: what.to_owned(), scene: self.document.scene.at_rest(), focus: self.document.focus }
    }

    /// Remembers a step, if the scene is arranged in another way since; what was undone cannot be done again then.
    pub(super) fn remember_if_changed(&mut self, before: UndoStep) {
        if before.scene.is_arranged_as(&self.document.scene) {
            return;
        }
        let Document { history, scene, .. } = &mut *self.document;
        history.past.push(before);
        history.future.clear();
        history.trim(scene);
    }

    /// Files were read again: what is remembered of them is what was read, or old states would pile up.
    pub(super) fn renew_history(&mut self) {
        let Document { history, scene, .. } = &mut *self.document;
        for step in history.past.iter_mut().chain(&mut history.future) {
            step.scene = std::mem::take(&mut step.scene).with_clocks_of(scene);
        }
    }

    pub(super) fn undo(&mut self) -> Option<Effect> {
        match self.document.history.past.pop() {
            Some(step) => {
                let told = lower(&step.told);
                let now = self.put_back(step);
                let is_stale = self.is_stale(&now);
                self.document.history.future.push(now);
                self.log(NotificationKind::Done, format!("Undo: {told}"));
                return if is_stale { self.reload_quietly() } else { None };
            }
            None => self.log(NotificationKind::Done, "Nothing to undo"),
        }
        None
    }

    pub(super) fn redo(&mut self) -> Option<Effect> {
        match self.document.history.future.pop() {
            Some(step) => {
                let told = lower(&step.told);
                let now = self.put_back(step);
                let is_stale = self.is_stale(&now);
                self.document.history.past.push(now);
                self.log(NotificationKind::Done, format!("Redo: {told}"));
                return if is_stale { self.reload_quietly() } else { None };
            }
            None => self.log(NotificationKind::Done, "Nothing to redo"),
        }
        None
    }

    /// Whether what was put back in place of `now` was read before the files were read again: what lies beside them may be
    /// others.
    fn is_stale(&self, now: &UndoStep) -> bool {
        let entities = self.document.scene.entities().iter();
        entities
            .filter_map(|entity| Some((entity, now.scene.entity(entity.id)?)))
            .any(|(entity, now)| entity.reading != now.reading)
    }

    /// Puts the scene back as it stood; gives it as it stands now.
    fn put_back(&mut self, step: UndoStep) -> UndoStep {
        let now = self.undo_step(step.what).told(&step.told);
        self.document.scene = step.scene.with_clocks_of(&self.document.scene);
        let comparison = self.document.comparison.as_ref();
        self.document.scene.compared = comparison.map(|comparison| [comparison.a, comparison.b]);
        if self.document.focus != step.focus || self.entity().is_none() {
            self.document.focus = step.focus;
            self.document.selection = Selection::None;
        }
        self.fit_selection();
        self.interface.alternative = None;
        self.update_issues();
        if !self.document.scene.is_placed_as(&now.scene) {
            self.update_extent();
            self.interface.anatomy = None;
        }
        self.refresh();
        now
    }
}
