//! Models that were shown before their pictures were decoded: those are decoded on all cores, and told as they come.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::Request;
use super::prepare::make_levels;
use crate::session::Dressed;
use maquette_assets::material::Picture;
use maquette_assets::open::{Assembly, Dressing, ModelAsset, OpenError, OpenOptions, Opener, Staging};
use maquette_core::error::Warning;
use maquette_core::threads;

/// So long pictures are waited for before a model is shown without them: what is over sooner would only flicker.
const PATIENCE: Duration = Duration::from_millis(80);
/// Between two words of pictures that came.
const BETWEEN: Duration = Duration::from_millis(150);
/// How often it is looked whether something else is to be done.
const LOOK: Duration = Duration::from_millis(10);
/// While pictures are looked up again so many times as long passes before the next time.
const SPARING: u32 = 4;

/// Opens a path again.
pub(super) type Reopen = dyn Fn(&Opener) -> Result<Assembly, OpenError> + Sync;

/// How it was opened.
pub(super) struct Opened {
    pub open: Box<Reopen>,
    pub roots: Vec<PathBuf>,
    pub options: OpenOptions,
}

/// What is shown, and whose pictures are still to come.
pub(super) struct Undressed {
    opened: Opened,
    staging: Staging,
    /// The warnings that each of its models was shown with.
    first: Vec<(u64, Vec<Warning>)>,
}

/// Why dressing ends.
pub(super) enum End {
    /// Everything is told.
    Done,
    /// Something is asked for that comes first.
    Asked(Request),
    /// Nobody asks any more.
    Gone,
}

impl Undressed {
    /// Of what was opened with `staging` and is shown as `loaded`.
    pub fn new(opened: Opened, staging: Staging, loaded: &Assembly) -> Self {
        let first = assets(loaded).into_iter().filter_map(|asset| Some((asset.dressing?, asset.warnings.clone())));
        Self { opened, first: first.collect(), staging }
    }

    /// The folders and archives that it was opened with.
    pub fn roots(&self) -> &[PathBuf] {
        &self.opened.roots
    }

    /// Whether anybody still holds what is to be dressed.
    pub fn is_wanted(&self) -> bool {
        self.staging.is_wanted()
    }

    /// Decodes for a short while; true if nothing is to come then. Given up when `stop`.
    pub fn wait_a_little(&self, opener: &Opener, stop: impl Fn() -> bool + Sync) -> bool {
        let until = Instant::now() + PATIENCE;
        decode(&self.request(opener), &self.staging, || stop() || Instant::now() >= until);
        self.staging.supply.is_complete()
    }

    /// Everything dressed, once nothing is to come.
    pub fn finish(&self, opener: &Opener) -> Result<Assembly, OpenError> {
        self.staging.supply.close();
        let mut loaded = self.open(&self.request(opener))?;
        wait_for_nothing(&mut loaded);
        Ok(loaded)
    }

