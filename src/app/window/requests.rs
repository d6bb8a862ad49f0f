//! What the session asks of the application, and what comes back: files, dialogs, pictures.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use winit::event_loop::ActiveEventLoop;
use winit::window::Fullscreen;

use super::Application;
use crate::app::dialogs::{self, Answer, Question};
use crate::app::loading::{Job, Opened, Outcome};
use crate::app::{Event, work};
use crate::scene::Source;
use crate::session::{Action, NoteKind, PathField, PathPurpose, Product, Request};

impl Application {
    /// Something on stage was saved by another program.
    pub(super) fn changed(&mut self, changed: &[PathBuf]) {
        let Some(path) = self.watcher.first_that_matters(changed) else { return };
        self.changed_file(path);
    }

    fn changed_file(&mut self, path: &Path) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if self.session.part().is_none() {
            // It was closed meanwhile.
        } else if self.session.loading.is_some() {
            // What the user is opening comes first.
            self.changed_meanwhile = Some(path.to_path_buf());
        } else if !path.exists() {
            self.session.tell(NoteKind::Warning, format!("{name} is gone from the disk"), "What was read of it stays");
        } else if !self.session.preferences.watch {
            self.session.tell(NoteKind::Done, format!("{name} has changed on disk"), "Reload reads it again");
        } else if let Some(request) = self.session.file_changed() {
            self.answer_request(request);
            self.reloads_changed = Some(name);
        }
    }

    pub(super) fn answer_or_quit(&mut self, request: Request, event_loop: &ActiveEventLoop) {
        if matches!(request, Request::Quit) { event_loop.exit() } else { self.answer_request(request) }
    }

    pub(super) fn answer_request(&mut self, request: Request) {
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

    pub(super) fn load(&mut self, job: Job) {
        let name = job.path().file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        self.session.loading = Some(name);
        self.loader.open(job);
    }

    pub(super) fn ask(&mut self, question: Question) {
        let file = self.session.part().and_then(|part| part.file.as_deref());
        // In an archive there is nothing that a dialog of the system could show.
        let folder =
            file.and_then(|file| file.ancestors().skip(1).find(|folder| folder.is_dir())).map(Path::to_path_buf);
        let answers = self.proxy.clone();
        let name = work::file_name(&self.session, &question);
        let asked = dialogs::ask(question.clone(), folder, name, move |answer| {
            drop(answers.send_event(Event::Answered(answer)))
        });
        if !asked {
            // A service that never answers must not bar the way.
            let reason = "The system’s dialog has not been answered".to_owned();
            self.session.path_field = Some(PathField { purpose: purpose(&question), reason, text: String::new() });
        }
    }

    pub(super) fn answered(&mut self, answer: Answer) {
        let purpose = purpose(&answer.question);
        match (answer.question, answer.paths) {
            (_, paths) if paths.is_empty() => {
                if let Some(reason) = answer.refusal {
                    log::info!("no file dialog: {reason}");
                    self.session.path_field = Some(PathField {
                        purpose,
                        reason: "No dialog service answered".to_owned(),
                        text: String::new(),
                    });
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
    pub(super) fn save(&mut self, product: Product, path: &Path, asked: bool) {
        if let Some(order) = work::save(&mut self.session, product, path, asked) {
            let answers = self.proxy.clone();
            // When the event loop has ended nobody waits for the answer.
            self.worker.start(order, move |event| drop(answers.send_event(event)));
        }
    }

    pub(super) fn copy_picture(&mut self) {
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

    pub(super) fn opened(&mut self, opened: Opened) {
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
                // A figure among the models one goes through does not open the panel again and again.
                let is_new_figure = cast.members.len() > 1 && listed && self.session.stage.figure.is_none();
                if opened.many || is_new_figure {
                    self.session.panels.files = true;
                }
                self.unframed = self.session.show(cast);
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
        let began = SystemTime::now().checked_sub(opened.took).unwrap_or(SystemTime::UNIX_EPOCH);
        let late = self.watcher.follow(&self.session.stage, began);
        if let Some(path) = self.changed_meanwhile.take().or(late) {
            self.changed_file(&path);
        }
        if let Some(last) = self.session.last() {
            self.settings.keep_last(&last);
        }
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
