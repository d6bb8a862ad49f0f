//! GZDoom's textures by name: images in certain folders of the root.

use std::collections::HashMap;

use crate::engines::IMAGE_EXTENSIONS;
use crate::limits::MAX_LISTED_NAMES;
use crate::vfs::{Vfs, join, split_extension};

/// Folders of textures. If a name is in several, the last folder applies (GZDoom `texturemanager.cpp`,
/// `AddTexturesForWad`, `SortTexturesByType`).
const FOLDERS: [&str; 5] = ["sprites", "patches", "flats", "textures", "graphics"];
const DEPTH: usize = 8;
/// Length of a texture's name: that of a name in a WAD. Further letters of a file name are ignored (GZDoom
/// `filesystem.cpp`, `LumpShortName`).
const NAME_LENGTH: usize = 8;

/// Paths of images by the name of the texture in lower case.
#[derive(Debug, Default)]
pub(super) struct TextureNames {
    paths: HashMap<String, String>,
    count: usize,
}

impl TextureNames {
    /// Lists the textures below a root.
    pub(super) fn below(vfs: &Vfs, root: &str) -> Self {
        let mut names = Self::default();
        for folder in FOLDERS {
            names.add_folder(vfs, &join(root, folder), DEPTH);
        }
        names
    }

    fn add_folder(&mut self, vfs: &Vfs, folder: &str, depth: usize) {
        for file in vfs.files_in(folder).iter() {
            let (stem, extension) = split_extension(file);
            let is_image = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
            if is_image && self.count < MAX_LISTED_NAMES {
                self.count += 1;
                let name = stem.chars().take(NAME_LENGTH).collect::<String>().to_lowercase();
                self.paths.insert(name, join(folder, file));
            }
        }
        for inner in vfs.folders_in(folder).iter() {
            if depth > 0 && self.count < MAX_LISTED_NAMES {
                self.add_folder(vfs, &join(folder, inner), depth - 1);
            }
        }
    }

    /// Returns the path of the image of a texture.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.paths.get(&name.to_lowercase()).map(String::as_str)
    }
}
