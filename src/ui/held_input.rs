//! Input held back for the next frames, when the widgets that it is meant for exist.

use egui::{Context, Event, Key, Pos2, RawInput};

use super::keys;

/// Frames after which a field that a key opens, or the next row of a dialog, has the focus.
const PAUSES: u32 = 2;

/// Longest click in seconds, the default of egui.
const CLICK: f64 = 0.8;

/// Distance in points from which a pressed pointer drags, the default of egui.
const DRAG: f32 = 6.0;

/// Splits the input of a slow frame. egui handles one click per frame, and a drag only if press, movement and release
/// are in different frames. A key that may open a text field, such as F6 or Ctrl+K, takes effect after its frame, like a
/// key that moves the focus in a dialog. Meanwhile, only the pointer moves.
#[derive(Debug, Default)]
pub struct HeldInput {
    held: Vec<Event>,
    /// Number of frames in which only the pointer moves.
    pauses: u32,
    frame: Option<u64>,
    /// Time of the frame in seconds.
    time: f64,
    /// Position of the last press, while its button is down.
    pressed: Option<Pos2>,
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
        // egui measures a click in frames, so the duration of a slow frame must not turn it into a drag.
        let time = input.time.unwrap_or_default();
        let last = std::mem::replace(&mut self.time, time);
        ctx.options_mut(|options| options.input_options.max_click_duration = CLICK + (time - last).max(0.0));
        let mut events = std::mem::take(&mut self.held);
        events.append(&mut input.events);
        let in_dialog = ctx.memory(|memory| memory.top_modal_layer().is_some());
        let is_ready = !in_dialog && ctx.text_edit_focused();
        (events, self.held) = if self.pauses > 0 && !is_ready {
            split_moves(events)
        } else {
            let held = events.split_off(first_part(&events, in_dialog, self.pressed));
            (events, held)
        };
        self.pauses = if events.iter().any(|event| moves_focus(event, in_dialog)) {
            PAUSES
        } else {
            self.pauses.saturating_sub(1)
        };
        self.pressed = events.iter().fold(self.pressed, pressed_after);
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

/// Returns where a button was pressed that is down after `event`.
fn pressed_after(pressed: Option<Pos2>, event: &Event) -> Option<Pos2> {
    match event {
        Event::PointerButton { pos, pressed: is_down, .. } => is_down.then_some(*pos),
        _ => pressed,
    }
}

/// Returns the number of events for one frame: up to the second press, a change of the modifier keys after a click, the
/// first press after a key that moves the focus, or the movement or release of a drag. `pressed` is where a button was
/// pressed in an earlier frame.
fn first_part(events: &[Event], in_dialog: bool, mut pressed: Option<Pos2>) -> usize {
    let (mut is_clicked, mut is_pressed, mut moves) = (false, false, false);
    let mut is_dragged = false;
    let is_next = |event: &Event| {
        let is_away = |pos: &Pos2| pressed.is_some_and(|pressed| pressed.distance(*pos) > DRAG);
        match event {
            Event::PointerMoved(pos) if is_away(pos) && is_clicked => return true,
            Event::PointerMoved(pos) => is_dragged |= is_away(pos),
            Event::PointerButton { pressed: false, .. } if is_dragged => return true,
            _ => {}
        }
        pressed = pressed_after(pressed, event);
        // egui handles a click with the modifier keys at the end of the frame.
        let is_changed = matches!(event, Event::ModifiersChanged(_)) && is_clicked;
        let is_next = is_changed || is_press(event) && is_pressed || (is_key(event) || is_text(event)) && moves;
        is_clicked |= is_press(event);
        is_pressed |= is_press(event) || is_key(event);
        moves |= moves_focus(event, in_dialog);
        is_next
    };
    let Some(next) = events.iter().position(is_next) else { return events.len() };
    if events.get(next).is_some_and(|event| matches!(event, Event::PointerButton { pressed: false, .. })) {
        return next;
    }
    // The pointer movement before a press belongs to the press.
    let before = events.iter().take(next).rev();
    next - before.take_while(|event| matches!(event, Event::PointerMoved(_))).count()
}

/// Returns the movements of the pointer before the first click, and the other events.
fn split_moves(events: Vec<Event>) -> (Vec<Event>, Vec<Event>) {
    let mut is_clicked = false;
    events.into_iter().partition(|event| {
        is_clicked |= matches!(event, Event::PointerButton { .. });
        matches!(event, Event::PointerMoved(_)) && !is_clicked
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Modifiers, PointerButton, Pos2, pos2};

    fn press(pos: Pos2, pressed: bool) -> Event {
        Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
    }

    #[test]
    fn click_is_handled_before_modifier_keys_change() {
        let here = pos2(1.0, 1.0);
        let changed = Event::ModifiersChanged(Modifiers::SHIFT);
        let click = [press(here, true), press(here, false)];
        let events = [&[changed.clone()][..], &click, &[changed], &click].concat();
        assert_eq!(first_part(&events, false, None), 3);
        assert_eq!(first_part(&events[3..], false, None), 3);
    }

    #[test]
    fn press_movement_and_release_of_drag_are_in_different_frames() {
        let (here, there) = (pos2(1.0, 1.0), pos2(90.0, 9.0));
        let moved = [Event::PointerMoved(pos2(20.0, 1.0)), Event::PointerMoved(there)];
        let drag = [&[Event::PointerMoved(here), press(here, true)][..], &moved, &[press(there, false)]].concat();
        assert_eq!(first_part(&drag, false, None), 2);
        assert_eq!(first_part(&drag[2..], false, Some(here)), 2);
        assert_eq!(first_part(&drag[4..], false, Some(here)), 1);
        // A hand that trembles still clicks.
        let click = [press(here, true), Event::PointerMoved(pos2(2.0, 1.0)), press(here, false)];
        assert_eq!(first_part(&click, false, None), click.len());
    }

    #[test]
    fn pointer_moves_while_keys_and_clicks_wait() {
        let (here, there) = (pos2(1.0, 1.0), pos2(9.0, 9.0));
        let typed = Event::Text("walk".to_owned());
        let moved = Event::PointerMoved(here);
        let click = [press(here, true), press(here, false), Event::PointerMoved(there)];
        let (now, held) = split_moves([vec![typed.clone(), moved.clone()], click.to_vec()].concat());
        assert_eq!(now, [moved]);
        assert_eq!(held, [vec![typed], click.to_vec()].concat());
    }

    #[test]
    fn second_press_is_deferred_to_next_frame() {
        let (here, there) = (pos2(1.0, 1.0), pos2(9.0, 9.0));
        let first = [Event::PointerMoved(here), press(here, true), press(here, false)];
        let second = [Event::PointerMoved(there), press(there, true), press(there, false)];
        assert_eq!(first_part(&[first.clone(), second.clone()].concat(), false, None), first.len());
        assert_eq!(first_part(&first, false, None), first.len());
        let escape = Event::Key {
            key: Key::Escape,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        assert_eq!(first_part(&[vec![escape], second.to_vec()].concat(), false, None), 1);
        let (modifiers, physical_key) = (Modifiers::COMMAND, None);
        let palette = Event::Key { key: Key::K, physical_key, pressed: true, repeat: false, modifiers };
        assert_eq!(first_part(&[palette, Event::Paste("walk".to_owned())], false, None), 1);
    }
}
