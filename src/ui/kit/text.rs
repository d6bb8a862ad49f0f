//! Lines of text: facts with a name, notes, badges and icons.

use egui::{Align2, Color32, Rect, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::arrange::inside;
use super::button::focus_ring;
use super::list::{EDGE, INSET, NAMED};
use super::{copy, fonts, paint, theme};

/// Shows a name and its value. A click copies the value.
pub fn fact(ui: &mut Ui, name: &str, value: &str) {
    fact_about(ui, name, value, None);
}

/// Like [`fact`], but with an explanation in the tooltip.
///
/// Three short numbers, separated by two spaces, are in columns. Other values with spaces wrap, so that no number is
/// cut. A value without spaces is a name and is cut with "…".
pub fn fact_about(ui: &mut Ui, name: &str, value: &str, about: Option<&str>) {
    let tokens = theme::tokens(ui);
    let width = ui.available_width() - INSET - NAMED - EDGE;
    let is_name = !value.trim().contains(char::is_whitespace);
    let galley = if is_name {
        paint::row_of(ui.painter(), value, fonts::body(), tokens.text, width)
    } else {
        ui.painter().layout(value.to_owned(), fonts::body(), tokens.text, width.max(1.0))
    };
    let height = if galley.rows.len() > 1 { galley.size().y + 6.0 } else { 24.0 };
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), height));
    let response = ui.interact(rect, ui.scope_id().with(("fact", name)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {value}")));
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let painter = ui.painter();
    let first = Rect::from_min_size(rect.min, vec2(rect.width(), 24.0));
    paint::text_in(painter, inside(first, INSET, 12.0), name, fonts::body(), tokens.text2);
    let value_rect = inside(rect, INSET + NAMED, EDGE);
    let is_cut = galley.elided;
    let (numbers, column) = (value.split("  ").collect::<Vec<_>>(), value_rect.width() / 3.0);
    // Longer numbers would overlap.
    let fits = |number: &&str| paint::width_of(ui, number, fonts::body()) + 4.0 < column;
    if galley.rows.len() == 1 && numbers.len() == 3 && numbers.iter().all(fits) {
        for (number, share) in numbers.into_iter().zip([1.0, 2.0, 3.0]) {
            let column = value_rect.with_max_x(value_rect.left() + column * share);
            paint::text_right(painter, column, number, fonts::body(), tokens.text);
        }
    } else {
        let at = Align2::LEFT_CENTER.anchor_size(value_rect.left_center(), galley.size()).min;
        painter.galley(paint::snapped(painter, at), galley, tokens.text);
    }
    if let Some(about) = about {
        response.clone().on_hover_text(about);
    }
    copy::copyable(&response, value, is_cut);
}

/// Shows a line of text in a bar, cut in its middle if it does not fit.
pub fn line(ui: &mut Ui, text: &str, font: egui::FontId, colour: Color32) -> Response {
    let shown = paint::shortened(ui.painter(), text, &font, ui.available_width());
    let size = vec2(paint::width_of(ui, &shown, font.clone()).ceil(), 20.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    paint::text_in(ui.painter(), rect.expand2(vec2(1.0, 0.0)).with_min_x(rect.left()), &shown, font, colour);
    if shown == text { response } else { response.on_hover_text(text) }
}

pub fn icon(ui: &mut Ui, icon: &str, size: f32, colour: Color32) -> Response {
    let (rect, response) = ui.allocate_exact_size(egui::Vec2::splat(size), Sense::hover());
    paint::icon(ui.painter(), rect, icon, size, colour);
    response
}

/// Shows small text at the inset, in several lines if it does not fit.
pub fn note(ui: &mut Ui, text: &str, colour: Color32) -> Response {
    let width = (ui.available_width() - INSET - EDGE).max(40.0);
    let galley = ui.painter().layout(text.to_owned(), fonts::small(), colour, width);
    let size = vec2(ui.available_width(), galley.size().y.max(14.0) + 6.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    let at = Align2::LEFT_CENTER.anchor_size(rect.left_center() + vec2(INSET, 0.0), galley.size()).min;
    ui.painter().galley(paint::snapped(ui.painter(), at), galley, colour);
    response
}

/// Paints a badge with its left edge at `left`. Returns its rectangle.
pub fn badge(ui: &Ui, left: egui::Pos2, words: &str) -> Rect {
    let tokens = theme::tokens(ui);
    let galley = ui.painter().layout_no_wrap(words.to_owned(), fonts::small_medium(), tokens.text2);
    let rect = Align2::LEFT_CENTER.anchor_size(left, vec2(galley.size().x + 12.0, 18.0));
    paint::outline(ui.painter(), rect, 4, 1.0, tokens.line);
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min;
    ui.painter().galley(paint::snapped(ui.painter(), at), galley, tokens.text2);
    rect
}

/// Shows small text in an outline.
pub fn chip(ui: &mut Ui, text: &str) -> Response {
    let tokens = theme::tokens(ui);
    let size = vec2(paint::width_of(ui, text, fonts::small()).ceil() + 8.0, 16.0);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    paint::outline(ui.painter(), rect, 4, 1.0, tokens.line);
    paint::text_in(ui.painter(), inside(rect, 4.0, 3.0), text, fonts::small(), tokens.text2);
    response
}
