//! What the command line looks like.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::LazyLock;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use glam::Vec3;
use maquette::export::{ExportOptions, TexturePlacement};
use maquette::lint::{PROFILES, Profile};
use maquette::pose::Repeat;
use maquette::scene::{
    Alpha, Background, LightingMode, OVERLAYS, OverlayKind, RATE_RANGE, Shading, StandardView, TURN_RANGE, Tone,
};
use maquette::session::{IMAGE_MEMORY, MOST_PIXELS};
use maquette::vfs::SearchOrder;

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
    Anatomy(AnatomyArguments),
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
    pub moment: MomentArguments,
    #[command(flatten)]
    pub figure: FigureArguments,
}

#[derive(Args, Clone)]
pub struct AnatomyArguments {
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

#[derive(Args, Clone)]
pub struct ExportArguments {
    /// The model, or a character's folder; a path may lead through an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// The file to write: .glb, .gltf, .obj, .ply or a game's own; - writes an OBJ to standard output
    #[arg(short, long, value_name = "OUT.glb", required_unless_present = "output_dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// With --output-dir: the format, by its extension
    #[arg(long, value_name = "EXTENSION", default_value = "glb", requires = "output_dir")]
    pub to: String,
    /// Print what was written as JSON, a line for each model
    #[arg(long)]
    pub json: bool,
    /// Clip by name, repeatable: only these animations are written. An OBJ holds one moment of one clip
    #[arg(long, value_name = "NAME")]
    pub animation: Vec<String>,
    /// Write one moment instead of animations: frame from 0, may be fractional; within the clip if one is named
    #[arg(long, value_name = "F", allow_hyphen_values = true)]
    pub frame: Option<f64>,
    #[command(flatten)]
    pub figure: FigureArguments,
    /// LOD (level of detail), 0 is the finest
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub lod: u32,
    /// glTF: metres per unit of the game
    #[arg(long, value_name = "S", default_value_t = ExportOptions::USUAL_SCALE, value_parser = parse_metres)]
    pub scale: f32,
    /// glTF: where textures go, as PNG
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = TexturesArgument::Embed)]
    pub textures: TexturesArgument,
    /// glTF: positions as 16-bit integers (KHR_mesh_quantization); exact for MD3
    #[arg(long)]
    pub quantize: bool,
    /// glTF: materials without lighting (KHR_materials_unlit)
    #[arg(long)]
    pub unlit: bool,
}

#[derive(Args, Clone)]
pub struct ConvertArguments {
    /// The model; a path may lead through an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// The file to write: .md2, .md3, .mdc, .mdr or .md5mesh. Coarser LODs, animations and the list of clips go beside it
    #[arg(short, long, value_name = "OUT", required_unless_present = "output_dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// With --output-dir: the format, by its extension
    #[arg(long, value_name = "EXTENSION", required_unless_present = "output", requires = "output_dir")]
    pub to: Option<String>,
    /// Clip by name: with --frame, the clip in which it is counted
    #[arg(long, value_name = "NAME", requires = "frame")]
    pub animation: Option<String>,
    /// Convert one frame alone, counted from 0
    #[arg(long, value_name = "F")]
    pub frame: Option<u32>,
    /// Engine whose limits count: larger surfaces are split. Default: the game of the format
    #[arg(long, value_name = "ENGINE", value_parser = profile_parser())]
    pub profile: Option<&'static Profile>,
    /// Keep surfaces whole, whatever the engine takes
    #[arg(long)]
    pub whole: bool,
    /// MDR: store bones as numbers of single precision
    #[arg(long, conflicts_with = "compressed")]
    pub plain: bool,
    /// MDR: store bones in 16 bits each. All but a plain MDR are stored so anyway
    #[arg(long)]
    pub compressed: bool,
    /// MD2: size of the skin in texels, to which texture coordinates are rounded. Default: that of its image
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_skin)]
    pub skin_size: Option<[u16; 2]>,
    /// Add a search folder or archive, searched before the model's own game. Repeatable, the last one first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    #[command(flatten)]
    pub edits: EditArguments,
    /// Only tell what would be lost, and how far it would be off
    #[arg(long)]
    pub dry_run: bool,
    /// Replace the model itself, or animations and the list of clips that lie beside the file already
    #[arg(long)]
    pub overwrite: bool,
    /// Print what was written and how far it is from the original as JSON (docs/convert-json.md describes the fields)
    #[arg(long)]
    pub json: bool,
}

