//! What just happened, over the lower right of the picture for a few seconds; all of it is in the log too.

use std::sync::Arc;

use egui::text::{LayoutJob, TextFormat, TextWrapping};
use egui::{Area, Galley, Id, Order, Rect, Role, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis};
use super::{copy, fonts, icons, paint, theme};
use maquette_scene::session::{
    Action, FileAction, Notification, NotificationKind, NotificationOffer, SaveAction, SceneAction, Session,
};

pub(super) const WIDTH: f32 = 336.0;
/// Longer texts are cut; their tooltip has them whole.
const MAX_LINES: usize = 4;
/// Points from the left edge to the text.
const TEXT: f32 = 38.0;
const PADDING: f32 = 10.0;
/// From the edges of the picture, and between toasts.
pub(super) const MARGIN: f32 = 12.0;
/// Shown at once.
const TOASTS_SHOWN: usize = 3;
/// Seconds that they are seen; what is odd or failed, longer.
const SECONDS: f64 = 5.0;
const SECONDS_ODD: f64 = 10.0;
/// Seconds for what failed and can be mended with a button.
const SECONDS_TO_ANSWER: f64 = 30.0;

/// Which notes are being shown.
#[derive(Debug, Default)]
pub struct State {
    seen: u64,
    /// Their numbers, and until when.
    shown: Vec<(u64, f64)>,
}

impl State {
    /// Takes in the notes that came since, and lets those go whose time is over.
    fn update(&mut self, session: &Session, now: f64) {
        let new = session.interface.notes.iter().filter(|note| note.number > self.seen && note.is_toast);
        self.shown.extend(new.map(|note| (note.number, now + seconds(note))));
        self.seen = session.interface.notes.last().map_or(self.seen, |note| note.number.max(self.seen));
        // One that was told again has another number now.
        let is_last = |number| session.interface.notes.iter().any(|note| note.number == number && note.is_toast);
        self.shown.retain(|(number, until)| *until > now && is_last(*number));
        let more = self.shown.len().saturating_sub(TOASTS_SHOWN);
        self.shown.drain(..more);
    }
}

fn seconds(note: &Notification) -> f64 {
    match (note.kind, &note.offer) {
        (NotificationKind::Done, None) => SECONDS,
        (NotificationKind::Failed, Some(_)) => SECONDS_TO_ANSWER,
        _ => SECONDS_ODD,
    }
}

/// Shows them in the corner of `picture`.
pub fn show(root: &Ui, session: &Session, picture: Rect, memory: &mut State, actions: &mut Vec<Action>) {
    let now = root.input(|input| input.time);
    memory.update(session, now);
    let width = WIDTH.min(picture.width() - 2.0 * MARGIN);
    if memory.shown.is_empty() || width < 120.0 {
        return;
    }
    let mut bottom = picture.bottom() - MARGIN;
    let mut closed = None;
    for (number, until) in memory.shown.iter_mut().rev() {
        let Some(note) = session.interface.notes.iter().rev().find(|note| note.number == *number) else {
            continue;
        };
        let card = Card::new(root, note, width);
        let rect = Rect::from_min_size(pos2(picture.right() - MARGIN - width, bottom - card.size.y).round(), card.size);
        bottom = rect.top() - 8.0;
        if rect.top() < picture.top() {
            break;
        }
        let area = Area::new(Id::unique(("toast", note.number))).order(Order::Foreground).fixed_pos(rect.min);
        let (close, held) = area.show(root.ctx(), |ui| card.show(ui, note, actions)).inner;
        if held {
            *until = until.max(now + 1.0);
        }
        if close {
            closed = Some(note.number);
        }
    }
    memory.shown.retain(|(number, _)| Some(*number) != closed);
    let next = memory.shown.iter().map(|(_, until)| until - now).fold(f64::INFINITY, f64::min);
    if next.is_finite() {
        root.ctx().request_repaint_after_secs(next.max(0.0) as f32 + 0.01);
    }
}

/// A notification that is laid out.
struct Card {
    size: Vec2,
    text: Arc<Galley>,
    detail: Arc<Galley>,
}

impl Card {
    fn new(root: &Ui, note: &Notification, width: f32) -> Self {
        let tokens = theme::tokens(root);
        let cross = if matches!(note.offer, Some(NotificationOffer::Copy(_))) { 64.0 } else { 38.0 };
        let room = width - TEXT - cross;
        let lay = |text: &str, font, colour, rows| {
            let mut job = LayoutJob::single_section(text.to_owned(), TextFormat::simple(font, colour));
            job.wrap = TextWrapping { max_width: room, max_rows: rows, ..TextWrapping::default() };
            root.painter().layout_job(job)
        };
        let text = lay(&note.text, fonts::medium(), tokens.text, MAX_LINES);
        let detail = lay(&note.detail, fonts::small(), tokens.text2, MAX_LINES);
        let mut height = text.size().y;
        if !note.detail.is_empty() {
            height += 2.0 + detail.size().y;
        }
        if has_buttons(note) {
            height += 8.0 + 28.0;
        }
        Self { size: vec2(width, (height + 2.0 * PADDING).max(40.0).ceil()), text, detail }
    }

