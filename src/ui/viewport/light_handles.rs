//! Handles of the lights of the in-game look, for engines that light models in interactions.

use egui::{Color32, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo};
use glam::Vec3;

use super::labels;
use crate::ui::{button, game_light_menu, menu, theme};
use maquette_scene::scene::{GameLight, LightShape};
use maquette_scene::session::{Action, DisplayAction, Session};

const RADIUS: f32 = 7.0;

/// Shows a circle at each light with a position, and at the target of a projected light, with the edges of its beam. A
/// drag moves the light or the target parallel to the image, and a right-click shows the values of the light.
pub fn show(ui: &Ui, session: &Session, viewport: Rect, actions: &mut Vec<Action>) {
    if !session.has_game_lights() {
        return;
    }
    for (number, light) in session.view.display.game_lights.iter().enumerate() {
        beam(ui, session, viewport, light);
        let name = game_light_menu::name(number, light);
        let mut moved = light.clone();
        if let Some((response, to)) =
            handle(ui, session, viewport, light.position(), &name, game_light_menu::colour(light))
        {
            to.into_iter().for_each(|to| moved.move_to(to));
            menu::settings_context(&response, |ui| game_light_menu::values(ui, session, number, actions));
        }
        let target = format!("Target of {}", name.to_lowercase());
        if let Some((_, Some(to))) = handle(ui, session, viewport, light.target(), &target, Color32::TRANSPARENT) {
            moved.aim_at(to);
        }
        if moved != *light {
            actions.push(Action::Display(DisplayAction::SetGameLight(number, moved)));
        }
    }
}

/// Shows a circle at a point. Returns its response, and the position that a drag moves it to.
fn handle(
    ui: &Ui,
    session: &Session,
    viewport: Rect,
    at: Option<Vec3>,
    name: &str,
    colour: Color32,
) -> Option<(Response, Option<Vec3>)> {
    let (tokens, camera, at) = (theme::tokens(ui), &session.view.camera, at?);
    let middle = labels::project(session.document_view(), viewport, at)?;
    let rect = Rect::from_center_size(middle, egui::Vec2::splat(2.0 * RADIUS)).intersect(viewport);
    let response = ui.interact(rect, ui.scope_id().with(name), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let is_used = response.hovered() || response.dragged();
    let painter = ui.painter_at(viewport);
    painter.circle_stroke(middle, RADIUS, Stroke::new(4.0, tokens.plate));
    painter.circle_filled(middle, RADIUS - 2.0, colour);
    painter.circle_stroke(middle, RADIUS, Stroke::new(1.5, if is_used { tokens.accent } else { tokens.text }));
    let moved = response.dragged().then(|| {
        let (right, up) = camera.right_up();
        let delta = super::drag_distance(ui, &response) * camera.units_per_point_at(at, viewport.height());
        at + right * delta.x - up * delta.y
    });
    Some((response.on_hover_ui(|ui| button::tip(ui, name, "")), moved))
}

/// Draws the pyramid of a projected light up to its target.
fn beam(ui: &Ui, session: &Session, viewport: Rect, light: &GameLight) {
    let LightShape::Projected { origin, target: [way, right, up], .. } = light.shape else { return };
    let corners = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)];
    let corners = corners.map(|(x, y)| origin + way + right * x + up * y);
    let project = |point| labels::project(session.document_view(), viewport, point);
    let stroke = Stroke::new(1.0, theme::tokens(ui).text2);
    for (number, corner) in corners.into_iter().enumerate() {
        for other in [origin, corners[(number + 1) % 4]] {
            let Some((from, to)) = project(corner).zip(project(other)) else { continue };
            ui.painter_at(viewport).line_segment([from, to], stroke);
        }
    }
}
