//! Arguments of `snapshot`, `animate` and `contact-sheet`.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

use clap::Args;
use maquette_core::pose::Repeat;
use maquette_scene::scene::{
    Alpha, BackfaceDisplay, Background, CameraText, ColourTheme, LightingMode, MAX_SAMPLES, RATE_RANGE, SAMPLES,
    Shading, TURN_RANGE, TextureFilter,
};

use super::batch::BatchArguments;
use super::character::{CharacterArguments, FrameArguments, ImportArguments};
use super::view::{OverlayArgument, parse_size, parse_view};

#[derive(Args, Clone)]
pub struct SnapshotArguments {
    /// Model, or folder of a character; the path may lead into an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// PNG file to write; - writes to standard output
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "output_dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Print a JSON object per model, one per line
    #[arg(long, requires = "output_dir")]
    pub json: bool,
    /// Size in pixels; one number makes a square
    #[arg(long, value_name = "WxH", default_value = "1024x768", value_parser = parse_size)]
    pub size: (u32, u32),
    #[command(flatten)]
    pub frame: FrameArguments,
    #[command(flatten)]
    pub import: ImportArguments,
    #[command(flatten)]
    pub character: CharacterArguments,
    #[command(flatten)]
    pub image: ImageArguments,
}

#[derive(Args, Clone)]
pub struct FilmArguments {
    /// Model, or folder of a character; the path may lead into an archive
    pub model: PathBuf,
    /// Animation to write: .gif, .png (animated), or one .png per frame, for example 'frames/%04d.png';
    /// - writes a GIF to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Size in pixels
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Clip by name; for MD5 and MDM, also the name of the animation file without extension. Default: an idle clip
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
    /// Rotate the model: seconds per revolution, 0.5 to 60; rounded to whole loops while a clip plays
    #[arg(long, value_name = "SECONDS", value_parser = within(TURN_RANGE.0, TURN_RANGE.1, "seconds"))]
    pub turntable: Option<f64>,
    /// With --turntable: do not play a clip
    #[arg(long, alias = "still", requires = "turntable")]
    pub no_clip: bool,
    /// Frame rate in frames per second; 0 writes every frame of the clip once, at the rate of the clip
    #[arg(long, value_name = "N", default_value = "30", value_parser = parse_rate)]
    pub fps: f64,
    /// Loop mode: from-clip (or loop), whole (all frames), once or ping-pong
    #[arg(long, value_name = "MODE", default_value = "loop", value_parser = one_of(REPEATS, "from-clip (or loop), whole, once or ping-pong"))]
    pub repeat: Repeat,
    /// Write a file that plays once instead of looping
    #[arg(long)]
    pub once: bool,
    #[command(flatten)]
    pub character: CharacterArguments,
    #[command(flatten)]
    pub image: ImageArguments,
}

#[derive(Args, Clone)]
pub struct SheetArguments {
    /// Model, or folder of a character; the path may lead into an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// PNG file to write; - writes to standard output
    #[arg(short, long, value_name = "OUT.png", required_unless_present = "output_dir")]
    pub output: Option<PathBuf>,
    #[command(flatten)]
    pub batch: BatchArguments,
    /// Print a JSON object per model, one per line
    #[arg(long, requires = "output_dir")]
    pub json: bool,
    /// Size of a tile in pixels
    #[arg(long, value_name = "WxH", default_value = "192x192", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Number of frames per clip, side by side, 1 to 24; 1 shows the middle frame
    #[arg(long, alias = "moments", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=24))]
    pub frames_per_clip: u32,
    #[command(flatten)]
    pub character: CharacterArguments,
    #[command(flatten)]
    pub image: ImageArguments,
}