/// What is changed of a model before it is converted; all of it may be repeated. To its own format nothing else of the file
/// changes.
#[derive(Args, Clone)]
#[command(next_help_heading = "Changes")]
pub struct EditArguments {
    /// Give surfaces of this name another material; or the surface of this number
    #[arg(long, value_name = "SURFACE=PATH", value_parser = parse_pair)]
    pub set_material: Vec<(String, String)>,
    /// Rename surfaces
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_pair)]
    pub rename_surface: Vec<(String, String)>,
    /// Rename a tag
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_pair)]
    pub rename_tag: Vec<(String, String)>,
    /// Move a tag in every frame
    #[arg(long, value_name = "NAME=X,Y,Z", value_parser = parse_tag_place, allow_hyphen_values = true)]
    pub move_tag: Vec<(String, Vec3)>,
    /// Add a tag that stands there in every frame, its axes those of the model
    #[arg(long, value_name = "NAME=X,Y,Z", value_parser = parse_tag_place, allow_hyphen_values = true)]
    pub add_tag: Vec<(String, Vec3)>,
    /// Remove a tag
    #[arg(long, value_name = "NAME")]
    pub remove_tag: Vec<String>,
    /// Put the skins of an MD2 in this order, counted from 0
    #[arg(long, value_name = "1,0,…", value_delimiter = ',')]
    pub skin_order: Vec<usize>,
    /// Work out again: normals, bounds
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub recompute: Vec<RecomputeArgument>,
    /// Remove triangles without area in every frame
    #[arg(long)]
    pub drop_degenerate: bool,
}

/// What is worked out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RecomputeArgument {
    /// Normals of vertices, from the triangles
    Normals,
    /// Boxes and radii of frames
    Bounds,
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    // A name may have the sign in it; a path has it rarely.
    let pair = text.rsplit_once('=').filter(|(old, _)| !old.is_empty());
    pair.map(|(old, new)| (old.to_owned(), new.to_owned())).ok_or_else(|| "write it as OLD=NEW".to_owned())
}

fn parse_tag_place(text: &str) -> Result<(String, Vec3), String> {
    let (name, place) = parse_pair(text)?;
    let numbers: Vec<f32> = place.split(',').filter_map(|number| number.trim().parse().ok()).collect();
    match numbers.as_slice() {
        [x, y, z] if numbers.iter().all(|number| number.is_finite()) => Ok((name, Vec3::new(*x, *y, *z))),
        _ => Err("write it as NAME=X,Y,Z".to_owned()),
    }
}

fn parse_skin(text: &str) -> Result<[u16; 2], String> {
    let side = |text: &str| text.parse().ok().filter(|side| *side > 0);
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or_else(|| "write it as 256x256".to_owned())
}

/// Where the textures of an export go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum TexturesArgument {
    /// Into the file
    Embed,
    /// Beside the file
    Beside,
    /// Nowhere
    None,
}

impl TexturesArgument {
    /// The same for the exporters.
    pub fn placement(self) -> TexturePlacement {
        match self {
            Self::Embed => TexturePlacement::Embedded,
            Self::Beside => TexturePlacement::Beside,
            Self::None => TexturePlacement::Omitted,
        }
    }
}

fn parse_metres(text: &str) -> Result<f32, String> {
    let scale: f32 = text.parse().map_err(|_| "it is no number".to_owned())?;
    if scale > 0.0 && scale.is_finite() { Ok(scale) } else { Err("it must be above 0".to_owned()) }
}

/// A part of a collection: those models whose names fall to it, on every machine the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which, from 1.
    number: u64,
    /// Of how many.
    of: u64,
}

