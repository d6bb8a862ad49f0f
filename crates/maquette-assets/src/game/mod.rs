//! Table of the known games.
//!
//! A row of [`GAMES`] lists a game's folders, its lint profile and the rules that differ from those of its formats
//! ([`maquette_core::model::FormatTraits`]). A new kind of companion file also needs a [`Companion`] and a parser in
//! [`maquette_core::formats`].

#![forbid(unsafe_code)]

use maquette_core::model::Format;

/// A game, or a family of games with the same rules.
#[derive(Debug)]
pub struct Game {
    /// Display name.
    pub name: &'static str,
    /// Short display name, for example for tables.
    pub short_name: &'static str,
    /// Folders of the game that mods build upon.
    pub base_folders: &'static [&'static str],
    /// Other folders that hold archives of the game.
    pub other_folders: &'static [&'static str],
    /// Name of the profile in [`lint::PROFILES`](crate::lint::PROFILES) for models of the game, if there is one.
    pub lint_profile: Option<&'static str>,
    /// Formats whose models `signs` can identify.
    pub formats: &'static [Format],
    /// Files that identify a model as the game's. Empty for games without specific rules.
    pub signs: &'static [Sign],
    /// Rules for finding textures.
    pub textures: TextureRules,
    /// Kinds of files in a model's folder that belong to the model.
    pub companions: &'static [Companion],
}

/// A file that identifies a model as a game's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A script of the Cube engines for the format, in the model's folder or below.
    CubeScript,
    /// The model's folder is this one, in the root of the virtual file system.
    InFolder(&'static str),
    /// A folder above the model is this one, below the root of the virtual file system or including it.
    BelowFolder(&'static str),
    /// The model is in an archive, or a folder that counts as one, with one of these extensions.
    InArchive(&'static [&'static str]),
    /// A file whose name begins with `modeldef`, in the root or in a folder above the model.
    ModelDefinitions,
    /// A model that this one replaces ([`replaced_model`](crate::material::replaced_model)).
    ReplacedModel,
    /// A file of this name in the root of the virtual file system.
    AtRoot(&'static str),
    /// A file named like the model, with this extension appended.
    AfterName(&'static str),
    /// A file named like the model, with this extension in place of the model's.
    InPlaceOfExtension(&'static str),
}

/// Rules of a game for finding textures.
#[derive(Debug)]
pub struct TextureRules {
    /// Folders that are searched first for images named without a folder.
    pub bare_name_folders: &'static [&'static str],
    /// Suffixes of companion maps, for example normal maps.
    pub layers: Option<MapSuffixes>,
    /// Whether `$lightmap` stages of scripts are left out on models.
    pub ignores_lightmaps: bool,
    /// Patterns by which the game makes names of images, in the order in which it tries them.
    pub name_patterns: &'static [NamePattern],
    /// Folders in which the game looks for images whose names it made; empty for the root.
    pub name_folders: &'static [&'static str],
    /// Extensions of images that only this game reads. They are tried after the usual ones.
    pub image_extensions: &'static [&'static str],
    /// Whether the game draws nothing in place of a missing texture, instead of a default image.
    pub hides_missing: bool,
    /// Whether scripts are used although they contain unknown directives. Quake III rejects them (`tr_shader.c`,
    /// `ParseShader`) and draws its default image.
    pub skips_unknown_words: bool,
    /// Whether textures without a script are transparent according to their alpha, in every format.
    pub alpha_without_script: bool,
}

/// A pattern by which a game makes the name of an image.
#[derive(Debug)]
pub struct NamePattern {
    /// Format whose models the pattern is for.
    pub format: Format,
    /// Name, usually without an extension, with the placeholders `{surface}`, `{index}` (of the surface), `{shader}`, `{model}` (its path without
    /// extension), `{skin}` and `{skin:02}` (with two digits). Without a skin's number, the pattern is for skin 0.
    pub name: &'static str,
}

/// File name suffixes of the maps that are drawn together with a texture.
#[derive(Debug)]
pub struct MapSuffixes {
    /// Glow maps, added at full brightness.
    pub glow: &'static [&'static str],
    /// Tangent-space normal maps.
    pub normals: &'static [&'static str],
    /// Gloss maps.
    pub gloss: &'static [&'static str],
    /// Maps added in the colours that the game gives a player.
    pub tinted: &'static [&'static str],
}

