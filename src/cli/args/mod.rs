//! Command line arguments.

mod batch;
mod character;
mod check;
mod export;
mod image;
mod inspect;
mod view;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use batch::BatchArguments;
pub use character::{CharacterArguments, FrameArguments};
pub use check::CheckArguments;
pub use export::{ConvertArguments, EditArguments, ExportArguments, RecomputeArgument, TexturesArgument};
pub use image::{FilmArguments, ImageArguments, SheetArguments, SnapshotArguments};
pub use inspect::{DiffArguments, InfoArguments, StructureArguments};
pub use view::OverlayArgument;

/// View id Tech models: MD2, MD3, MDC, MDR and MD5, textured and animated
#[derive(Parser)]
#[command(name = "maquette", version, args_conflicts_with_subcommands = true, max_term_width = 100)]
#[command(
    after_help = "Without MODEL the window lists recent files, or shows a sample model. Exit status: 0 success, 1 a file failed, 2 usage error; diff: 0 alike, 1 different, 2 trouble."
)]
pub struct Arguments {
    /// Models, folders or archives to open in the window
    #[arg(value_name = "MODEL")]
    pub paths: Vec<PathBuf>,
    /// Add a search folder or archive, searched before the models' own games. Repeatable, the last one first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Open MODEL in a new window, not in the one that is open (Linux only; elsewhere it always is a new one)
    #[arg(long)]
    pub new_window: bool,
    #[command(subcommand)]
    pub command: Option<Command>,
}

#[derive(Subcommand)]
pub enum Command {
    /// Print everything in a model file
    Info(InfoArguments),
    /// Print every structure and field of a file: where it stands, its size and value
    Anatomy(StructureArguments),
    /// Compare two models: vertices, tags, joints, materials and clips. Exit status 0 alike, 1 different, 2 trouble
    Diff(DiffArguments),
    /// Save an image of a model as PNG, without a window
    Snapshot(SnapshotArguments),
    /// Export a clip or turntable as GIF, animated PNG or a PNG for each frame
    Film(FilmArguments),
    /// Export a contact sheet: every clip on one image
    Sheet(SheetArguments),
    /// Write a model or a character for other programs: glTF, OBJ, PLY
    Export(ExportArguments),
    /// Convert a model to another of the formats: MD2, MD3, MDC, MDR or MD5
    Convert(ConvertArguments),
    /// Check all models under the paths and list failures
    Check(CheckArguments),
}
