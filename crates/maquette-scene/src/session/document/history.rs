//! Undo and redo of attachments, skins, visibility and edits.
//!
//! A step stores the scene without poses, which can be computed again. Playback is not undone.

use crate::scene::{EntityId, MemoryUsage, Scene};
use crate::session::commands::lower;
use crate::session::{Document, Effect, NotificationKind, Selection, Session};
use maquette_assets::open::EditedFile;

#[derive(Clone, Debug)]
pub(crate) struct UndoStep {
    what: &'static str,
    /// `what` with the edited object, for example `Rename tag tag_head to tag_hat`; equal to `what` if there is none.
    title: String,
    scene: Scene,
    focus: Option<EntityId>,
}

impl UndoStep {
    pub(crate) fn with_title(mut self, words: &str) -> Self {
        words.clone_into(&mut self.title);
        self
    }
}

/// Steps to undo and to redo.
#[derive(Clone, Debug)]
pub struct History {
    past: Vec<UndoStep>,
    future: Vec<UndoStep>,
    /// Maximum bytes of all steps in addition to the scene.
    budget: u64,
}

impl Default for History {
    fn default() -> Self {
        Self::within(UNDO_HISTORY)
    }
}

/// Maximum bytes of models and images that only undo and redo need. Beyond the limit, the oldest steps are dropped, but
/// never the newest one.
pub const UNDO_HISTORY: u64 = 256_000_000;
/// Maximum number of undo steps. Beyond the limit, the oldest are dropped.
const MAX_STEPS: usize = 100;

impl History {
    /// Creates a history that holds at most `budget` bytes in addition to the scene, but at least the newest step.
    #[must_use]
    pub fn within(budget: u64) -> Self {
        Self { past: Vec::new(), future: Vec::new(), budget }
    }

    /// Returns the bytes of the models and images that only the history needs while `scene` is shown.
    #[must_use]
    pub fn bytes(&self, scene: &Scene) -> u64 {
        let mut held = MemoryUsage::default();
        held.add(scene);
        let shown = held.bytes();
        self.past.iter().chain(&self.future).for_each(|step| held.add(&step.scene));
        held.bytes() - shown
    }

    fn trim(&mut self, scene: &Scene) {
        let mut held = MemoryUsage::default();
        held.add(scene);
        let max = held.bytes().saturating_add(self.budget);
        self.future.iter().for_each(|step| held.add(&step.scene));
        let fits = |step: &UndoStep| {
            held.add(&step.scene);
            held.bytes() <= max
        };
        let fitting = self.past.iter().rev().take(MAX_STEPS).map(fits).take_while(|fits| *fits).count().max(1);
        self.past.drain(..self.past.len().saturating_sub(fitting));
    }

    /// Records the original file in all steps before its first edit, because they show the unedited file.
    pub(crate) fn begin_edits(&mut self, id: EntityId, before: &EditedFile) {
        for step in self.past.iter_mut().chain(&mut self.future) {
            let entity = step.scene.entity_mut(id).filter(|entity| entity.asset.edited.is_none());
            entity.into_iter().for_each(|entity| entity.asset.edited = Some(before.clone()));
        }
    }

    pub(crate) fn finish_pending_images(&mut self) {
        for step in self.past.iter_mut().chain(&mut self.future) {
            step.scene.finish_pending_images();
        }
    }

    /// Returns the label of the step to undo.
    #[must_use]
    pub fn undoable(&self) -> Option<&'static str> {
        self.past.last().map(|step| step.what)
    }

    /// Returns the label of the step to redo.
    #[must_use]
    pub fn redoable(&self) -> Option<&'static str> {
        self.future.last().map(|step| step.what)
    }
}

impl Document {
    pub(crate) fn undo_step(&self, what: &'static str) -> UndoStep {
        UndoStep { what, title: what.to_owned(), scene: self.scene.without_poses(), focus: self.focus }
    }

    /// Updates all steps after a reload, so that they do not hold outdated files.
    pub(crate) fn renew_history(&mut self) {
        let Document { history, scene, .. } = self;
        for step in history.past.iter_mut().chain(&mut history.future) {
            step.scene = std::mem::take(&mut step.scene).with_playback_of(scene);
        }
    }

    /// Whether parts of the restored scene were read before the last reload. Their companion files may have changed.
    fn is_stale(&self, now: &UndoStep) -> bool {
        let entities = self.scene.entities().iter();
        entities
            .filter_map(|entity| Some((entity, now.scene.entity(entity.id)?)))
            .any(|(entity, now)| entity.reading != now.reading)
    }
}

impl Session {
    /// Adds an undo step if the scene has changed since `before`, and clears the redo steps.
    pub(crate) fn remember_if_changed(&mut self, before: UndoStep) {
        if before.scene.is_arranged_as(&self.document.scene) {
            return;
        }
        let Document { history, scene, .. } = &mut *self.document;
        history.past.push(before);
        history.future.clear();
        history.trim(scene);
    }

    pub(crate) fn undo(&mut self) -> Option<Effect> {
        match self.document.history.past.pop() {
            Some(step) => {
                let title = lower(&step.title);
                let now = self.restore_step(step);
                let is_stale = self.document.is_stale(&now);
                self.document.history.future.push(now);
                self.log(NotificationKind::Done, format!("Undo: {title}"));
                return if is_stale { self.reload_quietly() } else { None };
            }
            None => self.log(NotificationKind::Done, "Nothing to undo"),
        }
        None
    }

    pub(crate) fn redo(&mut self) -> Option<Effect> {
        match self.document.history.future.pop() {
            Some(step) => {
                let title = lower(&step.title);
                let now = self.restore_step(step);
                let is_stale = self.document.is_stale(&now);
                self.document.history.past.push(now);
                self.log(NotificationKind::Done, format!("Redo: {title}"));
                return if is_stale { self.reload_quietly() } else { None };
            }
            None => self.log(NotificationKind::Done, "Nothing to redo"),
        }
        None
    }

    fn restore_step(&mut self, step: UndoStep) -> UndoStep {
        let now = self.document.undo_step(step.what).with_title(&step.title);
        self.document.scene = step.scene.with_playback_of(&self.document.scene);
        let comparison = self.document.comparison.as_ref();
        self.document.scene.compared = comparison.map(|comparison| [comparison.a, comparison.b]);
        if self.document.focus != step.focus || self.entity().is_none() {
            self.document.focus = step.focus;
            self.document.selection = Selection::None;
        }
        self.document.fit_selection();
        self.interface.alternative = None;
        self.document.update_issues();
        if !self.document.scene.is_laid_out_as(&now.scene) {
            self.document.update_extent();
            self.interface.structure = None;
        }
        self.refresh();
        now
    }
}
