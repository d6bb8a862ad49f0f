//! Clips from companion files: `animation.cfg`, `.md5anim` files, and those that a game declares.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::animation_files::{Declared, FoundAnimations, key};
use super::{Contents, add_warnings};
use crate::vfs::{DecompressionBudget, ReadLimit, Vfs, folder_of, join, name_of, split_extension};
use maquette_core::error::{Fault, Reason, Warning, WarningKind, Warnings};
use maquette_core::formats::animation_cfg::{AnimationConfig, BodyPart, Dialect, Entry};
use maquette_core::formats::{iqm, is_model_extension, load_animation};
use maquette_core::limits::{MAX_CLIPS, MAX_TEXT_BYTES};
use maquette_core::model::{Clip, ClipSource, JointFrames, Model, Motion, PLAYER_PARTS, u32_or_max};

pub(crate) const CLIP_FILES: [&str; 2] = ["animation.cfg", "wolfanim.cfg"];

/// Reads an animation file, which is cached if many models may use it.
pub(crate) type ReadClips = fn(&Vfs, &str) -> Arc<Contents<AnimationConfig>>;

/// Returns the path and the bytes of the animation file in the model's folder, or why it cannot be read. Without a file,
/// returns the path of a new one.
pub(crate) fn clip_list(vfs: &Vfs, game_path: &str) -> (String, Result<Vec<u8>, String>) {
    let path = |name: &str| join(folder_of(game_path), name);
    match CLIP_FILES.iter().find_map(|name| vfs.find(&path(name))) {
        Some(found) => {
            let bytes = vfs.read(&found, ReadLimit::TEXT).map_err(|error| error.to_string());
            let is_cut = bytes.as_ref().is_ok_and(|bytes| bytes.len() > MAX_TEXT_BYTES);
            let too_long = || Err(format!("it has more than {MAX_TEXT_BYTES} bytes"));
            (found, if is_cut { too_long() } else { bytes })
        }
        None => (path(CLIP_FILES[0]), Ok(Vec::new())),
    }
}

/// Adds the clips of the animation file in the model's folder, for the body part in the model's name.
pub(crate) fn add_clips(vfs: &Vfs, game_path: &str, read: ReadClips, model: &mut Model, warnings: &mut Warnings) {
    let found = |name: &&str| vfs.look_up(&format!("{}/{name}", folder_of(game_path)));
    let Some(path) = CLIP_FILES.iter().find_map(found) else { return };
    let file = read(vfs, &path);
    let mut own = file.warnings.clone();
    if let Some(config) = &file.parsed {
        let part = BodyPart::of_stem(split_extension(name_of(game_path)).0);
        let has_own = part == BodyPart::Head && !config.head_entries.is_empty();
        if config.skeletal && model.joints().is_empty() && !has_own {
            return;
        }
        let frames = u32::try_from(model.frames().len()).unwrap_or(u32::MAX);
        if part == BodyPart::Whole && matches!(config.dialect, Dialect::EliteForce | Dialect::Named) {
            let is_beyond = |entry: &Entry| entry.first.saturating_add(entry.count) > frames;
            let is_shorter =
                config.entries.iter().all(is_beyond) || config.entries.iter().any(|entry| entry.first >= frames);
            if model.clips().iter().any(|clip| clip.source == ClipSource::AnimationList) || is_shorter && frames == 1 {
                return;
            }
            if is_shorter && !config.entries.is_empty() {
                let mut own = Warnings::default();
                let message = format!("not used: the file is for another model, because this one has {frames} frames");
                own.add(WarningKind::LeftOut, "", message);
                return add_warnings(vfs, &path, own, warnings);
            }
        }
        let clips = config.clips(part, frames, &mut own);
        add_joint_tags(config, model, &mut own);
        if !clips.is_empty() {
            model.replace_clips(clips);
        } else if part == BodyPart::Head || frames == 1 || part == BodyPart::Whole && has_parts(vfs, game_path) {
            // Heads rarely move, and the file may not apply to models next to a player, so there is no warning.
            return;
        } else if let Some(last) = config.last_first_frame().filter(|_| part == BodyPart::Whole) {
            // Warnings about clips would be about the player's parts.
            own = Warnings::default();
            let message = format!(
                "not used: the file is for a player whose last animation begins at frame {last}, but the model has \
                 {frames} frames"
            );
            own.add(WarningKind::LeftOut, "", message);
        }
    }
    add_warnings(vfs, &path, own, warnings);
}

