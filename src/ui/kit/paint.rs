//! Painting primitives: text, icons, fills, outlines and key caps.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align2, Color32, CornerRadius, FontId, Galley, Painter, Pos2, Rect, Stroke, StrokeKind, Ui, vec2};

use super::{fonts, theme};

pub fn row_of(painter: &Painter, text: &str, font: FontId, colour: Color32, width: f32) -> Arc<Galley> {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, colour));
    job.wrap = TextWrapping { max_width: width.max(0.0), max_rows: 1, break_anywhere: true, ..TextWrapping::default() };
    job.break_on_newline = false;
    painter.layout_job(job)
}

pub fn width_of(ui: &Ui, text: &str, font: FontId) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::WHITE).size().x
}

/// Paints aligned text without cutting it. Returns its rectangle.
pub fn text(painter: &Painter, at: Pos2, align: Align2, text: &str, font: FontId, colour: Color32) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), font, colour);
    let rect = align.anchor_size(at, galley.size());
    painter.galley(snapped(painter, rect.min), galley, colour);
    rect
}

/// Paints text from the left of `rect`, vertically centred. Text that is too long is cut with "…". Returns its
/// rectangle.
pub fn text_in(painter: &Painter, rect: Rect, text: &str, font: FontId, colour: Color32) -> Rect {
    let galley = row_of(painter, text, font, colour, rect.width());
    let text_rect = Align2::LEFT_CENTER.anchor_size(rect.left_center(), galley.size());
    painter.galley(snapped(painter, text_rect.min), galley, colour);
    text_rect
}

/// Paints text at the right of `rect`, vertically centred, without cutting it. Returns its rectangle.
pub fn text_right(painter: &Painter, rect: Rect, words: &str, font: FontId, colour: Color32) -> Rect {
    text(painter, rect.right_center(), Align2::RIGHT_CENTER, words, font, colour)
}

/// Like [`text_in`], but cuts the middle of the text, because similar names often differ at their end.
pub fn name_in(painter: &Painter, rect: Rect, name: &str, font: FontId, colour: Color32) -> Rect {
    name_keeping(painter, rect, (name, 0), font, colour)
}

/// Like [`name_in`], but does not cut the character at the index, in which similar names differ.
pub fn name_keeping(
    painter: &Painter,
    rect: Rect,
    (name, index): (&str, usize),
    font: FontId,
    colour: Color32,
) -> Rect {
    let short = shortened_keeping(painter, name, index, &font, rect.width());
    text_in(painter, rect, &short, font, colour)
}

/// Like [`text_in`], with the characters at the indices `marks` in the second colour and a heavier font.
pub fn marked_in(painter: &Painter, rect: Rect, text: &str, marks: &[u32], plain: Color32, marked: Color32) -> Rect {
    let mut job = LayoutJob::default();
    let mut marks = marks.iter().copied().peekable();
    let mut run = String::new();
    let mut run_is_marked = false;
    let mut finish = |run: &mut String, is_marked: bool| {
        let (font, colour) = if is_marked { (fonts::strong(), marked) } else { (fonts::body(), plain) };
        job.append(run, 0.0, TextFormat::simple(font, colour));
        run.clear();
    };
    for (place, letter) in (0_u32..).zip(text.chars()) {
        let is_marked = marks.next_if_eq(&place).is_some();
        if is_marked != run_is_marked {
            finish(&mut run, run_is_marked);
            run_is_marked = is_marked;
        }
        run.push(letter);
    }
    finish(&mut run, run_is_marked);
    job.wrap =
        TextWrapping { max_width: rect.width().max(0.0), max_rows: 1, break_anywhere: true, ..TextWrapping::default() };
    job.break_on_newline = false;
    let galley = painter.layout_job(job);
    let text_rect = Align2::LEFT_CENTER.anchor_size(rect.left_center(), galley.size());
    painter.galley(snapped(painter, text_rect.min), galley, plain);
    text_rect
}

pub fn icon(painter: &Painter, rect: Rect, icon: &str, size: f32, colour: Color32) {
    text(painter, rect.center(), Align2::CENTER_CENTER, icon, fonts::icon(size), colour);
}

