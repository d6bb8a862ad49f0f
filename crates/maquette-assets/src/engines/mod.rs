//! Engines: recognition of models, rules for textures, readers of own files, limits.
//!
//! Each engine has one file, or a folder: its row ([`Engine`]), the readers of its files and its lint profiles. To add
//! an engine, write the file and list it here, in [`ENGINES`] and [`PROFILES`].

mod character_files;
pub mod cube;
mod daemon;
pub mod darkplaces;
pub mod doom3;
pub(crate) mod doom3_declarations;
mod doom3_entities;
mod doom3_skins;
mod elite_force;
pub mod enemy_territory;
mod fte;
pub mod gzdoom;
pub(crate) mod jedi_academy;
mod light;
mod model_setup;
mod profile;
mod q2pro;
mod qfusion;
mod quake;
mod quake2;
mod quake3;
mod quetoo;
mod return_to_castle_wolfenstein;
mod srb2;
pub mod ufoai;

use std::path::Path;

use glam::{Quat, Vec3};

use crate::companions::{Declared, ReadClips, clip_file};
use crate::material::ScriptRules;
use crate::vfs::{Vfs, folder_of, join, name_of_location, split_extension};
use maquette_core::error::Warnings;
use maquette_core::model::{Format, LodStorage, Model};

pub(crate) use character_files::CharacterFiles;
pub(crate) use doom3_declarations::FOLDER as DECLARATIONS;
pub(crate) use doom3_skins::DeclaredSkin;
pub use elite_force::player_format;
pub use light::LightRule;
pub use model_setup::SurfaceState;
pub(crate) use model_setup::{ModelSetup, SurfaceChoice, SurfaceSetup};
pub use profile::{Limit, Profile, Quantity, SkeletonCheck};
pub(crate) use quake::{LMP, MAPS as QUAKE_MAPS};

/// Extensions of images, in the order in which they are tried.
pub const IMAGE_EXTENSIONS: [&str; 9] = ["tga", "jpg", "jpeg", "png", "dds", "pcx", "bmp", "webp", "wal"];

/// An engine, or a family of games with the same rules.
#[derive(Debug)]
pub struct Engine {
    /// Display name, which [`Format::game`] also uses.
    pub name: &'static str,
    /// Short display name, for example for tables.
    pub short_name: &'static str,
    /// Folders of the game that mods build upon.
    pub base_folders: &'static [&'static str],
    /// Other folders that hold archives of the game.
    pub other_folders: &'static [&'static str],
    /// Returns whether the entry of the second name in a folder of the first name marks the folder as the root of a
    /// game.
    pub(crate) marks_root: fn(&str, &str) -> bool,
    /// Lint profile for the formats that were made for the engine. `None` if there is none.
    pub profile: Option<&'static Profile>,
    /// Formats whose models `sign` can identify.
    pub(crate) formats: &'static [Format],
    /// Returns the file, or a description of the folder, that identifies a model as the engine's.
    pub(crate) sign: fn(&Vfs, &str, Format) -> Option<String>,
    /// Formats whose models the engine reads as their mirror images.
    pub(crate) mirrors: &'static [Format],
    /// Returns the number of files with coarser LODs (`NAME_1`, …) that the engine loads for models of a format.
    pub(crate) level_files: fn(Format) -> u32,
    /// Rules for finding textures.
    pub(crate) textures: TextureRules,
    /// Light on models outside of maps.
    pub light: &'static LightRule,
    /// Returns each use of a model, according to the engine's own files.
    pub(crate) setups: fn(&Vfs, &str, &Model, &mut Warnings) -> Vec<ModelSetup>,
    /// Adds the clips and tags of the engine's own companion files.
    pub(crate) add_companions: fn(&Vfs, &str, &mut Model, &mut Warnings),
    /// Returns the animations that the engine's files declare for a model, and the kind of these files.
    pub(crate) animations: fn(&Vfs, &str, Format, &[ModelSetup]) -> Option<DeclaredAnimations>,
    /// Returns the skins that the engine's files declare for a model.
    pub(crate) skins: fn(&Vfs, &str, &Model) -> Vec<DeclaredSkin>,
    /// Returns `FILE/NAME` for each use of a model that the engine's files declare under a name.
    pub(crate) declared_models: fn(&Vfs) -> Vec<String>,
    /// Returns the game path of the model that is declared under a name.
    pub(crate) declared_mesh: fn(&Vfs, &str) -> Option<String>,
    /// Reads an `animation.cfg`.
    pub(crate) clip_file: ReadClips,
    /// Returns the models that are attached to the entity that is declared under a name.
    pub(crate) declared_parts: fn(&Vfs, &str) -> Vec<DeclaredPart>,
    /// Adds the skeleton and the clips of a model whose skeleton is in a separate file.
    pub(crate) add_skeleton: fn(&Vfs, &str, &mut Model, &mut Warnings),
    /// Returns the actor that uses a model first, and the models that it draws at the same origin.
    pub(crate) joined_models: fn(&Vfs, &str) -> Option<JoinedModels>,
    /// Returns the character that the file at a path defines, or whose body is the model there.
    pub(crate) character: fn(&Vfs, &str) -> Option<CharacterFiles>,
}

