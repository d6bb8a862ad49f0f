//! Game markers of a folder.

use super::path::{is_archive_folder_name, is_mounted_name};
use crate::game::{CONTENT_FOLDERS, base_folder_index};

const ROOT_SIGNS: [&str; 3] = ["pak0.pk3", "pak0.pak", "pak000.pk4"];

#[derive(Debug)]
pub(super) struct GameMarkers {
    pub is_root: bool,
    /// Names that games mount as archives, in search order: by upper-cased name, which puts `_` after the letters
    /// (ioquake3 `code/qcommon/files.c`: `paksort`, `FS_PathCmp`).
    pub archives: Vec<String>,
    pub base_games: Vec<String>,
}

impl GameMarkers {
    pub(super) fn of<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let mut is_root = false;
        let (mut archives, mut bases) = (Vec::new(), Vec::new());
        for name in names {
            is_root |= CONTENT_FOLDERS.iter().chain(&ROOT_SIGNS).any(|sign| name.eq_ignore_ascii_case(sign));
            if is_mounted_name(name) || is_archive_folder_name(name) {
                archives.push(name.to_owned());
            }
            bases.extend(base_folder_index(name).map(|place| (place, name.to_owned())));
        }
        archives.sort_by_cached_key(|name| std::cmp::Reverse((name.to_uppercase(), name.clone())));
        bases.sort();
        Self { is_root, archives, base_games: bases.into_iter().map(|(_, name)| name).collect() }
    }
}
