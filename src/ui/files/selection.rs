//! Models of the list that are selected with Ctrl or Shift, and the commands for them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use egui::{Response, Ui};

use super::{context, format, menu};
use maquette_core::edit::{OPERATIONS, Reach};
use maquette_core::export::EXPORTERS;
use maquette_scene::session::{Action, EditAction, FileAction, SaveAction, Session};

/// Shows the menu of a model's row or tile, and handles a click. Returns true for a plain click, which opens the model.
/// `range` has the models from the open model to this one.
pub fn is_opened<'a>(
    response: &Response,
    session: &Session,
    path: &Path,
    open: Option<&Path>,
    range: impl Iterator<Item = &'a Path>,
    actions: &mut Vec<Action>,
) -> bool {
    menu::context(response, |ui| {
        rows(ui, session, path, actions);
        context::listed(ui, session, path, actions);
    });
    if !response.clicked() {
        return false;
    }
    let mut selected = session.interface.selected_models.clone();
    let modifiers = response.ctx.input(|input| input.modifiers);
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
    is_plain
}

/// Command for the selected models: its submenu, its label there, its name in the palette, and its action.
type SelectionCommand = (String, String, String, Action);

/// Returns the commands for the selected models. Empty unless there are several.
pub fn commands(selected: &BTreeSet<PathBuf>) -> Vec<SelectionCommand> {
    if selected.len() < 2 {
        return Vec::new();
    }
    let number = format::plural(selected.len(), "model");
    let check = format!("Check {number}");
    let check = (String::new(), check.clone(), check, Action::File(FileAction::CheckSelected));
    let export = EXPORTERS.iter().enumerate().map(|(index, exporter)| {
        let name = format!("Export {number} as {}…", exporter.label);
        (format!("Export {number} as"), exporter.label.to_owned(), name, Action::Save(SaveAction::SaveModels(index)))
    });
    // Other operations change lists of clips, too.
    let is_offered = |reach: Reach| matches!(reach, Reach::Mesh | Reach::Space);
    let operations = OPERATIONS.iter().filter(|operation| is_offered(operation.reach));
    let edit = operations.map(|operation| {
        let name = format!("{}: {number}…", operation.title);
        let action = Action::Edit(EditAction::OperateSelected(operation));
        (format!("Edit {number}"), format!("{}…", operation.title), name, action)
    });
    std::iter::once(check).chain(edit).chain(export).collect()
}

/// Returns the submenu of an operation, as in the *Model* menu.
fn group((_, _, _, action): &SelectionCommand) -> Option<&'static str> {
    if let Action::Edit(EditAction::OperateSelected(operation)) = action { Some(operation.group) } else { None }
}

/// Shows the commands if the model is one of several that are selected.
fn rows(ui: &mut Ui, session: &Session, path: &Path, actions: &mut Vec<Action>) {
    let selected = &session.interface.selected_models;
    let commands = commands(selected);
    if commands.is_empty() || !selected.contains(path) {
        return;
    }
    for commands in commands.chunk_by(|(one, ..), (other, ..)| one == other) {
        let mut rows = |ui: &mut Ui| {
            for commands in commands.chunk_by(|one, other| group(one) == group(other)) {
                let mut rows = |ui: &mut Ui| {
                    for (_, label, _, action) in commands {
                        menu::item(ui, label, action.clone(), actions);
                    }
                };
                match commands.first().and_then(group) {
                    Some(word) => menu::leading_on(ui, word, rows),
                    None => rows(ui),
                }
            }
        };
        match commands {
            [(submenu, ..), _, ..] => menu::leading_on(ui, submenu, rows),
            _ => rows(ui),
        }
    }
    menu::separator(ui);
}