/// Returns whether the model's folder contains a part of a player.
fn has_parts(vfs: &Vfs, game_path: &str) -> bool {
    let names = vfs.files_in(folder_of(game_path));
    let is_part = |name: &str| {
        let (stem, extension) = split_extension(name);
        PLAYER_PARTS.iter().any(|part| part.eq_ignore_ascii_case(stem)) && is_model_extension(extension)
    };
    names.iter().any(is_part)
}

/// Adds the tags of a player of qfusion. Tags at joints that the model lacks are skipped, as in the engine.
fn add_joint_tags(config: &AnimationConfig, model: &mut Model, warnings: &mut Warnings) {
    for tag in &config.tags {
        if model.tags().contains(&tag.name) {
            continue;
        }
        let joint = model.joints().iter().position(|joint| joint.name.eq_ignore_ascii_case(&tag.joint));
        match joint {
            Some(joint) => drop(model.add_offset_tag(&tag.name, u32_or_max(joint), tag.transform())),
            None => {
                warnings.add(WarningKind::LeftOut, &tag.name, format!("unknown joint “{}”; tag skipped", tag.joint))
            }
        }
    }
}

/// Adds the animations that the game declares for a mesh, and the animation files near it that fit its joints. An
/// animation named after the mesh fits if a single joint does.
pub(crate) fn add_animations(
    vfs: &Vfs,
    game_path: &str,
    mut named: Vec<Declared>,
    source: &str,
    model: &mut Model,
    warnings: &mut Warnings,
) {
    let declared = named.len();
    add_nearby(vfs, game_path, &mut named, model, warnings);
    // Clips can be found both by the script's name and by the file's.
    let stems: Vec<(String, String)> = named
        .iter()
        .take(if source.ends_with(".cfg") { declared } else { 0 })
        .map(|named| (key(&named.path), split_extension(name_of(&named.path)).0.to_owned()))
        .collect();
    let weighted = weighted_joints(model);
    let (own_name, _) = split_extension(name_of(game_path));
    let mut foreign: Vec<String> = Vec::new();
    let mut room = DecompressionBudget::default();
    let mut clips: HashMap<String, usize> = HashMap::new();
    for (index, Declared { name, path, frames_per_second, keeps_names }) in named.into_iter().enumerate() {
        if let Some(known) = clips.get(&key(&path)) {
            add_alias(model, *known, name, frames_per_second);
            continue;
        }
        let size = vfs.entry(&path).and_then(|entry| entry.size());
        if size.is_some_and(|size| !room.take(size)) {
            continue;
        }
        let bytes = match vfs.read(&path, ReadLimit::Whole) {
            Ok(bytes) => bytes,
            Err(error) => {
                let who = if index < declared { &format!("declared in {source}: ") } else { "" };
                warnings.add(WarningKind::Companion, name_of(&path), format!("{who}animation skipped: {error}"));
                continue;
            }
        };
        let mut own = Warnings::default();
        let is_expected = index < declared || split_extension(name_of(&path)).0.eq_ignore_ascii_case(own_name);
        let mut loaded = load_animation(&bytes, &name, model, &mut own);
        if loaded.as_ref().is_ok_and(|loaded| !is_expected && !fits(&loaded.track.1, &weighted)) {
            foreign.push(name_of(&path).to_owned());
            continue;
        }
        let names = loaded.as_mut().map(|loaded| std::mem::take(&mut loaded.clips)).unwrap_or_default();
        match loaded.and_then(|loaded| model.add_loaded(loaded)) {
            Ok(()) => {
                let names = if keeps_names { names } else { Vec::new() };
                clips.insert(key(&path), model.clips().len().saturating_sub(1));
                if frames_per_second.is_some() {
                    set_rate(model, frames_per_second);
                }
                name_ranges(model, names);
            }
            Err(error) if error.reason == Reason::OtherModel => foreign.push(name_of(&path).to_owned()),
            Err(error) => {
                let warning = Warning::new(WarningKind::Companion, "", format!("animation skipped: {error}"));
                let fault = is_expected.then_some(Fault::BrokenAnimation);
                own.push(Warning { position: error.position, reached: error.reached, fault, ..warning });
            }
        }
        add_warnings(vfs, &path, own, warnings);
    }
    for (path, stem) in stems {
        if let Some(known) = clips.get(&path).filter(|_| model.clip(&stem).is_none()) {
            add_alias(model, *known, stem, None);
        }
    }
    if let Some(message) = room.warning() {
        warnings.add(WarningKind::Companion, "animations", message);
    }
    warn_foreign(&foreign, warnings);
}

