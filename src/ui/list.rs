//! Rows and sections of panels: rows of 26 points, headers of 32, values 96 points after their names.

use egui::style::ScrollAnimation;
use egui::{Align, Align2, Color32, Id, Rect, Response, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::focus_ring;
use super::{access, fonts, icons, paint, theme};

/// Height of a row.
pub const ROW: f32 = 26.0;
/// Where the text of sections starts.
pub const INSET: f32 = 28.0;
/// Rows of a list before it scrolls by itself, so that what comes after stays near.
pub const MOST_ROWS: usize = 9;

/// A clickable row over the whole width, its background painted.
pub fn row(ui: &mut Ui, id: Id, name: &str, height: f32, selected: bool) -> (Rect, Response) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), height));
    let response = ui.interact(rect, id, Sense::click());
    access::choosable(&response, Role::ListItem, ui.is_enabled(), selected, name);
    let tokens = theme::tokens(ui);
    if selected {
        ui.painter().rect_filled(rect, 0.0, tokens.selected);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, tokens.raised);
    }
    if response.has_focus() {
        focus_ring(ui, rect.shrink(1.0), 0.0);
    }
    (rect, response)
}

/// The part of a row between its inset and `right` points before its end.
#[must_use]
pub fn inside(rect: Rect, left: f32, right: f32) -> Rect {
    Rect::from_min_max(pos2(rect.left() + left, rect.top()), pos2(rect.right() - right, rect.bottom()))
}

/// Rows of a long list: only those in sight are made. More than [`MOST_ROWS`] scroll by themselves; when another one is
/// `chosen`, it comes into sight.
pub fn rows(
    ui: &mut Ui,
    salt: &str,
    count: usize,
    height: f32,
    chosen: Option<usize>,
    mut show: impl FnMut(&mut Ui, usize),
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let highest = height * MOST_ROWS as f32 - if count > MOST_ROWS { height / 2.0 } else { 0.0 };
    let corner = ui.next_widget_position();
    let last_chosen = ui.scope_id().with(("chosen", salt));
    let before = ui.data_mut(|data| data.get_temp::<Option<usize>>(last_chosen).flatten());
    // Its handle stands beside that of the panel, not on it.
    let bar = Rect::from_min_size(corner, vec2(ui.available_width() - 5.0, highest.min(height * count as f32)));
    let area = ScrollArea::vertical().id_salt(salt).max_height(highest).auto_shrink([false, true]).scroll_bar_rect(bar);
    area.show_viewport(ui, |ui, sight| {
        ui.set_height(height * count as f32);
        let area = ui.max_rect();
        let first = (sight.top() / height).floor().max(0.0) as usize;
        let end = ((sight.bottom() / height).ceil().max(0.0) as usize + 1).min(count);
        let place =
            |row: usize| Rect::from_min_size(area.min + vec2(0.0, row as f32 * height), vec2(area.width(), height));
        let start = Rect::from_min_max(place(first).min, area.max);
        ui.scope_builder(egui::UiBuilder::new().max_rect(start), |ui| (first..end).for_each(|row| show(ui, row)));
        follow_focus(ui);
        let hidden = chosen.filter(|row| {
            let (top, bottom) = (*row as f32 * height, (*row + 1) as f32 * height);
            *row < count && sight.height() > height * 2.0 && (top < sight.top() || bottom > sight.bottom())
        });
        // Out of the panel's own sight the area is squeezed; there is time when it comes into it.
        let squeezed = sight.height() + 1.0 < highest.min(height * count as f32);
        match hidden {
            Some(_) if squeezed => {}
            // Again in the next frame, until the area has its height.
            Some(row) if before != chosen => {
                ui.scroll_to_rect_animation(place(row), Some(Align::Center), ScrollAnimation::none());
                ui.ctx().request_repaint();
            }
            _ => {
                ui.data_mut(|data| data.insert_temp(last_chosen, chosen));
            }
        }
    });
}

/// At the end of what scrolls: what gets the keyboard comes into sight.
pub fn follow_focus(ui: &Ui) {
    let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
    let gained = focused.filter(|response| response.gained_focus() && ui.min_rect().contains(response.rect.center()));
    if let Some(response) = gained {
        ui.scroll_to_rect(response.rect.expand(4.0), None);
    }
}

