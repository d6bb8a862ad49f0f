//! Material names for a surface: images and shaders of the game.

use std::collections::BTreeMap;
use std::path::Path;

use super::{OpenCause, OpenError, Opener};
use crate::limits::MAX_GAME_FILES;
use crate::material::{IMAGE_EXTENSIONS, Kind, Scripts};
use crate::vfs::{Vfs, folder_of, join, split_extension};
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
#[must_use]
pub fn fitting_names<'n>(names: &'n [MaterialName], typed: &str, max: usize) -> Vec<&'n MaterialName> {
    let typed = plain(typed);
    let fitting = names.iter().filter(|name| plain(&name.name).contains(&typed));
    let (begin, others): (Vec<_>, Vec<_>) = fitting.partition(|name| plain(&name.name).starts_with(&typed));
    begin.into_iter().chain(others).take(max).collect()
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
