//! Export thread. It works on a copy of the scene, reports progress and can be cancelled.

#![forbid(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::Event;
use super::file_watcher::WrittenFile;
use crate::output::{OutputError, OutputJob};
use maquette_scene::session::{Effect, FilePrompt, NotificationKind, OutputKind, Session};

/// Minimum time between two reports of progress.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Worker {
    thread: Option<JoinHandle<()>>,
    stop: Arc<AtomicBool>,
}

impl Worker {
    pub fn start(&mut self, job: OutputJob, send: impl Fn(Event) + Send + 'static) {
        self.end();
        self.stop = Arc::new(AtomicBool::new(false));
        let stop = Arc::clone(&self.stop);
        let work = move || {
            let (name, path) = (job.name, job.first_file());
            let mut last = Instant::now();
            let mut progress = |done, of| {
                if done == 0 || done == of || last.elapsed() >= PROGRESS_INTERVAL {
                    last = Instant::now();
                    send(Event::Progress(done, of));
                }
                !stop.load(Ordering::Relaxed)
            };
            // A panic must not end the program.
            let (kind, text) = match catch_unwind(AssertUnwindSafe(|| job.make(&mut progress))) {
                Ok(Ok(text)) => (NotificationKind::Done, text),
                Ok(Err(OutputError::Cancelled)) => {
                    (NotificationKind::Warning, format!("{name} cancelled; no file written"))
                }
                Ok(Err(error)) => (NotificationKind::Failed, format!("Not saved: {}", error.reason_at(&path))),
                Err(_) => (NotificationKind::Failed, format!("{name} not saved: internal error in Maquette")),
            };
            let file = matches!(kind, NotificationKind::Done).then(|| WrittenFile::from_path(&path));
            send(Event::Exported(kind, text, file));
        };
        match thread::Builder::new().name("work".to_owned()).spawn(work) {
            Ok(thread) => self.thread = Some(thread),
            Err(error) => log::error!("could not start the export thread: {error}"),
        }
    }

    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    pub fn finished(&mut self) {
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }

    pub fn end(&mut self) {
        self.cancel();
        self.finished();
    }
}

pub(super) fn save(session: &mut Session, product: OutputKind, path: &Path, replace: bool) -> Option<OutputJob> {
    if session.jobs.work.is_some() {
        session.note(NotificationKind::Warning, "An export is already running");
        return None;
    }
    if session.document.pending_textures().is_some() {
        session.note(NotificationKind::Warning, "Textures are still loading; try again when they are loaded");
        return None;
    }
    let job = match OutputJob::new(session, product, path) {
        Ok(job) => job,
        Err(error) => {
            session.note(NotificationKind::Failed, format!("Could not save the {}: {error}", product.noun()));
            return None;
        }
    };
    // The dialog does not know the file names of frames, so the user cannot have confirmed replacing them.
    let frames =
        product == OutputKind::Film && session.jobs.saving.film.kind == maquette_scene::session::FilmKind::Frames;
    let existing_file = job.existing_file().filter(|_| !replace || frames);
    if let Some(file) = existing_file.filter(|file| session.jobs.saving.replace.as_ref() != Some(file)) {
        session.ask_to_replace(product, file, path.display().to_string());
        return None;
    }
    if matches!(product, OutputKind::File | OutputKind::ClipList) {
        session.begin_saving(product, job.path());
    }
    session.jobs.begin_work(product, job.name, job.unit);
    Some(job)
}

pub(super) fn finish(
    session: &mut Session,
    kind: NotificationKind,
    text: String,
    file: Option<PathBuf>,
) -> Option<Effect> {
    session.end_work(kind, text, file);
    if matches!(kind, NotificationKind::Done) {
        return session.saved();
    }
    session.jobs.not_saved();
    None
}

/// Returns the suggested file name, for example `faerie-run-042.png`, `faerie-run.gif` or `faerie-clips.png`.
pub(super) fn file_name(session: &Session, purpose: &FilePrompt) -> String {
    let product = if let FilePrompt::Save(product) = purpose { *product } else { OutputKind::Image };
    let extension = match product {
        // The models go to a folder.
        OutputKind::Models => return String::new(),
        OutputKind::ClipList => return "animation.cfg".to_owned(),
        OutputKind::Film => session.jobs.saving.film.kind.extension(),
        OutputKind::Model => session.jobs.saving.model.exporter().extension,
        _ => "png",
    };
    if let (OutputKind::Texture, Some((path, _))) = (product, &session.jobs.saving.texture) {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        return format!("{}.{extension}", maquette_assets::vfs::split_extension(name).0);
    }
    if let (OutputKind::File, Some(part)) = (product, session.document.part_to_copy()) {
        return part.asset.name.clone();
    }
    let parts = session.document.scene.entities();
    if let (OutputKind::Model, [first, _, ..]) = (product, parts)
        && session.jobs.saving.model.exporter().format().is_some()
    {
        // Each part is a file with its own name.
        return format!("{}.{extension}", maquette_assets::vfs::split_extension(&first.asset.name).0);
    }
    let (Some(name), Some(track)) = (session.name(), session.document.track()) else {
        return format!("maquette.{extension}");
    };
    let clean = |text: &str| text.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "_");
    let stem = clean(maquette_assets::vfs::split_extension(name).0);
    let clip = clean(&track.clip().name);
    match product {
        OutputKind::ContactSheet => format!("{stem}-clips.{extension}"),
        OutputKind::Film if session.jobs.saving.film.turns => format!("{stem}-turn.{extension}"),
        OutputKind::Film => {
            let clips = session.document.clip_names().unwrap_or_default();
            format!("{stem}-{}.{extension}", clean(&clips.replace(" + ", "-")))
        }
        OutputKind::Image if track.has_track() => {
            let frame = track.playback.shown_frame(track.model());
            format!("{stem}-{clip}-{frame:03.0}.{extension}")
        }
        _ => format!("{stem}.{extension}"),
    }
}
