//! Effects of the session, carried out with the loader, dialogs and the window.

use std::path::{Path, PathBuf};
use std::thread;

use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use super::{Application, OpenWindow, event_sender};
use crate::app::{Event, dialogs, export_worker, system};
use maquette_assets::open::{ModelAsset, Source};
use maquette_scene::session::{Action, Effect, FilePrompt, LoadAnswer, NotificationKind, OutputKind, WindowAction};

const NO_DIALOG: &str = "No file dialog available";

impl Application {
    pub(super) fn apply(&mut self, action: Action) {
        let effect = self.session.apply(action);
        effect.into_iter().for_each(|effect| self.carry_out(effect));
    }

    pub(super) fn carry_out_or_quit(&mut self, effect: Effect, event_loop: &ActiveEventLoop) {
        if matches!(effect, Effect::Quit) { event_loop.exit() } else { self.carry_out(effect) }
    }

    pub(super) fn carry_out(&mut self, effect: Effect) {
        match effect {
            Effect::Load(job) => {
                if self.session.jobs.reads_everything() && !job.replaces {
                    for (_, Source { file, .. }) in self.session.document.scene.sources() {
                        self.interface.forget_thumbnail(&file);
                        self.open.iter_mut().for_each(|open| open.thumbnails.outdated(&file));
                    }
                }
                if let Some(answer) = self.loader.load(job) {
                    // Send it as an event, because handling it may start the next load.
                    drop(self.proxy.send_event(Event::Loaded(Box::new(answer))));
                }
            }
            Effect::CancelLoads => self.loader.cancel(),
            Effect::Ask(purpose) => self.ask(purpose),
            Effect::Save { product, path, replace } => self.save(product, &path, replace),
            Effect::CopyImage => self.copy_image(),
            Effect::CopyText(text) => {
                if let Some(open) = &self.open {
                    open.egui.copy_text(text.clone());
                    self.session.apply(Action::Window(WindowAction::Copied(text)));
                }
            }
            Effect::Paste => self.open.iter_mut().for_each(OpenWindow::paste),
            Effect::CancelWork => self.worker.cancel(),
            Effect::ToggleFullScreen => {
                if let Some(open) = &self.open {
                    let full = open.window.fullscreen().is_some();
                    open.window.set_fullscreen((!full).then_some(Fullscreen::Borderless(None)));
                }
            }
            Effect::OpenGuideInBrowser => system::show_guide(event_sender(&self.proxy)),
            Effect::ReadFolder(folder) => system::list_folder(folder, event_sender(&self.proxy)),
            Effect::MeasureThumbnails | Effect::ClearThumbnails => {
                system::measure_thumbnails(matches!(effect, Effect::ClearThumbnails), event_sender(&self.proxy));
            }
            Effect::ShowInFolder(file) => system::show_in_folder(&file, event_sender(&self.proxy)),
            Effect::Quit => {}
        }
    }

    pub(super) fn changed(&mut self, path: &Path, is_own: bool) {
        let effect = if is_own { self.session.own_file_changed(path) } else { self.session.file_changed(path) };
        effect.into_iter().for_each(|effect| self.carry_out(effect));
    }

    pub(super) fn loaded(&mut self, answer: LoadAnswer) {
        if !self.session.jobs.awaits(answer.id) {
            return;
        }
        let is_complete_reload = self.session.jobs.reads_everything() && answer.result.is_ok();
        let began = answer.began;
        let entities = self.session.document.scene.entities().iter();
        let before: Vec<ModelAsset> = entities.map(|entity| entity.asset.clone()).collect();
        let effect = self.session.loaded(answer);
        // Free the old models on a thread, because this takes time.
        thread::Builder::new().name("freeing".to_owned()).spawn(move || drop(before)).ok();
        effect.into_iter().for_each(|effect| self.carry_out(effect));
        // The clips start now, so do not count the time of loading.
        self.last_frame = None;
        self.watcher.follow(&self.session.document.scene, began, is_complete_reload);
        if let Some(last) = self.session.last() {
            self.settings.keep_last(&last);
        }
    }

    fn ask(&mut self, purpose: FilePrompt) {
        if self.has_no_dialog {
            return self.ask_in_window(purpose, NO_DIALOG);
        }
        let (title, folder) = (self.session.title_of(&purpose), self.session.likely_folder(&purpose));
        let name = export_worker::file_name(&self.session, &purpose);
        let asked = dialogs::ask(purpose.clone(), title, folder, name, event_sender(&self.proxy));
        self.session.interface.awaits_dialog = asked;
        if !asked {
            // A dialog service may never answer, so offer the path field.
            self.ask_in_window(purpose, "A file dialog is already open");
        }
    }

    pub(super) fn dialog_closed(&mut self, purpose: FilePrompt, paths: Vec<PathBuf>, refusal: Option<String>) {
        self.session.interface.awaits_dialog = false;
        if let Some(reason) = refusal.filter(|_| paths.is_empty()) {
            log::info!("could not open a file dialog: {reason}");
            self.has_no_dialog = true;
            self.ask_in_window(purpose, NO_DIALOG);
        } else if let Some(action) = purpose.action(paths, true) {
            self.apply(action);
        }
    }

    fn ask_in_window(&mut self, purpose: FilePrompt, reason: &str) {
        let mut text = self.session.likely_folder(&purpose).map_or_else(String::new, |folder| {
            let mut text = folder.display().to_string();
            if !text.ends_with(std::path::is_separator) {
                text.push(std::path::MAIN_SEPARATOR);
            }
            text
        });
        if let FilePrompt::Save(_) = purpose {
            text.push_str(&export_worker::file_name(&self.session, &purpose));
        }
        self.session.ask_in_window(purpose, reason, text);
    }

    fn save(&mut self, product: OutputKind, path: &Path, replace: bool) {
        if let Some(job) = export_worker::save(&mut self.session, product, path, replace) {
            self.worker.start(job, event_sender(&self.proxy));
        }
    }

    fn copy_image(&mut self) {
        let Some(open) = &mut self.open else { return };
        let scale = open.egui.pixels_per_point();
        match self.viewport.capture(&mut open.graphics, self.session.document_view(), scale) {
            Ok(image) => {
                let (width, height) = image.dimensions();
                let size = [width as usize, height as usize];
                open.egui.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &image));
                self.session.note(NotificationKind::Done, format!("Image copied, {width} × {height}"));
            }
            Err(error) => self.session.note(NotificationKind::Failed, format!("Could not copy the image: {error}")),
        }
    }
}
