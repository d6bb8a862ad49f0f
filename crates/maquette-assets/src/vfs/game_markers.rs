//! Game markers of a folder.

use super::path::{is_archive_folder_name, is_mounted_name};
use crate::engines::{CONTENT_FOLDERS, ENGINES, ROOT_NAMES, base_folder_index};

#[derive(Debug)]
pub(super) struct GameMarkers {
    /// Whether the folder contains a content folder of games, a game's first archive or model definitions.
    pub is_root: bool,
    /// Whether the folder contains a name of [`ROOT_NAMES`]. Other content folders, such as `players`, may be in a
    /// folder of models.
    pub is_certain_root: bool,
    /// Names that games mount as archives, in search order: by upper-cased name, which puts `_` after the letters
    /// (ioquake3 `code/qcommon/files.c`: `paksort`, `FS_PathCmp`).
    pub archives: Vec<String>,
    pub base_games: Vec<String>,
}

impl GameMarkers {
    /// Finds the markers among the `names` in a folder called `folder`.
    pub(super) fn from_names<'a>(folder: &str, names: impl Iterator<Item = &'a str>) -> Self {
        let (mut is_root, mut is_certain_root) = (false, false);
        let (mut archives, mut bases) = (Vec::new(), Vec::new());
        for name in names {
            let is_one_of = |signs: &[&str]| signs.iter().any(|sign| name.eq_ignore_ascii_case(sign));
            is_certain_root |= is_one_of(&ROOT_NAMES);
            is_root |= is_certain_root || is_one_of(&CONTENT_FOLDERS);
            is_root |= ENGINES.iter().any(|engine| (engine.marks_root)(folder, name));
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
