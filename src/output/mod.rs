//! Pictures, films, contact sheets and thumbnails: drawn without a window, for the window and for the command line.
//!
//! One device, one set of models and one target serve all pictures of a film; each is drawn, handed to the thread that
//! encodes, and forgotten.

#![forbid(unsafe_code)]

mod contact_sheet;
mod drawing;
mod export_materials;
mod film;
mod film_encoder;
mod job;
mod model_export;
mod offscreen;
mod png;
mod preview;
mod text_pass;
mod thumbnails;
pub(crate) mod whole_file;

use std::fmt;
use std::io;

use crate::render::GpuError;
use maquette_core::export::ExportError;
use maquette_scene::scene::FramePlanError;

pub use contact_sheet::{ContactSheetOptions, contact_sheet};
pub use drawing::{Brought, SceneDrawing};
pub use film::{FilmFile, film};
pub use film_encoder::{FilmEncoder, FrameNames};
pub use job::OutputJob;
pub use model_export::{ExportedMotion, export_scene, measured_export};
pub use offscreen::{OffscreenRenderer, finish, snapshot};
pub use png::save_png;
pub use preview::{PreviewJob, PreviewKey};
pub use thumbnails::{
    MadeThumbnail, ThumbnailCache, ThumbnailError, ThumbnailMaker, ThumbnailResult, Thumbnails, cache_folder,
};
pub use whole_file::{WholeFile, remove_partial_files, write_together};

/// Why something was not made.
#[derive(Debug)]
pub enum OutputError {
    /// It cannot be drawn.
    Gpu(GpuError),
    /// There is no such film.
    Plan(FramePlanError),
    /// It cannot be written.
    File(io::Error),
    /// The texture is gone.
    NoTexture,
    /// The model that was changed is gone.
    NoFile,
    /// The model does not fit the format, in a sentence.
    Unfit(String),
    /// It was stopped; nothing of it is left.
    Cancelled,
}

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gpu(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::File(error) => error.fmt(f),
            Self::NoTexture => f.write_str("it has no texels"),
            Self::NoFile => f.write_str("nothing was changed"),
            Self::Unfit(why) => f.write_str(why),
            Self::Cancelled => f.write_str("it was cancelled"),
        }
    }
}

impl std::error::Error for OutputError {}

impl From<GpuError> for OutputError {
    fn from(error: GpuError) -> Self {
        Self::Gpu(error)
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

impl From<io::Error> for OutputError {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Told how many are made and how many there will be; false stops it.
pub type Progress<'a> = dyn FnMut(u32, u32) -> bool + 'a;
