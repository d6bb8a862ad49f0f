//! Cards and strips for messages: icon, text and buttons.

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Align, Color32, Frame, Layout, Response, Sense, Ui, vec2};

use super::button::Button;
use super::{arrange, copy, paint, theme};
use maquette_scene::session::Action;

const LINE: f32 = 24.0;
const GAP: f32 = 10.0;

pub fn frame(ui: &Ui) -> Frame {
    let tokens = theme::tokens(ui);
    let frame = Frame::new().fill(tokens.pop).stroke((1.0, tokens.line)).corner_radius(theme::CARD_CORNER);
    frame.shadow(ui.visuals().popup_shadow)
}

/// Shows an icon, `text` to its right, and `buttons` at the right of the first line. Returns the response of the text.
pub fn message(
    ui: &mut Ui,
    icon: &str,
    colour: Color32,
    buttons: impl FnOnce(&mut Ui),
    text: impl FnOnce(&mut Ui),
) -> Response {
    let gap = std::mem::replace(&mut ui.spacing_mut().item_spacing.x, GAP);
    let shown = ui.horizontal_top(|ui| {
        let size = ui.spacing().icon_width;
        let (place, _) = ui.allocate_exact_size(vec2(size, LINE), Sense::hover());
        paint::icon(ui.painter(), place, icon, size, colour);
        let row = ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            buttons(ui);
            let text = ui.with_layout(Layout::top_down(Align::Min), |ui| {
                ui.spacing_mut().item_spacing.x = gap;
                ui.add_space(3.0);
                text(ui);
            });
            text.response
        });
        row.inner
    });
    ui.spacing_mut().item_spacing.x = gap;
    shown.inner
}

/// Shows text in the available width and cuts it after `most` lines. Returns whether it was cut.
pub fn lines(ui: &mut Ui, text: &str, font: egui::FontId, colour: Color32, max: usize) -> bool {
    let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, colour));
    let break_anywhere = max == 1;
    job.wrap =
        TextWrapping { max_width: ui.available_width(), max_rows: max, break_anywhere, ..TextWrapping::default() };
    let lines = ui.painter().layout_job(job);
    let (place, _) = ui.allocate_exact_size(lines.size(), Sense::hover());
    let is_cut = lines.elided;
    ui.painter().galley(paint::snapped(ui.painter(), place.min), lines, colour);
    is_cut
}

/// Shows a row of buttons from right to left.
pub fn buttons(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| arrange::at_end(ui, content));
}

/// Shows a button that pushes `action`. Without an action it copies `text`. Returns whether the button was clicked.
pub fn push_or_copy(
    ui: &mut Ui,
    button: &Button<'_>,
    action: Option<Action>,
    text: &str,
    actions: &mut Vec<Action>,
) -> bool {
    let Some(action) = action else {
        let is_clicked = button.show(ui).clicked();
        if is_clicked {
            copy::put(ui.ctx(), text);
        }
        return is_clicked;
    };
    button.push(ui, action, actions).clicked()
}
