//! Arguments of `export` and `convert`.

use std::path::PathBuf;

use clap::Args;
use maquette_assets::lint::Profile;
use maquette_core::convert::targets;
use maquette_core::edit::{Call, OPERATIONS, Operation, RECOMPUTE_BOUNDS, RECOMPUTE_NORMALS};
use maquette_core::export::{ExportOptions, TexturePlacement};

use super::batch::{BatchArguments, output_or_folder};
use super::character::{CharacterArguments, ImportArguments, parse_metres};
use super::check::profile_parser;
use super::image::one_of;
use super::numbers::{at_least, frame, lod};

#[derive(Args, Clone)]
#[command(group = output_or_folder())]
pub struct ExportArguments {
    /// Model, or folder of a character; the path may lead into an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// File to write: .glb, .gltf, .obj, .ply, .skin, .tag or a format of a game; - writes an OBJ to standard output. An existing
    /// file is replaced, its companion files only together with it
    #[arg(short, long, value_name = "OUT.glb")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// With --output-dir: extension of the format to write
    #[arg(long, value_name = "EXTENSION", default_value = "glb", requires = "output_dir")]
    pub to: String,
    /// Print a JSON object per model, one per line
    #[arg(long)]
    pub json: bool,
    /// Write only this clip; repeatable. OBJ and PLY contain one frame of one clip. Default: all clips
    #[arg(long, value_name = "CLIP")]
    pub animation: Vec<String>,
    /// Write a single frame instead of animations: number from 0, may be fractional; counted within the clip of
    /// --animation
    #[arg(long, value_name = "F", value_parser = frame(), allow_negative_numbers = true)]
    pub frame: Option<f64>,
    #[command(flatten)]
    pub character: CharacterArguments,
    /// LOD (level of detail); 0 is the finest
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = lod(), allow_negative_numbers = true)]
    pub lod: u32,
    /// glTF: metres per game unit, in the files that are read and written
    #[arg(long, value_name = "S", default_value_t = ExportOptions::USUAL_SCALE, value_parser = parse_metres)]
    pub scale: f32,
    #[command(flatten)]
    pub import: ImportArguments,
    /// glTF: write the textures as PNG, in the file or in external files next to it
    #[arg(long, value_name = "WHERE", default_value = "embed", ignore_case = true, value_parser = one_of(TEXTURES))]
    pub textures: TexturePlacement,
    /// glTF: write positions as 16-bit integers (KHR_mesh_quantization); exact for MD3
    #[arg(long)]
    pub quantize: bool,
    /// glTF: write materials without lighting (KHR_materials_unlit)
    #[arg(long)]
    pub unlit: bool,
}

#[derive(Args, Clone)]
#[command(group = output_or_folder())]
pub struct ConvertArguments {
    /// Model; the path may lead into an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    #[arg(short, long, value_name = "OUT", help = output_help())]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Divide a model into the parts of a Quake III player: lower.md3, upper.md3, head.md3, animation.cfg and .skin
    /// files in the folder OUT. Names of surfaces begin with l_, u_ or h_; the tags are tag_torso, tag_head and
    /// tag_weapon; clips have the names of the game, such as LEGS_RUN
    #[arg(long, requires = "output", conflicts_with_all = ["frame", "animation", "output_dir", "skin_size", "compressed", "uncompressed", "EditArguments"])]
    pub player: bool,
    /// With --player: write lower.mdr, upper.mdr and head.md3 for Elite Force
    #[arg(long, requires = "player")]
    pub mdr: bool,
    /// With --output-dir: extension of the format to write
    #[arg(long, value_name = "EXTENSION", requires = "output_dir")]
    pub to: Option<String>,
    /// Convert only this clip; repeatable. With --frame: clip within which the frame is counted. Default: all frames
    #[arg(long, value_name = "CLIP")]
    pub animation: Vec<String>,
    /// Convert only this frame, counted from 0. Default: all frames
    #[arg(long, value_name = "F", value_parser = at_least(0_u32, "a whole frame number from 0"), allow_negative_numbers = true)]
    pub frame: Option<u32>,
    /// Engine whose limits apply; larger surfaces are split. Default: the game of the format
    #[arg(long, value_name = "ENGINE", value_parser = profile_parser())]
    pub profile: Option<&'static Profile>,
    /// Do not split surfaces that exceed the limits of the engine
    #[arg(long, alias = "whole")]
    pub no_split: bool,
    /// MDR: store bones as 32-bit floats
    #[arg(long, alias = "plain", conflicts_with = "compressed")]
    pub uncompressed: bool,
    /// MDR: store bones as 16-bit numbers. Default, unless the model is an uncompressed MDR or has scaled
    /// joints (IQM)
    #[arg(long)]
    pub compressed: bool,
    /// MD2, MDL: size of the skin in texels; texture coordinates are rounded to texels. Default: size of the image
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = parse_skin)]
    pub skin_size: Option<[u16; 2]>,
    /// glTF: write the images of the materials as TGA to their shader paths, below the folder that contains the folder
    /// `models` of OUT, or else below the folder of OUT
    #[arg(long)]
    pub textures: bool,
    /// Add a folder or archive that is searched before the game of the model; repeatable, the last one is searched
    /// first
    #[arg(long, value_name = "DIR")]
    pub root: Vec<PathBuf>,
    /// glTF: metres per game unit; 1 for models made in game units
    #[arg(long, value_name = "S", default_value_t = ExportOptions::USUAL_SCALE, value_parser = parse_metres)]
    pub scale: f32,
    #[command(flatten)]
    pub import: ImportArguments,
    #[command(flatten)]
    pub edits: EditArguments,
    /// Report data loss and deviation without writing files
    #[arg(long)]
    pub dry_run: bool,
    /// Replace the input file, and existing animations, lists of clips, textures and files of a player
    #[arg(long)]
    pub overwrite: bool,
    /// Print the written files and their deviation from the model as JSON (docs/convert-json.md describes the fields)
    #[arg(long)]
    pub json: bool,
}

