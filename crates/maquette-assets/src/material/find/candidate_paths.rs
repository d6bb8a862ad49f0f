//! Candidate paths for the name of an image.

use maquette_core::budget::Budget;
use std::sync::Arc;

use super::model_folder::{ModelFolder, NOT_SEARCHED, is_auxiliary};
use crate::engines::{Engine, is_game_folder};
use crate::limits::MAX_WORD_BYTES;
use crate::material::{IMAGE_EXTENSIONS, Suggestion};
use crate::vfs::{Vfs, folder_of, join, name_of, normalise, resolved, split_extension};
use maquette_core::model::{Format, path_in_game};

/// Suffixes of an image's name: none, or those of diffuse maps.
const ENDINGS: [&str; 3] = ["", "_d", "_diffuse"];
/// Minimum similarity of names, 0 to 1, for a suggestion. Less similar names are not suggested.
const MIN_SIMILARITY: f64 = 0.78;
/// Name of the search step for an image with the file name in the model's folder.
pub(crate) const IMAGE_IN_MODEL_FOLDER: &str = "Image in model folder";
/// Name of the search step for compressed twins.
pub(in crate::material) const TWIN_STEP: &str = " compressed twin";

/// Paths that a search step tries for a name.
#[derive(Debug)]
pub(in crate::material) struct CandidateStep {
    pub what: &'static str,
    pub paths: Vec<String>,
    /// Index of the first path at which the game does not look. An image there is a guess.
    pub first_guess: usize,
}

impl CandidateStep {
    fn sure(what: &'static str, paths: Vec<String>) -> Self {
        Self { what, paths, first_guess: usize::MAX }
    }
}

#[derive(Debug)]
pub(in crate::material) struct CandidatePaths<'a> {
    vfs: &'a Vfs,
    pub folder: String,
    pub name: String,
    stem: String,
    bare_name_folders: &'static [&'static str],
    other_paths: &'static [&'static str],
    /// Whether the game looks for images in the model's folder.
    searches_model_folder: bool,
    /// Whether the game resolves `..` in names of images.
    resolves_parents: bool,
    has_twins: bool,
}

impl<'a> CandidatePaths<'a> {
    pub(in crate::material) fn new(
        vfs: &'a Vfs,
        model_path: &str,
        format: Format,
        engine: Option<&'static Engine>,
    ) -> Self {
        let own = Engine::for_format(format);
        let (stem, _) = split_extension(name_of(model_path));
        Self {
            vfs,
            folder: folder_of(model_path).to_owned(),
            name: name_of(model_path).to_owned(),
            stem: stem.to_owned(),
            bare_name_folders: engine.map_or(&[][..], |engine| engine.textures.bare_name_folders),
            other_paths: engine.map_or(&[][..], |engine| engine.textures.other_paths),
            searches_model_folder: engine.unwrap_or(own).textures.searches_model_folder,
            resolves_parents: own.textures.resolves_parents,
            has_twins: vfs.folders_in("").get("dds").is_some(),
        }
    }

    pub(in crate::material) fn is_shadowed(&self) -> bool {
        self.vfs.is_shadowed(&join(&self.folder, &self.name))
    }

    pub(in crate::material) fn model_folder(&self) -> Arc<ModelFolder> {
        ModelFolder::shared(self.vfs, &self.folder)
    }

