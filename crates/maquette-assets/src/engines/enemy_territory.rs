//! Enemy Territory, whose definitions of characters (`.char`) name the skeletons and clips of a mesh.
//!
//! Source: ET: Legacy `bg_character.c` (`BG_ParseCharacterFile`).

use std::collections::HashMap;

use super::Quantity::{Triangles, Vertices};
use super::profile::{
    QUAKE_3_KIN, UNCHECKED_BONES, UNCHECKED_VERTICES, nominal, nominal_md3, nominal_skeleton, refused,
};
use super::return_to_castle_wolfenstein::{SHADER_WORDS, STAGE_WORDS, WOLFENSTEIN_VALUES};
use super::{CharacterFiles, Engine, PLAIN, Profile, TextureRules, USUAL};
use crate::companions::{add_warnings, animation_key as key};
use crate::limits::MAX_GAME_FILES;
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::Words;
use crate::material::quake3::{Word, implicit};
use crate::vfs::{DecompressionBudget, ReadLimit, Vfs, folder_of, join, name_of, split_extension};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::animation_cfg::enemy_territory::{self as animation_cfg, AnimationFile};
use maquette_core::limits::{MAX_CLIPS, MAX_PATH_BYTES, MAX_TEXT_BYTES};
use maquette_core::model::Format::{Md3, Mdc, Mdm, Mds};
use maquette_core::model::{Clip, Model};
use maquette_core::text::{Lexer, readable};

pub(super) static ENGINE: Engine = Engine {
    name: "Enemy Territory",
    short_name: "Enemy Territory",
    base_folders: &["etmain"],
    profile: Some(&PROFILE),
    textures: TextureRules { script: &SCRIPT, ..USUAL },
    add_skeleton: add_animations,
    character,
    ..PLAIN
};

/// Source: ET: Legacy `tr_shader.c` (`ParseShader`).
static SCRIPT: ScriptRules = ScriptRules {
    shader: &[SHADER_WORDS, IMPLICIT_MAPS, OWN_WORDS],
    stage: &[STAGE_WORDS],
    values: WOLFENSTEIN_VALUES,
    ..ScriptRules::QUAKE_3
};

/// Words for the only stage of a definition without stages.
pub(super) const IMPLICIT_MAPS: &[Word] = &[Word::shown("implicitmap implicitmask implicitblend", Words(1), implicit)];

const OWN_WORDS: &[Word] = &[Word::hidden("distancecull", Words(3))];

/// 1025 vertices in the original game, 10000 in ET: Legacy (`qfiles.h` of both).
pub(super) static PROFILE: Profile = Profile {
    name: "et",
    title: "Enemy Territory",
    formats: &[Md3, Mdc, Mds, Mdm],
    script: Some(&SCRIPT),
    limits: &[
        &[
            refused(Mdm, Vertices, 10_000),
            refused(Mdm, Triangles, 20_000),
            nominal(Mdm, Vertices, 6000),
            nominal(Mdm, Triangles, 8192),
            refused(Mds, Vertices, 10_000),
            refused(Mds, Triangles, 20_000),
            nominal(Mds, Vertices, 1025),
            nominal(Mds, Triangles, 2050),
            refused(Md3, Vertices, 10_000),
            refused(Md3, Triangles, 20_000),
            nominal(Md3, Vertices, 1025),
            nominal(Md3, Triangles, 2050),
            refused(Mdc, Vertices, 10_000),
            refused(Mdc, Triangles, 20_000),
            nominal(Mdc, Vertices, 1025),
            nominal(Mdc, Triangles, 2050),
        ],
        &nominal_skeleton(Mdm),
        &nominal_skeleton(Mds),
        &nominal_md3(Md3),
        &nominal_md3(Mdc),
    ],
    refuses: &[(Mdm, UNCHECKED_BONES), (Mds, UNCHECKED_BONES), (Md3, UNCHECKED_VERTICES), (Mdc, UNCHECKED_VERTICES)],
    image_formats: &["tga", "jpg", "jpeg", "png", "pcx", "bmp"],
    ..QUAKE_3_KIN
};

/// Folder of the definitions of characters.
const CHARACTERS: &str = "characters";
/// Depth of folders below [`CHARACTERS`] that are searched.
const DEPTH: usize = 3;

