//! Log dialog: all notifications, the newest at the bottom.

use egui::{Color32, Frame, Label, Margin, RichText, ScrollArea, Sense, Ui, vec2};

use super::{Button, Emphasis, Row, dialog, fonts, format, icons, paint, theme};
use maquette_scene::session::{Notification, NotificationKind, Session};

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, session: &Session) -> bool {
    dialog::show(root, "Log", 640.0, |ui| {
        let tokens = theme::tokens(ui);
        let height = ui.available_height() - 48.0;
        ScrollArea::vertical().max_height(height).auto_shrink([false, false]).stick_to_bottom(true).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for note in &session.interface.notes {
                let (icon, colour) = sign(note.kind, tokens, tokens.text2);
                Frame::new().inner_margin(Margin { left: 16, right: 16, top: 4, bottom: 4 }).show(ui, |ui| {
                    ui.horizontal_top(|ui| {
                        let (place, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::hover());
                        paint::icon(ui.painter(), place, icon, 14.0, colour);
                        let (place, _) = ui.allocate_exact_size(vec2(84.0, 18.0), Sense::hover());
                        paint::text_in(ui.painter(), place, &format::ago(note.time), fonts::small(), tokens.text2);
                        ui.vertical(|ui| {
                            let text = RichText::new(format::without_options(&note.text))
                                .color(tokens.text)
                                .line_height(Some(18.0));
                            ui.add(Label::new(text).wrap());
                            if !note.detail.is_empty() {
                                ui.add(
                                    Label::new(
                                        RichText::new(format::without_options(&note.detail)).color(tokens.text2),
                                    )
                                    .wrap(),
                                );
                            }
                        });
                    });
                });
            }
            if session.interface.notes.is_empty() {
                Row::label("No messages yet").inset(dialog::EDGE).colour(tokens.text2).show(ui, "none");
            }
        });
        ui.horizontal(|ui| {
            ui.add_space(dialog::EDGE);
            let copy = Button::new("Copy all").icon(icons::COPY).word("Copy all").rank(Emphasis::Raised);
            if copy.enabled(!session.interface.notes.is_empty(), "No messages yet").show(ui).clicked() {
                let lines =
                    session.interface.notes.iter().map(|note| format!("{}: {}", format::ago(note.time), line(note)));
                super::copy::put(ui.ctx(), lines.collect::<Vec<_>>().join("\n"));
            }
        });
    })
}

/// Returns the icon and the colour of a kind of notification. `done` is the colour of success.
pub fn sign(kind: NotificationKind, tokens: &theme::Tokens, done: Color32) -> (&'static str, Color32) {
    match kind {
        NotificationKind::Done => (icons::DONE, done),
        NotificationKind::Warning => (icons::WARNING, tokens.warn),
        NotificationKind::Failed => (icons::FAILED, tokens.error),
    }
}

/// Returns text and detail in one line.
pub fn line(note: &Notification) -> String {
    let [text, detail] = [&note.text, &note.detail].map(|text| format::without_options(text));
    if detail.is_empty() { text } else { format!("{text}. {detail}") }
}
