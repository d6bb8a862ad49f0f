//! What screen readers are told beyond a widget's name and role: states and ranges that egui's own description lacks.

use std::ops::RangeInclusive;

use egui::accesskit::{HasPopup, Role};
use egui::{Rect, Response, Ui, WidgetInfo};

/// One of a list or of tabs, and whether it is the chosen one: that is no tick box.
pub fn choosable(response: &Response, role: Role, enabled: bool, chosen: bool, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(role, enabled, name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_selected(chosen));
}

/// Something that unfolds what is below it, and whether it is unfolded. Where a system knows no such state, it is told as
/// a switch that is on or off.
pub fn unfolds(response: &Response, open: bool, name: &str) {
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, response.enabled(), open, name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_expanded(open));
}

/// Opens a menu, which is open now or not.
pub fn opens_menu(response: &Response, open: bool) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_has_popup(HasPopup::Menu);
        node.set_expanded(open);
    });
}

/// What a button shows where that is not its name: the value chosen with it.
pub fn shows(response: &Response, text: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(text));
}

/// A slider of this name, its value within `range`.
pub fn slider(response: &Response, enabled: bool, name: &str, value: f64, range: RangeInclusive<f64>) {
    response.widget_info(|| WidgetInfo::slider(enabled, value, name));
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(*range.start());
        node.set_max_numeric_value(*range.end());
    });
}

/// A part of the window that one may go to by its name.
pub fn region(ui: &Ui, role: Role, name: &str) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

/// The window itself.
pub fn window(ui: &Ui, name: &str) {
    ui.ctx().accesskit_node_builder(egui::accesskit_root_id(), |node| node.set_label(name));
}

/// What lies over the window and keeps the keyboard until it is put away.
pub fn modal(ui: &Ui, place: Rect) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_modal();
        let [x0, y0, x1, y1] = [place.left(), place.top(), place.right(), place.bottom()].map(f64::from);
        node.set_bounds(egui::accesskit::Rect { x0, y0, x1, y1 });
    });
}
