//! Arguments of characters and frames.

use std::path::PathBuf;

use clap::{ArgAction, Args};
use maquette_assets::material::MAX_PLAYER_COLOUR;
use maquette_assets::vfs::SearchOrder;
use maquette_core::bytes::{Forward, LoadOptions};
use maquette_scene::session::IMAGE_MEMORY;

use super::image::one_of;
use super::numbers::{at_least, frame, within};

/// Frame of a model.
#[derive(Args, Clone)]
pub struct FrameArguments {
    /// Clip by name; for a model with animation files, also the name of the file without extension
    #[arg(long, value_name = "CLIP")]
    pub animation: Option<String>,
    /// Frame number from 0, may be fractional; counted within the clip of --animation. Default: 0
    #[arg(long, value_name = "F", value_parser = frame(), allow_negative_numbers = true)]
    pub frame: Option<f64>,
}

/// Interpretation of a glTF or an OBJ.
#[derive(Args, Clone)]
pub struct ImportArguments {
    /// glTF: frames per second at which animations are read. Default: those in the file, else 24; convert to .md2 10, to
    /// .md3, .mdc and .mdr 15
    #[arg(long, value_name = "N", value_parser = within(0.1_f32, 1000.0, "frames per second"))]
    pub fps: Option<f32>,
    /// glTF: axis that is the model's forward direction; +z is −Y in Blender
    #[arg(long, value_name = "AXIS", default_value = "+z", allow_hyphen_values = true, ignore_case = true, value_parser = one_of(Forward::ALL))]
    pub forward: Forward,
    /// OBJ: whether it is read as its mirror image, as DarkPlaces, FTE and Quetoo do. Default: like the game in whose
    /// folder it is, else no
    #[arg(long, value_name = "yes|no", value_parser = one_of([("yes", true), ("no", false)]))]
    pub mirrored: Option<bool>,
}

impl ImportArguments {
    /// Returns the options for a file whose units have `scale` metres, or an inch.
    pub fn options(&self, scale: Option<f32>) -> LoadOptions {
        let scale = scale.unwrap_or(LoadOptions::INCH);
        LoadOptions { rate: self.fps, scale, forward: self.forward, mirrored: self.mirrored, ..LoadOptions::default() }
    }
}

/// Parses the length of a unit.
pub(super) fn parse_metres(text: &str) -> Result<f32, &'static str> {
    let scale = text.parse().ok().filter(|scale: &f32| *scale > 0.0 && scale.is_finite());
    scale.ok_or("expected a number of metres above 0, for example 0.0254")
}

/// Parts of the scene, their clips and the skin.
#[derive(Args, Clone)]
pub struct CharacterArguments {
    /// Open the full character: lower, upper, head and weapon; a Quake II player with its weapon; a Wolfenstein body with
    /// head and weapon; or models that GZDoom joins
    #[arg(long)]
    pub character: bool,
    /// Open the recoverable part of a damaged model; warnings describe the damage
    #[arg(long, conflicts_with_all = ["character", "legs", "torso"])]
    pub salvage: bool,
    /// Clip of the legs of a character, an MDS or an MDM, and the frame within the clip. Default frame: 0
    #[arg(long, value_name = "NAME[@STEP]", value_parser = parse_clip_step)]
    pub legs: Option<(String, f64)>,
    /// Clip of the torso of a character, an MDS or an MDM, and the frame within the clip. Default frame: 0
    #[arg(long, value_name = "NAME[@STEP]", value_parser = parse_clip_step)]
    pub torso: Option<(String, f64)>,
    /// Attach a model to a tag, a joint or “origin”; weapons include their barrel and flash. Repeatable
    #[arg(long, value_name = "MODEL@TAG", value_parser = parse_attachment)]
    pub attach: Vec<(PathBuf, String)>,
    /// Skin by name (for MD2, an image), for every part that has it; or a .skin file or an image for all surfaces
    #[arg(long, value_name = "NAME_OR_FILE")]
    pub skin: Option<String>,
    /// Add a folder or archive that is searched before the game of the model; repeatable, the last one is searched first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// Search order for models in the archives of a game: in game, later archives override earlier ones; in archive, the
    /// archive of the model is first
    #[arg(long, alias = "as", value_name = "ORDER", default_value = "game", ignore_case = true, value_parser = one_of(ORDERS))]
    pub search_order: SearchOrder,
    /// Fullbright colours in the skins of an MDL; light does not darken them
    #[arg(long, value_name = "ON_OFF", default_value = "on", ignore_case = true, value_parser = one_of(ON_OFF), action = ArgAction::Set)]
    pub fullbright: bool,
    /// Colours of shirt and trousers in the skins of an MDL: rows of the palette from 0 to 13, as Quake’s “color”. A
    /// number may be left out. Default: as in the file
    #[arg(long, value_name = "SHIRT,TROUSERS", value_parser = parse_player_colours)]
    pub player_colours: Option<[Option<u8>; 2]>,
    /// Memory limit for the images of a model in megabytes; one image may use a quarter of it
    #[arg(long, value_name = "MB", default_value_t = IMAGE_MEMORY, value_parser = at_least(1_u32, "a whole number of 1 or more megabytes"), allow_negative_numbers = true)]
    pub max_memory: u32,
}

fn parse_player_colours(text: &str) -> Result<[Option<u8>; 2], String> {
    let row = |text: &str| match text.trim() {
        "" => Some(None),
        text => text.parse().ok().filter(|row| *row <= MAX_PLAYER_COLOUR).map(Some),
    };
    let rows = text.split_once(',').and_then(|(shirt, trousers)| Some([row(shirt)?, row(trousers)?]));
    rows.ok_or_else(|| format!("expected numbers from 0 to {MAX_PLAYER_COLOUR}, for example 4,13 or 4, or ,13"))
}

/// Parses a clip and an optional position in frames from its start.
fn parse_clip_step(text: &str) -> Result<(String, f64), &'static str> {
    let Some((name, step)) = text.rsplit_once('@') else { return Ok((text.to_owned(), 0.0)) };
    let step = step.parse().ok().filter(|step: &f64| step.is_finite() && *step >= 0.0);
    let step = step.ok_or("expected a clip and a frame of 0 or more, for example LEGS_RUN@2.5")?;
    Ok((name.to_owned(), step))
}

fn parse_attachment(text: &str) -> Result<(PathBuf, String), &'static str> {
    let parts = text.rsplit_once('@').filter(|(model, tag)| !model.is_empty() && !tag.is_empty());
    let (model, tag) = parts.ok_or("expected a model and a tag, for example gun.md3@tag_weapon")?;
    Ok((PathBuf::from(model), tag.to_owned()))
}

const ON_OFF: [(&str, bool); 2] = [("on", true), ("off", false)];
pub(super) const ORDERS: [(&str, SearchOrder); 2] = [("game", SearchOrder::Game), ("archive", SearchOrder::OwnArchive)];
