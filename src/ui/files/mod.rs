//! Files panel: filter, and tree of folders, archives and models.

mod gallery;
pub mod grid;
mod listing;
mod problems;
mod row;
pub mod selection;

use std::path::Path;

use egui::{
    EventFilter, Frame, Id, Key, Margin, Modifiers, Panel, Rect, Role, ScrollArea, Sense, Ui, Vec2, WidgetInfo,
};

use super::button::focus_ring;
use super::{Button, Emphasis, Row, arrange, context, field, fonts, format, icons, list, menu, text, theme};
use listing::Listing;
use maquette_assets::open::{Node, count_unread};
use maquette_scene::session::{Action, FileAction, FilePrompt, Session};

pub use gallery::{Gallery, Line, Thumbnail};

const FOOT: f32 = 28.0;

#[derive(Default)]
pub struct State {
    pub gallery: Gallery,
    listing: Listing,
    problems: problems::State,
    scrolls_to_cursor: bool,
    scrolled: f32,
    /// Whether the list got the focus by a key, so that it shows a focus ring.
    by_keyboard: bool,
    /// Whether to focus the list in the next frame, when the click is over.
    wants_keyboard: bool,
}

impl State {
    pub fn begin(&mut self) {
        self.gallery.begin();
    }

    /// Takes the list of the session. A different list has no filters.
    fn take(&mut self, session: &Session) {
        if self.listing.take(&session.model_list) {
            self.problems = problems::State::default();
            self.scrolled = 0.0;
            self.scrolls_to_cursor = true;
        }
        self.listing.take_unread(&session.left_out);
    }

    /// While the list is filtered or hides the folders, makes “next” and “previous” follow its rows, without wrapping
    /// around.
    pub fn narrow(&self, actions: &mut Vec<Action>) {
        if !self.listing.is_narrowed() {
            return;
        }
        let narrowed = |action: Action| match action {
            Action::File(FileAction::NextModel) => self.listing.neighbour(true, 1).map(show_model),
            Action::File(FileAction::PreviousModel) => self.listing.neighbour(false, 1).map(show_model),
            action => Some(action),
        };
        *actions = std::mem::take(actions).into_iter().filter_map(narrowed).collect();
    }
}

pub fn list_id() -> Id {
    Id::unique("list of files")
}

pub fn show(ui: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    state.take(session);
    // The cursor is at the requested model, even while it loads or if it failed to load.
    let asked = session.requested_path.as_deref();
    let on_stage = session.asset().and_then(|part| part.file.as_deref());
    state.scrolls_to_cursor |= state.listing.point_at(asked.or(on_stage));
    if session.model_list.is_empty() {
        ui.add_space(8.0);
        list::nothing(ui, "Open a folder to see its models");
        let ask = Action::File(FileAction::Ask(FilePrompt::OpenFolder));
        let button = Button::of("Open folder…", &ask).icon(icons::FOLDER_OPEN).word("Open folder…");
        Frame::new().inner_margin(Margin::symmetric(12, 8)).show(ui, |ui| {
            actions.extend(button.rank(Emphasis::Raised).show_wide(ui).clicked().then_some(ask));
        });
        return;
    }
    Panel::bottom("count").exact_size(FOOT).resizable(false).frame(Frame::NONE).show(ui, |ui| {
        arrange::within(ui, ui.max_rect().shrink2(Vec2::X * 8.0), "count", |ui| footer(ui, &state.listing, actions));
    });
    ui.add_space(8.0);
    if session.model_list.len() > 1 {
        if problems::show(ui, session, &mut state.problems, &mut state.listing, actions) {
            state.scrolled = 0.0;
            state.scrolls_to_cursor = true;
        }
        ui.add_space(4.0);
    }
    filter(ui, state, actions);
    ui.add_space(6.0);
    rows(ui, session, state, actions);
}

fn filter(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    let id = ui.scope_id().with("filter");
    if ui.memory(|memory| memory.has_focus(id)) {
        if ui.input(|input| input.key_pressed(Key::Enter)) {
            actions.extend(state.listing.first().map(show_model));
        }
        step(ui, &state.listing, actions);
    }
    let hint = state.listing.hint();
    if field::filter(ui, id, &mut state.listing.filter, &hint, 8.0) {
        state.listing.filter();
        state.scrolled = 0.0;
        state.scrolls_to_cursor = true;
    }
}

fn show_model(path: &Path) -> Action {
    Action::File(FileAction::Show(path.to_path_buf()))
}

/// Opens the previous visible model on Up, or the next one on Down.
fn step(ui: &Ui, listing: &Listing, actions: &mut Vec<Action>) {
    for (key, on) in [(Key::ArrowDown, true), (Key::ArrowUp, false)] {
        // A slow frame can contain several presses.
        let presses = ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
        if presses > 0 {
            actions.extend(listing.neighbour(on, presses).map(show_model));
        }
    }
}

