//! FTE QuakeWorld, and games with a manifest for it (`.fmf`).
//!
//! The engine reads the scripts of its relatives, and skips the lines of unknown words.
//!
//! Source: FTE `gl_shader.c` (`R_RegisterSkin`, `shaderkeys`, `shaderpasskeys`), `image.c` (`tex_path`,
//! `Image_LocateHighResTexture`), `com_mesh.c` (`ParseFrameInfo`), `fs.c` (manifests).

use super::Quantity::Joints;
use super::daemon::LIT_MAPS;
use super::darkplaces::DP_WORDS;
use super::profile::{BYTE_JOINTS, NO_ENGINE, refused};
use super::{Engine, NamePattern, PLAIN, Profile, QUAKE_MAPS, SkeletonCheck, TextureRules, USUAL, darkplaces};
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::{Line, Words};
use crate::material::quake3::{Word, blend_or_role, clamp_anim_map, half_alpha, lit_map};
use crate::vfs::split_extension;
use maquette_core::error::Fault;
use maquette_core::model::Format::{Dpm, Gltf, Iqm, Kmdx, Md2, Md3, Md5, Mdl, Obj, Psk, Sp2, Spr, Zym};

pub(super) static ENGINE: Engine = Engine {
    name: "FTE QuakeWorld",
    short_name: "FTE",
    profile: Some(&PROFILE),
    formats: &[Mdl, Md2, Md3, Md5, Iqm, Dpm, Zym, Psk, Obj],
    mirrors: &[Obj],
    // The manifest is next to the folder of the game, or inside an archive.
    sign: |vfs, _, _| {
        let is_manifest = |name: &str| split_extension(name).1.eq_ignore_ascii_case("fmf");
        vfs.look_up("default.fmf").or_else(|| vfs.file_in_base(is_manifest))
    },
    textures: TextureRules {
        bare_name_folders: &["textures/{folder}", "textures/models", "{folder}", "models", "textures", "override"],
        other_paths: &["textures/models/{file}", "models/{file}", "textures/{path}", "override/{path}"],
        layers: Some(QUAKE_MAPS),
        name_patterns: &[
            NamePattern { format: Mdl, name: "textures/models/{stem}_{skin}" },
            NamePattern { format: Mdl, name: "models/{stem}_{skin}" },
            NamePattern { format: Mdl, name: "textures/{model}.mdl_{skin}" },
            NamePattern { format: Mdl, name: "override/{model}.mdl_{skin}" },
        ],
        script: &SCRIPT,
        ..USUAL
    },
    add_companions: darkplaces::add_frame_groups,
    ..PLAIN
};

/// `engine/common/com_mesh.c` (`Mod_LoadQ1Model`, `Mod_LoadKingpinModel`, `Mod_ParseIQMMeshModel`,
/// `Mod_ParseMD5MeshModel`, `Mod_ParseMD5Anim`), `plugins/models/gltf.c`.
pub(super) static PROFILE: Profile = Profile {
    name: "fte",
    title: "FTE QuakeWorld",
    formats: &[Mdl, Spr, Md2, Sp2, Kmdx, Md3, Md5, Iqm, Dpm, Zym, Psk, Obj, Gltf],
    limits: &[&[refused(Iqm, Joints, BYTE_JOINTS)]],
    culls_by_frames: false,
    skeleton: SkeletonCheck::Hierarchy,
    script: Some(&SCRIPT),
    refuses: &[
        (Mdl, &[Fault::MissingSkin]),
        (Iqm, &[Fault::MissingCoordinates]),
        (
            Md5,
            &[
                Fault::MissingVersion,
                Fault::MissingRate,
                Fault::NamedMesh,
                Fault::SurplusEntries,
                Fault::VertexWithoutWeights,
                Fault::UnknownJoint,
                Fault::InvalidParent,
                Fault::SeveralRoots,
                Fault::BoundsCount,
                Fault::FrameOrder,
                Fault::BrokenAnimation,
            ],
        ),
    ],
    ..NO_ENGINE
};

static SCRIPT: ScriptRules = ScriptRules {
    shader: &[SHADER_WORDS, LIT_MAPS, DP_WORDS],
    stage: &[STAGE_WORDS],
    values: &["blendfunc addalpha"],
    skips_unknown: true,
    skips_errors: true,
};

const SHADER_WORDS: &[Word] = &[
    Word::shown("albedomap fullbrightmap", Words(1), lit_map),
    Word::hidden(
        "fte* program glslprogram hlslprogram hlsl11program progblendfunc progmap bemode clutter basefactor \
         specularfactor fullbrightfactor",
        Line,
    ),
    Word::hidden("affine fullrate deferredlight lpp_light", Words(0)),
    Word::hidden(
        "uppermap lowermap loweruppermap reflectmask displacementmap transmissionmap thicknessmap ormmap \
         portalfboscale",
        Words(1),
    ),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("blend", Line, blend_or_role),
    Word::shown("alphatest", Line, half_alpha),
    Word::shown("animclampmap", Line, clamp_anim_map),
    Word::hidden("fte* program alphashift", Line),
    Word::hidden("nodepthtest nodepth envmap nolightmap alphamask", Words(0)),
    // Call of Duty.
    Word::hidden("nextbundle", Words(0)),
    Word::hidden("requires texenvcombine nvregcombiners atifragmentshader", Line),
];
