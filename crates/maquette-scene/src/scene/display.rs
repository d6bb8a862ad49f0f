//! Display options that the window, the command line and the renderer share.

use std::sync::Arc;

use super::choice::{Choice, Choices};
use super::overlay_kind::{OverlayKind, Overlays};
use super::{GameLight, Light};
use maquette_assets::engines::LightRule;
use maquette_assets::open::ModelAsset;

/// Shading of surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Textures under studio light.
    #[default]
    Textured,
    /// Textures without light.
    Unlit,
    /// Grey clay under studio light.
    Clay,
    /// Normals as colours: x, y, z as red, green, blue.
    Normals,
    /// A numbered checker over the texture coordinates.
    Checker,
    /// Weight of the selected joint in each vertex, as colours.
    Weights,
    /// Texels per unit relative to the model's median, as colours.
    TexelDensity,
    /// Distance of each vertex from its counterpart in the compared model, as colours.
    Difference,
    /// Colours of the vertices, without light and textures. Surfaces without colours are white.
    VertexColours,
}

impl Choices for Shading {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Textured, "Textured").named(&["textured"]).found_by("texture skin"),
        Choice::new(Self::Clay, "Clay").named(&["clay"]).found_by("matcap grey gray solid form"),
        Choice::new(Self::Unlit, "Unlit").named(&["unlit"]).found_by("fullbright flat texture"),
        Choice::new(Self::Normals, "Normals").named(&["normals"]).found_by("colours colors direction"),
        Choice::new(Self::Checker, "UV checker")
            .named(&["checker"])
            .found_by("layout texture coordinates mapping stretch"),
        Choice::new(Self::Weights, "Joint weights")
            .named(&["weights"])
            .found_by("skinning influence bone vertex heat map paint"),
        Choice::new(Self::TexelDensity, "Texel density")
            .named(&["texel-density"])
            .found_by("UV stretch resolution heat map texture size"),
        Choice::new(Self::VertexColours, "Vertex colours").named(&["vertex-colours"]).found_by("colors COLOR_0 paint"),
        Choice::new(Self::Difference, "Difference"),
    ];
}

impl Shading {
    /// Shadings that the shortcut cycles through.
    pub const CYCLE: &[Self] = &[Self::Textured, Self::Clay, Self::Unlit, Self::Normals, Self::Checker];

    /// Whether the shading shows a number per vertex as colours.
    pub fn shows_values(self) -> bool {
        matches!(self, Self::Weights | Self::TexelDensity | Self::Difference)
    }
}

/// Lighting of textured surfaces, and use of their materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LightingMode {
    /// Studio light with soft boxes, with materials.
    #[default]
    Studio,
    /// Like [`Self::Studio`], with light from all sides and weak shadows.
    Soft,
    /// Like [`Self::Studio`], with a small key light and dark shadows.
    Hard,
    /// Light as in the game.
    Game,
    /// Studio light, with one plain texture for each surface.
    Plain,
}

impl Choices for LightingMode {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Studio, "Studio light").named(&["studio", "studio light"]).found_by("light lamp environment"),
        Choice::new(Self::Soft, "Soft light")
            .named(&["soft", "soft light"])
            .found_by("light studio environment overcast ambient occlusion"),
        Choice::new(Self::Hard, "Hard light")
            .named(&["hard", "hard light"])
            .found_by("light studio environment spotlight contrast dramatic"),
        Choice::new(Self::Game, "In-game").named(&["game", "in-game"]).found_by("engine shader players"),
        Choice::new(Self::Plain, "Ignore shaders")
            .named(&["plain", "ignore shaders"])
            .found_by("plain without scripts no"),
    ];
}

impl LightingMode {
    /// Modes that the shortcut cycles through.
    pub const CYCLE: &[Self] = &[Self::Studio, Self::Game, Self::Plain];
}

/// Effect of Quake II on a model, in its in-game light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GameEffect {
    /// No effect.
    #[default]
    None,
    /// Light that pulses, as on items (`RF_GLOW`).
    Glow,
    /// Opacity of a translucent model without its own (`RF_TRANSLUCENT`).
    Translucent,
    /// Translucent shell around the model, with its colour as red, green and blue from 0 to 255 (`RF_SHELL_…`).
    Shell([u8; 3]),
}

