//! Scripts of the Cube engines: skins, clips and tags of a model.
//!
//! In these engines a model is a folder. Its script loads files of this or another folder. Without a script, the folder
//! shows `tris.*` with `skin.*`, each from this folder or its parent. A file therefore has a skin for every folder that
//! shows it. An MD2 without a script also has the parent's drawing states (Sauerbraten `md2.h`, `loaddefaultparts`).

use super::animation_files::Declared;
use super::companions::add_warnings;
use super::cube_script::candidate_paths;
use super::model_setup::{ModelSetup, SurfaceChoice, SurfaceSetup};
use super::shared_files::cube_script;
use crate::limits::{MAX_CUBE_FOLDERS, MAX_SETUPS};
use crate::material::{IMAGE_EXTENSIONS, cube_scripts};
use crate::vfs::{Vfs, folder_of, join, name_of, resolved, split_extension};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::formats::cube_cfg::{CubeFrames, CubePart, CubePath, CubeSkin, CubeState};
use maquette_core::limits::MAX_SETUP_LINES;
use maquette_core::model::{Format, Model};

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
            surfaces: choice(&skin.mesh),
            image: Some(paths(&skin.texture)),
            mask: skin.mask.as_ref().map(paths),
            normal_map: None,
        });
        let normal_maps = self.part.normal_maps.iter().map(|(mesh, path)| SurfaceSetup {
            surfaces: choice(mesh),
            image: None,
            mask: None,
            normal_map: Some(paths(path)),
        });
        // Normal maps alone are not a skin.
        let textures = if self.part.skins.is_empty() { Vec::new() } else { images.chain(normal_maps).collect() };
        let (mut clips, mut animations) = (Vec::new(), Vec::new());
        for animation in self.part.animations.iter().take(MAX_SETUP_LINES) {
            let (name, frames_per_second) = (animation.name.clone(), animation.frames_per_second);
            match &animation.frames {
                CubeFrames::Range(first, count) => {
                    clips.push(NamedRange { name, first: *first, count: *count, frames_per_second, loops: true });
                }
                CubeFrames::File(path) => {
                    let paths = paths(path);
                    let found = paths.iter().find_map(|path| vfs.find(path));
                    let path = found.or_else(|| paths.into_iter().next()).unwrap_or_default();
                    animations.push(Declared { name, path, frames_per_second });
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
pub(super) fn setups(vfs: &Vfs, game_path: &str, model: &Model, warnings: &mut Warnings) -> Vec<ModelSetup> {
    let format = model.format();
    let folder = folder_of(game_path);
    let mut setups: Vec<CubeSetup> = Vec::new();
    let mut silent = Vec::new();
    let mut fallback = None;
    for script in cube_scripts(vfs, game_path, format) {
        let folder_path = folder_of(&script).to_owned();
        let file = cube_script(vfs, &script, format);
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
        let file = cube_script(vfs, &script, format);
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
    setups.into_iter().take(MAX_SETUPS).map(|outfit| outfit.into_setup(vfs)).collect()
}

/// Returns the setups of folders without a script, or with one that loads nothing: `tris.*` with `skin.*`, as the
/// module documentation describes.
fn plain_setups(
    vfs: &Vfs,
    game_path: &str,
    format: Format,
    silent: &[(String, Vec<(String, CubeState)>)],
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
            let name = format.traits().companions.cube_script.filter(|_| format == Format::Md2)?;
            let script = cube_script(vfs, &vfs.find(&join(folder_of(folder), name))?, format);
            Some(script.parsed.as_ref()?.parts.first()?.states.clone())
        };
        own.map(|(_, states)| states.clone()).or_else(of_parent).unwrap_or_default()
    };
    let setup = |name: &str, folder: &str, image: &str, states: Vec<(String, CubeState)>| CubeSetup {
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
    let scripts = || Format::ALL.into_iter().filter_map(|format| format.traits().companions.cube_script);
    let is_silent = |folder: &str| silent.iter().any(|(silent, _)| silent.eq_ignore_ascii_case(folder));
    if is_bare || is_silent(folder) {
        let paths = [folder, folder_of(folder)];
        let found = paths.iter().find_map(|folder_path| Some((*folder_path, skin_in(folder_path)?)));
        setups.extend(found.map(|(folder_path, image)| setup("default", folder_path, &image, states_in(folder))));
    }
    for name in vfs.folders_in(folder).iter().take(MAX_CUBE_FOLDERS) {
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
