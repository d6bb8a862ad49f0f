//! Closing documents, and restoring a selection by name.

use super::{Document, Effect, NotificationKind, Selection, Session};
use crate::scene::Scene;

/// A selection by name, which can be restored in another state of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SelectionByName {
    Nothing,
    Surface(String, Vec<String>),
    Tag(String),
    Joint(String),
}

impl Document {
    pub(super) fn selection_by_name(&self) -> SelectionByName {
        let Some(entity) = self.entity() else { return SelectionByName::Nothing };
        let model = entity.model();
        let chosen = match self.selection {
            Selection::None => None,
            Selection::Surface(index)
            | Selection::Triangle { surface: index, .. }
            | Selection::Vertex { surface: index, .. } => {
                let name = |index: &usize| model.surfaces().get(*index).map(|surface| surface.name.clone());
                let others = self.other_surfaces.iter().filter_map(name).collect();
                name(&index).map(|surface| SelectionByName::Surface(surface, others))
            }
            Selection::Tag(index) => model.tags().get(index).map(|tag| SelectionByName::Tag(tag.clone())),
            Selection::Joint(index) => {
                model.joints().get(index).map(|joint| SelectionByName::Joint(joint.name.clone()))
            }
        };
        chosen.unwrap_or(SelectionByName::Nothing)
    }

    /// Selects by name. Names may not be unique, so the current selection stays if it has the name.
    pub(super) fn select_named(&mut self, chosen: SelectionByName) {
        if self.selection_by_name() == chosen {
            return;
        }
        let Some(entity) = self.entity() else { return self.selection = Selection::None };
        let model = entity.model();
        let found = match chosen {
            SelectionByName::Nothing => None,
            SelectionByName::Surface(name, others) => {
                let index_of = |name: &String| model.surfaces().iter().position(|surface| surface.name == *name);
                let first = index_of(&name);
                self.other_surfaces = others.iter().filter_map(index_of).collect();
                first.map(Selection::Surface)
            }
            SelectionByName::Tag(name) => model.tags().iter().position(|tag| *tag == name).map(Selection::Tag),
            SelectionByName::Joint(name) => {
                model.joints().iter().position(|joint| joint.name == name).map(Selection::Joint)
            }
        };
        self.selection = found.unwrap_or_default();
    }
}

impl Session {
    pub(super) fn close(&mut self) {
        self.hide_toasts_after(0);
        if let Some(name) = self.name().map(str::to_owned) {
            self.log(NotificationKind::Done, format!("Closed {name}; no model open"));
        }
        self.last_session = self.last().or(self.last_session.take());
        self.document.scene = Scene::default().after(&self.document.scene);
        self.document.history = super::History::default();
        self.document.focus = None;
        self.document.selection = Selection::None;
        self.interface.alternative = None;
        self.interface.failure = None;
        self.interface.structure = None;
        self.document.comparison = None;
        self.document.measured_from = None;
        self.document.pinned.clear();
        self.document.issues.clear();
        self.coarser_levels.clear();
        self.file_stamps.clear();
        self.interface.folder_check = super::FolderCheck::default();
        self.interface.triangle_counts = super::TriangleCounts::default();
        self.set_models(std::sync::Arc::default());
        self.list_asked_for = false;
        self.left_out = std::sync::Arc::default();
        self.requested_path = None;
        self.jobs.saving.open = None;
        self.interface.path_field = None;
    }

    pub(super) fn restore_last(&mut self) -> Option<Effect> {
        let Some(last) = self.last_session.clone() else {
            self.note(NotificationKind::Warning, "No saved session");
            return None;
        };
        self.open(vec![last.file.clone()], Some(Box::new(last)))
    }
}