/// Animations that an engine's files declare, and the kind of these files.
pub(crate) type DeclaredAnimations = (Vec<Declared>, &'static str);

/// Actor, and the models that it draws at the same origin.
pub(crate) type JoinedModels = (String, Vec<String>);

/// Rules of an engine for finding textures and skins.
#[derive(Debug)]
pub(crate) struct TextureRules {
    /// Folders that are searched first for images named without a folder. `{folder}` is the model's.
    pub bare_name_folders: &'static [&'static str],
    /// Paths that are tried for an image named with a folder, after the path itself: `{path}` is the path, `{file}` its
    /// file name.
    pub other_paths: &'static [&'static str],
    /// Suffixes of companion maps, for example normal maps.
    pub layers: Option<MapSuffixes>,
    /// Whether `$lightmap` stages of scripts are left out on models.
    pub ignores_lightmaps: bool,
    /// Patterns by which the engine makes names of images, in the order in which it tries them.
    pub name_patterns: &'static [NamePattern],
    /// Folders in which the engine looks for images whose names it made; empty for the root.
    pub name_folders: &'static [&'static str],
    /// Extensions of images that only this engine reads. They are tried after the usual ones.
    pub image_extensions: &'static [&'static str],
    /// Whether the engine looks for images in the model's folder.
    pub searches_model_folder: bool,
    /// Whether the engine draws nothing in place of a missing texture, instead of a default image.
    pub hides_missing: bool,
    /// Words of shader scripts.
    pub script: &'static ScriptRules,
    /// Whether textures without a script are transparent according to their alpha, in every format.
    pub alpha_without_script: bool,
    /// Whether names without a definition are drawn unlit, clamped and blended by alpha (Doom 3).
    pub is_unlit_without_script: bool,
    /// Whether the engine resolves `..` in names of images, in the formats that were made for it.
    pub resolves_parents: bool,
    /// Whether `MODEL.skin` or `STEM.skin` is a table with a column for each skin.
    pub has_skin_tables: bool,
    /// Whether the entries of a `.skin` file are for the surfaces by number, in every format.
    pub numbers_surfaces: bool,
    /// Starts of the names of `.skin` files of which the game combines one each to a skin. Empty if it combines none.
    pub skin_parts: &'static [&'static str],
    /// Folders of `.g2skin` files, with the start of the paths of the models that they are for. The first one applies.
    pub skin_folders: &'static [(&'static str, &'static str)],
    /// Extension of the file that turns surfaces on and off, next to a `.skin` file and with its name. Empty if the
    /// game reads no such files.
    pub switch_extension: &'static str,
}

