//! Games with rules of their own, found by the files around a model and not by what they are called.
//!
//! Most games keep to the rules of the format that they use, and those are in [`crate::model::Format`]'s table and in the
//! search of [`crate::material`]. What some games do besides is a row of [`PROFILES`]: how one sees that a model is theirs,
//! where their pictures lie, and which files beside a model belong to it. To add a game: a row, and, if it has files of a
//! kind that nobody else has, a [`Companion`] and its parser in [`crate::formats`].

#![forbid(unsafe_code)]

use crate::model::Format;
use crate::vfs::{Vfs, folder_of, join, split_extension};

/// Folders below a model in which a script about it is looked for.
const MOST_FOLDERS: usize = 64;

/// A game, or a family of them, with rules of its own.
#[derive(Debug)]
pub struct GameProfile {
    /// What people call it.
    pub name: &'static str,
    /// The file that shows that the model of a format at a game path is one of its own, if it is.
    recognise: fn(&Vfs, &str, Format) -> Option<String>,
    /// Where its pictures lie, and what belongs to one.
    pub pictures: PictureRules,
    /// Files beside a model that belong to it.
    pub companions: &'static [Companion],
}

/// Where a game's pictures lie, and what belongs to one.
#[derive(Debug)]
pub struct PictureRules {
    /// Folders in which a picture is looked for first whose name has none.
    pub bare_name_folders: &'static [&'static str],
    /// Endings of the pictures that are drawn with another one.
    pub layers: Option<LayerEndings>,
    /// A `$lightmap` stage of a script is left out on models.
    pub ignores_lightmaps: bool,
    /// Pictures without a script are seen through where their alpha says so, in every format.
    pub alpha_without_script: bool,
}

/// What the names of pictures end in that are drawn with another one.
#[derive(Debug)]
pub struct LayerEndings {
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
    /// `md2.cfg`, `md3.cfg`, `md5.cfg`: skins, animations, tags ([`cube_cfg`](crate::formats::cube_cfg)).
    CubeScript,
    /// `MODEL.framegroups`: clips ([`framegroups`](crate::formats::framegroups)).
    FrameGroups,
    /// `STEM.anm`: clips ([`ufoai_anm`](crate::formats::ufoai_anm)).
    Animations,
    /// `STEM.tag`: tags ([`ufoai_tag`](crate::formats::ufoai_tag)).
    Tags,
}

/// Nothing but what everybody does.
const USUAL: PictureRules =
    PictureRules { bare_name_folders: &[], layers: None, ignores_lightmaps: false, alpha_without_script: false };

/// Every game with rules of its own; the first that knows a model as its own counts.
pub static PROFILES: [GameProfile; 3] = [
    GameProfile {
        name: "Cube engine (AssaultCube, Sauerbraten, Red Eclipse)",
        recognise: cube_script,
        pictures: PictureRules { alpha_without_script: true, ..USUAL },
        companions: &[Companion::CubeScript],
    },
    // Source: DarkPlaces `image.c` (`imageformats_nopath`), `gl_rmain.c` (`R_SkinFrame_LoadExternal`), `model_shared.c`.
    GameProfile {
        name: "DarkPlaces (Nexuiz, Xonotic)",
        recognise: quakec_programs,
        pictures: PictureRules {
            bare_name_folders: &["override", "textures"],
            layers: Some(LayerEndings {
                glow: &["_glow", "_luma"],
                normals: &["_norm"],
                gloss: &["_gloss"],
                tinted: &["_pants", "_shirt"],
            }),
            ignores_lightmaps: true,
            alpha_without_script: true,
        },
        companions: &[Companion::FrameGroups],
    },
    GameProfile {
        name: "UFO: Alien Invasion",
        recognise: animation_or_tags,
        pictures: USUAL,
        companions: &[Companion::Animations, Companion::Tags],
    },
];

/// A game, and what showed that a model is its.
#[derive(Clone, Debug)]
pub struct KnownGame {
    /// Its row.
    pub profile: &'static GameProfile,
    /// The file that shows it, as a game path.
    pub by: String,
}

/// The game with rules of its own whose model of `format` lies at `game_path`; none for all the others.
#[must_use]
pub fn known_game(vfs: &Vfs, game_path: &str, format: Format) -> Option<KnownGame> {
    PROFILES.iter().find_map(|profile| Some(KnownGame { by: (profile.recognise)(vfs, game_path, format)?, profile }))
}

/// A script for models of the format beside the model, or in a folder below: one that shows the model of the folder above.
fn cube_script(vfs: &Vfs, game_path: &str, format: Format) -> Option<String> {
    cube_scripts(vfs, game_path, format).into_iter().next()
}

/// The scripts of a Cube engine that may be about a model: the one beside it, then those in the folders below.
#[must_use]
pub fn cube_scripts(vfs: &Vfs, game_path: &str, format: Format) -> Vec<String> {
    let Some(name) = format.traits().companions.cube_script else { return Vec::new() };
    let folder = folder_of(game_path);
    let folders = vfs.folders_in(folder);
    let below = folders.iter().take(MOST_FOLDERS).map(|below| join(folder, below));
    std::iter::once(folder.to_owned()).chain(below).filter_map(|folder| vfs.find(&join(&folder, name))).collect()
}

/// Compiled QuakeC at the root: no other engine that reads these formats has a use for it. A model by itself is known by the
/// list of clips beside it.
fn quakec_programs(vfs: &Vfs, game_path: &str, format: Format) -> Option<String> {
    if !matches!(format, Format::Md2 | Format::Md3) {
        return None;
    }
    let programs = ["progs.dat", "csprogs.dat", "menu.dat"].into_iter().find_map(|name| vfs.find(name));
    programs.or_else(|| vfs.find(&format!("{game_path}.framegroups")))
}

/// A file of animations or of tags that is called like the MD2 beside it.
fn animation_or_tags(vfs: &Vfs, game_path: &str, format: Format) -> Option<String> {
    let (stem, _) = split_extension(game_path);
    let of_model = || ["anm", "tag"].into_iter().find_map(|extension| vfs.find(&format!("{stem}.{extension}")));
    if format == Format::Md2 { of_model() } else { None }
}
