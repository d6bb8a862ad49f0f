//! The ruler: numbers and ticks, and the playhead with its flag over ruler and track.

use egui::{Align2, CursorIcon, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::{Memory, Scale, View};
use crate::session::{Action, Session};
use crate::ui::{fonts, paint, theme, words};

/// Least distance of two numbers, and of two ticks.
const NUMBERS_APART: f32 = 52.0;
const TICKS_APART: f32 = 6.0;

/// The smallest of 1, 2, 5, 10, 20, … whose multiples lie `apart` points from each other.
#[must_use]
pub fn step_of(points_per_frame: f32, apart: f32) -> u32 {
    let mut step = 1_u32;
    for factor in [2, 5, 10].into_iter().cycle() {
        if step as f32 * points_per_frame >= apart || step >= 100_000_000 {
            break;
        }
        let decade = 10_u32.pow(step.ilog10());
        step = decade * factor;
    }
    step
}

/// Shows the ruler; dragging on it moves the playhead.
pub fn show(
    ui: &Ui,
    session: &Session,
    view: &View<'_>,
    scale: &Scale,
    rect: Rect,
    memory: &mut Memory,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    let painter = ui.painter();
    let sense = if view.playable { Sense::click_and_drag() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with("ruler"), sense);
    response.widget_info(|| WidgetInfo::slider(view.playable, view.frame, "Frame"));
    if view.playable {
        let down = response.is_pointer_button_down_on();
        // The last bit of way may come together with the release.
        let let_go = response.drag_stopped() || response.clicked();
        if (down || let_go)
            && let Some(pointer) = response.interact_pointer_pos()
        {
            seek(ui, session, view, scale, pointer.x, actions);
        }
        memory.scrubbing = down;
    }
    let flag = flag_rect(ui, session, view, scale, rect);
    let step = step_of(scale.step(), NUMBERS_APART);
    let tick = step_of(scale.step(), TICKS_APART);
    let mut frame = 0;
    while frame < scale.frames {
        let x = (scale.x(f64::from(frame))).floor() + 0.5;
        let numbered = frame % step == 0;
        let (height, colour) = if numbered { (8.0, tokens.text3) } else { (4.0, tokens.line) };
        painter.vline(x, (rect.bottom() - 1.0 - height)..=(rect.bottom() - 1.0), Stroke::new(1.0, colour));
        if numbered {
            let number = words::count(frame as usize);
            let room = painter.layout_no_wrap(number, fonts::small(), tokens.text2);
            let place = Rect::from_min_size(pos2(x + 4.0, rect.top() + 3.0), room.size());
            let hidden = flag.is_some_and(|flag| flag.expand2(vec2(3.0, 8.0)).intersects(place));
            if !hidden && place.right() <= rect.right() + 2.0 {
                painter.galley(paint::snapped(painter, place.min), room, tokens.text2);
            }
        }
        frame += tick;
    }
    let _ = response.on_hover_and_drag_cursor(if view.playable {
        CursorIcon::ResizeHorizontal
    } else {
        CursorIcon::Default
    });
}

/// Goes to the frame under the pointer: to a fraction of it where frames are blended, to a whole one with Shift.
pub fn seek(ui: &Ui, session: &Session, view: &View<'_>, scale: &Scale, x: f32, actions: &mut Vec<Action>) {
    let whole = !session.playback().interpolate || ui.input(|input| input.modifiers.shift);
    // A pointer that rests must not seek again and again.
    let moved = ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != egui::Vec2::ZERO);
    if moved {
        let last = f64::from(view.frames.saturating_sub(1));
        actions.push(view.seek(scale.frame(x, whole).min(last)));
    }
}

/// The number on the flag: whole while whole, one decimal between frames.
fn flag_text(session: &Session, view: &View<'_>) -> String {
    let frame = if session.playback().interpolate { view.frame } else { view.frame.floor() };
    let whole = session.is_playing() || (frame - frame.round()).abs() < 0.05;
    if whole { words::count(frame.max(0.0).round() as usize) } else { words::fixed(frame, 1) }
}

fn flag_rect(ui: &Ui, session: &Session, view: &View<'_>, scale: &Scale, rect: Rect) -> Option<Rect> {
    if !view.playable {
        return None;
    }
    let text = flag_text(session, view);
    let width = (paint::width_of(ui, &text, fonts::small_strong()) + 12.0).max(27.0).ceil();
    let x = scale.x(view.frame);
    let left = (x - width / 2.0).clamp(rect.left(), (rect.right() - width).max(rect.left()));
    Some(Rect::from_min_size(pos2(left.round(), rect.top() + 2.0), vec2(width, 17.0)))
}

/// Shows the playhead: its flag on the ruler, its line over the track.
pub fn playhead(ui: &Ui, session: &Session, view: &View<'_>, scale: &Scale, ruler: Rect, track: Rect) {
    let Some(flag) = flag_rect(ui, session, view, scale, ruler) else { return };
    let tokens = theme::tokens(ui);
    let painter = ui.painter();
    let x = scale.x(view.frame).clamp(track.left() + 1.0, track.right() - 1.0);
    // Over its own track alone where there are several; a stem says which the flag is of.
    let top = if view.shared { track.top() - 1.0 } else { flag.bottom() };
    let line = Rect::from_min_max(pos2(x - 1.0, top), pos2(x + 1.0, track.bottom() + 1.0));
    if view.shared {
        let stem = Rect::from_min_max(pos2(x - 1.0, flag.bottom()), pos2(x + 1.0, ruler.bottom()));
        painter.rect_filled(stem, 0.0, tokens.accent);
    }
    painter.rect_filled(line.expand2(vec2(1.0, 0.0)), 0.0, tokens.casing);
    painter.rect_filled(line, 0.0, tokens.accent);
    paint::fill(painter, flag, 4, tokens.accent_fill);
    let text = flag_text(session, view);
    paint::text(painter, flag.center(), Align2::CENTER_CENTER, &text, fonts::small_strong(), tokens.on_accent);
    let response = ui.interact(flag, ui.scope_id().with("flag"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Playhead"));
}

/// Shows where a track stands that is not the current one.
pub fn needle(ui: &Ui, view: &View<'_>, scale: &Scale, track: Rect) {
    let tokens = theme::tokens(ui);
    let x = scale.x(view.frame).clamp(track.left() + 1.0, track.right() - 1.0);
    let line = Rect::from_min_max(pos2(x - 1.0, track.top() - 1.0), pos2(x + 1.0, track.bottom() + 1.0));
    ui.painter().rect_filled(line.expand2(vec2(1.0, 0.0)), 0.0, tokens.casing);
    ui.painter().rect_filled(line, 0.0, tokens.accent);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_five_ten() {
        let steps: Vec<u32> = [60.0, 30.0, 12.0, 6.0, 3.0, 1.5, 0.6].map(|points| step_of(points, 52.0)).into();
        assert_eq!(steps, [1, 2, 5, 10, 20, 50, 100]);
    }
}
