//! Animations of MD5 meshes: files that games name, and those in the folders of a mesh.

use std::collections::HashSet;

use crate::limits::MAX_ANIMATIONS;
use crate::vfs::{Vfs, join, normalise, split_extension};

/// Folders searched below an MD5 mesh for its animations.
const ANIMATION_DEPTH: usize = 3;

/// An animation file that a game's own files name.
pub(super) struct Declared {
    /// What it is called.
    pub name: String,
    /// Where it lies, as a game path.
    pub path: String,
    /// Frames per second in place of the file's own.
    pub frames_per_second: Option<f32>,
}

/// The `.md5anim` files in a folder, then in the folders below it, each folder's sorted.
#[derive(Debug)]
pub(super) struct AnimationFiles {
    /// Their paths, each once.
    pub paths: Vec<String>,
    /// The [`key`] of each.
    pub keys: HashSet<String>,
}

impl AnimationFiles {
    /// Those of the folder at this path.
    pub(super) fn below(vfs: &Vfs, folder: &str) -> Self {
        let mut paths = Vec::new();
        add_animations_below(vfs, folder, ANIMATION_DEPTH, &mut paths);
        let mut keys = HashSet::new();
        paths.retain(|path| keys.insert(key(path)));
        Self { paths, keys }
    }
}

fn add_animations_below(vfs: &Vfs, folder: &str, depth: usize, paths: &mut Vec<String>) {
    let join = |name: &str| join(folder, name);
    let is_animation = |name: &&str| split_extension(name).1.eq_ignore_ascii_case("md5anim");
    paths.extend(vfs.files_in(folder).iter().filter(is_animation).map(join));
    if depth > 0 {
        for below in vfs.folders_in(folder).iter().map(join) {
            if paths.len() > MAX_ANIMATIONS {
                break;
            }
            add_animations_below(vfs, &below, depth - 1, paths);
        }
    }
}

/// A path as all spellings of it have in common.
pub(super) fn key(path: &str) -> String {
    normalise(path).unwrap_or_default().to_lowercase()
}
