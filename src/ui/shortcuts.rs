//! The sheet of keys: every command with its key, which can be changed here, and what the mouse does.

use egui::{Event, Id, Key, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis, focus_ring};
use super::theme::CORNER;
use super::{dialog, field, fonts, icons, keys, list, paint, theme};
use maquette_scene::session::{Action, COMMANDS, Command, Dialog, Group, Navigation, Session, WindowAction};

/// What the hand does to the picture.
const OWN: [(&str, &str); 3] =
    [("Orbit", "Drag"), ("Pan", "Shift+drag, or middle-drag"), ("Zoom", "Scroll, or right-drag")];
/// The same as in Blender.
const BLENDER: [(&str, &str); 3] =
    [("Orbit", "Middle-drag"), ("Pan", "Shift+middle-drag"), ("Zoom", "Scroll, or Ctrl+middle-drag")];
/// What the mouse does besides, and what Escape does.
const MOUSE: [(&str, &str); 13] = [
    ("Select a surface", "Click it"),
    ("Select several surfaces", "Ctrl+click, or Shift+click in the list"),
    ("Open a menu", "Right-click"),
    ("Centre view on point", "Double-click"),
    ("Rotate light", "Ctrl+drag"),
    ("Standard views", "Click the axis gizmo"),
    ("Scrub", "Drag the ruler; hold Shift to scrub between frames"),
    ("Play a clip", "Double-click it on the track"),
    ("Set or move the loop range", "Ctrl+drag the ruler"),
    ("Clear loop range", "Double-click it"),
    ("Zoom the timeline", "Ctrl+scroll over it"),
    ("Pan the timeline", "Scroll, or middle-drag over it"),
    ("Close dialog or clear selection", "Esc"),
];

/// Height of the line that tells what was taken from other commands.
const TAKEN: f32 = 32.0;

/// What the sheet remembers for itself.
#[derive(Debug, Default)]
pub struct State {
    filter: String,
    open: bool,
    /// The command whose next key is being waited for.
    waiting: Option<&'static Command>,
    /// What the last change took from other commands.
    taken: Option<Taken>,
}

/// Keys that were taken from other commands, in words, and the keys of each command before the change.
type Taken = (String, Vec<(&'static str, String)>);

impl State {
    /// The sheet is not shown.
    pub fn closed(&mut self) {
        *self = Self::default();
    }

    /// While a key is waited for, takes the next one that is pressed out of the input. Gives whether one is waited for.
    pub fn take(&mut self, ui: &Ui, session: &Session, actions: &mut Vec<Action>) -> bool {
        let Some(command) = self.waiting else { return false };
        let pressed = ui.input_mut(|input| {
            let mut pressed = None;
            input.events.retain(|event| {
                let Event::Key { key, pressed: true, modifiers, .. } = event else {
                    return !matches!(event, Event::Key { .. } | Event::Text(_));
                };
                let text = keys::text_of(*key, *modifiers);
                pressed = pressed.take().or(text.map(|text| (*key, text)));
                false
            });
            pressed
        });
        let Some((key, text)) = pressed else { return true };
        // Tab moves the focus.
        if key == Key::Tab {
            return true;
        }
        self.waiting = None;
        if key != Key::Escape {
            self.taken = give(session, command, &text, actions);
        }
        true
    }
}

/// Gives a command these keys, and takes them from the commands that have them. Gives what was taken.
fn give(session: &Session, command: &'static Command, text: &str, actions: &mut Vec<Action>) -> Option<Taken> {
    let keymap = &session.preferences.keys;
    let mut before = vec![(command.id, keymap.keys_of(command).to_owned())];
    let mut told = Vec::new();
    let given: Vec<_> = text.split(' ').filter_map(keys::parse).collect();
    for other in COMMANDS.iter().filter(|other| other.label != command.label) {
        let own: Vec<&str> = keymap.keys_of(other).split(' ').filter(|own| !own.is_empty()).collect();
        let is_taken = |own: &&str| keys::parse(own).is_some_and(|own| given.contains(&own));
        if own.iter().any(is_taken) {
            before.push((other.id, keymap.keys_of(other).to_owned()));
            let (lost, rest): (Vec<&str>, Vec<&str>) = own.into_iter().partition(is_taken);
            let lost: Vec<String> = lost.into_iter().map(paint::first_keys).collect();
            let none = if rest.is_empty() { ", which has no shortcut now" } else { "" };
            told.push(format!("{} was {}{none}", lost.join(" and "), other.label));
            actions.push(Action::Window(WindowAction::SetKeys(other.id, rest.join(" "))));
        }
    }
    actions.push(Action::Window(WindowAction::SetKeys(command.id, text.to_owned())));
    (!told.is_empty()).then(|| (told.join("; "), before))
}

/// A line that tells what was taken, and gives it back.
fn taken_row(ui: &mut Ui, memory: &mut State, actions: &mut Vec<Action>) {
    let Some((told, before)) = &memory.taken else { return };
    let tokens = theme::tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), TAKEN), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, told));
    let inner = rect.shrink2(vec2(16.0, 0.0));
    let button = Button::new("Undo").word("Undo").rank(Emphasis::Raised).height(24.0);
    let width = button.width(ui);
    let place = Rect::from_min_size(pos2(inner.right() - width, rect.top() + 4.0), vec2(width, 24.0));
    let icon = Rect::from_min_size(inner.min, vec2(14.0, inner.height()));
    paint::icon(ui.painter(), icon, icons::WARNING, 14.0, tokens.warn);
    let room = Rect::from_min_max(pos2(inner.left() + 22.0, inner.top()), pos2(place.left() - 8.0, inner.bottom()));
    let shown = paint::shortened(ui.painter(), told, &fonts::body(), room.width());
    paint::text_in(ui.painter(), room, &shown, fonts::body(), tokens.text);
    if shown != *told {
        response.on_hover_text(told);
    }
    if button.show_at(ui, place, "give back").clicked() {
        let back = before.iter().map(|(id, keys)| Action::Window(WindowAction::SetKeys(id, keys.clone())));
        actions.extend(back);
        memory.taken = None;
    }
}

