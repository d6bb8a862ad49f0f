//! Separate animation files of models.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::vfs::{ReadLimit, Vfs, folder_of, join, normalise, split_extension};
use maquette_core::formats::iqm;
use maquette_core::limits::MAX_CLIPS;
use maquette_core::model::{AnimationFiles, Format, u32_or_max};

const ANIMATION_DEPTH: usize = 3;
/// Number of folders above the model's that may hold its animations.
const ANIMATION_HEIGHT: usize = 2;
/// Number of animations that each of many models in a folder may have.
const ANIMATIONS_OF_EACH: usize = 16;

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

/// The IQM files of a folder by their number of joints, animations before meshes, and the number of folders in it.
type Headers = (HashMap<u32, [Vec<String>; 2]>, usize);

/// The animation files for the models of a folder, sorted within each folder, outer folders first.
#[derive(Debug)]
pub(super) struct FoundAnimations {
    pub paths: Vec<String>,
    pub keys: HashSet<String>,
}

impl FoundAnimations {
    /// Returns the animation files for models of `format` in `folder`, and how many of them each model may have. Models of
    /// a folder share animations, which no engine reads unless a file names them. So that time does not grow with the
    /// product of models and animations, many models have fewer animations.
    pub(super) fn near(vfs: &Vfs, folder: &str, format: Format, joints: usize) -> (Arc<Self>, usize) {
        let storage = format.traits().companions.animations;
        let (mut found, mut models) = (folder, 1);
        if let AnimationFiles::Below(_) = storage {
            let names = vfs.files_in(folder);
            models = names.iter().filter(|name| format.has_extension(split_extension(name).1)).count().max(1);
        }
        if let AnimationFiles::Above(extension) = storage {
            for height in 0..=ANIMATION_HEIGHT {
                let (files, folders) = &*headers(vfs, found, extension);
                let [animations, meshes] =
                    files.get(&u32_or_max(joints)).map_or([0; 2], |files| files.each_ref().map(Vec::len));
                models *= if height == 0 { meshes } else { *folders }.max(1);
                if animations > 0 || found.is_empty() || height == ANIMATION_HEIGHT {
                    break;
                }
                found = folder_of(found);
            }
        }
        let key = format!("{found}/{joints}.{}", storage.extension().unwrap_or_default());
        let files = vfs.memo(&key, |vfs| Self::of_folder(vfs, found, storage, joints));
        (files, (MAX_CLIPS / models).max(ANIMATIONS_OF_EACH))
    }

    fn of_folder(vfs: &Vfs, folder: &str, storage: AnimationFiles, joints: usize) -> Self {
        let mut paths = Vec::new();
        match storage {
            AnimationFiles::None | AnimationFiles::Skeleton(_) | AnimationFiles::NamedSkeleton(_) => {}
            AnimationFiles::Below(extension) => {
                add_animations_below(vfs, folder, extension, ANIMATION_DEPTH, &mut paths)
            }
            AnimationFiles::Above(extension) => {
                let files = headers(vfs, folder, extension);
                paths = files.0.get(&u32_or_max(joints)).map_or_else(Vec::new, |[animations, _]| animations.clone());
            }
        }
        let mut keys = HashSet::new();
        paths.retain(|path| keys.insert(key(path)));
        Self { paths, keys }
    }
}

/// Reads the start of each file of a folder once for all models.
fn headers(vfs: &Vfs, folder: &str, extension: &'static str) -> Arc<Headers> {
    vfs.memo(&format!("{folder}/{extension}"), |vfs| {
        let mut files: HashMap<u32, [Vec<String>; 2]> = HashMap::new();
        for path in vfs.list(folder, |name| split_extension(name).1.eq_ignore_ascii_case(extension)) {
            let start = vfs.read(&path, ReadLimit::Start(iqm::HEADER_BYTES));
            if let Some((is_animation, joints)) = start.ok().and_then(|start| iqm::joints_in_header(&start)) {
                let [animations, meshes] = files.entry(joints).or_default();
                if is_animation { animations } else { meshes }.push(path);
            }
        }
        (files, vfs.folders_in(folder).iter().count())
    })
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
