//! Message over a view that shows nothing of the model, with a button that helps.

use egui::{Rect, Ui, vec2};

use crate::ui::{Button, Emphasis, arrange, fonts, format, paint, text, theme};
use maquette_assets::material::{DrawnFaces, SurfaceMaterial};
use maquette_scene::scene::{BackfaceDisplay, Entity, OverlayKind};
use maquette_scene::session::{Action, CameraAction, DisplayAction, FileAction, SceneAction, Session};

/// Returns the reason why nothing of the model is visible, and a button that helps.
fn reason(session: &Session, aspect: f32) -> Option<(String, Option<(&'static str, Action)>)> {
    let scene = &session.document.scene;
    if scene.entities().is_empty() {
        return None;
    }
    let said = |reason: &str, action| Some((format!("Nothing is drawn: {reason}"), action));
    let shown: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    if shown.is_empty() {
        return said("all models are hidden", Some(("Show all", Action::Scene(SceneAction::ShowAllEntities))));
    }
    // Number of surfaces with triangles, and number of those that the user hid.
    let (mut filled, mut hidden) = (0, 0);
    let (mut is_drawn, mut is_in_view) = (false, false);
    for entity in &shown {
        for (index, surface) in entity.model().surfaces().iter().enumerate() {
            if surface.lod != entity.lod || surface.triangles.is_empty() {
                continue;
            }
            let material = entity.materials().get(index);
            let is_undrawn = session.view.display.shows_materials() && material.is_some_and(|it| it.is_undrawn());
            if entity.draws(index) && !is_undrawn {
                is_drawn = true;
                if session.view.camera.may_see(&entity.world_from_model, &entity.pose.bounds, aspect) {
                    is_in_view = true;
                    if entity.turns_to(&session.view.camera, index, faces(session, material)) {
                        return None;
                    }
                }
            }
            filled += 1;
            hidden += usize::from(!entity.visible.get(index).copied().unwrap_or(true));
        }
    }
    if is_drawn && !is_in_view {
        return said("the model is outside the view", Some(("Frame model", Action::Camera(CameraAction::FrameModel))));
    }
    if is_drawn {
        let action = Action::Display(DisplayAction::SetSides(BackfaceDisplay::Both));
        let is_culled = session.view.display.sides == BackfaceDisplay::Front;
        return said("all triangles face away", is_culled.then_some(("Show backfaces", action)));
    }
    if filled == 0 {
        let action = match intact_part(scene.entities()) {
            Some(action) => Some(action),
            None => missing_overlay(session)?,
        };
        return said("the model has no triangles", action);
    }
    let all = format::plural(filled, "surface");
    let show_all = Some(("Show all", Action::Scene(SceneAction::ShowAllSurfaces)));
    match hidden {
        0 => said("the skin or shader draws no surface", None),
        1 if filled == 1 => said("the only surface is hidden", show_all),
        hidden if hidden == filled => said(&format!("all {all} are hidden"), show_all),
        hidden => {
            let hidden = format::count(hidden);
            said(&format!("{hidden} of {all} are hidden, the rest by skin or shader"), show_all)
        }
    }
}

/// Returns the faces of a surface that are drawn.
fn faces(session: &Session, material: Option<&SurfaceMaterial>) -> DrawnFaces {
    let own = material.filter(|_| session.view.display.shows_materials()).map(|material| material.definition.sides);
    if session.view.display.sides == BackfaceDisplay::Front { own.unwrap_or_default() } else { DrawnFaces::Both }
}

/// Returns a button that shows the joints or tags of a model without triangles. The outer `None`: one of these is
/// visible.
fn missing_overlay(session: &Session) -> Option<Option<(&'static str, Action)>> {
    let mut overlays = [(OverlayKind::Joints, "Show joints"), (OverlayKind::Tags, "Show tags")]
        .into_iter()
        .filter(|(kind, _)| session.overlay_unavailable(*kind).is_none());
    if overlays.clone().any(|(kind, _)| session.view.display.shows(kind)) {
        return None;
    }
    Some(overlays.next().map(|(kind, word)| (word, Action::Display(DisplayAction::Toggle(kind)))))
}

/// Returns a button that opens the recoverable part of a file whose invalid triangles were dropped.
fn intact_part(entities: &[Entity]) -> Option<(&'static str, Action)> {
    let [Entity { asset, .. }] = entities else { return None };
    let left_out = asset.warnings.iter().any(|warning| warning.kind.loses_data());
    let file = asset.file.clone().filter(|_| left_out && !asset.salvaged)?;
    Some(("Open recoverable part", Action::File(FileAction::Salvage(file))))
}

pub fn show(ui: &mut Ui, session: &Session, viewport: Rect, actions: &mut Vec<Action>) {
    let Some((text, action)) = reason(session, viewport.aspect_ratio()) else { return };
    let tokens = theme::tokens(ui);
    let button = action.map(|(word, action)| (Button::new(word).word(word).rank(Emphasis::Raised), action));
    let beside = button.as_ref().map_or(12.0, |(button, _)| button.width(ui) + 18.0);
    let width = paint::width_of(ui, &text, fonts::body()).ceil() + 12.0 + beside;
    let plate = Rect::from_center_size(viewport.center(), vec2(width.min(viewport.width() - 24.0).max(0.0), 40.0));
    paint::fill(&ui.painter_at(viewport), plate, theme::CORNER, tokens.plate);
    arrange::within(ui, plate.with_min_x(plate.left() + 12.0), "nothing drawn", |ui| {
        ui.scope(|ui| {
            ui.set_max_width((ui.available_width() - beside).max(0.0));
            text::line(ui, &text, fonts::body(), tokens.text);
        });
        ui.spacing_mut().item_spacing.x = 12.0;
        if let Some((button, action)) = button {
            button.push(ui, action, actions);
        }
    });
}
