//! Names of a model's companion files.

use std::path::{Path, PathBuf};

use super::ModelAsset;
use super::clips::CLIP_FILES;
use crate::game::{Companion, GAMES, Sign};
use maquette_core::model::{AnimationFiles, Format, ScriptOrder};

/// The parts of a model's path that determine the names of its companion files.
#[derive(Debug)]
pub struct CompanionNames {
    folder: PathBuf,
    name: String,
    stem: String,
    format: Format,
}

impl CompanionNames {
    /// Creates the names for a model; `None` if it has no file.
    #[must_use]
    pub fn for_model(asset: &ModelAsset) -> Option<Self> {
        let file = asset.file.as_ref()?;
        Some(Self {
            folder: file.parent()?.to_path_buf(),
            name: lower(file.file_name()),
            stem: lower(file.file_stem()),
            format: asset.model.format(),
        })
    }

    /// Returns whether `path` is a companion file, or would be one if it existed.
    #[must_use]
    pub fn include(&self, path: &Path) -> bool {
        let (name, stem) = (lower(path.file_name()), lower(path.file_stem()));
        let is_same_folder = path.parent() == Some(self.folder.as_path());
        let lies_in = |folder: &str| lower(path.parent().and_then(Path::file_name)) == folder;
        let traits = self.format.traits();
        let reads_scripts = traits.scripts != ScriptOrder::None;
        let games = || GAMES.iter().filter(|game| game.formats.contains(&self.format));
        let has_sign = |is_meant: &dyn Fn(&Sign) -> bool| games().flat_map(|game| game.signs).any(is_meant);
        if name.starts_with("modeldef") {
            return has_sign(&|sign| *sign == Sign::ModelDefinitions);
        }
        match lower(path.extension()).as_str() {
            "skin" if stem == self.stem || stem == self.name => {
                let mut games = games().filter(|game| game.companions.contains(&Companion::SkinTable));
                let is_sign = |sign: &Sign| matches!(sign, Sign::InFolder(folder) if lies_in(folder));
                is_same_folder && traits.companions.skins && games.any(|game| game.signs.iter().any(is_sign))
            }
            "skin" => {
                let is_numbered = || games().any(|game| game.companions.contains(&Companion::NumberedSkins));
                is_same_folder && (traits.companions.skins || is_numbered()) && self.may_be_skin(&stem)
            }
            "cfg" => {
                let is_clip_list = traits.companions.clip_lists && CLIP_FILES.contains(&name.as_str());
                // The list for a skeleton is in the skeleton's folder.
                let is_near = is_same_folder || traits.companions.animations.extension().is_some();
                is_near && is_clip_list || is_same_folder && traits.companions.cube_script == Some(name.as_str())
            }
            // A `.gltf` may name any file as its buffer.
            "bin" => is_same_folder && self.format == Format::Gltf,
            "framegroups" => is_same_folder && stem == self.name,
            "def" => matches!(traits.companions.animations, AnimationFiles::Below(_)) && lies_in("def"),
            "char" | "anim" | "aninc" => traits.companions.animations == AnimationFiles::Skeleton("mdx"),
            "shader" => reads_scripts && lies_in("scripts"),
            "mtr" => reads_scripts && lies_in("materials"),
            extension if traits.companions.animations.extension() == Some(extension) => true,
            extension => {
                let is_sign = |sign: &Sign| matches!(sign, Sign::InPlaceOfExtension(own) if *own == extension);
                is_same_folder && stem == self.stem && has_sign(&is_sign)
            }
        }
    }

    /// Returns whether a skin is named after this model or after no model.
    fn may_be_skin(&self, skin: &str) -> bool {
        let starts = || skin.match_indices('_').filter_map(|(at, _)| skin.get(..at));
        let is_own = |start: &str| start == self.stem || start == self.name;
        let is_others = |start: &str| {
            let is_model = |format: &Format| self.folder.join(format!("{start}.{}", format.extension())).is_file();
            Format::ALL.iter().filter(|format| format.traits().companions.skins).any(is_model)
        };
        starts().any(is_own) || !starts().chain([skin]).any(|start| is_own(start) || is_others(start))
    }
}

fn lower(name: Option<&std::ffi::OsStr>) -> String {
    name.map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default()
}