/// A kind of file in a model's folder that belongs to the model, beyond those of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    /// `md2.cfg`, `md3.cfg`, `md5.cfg`, `iqm.cfg`: skins, animations, tags ([`cube_cfg`](maquette_core::formats::cube_cfg)).
    CubeScript,
    /// `MODEL.framegroups`: clips ([`framegroups`](maquette_core::formats::framegroups)).
    FrameGroups,
    /// `STEM_NAME.skin` of an MD5: skins whose entries are for the surfaces by number
    /// ([`SkinFile::path_at`](crate::material::SkinFile::path_at)).
    NumberedSkins,
    /// `MODELDEF`: textures, clips, scale ([`model_def`](maquette_core::formats::model_def)).
    ModelDefinitions,
    /// The MD2 or MD3 that an MD5 replaces: skins and clips ([`replaced_model`](crate::material::replaced_model)).
    ReplacedModel,
    /// `STEM.skin`: all skins, in columns ([`SkinFile::parse_columns`](crate::material::SkinFile::parse_columns)).
    SkinTable,
    /// `STEM.anm`: clips ([`ufoai_anm`](maquette_core::formats::ufoai_anm)).
    Animations,
    /// `STEM.tag`: tags ([`ufoai_tag`](maquette_core::formats::ufoai_tag)).
    Tags,
}

const USUAL: TextureRules = TextureRules {
    bare_name_folders: &[],
    layers: None,
    ignores_lightmaps: false,
    name_patterns: &[],
    name_folders: &[""],
    image_extensions: &[],
    hides_missing: false,
    skips_unknown_words: false,
    alpha_without_script: false,
};

/// Extension of Quake's images, whose texels are colours of the palette.
pub const LMP: &str = "lmp";

/// Suffixes of maps in DarkPlaces, and of glow maps in all ports of Quake.
pub(crate) const QUAKE_MAPS: MapSuffixes =
    MapSuffixes { glow: &["_glow", "_luma"], normals: &["_norm"], gloss: &["_gloss"], tinted: &["_pants", "_shirt"] };

const PLAIN: Game = Game {
    name: "",
    short_name: "",
    base_folders: &[],
    other_folders: &[],
    lint_profile: None,
    formats: &[],
    signs: &[],
    textures: USUAL,
    companions: &[],
};

