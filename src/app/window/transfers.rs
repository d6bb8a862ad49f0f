//! Drags and the clipboard on Wayland, handled as winit and egui-winit do on other systems.

use egui::{Event, Key, OutputCommand};
use winit::event::{ElementState, MouseButton, WindowEvent};

use super::OpenWindow;
use crate::app::wayland::{DataTransfers, TransferEvent};
use maquette_scene::session::{NotificationKind, Session};

impl OpenWindow {
    pub(super) fn transfer(&mut self, session: &mut Session, event: TransferEvent) {
        match event {
            TransferEvent::DragEntered(paths) => {
                self.pass_on(WindowEvent::HoveredFileCancelled);
                if paths.is_empty() {
                    // The names of the files are not known yet, or the drag has no files.
                    self.input.egui_input_mut().hovered_files.push(egui::HoveredFile::default());
                }
                paths.into_iter().for_each(|path| self.pass_on(WindowEvent::HoveredFile(path)));
            }
            TransferEvent::DragLeft => self.pass_on(WindowEvent::HoveredFileCancelled),
            TransferEvent::Dropped(files) => {
                self.pass_on(WindowEvent::HoveredFileCancelled);
                match files {
                    Ok(files) => {
                        match files.others.as_slice() {
                            [] if files.paths.is_empty() => {
                                session.note(NotificationKind::Warning, "The drop contained no files")
                            }
                            [] => {}
                            [one] => {
                                session.notify(NotificationKind::Warning, "Not a file on this computer", one.as_str())
                            }
                            [first, ..] => {
                                let headline =
                                    format!("{} dropped links are not files on this computer", files.others.len());
                                session.notify(NotificationKind::Warning, headline, format!("{first} and others"));
                            }
                        }
                        files.paths.into_iter().for_each(|path| self.pass_on(WindowEvent::DroppedFile(path)));
                    }
                    Err(error) => session.note(NotificationKind::Failed, format!("Drop failed: {error}")),
                }
            }
            TransferEvent::Pasted(text) => {
                let text = text.replace("\r\n", "\n");
                if !text.is_empty() {
                    self.input.egui_input_mut().events.push(Event::Paste(text));
                }
            }
        }
    }

    pub(super) fn paste(&mut self) {
        if let Some(transfers) = &self.transfers {
            transfers.request_text();
        } else if let Some(text) = self.input.clipboard_text() {
            self.input.egui_input_mut().events.push(Event::Paste(text));
        }
    }

    fn pass_on(&mut self, event: WindowEvent) {
        // Ignore the return value, because every event causes a frame.
        let _ = self.input.on_window_event(&self.window, &event);
    }

    /// Converts shortcuts for copying and pasting to events, as egui-winit does.
    pub(super) fn take_keys(&mut self, events: &mut Vec<Event>) {
        if self.transfers.as_ref().is_some_and(DataTransfers::has_ended) {
            self.transfers = None;
            self.input.set_clipboard_shortcuts(true);
        }
        let Some(transfers) = &self.transfers else { return };
        events.retain_mut(|event| {
            let Event::Key { key, pressed: true, modifiers, .. } = event else { return true };
            let with_command = modifiers.command_only();
            match key {
                Key::Cut => *event = Event::Cut,
                Key::X if with_command => *event = Event::Cut,
                Key::Copy => *event = Event::Copy,
                Key::C if with_command => *event = Event::Copy,
                Key::Paste => transfers.request_text(),
                Key::V if with_command => transfers.request_text(),
                _ => return true,
            }
            !matches!(event, Event::Key { .. })
        });
    }

    pub(super) fn take_commands(&self, commands: &mut Vec<OutputCommand>) {
        let Some(transfers) = &self.transfers else { return };
        commands.retain(|command| {
            match command {
                OutputCommand::CopyText(text) => transfers.copy_text(text.clone()),
                OutputCommand::CopyImage(image) => {
                    let rgba = image.pixels.iter().flat_map(|pixel| pixel.to_srgba_unmultiplied()).collect();
                    let [width, height] = image.size.map(|side| u32::try_from(side).unwrap_or(0));
                    let image = image::RgbaImage::from_raw(width, height, rgba);
                    image.into_iter().for_each(|image| transfers.copy_image(image));
                }
                _ => return true,
            }
            false
        });
    }

    /// Passes a middle click to egui at once. egui-winit would first wait for another program's selected text, although
    /// the button moves the model.
    pub(super) fn take_middle_click(&mut self, event: &WindowEvent) -> bool {
        let WindowEvent::MouseInput { state: ElementState::Pressed, button: MouseButton::Middle, .. } = event else {
            return false;
        };
        if self.egui.egui_wants_keyboard_input() {
            return false;
        }
        let (mut latest, mut modifiers) = self.egui.input(|input| (input.pointer.latest_pos(), input.modifiers));
        let events = &mut self.input.egui_input_mut().events;
        for event in events.iter() {
            match event {
                Event::PointerMoved(position) => latest = Some(*position),
                Event::ModifiersChanged(changed) => modifiers = *changed,
                _ => {}
            }
        }
        let Some(pos) = latest else { return false };
        events.push(Event::PointerButton { pos, button: egui::PointerButton::Middle, pressed: true, modifiers });
        true
    }
}

/// Splits off the events from the second press on, for later frames. egui handles one click per frame, and widgets that
/// a key opens exist only in the next frame.
pub(super) fn later_presses(events: &mut Vec<Event>) -> Vec<Event> {
    let is_press = |event: &Event| matches!(event, Event::PointerButton { pressed: true, .. });
    let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
    let first = events.iter().position(|event| is_press(event) || is_key(event));
    let second = first.and_then(|first| {
        let rest = events.get(first + 1..)?;
        Some(first + 1 + rest.iter().position(is_press)?)
    });
    let Some(mut from) = second else { return Vec::new() };
    // The pointer movement before a press belongs to the press.
    while from > 0 && matches!(events.get(from - 1), Some(Event::PointerMoved(_))) {
        from -= 1;
    }
    events.split_off(from)
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
        let mut events = [first.clone(), second.clone()].concat();
        assert_eq!(later_presses(&mut events), second);
        assert_eq!(events, first);
        assert_eq!(later_presses(&mut events), []);
        let escape = Event::Key {
            key: Key::Escape,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let mut events = [vec![escape.clone()], second.to_vec()].concat();
        assert_eq!(later_presses(&mut events), second);
        assert_eq!(events, [escape]);
    }
}
