//! *Display* section: display settings without a button above the view.

use egui::Ui;

use super::Inspector;
use crate::ui::{checkbox, format, list, setting_rows, slider};
use maquette_scene::scene::OVERLAYS;
use maquette_scene::session::{Action, DisplayAction, Panel};

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let (session, entity) = (panel.session, panel.entity);
    let (model, display) = (entity.model(), &session.view.display);
    let actions = &mut *panel.actions;
    let switch = |ui: &mut Ui, name: &str, on: bool, action: Action| {
        checkbox::show(ui, name, on, &action, list::INSET).then_some(action)
    };
    for row in OVERLAYS.iter().filter(|row| row.button.is_none() && (row.unavailable)(model).is_none()) {
        let action = Action::Display(DisplayAction::Toggle(row.kind));
        actions.extend(switch(ui, row.label, display.shows(row.kind), action));
    }
    let on_top = Action::Display(DisplayAction::ToggleOverlaysOnTop);
    actions.extend(switch(ui, "X-ray overlays", display.overlays_on_top, on_top));
    let length = f64::from(display.normal_length);
    let scale = slider::Scale {
        name: "Normal length",
        range: 0.005..=0.5,
        logarithmic: true,
        shown: format!("{} %", format::short(length * 100.0, 1)),
        note: "Length as a share of the model’s radius",
        keys: "[ ]",
    };
    actions.extend(scale.row(ui, length).map(|length| Action::Display(DisplayAction::SetNormalLength(length as f32))));
    setting_rows::show(ui, session, Panel::Display, actions);
}
