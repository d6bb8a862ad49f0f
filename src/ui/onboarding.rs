//! Three hints over the lower edge of the picture, from the first start until the first thing that is done.

use egui::{Area, Id, Order, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{fonts, keys, paint, theme};
use maquette_scene::session::{Action, ClockAction, Dialog, Session, WindowAction, command_for};

const HEIGHT: f32 = 28.0;
const GAP: f32 = 8.0;

/// Whether a key or a button was pressed in this frame, the wheel was turned or something was dropped.
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

/// Shows them, as many as there is room for.
pub fn show(root: &Ui, session: &Session, picture: Rect) {
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
    let width = |text: &str| {
        let layout = |fonts: &mut egui::epaint::FontsView<'_>| {
            fonts.layout_no_wrap(text.to_owned(), super::fonts::body(), egui::Color32::WHITE).size().x
        };
        root.fonts_mut(layout) + 24.0
    };
    let mut widths: Vec<f32> = hints.iter().map(|text| width(text)).collect();
    let whole = |widths: &[f32]| widths.iter().sum::<f32>() + GAP * widths.len().saturating_sub(1) as f32;
    while whole(&widths) > picture.width() - 32.0 && widths.len() > 1 {
        widths.pop();
    }
    let size = vec2(whole(&widths), HEIGHT);
    let corner = pos2(picture.center().x - size.x / 2.0, picture.bottom() - 16.0 - HEIGHT);
    Area::new(Id::unique("first hints")).order(Order::Middle).interactable(false).fixed_pos(corner.round()).show(
        root.ctx(),
        |ui| {
            let tokens = theme::tokens(ui);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            let mut left = rect.left();
            for (text, width) in hints.iter().zip(&widths) {
                let chip = Rect::from_min_size(pos2(left, rect.top()), vec2(*width, HEIGHT));
                let response = ui.interact(chip, ui.scope_id().with(text), Sense::hover());
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
                paint::fill(ui.painter(), chip, theme::CARD_CORNER, tokens.pop);
                paint::outline(ui.painter(), chip, theme::CARD_CORNER, 1.0, tokens.line);
                paint::text(
                    ui.painter(),
                    chip.center(),
                    egui::Align2::CENTER_CENTER,
                    text,
                    fonts::body(),
                    tokens.text2,
                );
                left += width + GAP;
            }
        },
    );
}
