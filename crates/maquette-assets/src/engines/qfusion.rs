//! qfusion, the engine of Warsow and Warfork.
//!
//! Names of shaders have no extension. A model has up to four coarser LODs, `NAME_1` to `NAME_4`, in every format. The
//! `animation.cfg` of a player is read by [`AnimationConfig`]. Outside the game's folders, words that only this engine has
//! identify the file.
//! Scripts may have unknown words, whose lines are skipped. Source: qfusion `r_model.c` (`Mod_ForName`), `r_shader.c`
//! (`shaderkeys`, `shaderpasskeys`, `Shaderpass_LoadMaterial`), `cg_pmodels.cpp` (`CG_ParseAnimationScript`).

use super::Quantity::{Joints, Levels, Materials, Tags, Triangles, Vertices};
use super::profile::{NO_ENGINE, nominal, refused};
use super::{Engine, MapSuffixes, PLAIN, Profile, TextureRules, USUAL, below_folder};
use crate::companions::{Contents, clip_file};
use crate::material::quake3::Arguments::{Line, Words};
use crate::material::quake3::{ScriptWriter, Word, clamp_anim_map, condition, layer, named};
use crate::material::{Blend, ColourSource, DirectiveArgs, ImageProgram, ScriptRules, Stage};
use crate::vfs::{Vfs, folder_of, join};
use maquette_core::formats::animation_cfg::{AnimationConfig, Dialect};
use maquette_core::model::Format::{self, Iqm, Md3};

const BASE_FOLDERS: &[&str] = &["basewsw", "basewf"];
/// `r_model.h` (`MOD_MAX_LODS`).
const LEVEL_FILES: u32 = 4;

pub(super) static ENGINE: Engine = Engine {
    name: "qfusion (Warsow, Warfork)",
    short_name: "qfusion",
    base_folders: BASE_FOLDERS,
    profile: Some(&PROFILE),
    formats: &[Md3, Iqm],
    sign: |vfs, path, _| {
        let folder = BASE_FOLDERS.iter().find_map(|folder| below_folder(vfs, path, folder));
        folder.or_else(|| own_clip_list(vfs, path))
    },
    clip_file: |vfs, path| Contents::read(vfs, path, AnimationConfig::parse_qfusion).into(),
    level_files: |format: Format| if matches!(format, Md3 | Iqm) { LEVEL_FILES } else { 0 },
    textures: TextureRules {
        layers: Some(MapSuffixes { glow: &[], normals: &["_norm"], gloss: &["_gloss"], tinted: &[] }),
        script: &SCRIPT,
        ..USUAL
    },
    ..PLAIN
};

/// `r_alias.c` (`Mod_LoadAliasMD3Model`) and `qfiles.h`; `r_skm.c` (`Mod_LoadSkeletalModel`), which stores indices of
/// joints in bytes and accepts 65,534 vertices in all. `r_alias.c` computes the boxes.
pub(super) static PROFILE: Profile = Profile {
    name: "qfusion",
    title: "qfusion",
    formats: &[Md3, Iqm],
    limits: &[&[
        refused(Md3, Vertices, 4096),
        refused(Md3, Triangles, 8192),
        refused(Md3, Tags, 16),
        refused(Md3, Materials, 256),
        nominal(Md3, Levels, 5),
        refused(Iqm, Vertices, 65_534),
        nominal(Iqm, Joints, 256),
        nominal(Iqm, Levels, 5),
    ]],
    max_path_bytes: Some(63),
    culls_by_frames: false,
    script: Some(&SCRIPT),
    ..NO_ENGINE
};

/// Returns the `animation.cfg` in the model's folder if it is of this engine.
fn own_clip_list(vfs: &Vfs, game_path: &str) -> Option<String> {
    let path = vfs.look_up(&join(folder_of(game_path), "animation.cfg"))?;
    let is_own = clip_file(vfs, &path).parsed.as_ref().is_some_and(|config| config.dialect == Dialect::Qfusion);
    is_own.then_some(path)
}

static SCRIPT: ScriptRules = ScriptRules {
    shader: &[SHADER_WORDS],
    stage: &[STAGE_WORDS],
    values: &[
        "rgbgen custom",
        "rgbgen teamcolor",
        "rgbgen customcolorwave",
        "rgbgen teamcolorwave",
        "rgbgen entitycolorwave",
        "rgbgen colorwave",
        "tcgen reflection",
        "deformvertexes autoparticle",
    ],
    skips_unknown: true,
    skips_errors: true,
};

const SHADER_WORDS: &[Word] = &[
    Word::shown("if", Line, condition_block),
    Word::hidden("endif", Words(0)),
    // The definition is expanded before it is read.
    Word::hidden("template skip skyparmssides", Line),
    Word::hidden("skyparms2", Words(2)),
    Word::hidden("nocompress nofiltering stenciltest nodepthtest softparticle forceworldoutlines", Words(0)),
    Word::hidden("smallestmipmapsize offsetmappingscale glossexponent glossintensity", Words(1)),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("material", Line, material),
    Word::shown("celshade", Line, cel_shade),
    Word::shown("animclampmap", Line, clamp_anim_map),
    Word::shown("cubemap shadecubemap surroundmap", Words(1), cube_map),
    Word::shown("distortion", Line, cube_map),
    Word::hidden("grayscale greyscale", Words(0)),
    Word::hidden("skip", Line),
];

/// Adds a decal: the engine adds images without alpha, and mixes others by their alpha (`r_program.c`,
/// `RB_RenderMeshGLSL_Material` and `RB_BindCelshadeTexture`; `celshade.glsl`, `APPLY_DECAL_ADD`).
fn add_decal(to: &mut ScriptWriter, name: &str) {
    to.add_layer(Stage { prefers_alpha: true, ..layer(named(name), Blend::ADD) });
}

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
            None => add_decal(to, &name),
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
        to.add_layer(layer(named(second), Blend::FILTER));
    }
    if let Some(decal) = image(3) {
        add_decal(to, decal);
    }
    None
}

/// A cube map or a distortion, which is not drawn.
fn cube_map(to: &mut ScriptWriter, line: &mut DirectiveArgs) -> Option<String> {
    to.hide_stage();
    line.rest.by_ref().for_each(drop);
    None
}