impl Shard {
    /// Whether a model's name below what was named is of this part: by its FNV-1a hash, `\` counting as `/`.
    pub fn has(self, name: &Path) -> bool {
        let name = name.to_string_lossy().replace('\\', "/");
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        // The low bits of this hash know little of the last characters.
        (hash ^ (hash >> 32)) % self.of == self.number - 1
    }
}

impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("write it as K/N, from 1/N to N/N"),
        }
    }
}

/// Many models at once.
#[derive(Args, Clone)]
#[command(next_help_heading = "Many models")]
pub struct BatchArguments {
    /// Write the output of every model below this folder, the tree kept. MODEL may then be files, folders, archives and patterns;
    /// - takes a list of them from standard input
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub output_dir: Option<PathBuf>,
    /// Models at a time. Default: as many as there are processors
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Go on after a model that fails
    #[arg(long)]
    pub keep_going: bool,
    /// Leave out models whose output is there and newer than they are
    #[arg(long, requires = "output_dir")]
    pub newer: bool,
    /// Only the models whose names fall to part K of N, the same on every machine
    #[arg(long, value_name = "K/N")]
    pub shard: Option<Shard>,
}

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
    #[arg(long = "as", value_name = "WHERE", default_value = "game", value_parser = parse_order)]
    pub order: SearchOrder,
}

#[derive(Args, Clone)]
pub struct SnapshotArguments {
    /// The model, or a character's folder; a path may lead through an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// The image to write, .png; - for standard output
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "output_dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Print what was written as JSON, a line for each model
    #[arg(long, requires = "output_dir")]
    pub json: bool,
    /// Size in pixels; one number for a square
    #[arg(long, value_name = "WxH", default_value = "1024x768")]
    pub size: Size,
    #[command(flatten)]
    pub moment: MomentArguments,
    #[command(flatten)]
    pub figure: FigureArguments,
    #[command(flatten)]
    pub picture: PictureArguments,
}

#[derive(Args, Clone)]
pub struct FilmArguments {
    /// The model, or a character's folder; a path may lead through an archive
    pub model: PathBuf,
    /// The animation to write: .gif, .png (animated), or one .png for each frame, as 'frames/%04d.png';
    /// - for a GIF on standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Size in pixels
    #[arg(long, value_name = "WxH", default_value = "512x512")]
    pub size: Size,
    /// Clip by name; for MD5 the .md5anim's name without its extension. Default: an idle clip
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
    /// Turntable: seconds per revolution, rounded to whole loops while a clip plays
    #[arg(long, value_name = "SECONDS", value_parser = parse_turn)]
    pub turntable: Option<f64>,
    /// Turntable without playing the clip
    #[arg(long, requires = "turntable")]
    pub still: bool,
    /// Frame rate; 0: every frame of the clip once, at its own rate
    #[arg(long, value_name = "N", default_value = "30", value_parser = parse_rate)]
    pub fps: f64,
    /// Loop mode: from-clip (or loop), whole (all frames), once, ping-pong
    #[arg(long, value_name = "REPEAT", default_value = "loop", value_parser = parse_repeat)]
    pub repeat: Repeat,
    /// The file plays once instead of looping
    #[arg(long)]
    pub once: bool,
    #[command(flatten)]
    pub figure: FigureArguments,
    #[command(flatten)]
    pub picture: PictureArguments,
}

#[derive(Args, Clone)]
pub struct SheetArguments {
    /// The model, or a character's folder; a path may lead through an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// The image to write, .png; - for standard output
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "output_dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Print what was written as JSON, a line for each model
    #[arg(long, requires = "output_dir")]
    pub json: bool,
    /// Size of each tile in pixels
    #[arg(long, value_name = "WxH", default_value = "192x192")]
    pub size: Size,
    /// Frames per clip, side by side; 1 is the middle frame
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=24))]
    pub moments: u32,
    #[command(flatten)]
    pub figure: FigureArguments,
    #[command(flatten)]
    pub picture: PictureArguments,
}

