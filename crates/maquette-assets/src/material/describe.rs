//! Descriptions of materials and stages for the inspector and for `info`.

use super::stage::{AlphaSource, AlphaTest, Blend, ColourSource, Factor, Stage};
use super::{Coordinates, Deform, DrawnFaces, ImageProgram, Material, TexMod, TextureWrap};

impl Factor {
    /// Returns the name of the factor in scripts.
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
    /// Returns a short description: `add`, `filter`, `blend`, `add by alpha`, or the two factors without `GL_`.
    pub fn words(self) -> String {
        match self {
            Self::ADD => "add".to_owned(),
            Self::FILTER => "filter".to_owned(),
            Self::ALPHA => "blend".to_owned(),
            // A common combination whose factors are too long for a panel.
            Self { source: Factor::SourceAlpha, destination: Factor::One } => "add by alpha".to_owned(),
            Self { source, destination } => {
                format!("{} {}", source.word(), destination.word()).replace("GL_", "").to_lowercase()
            }
        }
    }
}

impl ImageProgram {
    /// Returns the program in the syntax of scripts.
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
    /// Returns a short description of the stage apart from its image, for example `add, alpha test, scrolls`; may be
    /// empty.
    pub fn words(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        if self.maps.len() > 1 {
            words.push(format!("{} images, {} per second", self.maps.len(), self.rate));
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
            AlphaSource::Constant(_) => Some("translucent"),
            AlphaSource::Wave(_) => Some("fades"),
            AlphaSource::Specular => Some("highlight"),
            AlphaSource::Distance(_) => Some("by distance"),
            AlphaSource::NormalFade { .. } => Some("by direction"),
            AlphaSource::Number(number) if number.moves() => Some("fades"),
            AlphaSource::Number(_) => None,
        };
        words.extend(alpha.map(str::to_owned));
        match self.coordinates {
            Coordinates::Model => {}
            Coordinates::Environment => words.push("reflection".to_owned()),
            Coordinates::Vectors(..) => words.push("projected".to_owned()),
        }
        if self.moves.iter().any(super::TexMod::moves) {
            words.push("moves".to_owned());
        } else if !self.moves.is_empty() {
            words.push("scaled".to_owned());
        }
        if self.wrap != TextureWrap::Repeat {
            words.push("clamped".to_owned());
        }
        if let Some(relief) = &self.relief {
            words.extend(relief.bump.as_ref().map(|_| "normal map".to_owned()));
            words.extend(relief.specular.as_ref().map(|_| "specular map".to_owned()));
        }
        words.join(", ")
    }
}

impl Stage {
    /// Returns descriptions of the stage, one sentence per property, in the terms of scripts.
    pub fn explanations(&self) -> Vec<String> {
        let mut lines = Vec::new();
        match self.blend {
            None => lines.push("Opaque: covers the colour behind it".to_owned()),
            Some(Blend::ADD) => lines.push("blendFunc add: added to the colour behind it".to_owned()),
            Some(Blend::FILTER) => lines.push("blendFunc filter: multiplied with the colour behind it".to_owned()),
            Some(Blend::ALPHA) => lines.push("blendFunc blend: blended by its alpha".to_owned()),
            Some(Blend { source, destination }) => {
                lines.push(format!("blendFunc {} {}", source.word(), destination.word()));
            }
        }
        lines.extend(
            match &self.colour {
                ColourSource::Light => Some("rgbGen lightingDiffuse: lit"),
                ColourSource::LightTimes(_) => Some("Lit and tinted"),
                ColourSource::Wave(_) => Some("rgbGen wave: brightness changes over time"),
                ColourSource::Constant(_) => Some("rgbGen const: tinted"),
                ColourSource::Black => Some("rgbGen oneMinusEntity: black"),
                ColourSource::Numbers(_) => Some("Tinted by an expression"),
                ColourSource::White => None,
            }
            .map(str::to_owned),
        );
        lines.extend(
            match &self.alpha {
                AlphaSource::Wave(_) => Some("alphaGen wave: opacity changes over time"),
                AlphaSource::Specular => Some("alphaGen lightingSpecular: visible in highlights"),
                AlphaSource::Distance(_) => Some("alphaGen portal: visible from a distance"),
                AlphaSource::NormalFade { .. } => Some("alphaGen normalzfade: opacity depends on the slope"),
                AlphaSource::Constant(alpha) if *alpha < 1.0 => Some("alphaGen const: partly opaque"),
                AlphaSource::Constant(_) | AlphaSource::Number(_) => None,
            }
            .map(str::to_owned),
        );
        if self.coordinates == Coordinates::Environment {
            lines.push("tcGen environment: reflects the surroundings".to_owned());
        }
        for step in &self.moves {
            lines.push(match step {
                TexMod::Scale(_) | TexMod::Times(..) => "tcMod scale: scales the texture".to_owned(),
                TexMod::Scroll(_) | TexMod::Shift(..) => "tcMod scroll: scrolls over the surface".to_owned(),
                TexMod::Rotate(_) | TexMod::Turn(_) => "tcMod rotate: rotates the texture".to_owned(),
                TexMod::Stretch(_) | TexMod::TimesAboutMiddle(..) => "tcMod stretch: grows and shrinks".to_owned(),
                TexMod::Transform(_) => "tcMod transform: transforms the texture by a matrix".to_owned(),
                TexMod::Turbulence { .. } => "tcMod turb: distorts the texture in waves".to_owned(),
                TexMod::Shear(..) => "Sheared".to_owned(),
            });
        }
        lines
    }
}

impl Material {
    /// Returns a short description of drawn sides and deforms; empty for defaults.
    pub fn words(&self) -> String {
        let mut words: Vec<String> = Vec::new();
        match self.sides {
            DrawnFaces::Front => {}
            DrawnFaces::Back => words.push("backfaces only".to_owned()),
            DrawnFaces::Both => words.push("both sides".to_owned()),
        }
        for deform in &self.deforms {
            words.push(
                match deform {
                    Deform::Wave { .. } => "waves",
                    Deform::Bulge { .. } => "bulges",
                    Deform::Move(..) | Deform::Shift(_) => "vertices move",
                    Deform::Normal { .. } => "normals vary",
                    Deform::DominantNormals => "unsmoothed",
                    Deform::Turbulent(..) => "texture shakes",
                    Deform::Sprite => "faces the camera",
                    Deform::Strip | Deform::Tube => "turns to the camera about its long axis",
                    Deform::Billboard { is_upright: false } => "turns to the camera",
                    Deform::Billboard { is_upright: true } => "turns to the camera, upright",
                }
                .to_owned(),
            );
        }
        if self.is_decal {
            words.push("decal".to_owned());
        }
        words.join(", ")
    }
}
