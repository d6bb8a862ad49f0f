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