    /// Shows it. Returns whether it was closed, and whether the pointer or the keyboard holds it.
    fn show(self, ui: &mut Ui, note: &Notification, actions: &mut Vec<Action>) -> (bool, bool) {
        let tokens = theme::tokens(ui);
        let (rect, response) = ui.allocate_exact_size(self.size, Sense::hover());
        let whole = if note.detail.is_empty() { note.text.clone() } else { format!("{}. {}", note.text, note.detail) };
        response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &whole));
        let painter = ui.painter();
        painter.add(ui.visuals().popup_shadow.as_shape(rect, theme::CARD_CORNER));
        paint::fill(painter, rect, theme::CARD_CORNER, tokens.pop);
        paint::outline(painter, rect, theme::CARD_CORNER, 1.0, tokens.line);
        let (icon, colour) = match note.kind {
            NotificationKind::Done => (icons::DONE, tokens.ok),
            NotificationKind::Warning => (icons::WARNING, tokens.warn),
            NotificationKind::Failed => (icons::FAILED, tokens.error),
        };
        let is_line = self.size.y <= 40.0;
        let top = rect.top() + if is_line { (40.0 - self.text.size().y) / 2.0 } else { PADDING };
        let first = Rect::from_min_size(pos2(rect.left() + 12.0, top), vec2(16.0, self.text.size().y.min(18.0)));
        paint::icon(painter, first, icon, 16.0, colour);
        let is_cut = self.text.elided || self.detail.elided;
        let below = top + self.text.size().y + 2.0;
        painter.galley(paint::snapped(painter, pos2(rect.left() + TEXT, top)), self.text, tokens.text);
        if !note.detail.is_empty() {
            painter.galley(paint::snapped(painter, pos2(rect.left() + TEXT, below)), self.detail, tokens.text2);
        }
        let cross = Rect::from_min_size(pos2(rect.right() - 32.0, rect.top() + 8.0), vec2(24.0, 24.0));
        let close = Button::new("Close message").icon(icons::CLOSE).height(24.0).show_at(ui, cross, "close");
        let mut used = close.hovered() || close.has_focus();
        let mut is_done = close.clicked();
        if let Some(NotificationOffer::Copy(text)) = &note.offer {
            let place = cross.translate(vec2(-26.0, 0.0));
            let copy = Button::new("Copy").icon(icons::COPY).height(24.0).show_at(ui, place, "copy");
            used |= copy.hovered() || copy.has_focus();
            if copy.clicked() {
                ui.ctx().copy_text(text.clone());
            }
        }
        let mut right = rect.right() - 12.0;
        let mut button = |ui: &mut Ui, word: &str, icon: &str| {
            let button = Button::new(word).word(word).icon(icon).rank(Emphasis::Raised);
            let width = button.width(ui);
            let place = Rect::from_min_size(pos2(right - width, rect.bottom() - 38.0), vec2(width, 28.0));
            right -= width + 8.0;
            let response = button.show_at(ui, place, word);
            used |= response.hovered() || response.has_focus();
            response.clicked()
        };
        if let Some(NotificationOffer::File(file)) = &note.offer {
            if button(ui, "Copy path", icons::COPY) {
                copy::put(ui.ctx(), file.display().to_string());
            }
            if button(ui, "Show in folder", icons::FOLDER_OPEN) {
                actions.push(Action::File(FileAction::ShowInFolder(file.clone())));
            }
        }
        // A click on one of these buttons also closes the notification.
        let answer = match &note.offer {
            Some(NotificationOffer::AnotherPlace(product)) => {
                let action = Action::Save(SaveAction::SaveElsewhere(*product));
                Some(("Choose another place", icons::FOLDER_OPEN, action))
            }
            Some(NotificationOffer::Undo) => Some(("Undo", icons::RESET, Action::Scene(SceneAction::Undo))),
            _ => None,
        };
        if let Some((word, icon, action)) = answer
            && button(ui, word, icon)
        {
            actions.push(action);
            is_done = true;
        }
        let held = response.contains_pointer() || used;
        if is_cut {
            response.on_hover_text(&whole);
        }
        (is_done, held)
    }
}

/// Whether a notification has a row of buttons below its text.
fn has_buttons(note: &Notification) -> bool {
    note.offer.as_ref().is_some_and(|offer| !matches!(offer, NotificationOffer::Copy(_)))
}
