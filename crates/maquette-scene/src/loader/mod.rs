//! Reads files on a thread of its own: the window goes on meanwhile. What is to be read is a [`Load`]; its ticket comes back
//! with the answer.

#![forbid(unsafe_code)]

mod dress;
mod prepare;
mod structure;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use dress::{Again, End, Opened, Undressed};

use crate::scene::EntityId;
use crate::session::{Dressed, Load, LoadAnswer, Loaded, ModelList, Ticket};
use maquette_assets::lint;
use maquette_assets::material::{CancelToken, IMAGE_EXTENSIONS, ImageLoading, Limits, PictureShelf};
use maquette_assets::open::{
    self, Assembly, ModelAsset, OpenCause, OpenError, OpenOptions, Opener, ScanResult, Source, Staging, is_model_file,
    models_beside, only_legs, walk,
};
use maquette_assets::vfs::{self, ReadError, is_archive_name};
use maquette_core::compare;
use maquette_core::error::{FilePosition, LoadError, Reason};

/// The thread that reads. Loads are done in the order in which they come.
pub struct Loader {
    requests: Sender<Request>,
    /// Id of the newest load. Only one is waited for at a time, so a search for an older one gives up.
    newest: Arc<AtomicU64>,
    /// The pictures of what is open.
    pictures: Arc<PictureShelf>,
}

/// What the thread is asked for.
enum Request {
    /// Read this.
    Load(Ticket, Load),
    /// Give back what is kept for the next load.
    Rest,
}

impl Loader {
    /// Starts the thread; `answer` is called on it, and `tell` with what is decoded after an answer was given.
    pub fn start(answer: impl Fn(LoadAnswer) + Send + 'static, tell: impl Fn(Dressed) + Send + 'static) -> Self {
        let (requests, waiting) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        let pictures = Arc::new(PictureShelf::default());
        let shelf = Arc::clone(&pictures);
        thread::Builder::new()
            .name("loader".to_owned())
            .spawn(move || work(&waiting, &seen, &shelf, &answer, &tell))
            .map_err(|error| log::error!("the loader does not run: {error}"))
            .ok();
        Self { requests, newest, pictures }
    }

