//! Recognition of a model's game by the files around the model.

use crate::game::{GAMES, Game, Sign};
use crate::limits::{MAX_CUBE_FOLDERS, MAX_MODEL_DEFINITIONS};
use crate::vfs::{Vfs, folder_of, join, name_of, name_of_location, split_extension};
use maquette_core::model::Format;

/// A game, and the file by which it was recognised.
#[derive(Clone, Debug)]
pub struct KnownGame {
    /// The game.
    pub game: &'static Game,
    /// Game path of the file, or a description of the folder.
    pub by: String,
}

/// Returns the game with specific rules that the model of `format` at `game_path` belongs to. `None` if there is none.
#[must_use]
pub fn known_game(vfs: &Vfs, game_path: &str, format: Format) -> Option<KnownGame> {
    let games = GAMES.iter().filter(|game| game.formats.contains(&format));
    let mut signs = games.flat_map(|game| game.signs.iter().map(move |sign| (game, *sign)));
    signs.find_map(|(game, sign)| {
        let by = match sign {
            Sign::CubeScript => cube_scripts(vfs, game_path, format).into_iter().next(),
            Sign::InFolder(name) => {
                folder_of(game_path).eq_ignore_ascii_case(name).then(|| format!("the folder {name}"))
            }
            Sign::BelowFolder(name) => {
                let is_below = |path: &str| {
                    path.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
                        && path.as_bytes().get(name.len()) == Some(&b'/')
                };
                // The first part of the name may itself look like a game's root.
                let root = vfs.root().map(name_of_location);
                let from_root = root.map(|root| join(&root, game_path));
                let is_one = is_below(game_path) || from_root.as_deref().is_some_and(is_below);
                is_one.then(|| format!("the folder {name}"))
            }
            Sign::InArchive(extensions) => {
                let location = vfs.location_of(game_path);
                let names = location.iter().flat_map(|path| path.ancestors().skip(1)).map(name_of_location);
                let is_named = |name: &String| {
                    extensions.iter().any(|extension| split_extension(name).1.eq_ignore_ascii_case(extension))
                };
                names.into_iter().find(is_named)
            }
            Sign::ModelDefinitions => definition_files(vfs, game_path).into_iter().next().map(|(_, path)| path),
            Sign::ReplacedModel => replaced_model(vfs, game_path),
            Sign::AtRoot(name) => vfs.find(name),
            Sign::AfterName(extension) => vfs.find(&format!("{game_path}.{extension}")),
            Sign::InPlaceOfExtension(extension) => vfs.find(&format!("{}.{extension}", split_extension(game_path).0)),
        };
        Some(KnownGame { game, by: by? })
    })
}

/// Returns the files of model definitions of GZDoom with their folders: in the root, then in the folders down to the
/// model's. The game reads every file in the root whose name begins with `modeldef` (`FindLump` compares eight letters).
#[must_use]
pub fn definition_files(vfs: &Vfs, game_path: &str) -> Vec<(String, String)> {
    let mut folders = vec![String::new()];
    for part in folder_of(game_path).split('/').filter(|part| !part.is_empty()) {
        folders.push(join(folders.last().map_or("", String::as_str), part));
    }
    let mut files = Vec::new();
    for folder in folders {
        let names = vfs.files_in(&folder);
        let found = names.beginning_with("modeldef").take(MAX_MODEL_DEFINITIONS);
        files.extend(found.map(|name| (folder.clone(), join(&folder, name))));
    }
    files.truncate(MAX_MODEL_DEFINITIONS);
    files
}

/// Folder of models that replace those in the folder above.
pub const REPLACEMENT_FOLDER: &str = "md5";

/// Returns the path of the MD2 or MD3 that an MD5 in the folder `md5` replaces (q2pro `src/refresh/models.c`,
/// `MOD_LoadMD5`). The engine requires an animation of the MD5's name.
#[must_use]
pub fn replaced_model(vfs: &Vfs, game_path: &str) -> Option<String> {
    let (folder, stem) = (folder_of(game_path), split_extension(name_of(game_path)).0);
    if !name_of(folder).eq_ignore_ascii_case(REPLACEMENT_FOLDER) {
        return None;
    }
    vfs.find(&join(folder, &format!("{stem}.md5anim")))?;
    let outer = folder_of(folder);
    ["md2", "md3"].iter().find_map(|extension| vfs.find(&join(outer, &format!("{stem}.{extension}"))))
}

/// Returns the scripts of a Cube engine for a model: first in its folder, then in the folders inside, whose scripts may
/// load the model too.
#[must_use]
pub fn cube_scripts(vfs: &Vfs, game_path: &str, format: Format) -> Vec<String> {
    let Some(name) = format.traits().companions.cube_script else { return Vec::new() };
    let folder = folder_of(game_path);
    let folders = vfs.folders_in(folder);
    let below = folders.iter().take(MAX_CUBE_FOLDERS).map(|below| join(folder, below));
    std::iter::once(folder.to_owned()).chain(below).filter_map(|folder| vfs.find(&join(&folder, name))).collect()
}