/// All games, in the order in which base folders are searched. The first game that recognises a model applies.
pub static GAMES: [Game; 18] = [
    // Ports that replace models of Quake. Source: Ironwail `gl_model.c` (`Mod_LoadMD5Skins`,
    // `Mod_LoadMD3_LoadNonSkinFileTextures`), vkQuake `gl_model.c` (`Mod_LoadMD3SurfaceSkins`, `Mod_LoadMDXSkinTask`,
    // `Mod_LoadMD3SkinDefinitions`). Maquette shows the first image of an animated skin.
    Game {
        name: "Quake",
        short_name: "Quake",
        other_folders: &["id1"],
        lint_profile: Some("quake"),
        formats: &[Format::Mdl, Format::Md3, Format::Md5],
        signs: &[Sign::InFolder("progs")],
        textures: TextureRules {
            bare_name_folders: &["progs", "textures"],
            layers: Some(QUAKE_MAPS),
            name_patterns: &[
                NamePattern { format: Format::Md5, name: "{shader}_{skin:02}_00" },
                NamePattern { format: Format::Md3, name: "{surface}_{skin}_0" },
                NamePattern { format: Format::Md3, name: "{surface}_{skin}" },
                NamePattern { format: Format::Md3, name: "{surface}" },
                NamePattern { format: Format::Md3, name: "{model}.md3_{index}_{skin}_0" },
                NamePattern { format: Format::Md3, name: "{surface}_{skin:02}_00" },
            ],
            name_folders: &["", "progs", "textures"],
            image_extensions: &[LMP],
            ..USUAL
        },
        companions: &[Companion::SkinTable],
        ..PLAIN
    },
    Game { name: "Quake II", short_name: "Quake II", base_folders: &["baseq2"], lint_profile: Some("quake2"), ..PLAIN },
    Game {
        name: "Quake II remaster (Q2PRO)",
        short_name: "Q2PRO",
        lint_profile: Some("q2pro"),
        formats: &[Format::Md5],
        signs: &[Sign::ReplacedModel],
        companions: &[Companion::ReplacedModel],
        ..PLAIN
    },
    Game {
        name: "Quake III",
        short_name: "Quake III",
        base_folders: &["baseq3"],
        other_folders: &["missionpack"],
        lint_profile: Some("quake3"),
        ..PLAIN
    },
    Game {
        name: "Elite Force",
        short_name: "Elite Force",
        base_folders: &["baseEF"],
        lint_profile: Some("elite-force"),
        ..PLAIN
    },
    Game {
        name: "Return to Castle Wolfenstein",
        short_name: "RTCW",
        base_folders: &["main"],
        lint_profile: Some("rtcw"),
        ..PLAIN
    },
    Game { name: "Enemy Territory", short_name: "ET", base_folders: &["etmain"], lint_profile: Some("et"), ..PLAIN },
    Game {
        name: "Doom 3",
        short_name: "Doom 3",
        base_folders: &["base"],
        other_folders: &["d3xp"],
        lint_profile: Some("doom3"),
        ..PLAIN
    },
    // Jedi Outcast and Soldier of Fortune II have the same folders and formats.
    Game {
        name: "Jedi Academy",
        short_name: "Jedi Academy",
        base_folders: &["base"],
        lint_profile: Some("jka"),
        ..PLAIN
    },
    Game {
        name: "OpenArena",
        short_name: "OpenArena",
        base_folders: &["baseoa"],
        lint_profile: Some("ioquake3"),
        ..PLAIN
    },
    // A folder without a script has its skin in itself or in its parent (Sauerbraten `md2.h`, `loaddefaultparts`).
    Game {
        name: "Cube engine (AssaultCube, Sauerbraten, Red Eclipse)",
        short_name: "Cube engine",
        lint_profile: Some("cube2"),
        formats: &Format::ALL,
        signs: &[Sign::CubeScript, Sign::BelowFolder("packages/models")],
        textures: TextureRules { alpha_without_script: true, ..USUAL },
        companions: &[Companion::CubeScript],
        ..PLAIN
    },
    // Source: GZDoom `models.cpp` (`ParseModelDefLump`, `LoadSkin`), `models_md3.cpp` (`RenderFrame`).
    Game {
        name: "GZDoom",
        short_name: "GZDoom",
        formats: &[Format::Md2, Format::Md3],
        signs: &[Sign::ModelDefinitions],
        textures: TextureRules { hides_missing: true, ..USUAL },
        companions: &[Companion::ModelDefinitions],
        ..PLAIN
    },
    // Source: DarkPlaces `image.c` (`imageformats_nopath`), `gl_rmain.c` (`R_SkinFrame_LoadExternal`),
    // `model_shared.c`. Of the engines that read these formats, only DarkPlaces uses compiled QuakeC in the root. A
    // single model is recognised by the list of clips in its folder.
    Game {
        name: "DarkPlaces (Nexuiz, Xonotic)",
        short_name: "DarkPlaces",
        other_folders: &["data"],
        lint_profile: Some("darkplaces"),
        formats: &[Format::Mdl, Format::Md2, Format::Md3, Format::Iqm],
        signs: &[
            Sign::AtRoot("progs.dat"),
            Sign::AtRoot("csprogs.dat"),
            Sign::AtRoot("menu.dat"),
            Sign::AfterName("framegroups"),
        ],
        textures: TextureRules {
            bare_name_folders: &["override", "textures"],
            layers: Some(QUAKE_MAPS),
            ignores_lightmaps: true,
            alpha_without_script: true,
            skips_unknown_words: true,
            ..USUAL
        },
        companions: &[Companion::FrameGroups],
        ..PLAIN
    },
    // Source: SRB2 `src/hardware/hw_md2.c` (`HWR_InitModels`, `md2_loadTexture`). The names in the model are not used.
    Game {
        name: "SRB2",
        short_name: "SRB2",
        lint_profile: Some("srb2"),
        formats: &[Format::Md2, Format::Md3],
        signs: &[Sign::AtRoot("models.dat")],
        textures: TextureRules {
            name_patterns: &[
                NamePattern { format: Format::Md2, name: "{model}.png" },
                NamePattern { format: Format::Md3, name: "{model}.png" },
            ],
            ..USUAL
        },
        ..PLAIN
    },
    // Source: Daemon `src/engine/renderer/tr_animation.cpp` (`R_AddMD5Surfaces`), `tr_skin.cpp` (`RE_RegisterSkin`).
    Game {
        name: "Daemon (Unvanquished)",
        short_name: "Daemon",
        formats: &[Format::Md5],
        signs: &[Sign::InArchive(&["dpk", "dpkdir"])],
        companions: &[Companion::NumberedSkins],
        ..PLAIN
    },
    Game {
        name: "UFO: Alien Invasion",
        short_name: "UFO: AI",
        lint_profile: Some("ufoai"),
        formats: &[Format::Md2],
        signs: &[Sign::InPlaceOfExtension("anm"), Sign::InPlaceOfExtension("tag")],
        companions: &[Companion::Animations, Companion::Tags],
        ..PLAIN
    },
    // No game of the table reads glTF models; they are for conversion.
    Game { name: "glTF", short_name: "glTF", ..PLAIN },
    Game { name: "other games", short_name: "other", other_folders: &["baseaq", "game"], ..PLAIN },
];

/// Names of content folders that games have below their roots.
pub const CONTENT_FOLDERS: [&str; 6] = ["models", "scripts", "materials", "textures", "players", "progs"];

/// Returns the game that a format was made for.
#[must_use]
pub fn game_of_format(format: Format) -> &'static Game {
    GAMES.iter().find(|game| game.name == format.game()).unwrap_or(&GAMES[0])
}

/// Returns the index of a folder's name in the list of all base folders, ignoring case.
#[must_use]
pub fn base_folder_index(name: &str) -> Option<usize> {
    GAMES.iter().flat_map(|game| game.base_folders).position(|folder| name.eq_ignore_ascii_case(folder))
}

/// Returns whether a game has a folder of this name, ignoring case.
#[must_use]
pub fn is_game_folder(name: &str) -> bool {
    let folders = GAMES.iter().flat_map(|game| game.base_folders.iter().chain(game.other_folders));
    folders.into_iter().any(|folder| name.eq_ignore_ascii_case(folder))
}
