//! What just happened, over the lower right of the picture for a few seconds; all of it is in the log too.

use egui::{Align2, Area, Id, Order, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::Button;
use super::{fonts, icons, paint, theme};
use maquette_scene::session::{Notification, NotificationKind, Session};

pub(super) const WIDTH: f32 = 304.0;
/// From the edges of the picture, and between toasts.
pub(super) const MARGIN: f32 = 12.0;
/// Shown at once.
const TOASTS_SHOWN: usize = 3;
/// Seconds that they are seen; what is odd or failed, longer.
const SECONDS: f64 = 5.0;
const SECONDS_ODD: f64 = 10.0;

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
        self.shown.extend(new.map(|note| (note.number, now + seconds(note.kind))));
        self.seen = session.interface.notes.last().map_or(self.seen, |note| note.number.max(self.seen));
        // One that was told again has another number now.
        let is_last = |number| session.interface.notes.iter().any(|note| note.number == number && note.is_toast);
        self.shown.retain(|(number, until)| *until > now && is_last(*number));
        let more = self.shown.len().saturating_sub(TOASTS_SHOWN);
        self.shown.drain(..more);
    }
}

fn seconds(kind: NotificationKind) -> f64 {
    if kind == NotificationKind::Done { SECONDS } else { SECONDS_ODD }
}

/// Shows them in the corner of `picture`.
pub fn show(root: &Ui, session: &Session, picture: Rect, memory: &mut State) {
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
        let height = if note.detail.is_empty() { 40.0 } else { 54.0 };
        let rect = Rect::from_min_size(pos2(picture.right() - MARGIN - width, bottom - height), vec2(width, height));
        bottom = rect.top() - 8.0;
        if rect.top() < picture.top() {
            break;
        }
        let area = Area::new(Id::unique(("toast", note.number))).order(Order::Foreground).fixed_pos(rect.min.round());
        let (close, held) = area.show(root.ctx(), |ui| card(ui, rect.size(), note)).inner;
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

/// One of them. Gives whether it was closed, and whether the pointer holds it.
fn card(ui: &mut Ui, size: egui::Vec2, note: &Notification) -> (bool, bool) {
    let tokens = theme::tokens(ui);
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
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
    let buttons = if note.copy.is_some() { 64.0 } else { 38.0 };
    let line = |top: f32, height: f32| {
        Rect::from_min_max(
            pos2(rect.left() + 38.0, rect.top() + top),
            pos2(rect.right() - buttons, rect.top() + top + height),
        )
    };
    let first = line(if note.detail.is_empty() { 11.0 } else { 9.0 }, 18.0);
    let place = Rect::from_min_size(pos2(rect.left() + 12.0, first.top()), vec2(16.0, 18.0));
    paint::icon(painter, place, icon, 16.0, colour);
    let short = paint::shortened(painter, &note.text, &fonts::medium(), first.width());
    paint::text_in(painter, first, &short, fonts::medium(), tokens.text);
    let below = paint::shortened(painter, &note.detail, &fonts::small(), first.width());
    paint::text_in(painter, line(27.0, 16.0), &below, fonts::small(), tokens.text2);
    let cross = Align2::RIGHT_CENTER.align_size_within_rect(vec2(24.0, 24.0), rect.shrink2(vec2(8.0, 0.0)));
    let close = Button::new("Close message").icon(icons::CLOSE).height(24.0).show_at(ui, cross, "close");
    let mut used = close.hovered() || close.has_focus();
    if let Some(text) = &note.copy {
        let place = cross.translate(vec2(-26.0, 0.0));
        let copy = Button::new("Copy").icon(icons::COPY).height(24.0).show_at(ui, place, "copy");
        used |= copy.hovered() || copy.has_focus();
        if copy.clicked() {
            ui.ctx().copy_text(text.clone());
        }
    }
    let held = response.contains_pointer() || used;
    if short != note.text || below != note.detail {
        response.on_hover_text(&whole);
    }
    (close.clicked(), held)
}
