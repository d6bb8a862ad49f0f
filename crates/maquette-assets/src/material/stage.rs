//! Materials as drawn: stages with colour, alpha and texture coordinates, each blended onto the previous ones.

use std::sync::Arc;

use super::coordinates::{Coordinates, TexMod};
use super::deform::Deform;
use super::expression::Expression;
use super::image::ImageProgram;
use super::script::Objection;
use super::wave::Wave;
use super::{Image, TextureWrap};

/// Sort numbers of materials; low ones are drawn first (ioquake3 `tr_local.h`, `shaderSort_t`).
pub mod sort {
    /// Opaque surfaces.
    pub const OPAQUE: f32 = 3.0;
    /// Decals on other surfaces.
    pub const DECAL: f32 = 4.0;
    /// Grates: blended, but written to the depth buffer.
    pub const SEE_THROUGH: f32 = 5.0;
    /// Blended surfaces.
    pub const BLEND: f32 = 9.0;
}

/// Sides of triangles that are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawnFaces {
    /// Front faces.
    #[default]
    Front,
    /// Back faces.
    Back,
    /// All faces.
    Both,
}

/// Material of a surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Sides of triangles that are drawn.
    pub sides: DrawnFaces,
    /// Drawing order, see [`sort`].
    pub sort: f32,
    /// Whether the surface lies on another one, and is drawn slightly nearer.
    pub is_decal: bool,
    /// Whether all stages of a surface are drawn before those of the next surface, instead of each stage of all
    /// surfaces (Doom 3).
    pub is_by_surface: bool,
    /// Whether lights of the game reach triangles that are turned away from them, as far as their normals are not.
    pub lights_backs: bool,
    /// Falloff of a light along its depth (`lightFalloffImage`).
    pub falloff: Option<Map>,
    /// Deforms of the vertices, in order.
    pub deforms: Vec<Deform>,
    /// Stages in drawing order.
    pub stages: Vec<Stage>,
    /// Time in seconds after which the material's time stops.
    pub stops_after: Option<f32>,
    /// Image for editors, used if one image must represent the material.
    pub editor_image: Option<String>,
    /// First directive for which the engine of the definition rejects it, with the reason, and the number of stages
    /// before it.
    pub rejected_for: Option<(String, usize)>,
    /// Directives for which some engines reject the definition.
    pub objections: Vec<Objection>,
    /// Whether the script has `surfaceparm nodraw`. Games only obey it if there are no stages.
    pub no_draw: bool,
}

/// Stage of a material.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// Image, or images of an animation.
    pub maps: Vec<Map>,
    /// Images per second of an animation.
    pub rate: f32,
    /// Times in seconds at which each image of an animation ends; empty if all last equally long.
    pub end_times: Vec<f32>,
    /// Whether the frame of the model chooses the image, as in a sprite, and not the time.
    pub by_frame: bool,
    /// Behaviour beyond the image's edges.
    pub wrap: TextureWrap,
    /// Whether mip levels are used.
    pub mipmaps: bool,
    /// Blending with the frame buffer; `None` for an opaque stage.
    pub blend: Option<Blend>,
    /// Test that discards texels.
    pub alpha_test: AlphaTest,
    /// Whether red, green, blue and alpha of the image are left unchanged (`maskRed`, …).
    pub masked: [bool; 4],
    /// Whether the stage writes to the depth buffer.
    pub writes_depth: bool,
    /// Whether only fragments at the depth in the depth buffer are drawn.
    pub at_equal_depth: bool,
    /// Source of the colour.
    pub colour: ColourSource,
    /// Source of the alpha.
    pub alpha: AlphaSource,
    /// Source of the texture coordinates.
    pub coordinates: Coordinates,
    /// Transforms of the texture coordinates, in order.
    pub moves: Vec<TexMod>,
    /// Maps for per-texel lighting.
    pub relief: Option<Box<NormalSpecular>>,
    /// Condition: the stage is only drawn if this is not 0.
    pub condition: Option<Expression>,
    /// Whether the stage is blended by its alpha if the image has alpha, whatever `blend` is (qfusion).
    pub prefers_alpha: bool,
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            maps: Vec::new(),
            rate: 0.0,
            end_times: Vec::new(),
            by_frame: false,
            wrap: TextureWrap::Repeat,
            mipmaps: true,
            blend: None,
            alpha_test: AlphaTest::None,
            masked: [false; 4],
            writes_depth: true,
            at_equal_depth: false,
            colour: ColourSource::White,
            alpha: AlphaSource::Constant(1.0),
            coordinates: Coordinates::Model,
            moves: Vec::new(),
            relief: None,
            condition: None,
            prefers_alpha: false,
        }
    }
}

