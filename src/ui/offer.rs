//! What else could be done with a model that was dropped: a strip between header and picture, never in the way.

use egui::{Frame, Margin, Panel, Rect, Ui, pos2, vec2};

use super::button::{Button, Rank};
use super::{fonts, icons, menu, paint, theme};
use crate::scene::Attachment;
use crate::session::{Action, FileAction, Session};

/// Shows the strip, if there is an offer.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(offer) = &session.interface.alternative else { return };
    let tokens = theme::tokens(ui);
    let name = offer.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let frame = Frame::new().fill(tokens.pop).inner_margin(Margin::symmetric(12, 4));
    Panel::top("offer").exact_size(36.0).resizable(false).frame(frame).show(ui, |ui| {
        let strip = ui.max_rect();
        let close = Rect::from_min_size(pos2(strip.right() - 28.0, strip.top()), vec2(28.0, 28.0));
        if Button::new("Dismiss").icon(icons::CLOSE).show_at(ui, close, "close").clicked() {
            actions.push(Action::File(FileAction::CloseAlternative));
        }
        let (text, word) = match offer.previous_name() {
            None => (format!("Attached {name}"), "Open on its own instead".to_owned()),
            Some(previous) => {
                let previous = paint::shortened(ui.painter(), previous, &fonts::body(), 160.0);
                (format!("Opened {name}"), format!("Attach to {previous} instead"))
            }
        };
        let mut button = Button::new(&word).word(&word).rank(Rank::Raised);
        if !offer.was_attached() {
            button = button.menu();
        }
        let width = button.width(ui);
        let place = Rect::from_min_size(pos2(close.left() - width - 8.0, strip.top()), vec2(width, 28.0));
        let response = button.show_at(ui, place, "instead");
        let room = Rect::from_min_max(strip.min, pos2(place.left() - 8.0, strip.bottom()));
        paint::name_in(ui.painter(), room, &text, fonts::body(), tokens.text);
        if offer.was_attached() {
            if response.clicked() {
                actions.push(Action::File(FileAction::OpenInstead));
            }
            return;
        }
        menu::below(&response, |ui| {
            for (entity, anchor) in offer.places() {
                let row = menu::Row { word: anchor.name(), value: entity.label().to_owned(), ..menu::Row::default() };
                if row.show(ui).clicked() {
                    actions.push(Action::File(FileAction::AttachInstead(Attachment {
                        to: entity.id,
                        anchor: anchor.clone(),
                    })));
                }
            }
        });
    });
}
