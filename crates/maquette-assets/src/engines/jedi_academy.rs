//! Jedi Academy. Jedi Outcast and Soldier of Fortune II have the same folders and formats.
//!
//! A model has its skeleton in a separate file (`.gla`), next to the list of its clips.

use super::Quantity::{Frames, Levels, Materials, NameLength, Surfaces, Tags, Triangles, Vertices};
use super::profile::{QUAKE_3_KIN, nominal, refused};
use super::{Engine, PLAIN, Profile, TextureRules, USUAL};
use crate::companions::{CLIP_FILES, add_clips, add_warnings, clip_file};
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::{Line, Parsed, Words};
use crate::material::quake3::{Word, anim_map, clamp_anim_map, deform};
use crate::vfs::{ReadLimit, Vfs, folder_of, join, name_of, split_extension};
use maquette_core::error::{Fault, WarningKind, Warnings};
use maquette_core::formats::animation_cfg::BodyPart;
use maquette_core::model::Format::{Glm, Md3};
use maquette_core::model::{Clip, Model};

pub(super) static ENGINE: Engine = Engine {
    name: "Jedi Academy",
    short_name: "Jedi Academy",
    base_folders: &["base"],
    profile: Some(&PROFILE),
    formats: &[Glm, Md3],
    sign: |vfs, _, _| scripts(vfs),
    textures: TextureRules {
        script: &SCRIPT,
        skin_parts: &SKIN_PARTS,
        skin_folders: &SKIN_FOLDERS,
        switch_extension: "surf",
        ..USUAL
    },
    add_skeleton: |vfs, path, model, warnings| match model.data().skeleton.clone() {
        Some((stored, _)) => add_skeleton(vfs, path, &stored, model, warnings),
        None => add_clips(vfs, path, clip_file, model, warnings),
    },
    ..PLAIN
};

/// Folder of the shader scripts (OpenJK `tr_shader.cpp`, `ScanAndLoadShaderFiles`).
pub(crate) const SHADERS: &str = "shaders";

/// Returns a description of the folder that identifies the game.
fn scripts(vfs: &Vfs) -> Option<String> {
    let scripts = vfs.list(SHADERS, |name| split_extension(name).1.eq_ignore_ascii_case("shader"));
    (!scripts.is_empty()).then(|| format!("the scripts in {SHADERS}"))
}

/// Source: OpenJK `tr_shader.cpp` (`ParseShader`, `ParseStage`) of `codemp/rd-vanilla` and `code/rd-vanilla`.
static SCRIPT: ScriptRules = ScriptRules {
    shader: &[SHADER_WORDS],
    stage: &[STAGE_WORDS],
    values: &["rgbgen lightingdiffuseentity", "alphagen dot", "alphagen oneminusdot", "alphafunc ge192"],
    ..ScriptRules::QUAKE_3
};

const SHADER_WORDS: &[Word] = &[
    Word::shown("deform", Parsed, deform),
    Word::hidden("material hitlocation hitmaterial", Words(1)),
    Word::hidden("sun surfacelight lightcolor", Line),
    Word::hidden("noglfog notc", Words(0)),
];

const STAGE_WORDS: &[Word] = &[
    Word::shown("clampanimmap oneshotclampanimmap", Line, clamp_anim_map),
    Word::shown("oneshotanimmap", Line, anim_map),
    Word::hidden("glow", Words(0)),
    Word::hidden("surfacesprites ss*", Line),
];

/// Starts of the names of the three files of a skin like `head_a1|torso_b1|lower_a1` (OpenJK `tr_skin.cpp`,
/// `RE_SplitSkins` and `RE_RegisterSkin`; `ui_main.c`, `UI_BuildPlayerModel_List`).
const SKIN_PARTS: [&str; 3] = ["head_", "torso_", "lower_"];

/// Folders of the skins of Soldier of Fortune II (Raven's ModView `skins.cpp`, `Skins_ModelNameToSkinPath`).
const SKIN_FOLDERS: [(&str, &str); 2] =
    [("models/objects/", "models/objects/skins"), ("models/", "models/characters/skins")];

