//! Reads files on a thread of its own: the window goes on meanwhile. What is to be read is a [`Load`]; its ticket comes back
//! with the answer.

#![forbid(unsafe_code)]

mod anatomy;
mod prepare;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::compare;
use crate::error::{LoadError, Place, Reason};
use crate::lint;
use crate::material::{Depth, IMAGE_EXTENSIONS, Stop};
use crate::scene::{
    self, Assembly, EntityId, Found, ModelAsset, OpenCause, OpenError, Opener, Source, is_model_file, models_beside,
    only_legs, walk,
};
use crate::session::{Load, LoadAnswer, Loaded, ModelList, Ticket};
use crate::vfs::{self, ReadError, is_archive_name};

/// The thread that reads. Loads are done in the order in which they come.
pub struct Loader {
    requests: Sender<Request>,
    /// Id of the newest load. Only one is waited for at a time, so a search for an older one gives up.
    newest: Arc<AtomicU64>,
}

/// What the thread is asked for.
enum Request {
    /// Read this.
    Load(Ticket, Load),
    /// Give back what is kept for the next load.
    Rest,
}

impl Loader {
    /// Starts the thread; `answer` is called on it.
    pub fn start(answer: impl Fn(LoadAnswer) + Send + 'static) -> Self {
        let (requests, waiting) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        thread::Builder::new()
            .name("loader".to_owned())
            .spawn(move || work(&waiting, &seen, &answer))
            .map_err(|error| log::error!("the loader does not run: {error}"))
            .ok();
        Self { requests, newest }
    }

    /// Reads something. Of what is still to replace what is shown, only the newest is read to its end. Gives an answer
    /// at once if the thread does not run.
    pub fn load(&self, ticket: Ticket, load: Load) -> Option<LoadAnswer> {
        self.newest.store(ticket.id, Ordering::SeqCst);
        let Request::Load(ticket, load) = self.requests.send(Request::Load(ticket, load)).err()?.0 else { return None };
        let result = Err(fault(&load));
        Some(LoadAnswer { ticket, result, list: None, opened: None, began: SystemTime::now(), took: Duration::ZERO })
    }

    /// Gives up the search for what is to be shown.
    pub fn cancel(&self) {
        self.newest.store(0, Ordering::SeqCst);
    }

    /// Nothing is open any more: open archives and the scripts of the last game are given back.
    pub fn rest(&self) {
        // Without its thread nothing is kept.
        self.requests.send(Request::Rest).ok();
    }
}

fn work(waiting: &Receiver<Request>, newest: &Arc<AtomicU64>, answer: &impl Fn(LoadAnswer)) {
    let mut roots = Vec::new();
    let mut opener = Opener::new(Vec::new(), Depth::Decoded);
    while let Ok(request) = waiting.recv() {
        let Request::Load(ticket, load) = request else {
            opener = Opener::new(roots.clone(), Depth::Decoded);
            continue;
        };
        let (id, replaces) = (ticket.id, load.replaces());
        let asked = Arc::clone(newest);
        // A search that was cancelled ends whatever it is for; what adds to what is shown is not superseded.
        let stop_signal = Stop::when(move || {
            let now = asked.load(Ordering::SeqCst);
            now == 0 || (replaces && now != id)
        });
        let stop = || stop_signal.is_set();
        if stop() {
            continue;
        }
        if ticket.search_folders != roots {
            roots.clone_from(&ticket.search_folders);
            opener = Opener::new(roots.clone(), Depth::Decoded);
        }
        opener.set_order(ticket.order);
        opener.set_memory(u64::from(ticket.image_memory) << 20);
        opener.set_stop(stop_signal.clone());
        let reply = answer_to(&opener, ticket, &load, &stop);
        // What is not prepared is worked out when it is shown.
        let prepared =
            catch_unwind(AssertUnwindSafe(|| reply.result.as_ref().ok().map(|read| prepare::prepare(read, &stop))));
        answer(reply);
        if let Ok(Some(pictures)) = prepared {
            let is_old = || newest.load(Ordering::SeqCst) != id;
            catch_unwind(AssertUnwindSafe(|| pictures.finish(is_old))).ok();
        }
    }
}