impl Choices for GameEffect {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::None, "None").named(&["none"]),
        Choice::new(Self::Glow, "Glow").named(&["glow"]),
        Choice::new(Self::Translucent, "Translucent").named(&["translucent"]),
        Choice::new(Self::Shell([255, 0, 0]), "Red shell").named(&["shell-red"]),
        Choice::new(Self::Shell([0, 255, 0]), "Green shell").named(&["shell-green"]),
        Choice::new(Self::Shell([0, 0, 255]), "Blue shell").named(&["shell-blue"]),
        Choice::new(Self::Shell([230, 179, 0]), "Double damage shell").named(&["shell-double"]),
        Choice::new(Self::Shell([143, 150, 115]), "Half damage shell").named(&["shell-half"]),
    ];
}

/// Magnification of textures. Smaller textures are always averaged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextureFilter {
    /// Linear interpolation, as in most games.
    #[default]
    Linear = 0,
    /// Square texels with edges that are one pixel wide.
    Sharp = 1,
    /// Square texels with hard edges.
    Nearest = 2,
}

impl Choices for TextureFilter {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Linear, "Linear").named(&["linear"]),
        Choice::new(Self::Sharp, "Sharp").named(&["sharp"]),
        Choice::new(Self::Nearest, "Nearest").named(&["nearest"]),
    ];
}

/// Display of triangle edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wireframe {
    /// No edges.
    #[default]
    Off,
    /// Edges over the shaded surfaces. Surfaces hide the edges behind them.
    Over,
    /// Edges without surfaces. All edges are visible.
    Alone,
}

impl Choices for Wireframe {
    const CHOICES: &'static [Choice<Self>] =
        &[Choice::new(Self::Off, "Off"), Choice::new(Self::Over, "Overlay"), Choice::new(Self::Alone, "Only")];
}

/// Display of triangles from behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackfaceDisplay {
    /// Backfaces are culled, as in the games.
    #[default]
    Front,
    /// Backfaces are drawn like front faces.
    Both,
    /// A flat colour, which shows holes and triangles wound the wrong way.
    Tinted,
}

impl Choices for BackfaceDisplay {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Front, "Cull").named(&["cull"]),
        Choice::new(Self::Both, "Show").named(&["show"]),
        Choice::new(Self::Tinted, "Tint").named(&["tint"]),
    ];
}

/// Use of a texture's alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpha {
    /// Alpha as in the material; without a script, as in the format's games.
    #[default]
    Material,
    /// Alpha is ignored.
    Opaque,
    /// Texels with alpha below one half are not drawn.
    Test,
    /// Texels are as opaque as their alpha.
    Blend,
}

impl Choices for Alpha {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Material, "As in material").named(&["material"]),
        Choice::new(Self::Opaque, "Opaque").named(&["opaque"]),
        Choice::new(Self::Test, "Cutout").named(&["cutout"]),
        Choice::new(Self::Blend, "Blend").named(&["blend"]),
    ];
}

/// Theme of the studio around the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourTheme {
    /// Dark studio with light lines.
    #[default]
    Dark,
    /// Light studio with dark lines.
    Light,
}

impl Choices for ColourTheme {
    const CHOICES: &'static [Choice<Self>] =
        &[Choice::new(Self::Dark, "Dark").named(&["dark"]), Choice::new(Self::Light, "Light").named(&["light"])];
}

/// Background of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Background {
    /// Gradient of the studio.
    #[default]
    Studio,
    /// A colour, sRGB 0–255.
    Colour([u8; 3]),
    /// No background. Alpha is 0, so the image can be laid over others.
    Transparent,
}