/// An image of a stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// The requested image.
    pub program: ImageProgram,
    /// The image, if it was found.
    pub image: Option<Arc<Image>>,
    /// Game path of the image; empty if it is generated or missing.
    pub path: String,
    /// Whether the map stands for a level's lightmap, which models do not have.
    pub is_lightmap: bool,
}

impl Map {
    /// Creates a map whose image is still to be found.
    #[must_use]
    pub fn new(image: ImageProgram) -> Self {
        Self { program: image, image: None, path: String::new(), is_lightmap: false }
    }
}

/// Maps for per-texel lighting.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NormalSpecular {
    /// Tangent-space normal map; flat if `None`.
    pub bump: Option<Map>,
    /// Specular map; no highlights if `None`.
    pub specular: Option<Map>,
    /// Coordinates, colour and condition of the normal map and of the specular map, if they are not those of the stage
    /// (Doom 3).
    pub own: Option<Box<[Stage; 2]>>,
}

impl NormalSpecular {
    /// Iterates over both images.
    pub fn images(&self) -> impl Iterator<Item = &Arc<Image>> {
        self.bump.iter().chain(&self.specular).filter_map(|map| map.image.as_ref())
    }
}

/// A factor of a blend function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names explain themselves")]
pub enum Factor {
    Zero,
    One,
    SourceColour,
    OneMinusSourceColour,
    DestinationColour,
    OneMinusDestinationColour,
    SourceAlpha,
    OneMinusSourceAlpha,
    SourceAlphaSaturate,
}

/// A blend function: drawn · source + frame buffer · destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Factor of the drawn colour.
    pub source: Factor,
    /// Factor of the frame buffer's colour.
    pub destination: Factor,
}

impl Blend {
    /// Sum of both colours (`add`).
    pub const ADD: Self = Self { source: Factor::One, destination: Factor::One };
    /// Product of both colours (`filter`).
    pub const FILTER: Self = Self { source: Factor::DestinationColour, destination: Factor::Zero };
    /// Blend of both colours by the drawn alpha (`blend`).
    pub const ALPHA: Self = Self { source: Factor::SourceAlpha, destination: Factor::OneMinusSourceAlpha };

    /// Returns the blend of two factors; `None` if they make the stage opaque.
    #[must_use]
    pub fn from_factors(source: Factor, destination: Factor) -> Option<Self> {
        let hides = source == Factor::One && destination == Factor::Zero;
        (!hides).then_some(Self { source, destination })
    }
}

/// Test of a texel's alpha.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AlphaTest {
    /// Draws all texels.
    #[default]
    None,
    /// Draws texels with alpha above 0.
    Some,
    /// Draws texels with alpha below ½.
    Less,
    /// Draws texels with alpha of at least ½.
    Half,
    /// Draws texels with alpha above a number (Doom 3, Cube engines).
    Above(Expression),
}

/// Source of a stage's colour, which is multiplied with the image's.
#[derive(Clone, Debug, PartialEq)]
pub enum ColourSource {
    /// White.
    White,
    /// Black.
    Black,
    /// Light on the model.
    Light,
    /// A constant, 0 to 1.
    Constant([f32; 3]),
    /// Grey with a wave's value.
    Wave(Wave),
    /// Expressions (Doom 3).
    Numbers(Box<[Expression; 3]>),
    /// Expressions (Doom 3) times the light.
    LightTimes(Box<[Expression; 3]>),
}

/// Source of a stage's alpha, which is multiplied with the image's.
#[derive(Clone, Debug, PartialEq)]
pub enum AlphaSource {
    /// A constant, 0 to 1.
    Constant(f32),
    /// A wave's value.
    Wave(Wave),
    /// Specular highlight of a fixed light.
    Specular,
    /// Distance from the eye divided by this many units, at most 1.
    Distance(f32),
    /// A factor, greatest where the upward part of the normal is halfway between two numbers, and 0 beyond them (Return
    /// to Castle Wolfenstein).
    NormalFade {
        /// Greatest alpha, 0 to 1.
        alpha: f32,
        /// The two numbers.
        range: [f32; 2],
    },
    /// An expression (Doom 3).
    Number(Expression),
}

