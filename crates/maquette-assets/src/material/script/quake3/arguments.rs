//! Parsers for the arguments of directives.

use glam::{Affine2, Mat2, Vec2, Vec3};

use crate::limits::MAX_WORD_BYTES;
use crate::material::TextureWrap;
use crate::material::coordinates::{Coordinates, TexMod};
use crate::material::deform::Deform;
use crate::material::script::shortened;
use crate::material::stage::{AlphaSource, AlphaTest, Blend, ColourSource, DrawnFaces, Factor, Stage};
use crate::material::wave::{Wave, Waveform};
use maquette_core::text::Token;

/// Maximum number of `tcMod`s that the game reads. Maquette reads more, with a warning.
const USUAL_MOVES: usize = 4;

pub(crate) struct DirectiveArgs<'a> {
    pub(crate) word: Token<'a>,
    pub(crate) rest: std::vec::IntoIter<Token<'a>>,
}

impl<'a> DirectiveArgs<'a> {
    /// Keeps the first `count` words, and returns the words after them.
    pub(super) fn take_after(&mut self, count: usize) -> std::vec::IntoIter<Token<'a>> {
        let own: Vec<Token<'a>> = self.rest.by_ref().take(count).collect();
        std::mem::replace(&mut self.rest, own.into_iter())
    }

    /// Returns the words that are left, after the brackets that close a vector.
    pub(super) fn after_brackets(&mut self) -> std::vec::IntoIter<Token<'a>> {
        let is_bracket =
            |token: &Token| !token.bytes.is_empty() && token.bytes.iter().all(|byte| b"(),".contains(byte));
        while self.rest.as_slice().first().is_some_and(is_bracket) {
            self.rest.next();
        }
        std::mem::take(&mut self.rest)
    }

    /// Returns the next word in lower case, without reading it.
    pub(crate) fn peek(&self) -> String {
        self.rest.as_slice().first().map(|token| token.text().to_ascii_lowercase()).unwrap_or_default()
    }

    pub(crate) fn text(&mut self) -> Option<String> {
        self.rest.next().map(|token| token.text())
    }

    pub(crate) fn word(&mut self) -> String {
        self.text().unwrap_or_default().to_ascii_lowercase()
    }

    /// Parses the next number without brackets. As in the game, other words give 0, and `0.5f` gives 0.5.
    pub(in crate::material::script) fn number(&mut self) -> f32 {
        loop {
            let Some(text) = self.text() else { return 0.0 };
            let bare = text.trim_matches(['(', ')', ',']);
            if !bare.is_empty() {
                return leading_number(bare);
            }
        }
    }

    pub(in crate::material::script) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    pub(in crate::material::script) fn wave(&mut self) -> Result<Wave, String> {
        let word = self.text().unwrap_or_default();
        let form = Waveform::named(&word).ok_or_else(|| format!("unknown wave function “{word}” skipped"))?;
        Ok(Wave { form, base: self.number(), amplitude: self.number(), phase: self.number(), frequency: self.number() })
    }
}

fn leading_number(text: &str) -> f32 {
    let ends = (1..=text.len().min(MAX_WORD_BYTES)).rev().filter(|end| text.is_char_boundary(*end));
    let number = { ends }.find_map(|end| text.get(..end)?.parse::<f32>().ok());
    number.filter(|number| number.is_finite()).unwrap_or(0.0)
}

pub(in crate::material::script) fn sort_number(word: &str) -> f32 {
    #[rustfmt::skip]
    const WORDS: [(&str, f32); 9] = [
        ("portal", 1.0), ("sky", 2.0), ("opaque", 3.0), ("decal", 4.0), ("seethrough", 5.0), ("banner", 6.0),
        ("underwater", 8.0), ("additive", 10.0), ("nearest", 16.0),
    ];
    let known = WORDS.into_iter().find(|(name, _)| *name == word).map(|(_, number)| number);
    known.unwrap_or_else(|| leading_number(word))
}

