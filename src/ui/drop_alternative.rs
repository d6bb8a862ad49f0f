//! What else could be done with a model that was dropped: a card in the lower right corner of the picture, for a while.

use egui::{Area, Id, Order, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis};
use super::toasts::{MARGIN, WIDTH};
use super::{context, fonts, icons, menu, paint, theme};
use maquette_scene::session::{Action, DropAlternative, FileAction, Session};

/// Seconds that it is seen.
const SECONDS: f64 = 10.0;
const HEIGHT: f32 = 76.0;

/// What the card shows, and until when.
#[derive(Debug, Default)]
pub struct State {
    shown: Option<(std::path::PathBuf, f64)>,
}

/// Shows the card in the corner of `picture`, if there is an alternative; gives the room that is left above it.
pub fn show(root: &Ui, session: &Session, picture: Rect, memory: &mut State, actions: &mut Vec<Action>) -> Rect {
    let Some(offer) = &session.interface.alternative else {
        memory.shown = None;
        return picture;
    };
    let now = root.input(|input| input.time);
    let until = match &memory.shown {
        Some((file, until)) if *file == offer.file => *until,
        _ => now + SECONDS,
    };
    if now > until {
        actions.push(Action::File(FileAction::CloseAlternative));
        return picture;
    }
    let width = WIDTH.min(picture.width() - 2.0 * MARGIN);
    let rect = Rect::from_min_size(
        pos2(picture.right() - MARGIN - width, picture.bottom() - MARGIN - HEIGHT),
        vec2(width, HEIGHT),
    );
    let area = Area::new(Id::unique("alternative")).order(Order::Middle).fixed_pos(rect.min.round());
    let is_held = area.show(root.ctx(), |ui| card(ui, rect.size(), offer, actions)).inner;
    let until = if is_held { until.max(now + 2.0) } else { until };
    memory.shown = Some((offer.file.clone(), until));
    root.ctx().request_repaint_after_secs((until - now).max(0.0) as f32 + 0.01);
    Rect::from_min_max(picture.min, pos2(picture.right(), rect.top() + MARGIN - 8.0))
}

/// The card itself; gives whether the pointer or its menu holds it.
fn card(ui: &mut Ui, size: Vec2, offer: &DropAlternative, actions: &mut Vec<Action>) -> bool {
    let tokens = theme::tokens(ui);
    let name = offer.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let (text, word) = match offer.previous_name() {
        None => (format!("Attached {name}"), "Open on its own instead".to_owned()),
        Some(previous) => {
            let previous = paint::shortened(ui.painter(), previous, &fonts::body(), 140.0);
            (format!("Opened {name}"), format!("Attach to {previous} instead"))
        }
    };
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &text));
    ui.painter().add(ui.visuals().popup_shadow.as_shape(rect, theme::CARD_CORNER));
    paint::fill(ui.painter(), rect, theme::CARD_CORNER, tokens.pop);
    paint::outline(ui.painter(), rect, theme::CARD_CORNER, 1.0, tokens.line);
    let first = Rect::from_min_size(pos2(rect.left() + 12.0, rect.top() + 8.0), vec2(rect.width() - 48.0, 24.0));
    let icon = Rect::from_min_size(first.min, vec2(16.0, 24.0));
    paint::icon(ui.painter(), icon, icons::DONE, 16.0, tokens.ok);
    let room = Rect::from_min_max(pos2(first.left() + 26.0, first.top()), first.max);
    paint::name_in(ui.painter(), room, &text, fonts::medium(), tokens.text);
    let close = Rect::from_min_size(pos2(rect.right() - 32.0, rect.top() + 8.0), vec2(24.0, 24.0));
    if Button::new("Dismiss").icon(icons::CLOSE).height(24.0).show_at(ui, close, "close").clicked() {
        actions.push(Action::File(FileAction::CloseAlternative));
    }
    let mut button = Button::new(&word).word(&word).rank(Emphasis::Raised);
    if !offer.was_attached() {
        button = button.menu();
    }
    let width = button.width(ui).min(rect.width() - 24.0);
    let place = Rect::from_min_size(pos2(rect.right() - 12.0 - width, rect.bottom() - 38.0), vec2(width, 28.0));
    let response = button.show_at(ui, place, "instead");
    let is_held = ui.rect_contains_pointer(rect) || response.has_focus();
    if offer.was_attached() {
        actions.extend(response.clicked().then_some(Action::File(FileAction::OpenInstead)));
        return is_held;
    }
    let mut is_open = false;
    menu::below(&response, |ui| {
        is_open = true;
        let to = context::attach_rows(ui, offer.places());
        actions.extend(to.map(|to| Action::File(FileAction::AttachInstead(to))));
    });
    is_held || is_open
}
