//! UFO: Alien Invasion. An MD2 has its clips in `STEM.anm` and its tags in `STEM.tag`.

mod clips;
mod tags;

use super::profile::NO_ENGINE;
use super::{Engine, PLAIN, Profile, with_extension};
use crate::companions::{add_clip_list, add_warnings};
use crate::vfs::{ReadLimit, Vfs};
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::model::Format::{Md2, Md3};
use maquette_core::model::Model;

pub use clips::parse as parse_clips;
pub use tags::{TagFile, load as load_tags, load_from as load_tags_from};

pub(super) static ENGINE: Engine = Engine {
    name: "UFO: Alien Invasion",
    short_name: "UFO: AI",
    profile: Some(&PROFILE),
    formats: &[Md2],
    sign: |vfs, path, _| with_extension(vfs, path, "anm").or_else(|| with_extension(vfs, path, "tag")),
    add_companions: |vfs, path, model, warnings| {
        if let Some(list) = with_extension(vfs, path, "anm") {
            add_clip_list(vfs, &list, parse_clips, model, warnings);
        }
        if let Some(file) = with_extension(vfs, path, "tag") {
            add_tag_file(vfs, &file, model, warnings);
        }
    },
    ..PLAIN
};

pub(super) static PROFILE: Profile =
    Profile { name: "ufoai", title: "UFO: Alien Invasion", formats: &[Md2, Md3], culls_by_frames: false, ..NO_ENGINE };

fn add_tag_file(vfs: &Vfs, path: &str, model: &mut Model, warnings: &mut Warnings) {
    let mut own = Warnings::default();
    match vfs.read(path, ReadLimit::Whole) {
        Ok(bytes) => {
            if let Err(error) = add_tags(&bytes, model, &mut own) {
                own.add_error(WarningKind::Companion, "", format!("the tags are skipped: {error}"), &error);
            }
        }
        Err(error) => own.add(WarningKind::Companion, "", format!("skipped: {error}")),
    }
    add_warnings(vfs, path, own, warnings);
}

fn add_tags(bytes: &[u8], model: &mut Model, warnings: &mut Warnings) -> Result<(), LoadError> {
    let file = load_tags(bytes, warnings)?;
    match file.for_frames(model.frames().len(), warnings) {
        Some(tags) => model.add_tags(file.names, &tags),
        None => Ok(()),
    }
}
