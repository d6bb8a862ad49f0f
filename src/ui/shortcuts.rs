//! Keyboard shortcuts dialog: editable keys of all commands, and mouse gestures.

use egui::{Event, Id, Key, Role, ScrollArea, Ui};

use super::{Button, Emphasis, Row, dialog, field, icons, keys, list, paint, theme};
use maquette_scene::session::{Action, COMMANDS, Command, Group, Keymap, Navigation, Session, WindowAction};

const OWN: [(&str, &str); 3] =
    [("Orbit", "Drag"), ("Pan", "Shift+drag, or middle-drag"), ("Zoom", "Scroll, or right-drag")];
const BLENDER: [(&str, &str); 3] =
    [("Orbit", "Middle-drag"), ("Pan", "Shift+middle-drag"), ("Zoom", "Scroll, or Ctrl+middle-drag")];
const MOUSE: [(&str, &str); 13] = [
    ("Select a surface", "Click the surface"),
    ("Select several surfaces", "Ctrl+click, or Shift+click in the list"),
    ("Open a menu", "Right-click"),
    ("Centre view on point", "Double-click"),
    ("Rotate light", "Ctrl+drag"),
    ("Standard views", "Click the axis gizmo"),
    ("Scrub", "Drag the ruler; hold Shift to scrub between frames"),
    ("Play a clip", "Double-click the clip on the track"),
    ("Set or move the loop range", "Ctrl+drag the ruler"),
    ("Clear loop range", "Double-click the range"),
    ("Zoom the timeline", "Ctrl+scroll over the timeline"),
    ("Pan the timeline", "Scroll or middle-drag over the timeline"),
    ("Close dialog or clear selection", "Esc"),
];

const TAKEN: f32 = 32.0;

#[derive(Debug, Default)]
pub struct State {
    filter: String,
    open: bool,
    waiting: Option<&'static Command>,
    taken: Option<Taken>,
}

/// Message about the taken keys, and the previous keys of each command.
type Taken = (String, Vec<(&'static str, String)>);

impl State {
    /// Consumes the next key if a command waits for one. Returns whether a command waits.
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
        // Tab still moves the focus.
        if key == Key::Tab {
            return true;
        }
        self.waiting = None;
        if key != Key::Escape {
            self.taken = assign_keys(&session.preferences.keys, command, &text, actions);
        }
        true
    }
}

/// Assigns keys to a command and removes them from other commands. Returns the removed keys.
fn assign_keys(keymap: &Keymap, command: &'static Command, text: &str, actions: &mut Vec<Action>) -> Option<Taken> {
    let mut before = vec![(command.id, keymap.keys_of(command).to_owned())];
    let mut changes = Vec::new();
    let given: Vec<_> = text.split(' ').filter_map(keys::parse).collect();
    for other in COMMANDS.iter().filter(|other| other.label != command.label) {
        let own: Vec<&str> = keymap.keys_of(other).split(' ').filter(|own| !own.is_empty()).collect();
        let is_taken = |own: &&str| keys::parse(own).is_some_and(|own| given.contains(&own));
        if own.iter().any(is_taken) {
            before.push((other.id, keymap.keys_of(other).to_owned()));
            let (lost, rest): (Vec<&str>, Vec<&str>) = own.into_iter().partition(is_taken);
            let lost: Vec<String> = lost.into_iter().map(paint::first_keys).collect();
            let none = if rest.is_empty() { ", which now has no shortcut" } else { "" };
            changes.push(format!("{} was {}{none}", lost.join(" and "), other.label));
            actions.push(set_keys(other.id, rest.join(" ")));
        }
    }
    actions.push(set_keys(command.id, text.to_owned()));
    (!changes.is_empty()).then(|| (changes.join("; "), before))
}

fn taken_row(ui: &mut Ui, state: &mut State, actions: &mut Vec<Action>) {
    let Some((text, before)) = &state.taken else { return };
    let undo = [Button::new("Undo").word("Undo").rank(Emphasis::Raised).height(24.0)];
    let row = row(text).role(Role::Status).icon_in(icons::WARNING, theme::tokens(ui).warn).height(TAKEN);
    let (shown, clicked) = row.show_with(ui, "taken", &undo);
    if shown.is_cut {
        shown.response.on_hover_text(text);
    }
    if clicked.is_some() {
        let back = before.iter().map(|(id, keys)| set_keys(id, keys.clone()));
        actions.extend(back);
        state.taken = None;
    }
}

fn row(text: &str) -> Row<'_> {
    Row::label(text).inset(dialog::EDGE).margin(dialog::EDGE)
}

