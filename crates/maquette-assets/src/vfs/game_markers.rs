//! Game markers of a folder.

use super::path::{is_archive_folder_name, is_mounted_name};
use crate::game::{CONTENT_FOLDERS, base_folder_index};

/// Names that only the root of a game contains.
const ROOT_SIGNS: [&str; 5] = ["models", "pak0.pk3", "pak0.pak", "pak000.pk4", "assets0.pk3"];

#[derive(Debug)]
pub(super) struct GameMarkers {
    /// Whether the folder contains a content folder of games, a game's first archive or model definitions.
    pub is_root: bool,
    /// Whether the folder contains a name of [`ROOT_SIGNS`]. Other content folders, such as `players`, may be in a
    /// folder of models.
    pub is_certain_root: bool,
    /// Names that games mount as archives, in search order: by upper-cased name, which puts `_` after the letters
    /// (ioquake3 `code/qcommon/files.c`: `paksort`, `FS_PathCmp`).
    pub archives: Vec<String>,
    pub base_games: Vec<String>,
}

impl GameMarkers {
    pub(super) fn from_names<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let (mut is_root, mut is_certain_root) = (false, false);
        let (mut archives, mut bases) = (Vec::new(), Vec::new());
        for name in names {
            let is_one_of = |signs: &[&str]| signs.iter().any(|sign| name.eq_ignore_ascii_case(sign));
            is_certain_root |= is_one_of(&ROOT_SIGNS);
            // GZDoom reads definitions of models in the root.
            let is_definition = name.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("modeldef"));
            is_root |= is_definition || is_certain_root || is_one_of(&CONTENT_FOLDERS);
            if is_mounted_name(name) || is_archive_folder_name(name) {
                archives.push(name.to_owned());
            }
            bases.extend(base_folder_index(name).map(|index| (index, name.to_owned())));
        }
        archives.sort_by_cached_key(|name| std::cmp::Reverse((name.to_uppercase(), name.clone())));
        bases.sort();
        Self { is_root, is_certain_root, archives, base_games: bases.into_iter().map(|(_, name)| name).collect() }
    }
}
