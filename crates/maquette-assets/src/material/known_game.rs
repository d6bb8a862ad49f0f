//! Recognition of a model's game by the files around the model.

use crate::game::{GAMES, Game, Sign};
use crate::limits::MAX_CUBE_FOLDERS;
use crate::vfs::{Vfs, folder_of, join, split_extension};
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
            Sign::AtRoot(name) => vfs.find(name),
            Sign::AfterName(extension) => vfs.find(&format!("{game_path}.{extension}")),
            Sign::InPlaceOfExtension(extension) => vfs.find(&format!("{}.{extension}", split_extension(game_path).0)),
        };
        Some(KnownGame { game, by: by? })
    })
}

/// Returns the scripts of a Cube engine for a model: in its folder, then in inner folders, which may show it too.
#[must_use]
pub fn cube_scripts(vfs: &Vfs, game_path: &str, format: Format) -> Vec<String> {
    let Some(name) = format.traits().companions.cube_script else { return Vec::new() };
    let folder = folder_of(game_path);
    let folders = vfs.folders_in(folder);
    let below = folders.iter().take(MAX_CUBE_FOLDERS).map(|below| join(folder, below));
    std::iter::once(folder.to_owned()).chain(below).filter_map(|folder| vfs.find(&join(&folder, name))).collect()
}