fn set_keys(id: &'static str, keys: String) -> Action {
    Action::Window(WindowAction::SetKeys(id, keys))
}

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) -> bool {
    dialog::show(root, "Keyboard shortcuts", 600.0, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let id = Id::unique("help filter");
        let keymap = &session.preferences.keys;
        let is_new_query = field::filter(ui, id, &mut state.filter, "Search commands and keys", dialog::EDGE);
        if !state.open {
            state.open = true;
            ui.ctx().memory_mut(|memory| memory.request_focus(id));
        }
        ui.add_space(8.0);
        let wanted = state.filter.to_lowercase();
        // Show the message below the list, so that the list does not move under the pointer.
        let foot = if state.taken.is_some() { TAKEN } else { 0.0 };
        let room = (ui.available_height() - foot).max(0.0);
        let mut rows = ScrollArea::vertical().auto_shrink([false, false]).max_height(room);
        if is_new_query {
            // Show results from the top.
            rows = rows.vertical_scroll_offset(0.0);
        }
        rows.show(ui, |ui| {
            let mut found = 0;
            for group in Group::ALL {
                let fits = |command: &&Command| {
                    command.group == *group
                        && fits(&wanted, &[group.label(), command.label, keymap.keys_of(command), command.keywords])
                };
                let mut rows = COMMANDS.iter().filter(fits).peekable();
                if rows.peek().is_some() {
                    dialog::heading(ui, group.label());
                }
                for command in rows {
                    found += 1;
                    command_row(ui, keymap, command, state, actions);
                }
            }
            let hand = if session.view.navigation == Navigation::Blender { &BLENDER } else { &OWN };
            let mouse: Vec<_> =
                hand.iter().chain(&MOUSE).filter(|(what, how)| fits(&wanted, &["Mouse", what, how])).collect();
            if !mouse.is_empty() {
                found += mouse.len();
                dialog::heading(ui, "Mouse");
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
                    ui.add_space(dialog::EDGE);
                    let all = Button::new("Reset all").word("Reset all").icon(icons::RESET);
                    if all.rank(Emphasis::Raised).show(ui).clicked() {
                        state.taken = None;
                        actions.push(Action::Window(WindowAction::ResetKeys));
                    }
                });
            }
            ui.add_space(12.0);
            list::follow_focus(ui);
        });
        taken_row(ui, state, actions);
    })
}

fn fits(wanted: &str, texts: &[&str]) -> bool {
    wanted.is_empty() || texts.iter().any(|text| text.to_lowercase().contains(wanted))
}

/// Shows a command and its keys. A click waits for a new key; it does not run the command.
fn command_row(ui: &mut Ui, keymap: &Keymap, command: &'static Command, state: &mut State, actions: &mut Vec<Action>) {
    let row = row(command.label).acts(Role::MenuItem).margin(list::EDGE);
    let (is_own, change) = (keymap.is_own(command), format!("Change shortcut of {}", command.label));
    if state.waiting.is_none_or(|waiting| waiting.id != command.id) {
        let keys = keymap.keys_of(command).split(' ').map(paint::first_keys);
        let row = if is_own { row.small_value("custom") } else { row };
        let change = [Button::new(&change).icon(icons::PENCIL).height(24.0)];
        let (shown, clicked) = keys.fold(row, Row::keys).show_with(ui, command.id, &change);
        if shown.response.clicked() || clicked.is_some() {
            state.waiting = Some(command);
        }
        return;
    }
    let buttons = ["None", "Default"].map(|word| Button::new(word).word(word).rank(Emphasis::Raised).height(24.0));
    let row = row.value("Press a key… (Esc cancels)").value_colour(theme::tokens(ui).accent);
    let buttons = buttons.get(..if is_own { 2 } else { 1 }).unwrap_or_default();
    if let (_, Some(clicked)) = row.show_with(ui, command.id, buttons) {
        state.waiting = None;
        state.taken = if clicked == 0 {
            actions.push(set_keys(command.id, String::new()));
            None
        } else {
            assign_keys(keymap, command, command.keys, actions)
        };
    }
}

fn gesture(ui: &mut Ui, what: &str, how: &str) {
    let row = row(what).spoken(format!("{what}: {how}"));
    let row = if how == "Esc" { row.keys(how.to_owned()) } else { row.value(how) };
    row.show(ui, what);
}
