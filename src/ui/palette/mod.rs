//! Find by typing: every command, every choice of a drop-down and setting, every model of the list, every clip, skin,
//! surface, tag and joint of the scene.

mod choices;
mod find;
mod matching;

use egui::{Area, Frame, Id, Key, Margin, Modifiers, Order, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo};
use egui::{pos2, vec2};

use super::theme::CORNER;
use super::{access, button, dialog, field, fonts, icons, keys, paint, theme};
use find::Entry;
use maquette_scene::session::{Action, Dialog, Session, WindowAction};

/// Height of a row.
const ROW: f32 = 30.0;

/// What the palette remembers for itself.
#[derive(Debug, Default)]
pub struct State {
    query: String,
    open: bool,
    cursor: usize,
    /// What was found for which query in which scene.
    found: Option<(String, u64, Vec<Entry>)>,
    /// The cursor's row is to be brought into sight.
    bring: bool,
}

impl State {
    /// The palette is not shown.
    pub fn closed(&mut self) {
        *self = Self::default();
    }

    /// Looks for what the query asks for, if that or the scene is another one.
    fn look(&mut self, session: &Session, stage: u64) {
        let is_known = self.found.as_ref().is_some_and(|(query, on, _)| *query == self.query && *on == stage);
        if !is_known {
            let found = find::find(session, &self.query);
            self.found = Some((self.query.clone(), stage, found));
            (self.cursor, self.bring) = (0, true);
        }
    }
}

/// Shows the palette below the top bar.
pub fn show(root: &Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let screen = root.ctx().content_rect();
    let close = dialog::draw_backdrop(root, "palette");
    let width = 560.0_f32.min(screen.width() - 24.0).max(0.0);
    let corner = pos2((screen.center().x - width / 2.0).round(), screen.top() + 6.0);
    let highest = (screen.height() - 24.0 - 48.0).clamp(0.0, ROW * 12.0);
    let stage = session.document.scene.entities().iter().map(|entity| entity.number).sum::<u64>()
        + session.model_list.len() as u64;
    memory.look(session, stage);
    let mut done = None;
    let area =
        Area::new(Id::unique("palette")).order(Order::Foreground).role(Role::Dialog).accessible_name("Command palette");
    area.fixed_pos(corner).show(root.ctx(), |ui| {
        ui.ctx().memory_mut(|memory| memory.set_modal_layer(ui.layer_id()));
        let tokens = theme::tokens(ui);
        let frame = Frame::new()
            .fill(tokens.pop)
            .stroke((1.0, tokens.line))
            .corner_radius(theme::CARD_CORNER)
            .shadow(ui.visuals().popup_shadow)
            .inner_margin(Margin::same(4));
        frame.show(ui, |ui| {
            ui.set_width(width - 8.0);
            // Room for a longer list than the last one.
            ui.set_max_height(highest + 60.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            let id = Id::unique("palette field");
            ui.add_space(2.0);
            // Before the field sees them.
            steer(ui, memory);
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                done = Some(memory.cursor);
            }
            if !memory.open {
                memory.query.push_str(&keys::take_typed_ahead(ui.ctx()));
            }
            field::filter(ui, id, &mut memory.query, "Search commands, settings, models, clips, tags…", 2.0);
            // What is typed and confirmed in one frame is what is meant.
            memory.look(session, stage);
            // Enter takes the keyboard from the field, which is still wanted if there was nothing to do.
            if !memory.open || done.is_some() {
                memory.open = true;
                ui.ctx().memory_mut(|memory| memory.request_focus(id));
            }
            ui.add_space(4.0);
            done = rows(ui, memory, highest).or(done);
            ui.add_space(2.0);
        });
        access::modal(ui, ui.min_rect());
    });
    let chosen = done.and_then(|row| memory.found.as_ref()?.2.get(row)).filter(|entry| entry.usable);
    if let Some(entry) = chosen {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
        actions.extend(entry.actions.iter().cloned());
    } else if close {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
    }
}

/// Up and down move the cursor.
fn steer(ui: &Ui, memory: &mut State) {
    let count = memory.found.as_ref().map_or(0, |(_, _, found)| found.len());
    if count == 0 {
        return;
    }
    let before = memory.cursor;
    let last = count - 1;
    ui.input_mut(|input| {
        let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key);
        let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        let (page_down, page_up) = (pressed(Key::PageDown), pressed(Key::PageUp));
        memory.cursor = (memory.cursor + down + page_down * 10).min(last).saturating_sub(up + page_up * 10);
    });
    memory.bring |= memory.cursor != before;
}