/// Returns the character of a definition (`.char`), or the first one whose body is this mesh (`.mdm`).
fn character(vfs: &Vfs, game_path: &str) -> Option<CharacterFiles> {
    let definition = match split_extension(game_path).1.to_lowercase().as_str() {
        "char" => definition_at(vfs, game_path),
        "mdm" => character_of(vfs, game_path),
        _ => None,
    }?;
    Some(CharacterFiles::OneBody {
        body: vfs.find(&definition.mesh)?,
        head: vfs.find(&definition.head),
        skin: definition.skin,
        head_skin: definition.head_skin,
    })
}

/// Returns the definition of the first character whose body is this mesh.
fn character_of(vfs: &Vfs, mesh: &str) -> Option<CharacterDefinition> {
    let wanted = key(mesh);
    let characters = vfs.memo(CHARACTERS, read_characters);
    characters.iter().find(|definition| key(&definition.mesh) == wanted).cloned()
}

/// Returns the definition in the `.char` file at a path; `None` if the file names no mesh.
fn definition_at(vfs: &Vfs, path: &str) -> Option<CharacterDefinition> {
    let bytes = vfs.read(path, ReadLimit::TEXT).ok()?;
    Some(parse_character(&bytes, &mut Warnings::default())).filter(|definition| !definition.mesh.is_empty())
}

/// Returns the definitions of all characters of a game.
fn read_characters(vfs: &Vfs) -> Vec<CharacterDefinition> {
    let mut paths = Vec::new();
    add_definitions_below(vfs, CHARACTERS, DEPTH, &mut paths);
    paths.iter().take(MAX_GAME_FILES).filter_map(|path| definition_at(vfs, path)).collect()
}

fn add_definitions_below(vfs: &Vfs, folder: &str, depth: usize, paths: &mut Vec<String>) {
    paths.extend(vfs.list(folder, |name| split_extension(name).1.eq_ignore_ascii_case("char")));
    if depth > 0 {
        for name in vfs.folders_in(folder).iter() {
            if paths.len() >= MAX_GAME_FILES {
                break;
            }
            add_definitions_below(vfs, &join(folder, name), depth - 1, paths);
        }
    }
}

/// Adds the MDX files that the mesh's character uses, with their clips; without a character, all MDX files in the mesh's
/// folder. The first one becomes the skeleton.
fn add_animations(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let files = character_of(vfs, game_path).map(|definition| listed_files(vfs, &definition, warnings));
    let files = files.filter(|files| !files.is_empty()).unwrap_or_else(|| files_in_folder_of(vfs, game_path));
    if files.len() > MAX_CLIPS {
        let message = format!("{} animations; only the first {MAX_CLIPS} are read", files.len());
        warnings.add(WarningKind::Companion, "animations", message);
    }
    let mut size_budget = DecompressionBudget::default();
    let mut clips = Vec::new();
    for file in files.iter().take(MAX_CLIPS) {
        let mut own = Warnings::default();
        let path = vfs.look_up(&file.path).unwrap_or_else(|| file.path.clone());
        if vfs.entry(&path).and_then(|entry| entry.size()).is_some_and(|size| !size_budget.take(size)) {
            continue;
        }
        match vfs.read(&path, ReadLimit::Whole) {
            Ok(bytes) => clips.extend(add_file(model, file, &path, &bytes, &mut own)),
            Err(error) => own.add(WarningKind::Companion, "", format!("animation skipped: {error}")),
        }
        add_warnings(vfs, &path, own, warnings);
    }
    if let Some(message) = size_budget.warning() {
        warnings.add(WarningKind::Companion, "animations", message);
    }
    if model.joints().is_empty() {
        let message =
            "no skeleton (.mdx) was found through characters/*.char or in the mesh’s folder; the model has no pose";
        warnings.add(WarningKind::Companion, name_of(game_path), message);
        return;
    }
    // A clip that is a whole file replaces the clip of that name without a rate.
    let is_listed = |whole: &&Clip| {
        clips.iter().any(|clip| {
            clip.name.eq_ignore_ascii_case(&whole.name) && clip.first == whole.first && clip.count == whole.count
        })
    };
    let whole: Vec<Clip> = model.clips().iter().filter(|whole| !is_listed(whole)).cloned().collect();
    model.set_clips(whole.into_iter().chain(clips).collect());
}

