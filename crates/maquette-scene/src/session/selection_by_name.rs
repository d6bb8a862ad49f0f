//! Panels, settings, closing and restoring, and selection by name.

use super::{
    COMMANDS, Dialog, Effect, IMAGE_MEMORY_RANGE, NotificationKind, Preference, RATE_RANGE, Selection, Session,
    SidePanel,
};
use crate::scene::Scene;

/// A selection by names, which is restored in another state of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SelectionByName {
    Nothing,
    Surface(String, Vec<String>),
    Tag(String),
    Joint(String),
}

impl Session {
    pub(super) fn toggle_panel(&mut self, panel: SidePanel) {
        let panels = &mut self.interface.panels;
        match panel {
            SidePanel::Inspector => panels.inspector = !panels.inspector,
            SidePanel::Files => panels.files = !panels.files,
        }
        panels.hidden = false;
    }

    pub(super) fn toggle_dialog(&mut self, dialog: Dialog) {
        let open = &mut self.interface.panels.dialog;
        if *open == Some(Dialog::Hints) {
            self.preferences.hints_seen = true;
        }
        *open = (*open != Some(dialog)).then_some(dialog);
    }

    pub(super) fn set_panel_width(&mut self, panel: SidePanel, width: f32) {
        let panels = &mut self.preferences.panels;
        match panel {
            SidePanel::Files => panels.files_width = Some(width),
            SidePanel::Inspector => panels.inspector_width = Some(width),
        }
    }

    pub(super) fn set_keys(&mut self, id: &str, keys: &str) {
        if let Some(command) = COMMANDS.iter().find(|command| command.id == id) {
            self.preferences.keys.set(command, keys);
        }
    }

    pub(super) fn prefer(&mut self, preference: Preference) {
        let preferences = &mut self.preferences;
        match preference {
            Preference::Section(title, open) => drop(preferences.sections.insert(title.to_owned(), open)),
            Preference::Watch(watch) => preferences.watch = watch,
            Preference::Restore(restore) => preferences.restore = restore,
            Preference::ReducedMotion(reduced) => {
                preferences.reduced_motion = reduced;
                self.view.moves.eased = !reduced;
            }
            Preference::Scale(scale) => preferences.scale = if scale.is_finite() { scale.clamp(0.5, 3.0) } else { 1.0 },
            Preference::ImageMemory(megabytes) => {
                let (least, most) = IMAGE_MEMORY_RANGE;
                preferences.image_memory = megabytes.clamp(least, most);
            }
            Preference::SwapPanels(swapped) => preferences.panels.swapped = swapped,
            Preference::Rate(format, rate) => {
                let rate = rate.filter(|rate| rate.is_finite()).map(|rate| rate.clamp(RATE_RANGE.0, RATE_RANGE.1));
                match rate {
                    Some(rate) => preferences.rates.insert(format.name().to_owned(), rate),
                    None => preferences.rates.remove(format.name()),
                };
                self.use_usual_rates();
            }
        }
    }

    pub(super) fn use_usual_rates(&mut self) {
        for entity in self.document.scene.entities_mut() {
            entity.playback.usual_rate = self.preferences.rate_of(entity.asset.model.format());
        }
    }

    pub(super) fn close(&mut self) {
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
        self.interface.anatomy = None;
        self.document.comparison = None;
        self.document.measured_from = None;
        self.document.pinned.clear();
        self.document.issues.clear();
        self.model_list = std::sync::Arc::default();
        self.list_asked_for = false;
        self.left_out.clear();
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

    pub(super) fn chosen_name(&self) -> SelectionByName {
        let Some(entity) = self.entity() else { return SelectionByName::Nothing };
        let model = entity.model();
        let chosen = match self.document.selection {
            Selection::None => None,
            Selection::Surface(index)
            | Selection::Triangle { surface: index, .. }
            | Selection::Vertex { surface: index, .. } => {
                let name = |index: &usize| model.surfaces().get(*index).map(|surface| surface.name.clone());
                let others = self.document.other_surfaces.iter().filter_map(name).collect();
                name(&index).map(|surface| SelectionByName::Surface(surface, others))
            }
            Selection::Tag(index) => model.tags().get(index).map(|tag| SelectionByName::Tag(tag.clone())),
            Selection::Joint(index) => {
                model.joints().get(index).map(|joint| SelectionByName::Joint(joint.name.clone()))
            }
        };
        chosen.unwrap_or(SelectionByName::Nothing)
    }

    /// Names may occur twice, so the selection at the old index stays if it has the name.
    pub(super) fn select_named(&mut self, chosen: SelectionByName) {
        if self.chosen_name() == chosen {
            return;
        }
        let Some(entity) = self.entity() else { return self.document.selection = Selection::None };
        let model = entity.model();
        let found = match chosen {
            SelectionByName::Nothing => None,
            SelectionByName::Surface(name, others) => {
                let place = |name: &String| model.surfaces().iter().position(|surface| surface.name == *name);
                let first = place(&name);
                self.document.other_surfaces = others.iter().filter_map(place).collect();
                first.map(Selection::Surface)
            }
            SelectionByName::Tag(name) => model.tags().iter().position(|tag| *tag == name).map(Selection::Tag),
            SelectionByName::Joint(name) => {
                model.joints().iter().position(|joint| joint.name == name).map(Selection::Joint)
            }
        };
        self.document.selection = found.unwrap_or_default();
    }
}
