//! Opens models on a thread of its own: the window goes on while files are read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{LoadError, Place, Reason};
use crate::material::{Depth, SurfaceLook};
use crate::model::Format;
use crate::scene::{
    self, ActorId, Attachment, Cast, Member, OpenCause, OpenError, Opener, Part, is_model_file, models_below_until,
    models_beside,
};
use crate::vfs::{self, is_archive_name};

/// What is to be opened.
#[derive(Clone, Debug)]
pub enum Job {
    /// Files, folders or archives: the first model among them, the others to go through.
    Open(Vec<PathBuf>),
    /// One of the models to go through, which stay as they are; with the figure it is a part of.
    Show(PathBuf),
    /// Exactly this model.
    ShowAlone(PathBuf),
    /// The same files again.
    Reload(Vec<(ActorId, PathBuf)>),
    /// The built-in figure.
    Sample(Format),
    /// A model to be hung here.
    Attach(PathBuf, Attachment),
    /// Animations for the mesh of a part.
    Animate(ActorId, Box<Part>, Vec<PathBuf>),
    /// A picture for one surface of a part, or for all of them.
    TryPicture(ActorId, Option<usize>, PathBuf),
    /// A skin for the first of these parts whose surfaces it names.
    TrySkin(Vec<(ActorId, Part)>, PathBuf),
}

impl Job {
    /// The file it is about, for messages.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Open(paths) | Self::Animate(_, _, paths) => paths.first().cloned().unwrap_or_default(),
            Self::Reload(files) => files.first().map(|(_, path)| path.clone()).unwrap_or_default(),
            Self::Sample(format) => PathBuf::from(scene::sample_name(*format)),
            Self::Show(path)
            | Self::ShowAlone(path)
            | Self::Attach(path, _)
            | Self::TryPicture(_, _, path)
            | Self::TrySkin(_, path) => path.clone(),
        }
    }
}

/// What came of a job.
pub enum Outcome {
    /// A new cast, with the models to go through; `None` leaves that list as it is.
    Cast(Cast, Option<Vec<PathBuf>>),
    /// Newer states of parts.
    Parts(Vec<(ActorId, Part)>),
    /// A part with a further skin, to be worn.
    Skin(ActorId, Part),
    /// Models to be hung here.
    Members(Vec<Member>, Attachment),
    /// A picture to be tried on.
    Look(ActorId, Option<usize>, SurfaceLook),
}

/// What came of it.
pub struct Opened {
    /// Which job, counted from 1: an answer to an older one is out of date.
    pub number: u64,
    /// What came of it, or why nothing did.
    pub result: Result<Outcome, OpenError>,
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
    let opener = Opener::new(Vec::new(), Depth::Decoded);
    while let Ok(mut next) = waiting.recv() {
        while let Ok(newer) = waiting.try_recv() {
            next = newer;
        }
        let (number, job) = next;
        let start = Instant::now();
        // A fault of ours must not leave the window waiting for an answer that never comes.
        let stop = || newest.load(Ordering::SeqCst) != number;
        let done = catch_unwind(AssertUnwindSafe(|| perform(&opener, &job, &stop)));
        let result = done.unwrap_or_else(|_| {
            let fault = LoadError::new("", "", Place::Whole, Reason::Broken("a fault in Maquette itself".to_owned()));
            Err(OpenError { path: job.path(), cause: OpenCause::Load(Box::new(fault)) })
        });
        // One file brings its folder along; a folder or several files were meant as a list.
        let one_file = matches!(&job, Job::Open(paths) if matches!(paths.as_slice(), [path] if is_one_model(path)));
        let listed = matches!(&result, Ok(Outcome::Cast(_, Some(siblings))) if siblings.len() > 1);
        answer(Opened { number, result, many: !one_file && listed, took: start.elapsed() });
    }
}

/// Whether a path leads to one model, not to a folder or an archive.
fn is_one_model(path: &Path) -> bool {
    let is_archive = path.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy()));
    !path.is_dir() && !is_archive
}

