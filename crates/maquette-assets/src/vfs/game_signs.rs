//! What in a folder tells of a game.

use super::path::{is_archive_folder_name, is_mounted_name};

/// Names whose presence marks a folder as the root of a game.
const ROOT_SIGNS: [&str; 8] =
    ["models", "scripts", "materials", "textures", "players", "pak0.pk3", "pak0.pak", "pak000.pk4"];
/// Folders of the games that others build upon.
pub(super) const BASE_GAMES: [&str; 7] = ["baseq2", "baseq3", "baseEF", "main", "etmain", "base", "baseoa"];

/// What in a folder tells of a game.
#[derive(Debug)]
pub(super) struct GameSigns {
    /// It holds what only the root of a game does.
    pub is_root: bool,
    /// Names that games mount as archives, in the order they are searched. Compared as in upper case, which puts `_` behind
    /// the letters (ioquake3 `code/qcommon/files.c`: `paksort`, `FS_PathCmp`).
    pub archives: Vec<String>,
    /// Names of base games, in the order they are searched.
    pub base_games: Vec<String>,
}

impl GameSigns {
    /// Of all the names in a folder.
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut is_root = false;
        let (mut archives, mut bases) = (Vec::new(), Vec::new());
        for name in names {
            is_root |= ROOT_SIGNS.iter().any(|sign| name.eq_ignore_ascii_case(sign));
            if is_mounted_name(name) || is_archive_folder_name(name) {
                archives.push(name.to_owned());
            }
            bases.extend(base_game(name).map(|place| (place, name.to_owned())));
        }
        archives.sort_by_cached_key(|name| std::cmp::Reverse((name.to_uppercase(), name.clone())));
        bases.sort();
        Self { is_root, archives, base_games: bases.into_iter().map(|(_, name)| name).collect() }
    }
}

/// Where among the base games the one of this name is.
pub(super) fn base_game(name: &str) -> Option<usize> {
    BASE_GAMES.iter().position(|base| name.eq_ignore_ascii_case(base))
}