/// Evaluates the condition of `if` on a card with all abilities, in a level with directional lightmaps. Conditions are
/// joined from left to right (qfusion `r_shader.c`, `Shader_ParseConditions`).
pub(crate) fn condition(line: &mut DirectiveArgs<'_>) -> bool {
    let number = |word: &str| match word {
        "maxtexturesize" | "maxtexturecubemapsize" => 16_384.0,
        "maxtextureunits" => 16.0,
        "texturecubemap" | "glsl" | "deluxe" | "deluxemaps" | "portalmaps" | "true" => 1.0,
        _ => leading_number(word),
    };
    let (mut holds, mut joint) = (false, "||".to_owned());
    loop {
        let mut word = line.word();
        let mut is_negative = false;
        while word == "!" {
            is_negative = !is_negative;
            word = line.word();
        }
        let value = number(&word);
        let mut next = line.word();
        let mut is_true = value != 0.0;
        if matches!(next.as_str(), "<" | "<=" | "==" | ">" | ">=" | "!=") {
            let other = number(&line.word());
            is_true = match next.as_str() {
                "<" => value < other,
                "<=" => value <= other,
                "==" => value == other,
                ">" => value > other,
                ">=" => value >= other,
                _ => value != other,
            };
            next = line.word();
        }
        is_true ^= is_negative;
        holds = if joint == "&&" { holds && is_true } else { holds || is_true };
        if next != "&&" && next != "||" {
            return holds;
        }
        joint = next;
    }
}

/// Parses the argument of `cull`.
pub(in crate::material::script) fn sides(word: &str) -> Result<DrawnFaces, String> {
    match word {
        "none" | "twosided" | "disable" => Ok(DrawnFaces::Both),
        "back" | "backside" | "backsided" => Ok(DrawnFaces::Back),
        "front" | "frontside" | "frontsided" => Ok(DrawnFaces::Front),
        _ => Err(format!("unknown “cull {}” skipped; front faces are drawn", shortened(word))),
    }
}

/// Returns the wrap that a directive without arguments sets (XreaL and Daemon `tr_shader.c`, `ParseStage`, and
/// Doom 3).
pub(in crate::material::script) fn wrap(word: &str) -> Option<TextureWrap> {
    match word {
        "clamp" | "edgeclamp" => Some(TextureWrap::Clamp),
        "zeroclamp" => Some(TextureWrap::Black),
        "alphazeroclamp" => Some(TextureWrap::Transparent),
        "noclamp" => Some(TextureWrap::Repeat),
        _ => None,
    }
}

/// Parses the arguments of `deformVertexes`; `None` for deforms that are not drawn.
pub(in crate::material::script) fn deform(line: &mut DirectiveArgs<'_>) -> Result<Option<Deform>, String> {
    let form = line.word();
    Ok(Some(match form.as_str() {
        "wave" => {
            let div = line.number();
            let spread = if div == 0.0 { 100.0 } else { 1.0 / div };
            Deform::Wave { spread, wave: line.wave()? }
        }
        "bulge" => Deform::Bulge { width: line.number(), height: line.number(), speed: line.number() },
        "move" => {
            let way = line.vector();
            Deform::Move(way, line.wave()?)
        }
        "normal" => Deform::Normal { amplitude: line.number(), frequency: line.number() },
        "autosprite" | "autoparticle" | "sprite" => Deform::Sprite,
        "autosprite2" => Deform::Strip,
        "projectionshadow" => return Ok(None),
        text if text.starts_with("text") => return Ok(None),
        _ => return Err(format!("unknown “deformVertexes {}” skipped", shortened(&form))),
    }))
}

