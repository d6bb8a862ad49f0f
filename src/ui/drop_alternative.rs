//! Card that offers an alternative action for a dropped model, in a corner of the view.

use std::path::PathBuf;

use egui::{Area, Id, Order, Rect, Role, Ui, WidgetInfo};

use super::toasts::{CORNER, MARGIN, WIDTH, card_area};
use super::{Button, Emphasis, card, context, fonts, icons, menu, paint, theme};
use maquette_scene::session::{Action, DropAlternative, FileAction, Session};

const SECONDS: f64 = 10.0;

/// File of the card, and the time when the card closes.
pub type State = Option<(PathBuf, f64)>;

/// Shows the card if there is an alternative. Returns the part of `viewport` above the card.
pub fn show(root: &Ui, session: &Session, viewport: Rect, state: &mut State, actions: &mut Vec<Action>) -> Rect {
    let Some(offer) = &session.interface.alternative else {
        *state = None;
        return viewport;
    };
    let now = root.input(|input| input.time);
    let until = match state {
        Some((file, until)) if *file == offer.file => *until,
        _ => now + SECONDS,
    };
    if now > until {
        actions.push(Action::File(FileAction::CloseAlternative));
        return viewport;
    }
    let width = WIDTH.min(viewport.width() - 2.0 * MARGIN);
    let area = Area::new(Id::unique("alternative")).order(Order::Middle).pivot(CORNER);
    let shown = area.fixed_pos(CORNER.pos_in_rect(&card_area(viewport))).show(root.ctx(), |ui| {
        ui.set_width(width);
        show_card(ui, offer, actions)
    });
    let until = if shown.inner { until.max(now + 2.0) } else { until };
    *state = Some((offer.file.clone(), until));
    root.ctx().request_repaint_after_secs((until - now).max(0.0) as f32 + 0.01);
    let card = shown.response.rect;
    viewport.with_max_y(card.top() + MARGIN - 8.0)
}

/// Shows the card. Returns whether the pointer is over the card, or the card has the keyboard focus.
fn show_card(ui: &mut Ui, offer: &DropAlternative, actions: &mut Vec<Action>) -> bool {
    let tokens = theme::tokens(ui);
    let name = offer.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (text, word) = match offer.previous_name() {
        None => (format!("Attached {name}"), "Open on its own instead".to_owned()),
        Some(previous) => {
            let previous = paint::shortened(ui.painter(), previous, &fonts::body(), 140.0);
            (format!("Opened {name}"), format!("Attach to {previous} instead"))
        }
    };
    let mut is_held = false;
    let shown = card::frame(ui).inner_margin(8).show(ui, |ui| {
        let close = |ui: &mut Ui| {
            let dismiss = Button::new("Dismiss").icon(icons::CLOSE).height(24.0);
            dismiss.push(ui, Action::File(FileAction::CloseAlternative), actions);
        };
        card::message(ui, icons::DONE, tokens.ok, close, |ui| {
            let short = paint::shortened(ui.painter(), &text, &fonts::medium(), ui.available_width());
            card::lines(ui, &short, fonts::medium(), tokens.text, 1);
        });
        card::buttons(ui, |ui| {
            let button = Button::new(&word).word(&word).rank(Emphasis::Raised);
            if offer.was_attached() {
                is_held = button.push(ui, Action::File(FileAction::OpenInstead), actions).has_focus();
                return;
            }
            let response = button.menu().show(ui);
            is_held = response.has_focus();
            menu::below(&response, |ui| {
                is_held = true;
                let to = context::attach_rows(ui, offer.attachment_points(), None);
                actions.extend(to.map(|to| Action::File(FileAction::AttachInstead(to))));
            });
        });
    });
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &text));
    is_held || ui.rect_contains_pointer(shown.response.rect)
}
