//! Overview strip of a zoomed timeline: all frames, with the visible frames as a handle.

use egui::{CursorIcon, PointerButton, Rect, Response, Sense, Ui, vec2};

use super::{Lane, arrows, has_moved};
use crate::ui::timeline::{State, clip_colour};
use crate::ui::{access, paint, theme};
use maquette_scene::session::{Action, FrameWindow, TimelineAction, WIDEST_FRAME};

/// Distance in points from an end of the handle within which a drag moves that end.
const NEAR: f32 = 5.0;
const HANDLE_WIDTH: f32 = 16.0;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DragHandle {
    /// The middle. The value is the distance of the drag from the start of the handle, in frames.
    Middle(f64),
    Start,
    End,
}

/// Shows the overview for the visible frames `window`. Its clickable area is slightly higher than the strip.
pub fn show(ui: &Ui, lane: &Lane<'_>, window: FrameWindow, state: &mut State, actions: &mut Vec<Action>) {
    let rect = lane.rect;
    let frames = lane.scale.frames;
    let per_frame = rect.width() / frames as f32;
    let x = |frame: f64| rect.left() + frame as f32 * per_frame;
    paint_clips(ui, lane, &x);

    let reach = rect.with_min_y(rect.top() - 3.0).with_max_y(rect.bottom() + 4.0);
    let response = ui.interact(reach, ui.scope_id().with("frames in sight"), Sense::click_and_drag());
    let max = (f64::from(frames) - window.span).max(0.0);
    access::slider(&response, true, "Visible frames", window.start, 0.0..=max);
    let half = (x(window.end()) - x(window.start)).max(HANDLE_WIDTH) / 2.0;
    let middle = (x(window.start) + x(window.end())) / 2.0;
    let middle = middle.clamp(rect.left() + half, (rect.right() - half).max(rect.left() + half));
    // A compact window has no room around the strip.
    let over = if rect.height() < 4.0 { 0.0 } else { 3.0 };
    let handle = Rect::from_x_y_ranges(middle - half..=middle + half, rect.y_range().expand(over));
    paint_handle(ui, handle, over == 0.0, state.strip.is_some(), &response);

    let grip_at = |x: f32| {
        if (x - handle.left()).abs() <= NEAR {
            DragHandle::Start
        } else if (x - handle.right()).abs() <= NEAR {
            DragHandle::End
        } else {
            DragHandle::Middle(f64::from((x - handle.left()) / per_frame))
        }
    };
    let is_down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    let is_released = response.drag_stopped_by(PointerButton::Primary) || response.clicked();
    if let Some(pointer) = response.interact_pointer_pos().filter(|_| is_down || is_released) {
        let is_on_handle = handle.x_range().expand(NEAR).contains(pointer.x);
        let new = if is_on_handle { grip_at(pointer.x) } else { DragHandle::Middle(window.span / 2.0) };
        let grip = *state.strip.get_or_insert(new);
        let wanted = dragged(window, grip, f64::from((pointer.x - rect.left()) / per_frame), rect.width());
        if has_moved(ui) && wanted != window {
            actions.push(Action::Timeline(TimelineAction::ShowFrames(wanted)));
        }
    }
    if !is_down {
        state.strip = None;
    }
    take_keys(ui, &response, window, actions);
    let cursor = match state.strip.or(response.hover_pos().map(|at| grip_at(at.x))) {
        Some(DragHandle::Start | DragHandle::End) => CursorIcon::ResizeHorizontal,
        _ => CursorIcon::Grab,
    };
    let response = response.on_hover_and_drag_cursor(cursor);
    if state.strip.is_none() {
        response.on_hover_ui(|ui| {
            ui.label("Visible frames");
            let text = "Drag to pan, drag its ends to zoom; double-click for all frames";
            ui.label(egui::RichText::new(text).small().weak());
        });
    }
}

