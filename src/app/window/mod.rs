//! Window: receives events from winit and draws frames. Without changes it draws nothing.

#![forbid(unsafe_code)]

mod desktop;
mod effects;
mod icon;
mod persistence;
mod transfers;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Theme, Window, WindowId};

use super::Event;
use super::export_worker::Worker;
use super::file_watcher::{WatchEvent, Watcher};
use super::graphics::{Graphics, Presented};
use super::preview::Previewer;
use super::settings::Settings;
#[cfg(target_os = "linux")]
use super::single_instance::{self, Instance};
use super::viewport::ViewportRenderer;
use super::wayland::DataTransfers;
use crate::output::{ThumbnailError, Thumbnails};
use crate::render::GpuError;
use crate::ui;
use maquette_assets::open::FIRST_SAMPLE;
use maquette_scene::loader::Loader;
use maquette_scene::session::{
    Action, Effect, FileAction, NotificationKind, Session, SessionUpdate, WindowAction, WindowState,
};

/// Time between frames while something is animated, for 60 frames per second.
const FRAME: Duration = Duration::from_micros(16_667);
/// Maximum time step of the animation. A longer pause (a dragged window, a sleeping machine) counts as this step, so
/// that clips do not jump.
const PAUSE_STEP: Duration = Duration::from_millis(250);
/// Ratio of the pause after a frame of an animation to the time of the frame, while other threads draw with the CPU.
const YIELD_FACTOR: u32 = 4;
/// Number of frames drawn after a change: a panel needs one frame to measure its size, and one to apply it.
const SETTLING_FRAMES: u32 = 3;
/// Maximum number of successive attempts to present a frame. Afterwards the next event tries again.
const PRESENT_TRIES: u32 = 120;
/// Maximum number of attempts to replace a lost device.
const DEVICE_TRIES: u32 = 3;
/// Time without a device loss after which losses are counted from 1 again.
const LOSS_RESET_TIME: Duration = Duration::from_secs(60);

pub(super) struct Application {
    proxy: EventLoopProxy<Event>,
    first_paths: Vec<PathBuf>,
    session: Session,
    loader: Loader<SessionUpdate>,
    settings: Settings,
    reported_save_error: Option<(String, PathBuf)>,
    watcher: Watcher,
    #[cfg(target_os = "linux")]
    instance: Option<Instance>,
    interface: ui::Ui,
    viewport: ViewportRenderer,
    open: Option<OpenWindow>,
    last_frame: Option<Instant>,
    next_frame: Option<Instant>,
    /// Time from which the animation may move on.
    motion_due: Instant,
    frames_to_settle: u32,
    has_unsaved_settings: bool,
    failed_presents: u32,
    /// Whether no model is open. Caches are then dropped.
    is_idle: bool,
    worker: Worker,
    previewer: Previewer,
    /// Whether the system failed to show a file dialog. Paths are then typed without asking the system again.
    has_no_dialog: bool,
    reported_gpu_error: Option<GpuError>,
    losses: u32,
    last_loss: Option<Instant>,
    outcome: Result<(), String>,
}

struct OpenWindow {
    /// Thumbnail thread. It is dropped first, because it draws with the same device.
    thumbnails: Thumbnails,
    /// Drags and the clipboard on Wayland. They use the window's connection, so they are dropped before the window.
    transfers: Option<DataTransfers>,
    window: Arc<Window>,
    frame_theme: Option<Theme>,
    egui: egui::Context,
    input: egui_winit::State,
    has_screen_reader: bool,
    graphics: Graphics,
}

/// Returns a function that sends events to the window.
fn event_sender(proxy: &EventLoopProxy<Event>) -> impl Fn(Event) + Send + 'static + use<> {
    let proxy = proxy.clone();
    move |event| drop(proxy.send_event(event))
}

