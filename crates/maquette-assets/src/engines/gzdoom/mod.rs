//! GZDoom, whose `MODELDEF` files in the root, or in a folder above the model, define how models look.
//!
//! Source: GZDoom `models.cpp` (`ParseModelDefLump`, `LoadSkin`), `models_md3.cpp` and `models_iqm.cpp` (`RenderFrame`,
//! `FindFrame`).

pub mod definitions;
mod texture_names;

use std::collections::HashSet;

use super::Quantity::Joints;
use super::profile::{NO_ENGINE, nominal};
use super::{Engine, IMAGE_EXTENSIONS, ModelSetup, PLAIN, Profile, SurfaceChoice, SurfaceSetup, TextureRules, USUAL};
use crate::companions::{Contents, Declared, add_warnings};
use crate::limits::{MAX_DETAILS, MAX_MODEL_FILES, MAX_SKINS};
use crate::vfs::{Vfs, folder_of, join, name_of, normalise, split_extension};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::model::Format::{self, Iqm, Md2, Md3, Obj};
use maquette_core::model::{Clip, ClipSource, FrameInfo, Model, u32_or_max};

use definitions::{DefinedImage, DefinedModel, FrameName, ModelUse, StateFrame};
use texture_names::TextureNames;

pub(super) static ENGINE: Engine = Engine {
    name: "GZDoom",
    short_name: "GZDoom",
    marks_root: |_, name| is_definition_file(name),
    formats: &[Md2, Md3, Iqm, Obj],
    sign: |vfs, path, _| definition_files(vfs, path).into_iter().next().map(|(_, path)| path),
    textures: TextureRules { hides_missing: true, searches_model_folder: true, ..USUAL },
    setups,
    animations: |_, _, _, setups| Some((ModelSetup::declared(setups), "MODELDEF")),
    joined_models,
    ..PLAIN
};

/// `src/common/models/models_md2.cpp` and `models_md3.cpp` state no limits. A vertex of an IQM stores the indices of its
/// joints in bytes (`models_iqm.cpp`, `LoadBlendIndexes`).
pub(super) static PROFILE: Profile = Profile {
    name: "gzdoom",
    title: "GZDoom",
    formats: &[Md2, Md3, Iqm, Obj],
    limits: &[&[nominal(Iqm, Joints, 256)]],
    culls_by_frames: false,
    ..NO_ENGINE
};

/// Start of the names of files with definitions.
const DEFINITIONS: &str = "modeldef";

/// Returns whether a file in the root of a game contains definitions, by its name.
fn is_definition_file(name: &str) -> bool {
    name.get(..DEFINITIONS.len()).is_some_and(|start| start.eq_ignore_ascii_case(DEFINITIONS))
}

/// Returns the files of model definitions of GZDoom with their folders: in the root, then in the folders down to the
/// model's. The game reads every file in the root whose name begins with [`DEFINITIONS`] (`FindLump` compares eight
/// letters).
fn definition_files(vfs: &Vfs, game_path: &str) -> Vec<(String, String)> {
    let mut folders = vec![String::new()];
    for part in folder_of(game_path).split('/').filter(|part| !part.is_empty()) {
        folders.push(join(folders.last().map_or("", String::as_str), part));
    }
    let mut files = Vec::new();
    for folder in folders {
        let names = vfs.files_in(&folder);
        let found = names.beginning_with(DEFINITIONS).take(MAX_MODEL_FILES);
        vfs.record_list(&folder, is_definition_file);
        files.extend(found.map(|name| (folder.clone(), join(&folder, name))));
    }
    files.truncate(MAX_MODEL_FILES);
    files
}

/// Returns a setup for each use of the model at `game_path`.
fn setups(vfs: &Vfs, game_path: &str, model: &Model, warnings: &mut Warnings) -> Vec<ModelSetup> {
    let mut setups: Vec<ModelSetup> = Vec::new();
    let mut has_more = false;
    let mut problems: Vec<String> = Vec::new();
    // Frames of other animation files follow those of the first, whose number is not known here.
    let mut first_animation: Option<String> = None;
    each_use(vfs, game_path, warnings, |base, path, used, index| {
        let Some(defined) = used.models.get(&index) else { return true };
        report_missing(vfs, base, used, index, model, &mut problems);
        if setups.len() == MAX_SKINS {
            has_more = true;
            return false;
        }
        let animation = animation(vfs, base, defined);
        let is_known = animation
            .as_ref()
            .is_none_or(|animation| first_animation.get_or_insert_with(|| animation.path.clone()) == &animation.path);
        let clips = if is_known { clips(&used.frames, index, model, animation.is_some()) } else { Vec::new() };
        setups.push(ModelSetup {
            name: used.actor.clone(),
            source: path.to_owned(),
            textures: textures(vfs, base, defined, model.format(), &mut problems),
            clips,
            keeps_named_clips: true,
            animations: animation.into_iter().collect(),
            placement: used.placement(),
            ..ModelSetup::default()
        });
        true
    });
    problems.dedup();
    for problem in problems.into_iter().take(MAX_DETAILS) {
        warnings.add(WarningKind::Companion, "MODELDEF", problem);
    }
    if has_more {
        let message = format!("the model is used more than {MAX_SKINS} times; further uses are skipped");
        warnings.add(WarningKind::Companion, "MODELDEF", message);
    }
    setups
}

