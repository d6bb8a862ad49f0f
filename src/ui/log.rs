//! The log: everything that happened, the newest at the bottom.

use egui::{Rect, RichText, ScrollArea, Ui, vec2};

use super::button::{Button, Emphasis};
use super::{dialog, icons, paint, theme};
use maquette_scene::session::{Action, Dialog, Notification, NotificationKind, Session, WindowAction};

/// Shows the sheet.
pub fn show(root: &Ui, session: &Session, actions: &mut Vec<Action>) {
    let close = dialog::show(root, "Log", 640.0, |ui| {
        let tokens = theme::tokens(ui);
        let height = ui.available_height() - 48.0;
        ScrollArea::vertical().max_height(height).auto_shrink([false, false]).stick_to_bottom(true).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for note in &session.interface.notes {
                let (icon, colour) = match note.kind {
                    NotificationKind::Done => (icons::DONE, tokens.text2),
                    NotificationKind::Warning => (icons::WARNING, tokens.warn),
                    NotificationKind::Failed => (icons::FAILED, tokens.error),
                };
                let top = ui.next_widget_position();
                let place = Rect::from_min_size(top + vec2(16.0, 4.0), vec2(14.0, 18.0));
                paint::icon(ui.painter(), place, icon, 14.0, colour);
                let margin = egui::Margin { left: 40, right: 16, top: 4, bottom: 4 };
                egui::Frame::new().inner_margin(margin).show(ui, |ui| {
                    ui.set_width(ui.available_width());
                    let text = RichText::new(&note.text).color(tokens.text).line_height(Some(18.0));
                    ui.add(egui::Label::new(text).wrap());
                    if !note.detail.is_empty() {
                        ui.add(egui::Label::new(RichText::new(&note.detail).color(tokens.text2)).wrap());
                    }
                });
            }
            if session.interface.notes.is_empty() {
                egui::Frame::new().inner_margin(egui::Margin::symmetric(16, 4)).show(ui, |ui| {
                    ui.weak("No messages yet");
                });
            }
        });
        ui.horizontal(|ui| {
            ui.add_space(16.0);
            let copy = Button::new("Copy all").icon(icons::COPY).word("Copy all").rank(Emphasis::Raised);
            if copy.enabled(!session.interface.notes.is_empty(), "No messages yet").show(ui).clicked() {
                let line = |note: &Notification| match note.detail.as_str() {
                    "" => note.text.clone(),
                    detail => format!("{}. {detail}", note.text),
                };
                let lines: Vec<String> = session.interface.notes.iter().map(line).collect();
                super::copy::put(ui.ctx(), lines.join("\n"));
            }
        });
    });
    if close {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Log)));
    }
}