/// Parses the arguments of `alphaFunc`.
pub(in crate::material::script) fn alpha_test(line: &mut DirectiveArgs<'_>, stage: &mut Stage) -> Option<String> {
    let test = line.word();
    stage.alpha_test = match test.as_str() {
        "gt0" => AlphaTest::Some,
        "lt128" => AlphaTest::Less,
        "ge128" | "ge192" => AlphaTest::Half,
        _ => return Some(format!("unknown “alphaFunc {}” skipped", shortened(&test))),
    };
    None
}

/// Parses the arguments of `blendFunc`. Like the functions around it, returns a warning if they are invalid.
pub(in crate::material::script) fn blend(line: &mut DirectiveArgs<'_>, stage: &mut Stage) -> Option<String> {
    let first = line.word();
    stage.blend = match first.as_str() {
        "add" => Some(Blend::ADD),
        // DarkPlaces.
        "addalpha" => Some(Blend { source: Factor::SourceAlpha, destination: Factor::One }),
        "filter" => Some(Blend::FILTER),
        "blend" => Some(Blend::ALPHA),
        _ => {
            let second = line.word();
            let (source, destination) = (factor(&first, true), factor(&second, false));
            let (Some(source), Some(destination)) = (source, destination) else {
                let words = format!("blendFunc {first} {second}");
                return Some(format!("unknown “{}” skipped", shortened(words.trim())));
            };
            // Only this pair of factors makes the game draw the stage opaque.
            let hides = first == "gl_one" && second == "gl_zero";
            (!hides).then_some(Blend { source, destination })
        }
    };
    None
}

/// Returns a factor by name. Destination alpha counts as 1, because the games' frame buffer has no alpha.
fn factor(word: &str, is_source: bool) -> Option<Factor> {
    Some(match (word.strip_prefix("gl_")?, is_source) {
        ("one", _) | ("dst_alpha", _) => Factor::One,
        ("zero", _) | ("one_minus_dst_alpha", _) => Factor::Zero,
        ("dst_color", true) => Factor::DestinationColour,
        ("one_minus_dst_color", true) => Factor::OneMinusDestinationColour,
        ("src_color", false) => Factor::SourceColour,
        ("one_minus_src_color", false) => Factor::OneMinusSourceColour,
        ("src_alpha", _) => Factor::SourceAlpha,
        ("one_minus_src_alpha", _) => Factor::OneMinusSourceAlpha,
        ("src_alpha_saturate", true) => Factor::SourceAlphaSaturate,
        _ => return None,
    })
}

pub(in crate::material::script) fn colour(line: &mut DirectiveArgs<'_>, stage: &mut Stage) -> Option<String> {
    let word = line.word();
    stage.colour = match word.as_str() {
        "identity" | "identitylighting" | "entity" | "vertex" | "exactvertex" | "vertexlit" | "oneminusvertex" => {
            ColourSource::White
        }
        "lightingdiffuse" | "lightingdiffuseentity" => ColourSource::Light,
        "oneminusentity" => ColourSource::Black,
        "const" | "constant" => ColourSource::Constant(line.vector().to_array()),
        "wave" => match line.wave() {
            Ok(wave) => ColourSource::Wave(wave),
            Err(message) => return Some(message),
        },
        // Colours of a player or an entity (qfusion). They are white here, as for other engines.
        "custom" | "teamcolor" => {
            line.number();
            ColourSource::White
        }
        "customcolorwave" | "teamcolorwave" => {
            line.number();
            let _wave = line.wave();
            ColourSource::White
        }
        "entitycolorwave" => {
            line.vector();
            let _wave = line.wave();
            ColourSource::White
        }
        "colorwave" => {
            let colour = line.vector();
            let _wave = line.wave();
            ColourSource::Constant(colour.to_array())
        }
        _ => return Some(format!("unknown “rgbGen {}” skipped", shortened(&word))),
    };
    None
}