/// Does one load, and gives the answer for its ticket. `stop` is asked while folders are gone through.
pub fn answer_to(opener: &Opener, ticket: Ticket, load: &Load, stop: &dyn Fn() -> bool) -> LoadAnswer {
    let (began, start) = (SystemTime::now(), Instant::now());
    // A fault of ours must not leave the window waiting for an answer that never comes.
    let done = catch_unwind(AssertUnwindSafe(|| perform(opener, load, stop)));
    let (result, found) = done.unwrap_or_else(|_| (Err(fault(load)), None));
    // One file brings its folder along; a folder or several files were meant as a list.
    let one_file = matches!(load, Load::Open(paths) if matches!(paths.as_slice(), [path] if is_one_model(path)));
    let list = found.map(|Found { models, left_out, .. }| {
        let asked_for = matches!(load, Load::List(_)) || !one_file && models.len() > 1;
        let models = scene::without_levels(models);
        ModelList { replaced: opener.files().replaced(&models), models, left_out, asked_for }
    });
    let opened = match load {
        Load::Open(paths) => paths.first().filter(|_| paths.len() == 1).and_then(|path| plain(path)),
        _ => None,
    };
    LoadAnswer { ticket, result, list, opened, began, took: start.elapsed() }
}

/// Nothing is wrong with the file.
fn fault(load: &Load) -> OpenError {
    let fault = LoadError::new("", "", Place::Whole, Reason::Broken("a fault in Maquette itself".to_owned()));
    OpenError { path: load.path(), cause: OpenCause::Load(Box::new(fault)) }
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

/// What was read, and the models to go through.
type Done = (Result<Loaded, OpenError>, Option<Found>);

/// Models to go through, and nothing besides them.
fn only(models: Vec<PathBuf>) -> Found {
    Found { models, ..Found::default() }
}

fn perform(opener: &Opener, load: &Load, stop: &dyn Fn() -> bool) -> Done {
    let result = match load {
        Load::Open(paths) => return open_paths(opener, paths, stop),
        Load::Sample(format) => {
            let fail = |error| fail(&load.path(), OpenCause::Load(Box::new(error)));
            let assembly = scene::open_sample(*format).map(|sample| Loaded::Assembly(sample.into()));
            return (assembly.map_err(fail), Some(Found::default()));
        }
        Load::List(path) => {
            let files = opener.files();
            let models = match files.locate(path) {
                Ok(vfs::Place::File(_) | vfs::Place::FileInArchive { .. }) => only(models_beside(files, path)),
                Ok(_) => walk(files, path, stop),
                Err(error) => return (Err(fail(path, OpenCause::Read(error))), None),
            };
            return (Ok(Loaded::Listed), Some(models));
        }
        Load::Show(path) => opener.assembly(path).map(Loaded::Assembly),
        Load::Salvage(path) => opener.salvaged(path).map(Assembly::from).map(Loaded::Assembly),
        Load::Root(root, sources) => match opener.files().locate(root) {
            Ok(vfs::Place::Folder(_) | vfs::Place::Archive(_)) => again(opener, sources),
            Ok(_) => Err(fail(root, OpenCause::Read(ReadError::NotArchive))),
            Err(error) => Err(fail(root, OpenCause::Read(error))),
        },
        Load::Sources(sources) => again(opener, sources),
        Load::Model(path) => opener.attachment(path).map(Loaded::Members),
        Load::Animations(part, paths) => animate(opener, part, paths),
        Load::Picture(path) => opener.picture(path).map(Loaded::Picture),
        Load::Anatomy(path) => anatomy::take_apart(opener, path),
        Load::Compare(asset, path) => compare_with(opener, asset, path),
        Load::Lint(asset, profile) => {
            let found = lint::check(lint::Subject::of(asset), lint::PROFILES.get(*profile), None);
            Ok(Loaded::Findings(Arc::new(found)))
        }
        Load::Skins(parts, paths) => try_skins(opener, parts, paths),
        Load::Edit(part, edits) => {
            opener.edited(&part.0, &part.1, edits).map(|edited| Loaded::Edited(Box::new(edited)))
        }
        Load::Discard(sources) => again(opener, sources),
        Load::MaterialNames(path, format) => {
            opener.material_names(path, *format).map(|names| Loaded::MaterialNames(Arc::new(names)))
        }
    };
    (result, None)
}

/// Reads another model, and holds a part against it.
fn compare_with(opener: &Opener, asset: &ModelAsset, path: &Path) -> Result<Loaded, OpenError> {
    let other = opener.model(path)?;
    let difference = compare::compare(
        compare::Side { name: &asset.name, model: &asset.model, warnings: &asset.warnings },
        compare::Side { name: &other.name, model: &other.model, warnings: &other.warnings },
        None,
    );
    Ok(Loaded::Difference(Box::new(other), Arc::new(difference)))
}

fn again(opener: &Opener, sources: &[Source]) -> Result<Loaded, OpenError> {
    let parts = sources.iter().map(|source| Ok((source.entity, opener.again(source)?)));
    Ok(Loaded::Parts(parts.collect::<Result<_, OpenError>>()?))
}

/// Adds every animation that fits; an error if none does.
fn animate(opener: &Opener, part: &ModelAsset, paths: &[PathBuf]) -> Result<Loaded, OpenError> {
    let (mut part, known) = (part.clone(), part.model.clips().len());
    let mut refused = Vec::new();
    for path in paths {
        match opener.with_animation(&part, path) {
            Ok(more) => part = more,
            Err(error) => refused.push(error),
        }
    }
    match refused.pop() {
        Some(error) if part.model.clips().len() == known => Err(error),
        last => Ok(Loaded::Animations(Box::new(part), refused.into_iter().chain(last).collect())),
    }
}

/// Puts each skin on every part whose surfaces it names; an error if there is no such part for any.
fn try_skins(opener: &Opener, parts: &[(EntityId, ModelAsset)], paths: &[PathBuf]) -> Result<Loaded, OpenError> {
    let mut dressed: Vec<(EntityId, ModelAsset)> = Vec::new();
    let mut refused = None;
    for path in paths {
        for (entity, part) in parts {
            // A second skin comes beside the first.
            let known = dressed.iter().position(|(known, _)| known == entity);
            let part = known.map_or(part, |index| &dressed[index].1);
            match (opener.with_skin(part, path), known) {
                (Ok(part), Some(index)) => dressed[index].1 = part,
                (Ok(part), None) => dressed.push((*entity, part)),
                (Err(error), _) => refused = refused.or(Some(error)),
            }
        }
    }
    match refused {
        Some(error) if dressed.is_empty() => Err(error),
        _ => Ok(Loaded::Parts(dressed)),
    }
}

/// Models tried before it is said that none can be shown.
const MOST_TRIES: usize = 16;

/// One file: it is shown, its folder can be gone through. Several, a folder or an archive: the first that opens is shown,
/// all can be gone through; a folder or an archive with one figure in it shows that.
fn open_paths(opener: &Opener, paths: &[PathBuf], stop: &dyn Fn() -> bool) -> Done {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    let files = opener.files();
    if let [file] = whole.as_slice()
        && let Ok(vfs::Place::File(_) | vfs::Place::FileInArchive { .. }) = files.locate(file)
    {
        if is_for_model(file) {
            return (Err(fail(file, OpenCause::ForModel)), None);
        }
        let result = opener.assembly(file).map(Loaded::Assembly);
        // What is no model at all brings no list.
        let siblings = (result.is_ok() || is_model_file(file)).then(|| models_beside(files, file));
        return (result, siblings.map(only));
    }
    let mut found = Found::default();
    for path in &whole {
        match files.locate(path) {
            Err(error) if whole.len() == 1 => return (Err(fail(path, OpenCause::Read(error))), None),
            Ok(vfs::Place::File(_)) if !is_model_file(path) => {}
            _ => found.extend(walk(files, path, stop)),
        }
    }
    let Found { mut models, left_out, failed, .. } = found;
    scene::sort_models(&mut models);
    let others = whole.iter().filter(|path| models.is_empty() && path.is_file() && is_one_model(path));
    let mut refused = None;
    let figure = only_legs(&models);
    let parts = models.iter().filter(|model| Some(*model) != figure);
    for model in figure.into_iter().chain(parts).chain(others).take(MOST_TRIES) {
        match opener.assembly(model) {
            Ok(assembly) => return (Ok(Loaded::Assembly(assembly)), Some(Found { left_out, ..only(models) })),
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    // Why a folder or an archive could not be read is told where there is nothing else to show.
    let nothing = || match failed.into_iter().next() {
        Some((path, error)) if models.is_empty() => fail(&path, OpenCause::Read(error)),
        _ => fail(whole.first().map_or(Path::new(""), PathBuf::as_path), OpenCause::NoModel),
    };
    let nothing = refused.unwrap_or_else(nothing);
    let siblings = (!models.is_empty()).then(|| Found { left_out, ..only(models) });
    (Err(nothing), siblings)
}

/// Whether a file is called like a picture, a skin or an animation.
fn is_for_model(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    IMAGE_EXTENSIONS.contains(&extension.as_str()) || ["skin", "md5anim"].contains(&extension.as_str())
}

fn fail(path: &Path, cause: OpenCause) -> OpenError {
    OpenError { path: path.to_path_buf(), cause }
}
