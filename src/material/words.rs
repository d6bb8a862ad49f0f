//! What a stage does, in a few words, for the inspector and for `info`.

use super::stage::{AlphaSource, AlphaTest, Blend, ColourSource, Factor, Stage};
use super::{Coordinates, ImageProgram, PictureWrap};

impl Factor {
    /// The name that scripts give it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Zero => "GL_ZERO",
            Self::One => "GL_ONE",
            Self::SourceColour => "GL_SRC_COLOR",
            Self::OneMinusSourceColour => "GL_ONE_MINUS_SRC_COLOR",
            Self::DestinationColour => "GL_DST_COLOR",
            Self::OneMinusDestinationColour => "GL_ONE_MINUS_DST_COLOR",
            Self::SourceAlpha => "GL_SRC_ALPHA",
            Self::OneMinusSourceAlpha => "GL_ONE_MINUS_SRC_ALPHA",
            Self::SourceAlphaSaturate => "GL_SRC_ALPHA_SATURATE",
        }
    }
}

impl Blend {
    /// `add`, `filter`, `blend`, or its two factors.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::ADD => "add".to_owned(),
            Self::FILTER => "filter".to_owned(),
            Self::ALPHA => "blend".to_owned(),
            Self { source, destination } => format!("{} {}", source.word(), destination.word()),
        }
    }
}

impl ImageProgram {
    /// The program as scripts write it.
    #[must_use]
    pub fn words(&self) -> String {
        let two = |name: &str, both: &[Self; 2]| format!("{name}({}, {})", both[0].words(), both[1].words());
        match self {
            Self::Named(name) => name.clone(),
            Self::White => "$whiteimage".to_owned(),
            Self::Black => "_black".to_owned(),
            Self::Flat => "_flat".to_owned(),
            Self::Heightmap(one, slope) => format!("heightmap({}, {slope})", one.words()),
            Self::AddNormals(both) => two("addnormals", both),
            Self::SmoothNormals(one) => format!("smoothnormals({})", one.words()),
            Self::Add(both) => two("add", both),
            Self::Scale(one, [red, green, blue, alpha]) => {
                format!("scale({}, {red}, {green}, {blue}, {alpha})", one.words())
            }
            Self::InvertAlpha(one) => format!("invertAlpha({})", one.words()),
            Self::InvertColour(one) => format!("invertColor({})", one.words()),
            Self::MakeIntensity(one) => format!("makeIntensity({})", one.words()),
            Self::MakeAlpha(one) => format!("makeAlpha({})", one.words()),
        }
    }
}

impl Stage {
    /// What it does besides showing its picture: `add, alpha test, scrolls`. Empty for a plain picture.
    #[must_use]
    pub fn words(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        if self.maps.len() > 1 {
            words.push(format!("{} pictures, {} a second", self.maps.len(), self.rate));
        }
        words.extend(self.blend.map(Blend::words));
        let test = match self.alpha_test {
            AlphaTest::None => None,
            AlphaTest::Some => Some("alpha above 0"),
            AlphaTest::Less => Some("alpha below ½"),
            AlphaTest::Half => Some("alpha from ½"),
            AlphaTest::Above(_) => Some("alpha test"),
        };
        words.extend(test.map(str::to_owned));
        let colour = match &self.colour {
            ColourSource::White => None,
            ColourSource::Black => Some("black"),
            ColourSource::Light => Some("lit"),
            ColourSource::Constant(_) => Some("tinted"),
            ColourSource::Wave(_) => Some("pulses"),
            ColourSource::Numbers(numbers) if numbers.iter().any(super::Expression::moves) => Some("pulses"),
            ColourSource::Numbers(_) => Some("tinted"),
            ColourSource::LightTimes(_) => Some("lit, tinted"),
        };
        words.extend(colour.map(str::to_owned));
        let alpha = match &self.alpha {
            AlphaSource::Constant(alpha) if *alpha >= 1.0 => None,
            AlphaSource::Constant(_) => Some("sheer"),
            AlphaSource::Wave(_) => Some("fades"),
            AlphaSource::Specular => Some("shines"),
            AlphaSource::Distance(_) => Some("by distance"),
            AlphaSource::Number(number) if number.moves() => Some("fades"),
            AlphaSource::Number(_) => None,
        };
        words.extend(alpha.map(str::to_owned));
        match self.coordinates {
            Coordinates::Model => {}
            Coordinates::Environment => words.push("mirrors".to_owned()),
            Coordinates::Vectors(..) => words.push("projected".to_owned()),
        }
        if self.moves.iter().any(super::Move::moves) {
            words.push("moves".to_owned());
        } else if !self.moves.is_empty() {
            words.push("scaled".to_owned());
        }
        if self.wrap == PictureWrap::Clamp {
            words.push("clamped".to_owned());
        }
        if let Some(relief) = &self.relief {
            words.extend(relief.bump.as_ref().map(|_| "normal map".to_owned()));
            words.extend(relief.specular.as_ref().map(|_| "specular map".to_owned()));
        }
        words.join(", ")
    }
}