impl Application {
    pub(super) fn new(proxy: EventLoopProxy<Event>, first_paths: Vec<PathBuf>, roots: Vec<PathBuf>) -> Self {
        let (loaded, images, watched) = (event_sender(&proxy), event_sender(&proxy), event_sender(&proxy));
        let loader =
            Loader::start(move |answer| loaded(Event::Loaded(Box::new(answer))), move || images(Event::ImagesDecoded));
        let (settings, problems) = Settings::of_user();
        let mut session = Session::default();
        session.apply_preferences(settings.preferences().clone());
        session.last_session = settings.last().cloned();
        session.search_folders = roots;
        problems.into_iter().for_each(|error| session.note(NotificationKind::Warning, error));
        let watcher = Watcher::start(move |event| watched(Event::Watched(event)));
        session.view.moves.eased = !session.preferences.reduced_motion;
        Self {
            proxy,
            first_paths,
            session,
            settings,
            reported_save_error: None,
            loader,
            watcher,
            #[cfg(target_os = "linux")]
            instance: None,
            interface: ui::Ui::default(),
            viewport: ViewportRenderer::default(),
            open: None,
            last_frame: None,
            next_frame: None,
            motion_due: Instant::now(),
            frames_to_settle: 0,
            has_unsaved_settings: false,
            failed_presents: 0,
            is_idle: true,
            worker: Worker::default(),
            previewer: Previewer::default(),
            has_no_dialog: false,
            reported_gpu_error: None,
            losses: 0,
            last_loss: None,
            outcome: Ok(()),
        }
    }

    pub(super) fn into_outcome(self) -> Result<(), String> {
        self.outcome
    }

