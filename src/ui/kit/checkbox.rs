//! Checkbox with a name.

use egui::{Rect, Response, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use super::{arrange, button, fonts, icons, list, paint, theme};
use crate::ui::keys;
use maquette_scene::session::{Action, command_for};

const SIDE: f32 = 16.0;

/// Shows a checkbox over the whole row, `inset` points from the left. Returns whether it was clicked.
pub fn show(ui: &mut Ui, name: &str, on: bool, action: &Action, inset: f32) -> bool {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), list::ROW));
    let response = show_in(ui, rect, arrange::inside(rect, inset, 12.0), name, on, 8.0);
    let clicked = response.clicked();
    let keys = command_for(action).map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        response.on_hover_ui(|ui| button::tip(ui, name, &keys));
    }
    clicked
}

/// Shows a checkbox in the layout. A click toggles `on`. With a reason `why_not`, the checkbox is unchecked and
/// disabled.
pub fn switch(ui: &mut Ui, name: &str, on: &mut bool, why_not: Option<&str>) {
    const GAP: f32 = 6.0;
    let width = SIDE + GAP + paint::width_of(ui, name, fonts::body()).ceil() + 1.0;
    ui.add_enabled_ui(why_not.is_none(), |ui| {
        let (_, rect) = ui.allocate_space(vec2(width, 28.0));
        let response = show_in(ui, rect, rect, name, *on && why_not.is_none(), GAP);
        *on ^= response.clicked();
        response.on_disabled_hover_text(why_not.unwrap_or_default());
    });
}

/// Shows the box and, after `gap` points, the name in `inner`. All of `rect` can be clicked.
fn show_in(ui: &Ui, rect: Rect, inner: Rect, name: &str, on: bool, gap: f32) -> Response {
    let tokens = theme::tokens(ui);
    let response = ui.interact(rect, ui.scope_id().with(("tick", name)), Sense::click());
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, ui.is_enabled(), on, name));
    let painter = ui.painter();
    let box_rect = egui::Align2::LEFT_CENTER.anchor_size(inner.left_center(), Vec2::splat(SIDE));
    if on {
        paint::fill(painter, box_rect, 4, tokens.accent_fill);
        paint::icon(painter, box_rect, icons::CHECK, 14.0, tokens.on_accent);
    } else {
        paint::outline(painter, box_rect, 4, 1.0, if response.hovered() { tokens.text } else { tokens.text3 });
    }
    button::focus_ring(ui, response.has_focus(), box_rect.expand(1.0), 2.0);
    paint::name_in(painter, inner.with_min_x(box_rect.right() + gap), name, fonts::body(), tokens.text);
    response
}
