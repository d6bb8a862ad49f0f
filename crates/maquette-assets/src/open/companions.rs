//! Companion files of single games: lists of clips, and tags.

use crate::vfs::{ReadLimit, Vfs, name_of, split_extension};
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::formats::clip_list::{self, NamedRange};
use maquette_core::formats::{framegroups, ufoai_anm, ufoai_tag};
use maquette_core::model::Model;

pub(super) fn add_frame_groups(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    add_list(vfs, &format!("{game_path}.framegroups"), framegroups::parse, model, warnings);
}

pub(super) fn add_ufo_clips(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let (stem, _) = split_extension(game_path);
    add_list(vfs, &format!("{stem}.anm"), ufoai_anm::parse, model, warnings);
}

fn add_list(
    vfs: &Vfs,
    path: &str,
    parse: fn(&[u8], &mut Warnings) -> Vec<NamedRange>,
    model: &mut Model,
    warnings: &mut Warnings,
) {
    let Some(path) = vfs.find(path) else { return };
    let mut own = Warnings::default();
    match vfs.read(&path, ReadLimit::TEXT) {
        Ok(bytes) => {
            let ranges = parse(&bytes, &mut own);
            let frames = u32::try_from(model.frames().len()).unwrap_or(u32::MAX);
            let clips = clip_list::clips(&ranges, frames, model.format().usual_rate(), &mut own);
            if !clips.is_empty() {
                model.replace_clips(clips);
            }
        }
        Err(error) => own.add(WarningKind::Companion, "", format!("skipped: {error}")),
    }
    add_warnings(vfs, &path, own, warnings);
}

pub(super) fn add_ufo_tags(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let (stem, _) = split_extension(game_path);
    let Some(path) = vfs.find(&format!("{stem}.tag")) else { return };
    let mut own = Warnings::default();
    match vfs.read(&path, ReadLimit::Whole) {
        Ok(bytes) => {
            if let Err(error) = add_tags(&bytes, model, &mut own) {
                own.add_error(WarningKind::Companion, "", format!("the tags are skipped: {error}"), &error);
            }
        }
        Err(error) => own.add(WarningKind::Companion, "", format!("skipped: {error}")),
    }
    add_warnings(vfs, &path, own, warnings);
}

fn add_tags(bytes: &[u8], model: &mut Model, warnings: &mut Warnings) -> Result<(), LoadError> {
    let file = ufoai_tag::load(bytes, warnings)?;
    match file.for_frames(model.frames().len(), warnings) {
        Some(tags) => model.add_tags(file.names, &tags),
        None => Ok(()),
    }
}

pub(super) fn add_warnings(vfs: &Vfs, path: &str, own: Warnings, warnings: &mut Warnings) {
    let own = own.into_vec();
    if !own.is_empty() {
        let location = vfs.location_of(path);
        warnings.append(own.into_iter().map(|warning| warning.of_companion(name_of(path), location.clone())).collect());
    }
}