fn perform(opener: &Opener, job: &Job, stop: &dyn Fn() -> bool) -> Result<Outcome, OpenError> {
    match job {
        Job::Open(paths) => open_paths(opener, paths, stop),
        Job::Show(path) => Ok(Outcome::Cast(opener.cast(path)?, None)),
        Job::ShowAlone(path) => Ok(Outcome::Cast(opener.part(path)?.into(), None)),
        Job::Reload(files) => {
            let parts = files.iter().map(|(actor, path)| Ok((*actor, opener.part(path)?)));
            Ok(Outcome::Parts(parts.collect::<Result<_, OpenError>>()?))
        }
        Job::Sample(format) => {
            let fail = |error| OpenError { path: job.path(), cause: OpenCause::Load(Box::new(error)) };
            Ok(Outcome::Cast(scene::open_sample(*format).map_err(fail)?.into(), Some(Vec::new())))
        }
        Job::Attach(path, to) => Ok(Outcome::Members(opener.attachment(path)?, to.clone())),
        Job::Animate(actor, part, paths) => {
            let mut part = Part::clone(part);
            for path in paths {
                part = opener.with_animation(&part, path)?;
            }
            Ok(Outcome::Parts(vec![(*actor, part)]))
        }
        Job::TryPicture(actor, surface, path) => Ok(Outcome::Look(*actor, *surface, opener.picture(path)?)),
        Job::TrySkin(parts, path) => {
            let mut first = None;
            for (actor, part) in parts {
                match opener.with_skin(part, path) {
                    Ok(part) => return Ok(Outcome::Skin(*actor, part)),
                    Err(error) => first = first.or(Some(error)),
                }
            }
            Err(first.unwrap_or_else(|| OpenError { path: path.clone(), cause: OpenCause::NoModel }))
        }
    }
}

/// One file: it is shown, its folder can be gone through. Several, a folder or an archive: the first is shown, all can
/// be gone through; a folder or an archive with one figure in it shows that.
fn open_paths(opener: &Opener, paths: &[PathBuf], stop: &dyn Fn() -> bool) -> Result<Outcome, OpenError> {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    let library = opener.library();
    if let [file] = whole.as_slice()
        && let Ok(vfs::Place::File(_) | vfs::Place::FileInArchive { .. }) = library.locate(file)
    {
        return Ok(Outcome::Cast(opener.cast(file)?, Some(models_beside(library, file))));
    }
    let mut models: Vec<PathBuf> = Vec::new();
    for path in &whole {
        match library.locate(path) {
            Err(error) if whole.len() == 1 => return Err(fail(path, OpenCause::Read(error))),
            Ok(vfs::Place::File(_)) if !is_model_file(path) => {}
            Ok(vfs::Place::Archive(archive)) if whole.len() == 1 => {
                // Told why, where there is nothing else to show.
                library.archive(&archive).map_err(|error| fail(path, OpenCause::Read(error)))?;
                models.extend(models_below_until(library, path, stop));
            }
            _ => models.extend(models_below_until(library, path, stop)),
        }
    }
    models.dedup();
    let Some(first) =
        first_to_show(&models).or(whole.iter().find(|path| path.is_file()).filter(|path| is_one_model(path)))
    else {
        return Err(fail(whole.first().map_or(Path::new(""), PathBuf::as_path), OpenCause::NoModel));
    };
    Ok(Outcome::Cast(opener.cast(first)?, Some(models)))
}

fn fail(path: &Path, cause: OpenCause) -> OpenError {
    OpenError { path: path.to_path_buf(), cause }
}

/// The first model; the legs, if there is exactly one pair of them.
fn first_to_show(models: &[PathBuf]) -> Option<&PathBuf> {
    let is_legs = |path: &&PathBuf| path.file_stem().is_some_and(|stem| stem.eq_ignore_ascii_case("lower"));
    let mut legs = models.iter().filter(is_legs);
    match (legs.next(), legs.next()) {
        (Some(only), None) => Some(only),
        _ => models.first(),
    }
}
