//! The section Issues: what was odd in the files and what was done about it. Always there.

use egui::{Rect, RichText, Ui, vec2};

use super::Memory;
use crate::session::Session;
use crate::ui::{fonts, format, icons, list, paint, theme};

/// Shows the section.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut Memory) {
    let warnings = &session.document.issues;
    if !memory.section(ui, "Issues", &format::count(warnings.len()), true) {
        return;
    }
    let tokens = theme::tokens(ui);
    if warnings.is_empty() {
        let row = ui.next_widget_position();
        let place = Rect::from_min_size(row + vec2(list::INSET, 0.0), vec2(14.0, 26.0));
        paint::icon(ui.painter(), place, icons::DONE, 14.0, tokens.ok);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), list::ROW), egui::Sense::hover());
        let text = "No load issues";
        paint::text_in(ui.painter(), list::inside(rect, list::INSET + 22.0, 12.0), text, fonts::body(), tokens.text2);
        return;
    }
    for warning in warnings {
        let top = ui.next_widget_position();
        let place = Rect::from_min_size(top + vec2(list::INSET, 2.0), vec2(14.0, 18.0));
        paint::icon(ui.painter(), place, icons::WARNING, 14.0, tokens.warn);
        egui::Frame::new().inner_margin(egui::Margin { left: 50, right: 12, top: 2, bottom: 4 }).show(ui, |ui| {
            ui.set_width(ui.available_width());
            if !warning.about.is_empty() {
                let about = RichText::new(&warning.about).color(tokens.text).line_height(Some(18.0));
                ui.add(egui::Label::new(about).truncate());
            }
            let message = RichText::new(format::capital(&warning.message)).color(tokens.text2).line_height(Some(18.0));
            ui.add(egui::Label::new(message).wrap());
        });
    }
}
