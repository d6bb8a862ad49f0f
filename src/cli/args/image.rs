//! Arguments of `snapshot`, `animate` and `contact-sheet`.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};
use maquette_core::pose::Repeat;
use maquette_scene::scene::{
    Background, Choices, ColourTheme, GameLight, MAX_SAMPLES, RATE_RANGE, SAMPLES, TURN_RANGE, ViewText, parse_view,
};
use maquette_scene::session::{Action, SETTINGS, Session, Setting};

use super::batch::{BatchArguments, output_or_folder};
use super::character::{CharacterArguments, FrameArguments, ImportArguments};
use super::numbers::{lod, within};
use super::view::{OverlayArgument, overlays, parse_angles, parse_size};

#[derive(Args, Clone)]
#[command(group = output_or_folder())]
pub struct SnapshotArguments {
    /// Model, or folder of a character; the path may lead into an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// PNG file to write, also over an existing file; - writes to standard output
    #[arg(short, long, value_name = "OUT.png")]
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
    /// Animation to write, also over existing files: .gif, .png (animated), or one .png per frame, for example
    /// 'frames/%04d.png'; - writes a GIF to standard output
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// Size in pixels
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = parse_size)]
    pub size: (u32, u32),
    /// Clip by name; for a model with animation files, also the name of the file without extension. Default: an idle clip
    #[arg(long, value_name = "CLIP")]
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
    /// Loop mode; whole repeats all frames
    #[arg(long, value_name = "MODE", default_value = "loop", ignore_case = true, value_parser = one_of(names::<Repeat>()))]
    pub repeat: Repeat,
    /// Show whole frames without blending, as games with r_lerpmodels 0
    #[arg(long)]
    pub no_interpolation: bool,
    /// Write a file that plays once instead of looping
    #[arg(long)]
    pub once: bool,
    #[command(flatten)]
    pub character: CharacterArguments,
    #[command(flatten)]
    pub image: ImageArguments,
}

#[derive(Args, Clone)]
#[command(group = output_or_folder())]
pub struct SheetArguments {
    /// Model, or folder of a character; the path may lead into an archive
    #[arg(required = true, value_name = "MODEL")]
    pub models: Vec<PathBuf>,
    /// PNG file to write, also over an existing file; - writes to standard output
    #[arg(short, long, value_name = "OUT.png")]
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
    #[arg(long, alias = "moments", value_name = "N", default_value_t = 1, value_parser = within(1_u32, 24, "frames"), allow_negative_numbers = true)]
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
    #[arg(long, value_name = "VIEW", default_value = "35,10", value_parser = parse_angles, allow_hyphen_values = true)]
    pub view: (f32, f32),
    /// Camera instead of --view: position, view direction and up vector in model space, and full horizontal field of view
    /// in degrees. The studio light (studio light=RIGHT,UP brightness=FACTOR) and values of --game-light may follow, in
    /// this order, each after a semicolon
    #[arg(long, value_name = "origin=X,Y,Z forward=X,Y,Z up=X,Y,Z fov=DEGREES", value_parser = parse_camera, conflicts_with_all = ["view", "orthographic"])]
    pub camera: Option<ViewText>,
    /// Light of the in-game look for engines with lights, in units of the model; may be repeated. The kinds are ambient,
    /// even, parallel, point, projected, and none for no light. Default: light from above and the side
    #[arg(long, value_name = "KIND NAME=VALUE …", value_parser = parse_game_light)]
    pub game_light: Vec<GameLightArgument>,
    /// Overlays, separated by commas; “names” are joint names. Default: grid and shadow; none with in-game lighting
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = one_of(overlays()))]
    pub show: Option<Vec<OverlayArgument>>,
    /// Background: studio, transparent, black, white, or a colour such as #rrggbb
    #[arg(long, value_name = "COLOUR", default_value = "studio", value_parser = parse_background)]
    pub background: Background,
    #[command(flatten)]
    pub settings: SettingArguments,
    /// Time of shader effects in seconds. Default: 0, or later if the effects are invisible at 0
    #[arg(long, value_name = "SECONDS", value_parser = within(0.0, 86_400.0, "seconds"), allow_hyphen_values = true)]
    pub time: Option<f64>,
    /// Theme
    #[arg(long, alias = "tone", value_name = "THEME", default_value = "dark", ignore_case = true, value_parser = one_of(names::<ColourTheme>()))]
    pub theme: ColourTheme,
    /// LOD (level of detail); 0 is the finest
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = lod(), allow_negative_numbers = true)]
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
    /// Number of images that are averaged in studio light, 1 to 128: soft shadows and smooth edges need about 12
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = within(1, MAX_SAMPLES, "images"), allow_negative_numbers = true)]
    pub samples: u32,
    /// Rotate the studio light to the right and up, in degrees
    #[arg(long, value_name = "RIGHT,UP", default_value = "0,0", value_parser = parse_light, allow_hyphen_values = true)]
    pub light: (f32, f32),
    #[arg(long, hide = true, conflicts_with = "backfaces")]
    pub two_sided: bool,
    #[arg(long, hide = true, conflicts_with_all = ["backfaces", "two_sided"])]
    pub inside: bool,
}

