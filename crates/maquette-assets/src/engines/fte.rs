//! FTE, an engine of Quake that reads the scripts of its relatives.
//!
//! Source: fteqw `engine/gl/gl_shader.c` (`shaderkeys`, `shaderpasskeys`), which skips the lines of unknown words.

use super::daemon::LIT_MAPS;
use super::darkplaces::DP_WORDS;
use super::{Engine, PLAIN, TextureRules, USUAL};
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::{Line, Words};
use crate::material::quake3::{Word, blend_or_role, clamp_anim_map, half_alpha, lit_map};

pub(super) static ENGINE: Engine =
    Engine { name: "FTE", short_name: "FTE", textures: TextureRules { script: &SCRIPT, ..USUAL }, ..PLAIN };

static SCRIPT: ScriptRules =
    ScriptRules { shader: &[SHADER_WORDS, LIT_MAPS, DP_WORDS], stage: &[STAGE_WORDS], skips_unknown: true };

const SHADER_WORDS: &[Word] = &[
    Word::shown("albedomap", Words(1), lit_map),
    Word::shown("fullbrightmap", Words(1), lit_map),
    Word::hidden("fte*", Line),
    Word::hidden("program", Line),
    Word::hidden("glslprogram", Line),
    Word::hidden("hlslprogram", Line),
    Word::hidden("hlsl11program", Line),
    Word::hidden("progblendfunc", Line),
    Word::hidden("progmap", Line),
    Word::hidden("bemode", Line),
    Word::hidden("affine", Words(0)),
    Word::hidden("fullrate", Words(0)),
    Word::hidden("clutter", Line),
    Word::hidden("deferredlight", Words(0)),
    Word::hidden("lpp_light", Words(0)),
    Word::hidden("uppermap", Words(1)),
    Word::hidden("lowermap", Words(1)),
    Word::hidden("loweruppermap", Words(1)),
    Word::hidden("reflectmask", Words(1)),
    Word::hidden("displacementmap", Words(1)),
    Word::hidden("transmissionmap", Words(1)),
    Word::hidden("thicknessmap", Words(1)),
    Word::hidden("ormmap", Words(1)),
    Word::hidden("portalfboscale", Words(1)),
    Word::hidden("basefactor", Line),
    Word::hidden("specularfactor", Line),
    Word::hidden("fullbrightfactor", Line),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("blend", Line, blend_or_role),
    Word::shown("alphatest", Line, half_alpha),
    Word::shown("animclampmap", Line, clamp_anim_map),
    Word::hidden("fte*", Line),
    Word::hidden("program", Line),
    Word::hidden("nodepthtest", Words(0)),
    Word::hidden("nodepth", Words(0)),
    Word::hidden("envmap", Words(0)),
    Word::hidden("nolightmap", Words(0)),
    Word::hidden("alphashift", Line),
    Word::hidden("alphamask", Words(0)),
    // Call of Duty.
    Word::hidden("nextbundle", Words(0)),
    Word::hidden("requires", Line),
    Word::hidden("texenvcombine", Line),
    Word::hidden("nvregcombiners", Line),
    Word::hidden("atifragmentshader", Line),
];
