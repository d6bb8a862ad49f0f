//! Opens models on a thread of its own: the window goes on while files are read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::{LoadError, Place, Reason};
use crate::material::{Depth, IMAGE_EXTENSIONS, SurfaceLook};
use crate::model::Format;
use crate::scene::{
    self, ActorId, Attachment, Cast, Member, OpenCause, OpenError, Opener, Part, Source, is_model_file,
    models_below_until, models_beside, only_legs,
};
use crate::vfs::{self, ReadError, is_archive_name};

/// What is to be opened.
#[derive(Clone, Debug)]
pub enum Job {
    /// Files, folders or archives: the first model among them, the others to go through.
    Open(Vec<PathBuf>),
    /// One of the models to go through, which stay as they are; with the figure it is a part of.
    Show(PathBuf),
    /// The same files again.
    Reload(Vec<Source>),
    /// The built-in figure.
    Sample(Format),
    /// A model to be hung here.
    Attach(PathBuf, Attachment),
    /// Animations for the mesh of a part.
    Animate(ActorId, Box<Part>, Vec<PathBuf>),
    /// A picture for one surface of a part, or for all of them.
    TryPicture(ActorId, Option<usize>, PathBuf),
    /// A folder or an archive that is searched before the models' own games from now on; these files again.
    AddRoot(PathBuf, Vec<Source>),
    /// Skins for those of these parts whose surfaces they name.
    TrySkin(Vec<(ActorId, Part)>, Vec<PathBuf>),
}

impl Job {
    /// The file it is about, for messages.
    pub fn path(&self) -> PathBuf {
        match self {
            Self::Open(paths) | Self::Animate(_, _, paths) | Self::TrySkin(_, paths) => {
                paths.first().cloned().unwrap_or_default()
            }
            Self::Reload(sources) => sources.first().map(|source| source.file.clone()).unwrap_or_default(),
            Self::Sample(format) => PathBuf::from(scene::sample_name(*format)),
            Self::Show(path) | Self::Attach(path, _) | Self::TryPicture(_, _, path) | Self::AddRoot(path, _) => {
                path.clone()
            }
        }
    }
}

/// What came of a job.
pub enum Outcome {
    /// A new cast.
    Cast(Cast),
    /// Newer states of parts.
    Parts(Vec<(ActorId, Part)>),
    /// Parts with a further skin each, to be worn.
    Skins(Vec<(ActorId, Part)>),
    /// A part with further animations, and why others were not added.
    Animated(ActorId, Part, Vec<OpenError>),
    /// Models to be hung here.
    Members(Vec<Member>, Attachment),
    /// A picture to be tried on.
    Look(ActorId, Option<usize>, SurfaceLook),
}

