//! Queue of loads. A load reads files on the loader thread, then changes the session.
//!
//! One load runs at a time. A load that replaces the scene supersedes older loads that replace it. Other loads wait for
//! each other. Each feature builds its loads; this folder has the loads of the scene.

mod animations;
mod attach;
mod open;
mod reload;
mod texture;

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::{Document, Effect, Failure, Jobs, NotificationKind, Session};
use crate::loader::{self, LoaderContext, ModelList, ReadFiles};
use crate::scene::Entity;
use maquette_assets::material::Limits;
use maquette_assets::open::{OpenCause, OpenError, OpenOptions};

/// Final step of a load, which changes the session.
pub type SessionUpdate = Box<dyn FnOnce(&mut Session) + Send>;

/// Started load, for the loader thread.
pub type LoadJob = loader::LoadJob<SessionUpdate>;

/// Answer of the loader thread.
pub type LoadAnswer = loader::LoadAnswer<SessionUpdate>;

/// Load that waits.
pub(super) struct QueuedLoad {
    /// Path to name in messages.
    path: PathBuf,
    kind: LoadKind,
    /// Search folder or archive that the load adds.
    root: Option<PathBuf>,
    start: Start,
    report: Report,
}

/// Start of a load, which takes what the read needs from the session. `None` if nothing is left to load.
type Start = Box<dyn FnOnce(&mut Session) -> Option<ReadFiles<SessionUpdate>> + Send>;

/// Report of a failed load, with the models that it found.
type Report = Box<dyn FnOnce(&mut Session, &OpenError, Option<ModelList>) + Send>;

/// Effect of a load on the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LoadKind {
    /// Replaces the scene.
    Replace,
    /// Reads all files of the scene again. While it waits, further reloads are dropped.
    Reload,
    /// Reads all files of the scene again. While it waits, reloads are still queued.
    Reread,
    /// Changes a file in memory.
    Edit,
    /// Adds to the scene, or only shows data.
    Add,
    /// Only collects data, so the window shows no progress.
    Background,
}

impl QueuedLoad {
    /// Creates a load that adds to the scene or only shows data. `start` takes from the session what the read needs; it
    /// returns `None` if nothing is left to do. Errors appear in the error strip.
    pub fn new(
        path: PathBuf,
        start: impl FnOnce(&mut Session) -> Option<ReadFiles<SessionUpdate>> + Send + 'static,
    ) -> Self {
        let report: Report = Box::new(|session, error, _| session.fail(error));
        Self { path, kind: LoadKind::Add, root: None, start: Box::new(start), report }
    }

    /// Creates a load that needs only its path.
    pub fn of_path(
        path: PathBuf,
        read: impl FnOnce(&mut LoaderContext, PathBuf) -> Result<SessionUpdate, OpenError> + Send + 'static,
    ) -> Self {
        let own = path.clone();
        Self::new(path, move |_| Some(Box::new(move |context: &mut LoaderContext| read(context, own))))
    }

    /// Lets the load run without progress in the window.
    pub fn in_background(self) -> Self {
        Self { kind: LoadKind::Background, ..self }
    }

    /// Sets the effect on the scene.
    pub fn of_kind(self, kind: LoadKind) -> Self {
        Self { kind, ..self }
    }

    /// Sets the report of an error.
    pub fn or_else(self, report: impl FnOnce(&mut Session, &OpenError) + Send + 'static) -> Self {
        Self { report: Box::new(|session, error, _| report(session, error)), ..self }
    }
}

/// Returns the reads of a load that starts.
pub(super) fn on_loader(
    read: impl FnOnce(&mut LoaderContext) -> Result<SessionUpdate, OpenError> + Send + 'static,
) -> Option<ReadFiles<SessionUpdate>> {
    Some(Box::new(read))
}

/// Returns the result of reads, which changes the session.
pub(super) fn then_update(update: impl FnOnce(&mut Session) + Send + 'static) -> Result<SessionUpdate, OpenError> {
    Ok(Box::new(update))
}

pub(super) fn fail<T>(path: &Path, cause: OpenCause) -> Result<T, OpenError> {
    Err(OpenError { path: path.to_path_buf(), cause })
}

/// Running and waiting loads.
#[derive(Default)]
pub struct LoadQueue {
    /// Id and kind of the running load.
    running: Option<(u64, LoadKind)>,
    report: Option<Report>,
    waiting: VecDeque<QueuedLoad>,
    last_id: u64,
    /// A file of the scene that changed while a load was about to replace the scene.
    pub(super) changed: Option<PathBuf>,
}

impl LoadQueue {
    /// Whether a running or waiting load replaces the scene.
    pub fn will_replace(&self) -> bool {
        self.has(LoadKind::Replace)
    }

    fn has(&self, kind: LoadKind) -> bool {
        self.running.is_some_and(|(_, running)| running == kind) || self.is_waiting(kind)
    }

    fn is_waiting(&self, kind: LoadKind) -> bool {
        self.waiting.iter().any(|load| load.kind == kind)
    }
}

impl Document {
    /// Returns the number of decoded images and of all images; `None` if all are decoded.
    pub fn pending_textures(&self) -> Option<(usize, usize)> {
        let pending = |entity: &Entity| Some(entity.asset.pending_images.as_ref()?.queue.progress());
        self.scene.entities().iter().find_map(pending)
    }
}

impl Jobs {
    pub(super) fn forget_loads(&mut self) {
        self.loading = None;
        self.loads.running = None;
        self.loads.waiting.clear();
    }

    pub(super) fn is_editing(&self) -> bool {
        self.loads.has(LoadKind::Edit)
    }

