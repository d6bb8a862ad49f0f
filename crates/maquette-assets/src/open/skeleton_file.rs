//! Skeletons in separate files (`.gla`), and the clips of their frames.

use super::clips::CLIP_FILES;
use super::companions::add_warnings;
use super::shared_files::clip_file;
use crate::vfs::{ReadLimit, Vfs, folder_of, join, name_of, split_extension};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::animation_cfg::BodyPart;
use maquette_core::model::{Clip, Model};

/// Adds the skeleton at `stored`, a game path without extension, and the clips of the `animation.cfg` in its folder. If
/// the game has no such file, the file of this name in the model's folder is used.
pub(super) fn add_skeleton(vfs: &Vfs, game_path: &str, stored: &str, model: &mut Model, warnings: &mut Warnings) {
    let extension = model.format().traits().companions.animations.extension().unwrap_or_default();
    let file = format!("{stored}.{extension}");
    let found = vfs.find(&file).or_else(|| vfs.find(&join(folder_of(game_path), name_of(&file))));
    let Some(path) = found else {
        let message = format!("the skeleton {file} is missing; the model is shown in the bind pose");
        warnings.add(WarningKind::Companion, name_of(&file), message);
        return;
    };
    let (name, _) = split_extension(name_of(&path));
    let mut own = Warnings::default();
    match vfs.read(&path, ReadLimit::Whole) {
        Ok(bytes) => match model.add_animation(name, &bytes) {
            Ok(remarks) => own.append(remarks),
            Err(error) => {
                let message = format!("skeleton skipped: {error}; the model is shown in the bind pose");
                own.add_error(WarningKind::Companion, "", message, &error);
            }
        },
        Err(error) => own.add(WarningKind::Companion, "", format!("skeleton skipped: {error}")),
    }
    add_warnings(vfs, &path, own, warnings);
    if !model.joints().is_empty() {
        add_clips(vfs, folder_of(&path), model, warnings);
    }
}

/// Adds the clips of the animation file in the skeleton's folder, which counts the frames of the skeleton's file.
fn add_clips(vfs: &Vfs, folder: &str, model: &mut Model, warnings: &mut Warnings) {
    let found = |name: &&str| vfs.find(&join(folder, name));
    let (Some(path), Some(all)) = (CLIP_FILES.iter().find_map(found), model.clips().last().cloned()) else { return };
    let file = clip_file(vfs, &path);
    let mut own = file.warnings.clone();
    if let Some(config) = &file.parsed {
        let named = config.clips(BodyPart::Whole, all.count, &mut own);
        let named = named.into_iter().map(|clip| Clip { first: clip.first + all.first, ..clip });
        let (before, after) = model.clips().split_at(model.clips().len().saturating_sub(1));
        model.set_clips(before.iter().cloned().chain(named).chain(after.iter().cloned()).collect());
    }
    add_warnings(vfs, &path, own, warnings);
}