pub fn turned_icon(painter: &Painter, rect: Rect, icon: &str, size: f32, angle: f32, colour: Color32) {
    let galley = painter.layout_no_wrap(icon.to_owned(), fonts::icon(size), colour);
    let at = snapped(painter, Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min);
    let turned = egui::epaint::TextShape::new(at, galley, colour);
    painter.add(turned.with_angle_and_anchor(angle, Align2::CENTER_CENTER));
}

/// Number of characters that a shortened name shows from the index that it keeps, and of the other side.
const KEPT: usize = 4;

/// Returns `name` with "…" in its middle if it is wider than `width`.
pub fn shortened(painter: &Painter, name: &str, font: &FontId, width: f32) -> String {
    shortened_keeping(painter, name, 0, font, width)
}

fn shortened_keeping(painter: &Painter, name: &str, index: usize, font: &FontId, width: f32) -> String {
    let measure =
        |text: &str| painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::WHITE).size().x <= width + 0.5;
    if measure(name) {
        return name.to_owned();
    }
    let letters: Vec<char> = name.chars().collect();
    let without = |kept: usize| -> String {
        // The end has the number and the extension, so it gets the larger share.
        let usual = kept * 2 / 5;
        // The end from the index, or the start with some characters from the index, if that is longer.
        let (end, start) = (letters.len().saturating_sub(index), (index + KEPT).min(letters.len()));
        let head = if index < usual || end <= kept - usual {
            usual
        } else if end + KEPT <= kept {
            kept - end
        } else {
            start.min(kept)
        };
        let tail = kept - head;
        letters.iter().take(head).chain(&['…']).chain(letters.iter().skip(letters.len() - tail)).collect()
    };
    let (mut fits, mut too_many) = (0, letters.len());
    while too_many - fits > 1 {
        let middle = fits.midpoint(too_many);
        if measure(&without(middle)) {
            fits = middle;
        } else {
            too_many = middle;
        }
    }
    without(fits)
}

/// Paints the sorting mark of a column, centred at `at`. It points down for descending order.
pub fn sorting_mark(painter: &Painter, at: Pos2, falls: bool, colour: Color32) {
    let tip = if falls { 2.5 } else { -2.5 };
    let corners = [vec2(-3.5, -tip), vec2(3.5, -tip), vec2(0.0, tip)].map(|corner| at + corner).to_vec();
    painter.add(egui::Shape::convex_polygon(corners, colour, Stroke::NONE));
}

/// Rounds a position to whole pixels, for sharp letters.
pub fn snapped(painter: &Painter, at: Pos2) -> Pos2 {
    let scale = painter.pixels_per_point();
    Pos2::new((at.x * scale).round() / scale, (at.y * scale).round() / scale)
}

pub fn fill(painter: &Painter, rect: Rect, corner: u8, colour: Color32) {
    painter.rect_filled(rect, CornerRadius::same(corner), colour);
}

/// Paints an outline inside the edge of `rect`.
pub fn outline(painter: &Painter, rect: Rect, corner: u8, width: f32, colour: Color32) {
    painter.rect_stroke(rect, CornerRadius::same(corner), Stroke::new(width, colour), StrokeKind::Inside);
}

/// Paints a key cap with its right edge at `right`. Returns its rectangle.
pub fn key_cap(ui: &Ui, right: Pos2, keys: &str) -> Rect {
    let tokens = theme::tokens(ui);
    let painter = ui.painter();
    let galley = painter.layout_no_wrap(keys.to_owned(), fonts::small(), tokens.text2);
    let size = vec2((galley.size().x + 10.0).max(18.0), 18.0);
    let rect = Align2::RIGHT_CENTER.anchor_size(right, size);
    outline(painter, rect, 4, 1.0, tokens.line);
    let at = Align2::CENTER_CENTER.anchor_size(rect.center(), galley.size()).min;
    painter.galley(snapped(painter, at), galley, tokens.text2);
    rect
}

/// Returns the first of a command's keys in the notation of menus and tooltips.
pub fn first_keys(keys: &str) -> String {
    let first = keys.split(' ').next().unwrap_or_default();
    first.replace("PageDown", "Page Down").replace("PageUp", "Page Up").replace('-', "−")
}