    /// Decodes and tells, until everything is told or something is asked for.
    pub fn go_on(&self, opener: &Opener, requests: &Receiver<Request>, tell: &impl Fn(Dressed)) -> End {
        let supply = &self.staging.supply;
        let opener = &self.request(opener);
        let mut told = supply.progress().0;
        let mut pause = BETWEEN;
        while !supply.is_complete() {
            match self.decode_for(opener, requests, pause) {
                Ok(request) => return End::Asked(request),
                Err(RecvTimeoutError::Disconnected) => return End::Gone,
                Err(RecvTimeoutError::Timeout) if !self.staging.is_wanted() => return End::Done,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let (finished, _) = supply.progress();
            if finished > told && !supply.is_complete() {
                told = finished;
                let start = Instant::now();
                // What cannot be opened again is told at the end.
                if let Ok(loaded) = self.open(opener) {
                    tell(self.dressed(&loaded, false));
                }
                pause = BETWEEN.max(start.elapsed() * SPARING);
            }
        }
        supply.close();
        tell(self.open(opener).map_or_else(|_| self.given_up(), |loaded| self.dressed(&loaded, true)));
        End::Done
    }

    /// Nothing more comes: it stays as it is.
    pub fn given_up(&self) -> Dressed {
        let dressing = |(number, warnings): &(u64, Vec<Warning>)| Dressing {
            number: *number,
            skins: Vec::new(),
            missing_skins: Arc::default(),
            warnings: warnings.clone(),
            first_warnings: warnings.clone(),
            is_complete: true,
        };
        Dressed { dressings: self.first.iter().map(dressing).collect(), progress: self.staging.supply.progress() }
    }

    /// Decodes on all cores until that is done, so long has passed or nobody wants it; gives what is asked for meanwhile.
    fn decode_for(
        &self,
        opener: &Opener,
        requests: &Receiver<Request>,
        pause: Duration,
    ) -> Result<Request, RecvTimeoutError> {
        let until = Instant::now() + pause;
        let is_over = AtomicBool::new(false);
        let is_late = || Instant::now() >= until || !self.staging.is_wanted();
        let decode = || opener.decode(&self.staging, || is_over.load(Ordering::Relaxed));
        thread::scope(|scope| {
            let begin = || thread::Builder::new().spawn_scoped(scope, decode).is_ok();
            let begun = (0..threads::processors()).take_while(|_| begin()).count();
            if begun == 0 {
                opener.decode(&self.staging, is_late);
            }
            let goes_on = || Instant::now() < until && !self.staging.supply.is_complete() && self.staging.is_wanted();
            let asked = loop {
                match requests.recv_timeout(LOOK) {
                    Err(RecvTimeoutError::Timeout) if goes_on() => {}
                    asked => break asked,
                }
            };
            is_over.store(true, Ordering::Relaxed);
            asked
        })
    }

    /// An opener with the options of the first opening.
    fn request(&self, opener: &Opener) -> Opener {
        opener.with(self.opened.options.clone())
    }

    /// Opens it again; models stay, pictures are those that are there.
    fn open(&self, opener: &Opener) -> Result<Assembly, OpenError> {
        (self.opened.open)(opener)
    }

    fn dressed(&self, loaded: &Assembly, is_complete: bool) -> Dressed {
        let dressing = |asset: &ModelAsset| {
            let number = asset.dressing?;
            let (_, first_warnings) = self.first.iter().find(|(known, _)| *known == number)?;
            Some(Dressing {
                number,
                skins: asset.skins.clone(),
                missing_skins: asset.missing_skins.clone(),
                warnings: asset.warnings.clone(),
                first_warnings: first_warnings.clone(),
                is_complete,
            })
        };
        let dressings: Vec<Dressing> = assets(loaded).into_iter().filter_map(dressing).collect();
        // Of pictures that are made of others.
        let materials = dressings.iter().flat_map(|dressing| &dressing.skins).flat_map(|skin| skin.materials.iter());
        let pictures: Vec<Arc<Picture>> = materials.flat_map(|material| material.pictures().cloned()).collect();
        make_levels(&pictures);
        Dressed { dressings, progress: self.staging.supply.progress() }
    }
}

/// Decodes on all cores.
fn decode(opener: &Opener, staging: &Staging, stop: impl Fn() -> bool + Sync) {
    let (_, wanted) = staging.supply.progress();
    threads::with_others(threads::processors().min(wanted).saturating_sub(1), || opener.decode(staging, &stop));
}

/// The models in an answer that can be dressed later.
fn assets(loaded: &Assembly) -> Vec<&ModelAsset> {
    loaded.members.iter().map(|member| &member.asset).collect()
}

/// Nothing of it is to come.
pub(super) fn wait_for_nothing(loaded: &mut Assembly) {
    loaded.members.iter_mut().for_each(|member| member.asset.dressing = None);
}
