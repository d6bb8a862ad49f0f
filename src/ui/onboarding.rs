//! Hints over the lower edge of the view, from the first start until the user first does something.

use egui::{Align2, Area, Frame, Id, Label, Margin, Order, Rect, RichText, Ui, vec2};

use super::{fonts, keys, paint, theme};
use maquette_scene::session::{Action, ClockAction, Dialog, Session, WindowAction, command_for};

const GAP: f32 = 8.0;

/// Whether there was user input in this frame: a key, a button, the wheel or a drop.
pub fn is_used(root: &Ui) -> bool {
    let is_use = |event: &egui::Event| {
        matches!(
            event,
            egui::Event::Key { pressed: true, .. }
                | egui::Event::PointerButton { pressed: true, .. }
                | egui::Event::MouseWheel { .. }
        )
    };
    root.input(|input| input.events.iter().any(is_use) || !input.raw.dropped_files.is_empty())
}

/// Shows as many hints as fit, but at least one.
pub fn show(root: &Ui, session: &Session, viewport: Rect) {
    if session.preferences.hints_seen || session.interface.panels.dialog.is_some() {
        return;
    }
    let key = |action: Action| {
        command_for(&action).map(|command| keys::shown(root.ctx(), command)).filter(|keys| !keys.is_empty())
    };
    let play = key(Action::Clock(ClockAction::TogglePlay)).map(|key| {
        let word = if session.is_playing() { "pause" } else { "play" };
        format!("{key} to {word}")
    });
    let find = key(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
    let hints: Vec<String> = std::iter::once("Drop a model".to_owned())
        .chain(play)
        .chain(find.map(|key| format!("{key} to find anything")))
        .collect();
    let widths = hints.iter().map(|text| paint::width_of(root, text, fonts::body()) + 24.0 + GAP);
    let ends = widths.scan(-GAP, |end, width| {
        *end += width;
        Some(*end)
    });
    let fitting = ends.take_while(|end| *end <= viewport.width() - 32.0).count().max(1);
    let area = Area::new(Id::unique("first hints")).order(Order::Middle).interactable(false);
    let bottom = viewport.center_bottom().round();
    area.pivot(Align2::CENTER_BOTTOM).fixed_pos(bottom - vec2(0.0, 16.0)).show(root.ctx(), |ui| {
        let tokens = theme::tokens(ui);
        ui.spacing_mut().item_spacing.x = GAP;
        let chip = Frame::new().fill(tokens.pop).stroke((1.0, tokens.line)).corner_radius(theme::CARD_CORNER);
        ui.horizontal(|ui| {
            for text in hints.iter().take(fitting) {
                chip.inner_margin(Margin::symmetric(11, 5)).show(ui, |ui| {
                    let text = RichText::new(text).font(fonts::body()).color(tokens.text2);
                    ui.add(Label::new(text).extend().selectable(false));
                });
            }
        });
    });
}
