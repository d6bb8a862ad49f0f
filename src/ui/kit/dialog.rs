//! Modal dialog in the middle of the window.
//!
//! The close button, Escape and a click outside close the dialog.

use egui::{Align2, Area, Frame, Id, Key, Label, Margin, Modifiers, Order, Role, Sense, Ui, Vec2, vec2};

use super::button::{Button, Emphasis};
use super::row::Row;
use super::{access, arrange, fonts, icons, paint, theme};

pub const EDGE: f32 = 16.0;
/// Height of [`footer`] with a line above it.
pub const FOOT: f32 = 52.0;

/// Shows a dialog with a heading, at most 600 points high. Returns whether it should close.
pub fn show(root: &Ui, name: &str, widest: f32, content: impl FnOnce(&mut Ui)) -> bool {
    show_sized(root, name, vec2(widest, 600.0), content)
}

/// Shows a dialog of this size, limited by the window. Returns whether it should close.
pub fn show_sized(root: &Ui, name: &str, size: Vec2, content: impl FnOnce(&mut Ui)) -> bool {
    let screen = root.ctx().content_rect();
    let size = size.min(screen.size() - Vec2::splat(32.0)).max(Vec2::ZERO);
    let mut close = draw_backdrop(root, name);
    let dialog_rect = Align2::CENTER_CENTER.align_size_within_rect(size, screen);
    let area = Area::new(Id::unique(("sheet", name))).order(Order::Foreground).fixed_pos(dialog_rect.min.round());
    area.role(Role::Dialog).accessible_name(name).show(root.ctx(), |ui| {
        access::modal(ui, dialog_rect);
        // Keep Tab inside the dialog.
        ui.ctx().memory_mut(|memory| memory.set_modal_layer(ui.layer_id()));
        let tokens = theme::tokens(ui);
        let frame = Frame::new().fill(tokens.panel).stroke((1.0, tokens.line)).corner_radius(theme::CARD_CORNER);
        frame.shadow(ui.visuals().popup_shadow).show(ui, |ui| {
            ui.set_min_size(size);
            ui.set_max_size(size);
            let gap = std::mem::take(&mut ui.spacing_mut().item_spacing.y);
            Frame::new().inner_margin(Margin { left: 16, right: 12, top: 10, bottom: 6 }).show(ui, |ui| {
                ui.horizontal(|ui| {
                    arrange::at_end(ui, |ui| {
                        close |= Button::new("Close").icon(icons::CLOSE).note("Escape").show(ui).clicked();
                        let title_rect = ui.available_rect_before_wrap();
                        paint::text_in(ui.painter(), title_rect, name, fonts::heading(), tokens.text);
                    });
                });
            });
            Frame::new().inner_margin(Margin { bottom: 4, ..Margin::ZERO }).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = gap;
                content(ui);
            });
        });
    });
    close
}

pub fn heading(ui: &mut Ui, text: &str) {
    ui.add_space(6.0);
    Row::heading(text).inset(EDGE).height(28.0).show(ui, ("heading", text));
}

/// Shows buttons at the right end of the remaining room, and text to their left. Returns the index of the clicked
/// button.
pub fn footer(ui: &mut Ui, text: egui::RichText, buttons: &[Button<'_>]) -> Option<usize> {
    let footer_rect = arrange::inside(ui.available_rect_before_wrap(), EDGE, EDGE);
    arrange::within(ui, footer_rect, "foot", |ui| {
        arrange::at_end(ui, |ui| {
            let clicked = arrange::buttons(ui, buttons);
            if !text.is_empty() {
                ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| ui.add(Label::new(text).wrap()));
            }
            clicked
        })
    })
}

/// Creates the default button of a dialog, which Enter activates.
pub fn confirm<'a>(name: &'a str, word: &'a str) -> Button<'a> {
    Button::new(name).word(word).rank(Emphasis::Main)
}

pub fn other(word: &str) -> Button<'_> {
    Button::new(word).word(word).rank(Emphasis::Raised)
}

/// Consumes Enter for the default button. Returns whether Enter was pressed while no control had the keyboard focus.
pub fn is_entered(ui: &Ui) -> bool {
    let free = ui.memory(|memory| memory.focused()).is_none() && !egui::Popup::is_any_open(ui.ctx());
    free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter))
}

/// Dims the window below a dialog. Returns whether the backdrop was clicked.
pub fn draw_backdrop(root: &Ui, name: &str) -> bool {
    let screen = root.ctx().content_rect();
    let area = Area::new(Id::unique(("veil", name))).order(Order::Middle).fixed_pos(screen.min);
    area.show(root.ctx(), |ui| {
        let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::CLICK);
        ui.painter().rect_filled(rect, 0.0, theme::tokens(ui).bar.gamma_multiply(0.5));
        response.clicked()
    })
    .inner
}