/// From where, in which light and with what besides it a model is seen.
#[derive(Args, Clone)]
pub struct PictureArguments {
    /// front, back, left, right, top, bottom, isometric, or YAW,PITCH in degrees
    #[arg(long, value_name = "VIEW", default_value = "35,10", allow_hyphen_values = true)]
    pub view: View,
    /// The camera itself, in place of --view: position, view direction and up vector in model space, and its full
    /// horizontal field of view
    #[arg(long, value_name = "origin=X,Y,Z forward=X,Y,Z up=X,Y,Z fov=DEGREES", conflicts_with_all = ["view", "orthographic"])]
    pub camera: Option<Eye>,
    /// Overlays, separated by commas: tags, normals, facenormals, joints, names (joint names), bounds, wireframe,
    /// vertices, grid, shadow; or none. Default: grid and shadow, but none with in-game lighting
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub show: Option<Vec<Shown>>,
    /// Background: studio, transparent, black, white, or a colour as #rrggbb
    #[arg(long, value_name = "COLOR", default_value = "studio", value_parser = parse_background)]
    pub background: Background,
    /// Alpha of textures without a shader: material (as the format's games draw it), opaque, cutout or blend. Anything
    /// but material ignores shaders
    #[arg(long, value_name = "ALPHA", default_value = "material", value_parser = parse_alpha)]
    pub alpha: Alpha,
    /// Lighting: studio (studio light), game (in-game) or plain (ignore shaders)
    #[arg(long, visible_alias = "look", value_name = "LIGHTING", default_value = "studio", value_parser = parse_look)]
    pub lighting: LightingMode,
    /// Time of shader effects in seconds; by default 0, or a moment later where a still would show nothing
    #[arg(long, value_name = "SECONDS", value_parser = parse_time, allow_hyphen_values = true)]
    pub time: Option<f64>,
    /// Shading mode: textured, clay, unlit, normals or checker (UV checker)
    #[arg(long, value_name = "MODE", default_value = "textured", value_parser = parse_shading)]
    pub shading: Shading,
    /// Theme: dark or light
    #[arg(long, value_name = "TONE", default_value = "dark", value_parser = parse_tone)]
    pub tone: Tone,
    /// LOD (level of detail), 0 is the finest
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub lod: u32,
    /// Pixels per point: scales lines and labels
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_scale)]
    pub scale: f32,
    /// Orthographic projection
    #[arg(long)]
    pub orthographic: bool,
    /// Full vertical field of view in degrees, 10 to 90
    #[arg(long, value_name = "DEGREES", default_value = "30", value_parser = parse_opening, conflicts_with_all = ["camera", "orthographic"])]
    pub fov: f32,
    /// Rotate the studio light by degrees to the right and up
    #[arg(long, value_name = "RIGHT,UP", default_value = "0,0", value_parser = parse_light, allow_hyphen_values = true)]
    pub light: (f32, f32),
    /// Show backfaces
    #[arg(long)]
    pub two_sided: bool,
    /// Tint backfaces: shows holes and triangles wound the wrong way
    #[arg(long, conflicts_with = "two_sided")]
    pub inside: bool,
}

/// Width and height in pixels.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub width: u32,
    pub height: u32,
}

/// Longest side of an image.
const LONGEST_SIDE: u32 = 16_384;

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // One number is a square, as thumbnailers ask for it.
        let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
        let side = |text: &str| {
            let side = text.trim().parse().ok().filter(|side| (1..=LONGEST_SIDE).contains(side));
            side.ok_or_else(|| format!("width and height are wanted, as 640x480, each 1 to {LONGEST_SIDE} pixels"))
        };
        let (width, height) = (side(width)?, side(height)?);
        if u64::from(width) * u64::from(height) > MOST_PIXELS {
            return Err(format!("at most {MOST_PIXELS} pixels are drawn, as 8192x8192"));
        }
        Ok(Self { width, height })
    }
}

/// Yaw and pitch in degrees.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub yaw: f32,
    pub pitch: f32,
}

