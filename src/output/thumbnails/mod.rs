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
const YIELDING: u32 = 3;
/// Idle time after which the GPU device is released.
const IDLE: Duration = Duration::from_secs(60);

/// Thumbnail, or the error of the model or of the device.
pub type Made = Result<Thumbnail, ThumbnailError>;

/// Thumbnail thread. It ends when this value is dropped.
pub struct Thumbnails {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    asked: Vec<PathBuf>,
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
    wanted: Vec<PathBuf>,
    on_the_way: Vec<PathBuf>,
    /// Models that changed since their thumbnails were drawn. Their cached thumbnails are not used.
    stale: HashSet<PathBuf>,
    waiting: bool,
    busy: bool,
    rest: bool,
    end: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next path, and whether to ignore the cache; `None` after an idle time or a request to rest; `Break`
    /// to end the thread.
    fn next(&self) -> ControlFlow<(), Option<(PathBuf, bool)>> {
        let mut state = self.state();
        loop {
            if state.end {
                return ControlFlow::Break(());
            }
            if std::mem::take(&mut state.rest) {
                return ControlFlow::Continue(None);
            }
            if !state.waiting && !state.wanted.is_empty() {
                let path = state.wanted.remove(0);
                state.on_the_way.push(path.clone());
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
        let idle = |state: &mut State| !state.end && (state.waiting || state.wanted.is_empty());
        drop(self.changed.wait_while(self.state(), idle).unwrap_or_else(PoisonError::into_inner));
    }

    fn pause(&self, took: Duration) {
        let state = self.state();
        let pause = if state.busy { took.saturating_mul(YIELDING).min(Duration::from_secs(1)) } else { PAUSE };
        let goes_on = |state: &mut State| !state.end;
        drop(self.changed.wait_timeout_while(state, pause, goes_on).unwrap_or_else(PoisonError::into_inner));
    }
}

impl Thumbnails {
    /// Starts the thread, which calls `answer` for each model. The thread has its own device, because resizing the
    /// window stalls the window's device. `images` has the decoded images of open models.
    pub fn start(images: Arc<ImageCache>, answer: impl Fn(PathBuf, Made) + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let others = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("thumbnails".to_owned())
            .spawn(move || work(&others, &images, &answer))
            .map_err(|error| log::error!("could not start the thumbnail thread: {error}"))
            .ok();
        Self { shared, thread, asked: Vec::new(), not_drawn: HashSet::new() }
    }

    /// Requests thumbnails of visible models without one, and replaces the previous request. `waiting`: whether a model
    /// is being opened. `busy`: whether the user plays or drags.
    pub fn want(&mut self, paths: Vec<PathBuf>, waiting: bool, busy: bool) {
        let mut state = self.shared.state();
        let released = state.waiting && !waiting;
        (state.waiting, state.busy) = (waiting, busy);
        let another = self.asked != paths;
        if another {
            let is_open = |path: &&PathBuf| !state.on_the_way.contains(path) && !self.not_drawn.contains(*path);
            state.wanted = paths.iter().filter(is_open).cloned().collect();
            self.asked = paths;
        }
        drop(state);
        if released || another {
            self.shared.changed.notify_all();
        }
    }

    /// Releases the GPU device, because no model is open any more.
    pub fn rest(&mut self) {
        self.shared.state().rest = true;
        self.shared.changed.notify_all();
    }

    /// Removes an answered model from the requests. Call it for every answer.
    pub fn received(&mut self, path: &Path, made: &Made) {
        if matches!(made, Err(ThumbnailError::Gpu(_))) {
            self.not_drawn.insert(path.to_path_buf());
        }
        self.shared.state().on_the_way.retain(|other| *other != path);
        self.asked.retain(|other| *other != path);
    }

    /// Marks a cached thumbnail as outdated because its file changed, even if the file's time did not.
    pub fn outdated(&mut self, path: &Path) {
        self.not_drawn.remove(path);
        self.shared.state().stale.insert(path.to_path_buf());
        self.asked.clear();
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

fn work(shared: &Shared, images: &Arc<ImageCache>, answer: &impl Fn(PathBuf, Made)) {
    let mut maker: Option<ThumbnailMaker> = None;
    loop {
        let ControlFlow::Continue(wanted) = shared.next() else { return };
        let Some((path, stale)) = wanted else {
            maker = None;
            shared.sleep();
            continue;
        };
        let start = Instant::now();
        let mut made = draw(&mut maker, images, &path, stale);
        if maker.is_none() {
            // The device failed, so retry once with a new one.
            made = draw(&mut maker, images, &path, stale);
        }
        answer(path, made);
        shared.pause(start.elapsed());
    }
}

fn draw(maker: &mut Option<ThumbnailMaker>, images: &Arc<ImageCache>, path: &Path, stale: bool) -> Made {
    if maker.is_none() {
        match Gpu::headless() {
            Ok(gpu) => *maker = Some(ThumbnailMaker::new(gpu, ThumbnailCache::of_user()).sharing(Arc::clone(images))),
            Err(error) => {
                log::debug!("could not open a graphics device for thumbnails: {error}");
                return Err(error.into());
            }
        }
    }
    let Some(own) = maker.as_mut() else { return Err(GpuError(String::new()).into()) };
    // A panic only affects this thumbnail.
    match catch_unwind(AssertUnwindSafe(|| own.make(path, stale))) {
        Ok(made) => {
            if let Err(error) = &made {
                log::debug!("could not create a thumbnail of {}: {error}", path.display());
                if matches!(error, ThumbnailError::Gpu(_)) {
                    *maker = None;
                }
            }
            made
        }
        Err(_) => {
            log::error!("the thumbnail of {} failed: internal error in Maquette", path.display());
            *maker = None;
            Err(GpuError("internal error in Maquette".to_owned()).into())
        }
    }
}