pub(in crate::material::script) fn alpha(line: &mut DirectiveArgs<'_>, stage: &mut Stage) -> Option<String> {
    let word = line.word();
    stage.alpha = match word.as_str() {
        "identity" | "entity" | "vertex" | "oneminusvertex" => AlphaSource::Constant(1.0),
        // In Jedi Academy, the alpha depends on the angle of view. Maquette draws the stage opaque.
        "dot" | "oneminusdot" => AlphaSource::Constant(1.0),
        "oneminusentity" => AlphaSource::Constant(0.0),
        "const" | "constant" => AlphaSource::Constant(line.number()),
        "normalzfade" => normal_fade(line),
        "lightingspecular" => AlphaSource::Specular,
        "portal" => AlphaSource::Distance(Some(line.number()).filter(|range| *range > 0.0).unwrap_or(256.0)),
        "wave" => match line.wave() {
            Ok(wave) => AlphaSource::Wave(wave),
            Err(message) => return Some(message),
        },
        _ => return Some(format!("unknown “alphaGen {}” skipped", shortened(&word))),
    };
    None
}

/// `alphaGen normalzfade ALPHA [LOW HIGH]` (ET: Legacy `tr_shader.c`, `ParseStage`). −1000 stands for a number of the
/// entity, without which the stage is opaque.
fn normal_fade(line: &mut DirectiveArgs<'_>) -> AlphaSource {
    const OF_ENTITY: f32 = -1000.0;
    let alpha = if line.peek().is_empty() { 1.0 } else { line.number() };
    let range = if line.peek().is_empty() { [-1.0, 1.0] } else { [line.number(), line.number()] };
    #[allow(clippy::float_cmp, reason = "the engine compares with this exact value")]
    let is_of_entity = range.contains(&OF_ENTITY);
    if is_of_entity { AlphaSource::Constant(1.0) } else { AlphaSource::NormalFade { alpha, range } }
}

pub(in crate::material::script) fn coordinates(line: &mut DirectiveArgs<'_>, stage: &mut Stage) -> Option<String> {
    let word = line.word();
    stage.coordinates = match word.as_str() {
        "base" | "texture" | "lightmap" => Coordinates::Model,
        "environment" | "environmentmodel" | "firerisenv" | "reflection" | "celshade" | "reflect" => {
            Coordinates::Environment
        }
        "vector" => Coordinates::Vectors(line.vector(), line.vector()),
        _ => return Some(format!("unknown “tcGen {}” skipped", shortened(&word))),
    };
    None
}

pub(in crate::material::script) fn change(line: &mut DirectiveArgs<'_>, stage: &mut Stage) -> Option<String> {
    let word = line.word();
    let pair = |line: &mut DirectiveArgs<'_>| Vec2::new(line.number(), line.number());
    let change = match word.as_str() {
        "scale" => TexMod::Scale(pair(line)),
        "scroll" => TexMod::Scroll(pair(line)),
        "rotate" => TexMod::Rotate(line.number()),
        "stretch" => match line.wave() {
            Ok(wave) => TexMod::Stretch(wave),
            Err(message) => return Some(message),
        },
        "transform" => {
            // s' = s·m00 + t·m10 + t0: the script's rows are columns here.
            TexMod::Transform(Affine2::from_mat2_translation(Mat2::from_cols(pair(line), pair(line)), pair(line)))
        }
        "turb" | "turbulent" => {
            let _base = line.number();
            TexMod::Turbulence { amplitude: line.number(), phase: line.number(), frequency: line.number() }
        }
        // Swapped coordinates: s' = t, t' = s (Enemy Territory).
        "swap" => TexMod::Transform(Affine2::from_mat2_translation(Mat2::from_cols(Vec2::Y, Vec2::X), Vec2::ZERO)),
        "entitytranslate" | "page" => return None,
        _ => return Some(format!("unknown “tcMod {}” skipped", shortened(&word))),
    };
    stage.moves.push(change);
    (stage.moves.len() == USUAL_MOVES + 1)
        .then(|| format!("more than {USUAL_MOVES} tcMods; the game reads only {USUAL_MOVES}"))
}
