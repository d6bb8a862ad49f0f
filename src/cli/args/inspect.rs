//! Arguments of `info`, `structure` and `diff`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::batch::Shard;
use maquette_core::export::ExportOptions;

use super::character::{CharacterArguments, FrameArguments, ImportArguments, parse_metres};
use super::numbers::{at_least, jobs};

#[derive(Args, Clone)]
pub struct InfoArguments {
    /// Model, folder of a character, or archive; the path may lead into an archive. With several paths or --recursive, every
    /// model is printed separately
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Print JSON (docs/info-json.md describes the fields); with several models, one object per line
    #[arg(long)]
    pub json: bool,
    /// Print every model in the given files, folders, archives and patterns; - reads a list of them from standard input
    #[arg(long, alias = "each")]
    pub recursive: bool,
    /// With several models: number of models processed in parallel. Default: number of processors
    #[arg(long, value_name = "N", value_parser = jobs(), allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// With several models: process only shard K of N; the split depends only on model paths
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub frame: FrameArguments,
    /// glTF: metres per game unit; 1 for models made in game units
    #[arg(long, value_name = "S", default_value_t = ExportOptions::USUAL_SCALE, value_parser = parse_metres)]
    pub scale: f32,
    #[command(flatten)]
    pub import: ImportArguments,
    #[command(flatten)]
    pub character: CharacterArguments,
}

#[derive(Args, Clone)]
pub struct StructureArguments {
    /// File; the path may lead into an archive
    pub file: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Maximum depth to print; table records count as a level. Default: everything except table records
    #[arg(long, value_name = "N", value_parser = at_least(1_u32, "a whole number of 1 or more levels"), allow_negative_numbers = true)]
    pub depth: Option<u32>,
}

#[derive(Args, Clone)]
pub struct DiffArguments {
    /// First model; the path may lead into an archive
    pub a: PathBuf,
    /// Second model, of any format
    pub b: PathBuf,
    /// Print JSON (docs/diff-json.md describes the fields)
    #[arg(long)]
    pub json: bool,
    /// Distance in units up to which positions count as equal. Default: 0 within a format, otherwise the rounding error of
    /// both formats
    #[arg(long, value_name = "UNITS", value_parser = parse_tolerance, allow_hyphen_values = true)]
    pub tolerance: Option<f32>,
}

fn parse_tolerance(text: &str) -> Result<f32, &'static str> {
    let tolerance = text.parse().ok().filter(|tolerance: &f32| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or("expected a distance of 0 or more units")
}
