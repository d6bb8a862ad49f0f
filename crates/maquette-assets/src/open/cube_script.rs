//! A parsed script of a Cube engine, indexed by model.

use std::collections::HashMap;

use crate::vfs::resolved;
use maquette_core::formats::cube_cfg::{CubePart, CubePath};

const MODEL_FOLDERS: [&str; 3] = ["packages/models", "models", ""];

#[derive(Debug)]
pub(super) struct CubeScript {
    pub parts: Vec<CubePart>,
    /// Index of the first part that applies to a model, by the model's path in lower case.
    by_model: HashMap<String, usize>,
}

impl CubeScript {
    pub(super) fn new(folder: &str, parts: Vec<CubePart>) -> Self {
        let mut by_model = HashMap::new();
        for (index, part) in parts.iter().enumerate() {
            if part.skins.is_empty() && part.animations.is_empty() && part.tags.is_empty() && part.states.is_empty() {
                continue;
            }
            for path in candidate_paths(folder, &part.model) {
                by_model.entry(path.to_ascii_lowercase()).or_insert(index);
            }
        }
        Self { parts, by_model }
    }

    pub(super) fn part_for(&self, game_path: &str) -> Option<&CubePart> {
        self.parts.get(*self.by_model.get(&game_path.to_ascii_lowercase())?)
    }
}

/// Returns the game paths of a path from the game's folder, which may itself look like `packages`.
pub(super) fn cube_root_paths(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.strip_prefix("packages/"))
}

pub(super) fn candidate_paths(folder: &str, path: &CubePath) -> Vec<String> {
    let Some(named) = &path.folder else { return resolved(folder, &path.file).into_iter().collect() };
    let folders = MODEL_FOLDERS.iter().filter_map(|base| resolved(base, named));
    folders.filter_map(|folder| resolved(&folder, &path.file)).collect()
}
