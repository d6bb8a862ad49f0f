//! Pictures, films, contact sheets and thumbnails: drawn without a window, for the window and for the command line.
//!
//! One device, one set of models and one target serve all pictures of a film; each is drawn, handed to the thread that
//! encodes, and forgotten.

#![forbid(unsafe_code)]

pub(crate) mod atomic_file;
mod contact_sheet;
mod export_materials;
mod film;
mod film_encoder;
mod job;
mod model_export;
mod offscreen;
mod png;
mod preview;
mod scene_renderer;
mod text_pass;
mod thumbnails;

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::render::GpuError;
use maquette_core::error::system_reason;
use maquette_core::export::ExportError;
use maquette_scene::scene::FramePlanError;

pub use atomic_file::{AtomicFile, remove_partial_files, write_together};
pub use contact_sheet::{ContactSheetOptions, contact_sheet};
pub use film::{FilmFile, film};
pub use film_encoder::FrameNames;
pub use job::OutputJob;
pub use model_export::{ExportedMotion, export_scene, measured_export};
pub use offscreen::{OffscreenRenderer, finish, snapshot};
pub use png::save_png;
pub use preview::PreviewKey;
pub use scene_renderer::{SceneRenderer, UploadStatus};
pub use thumbnails::{Made, ThumbnailCache, ThumbnailError, ThumbnailMaker, Thumbnails, cache_folder};

/// Why something was not made.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// It cannot be drawn.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// There is no such film.
    #[error(transparent)]
    Plan(#[from] FramePlanError),
    /// It cannot be written.
    #[error("{}", system_reason(.0))]
    File(#[from] io::Error),
    /// The texture is gone.
    #[error("it has no texels")]
    NoTexture,
    /// The model that was changed is gone.
    #[error("nothing was changed")]
    NoFile,
    /// The model does not fit the format, in a sentence.
    #[error("{0}")]
    Unfit(String),
    /// It was stopped; nothing of it is left.
    #[error("it was cancelled")]
    Cancelled,
}

impl OutputError {
    /// Returns why `file` was not written, with the path that is in the way.
    #[must_use]
    pub fn reason_at(&self, file: &Path) -> String {
        let Self::File(error) = self else { return self.to_string() };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (place, name) = (folder.display(), file.display());
        match error.kind() {
            ErrorKind::NotFound if !folder.exists() => format!("the folder {place} does not exist"),
            ErrorKind::NotADirectory => format!("{place} is not a folder"),
            ErrorKind::IsADirectory => format!("{name} is a folder"),
            ErrorKind::PermissionDenied if file.exists() => format!("no permission to change {name}"),
            ErrorKind::PermissionDenied => format!("no permission to write to the folder {place}"),
            ErrorKind::ReadOnlyFilesystem => format!("the folder {place} is read-only"),
            ErrorKind::StorageFull => format!("the disk with the folder {place} is full"),
            ErrorKind::InvalidFilename => format!("the name of {name} is not possible there"),
            // The error names the file already.
            ErrorKind::AlreadyExists => system_reason(error),
            _ => format!("{name}: {}", system_reason(error)),
        }
    }
}

impl From<ExportError> for OutputError {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::Write(error) => Self::File(error),
            ExportError::Unfit(why) => Self::Unfit(why),
        }
    }
}

/// Told how many are made and how many there will be; false stops it.
pub type Progress<'a> = dyn FnMut(u32, u32) -> bool + 'a;
