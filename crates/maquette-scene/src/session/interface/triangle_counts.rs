//! Numbers of triangles of the listed models, counted in short loads between those of the scene.

use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use crate::loader::FileStamp;
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, Session};
use maquette_core::model::Model;

/// Number of triangles of the finest LOD, `None` if the model does not open, and the stamp of the file before the count.
type Counted = (Option<usize>, FileStamp);

/// Counted models of the list.
#[derive(Debug, Default)]
pub struct TriangleCounts {
    counted: HashMap<PathBuf, Counted>,
    is_running: bool,
    is_cancelled: bool,
    /// Models of which a file changed since the running slice began.
    changed: HashSet<PathBuf>,
    /// Number of changes.
    pub revision: u64,
}

impl TriangleCounts {
    /// Returns the number of triangles of a model; `None` if it is not counted yet, or does not open.
    pub fn of(&self, model: &Path) -> Option<usize> {
        self.counted.get(model)?.0
    }

    /// Returns the number of counted models.
    pub fn count(&self) -> usize {
        self.counted.len()
    }

    /// Whether models are being counted.
    pub fn is_running(&self) -> bool {
        self.is_running
    }

    /// Whether the user cancelled the count since it began.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled
    }

    pub(crate) fn stop(&mut self) {
        self.is_cancelled |= std::mem::take(&mut self.is_running);
    }

    /// Begins a slice that counts models, on its own or while it checks them.
    pub(crate) fn begin_slice(&mut self) {
        self.changed.clear();
    }

    /// Adds counts, except of models that changed in the meantime, and keeps only those of `models`.
    pub(crate) fn take(&mut self, counted: impl IntoIterator<Item = (PathBuf, Counted)>, models: &[PathBuf]) {
        let listed: HashSet<&PathBuf> = models.iter().collect();
        self.counted.extend(counted.into_iter().filter(|(model, _)| !self.changed.contains(model)));
        self.counted.retain(|model, _| listed.contains(model));
        self.revision += 1;
    }

    /// Forgets a model of which a file changed.
    pub(crate) fn forget(&mut self, model: &Path) {
        self.changed.insert(model.to_path_buf());
        self.revision += u64::from(self.counted.remove(model).is_some());
    }

    /// Like [`Self::forget`], if the file was written since the count.
    pub(crate) fn forget_if_written(&mut self, model: &Path, stamp: FileStamp) {
        if self.counted.get(model).is_none_or(|(_, counted)| *counted != stamp) {
            self.forget(model);
        }
    }
}

impl Session {
    /// Counts the triangles of the listed models that are not counted yet.
    pub(crate) fn count_triangles(&mut self) -> Option<Effect> {
        let counts = &mut self.interface.triangle_counts;
        counts.is_cancelled = false;
        if std::mem::replace(&mut counts.is_running, true) { None } else { self.load(next_slice()) }
    }

    fn take_counts(&mut self, counted: Vec<(PathBuf, Counted)>) {
        let counts = &mut self.interface.triangle_counts;
        counts.take(counted, &self.model_list);
        counts.is_running &= counts.count() < self.model_list.len();
        if counts.is_running {
            // The queue starts it after the loads that wait.
            self.load(next_slice());
        }
    }
}

/// Returns the number of triangles of the finest LOD.
pub(crate) fn triangles_of(model: &Model) -> usize {
    let finest = model.surfaces().iter().filter(|surface| surface.lod == 0);
    finest.map(|surface| surface.triangles.len()).sum()
}

/// Returns a load that opens the listed models without a count, until its time is over.
fn next_slice() -> QueuedLoad {
    let load = QueuedLoad::new(PathBuf::new(), |session| {
        let counts = &mut session.interface.triangle_counts;
        counts.begin_slice();
        let wanted = session.model_list.iter().filter(|model| !counts.counted.contains_key(*model));
        let wanted: Vec<PathBuf> = wanted.cloned().collect();
        on_loader(move |context| {
            let counted = context.slice(wanted.into_iter().map(|model| {
                let stamp = FileStamp::read(&model);
                let count = || context.opener.load(&model).ok().map(|loaded| triangles_of(&loaded.model));
                // A panic counts as a model that does not open, so that the order becomes complete.
                let triangles = catch_unwind(AssertUnwindSafe(count)).ok().flatten();
                (model, (triangles, stamp))
            }));
            then_update(move |session| session.take_counts(counted))
        })
    });
    load.in_background()
}