/// Edits of a model before the conversion. If the format is kept, the rest of the file does not change.
#[derive(Args, Clone)]
#[command(next_help_heading = "Changes")]
pub struct EditArguments {
    /// Set the material of the surfaces with this name or index; repeatable
    #[arg(long, value_name = "SURFACE=PATH", value_parser = parse_material)]
    pub set_material: Vec<(String, String)>,
    /// Rename surfaces; repeatable
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_pair)]
    pub rename_surface: Vec<(String, String)>,
    /// Rename a tag; repeatable
    #[arg(long, value_name = "OLD=NEW", value_parser = parse_pair)]
    pub rename_tag: Vec<(String, String)>,
    /// Move a tag by this offset in every frame, in game units; repeatable
    #[arg(long, value_name = "NAME=X,Y,Z", value_parser = parse_tag_offset, allow_hyphen_values = true)]
    pub move_tag: Vec<(String, String)>,
    /// Add a tag at this position in every frame, in game units, with the axes of the model; in a model with joints, it
    /// follows the first joint; repeatable
    #[arg(long, value_name = "NAME=X,Y,Z", value_parser = parse_tag_offset, allow_hyphen_values = true)]
    pub add_tag: Vec<(String, String)>,
    /// Remove a tag; repeatable
    #[arg(long, value_name = "NAME")]
    pub remove_tag: Vec<String>,
    /// Reorder the skins of an MD2, counted from 0
    #[arg(long, value_name = "1,0,…", value_delimiter = ',', value_parser = at_least(0_usize, "numbers of skins from 0, for example 1,0"))]
    pub skin_order: Vec<usize>,
    /// Recompute normals or bounds
    #[arg(long, value_name = "WHAT", value_delimiter = ',', ignore_case = true, value_parser = one_of(RECOMPUTED))]
    pub recompute: Vec<&'static Operation>,
    /// Remove triangles without area in every frame
    #[arg(long, alias = "drop-degenerate")]
    pub remove_degenerate: bool,
    /// Apply an operation after the other changes; repeatable, in order. --help lists all operations
    #[arg(long, value_name = "OPERATION NAME=VALUE …", value_parser = Call::parse, long_help = operations_help())]
    pub edit: Vec<Call>,
}

/// Returns the list of operations with their parameters.
fn operations_help() -> String {
    let mut text = "Apply an operation after the other changes; repeatable, in order. Values with spaces are quoted: \
        --edit 'scale factor=2 surfaces=\"left arm\"'"
        .to_owned();
    let mut group = "";
    for operation in OPERATIONS {
        if operation.group != group {
            group = operation.group;
            text += &format!("\n\n{group}:");
        }
        text += &format!("\n  {}: {}", operation.name, operation.help);
        for parameter in operation.parameters {
            let usual = match parameter.default {
                Some("") => " (optional)".to_owned(),
                Some(usual) => format!(" (default {usual})"),
                None => String::new(),
            };
            text += &format!("\n    {}: {}{usual}", parameter.name, parameter.kind.form());
        }
    }
    text
}

const RECOMPUTED: [(&str, &Operation); 2] = [("normals", &RECOMPUTE_NORMALS), ("bounds", &RECOMPUTE_BOUNDS)];

const TEXTURES: [(&str, TexturePlacement); 4] = [
    ("embed", TexturePlacement::Embedded),
    ("external", TexturePlacement::External),
    ("beside", TexturePlacement::External),
    ("none", TexturePlacement::Omitted),
];

fn parse_pair(text: &str) -> Result<(String, String), &'static str> {
    // The old name may contain `=`; paths rarely do.
    let pair = text.rsplit_once('=').filter(|(old, _)| !old.is_empty());
    pair.map(|(old, new)| (old.to_owned(), new.to_owned())).ok_or("expected OLD=NEW")
}

fn parse_material(text: &str) -> Result<(String, String), &'static str> {
    parse_pair(text).map_err(|_| "expected SURFACE=PATH, for example head=models/players/umber/head")
}

fn parse_tag_offset(text: &str) -> Result<(String, String), &'static str> {
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|number| number.is_finite());
    let numbers = |offset: &str| offset.split(',').map(number).collect::<Option<Vec<f32>>>().unwrap_or_default();
    let pair = parse_pair(text).ok().filter(|(_, offset)| numbers(offset).len() == 3);
    pair.ok_or("expected NAME=X,Y,Z, for example tag_flash=20,0,4")
}

fn parse_skin(text: &str) -> Result<[u16; 2], &'static str> {
    let side = |text: &str| text.parse().ok().filter(|side| *side > 0);
    let sides = text.split_once('x').and_then(|(width, height)| Some([side(width)?, side(height)?]));
    sides.ok_or("expected WIDTHxHEIGHT, for example 256x256")
}

fn output_help() -> String {
    let extensions: Vec<String> = targets().map(|format| format!(".{}", format.extension())).collect();
    let (last, others) = extensions.split_last().map_or(("", [].as_slice()), |(last, others)| (last.as_str(), others));
    format!(
        "File to write: {} or {last}. An existing file is replaced. Coarser LODs, animations and the list of clips are written to the folder of the file",
        others.join(", ")
    )
}
