//! The table of games.
//!
//! Most games keep to the rules of the formats that they use, which are in [`maquette_core::model::FormatTraits`]. A row of [`GAMES`]
//! says in which folders a game lies, which profile checks its models, and what it does by rules of its own. To add a game:
//! a row, and, if it has files of a kind that no other game has, a [`Companion`] and its parser in [`maquette_core::formats`].

#![forbid(unsafe_code)]

use maquette_core::model::Format;

/// A game, or a family of games with the same rules.
#[derive(Debug)]
pub struct Game {
    /// Name that users see.
    pub name: &'static str,
    /// Name for narrow places.
    pub short_name: &'static str,
    /// Folders of the game that mods build upon.
    pub base_folders: &'static [&'static str],
    /// Other folders that hold archives of the game.
    pub other_folders: &'static [&'static str],
    /// Name of the profile in [`lint::PROFILES`](crate::lint::PROFILES) that checks models for the game, if there is one.
    pub lint_profile: Option<&'static str>,
    /// Formats of models that are recognised by `signs`.
    pub formats: &'static [Format],
    /// Files that show that a model is the game's. Empty for games without rules of their own.
    pub signs: &'static [Sign],
    /// Where the game's pictures lie, and what belongs to one.
    pub textures: TextureRules,
    /// Files next to a model that belong to it.
    pub companions: &'static [Companion],
}

/// A file that shows that a model is a game's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A script of the Cube engines for the format, in the model's folder or below.
    CubeScript,
    /// A file of this name at the root.
    AtRoot(&'static str),
    /// A file that is called like the model, with this extension after the model's.
    AfterName(&'static str),
    /// A file that is called like the model, with this extension in place of the model's.
    InPlaceOfExtension(&'static str),
}

/// Where a game's pictures lie, and what belongs to one.
#[derive(Debug)]
pub struct TextureRules {
    /// Folders in which a picture is looked for first whose name has none.
    pub bare_name_folders: &'static [&'static str],
    /// Endings of the pictures that are drawn with another one.
    pub layers: Option<MapSuffixes>,
    /// A `$lightmap` stage of a script is left out on models.
    pub ignores_lightmaps: bool,
    /// Pictures without a script are seen through where their alpha says so, in every format.
    pub alpha_without_script: bool,
}

/// What the names of pictures end in that are drawn with another one.
#[derive(Debug)]
pub struct MapSuffixes {
    /// Added, as bright as it is.
    pub glow: &'static [&'static str],
    /// Normals in the surface's own axes.
    pub normals: &'static [&'static str],
    /// How it shines.
    pub gloss: &'static [&'static str],
    /// Added, in the colours that the game gives a player.
    pub tinted: &'static [&'static str],
}

/// Files beside a model that belong to it, beyond those of its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Companion {
    /// `md2.cfg`, `md3.cfg`, `md5.cfg`: skins, animations, tags ([`cube_cfg`](maquette_core::formats::cube_cfg)).
    CubeScript,
    /// `MODEL.framegroups`: clips ([`framegroups`](maquette_core::formats::framegroups)).
    FrameGroups,
    /// `STEM.anm`: clips ([`ufoai_anm`](maquette_core::formats::ufoai_anm)).
    Animations,
    /// `STEM.tag`: tags ([`ufoai_tag`](maquette_core::formats::ufoai_tag)).
    Tags,
}

/// The rules of games without rules of their own.
const USUAL: TextureRules =
    TextureRules { bare_name_folders: &[], layers: None, ignores_lightmaps: false, alpha_without_script: false };

/// A game that keeps to the rules of its formats.
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

/// Every game. Base folders are searched in this order, and the first game that recognises a model counts.
pub static GAMES: [Game; 12] = [
    Game { name: "Quake", short_name: "Quake", other_folders: &["id1"], ..PLAIN },
    Game { name: "Quake II", short_name: "Quake II", base_folders: &["baseq2"], lint_profile: Some("quake2"), ..PLAIN },
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
    Game {
        name: "OpenArena",
        short_name: "OpenArena",
        base_folders: &["baseoa"],
        lint_profile: Some("ioquake3"),
        ..PLAIN
    },
    Game {
        name: "Cube engine (AssaultCube, Sauerbraten, Red Eclipse)",
        short_name: "Cube engine",
        lint_profile: Some("cube2"),
        formats: &Format::ALL,
        signs: &[Sign::CubeScript],
        textures: TextureRules { alpha_without_script: true, ..USUAL },
        companions: &[Companion::CubeScript],
        ..PLAIN
    },
    // Source: DarkPlaces `image.c` (`imageformats_nopath`), `gl_rmain.c` (`R_SkinFrame_LoadExternal`), `model_shared.c`.
    // Compiled QuakeC at the root: no other engine that reads these formats has a use for it. A model by itself is known
    // by the list of clips next to it.
    Game {
        name: "DarkPlaces (Nexuiz, Xonotic)",
        short_name: "DarkPlaces",
        other_folders: &["data"],
        lint_profile: Some("darkplaces"),
        formats: &[Format::Md2, Format::Md3],
        signs: &[
            Sign::AtRoot("progs.dat"),
            Sign::AtRoot("csprogs.dat"),
            Sign::AtRoot("menu.dat"),
            Sign::AfterName("framegroups"),
        ],
        textures: TextureRules {
            bare_name_folders: &["override", "textures"],
            layers: Some(MapSuffixes {
                glow: &["_glow", "_luma"],
                normals: &["_norm"],
                gloss: &["_gloss"],
                tinted: &["_pants", "_shirt"],
            }),
            ignores_lightmaps: true,
            alpha_without_script: true,
        },
        companions: &[Companion::FrameGroups],
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
    Game { name: "other games", short_name: "other", other_folders: &["baseaq", "game"], ..PLAIN },
];

/// Folders of every game, below its root.
pub const CONTENT_FOLDERS: [&str; 5] = ["models", "scripts", "materials", "textures", "players"];

/// Returns the game that a format was made for.
#[must_use]
pub fn game_of_format(format: Format) -> &'static Game {
    GAMES.iter().find(|game| game.name == format.game()).unwrap_or(&GAMES[0])
}

/// Returns the position of a folder's name among the base folders of all games.
#[must_use]
pub fn base_folder_index(name: &str) -> Option<usize> {
    GAMES.iter().flat_map(|game| game.base_folders).position(|folder| name.eq_ignore_ascii_case(folder))
}

/// Whether a game's folder has this name.
#[must_use]
pub fn is_game_folder(name: &str) -> bool {
    let folders = GAMES.iter().flat_map(|game| game.base_folders.iter().chain(game.other_folders));
    folders.into_iter().any(|folder| name.eq_ignore_ascii_case(folder))
}