/// The header of a section; a click folds it. Gives whether it is open.
pub fn section(ui: &mut Ui, title: &str, count: &str, open: &mut bool) -> Response {
    ui.spacing_mut().item_spacing.y = 0.0;
    let tokens = theme::tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 33.0), Sense::click());
    if response.clicked() {
        *open = !*open;
    }
    let now_open = *open;
    access::unfolds(&response, now_open, title);
    let painter = ui.painter();
    painter.hline(rect.x_range(), rect.top() + 0.5, (1.0, tokens.line));
    let body = Rect::from_min_max(rect.min + vec2(0.0, 1.0), rect.max);
    if response.hovered() {
        painter.rect_filled(body, 0.0, theme::mix(tokens.panel, tokens.raised, 0.6));
    }
    if response.has_focus() {
        focus_ring(ui, body.shrink(1.0), 0.0);
    }
    let chevron = Rect::from_min_size(body.min + vec2(8.0, 0.0), vec2(14.0, body.height()));
    let icon = if *open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
    paint::icon(painter, chevron, icon, 14.0, tokens.text2);
    let right = paint::text_right(painter, inside(body, 0.0, 12.0), count, fonts::body(), tokens.text2).left();
    let room = Rect::from_min_max(pos2(body.left() + INSET, body.top()), pos2(right - 8.0, body.bottom()));
    paint::text_in(painter, room, title, fonts::strong(), tokens.text);
    response
}

/// Room after the last row of an open section.
pub fn end_section(ui: &mut Ui) {
    ui.add_space(8.0);
}

/// A name and its value, 24 points high; the value can be copied with a click.
pub fn fact(ui: &mut Ui, name: &str, value: &str) {
    fact_with(ui, name, value, theme::tokens(ui).text);
}

/// A name and its value in a colour.
pub fn fact_with(ui: &mut Ui, name: &str, value: &str, colour: Color32) {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 24.0));
    let response = ui.interact(rect, ui.scope_id().with(("fact", name)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {value}")));
    if response.has_focus() {
        focus_ring(ui, rect.shrink(1.0), 0.0);
    }
    let painter = ui.painter();
    paint::text_in(painter, inside(rect, INSET, 12.0), name, fonts::body(), tokens.text2);
    let room = inside(rect, INSET + 96.0, 12.0);
    let shown = paint::shortened(painter, value, &fonts::body(), room.width());
    paint::text_in(painter, room, &shown, fonts::body(), colour);
    copyable(&response, value, shown != value);
}

/// A click copies `text`; the tooltip says so, and has the whole where it was cut.
pub fn copyable(response: &Response, text: &str, cut: bool) {
    if response.clicked() {
        response.ctx.copy_text(text.to_owned());
    }
    response.clone().on_hover_ui(|ui| {
        if cut {
            ui.label(text);
        }
        ui.label(egui::RichText::new("Click to copy").small().weak());
    });
}

/// A row of second-line text from the inset on, as wide as it may be and cut in its middle.
pub fn note(ui: &mut Ui, text: &str, colour: Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let room = inside(rect, INSET, 12.0);
    let painter = ui.painter();
    let shown = paint::shortened(painter, text, &fonts::small(), room.width());
    paint::text_in(painter, room, &shown, fonts::small(), colour);
    if shown == text { response } else { response.on_hover_text(text) }
}

/// A badge: small words in a frame, their left edge at `left`. Gives the room it takes.
pub fn badge(ui: &Ui, left: egui::Pos2, words: &str) -> Rect {
    let tokens = theme::tokens(ui);
    let galley = ui.painter().layout_no_wrap(words.to_owned(), fonts::small_medium(), tokens.text2);
    let rect = Align2::LEFT_CENTER.anchor_size(left, vec2(galley.size().x + 12.0, 18.0));
    paint::outline(ui.painter(), rect, 4, 1.0, tokens.line);
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min;
    ui.painter().galley(paint::snapped(ui.painter(), at), galley, tokens.text2);
    rect
}
