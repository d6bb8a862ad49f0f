//! Input held back for the next frames, when the widgets that it is meant for exist.

use egui::{Context, Event, Key, RawInput};

use super::keys;

/// Frames after which a field that a key opens, or the next row of a dialog, has the focus.
const PAUSES: u32 = 2;

/// Splits the input of a slow frame. egui handles one click per frame. A key that may open a text field, such as F6 or
/// Ctrl+K, takes effect after its frame, and so does a key that moves the focus in a dialog.
#[derive(Debug, Default)]
pub struct HeldInput {
    held: Vec<Event>,
    /// Number of frames that get no input.
    pauses: u32,
    frame: Option<u64>,
}

impl egui::Plugin for HeldInput {
    fn debug_name(&self) -> &'static str {
        "held input"
    }

    fn input_hook(&mut self, ctx: &Context, input: &mut RawInput) {
        // egui may lay out a frame twice.
        if self.frame.replace(ctx.cumulative_frame_nr()) == Some(ctx.cumulative_frame_nr()) {
            return;
        }
        let mut events = std::mem::take(&mut self.held);
        events.append(&mut input.events);
        let in_dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
        let is_ready = !in_dialog && ctx.text_edit_focused();
        let now = if self.pauses > 0 && !is_ready { 0 } else { first_part(&events, in_dialog) };
        self.held = events.split_off(now);
        self.pauses = if events.iter().any(|event| moves_focus(event, in_dialog)) {
            PAUSES
        } else {
            self.pauses.saturating_sub(1)
        };
        if !self.held.is_empty() {
            ctx.request_repaint();
        }
        input.events = events;
    }
}

fn is_press(event: &Event) -> bool {
    matches!(event, Event::PointerButton { pressed: true, .. })
}

fn is_key(event: &Event) -> bool {
    matches!(event, Event::Key { pressed: true, .. })
}

fn is_text(event: &Event) -> bool {
    matches!(event, Event::Text(_) | Event::Paste(_) | Event::Copy | Event::Cut | Event::Ime(_))
}

fn moves_focus(event: &Event, in_dialog: bool) -> bool {
    let Event::Key { key, pressed: true, repeat: false, modifiers, .. } = event else { return false };
    let is_step = matches!(key, Key::ArrowUp | Key::ArrowDown | Key::Tab | Key::Enter);
    modifiers.command || modifiers.ctrl || modifiers.alt || keys::is_function_key(*key) || in_dialog && is_step
}

/// Returns the number of events for one frame: up to the second press, or the first after a key that moves the focus.
fn first_part(events: &[Event], in_dialog: bool) -> usize {
    let (mut is_pressed, mut moves) = (false, false);
    let is_next = |event: &Event| {
        let is_next = is_press(event) && is_pressed || (is_key(event) || is_text(event)) && moves;
        is_pressed |= is_press(event) || is_key(event);
        moves |= moves_focus(event, in_dialog);
        is_next
    };
    let Some(next) = events.iter().position(is_next) else { return events.len() };
    // The pointer movement before a press belongs to the press.
    let before = events.iter().take(next).rev();
    next - before.take_while(|event| matches!(event, Event::PointerMoved(_))).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Modifiers, PointerButton, Pos2, pos2};

    fn press(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
    }

    #[test]
    fn second_press_is_deferred_to_next_frame() {
        let (here, there) = (pos2(1.0, 1.0), pos2(9.0, 9.0));
        let first = [Event::PointerMoved(here), press(here, true), press(here, false)];
        let second = [Event::PointerMoved(there), press(there, true), press(there, false)];
        assert_eq!(first_part(&[first.clone(), second.clone()].concat(), false), first.len());
        assert_eq!(first_part(&first, false), first.len());
        let escape = Event::Key {
            key: Key::Escape,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        assert_eq!(first_part(&[vec![escape], second.to_vec()].concat(), false), 1);
        let (modifiers, physical_key) = (Modifiers::COMMAND, None);
        let palette = Event::Key { key: Key::K, physical_key, pressed: true, repeat: false, modifiers };
        assert_eq!(first_part(&[palette, Event::Paste("walk".to_owned())], false), 1);
    }
}