/// A pattern by which an engine makes the name of an image.
#[derive(Debug)]
pub(crate) struct NamePattern {
    /// Format whose models the pattern is for.
    pub format: Format,
    /// Name, usually without an extension, with the placeholders `{surface}`, `{index}` (of the surface), `{shader}`,
    /// `{model}` (its path without extension), `{stem}` (its file name without extension), `{skin}` and `{skin:02}`
    /// (with two digits). Without a skin's number, the pattern is for skin 0.
    pub name: &'static str,
}

/// File name suffixes of the maps that are drawn together with a texture.
#[derive(Debug)]
pub(crate) struct MapSuffixes {
    /// Glow maps, added at full brightness.
    pub glow: &'static [&'static str],
    /// Tangent-space normal maps.
    pub normals: &'static [&'static str],
    /// Gloss maps.
    pub gloss: &'static [&'static str],
    /// Maps added in the colours that the game gives a player.
    pub tinted: &'static [&'static str],
}

/// Rules of most engines.
const USUAL: TextureRules = TextureRules {
    bare_name_folders: &[],
    other_paths: &[],
    layers: None,
    ignores_lightmaps: false,
    name_patterns: &[],
    name_folders: &[""],
    image_extensions: &[],
    searches_model_folder: false,
    hides_missing: false,
    script: &ScriptRules::QUAKE_3,
    alpha_without_script: false,
    is_unlit_without_script: false,
    resolves_parents: false,
    has_skin_tables: false,
    numbers_surfaces: false,
    skin_parts: &[],
    skin_folders: &[],
    switch_extension: "",
};

/// Engine without special rules.
const PLAIN: Engine = Engine {
    name: "",
    short_name: "",
    base_folders: &[],
    other_folders: &[],
    marks_root: |_, _| false,
    profile: None,
    formats: &[],
    sign: |_, _, _| None,
    level_files: usual_level_files,
    textures: USUAL,
    light: &LightRule::QUAKE_3,
    setups: |_, _, _, _| Vec::new(),
    add_companions: |_, _, _, _| (),
    mirrors: &[],
    animations: |_, _, _, _| None,
    skins: |_, _, _| Vec::new(),
    declared_models: |_| Vec::new(),
    declared_mesh: |_, _| None,
    clip_file,
    declared_parts: |_, _| Vec::new(),
    add_skeleton: |_, _, _, _| (),
    joined_models: |_, _| None,
    character: |_, _| None,
};

/// All engines, in the order in which base folders are searched. The first engine that recognises a model applies.
pub static ENGINES: &[&Engine] = &[
    &fte::ENGINE,
    &quake::ENGINE,
    &quake2::ENGINE,
    &q2pro::ENGINE,
    &quake2::KINGPIN,
    &quake2::HERETIC_2,
    &quake2::DAIKATANA,
    &quake3::ENGINE,
    &elite_force::ENGINE,
    &return_to_castle_wolfenstein::ENGINE,
    &enemy_territory::ENGINE,
    &doom3::ENGINE,
    &jedi_academy::ENGINE,
    &quake3::OPEN_ARENA,
    &qfusion::ENGINE,
    &cube::ENGINE,
    &gzdoom::ENGINE,
    &darkplaces::ENGINE,
    &srb2::ENGINE,
    &daemon::ENGINE,
    &ufoai::ENGINE,
    &quetoo::ENGINE,
    // No game reads glTF models; they are for conversion.
    &Engine {
        name: "glTF",
        short_name: "glTF",
        textures: TextureRules { searches_model_folder: true, ..USUAL },
        ..PLAIN
    },
    // No game reads 3DS or DXF.
    &Engine {
        name: "modelling programs",
        short_name: "programs",
        textures: TextureRules { searches_model_folder: true, ..USUAL },
        ..PLAIN
    },
    &Engine { name: "other games", short_name: "other", other_folders: &["baseaq", "game"], ..PLAIN },
];

