//! Return to Castle Wolfenstein.
//!
//! Words of shader scripts: RTCW `tr_shader.c` (`ParseShader`, `ParseStage`). Maps are chosen by the colour depth and the
//! compression of textures; Maquette assumes a depth above 16 bits and no compression.

use super::Quantity::{Triangles, Vertices};
use super::profile::{
    ID_IMAGES, QUAKE_3_KIN, UNCHECKED_BONES, UNCHECKED_VERTICES, nominal, nominal_md3, nominal_skeleton, refused,
};
use super::{Engine, PLAIN, Profile, TextureRules, USUAL};
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::{Line, Words};
use crate::material::quake3::{Word, anim_map, map, no_mipmaps, other_anim_map, other_map};
use maquette_core::model::Format::{Md3, Mdc, Mds};

pub(super) static ENGINE: Engine = Engine {
    name: "Return to Castle Wolfenstein",
    short_name: "Wolfenstein",
    base_folders: &["main"],
    profile: Some(&PROFILE),
    textures: TextureRules { script: &SCRIPT, ..USUAL },
    ..PLAIN
};

static SCRIPT: ScriptRules =
    ScriptRules { shader: &[SHADER_WORDS], stage: &[STAGE_WORDS], values: WOLFENSTEIN_VALUES, ..ScriptRules::QUAKE_3 };

/// `tr_shader.c` (`ParseStage`, `ParseTexMod`).
pub(super) const WOLFENSTEIN_VALUES: &[&str] = &["alphagen normalzfade", "tcgen firerisenv", "tcmod swap"];

pub(super) const SHADER_WORDS: &[Word] = &[
    Word::shown("nomipmap", Words(0), no_mipmaps),
    Word::hidden("nocompress allowcompress nofog", Words(0)),
    Word::hidden("fogvars skyfogvars waterfogvars", Line),
    Word::hidden("sunshader lightgridmulamb lightgridmuldir", Words(1)),
];

pub(super) const STAGE_WORDS: &[Word] = &[
    Word::hidden("map16 fog", Words(1)),
    Word::shown("map32 mapnocomp lightmap", Words(1), map),
    Word::shown("mapcomp", Words(1), other_map),
    Word::shown("animmapcomp", Line, other_anim_map),
    Word::shown("animmapnocomp", Line, anim_map),
];

/// 4000 vertices in single player, 1000 in multiplayer (`qfiles.h` of both). An MDS must have fewer than 4000 (iortcw
/// `tr_model.c`, `R_LoadMDS`).
pub(super) static PROFILE: Profile = Profile {
    name: "rtcw",
    title: "Return to Castle Wolfenstein",
    formats: &[Md3, Mdc, Mds],
    script: Some(&SCRIPT),
    limits: &[
        &[
            refused(Mds, Vertices, 3999),
            refused(Mds, Triangles, 8000),
            refused(Md3, Vertices, 4000),
            refused(Md3, Triangles, 8000),
            nominal(Md3, Vertices, 1000),
            nominal(Md3, Triangles, 2000),
            refused(Mdc, Vertices, 4000),
            refused(Mdc, Triangles, 8000),
            nominal(Mdc, Vertices, 1000),
            nominal(Mdc, Triangles, 2000),
        ],
        &nominal_skeleton(Mds),
        &nominal_md3(Md3),
        &nominal_md3(Mdc),
    ],
    refuses: &[(Mds, UNCHECKED_BONES), (Md3, UNCHECKED_VERTICES), (Mdc, UNCHECKED_VERTICES)],
    image_formats: ID_IMAGES,
    ..QUAKE_3_KIN
};