impl Material {
    /// Creates the material of an image without a script: one opaque, lit stage.
    #[must_use]
    pub fn plain(image: Option<Arc<Image>>, path: &str, wrap: TextureWrap) -> Self {
        let map = Map { image, path: path.to_owned(), ..Map::new(ImageProgram::Named(path.to_owned())) };
        let stage = Stage { maps: vec![map], wrap, colour: ColourSource::Light, ..Stage::default() };
        Self { sort: sort::OPAQUE, stages: vec![stage], ..Self::default() }
    }

    /// Draws the first stage like Doom 3's text for a name without a definition: unlit, clamped and blended by alpha
    /// (dhewm3 `Material.cpp`, `idMaterial::SetDefaultText`).
    pub(super) fn draw_as_default(&mut self) {
        (self.sort, self.is_by_surface) = (super::script::MEDIUM, true);
        if let Some(stage) = self.stages.first_mut() {
            (stage.colour, stage.wrap) = (ColourSource::White, TextureWrap::Clamp);
            (stage.blend, stage.writes_depth) = (Some(Blend::ALPHA), false);
        }
    }

    /// Removes lightmap stages, unless there are no others. If the first stage was a lightmap and the next one
    /// multiplied it, that stage becomes opaque.
    pub fn leave_out_lightmaps(&mut self) {
        let is_lightmap = |stage: &Stage| stage.maps.iter().any(|map| map.is_lightmap);
        let lies_on_light = self.stages.first().is_some_and(is_lightmap);
        if self.stages.iter().all(is_lightmap) {
            return;
        }
        self.stages.retain(|stage| !is_lightmap(stage));
        if let Some(first) = self.stages.first_mut().filter(|first| lies_on_light && first.blend == Some(Blend::FILTER))
        {
            (first.blend, first.writes_depth) = (None, true);
        }
    }

    /// Returns the material's time in seconds when the viewer's time is `seconds`.
    pub fn time(&self, seconds: f64) -> f64 {
        self.stops_after.map_or(seconds, |stop| seconds.min(f64::from(stop)))
    }

    /// Returns whether the first `stages` stages or the vertices change with time.
    pub fn moves(&self, stages: usize) -> bool {
        stages > 0 && self.deforms.iter().any(Deform::moves) || self.stages.iter().take(stages).any(Stage::moves)
    }

    /// Returns whether a stage shows nothing at `seconds` because its texture coordinates collapse.
    pub fn is_flattened(&self, seconds: f64) -> bool {
        let seconds = self.time(seconds);
        self.stages.iter().flat_map(|stage| &stage.moves).any(|step| step.moves() && step.flattens(seconds))
    }

    /// Returns the visibility at `seconds`, 0 to 1: the maximum of all stages. A stage counts by brightness or alpha,
    /// and as 0 if its texture coordinates collapse.
    pub fn strength(&self, seconds: f64) -> f32 {
        let seconds = self.time(seconds);
        let of = |stage: &Stage| {
            let flat = stage.moves.iter().any(|step| step.moves() && step.flattens(seconds));
            if flat || !stage.is_shown(seconds) {
                return 0.0;
            }
            let [red, green, blue, alpha] = stage.shade(seconds);
            let light = red.max(green).max(blue);
            match stage.blend {
                None => 1.0,
                Some(Blend { source: Factor::SourceAlpha, destination: Factor::One }) => light * alpha,
                Some(Blend { source: Factor::SourceAlpha, .. }) => alpha,
                Some(Blend { destination: Factor::One, .. }) => light,
                Some(_) => 1.0,
            }
        };
        self.stages.iter().map(of).fold(0.0, f32::max)
    }

    /// Returns whether the stages that have images show the surface. If a map is missing, a stage with an image must
    /// cover it, because glows and reflections of an invisible surface would be misleading.
    pub fn shows_base(&self) -> bool {
        let has_image = |stage: &&Stage| stage.maps.iter().any(|map| map.image.is_some());
        // A black stage fills the depth only.
        let is_black = |stage: &Stage| stage.colour == ColourSource::Black;
        let covers = |stage: &Stage| stage.blend.is_none() && !stage.at_equal_depth && !is_black(stage);
        let (mut found, is_whole) =
            (self.stages.iter().filter(has_image), self.stages.iter().all(|stage| has_image(&stage)));
        if is_whole { found.next().is_some() } else { found.any(covers) }
    }

