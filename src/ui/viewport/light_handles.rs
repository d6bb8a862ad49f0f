//! Handles of the lights of the in-game look, for engines that light models in interactions.

use egui::{Rect, Role, Sense, Stroke, Ui, WidgetInfo};

use super::labels;
use crate::ui::{button, menu, theme};
use maquette_scene::session::{Action, DisplayAction, Session};

const RADIUS: f32 = 7.0;

/// Shows a circle at each light with a position. A drag moves the light parallel to the image, and a right-click
/// offers to remove it.
pub fn show(ui: &Ui, session: &Session, viewport: Rect, actions: &mut Vec<Action>) {
    let (display, camera) = (&session.view.display, &session.view.camera);
    if !session.has_game_lights() {
        return;
    }
    let tokens = theme::tokens(ui);
    for (number, light) in display.game_lights.iter().enumerate() {
        let Some(origin) = light.position() else { continue };
        let Some(middle) = labels::project(session.document_view(), viewport, origin) else { continue };
        let rect = Rect::from_center_size(middle, egui::Vec2::splat(2.0 * RADIUS));
        let response =
            ui.interact(rect.intersect(viewport), ui.scope_id().with(("light", number)), Sense::CLICK | Sense::DRAG);
        let name = format!("Light {}", number + 1);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let is_used = response.hovered() || response.dragged();
        let painter = ui.painter_at(viewport);
        let [red, green, blue] = light.colour.to_array().map(|channel| (channel * 510.0) as u8);
        painter.circle_filled(middle, RADIUS - 2.0, egui::Color32::from_rgb(red, green, blue));
        painter.circle_stroke(middle, RADIUS, Stroke::new(1.5, if is_used { tokens.accent } else { tokens.text }));
        if response.dragged() {
            let (right, up) = camera.right_up();
            let delta = super::drag_distance(ui, &response) * camera.units_per_point_at(origin, viewport.height());
            let moved = origin + right * delta.x - up * delta.y;
            actions.push(Action::Display(DisplayAction::MoveGameLight(number, moved)));
        }
        let remove = Action::Display(DisplayAction::RemoveGameLight(number));
        menu::context(&response, |ui| drop(menu::Row::new("Remove light").push(ui, remove, actions)));
        response.on_hover_ui(|ui| button::tip(ui, &name, ""));
    }
}
