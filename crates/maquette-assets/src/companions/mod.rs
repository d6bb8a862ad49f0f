//! Readers of companion files, and the cache of those that many models use.

mod animation_files;
mod clips;

use std::sync::Arc;

use crate::vfs::{ReadLimit, Vfs, name_of};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::animation_cfg::AnimationConfig;
use maquette_core::formats::clip_list::{self, NamedRange};
use maquette_core::formats::stand_in;
use maquette_core::model::Model;

pub(crate) use animation_files::{Declared, key as animation_key};
pub(crate) use clips::{CLIP_FILES, ReadClips, add_animations, add_clips, clip_list};

/// Contents of a companion file.
#[derive(Debug)]
pub(crate) struct Contents<T> {
    /// The parsed file; `None` if it was not read.
    pub parsed: Option<T>,
    pub warnings: Warnings,
}

impl<T> Contents<T> {
    pub(crate) fn read(vfs: &Vfs, path: &str, parse: impl FnOnce(&[u8], &mut Warnings) -> T) -> Self {
        let mut warnings = Warnings::default();
        let parsed = match vfs.read(path, ReadLimit::TEXT) {
            Ok(bytes) => match stand_in(&bytes) {
                Some(what) => {
                    warnings.add(WarningKind::Companion, "", format!("skipped: {what}"));
                    None
                }
                None => Some(parse(&bytes, &mut warnings)),
            },
            Err(error) => {
                warnings.add(WarningKind::Companion, "", format!("skipped: {error}"));
                None
            }
        };
        Self { parsed, warnings }
    }
}

pub(crate) fn clip_file(vfs: &Vfs, path: &str) -> Arc<Contents<AnimationConfig>> {
    vfs.memo(path, |vfs| Contents::read(vfs, path, AnimationConfig::parse))
}

/// Replaces the clips of a model by those of the list at `path`, unless the list is empty.
pub(crate) fn add_clip_list(
    vfs: &Vfs,
    path: &str,
    parse: fn(&[u8], &mut Warnings) -> Vec<NamedRange>,
    model: &mut Model,
    warnings: &mut Warnings,
) {
    let Contents { parsed, warnings: mut own } = Contents::read(vfs, path, parse);
    let frames = u32::try_from(model.frames().len()).unwrap_or(u32::MAX);
    let clips = clip_list::clips(&parsed.unwrap_or_default(), frames, model.format().usual_rate(), &mut own);
    if !clips.is_empty() {
        model.replace_clips(clips);
    }
    add_warnings(vfs, path, own, warnings);
}

/// Adds the warnings about the companion file at `path`.
pub(crate) fn add_warnings(vfs: &Vfs, path: &str, own: Warnings, warnings: &mut Warnings) {
    let own = own.into_vec();
    if !own.is_empty() {
        let location = vfs.location_of(path);
        warnings.append(own.into_iter().map(|warning| warning.of_companion(name_of(path), location.clone())).collect());
    }
}