/// All lint profiles, in the order of menus, reports and documents: by the age of the game, and each game before engines
/// that were made of it. The first one stands for any engine and has no limits.
pub static PROFILES: &[&Profile] = &[
    &profile::ANY,
    &quake::QUAKE,
    &quake::QUAKESPASM,
    &quake::IRONWAIL,
    &quake::VKQUAKE,
    &fte::PROFILE,
    &darkplaces::PROFILE,
    &quake2::QUAKE_2,
    &quake2::YQUAKE_2,
    &q2pro::PROFILE,
    &quake2::REMASTER,
    &quake3::QUAKE_3,
    &quake3::IOQUAKE_3,
    &elite_force::PROFILE,
    &return_to_castle_wolfenstein::PROFILE,
    &enemy_territory::PROFILE,
    &jedi_academy::PROFILE,
    &doom3::PROFILE,
    &qfusion::PROFILE,
    &cube::PROFILE,
    &ufoai::PROFILE,
    &gzdoom::PROFILE,
    &srb2::PROFILE,
    &quetoo::PROFILE,
];

/// Names of content folders that games have below their roots.
pub(crate) const CONTENT_FOLDERS: [&str; 7] =
    ["models", "scripts", jedi_academy::SHADERS, "materials", "textures", "players", "progs"];

/// Names that only the root of a game contains.
pub(crate) const ROOT_NAMES: [&str; 5] = ["models", "pak0.pk3", "pak0.pak", "pak000.pk4", "assets0.pk3"];

/// Index in [`ENGINES`] of the engine that each format was made for. A format without an engine does not compile.
const BY_FORMAT: [usize; Format::ALL.len()] = {
    let mut indices = [0; Format::ALL.len()];
    let mut format = 0;
    while format < indices.len() {
        let game = Format::ALL[format].traits().game.as_bytes();
        while !is_equal(ENGINES[indices[format]].name.as_bytes(), game) {
            indices[format] += 1;
        }
        format += 1;
    }
    indices
};

const fn is_equal(own: &[u8], other: &[u8]) -> bool {
    let mut index = 0;
    while index < own.len() && index < other.len() && own[index] == other[index] {
        index += 1;
    }
    index == own.len() && index == other.len()
}

impl Engine {
    /// Returns the engine that a format was made for.
    #[must_use]
    pub fn for_format(format: Format) -> &'static Self {
        ENGINES[BY_FORMAT[format as usize]]
    }
}

/// An engine, and the file by which it was recognised.
#[derive(Clone, Debug)]
pub struct KnownEngine {
    /// The engine.
    pub engine: &'static Engine,
    /// Game path of the file, or a description of the folder.
    pub by: String,
}

impl KnownEngine {
    /// Returns the engine with specific rules that the model of `format` at `game_path` belongs to. `None` if there is
    /// none.
    #[must_use]
    pub fn for_model(vfs: &Vfs, game_path: &str, format: Format) -> Option<Self> {
        let engines = ENGINES.iter().filter(|engine| engine.formats.contains(&format));
        engines.into_iter().find_map(|engine| Some(Self { engine, by: (engine.sign)(vfs, game_path, format)? }))
    }
}

/// Returns the game path of the model that a game declares under a name.
pub(crate) fn declared_mesh(vfs: &Vfs, name: &str) -> Option<String> {
    ENGINES.iter().find_map(|engine| (engine.declared_mesh)(vfs, name))
}

/// Declared model that is attached to a joint of another.
pub(crate) struct DeclaredPart {
    /// Name of its declaration.
    pub name: String,
    pub joint: String,
    pub is_head: bool,
    /// Turn from the joint's axes; `None` for the axes of the other model in the bind pose.
    pub turn: Option<Quat>,
    /// Distance from the joint along the axes of the other model in the bind pose.
    pub origin: Vec3,
}

