//! Images, animations, contact sheets and thumbnails, drawn off screen for the window and the command line.
//!
//! All frames of an animation are drawn with one device, one upload of the models and one target. Each frame is passed
//! to the encoder thread.

#![forbid(unsafe_code)]

pub(crate) mod atomic_file;
mod contact_sheet;
mod export_materials;
mod film;
mod film_encoder;
mod game_textures;
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

pub use atomic_file::{AtomicFile, is_taken, remove_partial_files, write_together};
pub use contact_sheet::{ContactSheetOptions, contact_sheet};
pub use film::{FilmFile, film};
pub use film_encoder::FrameNames;
pub use game_textures::{GameTextures, create_folders};
pub use job::OutputJob;
pub use model_export::{ExportedMotion, export_scene, game_path, measured_export};
pub use offscreen::{OffscreenRenderer, finish, snapshot};
pub use png::save_png;
pub use preview::PreviewKey;
pub use scene_renderer::{SceneRenderer, UploadStatus};
pub(crate) use text_pass::paint_shapes;
pub use thumbnails::{ThumbnailCache, ThumbnailError, ThumbnailMaker, ThumbnailResult, Thumbnails, cache_folder};

/// Error of an export.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// Drawing failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// The file could not be written.
    #[error("{}", system_reason(.0))]
    File(#[from] io::Error),
    /// There is no texture to save.
    #[error("the texture has no pixels")]
    NoTexture,
    /// There is no edited model to save.
    #[error("no changes to save")]
    NoFile,
    /// The model does not fit the format, or the animation is too long. The text explains why, as a sentence.
    #[error("{0}")]
    Unfit(String),
    /// The user cancelled the export; no files remain.
    #[error("cancelled")]
    Cancelled,
}

impl OutputError {
    /// Returns the reason why `file` was not written, with the path that caused the error.
    pub fn reason_at(&self, file: &Path) -> String {
        let Self::File(error) = self else { return self.to_string() };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (folder_name, name) = (folder.display(), file.display());
        match error.kind() {
            ErrorKind::NotFound if !folder.exists() => format!("the folder {folder_name} does not exist"),
            ErrorKind::NotADirectory => format!("{folder_name} is not a folder"),
            ErrorKind::IsADirectory => format!("{name} is a folder"),
            ErrorKind::PermissionDenied if file.exists() => format!("no permission to change {name}"),
            ErrorKind::PermissionDenied => format!("no permission to write to the folder {folder_name}"),
            ErrorKind::ReadOnlyFilesystem => format!("the folder {folder_name} is read-only"),
            ErrorKind::StorageFull => format!("the disk with the folder {folder_name} is full"),
            ErrorKind::InvalidFilename => format!("the file system does not allow this file name: {name}"),
            // The error already includes the file name.
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

/// Progress callback with the numbers of finished items and of all items. A return value of false cancels the work.
pub type Progress<'a> = dyn FnMut(u32, u32) -> bool + 'a;
