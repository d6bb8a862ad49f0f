//! Arguments of `check`.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use maquette_assets::lint::{PROFILES, Profile};
use maquette_assets::vfs::SearchOrder;

use super::batch::Shard;
use super::character::ORDERS;
use super::image::one_of;
use super::numbers::jobs;

#[derive(Args, Clone)]
pub struct CheckArguments {
    /// Files, folders, archives and patterns; - reads a list of them from standard input
    #[arg(required_unless_present = "list_rules", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Check the requirements of an engine: limits, tags, bounds, weights, textures, triangles, clips. The exit status is 1
    /// only if there are errors (docs/lint.md describes the rules)
    #[arg(long, value_name = "NAME", value_parser = profile_parser(), conflicts_with_all = ["textures", "verbose"])]
    pub profile: Option<&'static Profile>,
    /// Check the rules in this file, one per line, for example 'no surface over 1000 vertices', in addition to --profile
    #[arg(long, value_name = "FILE", conflicts_with_all = ["textures", "verbose"])]
    pub rules: Option<PathBuf>,
    /// With --profile or --rules: print a JSON object per file, one per line
    #[arg(long)]
    pub json: bool,
    /// List all rules and profiles
    #[arg(long, exclusive = true)]
    pub list_rules: bool,
    /// List warnings in addition to failures. --profile and --rules always list them
    #[arg(long)]
    pub warnings: bool,
    /// List missing and guessed textures of every skin, one per line. The exit status is 1 if there are any
    #[arg(long)]
    pub textures: bool,
    /// With --textures: list the models of each texture and the paths that were tried
    #[arg(long, short)]
    pub verbose: bool,
    /// Number of models processed in parallel. Default: number of processors
    #[arg(long, value_name = "N", value_parser = jobs(), allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Process only shard K of N; the split depends only on model paths
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Add a folder or archive that is searched before the games of the models; repeatable, the last one is searched first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Search order for models in the archives of a game: game (later archives override earlier ones) or archive (the
    /// archive of the model first)
    #[arg(long, alias = "as", value_name = "ORDER", default_value = "game", ignore_case = true, value_parser = one_of(ORDERS))]
    pub search_order: SearchOrder,
}

pub(super) fn profile_parser() -> impl TypedValueParser<Value = &'static Profile> {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| profile.name))
        .try_map(|name| Profile::named(&name).ok_or("unknown profile"))
}