fn rows(ui: &mut Ui, memory: &mut State, highest: f32) -> Option<usize> {
    let Some((_, _, found)) = &memory.found else { return None };
    let tokens = theme::tokens(ui);
    if found.is_empty() {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let text = format!("No results for “{}”", memory.query.trim());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        paint::text_in(ui.painter(), rect.shrink2(vec2(12.0, 0.0)), &text, fonts::body(), tokens.text2);
        return None;
    }
    let mut clicked = None;
    let bring = std::mem::take(&mut memory.bring);
    // No bar where all is in sight.
    let bar = egui::scroll_area::ScrollBarVisibility::VisibleWhenNeeded;
    ScrollArea::vertical().scroll_bar_visibility(bar).max_height(highest).auto_shrink([false, true]).show_viewport(
        ui,
        |ui, sight| {
            ui.set_height(ROW * found.len() as f32);
            let area = ui.max_rect();
            let place =
                |row: usize| Rect::from_min_size(area.min + vec2(0.0, row as f32 * ROW), vec2(area.width() - 6.0, ROW));
            if bring {
                ui.scroll_to_rect_animation(place(memory.cursor), None, egui::style::ScrollAnimation::none());
            }
            let first = (sight.top() / ROW).floor().max(0.0) as usize;
            let end = ((sight.bottom() / ROW).ceil().max(0.0) as usize + 1).min(found.len());
            for (row, entry) in found.iter().enumerate().take(end).skip(first) {
                if show_entry(ui, place(row), row, entry, row == memory.cursor) {
                    clicked = Some(row);
                }
            }
        },
    );
    clicked
}

fn show_entry(ui: &Ui, rect: Rect, row: usize, entry: &Entry, chosen: bool) -> bool {
    let tokens = theme::tokens(ui);
    // The field keeps the keyboard.
    let response = ui.interact(rect, ui.scope_id().with(("entry", row)), Sense::CLICK);
    let name = format!("{}, {}", entry.name, entry.what);
    access::choosable(&response, Role::ListItem, entry.usable, chosen, &name);
    if chosen {
        paint::fill(ui.painter(), rect, CORNER, tokens.selected);
    } else if response.hovered() {
        paint::fill(ui.painter(), rect, CORNER, tokens.hover);
    }
    let faint = |colour: egui::Color32| if entry.usable { colour } else { colour.gamma_multiply(0.55) };
    let icon = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(14.0, rect.height()));
    paint::icon(ui.painter(), icon, entry.icon, 14.0, faint(tokens.text2));
    let mut right = rect.right() - 8.0;
    let keys = entry.command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        right = paint::key_cap(ui, pos2(right, rect.center().y), &keys).left() - 8.0;
    }
    let half = rect.left() + rect.width() * 0.55;
    let own = Rect::from_min_max(pos2(rect.left() + 30.0, rect.top()), pos2(half, rect.bottom()));
    let (plain, marked) = (faint(tokens.text), faint(tokens.accent));
    let own = paint::marked_in(ui.painter(), own, &entry.name, &entry.marks, plain, marked);
    let what = Rect::from_min_max(pos2(own.right() + 10.0, rect.top()), pos2(right, rect.bottom()));
    paint::name_in(ui.painter(), what, &entry.what, fonts::small(), faint(tokens.text2));
    let clicked = response.clicked();
    if let Some(why) = &entry.why_not {
        response.on_hover_text(why);
    }
    clicked
}

/// The field in the top bar that opens the palette: `text` in it, as wide as `rect`.
pub fn door(ui: &Ui, rect: Rect, text: &str, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let action = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
    let response = ui.interact(rect, ui.scope_id().with("palette door"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Search commands and models"));
    paint::fill(ui.painter(), rect, CORNER, tokens.field);
    let edge = if response.hovered() { tokens.text3 } else { tokens.line };
    paint::outline(ui.painter(), rect, CORNER, 1.0, edge);
    button::focus_ring(ui, response.has_focus(), rect, 0.0);
    let icon = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(14.0, rect.height()));
    paint::icon(ui.painter(), icon, icons::SEARCH, 14.0, tokens.text2);
    let mut right = rect.right() - 8.0;
    let command = maquette_scene::session::command_for(&action);
    let keys = command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        right = paint::key_cap(ui, pos2(right, rect.center().y), &keys).left() - 8.0;
    }
    let room = Rect::from_min_max(pos2(rect.left() + 29.0, rect.top()), pos2(right, rect.bottom()));
    paint::name_in(ui.painter(), room, text, fonts::body(), tokens.text2);
    actions.extend(response.clicked().then_some(action));
}
