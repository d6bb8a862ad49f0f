//! What stands where the picture is when nothing of the model is drawn: why, and what to do about it.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::button::{Button, Emphasis};
use crate::ui::{fonts, format, paint, theme};
use maquette_core::error::WarningKind;
use maquette_scene::scene::{Entity, OverlayKind};
use maquette_scene::session::{Action, DisplayAction, FileAction, SceneAction, Session};

/// Why nothing is drawn, and what helps.
fn reason(session: &Session) -> Option<(String, Option<(&'static str, Action)>)> {
    let scene = &session.document.scene;
    if scene.entities().is_empty() {
        return None;
    }
    let shown: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    if shown.is_empty() {
        let action = ("Show all", Action::Scene(SceneAction::ShowAllEntities));
        return Some(("Nothing is drawn: all models are hidden".to_owned(), Some(action)));
    }
    // Surfaces with triangles, and those of them that the user hid.
    let (mut filled, mut hidden) = (0, 0);
    for entity in &shown {
        for (index, surface) in entity.model().surfaces().iter().enumerate() {
            if surface.lod != entity.lod || surface.triangles.is_empty() {
                continue;
            }
            let material = entity.materials().get(index);
            let is_undrawn = session.view.display.shows_materials() && material.is_some_and(|it| it.is_undrawn());
            if entity.draws(index) && !is_undrawn {
                return None;
            }
            filled += 1;
            hidden += usize::from(!entity.visible.get(index).copied().unwrap_or(true));
        }
    }
    let show_all = || ("Show all", Action::Scene(SceneAction::ShowAllSurfaces));
    Some(match (filled, hidden) {
        (0, _) => return without_triangles(session),
        (1, 1) => ("Nothing is drawn: the only surface is hidden".to_owned(), Some(show_all())),
        (all, hidden) if all == hidden => {
            (format!("Nothing is drawn: all {} are hidden", format::plural(all, "surface")), Some(show_all()))
        }
        (_, 0) => ("Nothing is drawn: the skin or shader draws no surface".to_owned(), None),
        (all, hidden) => {
            let (hidden, all) = (format::count(hidden), format::plural(all, "surface"));
            let text = format!("Nothing is drawn: {hidden} of {all} are hidden, the rest by skin or shader");
            (text, Some(show_all()))
        }
    })
}

/// A model of joints or tags alone shows these.
fn without_triangles(session: &Session) -> Option<(String, Option<(&'static str, Action)>)> {
    let text = "Nothing is drawn: the model has no triangles".to_owned();
    if let Some(action) = intact_part(session.document.scene.entities()) {
        return Some((text, Some(action)));
    }
    let mut overlays = [(OverlayKind::Joints, "Show joints"), (OverlayKind::Tags, "Show tags")]
        .into_iter()
        .filter(|(kind, _)| session.overlay_unavailable(*kind).is_none());
    if overlays.clone().any(|(kind, _)| session.view.display.shows(kind)) {
        return None;
    }
    let action = overlays.next().map(|(kind, word)| (word, Action::Display(DisplayAction::Toggle(kind))));
    Some((text, action))
}

/// Where all triangles of a file were left out, some of them may be intact.
fn intact_part(entities: &[Entity]) -> Option<(&'static str, Action)> {
    let [Entity { asset, .. }] = entities else { return None };
    let left_out = asset.warnings.iter().any(|warning| warning.kind == WarningKind::LeftOut);
    let file = asset.file.clone().filter(|_| left_out && !asset.salvaged)?;
    Some(("Open intact part", Action::File(FileAction::Salvage(file))))
}

/// Says so in the middle of `picture`.
pub fn show(ui: &mut Ui, session: &Session, picture: Rect, actions: &mut Vec<Action>) {
    let Some((text, action)) = reason(session) else { return };
    let tokens = theme::tokens(ui);
    let button = action.as_ref().map(|(word, _)| Button::new(word).word(word).rank(Emphasis::Raised));
    let beside = button.as_ref().map_or(0.0, |button| button.width(ui) + 12.0);
    let most = (picture.width() - 24.0).max(0.0);
    let width = (paint::width_of(ui, &text, fonts::body()).ceil() + 24.0 + beside).min(most);
    let plate = Rect::from_center_size(picture.center(), vec2(width, 40.0));
    paint::fill(&ui.painter_at(picture), plate, theme::CORNER, tokens.plate);
    let room =
        Rect::from_min_max(pos2(plate.left() + 12.0, plate.top()), pos2(plate.right() - 12.0 - beside, plate.bottom()));
    let response = ui.interact(room, ui.scope_id().with("nothing drawn"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
    paint::text_in(&ui.painter_at(picture), room, &text, fonts::body(), tokens.text);
    if let (Some(button), Some((_, action))) = (button, action) {
        let place = Rect::from_min_max(
            pos2(room.right() + 12.0, plate.center().y - 14.0),
            pos2(plate.right() - 6.0, plate.center().y + 14.0),
        );
        actions.extend(button.show_at(ui, place, "show all").clicked().then_some(action));
    }
}
