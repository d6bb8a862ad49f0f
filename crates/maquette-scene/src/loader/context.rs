//! Context of a job: an opener with the job's options, and data computed for the first frame.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::pending_textures::{PendingTextures, wait_briefly};
use super::prepare::PreparedImages;
use crate::scene::EntityId;
use maquette_assets::material::{CancelToken, ImageQueue, Limits};
use maquette_assets::open::{
    self, Assembly, ModelAsset, ModelFiles, OpenError, OpenOptions, Opener, ScanResult, Source, models_in_folder_of,
};

/// Time after which a slice of a long search ends and lets other jobs start.
const SLICE: Duration = Duration::from_millis(150);

/// Opener and results of one job.
pub struct LoaderContext<'a> {
    /// Opener with the options of the job.
    pub opener: &'a Opener,
    /// Whether to stop early. Polled while folders are scanned.
    pub stop: &'a (dyn Fn() -> bool + Sync),
    /// Models of the list, if the job sets the model list.
    pub list: Option<ModelList>,
    start: Instant,
    /// Options for models that are shown before their images are decoded; `None` waits for all images.
    pub(super) early_options: Option<OpenOptions>,
    pub(super) pending_textures: Option<PendingTextures>,
    pub(super) images: PreparedImages,
}

impl<'a> LoaderContext<'a> {
    /// Starts reads that wait for all images.
    #[must_use]
    pub fn new(opener: &'a Opener, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        let (list, early_options, pending_textures, images) = (None, None, None, PreparedImages::default());
        Self { opener, stop, list, start: Instant::now(), early_options, pending_textures, images }
    }

    /// Returns the time since the job began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Computes values until the time of a slice is over. A value during which the job was stopped is dropped, because
    /// it may be incomplete.
    pub(crate) fn slice<T>(&self, values: impl Iterator<Item = T>) -> Vec<T> {
        let mut computed = Vec::new();
        for value in values {
            if (self.stop)() {
                break;
            }
            computed.push(value);
            if self.elapsed() > SLICE {
                break;
            }
        }
        computed
    }

    /// Opens models that are new to the scene. If decoding takes long, the models are returned before their images are
    /// decoded.
    pub(crate) fn models(
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
    pub(crate) fn assembly(&mut self, path: &Path) -> Result<Assembly, OpenError> {
        let path = path.to_path_buf();
        self.models(move |opener| opener.assembly(&path))
    }

    /// Reads files of the scene again.
    pub(crate) fn reopen(&mut self, sources: &[(EntityId, Source)]) -> Result<Vec<(EntityId, ModelAsset)>, OpenError> {
        let assets = sources.iter().map(|(entity, source)| Ok((*entity, self.opener.reopen(source)?)));
        let assets = assets.collect::<Result<Vec<_>, OpenError>>()?;
        assets.iter().for_each(|(_, asset)| self.prepare(asset.clone()));
        Ok(assets)
    }

    /// Computes bounds, first poses and mip levels in advance. If this stops early, the window computes the rest.
    pub(crate) fn prepare(&mut self, models: impl Into<Assembly>) {
        if !(self.stop)() {
            let assembly = models.into();
            catch_unwind(AssertUnwindSafe(|| self.images.prepare(assembly))).ok();
        }
    }

    /// Sets the model list.
    pub(crate) fn list(&mut self, found: ScanResult, asked_for: bool) {
        let ModelFiles { models, coarser } = open::divide_coarser_levels(self.opener.files(), found.models);
        let replaced = self.opener.files().overridden(&models);
        let stamps = models.iter().map(|model| (model.clone(), FileStamp::read(model))).collect();
        self.list = Some(ModelList { replaced, stamps, models, coarser, left_out: found.left_out, asked_for });
    }

    /// Sets the model list to the models in the folder of `path`.
    pub(crate) fn list_folder_of(&mut self, path: &Path, asked_for: bool) {
        let models = models_in_folder_of(self.opener.files(), path);
        self.list(ScanResult { models, ..ScanResult::default() }, asked_for);
    }
}

/// Size and modification time of a file. Files in an archive have those of the archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStamp {
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change.
    pub written: Option<SystemTime>,
}

impl FileStamp {
    pub(crate) fn read(path: &Path) -> Self {
        let data = path.ancestors().find_map(|path| std::fs::metadata(path).ok());
        data.map_or_else(Self::default, |data| Self { bytes: data.len(), written: data.modified().ok() })
    }
}

/// List of models.
pub struct ModelList {
    /// Files in display order.
    pub models: Vec<PathBuf>,
    /// Coarser LODs of these files, which are not shown.
    pub coarser: Vec<PathBuf>,
    /// Overridden files, with the name of the archive or file that overrides each.
    pub replaced: HashMap<PathBuf, String>,
    /// Size and date of each file.
    pub stamps: HashMap<PathBuf, FileStamp>,
    /// Files in the same folders whose model format cannot be read.
    pub left_out: Vec<PathBuf>,
    /// Whether the user opened a folder, an archive or several models. A single file only lists its folder.
    pub asked_for: bool,
}

impl ModelList {
    /// Whether the list stays when a file outside the list is opened. A list of one model does not stay.
    pub(crate) fn is_asked_for(&self) -> bool {
        self.asked_for && self.models.len() > 1
    }
}
