//! Toasts: recent notifications in a corner of the view. The log contains all notifications.

use std::path::Path;

use egui::{Align2, Area, AreaState, Id, Order, Rect, Role, Ui, WidgetInfo};

use super::{Button, Emphasis, card, fonts, format, icons, log, theme};
use maquette_scene::session::{
    Action, FileAction, Notification, NotificationKind, NotificationOffer, SaveAction, SceneAction, Session,
};

pub(super) const WIDTH: f32 = 336.0;
/// Corner of the view that has the cards.
pub(super) const CORNER: Align2 = Align2::RIGHT_BOTTOM;
/// Height of the controls at the top of the view.
const TOP: f32 = 36.0;
/// Maximum number of lines of a notification. Longer texts are cut, but the tooltip has the full text.
const MAX_LINES: usize = 4;
pub(super) const MARGIN: f32 = 12.0;
const TOASTS_SHOWN: usize = 3;
/// Display times in seconds, of successes and of warnings and errors.
const SECONDS: f64 = 5.0;
const SECONDS_ODD: f64 = 10.0;
/// Display time of errors with a button, in seconds.
const SECONDS_TO_ANSWER: f64 = 30.0;

#[derive(Debug, Default)]
pub struct State {
    seen: u64,
    /// Numbers of the notifications, and the times when they close.
    shown: Vec<(u64, f64)>,
}

impl State {
    /// Adds new notifications and removes expired ones.
    fn update(&mut self, session: &Session, now: f64) {
        let new = session.interface.notes.iter().filter(|note| note.number > self.seen && note.is_toast);
        self.shown.extend(new.map(|note| (note.number, now + seconds(note))));
        self.seen = session.interface.notes.last().map_or(self.seen, |note| note.number.max(self.seen));
        // A repeated notification gets a new number, so remove the old one.
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

pub fn show(root: &Ui, session: &Session, viewport: Rect, state: &mut State, actions: &mut Vec<Action>) {
    let now = root.input(|input| input.time);
    state.update(session, now);
    let width = WIDTH.min(viewport.width() - 2.0 * MARGIN);
    if state.shown.is_empty() || width < 120.0 {
        return;
    }
    let place = card_area(viewport);
    let mut edge = CORNER.pos_in_rect(&place);
    let mut closed = None;
    for (number, until) in state.shown.iter_mut().rev() {
        let Some(note) = session.interface.notes.iter().rev().find(|note| note.number == *number) else {
            continue;
        };
        let id = Id::unique(("toast", note.number));
        let known = AreaState::load(root.ctx(), id).and_then(|area| area.size).map_or(0.0, |size| size.y);
        if known > edge.y - viewport.top() {
            break;
        }
        let area = Area::new(id).order(Order::Foreground).pivot(CORNER);
        let shown = area.fixed_pos(edge).show(root.ctx(), |ui| {
            ui.set_width(width);
            toast(ui, note, actions)
        });
        let rect = shown.response.rect;
        edge.y = rect.top() - 8.0;
        let (close, held) = shown.inner;
        if held {
            *until = until.max(now + 1.0);
        }
        if close {
            closed = Some(note.number);
        }
    }
    state.shown.retain(|(number, _)| Some(*number) != closed);
    let next = state.shown.iter().map(|(_, until)| until - now).fold(f64::INFINITY, f64::min);
    if next.is_finite() {
        root.ctx().request_repaint_after_secs(next.max(0.0) as f32 + 0.01);
    }
}

pub(super) fn card_area(viewport: Rect) -> Rect {
    viewport.with_min_y(viewport.top() + TOP).shrink(MARGIN)
}

/// Shows a notification. Returns whether it was closed, and whether it stays open because the pointer is over it or it
/// has the keyboard focus.
fn toast(ui: &mut Ui, note: &Notification, actions: &mut Vec<Action>) -> (bool, bool) {
    let tokens = theme::tokens(ui);
    let (icon, colour) = log::sign(note.kind, tokens, tokens.ok);
    let (mut is_done, mut is_cut) = (false, false);
    // The name of the file keeps the toast small. The tooltip has the path.
    let file = if let Some(NotificationOffer::File(file)) = &note.offer { file.as_path() } else { Path::new("") };
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let text = if name.is_empty() { note.text.clone() } else { note.text.replace(&*file.to_string_lossy(), &name) };
    let shown = card::frame(ui).inner_margin(8).show(ui, |ui| {
        let buttons = |ui: &mut Ui| {
            is_done = Button::new("Close message").icon(icons::CLOSE).height(24.0).show(ui).clicked();
            match &note.offer {
                Some(NotificationOffer::Copy(text)) => {
                    let copies = Button::new("Copy").icon(icons::COPY).height(24.0).show(ui).clicked();
                    if copies {
                        ui.ctx().copy_text(text.clone());
                    }
                }
                Some(NotificationOffer::File(file)) => {
                    let show = Action::File(FileAction::ShowInFolder(file.clone()));
                    for (word, icon, action) in
                        [("Show in folder", icons::FOLDER_OPEN, Some(show)), ("Copy path", icons::COPY, None)]
                    {
                        let button = Button::new(word).icon(icon).height(24.0);
                        card::push_or_copy(ui, &button, action, &file.display().to_string(), actions);
                    }
                }
                _ => {}
            }
        };
        card::message(ui, icon, colour, buttons, |ui| {
            ui.spacing_mut().item_spacing.y = 2.0;
            is_cut = card::lines(ui, &format::without_options(&text), fonts::medium(), tokens.text, MAX_LINES);
            if !note.detail.is_empty() {
                is_cut |=
                    card::lines(ui, &format::without_options(&note.detail), fonts::small(), tokens.text2, MAX_LINES);
            }
        });
        is_done |= answers(ui, note, actions);
    });
    let whole = log::line(note);
    shown.response.widget_info(|| WidgetInfo::labeled(Role::Alert, true, &whole));
    let focused = ui.memory(|memory| memory.focused()).and_then(|id| ui.ctx().read_response(id));
    let is_held = ui.rect_contains_pointer(shown.response.rect)
        || focused.is_some_and(|response| response.layer_id == ui.layer_id());
    if is_cut || !name.is_empty() {
        shown.response.on_hover_text(&whole);
    }
    (is_done, is_held)
}

/// Shows the buttons of a notification. Returns whether a click also closes the notification.
fn answers(ui: &mut Ui, note: &Notification, actions: &mut Vec<Action>) -> bool {
    let (word, icon, action) = match &note.offer {
        Some(NotificationOffer::SaveElsewhere(product)) => {
            ("Choose another place", icons::FOLDER_OPEN, Action::Save(SaveAction::SaveElsewhere(*product)))
        }
        Some(NotificationOffer::Undo) => ("Undo", icons::RESET, Action::Scene(SceneAction::Undo)),
        Some(NotificationOffer::File(_) | NotificationOffer::Copy(_)) | None => return false,
    };
    let button = Button::new(word).word(word).icon(icon).rank(Emphasis::Raised);
    let mut is_clicked = false;
    card::buttons(ui, |ui| is_clicked = button.push(ui, action, actions).clicked());
    is_clicked
}
