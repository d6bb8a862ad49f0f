//! Material names for a surface: images and shaders of the game.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::Path;

use super::{OpenCause, OpenError, Opener};
use crate::limits::MAX_GAME_FILES;
use crate::material::{IMAGE_EXTENSIONS, Kind, Scripts};
use crate::vfs::{Vfs, folder_of, join, name_of, split_extension};
use maquette_core::limits::MAX_NESTING;
use maquette_core::model::{Format, ScriptOrder};

/// Folders of a game with images for models, in addition to the model's folder.
const FOLDERS: [&str; 2] = ["models", "textures"];
/// Maximum length of a path that all formats can store.
const NAME_CHARACTERS: usize = 63;

/// A possible material name of a surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialName {
    /// Name as stored in a model's file.
    pub name: String,
    /// Whether a script defines the name; else it is an image.
    pub is_shader: bool,
}

/// Returns up to `max` names that contain `typed`, ignoring case and slashes. Those that begin with it come first.
pub fn fitting_names<'n>(names: &'n [MaterialName], typed: &str, max: usize) -> Vec<&'n MaterialName> {
    let typed = plain(typed);
    let fitting = names.iter().filter(|name| plain(&name.name).contains(&typed));
    let (begin, others): (Vec<_>, Vec<_>) = fitting.partition(|name| plain(&name.name).starts_with(&typed));
    begin.into_iter().chain(others).take(max).collect()
}

/// Returns up to `max` names in the folder of a path, or all names if it has none. If none of them is the path, those
/// with the most similar file names come first.
pub fn names_beside<'n>(names: &'n [MaterialName], path: &str, max: usize) -> Vec<&'n MaterialName> {
    let path = plain(path);
    let beside = fitting_names(names, path.get(..path.len() - name_of(&path).len()).unwrap_or_default(), usize::MAX);
    let mut found = if beside.is_empty() { names.iter().collect() } else { beside };
    let wanted = split_extension(&path).0;
    let known: Vec<String> = found.iter().map(|known| split_extension(&plain(&known.name)).0.to_owned()).collect();
    if !known.iter().any(|known| known == wanted) {
        found.sort_by_cached_key(|known| {
            let name = plain(&known.name);
            let likeness = strsim::jaro(split_extension(name_of(&name)).0, name_of(wanted));
            Reverse((likeness * 1e6) as u32)
        });
    }
    found.truncate(max);
    found
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace('\\', "/")
}

impl Opener {
    /// Returns the material names that surfaces of the model at `path` can use, sorted.
    pub fn material_names(&self, path: &Path, format: Format) -> Result<Vec<MaterialName>, OpenError> {
        let read = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) };
        let (vfs, game_path) = self.files.for_file(path).map_err(read)?;
        let mut names = BTreeMap::new();
        let kinds = match format.traits().scripts {
            ScriptOrder::None => &[][..],
            ScriptOrder::Quake3First | ScriptOrder::Doom3First => &Kind::ALL,
        };
        let scripts = Scripts::shared(&vfs);
        for kind in kinds {
            names.extend(scripts.names(*kind).map(|name| (name.to_owned(), true)));
        }
        let own = folder_of(&game_path);
        let mut waiting: Vec<(String, usize)> =
            std::iter::once(own).chain(FOLDERS).map(|folder| (folder.to_owned(), 0)).collect();
        let mut seen = std::collections::BTreeSet::new();
        while let Some((folder, depth)) = waiting.pop() {
            if seen.len() >= MAX_GAME_FILES || !seen.insert(folder.to_lowercase()) {
                continue;
            }
            add_images(&vfs, &folder, &mut names);
            // The root is not searched recursively, because everything is below it.
            if depth < MAX_NESTING && !folder.is_empty() {
                let below = vfs.folders_in(&folder);
                waiting.extend(below.iter().map(|name| (format!("{folder}/{name}"), depth + 1)));
            }
        }
        let is_short = |name: &String| name.chars().count() <= NAME_CHARACTERS;
        let names = names.into_iter().filter(|(name, _)| is_short(name));
        Ok(names.map(|(name, is_shader)| MaterialName { name, is_shader }).collect())
    }
}

fn add_images(vfs: &Vfs, folder: &str, names: &mut BTreeMap<String, bool>) {
    for name in vfs.files_in(folder).iter() {
        let (_, extension) = split_extension(name);
        if IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension)) {
            names.entry(join(folder, name)).or_insert(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MaterialName, names_beside};

    #[test]
    fn misspelled_path_lists_the_nearest_name_first() {
        let name = |name: &str| MaterialName { name: name.to_owned(), is_shader: false };
        let names = ["a/enkiskin.tga", "a/redskin.tga", "b/skin.tga"].map(name);
        let listed =
            |path: &str| names_beside(&names, path, 2).into_iter().map(|each| each.name.clone()).collect::<Vec<_>>();
        assert_eq!(listed("a/redskim.tga"), ["a/redskin.tga", "a/enkiskin.tga"]);
        // Without such a folder, all names are listed. A path that exists keeps the order.
        assert_eq!(listed("wrong/redskim.tga"), ["a/redskin.tga", "a/enkiskin.tga"]);
        assert_eq!(listed("A\\redskin"), ["a/enkiskin.tga", "a/redskin.tga"]);
    }
}
