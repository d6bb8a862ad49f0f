//! Models of the list that are selected with Ctrl or Shift, and the commands for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::{Modifiers, Ui};

use super::{format, menu};
use maquette_core::export::EXPORTERS;
use maquette_scene::session::{Action, FileAction, SaveAction, Session};

/// Handles a click on a model. Returns false for a plain click, which opens the model. `range` has the models from the
/// open model to the clicked one.
pub fn click<'a>(
    session: &Session,
    modifiers: Modifiers,
    path: &Path,
    open: Option<&Path>,
    range: impl Iterator<Item = &'a Path>,
    actions: &mut Vec<Action>,
) -> bool {
    let mut selected = session.interface.selected_models.clone();
    let is_plain = !modifiers.command && !modifiers.shift;
    if is_plain {
        selected.clear();
    } else if modifiers.shift {
        selected.extend(range.map(Path::to_path_buf));
    } else if !selected.remove(path) {
        let first = open.filter(|_| selected.is_empty());
        selected.extend(first.into_iter().chain([path]).map(Path::to_path_buf));
    }
    if selected != session.interface.selected_models {
        actions.push(Action::File(FileAction::SelectModels(selected)));
    }
    !is_plain
}

/// Returns the commands for the selected models, those that convert them last. Empty unless there are several.
pub fn commands(selected: &BTreeSet<PathBuf>) -> Vec<(String, Action)> {
    if selected.len() < 2 {
        return Vec::new();
    }
    let number = format::plural(selected.len(), "model");
    let convert = EXPORTERS.iter().enumerate().map(|(index, exporter)| {
        (format!("Export {number} as {}…", exporter.label), Action::Save(SaveAction::SaveModels(index)))
    });
    let first = [
        (format!("Check {number}"), Action::File(FileAction::CheckSelected)),
        (format!("Recompute bounds of {number}…"), Action::Save(SaveAction::RecomputeBounds)),
    ];
    first.into_iter().chain(convert).collect()
}

/// Shows the commands if the model is one of several that are selected.
pub fn rows(ui: &mut Ui, session: &Session, path: &Path, actions: &mut Vec<Action>) {
    let selected = &session.interface.selected_models;
    let mut commands = commands(selected);
    if commands.is_empty() || !selected.contains(path) {
        return;
    }
    let convert = commands.split_off(commands.len() - EXPORTERS.len());
    menu::leading_on(ui, &format!("Export {} as", format::plural(selected.len(), "model")), |ui| {
        for ((_, action), exporter) in convert.into_iter().zip(EXPORTERS.iter()) {
            menu::item(ui, exporter.label, action, actions);
        }
    });
    for (word, action) in commands {
        menu::item(ui, &word, action, actions);
    }
    menu::separator(ui);
}
