//! Animation files of MD5 meshes.

use std::collections::HashSet;

use crate::limits::MAX_ANIMATIONS;
use crate::vfs::{Vfs, join, normalise, split_extension};

const ANIMATION_DEPTH: usize = 3;

/// An animation that a game's files declare.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: String,
    pub path: String,
    /// Frames per second, if different from the file's.
    pub frames_per_second: Option<f32>,
}

/// The `.md5anim` files of a folder, then those of inner folders; sorted within each folder.
#[derive(Debug)]
pub(super) struct AnimationFiles {
    pub paths: Vec<String>,
    pub keys: HashSet<String>,
}

impl AnimationFiles {
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

pub(super) fn key(path: &str) -> String {
    normalise(path).unwrap_or_default().to_lowercase()
}
