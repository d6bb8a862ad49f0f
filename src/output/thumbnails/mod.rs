//! Thumbnails for the file list, created one after another on a separate thread. The thread slows down while the user
//! plays or drags. Each request replaces earlier requests that are not done.

mod cache;
mod maker;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::render::{Gpu, GpuError};
use crate::ui::Thumbnail;
use maquette_assets::material::ImageCache;

pub use cache::{ThumbnailCache, cache_folder};
pub use maker::{ThumbnailError, ThumbnailMaker};

/// Pause between two thumbnails, so that other work can use the GPU and the disk.
const PAUSE: Duration = Duration::from_millis(2);
/// Ratio of the pause to the drawing time of the last thumbnail while the user plays or drags.
const PAUSE_FACTOR: u32 = 3;
/// Idle time after which the GPU device is released.
const IDLE: Duration = Duration::from_secs(60);

/// Thumbnail, or the error of the model or of the device.
pub type ThumbnailResult = Result<Thumbnail, ThumbnailError>;

/// Thumbnail thread. It ends when this value is dropped.
pub struct Thumbnails {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    requested: Vec<PathBuf>,
    /// Models that could not be drawn. This thread does not retry them.
    not_drawn: HashSet<PathBuf>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    queue: Vec<PathBuf>,
    in_progress: Vec<PathBuf>,
    /// Models that changed since their thumbnails were drawn. Their cached thumbnails are not used.
    stale: HashSet<PathBuf>,
    waiting: bool,
    busy: bool,
    release: bool,
    end: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next path, and whether to ignore the cache; `None` to release the device, on request or after an
    /// idle time; `Break` to end the thread.
    fn next(&self) -> ControlFlow<(), Option<(PathBuf, bool)>> {
        let mut state = self.state();
        loop {
            if state.end {
                return ControlFlow::Break(());
            }
            if std::mem::take(&mut state.release) {
                return ControlFlow::Continue(None);
            }
            if !state.waiting && !state.queue.is_empty() {
                let path = state.queue.remove(0);
                state.in_progress.push(path.clone());
                let stale = state.stale.remove(&path);
                return ControlFlow::Continue(Some((path, stale)));
            }
            let (next, waited) = self.changed.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if waited.timed_out() {
                return ControlFlow::Continue(None);
            }
        }
    }

    fn sleep(&self) {
        let idle = |state: &mut State| !state.end && (state.waiting || state.queue.is_empty());
        drop(self.changed.wait_while(self.state(), idle).unwrap_or_else(PoisonError::into_inner));
    }

    fn pause(&self, took: Duration) {
        let state = self.state();
        let pause = if state.busy { took.saturating_mul(PAUSE_FACTOR).min(Duration::from_secs(1)) } else { PAUSE };
        let is_running = |state: &mut State| !state.end;
        drop(self.changed.wait_timeout_while(state, pause, is_running).unwrap_or_else(PoisonError::into_inner));
    }
}

impl Thumbnails {
    /// Starts the thread, which calls `answer` for each model. The thread has its own device, because resizing the
    /// window stalls the window's device. `images` has the decoded images of open models.
    pub fn start(images: Arc<ImageCache>, answer: impl Fn(PathBuf, ThumbnailResult) + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let thread_shared = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("thumbnails".to_owned())
            .spawn(move || run(&thread_shared, &images, &answer))
            .map_err(|error| log::error!("could not start the thumbnail thread: {error}"))
            .ok();
        Self { shared, thread, requested: Vec::new(), not_drawn: HashSet::new() }
    }

    /// Requests thumbnails of visible models without one, and replaces the previous request. `waiting`: whether a model
    /// is being opened. `busy`: whether the user plays or drags.
    pub fn request(&mut self, paths: Vec<PathBuf>, waiting: bool, busy: bool) {
        let mut state = self.shared.state();
        let has_resumed = state.waiting && !waiting;
        (state.waiting, state.busy) = (waiting, busy);
        let is_new = self.requested != paths;
        if is_new {
            let is_open = |path: &&PathBuf| !state.in_progress.contains(path) && !self.not_drawn.contains(*path);
            state.queue = paths.iter().filter(is_open).cloned().collect();
            self.requested = paths;
        }
        drop(state);
        if has_resumed || is_new {
            self.shared.changed.notify_all();
        }
    }

    /// Returns whether thumbnails are being made.
    pub fn is_working(&self) -> bool {
        let state = self.shared.state();
        !(state.waiting || state.queue.is_empty() && state.in_progress.is_empty())
    }

    /// Releases the GPU device, because no model is open any more.
    pub fn release_device(&mut self) {
        self.shared.state().release = true;
        self.shared.changed.notify_all();
    }

    /// Removes an answered model from the requests. Call it for every answer.
    pub fn received(&mut self, path: &Path, result: &ThumbnailResult) {
        if matches!(result, Err(ThumbnailError::Gpu(_))) {
            self.not_drawn.insert(path.to_path_buf());
        }
        self.shared.state().in_progress.retain(|other| *other != path);
        self.requested.retain(|other| *other != path);
    }

    /// Marks a cached thumbnail as outdated because its file changed, even if the file's time did not.
    pub fn outdated(&mut self, path: &Path) {
        self.not_drawn.remove(path);
        self.shared.state().stale.insert(path.to_path_buf());
        self.requested.clear();
    }
}

impl Drop for Thumbnails {
    fn drop(&mut self) {
        self.shared.state().end = true;
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn run(shared: &Shared, images: &Arc<ImageCache>, answer: &impl Fn(PathBuf, ThumbnailResult)) {
    let mut maker: Option<ThumbnailMaker> = None;
    loop {
        let ControlFlow::Continue(wanted) = shared.next() else { return };
        let Some((path, stale)) = wanted else {
            maker = None;
            shared.sleep();
            continue;
        };
        let start = Instant::now();
        let mut result = draw(&mut maker, images, &path, stale);
        if maker.is_none() {
            // The device failed, so retry once with a new one.
            result = draw(&mut maker, images, &path, stale);
        }
        answer(path, result);
        shared.pause(start.elapsed());
    }
}

fn draw(maker: &mut Option<ThumbnailMaker>, images: &Arc<ImageCache>, path: &Path, stale: bool) -> ThumbnailResult {
    let current = match maker {
        Some(current) => current,
        None => {
            let gpu = Gpu::headless()
                .inspect_err(|error| log::debug!("could not open a graphics device for thumbnails: {error}"))?;
            maker.insert(ThumbnailMaker::new(gpu, ThumbnailCache::of_user()).sharing(Arc::clone(images)))
        }
    };
    // A panic only affects this thumbnail.
    match catch_unwind(AssertUnwindSafe(|| current.make(path, stale))) {
        Ok(result) => {
            if let Err(error) = &result {
                log::debug!("could not create a thumbnail of {}: {error}", path.display());
                if matches!(error, ThumbnailError::Gpu(_)) {
                    *maker = None;
                }
            }
            result
        }
        Err(_) => {
            log::error!("the thumbnail of {} failed: internal error in Maquette", path.display());
            *maker = None;
            Err(GpuError::Panicked.into())
        }
    }
}
