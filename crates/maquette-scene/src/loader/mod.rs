//! Loader thread: reads files without blocking the window. It runs `Load::run` and answers with the ticket of the load.

#![forbid(unsafe_code)]

mod pending_textures;
mod prepare;
mod structure;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use pending_textures::{PendingTextures, wait_briefly};
use prepare::PreparedImages;
pub(crate) use structure::read_structure;

use crate::scene::EntityId;
use crate::session::{Load, LoadAnswer, ModelList, Ticket};
use maquette_assets::material::{CancelToken, IMAGE_EXTENSIONS, ImageCache, ImageLoading, ImageQueue, Limits};
use maquette_assets::open::{
    self, Assembly, ModelAsset, OpenCause, OpenError, OpenOptions, Opener, ScanResult, Source, is_model_file,
    models_in_folder_of, only_legs, scan,
};
use maquette_assets::vfs::{self, is_archive_name};
use maquette_core::compare::{self, Difference};
use maquette_core::error::{FilePosition, LoadError, Reason};
use maquette_core::formats::is_animation_extension;

/// Thread that reads files. It runs loads in the order of the requests.
pub struct Loader {
    requests: Sender<Request>,
    /// Id of the newest load; 0 after a cancellation. Older loads that would replace the scene stop early.
    newest: Arc<AtomicU64>,
    images: Arc<ImageCache>,
}

enum Request {
    Load(Ticket, Load),
    /// Drop the caches.
    Rest,
}

impl Loader {
    /// Starts the thread. It calls `answer` after each load, and `report` when images were decoded after the answer.
    pub fn start(answer: impl Fn(LoadAnswer) + Send + 'static, report: impl Fn() + Send + 'static) -> Self {
        let (requests, waiting) = channel();
        let newest = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&newest);
        let images = Arc::new(ImageCache::default());
        let cache = Arc::clone(&images);
        thread::Builder::new()
            .name("loader".to_owned())
            .spawn(move || work(&waiting, &seen, &cache, &answer, &report))
            .map_err(|error| log::error!("could not start the loader thread: {error}"))
            .ok();
        Self { requests, newest, images }
    }

    /// Returns the cache of decoded images, so that other readers of the open models can share them.
    #[must_use]
    pub fn images(&self) -> Arc<ImageCache> {
        Arc::clone(&self.images)
    }

    /// Requests a load. Returns a failed answer at once if the thread does not run.
    pub fn load(&self, ticket: Ticket, load: Load) -> Option<LoadAnswer> {
        self.newest.store(ticket.id, Ordering::SeqCst);
        let Request::Load(ticket, load) = self.requests.send(Request::Load(ticket, load)).err()?.0 else { return None };
        let result = Err(fault(&load));
        Some(LoadAnswer { ticket, load, result, list: None, began: SystemTime::now() })
    }

    /// Stops all loads that are running or waiting.
    pub fn cancel(&self) {
        self.newest.store(0, Ordering::SeqCst);
    }

    /// Drops open archives and cached scripts, because no model is open any more.
    pub fn rest(&self) {
        // Without the thread there are no caches.
        self.requests.send(Request::Rest).ok();
    }
}

