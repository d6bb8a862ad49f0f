//! Gallery dialog: large thumbnails of the listed models.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use egui::{Key, Rect, Response, Role, ScrollArea, Ui, Vec2, vec2};

use super::listing::Listing;
use super::{Gallery, arrange, context, field, format, icons, list, menu, problems, theme};
use crate::ui::{dialog, keys, paint, segmented_control};
use maquette_assets::open::format_by_name;
use maquette_scene::session::{Action, FileAction, Session};

/// Minimum width of a tile.
const TILE: f32 = 136.0;
/// Height of a tile minus its width.
const TEXT: f32 = 40.0;

/// Choices of the order. All but the first two sort by numbers, the largest first.
const SORTINGS: [&str; 5] = ["Folder", "Name", "Triangles", "File size", "Date"];

#[derive(Default)]
pub struct State {
    open: bool,
    listing: Listing,
    /// Indices of the models that match the filter.
    shown: Vec<usize>,
    /// Names of all models. Equal file names follow their folder.
    names: Vec<String>,
    sorting: usize,
    /// Order for [`State::sorting`] and this revision of the check; `None` for the order of the list.
    keys: Option<(usize, u64, Vec<u64>)>,
    cursor: usize,
    scrolls_to_cursor: bool,
}

impl State {
    /// Lists the matching models. Places the cursor on the open model, or else on the first.
    fn fill(&mut self, session: &Session) {
        self.shown = self.listing.matches();
        match self.sorting {
            0 => {}
            1 => self.shown.sort_by_cached_key(|index| self.names.get(*index).map(|name| name.to_lowercase())),
            sorting => {
                let check = &session.interface.folder_check;
                let is_known = |(by, revision, _): &(usize, u64, _)| {
                    *by == sorting && (sorting != 2 || *revision == check.revision)
                };
                let models = &self.listing.models;
                let keys = self.keys.take().filter(is_known).filter(|(.., keys)| keys.len() == models.len());
                let keys =
                    keys.map_or_else(|| models.iter().map(|path| key(session, sorting, path)).collect(), |it| it.2);
                self.shown.sort_by_key(|index| std::cmp::Reverse(keys.get(*index).copied()));
                self.keys = Some((sorting, check.revision, keys));
            }
        }
        let open = session.asset().and_then(|asset| asset.file.as_deref());
        let at = self.shown.iter().position(|index| self.listing.model(*index) == open);
        (self.cursor, self.scrolls_to_cursor) = (at.unwrap_or(0), true);
    }

    fn path(&self, at: usize) -> Option<&Path> {
        self.shown.get(at).and_then(|index| self.listing.model(*index))
    }
}

/// Returns the number by which a model is sorted. An archive's files have the size and the date of the archive.
fn key(session: &Session, sorting: usize, path: &Path) -> u64 {
    if sorting == 2 {
        return session.interface.folder_check.triangles(path).unwrap_or(0) as u64;
    }
    let Some(data) = path.ancestors().find_map(|path| std::fs::metadata(path).ok()) else { return 0 };
    let changed = || data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok();
    if sorting == 3 { data.len() } else { changed().map_or(0, |time| time.as_millis() as u64) }
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
        let (_, row) = ui.allocate_space(Vec2::new(ui.available_width(), 28.0));
        let sortings: Vec<(usize, &str)> = SORTINGS.into_iter().enumerate().collect();
        let sort_width = segmented_control::width(ui, &sortings);
        let (is_typed, is_sorted) = arrange::within(ui, row, "head", |ui| {
            let filter = |ui: &mut Ui| field::filter(ui, id, &mut state.listing.filter, &hint, list::EDGE);
            let is_typed = ui.allocate_ui(Vec2::new(row.width() - sort_width - list::EDGE, 28.0), filter).inner;
            let chosen = segmented_control::choose(ui, "Sort by", Role::RadioButton, &sortings, state.sorting);
            state.sorting = chosen.unwrap_or(state.sorting);
            (is_typed, chosen.is_some())
        });
        let check = &session.interface.folder_check;
        let is_outdated = state.sorting == 2
            && !check.is_running()
            && state.keys.as_ref().is_some_and(|known| known.1 != check.revision);
        if is_typed || is_sorted || is_outdated {
            state.listing.filter();
            state.fill(session);
            // Show the first models of the new order.
            state.cursor = if is_sorted { 0 } else { state.cursor };
        }
        if is_sorted && state.sorting == 2 && check.count() < session.model_list.len() && !check.is_running() {
            actions.push(Action::File(FileAction::CheckFiles));
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
                        let name = state.shown.get(at).and_then(|index| state.names.get(*index));
                        let name = name.map_or("", String::as_str);
                        let response = tile(ui, session, size, (path, name), at == state.cursor, gallery);
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

fn tile(
    ui: &mut Ui,
    session: &Session,
    size: Vec2,
    (path, name): (&Path, &str),
    is_chosen: bool,
    gallery: &mut Gallery,
) -> Response {
    let (line, warns) = problems::line(session, path).unwrap_or_else(|| gallery.line(path, format_by_name(path)));
    let (image, response) = list::tile(ui, path, size, [name, &line], is_chosen);
    gallery.show(ui, image, path);
    if warns {
        let corner = Rect::from_min_size(image.right_top() + vec2(-24.0, 4.0), Vec2::splat(20.0));
        paint::fill(ui.painter(), corner, 4, theme::tokens(ui).field);
        paint::icon(ui.painter(), corner, icons::WARNING, 14.0, theme::tokens(ui).warn);
    }
    response.on_hover_text(format!("{}\n{line}", path.display()))
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
