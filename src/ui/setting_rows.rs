//! Rows of settings in panels and menus.

use egui::{Role, Ui};

use super::{arrange, button, checkbox, dialog, list, menu, segmented_control};
use maquette_scene::session::{Action, Panel, SETTINGS, Session, Setting};

/// Width in points of the names in the settings dialog.
pub const DIALOG_NAMED: f32 = 144.0;
/// Settings with more values are menus.
const MAX_SEGMENTS: usize = 8;

/// Shows all settings of a panel: checkboxes for switches, segmented controls for others; in the menu of light, its rows.
pub fn show(ui: &mut Ui, session: &Session, panel: Panel, actions: &mut Vec<Action>) {
    let (inset, named) = match panel {
        Panel::Window | Panel::View | Panel::Files => (dialog::EDGE, DIALOG_NAMED),
        Panel::Display | Panel::Model | Panel::Motion | Panel::Light => (list::INSET, list::NAMED),
    };
    for setting in SETTINGS.iter().filter(|setting| setting.panel == Some(panel) && (setting.applies)(session)) {
        match setting.toggle(session) {
            Some((on, action)) if panel == Panel::Light => menu::toggle(ui, setting.label, on, action, actions),
            Some((on, action)) => {
                actions.extend(checkbox::show(ui, setting.label, on, &action, inset).then_some(action));
            }
            None if panel == Panel::Light => menu::settings_leading_on(ui, setting.label, |ui| {
                menu::values(ui, (setting.values)(session), actions);
            }),
            None => {
                arrange::form_row(ui, inset, named, setting.label, |ui| segments(ui, session, setting, panel, actions))
            }
        }
    }
}

fn segments(ui: &mut Ui, session: &Session, setting: &Setting, panel: Panel, actions: &mut Vec<Action>) {
    let values = (setting.values)(session);
    if values.len() > MAX_SEGMENTS {
        let word = values.iter().find(|value| value.is_current).map_or("", |value| &*value.label);
        let button = button::Button::new(setting.label).word(word).menu().tight().show(ui);
        return menu::below(&button, |ui| menu::values(ui, values, actions));
    }
    let labels: Vec<_> = values.iter().map(|value| &*value.label).enumerate().collect();
    // A saved setting can be none of the offered values.
    let current = values.iter().position(|value| value.is_current).unwrap_or(usize::MAX);
    let is_dialog = matches!(panel, Panel::Window | Panel::View | Panel::Files);
    let choose = if is_dialog { segmented_control::choose } else { segmented_control::choose_wide };
    let chosen = choose(ui, setting.label, Role::RadioButton, &labels, current);
    actions.extend(chosen.and_then(|index| values.into_iter().nth(index)).map(|value| value.action));
}
