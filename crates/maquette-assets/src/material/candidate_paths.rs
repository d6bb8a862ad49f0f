//! Where a name may lead, and what lies beside a model.

use maquette_core::budget::Budget;
use std::sync::Arc;

use super::model_folder::{ModelFolder, NOT_DECODED};
use super::{IMAGE_EXTENSIONS, Nearest};
use crate::game::is_game_folder;
use crate::limits::MAX_COMPARED_BYTES;
use crate::vfs::{Vfs, folder_of, join, name_of, normalise, split_extension};

/// What follows a picture's name: nothing, or what tells a diffuse picture from normal and specular maps.
const ENDINGS: [&str; 3] = ["", "_d", "_diffuse"];
/// How alike two names must be for one to be offered in the other's place, 0 to 1.
const ALIKE: f64 = 0.8;

/// The surroundings of one model.
#[derive(Debug)]
pub(super) struct CandidatePaths<'a> {
    vfs: &'a Vfs,
    /// Folder of the model, relative to the root.
    pub folder: String,
    /// File name of the model.
    pub name: String,
    /// The same without extension.
    stem: String,
    /// Folders in which a name without one is looked for first.
    bare_name_folders: &'static [&'static str],
}

impl<'a> CandidatePaths<'a> {
    pub(super) fn new(vfs: &'a Vfs, model_path: &str, bare_name_folders: &'static [&'static str]) -> Self {
        let (stem, _) = split_extension(name_of(model_path));
        Self {
            vfs,
            folder: folder_of(model_path).to_owned(),
            name: name_of(model_path).to_owned(),
            stem: stem.to_owned(),
            bare_name_folders,
        }
    }

    /// Whether the game finds another file in place of the model, as their paths differ in case alone.
    pub(super) fn is_shadowed(&self) -> bool {
        self.vfs.is_shadowed(&join(&self.folder, &self.name))
    }

    /// What lies in the model's folder.
    pub(super) fn beside(&self) -> Arc<ModelFolder> {
        ModelFolder::of(self.vfs, &self.folder)
    }

    /// Where a name may lead, by step: the paths whose [`spellings`] are to be tried in turn.
    pub(super) fn of(&self, name: &str) -> Vec<(&'static str, Vec<String>)> {
        // UFO: Alien Invasion writes ".name" for a picture beside the model.
        let is_beside = name.starts_with('.') && !name.starts_with("..");
        let clean = if is_beside { name.trim_start_matches('.') } else { name }.trim_start_matches(['/', '\\']);
        let mut steps = Vec::new();
        let beside = |name: &str| join(&self.folder, name);
        if is_beside {
            steps.push((" in model folder", vec![beside(clean)]));
        }
        if !self.bare_name_folders.is_empty() && !clean.contains(['/', '\\']) && normalise(clean).is_some() {
            let bases: Vec<String> = self.bare_name_folders.iter().map(|folder| join(folder, clean)).collect();
            steps.push((", where the game keeps them", bases));
        }
        if let Some(path) = normalise(clean) {
            let mut bases = vec![path.clone()];
            let mut folder = String::new();
            for part in self.folder.split('/').filter(|part| !part.is_empty()) {
                folder = join(&folder, part);
                bases.push(join(&folder, &path));
            }
            steps.push((" path", bases));
        }
        if let Some(tail) = tail_in_game(name) {
            steps.push((" path within the game", vec![tail]));
        }
        let file = name_of(clean);
        if !file.is_empty() && normalise(file).is_some() {
            steps.push((" in model folder", vec![beside(file)]));
        }
        steps
    }

    /// Pictures in the model's folder that may be its skin, at most `most`, the likeliest first.
    pub(super) fn images_beside(&self, most: usize) -> Vec<String> {
        let beside = self.beside();
        beside.skin_images(&self.stem.to_lowercase()).take(most).map(|name| join(&self.folder, name)).collect()
    }

    /// Whether an icon lies beside a picture (`red_i.pcx` beside `red.pcx`), which makes it a skin of a Quake II player.
    pub(super) fn has_icon(&self, path: &str) -> bool {
        let stem = split_extension(path).0;
        IMAGE_EXTENSIONS.iter().any(|extension| self.vfs.find(&format!("{stem}_i.{extension}")).is_some())
    }

    /// The picture beside the model that must be its own: called like it, or `skin` or `diffuse`; or, where the model
    /// `names_nothing`, the only one that is no mask, normal map or the like.
    pub(super) fn only_image_beside(&self, names_nothing: bool) -> Option<String> {
        let beside = self.beside();
        let own = [self.stem.to_lowercase(), "skin".to_owned(), "diffuse".to_owned()];
        let called = own.iter().find_map(|stem| beside.image_called(stem));
        let only = called.or_else(|| if names_nothing { beside.only_image() } else { None });
        only.map(|name| join(&self.folder, name))
    }

    /// The picture whose name is most like `name`, beside the model or where the name leads, if one is like it.
    /// Each name that is compared is taken from `comparable`.
    pub(super) fn nearest(&self, name: &str, comparable: &mut Budget) -> Option<Nearest> {
        let clean = normalise(name.trim_start_matches(['/', '\\', '.']))?;
        let wanted = split_extension(name_of(&clean)).0.to_lowercase();
        if wanted.len() > MAX_COMPARED_BYTES {
            return None;
        }
        let mut folders = vec![self.folder.clone(), folder_of(&clean).to_owned()];
        folders.dedup();
        let mut best: Option<(f64, String)> = None;
        for folder in folders {
            let beside = ModelFolder::of(self.vfs, &folder);
            let short = beside.images.iter().filter(|(_, stem)| stem.len() <= MAX_COMPARED_BYTES);
            for (file, stem) in short {
                if comparable.take(1).is_err() {
                    break;
                }
                let score = likeness(&wanted, stem);
                if score >= ALIKE && best.as_ref().is_none_or(|(known, _)| score > *known) {
                    best = Some((score, join(&folder, file)));
                }
            }
        }
        best.map(|(_, path)| Nearest { place: self.vfs.place_of(&path), path })
    }
}

/// A path as it is, then its stem with every extension, then with diffuse endings; each once. Made as they are asked for:
/// most searches end with the first. All begin with the [`stem`] of the path.
pub(super) fn spellings(path: &str) -> Spellings<'_> {
    let (stem, extension) = split_extension(path);
    let is_image = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    // What follows a dot need not be an extension: "torso.blue" is a name.
    let (first, second) = if is_image { (stem, path) } else { (path, stem) };
    Spellings {
        as_it_is: Some(path).filter(|_| is_image && extension != NOT_DECODED),
        extension: if is_image { extension } else { "" },
        first,
        second: Some(second).filter(|second| *second != first),
        combination: 0,
    }
}

