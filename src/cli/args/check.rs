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

#[derive(Args, Clone)]
pub struct CheckArguments {
    /// Files, folders, archives and patterns; - takes a list of them from standard input
    #[arg(required_unless_present = "list_rules", value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Check everything an engine asks of its models: limits, tags, bounds, weights, textures, triangles, clips. Exit
    /// status 1 only if there are errors (docs/lint.md describes the rules)
    #[arg(long, value_name = "NAME", value_parser = profile_parser(), conflicts_with_all = ["warnings", "textures", "verbose"])]
    pub profile: Option<&'static Profile>,
    /// Check the rules in this file too, one a line, as 'no surface over 1000 vertices'; without --profile only these
    #[arg(long, value_name = "FILE", conflicts_with_all = ["warnings", "textures", "verbose"])]
    pub rules: Option<PathBuf>,
    /// With --profile or --rules: print a JSON object for each file, one a line
    #[arg(long)]
    pub json: bool,
    /// List all rules and profiles
    #[arg(long, exclusive = true)]
    pub list_rules: bool,
    /// List warnings too
    #[arg(long)]
    pub warnings: bool,
    /// List missing and guessed textures for every skin, one line for each. Exit status 1 if there are any
    #[arg(long)]
    pub textures: bool,
    /// With --textures: in which models, and the paths tried
    #[arg(long, short)]
    pub verbose: bool,
    /// Models at a time. Default: as many as there are processors
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Only the models whose names fall to part K of N, the same on every machine
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
    /// Add a search folder or archive, searched before the models' own games. Repeatable, the last one first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Search order for models in a game's archives: game (files of later archives replace those of earlier ones) or
    /// archive (their own archive first)
    #[arg(long = "as", value_name = "WHERE", default_value = "game", value_parser = one_of(ORDERS, "game or archive is wanted"))]
    pub order: SearchOrder,
}

pub(super) fn profile_parser() -> impl TypedValueParser<Value = &'static Profile> {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| profile.name))
        .try_map(|name| Profile::named(&name).ok_or("there is no such profile"))
}