/// Camera, light and display options.
#[derive(Args, Clone)]
pub struct ImageArguments {
    /// View direction: front, back, left, right, top, bottom, isometric, or YAW,PITCH in degrees
    #[arg(long, value_name = "VIEW", default_value = "35,10", value_parser = parse_view, allow_hyphen_values = true)]
    pub view: (f32, f32),
    /// Camera instead of --view: position, view direction and up vector in model space, and full horizontal field of view
    /// in degrees
    #[arg(long, value_name = "origin=X,Y,Z forward=X,Y,Z up=X,Y,Z fov=DEGREES", conflicts_with_all = ["view", "orthographic"])]
    pub camera: Option<CameraText>,
    /// Overlays, separated by commas; “names” are joint names. Default: grid and shadow; none with in-game lighting
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub show: Option<Vec<OverlayArgument>>,
    /// Background: studio, transparent, black, white, or a colour such as #rrggbb
    #[arg(long, value_name = "COLOR", default_value = "studio", value_parser = parse_background)]
    pub background: Background,
    /// Alpha of textures without a shader: material (like the games of the format), opaque, cutout or blend. Values other
    /// than material ignore shaders
    #[arg(long, value_name = "ALPHA", default_value = "material", value_parser = parse_alpha)]
    pub alpha: Alpha,
    /// Lighting: studio, soft or hard (studio light), game (in-game) or plain (ignore shaders)
    #[arg(long, visible_alias = "look", value_name = "LIGHTING", default_value = "studio", value_parser = parse_look)]
    pub lighting: LightingMode,
    /// Magnification of textures: linear, sharp or nearest
    #[arg(long, value_name = "FILTER", default_value = "linear", value_parser = one_of(FILTERS, "linear, sharp or nearest"))]
    pub texture_filter: TextureFilter,
    /// Time of shader effects in seconds. Default: 0, or later if the effects are invisible at 0
    #[arg(long, value_name = "SECONDS", value_parser = within(0.0, 86_400.0, "seconds"), allow_hyphen_values = true)]
    pub time: Option<f64>,
    /// Shading mode: textured, clay, unlit, normals, checker (UV checker), weights or texel-density
    #[arg(long, value_name = "MODE", default_value = "textured", value_parser = one_of(SHADINGS, "textured, clay, unlit, normals, checker, weights or texel-density"))]
    pub shading: Shading,
    /// Theme: dark or light
    #[arg(long, alias = "tone", value_name = "THEME", default_value = "dark", value_parser = one_of(THEMES, "dark or light"))]
    pub theme: ColourTheme,
    /// LOD (level of detail); 0 is the finest
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub lod: u32,
    /// Pixels per point, 0.25 to 8; scales lines and labels
    #[arg(long, value_name = "N", default_value = "1", value_parser = within(0.25_f32, 8.0, "pixels per point"))]
    pub scale: f32,
    /// Use orthographic projection
    #[arg(long)]
    pub orthographic: bool,
    /// Full vertical field of view in degrees, 10 to 90
    #[arg(long, value_name = "DEGREES", default_value = "30", value_parser = within(10.0_f32, 90.0, "degrees"), conflicts_with_all = ["camera", "orthographic"])]
    pub fov: f32,
    /// Number of images that are averaged in studio light, 1 to 128: soft shadows and smooth edges need about 32
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SAMPLES)))]
    pub samples: u32,
    /// Rotate the studio light to the right and up, in degrees
    #[arg(long, value_name = "RIGHT,UP", default_value = "0,0", value_parser = parse_light, allow_hyphen_values = true)]
    pub light: (f32, f32),
    /// Backfaces: cull, show, or tint (marks holes and triangles with wrong winding)
    #[arg(long, value_name = "MODE", default_value = "cull", value_parser = one_of(BACKFACES, "cull, show or tint"))]
    pub backfaces: BackfaceDisplay,
    #[arg(long, hide = true, conflicts_with = "backfaces")]
    pub two_sided: bool,
    #[arg(long, hide = true, conflicts_with_all = ["backfaces", "two_sided"])]
    pub inside: bool,
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
        colour.ok_or("expected studio, transparent, black, white or a colour such as #rrggbb")?.to_be_bytes();
    Ok(Background::Colour([red, green, blue]))
}

fn within<T>(min: T, max: T, what: &'static str) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: Copy + PartialOrd + FromStr + Display,
{
    move |text| {
        let number = text.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| format!("expected {min} to {max} {what}"))
    }
}

pub(super) fn one_of<T: Copy>(
    names: &'static [(&'static str, T)],
    choices: &'static str,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let text = text.to_lowercase();
        let found = names.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
        found.ok_or_else(|| format!("expected {choices}"))
    }
}

fn parse_light(text: &str) -> Result<(f32, f32), String> {
    let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|angle| angle.abs() <= 360.0);
    let angles = text.split_once(',').and_then(|(right, up)| Some((angle(right)?, angle(up)?)));
    angles.ok_or_else(|| "expected two angles in degrees, for example 60,-20".to_owned())
}

fn parse_alpha(text: &str) -> Result<Alpha, String> {
    match text {
        "material" => Ok(Alpha::Material),
        "opaque" => Ok(Alpha::Opaque),
        "cutout" => Ok(Alpha::Test),
        "blend" => Ok(Alpha::Blend),
        _ => Err("expected material, opaque, cutout or blend".to_owned()),
    }
}

fn parse_look(text: &str) -> Result<LightingMode, String> {
    let text = text.to_lowercase();
    // Labels of the window are accepted, too.
    let is_named = |lighting: &LightingMode| text == lighting.cli_name() || text == lighting.label().to_lowercase();
    let found = LightingMode::ALL.into_iter().find(is_named);
    found.ok_or_else(|| "expected studio, soft, hard, game (in-game) or plain (ignore shaders)".to_owned())
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let (min, max) = RATE_RANGE;
    let rate = text.parse().ok().filter(|rate| *rate == 0.0 || (min..=max).contains(rate));
    rate.ok_or_else(|| format!("expected {min} to {max} frames per second, or 0"))
}

const REPEATS: &[(&str, Repeat)] = &[
    ("loop", Repeat::Loop),
    ("from-clip", Repeat::Loop),
    ("whole", Repeat::Whole),
    ("once", Repeat::Once),
    ("pingpong", Repeat::PingPong),
    ("ping-pong", Repeat::PingPong),
];

const SHADINGS: &[(&str, Shading)] = &[
    ("textured", Shading::Textured),
    ("clay", Shading::Clay),
    ("unlit", Shading::Unlit),
    ("normals", Shading::Normals),
    ("checker", Shading::Checker),
    ("weights", Shading::Weights),
    ("texel-density", Shading::TexelDensity),
];

const BACKFACES: &[(&str, BackfaceDisplay)] =
    &[("cull", BackfaceDisplay::Front), ("show", BackfaceDisplay::Both), ("tint", BackfaceDisplay::Tinted)];

const FILTERS: &[(&str, TextureFilter)] =
    &[("linear", TextureFilter::Linear), ("sharp", TextureFilter::Sharp), ("nearest", TextureFilter::Nearest)];
const THEMES: &[(&str, ColourTheme)] = &[("dark", ColourTheme::Dark), ("light", ColourTheme::Light)];
