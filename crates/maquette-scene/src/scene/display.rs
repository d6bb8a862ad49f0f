//! What of a scene is drawn, and how: every switch the window, the command line and the renderer share.

use super::Light;
use super::overlay_kind::{OverlayKind, Overlays};

/// How surfaces are shaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shading {
    /// Pictures under studio light.
    #[default]
    Textured,
    /// Pictures as they are, without light.
    Unlit,
    /// Studio light on grey clay: form alone.
    Clay,
    /// Normals as colours: x, y, z as red, green, blue.
    Normals,
    /// A numbered checker over the texture coordinates.
    Checker,
    /// The weight that the selected joint has in each vertex, as colours.
    Weights,
    /// Texels per unit beside the model's median, as colours.
    TexelDensity,
    /// How far each vertex stands from its counterpart in the model that this one is compared with, as colours.
    Difference,
}

impl Shading {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 7] =
        [Self::Textured, Self::Clay, Self::Unlit, Self::Normals, Self::Checker, Self::Weights, Self::TexelDensity];

    /// Those that a key goes through.
    pub const CYCLE: [Self; 5] = [Self::Textured, Self::Clay, Self::Unlit, Self::Normals, Self::Checker];

    /// Whether it shows a number per vertex as colours.
    #[must_use]
    pub fn shows_values(self) -> bool {
        matches!(self, Self::Weights | Self::TexelDensity | Self::Difference)
    }

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Textured => "Textured",
            Self::Unlit => "Unlit",
            Self::Clay => "Clay",
            Self::Normals => "Normals",
            Self::Checker => "UV checker",
            Self::Weights => "Joint weights",
            Self::TexelDensity => "Texel density",
            Self::Difference => "Difference",
        }
    }
}

/// The lighting of surfaces with their materials.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LightingMode {
    /// The studio's: form and materials.
    #[default]
    Studio,
    /// The game's: as players see it.
    Game,
    /// One plain picture for each surface, in the studio.
    Plain,
}

impl LightingMode {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Studio, Self::Game, Self::Plain];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Studio => "Studio light",
            Self::Game => "In-game",
            Self::Plain => "Ignore shaders",
        }
    }

    /// The word of `--lighting`.
    #[must_use]
    pub fn cli_name(self) -> &'static str {
        match self {
            Self::Studio => "studio",
            Self::Game => "game",
            Self::Plain => "plain",
        }
    }
}

/// Edges of triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Wireframe {
    /// None.
    #[default]
    Off,
    /// Over the shaded surfaces, hidden behind them.
    Over,
    /// Alone, nothing hidden.
    Alone,
}

impl Wireframe {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Off, Self::Over, Self::Alone];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Off => "Off",
            Self::Over => "Over the surfaces",
            Self::Alone => "Only",
        }
    }
}

/// What is seen of triangles from behind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BackfaceDisplay {
    /// Nothing, as in the games.
    #[default]
    Front,
    /// The same as from the front.
    Both,
    /// A flat colour: holes and triangles wound the wrong way are seen at once.
    Tinted,
}

impl BackfaceDisplay {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 3] = [Self::Front, Self::Both, Self::Tinted];

    /// Name for people, of the backfaces.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Front => "Cull",
            Self::Both => "Show",
            Self::Tinted => "Tint",
        }
    }
}

/// What becomes of a texture's alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alpha {
    /// As the material says; without a script, as the format's games draw the picture.
    #[default]
    Material,
    /// Ignored.
    Opaque,
    /// Texels below one half are holes.
    Test,
    /// Texels are as opaque as their alpha says.
    Blend,
}

impl Alpha {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 4] = [Self::Material, Self::Opaque, Self::Test, Self::Blend];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Opaque => "Opaque",
            Self::Material => "Material",
            Self::Test => "Cutout",
            Self::Blend => "Blend",
        }
    }
}

/// Colours around the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColourTheme {
    /// Dark studio, light lines.
    #[default]
    Dark,
    /// Light studio, dark lines.
    Light,
}

/// What stands behind the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Background {
    /// The studio's gradient.
    #[default]
    Studio,
    /// One colour, sRGB 0–255.
    Colour([u8; 3]),
    /// Nothing: alpha 0, for pictures to be laid over others.
    Transparent,
}

/// Every switch of the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Display {
    /// How surfaces are shaded.
    pub shading: Shading,
    /// The lighting, where they are shaded with their pictures.
    pub lighting: LightingMode,
    /// Edges of triangles.
    pub wireframe: Wireframe,
    /// What becomes of alpha.
    pub alpha: Alpha,
    /// What is seen of triangles from behind.
    pub sides: BackfaceDisplay,
    /// How the studio's light stands.
    pub light: Light,
    /// Length of those lines as a share of the model's radius.
    pub normal_length: f32,
    /// What is drawn besides the model.
    pub overlays: Overlays,
    /// Draw tags, normals and bounds over the model instead of hiding what is behind it.
    pub overlays_on_top: bool,
    /// Colours around the model.
    pub tone: ColourTheme,
    /// What stands behind it.
    pub background: Background,
}

impl Default for Display {
    fn default() -> Self {
        Self {
            shading: Shading::default(),
            lighting: LightingMode::default(),
            wireframe: Wireframe::default(),
            alpha: Alpha::default(),
            sides: BackfaceDisplay::default(),
            light: Light::default(),
            normal_length: 0.05,
            overlays: Overlays::of(&[OverlayKind::Grid, OverlayKind::Shadow]),
            overlays_on_top: false,
            tone: ColourTheme::default(),
            background: Background::default(),
        }
    }
}

impl Display {
    /// Whether an overlay is shown.
    #[must_use]
    pub fn shows(&self, kind: OverlayKind) -> bool {
        self.overlays.contains(kind)
    }

    /// Whether the studio's light falls on surfaces as they are shown.
    #[must_use]
    pub fn is_lit(&self) -> bool {
        match self.shading {
            Shading::Unlit | Shading::Normals => false,
            Shading::Textured => !(self.shows_materials() && self.lighting == LightingMode::Game),
            Shading::Clay | Shading::Checker => true,
            Shading::Weights | Shading::TexelDensity | Shading::Difference => true,
        }
    }

    /// The tone that lines and shadows need to be seen on the background.
    #[must_use]
    pub fn line_tone(&self) -> ColourTheme {
        match self.background {
            // Stored values, weighed as the eye does; the middle between the contrasts with black and with white.
            Background::Colour([red, green, blue]) => {
                let light = 0.3 * f32::from(red) + 0.59 * f32::from(green) + 0.11 * f32::from(blue);
                if light > 117.0 { ColourTheme::Light } else { ColourTheme::Dark }
            }
            Background::Studio | Background::Transparent => self.tone,
        }
    }

    /// Whether surfaces are drawn with their materials, scene by scene, and move as these say.
    #[must_use]
    pub fn shows_materials(&self) -> bool {
        self.shading == Shading::Textured && self.lighting != LightingMode::Plain && self.alpha == Alpha::Material
    }
}