    /// Returns the image that represents the material, and its stage: preferably opaque or blended, with the model's
    /// coordinates.
    pub fn plain_map(&self) -> Option<(&Map, &Stage)> {
        let found = |stage: &&Stage| stage.maps.iter().any(|map| map.image.is_some() && map.program.is_file());
        let own = |stage: &&Stage| stage.coordinates == Coordinates::Model;
        let covers = |stage: &&Stage| {
            stage.colour != ColourSource::Black && stage.blend.is_none_or(|blend| blend == Blend::ALPHA)
        };
        let stages = || self.stages.iter().filter(found);
        let chosen = stages().find(|stage| own(stage) && covers(stage)).or_else(|| stages().find(own));
        let stage = chosen.or_else(|| stages().next())?;
        Some((stage.maps.iter().find(|map| map.image.is_some())?, stage))
    }
}

impl Stage {
    /// Returns whether the stage changes with time.
    pub fn moves(&self) -> bool {
        let colour = match &self.colour {
            ColourSource::Wave(wave) => wave.moves(),
            ColourSource::Numbers(numbers) | ColourSource::LightTimes(numbers) => numbers.iter().any(Expression::moves),
            ColourSource::White | ColourSource::Black | ColourSource::Light | ColourSource::Constant(_) => false,
        };
        let alpha = match &self.alpha {
            AlphaSource::Wave(wave) => wave.moves(),
            AlphaSource::Number(number) => number.moves(),
            AlphaSource::Constant(_)
            | AlphaSource::Specular
            | AlphaSource::Distance(_)
            | AlphaSource::NormalFade { .. } => false,
        };
        let follows = self.maps.len() > 1 && self.rate > 0.0;
        let tests = matches!(&self.alpha_test, AlphaTest::Above(number) if number.moves());
        let comes = self.condition.as_ref().is_some_and(Expression::moves);
        let maps = self.relief.iter().filter_map(|relief| relief.own.as_deref()).flatten();
        follows
            || colour
            || alpha
            || tests
            || comes
            || self.moves.iter().any(TexMod::moves)
            || maps.into_iter().any(Self::moves)
    }

    /// Returns the index of the image at `seconds` when the model shows `frame`.
    pub fn map_of(&self, frame: u32, seconds: f64) -> usize {
        let last = self.maps.len().saturating_sub(1);
        if self.by_frame { (frame as usize).min(last) } else { self.map_at(seconds) }
    }

    /// Returns the index of the image at `seconds`.
    pub fn map_at(&self, seconds: f64) -> usize {
        if let Some(last) = self.end_times.last() {
            let time = seconds.rem_euclid(f64::from(*last));
            return self.end_times.iter().position(|end| f64::from(*end) > time).unwrap_or(0);
        }
        let frame = (seconds * f64::from(self.rate)).floor().max(0.0) as usize;
        frame.checked_rem(self.maps.len()).unwrap_or(0)
    }

    /// Returns red, green, blue and alpha at `seconds`, 0 to 1, in steps of 1/255 as in the games, without parts
    /// that depend on the vertex.
    pub fn shade(&self, seconds: f64) -> [f32; 4] {
        let [red, green, blue] = match &self.colour {
            ColourSource::White | ColourSource::Light => [1.0; 3],
            ColourSource::Black => [0.0; 3],
            ColourSource::Constant(colour) => *colour,
            ColourSource::Wave(wave) => [wave.at(seconds); 3],
            ColourSource::Numbers(numbers) | ColourSource::LightTimes(numbers) => {
                numbers.each_ref().map(|number| number.at(seconds))
            }
        };
        let alpha = match &self.alpha {
            AlphaSource::Constant(alpha) | AlphaSource::NormalFade { alpha, .. } => *alpha,
            AlphaSource::Wave(wave) => wave.at(seconds),
            AlphaSource::Number(number) => number.at(seconds),
            AlphaSource::Specular | AlphaSource::Distance(_) => 1.0,
        };
        [red, green, blue, alpha].map(|value| (value.clamp(0.0, 1.0) * 255.0).floor() / 255.0)
    }

    /// Returns whether the stage is lit.
    pub fn is_lit(&self) -> bool {
        matches!(self.colour, ColourSource::Light | ColourSource::LightTimes(_))
    }

    /// Returns whether the stage is drawn at `seconds`.
    pub fn is_shown(&self, seconds: f64) -> bool {
        #[allow(clippy::float_cmp, reason = "the material states this exact value")]
        self.condition.as_ref().is_none_or(|condition| condition.at(seconds) != 0.0)
    }
}
