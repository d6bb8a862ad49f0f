//! Materials as they are drawn: stages, one over the other, with what each does to colour, alpha and coordinates.
//!
//! A plain picture is a material of one stage. Quake III's scripts and Doom 3's materials come to the same: a list of
//! stages in the order in which they are drawn, each blended onto what is there.

use std::sync::Arc;

use super::coordinates::{Coordinates, TexMod};
use super::deform::Deform;
use super::expression::Expression;
use super::image_program::ImageProgram;
use super::wave::Wave;
use super::{Image, TextureWrap};

/// Sort numbers by which materials are drawn, low ones first (ioquake3 `tr_local.h`, `shaderSort_t`).
pub mod sort {
    /// Hides what is behind.
    pub const OPAQUE: f32 = 3.0;
    /// Lies on something.
    pub const DECAL: f32 = 4.0;
    /// Grates: blended, but written into depth.
    pub const SEE_THROUGH: f32 = 5.0;
    /// Blended.
    pub const BLEND: f32 = 9.0;
}

/// Which sides of triangles are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DrawnFaces {
    /// The outer.
    #[default]
    Front,
    /// The inner.
    Back,
    /// Both.
    Both,
}

/// What a surface is drawn with.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// Which sides are drawn.
    pub sides: DrawnFaces,
    /// When it is drawn, see [`sort`].
    pub sort: f32,
    /// Lies on another surface: drawn a little nearer than it is.
    pub is_decal: bool,
    /// How its vertices move, in order.
    pub deforms: Vec<Deform>,
    /// In the order in which they are drawn.
    pub stages: Vec<Stage>,
    /// Its time stops after so many seconds.
    pub stops_after: Option<f32>,
    /// A picture for editors: what stands for it where one picture must do.
    pub editor_image: Option<String>,
    /// The surface is not to be drawn, says `surfaceparm nodraw`; the games heed it only where there are no stages.
    pub no_draw: bool,
}

/// One stage.
#[derive(Clone, Debug, PartialEq)]
pub struct Stage {
    /// What is drawn: one picture, or several that follow each other.
    pub maps: Vec<Map>,
    /// Pictures per second, where there are several.
    pub rate: f32,
    /// Beyond the picture's edges.
    pub wrap: TextureWrap,
    /// Smaller forms of the picture are used at a distance.
    pub mipmaps: bool,
    /// How it is laid onto what is there; none hides it.
    pub blend: Option<Blend>,
    /// Which texels are drawn at all.
    pub alpha_test: AlphaTest,
    /// Hides what is drawn behind it later.
    pub writes_depth: bool,
    /// Drawn only where something of the same depth was drawn.
    pub at_equal_depth: bool,
    /// Its colour.
    pub colour: ColourSource,
    /// Its alpha.
    pub alpha: AlphaSource,
    /// Where its coordinates come from.
    pub coordinates: Coordinates,
    /// How they move, in order.
    pub moves: Vec<TexMod>,
    /// Maps that light it texel by texel.
    pub relief: Option<Box<NormalSpecular>>,
    /// Drawn only while this is not 0.
    pub condition: Option<Expression>,
}

impl Default for Stage {
    fn default() -> Self {
        Self {
            maps: Vec::new(),
            rate: 0.0,
            wrap: TextureWrap::Repeat,
            mipmaps: true,
            blend: None,
            alpha_test: AlphaTest::None,
            writes_depth: true,
            at_equal_depth: false,
            colour: ColourSource::White,
            alpha: AlphaSource::Constant(1.0),
            coordinates: Coordinates::Model,
            moves: Vec::new(),
            relief: None,
            condition: None,
        }
    }
}

/// A picture of a stage: what is asked for, and what was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Map {
    /// What is asked for.
    pub program: ImageProgram,
    /// What was found.
    pub image: Option<Arc<Image>>,
    /// Where it lies in the game; empty if it is made, or not found.
    pub path: String,
    /// It stands for the light that a level throws on its surfaces, which models do not have.
    pub is_lightmap: bool,
}

