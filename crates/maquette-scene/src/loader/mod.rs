//! Loader thread: runs jobs that read files, without blocking the window.

mod context;
mod job;
mod pending_textures;
mod prepare;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

pub use context::{FileStamp, LoaderContext, ModelList};
pub use job::{LoadAnswer, LoadJob, ReadFiles};
use pending_textures::PendingTextures;

use maquette_assets::material::{CancelToken, ImageCache, ImageLoading};
use maquette_assets::open::Opener;

/// Thread that runs jobs in the order of the requests. `T` is the type of their results.
pub struct Loader<T> {
    requests: Sender<Request<T>>,
    /// Id of the newest job; 0 after a cancellation. Older jobs that would replace the scene stop early.
    newest: Arc<AtomicU64>,
    images: Arc<ImageCache>,
}

enum Request<T> {
    Run(LoadJob<T>),
    DropCaches,
}

impl<T: Send + 'static> Loader<T> {
    /// Starts the thread. It calls `answer` after each job, and `report` when images were decoded after the answer.
    pub fn start(answer: impl Fn(LoadAnswer<T>) + Send + 'static, report: impl Fn() + Send + 'static) -> Self {
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
    pub fn images(&self) -> Arc<ImageCache> {
        Arc::clone(&self.images)
    }

    /// Requests a job. Returns a failed answer at once if the thread does not run.
    pub fn load(&self, job: LoadJob<T>) -> Option<LoadAnswer<T>> {
        self.newest.store(job.id, Ordering::SeqCst);
        match self.requests.send(Request::Run(job)).err()?.0 {
            Request::Run(job) => Some(job.fail()),
            Request::DropCaches => None,
        }
    }

    /// Stops all jobs that are running or waiting.
    pub fn cancel(&self) {
        self.newest.store(0, Ordering::SeqCst);
    }

    /// Drops open archives and cached scripts, because no model is open any more.
    pub fn drop_caches(&self) {
        // Without the thread there are no caches.
        self.requests.send(Request::DropCaches).ok();
    }
}

fn work<T>(
    waiting: &Receiver<Request<T>>,
    newest: &Arc<AtomicU64>,
    images: &Arc<ImageCache>,
    answer: &impl Fn(LoadAnswer<T>),
    report: &impl Fn(),
) {
    let opener_for = |roots: &[PathBuf]| Opener::new(roots.to_vec(), ImageLoading::Decode).sharing(Arc::clone(images));
    let mut roots = Vec::new();
    let mut opener = opener_for(&roots);
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
        let Request::Run(job) = request else {
            opener = opener_for(&roots);
            continue;
        };
        let (id, replaces) = (job.id, job.replaces);
        let latest = Arc::clone(newest);
        // A cancellation stops every job. A newer job stops only jobs that replace the scene.
        let stop_signal = CancelToken::when(move || {
            let latest = latest.load(Ordering::SeqCst);
            latest == 0 || (replaces && latest != id)
        });
        let stop = || stop_signal.is_set();
        if stop() {
            continue;
        }
        let LoadJob { options, search_folders, .. } = &job;
        if *search_folders != roots {
            roots.clone_from(search_folders);
            opener = opener_for(&roots);
        }
        let mut options = options.clone();
        options.limits.stop = stop_signal.clone();
        let with_options = opener.with(options.clone());
        let mut context = LoaderContext::new(&with_options, &stop);
        context.early_options = Some(options);
        answer(job.run(&mut context));
        pending.extend(context.pending_textures);
        let is_old = || newest.load(Ordering::SeqCst) != id;
        catch_unwind(AssertUnwindSafe(|| context.images.finish(is_old))).ok();
    }
}
