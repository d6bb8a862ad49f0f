//! Which model, with what on it, at which moment.

use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use maquette_assets::vfs::SearchOrder;
use maquette_scene::session::IMAGE_MEMORY;

/// Which moment of a model.
#[derive(Args, Clone)]
pub struct MomentArguments {
    /// Clip by name; for MD5 the .md5anim's name without its extension
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
    /// Frame from 0, may be fractional; within the clip if one is named
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    pub frame: Option<f64>,
}

/// What is in the scene besides the model, and its skin.
#[derive(Args, Clone)]
pub struct FigureArguments {
    /// The full character: lower, upper and head with a weapon, or a Quake II player with its own
    #[arg(long)]
    pub character: bool,
    /// Open what is intact of a damaged model; the warnings tell what is wrong with it
    #[arg(long, conflicts_with_all = ["character", "legs", "torso"])]
    pub salvage: bool,
    /// Clip of a character's legs, and how many frames into it
    #[arg(long, value_name = "NAME[@STEP]")]
    pub legs: Option<ClipStep>,
    /// Clip of a character's torso, and how many frames into it
    #[arg(long, value_name = "NAME[@STEP]")]
    pub torso: Option<ClipStep>,
    /// Attach a model to a tag, a joint or the origin; weapons bring their barrel and flash. Repeatable
    #[arg(long, value_name = "MODEL@TAG")]
    pub attach: Vec<Hung>,
    /// Skin by name (for MD2 an image), for every part that has it; or a .skin file or an image
    #[arg(long, value_name = "NAME_OR_FILE")]
    pub skin: Option<String>,
    /// Add a search folder or archive, searched before the model's own game. Repeatable, the last one first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Search order for a model in a game's archive: game (files of later archives replace those of earlier ones) or
    /// archive (its own archive first)
    #[arg(long = "as", value_name = "WHERE", default_value = "game", value_parser = parse_order)]
    pub order: SearchOrder,
    /// Memory for the images of a model, in megabytes; one image may take a quarter of it
    #[arg(long, value_name = "MB", default_value_t = IMAGE_MEMORY, value_parser = clap::value_parser!(u32).range(1..))]
    pub max_memory: u32,
}

/// A clip and a place in it, counted in steps from its start.
#[derive(Clone, Debug)]
pub struct ClipStep {
    pub name: String,
    pub step: f64,
}

impl FromStr for ClipStep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((name, step)) = text.rsplit_once('@') else {
            return Ok(Self { name: text.to_owned(), step: 0.0 });
        };
        let step = step.parse().ok().filter(|step: &f64| step.is_finite() && *step >= 0.0);
        let step = step.ok_or("frames are counted from 0 and may be fractional, as LEGS_RUN@2.5")?;
        Ok(Self { name: name.to_owned(), step })
    }
}

/// A model and what it is attached to.
#[derive(Clone, Debug)]
pub struct Hung {
    pub model: PathBuf,
    pub tag: String,
}

impl FromStr for Hung {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.rsplit_once('@') {
            Some((model, tag)) if !model.is_empty() && !tag.is_empty() => {
                Ok(Self { model: PathBuf::from(model), tag: tag.to_owned() })
            }
            _ => Err("a model and a tag are wanted, as gun.md3@tag_weapon".to_owned()),
        }
    }
}

pub(super) fn parse_order(text: &str) -> Result<SearchOrder, String> {
    match text.to_lowercase().as_str() {
        "game" => Ok(SearchOrder::Game),
        "archive" => Ok(SearchOrder::OwnArchive),
        _ => Err("game or archive is wanted".to_owned()),
    }
}
