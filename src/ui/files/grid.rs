//! Gallery dialog: large thumbnails of the listed models.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Key, Rect, Response, ScrollArea, Ui, Vec2, vec2};

use super::listing::Listing;
use super::{Gallery, context, field, format, icons, list, menu, problems, selection, theme};
use crate::ui::{dialog, keys, paint};
use maquette_assets::open::format_by_name;
use maquette_scene::session::{Action, FileAction, Session};

/// Minimum width of a tile.
const TILE: f32 = 136.0;
/// Height of a tile minus its width.
const TEXT: f32 = 40.0;

#[derive(Default)]
pub struct State {
    open: bool,
    listing: Listing,
    /// Indices of the models that match the filter.
    shown: Vec<usize>,
    /// [`Listing::fills`] of [`State::shown`].
    fills: u64,
    /// Folder of each model that another model has the name of.
    folders: Vec<String>,
    problems: problems::State,
    cursor: usize,
    scrolls_to_cursor: bool,
}

impl State {
    /// Lists the matching models. Sets the cursor to a model, or else to the first.
    fn fill(&mut self, model: Option<&Path>) {
        (self.shown, self.fills) = (self.listing.matches(), self.listing.fills);
        let at = self.shown.iter().position(|index| self.listing.model(*index) == model);
        self.cursor = at.unwrap_or(0);
    }

