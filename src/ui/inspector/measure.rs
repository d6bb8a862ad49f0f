//! *Distance* section: from the start of a measurement to the selection.

use egui::Ui;

use super::{Inspector, controls, place_row};
use crate::ui::button::{Button, Emphasis};
use crate::ui::{format, text, theme};
use maquette_scene::scene::{Entity, EntityId, Selection};
use maquette_scene::session::{Action, SceneAction, Session};

pub const DISTANCE: &str = "Distance";

pub fn count(session: &Session, _: &Entity) -> Option<String> {
    session.document.measured_from.map(|_| String::new())
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let (session, document) = (panel.session, &panel.session.document);
    let Some((from, selection)) = document.measured_from else { return };
    text::fact(ui, "From", &name(session, from, selection));
    if let Some(measure) = document.measure() {
        let to = document.focus.map(|focus| name(session, focus, document.selection));
        text::fact(ui, "To", &to.unwrap_or_default());
        text::fact(ui, "Distance", &format::short(f64::from(measure.distance()), 4));
        place_row(ui, measure.offset(), None);
    } else {
        text::note(ui, "Select another vertex, tag or joint", theme::tokens(ui).text2);
    }
    let stop = Button::new("Stop measuring").word("Stop measuring").rank(Emphasis::Raised).height(24.0);
    if controls(ui, |ui| stop.show(ui)).clicked() {
        panel.actions.push(Action::Scene(SceneAction::StopMeasuring));
    }
}

pub fn name(session: &Session, entity: EntityId, selection: Selection) -> String {
    let Some(entity) = session.document.scene.entity(entity) else { return "removed part".to_owned() };
    let model = entity.model();
    match selection {
        Selection::None => entity.label().to_owned(),
        Selection::Surface(surface) => entity.surface_name(surface),
        Selection::Triangle { surface, triangle } => {
            format!("triangle {} of {}", format::count(triangle), entity.surface_name(surface))
        }
        Selection::Vertex { surface, vertex } => {
            format!("vertex {} of {}", format::count(vertex), entity.surface_name(surface))
        }
        Selection::Tag(tag) => model.tags().get(tag).cloned().unwrap_or_default(),
        Selection::Joint(joint) => model.joints().get(joint).map(|joint| joint.name.clone()).unwrap_or_default(),
    }
}