/// How a path may be spelled.
#[derive(Debug)]
pub(super) struct Spellings<'a> {
    as_it_is: Option<&'a str>,
    /// With which the first of the stems is the path as it is; empty where it is not.
    extension: &'a str,
    first: &'a str,
    second: Option<&'a str>,
    /// Which combination of stem, ending and extension comes next.
    combination: usize,
}

impl Iterator for Spellings<'_> {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        if let Some(path) = self.as_it_is.take() {
            return Some(path.to_owned());
        }
        loop {
            let (rest, extension) =
                (self.combination / IMAGE_EXTENSIONS.len(), self.combination % IMAGE_EXTENSIONS.len());
            let (number, ending) = (rest / ENDINGS.len(), rest % ENDINGS.len());
            let stem = match number {
                0 => self.first,
                1 => self.second?,
                _ => return None,
            };
            self.combination += 1;
            let (ending, extension) = (ENDINGS.get(ending)?, IMAGE_EXTENSIONS.get(extension)?);
            let was_first = number == 0 && ending.is_empty() && extension.eq_ignore_ascii_case(self.extension);
            if *extension == NOT_DECODED || was_first {
                continue;
            }
            let mut path = String::with_capacity(stem.len() + ending.len() + 1 + extension.len());
            for part in [stem, ending, ".", extension] {
                path.push_str(part);
            }
            return Some(path);
        }
    }
}

/// What all [`spellings`] of a path begin with.
pub(super) fn stem(path: &str) -> &str {
    split_extension(path).0
}

/// How alike two names are: one that begins with the other is most like it.
fn likeness(wanted: &str, there: &str) -> f64 {
    strsim::jaro_winkler(wanted, there)
}

/// Whether a material's name says nothing: empty, or what exporters write where none was chosen.
pub(super) fn is_empty_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    name.is_empty() || ["default", "material", "none"].iter().any(|nothing| name.contains(nothing))
}

/// What follows the last game folder in a path of the author's disk.
fn tail_in_game(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let is_absolute = name.starts_with(['/', '\\']) || parts.first().is_some_and(|part| part.ends_with(':'));
    let cut = parts.iter().rposition(|part| is_game_folder(part));
    match cut {
        Some(cut) if cut + 1 < parts.len() => normalise(&parts[cut + 1..].join("/")),
        _ if is_absolute => parts
            .iter()
            .position(|part| ["models", "textures", "players"].iter().any(|known| known.eq_ignore_ascii_case(part)))
            .and_then(|start| normalise(&parts[start..].join("/"))),
        _ => None,
    }
}