/// Shows the sheet.
pub fn show(root: &Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let close = dialog::show(root, "Keyboard shortcuts", 600.0, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let id = Id::unique("help filter");
        let keymap = &session.preferences.keys;
        let is_new_query = field::filter(ui, id, &mut memory.filter, "Search commands and keys", 16.0);
        if !memory.open {
            memory.open = true;
            ui.ctx().memory_mut(|memory| memory.request_focus(id));
        }
        ui.add_space(8.0);
        let wanted = memory.filter.to_lowercase();
        // Below the list, which stays where it is under the pointer.
        let foot = if memory.taken.is_some() { TAKEN } else { 0.0 };
        let room = (ui.available_height() - foot).max(0.0);
        let mut rows = ScrollArea::vertical().auto_shrink([false, false]).max_height(room);
        if is_new_query {
            // What is found is seen from its top.
            rows = rows.vertical_scroll_offset(0.0);
        }
        rows.show(ui, |ui| {
            let mut found = 0;
            for group in Group::ALL {
                let fits = |command: &&Command| {
                    command.group == group
                        && fits(&wanted, &[group.label(), command.label, keymap.keys_of(command), command.keywords])
                };
                let mut rows = COMMANDS.iter().filter(fits).peekable();
                if rows.peek().is_some() {
                    heading(ui, group.label());
                }
                for command in rows {
                    found += 1;
                    command_row(ui, session, command, memory, actions);
                }
            }
            let hand = if session.view.navigation == Navigation::Blender { &BLENDER } else { &OWN };
            let mouse: Vec<_> =
                hand.iter().chain(&MOUSE).filter(|(what, how)| fits(&wanted, &["Mouse", what, how])).collect();
            if !mouse.is_empty() {
                found += mouse.len();
                heading(ui, "Mouse");
                for (what, how) in mouse {
                    gesture(ui, what, how);
                }
            }
            if found == 0 {
                gesture(ui, "No matching shortcut", "");
            }
            if keymap.has_own() {
                ui.add_space(8.0);
                ui.horizontal(|ui| {
                    ui.add_space(16.0);
                    let all = Button::new("Reset all").word("Reset all").icon(icons::RESET);
                    if all.rank(Emphasis::Raised).show(ui).clicked() {
                        memory.taken = None;
                        actions.push(Action::Window(WindowAction::ResetKeys));
                    }
                });
            }
            ui.add_space(12.0);
            list::follow_focus(ui);
        });
        taken_row(ui, memory, actions);
    });
    if close {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Help)));
    }
}