impl DeclaredPart {
    /// Returns the name of the tag that holds the model.
    pub fn tag(&self) -> &str {
        if self.is_head { "def_head" } else { &self.name }
    }
}

/// Returns the models that are attached to the entity by which a model is opened.
pub(crate) fn declared_parts(vfs: &Vfs) -> Vec<DeclaredPart> {
    vfs.declared_as()
        .map_or_else(Vec::new, |name| ENGINES.iter().flat_map(|engine| (engine.declared_parts)(vfs, name)).collect())
}

/// Returns whether some engines, but not all, read models of a format as their mirror images.
pub fn may_be_mirrored(format: Format) -> bool {
    ENGINES.iter().any(|engine| engine.mirrors.contains(&format))
}

/// Quake III has three LODs (`tr_local.h`, `MD3_MAX_LODS`).
fn usual_level_files(format: Format) -> u32 {
    if format.traits().lods == LodStorage::Files { 2 } else { 0 }
}

/// Returns the number of files with coarser LODs for the model of `format` at a path on disk, which may be in a base
/// folder of an engine.
pub(crate) fn level_files(path: &Path, format: Format) -> u32 {
    let has_part = |folder: &&'static str| path.iter().any(|part| part.eq_ignore_ascii_case(folder));
    let is_own = |engine: &&&Engine| engine.base_folders.iter().any(has_part);
    let engine = ENGINES.iter().filter(|engine| engine.formats.contains(&format)).find(is_own);
    (engine.copied().unwrap_or(&PLAIN).level_files)(format)
}

/// Returns the index of a folder's name in the list of all base folders, ignoring case.
pub(crate) fn base_folder_index(name: &str) -> Option<usize> {
    ENGINES.iter().flat_map(|engine| engine.base_folders).position(|folder| name.eq_ignore_ascii_case(folder))
}

/// Returns whether a game has a folder of this name, ignoring case.
pub(crate) fn is_game_folder(name: &str) -> bool {
    let folders = ENGINES.iter().flat_map(|engine| engine.base_folders.iter().chain(engine.other_folders));
    folders.into_iter().any(|folder| name.eq_ignore_ascii_case(folder))
}

/// Sign: the model's folder is `folder`, in the root of the virtual file system.
fn in_folder(game_path: &str, folder: &str) -> Option<String> {
    folder_of(game_path).eq_ignore_ascii_case(folder).then(|| format!("the folder {folder}"))
}

/// Sign: a folder above the model is `folder`, below the root of the virtual file system or including it.
fn below_folder(vfs: &Vfs, game_path: &str, folder: &str) -> Option<String> {
    let is_below = |path: &str| {
        path.get(..folder.len()).is_some_and(|start| start.eq_ignore_ascii_case(folder))
            && path.as_bytes().get(folder.len()) == Some(&b'/')
    };
    // The first part of the name may itself look like a game's root.
    let from_root = || vfs.root().map(|root| join(&name_of_location(root), game_path));
    (is_below(game_path) || from_root().as_deref().is_some_and(is_below)).then(|| format!("the folder {folder}"))
}

/// Sign: the model is in an archive, or a folder that counts as one, with one of these extensions.
fn in_archive(vfs: &Vfs, game_path: &str, extensions: &[&str]) -> Option<String> {
    let location = vfs.location_of(game_path)?;
    let mut names = location.ancestors().skip(1).map(name_of_location);
    let is_known = |extension: &str| extensions.iter().any(|known| extension.eq_ignore_ascii_case(known));
    names.find(|name| is_known(split_extension(name).1))
}

/// Sign, or companion file: a file named like the model, with `extension` in place of the model's.
fn with_extension(vfs: &Vfs, game_path: &str, extension: &str) -> Option<String> {
    vfs.look_up(&format!("{}.{extension}", split_extension(game_path).0))
}