impl Map {
    /// A picture to be found.
    #[must_use]
    pub fn of(image: ImageProgram) -> Self {
        Self { program: image, image: None, path: String::new(), is_lightmap: false }
    }
}

/// What lights a stage texel by texel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NormalSpecular {
    /// Normals in the surface's own axes; flat without.
    pub bump: Option<Map>,
    /// How it shines; not at all without.
    pub specular: Option<Map>,
}

impl NormalSpecular {
    /// The pictures of both.
    pub fn images(&self) -> impl Iterator<Item = &Arc<Image>> {
        self.bump.iter().chain(&self.specular).filter_map(|map| map.image.as_ref())
    }
}

/// A factor of a blend: what is drawn (source) or what is there (destination) times this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "they are called what they are")]
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

/// How a stage is laid onto what is there: drawn · source + there · destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Blend {
    /// Times what is drawn.
    pub source: Factor,
    /// Times what is there.
    pub destination: Factor,
}

impl Blend {
    /// Lighter.
    pub const ADD: Self = Self { source: Factor::One, destination: Factor::One };
    /// Darker.
    pub const FILTER: Self = Self { source: Factor::DestinationColour, destination: Factor::Zero };
    /// As opaque as its alpha says.
    pub const ALPHA: Self = Self { source: Factor::SourceAlpha, destination: Factor::OneMinusSourceAlpha };

    /// A blend of two factors; none if it hides what is there like a stage without blend.
    #[must_use]
    pub fn of(source: Factor, destination: Factor) -> Option<Self> {
        let hides = source == Factor::One && destination == Factor::Zero;
        (!hides).then_some(Self { source, destination })
    }
}

/// Which texels are drawn, by their alpha.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum AlphaTest {
    /// All.
    #[default]
    None,
    /// Those above 0.
    Some,
    /// Those below one half.
    Less,
    /// Those from one half on.
    Half,
    /// Those above a number (Doom 3).
    Above(Expression),
}

/// Where a stage's colour comes from, before it is multiplied with the picture's.
#[derive(Clone, Debug, PartialEq)]
pub enum ColourSource {
    /// White: the picture as it is.
    White,
    /// Black.
    Black,
    /// The light that falls on the model.
    Light,
    /// Always the same, 0 to 1.
    Constant([f32; 3]),
    /// Grey that goes as the wave does.
    Wave(Wave),
    /// Numbers (Doom 3).
    Numbers(Box<[Expression; 3]>),
    /// Numbers (Doom 3) times the light.
    LightTimes(Box<[Expression; 3]>),
}

/// Where a stage's alpha comes from, before it is multiplied with the picture's.
#[derive(Clone, Debug, PartialEq)]
pub enum AlphaSource {
    /// Always the same, 0 to 1.
    Constant(f32),
    /// As the wave goes.
    Wave(Wave),
    /// Where a light that stands still is mirrored towards the eye.
    Specular,
    /// Distance from the eye as a share of this many units, at most 1.
    Distance(f32),
    /// A number (Doom 3).
    Number(Expression),
}

impl Material {
    /// What a picture without a script is drawn with: one opaque, lit stage.
    #[must_use]
    pub fn plain(picture: Option<Arc<Image>>, path: &str, wrap: TextureWrap) -> Self {
        let map = Map { image: picture, path: path.to_owned(), ..Map::of(ImageProgram::Named(path.to_owned())) };
        let stage = Stage { maps: vec![map], wrap, colour: ColourSource::Light, ..Stage::default() };
        Self { sort: sort::OPAQUE, stages: vec![stage], ..Self::default() }
    }

    /// Leaves out the stages for a level's light, as engines do that light models otherwise; what lay on such a stage then
    /// hides what is behind. A material of nothing else stays as it is.
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

    /// The material's own time, when the viewer's is `seconds`.
    #[must_use]
    pub fn time(&self, seconds: f64) -> f64 {
        self.stops_after.map_or(seconds, |stop| seconds.min(f64::from(stop)))
    }

