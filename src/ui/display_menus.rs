//! Menus shared by several bars: shadings and views.

use egui::Ui;

use super::menu;
use maquette_scene::scene::{Choices as _, LightingMode, Shading, StandardView};
use maquette_scene::session::{Action, CameraAction, DisplayAction, LIGHTING, SHADING, Session};

pub fn shadings(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for lighting in (LIGHTING.values)(session) {
        let mut label = lighting.label.chars();
        let name: String = label.next().into_iter().flat_map(char::to_lowercase).chain(label).collect();
        menu::choice(ui, &format!("Textured — {name}"), lighting.is_current, lighting.action, actions);
    }
    menu::separator(ui);
    let has_joints = session.document.scene.entities().iter().any(|entity| !entity.model().joints().is_empty());
    let textured = Action::Display(DisplayAction::SetShading(Shading::Textured));
    let weights = Action::Display(DisplayAction::SetShading(Shading::Weights));
    for shading in (SHADING.values)(session).into_iter().filter(|shading| shading.action != textured) {
        let row = menu::Row::new(&shading.label).disabled(shading.action == weights && !has_joints);
        let response = row.on(shading.is_current).push(ui, shading.action, actions);
        response.on_disabled_hover_text("No model in the scene has joints");
    }
}

/// Returns the name of the current shading, or of in-game lighting if `says_game`.
pub fn shading_label(session: &Session, says_game: bool) -> &'static str {
    match (session.view.display.shading, session.view.display.lighting) {
        (Shading::Textured, LightingMode::Plain) => LightingMode::Plain.label(),
        (Shading::Textured, LightingMode::Game) if says_game => LightingMode::Game.label(),
        (shading, _) => shading.label(),
    }
}

pub fn views(ui: &mut Ui, actions: &mut Vec<Action>) {
    menu::leading_on(ui, "View from", |ui| {
        for view in StandardView::all() {
            menu::item(ui, view.label(), Action::Camera(CameraAction::LookFrom(view)), actions);
        }
    });
}
