//! Opens models on a thread of its own: the window goes on while files are read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{LoadError, Place, Reason};
use crate::model::Format;
use crate::scene::{self, OpenCause, OpenError, Part, is_model_file, models_below_until};

/// What is to be opened.
#[derive(Clone, Debug)]
pub enum Job {
    /// Files or folders: the first model among them, the others to go through.
    Open(Vec<PathBuf>),
    /// One of the models to go through, which stay as they are.
    Show(PathBuf),
    /// The same file again.
    Reload(PathBuf),
    /// The built-in figure.
    Sample(Format),
}

/// What came of it.
pub struct Opened {
    /// Which job, counted from 1: an answer to an older one is out of date.
    pub number: u64,
    /// The part, or why there is none.
    pub result: Result<Part, OpenError>,
    /// Model files to go through; `None` leaves the list as it is.
    pub siblings: Option<Vec<PathBuf>>,
    /// Keep camera and place.
    pub keep: bool,
    /// Several models were asked for at once.
    pub many: bool,
    /// How long it took.
    pub took: Duration,
}

/// The thread that opens models.
pub struct Loader {
    jobs: Sender<(u64, Job)>,
    /// Number of the newest job; a walk through folders for an older one is given up.
    newest: Arc<AtomicU64>,
}

impl Loader {
    /// Starts the thread; `answer` is called on it.
    pub fn start(answer: impl Fn(Opened) + Send + 'static) -> Self {
        let (jobs, waiting) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        thread::Builder::new()
            .name("loader".to_owned())
            .spawn(move || work(&waiting, &seen, &answer))
            .map_err(|error| log::error!("the loader does not run: {error}"))
            .ok();
        Self { jobs, newest }
    }

    /// Opens something; earlier jobs still waiting are dropped.
    pub fn open(&mut self, job: Job) {
        let number = self.newest.fetch_add(1, Ordering::SeqCst) + 1;
        if self.jobs.send((number, job)).is_err() {
            log::error!("the loader has stopped");
        }
    }

    /// Whether an answer is to the newest job.
    pub fn is_newest(&self, opened: &Opened) -> bool {
        opened.number == self.newest.load(Ordering::SeqCst)
    }
}

fn work(waiting: &Receiver<(u64, Job)>, newest: &AtomicU64, answer: &impl Fn(Opened)) {
    while let Ok(mut next) = waiting.recv() {
        while let Ok(newer) = waiting.try_recv() {
            next = newer;
        }
        let (number, job) = next;
        let start = Instant::now();
        // A fault of ours must not leave the window waiting for an answer that never comes.
        let stop = || newest.load(Ordering::SeqCst) != number;
        let done = catch_unwind(AssertUnwindSafe(|| perform(&job, &stop)));
        let (result, siblings, keep) = done.unwrap_or_else(|_| {
            let path = match &job {
                Job::Open(paths) => paths.first().cloned().unwrap_or_default(),
                Job::Show(path) | Job::Reload(path) => path.clone(),
                Job::Sample(_) => PathBuf::new(),
            };
            let fault = LoadError::new("", "", Place::Whole, Reason::Broken("a fault in Maquette itself".to_owned()));
            (Err(OpenError { path, cause: OpenCause::Load(Box::new(fault)) }), None, false)
        });
        // One file brings its folder along; a folder or several files were meant as a list.
        let one_file = matches!(&job, Job::Open(paths) if matches!(paths.as_slice(), [path] if !path.is_dir()));
        let many = !one_file && siblings.as_ref().is_some_and(|siblings| siblings.len() > 1);
        answer(Opened { number, result, siblings, keep, many, took: start.elapsed() });
    }
}

type Outcome = (Result<Part, OpenError>, Option<Vec<PathBuf>>, bool);

fn perform(job: &Job, stop: &dyn Fn() -> bool) -> Outcome {
    match job {
        Job::Open(paths) => open_paths(paths, stop),
        Job::Show(path) => (scene::open(path), None, false),
        Job::Reload(path) => (scene::open(path), None, true),
        Job::Sample(format) => {
            let path = PathBuf::from(scene::sample_name(*format));
            let fail = |error| OpenError { path, cause: OpenCause::Load(Box::new(error)) };
            (scene::open_sample(*format).map_err(fail), Some(Vec::new()), false)
        }
    }
}

/// One file: it is shown, its folder can be gone through. Several, or a folder: the first is shown, all can be gone
/// through.
fn open_paths(paths: &[PathBuf], stop: &dyn Fn() -> bool) -> Outcome {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    if let [file] = whole.as_slice()
        && !file.is_dir()
    {
        return (scene::open(file), Some(models_beside(file)), false);
    }
    let mut models: Vec<PathBuf> = whole
        .iter()
        .flat_map(|path| if path.is_dir() { models_below_until(path, stop) } else { vec![path.clone()] })
        .filter(|path| is_model_file(path))
        .collect();
    models.dedup();
    let Some(first) = models.first().or(whole.iter().find(|path| path.is_file())) else {
        let path = whole.first().cloned().unwrap_or_default();
        return (Err(OpenError { path, cause: OpenCause::NoModel }), None, false);
    };
    (scene::open(first), Some(models), false)
}

/// The model files in the folder of `file`, sorted, `file` among them whatever it is called.
fn models_beside(file: &Path) -> Vec<PathBuf> {
    let entries = file.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let mut models: Vec<PathBuf> =
        entries.into_iter().flatten().flatten().map(|entry| entry.path()).filter(|path| is_model_file(path)).collect();
    if !models.iter().any(|model| model == file) {
        models.push(file.to_path_buf());
    }
    models.sort();
    models
}
