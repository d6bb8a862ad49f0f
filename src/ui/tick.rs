//! A tick box with its name: a row one can click.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{button, fonts, icons, keys, list, paint, theme};
use crate::session::{Action, command_for};

/// Shows a tick box over the whole row, `inset` points in. Gives whether it was clicked.
pub fn show(ui: &mut Ui, name: &str, on: bool, action: &Action, inset: f32) -> bool {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), list::ROW));
    let response = ui.interact(rect, ui.scope_id().with(("tick", name)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    let painter = ui.painter();
    let inner = list::inside(rect, inset, 12.0);
    let place = Rect::from_min_size(pos2(inner.left(), inner.center().y - 8.0), vec2(16.0, 16.0));
    if on {
        paint::fill(painter, place, 4, tokens.accent_fill);
        paint::icon(painter, place, icons::CHECK, 14.0, tokens.on_accent);
    } else {
        paint::outline(painter, place, 4, 1.0, if response.hovered() { tokens.text } else { tokens.text3 });
    }
    if response.has_focus() {
        button::focus_ring(ui, place.expand(1.0), 2.0);
    }
    let room = Rect::from_min_max(inner.min + vec2(24.0, 0.0), inner.max);
    paint::name_in(painter, room, name, fonts::body(), tokens.text);
    let clicked = response.clicked();
    let keys = command_for(action).map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        response.on_hover_ui(|ui| button::tip(ui, name, &keys));
    }
    clicked
}
