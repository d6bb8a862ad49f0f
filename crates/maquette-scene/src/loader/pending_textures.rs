//! Images of models that are already shown. All cores decode them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::Request;
use super::prepare::make_levels;
use maquette_assets::material::{Image, ImageQueue};
use maquette_assets::open::{Assembly, ModelAsset, OpenError, Opener, PendingImages};
use maquette_core::threads;

/// Decoding time after which a model is shown without textures. Within this time, showing it early would only flicker.
const IMAGE_WAIT: Duration = Duration::from_millis(80);
const REPORT_INTERVAL: Duration = Duration::from_millis(150);
const POLL_INTERVAL: Duration = Duration::from_millis(10);

type OpenModels = dyn Fn(&Opener) -> Result<Assembly, OpenError>;

pub(super) struct PendingTextures {
    opener: Opener,
    open: Box<OpenModels>,
    images: Arc<PendingImages>,
}

/// Decodes images for at most [`IMAGE_WAIT`] and returns the remaining ones. If none remain, `assembly` gets its final
/// materials.
pub(super) fn wait_briefly(
    opener: Opener,
    open: Box<OpenModels>,
    queue: Arc<ImageQueue>,
    assembly: &mut Assembly,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<PendingTextures> {
    let until = Instant::now() + IMAGE_WAIT;
    let (_, wanted) = queue.progress();
    let decode = || opener.decode(&queue, || stop() || Instant::now() >= until);
    threads::with_others(threads::processors().min(wanted).saturating_sub(1), decode);
    if queue.is_complete() {
        if queue.needs_search()
            && let Ok(again) = open(&opener)
        {
            *assembly = again;
        }
        return None;
    }
    let shown = assembly.members.iter().map(|member| member.asset.clone()).collect();
    let images = Arc::new(PendingImages::new(queue, shown));
    assembly.members.iter_mut().for_each(|member| member.asset.pending_images = Some(Arc::clone(&images)));
    Some(PendingTextures { opener, open, images })
}

impl PendingTextures {
    /// Whether a model that needs the images still exists.
    pub fn is_wanted(&self) -> bool {
        Arc::strong_count(&self.images) > 1
    }

    /// Decodes the images and calls `report` on progress. Returns early with a request that must be handled first.
    pub fn run<T>(&self, requests: &Receiver<Request<T>>, report: &impl Fn()) -> Result<Request<T>, RecvTimeoutError> {
        let queue = &self.images.queue;
        let mut reported = queue.progress();
        while !queue.is_complete() {
            match self.decode_for(requests) {
                Err(RecvTimeoutError::Timeout) if self.is_wanted() => {}
                ended => return ended,
            }
            if queue.progress() != reported && !queue.is_complete() {
                reported = queue.progress();
                report();
            }
        }
        self.end(if queue.needs_search() { self.search_again() } else { Vec::new() }, report);
        Err(RecvTimeoutError::Timeout)
    }

    /// Finishes decoding. `renewed` has the models of a second search, or is empty without one.
    pub fn end(&self, renewed: Vec<ModelAsset>, report: &impl Fn()) {
        self.images.end(renewed);
        report();
    }

    /// Reads the models again after their images were decoded. Returns no models if this fails.
    fn search_again(&self) -> Vec<ModelAsset> {
        let Ok(again) = (self.open)(&self.opener) else { return Vec::new() };
        let models: Vec<ModelAsset> = again.members.into_iter().map(|member| member.asset).collect();
        let materials = models.iter().flat_map(|model| &model.skins).flat_map(|skin| skin.materials.iter());
        let images: Vec<Arc<Image>> = materials.flat_map(|material| material.images().cloned()).collect();
        make_levels(&images);
        models
    }

    /// Decodes until all images are decoded, [`REPORT_INTERVAL`] has passed or no model needs them. Returns early with
    /// a request that must be handled first.
    fn decode_for<T>(&self, requests: &Receiver<Request<T>>) -> Result<Request<T>, RecvTimeoutError> {
        let (opener, queue) = (&self.opener, &self.images.queue);
        let until = Instant::now() + REPORT_INTERVAL;
        let is_over = AtomicBool::new(false);
        let decode = || opener.decode(queue, || is_over.load(Ordering::Relaxed));
        thread::scope(|scope| {
            let begin = || thread::Builder::new().spawn_scoped(scope, decode).is_ok();
            let begun = (0..threads::processors()).take_while(|_| begin()).count();
            let is_late = || Instant::now() >= until || !self.is_wanted();
            if begun == 0 {
                opener.decode(queue, is_late);
            }
            let asked = loop {
                match requests.recv_timeout(POLL_INTERVAL) {
                    Err(RecvTimeoutError::Timeout) if !is_late() && !queue.is_complete() => {}
                    asked => break asked,
                }
            };
            is_over.store(true, Ordering::Relaxed);
            asked
        })
    }
}
