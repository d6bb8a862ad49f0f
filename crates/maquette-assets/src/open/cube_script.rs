//! Scripts of the Cube engines, and which of their parts is for which model.

use std::collections::HashMap;

use maquette_core::formats::cube_cfg::{CubePart, CubePath};

/// Where the engines keep models, below the root: one of them counts these folders in, another does not.
const MODEL_FOLDERS: [&str; 3] = ["packages/models", "models", ""];

/// A script.
#[derive(Debug)]
pub(super) struct CubeScript {
    /// What it loads.
    pub parts: Vec<CubePart>,
    /// The first part that says anything of a model, by the model's path in lower case.
    by_model: HashMap<String, usize>,
}

impl CubeScript {
    /// The script in `folder` that loads these.
    pub(super) fn new(folder: &str, parts: Vec<CubePart>) -> Self {
        let mut by_model = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            if part.skins.is_empty() && part.animations.is_empty() && part.tags.is_empty() {
                continue;
            }
            for place in places(folder, &part.model) {
                by_model.entry(place.to_ascii_lowercase()).or_insert(index);
            }
        }
        Self { parts, by_model }
    }

    /// What it says of the model at a game path.
    pub(super) fn part_for(&self, game_path: &str) -> Option<&CubePart> {
        self.parts.get(*self.by_model.get(&game_path.to_ascii_lowercase())?)
    }
}

/// Where a path of a script in `folder` leads, as game paths to be tried in turn.
pub(super) fn places(folder: &str, path: &CubePath) -> Vec<String> {
    let Some(named) = &path.folder else { return resolved(folder, &path.file).into_iter().collect() };
    let folders = MODEL_FOLDERS.iter().filter_map(|base| resolved(base, named));
    folders.filter_map(|folder| resolved(&folder, &path.file)).collect()
}

/// A path from a folder on, `..` followed but not out of the root.
pub(super) fn resolved(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part if part.contains(['\0', ':']) => return None,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}