/// Paints the clips and the current frame. `x` returns the position of a frame.
fn paint_clips(ui: &Ui, lane: &Lane<'_>, x: &dyn Fn(f64) -> f32) {
    let Lane { view, rect, .. } = lane;
    let (tokens, painter) = (theme::tokens(ui), ui.painter());
    paint::fill(painter, *rect, 1, theme::mix(tokens.panel, tokens.text3, 0.3));
    let mut painted = rect.left();
    for (index, clip) in view.clips.iter().enumerate().filter(|_| !view.clip_alone) {
        let (first, end) = view.range(clip);
        let (left, right) = (x(f64::from(first)), x(f64::from(end)));
        // Skip clips that have almost no width, because there may be thousands.
        if right - left < 0.5 && right < painted + 0.5 {
            continue;
        }
        let gap = if right - left > 2.0 { 1.0 } else { 0.0 };
        let clip_rect = rect.with_min_x(left).with_max_x(right - gap);
        painter.rect_filled(clip_rect, 1.0, theme::mix(tokens.panel, clip_colour(ui, Some(index)), 0.75));
        painted = painted.max(right);
    }
    if view.playable {
        let frame_rect = Rect::from_x_y_ranges(x(view.frame) - 1.0..=x(view.frame) + 1.0, rect.y_range());
        painter.rect_filled(frame_rect.expand2(vec2(1.0, 0.0)), 0.0, tokens.casing);
        painter.rect_filled(frame_rect, 0.0, tokens.accent);
    }
}

fn paint_handle(ui: &Ui, handle: Rect, is_flat: bool, is_dragged: bool, response: &Response) {
    let (tokens, painter) = (theme::tokens(ui), ui.painter());
    paint::fill(painter, handle, 3, tokens.text.gamma_multiply(if is_flat { 0.6 } else { 0.14 }));
    if response.has_focus() {
        paint::outline(painter, handle, 3, 2.0, tokens.accent);
    } else if !is_flat {
        let is_held = is_dragged || response.hovered();
        paint::outline(painter, handle, 3, 1.5, if is_held { tokens.text } else { tokens.text2 });
    }
}

/// Pans and zooms by arrow keys. A double-click shows all frames.
fn take_keys(ui: &Ui, response: &Response, window: FrameWindow, actions: &mut Vec<Action>) {
    let [right, up] = arrows(ui, response, true);
    if right != 0 {
        let start = window.start + 0.1 * window.span * f64::from(right);
        actions.push(Action::Timeline(TimelineAction::ShowFrames(FrameWindow { start, ..window })));
    }
    if up != 0 {
        let middle = window.start + window.span / 2.0;
        actions.push(Action::Timeline(TimelineAction::ZoomFrames(1.5_f64.powi(-up), middle)));
    }
    if response.double_clicked() {
        actions.push(Action::Timeline(TimelineAction::ShowAllFrames));
    }
}

/// Returns the visible frames after `grip` was dragged to a frame, on a ruler `room` points wide.
pub fn dragged(window: FrameWindow, grip: DragHandle, frame: f64, room: f32) -> FrameWindow {
    let min = f64::from(room) / WIDEST_FRAME;
    match grip {
        DragHandle::Middle(offset) => FrameWindow { start: frame - offset, ..window },
        DragHandle::Start => {
            let start = frame.max(0.0).min(window.end() - min);
            FrameWindow { start, span: window.end() - start }
        }
        DragHandle::End => FrameWindow { span: (frame - window.start).max(min), ..window },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overview_handle_ends_move_independently_and_never_cross() {
        let window = FrameWindow { start: 200.0, span: 100.0 };
        // 1,000 points hold at least 25 frames of 40 points.
        assert_eq!(dragged(window, DragHandle::Start, 150.0, 1000.0), FrameWindow { start: 150.0, span: 150.0 });
        assert_eq!(dragged(window, DragHandle::Start, 299.0, 1000.0), FrameWindow { start: 275.0, span: 25.0 });
        assert_eq!(dragged(window, DragHandle::End, 400.0, 1000.0), FrameWindow { start: 200.0, span: 200.0 });
        assert_eq!(dragged(window, DragHandle::End, 90.0, 1000.0), FrameWindow { start: 200.0, span: 25.0 });
        assert_eq!(dragged(window, DragHandle::Middle(50.0), 300.0, 1000.0), FrameWindow { start: 250.0, span: 100.0 });
    }
}