impl FromStr for View {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some(view) = StandardView::ALL.into_iter().find(|view| view.label().eq_ignore_ascii_case(text.trim())) {
            let (yaw, pitch) = view.angles();
            return Ok(Self { yaw, pitch });
        }
        let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|angle| angle.is_finite());
        let angles = text.split_once(',').and_then(|(yaw, pitch)| Some((angle(yaw)?, angle(pitch)?)));
        let (yaw, pitch) = angles.ok_or("a view by name or two angles are wanted, as front or 35,10")?;
        Ok(Self { yaw, pitch: pitch.clamp(-90.0, 90.0) })
    }
}

/// Where a camera stands and which way it looks.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    pub origin: Vec3,
    pub forward: Vec3,
    pub up: Vec3,
    /// Full horizontal opening in degrees.
    pub angle: f32,
}

impl FromStr for Eye {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut origin, mut forward, mut up, mut angle) = (None, None, Vec3::Z, 40.0);
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').ok_or_else(|| format!("“{word}” is no name=value"))?;
            let numbers: Option<Vec<f32>> = value.split(',').map(|number| number.trim().parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.iter().all(|number: &f32| number.is_finite()));
            match (name, numbers.as_deref()) {
                ("origin", Some(&[x, y, z])) => origin = Some(Vec3::new(x, y, z)),
                ("forward", Some(&[x, y, z])) => forward = Some(Vec3::new(x, y, z)),
                ("up", Some(&[x, y, z])) => up = Vec3::new(x, y, z),
                ("fov", Some(&[degrees])) if degrees > 0.0 && degrees < 180.0 => angle = degrees,
                ("fov", _) => return Err("fov is more than 0 and less than 180 degrees".to_owned()),
                ("origin" | "forward" | "up", _) => return Err(format!("{name} is three numbers, as {name}=1,0,0")),
                _ => return Err(format!("“{word}” is none of origin=X,Y,Z forward=X,Y,Z up=X,Y,Z fov=DEGREES")),
            }
        }
        let wanted = || "origin=X,Y,Z and forward=X,Y,Z are wanted".to_owned();
        Ok(Self { origin: origin.ok_or_else(wanted)?, forward: forward.ok_or_else(wanted)?, up, angle })
    }
}

/// Something drawn besides the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    Overlay(OverlayKind),
    Wireframe,
    None,
}

static SHOWN: LazyLock<Vec<Shown>> = LazyLock::new(|| {
    let overlays = OVERLAYS.iter().map(|row| Shown::Overlay(row.kind));
    overlays.chain([Shown::Wireframe, Shown::None]).collect()
});

impl clap::ValueEnum for Shown {
    fn value_variants<'a>() -> &'a [Self] {
        &SHOWN
    }

    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        let name = match self {
            Self::Overlay(kind) => OVERLAYS.iter().find(|row| row.kind == *kind)?.cli_name,
            Self::Wireframe => "wireframe",
            Self::None => "none",
        };
        Some(clap::builder::PossibleValue::new(name))
    }
}

/// Takes the names of the profiles, and lists them.
fn profile_parser() -> impl TypedValueParser<Value = &'static Profile> {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| profile.name))
        .try_map(|name| Profile::named(&name).ok_or("there is no such profile"))
}

fn parse_background(text: &str) -> Result<Background, String> {
    match text.to_lowercase().as_str() {
        "studio" => return Ok(Background::Studio),
        "transparent" => return Ok(Background::Transparent),
        "black" => return Ok(Background::Colour([0; 3])),
        "white" => return Ok(Background::Colour([255; 3])),
        _ => {}
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let colour = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
    let [_, red, green, blue] =
        colour.ok_or("studio, transparent, black, white or a colour as #rrggbb is wanted")?.to_be_bytes();
    Ok(Background::Colour([red, green, blue]))
}

fn parse_opening(text: &str) -> Result<f32, String> {
    let degrees = text.parse().ok().filter(|degrees| (10.0..=90.0).contains(degrees));
    degrees.ok_or_else(|| "10 to 90 degrees are wanted".to_owned())
}

fn parse_light(text: &str) -> Result<(f32, f32), String> {
    let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|angle| angle.abs() <= 360.0);
    let angles = text.split_once(',').and_then(|(right, up)| Some((angle(right)?, angle(up)?)));
    angles.ok_or_else(|| "two angles in degrees are wanted, as 60,-20".to_owned())
}

