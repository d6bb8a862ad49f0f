//! The Cube engines: AssaultCube, Sauerbraten, Red Eclipse, Tesseract.
//!
//! In these engines a model is a folder. Its script loads files of this or another folder, and defines skins, clips and
//! tags. Without a script, the folder shows `tris.*` with `skin.*`, each from this folder or its parent. A file therefore
//! has a skin for every folder that shows it. An MD2 without a script also has the parent's drawing states (Sauerbraten
//! `md2.h`, `loaddefaultparts`).

pub mod script;

use std::collections::HashMap;
use std::sync::Arc;

use super::Quantity::{Joints, Vertices, Weights};
use super::profile::{BYTE_JOINTS, NO_ENGINE, nominal, refused};
use super::{
    Engine, IMAGE_EXTENSIONS, ModelSetup, PLAIN, Profile, SurfaceChoice, SurfaceSetup, SurfaceState, TextureRules,
    USUAL, below_folder,
};
use crate::companions::{Contents, Declared, add_warnings};
use crate::limits::{MAX_MODEL_FILES, MAX_SETUP_LINES, MAX_SHORT_TEXT_BYTES, MAX_SKINS};
use crate::vfs::{ReadLimit, Vfs, folder_of, join, name_of, resolved, split_extension};
use maquette_core::error::{Fault, WarningKind, Warnings};
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::model::Format::{self, Iqm, Md2, Md3, Md5};
use maquette_core::model::Model;

use script::{CubeFrames, CubePart, CubePath, CubeSkin};

pub(super) static ENGINE: Engine = Engine {
    name: "Cube engine (AssaultCube, Sauerbraten, Red Eclipse, Tesseract)",
    short_name: "Cube engine",
    profile: Some(&PROFILE),
    // Tesseract. Folders of other games may be called `model`, too.
    marks_root: |folder, name| folder.eq_ignore_ascii_case("media") && name.eq_ignore_ascii_case("model"),
    formats: &Format::ALL,
    sign: |vfs, path, format| {
        let script = scripts(vfs, path, format).into_iter().next();
        script.or_else(|| GAME_FOLDERS.iter().find_map(|folder| below_folder(vfs, path, folder)))
    },
    textures: TextureRules { alpha_without_script: true, searches_model_folder: true, ..USUAL },
    setups,
    animations: |_, _, format, setups| Some((ModelSetup::declared(setups), script_name(format)?)),
    ..PLAIN
};

/// The engines have 16-bit indices, and keep the four largest weights of a vertex (`skelmodel.h`). In an IQM, joints and
/// weights of vertices are bytes (`iqm.h`, `loadiqmmeshes`).
pub(super) static PROFILE: Profile = Profile {
    name: "cube2",
    title: "Cube 2",
    formats: &[Md2, Md3, Md5, Iqm],
    limits: &[&[
        nominal(Md2, Vertices, 65_535),
        nominal(Md3, Vertices, 65_535),
        nominal(Md5, Vertices, 65_535),
        nominal(Md5, Weights, 4),
        nominal(Iqm, Vertices, 65_535),
        refused(Iqm, Joints, BYTE_JOINTS),
    ]],
    culls_by_frames: false,
    refuses: &[(Iqm, &[Fault::WideWeights])],
    ..NO_ENGINE
};

/// Returns the name of the script for models of a format; `None` if the engines do not load it.
fn script_name(format: Format) -> Option<&'static str> {
    match format {
        Md2 => Some("md2.cfg"),
        Md3 => Some("md3.cfg"),
        Md5 => Some("md5.cfg"),
        Iqm => Some("iqm.cfg"),
        _ => None,
    }
}

/// Returns the scripts for a model: first in its folder, then in the folders inside, whose scripts may
/// load the model too.
fn scripts(vfs: &Vfs, game_path: &str, format: Format) -> Vec<String> {
    let Some(name) = script_name(format) else { return Vec::new() };
    let folder = folder_of(game_path);
    let folders = vfs.folders_in(folder);
    let below = folders.iter().take(MAX_MODEL_FILES).map(|below| join(folder, below));
    std::iter::once(folder.to_owned()).chain(below).filter_map(|folder| vfs.look_up(&join(&folder, name))).collect()
}

/// Folders of models from the game's folder (Sauerbraten `rendermodel.cpp`, Tesseract `rendermodel.cpp`: `loadmodel`).
const GAME_FOLDERS: [&str; 2] = ["packages/models", "media/model"];
/// Folders of models from the root of the virtual file system, which may be `packages` or `media`.
const MODEL_FOLDERS: [&str; 5] = ["packages/models", "models", "media/model", "model", ""];
/// Rate of animations for which a script states none: 100 ms per frame (Sauerbraten `animmodel.h`, `calcanim`).
const RATE: f32 = 10.0;

/// A parsed script, indexed by model.
#[derive(Debug)]
struct CubeScript {
    parts: Vec<CubePart>,
    /// Index of the first part that applies to a model, by the model's path in lower case.
    by_model: HashMap<String, usize>,
}

