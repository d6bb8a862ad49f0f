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

const WRAPS: &[Word] = &[Word::shown("clamp edgeclamp zeroclamp alphazeroclamp noclamp", Words(0), wrap)];

/// Maps of a lit surface. Physical, height and reflection maps are not drawn.
pub(super) const LIT_MAPS: &[Word] = &[
    Word::shown("diffusemap normalmap bumpmap normalheightmap specularmap glowmap", Words(1), lit_map),
    Word::hidden("physicalmap heightmap reflectionmap reflectionmapblended", Line),
];

const SHADER_WORDS: &[Word] = &[
    Word::shown("twosided", Words(0), two_sided),
    Word::shown("backsided", Words(0), back_sided),
    Word::shown("deform", Line, deform),
    Word::shown("nomipmap", Words(0), no_mipmaps),
    Word::shown("polygonoffset", Line, polygon_offset),
    Word::shown("decal_macro decal_alphatest_macro", Words(0), polygon_offset),
    Word::hidden(
        "implicitmapgl1 imageminmipmap imagemindimension imagemaxdimension heightmapscale reliefdepthscale \
         diffuseexponent specularexponent",
        Words(1),
    ),
    Word::hidden("description renderbump guisurf foggradient parallaxmap when", Line),
    Word::hidden(
        "noshadows translucent forceopaque forcesolid solid nofragment fitscreen allowcompress nocompress nofog \
         mirror parallax noselfshadow nomarks",
        Words(0),
    ),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("blendfunc blend", Line, blend_or_role),
    Word::shown("stage", Words(1), stage_role),
    Word::shown("lightmap", Words(1), map),
    Word::shown("alphatest", Line, half_alpha),
    Word::shown("nomipmaps", Words(0), no_mipmaps),
    Word::shown("color rgb", Line, constant_colour),
    Word::hidden(
        "red green blue alpha if ifstatic scroll translate scale centerscale shear rotate normalformat normalscale \
         normalintensity specularexponentmin specularexponentmax refractionindex fresnelpower fresnelscale \
         fresnelbias fogdensity depthscale deformmagnitude",
        Line,
    ),
    Word::hidden(
        "colored vertexcolor inversevertexcolor ignorealphatest nearest linear nopicmip fitscreen uncompressed \
         nocompress allowcompress highquality forcehighquality maskred maskgreen maskblue maskalpha maskcolor \
         maskcoloralpha maskdepth wireframe rawrgbgen linearrgbgen rawcolormap linearcolormap rawspecularmap \
         linearspecularmap noscopeview",
        Words(0),
    ),
    Word::hidden("imageminmipmap fog depthfade", Words(1)),
];