    /// Whether its first `stages` stages, or its vertices, change with time.
    #[must_use]
    pub fn moves(&self, stages: usize) -> bool {
        stages > 0 && self.deforms.iter().any(Deform::moves) || self.stages.iter().take(stages).any(Stage::moves)
    }

    /// Whether a stage of it shows nothing of its picture after `seconds` because its coordinates fall together there.
    #[must_use]
    pub fn is_flattened(&self, seconds: f64) -> bool {
        let seconds = self.time(seconds);
        self.stages.iter().flat_map(|stage| &stage.moves).any(|step| step.moves() && step.flattens(seconds))
    }

    /// How much of it is to be seen after `seconds`, 0 to 1: of its strongest stage, how bright it is where it is added, how
    /// opaque where it covers; 0 for one whose coordinates fall together.
    #[must_use]
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

    /// The one picture that stands for it where one must do: the first that lies on the model's own coordinates and is
    /// not added as a glow, else any.
    #[must_use]
    pub fn plain_map(&self) -> Option<(&Map, &Stage)> {
        let found = |stage: &&Stage| stage.maps.iter().any(|map| map.image.is_some() && map.program.is_file());
        let own = |stage: &&Stage| stage.coordinates == Coordinates::Model;
        let covers = |stage: &&Stage| stage.blend.is_none_or(|blend| blend == Blend::ALPHA);
        let stages = || self.stages.iter().filter(found);
        let chosen = stages().find(|stage| own(stage) && covers(stage)).or_else(|| stages().find(own));
        let stage = chosen.or_else(|| stages().next())?;
        Some((stage.maps.iter().find(|map| map.image.is_some())?, stage))
    }
}

impl Stage {
    /// Whether anything of it changes with time.
    #[must_use]
    pub fn moves(&self) -> bool {
        let colour = match &self.colour {
            ColourSource::Wave(wave) => wave.moves(),
            ColourSource::Numbers(numbers) | ColourSource::LightTimes(numbers) => numbers.iter().any(Expression::moves),
            ColourSource::White | ColourSource::Black | ColourSource::Light | ColourSource::Constant(_) => false,
        };
        let alpha = match &self.alpha {
            AlphaSource::Wave(wave) => wave.moves(),
            AlphaSource::Number(number) => number.moves(),
            AlphaSource::Constant(_) | AlphaSource::Specular | AlphaSource::Distance(_) => false,
        };
        let follows = self.maps.len() > 1 && self.rate > 0.0;
        let tests = matches!(&self.alpha_test, AlphaTest::Above(number) if number.moves());
        let comes = self.condition.as_ref().is_some_and(Expression::moves);
        follows || colour || alpha || tests || comes || self.moves.iter().any(TexMod::moves)
    }

    /// Which of its pictures is shown after `seconds`.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a frame's number; the cast saturates")]
    pub fn map_at(&self, seconds: f64) -> usize {
        let frame = (seconds * f64::from(self.rate)).floor().max(0.0) as usize;
        frame.checked_rem(self.maps.len()).unwrap_or(0)
    }

    /// Red, green, blue and alpha after `seconds`, 0 to 1, in steps of 255 as the games have them. What hangs on the vertex
    /// (light, mirrored light, distance) is left out.
    #[must_use]
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
            AlphaSource::Constant(alpha) => *alpha,
            AlphaSource::Wave(wave) => wave.at(seconds),
            AlphaSource::Number(number) => number.at(seconds),
            AlphaSource::Specular | AlphaSource::Distance(_) => 1.0,
        };
        [red, green, blue, alpha].map(|value| (value.clamp(0.0, 1.0) * 255.0).floor() / 255.0)
    }

    /// Whether light falls on it.
    #[must_use]
    pub fn is_lit(&self) -> bool {
        matches!(self.colour, ColourSource::Light | ColourSource::LightTimes(_))
    }

    /// Whether it is drawn after `seconds`.
    #[must_use]
    pub fn is_shown(&self, seconds: f64) -> bool {
        #[allow(clippy::float_cmp, reason = "the material asks for exactly that")]
        self.condition.as_ref().is_none_or(|condition| condition.at(seconds) != 0.0)
    }
}
