//! The loop range as two numbers to type in, beside the clip.

use egui::{Rect, Ui, pos2, vec2};

use super::View;
use crate::ui::{field, fonts, format, paint, theme};
use maquette_scene::scene::FrameRange;
use maquette_scene::session::{Action, ClockAction};

/// Between the fields.
const BETWEEN: f32 = 14.0;

fn field_width(ui: &Ui, view: &View<'_>) -> f32 {
    let last = format::short(f64::from(view.frames.saturating_sub(1)), 0);
    (paint::width_of(ui, &last, fonts::body()) + 18.0).max(40.0)
}

/// The width of both fields.
pub fn width(ui: &Ui, view: &View<'_>) -> f32 {
    field_width(ui, view) * 2.0 + BETWEEN
}

/// Shows where the range begins and where it ends.
pub fn show(ui: &mut Ui, view: &View<'_>, range: FrameRange, left: f32, row: Rect, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let size = vec2(field_width(ui, view), row.height());
    let start = Rect::from_min_size(pos2(left, row.top()), size);
    let end = start.translate(vec2(size.x + BETWEEN, 0.0));
    let dash = Rect::from_min_max(start.right_top() + vec2(3.5, 0.0), end.left_bottom());
    paint::text_in(ui.painter(), dash, "–", fonts::body(), tokens.text2);
    for (name, place, frame, other) in
        [("Loop start", start, range.first, range.last), ("Loop end", end, range.last, range.first)]
    {
        let number = field::Number {
            name,
            shown: frame.to_string(),
            note: "Click to enter a frame, counted from 0",
            framed: true,
            colour: tokens.text,
        };
        let typing = ui.scope_id().with(name);
        if let Some(typed) = field::number(ui, typing, place, &number) {
            // `as` saturates, and frames that the file has not are its last.
            let typed = typed.round().max(0.0) as u32;
            let wanted = FrameRange::new(typed, other, view.frames);
            actions.push(Action::Clock(ClockAction::SetLoopRange(wanted)));
        }
    }
}