    fn open_window(&mut self, event_loop: &ActiveEventLoop) -> Result<OpenWindow, String> {
        let size = self.session.preferences.window;
        let (width, height) = size.map_or((1280.0, 800.0), |window| (window.width, window.height));
        let [max_width, max_height] = desktop_size(event_loop);
        let (width, height) = (width.min(max_width), height.min(max_height));
        let attributes = Window::default_attributes()
            .with_title("Maquette")
            .with_inner_size(winit::dpi::LogicalSize::new(width, height))
            .with_maximized(size.is_some_and(|window| window.maximized))
            .with_min_inner_size(winit::dpi::LogicalSize::new(480.0, 360.0))
            .with_window_icon(icon::icon())
            // The screen reader adapter must be created before the window becomes visible.
            .with_visible(false);
        let attributes = desktop::named(attributes);
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| format!("could not open a window: {error}"))?);
        let send = event_sender(&self.proxy);
        let transfers = DataTransfers::start(event_loop, &window, move |event| send(Event::Transfer(event)));
        let opened = self.set_up_window(event_loop, window, transfers, None, false)?;
        opened.window.set_visible(true);
        Ok(opened)
    }

    /// Creates the graphics and the interface of a window. After a device loss, `screen_reader` is the adapter of the
    /// previous interface.
    fn set_up_window(
        &mut self,
        event_loop: &ActiveEventLoop,
        window: Arc<Window>,
        transfers: Option<DataTransfers>,
        screen_reader: Option<egui_winit::accesskit_winit::Adapter>,
        has_screen_reader: bool,
    ) -> Result<OpenWindow, String> {
        let graphics = Graphics::new(event_loop, &window).map_err(|error| error.to_string())?;
        self.session.interface.graphics = graphics.gpu.description();
        log::info!("drawing with {}", self.session.interface.graphics);
        let egui = egui::Context::default();
        ui::install(&egui);
        egui.add_font_provider(crate::app::system_fonts::provider());
        let longest = usize::try_from(graphics.gpu.longest_side()).ok();
        let scale = egui_winit::pixels_per_point(&egui, &window);
        let viewport = egui::ViewportId::ROOT;
        let mut input =
            egui_winit::State::new(egui.clone(), viewport, event_loop, Some(scale), window.theme(), longest);
        match screen_reader {
            // The adapter cannot be created again while the window is visible.
            Some(screen_reader) => input.accesskit = Some(screen_reader),
            None => input.init_accesskit(event_loop, &window, self.proxy.clone()),
        }
        if has_screen_reader {
            egui.enable_accesskit();
        }
        input.set_clipboard_shortcuts(transfers.is_none());
        self.viewport.forget();
        self.interface.forget_images();
        let send = event_sender(&self.proxy);
        let answer = move |path, made| send(Event::Thumbnail(path, Box::new(made)));
        let thumbnails = Thumbnails::start(self.loader.images(), answer);
        Ok(OpenWindow { thumbnails, transfers, window, frame_theme: None, egui, input, has_screen_reader, graphics })
    }

    #[cfg(target_os = "linux")]
    fn listen_for_later_starts(&mut self) {
        let Some(socket) = single_instance::socket() else { return };
        let answers = self.proxy.clone();
        match Instance::listen(&socket, move |paths| answers.send_event(Event::StartedAgain(paths)).is_ok()) {
            Ok(instance) => self.instance = Some(instance),
            Err(error) => log::info!(
                "could not listen for later requests; models opened later appear in separate windows: {error}"
            ),
        }
    }

    fn open_first(&mut self) {
        let paths = std::mem::take(&mut self.first_paths);
        let preferences = &self.session.preferences;
        let action = if !paths.is_empty() {
            Action::File(FileAction::Open(paths))
        } else if preferences.restore && self.session.last_session.is_some() {
            Action::File(FileAction::RestoreLast)
        } else if preferences.recent.is_empty() {
            Action::File(FileAction::OpenSample(FIRST_SAMPLE))
        } else {
            // Load nothing, because the start screen offers the recent files.
            return;
        };
        self.apply(action);
    }

    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let start = Instant::now();
        let is_due = start >= self.motion_due || !self.yields();
        if is_due {
            let passed = self.last_frame.map_or(Duration::ZERO, |last| start.duration_since(last)).min(PAUSE_STEP);
            self.session.advance(passed.as_secs_f64());
        }
        self.session.refresh();
        let Some((mut output, feedback, actions)) = self.run_panels() else { return };
        let laid_out = start.elapsed();
        let has_acted = !actions.is_empty();
        let effects: Vec<Effect> = actions.into_iter().filter_map(|action| self.session.apply(action)).collect();
        self.session.refresh();
        self.watcher.follow_changed_scene(&self.session.document.scene);
        let has_more = self.draw_viewport(&feedback);
        self.drop_unused_caches();
        let Some(open) = &mut self.open else { return };
        match self.previewer.update(&self.session, event_sender(&self.proxy)) {
            Some(is_outdated) => self.interface.outdate_preview(is_outdated),
            None => self.interface.set_preview(&open.egui, None),
        }
        let drawn = start.elapsed();
        let shapes = open.egui.tessellate(output.shapes, output.pixels_per_point);
        open.window.pre_present_notify();
        let presented = open.graphics.present(&shapes, &output.textures_delta, output.pixels_per_point);
        output.textures_delta.clear();
        let (all, is_model) = (start.elapsed(), self.viewport.is_drawn());
        log::debug!(
            "frame of {:.1} ms: panels {:.1}, scene {:.1}, presenting {:.1}; {}",
            all.as_secs_f64() * 1e3,
            laid_out.as_secs_f64() * 1e3,
            (drawn - laid_out).as_secs_f64() * 1e3,
            (all - drawn).as_secs_f64() * 1e3,
            if is_model { "with a model" } else { "without a model" },
        );
        if has_acted {
            self.frames_to_settle = SETTLING_FRAMES;
        }
        // Save after a dragged panel is released, not during the drag.
        self.has_unsaved_settings |= self.frames_to_settle > 0;
        if self.has_unsaved_settings && !self.is_pointer_down() {
            self.has_unsaved_settings = false;
            self.save_settings();
        }
        let root = output.viewport_output.get(&egui::ViewportId::ROOT);
        let delay = root.map_or(Duration::MAX, |output| output.repaint_delay);
        self.schedule_next_frame(start, is_due, delay, has_more, presented);
        self.update_title_and_theme();
        for effect in effects {
            self.carry_out_or_quit(effect, event_loop);
        }
        self.check_device(event_loop);
    }

    /// Lays out the panels. Returns their shapes, their feedback and the user's actions.
    fn run_panels(&mut self) -> Option<(egui::FullOutput, ui::ViewportFeedback, Vec<Action>)> {
        let open = self.open.as_mut()?;
        let mut input = open.input.take_egui_input(&open.window);
        open.take_keys(&mut input.events);
        // The panels draw these labels over the viewport.
        self.viewport.lay_out_labels(self.session.document_view());
        let mut actions = Vec::new();
        let mut feedback = None;
        let image = ui::ViewportImage { texture: Some(open.graphics.texture), labels: self.viewport.labels() };
        let mut output = open.egui.run_ui(input, |root| {
            // egui may lay out twice. Only the actions of the last pass count.
            actions.clear();
            feedback = Some(self.interface.show(root, &self.session, &image, &mut actions));
        });
        open.take_commands(&mut output.platform_output.commands);
        open.input.handle_platform_output(&open.window, std::mem::take(&mut output.platform_output));
        Some((output, feedback?, actions))
    }

    /// Draws the viewport, and requests thumbnails. Returns whether the next frame can show more.
    fn draw_viewport(&mut self, feedback: &ui::ViewportFeedback) -> bool {
        let is_at_rest = !self.session.is_moving() && !self.is_pointer_down();
        let Some(open) = &mut self.open else { return false };
        self.session.update_window_state(WindowState {
            viewport: feedback.size_in_pixels(),
            pixels_per_point: feedback.pixels_per_point,
            aspect: feedback.aspect(),
            timeline: feedback.timeline,
            longest_side: open.graphics.gpu.longest_side(),
            theme: feedback.theme,
            is_used: feedback.is_used,
        });
        let is_reading = self.session.jobs.loading.is_some() || self.session.document.pending_textures().is_some();
        open.thumbnails.request(feedback.wanted.clone(), is_reading, !is_at_rest);
        self.viewport.draw(
            &mut open.graphics,
            self.session.document_view(),
            feedback.size_in_pixels(),
            feedback.pixels_per_point,
            is_at_rest,
        )
    }

    /// Drops caches once after the last model is closed.
    fn drop_unused_caches(&mut self) {
        let is_idle = self.session.document.scene.entities().is_empty();
        if is_idle && !self.is_idle {
            self.loader.drop_caches();
            self.open.iter_mut().for_each(|open| open.thumbnails.release_device());
            self.interface.free_caches();
        }
        self.is_idle = is_idle;
    }

    fn is_pointer_down(&self) -> bool {
        self.open.as_ref().is_some_and(|open| open.egui.input(|input| input.pointer.any_down()))
    }

    /// Returns whether the animation leaves most of the time to exports, previews and thumbnails, because the CPU
    /// draws.
    fn yields(&self) -> bool {
        let Some(open) = &self.open else { return false };
        let is_working =
            || self.session.jobs.work.is_some() || self.previewer.is_busy() || open.thumbnails.is_working();
        open.graphics.gpu.is_software() && is_working()
    }

    /// Schedules the next frame. `is_due`: whether the animation moved on. `delay` is the time until egui draws again.
    fn schedule_next_frame(
        &mut self,
        start: Instant,
        is_due: bool,
        delay: Duration,
        has_more: bool,
        presented: Presented,
    ) {
        self.frames_to_settle = self.frames_to_settle.saturating_sub(1);
        self.failed_presents = if presented == Presented::Again { self.failed_presents + 1 } else { 0 };
        let is_playing = self.session.is_moving();
        let has_failed = (1..PRESENT_TRIES).contains(&self.failed_presents);
        if is_due {
            let pause = if self.yields() { start.elapsed() * (YIELD_FACTOR + 1) } else { FRAME };
            self.motion_due = start + pause;
        }
        let moves = (is_playing || has_more).then(|| self.motion_due.max(start + FRAME));
        let moves = if self.frames_to_settle > 0 || has_failed { Some(start + FRAME) } else { moves };
        self.next_frame = earliest(start, moves, delay).filter(|_| presented != Presented::Hidden);
        self.last_frame = if is_due { Some(start) } else { self.last_frame }.filter(|_| is_playing);
    }

    /// Reports errors of the graphics device, and replaces a lost device.
    fn check_device(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = &self.open else { return };
        let is_lost = open.graphics.gpu.is_lost();
        if let Some(gpu_error) = open.graphics.gpu.take_error() {
            // Report the error once, because it may recur in every frame. Device losses are reported below.
            if !is_lost && self.reported_gpu_error.as_ref() != Some(&gpu_error) {
                self.session.note(NotificationKind::Failed, format!("Drawing failed: {gpu_error}"));
                self.reported_gpu_error = Some(gpu_error);
            }
        }
        if !is_lost {
            return;
        }
        // Losses that are far apart (a laptop that sleeps) do not mean that the device is broken.
        let again = self.last_loss.is_some_and(|last| last.elapsed() < LOSS_RESET_TIME);
        self.losses = if again { self.losses + 1 } else { 1 };
        self.last_loss = Some(Instant::now());
        let Some(mut open) = self.open.take() else { return };
        let (screen_reader, has_screen_reader) = (open.input.accesskit.take(), open.has_screen_reader);
        let (window, transfers) = (open.window, open.transfers);
        drop(open.thumbnails);
        drop((open.graphics, open.input, open.egui));
        if self.losses > DEVICE_TRIES {
            self.end(event_loop, "the graphics device was lost repeatedly".to_owned());
            return;
        }
        match self.set_up_window(event_loop, window, transfers, screen_reader, has_screen_reader) {
            Ok(open) => {
                self.reported_gpu_error = None;
                self.session.notify(
                    NotificationKind::Warning,
                    "The graphics device was lost",
                    "The device was reopened; the model stays open",
                );
                open.window.request_redraw();
                self.open = Some(open);
            }
            Err(error) => self.end(event_loop, error),
        }
    }

    /// Shuts down after a panic in a library of the display or the driver. Saves the settings and leaks the window,
    /// which can no longer be used.
    pub(super) fn abandon(mut self) {
        self.save_state();
        std::mem::forget(self.open.take());
    }

    fn save_state(&mut self) {
        self.worker.end();
        self.save_settings();
        if let Some(last) = self.session.last().or(self.session.last_session.take()) {
            self.settings.keep_last(&last);
        }
    }

    fn end(&mut self, event_loop: &ActiveEventLoop, error: String) {
        self.outcome = Err(error);
        event_loop.exit();
    }

    fn update_title_and_theme(&mut self) {
        let Some(open) = &mut self.open else { return };
        let theme = desktop::frame_theme(self.session.interface.theme, self.session.view.display.theme);
        if open.frame_theme != theme {
            open.frame_theme = theme;
            open.window.set_theme(theme);
        }
        let title = match self.session.starred_name() {
            Some(name) => format!("{name} – Maquette"),
            None => "Maquette".to_owned(),
        };
        if open.window.title() != title {
            open.window.set_title(&title);
        }
    }

    fn redraw(&self) {
        if let Some(open) = &self.open {
            open.window.request_redraw();
        }
    }
}