/// Returns the animation of another file that moves the model.
fn animation(vfs: &Vfs, base: &str, defined: &DefinedModel) -> Option<Declared> {
    let path = join(base, defined.animation.as_ref()?);
    let path = vfs.look_up(&path).unwrap_or(path);
    Some(Declared { keeps_names: true, ..Declared::new(split_extension(name_of(&path)).0.to_owned(), path) })
}

fn animations_in(model: &Model) -> impl Iterator<Item = &Clip> {
    model.clips().iter().filter(|clip| clip.source == ClipSource::AnimationList)
}

/// Reports what a use names, but does not exist: frames and surfaces of the model, and the models that it is joined with.
/// GZDoom stops at the name of a frame, prints the path of a model, and ignores the others. Frames of another file are not
/// checked.
fn report_missing(vfs: &Vfs, base: &str, used: &ModelUse, index: u32, model: &Model, problems: &mut Vec<String>) {
    let actor = &used.actor;
    let has_own_frames = used.models.get(&index).is_none_or(|defined| defined.animation.is_none());
    let own = used.frames.iter().filter(|state| has_own_frames && state.model == index);
    for state in own.filter(|state| frame_of(state, model).is_none()) {
        problems.push(match &state.frame {
            FrameName::Name(name) => format!("{actor}: the model has no frame “{name}”; GZDoom refuses the file"),
            FrameName::Index(number) => {
                format!("{actor}: frame {number} does not exist; the model has {} frames", model.frames().len())
            }
            FrameName::Hidden => continue,
        });
    }
    let surfaces = used.models.get(&index).into_iter().flat_map(|defined| defined.surface_skins.keys());
    for surface in surfaces.filter(|surface| **surface as usize >= model.surfaces().len()) {
        problems.push(format!("{actor}: SurfaceSkin {index} {surface} has no effect: the surface does not exist"));
    }
    let others = used.models.iter().filter(|(other, defined)| **other != index && !defined.path.is_empty());
    for (_, other) in others.filter(|(_, other)| vfs.find(&join(base, &other.path)).is_none()) {
        problems.push(format!("{actor}: model not found: {}", other.path));
    }
}

/// Returns the frame of the model that a state shows.
fn frame_of(state: &StateFrame, model: &Model) -> Option<u32> {
    let frame = match &state.frame {
        FrameName::Index(number) => Some(*number),
        FrameName::Name(name) if model.format() == Iqm => frame_of_animation(name, model),
        FrameName::Name(name) => {
            let called = |frame: &FrameInfo| frame.name.eq_ignore_ascii_case(name);
            model.frames().iter().position(called).map(u32_or_max)
        }
        FrameName::Hidden => None,
    };
    frame.filter(|frame| (*frame as usize) < model.frames().len())
}

/// Returns the frame of an IQM called `ANIMATION` or `ANIMATION:NUMBER`. The engine compares the start of the animation's
/// name only.
fn frame_of_animation(name: &str, model: &Model) -> Option<u32> {
    let (start, number) = name.rsplit_once(':').unwrap_or((name, "0"));
    let begins = |clip: &&Clip| clip.name.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start));
    let clip = animations_in(model).find(begins)?;
    let number = number.parse().unwrap_or(0);
    (number < clip.count).then(|| clip.first + number)
}

/// Returns the actor that uses the model at `game_path` first, and the game paths of the models that it draws together
/// with this one, at the same origin.
fn joined_models(vfs: &Vfs, game_path: &str) -> Option<(String, Vec<String>)> {
    let mut joined = None;
    each_use(vfs, game_path, &mut Warnings::default(), |base, _, used, index| {
        let others = used.models.iter().filter(|(other, _)| **other != index);
        let paths = others.filter_map(|(_, model)| vfs.find(&join(base, &model.path)));
        joined = Some((used.actor.clone(), paths.collect()));
        false
    });
    joined
}

