//! Daemon, the engine of Unvanquished.
//!
//! Source: Daemon `src/engine/renderer/tr_animation.cpp` (`R_AddMD5Surfaces`), `tr_skin.cpp` (`RE_RegisterSkin`).

use super::darkplaces::DP_WORDS;
use super::enemy_territory::IMPLICIT_MAPS;
use super::{Engine, PLAIN, TextureRules, USUAL, in_archive};
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::{Line, Words};
use crate::material::quake3::{
    Word, back_sided, blend_or_role, constant_colour, deform, half_alpha, lit_map, map, no_mipmaps, polygon_offset,
    stage_role, two_sided, wrap,
};
use maquette_core::model::Format;

pub(super) static ENGINE: Engine = Engine {
    name: "Daemon (Unvanquished)",
    short_name: "Daemon",
    formats: &[Format::Md3, Format::Md5, Format::Iqm],
    sign: |vfs, path, _| in_archive(vfs, path, &["dpk", "dpkdir"]),
    textures: TextureRules { numbers_surfaces: true, script: &SCRIPT, ..USUAL },
    ..PLAIN
};

/// Source: `tr_shader.cpp` (`ParseShader`, `ParseStage`), which skips unknown words (`SkipRestOfLine`), but rejects a
/// shader for a `map` without an image.
static SCRIPT: ScriptRules = ScriptRules {
    shader: &[WRAPS, LIT_MAPS, IMPLICIT_MAPS, SHADER_WORDS, DP_WORDS],
    stage: &[WRAPS, LIT_MAPS, STAGE_WORDS],
    values: &[],
    skips_unknown: true,
    skips_errors: false,
};

const WRAPS: &[Word] = &[
    Word::shown("clamp", Words(0), wrap),
    Word::shown("edgeclamp", Words(0), wrap),
    Word::shown("zeroclamp", Words(0), wrap),
    Word::shown("alphazeroclamp", Words(0), wrap),
    Word::shown("noclamp", Words(0), wrap),
];

/// Maps of a lit surface. Physical, height and reflection maps are not drawn.
pub(super) const LIT_MAPS: &[Word] = &[
    Word::shown("diffusemap", Words(1), lit_map),
    Word::shown("normalmap", Words(1), lit_map),
    Word::shown("bumpmap", Words(1), lit_map),
    Word::shown("normalheightmap", Words(1), lit_map),
    Word::shown("specularmap", Words(1), lit_map),
    Word::shown("glowmap", Words(1), lit_map),
    Word::hidden("physicalmap", Line),
    Word::hidden("heightmap", Line),
    Word::hidden("reflectionmap", Line),
    Word::hidden("reflectionmapblended", Line),
];

const SHADER_WORDS: &[Word] = &[
    Word::shown("twosided", Words(0), two_sided),
    Word::shown("backsided", Words(0), back_sided),
    Word::shown("deform", Line, deform),
    Word::shown("nomipmap", Words(0), no_mipmaps),
    Word::shown("polygonoffset", Line, polygon_offset),
    Word::shown("decal_macro", Words(0), polygon_offset),
    Word::shown("decal_alphatest_macro", Words(0), polygon_offset),
    Word::hidden("implicitmapgl1", Words(1)),
    Word::hidden("description", Line),
    Word::hidden("renderbump", Line),
    Word::hidden("guisurf", Line),
    Word::hidden("noshadows", Words(0)),
    Word::hidden("translucent", Words(0)),
    Word::hidden("forceopaque", Words(0)),
    Word::hidden("forcesolid", Words(0)),
    Word::hidden("solid", Words(0)),
    Word::hidden("nofragment", Words(0)),
    Word::hidden("fitscreen", Words(0)),
    Word::hidden("imageminmipmap", Words(1)),
    Word::hidden("imagemindimension", Words(1)),
    Word::hidden("imagemaxdimension", Words(1)),
    Word::hidden("allowcompress", Words(0)),
    Word::hidden("nocompress", Words(0)),
    Word::hidden("nofog", Words(0)),
    Word::hidden("foggradient", Line),
    Word::hidden("mirror", Words(0)),
    Word::hidden("parallax", Words(0)),
    Word::hidden("parallaxmap", Line),
    Word::hidden("heightmapscale", Words(1)),
    Word::hidden("reliefdepthscale", Words(1)),
    Word::hidden("diffuseexponent", Words(1)),
    Word::hidden("specularexponent", Words(1)),
    Word::hidden("noselfshadow", Words(0)),
    Word::hidden("nomarks", Words(0)),
    Word::hidden("when", Line),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("blendfunc", Line, blend_or_role),
    Word::shown("blend", Line, blend_or_role),
    Word::shown("stage", Words(1), stage_role),
    Word::shown("lightmap", Words(1), map),
    Word::shown("alphatest", Line, half_alpha),
    Word::shown("nomipmaps", Words(0), no_mipmaps),
    Word::shown("color", Line, constant_colour),
    Word::shown("rgb", Line, constant_colour),
    Word::hidden("red", Line),
    Word::hidden("green", Line),
    Word::hidden("blue", Line),
    Word::hidden("alpha", Line),
    Word::hidden("if", Line),
    Word::hidden("ifstatic", Line),
    Word::hidden("scroll", Line),
    Word::hidden("translate", Line),
    Word::hidden("scale", Line),
    Word::hidden("centerscale", Line),
    Word::hidden("shear", Line),
    Word::hidden("rotate", Line),
    Word::hidden("colored", Words(0)),
    Word::hidden("vertexcolor", Words(0)),
    Word::hidden("inversevertexcolor", Words(0)),
    Word::hidden("ignorealphatest", Words(0)),
    Word::hidden("nearest", Words(0)),
    Word::hidden("linear", Words(0)),
    Word::hidden("nopicmip", Words(0)),
    Word::hidden("fitscreen", Words(0)),
    Word::hidden("uncompressed", Words(0)),
    Word::hidden("nocompress", Words(0)),
    Word::hidden("allowcompress", Words(0)),
    Word::hidden("imageminmipmap", Words(1)),
    Word::hidden("highquality", Words(0)),
    Word::hidden("forcehighquality", Words(0)),
    Word::hidden("fog", Words(1)),
    Word::hidden("depthfade", Words(1)),
    Word::hidden("maskred", Words(0)),
    Word::hidden("maskgreen", Words(0)),
    Word::hidden("maskblue", Words(0)),
    Word::hidden("maskalpha", Words(0)),
    Word::hidden("maskcolor", Words(0)),
    Word::hidden("maskcoloralpha", Words(0)),
    Word::hidden("maskdepth", Words(0)),
    Word::hidden("wireframe", Words(0)),
    Word::hidden("rawrgbgen", Words(0)),
    Word::hidden("linearrgbgen", Words(0)),
    Word::hidden("rawcolormap", Words(0)),
    Word::hidden("linearcolormap", Words(0)),
    Word::hidden("rawspecularmap", Words(0)),
    Word::hidden("linearspecularmap", Words(0)),
    Word::hidden("normalformat", Line),
    Word::hidden("normalscale", Line),
    Word::hidden("normalintensity", Line),
    Word::hidden("specularexponentmin", Line),
    Word::hidden("specularexponentmax", Line),
    Word::hidden("refractionindex", Line),
    Word::hidden("fresnelpower", Line),
    Word::hidden("fresnelscale", Line),
    Word::hidden("fresnelbias", Line),
    Word::hidden("fogdensity", Line),
    Word::hidden("depthscale", Line),
    Word::hidden("deformmagnitude", Line),
    Word::hidden("noscopeview", Words(0)),
];
