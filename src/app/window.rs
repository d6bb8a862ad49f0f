//! The window itself: winit's events in, frames out. Nothing moves → nothing is drawn.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::{Fullscreen, Icon, Window, WindowId};

use super::dialogs::{self, Answer, Question};
use super::graphics::{Graphics, Presented};
use super::loading::{Job, Loader, Opened, Outcome};
use super::picture::Picture;
use super::settings::Settings;
use super::thumbnails::Thumbnails;
use super::watching::Watcher;
use super::work::Worker;
use super::{AppError, Event};
use crate::model::Format;
use crate::scene::Source;
use crate::session::{Action, NoteKind, Panel, PathField, PathPurpose, Product, Request, Session, WindowPreferences};
use crate::ui;

/// Between frames while something plays: 60 a second.
const FRAME: Duration = Duration::from_micros(16_667);
/// A longer pause (a dragged window, a sleeping machine) counts as this, so that a clip does not leap.
const LONGEST_STEP: Duration = Duration::from_millis(250);
/// Frames drawn after something new came: a panel needs one to learn its size, and one to take it.
const SETTLING: u32 = 3;
/// Frames tried in a row while none reaches the screen; then the next event tries again.
const MOST_UNSEEN: u32 = 120;
/// Devices tried anew after losses, before giving up.
const MOST_LOSSES: u32 = 3;
/// Losses farther apart than this are counted anew.
const LOSSES_APART: Duration = Duration::from_secs(60);

/// The program while its window is open.
pub(super) struct Application {
    proxy: EventLoopProxy<Event>,
    first_paths: Vec<PathBuf>,
    session: Session,
    loader: Loader,
    settings: Settings,
    watcher: Watcher,
    /// The changed file because of which files are being read again.
    reloads_changed: Option<String>,
    interface: ui::Ui,
    picture: Picture,
    open: Option<OpenWindow>,
    last_frame: Option<Instant>,
    next_frame: Option<Instant>,
    unsettled: u32,
    /// Frames in a row that did not reach the screen.
    unseen: u32,
    /// A part was put on stage and has not yet been framed for the picture's real sides.
    unframed: bool,
    worker: Worker,
    losses: u32,
    last_loss: Option<Instant>,
    fate: Result<(), AppError>,
}

/// What exists only while there is a window.
struct OpenWindow {
    /// Its thread draws with the same device, so it ends first.
    thumbnails: Thumbnails,
    window: Arc<Window>,
    egui: egui::Context,
    input: egui_winit::State,
    graphics: Graphics,
}

impl Application {
    pub(super) fn new(proxy: EventLoopProxy<Event>, first_paths: Vec<PathBuf>, roots: Vec<PathBuf>) -> Self {
        let answers = proxy.clone();
        // When the event loop has ended nobody waits for the answer.
        let loader = Loader::start(roots, move |opened| drop(answers.send_event(Event::Opened(Box::new(opened)))));
        let (settings, troubles) = Settings::of_user();
        let mut session = Session::default();
        session.recall(settings.preferences().clone());
        session.last_session = settings.last().cloned();
        troubles.into_iter().for_each(|trouble| session.note(NoteKind::Warning, trouble));
        let answers = proxy.clone();
        let watcher = Watcher::start(move |changed| drop(answers.send_event(Event::Changed(changed))));
        session.moves.eased = !session.preferences.reduced_motion;
        Self {
            proxy,
            first_paths,
            session,
            settings,
            loader,
            watcher,
            reloads_changed: None,
            interface: ui::Ui::default(),
            picture: Picture::default(),
            open: None,
            last_frame: None,
            next_frame: None,
            unsettled: 0,
            unseen: 0,
            unframed: false,
            worker: Worker::default(),
            losses: 0,
            last_loss: None,
            fate: Ok(()),
        }
    }

    /// How it ended.
    pub(super) fn fate(self) -> Result<(), AppError> {
        self.fate
    }

