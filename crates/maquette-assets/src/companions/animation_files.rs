//! Separate animation files of models.

use std::collections::HashSet;

use crate::vfs::{ReadLimit, Vfs, folder_of, join, normalise, split_extension};
use maquette_core::formats::iqm;
use maquette_core::limits::MAX_CLIPS;
use maquette_core::model::AnimationFiles;

const ANIMATION_DEPTH: usize = 3;
/// Number of folders above the model's that may hold its animations.
const ANIMATION_HEIGHT: usize = 2;

/// An animation that a game's files declare.
#[derive(Clone, Debug)]
pub(crate) struct Declared {
    pub name: String,
    pub path: String,
    /// Frames per second, if different from the file's.
    pub frames_per_second: Option<f32>,
    /// Whether the clips that the file names are used in place of one clip called `name`.
    pub keeps_names: bool,
}

impl Declared {
    /// Creates an animation that is one clip, at the file's rate.
    pub(crate) fn new(name: String, path: String) -> Self {
        Self { name, path, frames_per_second: None, keeps_names: false }
    }
}

/// The animation files for the models of a folder, sorted within each folder, outer folders first.
#[derive(Debug)]
pub(super) struct FoundAnimations {
    pub paths: Vec<String>,
    pub keys: HashSet<String>,
}

impl FoundAnimations {
    pub(super) fn near(vfs: &Vfs, folder: &str, storage: AnimationFiles, joints: usize) -> Self {
        let mut paths = Vec::new();
        match storage {
            AnimationFiles::None | AnimationFiles::Skeleton(_) => {}
            AnimationFiles::Below(extension) => {
                add_animations_below(vfs, folder, extension, ANIMATION_DEPTH, &mut paths)
            }
            AnimationFiles::Above(extension) => {
                let mut folder = folder;
                for _ in 0..=ANIMATION_HEIGHT {
                    paths = animations_without_mesh(vfs, folder, extension, joints);
                    if !paths.is_empty() || folder.is_empty() {
                        break;
                    }
                    folder = folder_of(folder);
                }
            }
        }
        let mut keys = HashSet::new();
        paths.retain(|path| keys.insert(key(path)));
        Self { paths, keys }
    }
}

fn animations_without_mesh(vfs: &Vfs, folder: &str, extension: &'static str, joints: usize) -> Vec<String> {
    let paths = vfs.list(folder, |name| split_extension(name).1.eq_ignore_ascii_case(extension));
    let is_animation = |path: &String| {
        let start = vfs.read(path, ReadLimit::Start(iqm::HEADER_BYTES));
        start.is_ok_and(|start| iqm::is_animation_for(joints, &start))
    };
    paths.into_iter().filter(is_animation).take(MAX_CLIPS + 1).collect()
}

fn add_animations_below(vfs: &Vfs, folder: &str, extension: &'static str, depth: usize, paths: &mut Vec<String>) {
    let join = |name: &str| join(folder, name);
    paths.extend(vfs.list(folder, |name| split_extension(name).1.eq_ignore_ascii_case(extension)));
    if depth > 0 {
        for below in vfs.folders_in(folder).iter().map(join) {
            if paths.len() > MAX_CLIPS {
                break;
            }
            add_animations_below(vfs, &below, extension, depth - 1, paths);
        }
    }
}

pub(crate) fn key(path: &str) -> String {
    normalise(path).unwrap_or_default().to_lowercase()
}
