//! Gallery dialog: large thumbnails of the listed models.

use std::path::{Path, PathBuf};

use egui::{Key, Rect, Response, ScrollArea, Ui, Vec2, vec2};

use super::listing::Listing;
use super::{Gallery, Line, field, icons, list, problems, selection, theme};
use crate::ui::{dialog, keys, paint};
use maquette_scene::session::{Action, FileAction, Session};

/// Minimum width of a tile.
const TILE: f32 = 136.0;
/// Height of a tile minus its width.
const TEXT: f32 = 57.0;

#[derive(Default)]
pub struct State {
    open: bool,
    /// Indices of the models that match the filter.
    shown: Vec<usize>,
    /// [`Listing::fills`] of [`State::shown`].
    fills: u64,
    cursor: usize,
    /// Model at the cursor.
    selected: Option<PathBuf>,
    scrolls_to_cursor: bool,
}

impl State {
    /// Lists the matching models if the list, its order or the results of the check changed. The cursor stays at its
    /// model, or else is at the first.
    fn follow(&mut self, listing: &Listing) {
        if self.fills != listing.fills {
            (self.shown, self.fills) = (listing.matches().to_vec(), listing.fills);
            let at = self.shown.iter().position(|index| listing.model(*index) == self.selected.as_deref());
            // The file list, which shares the order, may have changed it.
            self.scrolls_to_cursor |= at.is_some_and(|at| at != self.cursor);
            self.cursor = at.unwrap_or(0);
        }
    }

    fn path<'a>(&self, listing: &'a Listing, at: usize) -> Option<&'a Path> {
        self.shown.get(at).and_then(|index| listing.model(*index))
    }
}

/// Shows the dialog, with the filters and the order of the file list. Returns whether it should close.
pub fn show(
    root: &Ui,
    session: &Session,
    state: &mut State,
    files: &mut super::State,
    actions: &mut Vec<Action>,
) -> bool {
    let open = session.asset().and_then(|asset| asset.file.as_deref());
    let is_new = !std::mem::replace(&mut state.open, true);
    files.take(session);
    let super::State { listing, problems, gallery, .. } = files;
    if is_new {
        state.selected = open.map(Path::to_path_buf);
        state.fills = u64::MAX;
        state.scrolls_to_cursor = true;
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
        state.follow(listing);
        // Consume the arrow keys before the text field does. Buttons have their own keys.
        let focused = ui.memory(|memory| memory.focused());
        if focused.is_none_or(|focused| focused == id) {
            if keys::move_cursor(ui, &mut state.cursor, state.shown.len(), columns, 3) {
                state.selected = state.path(listing, state.cursor).map(Path::to_path_buf);
                state.scrolls_to_cursor = true;
            }
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                chosen = state.path(listing, state.cursor).map(Path::to_path_buf);
            }
        }
        let hint = listing.hint();
        let is_chosen = problems::show(ui, session, problems, listing, actions);
        if field::filter(ui, id, &mut listing.filter, &hint, list::EDGE) || is_chosen {
            listing.filter();
            state.scrolls_to_cursor = true;
        }
        state.follow(listing);
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
                        let Some(path) = state.path(listing, at) else { continue };
                        let place = state.shown.get(at).copied().unwrap_or_default();
                        let name = (&*listing.folder(place), listing.difference(place));
                        let is_selected = at == state.cursor || session.interface.selected_models.contains(path);
                        let line = problems::line_below(session, path, problems, listing.sorting, gallery);
                        let response = tile(ui, session, size, (path, name), line, is_selected, gallery);
                        let range = state.cursor.min(at)..=state.cursor.max(at);
                        let first = state.path(listing, state.cursor);
                        let range = range.filter_map(|at| state.path(listing, at));
                        if selection::is_opened(&response, session, path, first, range, actions) {
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

fn tile(
    ui: &mut Ui,
    session: &Session,
    size: Vec2,
    (path, (folder, keeps)): (&Path, (&str, usize)),
    (line, warns): Line,
    is_chosen: bool,
    gallery: &mut Gallery,
) -> Response {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let lines = [folder, &line];
    let lines = if folder.is_empty() { &lines[1..] } else { &lines[..] };
    let (image, response) = list::tile(ui, path, size, (&name, keeps), lines, is_chosen);
    gallery.show(ui, image, path);
    if warns {
        let corner = Rect::from_min_size(image.right_top() + vec2(-24.0, 4.0), Vec2::splat(20.0));
        paint::fill(ui.painter(), corner, 4, theme::tokens(ui).field);
        paint::icon(ui.painter(), corner, icons::WARNING, 14.0, theme::tokens(ui).warn);
    }
    let reasons = problems::reasons(session, path);
    response.on_hover_text(format!("{}\n{}", path.display(), reasons.unwrap_or(line)))
}
