//! The search for a surface's picture, as games and careless exporters need it.
//!
//! A name is looked for, in this order, ignoring case and with either slash:
//!
//! 1. as given, then with other extensions, from the game root, then from each folder between the root and the model,
//!    nearest to the root first;
//! 2. if it is a path of the author's disk (`P:/Doom/base/models/…`), what follows the last part that is a game's folder;
//! 3. its file name alone, beside the model;
//! 4. Doom 3 and Unvanquished endings for a diffuse picture (`_d`, `_diffuse`) wherever the name itself was looked for.
//!
//! An MD2 whose list of skins is empty or leads nowhere takes the pictures beside it; so does any other model of which
//! not one name leads anywhere, if there is no doubt which picture it is.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Picture, PictureWrap, SkinFile, Step, SurfaceLook, hides, skin_name};
use crate::error::{Warning, Warnings};
use crate::model::{Format, Model, Surface};
use crate::vfs::{Vfs, folder_of, name_of, normalise, split_extension};

/// Extensions tried when the name given is not there, in this order.
pub const IMAGE_EXTENSIONS: [&str; 9] = ["tga", "jpg", "jpeg", "png", "dds", "pcx", "bmp", "webp", "wal"];
/// Endings of a diffuse picture beside normal and specular maps.
const DIFFUSE_ENDINGS: [&str; 2] = ["_d", "_diffuse"];
/// Folders of a game by which a path of the author's disk is cut.
const GAME_FOLDERS: [&str; 12] =
    ["base", "baseq2", "baseq3", "baseef", "main", "etmain", "d3xp", "missionpack", "data", "baseoa", "baseaq", "game"];
/// Extension we know of but do not decode; named in messages.
const NOT_DECODED: &str = "wal";

/// Different names looked for in one model; the surfaces of a hostile file could have a million.
const MOST_NAMES: usize = 4096;
/// Missing names whose every tried path is kept.
const MOST_TRAILS: usize = 256;
/// Bytes of decoded pictures one model may take.
const DECODED_BYTES: usize = 1 << 30;
/// Skins an MD2 may have, as its game allows, and the bytes of them that are decoded at once.
const MOST_SKINS: usize = 32;
const SKIN_BYTES: usize = 128 << 20;

/// `.skin` files read beside one model.
const MOST_SKIN_FILES: usize = 64;

/// How far pictures are looked into.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// They are found and decoded.
    #[default]
    Decoded,
    /// They are found; all of them look like one grey texel.
    Found,
}

/// Finds and decodes pictures for one model; each file is decoded once.
pub struct Finder<'a> {
    vfs: &'a Vfs,
    depth: Depth,
    /// Bytes decoded so far.
    bytes: usize,
    /// Folder of the model, relative to the root.
    folder: String,
    /// File name of the model.
    name: String,
    /// The same without extension.
    stem: String,
    decoded: HashMap<String, Option<Arc<Picture>>>,
}

impl<'a> Finder<'a> {
    /// A finder for the model at `model_path`.
    #[must_use]
    pub fn new(vfs: &'a Vfs, model_path: &str, depth: Depth) -> Self {
        let (stem, _) = split_extension(name_of(model_path));
        Self {
            vfs,
            depth,
            bytes: 0,
            folder: folder_of(model_path).to_owned(),
            name: name_of(model_path).to_owned(),
            stem: stem.to_owned(),
            decoded: HashMap::new(),
        }
    }