/// Adds an MDX and returns its clips.
fn add_file(model: &mut Model, file: &AnimationFile, path: &str, bytes: &[u8], own: &mut Warnings) -> Vec<Clip> {
    let stem = split_extension(name_of(path)).0;
    match model.add_animation(stem, bytes) {
        Ok(warnings) => own.append(warnings),
        Err(error) => {
            own.add_error(WarningKind::Companion, "", format!("animation skipped: {error}"), &error);
            return Vec::new();
        }
    }
    let Some(whole) = model.clips().last() else { return Vec::new() };
    let (first, frames) = (whole.first, whole.count);
    let moved = |clip: Clip| Clip { first: clip.first + first, ..clip };
    file.clips(frames, own).into_iter().map(moved).collect()
}

/// Returns the MDX files of a character's list of animations.
fn listed_files(vfs: &Vfs, definition: &CharacterDefinition, warnings: &mut Warnings) -> Vec<AnimationFile> {
    if definition.animation_group.is_empty() {
        return Vec::new();
    }
    let path = vfs.look_up(&definition.animation_group).unwrap_or_else(|| definition.animation_group.clone());
    let mut own = Warnings::default();
    let files = match vfs.read(&path, ReadLimit::TEXT) {
        Ok(bytes) => {
            let mut read = |path: &str| vfs.read(&vfs.look_up(path)?, ReadLimit::TEXT).ok();
            animation_cfg::parse(&bytes, &mut read, &mut own)
        }
        Err(error) => {
            own.add(WarningKind::Companion, "", format!("skipped: {error}"));
            Vec::new()
        }
    };
    add_warnings(vfs, &path, own, warnings);
    // A list may name a file several times.
    let (mut merged, mut indices): (Vec<AnimationFile>, HashMap<String, usize>) = Default::default();
    for file in files {
        let index = *indices.entry(key(&file.path)).or_insert(merged.len());
        match merged.get_mut(index) {
            Some(known) => known.entries.extend(file.entries),
            None => merged.push(file),
        }
    }
    merged
}

fn files_in_folder_of(vfs: &Vfs, game_path: &str) -> Vec<AnimationFile> {
    let paths = vfs.list(folder_of(game_path), |name| split_extension(name).1.eq_ignore_ascii_case("mdx"));
    paths.into_iter().map(|path| AnimationFile { path, entries: Vec::new() }).collect()
}

/// Files of a character, as game paths. Empty if the file does not name them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharacterDefinition {
    /// Body, an MDM.
    pub mesh: String,
    /// Name of the body's skin: `<mesh>_<skin>.skin`.
    pub skin: String,
    /// List of animations, an `.anim`.
    pub animation_group: String,
    /// Head.
    pub head: String,
    /// Name of the head's skin.
    pub head_skin: String,
}

/// Parses a `.char`: `characterDef { keyword "value" … }`. Unknown keywords are skipped. A syntax error ends parsing with a
/// warning.
pub fn parse_character(bytes: &[u8], warnings: &mut Warnings) -> CharacterDefinition {
    let mut definition = CharacterDefinition::default();
    let mut lexer = Lexer::new("char", readable(bytes, MAX_TEXT_BYTES, warnings));
    loop {
        let word = match lexer.next() {
            Ok(Some(word)) => word,
            Ok(None) => return definition,
            Err(error) => {
                warnings.add_rest(&error);
                return definition;
            }
        };
        let value = match word {
            word if word.is("mesh") => &mut definition.mesh,
            word if word.is("skin") => &mut definition.skin,
            word if word.is("animationgroup") => &mut definition.animation_group,
            word if word.is("hudhead") => &mut definition.head,
            word if word.is("hudheadskin") => &mut definition.head_skin,
            _ => continue,
        };
        match lexer.next() {
            Ok(Some(text)) if text.bytes.len() <= MAX_PATH_BYTES => *value = text.text(),
            Ok(_) => {}
            Err(error) => {
                warnings.add_rest(&error);
                return definition;
            }
        }
    }
}
