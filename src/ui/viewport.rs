//! The picture in the middle, and what hand and wheel do to the camera.

use egui::{PointerButton, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::Vec2;

use super::{ViewportFeedback, ViewportPicture, gizmo, labels, theme};
use crate::session::{Action, Session};

/// Degrees per point of a drag.
const ORBIT_SPEED: f32 = 0.4;
/// Zoom per point of a drag, as a power of e.
const DRAG_ZOOM: f32 = 0.006;
/// Zoom per point of the wheel; a notch is about 40.
const WHEEL_ZOOM: f32 = 0.004;

/// Shows the picture in what is left of `ui`.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    picture: &ViewportPicture<'_>,
    actions: &mut Vec<Action>,
) -> ViewportFeedback {
    let rect = ui.available_rect_before_wrap();
    let response = ui.allocate_rect(rect, Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Model"));
    let painter = ui.painter_at(rect);
    match picture.texture {
        Some(texture) => {
            painter.image(texture, rect, Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0)), egui::Color32::WHITE);
        }
        None => studio(&painter, rect, theme::tokens(ui)),
    }
    drag(ui, &response, rect, actions);
    labels::show(ui, session, picture.labels, rect, actions);
    gizmo::show(ui, session, rect, actions);
    if session.loading.is_some() {
        let line = Rect::from_min_size(rect.min, vec2(rect.width(), 2.0));
        painter.rect_filled(line, 0.0, theme::tokens(ui).accent_fill);
    }
    feedback(ui, rect)
}

/// Tells the owner of the picture where it goes.
#[must_use]
pub fn feedback(ui: &Ui, rect: Rect) -> ViewportFeedback {
    let (pixels_per_point, tone) = (ui.ctx().pixels_per_point(), theme::tokens(ui).tone);
    ViewportFeedback { rect, pixels_per_point, tone, wanted: Vec::new(), timeline: 0.0 }
}

/// The background of an empty stage.
pub fn studio(painter: &egui::Painter, rect: Rect, tokens: &theme::Tokens) {
    painter.add(egui::Shape::gradient_rect(rect, egui::Direction::TopDown, tokens.studio));
}

fn drag(ui: &Ui, response: &Response, rect: Rect, actions: &mut Vec<Action>) {
    let shift = ui.input(|input| input.modifiers.shift);
    let delta = way(ui, response);
    let by = |button| response.dragged_by(button) || response.drag_stopped_by(button);
    if delta != egui::Vec2::ZERO {
        if by(PointerButton::Middle) || (shift && by(PointerButton::Primary)) {
            actions.push(Action::Pan(Vec2::new(delta.x, delta.y), rect.height()));
        } else if by(PointerButton::Primary) {
            actions.push(orbit(delta));
        } else if by(PointerButton::Secondary) {
            actions.push(Action::Zoom((delta.y * DRAG_ZOOM).exp(), Vec2::ZERO));
        }
    }
    if response.double_clicked_by(PointerButton::Primary) {
        actions.push(Action::FrameModel);
    }
    if let Some(pointer) = response.hover_pos() {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = (-wheel * WHEEL_ZOOM).exp() / pinch.max(0.01);
        if (factor - 1.0).abs() > 1e-4 {
            let half_height = (rect.height() / 2.0).max(1.0);
            let from_middle = (pointer - rect.center()) / half_height;
            actions.push(Action::Zoom(factor, Vec2::new(from_middle.x, -from_middle.y)));
        }
    }
}

/// How far the pointer was dragged in this frame, in points: with what it moved before a press was known to be a drag, and
/// what came together with the release.
fn way(ui: &Ui, response: &Response) -> egui::Vec2 {
    if response.drag_started() {
        return ui.input(|input| match (input.pointer.press_origin(), input.pointer.latest_pos()) {
            (Some(from), Some(to)) => to - from,
            _ => egui::Vec2::ZERO,
        });
    }
    if response.drag_stopped() { ui.input(|input| input.pointer.delta()) } else { response.drag_delta() }
}

/// A drag that turns the model as if it were held.
#[must_use]
pub fn orbit(delta: egui::Vec2) -> Action {
    Action::Orbit(-delta.x * ORBIT_SPEED, delta.y * ORBIT_SPEED)
}