fn work(
    waiting: &Receiver<Request>,
    newest: &Arc<AtomicU64>,
    images: &Arc<ImageCache>,
    answer: &impl Fn(LoadAnswer),
    report: &impl Fn(),
) {
    let opener_of = |roots: &[PathBuf]| Opener::new(roots.to_vec(), ImageLoading::Decode).sharing(Arc::clone(images));
    let mut roots = Vec::new();
    let mut opener = opener_of(&roots);
    // Textures of the newest model are decoded first.
    let mut pending: Vec<PendingTextures> = Vec::new();
    loop {
        pending.retain(PendingTextures::is_wanted);
        let request = match pending.last() {
            None => waiting.recv().ok(),
            Some(last) => match catch_unwind(AssertUnwindSafe(|| last.run(waiting, report))) {
                Ok(Ok(request)) => Some(request),
                Ok(Err(RecvTimeoutError::Disconnected)) => None,
                ended => {
                    if ended.is_err() {
                        last.end(Vec::new(), report);
                    }
                    pending.pop();
                    continue;
                }
            },
        };
        let Some(request) = request else { return };
        let Request::Load(ticket, load) = request else {
            opener = opener_of(&roots);
            continue;
        };
        let (id, replaces) = (ticket.id, load.replaces());
        let asked = Arc::clone(newest);
        // A cancellation stops every load. A newer load stops only loads that replace the scene.
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
        let limits = Limits { memory: u64::from(ticket.image_memory) << 20, stop: stop_signal.clone() };
        let Ticket { order, lit_fullbrights, import, .. } = ticket;
        let options = OpenOptions { order, limits, lit_fullbrights, import, ..OpenOptions::default() };
        let with_options = opener.with(options.clone());
        let mut reading = Reading::new(&with_options, &stop);
        reading.early_options = Some(options);
        answer(reading.answer(ticket, load));
        pending.extend(reading.pending_textures);
        let is_old = || newest.load(Ordering::SeqCst) != id;
        catch_unwind(AssertUnwindSafe(|| reading.images.finish(is_old))).ok();
    }
}

pub(crate) struct Reading<'a> {
    /// Opener with the options of the load.
    pub opener: &'a Opener,
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Models of the list, if the load sets the model list.
    pub list: Option<ModelList>,
    start: Instant,
    /// Options for models that are shown before their images are decoded; `None` waits for all images.
    early_options: Option<OpenOptions>,
    pending_textures: Option<PendingTextures>,
    images: PreparedImages,
}

impl<'a> Reading<'a> {
    fn new(opener: &'a Opener, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (list, early_options, pending_textures, images) = (None, None, None, PreparedImages::default());
        Self { opener, stop, list, start: Instant::now(), early_options, pending_textures, images }
    }

    fn answer(&mut self, ticket: Ticket, load: Load) -> LoadAnswer {
        let began = SystemTime::now();
        // A panic must not leave the window waiting for an answer that never comes.
        let done = catch_unwind(AssertUnwindSafe(|| load.clone().run(self)));
        let result = done.unwrap_or_else(|_| Err(fault(&load)));
        LoadAnswer { ticket, load, result, list: self.list.take(), began }
    }

    /// Returns the time since the load began.
    pub fn took(&self) -> Duration {
        self.start.elapsed()
    }

    /// Opens models that are new to the scene. If decoding takes long, the models are returned before their images are
    /// decoded.
    pub fn models(
        &mut self,
        open: impl Fn(&Opener) -> Result<Assembly, OpenError> + 'static,
    ) -> Result<Assembly, OpenError> {
        let Some(options) = self.early_options.clone() else {
            let assembly = open(self.opener)?;
            self.prepare(assembly.clone());
            return Ok(assembly);
        };
        let queue = Arc::new(ImageQueue::default());
        let mut assembly = open(&self.opener.with(OpenOptions { queue: Some(Arc::clone(&queue)), ..options.clone() }))?;
        self.prepare(assembly.clone());
        if !queue.is_complete() {
            // A later request does not cancel the textures of a model that is shown.
            let limits = Limits { stop: CancelToken::default(), ..options.limits };
            let opener = self.opener.with(OpenOptions { limits, ..options });
            // A panic must not leave the window waiting for an answer.
            let waited = || wait_briefly(opener, Box::new(open), queue, &mut assembly, self.stop);
            self.pending_textures = catch_unwind(AssertUnwindSafe(waited)).ok().flatten();
        }
        Ok(assembly)
    }

    /// Opens a model, or its character if the model is part of one.
    pub fn assembly(&mut self, path: &Path) -> Result<Assembly, OpenError> {
        let path = path.to_path_buf();
        self.models(move |opener| opener.assembly(&path))
    }

