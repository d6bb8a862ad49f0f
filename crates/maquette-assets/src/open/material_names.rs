//! What a surface of a model can name: the images and shaders of its file world.

use std::collections::BTreeMap;
use std::path::Path;

use super::{OpenCause, OpenError, Opener};
use crate::limits::{MAX_FOLDER_DEPTH, MAX_IMAGE_FOLDERS};
use crate::material::{IMAGE_EXTENSIONS, Kind, Scripts};
use crate::vfs::{Vfs, folder_of, join, split_extension};
use maquette_core::model::{Format, ScriptOrder};

/// Folders of a game that have images of models, besides the model's own.
const FOLDERS: [&str; 2] = ["models", "textures"];
/// Characters of a path that every format holds.
const NAME_CHARACTERS: usize = 63;

/// A name that a surface can have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialName {
    /// As it is written in the model's file.
    pub name: String,
    /// A script defines it; else it is an image.
    pub is_shader: bool,
}

/// The names that surfaces can have, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MaterialNames {
    names: Vec<MaterialName>,
}

impl MaterialNames {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> &[MaterialName] {
        &self.names
    }

    /// Those that contain what is typed, in any case and with either slash; those that begin with it come first.
    #[must_use]
    pub fn fitting(&self, typed: &str, most: usize) -> Vec<&MaterialName> {
        let typed = plain(typed);
        let (begin, others): (Vec<_>, Vec<_>) = self
            .names
            .iter()
            .filter(|name| plain(&name.name).contains(&typed))
            .partition(|name| plain(&name.name).starts_with(&typed));
        begin.into_iter().chain(others).take(most).collect()
    }
}

fn plain(name: &str) -> String {
    name.to_lowercase().replace('\\', "/")
}

impl Opener {
    /// The names that surfaces of the model at `path` can have.
    ///
    /// # Errors
    ///
    /// If there is no file world around the path.
    pub fn material_names(&self, path: &Path, format: Format) -> Result<MaterialNames, OpenError> {
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
            if seen.len() >= MAX_IMAGE_FOLDERS || !seen.insert(folder.to_lowercase()) {
                continue;
            }
            add_images(&vfs, &folder, &mut names);
            // Below a folder that is the root everything would be.
            if depth < MAX_FOLDER_DEPTH && !folder.is_empty() {
                let below = vfs.folders_in(&folder);
                waiting.extend(below.iter().map(|name| (format!("{folder}/{name}"), depth + 1)));
            }
        }
        let is_short = |name: &String| name.chars().count() <= NAME_CHARACTERS;
        let names = names.into_iter().filter(|(name, _)| is_short(name));
        Ok(MaterialNames { names: names.map(|(name, is_shader)| MaterialName { name, is_shader }).collect() })
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