/// Calls `visit` for each use of a model in the order of the game, until it returns false: with the folder of the
/// definitions, their path, the use and the index of the model.
fn each_use(
    vfs: &Vfs,
    game_path: &str,
    warnings: &mut Warnings,
    mut visit: impl FnMut(&str, &str, &ModelUse, u32) -> bool,
) {
    let key = game_path.to_lowercase();
    let mut queue: Vec<(String, String)> = definition_files(vfs, game_path);
    let mut seen: HashSet<String> = queue.iter().map(|(_, path)| path.to_lowercase()).collect();
    queue.reverse();
    while let Some((base, path)) = queue.pop() {
        let file = vfs.memo(&path, |vfs| Contents::read(vfs, &path, definitions::parse));
        let Some(definitions) = &file.parsed else {
            add_warnings(vfs, &path, file.warnings.clone(), warnings);
            continue;
        };
        let folder = if base.is_empty() { String::new() } else { format!("{}/", base.to_lowercase()) };
        let uses = key.strip_prefix(&folder).and_then(|own| definitions.by_model.get(own));
        if uses.is_some() {
            add_warnings(vfs, &path, file.warnings.clone(), warnings);
        }
        for (number, index) in uses.into_iter().flatten() {
            let Some(used) = definitions.uses.get(*number) else { continue };
            if !visit(&base, &path, used, *index) {
                return;
            }
        }
        for included in definitions.includes.iter().rev() {
            let found = vfs.look_up(&join(&base, included));
            if found.is_none() && uses.is_some() {
                warnings.add(WarningKind::Companion, "MODELDEF", format!("included file not found: {included}"));
            }
            let is_new = |found: &String| seen.len() < MAX_MODEL_FILES && seen.insert(found.to_lowercase());
            queue.extend(found.filter(is_new).map(|found| (base.clone(), found)));
        }
    }
}

/// Returns the textures of the surfaces. The texture of the whole model comes last, because it overrides those of
/// surfaces (GZDoom `models_md3.cpp`, `RenderFrame`). An MD2 has no textures for single surfaces.
fn textures(
    vfs: &Vfs,
    base: &str,
    defined: &DefinedModel,
    format: Format,
    problems: &mut Vec<String>,
) -> Vec<SurfaceSetup> {
    let mut entry = |surfaces: SurfaceChoice, image: &DefinedImage| {
        // `LoadSkin` of GZDoom tries the name in the folder, then the name of a texture, then the name itself.
        let paths = [join(&image.folder, &image.name), image.name.clone()];
        let mut paths: Vec<String> = paths.iter().filter_map(|path| normalise(&join(base, path))).collect();
        if !paths.first().is_some_and(|path| is_image(vfs, path))
            && let Some((texture, is_composed)) = vfs.memo(base, |vfs| TextureNames::below(vfs, base)).get(&image.name)
        {
            if is_composed {
                problems.push(format!("the texture “{}” is composed; only its first patch is shown", image.name));
            }
            paths.insert(0, texture);
        }
        SurfaceSetup { image: Some(paths), ..SurfaceSetup::new(surfaces) }
    };
    let of_surfaces = defined.surface_skins.iter().filter(|_| format != Format::Md2);
    let of_surfaces = of_surfaces.map(|(surface, image)| (SurfaceChoice::Index(*surface as usize), image));
    let all = of_surfaces.chain(defined.skin.as_ref().map(|image| (SurfaceChoice::All, image)));
    all.map(|(surfaces, image)| entry(surfaces, image)).collect()
}

/// Returns whether an image is at `path`, with any extension.
fn is_image(vfs: &Vfs, path: &str) -> bool {
    let stem = split_extension(path).0;
    let mut others = IMAGE_EXTENSIONS.iter().map(|extension| format!("{stem}.{extension}"));
    vfs.find(path).is_some() || others.any(|path| vfs.find(&path).is_some())
}

/// Returns the clips of the states of each sprite: runs of increasing frames, named after the sprite. If another file has
/// the frames, they follow those of the model.
fn clips(frames: &[StateFrame], index: u32, model: &Model, are_elsewhere: bool) -> Vec<NamedRange> {
    let mut by_sprite: Vec<(&str, Vec<(char, u32)>)> = Vec::new();
    for state in frames.iter().filter(|state| state.model == index) {
        let frame = match state.frame {
            FrameName::Index(number) if are_elsewhere => u32_or_max(model.frames().len()).checked_add(number),
            _ if are_elsewhere => None,
            _ => frame_of(state, model),
        };
        let Some(frame) = frame else { continue };
        let letters = state.letters.chars().map(|letter| (letter.to_ascii_uppercase(), frame));
        match by_sprite.iter_mut().find(|(sprite, _)| sprite.eq_ignore_ascii_case(&state.sprite)) {
            Some((_, states)) => states.extend(letters),
            None => by_sprite.push((&state.sprite, letters.collect())),
        }
    }
    let mut ranges: Vec<NamedRange> = Vec::new();
    for (sprite, mut states) in by_sprite {
        states.sort_by_key(|(letter, _)| *letter);
        let mut runs: Vec<(u32, u32)> = Vec::new();
        for (_, frame) in states {
            match runs.last_mut() {
                Some((_, last)) if frame >= *last && frame - *last <= MAX_STEP => *last = frame,
                _ => runs.push((frame, frame)),
            }
        }
        ranges.extend(runs.into_iter().map(|(first, last)| NamedRange {
            name: sprite.to_uppercase(),
            first,
            count: last - first + 1,
            frames_per_second: None,
            loops: true,
        }));
    }
    ranges
}

/// Largest step between frames of a clip, because definitions may leave out frames.
const MAX_STEP: u32 = 4;