fn rows(ui: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    if state.listing.is_empty() {
        list::nothing(ui, "No matching models");
        return;
    }
    let list_rect = ui.available_rect_before_wrap();
    let focused = keyboard(ui, list_rect, state, actions);
    focus_ring(ui, focused && state.listing.row.is_none(), list_rect.shrink(1.0), 0.0);
    let mut area = ScrollArea::vertical().id_salt("files").auto_shrink([false, false]);
    if std::mem::take(&mut state.scrolls_to_cursor) {
        state.scrolled = offset_to_cursor(&state.listing, state.scrolled, list_rect.height());
        area = area.vertical_scroll_offset(state.scrolled);
    }
    let mut folded = None;
    let output = area.show(ui, |ui| {
        list::varied_rows(ui, &state.listing.tops, |ui, index| match state.listing.node(index) {
            Some(Node::Folder(folder)) => {
                let (folded_now, counted) = (state.listing.is_folded(&folder.path), !state.listing.is_filtered());
                let response = row::folder(ui, folder, folded_now, counted);
                menu::context(&response, |ui| context::file(ui, &folder.path, actions));
                if response.clicked() {
                    folded = Some(folder.path.clone());
                }
            }
            Some(Node::Model { index: place, depth }) => {
                let Some(path) = state.listing.model(*place) else { return };
                let chosen = state.listing.row == Some(index) || session.interface.selected_models.contains(path);
                let inset = list::EDGE + list::indent(if state.listing.is_flat() { 0 } else { *depth });
                let folder = if state.listing.is_flat() { state.listing.folder(*place) } else { "".into() };
                let sorting = state.listing.sorting;
                let line = problems::line_below(session, path, &state.problems, sorting, &state.gallery);
                let response = row::model(ui, session, (path, &folder), line, &mut state.gallery, |row| {
                    row.keeps(state.listing.difference(*place)).inset(inset).selected(chosen).ring(chosen && focused)
                });
                let open = state.listing.row.unwrap_or(index);
                let range = (open.min(index)..=open.max(index)).filter_map(|row| state.listing.model_of_row(row));
                let first = state.listing.row.and_then(|row| state.listing.model_of_row(row));
                if selection::is_opened(&response, session, path, first, range, actions) {
                    actions.push(show_model(path));
                    state.by_keyboard = false;
                    state.wants_keyboard = true;
                    ui.ctx().request_repaint();
                }
            }
            None if state.listing.is_above_unread(index) => {
                let counted = count_unread(&session.left_out);
                let row = Row::label(counted.as_str()).font(fonts::small()).colour(theme::tokens(ui).text2);
                row.show(ui, "unread").on_hover_text(counted);
            }
            None => {
                if let Some(path) = state.listing.unread(index) {
                    row::unread(ui, path);
                }
            }
        });
    });
    state.scrolled = output.state.clamped_offset().y;
    if let Some(folder) = folded {
        state.listing.fold(&folder);
        ui.ctx().request_repaint();
    }
}

/// Handles the keys of the list. Returns whether the focus ring is visible.
fn keyboard(ui: &Ui, place: Rect, state: &mut State, actions: &mut Vec<Action>) -> bool {
    if std::mem::take(&mut state.wants_keyboard) {
        ui.memory_mut(|memory| memory.request_focus(list_id()));
        state.by_keyboard = false;
    }
    let response = ui.interact(place, list_id(), Sense::focusable_noninteractive());
    response.widget_info(|| WidgetInfo::labeled(Role::List, true, "Models"));
    if !response.has_focus() {
        state.by_keyboard = true;
        return false;
    }
    if response.gained_focus() {
        // The focus takes effect in the next frame, so draw it before the next key.
        ui.ctx().request_repaint();
    }
    // Arrow keys step through the models instead of moving the focus.
    let filter = EventFilter { vertical_arrows: true, horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(list_id(), filter));
    step(ui, &state.listing, actions);
    state.by_keyboard
}

/// Returns the scroll offset that shows the cursor. For a near row it scrolls as little as needed. A far row is
/// centred.
fn offset_to_cursor(listing: &Listing, scrolled: f32, height: f32) -> f32 {
    let max = (listing.tops.last().copied().unwrap_or(0.0) - height).max(0.0);
    let ends = listing.row.and_then(|row| listing.tops.get(row..)?.first_chunk());
    let Some(&[top, bottom]) = ends else { return scrolled.min(max) };
    // Add a margin, so that a part of the neighbouring rows is visible.
    let (above, below) = (top - row::FOLDER, bottom + row::FOLDER);
    let wanted = if above >= scrolled && below <= scrolled + height {
        scrolled
    } else if above < scrolled && above > scrolled - height / 2.0 {
        above
    } else if below > scrolled + height && below < scrolled + height * 1.5 {
        below - height
    } else {
        f32::midpoint(top, bottom) - height / 2.0
    };
    wanted.round().clamp(0.0, max)
}

fn footer(ui: &mut Ui, listing: &Listing, actions: &mut Vec<Action>) {
    let count = listing.matches().len();
    let position = listing.position();
    let text = match position {
        Some(position) => format!("{} of {}", format::count(position + 1), format::count(count)),
        None => format::plural(count, "model"),
    };
    ui.add_space(4.0);
    text::line(ui, &text, fonts::small(), theme::tokens(ui).text2);
    arrange::at_end(ui, |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for (name, icon, action, on) in [
            ("Next model", icons::CHEVRON_RIGHT, Action::File(FileAction::NextModel), true),
            ("Previous model", icons::CHEVRON_LEFT, Action::File(FileAction::PreviousModel), false),
        ] {
            let has_other = match listing.is_narrowed() {
                true => listing.neighbour(on, 1).is_some(),
                false => count > usize::from(position.is_some()),
            };
            let button =
                Button::new(name).icon(icon).height(24.0).enabled(has_other, "No other model in this direction");
            button.push(ui, action, actions);
        }
    });
}
