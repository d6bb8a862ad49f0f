//! Gallery dialog: large thumbnails of the listed models.

use std::path::Path;

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
                        let response = tile(ui, path, at == state.cursor, gallery);
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

fn tile(ui: &mut Ui, path: &Path, is_chosen: bool, gallery: &mut Gallery) -> Response {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (line, _) = gallery.line(path, format_by_name(path));
    let (image, response) = list::tile(ui, path, Vec2::new(TILE, HEIGHT), [&name, &line], is_chosen);
    gallery.show(ui, image, path);
    response.on_hover_text(path.display().to_string())
}
