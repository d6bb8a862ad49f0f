//! Cache of files that many models use.

use std::sync::Arc;

use super::animation_files::AnimationFiles;
use super::cube_script::{CubeScript, cube_root_paths};
use super::model_definitions::Definitions;
use super::texture_names::TextureNames;
use crate::vfs::{ReadLimit, Vfs, folder_of};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::formats::animation_cfg::AnimationConfig;
use maquette_core::formats::{cube_cfg, iqm, model_def};
use maquette_core::limits::MAX_CUBE_SCRIPT_BYTES;
use maquette_core::model::{Format, Model};

#[derive(Debug)]
pub(super) struct Contents<T> {
    pub parsed: Option<T>,
    pub warnings: Warnings,
}

pub(super) fn clip_file(vfs: &Vfs, path: &str) -> Arc<Contents<AnimationConfig>> {
    vfs.memo(path, |vfs| Contents::read(vfs, path, AnimationConfig::parse))
}

pub(super) fn animation_files(vfs: &Vfs, folder: &str, model: &Model) -> Arc<AnimationFiles> {
    let (storage, joints) = (model.format().traits().companions.animations, iqm::stored_joints(model));
    let key = format!("{folder}/{joints}.{}", storage.extension().unwrap_or_default());
    vfs.memo(&key, |vfs| AnimationFiles::near(vfs, folder, storage, joints))
}

pub(super) fn cube_script(vfs: &Vfs, path: &str, format: Format) -> Arc<Contents<CubeScript>> {
    vfs.memo(path, |vfs| {
        let size = vfs.entry(path).and_then(|entry| entry.size());
        if size.is_some_and(|size| size.bytes > MAX_CUBE_SCRIPT_BYTES as u64) {
            let mut warnings = Warnings::default();
            let message = format!("the script is longer than {MAX_CUBE_SCRIPT_BYTES} bytes; skipped");
            warnings.add(WarningKind::LeftOut, "", message);
            return Contents { parsed: None, warnings };
        }
        let mut read = |name: &str| {
            let found = cube_root_paths(name).find_map(|path| vfs.find(path))?;
            let size = vfs.entry(&found)?.size();
            let is_short = size.is_none_or(|size| size.bytes <= MAX_CUBE_SCRIPT_BYTES as u64);
            is_short.then(|| vfs.read(&found, ReadLimit::TEXT).ok()).flatten()
        };
        let parse = |bytes: &[u8], warnings: &mut Warnings| {
            CubeScript::new(folder_of(path), cube_cfg::parse(bytes, format, &mut read, warnings))
        };
        Contents::read(vfs, path, parse)
    })
}

pub(super) fn model_definitions(vfs: &Vfs, path: &str) -> Arc<Contents<Definitions>> {
    vfs.memo(path, |vfs| {
        Contents::read(vfs, path, |bytes, warnings| Definitions::new(model_def::parse(bytes, warnings)))
    })
}

pub(super) fn texture_names(vfs: &Vfs, root: &str) -> Arc<TextureNames> {
    vfs.memo(root, |vfs| TextureNames::below(vfs, root))
}

impl<T> Contents<T> {
    fn read(vfs: &Vfs, path: &str, parse: impl FnOnce(&[u8], &mut Warnings) -> T) -> Self {
        let mut warnings = Warnings::default();
        let parsed = match vfs.read(path, ReadLimit::TEXT) {
            Ok(bytes) => Some(parse(&bytes, &mut warnings)),
            Err(error) => {
                warnings.add(WarningKind::Companion, "", format!("skipped: {error}"));
                None
            }
        };
        Self { parsed, warnings }
    }
}
