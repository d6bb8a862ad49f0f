//! Menu of related files: companion files, archive and scripts.

use egui::Ui;

use crate::ui::button::Button;
use crate::ui::{icons, menu};
use maquette_scene::session::{Action, FileAction, FileStructure};

pub fn show(ui: &mut Ui, file: &FileStructure, actions: &mut Vec<Action>) {
    let button =
        Button::new("Other files").icon(icons::FILE).note("Show a skin, an animation, a script or the archive");
    let response = button.show(ui);
    menu::filtered_above(&response, "Find a file", |ui, filter, is_entered| {
        let filter = filter.to_lowercase();
        let named = file.others.iter().map(|path| (path, path.file_name().unwrap_or_default().to_string_lossy()));
        let found: Vec<_> = named.filter(|(_, name)| name.to_lowercase().contains(&filter)).collect();
        let mut chosen = found.first().filter(|_| is_entered).map(|(path, _)| *path);
        menu::filtered_rows(ui, &found, |ui, (path, name)| {
            if menu::Row::new(name).show(ui).on_hover_text(path.display().to_string()).clicked() {
                chosen = Some(path);
            }
        });
        if let Some(path) = chosen {
            actions.push(Action::File(FileAction::ShowStructure(path.clone())));
            ui.close();
        }
    });
}