    fn open_window(&mut self, event_loop: &ActiveEventLoop) -> Result<OpenWindow, AppError> {
        let size = self.session.preferences.window;
        let (width, height) = size.map_or((1280.0, 800.0), |window| (window.width, window.height));
        let attributes = Window::default_attributes()
            .with_title("Maquette")
            .with_inner_size(winit::dpi::LogicalSize::new(width, height))
            .with_maximized(size.is_some_and(|window| window.maximized))
            .with_min_inner_size(winit::dpi::LogicalSize::new(480.0, 360.0))
            .with_window_icon(icon())
            // A screen reader must be told of the window before it is seen.
            .with_visible(false);
        let window = event_loop.create_window(attributes);
        let window = Arc::new(window.map_err(|error| AppError(format!("no window can be opened: {error}")))?);
        let opened = self.furnish(event_loop, window)?;
        opened.window.set_visible(true);
        Ok(opened)
    }

    /// A device and an interface for a window: at the start, and again when the device was lost.
    fn furnish(&mut self, event_loop: &ActiveEventLoop, window: Arc<Window>) -> Result<OpenWindow, AppError> {
        let graphics = Graphics::new(event_loop, &window).map_err(|error| AppError(error.to_string()))?;
        log::info!("drawing with {}", graphics.gpu.description());
        let egui = egui::Context::default();
        ui::install(&egui);
        let longest = usize::try_from(graphics.gpu.longest_side()).ok();
        let scale = egui_winit::pixels_per_point(&egui, &window);
        let viewport = egui::ViewportId::ROOT;
        let mut input =
            egui_winit::State::new(egui.clone(), viewport, event_loop, Some(scale), window.theme(), longest);
        input.init_accesskit(event_loop, &window, self.proxy.clone());
        self.picture.forget();
        self.interface.forget_pictures();
        let answers = self.proxy.clone();
        let answer = move |made| drop(answers.send_event(Event::Thumbnail(Box::new(made))));
        let thumbnails = Thumbnails::start(answer);
        Ok(OpenWindow { thumbnails, window, egui, input, graphics })
    }

    fn open_first(&mut self) {
        let paths = std::mem::take(&mut self.first_paths);
        let preferences = &self.session.preferences;
        if paths.is_empty() && !preferences.hints_seen {
            self.session.panels.sheet = Some(Panel::Hints);
        }
        let action = if !paths.is_empty() {
            Action::Open(paths)
        } else if preferences.restore && self.session.last_session.is_some() {
            Action::RestoreLast
        } else if preferences.recent.is_empty() {
            Action::OpenSample(Format::Md5)
        } else {
            // The empty stage offers what was opened before.
            return;
        };
        if let Some(request) = self.session.apply(action) {
            self.answer_request(request);
        }
    }

    /// One frame: time passes, panels are laid out, actions are done, the picture is drawn and all is shown.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        let now = Instant::now();
        let passed = self.last_frame.map_or(Duration::ZERO, |last| now.duration_since(last)).min(LONGEST_STEP);
        self.session.advance(passed.as_secs_f64());
        self.session.refresh();
        let Some(open) = &mut self.open else { return };

        let input = open.input.take_egui_input(&open.window);
        // The names stand where the picture of this frame will have their places.
        self.picture.name(&self.session);
        let mut actions = Vec::new();
        let mut place = None;
        let shown = ui::ViewportPicture { texture: Some(open.graphics.texture), labels: self.picture.labels() };
        let mut output = open.egui.run_ui(input, |root| {
            // egui may lay out twice; only the last pass counts.
            actions.clear();
            place = Some(self.interface.show(root, &self.session, &shown, &mut actions));
        });
        open.input.handle_platform_output(&open.window, output.platform_output);

        let acted = !actions.is_empty();
        let requests: Vec<Request> = actions.into_iter().filter_map(|action| self.session.apply(action)).collect();
        self.session.refresh();
        let busy = open.egui.input(|input| input.pointer.any_down());
        let calm = !self.session.is_moving() && !busy;
        if let Some(place) = place {
            self.session.aspect = place.aspect();
            self.session.timeline.room = place.timeline;
            self.session.saving.seen = place.size_in_pixels();
            self.session.saving.seen_scale = place.pixels_per_point;
            self.session.saving.longest = open.graphics.gpu.longest_side();
            if self.unframed && place.size_in_pixels().iter().all(|side| *side > 0) {
                self.unframed = false;
                self.session.frame_model();
            }
            self.session.display.tone = place.tone;
            open.thumbnails.want(place.wanted.clone(), self.session.loading.is_some(), !calm);
            self.picture.draw(&mut open.graphics, &self.session, place.size_in_pixels(), place.pixels_per_point, calm);
        }
        let shapes = open.egui.tessellate(output.shapes, output.pixels_per_point);
        open.window.pre_present_notify();
        let presented = open.graphics.present(&shapes, &output.textures_delta, output.pixels_per_point);
        output.textures_delta.clear();