    /// Reads files of the scene again.
    pub fn again(&mut self, sources: &[(EntityId, Source)]) -> Result<Vec<(EntityId, ModelAsset)>, OpenError> {
        let parts = sources.iter().map(|(entity, source)| Ok((*entity, self.opener.again(source)?)));
        let parts = parts.collect::<Result<Vec<_>, OpenError>>()?;
        parts.iter().for_each(|(_, part)| self.prepare(part.clone().into()));
        Ok(parts)
    }

    /// Computes bounds, first poses and mip levels in advance. If this stops early, the window computes the rest.
    pub fn prepare(&mut self, assembly: Assembly) {
        if !(self.stop)() {
            catch_unwind(AssertUnwindSafe(|| self.images.prepare(assembly))).ok();
        }
    }

    /// Sets the model list.
    pub fn list(&mut self, found: ScanResult, asked_for: bool) {
        let models = open::without_coarser_levels(self.opener.files(), found.models);
        let replaced = self.opener.files().replaced(&models);
        self.list = Some(ModelList { replaced, models, left_out: found.left_out, asked_for });
    }

    /// Sets the model list to the models in the folder of `path`.
    pub fn list_folder_of(&mut self, path: &Path, asked_for: bool) {
        let models = models_in_folder_of(self.opener.files(), path);
        self.list(ScanResult { models, ..ScanResult::default() }, asked_for);
    }
}

/// Runs one load and returns the answer for its ticket. `stop` is polled while folders are scanned.
pub fn answer_to(opener: &Opener, ticket: Ticket, load: &Load, stop: &(dyn Fn() -> bool + Sync)) -> LoadAnswer {
    Reading::new(opener, stop).answer(ticket, load.clone())
}

fn fault(load: &Load) -> OpenError {
    let fault = LoadError::new("", "", FilePosition::Whole, Reason::Broken("internal error in Maquette".to_owned()));
    OpenError { path: load.path(), cause: OpenCause::Load(Box::new(fault)) }
}

/// Returns the absolute path without `..`. Keeps `..` if a link makes the shorter path lead to a different file.
pub(crate) fn plain(path: &Path) -> Option<PathBuf> {
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

fn is_folder_or_archive(files: &vfs::FileSystem, path: &Path) -> bool {
    use vfs::FileLocation::{Archive, Folder, FolderInArchive};
    matches!(files.locate(path), Ok(Folder(_) | FolderInArchive { .. } | Archive(_)))
}

fn is_one_model(path: &Path) -> bool {
    let is_archive = path.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy()));
    !path.is_dir() && !is_archive
}

pub(crate) fn compare_with(
    opener: &Opener,
    asset: &ModelAsset,
    path: &Path,
) -> Result<(ModelAsset, Difference), OpenError> {
    let other = opener.model(path)?;
    let difference = difference(asset, &other);
    Ok((other, difference))
}

pub(crate) fn difference(asset: &ModelAsset, other: &ModelAsset) -> Difference {
    compare::compare(
        compare::Side { name: &asset.name, model: &asset.model, warnings: &asset.warnings },
        compare::Side { name: &other.name, model: &other.model, warnings: &other.warnings },
        None,
    )
}

/// Adds every animation that fits. Returns the part and the errors of the other animations, or an error if none fits.
pub(crate) fn animate(
    opener: &Opener,
    mut part: ModelAsset,
    paths: &[PathBuf],
) -> Result<(ModelAsset, Vec<OpenError>), OpenError> {
    let known = part.model.clips().len();
    let mut refused = Vec::new();
    for path in paths {
        match opener.with_animation(&part, path) {
            Ok(more) => part = more,
            Err(error) => refused.push(error),
        }
    }
    match refused.pop() {
        Some(error) if part.model.clips().len() == known => Err(error),
        last => Ok((part, refused.into_iter().chain(last).collect())),
    }
}

