//! Arguments of `export` and `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use glam::Vec3;
use maquette_assets::lint::Profile;
use maquette_core::export::{ExportOptions, TexturePlacement};

use super::batch::BatchArguments;
use super::character::CharacterArguments;
use super::check::profile_parser;

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
    pub figure: CharacterArguments,
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

/// Values that can be recomputed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RecomputeArgument {
    /// Normals of vertices, from the triangles
    Normals,
    /// Boxes and radii of frames
    Bounds,
}

fn parse_pair(text: &str) -> Result<(String, String), String> {
    // The old name may contain `=`; paths rarely do.
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

/// Placement of an export's textures.
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
    /// Returns the exporter's option.
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