impl Background {
    /// Offered colours with their names.
    pub const COLOURS: [(&'static str, [u8; 3]); 5] = [
        ("Black", [0; 3]),
        ("Dark grey", [0x30; 3]),
        ("Medium grey", [0x77; 3]),
        ("Light grey", [0xc8; 3]),
        ("White", [0xff; 3]),
    ];
}

/// Display options of the viewport.
#[derive(Clone, Debug, PartialEq)]
pub struct Display {
    /// Shading of surfaces.
    pub shading: Shading,
    /// Lighting of textured surfaces.
    pub lighting: LightingMode,
    /// Display of triangle edges.
    pub wireframe: Wireframe,
    /// Use of a texture's alpha.
    pub alpha: Alpha,
    /// Magnification of textures.
    pub texture_filter: TextureFilter,
    /// Display of triangles from behind.
    pub sides: BackfaceDisplay,
    /// Direction of the studio light.
    pub light: Light,
    /// Light of the in-game look. `None`: that of each model's engine.
    pub light_rule: Option<&'static LightRule>,
    /// Effect of the in-game look of Quake II.
    pub game_effect: GameEffect,
    /// Lights of the in-game look for engines without a default light.
    pub game_lights: Arc<[GameLight]>,
    /// Length of drawn normals as a share of the model's radius.
    pub normal_length: f32,
    /// Overlays that are shown.
    pub overlays: Overlays,
    /// Whether tags, normals and bounds are drawn over the model instead of being hidden behind it.
    pub overlays_on_top: bool,
    /// Colours around the model.
    pub theme: ColourTheme,
    /// Background of the model.
    pub background: Background,
    /// Number of images that are averaged for a view at rest in studio light, 1 to [`MAX_SAMPLES`].
    pub samples: u32,
}

/// Default of [`Display::samples`].
pub const SAMPLES: u32 = 12;
/// Maximum of [`Display::samples`]: the sum has enough precision for that many.
pub const MAX_SAMPLES: u32 = 128;

impl Default for Display {
    fn default() -> Self {
        Self {
            shading: Shading::default(),
            lighting: LightingMode::default(),
            wireframe: Wireframe::default(),
            alpha: Alpha::default(),
            texture_filter: TextureFilter::default(),
            sides: BackfaceDisplay::default(),
            light: Light::default(),
            light_rule: None,
            game_effect: GameEffect::None,
            game_lights: GameLight::usual(),
            normal_length: 0.05,
            overlays: Overlays::all_ground(),
            overlays_on_top: false,
            theme: ColourTheme::default(),
            background: Background::default(),
            samples: SAMPLES,
        }
    }
}

impl Display {
    /// Whether an overlay is shown.
    pub fn shows(&self, kind: OverlayKind) -> bool {
        self.overlays.contains(kind)
    }

    /// Returns the rule of the in-game light on a model.
    pub fn light_on(&self, asset: &ModelAsset) -> &'static LightRule {
        self.light_rule.unwrap_or(asset.engine().light)
    }

    /// Returns the text of the lights of the in-game look; empty for the usual ones.
    pub fn lights_text(&self) -> String {
        if self.game_lights == GameLight::usual() { String::new() } else { GameLight::texts(&self.game_lights) }
    }

    /// Whether surfaces are drawn with the light of games.
    pub fn is_in_game(&self) -> bool {
        self.shows_materials() && self.lighting == LightingMode::Game
    }

    /// Returns the factor on the light of Quake II at a time (yquake2 `gl1_mesh.c`, `R_DrawAliasModel`).
    pub fn glow(&self, seconds: f64) -> f32 {
        if self.game_effect == GameEffect::Glow { 1.0 + 0.1 * (7.0 * seconds).sin() as f32 } else { 1.0 }
    }

    /// Whether studio light is applied to surfaces.
    pub fn is_lit(&self) -> bool {
        match self.shading {
            Shading::Unlit | Shading::Normals | Shading::VertexColours => false,
            Shading::Textured => !self.is_in_game(),
            Shading::Clay | Shading::Checker => true,
            Shading::Weights | Shading::TexelDensity | Shading::Difference => true,
        }
    }

    /// Returns the number of samples of a view at rest. Views without studio light are drawn once, as the games do.
    pub fn samples_at_rest(&self) -> u32 {
        if self.is_lit() { self.samples.clamp(1, MAX_SAMPLES) } else { 1 }
    }

    /// Returns the theme whose lines and shadows contrast with the background.
    pub fn line_theme(&self) -> ColourTheme {
        match self.background {
            // Weighted sRGB values. At 117 the contrasts with black and with white are equal.
            Background::Colour([red, green, blue]) => {
                let light = 0.3 * f32::from(red) + 0.59 * f32::from(green) + 0.11 * f32::from(blue);
                if light > 117.0 { ColourTheme::Light } else { ColourTheme::Dark }
            }
            Background::Studio | Background::Transparent => self.theme,
        }
    }

    /// Whether surfaces are drawn with the stages and deforms of their materials.
    pub fn shows_materials(&self) -> bool {
        self.shading == Shading::Textured && self.lighting != LightingMode::Plain && self.alpha == Alpha::Material
    }
}
