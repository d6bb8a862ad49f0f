//! Arguments of `info`, `anatomy` and `diff`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::batch::Shard;
use super::character::{CharacterArguments, FrameArguments};

#[derive(Args, Clone)]
pub struct InfoArguments {
    /// The model, a character's folder, or an archive; a path may lead through an archive. Of several, and with --each, every
    /// model by itself
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// Print it as JSON (docs/info-json.md describes the fields); of several models a line for each
    #[arg(long)]
    pub json: bool,
    /// Every model below the paths: files, folders, archives and patterns; - takes a list of them from standard input
    #[arg(long)]
    pub each: bool,
    /// With several models: how many at a time. Default: as many as there are processors
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// With several models: only those whose names fall to part K of N, the same on every machine
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub moment: FrameArguments,
    #[command(flatten)]
    pub figure: CharacterArguments,
}

#[derive(Args, Clone)]
pub struct StructureArguments {
    /// The file; a path may lead through an archive
    pub file: PathBuf,
    /// Print it as JSON
    #[arg(long)]
    pub json: bool,
    /// Levels that are shown, the records of tables among them; all but those if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
}

#[derive(Args, Clone)]
pub struct DiffArguments {
    /// The first model; a path may lead through an archive
    pub a: PathBuf,
    /// The second model, of the same format or another
    pub b: PathBuf,
    /// Print it as JSON (docs/diff-json.md describes the fields)
    #[arg(long)]
    pub json: bool,
    /// Distance up to which a place counts as the same. Default: 0 within a format, else what both formats round
    #[arg(long, value_name = "UNITS", value_parser = parse_tolerance, allow_hyphen_values = true)]
    pub tolerance: Option<f32>,
}

fn parse_tolerance(text: &str) -> Result<f32, String> {
    let tolerance = text.parse().ok().filter(|tolerance: &f32| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or_else(|| "a distance in units is wanted, 0 or more".to_owned())
}
