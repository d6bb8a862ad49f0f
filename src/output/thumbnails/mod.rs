//! Thumbnails of models for the browser, made on a thread of their own: one at a time, and slower while the user plays or
//! drags. What is in sight now counts; what was asked for before and is not made yet is dropped.

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

/// Between two thumbnails, so that other work gets the device and the disk.
const PAUSE: Duration = Duration::from_millis(2);
/// While the user plays or drags, the pause is so many times as long as the last thumbnail took.
const YIELDING: u32 = 3;
/// Nothing was asked for so long: what pictures are made with is given back.
const IDLE: Duration = Duration::from_secs(60);

/// A thumbnail, or why there is none: by the model, or by the device, which is no fault of the model's.
pub type Made = Result<Thumbnail, ThumbnailError>;

/// The thread that makes thumbnails. Ends when this is dropped.
pub struct Thumbnails {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// What was asked for last.
    asked: Vec<PathBuf>,
    /// What could not be drawn; it is not asked for again as long as this thread lives.
    not_drawn: HashSet<PathBuf>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// To be made, the first one first.
    wanted: Vec<PathBuf>,
    /// Being made, or made and not yet received.
    on_the_way: Vec<PathBuf>,
    /// Changed since they were made: what is on disk of them does not count.
    stale: HashSet<PathBuf>,
    /// A model is being opened: that comes first.
    waiting: bool,
    /// The user plays or drags.
    busy: bool,
    /// What pictures are made with is to be given back now.
    rest: bool,
    end: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next one to be made and whether it must be made anew; waits for it. None: nothing was wanted for a while.
    /// A break: the thread is to end.
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

    /// Waits until something is wanted.
    fn sleep(&self) {
        let idle = |state: &mut State| !state.end && (state.waiting || state.wanted.is_empty());
        drop(self.changed.wait_while(self.state(), idle).unwrap_or_else(PoisonError::into_inner));
    }

    /// Lets others work after a thumbnail that took so long.
    fn pause(&self, took: Duration) {
        let state = self.state();
        let pause = if state.busy { took.saturating_mul(YIELDING).min(Duration::from_secs(1)) } else { PAUSE };
        let goes_on = |state: &mut State| !state.end;
        drop(self.changed.wait_timeout_while(state, pause, goes_on).unwrap_or_else(PoisonError::into_inner));
    }
}

impl Thumbnails {
    /// Starts the thread; `answer` is called on it with a model and its thumbnail or why there is none. It draws with a device of its own: the window's must come to rest
    /// whenever the window changes its size, and what fails here must not cost the window anything.
    /// `pictures` are those of what is open.
    pub fn start(pictures: Arc<ImageCache>, answer: impl Fn(PathBuf, Made) + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let others = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("thumbnails".to_owned())
            .spawn(move || work(&others, &pictures, &answer))
            .map_err(|error| log::error!("no thumbnails: {error}"))
            .ok();
        Self { shared, thread, asked: Vec::new(), not_drawn: HashSet::new() }
    }

    /// What is in sight and has no thumbnail; takes the place of what was asked for before. `waiting`: a model is being
    /// opened; `busy`: the user plays or drags.
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

    /// Nothing is open any more: what thumbnails are made with is given back.
    pub fn rest(&mut self) {
        self.shared.state().rest = true;
        self.shared.changed.notify_all();
    }

    /// An answer has come.
    pub fn received(&mut self, path: &Path, made: &Made) {
        if matches!(made, Err(ThumbnailError::Gpu(_))) {
            self.not_drawn.insert(path.to_path_buf());
        }
        self.shared.state().on_the_way.retain(|other| *other != path);
        self.asked.retain(|other| *other != path);
    }

    /// A file changed: its thumbnail on disk is out of date, whatever the file's time says of it.
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

fn work(shared: &Shared, pictures: &Arc<ImageCache>, answer: &impl Fn(PathBuf, Made)) {
    let mut maker: Option<ThumbnailMaker> = None;
    loop {
        let ControlFlow::Continue(wanted) = shared.next() else { return };
        let Some((path, stale)) = wanted else {
            maker = None;
            shared.sleep();
            continue;
        };
        let start = Instant::now();
        let mut made = draw(&mut maker, pictures, &path, stale);
        if maker.is_none() {
            // The device failed; another one may not.
            made = draw(&mut maker, pictures, &path, stale);
        }
        answer(path, made);
        shared.pause(start.elapsed());
    }
}

/// Makes a thumbnail. A device that failed is given back.
fn draw(maker: &mut Option<ThumbnailMaker>, pictures: &Arc<ImageCache>, path: &Path, stale: bool) -> Made {
    if maker.is_none() {
        match Gpu::headless() {
            Ok(gpu) => *maker = Some(ThumbnailMaker::new(gpu, ThumbnailCache::of_user()).sharing(Arc::clone(pictures))),
            Err(error) => {
                log::debug!("no thumbnails: {error}");
                return Err(error.into());
            }
        }
    }
    let Some(own) = maker.as_mut() else { return Err(GpuError(String::new()).into()) };
    // A fault of ours costs this one thumbnail.
    match catch_unwind(AssertUnwindSafe(|| own.make(path, stale))) {
        Ok(made) => {
            if let Err(error) = &made {
                log::debug!("no thumbnail of {}: {error}", path.display());
                if matches!(error, ThumbnailError::Gpu(_)) {
                    *maker = None;
                }
            }
            made
        }
        Err(_) => {
            log::error!("the thumbnail of {} failed by a fault in Maquette itself", path.display());
            *maker = None;
            Err(GpuError("it failed by a fault in Maquette itself".to_owned()).into())
        }
    }
}