fn parse_scale(text: &str) -> Result<f32, String> {
    let scale = text.parse().ok().filter(|scale| (0.25..=8.0).contains(scale));
    scale.ok_or_else(|| "0.25 to 8 pixels per point are wanted".to_owned())
}

fn parse_alpha(text: &str) -> Result<Alpha, String> {
    match text {
        "material" => Ok(Alpha::Material),
        "opaque" => Ok(Alpha::Opaque),
        "cutout" => Ok(Alpha::Test),
        "blend" => Ok(Alpha::Blend),
        _ => Err("material, opaque, cutout or blend is expected".to_owned()),
    }
}

fn parse_tolerance(text: &str) -> Result<f32, String> {
    let tolerance = text.parse().ok().filter(|tolerance: &f32| tolerance.is_finite() && *tolerance >= 0.0);
    tolerance.ok_or_else(|| "a distance in units is wanted, 0 or more".to_owned())
}

fn parse_order(text: &str) -> Result<SearchOrder, String> {
    match text.to_lowercase().as_str() {
        "game" => Ok(SearchOrder::Game),
        "archive" => Ok(SearchOrder::OwnArchive),
        _ => Err("game or archive is wanted".to_owned()),
    }
}

fn parse_look(text: &str) -> Result<LightingMode, String> {
    let text = text.to_lowercase();
    // The words of the window do, too.
    let is_named = |lighting: &LightingMode| text == lighting.cli_name() || text == lighting.label().to_lowercase();
    let found = LightingMode::ALL.into_iter().find(is_named);
    found.ok_or_else(|| "studio, game (in-game) or plain (ignore shaders) is wanted".to_owned())
}

fn parse_time(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "0 to 86400 seconds are wanted".to_owned())
}

fn parse_turn(text: &str) -> Result<f64, String> {
    let (least, most) = TURN_RANGE;
    let seconds = text.parse().ok().filter(|seconds| (least..=most).contains(seconds));
    seconds.ok_or_else(|| format!("{least} to {most} seconds are wanted"))
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let (least, most) = RATE_RANGE;
    let rate = text.parse().ok().filter(|rate| *rate == 0.0 || (least..=most).contains(rate));
    rate.ok_or_else(|| format!("{least} to {most} frames per second are wanted, or 0"))
}

fn parse_repeat(text: &str) -> Result<Repeat, String> {
    match text.to_lowercase().as_str() {
        "loop" | "from-clip" => Ok(Repeat::Loop),
        "whole" => Ok(Repeat::Whole),
        "once" => Ok(Repeat::Once),
        "pingpong" | "ping-pong" => Ok(Repeat::PingPong),
        _ => Err("from-clip (or loop), whole, once or ping-pong is wanted".to_owned()),
    }
}

fn parse_shading(text: &str) -> Result<Shading, String> {
    match text.to_lowercase().as_str() {
        "textured" => Ok(Shading::Textured),
        "clay" => Ok(Shading::Clay),
        "unlit" => Ok(Shading::Unlit),
        "normals" => Ok(Shading::Normals),
        "checker" => Ok(Shading::Checker),
        "weights" => Ok(Shading::Weights),
        "texel-density" => Ok(Shading::TexelDensity),
        _ => Err("textured, clay, unlit, normals, checker, weights or texel-density is wanted".to_owned()),
    }
}

fn parse_tone(text: &str) -> Result<Tone, String> {
    match text.to_lowercase().as_str() {
        "dark" => Ok(Tone::Dark),
        "light" => Ok(Tone::Light),
        _ => Err("dark or light is wanted".to_owned()),
    }
}