fn fits(wanted: &str, texts: &[&str]) -> bool {
    wanted.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(wanted))
}

/// A command and its keys: a click waits for another one. What it does is done where one sees it.
fn command_row(
    ui: &mut Ui,
    session: &Session,
    command: &'static Command,
    memory: &mut State,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    let keymap = &session.preferences.keys;
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::MenuItem, true, command.label));
    let over = response.hovered() || response.has_focus() || response.contains_pointer();
    if over {
        paint::fill(ui.painter(), rect.shrink2(vec2(8.0, 0.0)), CORNER, tokens.raised);
    }
    focus_ring(ui, response.has_focus(), rect.shrink2(vec2(8.0, 0.0)), 0.0);
    if response.clicked() {
        memory.waiting = Some(command);
    }
    let mut right = rect.right() - 12.0;
    let mut button = |ui: &mut Ui, button: Button<'_>, salt: &str| {
        let button = button.height(24.0);
        let place = Rect::from_min_size(pos2(right - button.width(ui), rect.top() + 1.0), vec2(button.width(ui), 24.0));
        right = place.left() - 4.0;
        button.show_at(ui, place, (salt, command.label)).clicked()
    };
    if memory.waiting.is_some_and(|waiting| waiting.id == command.id) {
        if button(ui, Button::new("None").word("None").rank(Emphasis::Raised), "none") {
            actions.push(Action::Window(WindowAction::SetKeys(command.id, String::new())));
            memory.taken = None;
            memory.waiting = None;
        }
        if keymap.is_own(command) && button(ui, Button::new("Default").word("Default").rank(Emphasis::Raised), "usual")
        {
            memory.taken = give(session, command, command.keys, actions);
            memory.waiting = None;
        }
        let words = "Press a key… (Esc cancels)";
        let room = Rect::from_min_max(rect.min, pos2(right - 4.0, rect.bottom()));
        right = paint::text_right(ui.painter(), room, words, fonts::body(), tokens.accent).left();
    } else {
        let name = format!("Change shortcut of {}", command.label);
        if button(ui, Button::new(&name).icon(icons::PENCIL), "change") {
            memory.waiting = Some(command);
        }
        for key in keymap.keys_of(command).split(' ').filter(|key| !key.is_empty()).rev() {
            right = paint::key_cap(ui, pos2(right, rect.center().y), &paint::first_keys(key)).left() - 6.0;
        }
        if keymap.is_own(command) {
            let room = Rect::from_min_max(rect.min, pos2(right - 2.0, rect.bottom()));
            right = paint::text_right(ui.painter(), room, "custom", fonts::small(), tokens.text2).left() - 6.0;
        }
    }
    let room = Rect::from_min_max(pos2(rect.left() + 16.0, rect.top()), pos2(right - 8.0, rect.bottom()));
    paint::text_in(ui.painter(), room, command.label, fonts::body(), tokens.text);
}

fn heading(ui: &mut Ui, text: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
    let room = Rect::from_min_max(pos2(rect.left() + 16.0, rect.top() + 6.0), rect.max);
    paint::text_in(ui.painter(), room, text, fonts::strong(), theme::tokens(ui).text);
}

/// What can be done with the mouse.
fn gesture(ui: &mut Ui, what: &str, how: &str) {
    let tokens = theme::tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{what}: {how}")));
    let inner = rect.shrink2(vec2(16.0, 0.0));
    if how == "Esc" {
        paint::key_cap(ui, inner.right_center(), how);
        paint::text_in(ui.painter(), inner, what, fonts::body(), tokens.text);
        return;
    }
    let right = paint::text_right(ui.painter(), inner, how, fonts::body(), tokens.text2).left();
    let room = Rect::from_min_max(inner.min, pos2(right - 8.0, inner.bottom()));
    paint::text_in(ui.painter(), room, what, fonts::body(), tokens.text);
}