    /// The pictures a model may wear: the MD2 skins that were found, or those beside it; as many as the game takes and
    /// memory should hold.
    pub fn skins(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<(String, Arc<Picture>)> {
        if model.format != Format::Md2 {
            return Vec::new();
        }
        let mut paths: Vec<String> = Vec::new();
        for name in &model.skins {
            let look = self.look(name, &mut Warnings::default());
            if look.picture.is_some() && !paths.contains(&look.path) {
                paths.push(look.path);
            }
        }
        if paths.is_empty() {
            paths = self.pictures_beside();
        }
        let mut bytes = 0;
        let mut skins = Vec::new();
        for (index, path) in paths.iter().enumerate() {
            if index >= MOST_SKINS || bytes > SKIN_BYTES {
                warnings
                    .add("skins", format!("{} more pictures beside the model are not offered", paths.len() - index));
                break;
            }
            if let Some(picture) = self.picture(path, warnings) {
                bytes += picture.rgba.len();
                skins.push((path.clone(), picture));
            }
        }
        skins
    }

    /// What each surface looks like by the names in the file. Missing pictures are told once per name.
    pub fn looks(&mut self, model: &Model, warnings: &mut Warnings) -> Vec<SurfaceLook> {
        if model.format == Format::Md2 {
            let look = self.skin_look(model, warnings);
            return model.surfaces.iter().map(|_| look.clone()).collect();
        }
        let mut by_name: HashMap<&str, SurfaceLook> = HashMap::new();
        let mut missing: Vec<Warning> = Vec::new();
        let mut missing_names = 0;
        let mut looks: Vec<SurfaceLook> = Vec::with_capacity(model.surfaces.len());
        for surface in &model.surfaces {
            // Several materials are one per skin number; the first is what the game shows by default.
            let name = surface.materials.first().map_or("", String::as_str);
            if let Some(look) = by_name.get(name) {
                looks.push(look.clone());
                continue;
            }
            if by_name.len() == MOST_NAMES {
                warnings.add("materials", format!("only the first {MOST_NAMES} names are looked for"));
            }
            if by_name.len() >= MOST_NAMES {
                looks.push(SurfaceLook::missing(name));
                by_name.insert(name, SurfaceLook::missing(name));
                continue;
            }
            let mut own = Warnings::default();
            let mut look = self.look(name, &mut own);
            // A picture that is there but broken is told even if another was found in its place.
            let (broken, own) = own.into_vec().into_iter().partition(|warning| warning.about == BROKEN);
            warnings.append(broken);
            if look.picture.is_none() && !surface.triangles.is_empty() {
                missing_names += 1;
                let about = if surface.name.is_empty() { "material" } else { &surface.name };
                let own: Vec<Warning> = own;
                missing.extend(own.into_iter().map(|w| Warning { about: about.to_owned(), ..w }));
                if missing_names > MOST_TRAILS {
                    look.trail = Arc::default();
                }
            }
            by_name.insert(name, look.clone());
            looks.push(look);
        }
        let names_nothing = looks.iter().all(|look| is_empty_name(&look.name));
        if looks.iter().all(|look| look.picture.is_none())
            && let Some(path) = self.only_picture_beside(names_nothing)
            && let Some(picture) = self.picture(&path, warnings)
        {
            let what = "The only picture beside the model".to_owned();
            let step = Step { what, tried: vec![path.clone()], found: Some(path.clone()) };
            for look in &mut looks {
                look.trail = look.trail.iter().cloned().chain([step.clone()]).collect();
                look.picture = Some(Arc::clone(&picture));
                look.path.clone_from(&path);
            }
            warnings.add(
                "materials",
                format!("no name in the file leads to a picture; {} beside the model is used", name_of(&path)),
            );
        } else {
            warnings.append(missing);
        }
        looks
    }

    /// The skins in `.skin` files beside the model, by name: `default` (or `0`) first, then by name. What a skin does not
    /// name keeps the look it has by the names in the model, `plain`.
    pub fn skin_files(
        &mut self,
        model: &Model,
        plain: &[SurfaceLook],
        warnings: &mut Warnings,
    ) -> Vec<(String, SkinFile, Vec<SurfaceLook>)> {
        let beside = self.vfs.files_in(&self.folder);
        let named = |file: &String| skin_name(file, &self.name).map(|name| (name.to_owned(), file.clone(), true));
        let mut files: Vec<(String, String, bool)> = beside.iter().filter_map(named).collect();
        if files.is_empty() {
            // Skins that are named after no model (`red.skin`) are for those whose surfaces they name.
            let models = model_stems(&beside);
            files.extend(beside.iter().filter(|file| is_nobodys_skin(file, &models)).map(|file| {
                let name = split_extension(file).0.to_owned();
                (name, file.clone(), false)
            }));
        }
        let is_first = |name: &str| matches!(name, "default" | "0");
        files.sort_by_key(|(name, ..)| (!is_first(&name.to_lowercase()), name.to_lowercase()));
        if files.len() > MOST_SKIN_FILES {
            warnings.add("skins", format!("{} lie beside the model; {MOST_SKIN_FILES} are read", files.len()));
            files.truncate(MOST_SKIN_FILES);
        }
        let mut skins = Vec::new();
        for (name, file, own) in files {
            let Ok(bytes) = self.vfs.read(&join(&self.folder, &file)) else { continue };
            let mut own_warnings = Warnings::default();
            let skin = SkinFile::parse_with(&bytes, &mut own_warnings);
            let names_one = model.surfaces.iter().any(|surface| skin.path_of(&surface.name).is_some());
            if own {
                let about = |warning: Warning| Warning { about: file.clone(), message: warning.to_string() };
                warnings.append(own_warnings.into_vec().into_iter().map(about).collect());
            }
            if skin.is_empty() && own {
                warnings.add(file, "the skin names no surface");
            } else if own || names_one {
                let looks = self.dressed(model, plain, &skin);
                skins.push((name, skin, looks));
            }
        }
        skins
    }

    /// What each surface wears with `skin`; those it does not name wear `plain`.
    pub fn dressed(&mut self, model: &Model, plain: &[SurfaceLook], skin: &SkinFile) -> Vec<SurfaceLook> {
        let mut wear = |(surface, look): (&Surface, &SurfaceLook)| match skin.path_of(&surface.name) {
            None => look.clone(),
            Some(path) if hides(path) => SurfaceLook { hidden: true, ..SurfaceLook::missing(path) },
            Some(path) => self.look(path, &mut Warnings::default()),
        };
        model.surfaces.iter().zip(plain).map(&mut wear).collect()
    }

    /// Tells which surfaces of `looks` lack a picture, each name once.
    pub fn tell_missing(model: &Model, looks: &[SurfaceLook], warnings: &mut Warnings) {
        let mut told = HashSet::new();
        for (surface, look) in model.surfaces.iter().zip(looks) {
            let is_missing = look.picture.is_none() && !look.hidden && !surface.triangles.is_empty();
            if is_missing && told.insert(&look.name) {
                let about = if surface.name.is_empty() { "material" } else { &surface.name };
                warnings.add(about, missing_message(&look.name, &look.trail));
            }
        }
    }

    /// The look of an MD2: its first skin that is there, else a picture beside it.
    fn skin_look(&mut self, model: &Model, warnings: &mut Warnings) -> SurfaceLook {
        let mut trail: Vec<Step> = Vec::new();
        // Skins are not made to repeat: where no coordinate leaves the picture, its edges do not bleed into each other.
        let inside = |uv: &glam::Vec2| (0.0..=1.0).contains(&uv.x) && (0.0..=1.0).contains(&uv.y);
        let clamps = model.surfaces.iter().flat_map(|surface| &surface.uvs).all(inside);
        let wrap = if clamps { PictureWrap::Clamp } else { PictureWrap::Repeat };
        for name in &model.skins {
            let look = self.look(name, &mut Warnings::default());
            trail.extend(look.trail.iter().cloned());
            if look.picture.is_some() {
                return SurfaceLook { trail: trail.into(), wrap, ..look };
            }
        }
        let named = model.skins.first().cloned().unwrap_or_default();
        let beside = self.pictures_beside();
        for path in &beside {
            if let Some(picture) = self.picture(path, warnings) {
                let message =
                    if model.skins.is_empty() { "no skin is named in the file" } else { "no named skin is there" };
                warnings.add("skins", format!("{message}; {} beside it is used", name_of(path)));
                trail.push(Step {
                    what: "Pictures beside the model".to_owned(),
                    tried: beside.clone(),
                    found: Some(path.clone()),
                });
                let trail = trail.into();
                return SurfaceLook {
                    picture: Some(picture),
                    path: path.clone(),
                    wrap,
                    trail,
                    ..SurfaceLook::missing(&named)
                };
            }
        }
        trail.push(Step { what: "Pictures beside the model".to_owned(), tried: beside, found: None });
        let message = if model.skins.is_empty() {
            "no skin is named in the file and no picture lies beside it".to_owned()
        } else {
            missing_message(&named, &trail)
        };
        warnings.add("skins", message);
        SurfaceLook { trail: trail.into(), ..SurfaceLook::missing(&named) }
    }

    /// Looks for the picture called `name`; a warning names what was tried if there is none.
    pub fn look(&mut self, name: &str, warnings: &mut Warnings) -> SurfaceLook {
        let mut look = SurfaceLook::missing(name);
        let mut trail = Vec::new();
        if name.trim().is_empty() {
            warnings.add("material", "the file names none");
            return look;
        }
        for (what, stems) in self.places(name) {
            let mut tried = Vec::new();
            let found = stems.into_iter().find(|path| {
                tried.push(path.clone());
                self.vfs.find(path).is_some()
            });
            let stored = found.as_deref().and_then(|path| self.vfs.find(path));
            trail.push(Step { what: what.to_owned(), tried, found: stored.clone() });
            if let Some(path) = stored
                && let Some(picture) = self.picture(&path, warnings)
            {
                look.picture = Some(picture);
                look.path = path;
                look.trail = trail.into();
                return look;
            }
        }
        warnings.add("material", missing_message(name, &trail));
        look.trail = trail.into();
        look
    }

    /// The paths to try for a name, by step.
    fn places(&self, name: &str) -> Vec<(&'static str, Vec<String>)> {
        // UFO: Alien Invasion writes ".name" for a picture beside the model.
        let is_beside = name.starts_with('.') && !name.starts_with("..");
        let clean = if is_beside { name.trim_start_matches('.') } else { name }.trim_start_matches(['/', '\\']);
        let mut steps = Vec::new();
        let beside = |name: &str| join(&self.folder, name);
        if is_beside {
            steps.push(("Beside the model", self.spellings(&[beside(clean)])));
        }
        if let Some(path) = normalise(clean) {
            let mut bases = vec![path.clone()];
            let mut folder = String::new();
            for part in self.folder.split('/').filter(|part| !part.is_empty()) {
                folder = join(&folder, part);
                bases.push(join(&folder, &path));
            }
            steps.push(("As named, from the game root", self.spellings(&bases)));
        }
        if let Some(tail) = tail_in_game(name) {
            steps.push(("As the author's path ends", self.spellings(&[tail])));
        }
        let file = name_of(clean);
        if !file.is_empty() && normalise(file).is_some() {
            steps.push(("By file name beside the model", self.spellings(&[beside(file)])));
        }
        steps
    }

    /// Each base as it is, then its stem with every extension, then with diffuse endings.
    fn spellings(&self, bases: &[String]) -> Vec<String> {
        let mut paths = Vec::new();
        for base in bases {
            let (stem, extension) = split_extension(base);
            let is_image = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
            // What follows a dot need not be an extension: "torso.blue" is a name.
            let stems = if is_image { vec![stem, base] } else { vec![base.as_str(), stem] };
            if is_image {
                paths.push(base.clone());
            }
            for stem in stems {
                for ending in std::iter::once("").chain(DIFFUSE_ENDINGS) {
                    paths.extend(IMAGE_EXTENSIONS.iter().map(|extension| format!("{stem}{ending}.{extension}")));
                }
            }
        }
        let mut seen = HashSet::new();
        paths.retain(|path| seen.insert(path.to_lowercase()) && split_extension(path).1 != NOT_DECODED);
        paths
    }

    /// Pictures in the model's folder that may be its skin: those named like it, then `skin.*`, then the rest by name.
    /// Icons (`*_i.*`) are none. What a Quake II player holds wears `weapon.*` before anything of the player's; the player
    /// wears it last, and what has an icon first, for those are its skins.
    fn pictures_beside(&self) -> Vec<String> {
        let beside = self.vfs.files_in(&self.folder);
        let is_weapon = |stem: &str| stem == "weapon" || stem.starts_with("w_");
        let icons: HashSet<String> = beside
            .iter()
            .filter_map(|name| split_extension(name).0.to_lowercase().strip_suffix("_i").map(str::to_owned))
            .collect();
        let (own, folder) = (self.stem.to_lowercase(), name_of(&self.folder).to_lowercase());
        let rank = |name: &str| match split_extension(name).0.to_lowercase().as_str() {
            stem if stem == own => 0,
            "skin" => 1,
            stem if is_weapon(&own) && is_weapon(stem) => 2,
            stem if is_weapon(stem) => 6,
            stem if icons.contains(stem) && stem == folder => 3,
            stem if icons.contains(stem) => 4,
            _ => 5,
        };
        let mut names: Vec<String> = beside.into_iter().filter(|name| is_skin_picture(name)).collect();
        names.sort_by_key(|name| (rank(name), name.to_lowercase()));
        names.into_iter().map(|name| join(&self.folder, &name)).collect()
    }

    /// The picture beside the model that must be its own: called like it, or `skin` or `diffuse`; or, where the model
    /// `names_nothing`, the only one that is no mask, normal map or the like.
    fn only_picture_beside(&self, names_nothing: bool) -> Option<String> {
        let beside: Vec<String> =
            self.pictures_beside().into_iter().filter(|path| !is_auxiliary(name_of(path))).collect();
        let stem_of = |path: &String| split_extension(name_of(path)).0.to_lowercase();
        let own = [self.stem.to_lowercase(), "skin".to_owned(), "diffuse".to_owned()];
        let called = own.iter().find_map(|stem| beside.iter().find(|path| stem_of(path) == *stem));
        let alone = || beside.first().filter(|first| beside.iter().all(|path| stem_of(path) == stem_of(first)));
        called.or_else(|| if names_nothing { alone() } else { None }).cloned()
    }

    /// Decodes a picture, once.
    pub fn picture(&mut self, path: &str, warnings: &mut Warnings) -> Option<Arc<Picture>> {
        if let Some(known) = self.decoded.get(path) {
            return known.clone();
        }
        let picture = if self.depth == Depth::Found {
            Some(Arc::new(Picture { width: 1, height: 1, rgba: vec![128, 128, 128, 255], has_alpha: false }))
        } else if self.bytes > DECODED_BYTES {
            warnings
                .add(BROKEN, format!("{}: left out, the pictures of this model are too large together", name_of(path)));
            None
        } else {
            let bytes = self.vfs.read(path).map_err(|error| error.to_string());
            let decoded =
                bytes.and_then(|bytes| Picture::decode(&bytes, name_of(path)).map_err(|error| error.to_string()));
            decoded.map_err(|message| warnings.add(BROKEN, message)).ok().map(Arc::new)
        };
        self.bytes += picture.as_ref().map_or(0, |picture| picture.rgba.len());
        self.decoded.insert(path.to_owned(), picture.clone());
        picture
    }
}

/// What warnings about pictures that are there but cannot be read are about.
const BROKEN: &str = "picture";

/// What the skins of the models among these files begin with, in lower case: their stems and their whole names.
fn model_stems(files: &[String]) -> HashSet<String> {
    let models = files.iter().filter(|name| {
        let extension = split_extension(name).1.to_lowercase();
        ["md3", "mdc", "mdr"].contains(&extension.as_str())
    });
    models.flat_map(|name| [name.to_lowercase(), split_extension(name).0.to_lowercase()]).collect()
}

/// Whether a `.skin` file is named after none of the models with these stems.
fn is_nobodys_skin(file: &str, models: &HashSet<String>) -> bool {
    let (stem, extension) = split_extension(file);
    let stem = stem.to_lowercase();
    let mut starts = stem.match_indices('_').filter_map(|(at, _)| stem.get(..at));
    extension.eq_ignore_ascii_case("skin") && !starts.any(|start| models.contains(start))
}

fn is_skin_picture(name: &str) -> bool {
    let (stem, extension) = split_extension(name);
    let known = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
    known && !extension.eq_ignore_ascii_case(NOT_DECODED) && !stem.to_lowercase().ends_with("_i")
}

/// Whether a material's name says nothing: empty, or what exporters write when nobody chose one.
fn is_empty_name(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    name.is_empty() || ["default", "material", "none"].iter().any(|nothing| name.contains(nothing))
}

/// Whether a picture is a mask, a normal map, an icon or the like, by its name.
fn is_auxiliary(name: &str) -> bool {
    const ENDINGS: [&str; 14] = [
        "mask", "masks", "norm", "normal", "normals", "local", "spec", "specular", "glow", "height", "_n", "_s", "_h",
        "_nm",
    ];
    let stem = split_extension(name).0.to_lowercase();
    stem.starts_with("icon") || ENDINGS.iter().any(|ending| stem.ends_with(ending))
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

/// What follows the last game folder in a path of somebody's disk.
fn tail_in_game(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let is_absolute = name.starts_with(['/', '\\']) || parts.first().is_some_and(|part| part.ends_with(':'));
    let cut = parts.iter().rposition(|part| GAME_FOLDERS.iter().any(|known| known.eq_ignore_ascii_case(part)));
    match cut {
        Some(cut) if cut + 1 < parts.len() => normalise(&parts[cut + 1..].join("/")),
        _ if is_absolute => parts
            .iter()
            .position(|part| ["models", "textures", "players"].iter().any(|known| known.eq_ignore_ascii_case(part)))
            .and_then(|start| normalise(&parts[start..].join("/"))),
        _ => None,
    }
}

fn missing_message(name: &str, trail: &[Step]) -> String {
    let tried: usize = trail.iter().map(|step| step.tried.len()).sum();
    let first = trail.iter().flat_map(|step| &step.tried).next();
    match first {
        _ if name.trim().is_empty() => "the file names none".to_owned(),
        Some(first) => format!("no picture “{name}”: {tried} names tried, {first} first"),
        None => format!("no picture “{name}”"),
    }
}