    fn path(&self, at: usize) -> Option<&Path> {
        self.shown.get(at).and_then(|index| self.listing.model(*index))
    }
}

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, session: &Session, state: &mut State, gallery: &mut Gallery, actions: &mut Vec<Action>) -> bool {
    let open = session.asset().and_then(|asset| asset.file.as_deref());
    let is_new = update(session, state, open);
    let size = root.ctx().content_rect().size() * 0.94;
    let mut chosen = None;
    let close = dialog::show_sized(root, "Gallery", size, |ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        let width = ui.available_width() - 2.0 * list::EDGE;
        let columns = (width / TILE).floor().max(1.0) as usize;
        // Tiles fill the width.
        let tile_width = (width / columns as f32).floor().max(TILE);
        let size = Vec2::new(tile_width, tile_width + TEXT);
        let id = ui.scope_id().with("filter");
        // Consume the arrow keys before the text field does. Buttons have their own keys.
        let focused = ui.memory(|memory| memory.focused());
        if focused.is_none_or(|focused| focused == id) {
            state.scrolls_to_cursor |= keys::move_cursor(ui, &mut state.cursor, state.shown.len(), columns, 3);
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                chosen = state.path(state.cursor).map(Path::to_path_buf);
            }
        }
        let hint = format!("Filter {}", format::plural(state.listing.models.len(), "model"));
        let sorting = state.listing.sorting;
        let is_chosen = problems::show(ui, session, &mut state.problems, &mut state.listing, actions);
        if field::filter(ui, id, &mut state.listing.filter, &hint, list::EDGE) || is_chosen {
            state.listing.filter();
            state.fill(open);
            state.scrolls_to_cursor = true;
            // Show the first models of the new order.
            state.cursor = if state.listing.sorting == sorting { state.cursor } else { 0 };
        }
        if state.fills != state.listing.fills {
            // The results of the check changed.
            let held = state.path(state.cursor).map(Path::to_path_buf);
            state.fill(held.as_deref());
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
            list::rows(ui, "tiles", 0..rows, size.y, scroll_to, |ui, row| {
                ui.horizontal(|ui| {
                    ui.add_space(list::EDGE);
                    for at in row * columns..((row + 1) * columns).min(state.shown.len()) {
                        let Some(path) = state.path(at) else { continue };
                        let folder = state.shown.get(at).and_then(|index| state.folders.get(*index));
                        let folder = folder.map_or("", String::as_str);
                        let is_selected = at == state.cursor || session.interface.selected_models.contains(path);
                        let response = tile(ui, session, size, (path, folder), is_selected, gallery);
                        menu::context(&response, |ui| {
                            selection::rows(ui, session, path, actions);
                            context::listed(ui, session, path, actions);
                        });
                        if response.clicked() {
                            let modifiers = ui.input(|input| input.modifiers);
                            let range = state.cursor.min(at)..=state.cursor.max(at);
                            let range = range.filter_map(|at| state.path(at));
                            let first = state.path(state.cursor);
                            if !selection::click(session, modifiers, path, first, range, actions) {
                                chosen = Some(path.to_path_buf());
                            }
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

/// Takes the list of the session. Returns whether the gallery opens now.
fn update(session: &Session, state: &mut State, open: Option<&Path>) -> bool {
    let is_new = !std::mem::replace(&mut state.open, true);
    let held = state.path(state.cursor).map(Path::to_path_buf);
    let is_same = Arc::ptr_eq(&state.listing.models, &session.model_list);
    let is_other = state.listing.take(&session.model_list);
    if is_other {
        state.problems = problems::State::default();
    }
    if !is_same {
        state.folders = differing_folders(&state.listing.models);
    }
    if is_other || is_new {
        state.fill(open);
        state.scrolls_to_cursor = true;
    } else if !is_same {
        state.fill(held.as_deref());
    }
    is_new
}

/// Returns for each path the folder that distinguishes it from other paths of the same file name: the folder that is in
/// the fewest of them, and the one nearest to the file if there are several. Empty for names that occur once.
fn differing_folders<'a>(paths: &'a [PathBuf]) -> Vec<String> {
    let folders_of = |path: &'a PathBuf| path.parent().into_iter().flat_map(Path::iter);
    let mut names: HashMap<Option<&OsStr>, usize> = HashMap::new();
    let mut counts: HashMap<(Option<&OsStr>, &OsStr), usize> = HashMap::new();
    for path in paths {
        *names.entry(path.file_name()).or_default() += 1;
        for folder in folders_of(path).collect::<HashSet<_>>() {
            *counts.entry((path.file_name(), folder)).or_default() += 1;
        }
    }
    let rarest = |path: &'a PathBuf| {
        let name = path.file_name();
        let count = |folder: &&OsStr| counts.get(&(name, *folder)).copied();
        let folders = path.parent().into_iter().flat_map(|folder| folder.iter().rev());
        let rarest = folders.min_by_key(count).filter(|_| names.get(&name) > Some(&1));
        rarest.map_or_else(String::new, |folder| folder.to_string_lossy().into_owned())
    };
    paths.iter().map(rarest).collect()
}

fn tile(
    ui: &mut Ui,
    session: &Session,
    size: Vec2,
    (path, folder): (&Path, &str),
    is_chosen: bool,
    gallery: &mut Gallery,
) -> Response {
    let (line, warns) = problems::line(session, path).unwrap_or_else(|| gallery.line(path, format_by_name(path)));
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let second = if folder.is_empty() { line.clone() } else { format!("{folder} · {line}") };
    let (image, response) = list::tile(ui, path, size, [&name, &second], is_chosen);
    gallery.show(ui, image, path);
    if warns {
        let corner = Rect::from_min_size(image.right_top() + vec2(-24.0, 4.0), Vec2::splat(20.0));
        paint::fill(ui.painter(), corner, 4, theme::tokens(ui).field);
        paint::icon(ui.painter(), corner, icons::WARNING, 14.0, theme::tokens(ui).warn);
    }
    let reasons = problems::reasons(session, path);
    response.on_hover_text(format!("{}\n{}", path.display(), reasons.unwrap_or(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_names_of_tiles_get_the_folder_in_which_they_differ() {
        let paths = ["/g/a/tris.md2", "/g/b/tris.md2", "/g/b/w.md2", "/g/x/c/t.md3", "/g/y/c/t.md3"].map(PathBuf::from);
        assert_eq!(differing_folders(&paths), ["a", "b", "", "x", "y"]);
    }
}
