//! Jobs for the loader thread, and their answers.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::SystemTime;

use super::{LoaderContext, ModelList};
use maquette_assets::open::{OpenCause, OpenError, OpenOptions};
use maquette_core::error::{FilePosition, LoadError, Reason};

/// Function that reads files on the loader thread.
pub type ReadFiles<T> = Box<dyn FnOnce(&mut LoaderContext) -> Result<T, OpenError> + Send>;

/// A read of files, with a result of type `T`.
pub struct LoadJob<T> {
    /// Number of the job, from 1.
    pub id: u64,
    /// Folders and archives that are searched before the models' own games. The last one is searched first.
    pub search_folders: Vec<PathBuf>,
    /// Options of the opener. The loader adds the cancellation.
    pub options: OpenOptions,
    /// Path to name in messages.
    pub path: PathBuf,
    /// Whether the result replaces the scene. A newer job stops such a job.
    pub replaces: bool,
    /// The read.
    pub read: ReadFiles<T>,
}

/// Answer to a job.
pub struct LoadAnswer<T> {
    /// Number of the job.
    pub id: u64,
    /// The result, or the error.
    pub result: Result<T, OpenError>,
    /// Models that were found, even if none could be opened.
    pub list: Option<ModelList>,
    /// Start time of the job. Files written later were not read.
    pub began: SystemTime,
}

impl<T> LoadJob<T> {
    /// Reads on this thread.
    pub fn run(self, context: &mut LoaderContext) -> LoadAnswer<T> {
        let began = SystemTime::now();
        let Self { id, path, read, .. } = self;
        // A panic must not leave the window waiting for an answer that never comes.
        let result = catch_unwind(AssertUnwindSafe(|| read(context)));
        LoadAnswer { id, result: result.unwrap_or_else(|_| fault(path)), list: context.list.take(), began }
    }

    /// Returns the answer without a loader thread.
    pub(super) fn fail(self) -> LoadAnswer<T> {
        LoadAnswer { id: self.id, result: fault(self.path), list: None, began: SystemTime::now() }
    }
}

fn fault<T>(path: PathBuf) -> Result<T, OpenError> {
    let fault = LoadError::new("", "", FilePosition::Whole, Reason::Broken("internal error in Maquette".to_owned()));
    Err(OpenError { path, cause: OpenCause::Load(Box::new(fault)) })
}

impl<T> fmt::Debug for LoadJob<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadJob").field("id", &self.id).field("path", &self.path).finish_non_exhaustive()
    }
}
