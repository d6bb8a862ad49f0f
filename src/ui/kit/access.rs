//! Accessibility states and ranges that egui's widget descriptions lack.

use std::ops::RangeInclusive;

use egui::accesskit::{HasPopup, Role};
use egui::{Rect, Response, Ui, WidgetInfo};

/// Describes an item of a list or a tab as selectable, because it is not a checkbox.
pub fn choosable(response: &Response, role: Role, enabled: bool, chosen: bool, name: &str) {
    response.widget_info(|| WidgetInfo::labeled(role, enabled, name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_selected(chosen));
}

/// Describes a widget that expands the content below it. Systems without this state report a toggle.
pub fn unfolds(response: &Response, open: bool, name: &str) {
    response.widget_info(|| WidgetInfo::selected(Role::DisclosureTriangle, response.enabled(), open, name));
    response.ctx.accesskit_node_builder(response.id, |node| node.set_expanded(open));
}

pub fn opens_menu(response: &Response, open: bool) {
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_has_popup(HasPopup::Menu);
        node.set_expanded(open);
    });
}

/// Describes the value that a button shows instead of its name.
pub fn shows(response: &Response, text: &str) {
    response.ctx.accesskit_node_builder(response.id, |node| node.set_description(text));
}

pub fn slider(response: &Response, enabled: bool, name: &str, value: f64, range: RangeInclusive<f64>) {
    response.widget_info(|| WidgetInfo::slider(enabled, value, name));
    response.ctx.accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(*range.start());
        node.set_max_numeric_value(*range.end());
    });
}

/// Names a landmark of the window, which screen readers can jump to.
pub fn region(ui: &Ui, role: Role, name: &str) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_role(role);
        node.set_label(name);
    });
}

pub fn window(ui: &Ui, name: &str) {
    ui.ctx().accesskit_node_builder(egui::accesskit_root_id(), |node| node.set_label(name));
}

/// Marks an area over the window that keeps the keyboard focus until it is closed.
pub fn modal(ui: &Ui, place: Rect) {
    ui.ctx().accesskit_node_builder(ui.unique_id(), |node| {
        node.set_modal();
        let [x0, y0, x1, y1] = [place.left(), place.top(), place.right(), place.bottom()].map(f64::from);
        node.set_bounds(egui::accesskit::Rect { x0, y0, x1, y1 });
    });
}
