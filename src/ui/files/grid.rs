//! Gallery dialog: large thumbnails of the listed models.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui::{Key, Response, ScrollArea, Ui, Vec2};

use super::listing::Listing;
use super::{Gallery, context, field, format, list, menu};
use crate::ui::{dialog, keys};
use maquette_assets::open::format_by_name;
use maquette_scene::session::{Action, FileAction, Session};

const TILE: f32 = 136.0;
const HEIGHT: f32 = 176.0;

#[derive(Default)]
pub struct State {
    open: bool,
    listing: Listing,
    /// Indices of the models that match the filter.
    shown: Vec<usize>,
    /// Names of all models. Equal file names follow their folder.
    names: Vec<String>,
    cursor: usize,
    scrolls_to_cursor: bool,
}

impl State {
    /// Lists the matching models. Places the cursor on the open model, or else on the first.
    fn fill(&mut self, session: &Session) {
        self.shown = self.listing.matches();
        let open = session.asset().and_then(|asset| asset.file.as_deref());
        let at = self.shown.iter().position(|index| self.listing.model(*index) == open);
        (self.cursor, self.scrolls_to_cursor) = (at.unwrap_or(0), true);
    }

    fn path(&self, at: usize) -> Option<&Path> {
        self.shown.get(at).and_then(|index| self.listing.model(*index))
    }
}

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, session: &Session, state: &mut State, gallery: &mut Gallery, actions: &mut Vec<Action>) -> bool {
    let is_new = !std::mem::replace(&mut state.open, true);
    if state.listing.take(&session.model_list) || is_new {
        state.names = distinct_names(&state.listing.models);
        state.fill(session);
    }
    let size = root.ctx().content_rect().size() * 0.94;
    let mut chosen = None;
    let close = dialog::show_sized(root, "Gallery", size, |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let columns = ((ui.available_width() - 2.0 * list::EDGE) / TILE).floor().max(1.0) as usize;
        // Consume the arrow keys before the text field does.
        state.scrolls_to_cursor |= keys::move_cursor(ui, &mut state.cursor, state.shown.len(), columns, 3);
        if ui.input(|input| input.key_pressed(Key::Enter)) {
            chosen = state.path(state.cursor).map(Path::to_path_buf);
        }
        let id = ui.scope_id().with("filter");
        let hint = format!("Filter {}", format::plural(state.listing.models.len(), "model"));
        if field::filter(ui, id, &mut state.listing.filter, &hint, list::EDGE) {
            state.listing.filter();
            state.fill(session);
        }
        if is_new {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        ui.add_space(8.0);
        if state.shown.is_empty() {
            list::nothing(ui, "No matching models");
            return;
        }
        let scroll_to = std::mem::take(&mut state.scrolls_to_cursor).then_some(state.cursor / columns);
        let rows = state.shown.len().div_ceil(columns);
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            list::rows(ui, "tiles", 0..rows, HEIGHT, scroll_to, |ui, row| {
                ui.horizontal(|ui| {
                    ui.add_space(list::EDGE);
                    for at in row * columns..((row + 1) * columns).min(state.shown.len()) {
                        let Some(path) = state.path(at) else { continue };
                        let name = state.shown.get(at).and_then(|index| state.names.get(*index));
                        let name = name.map_or("", String::as_str);
                        let response = tile(ui, path, name, at == state.cursor, gallery);
                        menu::context(&response, |ui| context::listed(ui, session, path, actions));
                        if response.clicked() {
                            chosen = Some(path.to_path_buf());
                        }
                    }
                });
            });
        });
    });
    let is_done = close || chosen.is_some();
    actions.extend(chosen.map(|path| Action::File(FileAction::Show(path))));
    is_done
}

/// Returns the file name of each path, with as many folders before it as distinguish it from the others.
fn distinct_names(paths: &[PathBuf]) -> Vec<String> {
    let tail = |path: &Path, folders: usize| {
        let parts: Vec<_> = path.components().rev().take(folders + 1).map(|part| part.as_os_str()).collect();
        let names: Vec<_> = parts.iter().rev().map(|name| name.to_string_lossy()).collect();
        names.join("/")
    };
    let mut names: Vec<String> = paths.iter().map(|path| tail(path, 0)).collect();
    // A tile has space for two folders before the name.
    for folders in 1..=2 {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        names.iter().for_each(|name| *counts.entry(name).or_default() += 1);
        let is_repeated: Vec<bool> = names.iter().map(|name| counts.get(name.as_str()) > Some(&1)).collect();
        for ((name, path), _) in names.iter_mut().zip(paths).zip(is_repeated).filter(|(_, is_repeated)| *is_repeated) {
            *name = tail(path, folders);
        }
    }
    names
}

fn tile(ui: &mut Ui, path: &Path, name: &str, is_chosen: bool, gallery: &mut Gallery) -> Response {
    let (line, _) = gallery.line(path, format_by_name(path));
    let (image, response) = list::tile(ui, path, Vec2::new(TILE, HEIGHT), [name, &line], is_chosen);
    gallery.show(ui, image, path);
    response.on_hover_text(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_of_tiles_follow_their_folder() {
        let paths = ["/g/a/tris.md2", "/g/b/tris.md2", "/g/b/w.md2", "/g/x/c/t.md3", "/g/y/c/t.md3"].map(PathBuf::from);
        assert_eq!(distinct_names(&paths), ["a/tris.md2", "b/tris.md2", "w.md2", "x/c/t.md3", "y/c/t.md3"]);
    }
}
