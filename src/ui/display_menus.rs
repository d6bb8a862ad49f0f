//! Menus shared by several bars: shadings, projections and views.

use egui::Ui;

use super::menu;
use maquette_scene::scene::{ColourTheme, LightingMode, Projection, Shading, StandardView};
use maquette_scene::session::{Action, CameraAction, DisplayAction, Session};

/// Themes of the window with their labels.
pub const THEMES: [(Option<ColourTheme>, &str); 3] =
    [(None, "System"), (Some(ColourTheme::Dark), "Dark"), (Some(ColourTheme::Light), "Light")];
pub const PROJECTIONS: [(Projection, &str); 2] =
    [(Projection::Perspective, "Perspective"), (Projection::Orthographic, "Orthographic")];

pub fn shadings(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let display = &session.view.display;
    for (lighting, word) in [
        (LightingMode::Studio, "Textured — studio light"),
        (LightingMode::Soft, "Textured — soft light"),
        (LightingMode::Hard, "Textured — hard light"),
        (LightingMode::Game, "Textured — in-game"),
        (LightingMode::Plain, "Textured — ignore shaders"),
    ] {
        let on = display.shading == Shading::Textured && display.lighting == lighting;
        menu::choice(ui, word, on, Action::Display(DisplayAction::SetLighting(lighting)), actions);
    }
    menu::separator(ui);
    let has_joints = session.document.scene.entities().iter().any(|entity| !entity.model().joints().is_empty());
    for shading in Shading::ALL.into_iter().filter(|shading| *shading != Shading::Textured) {
        let action = Action::Display(DisplayAction::SetShading(shading));
        let row = menu::Row::new(shading.label()).disabled(shading == Shading::Weights && !has_joints);
        let response = row.on(display.shading == shading).push(ui, action, actions);
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

pub fn projections(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (projection, word) in PROJECTIONS {
        let on = session.view.camera.projection == projection;
        menu::choice(ui, word, on, Action::Camera(CameraAction::ToggleProjection), actions);
    }
}

pub fn views(ui: &mut Ui, actions: &mut Vec<Action>) {
    menu::leading_on(ui, "View from", |ui| {
        for view in StandardView::ALL {
            menu::item(ui, view.label(), Action::Camera(CameraAction::LookFrom(view)), actions);
        }
    });
}
