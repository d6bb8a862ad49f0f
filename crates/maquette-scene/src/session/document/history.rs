//! Undo and redo of attachments, skins, visibility and edits.
//!
//! A step stores the scene without poses, which can be computed again. Playback is not undone. `.skin` files are saved
//! with each edit, so a step of such an edit stores the bytes of the file instead.

use std::path::PathBuf;
use std::sync::Arc;

use crate::scene::{EntityId, MemoryUsage, Scene};
use crate::session::commands::lower;
use crate::session::{Document, Effect, NotificationKind, OutputKind, Selection, Session};
use maquette_assets::open::EditedFile;

#[derive(Clone, Debug)]
pub(crate) struct UndoStep {
    what: &'static str,
    /// `what` with the edited object, for example `Rename tag tag_head to tag_hat`; equal to `what` if there is none.
    title: String,
    scene: Scene,
    focus: Option<EntityId>,
    /// Edit of a saved file. The scene is then empty.
    file: Option<FileEdit>,
    /// Whether undo was refused because another program changed the file.
    is_refused: bool,
    /// Number of the last notification before the step.
    last_note: u64,
}

/// Edit of a `.skin` file, which is saved at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileEdit {
    pub(crate) file: PathBuf,
    pub(crate) before: Arc<Vec<u8>>,
    pub(crate) after: Arc<Vec<u8>>,
}

/// Saving of a `.skin` file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SkinSave {
    pub(crate) edit: FileEdit,
    pub(crate) title: String,
    /// Step that saving completes; `None` for a new edit.
    pub(crate) direction: Option<HistoryDirection>,
}

/// Direction of a step in the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HistoryDirection {
    Undo,
    Redo,
}

impl HistoryDirection {
    fn word(self) -> &'static str {
        if self == Self::Undo { "Undo" } else { "Redo" }
    }

    fn reversed(self) -> Self {
        if self == Self::Undo { Self::Redo } else { Self::Undo }
    }
}

impl UndoStep {
    pub(crate) fn with_title(mut self, words: &str) -> Self {
        words.clone_into(&mut self.title);
        self
    }

    /// Whether another program changed the file of the edit.
    fn is_outdated(&self) -> bool {
        let file = self.file.as_ref();
        file.is_some_and(|edit| std::fs::read(&edit.file).ok().as_ref() != Some(&*edit.after))
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
    pub fn bytes(&self, scene: &Scene) -> u64 {
        let mut held = MemoryUsage::default();
        held.add(scene);
        let shown = held.bytes();
        self.past.iter().chain(&self.future).for_each(|step| held.add(&step.scene));
        held.bytes() - shown
    }

    /// Returns the steps in a direction.
    fn stack(&mut self, direction: HistoryDirection) -> &mut Vec<UndoStep> {
        if direction == HistoryDirection::Undo { &mut self.past } else { &mut self.future }
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
    pub fn undoable(&self) -> Option<&'static str> {
        next_step(&self.past).and_then(|at| self.past.get(at)).map(|step| step.what)
    }

    /// Returns the label of the step to redo.
    pub fn redoable(&self) -> Option<&'static str> {
        next_step(&self.future).and_then(|at| self.future.get(at)).map(|step| step.what)
    }
}

/// Returns the index of the step to undo or redo. A refused step remains until the user restores its file. Earlier steps
/// can be undone until then.
fn next_step(stack: &[UndoStep]) -> Option<usize> {
    stack.iter().rposition(|step| !step.is_refused || !step.is_outdated())
}

impl Document {
    pub(crate) fn undo_step(&self, what: &'static str) -> UndoStep {
        let (scene, title) = (self.scene.without_poses(), what.to_owned());
        UndoStep { what, title, scene, focus: self.focus, file: None, is_refused: false, last_note: self.last_note }
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

    /// Undoes the last step, or redoes the step that was undone last.
    pub(crate) fn travel(&mut self, direction: HistoryDirection) -> Option<Effect> {
        let word = direction.word();
        let stack = self.document.history.stack(direction);
        let Some(at) = next_step(stack) else {
            self.log(NotificationKind::Done, format!("Nothing to {}", lower(word)));
            return None;
        };
        let mut step = stack.remove(at);
        if let Some(FileEdit { file, before, after }) = step.file.clone() {
            step.is_refused = step.is_outdated();
            let (title, is_refused) = (step.title.clone(), step.is_refused);
            stack.insert(at, step);
            if self.waits_for_export() {
                return None;
            }
            if is_refused {
                self.notify_of_model(
                    NotificationKind::Warning,
                    format!("{title}: cannot {}", lower(word)),
                    "The file changed on disk. Restore it and try again",
                );
                return None;
            }
            let edit = FileEdit { file, before: after, after: before };
            return self.save_skin(SkinSave { edit, title, direction: Some(direction) });
        }
        let (title, last_note) = (lower(&step.title), step.last_note);
        let now = self.restore_step(step);
        let is_stale = self.document.is_stale(&now);
        self.document.history.stack(direction.reversed()).push(now);
        if direction == HistoryDirection::Undo {
            self.hide_toasts_after(last_note);
        }
        self.log(NotificationKind::Done, format!("{word}: {title}"));
        if is_stale { self.reload_quietly() } else { None }
    }

    /// Whether an export keeps a `.skin` file from being saved. A message says so.
    pub(crate) fn waits_for_export(&mut self) -> bool {
        let is_busy = self.jobs.work.is_some();
        if is_busy {
            self.note(NotificationKind::Warning, "Wait until the export has ended");
        }
        is_busy
    }

    pub(crate) fn save_skin(&mut self, save: SkinSave) -> Option<Effect> {
        let path = save.edit.file.clone();
        self.jobs.saving.skin = Some(save);
        Some(Effect::Save { product: OutputKind::SkinFile, path, replace: true })
    }

    /// Adds the undo step of a saved `.skin` file, or moves the step that was undone or redone.
    pub(crate) fn skin_saved(&mut self) {
        let Some(SkinSave { edit, title, direction }) = self.jobs.saving.skin.take() else { return };
        let Document { history, scene, last_note, .. } = &mut *self.document;
        let focus = None;
        let step = UndoStep {
            what: "Edit .skin file",
            title: title.clone(),
            scene: Scene::default(),
            focus,
            file: Some(edit.clone()),
            is_refused: false,
            last_note: *last_note,
        };

        let Some(direction) = direction else {
            history.past.push(step);
            history.future.clear();
            return history.trim(scene);
        };
        let is_undone =
            |step: &UndoStep| step.file.as_ref().is_some_and(|own| own.file == edit.file && own.after == edit.before);
        if let Some(at) = history.stack(direction).iter().rposition(is_undone) {
            history.stack(direction).remove(at);
            history.stack(direction.reversed()).push(step);
        }
        self.log(NotificationKind::Done, format!("{}: {}", direction.word(), lower(&title)));
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
