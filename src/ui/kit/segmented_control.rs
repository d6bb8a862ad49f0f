//! Segmented control: a few choices in a row.

use egui::{Align2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{access, button, fonts, paint, theme};

pub const HEIGHT: f32 = 28.0;

/// Shows choices as words, at the preferred width if it fits. Returns a new choice.
///
/// For a tab, screen readers read only the word; for other choices they read `name` first.
pub fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    role: Role,
    values: &[(T, impl AsRef<str>)],
    current: T,
) -> Option<T> {
    let width = width(ui, values).min(ui.available_width());
    show(ui, width, name, role, values, current)
}

/// Like [`choose`], but over the available width.
pub fn choose_wide<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    role: Role,
    values: &[(T, impl AsRef<str>)],
    current: T,
) -> Option<T> {
    show(ui, ui.available_width(), name, role, values, current)
}

fn show<T: Copy + PartialEq>(
    ui: &mut Ui,
    width: f32,
    name: &str,
    role: Role,
    values: &[(T, impl AsRef<str>)],
    current: T,
) -> Option<T> {
    let tokens = theme::tokens(ui);
    let (_, field) = ui.allocate_space(vec2(width, HEIGHT));
    paint::fill(ui.painter(), field, theme::CORNER, tokens.field);
    paint::outline(ui.painter(), field, theme::CORNER, 1.0, tokens.line);
    // Distribute the spare width evenly, so that long words keep their room.
    let words: Vec<f32> = values.iter().map(|(_, word)| paint::width_of(ui, word.as_ref(), fonts::body())).collect();
    let spare = (field.width() - 4.0 - words.iter().sum::<f32>()) / values.len().max(1) as f32;
    let mut left = field.left() + 2.0;
    let mut chosen = None;
    for (index, (value, word)) in values.iter().enumerate() {
        let word = word.as_ref();
        let width = (words.get(index).copied().unwrap_or(0.0) + spare).max(0.0);
        let rect = Rect::from_min_size(pos2(left, field.top() + 2.0), vec2(width, field.height() - 4.0));
        left += width;
        let response = ui.interact(rect, ui.scope_id().with((name, index)), Sense::click());
        let on = *value == current;
        if role == Role::Tab {
            access::choosable(&response, role, true, on, word);
        } else {
            response.widget_info(|| WidgetInfo::selected(role, true, on, format!("{name}: {word}")));
        }
        if on || response.hovered() {
            paint::fill(ui.painter(), rect, 4, if on { tokens.hover } else { tokens.raised });
        }
        button::focus_ring(ui, response.has_focus(), rect, 0.0);
        let colour = if on { tokens.text } else { tokens.text2 };
        let short = paint::shortened(ui.painter(), word, &fonts::body(), rect.width());
        paint::text(ui.painter(), rect.center(), Align2::CENTER_CENTER, &short, fonts::body(), colour);
        if response.clicked() && !on {
            chosen = Some(*value);
        }
    }
    chosen
}

/// Returns the preferred width in points: each word with 12 points on both sides.
pub fn width<T>(ui: &Ui, values: &[(T, impl AsRef<str>)]) -> f32 {
    let words: f32 =
        values.iter().map(|(_, word)| paint::width_of(ui, word.as_ref(), fonts::body()).ceil() + 24.0).sum();
    words + 4.0
}
