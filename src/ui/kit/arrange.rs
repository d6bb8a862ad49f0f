//! Layout of bars, form rows and groups of controls.

use egui::{Align, Rect, Ui, pos2, vec2};

use super::list::EDGE;
use super::{fonts, paint, theme};

pub fn inside(rect: Rect, left: f32, right: f32) -> Rect {
    Rect::from_min_max(pos2(rect.left() + left, rect.top()), pos2(rect.right() - right, rect.bottom()))
}

/// Shows a row with a name `inset` points from the edge. The controls start `named` points after it.
pub fn form_row<R>(ui: &mut Ui, inset: f32, named: f32, name: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 36.0));
    let row_rect = inside(row, inset, EDGE);
    let label = row_rect.with_max_x(row_rect.left() + named - 4.0);
    if !name.is_empty() {
        paint::name_in(ui.painter(), label, name, fonts::body(), theme::tokens(ui).text2);
    }
    within(ui, row_rect.with_min_x(row_rect.left() + named), name, controls)
}

/// Lays out controls from left to right, vertically centred in `room`.
pub fn within<R>(ui: &mut Ui, room: Rect, salt: impl egui::AsIdSalt, content: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = egui::Layout::left_to_right(Align::Center);
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(room).id_salt(salt).layout(layout));
    inner.spacing_mut().item_spacing.x = 8.0;
    content(&mut inner)
}

/// Shows a bar over the whole width, with a line below it. The content runs from left to right, or in [`at_end`] from
/// right to left.
pub fn bar<R>(ui: &mut Ui, height: f32, edge: f32, content: impl FnOnce(&mut Ui) -> R) -> R {
    let (_, bar) = ui.allocate_space(vec2(ui.available_width(), height));
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, (1.0, theme::tokens(ui).line));
    within(ui, bar.shrink2(vec2(edge, 0.0)), "bar", content)
}

/// Returns a ui for the remaining room of a layout. It runs from left to right and clips its content.
pub fn rest(ui: &mut Ui) -> Ui {
    let rest_rect = ui.available_rect_before_wrap();
    let layout = egui::Layout::left_to_right(Align::Center);
    let mut rest = ui.new_child(egui::UiBuilder::new().max_rect(rest_rect).id_salt("rest").layout(layout));
    rest.shrink_clip_rect(rest_rect);
    rest.spacing_mut().item_spacing.x = 8.0;
    rest
}

/// Lays out content from right to left, at the end of a bar or row.
pub fn at_end<R>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> R) -> R {
    ui.with_layout(egui::Layout::right_to_left(Align::Center), content).inner
}

/// Shows controls that take `width` points in the middle of the available width.
pub fn centred(ui: &mut Ui, width: f32, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.add_space(((ui.available_width() - width) / 2.0).max(0.0).round());
        content(ui);
    });
}

pub fn buttons(ui: &mut Ui, buttons: &[super::button::Button<'_>]) -> Option<usize> {
    let clicked: Vec<bool> = buttons.iter().map(|button| button.show(ui).clicked()).collect();
    clicked.into_iter().position(|clicked| clicked)
}