/// Adds each skin to every part whose surfaces it names. Fails if no skin fits any part.
pub(crate) fn try_skins(
    opener: &Opener,
    parts: &[(EntityId, ModelAsset)],
    paths: &[PathBuf],
) -> Result<Vec<(EntityId, ModelAsset)>, OpenError> {
    let mut with_skins: Vec<(EntityId, ModelAsset)> = Vec::new();
    let mut refused = None;
    for path in paths {
        for (entity, part) in parts {
            // A part keeps the skins that earlier files added.
            let known = with_skins.iter().position(|(known, _)| known == entity);
            let part = known.map_or(part, |index| &with_skins[index].1);
            match (opener.with_skin(part, path), known) {
                (Ok(part), Some(index)) => with_skins[index].1 = part,
                (Ok(part), None) => with_skins.push((*entity, part)),
                (Err(error), _) => refused = refused.or(Some(error)),
            }
        }
    }
    match refused {
        Some(error) if with_skins.is_empty() => Err(error),
        _ => Ok(with_skins),
    }
}

/// Maximum number of models to try before opening fails.
const MODELS_TRIED: usize = 16;

/// Opens the first model of files, folders or archives, and sets the model list. If exactly one of the models is a
/// character, that is preferred.
pub(crate) fn open_paths(reading: &mut Reading, paths: &[PathBuf]) -> Result<Assembly, OpenError> {
    let whole: Vec<PathBuf> =
        paths.iter().map(|path| std::path::absolute(path).unwrap_or_else(|_| path.clone())).collect();
    let files = reading.opener.files();
    if let [file] = whole.as_slice()
        && let Ok(vfs::FileLocation::File(_) | vfs::FileLocation::FileInArchive { .. }) = files.locate(file)
    {
        if is_for_model(file) {
            return Err(fail(file, OpenCause::ForModel));
        }
        let result = reading.assembly(file);
        // A file that is not a model does not change the model list.
        if result.is_ok() || is_model_file(file) {
            reading.list_folder_of(file, false);
        }
        return result;
    }
    let mut found = ScanResult::default();
    for path in &whole {
        match files.locate(path) {
            Err(error) if whole.len() == 1 => return Err(fail(path, OpenCause::Read(error))),
            Ok(vfs::FileLocation::File(_)) if !is_model_file(path) => {}
            _ => found.extend(scan(files, path, reading.stop)),
        }
    }
    let ScanResult { mut models, left_out, failed, .. } = found;
    open::sort_models(&mut models);
    let others = whole.iter().filter(|path| models.is_empty() && path.is_file() && is_one_model(path));
    let character = only_legs(&models);
    let parts = models.iter().filter(|model| Some(*model) != character);
    let mut opened = None;
    for model in character.into_iter().chain(parts).chain(others).take(MODELS_TRIED) {
        match (reading.assembly(model), &opened) {
            (Ok(assembly), _) => {
                opened = Some(Ok(assembly));
                break;
            }
            (Err(error), None) => opened = Some(Err(error)),
            (Err(_), Some(_)) => {}
        }
    }
    // Report the read error of a folder or an archive only if no model was found.
    let nothing = || match failed.into_iter().next() {
        Some((path, error)) if models.is_empty() => fail(&path, OpenCause::Read(error)),
        _ => fail(whole.first().map_or(Path::new(""), PathBuf::as_path), OpenCause::NoModel),
    };
    let opened = opened.unwrap_or_else(|| Err(nothing()));
    if opened.is_ok() || !models.is_empty() {
        let several = paths.len() > 1 && models.len() > 1;
        let asked_for = several || paths.iter().any(|path| is_folder_or_archive(files, path));
        reading.list(ScanResult { models, left_out, ..ScanResult::default() }, asked_for);
    }
    opened
}

fn is_for_model(path: &Path) -> bool {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    IMAGE_EXTENSIONS.contains(&extension.as_str()) || extension == "skin" || is_animation_extension(&extension)
}

pub(crate) fn fail(path: &Path, cause: OpenCause) -> OpenError {
    OpenError { path: path.to_path_buf(), cause }
}
