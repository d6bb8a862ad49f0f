//! qfusion, the engine of Warsow and Warfork.
//!
//! Source: qfusion `ref_gl/r_shader.c` (`shaderkeys`, `shaderpasskeys`), which skips the lines of unknown words.

use super::{Engine, PLAIN, TextureRules, USUAL};
use crate::material::quake3::Arguments::{Line, Words};
use crate::material::quake3::{ScriptWriter, Word, clamp_anim_map, condition, named};
use crate::material::{Blend, ColourSource, DirectiveArgs, Factor, ImageProgram, ScriptRules};

pub(super) static ENGINE: Engine = Engine {
    name: "qfusion (Warsow, Warfork)",
    short_name: "qfusion",
    base_folders: &["basewsw", "basewf"],
    textures: TextureRules { script: &SCRIPT, ..USUAL },
    ..PLAIN
};

static SCRIPT: ScriptRules = ScriptRules { shader: &[SHADER_WORDS], stage: &[STAGE_WORDS], skips_unknown: true };

const SHADER_WORDS: &[Word] = &[
    Word::shown("if", Line, condition_block),
    Word::hidden("endif", Words(0)),
    // The definition is expanded before it is read.
    Word::hidden("template", Line),
    Word::hidden("skip", Line),
    Word::hidden("skyparms2", Words(2)),
    Word::hidden("skyparmssides", Line),
    Word::hidden("nocompress", Words(0)),
    Word::hidden("nofiltering", Words(0)),
    Word::hidden("smallestmipmapsize", Words(1)),
    Word::hidden("stenciltest", Words(0)),
    Word::hidden("nodepthtest", Words(0)),
    Word::hidden("offsetmappingscale", Words(1)),
    Word::hidden("glossexponent", Words(1)),
    Word::hidden("glossintensity", Words(1)),
    Word::hidden("softparticle", Words(0)),
    Word::hidden("forceworldoutlines", Words(0)),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("material", Line, material),
    Word::shown("celshade", Line, cel_shade),
    Word::shown("animclampmap", Line, clamp_anim_map),
    Word::shown("cubemap", Words(1), cube_map),
    Word::shown("shadecubemap", Words(1), cube_map),
    Word::shown("surroundmap", Words(1), cube_map),
    Word::shown("distortion", Line, cube_map),
    Word::hidden("grayscale", Words(0)),
    Word::hidden("greyscale", Words(0)),
    Word::hidden("skip", Line),
];

/// Blend of a decal: the engine adds images without alpha and mixes the others by their alpha.
const DECAL: Blend = Blend { source: Factor::SourceAlpha, destination: Factor::One };

fn condition_block(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.skips_condition = !condition(line);
    None
}

/// `material BASE NORMAL GLOSS DECAL …` (`Shaderpass_Material`). `-` stands for no image.
fn material(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    const WORDS: [&str; 3] = ["diffusemap", "normalmap", "specularmap"];
    // A number is the height of the next map's relief.
    let names = line.rest.by_ref().map(|token| token.text()).filter(|name| name.parse::<f32>().is_err());
    let is_map = |name: &str| name != "-" && !name.eq_ignore_ascii_case("$blankbumpimage");
    for (index, name) in names.take(WORDS.len() + 1).enumerate().filter(|(_, name)| is_map(name)) {
        match WORDS.get(index) {
            Some(word) => to.set_lit_map(word, named(&name)),
            None => to.add_layer(named(&name), DECAL),
        }
    }
    None
}

/// `celshade BASE CUBE DIFFUSE DECAL …` (`Shaderpass_Celshade`): base, diffuse and cube map are multiplied. The cube map
/// stands for light, and is replaced by the viewer's. `-` stands for no image.
fn cel_shade(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    let names: Vec<String> = line.rest.by_ref().map(|token| token.text()).collect();
    let image = |index: usize| names.get(index).filter(|name| name.as_str() != "-");
    let Some(base) = image(0) else { return Some("“celshade” names no image".to_owned()) };
    let (first, second) = match image(2) {
        Some(diffuse) if ImageProgram::named(base) == ImageProgram::White => (diffuse, None),
        diffuse => (base, diffuse),
    };
    to.stage.maps = vec![named(first)];
    to.stage.colour = ColourSource::Light;
    if let Some(second) = second {
        to.add_layer(named(second), Blend::FILTER);
    }
    if let Some(decal) = image(3) {
        to.add_layer(named(decal), DECAL);
    }
    None
}

/// A cube map or a distortion, which is not drawn.
fn cube_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.hide_stage();
    line.rest.by_ref().for_each(drop);
    None
}
