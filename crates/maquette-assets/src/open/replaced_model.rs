//! Models that replace another model: MD5 models of the remaster of Quake II.
//!
//! `X/md5/Y.md5mesh` with `Y.md5anim` replaces `X/Y.md2` or `X/Y.md3`. Frame *i* of the animation is frame *i* of the
//! replaced model, whose skins are used with `md5/` before the file name (q2pro `src/refresh/models.c`, `MOD_LoadMD5`,
//! `MD5_LoadSkins`).

use super::MODEL_FILE;
use super::companions::add_warnings;
use super::model_setup::{ModelSetup, SurfaceChoice, SurfaceSetup};
use crate::limits::MAX_SETUPS;
use crate::material::{REPLACEMENT_FOLDER, replaced_model};
use crate::vfs::{Vfs, folder_of, join, name_of, resolved, split_extension};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats;
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::limits::MAX_SETUP_LINES;
use maquette_core::model::{ClipSource, MaterialStorage, Model};

/// Returns a setup for each skin of the replaced model. The first setup has the clips of that model.
pub(super) fn setups(vfs: &Vfs, game_path: &str, warnings: &mut Warnings) -> Vec<ModelSetup> {
    let Some(path) = replaced_model(vfs, game_path) else { return Vec::new() };
    let mut own = Warnings::default();
    let replaced = match vfs.read(&path, MODEL_FILE).map_err(|error| error.to_string()) {
        Ok(bytes) => formats::load(&bytes).map(|(model, _)| model).map_err(|error| error.to_string()),
        Err(error) => Err(error),
    };
    let replaced = match replaced {
        Ok(replaced) => replaced,
        Err(error) => {
            own.add(WarningKind::Companion, "", format!("the model that it replaces was not read: {error}"));
            add_warnings(vfs, &path, own, warnings);
            return Vec::new();
        }
    };
    let stem = split_extension(game_path).0;
    if let Some(scales) = vfs.find(&format!("{stem}.md5scale")) {
        own.add(WarningKind::LeftOut, "", "Maquette does not apply the scales of joints");
        add_warnings(vfs, &scales, std::mem::take(&mut own), warnings);
    }
    let mut setups: Vec<ModelSetup> = skin_names(&replaced)
        .iter()
        .take(MAX_SETUPS)
        .filter_map(|skin| {
            let skin = skin.replace('\\', "/");
            let image = resolved(folder_of(&skin), &join(REPLACEMENT_FOLDER, name_of(&skin)))?;
            let image =
                SurfaceSetup { surfaces: SurfaceChoice::All, image: Some(vec![image]), mask: None, normal_map: None };
            Some(ModelSetup {
                name: split_extension(name_of(&skin)).0.to_owned(),
                source: path.clone(),
                textures: vec![image],
                ..ModelSetup::default()
            })
        })
        .collect();
    if setups.is_empty() {
        setups.push(ModelSetup { source: path.clone(), ..ModelSetup::default() });
    }
    if let Some(first) = setups.first_mut() {
        first.clips = clips(&replaced);
        first.clips_within = Some(name_of(stem).to_owned());
    }
    setups
}

/// Returns the names of the skins: those of an MD2, or the materials of the first surface of an MD3.
fn skin_names(replaced: &Model) -> Vec<String> {
    match replaced.format().traits().materials {
        MaterialStorage::Skins => replaced.skins().to_vec(),
        _ => replaced.surfaces().first().map(|surface| surface.materials.clone()).unwrap_or_default(),
    }
}

/// Returns the named clips of the replaced model, as ranges of its frames.
fn clips(replaced: &Model) -> Vec<NamedRange> {
    let named = replaced.clips().iter().filter(|clip| clip.source != ClipSource::AllFrames);
    let ranges = named.map(|clip| NamedRange {
        name: clip.name.clone(),
        first: clip.first,
        count: clip.count,
        frames_per_second: Some(clip.frames_per_second),
        loops: clip.loops(),
    });
    ranges.take(MAX_SETUP_LINES).collect()
}