    /// Returns the candidate paths of a name by search step. The [`spellings`] of each path are tried in turn.
    pub(in crate::material) fn for_name(&self, name: &str) -> Vec<CandidateStep> {
        // UFO: Alien Invasion writes ".name" for an image in the model's folder.
        let is_local = name.starts_with('.') && !name.starts_with("..");
        let clean = if is_local { name.trim_start_matches('.') } else { name }.trim_start_matches(['/', '\\']);
        let mut steps = Vec::new();
        let in_folder = |name: &str| join(&self.folder, name);
        if is_local {
            steps.push(CandidateStep::sure(" in model folder", vec![in_folder(clean)]));
        }
        if !self.bare_name_folders.is_empty() && !clean.contains(['/', '\\']) && normalise(clean).is_some() {
            let folders = self.bare_name_folders.iter().map(|folder| folder.replace("{folder}", &self.folder));
            let bases: Vec<String> = folders.map(|folder| join(folder.trim_end_matches('/'), clean)).collect();
            steps.push(CandidateStep::sure(" in the game’s image folders", bases));
        }
        let resolved = || if self.resolves_parents { resolved("", clean) } else { None };
        if let Some(path) = normalise(clean).or_else(resolved) {
            let mut bases = vec![path.clone()];
            let mut folder = String::new();
            for part in self.folder.split('/').filter(|part| !part.is_empty()) {
                folder = join(&folder, part);
                bases.push(join(&folder, &path));
            }
            let first_guess = if self.searches_model_folder { usize::MAX } else { 1 };
            steps.push(CandidateStep { what: " path", paths: bases, first_guess });
            if path.contains('/') && !self.other_paths.is_empty() {
                let file = name_of(&path);
                let other = |pattern: &&str| pattern.replace("{path}", &path).replace("{file}", file);
                let others = self.other_paths.iter().map(other).collect();
                steps.push(CandidateStep::sure(" in the game’s other folders", others));
            }
        }
        let twins = self.twins(clean);
        if !twins.is_empty() {
            steps.push(CandidateStep::sure(TWIN_STEP, twins));
        }
        if let Some(tail) = tail_in_game(name) {
            steps.push(CandidateStep { what: " path within the game", paths: vec![tail], first_guess: 0 });
        }
        let file = name_of(clean);
        if !file.is_empty() && normalise(file).is_some() {
            // “$(dir)” stands for the model's folder (Turtle Arena).
            let is_sure = self.searches_model_folder || name.starts_with('$');
            let first_guess = if is_sure { usize::MAX } else { 0 };
            steps.push(CandidateStep { what: " in model folder", paths: vec![in_folder(file)], first_guess });
        }
        steps
    }

    /// Returns the paths of the compressed twin of an image or of an image program, in the folder `dds`. Doom 3 changes
    /// the text of the program (`Image_load.cpp`, `ImageProgramStringToCompressedFileName`), other engines only the
    /// extension.
    pub(in crate::material) fn twins(&self, program: &str) -> Vec<String> {
        const MAX_DEPTH: usize = 4;
        if !self.has_twins {
            return Vec::new();
        }
        let text = program.to_lowercase().replace('\\', "/");
        let mut path = "dds/".to_owned();
        let mut depth = 0;
        for letter in text.replace(".tga", "").chars() {
            match letter {
                '/' | '(' if depth < MAX_DEPTH => {
                    depth += 1;
                    path.push('/');
                }
                '/' | '(' => path.push(' '),
                '<' | '>' | ':' | '|' | '"' | '.' => path.push('_'),
                ' ' if path.ends_with('/') => {}
                ')' | ',' => {}
                letter => path.push(letter),
            }
        }
        let by_doom = format!("{path}.dds");
        let by_others = format!("dds/{}.dds", stem(&text));
        let mut twins: Vec<String> = [by_doom, by_others].iter().filter_map(|path| normalise(path)).collect();
        twins.dedup();
        twins
    }

    pub(in crate::material) fn images_in_folder(&self, max: usize) -> Vec<String> {
        let model_folder = self.model_folder();
        model_folder.skin_images(&self.stem.to_lowercase()).take(max).map(|name| self.in_own_spelling(name)).collect()
    }

    /// Returns the path of an image in the model's folder: spelled like the model if that exists as well.
    fn in_own_spelling(&self, image: &str) -> String {
        let (stem, extension) = split_extension(image);
        let own = (stem.to_lowercase() == self.stem.to_lowercase()).then(|| format!("{}.{extension}", self.stem));
        let found = own.and_then(|own| self.vfs.find(&join(&self.folder, &own)));
        found.unwrap_or_else(|| join(&self.folder, image))
    }

    /// Returns whether an image has an icon (`red_i.pcx` for `red.pcx`), which marks a skin of a Quake II player.
    pub(in crate::material) fn has_icon(&self, path: &str) -> bool {
        let stem = split_extension(path).0;
        IMAGE_EXTENSIONS.iter().any(|extension| self.vfs.find(&format!("{stem}_i.{extension}")).is_some())
    }

    /// Returns the skins of a Quake II player: the images with an icon in its folder. Those that the model lists do not
    /// matter (yquake2 `src/client/menu/menu.c`, `IconOfSkinExists`; `cl_parse.c`, `CL_LoadClientinfo`). Empty for
    /// other models.
    pub(in crate::material) fn player_skins(&self, max: usize) -> Vec<String> {
        let is_player = name_of(folder_of(&self.folder)).eq_ignore_ascii_case("players");
        if !is_player || !self.stem.eq_ignore_ascii_case("tris") {
            return Vec::new();
        }
        self.images_in_folder(max).into_iter().filter(|path| self.has_icon(path)).collect()
    }