    /// The pictures of what is open, for others that read the same models.
    #[must_use]
    pub fn pictures(&self) -> Arc<PictureShelf> {
        Arc::clone(&self.pictures)
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

fn work(
    waiting: &Receiver<Request>,
    newest: &Arc<AtomicU64>,
    pictures: &Arc<PictureShelf>,
    answer: &impl Fn(LoadAnswer),
    tell: &impl Fn(Dressed),
) {
    let opener_of =
        |roots: &[PathBuf]| Opener::new(roots.to_vec(), ImageLoading::Decoded).sharing(Arc::clone(pictures));
    let mut roots = Vec::new();
    let mut opener = opener_of(&roots);
    // What was shown last comes first.
    let mut undressed: Vec<Undressed> = Vec::new();
    loop {
        undressed.retain(Undressed::is_wanted);
        let request = match undressed.last() {
            None => waiting.recv().ok(),
            Some(last) => {
                if last.roots() != roots {
                    roots = last.roots().to_vec();
                    opener = opener_of(&roots);
                }
                match catch_unwind(AssertUnwindSafe(|| last.go_on(&opener, waiting, tell))) {
                    Ok(End::Asked(request)) => Some(request),
                    Ok(End::Gone) => None,
                    ended => {
                        if ended.is_err() {
                            tell(last.given_up());
                        }
                        undressed.pop();
                        continue;
                    }
                }
            }
        };
        let Some(request) = request else { return };
        let Request::Load(ticket, load) = request else {
            opener = opener_of(&roots);
            continue;
        };
        let (id, replaces) = (ticket.id, load.replaces());
        let asked = Arc::clone(newest);
        // A search that was cancelled ends whatever it is for; what adds to what is shown is not superseded.
        let stop_signal = CancelToken::when(move || {
            let now = asked.load(Ordering::SeqCst);
            now == 0 || (replaces && now != id)
        });
        let stop = || stop_signal.is_set();
        if stop() {
            continue;
        }
        if ticket.search_folders != roots {
            roots.clone_from(&ticket.search_folders);
            opener = opener_of(&roots);
        }
        let staging = shows_at_once(&load).then(Staging::default);
        let limits = Limits { memory: u64::from(ticket.image_memory) << 20, stop: stop_signal.clone() };
        let options = OpenOptions { order: ticket.order, limits, staging: staging.clone() };
        let start = Instant::now();
        let (mut reply, again) = answer_and_again(&opener.with(options.clone()), ticket, &load, &stop);
        // What is not prepared is worked out when it is shown.
        let prepared =
            catch_unwind(AssertUnwindSafe(|| reply.result.as_ref().ok().map(|read| prepare::prepare(read, &stop))));
        if let Some((staging, again)) = staging.zip(again) {
            // A later request does not cancel the textures of a model that is shown.
            let limits = Limits { stop: CancelToken::default(), ..options.limits };
            let opened = Opened { again, roots: roots.clone(), options: OpenOptions { limits, ..options } };
            let job = dress_soon(&opener, opened, staging, &mut reply, &stop);
            undressed.extend(job);
            reply.took = start.elapsed();
        }
        answer(reply);
        if let Ok(Some(pictures)) = prepared {
            let is_old = || newest.load(Ordering::SeqCst) != id;
            catch_unwind(AssertUnwindSafe(|| pictures.finish(is_old))).ok();
        }
    }
}

/// Whether it brings models that were not seen before: they are shown before their pictures are decoded. What is shown
/// already stays dressed.
fn shows_at_once(load: &Load) -> bool {
    matches!(load, Load::Open(_) | Load::Show(_) | Load::Model(_))
}

/// Waits a little for the pictures of what was read: if they all come, they are in the answer. Gives what is to be dressed
/// later.
fn dress_soon(
    opener: &Opener,
    opened: Opened,
    staging: Staging,
    reply: &mut LoadAnswer,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Undressed> {
    let loaded = reply.result.as_mut().ok()?;
    let is_complete = staging.supply.is_complete();
    let job = Undressed::new(opened, staging, loaded);
    if is_complete {
        dress::wait_for_nothing(loaded);
        return None;
    }
    // A fault of ours must not leave the window waiting.
    let dressed = catch_unwind(AssertUnwindSafe(|| job.wait_a_little(opener, stop).then(|| job.finish(opener))));
    match dressed {
        Ok(Some(dressed)) => {
            reply.result = dressed;
            None
        }
        Ok(None) | Err(_) => Some(job),
    }
}

/// Does one load, and gives the answer for its ticket. `stop` is asked while folders are gone through.
pub fn answer_to(opener: &Opener, ticket: Ticket, load: &Load, stop: &dyn Fn() -> bool) -> LoadAnswer {
    answer_and_again(opener, ticket, load, stop).0
}

/// The same, and what has to be opened again to dress it.
fn answer_and_again(
    opener: &Opener,
    ticket: Ticket,
    load: &Load,
    stop: &dyn Fn() -> bool,
) -> (LoadAnswer, Option<Again>) {
    let (began, start) = (SystemTime::now(), Instant::now());
    // A fault of ours must not leave the window waiting for an answer that never comes.
    let done = catch_unwind(AssertUnwindSafe(|| perform(opener, load, stop)));
    let Done { result, found, again } = done.unwrap_or_else(|_| Done::of(Err(fault(load))));
    let list = found.map(|ScanResult { models, left_out, .. }| {
        let asked_for = match load {
            Load::List(_) => true,
            Load::Open(paths) => {
                let several = paths.len() > 1 && models.len() > 1;
                several || paths.iter().any(|path| is_folder_or_archive(opener.files(), path))
            }
            _ => false,
        };
        let models = open::without_levels(models);
        ModelList { replaced: opener.files().replaced(&models), models, left_out, asked_for }
    });
    let opened = match load {
        Load::Open(paths) => paths.first().filter(|_| paths.len() == 1).and_then(|path| plain(path)),
        _ => None,
    };
    (LoadAnswer { ticket, result, list, opened, began, took: start.elapsed() }, again)
}

/// Nothing is wrong with the file.
fn fault(load: &Load) -> OpenError {
    let fault = LoadError::new("", "", FilePosition::Whole, Reason::Broken("a fault in Maquette itself".to_owned()));
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

/// Whether a path leads to a folder, on disk or in an archive, or to an archive.
fn is_folder_or_archive(files: &vfs::FileSystem, path: &Path) -> bool {
    use vfs::FileLocation::{Archive, Folder, FolderInArchive};
    matches!(files.locate(path), Ok(Folder(_) | FolderInArchive { .. } | Archive(_)))
}

/// Whether a path leads to one model, not to a folder or an archive.
fn is_one_model(path: &Path) -> bool {
    let is_archive = path.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy()));
    !path.is_dir() && !is_archive
}

/// What came of a load.
struct Done {
    /// What was read.
    result: Result<Loaded, OpenError>,
    /// The models to go through.
    found: Option<ScanResult>,
    /// What has to be opened again to dress it.
    again: Option<Again>,
}

impl Done {
    fn of(result: Result<Loaded, OpenError>) -> Self {
        Self { result, found: None, again: None }
    }
}

/// Models to go through, and nothing besides them.
fn only(models: Vec<PathBuf>) -> ScanResult {
    ScanResult { models, ..ScanResult::default() }
}

fn perform(opener: &Opener, load: &Load, stop: &dyn Fn() -> bool) -> Done {
    let result = match load {
        Load::Open(paths) => return open_paths(opener, paths, stop),
        Load::Sample(format) => {
            let fail = |error| fail(&load.path(), OpenCause::Load(Box::new(error)));
            let assembly = open::open_sample(*format).map(|sample| Loaded::Assembly(sample.into()));
            return Done { result: assembly.map_err(fail), found: Some(ScanResult::default()), again: None };
        }
        Load::List(path) => {
            let files = opener.files();
            let models = match files.locate(path) {
                Ok(vfs::FileLocation::File(_) | vfs::FileLocation::FileInArchive { .. }) => {
                    only(models_beside(files, path))
                }
                Ok(_) => walk(files, path, stop),
                Err(error) => return Done::of(Err(fail(path, OpenCause::Read(error)))),
            };
            return Done { result: Ok(Loaded::Listed), found: Some(models), again: None };
        }
        Load::Beside(path) => {
            let models = only(models_beside(opener.files(), path));
            return Done { result: Ok(Loaded::Listed), found: Some(models), again: None };
        }
        Load::Show(path) => {
            let (result, again) = (opener.assembly(path).map(Loaded::Assembly), Some(Again::Assembly(path.clone())));
            return Done { result, found: None, again };
        }
        Load::Salvage(path) => {
            let result = opener.salvaged(path).map(Assembly::from).map(Loaded::Assembly);
            // The refusal that came before left the list as it was.
            let siblings = result.is_ok().then(|| models_beside(opener.files(), path));
            return Done { result, found: siblings.map(only), again: None };
        }
        Load::Root(root, sources) => match opener.files().locate(root) {
            Ok(vfs::FileLocation::Folder(_) | vfs::FileLocation::Archive(_)) => again(opener, sources),
            Ok(_) => Err(fail(root, OpenCause::Read(ReadError::NotArchive))),
            Err(error) => Err(fail(root, OpenCause::Read(error))),
        },
        Load::Sources(sources) => again(opener, sources),
        Load::Model(path) => {
            let (result, again) = (opener.attachment(path).map(Loaded::Members), Some(Again::Attachment(path.clone())));
            return Done { result, found: None, again };
        }
        Load::Animations(part, paths) => animate(opener, part, paths),
        Load::Picture(path) => opener.picture(path).map(Loaded::Picture),
        Load::Anatomy(path, bytes) => structure::read_structure(opener, path, bytes.as_ref()),
        Load::Compare(asset, path) => compare_with(opener, asset, path),
        Load::Lint(asset, profile) => {
            let found = lint::check(lint::LintInput::of(asset), lint::PROFILES.get(*profile), None);
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
    Done::of(result)
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

fn again(opener: &Opener, sources: &[(EntityId, Source)]) -> Result<Loaded, OpenError> {
    let parts = sources.iter().map(|(entity, source)| Ok((*entity, opener.again(source)?)));
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
const MODELS_TRIED: usize = 16;

/// One file: it is shown, its folder can be gone through. Several, a folder or an archive: the first that opens is shown,
/// all can be gone through; a folder or an archive with one figure in it shows that.
fn open_paths(opener: &Opener, paths: &[PathBuf], stop: &dyn Fn() -> bool) -> Done {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    let files = opener.files();
    if let [file] = whole.as_slice()
        && let Ok(vfs::FileLocation::File(_) | vfs::FileLocation::FileInArchive { .. }) = files.locate(file)
    {
        if is_for_model(file) {
            return Done::of(Err(fail(file, OpenCause::ForModel)));
        }
        let result = opener.assembly(file).map(Loaded::Assembly);
        // What is no model at all brings no list.
        let siblings = (result.is_ok() || is_model_file(file)).then(|| models_beside(files, file));
        return Done { result, found: siblings.map(only), again: Some(Again::Assembly(file.clone())) };
    }
    let mut found = ScanResult::default();
    for path in &whole {
        match files.locate(path) {
            Err(error) if whole.len() == 1 => return Done::of(Err(fail(path, OpenCause::Read(error)))),
            Ok(vfs::FileLocation::File(_)) if !is_model_file(path) => {}
            _ => found.extend(walk(files, path, stop)),
        }
    }
    let ScanResult { mut models, left_out, failed, .. } = found;
    open::sort_models(&mut models);
    let others = whole.iter().filter(|path| models.is_empty() && path.is_file() && is_one_model(path));
    let mut refused = None;
    let figure = only_legs(&models);
    let parts = models.iter().filter(|model| Some(*model) != figure);
    for model in figure.into_iter().chain(parts).chain(others).take(MODELS_TRIED) {
        match opener.assembly(model) {
            Ok(assembly) => {
                let again = Some(Again::Assembly(model.clone()));
                let found = Some(ScanResult { left_out, ..only(models) });
                return Done { result: Ok(Loaded::Assembly(assembly)), found, again };
            }
            Err(error) => refused = refused.or(Some(error)),
        }
    }
    // Why a folder or an archive could not be read is told where there is nothing else to show.
    let nothing = || match failed.into_iter().next() {
        Some((path, error)) if models.is_empty() => fail(&path, OpenCause::Read(error)),
        _ => fail(whole.first().map_or(Path::new(""), PathBuf::as_path), OpenCause::NoModel),
    };
    let nothing = refused.unwrap_or_else(nothing);
    let siblings = (!models.is_empty()).then(|| ScanResult { left_out, ..only(models) });
    Done { result: Err(nothing), found: siblings, again: None }
}

/// Whether a file is called like a picture, a skin or an animation.
fn is_for_model(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    IMAGE_EXTENSIONS.contains(&extension.as_str()) || ["skin", "md5anim"].contains(&extension.as_str())
}

fn fail(path: &Path, cause: OpenCause) -> OpenError {
    OpenError { path: path.to_path_buf(), cause }
}
