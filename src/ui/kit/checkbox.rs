//! A tick box with its name.

use egui::{Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{button, fonts, icons, list, paint, theme};
use crate::ui::keys;
use maquette_scene::session::{Action, command_for};

/// Side of the box.
const SIDE: f32 = 16.0;

/// Shows a tick box over the whole row, `inset` points in. Gives whether it was clicked.
pub fn show(ui: &mut Ui, name: &str, on: bool, action: &Action, inset: f32) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), list::ROW));
    let response = show_in(ui, rect, list::inside(rect, inset, 12.0), name, on, 8.0);
    let clicked = response.clicked();
    let keys = command_for(action).map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        response.on_hover_ui(|ui| button::tip(ui, name, &keys));
    }
    clicked
}

/// Points from the start of a tick box in a sheet to its name.
pub const LEAD: f32 = 22.0;

/// Shows a tick box at `rect`, whatever the layout. Gives whether it was clicked.
pub fn show_at(ui: &Ui, rect: Rect, name: &str, on: bool) -> bool {
    let room = Rect::from_min_max(rect.min, rect.max + vec2(2.0, 0.0));
    show_in(ui, rect, room, name, on, LEAD - SIDE).clicked()
}

/// Shows a tick box at `rect` that is off and cannot be used, with the reason in its tooltip.
pub fn show_disabled_at(ui: &mut Ui, rect: Rect, name: &str, why_not: &str) {
    let ui = &ui.new_child(egui::UiBuilder::new().max_rect(rect).id_salt(name).disabled());
    let room = Rect::from_min_max(rect.min, rect.max + vec2(2.0, 0.0));
    show_in(ui, rect, room, name, false, LEAD - SIDE).on_disabled_hover_text(why_not);
}

/// What `rect` answers to is shown in `inner`: the box, then the name after `gap` points.
fn show_in(ui: &Ui, rect: Rect, inner: Rect, name: &str, on: bool, gap: f32) -> Response {
    let tokens = theme::tokens(ui);
    let response = ui.interact(rect, ui.scope_id().with(("tick", name)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), on, name));
    let painter = ui.painter();
    let place = Rect::from_min_size(pos2(inner.left(), inner.center().y - SIDE / 2.0), vec2(SIDE, SIDE));
    if on {
        paint::fill(painter, place, 4, tokens.accent_fill);
        paint::icon(painter, place, icons::CHECK, 14.0, tokens.on_accent);
    } else {
        paint::outline(painter, place, 4, 1.0, if response.hovered() { tokens.text } else { tokens.text3 });
    }
    button::focus_ring(ui, response.has_focus(), place.expand(1.0), 2.0);
    let room = Rect::from_min_max(inner.min + vec2(SIDE + gap, 0.0), inner.max);
    paint::name_in(painter, room, name, fonts::body(), tokens.text);
    response
}