impl CubeScript {
    fn new(folder: &str, parts: Vec<CubePart>) -> Self {
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

    fn part_for(&self, game_path: &str) -> Option<&CubePart> {
        self.parts.get(*self.by_model.get(&game_path.to_ascii_lowercase())?)
    }
}

/// Returns the game paths of a path from the game's folder. The root of the virtual file system may be `packages` or
/// `media`.
fn cube_root_paths(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once(path).chain(path.strip_prefix("packages/")).chain(path.strip_prefix("media/"))
}

fn candidate_paths(folder: &str, path: &CubePath) -> Vec<String> {
    let Some(named) = &path.folder else { return resolved(folder, &path.file).into_iter().collect() };
    let folders = MODEL_FOLDERS.iter().filter_map(|base| resolved(base, named));
    folders.filter_map(|folder| resolved(&folder, &path.file)).collect()
}

fn read_script(vfs: &Vfs, path: &str, format: Format) -> Arc<Contents<CubeScript>> {
    vfs.memo(path, |vfs| {
        let size = vfs.entry(path).and_then(|entry| entry.size());
        if size.is_some_and(|size| size.bytes > MAX_SHORT_TEXT_BYTES as u64) {
            let mut warnings = Warnings::default();
            let message = format!("the script is longer than {MAX_SHORT_TEXT_BYTES} bytes; skipped");
            warnings.add(WarningKind::LeftOut, "", message);
            return Contents { parsed: None, warnings };
        }
        let mut read = |name: &str| {
            let found = cube_root_paths(name).find_map(|path| vfs.look_up(path))?;
            let size = vfs.entry(&found)?.size();
            let is_short = size.is_none_or(|size| size.bytes <= MAX_SHORT_TEXT_BYTES as u64);
            is_short.then(|| vfs.read(&found, ReadLimit::TEXT).ok()).flatten()
        };
        let parse = |bytes: &[u8], warnings: &mut Warnings| {
            CubeScript::new(folder_of(path), script::parse(bytes, format, &mut read, warnings))
        };
        Contents::read(vfs, path, parse)
    })
}

/// The setup of a model in one folder.
struct CubeSetup {
    name: String,
    /// Game path of the script; empty if the folder has none.
    script: String,
    folder: String,
    part: CubePart,
}

impl CubeSetup {
    fn into_setup(self, vfs: &Vfs) -> ModelSetup {
        let paths = |path: &CubePath| {
            let paths = candidate_paths(&self.folder, path);
            if paths.is_empty() { vec![path.file.clone()] } else { paths }
        };
        let choice = |mesh: &str| match mesh {
            "*" => SurfaceChoice::All,
            name => SurfaceChoice::Named(name.to_owned()),
        };
        let images = self.part.skins.iter().map(|skin| SurfaceSetup {
            image: Some(paths(&skin.texture)),
            mask: skin.mask.as_ref().map(paths),
            ..SurfaceSetup::new(choice(&skin.mesh))
        });
        let normal_maps = self
            .part
            .normal_maps
            .iter()
            .map(|(mesh, path)| SurfaceSetup { normal_map: Some(paths(path)), ..SurfaceSetup::new(choice(mesh)) });
        let decals = self
            .part
            .decals
            .iter()
            .map(|(mesh, path)| SurfaceSetup { decal: Some(paths(path)), ..SurfaceSetup::new(choice(mesh)) });
        // Normal maps and decals alone are not a skin.
        let has_skins = !self.part.skins.is_empty();
        let textures = if has_skins { images.chain(normal_maps).chain(decals).collect() } else { Vec::new() };
        let (mut clips, mut animations) = (Vec::new(), Vec::new());
        for animation in self.part.animations.iter().take(MAX_SETUP_LINES) {
            let (name, frames_per_second) = (animation.name.clone(), animation.frames_per_second.or(Some(RATE)));
            match &animation.frames {
                CubeFrames::Range(first, count) => {
                    clips.push(NamedRange { name, first: *first, count: *count, frames_per_second, loops: true });
                }
                CubeFrames::File(path) => {
                    let paths = paths(path);
                    let found = paths.iter().find_map(|path| vfs.look_up(path));
                    let path = found.or_else(|| paths.into_iter().next()).unwrap_or_default();
                    animations.push(Declared { frames_per_second, ..Declared::new(name, path) });
                }
            }
        }
        let states = self.part.states.iter().map(|(mesh, state)| (choice(mesh), *state)).collect();
        let source = if self.script.is_empty() { self.folder } else { self.script };
        let CubePart { tags, placement, .. } = self.part;
        ModelSetup {
            name: self.name,
            source,
            textures,
            states,
            clips,
            animations,
            tags,
            placement,
            ..ModelSetup::default()
        }
    }
}

/// Returns the setups of all folders that show the model at `game_path`, the model's own folder first.
fn setups(vfs: &Vfs, game_path: &str, model: &Model, warnings: &mut Warnings) -> Vec<ModelSetup> {
    let format = model.format();
    let folder = folder_of(game_path);
    let mut setups: Vec<CubeSetup> = Vec::new();
    let mut silent = Vec::new();
    let mut fallback = None;
    for script in scripts(vfs, game_path, format) {
        let folder_path = folder_of(&script).to_owned();
        let file = read_script(vfs, &script, format);
        let parts = file.parsed.as_ref().map_or(&[][..], |script| &script.parts);
        if file.parsed.is_none() && folder_path.eq_ignore_ascii_case(folder) {
            add_warnings(vfs, &script, file.warnings.clone(), warnings);
        }
        let has_parts = parts.iter().any(|part| !part.skins.is_empty());
        let name = if folder_path.eq_ignore_ascii_case(folder) { "default" } else { name_of(&folder_path) }.to_owned();
        match file.parsed.as_ref().and_then(|script| script.part_for(game_path)) {
            Some(part) => {
                add_warnings(vfs, &script, file.warnings.clone(), warnings);
                if part.skins.is_empty() {
                    silent.push((folder_path.clone(), part.states.clone()));
                }
                setups.push(CubeSetup { name, script, folder: folder_path, part: part.clone() });
            }
            // The script of the model's folder shows another file. It is used if no other folder shows this one.
            None if has_parts && folder_path.eq_ignore_ascii_case(folder) => fallback = Some(script),
            None if has_parts => {}
            None => silent.push((folder_path, parts.first().map(|part| part.states.clone()).unwrap_or_default())),
        }
    }
    let is_bare = setups.is_empty() && fallback.is_none();
    setups.extend(plain_setups(vfs, game_path, format, &silent, is_bare));
    if let (true, Some(script)) = (setups.is_empty(), fallback) {
        let file = read_script(vfs, &script, format);
        let mut parts = file.parsed.iter().flat_map(|script| &script.parts);
        if let Some(part) = parts.find(|part| !part.skins.is_empty()).cloned() {
            let mut own = file.warnings.clone();
            let message = format!("the script is for {}; its skin is applied to this file", part.model.file);
            own.add(WarningKind::Substituted, "", message);
            add_warnings(vfs, &script, own, warnings);
            let folder_path = folder_of(&script).to_owned();
            setups.push(CubeSetup { name: "default".to_owned(), script, folder: folder_path, part });
        }
    }
    setups.into_iter().take(MAX_SKINS).map(|setup| setup.into_setup(vfs)).collect()
}

/// Returns the setups of folders without a script, or with one that loads nothing: `tris.*` with `skin.*`, as the
/// module documentation describes.
fn plain_setups(
    vfs: &Vfs,
    game_path: &str,
    format: Format,
    silent: &[(String, Vec<(String, SurfaceState)>)],
    is_bare: bool,
) -> Vec<CubeSetup> {
    let (stem, extension) = split_extension(name_of(game_path));
    if !stem.eq_ignore_ascii_case("tris") {
        return Vec::new();
    }
    let folder = folder_of(game_path);
    let skin_in = |folder: &str| {
        let path = |extension: &&str| resolved(folder, &format!("skin.{extension}"));
        IMAGE_EXTENSIONS.iter().filter_map(path).find_map(|path| vfs.find(&path))
    };
    let states_in = |folder: &str| {
        let own = silent.iter().find(|(silent, _)| silent.eq_ignore_ascii_case(folder));
        let of_parent = || {
            let name = script_name(format).filter(|_| format == Md2)?;
            let script = read_script(vfs, &vfs.look_up(&join(folder_of(folder), name))?, format);
            Some(script.parsed.as_ref()?.parts.first()?.states.clone())
        };
        own.map(|(_, states)| states.clone()).or_else(of_parent).unwrap_or_default()
    };
    let setup = |name: &str, folder: &str, image: &str, states: Vec<(String, SurfaceState)>| CubeSetup {
        name: name.to_owned(),
        script: String::new(),
        folder: folder.to_owned(),
        part: CubePart {
            states,
            skins: vec![CubeSkin {
                mesh: "*".to_owned(),
                texture: CubePath { folder: None, file: name_of(image).to_owned() },
                mask: None,
            }],
            ..CubePart::default()
        },
    };
    let mut setups = Vec::new();
    let scripts = || Format::ALL.into_iter().filter_map(script_name);
    let is_silent = |folder: &str| silent.iter().any(|(silent, _)| silent.eq_ignore_ascii_case(folder));
    if is_bare || is_silent(folder) {
        let paths = [folder, folder_of(folder)];
        let found = paths.iter().find_map(|folder_path| Some((*folder_path, skin_in(folder_path)?)));
        setups.extend(found.map(|(folder_path, image)| setup("default", folder_path, &image, states_in(folder))));
    }
    for name in vfs.folders_in(folder).iter().take(MAX_MODEL_FILES) {
        let Some(below) = resolved(folder, name) else { continue };
        let has = |file: String| vfs.find(&file).is_some();
        let has_script = !is_silent(&below) && scripts().any(|script| has(format!("{below}/{script}")));
        if !has_script
            && !has(format!("{below}/tris.{extension}"))
            && let Some(image) = skin_in(&below)
        {
            setups.push(setup(name, &below, &image, states_in(&below)));
        }
    }
    setups
}
