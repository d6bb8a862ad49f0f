//! Command palette: commands, settings, models, and the clips, skins and elements of the scene.

mod choices;
mod find;
mod matching;

use egui::{Area, Id, Key, Order, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo};

use super::theme::CORNER;
use super::{Row, access, button, card, dialog, field, fonts, icons, keys, list, paint, theme};
use find::Entry;
use maquette_scene::session::{Action, Dialog, Session, WindowAction};

const ROW: f32 = 30.0;

#[derive(Debug, Default)]
pub struct State {
    query: String,
    open: bool,
    cursor: usize,
    /// Results with their query and a number that identifies the scene.
    found: Option<(String, u64, Vec<Entry>)>,
    scrolls_to_cursor: bool,
    /// Commands chosen since the start, the last one first.
    used: Vec<&'static str>,
}

impl State {
    /// Forgets everything except the used commands.
    pub fn close(&mut self) {
        *self = Self { used: std::mem::take(&mut self.used), ..Self::default() };
    }

    fn entries(&self) -> &[Entry] {
        self.found.as_ref().map_or(&[], |(_, _, found)| found)
    }

    fn search(&mut self, session: &Session, stage: u64) {
        let is_known = self.found.as_ref().is_some_and(|(query, on, _)| *query == self.query && *on == stage);
        if !is_known {
            let found = find::find(session, &self.query, &self.used);
            self.found = Some((self.query.clone(), stage, found));
            (self.cursor, self.scrolls_to_cursor) = (0, true);
        }
    }
}

pub fn show(root: &Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    let screen = root.ctx().content_rect();
    let close = dialog::draw_backdrop(root, "palette");
    let width = 560.0_f32.min(screen.width() - 24.0).max(0.0);
    let corner = (screen.center_top() + egui::vec2(-width / 2.0, 6.0)).round();
    let highest = (screen.height() - 24.0 - 48.0).clamp(0.0, ROW * 12.0);
    let stage = session.document.scene.entities().iter().map(|entity| entity.number).sum::<u64>()
        + session.model_list.len() as u64;
    state.search(session, stage);
    let mut done = None;
    let area =
        Area::new(Id::unique("palette")).order(Order::Foreground).role(Role::Dialog).accessible_name("Command palette");
    area.fixed_pos(corner).show(root.ctx(), |ui| {
        ui.ctx().memory_mut(|memory| memory.set_modal_layer(ui.layer_id()));
        card::frame(ui).inner_margin(4).show(ui, |ui| {
            ui.set_width(width - 8.0);
            // Allow a longer list than in the last frame.
            ui.set_max_height(highest + 60.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            let id = Id::unique("palette field");
            ui.add_space(2.0);
            // Consume the arrow keys before the text field does.
            let count = state.entries().len();
            state.scrolls_to_cursor |= keys::move_cursor(ui, &mut state.cursor, count, 1, 10);
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                done = Some(state.cursor);
            }
            field::filter(ui, id, &mut state.query, "Search commands, settings, models, clips, tags…", 2.0);
            // Text and Enter can arrive in one frame.
            state.search(session, stage);
            // Enter takes the focus from the field, which keeps it if nothing was done.
            if !state.open || done.is_some() {
                state.open = true;
                ui.ctx().memory_mut(|memory| memory.request_focus(id));
            }
            ui.add_space(4.0);
            done = rows(ui, state, highest).or(done);
            ui.add_space(2.0);
        });
        access::modal(ui, ui.min_rect());
    });
    let chosen = done.and_then(|row| state.entries().get(row)).filter(|entry| entry.usable);
    if close || chosen.is_some() {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
    }
    actions.extend(chosen.iter().flat_map(|entry| &entry.actions).cloned());
    if let Some(command) = chosen.and_then(|entry| entry.command) {
        state.used.retain(|id| *id != command.id);
        state.used.insert(0, command.id);
    }
}

/// Shows the results. Returns the row that the user clicked.
fn rows(ui: &mut Ui, state: &mut State, highest: f32) -> Option<usize> {
    let scrolls_to_cursor = std::mem::take(&mut state.scrolls_to_cursor);
    let found = state.entries();
    if found.is_empty() {
        let text = format!("No results for “{}”", state.query.trim());
        Row::label(text).height(ROW).colour(theme::tokens(ui).text2).show(ui, "nothing");
        return None;
    }
    let mut clicked = None;
    // Hide the bar if everything is visible.
    let bar = egui::scroll_area::ScrollBarVisibility::VisibleWhenNeeded;
    let area = ScrollArea::vertical().scroll_bar_visibility(bar).max_height(highest).auto_shrink([false, true]);
    area.show(ui, |ui| {
        ui.set_max_width(ui.available_width() - 6.0);
        if scrolls_to_cursor {
            let top = ui.cursor().top() + state.cursor as f32 * ROW;
            let row_rect = ui.max_rect().with_min_y(top).with_max_y(top + ROW);
            ui.scroll_to_rect_animation(row_rect, None, egui::style::ScrollAnimation::none());
        }
        list::rows(ui, "found", 0..found.len(), ROW, None, |ui, row| {
            let entry = found.get(row).filter(|entry| show_entry(ui, row, entry, row == state.cursor));
            clicked = entry.map(|_| row).or(clicked);
        });
    });
    clicked
}

fn show_entry(ui: &mut Ui, row: usize, entry: &Entry, chosen: bool) -> bool {
    let keys = entry.command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    let beside = entry.why_not.as_ref().unwrap_or(&entry.what);
    let shown = Row::new(&entry.name)
        .spoken(match &entry.why_not {
            Some(why) => format!("{}, {}: {why}", entry.name, entry.what),
            None => format!("{}, {}", entry.name, entry.what),
        })
        .marks(&entry.marks)
        .icon(entry.icon)
        .aside(beside)
        .keys(keys)
        .height(ROW)
        .inset(8.0)
        .margin(8.0)
        .selected(chosen)
        .rounded()
        // The search field keeps the keyboard focus.
        .without_keyboard();
    let response = ui.add_enabled_ui(entry.usable, |ui| shown.show(ui, ("entry", row))).inner;
    let clicked = response.clicked();
    if let Some(why) = &entry.why_not {
        response.on_disabled_hover_text(why);
    }
    clicked
}

/// Shows the button that opens the palette, with the name of the model if it is given.
pub fn search_button(ui: &Ui, rect: Rect, name: Option<&str>, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let (icon, text, colour) = match name {
        Some(name) => (icons::FILE, name, tokens.text),
        None => (icons::SEARCH, "Search commands and models", tokens.text2),
    };
    let action = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
    let response = ui.interact(rect, ui.scope_id().with("palette door"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Search commands and models"));
    let mut room = field::plate(ui, rect, icon);
    paint::outline(ui.painter(), rect, CORNER, 1.0, if response.hovered() { tokens.text3 } else { tokens.line });
    button::focus_ring(ui, response.has_focus(), rect, 0.0);
    let keys = maquette_scene::session::command_for(&action).map(|command| keys::shown(ui.ctx(), command));
    if let Some(keys) = keys.filter(|keys| !keys.is_empty()) {
        room.max.x = paint::key_cap(ui, room.right_center(), &keys).left() - 8.0;
    }
    let fits = paint::width_of(ui, text, fonts::body()) <= room.width();
    let text = if name.is_none() && !fits { "Search" } else { text };
    paint::name_in(ui.painter(), room, text, fonts::body(), colour);
    actions.extend(response.clicked().then_some(action));
}
