//! The section Distance: how far what is selected is from what is measured from.

use egui::Ui;

use super::{State, place_row};
use crate::ui::button::{Button, Emphasis};
use crate::ui::{format, list};
use maquette_scene::scene::{EntityId, Selection};
use maquette_scene::session::{Action, SceneAction, Session};

/// The section's title.
pub const DISTANCE: &str = "Distance";

/// Shows the section while a distance is measured.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let Some(from) = session.document.measured_from else { return };
    if !memory.section(ui, DISTANCE, "", true) {
        return;
    }
    list::fact(ui, "From", &name(session, from.0, from.1));
    match session.document.measure() {
        Some(measure) => {
            let to = session.document.focus.map(|focus| name(session, focus, session.document.selection));
            list::fact(ui, "To", &to.unwrap_or_default());
            list::fact(ui, "Distance", &format::short(f64::from(measure.distance()), 4));
            place_row(ui, measure.offset());
        }
        None => {
            list::note(ui, "Select another vertex, tag or joint", crate::ui::theme::tokens(ui).text2);
        }
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add_space(list::INSET);
        if Button::new("Stop measuring").word("Stop measuring").rank(Emphasis::Raised).height(24.0).show(ui).clicked() {
            actions.push(Action::Scene(SceneAction::StopMeasuring));
        }
    });
    list::end_section(ui);
}

/// What a selection is called.
pub fn name(session: &Session, entity: EntityId, selection: Selection) -> String {
    let Some(entity) = session.document.scene.entity(entity) else { return "a part that was removed".to_owned() };
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
