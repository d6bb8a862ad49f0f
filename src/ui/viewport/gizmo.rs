//! Axis gizmo at the top right of the view. A click on an end of an axis selects a view.

use egui::{Align2, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};
use glam::Vec3;

use crate::ui::button::tip;
use crate::ui::{fonts, keys, paint, theme};
use maquette_scene::scene::{Background, Choices as _, StandardView};
use maquette_scene::session::{Action, CameraAction, Session};

/// Degrees per point of a drag.
pub const ORBIT_SPEED: f32 = 0.4;
const SIDE: f32 = 68.0;
const MARGIN: f32 = 10.0;
/// Distance from the centre to the discs.
const REACH: f32 = 24.0;
/// Radius of a disc with a letter, and of a ring without.
const DISC: f32 = 8.0;
const RING: f32 = 5.0;

/// Cosine of 0.21°. Within this angle, the camera counts as looking along an axis, because the pitch stops at 89.9°.
const ALREADY: f32 = 0.999_993;

const ENDS: [(Vec3, &str, StandardView); 6] = [
    (Vec3::X, "X", StandardView::Front),
    (Vec3::Y, "Y", StandardView::Left),
    (Vec3::Z, "Z", StandardView::Top),
    (Vec3::NEG_X, "", StandardView::Back),
    (Vec3::NEG_Y, "", StandardView::Right),
    (Vec3::NEG_Z, "", StandardView::Bottom),
];

/// Returns the rectangle of the gizmo, which other overlays avoid.
pub fn place(viewport: Rect) -> Rect {
    let corner = pos2(viewport.right() - MARGIN - SIDE, viewport.top() + MARGIN);
    Rect::from_min_size(corner, vec2(SIDE, SIDE))
}

pub fn show(ui: &Ui, session: &Session, viewport: Rect, actions: &mut Vec<Action>) {
    let rect = place(viewport);
    if !viewport.contains_rect(rect.expand(MARGIN)) {
        return;
    }
    let tokens = theme::tokens(ui);
    let painter = ui.painter_at(viewport);
    let body = ui.interact(rect, ui.scope_id().with("gizmo"), Sense::DRAG);
    body.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Axis gizmo"));
    if body.dragged() && body.drag_delta() != egui::Vec2::ZERO {
        actions.push(orbit(body.drag_delta() * 2.0));
    }
    // The colours suit the studio background. On any other background, paint a disc behind the gizmo.
    let own_ground = matches!(session.view.display.background, Background::Colour(_));
    if body.hovered() || body.dragged() || own_ground {
        painter.circle_filled(rect.center(), SIDE / 2.0, theme::mix(tokens.studio[0], tokens.text, 0.12));
    }
    let goal = session.view.goal().towards_eye();
    let (right, up) = session.view.camera.right_up();
    let towards = session.view.camera.towards_eye();
    let middle = rect.center();
    let mut ends = ENDS;
    // Draw far ends first, so that near ends cover them and receive the pointer.
    ends.sort_by(|a, b| a.0.dot(towards).total_cmp(&b.0.dot(towards)));
    for (axis, letter, view) in ends {
        let place = middle + vec2(axis.dot(right), -axis.dot(up)) * REACH;
        let colour = tokens.axes[axis.abs().max_position()];
        let radius = if letter.is_empty() { RING } else { DISC };
        let hit = Rect::from_center_size(place, egui::Vec2::splat(2.0 * radius));
        let response = ui.interact(hit, ui.scope_id().with(("gizmo", view.label())), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("{} view", view.label())));
        if letter.is_empty() {
            painter.circle_stroke(place, RING - 0.75, Stroke::new(1.5, colour));
        } else {
            painter.line_segment([middle, place], Stroke::new(2.0, colour));
            painter.circle_filled(place, DISC, colour);
            let ink = if ui.visuals().dark_mode { tokens.field } else { tokens.panel };
            paint::text(&painter, place, Align2::CENTER_CENTER, letter, fonts::small_strong(), ink);
        }
        if response.has_focus() {
            painter.circle_stroke(place, radius + 2.0, Stroke::new(2.0, tokens.accent));
        } else if response.hovered() {
            painter.circle_stroke(place, radius + 1.5, Stroke::new(1.5, tokens.text));
        }
        // A second click looks from the opposite side.
        let looks_so = goal.dot(axis) > ALREADY;
        let next = if looks_so { view.opposite() } else { view };
        actions.extend(response.clicked().then_some(Action::Camera(CameraAction::LookFrom(next))));
        let keys = keys::of(ui.ctx(), &Action::Camera(CameraAction::LookFrom(next)));
        response.on_hover_ui(|ui| tip(ui, next.label(), &keys));
    }
}

/// Returns the action of a drag that turns the model with the pointer.
pub fn orbit(delta: egui::Vec2) -> Action {
    Action::Camera(CameraAction::Orbit(-delta.x * ORBIT_SPEED, delta.y * ORBIT_SPEED))
}