    /// Whether the load with this id is running.
    pub fn awaits(&self, id: u64) -> bool {
        self.loads.running.is_some_and(|(running, _)| running == id)
    }

    /// Whether the running load reads all files of the scene that is shown afterwards.
    pub fn reads_everything(&self) -> bool {
        self.loads
            .running
            .is_some_and(|(_, kind)| !matches!(kind, LoadKind::Edit | LoadKind::Add | LoadKind::Background))
    }
}

impl Session {
    /// Queues a load. Returns the load that can start now.
    pub(super) fn load(&mut self, load: QueuedLoad) -> Option<Effect> {
        let loads = &mut self.jobs.loads;
        if load.kind == LoadKind::Replace {
            loads.waiting.retain(|other| other.kind != LoadKind::Replace);
            // The loader stops superseded loads; ignore their answers.
            loads.running = loads.running.filter(|(_, kind)| *kind != LoadKind::Replace);
        }
        if load.kind != LoadKind::Background {
            let verb = match load.kind {
                LoadKind::Edit => "Changing",
                LoadKind::Reload | LoadKind::Reread => "Reading",
                LoadKind::Add if self.document.shows_file(&load.path) => "Reading",
                LoadKind::Replace | LoadKind::Add | LoadKind::Background => "Opening",
            };
            let name = load.path.file_name().unwrap_or_default().to_string_lossy();
            self.jobs.loading = Some(format!("{verb} {name}…"));
        }
        self.jobs.loads.waiting.push_back(load);
        self.next_load()
    }

    fn next_load(&mut self) -> Option<Effect> {
        while self.jobs.loads.running.is_none() {
            let Some(QueuedLoad { path, kind, root, start, report }) = self.jobs.loads.waiting.pop_front() else {
                self.jobs.loading = None;
                return None;
            };
            let mut waiting = self.jobs.loads.waiting.iter();
            if kind == LoadKind::Background && waiting.all(|load| load.kind == LoadKind::Background) {
                self.jobs.loading = None;
            }
            let Some(read) = start(self) else { continue };
            let mut search_folders = self.search_folders.clone();
            root.into_iter().for_each(|root| reload::add_root(&mut search_folders, root));
            let loads = &mut self.jobs.loads;
            loads.last_id += 1;
            loads.running = Some((loads.last_id, kind));
            loads.report = Some(report);
            let (id, replaces) = (loads.last_id, kind == LoadKind::Replace);
            let options = OpenOptions {
                order: self.search_order,
                limits: Limits { memory: u64::from(self.preferences.image_memory) << 20, ..Limits::default() },
                lit_fullbrights: self.preferences.lit_fullbrights,
                player_colours: if replaces { Default::default() } else { self.player_colours },
                load: self.import,
                queue: None,
            };
            return Some(Effect::Load(LoadJob { id, search_folders, options, path, replaces, read }));
        }
        None
    }

    pub(super) fn cancel_loads(&mut self) -> Option<Effect> {
        self.jobs.loading.as_ref()?;
        self.jobs.forget_loads();
        self.interface.folder_check.stop();
        self.interface.triangle_counts.stop();
        self.stop_finding_crossings();
        let text = self.name().map_or_else(|| "Cancelled".to_owned(), |name| format!("Cancelled; {name} stays open"));
        self.log(NotificationKind::Done, text);
        // A new load also stops the running one.
        let changed = self.jobs.loads.changed.take();
        changed.and_then(|path| self.file_changed(&path)).or(Some(Effect::CancelLoads))
    }

    /// Handles the answer to a load, unless the load was cancelled. Returns the load that can start now.
    pub fn loaded(&mut self, answer: LoadAnswer) -> Option<Effect> {
        if !self.jobs.awaits(answer.id) {
            return None;
        }
        let report = self.jobs.loads.report.take();
        let mut changed = None;
        match answer.result {
            // If the update requests further loads, they are queued.
            Ok(update) => update(self),
            Err(error) => {
                if let Some(report) = report {
                    report(self, &error, answer.list);
                }
                changed = self.jobs.loads.changed.take();
            }
        }
        self.jobs.loads.running = None;
        let next = changed.and_then(|path| self.file_changed(&path)).or_else(|| self.next_load());
        next.or_else(|| self.start_due_lint())
    }

    /// Applies images that were decoded after their models were shown. Returns a lint load if the lint view is out of
    /// date.
    pub fn images_decoded(&mut self) -> Option<Effect> {
        self.document.history.finish_pending_images();
        if !self.document.scene.finish_pending_images() {
            return None;
        }
        self.document.update_issues();
        // Findings about a model without its images may have changed.
        let profile = self.interface.lint.as_ref()?.profile;
        if self.is_linted_for(profile) { self.load_lint(profile, QueuedLoad::in_background) } else { None }
    }

    pub(super) fn target_removed(&mut self) {
        self.document.update_issues();
        self.notify_of_model(NotificationKind::Warning, "The target part was removed", "");
    }

    /// Shows an error for a file that could not be opened. The scene does not change.
    pub fn fail(&mut self, error: &OpenError) {
        let advice = self.name().map_or(String::new(), |name| format!("{name} stays open"));
        let title = format!("Could not open {}", error.name());
        self.log(NotificationKind::Failed, format!("{title}: {}", error.reason()));
        let is_damaged = matches!(error.cause, OpenCause::Damaged(_));
        let (message, file) = (error.reason(), error.path.clone());
        let has_bytes = !matches!(error.cause, OpenCause::Read(_) | OpenCause::NoModel);
        let has_no_model = matches!(error.cause, OpenCause::NoModel);
        self.interface.failure = Some(Failure { title, message, advice, file, is_damaged, has_bytes, has_no_model });
    }
}
