//! Menus that stand in more than one bar: shadings, projections and views.

use egui::Ui;

use super::menu;
use maquette_scene::scene::{LightingMode, Projection, Shading, StandardView};
use maquette_scene::session::{Action, CameraAction, DisplayAction, Session};

/// The five shadings as rows of a menu.
pub fn shadings(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let display = &session.view.display;
    let materials = [
        (LightingMode::Studio, "Textured — studio light"),
        (LightingMode::Game, "Textured — in-game"),
        (LightingMode::Plain, "Textured — ignore shaders"),
    ];
    for (lighting, word) in materials {
        let on = display.shading == Shading::Textured && display.lighting == lighting;
        if menu::Row::new(word).on(on).show(ui).clicked() {
            actions.push(Action::Display(DisplayAction::SetLighting(lighting)));
        }
    }
    menu::separator(ui);
    for shading in Shading::ALL.into_iter().filter(|shading| *shading != Shading::Textured) {
        let models = session.document.scene.entities();
        let disabled = shading == Shading::Weights && models.iter().all(|entity| entity.model().joints().is_empty());
        let action = Action::Display(DisplayAction::SetShading(shading));
        let row = menu::Row { disabled, ..menu::Row::of(shading.label(), &action) };
        let mut response = row.on(session.view.display.shading == shading).show(ui);
        if disabled {
            response = response.on_disabled_hover_text("No model in the scene has joints");
        }
        actions.extend(response.clicked().then_some(Action::Display(DisplayAction::SetShading(shading))));
    }
}

/// How the model is shaded, in a word; `says_game` where it must tell that it is seen as in the game.
pub fn shading_label(session: &Session, says_game: bool) -> &'static str {
    match (session.view.display.shading, session.view.display.lighting) {
        (Shading::Textured, LightingMode::Plain) => LightingMode::Plain.label(),
        (Shading::Textured, LightingMode::Game) if says_game => LightingMode::Game.label(),
        (shading, _) => shading.label(),
    }
}

/// Both projections as rows of a menu.
pub fn projections(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (projection, word) in [(Projection::Perspective, "Perspective"), (Projection::Orthographic, "Orthographic")] {
        let on = session.view.camera.projection == projection;
        let row = menu::Row::new(word).on(on);
        if row.show(ui).clicked() && !on {
            actions.push(Action::Camera(CameraAction::ToggleProjection));
        }
    }
}

/// The menu of standard views.
pub fn views(ui: &mut Ui, actions: &mut Vec<Action>) {
    menu::leading_on(ui, "View from", |ui| {
        for view in StandardView::ALL {
            let action = Action::Camera(CameraAction::LookFrom(view));
            actions.extend(menu::Row::of(view.label(), &action).show(ui).clicked().then_some(action));
        }
    });
}
