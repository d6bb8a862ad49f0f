//! Arguments of commands on many models.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgGroup, Args};

use super::numbers::jobs;

/// A part of a collection: the models whose names hash to it, identical on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: u64,
    of: u64,
}

impl Shard {
    /// Whether a relative model path belongs to this shard, by its FNV-1a hash with `\` replaced by `/`.
    pub fn has(self, name: &Path) -> bool {
        let name = name.to_string_lossy().replace('\\', "/");
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        // The low bits of this hash hardly depend on the last characters.
        (hash ^ (hash >> 32)) % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("expected K/N, from 1/N to N/N"),
        }
    }
}

/// Returns the group of `-o` and `--output-dir`, of which a command needs one.
pub fn output_or_folder() -> ArgGroup {
    ArgGroup::new("output or folder").args(["output", "output_dir"]).required(true)
}

/// Many models at once.
#[derive(Args, Clone)]
#[command(next_help_heading = "Many models")]
pub struct BatchArguments {
    /// Write the outputs into this folder, in the folder structure of the input. MODEL may be files, folders,
    /// archives and patterns; - reads a list of them from standard input
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub output_dir: Option<PathBuf>,
    /// Number of models processed in parallel. Default and maximum: number of processors
    #[arg(long, value_name = "N", value_parser = jobs(), allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Continue after a model fails
    #[arg(long)]
    pub keep_going: bool,
    /// Skip models whose output is newer than the model
    #[arg(long, alias = "newer", requires = "output_dir")]
    pub skip_up_to_date: bool,
    /// Process only shard K of N; the split depends only on model paths
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
}