impl ApplicationHandler<Event> for Application {
    fn new_events(&mut self, _event_loop: &ActiveEventLoop, cause: StartCause) {
        if matches!(cause, StartCause::ResumeTimeReached { .. }) {
            self.next_frame = None;
            self.redraw();
        }
    }

    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.open.is_some() {
            return;
        }
        // Start loading before creating the window, because both take time.
        self.open_first();
        match self.open_window(event_loop) {
            Ok(open) => {
                open.window.request_redraw();
                self.open = Some(open);
                #[cfg(target_os = "linux")]
                self.listen_for_later_starts();
            }
            Err(error) => self.end(event_loop, error),
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: Event) {
        self.frames_to_settle = match event {
            Event::Progress(..) | Event::Thumbnail(..) | Event::Preview(_) | Event::Transfer(_) => {
                self.frames_to_settle
            }
            Event::Accessibility(_) | Event::Watched(WatchEvent::Models(_)) => self.frames_to_settle,
            Event::ThumbnailCache { cleared: false, .. } => self.frames_to_settle,
            _ => SETTLING_FRAMES,
        };
        match event {
            Event::Loaded(answer) => self.loaded(*answer),
            Event::ImagesDecoded => {
                let effect = self.session.images_decoded();
                effect.into_iter().for_each(|effect| self.carry_out(effect));
            }
            Event::Watched(WatchEvent::Changed(file, reading)) => {
                if let Some((path, is_own)) = self.watcher.is_new(file, reading) {
                    self.changed(&path, is_own);
                }
            }
            Event::Watched(WatchEvent::Models(models)) => self.session.models_found(&models),
            #[cfg(target_os = "linux")]
            Event::StartedAgain(paths) => {
                if let Some(open) = &self.open {
                    open.window.set_minimized(false);
                    open.window.focus_window();
                }
                self.apply(Action::File(FileAction::Open(paths)));
            }
            Event::DialogClosed { purpose, paths, refusal } => self.dialog_closed(purpose, paths, refusal),
            Event::Thumbnail(path, made) => {
                let Some(open) = &mut self.open else { return };
                open.thumbnails.received(&path, &made);
                match &*made {
                    Err(ThumbnailError::Gpu(_)) => {}
                    Err(ThumbnailError::Model(error)) => {
                        self.interface.add_thumbnail(&open.egui, path, Err(error.to_string()));
                    }
                    Ok(made) => self.interface.add_thumbnail(&open.egui, path, Ok(made)),
                }
            }
            Event::Progress(done, of) => self.session.jobs.report_progress(done, of),
            Event::Exported(kind, text, file) => {
                self.worker.finished();
                // If an export overwrote a shown file, that file is reloaded like any changed file.
                let saves = self.session.jobs.saves_changes();
                let written = file.as_ref().map(|file| file.path().to_path_buf());
                let own = file.filter(|file| saves || !self.session.document.shows_file(file.path()));
                own.into_iter().for_each(|file| self.watcher.wrote(file));
                let effect = super::export_worker::finish(&mut self.session, kind, text, written);
                effect.into_iter().for_each(|effect| self.carry_out_or_quit(effect, event_loop));
            }
            Event::Preview(preview) => {
                self.previewer.received();
                let Some(open) = &self.open else { return };
                self.interface.set_preview(&open.egui, Some(&preview));
                let outdated = self.previewer.update(&self.session, event_sender(&self.proxy));
                self.interface.outdate_preview(outdated.unwrap_or(false));
            }
            Event::FolderListed(listing) => self.session.interface.folder_listed(listing),
            Event::ThumbnailCache { bytes, cleared: false } => self.session.interface.thumbnails_on_disk = Some(bytes),
            Event::ThumbnailCache { bytes, cleared: true } => self.session.thumbnails_cleared(bytes),
            Event::NotOpened(text, address) => self.session.notify_path(NotificationKind::Warning, text, address),
            Event::Transfer(event) => {
                let Some(open) = &mut self.open else { return };
                open.transfer(&mut self.session, event);
            }
            Event::Accessibility(event) => {
                use egui_winit::accesskit_winit::WindowEvent as Accessibility;
                let Some(open) = &mut self.open else { return };
                open.has_screen_reader = !matches!(event.window_event, Accessibility::AccessibilityDeactivated);
                match event.window_event {
                    Accessibility::InitialTreeRequested => open.egui.enable_accesskit(),
                    Accessibility::ActionRequested(request) => open.input.on_accesskit_action_request(request),
                    Accessibility::AccessibilityDeactivated => open.egui.disable_accesskit(),
                }
            }
        }
        self.redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _window: WindowId, event: WindowEvent) {
        match event {
            WindowEvent::CloseRequested => {
                // The session first asks about unsaved changes.
                let effect = self.session.apply(Action::Window(WindowAction::Quit));
                effect.into_iter().for_each(|effect| self.carry_out_or_quit(effect, event_loop));
                self.redraw();
                return;
            }
            WindowEvent::RedrawRequested => {
                self.frame(event_loop);
                return;
            }
            _ => {}
        }
        let Some(open) = &mut self.open else { return };
        let resized = matches!(event, WindowEvent::Resized(_));
        if let WindowEvent::Resized(size) = event {
            open.graphics.resize(size.width, size.height);
        }
        let repaint = open.take_middle_click(&event) || open.input.on_window_event(&open.window, &event).repaint;
        if repaint {
            open.window.request_redraw();
        }
        if resized {
            self.store_size();
            self.frames_to_settle = self.frames_to_settle.max(1);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(self.next_frame.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        self.save_state();
        // After this, a later start opens its own window.
        #[cfg(target_os = "linux")]
        drop(self.instance.take());
        // Drop the surface before its window.
        self.open = None;
    }
}

/// Returns the time of the next frame: when the scene moves on, or after the delay that egui asks for.
fn earliest(start: Instant, moves: Option<Instant>, delay: Duration) -> Option<Instant> {
    let least = if moves.is_some() { FRAME } else { Duration::ZERO };
    let asked = start.checked_add(delay.max(least)).filter(|_| delay < Duration::from_secs(3600));
    moves.into_iter().chain(asked).min()
}

/// Returns the total size of all monitors. A larger window would only waste memory.
fn desktop_size(event_loop: &ActiveEventLoop) -> [f32; 2] {
    let sizes = event_loop.available_monitors().map(|monitor| monitor.size().to_logical::<f32>(monitor.scale_factor()));
    let all = sizes.fold([0.0, 0.0], |[width, height], size| [width + size.width, height + size.height]);
    all.map(|size| if size > 0.0 { size } else { f32::INFINITY })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interface_does_not_wait_for_yielding_playback() {
        let start = Instant::now();
        let [soon, late] = [30, 400].map(Duration::from_millis);
        assert_eq!(earliest(start, Some(start + late), soon), Some(start + soon));
        assert_eq!(earliest(start, Some(start + soon), late), Some(start + soon));
        assert_eq!(earliest(start, Some(start + late), Duration::MAX), Some(start + late));
        assert_eq!(earliest(start, None, Duration::MAX), None);
    }
}