        let delay =
            output.viewport_output.get(&egui::ViewportId::ROOT).map_or(Duration::MAX, |output| output.repaint_delay);
        if acted {
            self.unsettled = SETTLING;
        }
        if !busy && (acted || self.unsettled > 0) {
            self.keep_settings();
        }
        self.unsettled = self.unsettled.saturating_sub(1);
        self.unseen = if presented == Presented::Again { self.unseen + 1 } else { 0 };
        let playing = self.session.is_moving();
        let soon = if self.unsettled > 0 || playing || (1..MOST_UNSEEN).contains(&self.unseen) {
            Some(now + FRAME)
        } else {
            now.checked_add(delay).filter(|_| delay < Duration::from_secs(3600))
        };
        self.next_frame = soon.filter(|_| presented != Presented::Hidden);
        self.last_frame = playing.then_some(now);
        self.title();
        for request in requests {
            self.answer_or_quit(request, event_loop);
        }
        self.mend(event_loop);
    }

    /// Remembers what is to be remembered, if it is something else than before.
    fn keep_settings(&mut self) {
        let trouble = self.settings.keep(&self.session.remembered());
        if let Some(trouble) = trouble {
            self.session.note(NoteKind::Warning, trouble);
        }
    }

    /// Remembers how large the window is.
    fn keep_size(&mut self) {
        let Some(open) = &self.open else { return };
        let maximized = open.window.is_maximized();
        let size = open.window.inner_size().to_logical::<f32>(open.window.scale_factor());
        if open.window.fullscreen().is_some() || size.width < 1.0 {
            return;
        }
        let before = self.session.preferences.window;
        let now = WindowPreferences { width: size.width, height: size.height, maximized };
        // A maximized window gives back the size it had.
        let kept = before.filter(|_| maximized).map_or(now, |before| WindowPreferences { maximized, ..before });
        self.session.preferences.window = Some(kept);
    }

    /// Something on stage was saved by another program.
    fn changed(&mut self, changed: &[PathBuf]) {
        let Some(path) = self.watcher.first_that_matters(changed) else { return };
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if !path.exists() {
            self.session.tell(NoteKind::Warning, format!("{name} is gone from the disk"), "What was read of it stays");
        } else if !self.session.preferences.watch {
            self.session.tell(NoteKind::Done, format!("{name} has changed on disk"), "Reload reads it again");
        } else if let Some(request) = self.session.file_changed() {
            self.answer_request(request);
            self.reloads_changed = Some(name);
        }
    }

    /// A lost device is replaced, a refused command is told.
    fn mend(&mut self, event_loop: &ActiveEventLoop) {
        let Some(open) = &self.open else { return };
        if let Some(trouble) = open.graphics.gpu.take_trouble() {
            self.session.note(NoteKind::Failed, trouble);
        }
        if !open.graphics.gpu.is_lost() {
            return;
        }
        // Losses far apart (a laptop that sleeps) are no sign that the device is beyond help.
        let again = self.last_loss.is_some_and(|last| last.elapsed() < LOSSES_APART);
        self.losses = if again { self.losses + 1 } else { 1 };
        self.last_loss = Some(Instant::now());
        let Some(open) = self.open.take() else { return };
        let window = open.window;
        drop(open.thumbnails);
        drop((open.graphics, open.input, open.egui));
        if self.losses > MOST_LOSSES {
            self.end(event_loop, AppError("the graphics device was lost again and again".to_owned()));
            return;
        }
        match self.furnish(event_loop, window) {
            Ok(open) => {
                self.session.note(NoteKind::Warning, "The graphics device was lost and opened anew");
                open.window.request_redraw();
                self.open = Some(open);
            }
            Err(error) => self.end(event_loop, error),
        }
    }

    fn end(&mut self, event_loop: &ActiveEventLoop, error: AppError) {
        self.fate = Err(error);
        event_loop.exit();
    }

    fn title(&self) {
        let Some(open) = &self.open else { return };
        let title = match self.session.name() {
            Some(name) => format!("{name} – Maquette"),
            None => "Maquette".to_owned(),
        };
        if open.window.title() != title {
            open.window.set_title(&title);
        }
    }

    fn answer_or_quit(&mut self, request: Request, event_loop: &ActiveEventLoop) {
        if matches!(request, Request::Quit) { event_loop.exit() } else { self.answer_request(request) }
    }

    fn answer_request(&mut self, request: Request) {
        self.reloads_changed = None;
        match request {
            Request::CancelLoading => self.loader.cancel(),
            Request::OpenGuide => match (guide(), &self.open) {
                (Some(guide), Some(open)) => {
                    open.egui.open_url(egui::OpenUrl::new_tab(format!("file://{}", guide.display())));
                }
                _ => self.session.tell(
                    NoteKind::Warning,
                    "The user guide is not here",
                    "It is docs/guide.md of Maquette",
                ),
            },
            Request::Open(paths) => self.load(Job::Open(paths)),
            Request::Show(path) => self.load(Job::Show(path)),
            Request::Reload(files) => {
                for Source { file: path, .. } in &files {
                    self.interface.forget_thumbnail(path);
                    self.open.iter_mut().for_each(|open| open.thumbnails.outdated(path));
                }
                self.load(Job::Reload(files));
            }
            Request::OpenSample(format) => self.load(Job::Sample(format)),
            Request::Attach(path, to) => self.load(Job::Attach(path, to)),
            Request::Animate(actor, part, paths) => self.load(Job::Animate(actor, part, paths)),
            Request::TryPicture(actor, surface, path) => self.load(Job::TryPicture(actor, surface, path)),
            Request::TrySkin(parts, path) => self.load(Job::TrySkin(parts, path)),
            Request::PickAttachment(to) => self.ask(Question::Attachment(to)),
            Request::PickPicture => self.ask(Question::Texture),
            Request::PickRoot => self.ask(Question::Root),
            Request::AddRoot(root, files) => self.load(Job::AddRoot(root, files)),
            Request::PickFiles => self.ask(Question::Files),
            Request::PickFolder => self.ask(Question::Folder),
            Request::AskWhere(product) => {
                let film = self.session.saving.film.kind.extension();
                self.ask(Question::Save(product, if product == Product::Film { film } else { "png" }));
            }
            Request::SaveTo(product, path) => self.save(product, &path, false),
            Request::CopyPicture => self.copy_picture(),
            Request::CancelWork => self.worker.cancel(),
            Request::ToggleFullScreen => {
                if let Some(open) = &self.open {
                    let full = open.window.fullscreen().is_some();
                    open.window.set_fullscreen((!full).then_some(Fullscreen::Borderless(None)));
                }
            }
            Request::Quit => {}
        }
    }

    fn load(&mut self, job: Job) {
        let name = job.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.session.loading = Some(name);
        self.loader.open(job);
    }

    fn ask(&mut self, question: Question) {
        let file = self.session.part().and_then(|part| part.file.as_deref());
        // In an archive there is nothing that a dialog of the system could show.
        let folder =
            file.and_then(|file| file.ancestors().skip(1).find(|folder| folder.is_dir())).map(Path::to_path_buf);
        let answers = self.proxy.clone();
        let name = super::work::file_name(&self.session, &question);
        let asked = dialogs::ask(question.clone(), folder, name, move |answer| {
            drop(answers.send_event(Event::Answered(answer)))
        });
        if !asked {
            // A service that never answers must not bar the way.
            let reason = "The system’s dialog has not been answered".to_owned();
            self.session.path_field = Some(PathField { purpose: purpose(&question), reason });
        }
    }

    fn answered(&mut self, answer: Answer) {
        let purpose = purpose(&answer.question);
        match (answer.question, answer.paths) {
            (_, paths) if paths.is_empty() => {
                if let Some(reason) = answer.refusal {
                    log::info!("no file dialog: {reason}");
                    self.session.path_field =
                        Some(PathField { purpose, reason: "No dialog service answered".to_owned() });
                }
            }
            (Question::Save(product, _), paths) => {
                paths.first().into_iter().for_each(|path| self.save(product, path, true));
            }
            (Question::Files | Question::Folder, paths) => self.answer_request(Request::Open(paths)),
            (Question::Attachment(to), paths) => {
                paths.into_iter().take(1).for_each(|path| self.answer_request(Request::Attach(path, to.clone())));
            }
            (Question::Root, paths) => {
                for path in paths.into_iter().take(1) {
                    if let Some(request) = self.session.apply(Action::AddRoot(path)) {
                        self.answer_request(request);
                    }
                }
            }
            (Question::Texture, paths) => {
                for path in paths.into_iter().take(1) {
                    if let Some(request) = self.session.apply(Action::TryPicture(path)) {
                        self.answer_request(request);
                    }
                }
            }
        }
    }

    /// Lets another thread make something. `asked`: a dialog has told of a file that is there already.
    fn save(&mut self, product: Product, path: &Path, asked: bool) {
        if let Some(order) = super::work::save(&mut self.session, product, path, asked) {
            let answers = self.proxy.clone();
            // When the event loop has ended nobody waits for the answer.
            self.worker.start(order, move |event| drop(answers.send_event(event)));
        }
    }

    fn copy_picture(&mut self) {
        let Some(open) = &mut self.open else { return };
        let scale = open.egui.pixels_per_point();
        match self.picture.take(&mut open.graphics, &self.session, scale) {
            Ok(image) => {
                let (width, height) = image.dimensions();
                let size = [width as usize, height as usize];
                open.egui.copy_image(egui::ColorImage::from_rgba_unmultiplied(size, &image));
                self.session.note(NoteKind::Done, format!("Picture copied, {width} × {height}"));
            }
            Err(error) => self.session.note(NoteKind::Failed, format!("The picture was not copied: {error}")),
        }
    }

    fn opened(&mut self, opened: Opened) {
        if !self.loader.is_newest(&opened) {
            return;
        }
        let took = opened.took.as_secs_f64() * 1000.0;
        let listed = opened.siblings.is_some();
        if let Some(siblings) = opened.siblings {
            self.session.set_siblings(siblings);
        }
        if let (Ok(_), Some(asked)) = (&opened.result, &opened.asked) {
            self.session.preferences.opened(asked);
        }
        match opened.result {
            Ok(Outcome::Cast(cast)) => {
                self.unframed = true;
                // A figure among the models one goes through does not open the panel again and again.
                let is_new_figure = cast.members.len() > 1 && listed && self.session.stage.figure.is_none();
                if opened.many || is_new_figure {
                    self.session.panels.files = true;
                }
                self.session.show(cast);
                let name = self.session.name().unwrap_or_default().to_owned();
                self.session.note(NoteKind::Done, format!("{name} opened in {took:.0} ms"));
                // Reading took its time; the clips start now.
                self.last_frame = None;
            }
            Ok(Outcome::Parts(parts)) => {
                let names: Vec<&str> = parts.iter().map(|(_, part)| part.name.as_str()).collect();
                let text = match names.as_slice() {
                    [] => "Searched first from now on".to_owned(),
                    names => format!("{} read in {took:.0} ms", names.join(", ")),
                };
                self.session.replace(parts);
                match self.reloads_changed.take() {
                    Some(name) => {
                        self.session.tell(
                            NoteKind::Done,
                            format!("{name} reloaded"),
                            "Changed on disk; camera and frame kept",
                        );
                    }
                    None => self.session.note(NoteKind::Done, text),
                }
            }
            Ok(Outcome::Skins(parts)) => self.session.wear_new(parts),
            Ok(Outcome::Animated(actor, part, refused)) => self.session.play_new(actor, part, &refused),
            Ok(Outcome::Members(members, to)) => self.session.attach(members, &to),
            Ok(Outcome::Look(actor, surface, look)) => {
                self.session.try_on(actor, surface, &look);
                self.session.note(NoteKind::Done, format!("{} is tried on", look.name));
            }
            Err(error) => self.session.fail(&error),
        }
        self.watcher.follow(&self.session.stage);
        if let Some(last) = self.session.last() {
            self.settings.keep_last(&last);
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
        // Reading begins before the window is made: both take their time.
        self.open_first();
        match self.open_window(event_loop) {
            Ok(open) => {
                open.window.request_redraw();
                self.open = Some(open);
            }
            Err(error) => self.end(event_loop, error),
        }
    }

    fn user_event(&mut self, _event_loop: &ActiveEventLoop, event: Event) {
        match event {
            Event::Opened(opened) => {
                self.opened(*opened);
                self.unsettled = SETTLING;
            }
            Event::Changed(changed) => {
                self.changed(&changed);
                self.unsettled = SETTLING;
            }
            Event::Answered(answer) => {
                self.answered(answer);
                self.unsettled = SETTLING;
            }
            Event::Thumbnail(made) => {
                let Some(open) = &mut self.open else { return };
                open.thumbnails.received(&made);
                self.interface.add_thumbnail(&open.egui, made.path, made.thumbnail.as_ref());
            }
            Event::Progress(done, of) => {
                if let Some(work) = &mut self.session.work {
                    (work.done, work.of) = (done, of);
                }
            }
            Event::Worked(outcome) => {
                self.worker.finished();
                super::work::tell(&mut self.session, outcome);
            }
            Event::Accessibility(event) => {
                use egui_winit::accesskit_winit::WindowEvent as Accessibility;
                let Some(open) = &mut self.open else { return };
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
                self.answer_or_quit(Request::Quit, event_loop);
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
        let response = open.input.on_window_event(&open.window, &event);
        if response.repaint {
            open.window.request_redraw();
        }
        if resized {
            self.keep_size();
            self.unsettled = self.unsettled.max(1);
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        event_loop.set_control_flow(self.next_frame.map_or(ControlFlow::Wait, ControlFlow::WaitUntil));
    }

    fn exiting(&mut self, _event_loop: &ActiveEventLoop) {
        self.worker.end();
        self.keep_settings();
        if let Some(last) = self.session.last() {
            self.settings.keep_last(&last);
        }
        // The surface goes before its window.
        self.open = None;
    }
}

/// The user guide, beside the program or in the folder it was built in.
fn guide() -> Option<PathBuf> {
    let program = std::env::current_exe().ok()?;
    let places = ["docs/guide.md", "share/doc/maquette/guide.md"];
    let found = |folder: &Path| places.iter().map(|place| folder.join(place)).find(|place| place.is_file());
    program.ancestors().skip(1).find_map(found)
}

fn purpose(question: &Question) -> PathPurpose {
    match question {
        Question::Files | Question::Folder => PathPurpose::Open,
        Question::Attachment(to) => PathPurpose::Attach(to.clone()),
        Question::Texture => PathPurpose::TryPicture,
        Question::Root => PathPurpose::AddRoot,
        Question::Save(product, _) => PathPurpose::Save(*product),
    }
}

/// The window's icon: a lump of clay on its stand, drawn here so that no decoder is asked before the window is there.
fn icon() -> Option<Icon> {
    const SIDE: u32 = 64;
    let disc = |x: f32, y: f32, cx: f32, cy: f32, rx: f32, ry: f32| {
        let distance = ((x - cx) / rx).hypot((y - cy) / ry);
        ((1.0 - distance) * rx.min(ry) + 0.5).clamp(0.0, 1.0)
    };
    let mut rgba = Vec::with_capacity((SIDE * SIDE * 4) as usize);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
            let stand = disc(x, y, 32.0, 52.0, 22.0, 7.0);
            let body = disc(x, y, 32.0, 34.0, 14.0, 18.0).max(disc(x, y, 32.0, 14.0, 9.0, 9.5));
            let light = 0.72 + 0.28 * ((40.0 - x) / 30.0).clamp(-1.0, 1.0) + 0.1 * ((20.0 - y) / 40.0);
            let mix = |stand_value: f32, body_value: f32| {
                let value = stand_value * (1.0 - body) + body_value * light * body;
                value.clamp(0.0, 255.0) as u8
            };
            let alpha = (stand.max(body) * 255.0) as u8;
            rgba.extend([mix(70.0, 240.0), mix(72.0, 147.0), mix(77.0, 90.0), alpha]);
        }
    }
    Icon::from_rgba(rgba, SIDE, SIDE).ok()
}