/// Adds the animation files near the model that no file declares, up to the limit. Beyond it, those whose names begin with
/// the model's are first.
fn add_nearby(vfs: &Vfs, game_path: &str, named: &mut Vec<Declared>, model: &Model, warnings: &mut Warnings) {
    let declared = named.len();
    let known: HashSet<String> = named.iter().map(|named| key(&named.path)).collect();
    let joints = iqm::stored_joints(model);
    let (files, most) = FoundAnimations::near(vfs, folder_of(game_path), model.format(), joints);
    let own = split_extension(name_of(game_path)).0.to_lowercase();
    let is_before = |path: &String| files.paths.len() > most && name_of(path).to_lowercase() < own;
    let (before, from_own) = files.paths.split_at(files.paths.partition_point(is_before));
    let others = from_own.iter().chain(before).filter(|path| !known.contains(&key(path)));
    let stem = |path: &String| split_extension(name_of(path)).0.to_owned();
    named.extend(others.take(most).map(|path| Declared::new(stem(path), path.clone())));
    let count = declared + files.paths.len() - known.iter().filter(|key| files.keys.contains(*key)).count();
    if count > named.len().min(MAX_CLIPS) {
        named.truncate(MAX_CLIPS);
        let read = named.len();
        let message = if read < MAX_CLIPS {
            format!("{count} animations near many models; only {read} are read, first those with the model’s name")
        } else {
            format!("{count} animations; only the first {MAX_CLIPS} are read")
        };
        warnings.add(WarningKind::Companion, "animations", message);
    }
}

/// Number of animations of other models that a warning names.
const NAMED_ANIMATIONS: usize = 4;

fn warn_foreign(foreign: &[String], warnings: &mut Warnings) {
    if foreign.is_empty() {
        return;
    }
    let are = if foreign.len() == 1 {
        "1 animation in the model’s folder belongs"
    } else {
        &format!("{} animations in the model’s folder belong", foreign.len())
    };
    let named: Vec<&str> = foreign.iter().take(NAMED_ANIMATIONS).map(String::as_str).collect();
    let more = if foreign.len() > named.len() { ", …" } else { "" };
    let message = format!("{are} to other models: {}{more}", named.join(", "));
    warnings.add(WarningKind::Companion, "animations", message);
}

/// Returns whether an animation moves all joints that carry weights, or at least half of the joints.
fn fits(joints: &JointFrames, weighted: &HashSet<u32>) -> bool {
    let JointFrames::Channels(channels) = joints else { return true };
    let joints = &channels.joint_of_mesh;
    let is_moved = |joint: &u32| joints.get(*joint as usize).is_some_and(Option::is_some);
    let moved = joints.iter().flatten().count();
    moved * 2 >= joints.len() || !weighted.is_empty() && weighted.iter().all(is_moved)
}

fn weighted_joints(model: &Model) -> HashSet<u32> {
    let Motion::Skeletal(motion) = model.motion() else { return HashSet::new() };
    let weights = motion.bindings.iter().flat_map(|binding| &binding.weights);
    weights.filter(|weight| weight.bias != 0.0).map(|weight| weight.joint).collect()
}

fn add_alias(model: &mut Model, known: usize, name: String, frames_per_second: Option<f32>) {
    let Some(clip) = model.clips().get(known) else { return };
    let own = clip.own_rate.unwrap_or(clip.frames_per_second);
    let (frames_per_second, own_rate) = frames_per_second.map_or((own, None), |rate| (rate, Some(own)));
    let alias = Clip { name, frames_per_second, own_rate, ..clip.clone() };
    // A script may repeat a line for another part of the body.
    if model.clips().contains(&alias) {
        return;
    }
    model.set_clips(model.clips().iter().cloned().chain([alias]).collect());
}

/// Replaces the last clip by named ranges of its frames, unless there are none.
fn name_ranges(model: &mut Model, ranges: Vec<Clip>) {
    if ranges.is_empty() {
        return;
    }
    let mut clips = model.clips().to_vec();
    if let Some(last) = clips.pop() {
        clips.extend(ranges.into_iter().map(|clip| Clip { first: last.first.saturating_add(clip.first), ..clip }));
        model.set_clips(clips);
    }
}

fn set_rate(model: &mut Model, frames_per_second: Option<f32>) {
    let mut clips = model.clips().to_vec();
    if let (Some(last), Some(rate)) = (clips.last_mut(), frames_per_second) {
        last.own_rate = Some(last.frames_per_second);
        last.frames_per_second = rate;
    }
    model.set_clips(clips);
}