/// Value of `--game-light`: `None` for no light.
pub type GameLightArgument = Option<GameLight>;

fn parse_game_light(text: &str) -> Result<GameLightArgument, String> {
    if text.eq_ignore_ascii_case("none") { Ok(None) } else { text.parse().map(Some) }
}

fn parse_camera(text: &str) -> Result<ViewText, String> {
    let (camera, lights) = parse_view(text)?;
    Ok((camera, lights?))
}

fn parse_background(text: &str) -> Result<Background, &'static str> {
    match text.to_lowercase().as_str() {
        "studio" => return Ok(Background::Studio),
        "transparent" => return Ok(Background::Transparent),
        _ => {}
    }
    if let Some((_, colour)) = Background::COLOURS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(text)) {
        return Ok(Background::Colour(colour));
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let colour = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
    let [_, red, green, blue] =
        colour.ok_or("expected studio, transparent, black, white or a colour such as #rrggbb")?.to_be_bytes();
    Ok(Background::Colour([red, green, blue]))
}

/// Returns the names on the command line of a setting's values.
fn names<T: Choices>() -> impl Iterator<Item = (&'static str, T)> {
    T::CHOICES.iter().flat_map(|choice| choice.names.iter().map(|name| (*name, choice.value)))
}

/// Returns a parser of names, for an argument that ignores case. Help texts and messages list the first name of each
/// value.
pub(super) fn one_of<T: Clone + PartialEq + Send + Sync + 'static>(
    names: impl IntoIterator<Item = (&'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let names: Vec<(&str, T)> = names.into_iter().collect();
    let listed: Vec<PossibleValue> = names
        .iter()
        .map(|(name, value)| {
            let first = names.iter().find(|(_, known)| known == value).map(|(first, _)| first);
            PossibleValue::new(*name).hide(first != Some(name))
        })
        .collect();
    PossibleValuesParser::new(listed).try_map(move |text| {
        let named = names.iter().find(|(name, _)| text.eq_ignore_ascii_case(name));
        named.map(|(_, value)| value.clone()).ok_or(text)
    })
}

/// Actions of the settings with an option.
#[derive(Clone)]
pub struct SettingArguments(pub Vec<Action>);

fn settings() -> impl Iterator<Item = &'static Setting> {
    SETTINGS.iter().filter(|setting| !setting.option.is_empty())
}

impl Args for SettingArguments {
    fn augment_args(command: Command) -> Command {
        settings().fold(command, |command, setting| {
            let values = (setting.values)(&Session::default());
            let usual = values.iter().find(|value| value.is_current).and_then(|value| value.names.first());
            let names = values.iter().flat_map(|value| value.names.iter().map(|name| (*name, value.action.clone())));
            let argument = Arg::new(setting.option)
                .long(setting.option)
                .help(setting.help)
                .value_name("MODE")
                .ignore_case(true)
                .value_parser(one_of(names));
            let argument = setting.alias.into_iter().fold(argument, Arg::visible_alias);
            command.arg(usual.into_iter().fold(argument, Arg::default_value))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingArguments {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self(settings().filter_map(|setting| matches.get_one(setting.option).cloned()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn parse_light(text: &str) -> Result<(f32, f32), &'static str> {
    let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|angle| angle.abs() <= 360.0);
    let angles = text.split_once(',').and_then(|(right, up)| Some((angle(right)?, angle(up)?)));
    angles.ok_or("expected two angles in degrees, for example 60,-20")
}

fn parse_rate(text: &str) -> Result<f64, String> {
    let (min, max) = RATE_RANGE;
    let rate = text.parse().ok().filter(|rate| *rate == 0.0 || (min..=max).contains(rate));
    rate.ok_or_else(|| format!("expected {min} to {max} frames per second, or 0"))
}