/// OpenJK: `codemp/rd-vanilla/tr_ghoul2.cpp` (`R_LoadMDXM`) and `tr_model.cpp` (`R_LoadMD3`) reject more vertices and
/// indices than `SHADER_MAX_VERTEXES` and `SHADER_MAX_INDEXES` (`qfiles.h`); for an MD3 also as many. As many in a GLM
/// end the game when it is drawn (`tr_surface.cpp`, `RB_CheckOverflow`; `tr_shade.cpp`, `RB_EndSurface`). A skin has
/// 128 surfaces (`tr_types.h`), bone references have 5 bits (`mdx_format.h`). The rest is from `qfiles.h`. Images:
/// `rd-common/tr_image_load.cpp` (`R_ImageLoader_Init`).
pub(super) static PROFILE: Profile = Profile {
    name: "jka",
    title: "Jedi Academy",
    formats: &[Md3, Glm],
    limits: &[&[
        refused(Glm, Vertices, 999),
        refused(Glm, Triangles, 1999),
        nominal(Glm, Surfaces, 128),
        nominal(Glm, NameLength, 63),
        refused(Md3, Vertices, 999),
        refused(Md3, Triangles, 1999),
        nominal(Md3, Surfaces, 64),
        nominal(Md3, Frames, 1024),
        nominal(Md3, Tags, 16),
        nominal(Md3, Materials, 256),
        nominal(Md3, Levels, 3),
        nominal(Md3, NameLength, 63),
    ]],
    image_formats: &["jpg", "png", "tga"],
    script: Some(&SCRIPT),
    refuses: &[
        (Md3, &[Fault::UnknownVertex]),
        (Glm, &[Fault::UnknownVertex, Fault::UnknownJoint, Fault::MissingSkeleton]),
    ],
    ..QUAKE_3_KIN
};

/// Adds the skeleton at `stored`, a game path without extension, and the clips of the `animation.cfg` in its folder. If
/// the game has no such file, the file of this name in the model's folder is used.
fn add_skeleton(vfs: &Vfs, game_path: &str, stored: &str, model: &mut Model, warnings: &mut Warnings) {
    let extension = model.format().traits().companions.animations.extension().unwrap_or_default();
    let file = format!("{stored}.{extension}");
    let found = vfs.look_up(&file).or_else(|| vfs.look_up(&join(folder_of(game_path), name_of(&file))));
    let Some(path) = found else {
        let message = format!("the skeleton {file} is missing; the model is shown in the bind pose");
        warnings.add_fault(Fault::MissingSkeleton, WarningKind::Companion, name_of(&file), message);
        return;
    };
    let (name, _) = split_extension(name_of(&path));
    let mut own = Warnings::default();
    match vfs.read(&path, ReadLimit::Whole) {
        Ok(bytes) => match model.add_animation(name, &bytes) {
            Ok(remarks) => own.append(remarks),
            Err(error) => {
                let message = format!("skeleton skipped: {error}; the model is shown in the bind pose");
                own.add_error(WarningKind::Companion, "", message, &error);
            }
        },
        Err(error) => own.add(WarningKind::Companion, "", format!("skeleton skipped: {error}")),
    }
    add_warnings(vfs, &path, own, warnings);
    if !model.joints().is_empty() {
        add_clips_of_skeleton(vfs, folder_of(&path), model, warnings);
    }
}

/// Adds the clips of the animation file in the skeleton's folder, which counts the frames of the skeleton's file.
fn add_clips_of_skeleton(vfs: &Vfs, folder: &str, model: &mut Model, warnings: &mut Warnings) {
    let found = |name: &&str| vfs.look_up(&join(folder, name));
    let (Some(path), Some(all)) = (CLIP_FILES.iter().find_map(found), model.clips().last().cloned()) else { return };
    let file = clip_file(vfs, &path);
    let mut own = file.warnings.clone();
    if let Some(config) = &file.parsed {
        let named = config.clips(BodyPart::Whole, all.count, &mut own);
        let named = named.into_iter().map(|clip| Clip { first: clip.first + all.first, ..clip });
        let (before, after) = model.clips().split_at(model.clips().len().saturating_sub(1));
        model.set_clips(before.iter().cloned().chain(named).chain(after.iter().cloned()).collect());
    }
    add_warnings(vfs, &path, own, warnings);
}
