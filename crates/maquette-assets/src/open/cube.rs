//! Scripts of the Cube engines: skins, clips and tags of a model.
//!
//! In these engines a model is a folder. Its script loads files of this or another folder. Without a script, the folder
//! shows `tris.*` with `skin.*`, each of its own or of the parent folder. A file therefore has a skin for every folder
//! that shows it.

use std::collections::HashMap;

use super::animation_files::Declared;
use super::companions::tell;
use super::cube_script::{places, resolved};
use super::shared_files::cube_script;
use crate::limits::{MAX_CUBE_FOLDERS, MAX_CUBE_SKINS};
use crate::material::{IMAGE_EXTENSIONS, MaterialResolver, SurfaceMaterial, SurfaceTextures, cube_scripts};
use crate::open::Skin;
use crate::vfs::{Vfs, folder_of, name_of, split_extension};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::clip_list::{self, NamedRange};
use maquette_core::formats::cube_cfg::{CubeFrames, CubePart, CubePath, CubeSkin};
use maquette_core::limits::MAX_CUBE_LINES;
use maquette_core::model::{Format, Model};

/// The setup of a model in one folder.
pub(super) struct CubeSetup {
    name: String,
    /// Game path of the script; empty if the folder has none.
    script: String,
    folder: String,
    part: CubePart,
}

impl CubeSetup {
    /// Resolves a path of the script: the first candidate that exists, else the first candidate.
    fn place(&self, vfs: &Vfs, path: &CubePath) -> String {
        let places = places(&self.folder, path);
        let found = places.iter().find_map(|place| vfs.find(place));
        found.or_else(|| places.into_iter().next()).unwrap_or_else(|| path.file.clone())
    }
}

/// Setups of all folders that show the model at `game_path`, the model's own folder first.
pub(super) fn outfits(vfs: &Vfs, game_path: &str, model: &Model, warnings: &mut Warnings) -> Vec<CubeSetup> {
    let format = model.format();
    let folder = folder_of(game_path);
    let mut outfits: Vec<CubeSetup> = Vec::new();
    let mut silent = Vec::new();
    let mut fallback = None;
    for script in cube_scripts(vfs, game_path, format) {
        let place = folder_of(&script).to_owned();
        let file = cube_script(vfs, &script, format);
        let parts = file.parsed.as_ref().map_or(&[][..], |script| &script.parts);
        if file.parsed.is_none() && place.eq_ignore_ascii_case(folder) {
            tell(vfs, &script, file.warnings.clone(), warnings);
        }
        let has_parts = parts.iter().any(|part| !part.skins.is_empty());
        let name = if place.eq_ignore_ascii_case(folder) { "default" } else { name_of(&place) }.to_owned();
        match file.parsed.as_ref().and_then(|script| script.part_for(game_path)) {
            Some(part) => {
                tell(vfs, &script, file.warnings.clone(), warnings);
                if part.skins.is_empty() {
                    silent.push(place.clone());
                }
                outfits.push(CubeSetup { name, script, folder: place, part: part.clone() });
            }
            // The script of the model's folder shows another file. It is used if no other folder shows this one.
            None if has_parts && place.eq_ignore_ascii_case(folder) => fallback = Some(script),
            None if has_parts => {}
            None => silent.push(place),
        }
    }
    let is_bare = outfits.is_empty() && fallback.is_none();
    outfits.extend(plain_outfits(vfs, game_path, &silent, is_bare));
    if let (true, Some(script)) = (outfits.is_empty(), fallback) {
        let file = cube_script(vfs, &script, format);
        let mut parts = file.parsed.iter().flat_map(|script| &script.parts);
        if let Some(part) = parts.find(|part| !part.skins.is_empty()).cloned() {
            let mut own = file.warnings.clone();
            let message = format!("the script is for {}; its skin is applied to this file", part.model.file);
            own.add(WarningKind::Substituted, "", message);
            tell(vfs, &script, own, warnings);
            let place = folder_of(&script).to_owned();
            outfits.push(CubeSetup { name: "default".to_owned(), script, folder: place, part });
        }
    }
    outfits.truncate(MAX_CUBE_SKINS);
    outfits
}