/// What came of it.
pub struct Opened {
    /// Which job, counted from 1: an answer to an older one is out of date.
    pub number: u64,
    /// What was asked for by hand: one file, folder or archive.
    pub asked: Option<PathBuf>,
    /// What came of it, or why nothing did.
    pub result: Result<Outcome, OpenError>,
    /// Models to go through, whether or not the first could be opened; `None` leaves the list as it is.
    pub siblings: Option<Vec<PathBuf>>,
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
    pub fn start(roots: Vec<PathBuf>, answer: impl Fn(Opened) + Send + 'static) -> Self {
        let (jobs, waiting) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        thread::Builder::new()
            .name("loader".to_owned())
            .spawn(move || work(roots, &waiting, &seen, &answer))
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

    /// Gives up what is being opened.
    pub fn cancel(&mut self) {
        self.newest.fetch_add(1, Ordering::SeqCst);
    }

    /// Whether an answer is to the newest job.
    pub fn is_newest(&self, opened: &Opened) -> bool {
        opened.number == self.newest.load(Ordering::SeqCst)
    }
}

fn work(mut roots: Vec<PathBuf>, waiting: &Receiver<(u64, Job)>, newest: &AtomicU64, answer: &impl Fn(Opened)) {
    let mut opener = Opener::new(roots.clone(), Depth::Decoded);
    while let Ok(next) = waiting.recv() {
        // Of several jobs the newest is done; what is to be searched stays so.
        let jobs: Vec<(u64, Job)> = std::iter::once(next).chain(waiting.try_iter()).collect();
        for (_, job) in &jobs {
            if let Job::AddRoot(root, _) = job
                && let Ok(vfs::Place::Folder(_) | vfs::Place::Archive(_)) = opener.library().locate(root)
            {
                roots.push(root.clone());
                opener = Opener::new(roots.clone(), Depth::Decoded);
            }
        }
        let Some((number, job)) = jobs.into_iter().next_back() else { continue };
        let start = Instant::now();
        // A fault of ours must not leave the window waiting for an answer that never comes.
        let stop = || newest.load(Ordering::SeqCst) != number;
        let done = catch_unwind(AssertUnwindSafe(|| perform(&opener, &job, &stop)));
        let (result, siblings) = done.unwrap_or_else(|_| {
            let fault = LoadError::new("", "", Place::Whole, Reason::Broken("a fault in Maquette itself".to_owned()));
            (Err(OpenError { path: job.path(), cause: OpenCause::Load(Box::new(fault)) }), None)
        });
        // One file brings its folder along; a folder or several files were meant as a list.
        let one_file = matches!(&job, Job::Open(paths) if matches!(paths.as_slice(), [path] if is_one_model(path)));
        let listed = siblings.as_ref().is_some_and(|siblings| siblings.len() > 1);
        let siblings = siblings.map(scene::without_levels);
        let asked = match &job {
            Job::Open(paths) => paths.first().filter(|_| paths.len() == 1).and_then(|path| plain(path)),
            _ => None,
        };
        answer(Opened { number, asked, result, siblings, many: !one_file && listed, took: start.elapsed() });
    }
}

/// A path from the root without `..`, unless these lead through a link.
fn plain(path: &Path) -> Option<PathBuf> {
    let whole = std::path::absolute(path).ok()?;
    let mut plain = PathBuf::new();
    for part in whole.components() {
        if part == std::path::Component::ParentDir {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    let is_same =
        plain == whole || matches!((plain.canonicalize(), whole.canonicalize()), (Ok(one), Ok(other)) if one == other);
    Some(if is_same { plain } else { whole })
}

/// Whether a path leads to one model, not to a folder or an archive.
fn is_one_model(path: &Path) -> bool {
    let is_archive = path.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy()));
    !path.is_dir() && !is_archive
}

type Done = (Result<Outcome, OpenError>, Option<Vec<PathBuf>>);

fn perform(opener: &Opener, job: &Job, stop: &dyn Fn() -> bool) -> Done {
    let result = match job {
        Job::Open(paths) => return open_paths(opener, paths, stop),
        Job::Sample(format) => {
            let fail = |error| fail(&job.path(), OpenCause::Load(Box::new(error)));
            let cast = scene::open_sample(*format).map(|sample| Outcome::Cast(sample.into()));
            return (cast.map_err(fail), Some(Vec::new()));
        }
        Job::Show(path) => opener.cast(path).map(Outcome::Cast),
        Job::AddRoot(root, sources) => match opener.library().locate(root) {
            Ok(vfs::Place::Folder(_) | vfs::Place::Archive(_)) => again(opener, sources),
            Ok(_) => Err(fail(root, OpenCause::Read(ReadError::NotArchive))),
            Err(error) => Err(fail(root, OpenCause::Read(error))),
        },
        Job::Reload(sources) => again(opener, sources),
        Job::Attach(path, to) => opener.attachment(path).map(|members| Outcome::Members(members, to.clone())),
        Job::Animate(actor, part, paths) => animate(opener, *actor, part, paths),
        Job::TryPicture(actor, surface, path) => {
            opener.picture(path).map(|picture| Outcome::Look(*actor, *surface, picture))
        }
        Job::TrySkin(parts, paths) => try_skins(opener, parts, paths),
    };
    (result, None)
}

fn again(opener: &Opener, sources: &[Source]) -> Result<Outcome, OpenError> {
    let parts = sources.iter().map(|source| Ok((source.actor, opener.again(source)?)));
    Ok(Outcome::Parts(parts.collect::<Result<_, OpenError>>()?))
}

/// Adds every animation that fits; an error if none does.
fn animate(opener: &Opener, actor: ActorId, part: &Part, paths: &[PathBuf]) -> Result<Outcome, OpenError> {
    let (mut part, known) = (part.clone(), part.model.clips.len());
    let mut refused = Vec::new();
    for path in paths {
        match opener.with_animation(&part, path) {
            Ok(more) => part = more,
            Err(error) => refused.push(error),
        }
    }
    match refused.pop() {
        Some(error) if part.model.clips.len() == known => Err(error),
        last => Ok(Outcome::Animated(actor, part, refused.into_iter().chain(last).collect())),
    }
}

/// Puts each skin on every part whose surfaces it names; an error if there is no such part for any.
fn try_skins(opener: &Opener, parts: &[(ActorId, Part)], paths: &[PathBuf]) -> Result<Outcome, OpenError> {
    let mut dressed: Vec<(ActorId, Part)> = Vec::new();
    let mut refused = None;
    for path in paths {
        for (actor, part) in parts {
            match opener.with_skin(part, path) {
                Ok(part) => {
                    dressed.retain(|(known, _)| known != actor);
                    dressed.push((*actor, part));
                }
                Err(error) => refused = refused.or(Some(error)),
            }
        }
    }
    match refused {
        Some(error) if dressed.is_empty() => Err(error),
        _ => Ok(Outcome::Skins(dressed)),
    }
}

/// Models tried before it is said that none can be shown.
const MOST_TRIES: usize = 16;

/// One file: it is shown, its folder can be gone through. Several, a folder or an archive: the first that opens is shown,
/// all can be gone through; a folder or an archive with one figure in it shows that.
fn open_paths(opener: &Opener, paths: &[PathBuf], stop: &dyn Fn() -> bool) -> Done {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    let library = opener.library();
    if let [file] = whole.as_slice()
        && let Ok(vfs::Place::File(_) | vfs::Place::FileInArchive { .. }) = library.locate(file)
    {
        if is_for_model(file) {
            return (Err(fail(file, OpenCause::ForModel)), None);
        }
        let result = opener.cast(file).map(Outcome::Cast);
        // What is no model at all brings no list.
        let siblings = (result.is_ok() || is_model_file(file)).then(|| models_beside(library, file));
        return (result, siblings);
    }
    let mut models: Vec<PathBuf> = Vec::new();
    for path in &whole {
        let alone = whole.len() == 1;
        match library.locate(path) {
            Err(error) if alone => return (Err(fail(path, OpenCause::Read(error))), None),
            Ok(vfs::Place::File(_)) if !is_model_file(path) => {}
            Ok(vfs::Place::Archive(archive)) => match library.archive(&archive) {
                // Told why, where there is nothing else to show.
                Err(error) if alone => return (Err(fail(path, OpenCause::Read(error))), None),
                _ => models.extend(models_below_until(library, path, stop)),
            },
            _ => models.extend(models_below_until(library, path, stop)),
        }
    }
    scene::sort_models(&mut models);
    let others = whole.iter().filter(|path| models.is_empty() && path.is_file() && is_one_model(path));
    let mut refused = None;
    let figure = only_legs(&models);
    let parts = models.iter().filter(|model| Some(*model) != figure);
    for model in figure.into_iter().chain(parts).chain(others).take(MOST_TRIES) {
        match opener.cast(model) {
            Ok(cast) => return (Ok(Outcome::Cast(cast)), Some(models)),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    let nothing = || fail(whole.first().map_or(Path::new(""), PathBuf::as_path), OpenCause::NoModel);
    let siblings = (!models.is_empty()).then_some(models);
    (Err(refused.unwrap_or_else(nothing)), siblings)
}

/// Whether a file is called like a picture, a skin or an animation.
fn is_for_model(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    IMAGE_EXTENSIONS.contains(&extension.as_str()) || ["skin", "md5anim"].contains(&extension.as_str())
}

fn fail(path: &Path, cause: OpenCause) -> OpenError {
    OpenError { path: path.to_path_buf(), cause }
}