    /// Returns the image named like the model, `skin` or `diffuse`; if the model `names_nothing`, also the only image
    /// of the folder.
    pub(in crate::material) fn only_image_in_folder(&self, names_nothing: bool) -> Option<String> {
        let model_folder = self.model_folder();
        let own = [self.stem.to_lowercase(), "skin".to_owned(), "diffuse".to_owned()];
        let called = own.iter().find_map(|stem| model_folder.image_called(stem));
        let only = called.or_else(|| if names_nothing { model_folder.only_image() } else { None });
        only.map(|name| self.in_own_spelling(name))
    }

    /// Returns the image in the model's folder that has this name apart from its extension.
    pub(in crate::material) fn image_named(&self, stem: &str) -> Option<String> {
        self.model_folder().image_called(&stem.to_lowercase()).map(|name| join(&self.folder, name))
    }

    /// Returns the usable image in the folder of the model or of `name` with the most similar name, if it is similar
    /// enough.
    pub(in crate::material) fn suggestion(
        &self,
        name: &str,
        comparable: &mut Budget,
        is_usable: impl Fn(&str) -> bool,
    ) -> Option<Suggestion> {
        let clean = normalise(name.trim_start_matches(['/', '\\', '.']))?;
        let wanted = split_extension(name_of(&clean)).0.to_lowercase();
        if wanted.len() > MAX_WORD_BYTES {
            return None;
        }
        let mut folders = vec![self.folder.clone(), folder_of(&clean).to_owned()];
        folders.dedup();
        let mut best: Option<(f64, String)> = None;
        for folder in folders {
            let model_folder = ModelFolder::shared(self.vfs, &folder);
            // A normal map does not replace a colour texture.
            let is_of_kind = |file: &str| is_auxiliary(&wanted) || !is_auxiliary(file);
            let images = model_folder.images.iter().filter(|(file, _)| is_of_kind(file));
            let short = images.filter(|(_, stem)| stem.len() <= MAX_WORD_BYTES);
            for (file, stem) in short {
                if comparable.take(1).is_err() {
                    break;
                }
                let score = similarity(&wanted, stem);
                let path = join(&folder, file);
                if score >= MIN_SIMILARITY && best.as_ref().is_none_or(|(known, _)| score > *known) && is_usable(&path)
                {
                    best = Some((score, path));
                }
            }
        }
        best.map(|(_, path)| Suggestion { location: self.vfs.location_of(&path), path })
    }
}

/// Returns the spellings of a path: as given, with each extension, then with diffuse suffixes. All begin with the
/// [`stem`].
pub(in crate::material) fn spellings(path: &str) -> Spellings<'_> {
    let (stem, extension) = split_extension(path);
    let is_image = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    // The part after a dot may belong to the name, as in "torso.blue".
    let (first, second) = if is_image { (stem, path) } else { (path, stem) };
    Spellings {
        as_it_is: is_image.then_some(path),
        extension: if is_image { extension } else { "" },
        first,
        second: Some(second).filter(|second| *second != first),
        combination: 0,
    }
}

#[derive(Debug)]
pub(in crate::material) struct Spellings<'a> {
    as_it_is: Option<&'a str>,
    extension: &'a str,
    /// The path without an image's extension.
    pub first: &'a str,
    second: Option<&'a str>,
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
            if *extension == NOT_SEARCHED || was_first {
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

pub(in crate::material) fn stem(path: &str) -> &str {
    split_extension(path).0
}

fn similarity(wanted: &str, existing: &str) -> f64 {
    // Unlike Jaro-Winkler, it does not count a common start such as that of the textures of one model.
    strsim::jaro(wanted, existing)
}

/// Returns whether a material's name carries no information: empty, or a default of exporters.
pub(in crate::material) fn is_empty_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    name.is_empty() || ["default", "material", "none"].iter().any(|nothing| name.contains(nothing))
}

fn tail_in_game(name: &str) -> Option<String> {
    let root = |folders: &[&str]| folders.iter().rposition(|folder| is_game_folder(folder));
    normalise(&path_in_game(name, root, &["models", "textures", "players"])?)
}