/// Setups of folders without a script, or with one that loads nothing: `tris.*` with `skin.*`, as described above.
fn plain_outfits(vfs: &Vfs, game_path: &str, silent: &[String], is_bare: bool) -> Vec<CubeSetup> {
    let (stem, extension) = split_extension(name_of(game_path));
    if !stem.eq_ignore_ascii_case("tris") {
        return Vec::new();
    }
    let folder = folder_of(game_path);
    let skin_in = |folder: &str| {
        let path = |extension: &&str| resolved(folder, &format!("skin.{extension}"));
        IMAGE_EXTENSIONS.iter().filter_map(path).find_map(|path| vfs.find(&path))
    };
    let outfit = |name: &str, folder: &str, picture: &str| CubeSetup {
        name: name.to_owned(),
        script: String::new(),
        folder: folder.to_owned(),
        part: CubePart {
            skins: vec![CubeSkin {
                mesh: "*".to_owned(),
                texture: CubePath { folder: None, file: name_of(picture).to_owned() },
                mask: None,
            }],
            ..CubePart::default()
        },
    };
    let mut outfits = Vec::new();
    let scripts = || Format::ALL.into_iter().filter_map(|format| format.traits().companions.cube_script);
    let is_silent = |place: &String| silent.iter().any(|silent| silent.eq_ignore_ascii_case(place));
    if is_bare || is_silent(&folder.to_owned()) {
        let places = [folder, folder_of(folder)];
        let found = places.iter().find_map(|place| Some((*place, skin_in(place)?)));
        outfits.extend(found.map(|(place, picture)| outfit("default", place, &picture)));
    }
    for name in vfs.folders_in(folder).iter().take(MAX_CUBE_FOLDERS) {
        let Some(below) = resolved(folder, name) else { continue };
        let has = |file: String| vfs.find(&file).is_some();
        let has_script = !is_silent(&below) && scripts().any(|script| has(format!("{below}/{script}")));
        if !has_script
            && !has(format!("{below}/tris.{extension}"))
            && let Some(picture) = skin_in(&below)
        {
            outfits.push(outfit(name, &below, &picture));
        }
    }
    outfits
}

pub(super) fn skins(
    vfs: &Vfs,
    outfits: &[CubeSetup],
    finder: &mut MaterialResolver,
    model: &Model,
    plain: &[SurfaceMaterial],
    warnings: &mut Warnings,
) -> Vec<Skin> {
    let mut skins: Vec<Skin> = Vec::new();
    for outfit in outfits.iter().filter(|outfit| !outfit.part.skins.is_empty()) {
        // There may be many surfaces but few paths.
        let mut places: HashMap<&CubePath, String> = HashMap::new();
        let mut place = |path| places.entry(path).or_insert_with(|| outfit.place(vfs, path)).clone();
        let dress = |surface: &str| {
            let skin = outfit.part.skin_of(surface)?;
            Some(SurfaceTextures {
                image: place(&skin.texture),
                mask: skin.mask.as_ref().map(&mut place),
                normal_map: outfit.part.normal_map_of(surface).map(&mut place),
            })
        };
        let source = if outfit.script.is_empty() { &outfit.folder } else { &outfit.script };
        let materials = finder.assign_from_script(model, plain, source, dress, warnings);
        let same = |skin: &Skin| {
            let pictures = |materials: &[SurfaceMaterial]| -> Vec<(String, bool)> {
                materials.iter().map(|material| (material.path.clone(), material.is_missing())).collect()
            };
            pictures(&skin.materials) == pictures(&materials)
        };
        if !skins.iter().any(same) {
            skins.push(Skin::plain(&outfit.name, materials.into()));
        }
    }
    skins
}

pub(super) fn add_clips(outfits: &[CubeSetup], model: &mut Model, warnings: &mut Warnings) {
    let mut ranges: Vec<NamedRange> = Vec::new();
    let animations = outfits.iter().flat_map(|outfit| &outfit.part.animations);
    for animation in animations.take(MAX_CUBE_LINES) {
        let CubeFrames::Range(first, count) = animation.frames else { continue };
        let range = NamedRange {
            name: animation.name.clone(),
            first,
            count,
            frames_per_second: animation.frames_per_second,
            loops: true,
        };
        if !ranges.contains(&range) {
            ranges.push(range);
        }
    }
    let frames = u32::try_from(model.frames().len()).unwrap_or(u32::MAX);
    let clips = clip_list::clips(&ranges, frames, model.format().usual_rate(), warnings);
    if !clips.is_empty() {
        model.replace_clips(clips);
    }
}

pub(super) fn animations(vfs: &Vfs, outfits: &[CubeSetup]) -> Vec<Declared> {
    let mut declared: Vec<Declared> = Vec::new();
    let all = outfits.iter().flat_map(|outfit| outfit.part.animations.iter().map(move |animation| (outfit, animation)));
    for (outfit, animation) in all.take(MAX_CUBE_LINES) {
        let CubeFrames::File(path) = &animation.frames else { continue };
        let named = Declared {
            name: animation.name.clone(),
            path: outfit.place(vfs, path),
            frames_per_second: animation.frames_per_second,
        };
        let is_known = |known: &Declared| known.name == named.name && known.path == named.path;
        if !declared.iter().any(is_known) {
            declared.push(named);
        }
    }
    declared
}

pub(super) fn add_tags(outfits: &[CubeSetup], model: &mut Model, warnings: &mut Warnings) {
    for (joint, tag) in outfits.iter().flat_map(|outfit| &outfit.part.tags).take(MAX_CUBE_LINES) {
        if model.tags().contains(tag) {
            continue;
        }
        let place = model.joints().iter().position(|known| known.name == *joint);
        match place.and_then(|place| u32::try_from(place).ok()) {
            Some(place) => drop(model.add_joint_tag(tag, place)),
            None => warnings.add(WarningKind::Companion, tag, format!("unknown joint “{joint}”; tag skipped")),
        }
    }
}
